// The cycles of tension within a step of the flow: what they see, frozen, and one of them. Shared by tension_cycles.c,
// tension_freeze.c and tension_split.c, which tells the method; the rest of the house uses tension_split.h.
#pragma once
#include <math.h>
#include "grid/extend.h"
#include "liquid/held_faces.h"
#include "liquid/wetting.h"
#include "solve/pressure.h"
#include "tension/tension_split.h"

static const double FOLLOW = 4.5;  // nodes this close to the surface (cells) follow it

typedef struct FollowNode {
    ptrdiff_t at;
    double foot[3];  // the surface point next to it, cells
    double sigma;    // N/m
    double slope;    // G/sigma, 1/m^2; 0 where it is not known
    bool near;
    ptrdiff_t beside;  // the node nearest to the foot
} FollowNode;

typedef struct InnerFace {
    ptrdiff_t at;
    int axis;
} InnerFace;

typedef struct Cycles {
    Liquid* q;
    StepContext* ctx;
    double acceleration[3], h;
    double v[3];  // m/s: of the frame in which the surface is followed
    Pressure p;
    PoissonSolver* solver;
    SurfaceLink* link;
    int links;
    Extend extend;
    FollowNode* node;
    int nodes;
    bool at_side;  // the surface is near a side of the tank: ghosts are read
    Wetting wet;
    const Contact* contact;  // NULL: 90 degrees everywhere
    Arena walls;             // owned: scratch of meet_walls and set_surface
    HeldFaces held;          // without solids not set
    InnerFace* face;         // near the surface, between two unknown cells
    int faces;
    double* u[3];                            // u_i near the surface, u_0 elsewhere
    Edges edges;                             // that lines rest on: nothing pulls at them
    const double* seen;                      // phi_0 on nodes, as its curvature sees it (flow_seen)
    double *phi, *rate, *ahead;              // nodes: phi_i, what it changes by, and a little later
    double *kappa, *sum, *sum_u;             // nodes: that of phi_i; sums of q_1..q_i and of i times that, over sigma
    double *pressure, *sum_p, *flow, *pull;  // cells: p_i, sum of i p_i, the parts of b from u_0 and from the acceleration
    double *surface, *known;                 // nodes: in Pa; per link
} Cycles;

#define CYCLE_LOOP(c) _Pragma("omp parallel for schedule(static) if (spans_parallel(&(c)->q->spans))")

static inline double* new_field(Arena* arena, const Window* w)
{
    double* v = ARENA_ZERO(arena, double, w->count);
    return v ? v + w->origin : NULL;
}

// The surface point next to a node, cells, and the normal there.
void cycles_foot(double foot[3], double n[3], const double* phi, const Window* w, const int node[3]);
// Surface, matrix and lists as the step finds them: q, ctx, acceleration, h and v must be set. Scratch memory.
mn_status cycles_freeze(Cycles* c);
// u past the surface and at solids.
void cycles_reach_past_surface(Cycles* c);
void cycles_hold_to_solids(double* const u[3], const Cycles* c);

// phi_i and where it will be a little later.
mn_status cycles_move_surface(Cycles* c);
// q_i/sigma of cycle i of n, its sums, and the pressure of the mean on the frozen surface.
mn_status cycles_take_curvature(Cycles* c, int i, int n);
// That of a sum of curvatures times scale, Pa, in c->surface.
mn_status cycles_set_surface(Cycles* c, const double* sum, double scale);
// u_i
void cycles_project(Cycles* c, int i);

// The part of a node field that waves of a few cells make up: (k dx/2)^2 of it.
enum { RIPPLE_READS = 1 };
static inline double ripple(const double* v, const Window* w)
{
    double sum = 2*w->dim*v[0] - (v[1] + v[-1]) - (v[w->sy] + v[-w->sy]);
    return 0.25*(w->dim == 3 ? sum - (v[w->sz] + v[-w->sz]) : sum);
}
