// Solids and bodies as the surface of a liquid meets them. Shapes, places and the motion of what moves by a script are those of
// liquid/solid.h; bodies that are free have velocities v, which are unknowns of the surface's own solve (membrane_solve.h).
// Whoever moves them hands them in by this; the membrane knows nothing of engines.
#pragma once
#include "liquid/solid.h"
#include "membrane/surface.h"
#include "solve/wrenches.h"

// Borrowed for a step. MembraneMesh.body of a vertex in contact is the number of its solid here.
typedef struct MembraneBodies {
    const Solids* solids;
    const double* edge;  // m, per solid: edges of the mesh wanted on its skin; NULL: what its thickness and curvature ask for
    double far_edge;     // m: edges wanted away from all of them; 0: the mesh's own stay
    double (*wrench)[TWIST];  // per solid: out, what the surface presses it with, N and N m about its pivot; NULL: nobody asks
    // the free ones, solids with body > 0, which is 1 + their place here
    int nv;
    double* v;                 // nv: of the last solve, and out of the next
    const Follower* follower;  // twist of its pivot from v
    const bool* is_round;      // of a disc or a ball: no force of the surface turns it, and it turns under the surface
    const double* inertia;     // nv x nv, after begin
    const double* impulse;     // nv: M v + dt forces, likewise
    // bodies and solids go where they are after dt; `begin` and `contacts` are those of rigid/rigid.h. All NULL without free ones
    mn_status (*move)(void* user, double dt);
    mn_status (*begin)(void* user, double dt);
    mn_status (*contacts)(bool* changed, void* user, const double* v_new);
    void* user;
} MembraneBodies;

// What a solid's pivot has come to: arms of its twist begin there.
static inline void bodies_pivot(double out[3], const Solid* s)
{
    for (int d = 0; d < 3; d++) out[d] = s->pivot[d] + s->pose.position[d];
}

// The free body that a vertex is carried by, -1: none, it is free itself or on something that moves by a script.
static inline int bodies_carrier(const MembraneBodies* b, const MembraneMesh* m, int vertex)
{
    return !b || membrane_is_free(m, vertex) ? -1 : b->solids->solid[m->body[vertex]].body - 1;
}

// Does an element lie on one body with all its corners? It moves as a piece of it, and its tension has neither force nor torque.
static inline bool element_is_carried(const MembraneMesh* m, int e)
{
    const int* corner = membrane_element(m, e);
    for (int c = 0; c < m->dim; c++)
        if (membrane_is_free(m, corner[c]) || m->body[corner[c]] != m->body[corner[0]]) return false;
    return true;
}
