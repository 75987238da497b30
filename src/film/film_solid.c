#include "film/film_solid.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

// Distances to the solids on the nodes of the liquid's spans; elsewhere `far`. False if all are farther than `reach`.
static bool sample_distance(double* phi, const Liquid* q, const Solids* solids, double reach, double far)
{
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    double* block = phi - w->origin;
    bool near = false;
    for (size_t n = 0; n < w->count; n++) block[n] = far;
#pragma omp parallel for schedule(dynamic, 8) reduction(|| : near) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                double x[3];
                window_position(x, w, i, j, k);
                double d = solids_kept_off(solids, x, NULL);
                phi[window_at(w, i, j, k)] = fmin(d, far);
                near = near || d < reach;
            }
    }
    nodes_exchange(phi, w, EVERY_LAYER);
    return near;
}

static mn_status sample_velocity(FilmBody* solid, const Liquid* q, const Solids* solids, Arena* arena)
{
    const Window* w = &q->w;
    double* still = ARENA_ZERO(arena, double, w->count);
    TRY_MEMORY(still);
    for (int d = 0; d < 3; d++) solid->u[d] = still + w->origin;
    for (int d = 0; d < w->dim && solids->any_moving; d++) {
        double* u = ARENA_ZERO(arena, double, w->count);
        TRY_MEMORY(u);
        solid->u[d] = u + w->origin;
        for (int r = 0; r < q->spans.rows; r++) {
            int j = r%q->spans.rows_y, k = r/q->spans.rows_y;
            SPAN_LOOP(&q->spans, r, m)
                for (int i = q->spans.span[m].i0; i < q->spans.span[m].i1; i++) {
                    double x[3], v[3];
                    int which = 0;
                    window_position(x, w, i + (d != 0)*0.5, j + (d != 1)*0.5, w->dim == 3 ? k + (d != 2)*0.5 : 0);
                    solids_kept_off(solids, x, &which);
                    solid_velocity_at(v, &solids->solid[which], x);
                    solid->u[d][window_at(w, i, j, k)] = v[d];
                }
        }
    }
    return MN_OK;
}

// Can a solid lie within `reach` of some place in the window?
static bool may_be_near(const Window* w, const Solids* solids, double reach)
{
    double middle[3], half = 0;
    window_position(middle, w, 0.5*w->n[0], 0.5*w->n[1], w->dim == 3 ? 0.5*w->n[2] : 0);
    for (int d = 0; d < w->dim; d++) half += 0.25*w->n[d]*w->n[d];
    return solids_kept_off(solids, middle, NULL) < sqrt(half)*w->dx + reach;
}

// The solids beside liquid m, if any are near.
static mn_status add_beside(FilmBodies* b, int m, const Solids* solids, double reach, Arena* arena)
{
    const Liquid* q = b->body[m].liquid;
    assert(q && b->body[m].solids == -1 && q->spans.first);
    if (!may_be_near(&q->w, solids, reach)) return MN_OK;
    double* phi = ARENA_NEW(arena, double, q->w.count);
    TRY_MEMORY(phi);
    phi += q->w.origin;
    if (!sample_distance(phi, q, solids, reach, 2*reach)) return MN_OK;
    b->body[m].solids = b->count;
    FilmBody* solid = &b->body[b->count++];
    *solid = (FilmBody){.solids = -1, .w = &q->w, .phi = phi};
    return sample_velocity(solid, q, solids, arena);
}

mn_status film_bodies_add_solids(FilmBodies* b, const Solids* solids, double reach, int only, Arena* arena)
{
    assert(b->count == b->liquids && reach > 0 && only < b->liquids);
    if (!solids_keep_off(solids)) return MN_OK;
    for (int m = 0; m < b->liquids; m++)
        if (only < 0 || m == only) TRY(add_beside(b, m, solids, reach, arena));
    return MN_OK;
}

void film_repair_solid(GapRepair* repair, Liquid* q, const FilmBody* solid, double least)
{
    assert(film_body_is_solid(solid) && window_same(solid->w, &q->w));
    const Window* w = &q->w;
    double reach = FILM_REPAIR_REACH*w->dx;
    long moved = 0;
    for (int r = 0; r < q->spans.rows; r++) {
        ptrdiff_t row = window_at(w, 0, r%q->spans.rows_y, r/q->spans.rows_y);
        SPAN_LOOP(&q->spans, r, m)
            for (int i = q->spans.span[m].i0; i < q->spans.span[m].i1; i++) {
                double *p = q->phi.v + row + i, missing = least - (*p + solid->phi[row + i]);
                if (!(missing > 0) || fabs(*p) > reach || fabs(solid->phi[row + i]) > reach) continue;
                *p += missing;
                repair->deepest = fmax(repair->deepest, missing);
                moved++;
            }
    }
    repair->nodes += moved;
    if (moved > 0) nodes_exchange(q->phi.v, w, EVERY_LAYER);
}

unsigned film_pushed_axes(const FilmBody* solid, const double x[3])
{
    assert(film_body_is_solid(solid));
    const double nothing = 1e-6;  // of a unit vector
    double place[3] = {0, 0, 0}, at[3], slope[3] = {0, 0, 0};
    unsigned axes = 0;
    for (int d = 0; d < solid->w->dim; d++) place[d] = x[d]/solid->w->dx;
    if (!film_to_window(at, solid->w, place)) return axes;
    film_slope(slope, solid, at);
    for (int d = 0; d < solid->w->dim; d++)
        if (fabs(slope[d]) > nothing) axes |= 1u << d;
    return axes;
}

void film_cut_shape(Liquid* q, const Solids* solids, double h_min)
{
    const Window* w = &q->w;
    assert(h_min >= 0);
    if (!solids_keep_off(solids)) return;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                double x[3], *p = &q->phi.v[window_at(w, i, j, k)];
                window_position(x, w, i, j, k);
                *p = fmax(*p, h_min - solids_kept_off(solids, x, NULL));
            }
    nodes_exchange(q->phi.v, w, EVERY_LAYER);
}
