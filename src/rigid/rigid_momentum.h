// One law: bodies and liquids that touch nothing but each other cannot push themselves. Tension and advection on a grid move them
// as a whole a little; what is missing of the momentum they had, and of what gravity gave, all of them get back, the same
// velocity.
#pragma once
#include "liquid/world.h"
#include "rigid/rigid.h"

// A cut cell of a liquid that a body is in.
typedef struct BodyCell {
    int liquid, cut, body;
    double wrench[TWIST], moments[3][3];  // pressure_skin_moments; of unknown cells, once they have been asked for
    bool has_wrench;
} BodyCell;

// In the order of the liquids, then of their cells.
typedef struct BodyCells {
    BodyCell* cell;
    int count;
} BodyCells;

// Momenta at the start of a step.
typedef struct FreeBodiesNote FreeBodiesNote;

// Kept memory.
mn_status free_bodies_note(FreeBodiesNote** note, const Rigid* r, StepContext* ctx);
// At its end, for the cells in which bodies and liquids meet; factor: of the inertia that the velocities were solved with; spray:
// bodies x TWIST, what droplets pushed with (N); c: which liquids other partners let push each other. Liquids' and bodies'
// velocities change; solids must be led again. Scratch memory.
mn_status free_bodies_settle(Rigid* r, const FreeBodiesNote* note, const BodyCell* cell, int cells, const double* factor,
                             const double* spray, const Coupling* c, StepContext* ctx);
