#include "step/tension.h"

#include <math.h>
#include "base/sum.h"
#include "base/vec.h"
#include "grid/curvature.h"
#include "liquid/wetting.h"
#include "step/marangoni.h"
#include "step/tension_split.h"

double tension_time(const Liquid* q)
{
    double dx = q->w.dx;
    return q->material.sigma > 0 ? sqrt(q->material.rho*dx*dx*dx/(4*PI*q->material.sigma)) : INFINITY;
}

// The implicit scheme is stable at any dt, but damps a wave at theta omega^2 dt/2: beyond this the largest waves suffer.
static const double IMPLICIT_STEPS = 5;
static const double THETA = 0.5;
// The split scheme's longest step, in explicit ones. Beyond 16 the stiffest waves swing more than once per step.
enum { SPLIT_STEPS = 16 };

// In capillary times.
static double longest_step(const TensionSettings* t)
{
    if (t->scheme == TENSION_EXPLICIT) return EXPLICIT_STEPS;
    if (t->scheme != TENSION_SPLIT) return t->most_steps > 0 ? t->most_steps : IMPLICIT_STEPS;
    double steps = t->most_steps > 0 ? t->most_steps : EXPLICIT_STEPS*SPLIT_STEPS;
    return t->cycles > 0 ? fmin(steps, tension_cycle_steps(t)*t->cycles) : steps;
}

double tension_limit(const Sim* sim)
{
    double steps = longest_step(&sim->settings.tension), limit = INFINITY;
    if (merge_needs_film(&sim->merge)) steps = fmin(steps, EXPLICIT_STEPS);  // see tension_theta
    for (int m = 0; m < sim->liquid_count; m++) limit = fmin(limit, steps*tension_time(&sim->liquid[m]));
    return limit;
}

double tension_theta(const Liquid* q, const Sim* sim, double dt)
{
    const TensionSettings* t = &sim->settings.tension;
    // an air film and implicit tension would have to be eliminated in one block: not built
    if (merge_needs_film(&sim->merge)) return 0;
    if (!(q->material.sigma > 0) || (t->scheme != TENSION_AUTO && t->scheme != TENSION_IMPLICIT)) return 0;
    if (t->scheme == TENSION_AUTO && dt <= EXPLICIT_STEPS*tension_time(q)*(1 + 1e-9)) return 0;
    return t->theta > 0 ? t->theta : THETA;
}

bool tension_is_free(const Liquid* q)
{
    int lo[3], hi[3];
    if (!liquid_bounds(lo, hi, q)) return false;
    for (int d = 0; d < q->w.dim; d++)
        if ((lo[d] <= 0 && q->w.side[2*d] != SIDE_INSIDE) || (hi[d] >= q->w.n[d] - 1 && q->w.side[2*d + 1] != SIDE_INSIDE))
            return false;
    if (!liquid_solid(q)) return true;
    for (int m = 0; m < q->cells.count; m++)
        if (vec_norm(q->cells.cut[m].solid) > 0) return false;
    return true;
}

mn_status tension_curvature(double** out, Liquid* q, Sim* sim)
{
    *out = NULL;
    if (!(q->material.sigma > 0)) return MN_OK;
    double* kappa = ARENA_NEW(&sim->scratch, double, q->w.count);
    TRY_MEMORY(kappa);
    kappa += q->w.origin;
    Wetting wet;
    nodes_contact(q->phi.v, &q->w, wetting_of(&wet, q, &sim->solids, sim->settings.wall_angle));
    curvature_nodes(kappa, q->phi.v, &q->spans, &q->w);
    if (sim->split) tension_split_curvature(kappa, q, sim->split), nodes_reflect(kappa, &q->w);
    else TRY(curvature_sharpen(kappa, &sim->scratch, q->phi.v, &q->spans, &q->w));
    TRY(curvature_smooth_thin(kappa, &sim->scratch, q->phi.v, &q->spans, &q->w));
    double lambda[3];
    if (tension_is_free(q)) TRY(curvature_make_neutral(kappa, lambda, &sim->scratch, q->phi.v, &q->cells, &q->spans, &q->w));
    *out = kappa;
    return MN_OK;
}

bool tension_acts_on_surface(const Liquid* q, const Sim* sim)
{
    const TensionSettings* t = &sim->settings.tension;
    return q->material.sigma > 0 && t->scheme != TENSION_CSF && !(t->scheme == TENSION_SPLIT && t->variant == SPLIT_PAPER);
}

mn_status tension_surface(double** surface, Liquid* q, Sim* sim)
{
    *surface = NULL;
    return tension_acts_on_surface(q, sim) ? tension_pressure(surface, q, sim) : MN_OK;
}

mn_status tension_pressure(double** surface, Liquid* q, Sim* sim)
{
    double* kappa;
    *surface = NULL;
    TRY(tension_curvature(&kappa, q, sim));
    if (!kappa) return MN_OK;
    double* sigma;
    TRY(marangoni_sigma(&sigma, q, sim));
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(static) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++)
                kappa[at] *= sigma ? sigma[at] : q->material.sigma;
    }
    nodes_reflect(kappa, &q->w);
    *surface = kappa;
    return MN_OK;
}

// Volume-weighted sums over one row of cells: the velocity of a cell is the mean of its faces'.
static void velocity_row(double sum[4], const Liquid* q, int r)
{
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    int j = r%s->rows_y, k = r/s->rows_y;
    for (int d = 0; d < 4; d++) sum[d] = 0;
    if (j >= w->n[1] || k >= w->n[2]) return;
    ptrdiff_t row = window_at(w, 0, j, k);
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0; i < mini(s->span[m].i1, w->n[0]); i++) {
            double volume = cutcells_fraction(&q->cells, row + i);
            if (!(volume > 0)) continue;
            sum[3] += volume;
            for (int d = 0; d < w->dim; d++)
                sum[d] += 0.5*volume*(q->u[d].v[row + i] + q->u[d].v[row + i + window_stride(w, d)]);
        }
}

mn_status tension_mean_velocity(double mean[3], const Liquid* q, Arena* arena)
{
    const Spans* s = &q->spans;
    double(*row)[4] = arena_take(arena, sizeof *row*(size_t)s->rows);
    double* line = ARENA_NEW(arena, double, s->rows);
    TRY_MEMORY(row);
    TRY_MEMORY(line);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) velocity_row(row[r], q, r);
    double sum[4];
    for (int d = 0; d < 4; d++) {
        for (int r = 0; r < s->rows; r++) line[r] = row[r][d];
        sum[d] = sum_fixed(line, s->rows);
    }
    for (int d = 0; d < 3; d++) mean[d] = sum[3] > 0 ? sum[d]/sum[3] : 0;
    return MN_OK;
}

void tension_shift_velocity(Liquid* q, const double change[3])
{
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(static) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < q->w.dim; d++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) q->u[d].v[row + i] += change[d];
    }
}

mn_status tension_keep_velocity(Liquid* q, const double mean[3], Arena* arena)
{
    double now[3], change[3];
    TRY(tension_mean_velocity(now, q, arena));
    vec_sub(change, mean, now);
    tension_shift_velocity(q, change);
    return MN_OK;
}
