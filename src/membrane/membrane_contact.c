#include "membrane/membrane_contact.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "membrane/remesh.h"

// Vertices in contact lie so far out of the skin, in cells; rounding then puts none of them inside.
static const double SKIN = 1e-4;
// A vertex in contact that is further than this from its body's skin, in cells, has lost it.
static const double LOST = 1;
// Wanted edges grow by so much of the distance from a body.
static const double GROWTH = 0.25;

// ---- onto the skin ---------------------------------------------------------------------------------------------------------

// Along the normal until the skin is `off` away; signed distances that are exact are met in one step. Coordinates on walls stay.
static void lay_on(double x[3], const MembraneMesh* m, int vertex, const Solid* s, double off, double dx)
{
    for (int turn = 0; turn < 4; turn++) {
        double n[3], away = off - solid_distance_to(s, x);
        if (fabs(away) < 1e-3*off) return;
        solid_normal_at(n, s, x, dx, m->dim);
        for (int d = 0; d < m->dim; d++)
            if (!(m->flag[vertex] >> d & 1)) x[d] += away*n[d];
    }
}

// Of any of its points, at most.
static double solid_speed(const Solid* s) { return vec_norm(s->velocity) + vec_norm(s->spin)*s->reach; }

// Can the solid be nearer to x than `within`?
static bool may_be_near(const Solid* s, const double x[3], double within)
{
    double pivot[3], from[3];
    if (!(s->reach > 0)) return true;
    bodies_pivot(pivot, s);
    vec_sub(from, x, pivot);
    return vec_norm(from) < s->reach + within;
}

// A point that was at x before the solid moved for dt, carried along by it.
static void carry_along(double out[3], const Solid* s, const double x[3], double dt)
{
    double pivot[3], arm[3], axis[3], across[3], angle = vec_norm(s->spin)*dt;
    bodies_pivot(pivot, s);
    for (int d = 0; d < 3; d++) {
        arm[d] = x[d] - (pivot[d] - dt*s->velocity[d]);
        axis[d] = angle > 0 ? s->spin[d]*dt/angle : 0;
    }
    // Rodrigues: c r + s a x r + (1 - c) (a.r) a
    vec_cross(across, axis, arm);
    double along = vec_dot(axis, arm), c = cos(angle);
    for (int d = 0; d < 3; d++) out[d] = pivot[d] + c*arm[d] + sin(angle)*across[d] + (1 - c)*along*axis[d];
}

// Did a vertex that was outside pass into the solid on its way to x, as seen from the solid? Then x is where it went in. Steps as
// long as the distance pass over nothing.
static bool went_in(double x[3], const Solid* s, const double before[3], double dt, double skin)
{
    double from[3], way[3], at[3];
    carry_along(from, s, before, dt);
    vec_sub(way, x, from);
    double length = vec_norm(way), gone = 0;
    for (int turn = 0; turn < 100 && gone < length; turn++) {
        for (int d = 0; d < 3; d++) at[d] = from[d] + gone/length*way[d];
        double distance = solid_distance_to(s, at);
        if (turn == 0 && distance <= skin) return false;  // it lay on it
        if (distance < 0.1*skin) {
            for (int d = 0; d < 3; d++) x[d] = at[d];
            return true;
        }
        gone += fmax(distance, 0.1*skin);
    }
    return false;
}

static void touch_vertex(MembraneMesh* m, int vertex, const MembraneBodies* b, Moved moved, double dx, TouchCount* count)
{
    double* x = m->x + 3*vertex;
    if (!membrane_is_free(m, vertex)) {
        const Solid* s = &b->solids->solid[m->body[vertex]];
        if (solid_distance_to(s, x) < LOST*dx) lay_on(x, m, vertex, s, SKIN*dx, dx);
        else m->flag[vertex] &= ~MEMBRANE_CONTACT, m->body[vertex] = NO_BODY;
    }
    for (int s = 0; s < b->solids->count; s++) {
        const Solid* solid = &b->solids->solid[s];
        double travel = moved.x ? (vec_norm(m->v + 3*vertex) + solid_speed(solid))*moved.dt : 0;
        if (m->body[vertex] == s || !may_be_near(solid, x, travel)) continue;
        bool in = moved.x && membrane_is_free(m, vertex) && went_in(x, solid, moved.x + 3*vertex, moved.dt, 2*SKIN*dx);
        if (!in && !(solid_distance_to(solid, x) < 0)) continue;
        lay_on(x, m, vertex, solid, SKIN*dx, dx);
        if (membrane_is_free(m, vertex)) count->captured++;
        m->flag[vertex] = (m->flag[vertex] | MEMBRANE_CONTACT) & ~MEMBRANE_RELEASED, m->body[vertex] = s;
    }
    count->touching += !membrane_is_free(m, vertex);
}

void membrane_touch(MembraneMesh* m, const MembraneBodies* b, Moved moved, double dx, TouchCount* count)
{
    TouchCount own = {0}, *c = count ? count : &own;
    c->touching = 0;
    for (int i = 0; i < m->vertices; i++) touch_vertex(m, i, b, moved, dx, c);
}

// ---- wanted lengths --------------------------------------------------------------------------------------------------------

typedef struct WantedSize {
    const MembraneBodies* bodies;
    double dt;
    int dim;
} WantedSize;

// What balls fit into a body where x is nearest to its skin: its radius of curvature, or half its thickness. Edges of 0.4 of that
// follow it. At corners no ball fits: there the edges are short, but not as short as on a wire.
static double edge_at(const MembraneBodies* b, const Solid* s, const double x[3], int dim)
{
    static const double PART = 0.4, CORNER = 0.15, THINNEST = 1.0/64;
    double n[3], skin = solid_distance_to(s, x), at[3];
    solid_normal_at(n, s, x, 1e-3*b->far_edge, dim);
    for (double radius = b->far_edge/PART; radius > THINNEST*b->far_edge; radius *= 0.5) {
        for (int d = 0; d < 3; d++) at[d] = x[d] - (skin + radius)*n[d];
        if (-solid_distance_to(s, at) > 0.8*radius) return PART*radius;
        for (int d = 0; d < 3; d++) at[d] = x[d] - (skin + 2*radius)*n[d];
        // thick enough, and still no room for a ball: the skin turns away near by
        if (radius < b->far_edge && solid_distance_to(s, at) < 0) return fmax(PART*radius, CORNER*b->far_edge);
    }
    return PART*THINNEST*b->far_edge;
}

// A body needs fine meshes where it will be: twice the way it goes in a step counts as no distance.
static double wanted_size(const void* user, const double x[3])
{
    const WantedSize* w = user;
    const MembraneBodies* b = w->bodies;
    double size = b->far_edge;
    for (int s = 0; s < b->solids->count; s++) {
        const Solid* solid = &b->solids->solid[s];
        double way = 2*solid_speed(solid)*w->dt;
        if (!may_be_near(solid, x, way + size/GROWTH)) continue;
        double grown = GROWTH*fmax(solid_distance_to(solid, x) - way, 0);
        if (grown < size) size = fmin(size, grown + (b->edge ? b->edge[s] : edge_at(b, solid, x, w->dim)));
    }
    return size;
}

mn_status membrane_touch_sizes(MembraneMesh* m, const MembraneBodies* b, double dt)
{
    if (!(b->far_edge > 0)) return MN_OK;
    WantedSize wanted = {b, dt, m->dim};
    return membrane_set_sizes(m, wanted_size, &wanted, 1.5);
}

// ---- letting go ------------------------------------------------------------------------------------------------------------

int membrane_release(MembraneMesh* m, const MembraneBodies* b, double (*held)[3], double least, double dx)
{
    int released = 0;
    // one ring at a time: who is at the rim is decided before anyone is let go
    for (int e = 0; e < m->elements; e++) {
        const int* corner = membrane_element(m, e);
        bool rim = false;
        for (int c = 0; c < m->dim; c++) rim = rim || (membrane_is_free(m, corner[c]) && !(m->flag[corner[c]] & MEMBRANE_NEW));
        for (int c = 0; c < m->dim && rim; c++) {
            int i = corner[c];
            double n[3];
            if (membrane_is_free(m, i)) continue;
            solid_normal_at(n, &b->solids->solid[m->body[i]], m->x + 3*i, dx, m->dim);
            if (vec_dot(n, held[i]) >= -least) continue;
            m->flag[i] = (m->flag[i] & ~MEMBRANE_CONTACT) | MEMBRANE_RELEASED | MEMBRANE_NEW, m->body[i] = NO_BODY, released++;
        }
    }
    for (int i = 0; i < m->vertices; i++)
        if (m->flag[i] & MEMBRANE_RELEASED) m->flag[i] &= ~MEMBRANE_NEW;
    return released;
}

void membrane_wrenches(const MembraneMesh* m, const MembraneBodies* b, double (*held)[3], double dt)
{
    if (!b->wrench) return;
    for (int s = 0; s < b->solids->count; s++)
        for (int k = 0; k < TWIST; k++) b->wrench[s][k] = 0;
    for (int i = 0; i < m->vertices; i++) {
        if (membrane_is_free(m, i)) continue;
        double arm[3], torque[3], *wrench = b->wrench[m->body[i]];
        bodies_pivot(arm, &b->solids->solid[m->body[i]]);
        vec_sub(arm, m->x + 3*i, arm);
        vec_cross(torque, arm, held[i]);
        for (int d = 0; d < 3; d++) wrench[d] -= held[i][d]/dt, wrench[3 + d] -= torque[d]/dt;
    }
}

// ---- how deep --------------------------------------------------------------------------------------------------------------

// A distance changes by no more than the way: nothing of an element is deeper than its middle is, by more than its corners are
// away from there. Elements that could hold something deeper than what is known by more than `within` are halved.
static void look_for_deepest(double* deepest, const Solid* s, const double (*x)[3], int dim, double within)
{
    double middle[3] = {0, 0, 0}, radius = 0, longest = 0;
    int cut = 0;
    for (int c = 0; c < dim; c++)
        for (int d = 0; d < 3; d++) middle[d] += x[c][d]/dim;
    for (int c = 0; c < dim; c++) {
        double from[3], side[3];
        vec_sub(from, x[c], middle);
        vec_sub(side, x[(c + 1)%dim], x[c]);
        radius = fmax(radius, vec_norm(from));
        if (vec_norm(side) > longest) longest = vec_norm(side), cut = c;
    }
    double depth = -solid_distance_to(s, middle);
    *deepest = fmax(*deepest, depth);
    if (depth + radius <= *deepest + within) return;
    double half[3][3], other[3][3];
    for (int c = 0; c < dim; c++)
        for (int d = 0; d < 3; d++) half[c][d] = other[c][d] = x[c][d];
    int next = (cut + 1)%dim;
    for (int d = 0; d < 3; d++) half[next][d] = other[cut][d] = 0.5*(x[cut][d] + x[next][d]);
    look_for_deepest(deepest, s, (const double(*)[3])half, dim, within);
    look_for_deepest(deepest, s, (const double(*)[3])other, dim, within);
}

double membrane_deepest(const MembraneMesh* m, const MembraneBodies* b, double within)
{
    double deepest = 0;
    assert(within > 0);
    for (int e = 0; e < m->elements; e++) {
        double x[3][3], reach = 0;
        const int* corner = membrane_element(m, e);
        for (int c = 0; c < m->dim; c++) {
            double side[3];
            vec_sub(side, m->x + 3*corner[c], m->x + 3*corner[0]);
            reach = fmax(reach, vec_norm(side));
            for (int d = 0; d < 3; d++) x[c][d] = m->x[3*corner[c] + d];
        }
        for (int s = 0; s < b->solids->count; s++)
            if (may_be_near(&b->solids->solid[s], x[0], reach))
                look_for_deepest(&deepest, &b->solids->solid[s], (const double(*)[3])x, m->dim, within);
    }
    return deepest;
}

void membrane_touch_velocity(double out[3], const MembraneMesh* m, const MembraneBodies* b, int vertex)
{
    const Solid* s = &b->solids->solid[m->body[vertex]];
    assert(!membrane_is_free(m, vertex));
    solid_velocity_at(out, s, m->x + 3*vertex);
    for (int d = 0; d < 3; d++)
        if (m->flag[vertex] >> d & 1) out[d] = 0;
}
