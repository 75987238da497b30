// One solve for the pressures of all liquids that share a partner, and for the partners' own unknowns.
#pragma once
#include "liquid/liquid.h"
#include "solve/pressure.h"

// Arena memory, from the start of a projection to its end.
typedef struct Coupling {
    int liquids;          // of the world
    bool* joined;         // per liquid: a partner takes part in its solve
    const int** pressed;  // per liquid, per cut cell: >= 0 where a partner presses on its piece of surface; NULL: nowhere
    Pressure** pressure;  // per liquid: its problem; NULL: it is solved alone
    double** change;      // per liquid, per cut cell, Pa: what partners add to the surface's pressure
    int* part;            // per liquid: its place in the group; -1: not in it
    double* weight;       // per part: of its rows in the group, rho_0/rho
    double** right_side;  // per part: as built; a solve uses up the problem's own
    PoissonGroup group;
    double dt;         // s
    bool is_rough;     // the solve was not to the full tolerance
    bool wants_rough;  // by a partner in assemble or judge: it will have to be repeated anyway
} Coupling;

mn_status coupling_begin(Coupling* c, int liquids, Arena* arena);
// A partner presses on this liquid, where `pressed` says.
void coupling_join(Coupling* c, int liquid, const int* pressed);
bool coupling_is_empty(const Coupling* c);
// Once the problems of the joined liquids stand: one group with their right-hand sides kept.
mn_status coupling_gather(Coupling* c, const Liquid* liquid, Arena* arena);
// The right-hand sides as they were built.
void coupling_refresh(const Coupling* c);
