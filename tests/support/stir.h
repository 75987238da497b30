// A liquid carried by a prescribed velocity: advection, redistancing and volume in the order of a step (step_liquid.c), with no
// forces and no pressure. The window is the whole tank.
#pragma once
#include "check.h"
#include "base/vec.h"
#include "grid/advect.h"
#include "grid/levelset.h"
#include "liquid/liquid_volume.h"

typedef struct Stir {
    Tank tank;
    Liquid q;
    Arena kept[2], scratch;
    int now;
    int sweeps;  // of redistancing per step; 0: none
    Advection scheme;
    bool restore;   // put the volume right after every step
    double* start;  // wet fractions at the start
    double start_volume;
} Stir;

static inline mn_status stir_rebuild(Stir* s, bool redistance)
{
    Solids none = {0};
    Arena* kept = &s->kept[1 - s->now];
    arena_reset(kept);
    TRY(liquid_rebuild_spans(&s->q, kept, &none));
    if (redistance && s->sweeps > 0 && s->scheme == ADVECT_CUBIC)
        TRY(levelset_redistance_direct(s->q.phi.v, &s->scratch, &s->q.spans, &s->q.w, liquid_band(&s->q), s->sweeps, NULL));
    else if (redistance && s->sweeps > 0)
        TRY(levelset_redistance(s->q.phi.v, &s->scratch, &s->q.spans, &s->q.w, liquid_band(&s->q), s->sweeps, false));
    arena_reset(&s->scratch);
    TRY(liquid_rebuild(&s->q, kept, &none));
    s->now = 1 - s->now;
    return MN_OK;
}

static inline void stir_init(Stir* s, int dim, int n, double dx, double (*shape)(const void* user, const double x[3]))
{
    *s = (Stir){
        .tank = {.dim = dim, .dx = dx, .n = {n, n, dim == 3 ? n : 1}}, .sweeps = 3, .scheme = ADVECT_MACCORMACK, .restore = true};
    for (int side = 0; side < 6; side++) s->tank.side[side] = SIDE_IS_WALL;
    Window w = window_whole(&s->tank);
    CHECK_OK(liquid_init(&s->q, &w));
    CHECK_OK(liquid_set_shape(&s->q, &s->scratch, shape, NULL));
    arena_reset(&s->scratch);
    CHECK_OK(stir_rebuild(s, false));
    s->q.target_volume = s->start_volume = s->q.cells.volume;
    s->start = calloc(w.count, sizeof *s->start);
    CHECK_TRUE(s->start != NULL);
    s->start += w.origin;
    for (int k = 0; k < w.n[2]; k++)
        for (int j = 0; j < w.n[1]; j++)
            for (int i = 0; i < w.n[0]; i++) {
                ptrdiff_t at = window_at(&w, i, j, k);
                s->start[at] = s->q.phi.v[at] < liquid_band(&s->q) ? cutcells_fraction(&s->q.cells, at) : 0;
            }
}

static inline void stir_free(Stir* s)
{
    free(s->start - s->q.w.origin);
    liquid_free(&s->q);
    for (int a = 0; a < 2; a++) arena_free(&s->kept[a]);
    arena_free(&s->scratch);
}

// Face velocities of a 2D stream function psi (u = psi_y, v = -psi_x), times `factor`: differences of psi over each face, so that
// the discrete divergence is zero.
static inline void stir_stream(Stir* s, double (*psi)(double x, double y), double factor)
{
    const Window* w = &s->q.w;
    for (int j = -GHOST; j < w->n[1] + GHOST; j++)
        for (int i = -GHOST; i < w->n[0] + GHOST; i++) {
            double x = i*w->dx, y = j*w->dx, here = psi(x, y);
            s->q.u[0].v[window_at(w, i, j, 0)] = factor*(psi(x, y + w->dx) - here)/w->dx;
            s->q.u[1].v[window_at(w, i, j, 0)] = -factor*(psi(x + w->dx, y) - here)/w->dx;
        }
}

static inline mn_status stir_step(Stir* s, double dt)
{
    double* u[3] = {s->q.u[0].v, s->q.u[1].v, s->q.u[2].v};
    TRY(advect_levelset(s->q.phi.v, &s->scratch, u, &s->q.spans, &s->q.w, liquid_band(&s->q), dt, s->scheme));
    arena_reset(&s->scratch);
    TRY(stir_rebuild(s, true));
    if (!s->restore) return MN_OK;
    double error, left;
    TRY(liquid_restore_volume(&s->q, &s->scratch, NULL, &error, &left));
    arena_reset(&s->scratch);
    return liquid_rebuild(&s->q, &s->kept[s->now], &(Solids){0});
}

static inline double stir_volume_error(const Stir* s) { return (s->q.cells.volume - s->start_volume)/s->start_volume; }

// Symmetric difference with the shape at the start over its volume, by wet fractions: sum |f - f0| / sum f0.
static inline double stir_shape_error(const Stir* s)
{
    const Window* w = &s->q.w;
    double sum = 0, all = 0;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                double f = s->q.phi.v[at] < liquid_band(&s->q) ? cutcells_fraction(&s->q.cells, at) : 0;
                sum += fabs(f - s->start[at]), all += s->start[at];
            }
    return sum/all;
}

// What comes back of a shape that is stirred with n and with 2 n cells: its symmetric difference. Its volume must be the first
// one's to 1e-10.
static inline void stir_shape_errors(double shape[2], void (*stir)(Stir*, int n, bool restore, Advection), int n,
                                     Advection scheme)
{
    for (int m = 0; m < 2; m++) {
        Stir s;
        stir(&s, n << m, true, scheme);
        shape[m] = stir_shape_error(&s);
        print_message("%d^2: area %+.1e, symmetric difference/area %.4f\n", n << m, stir_volume_error(&s), shape[m]);
        CHECK_LESS(fabs(stir_volume_error(&s)), 1e-10);
        stir_free(&s);
    }
}
