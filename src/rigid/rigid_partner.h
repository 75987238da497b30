// Bodies as a partner of the liquid: they float, sink and are carried. In a step (step/step_liquid.c)
//
//     3  bodies go along the velocity of the last solve, as the surface does
//     7  their velocities and those of the liquids that stick to them are one viscous solve (docs/body_friction.md)
//     8  the liquids that touch them and the bodies' velocities are one solve (solve/wrenches.h); tension pulls at them where the
//        surface ends on them (rigid_tension.h); contacts that the new velocities ask for act, and it is solved again
//
// docs/bodies.md tells the method.
#pragma once
#include "liquid/world.h"
#include "rigid/rigid.h"
#include "rigid/rigid_momentum.h"

// What happened to a body in the last step; forces in N (2D: N/m), torques in N m about its centre of mass.
typedef struct BodyReport {
    double pressure[TWIST];  // of the liquid
    double tension[TWIST];   // of its surface
    double friction[TWIST];  // of the liquid
    double spray[TWIST];     // of droplets that hit it or lie on it
    int contacts;            // with walls and other bodies
    int wetted;              // cut cells that press on it
    int lines;               // cells in which a free surface ends on it; 0: covered or dry
} BodyReport;

typedef struct RigidPartner {
    Rigid rigid;                  // owned
    BodyReport* report;           // per body; owned
    double* friction;             // bodies x TWIST, N and N m, of this step; owned
    double work;                  // J, of drives and of forces from outside in the last step
    double *given, *pushes;       // bodies x TWIST: forces and impulses from outside (rigid_steer.h); no state; owned
    struct FreeBodiesNote* note;  // from predict to settle; kept memory
    struct RigidSolve* solve;     // from couple to take_back; scratch memory
    // from the first solve of a step to the last; kept memory
    double* patches;  // bodies x TWIST: pull of the surface's patches
    BodyCells cells;
} RigidPartner;

// Moves *rigid in, also on failure. The solids that follow its bodies are marked, and go where the bodies are.
mn_status rigid_partner_add(World* world, Rigid* rigid);
// Solids follow their bodies: places, and velocities that the liquid is held to.
void rigid_lead_solids(const Rigid* r, Solids* solids);
// NULL: the world has no bodies.
RigidPartner* rigid_partner_of(const World* world);
