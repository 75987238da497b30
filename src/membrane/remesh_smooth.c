// Moving vertices along the surface, restoring the volume, and wanted lengths.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/closest.h"
#include "membrane/remesh_private.h"

// ---- triangles --------------------------------------------------------------------------------------------------------------

typedef struct Move {
    Ring ring;
    double gradient[3];  // of the volume
    double aim[3];       // where the vertex would like to be
    double worst;        // smallest angle around it, rad
} Move;

// Centre of the triangles around, each weighted by its area in units of the wanted length.
static void look_around(Move* move, const Remesh* r, int vertex)
{
    const MembraneMesh* m = &r->m;
    double sum = 0;
    for (int d = 0; d < 3; d++) move->gradient[d] = move->aim[d] = 0;
    move->worst = PI;
    for (int n = 0; n < move->ring.count; n++) {
        int k = move->ring.corner[n], p = m->element[next_corner(k)], q = m->element[last_corner(k)];
        double normal[3], size = (m->size[vertex] + m->size[p] + m->size[q])/3;
        triangle_normal(normal, m->x + 3*vertex, m->x + 3*p, m->x + 3*q);
        double weight = vec_norm(normal)/(size*size);
        sum += weight;
        for (int d = 0; d < 3; d++) {
            move->gradient[d] += normal[d]/6;
            move->aim[d] += weight*(m->x[3*vertex + d] + m->x[3*p + d] + m->x[3*q + d])/3;
        }
        move->worst = fmin(move->worst, smallest_angle(m->x + 3*vertex, m->x + 3*p, m->x + 3*q));
    }
    for (int d = 0; d < 3; d++) move->aim[d] /= sum;
}

// At the border: half way between the two beside it on the wall.
static void look_along_border(Move* move, const Remesh* r, int vertex)
{
    const MembraneMesh* m = &r->m;
    int p = m->element[next_corner(move->ring.corner[0])], q = m->element[last_corner(move->ring.corner[move->ring.count - 1])];
    for (int d = 0; d < 3; d++) {
        bool walled = m->flag[vertex] >> d & 1;
        move->aim[d] = walled ? m->x[3*vertex + d] : 0.5*(m->x[3*p + d] + m->x[3*q + d]);
        if (walled) move->gradient[d] = 0;
    }
}

// The way to the aim without its part along the volume's gradient: the volume is linear in one vertex, so it stays exactly.
static bool way_along(double way[3], const Move* move, const MembraneMesh* m, int vertex)
{
    double square = vec_dot(move->gradient, move->gradient);
    if (!(square > 0)) return false;
    vec_sub(way, move->aim, m->x + 3*vertex);
    double along = vec_dot(way, move->gradient)/square;
    for (int d = 0; d < 3; d++) way[d] -= along*move->gradient[d];
    return vec_norm(way) > 1e-3*m->size[vertex];
}

// Triangles must not turn over, nor the worst of them become worse unless all are good.
static bool move_is_good(const Move* move, const Remesh* r, int vertex, const double place[3])
{
    static const double GOOD = 0.6;  // rad, 34 degrees
    const MembraneMesh* m = &r->m;
    double worst = PI;
    for (int n = 0; n < move->ring.count; n++) {
        int k = move->ring.corner[n];
        const double *p = m->x + 3*m->element[next_corner(k)], *q = m->x + 3*m->element[last_corner(k)];
        double old[3], new[3];
        triangle_normal(old, m->x + 3*vertex, p, q);
        triangle_normal(new, place, p, q);
        if (vec_dot(old, new) < 0.5*vec_norm(old)*vec_norm(new)) return false;
        worst = fmin(worst, smallest_angle(place, p, q));
    }
    return worst > GOOD || worst >= move->worst;
}

// The velocity of the old surface at the point nearest to the new place.
static void velocity_at(double out[3], const Move* move, const Remesh* r, int vertex, const double place[3])
{
    const MembraneMesh* m = &r->m;
    double nearest = INFINITY;
    for (int n = 0; n < move->ring.count; n++) {
        int k = move->ring.corner[n], v[3] = {vertex, m->element[next_corner(k)], m->element[last_corner(k)]};
        double w[3], far = closest_on_triangle(w, place, m->x + 3*v[0], m->x + 3*v[1], m->x + 3*v[2]);
        if (far >= nearest) continue;
        nearest = far;
        for (int d = 0; d < 3; d++) out[d] = w[0]*m->v[3*v[0] + d] + w[1]*m->v[3*v[1] + d] + w[2]*m->v[3*v[2] + d];
    }
}

static void add_ring(Patch* p, const Remesh* r, const Ring* ring)
{
    for (int n = 0; n < ring->count; n++) patch_add(p, &r->m, ring->corner[n]/3);
}

static bool smooth_vertex(Remesh* r, int vertex)
{
    MembraneMesh* m = &r->m;
    Move move;
    double way[3], place[3], velocity[3] = {0, 0, 0};
    if (!ring_of(&move.ring, r, vertex)) return false;
    look_around(&move, r, vertex);
    if (!move.ring.closed) look_along_border(&move, r, vertex);
    if (!way_along(way, &move, m, vertex)) return false;
    double share = 0.7;
    for (int tries = 0;; tries++, share *= 0.5) {
        if (tries == 3) return false;
        for (int d = 0; d < 3; d++) place[d] = m->x[3*vertex + d] + share*way[d];
        if (move_is_good(&move, r, vertex, place)) break;
    }
    velocity_at(velocity, &move, r, vertex, place);
    Patch before = {0}, after = {0};
    add_ring(&before, r, &move.ring);
    for (int d = 0; d < 3; d++) {
        bool walled = m->flag[vertex] >> d & 1;
        if (!walled) m->x[3*vertex + d] = place[d], m->v[3*vertex + d] = velocity[d];
    }
    add_ring(&after, r, &move.ring);
    patch_restore(m, vertex, after.area/3, &before, &after);
    return true;
}

int remesh_smooth(Remesh* r)
{
    int moves = 0;
    for (int i = 0; i < r->m.vertices; i++)
        if (r->corner[i] >= 0 && membrane_is_free(&r->m, i)) moves += smooth_vertex(r, i);
    return moves;
}

// ---- volume -----------------------------------------------------------------------------------------------------------------

double membrane_restore_volume(MembraneMesh* m, double limit)
{
    double* g = malloc(3*sizeof *g*(size_t)(m->vertices + 1));
    bool* still = calloc((size_t)m->vertices + 1, sizeof *still);
    double moved = 0;
    for (int e = 0; g && still && e < m->elements; e++) {
        bool touches = false;
        for (int c = 0; c < m->dim; c++) touches |= !membrane_is_free(m, membrane_element(m, e)[c]);
        for (int c = 0; c < m->dim && touches; c++) still[membrane_element(m, e)[c]] = true;
    }
    for (int round = 0; g && still && round < 6; round++) {
        double lacks = m->target_volume - membrane_volume(m), area = 0;
        if (fabs(lacks) <= 1e-12*fabs(m->target_volume)) break;
        membrane_volume_gradient(g, m);
        for (int i = 0; i < m->vertices; i++) area += still[i] ? 0 : vec_norm(g + 3*i);
        if (!(area > 0)) break;
        double by = clamp(lacks/area, -limit - moved, limit - moved);
        for (int i = 0; i < m->vertices; i++) {
            double length = vec_norm(g + 3*i);
            for (int d = 0; d < 3 && !still[i] && length > 0; d++) m->x[3*i + d] += by*g[3*i + d]/length;
        }
        moved += by;
    }
    free(g), free(still);
    return moved;
}

// ---- wanted lengths ---------------------------------------------------------------------------------------------------------

mn_status membrane_set_sizes(MembraneMesh* m, double (*size)(const void* user, const double x[3]), const void* user,
                             double growth)
{
    assert(growth >= 1);
    for (int i = 0; i < m->vertices; i++) {
        m->size[i] = size(user, m->x + 3*i);
        if (!(m->size[i] > 0)) return mn_fail(MN_BAD_MESH, "an edge length of %g m is wanted; it must be positive", m->size[i]);
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int k = 0; k < m->dim*m->elements; k++) {
            int a = m->element[k], b = m->element[k - k%m->dim + (k + 1)%m->dim];
            for (int turn = 0; turn < 2; turn++, a ^= b, b ^= a, a ^= b)
                if (m->size[b] > growth*m->size[a]*(1 + 1e-12)) m->size[b] = growth*m->size[a], changed = 1;
        }
    }
    return MN_OK;
}
