#include "film/film_gap.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"

typedef struct Overlap {
    int lo[3], hi[3];  // nodes of the whole grid that both windows hold
} Overlap;

static bool overlap_of(Overlap* o, const Window* a, const Window* b)
{
    for (int d = 0; d < 3; d++) {
        int last = a->dim == 2 && d == 2 ? 0 : 1;
        o->lo[d] = maxi(a->lo[d], b->lo[d]);
        o->hi[d] = mini(a->lo[d] + a->n[d] + last, b->lo[d] + b->n[d] + last);
        if (o->lo[d] >= o->hi[d]) return false;
    }
    return true;
}

static ptrdiff_t node_of(const Window* w, const int node[3])
{
    return window_at(w, node[0] - w->lo[0], node[1] - w->lo[1], w->dim == 3 ? node[2] - w->lo[2] : 0);
}

// Inside a solid that they wet level sets go on, but no liquid does.
static bool is_solid(const Liquid* q, ptrdiff_t node) { return liquid_solid(q) && liquid_solid(q)[node] < 0; }

// Two bodies with a gap of h between them have phi_a + phi_b >= h at every point: on the way from one to the other through it,
// or, inside one of them, on the way out of it and across. Held at the nodes it holds for the linear interpolants between them,
// so that no cut point of one surface lies nearer than about h to the other. One pass does it, and phi stays as smooth as both
// are. (The paper moves the nodes of each cut edge whose cut point lies too near, over and over; that leaves a surface of steps.)
// Each retreats as its volume is to that of both, so that neither loses a larger part of its own: half and half, drops of three
// cells among larger ones lost three quarters of theirs in a step, and the run ended.
void film_repair_gap(GapRepair* repair, Liquid* a, Liquid* b, double h_min)
{
    assert(a != b && a->w.dx == b->w.dx);
    Overlap o;
    double reach = FILM_REPAIR_REACH*a->w.dx, of_a = a->target_volume/(a->target_volume + b->target_volume);
    assert(of_a > 0 && of_a < 1);
    if (!overlap_of(&o, &a->w, &b->w)) return;
    long moved = 0;
    for (int k = o.lo[2]; k < o.hi[2]; k++)
        for (int j = o.lo[1]; j < o.hi[1]; j++)
            for (int i = o.lo[0]; i < o.hi[0]; i++) {
                int node[3] = {i, j, k};
                ptrdiff_t at = node_of(&a->w, node);
                double *p = a->phi.v + at, *q = b->phi.v + node_of(&b->w, node);
                double missing = h_min - (*p + *q);
                if (!(missing > 0) || fabs(*p) > reach || fabs(*q) > reach || is_solid(a, at)) continue;
                *p += of_a*missing, *q += (1 - of_a)*missing;
                repair->deepest = fmax(repair->deepest, missing);
                moved++;
            }
    repair->nodes += moved;
    if (moved > 0) nodes_exchange(a->phi.v, &a->w, EVERY_LAYER), nodes_exchange(b->phi.v, &b->w, EVERY_LAYER);
}

double film_least_gap(int place[3], const Liquid* a, const Liquid* b)
{
    assert(a->w.dx == b->w.dx);
    Overlap o;
    double least = INFINITY, reach = FILM_REPAIR_REACH*a->w.dx;
    if (!overlap_of(&o, &a->w, &b->w)) return least;
    for (int k = o.lo[2]; k < o.hi[2]; k++)
        for (int j = o.lo[1]; j < o.hi[1]; j++)
            for (int i = o.lo[0]; i < o.hi[0]; i++) {
                int node[3] = {i, j, k};
                ptrdiff_t at = node_of(&a->w, node);
                double p = a->phi.v[at], q = b->phi.v[node_of(&b->w, node)];
                if (!(p + q < least) || fabs(p) > reach || fabs(q) > reach || is_solid(a, at)) continue;
                least = p + q;
                for (int d = 0; d < 3; d++) place[d] = node[d];
            }
    return least;
}

bool film_gap_is_open(const Liquid* a, const Liquid* b, double least)
{
    int place[3];
    return !(film_least_gap(place, a, b) < least - 1e-9*a->w.dx);
}

// Below this share of free surface the volume is restored all over.
static const double LEAST_FREE = 0.05;

static void hold_near(float* freedom, const Film* film, const Liquid* q, const FilmBody* other)
{
    assert(film->settings.h_max > 0);
    Overlap o;
    double far = film->settings.h_max, near = 0.4*far;
    if (!overlap_of(&o, &q->w, other->w)) return;
    for (int k = o.lo[2]; k < o.hi[2]; k++)
        for (int j = o.lo[1]; j < o.hi[1]; j++)
            for (int i = o.lo[0]; i < o.hi[0]; i++) {
                int node[3] = {i, j, k};
                double d = other->phi[node_of(other->w, node)];
                float* f = freedom + node_of(&q->w, node);
                *f = fminf(*f, (float)clamp((d - near)/(far - near), 0, 1));
            }
}

mn_status film_freedom(float** freedom, const Film* film, int m, Arena* arena)
{
    assert(m >= 0 && m < film->bodies.liquids);
    const FilmBody* body = film->bodies.body;
    const Liquid* q = body[m].liquid;
    float* f = NULL;
    *freedom = NULL;
    for (int b = 0; b < film->bodies.count; b++) {
        if (b == m || !film_keeps_apart(film, m, b) || !film_windows_meet(&q->w, body[b].w)) continue;
        if (!f) {
            TRY_MEMORY(f = ARENA_NEW(arena, float, q->w.count));
            for (size_t n = 0; n < q->w.count; n++) f[n] = 1;
            f += q->w.origin;
        }
        hold_near(f, film, q, &body[b]);
    }
    if (!f) return MN_OK;
    double free_area = 0;
    for (int c = 0; c < q->cells.count; c++) free_area += (double)f[q->cells.cut[c].at]*q->cells.cut[c].patch_area;
    if (free_area*window_face_area(&q->w) > LEAST_FREE*q->cells.surface) *freedom = f;
    return MN_OK;
}
