// Free bodies as unknowns of another partner's solve: the partner that owns them lends them (PartnerVerbs.movers) to one whose
// liquid carries them by its surface. In a step in which that partner takes them, theirs is the velocity it gives them, and their
// owner solves nothing.
#pragma once
#include "solve/wrenches.h"

struct StepContext;

typedef struct Movers {
    int bodies, nv;
    const double* v;                  // nv, m/s and rad/s: of the last solve
    const Follower* follower;         // per body, which solids name by Solid.body - 1
    const bool* is_round;             // per body: a disc or a ball, which no pressure turns
    const double *inertia, *impulse;  // nv x nv, nv: M v + dt forces without the liquid, after begin
    // As RigidEngine's: begin at the start of a solve; contacts after each, which adds those that the new velocities ask for to
    // inertia and impulse (v_new NULL: those that the last ones do).
    mn_status (*begin)(void* self, struct StepContext* ctx);
    mn_status (*contacts)(bool* changed, void* self, const double* v_new);
    // The solve is over: v, and what the surface pressed each body with, N and N m about its centre, and in how many places.
    void (*take)(void* self, struct StepContext* ctx, const double* v, double (*wrench)[TWIST], const int* touching);
    void* self;
} Movers;
