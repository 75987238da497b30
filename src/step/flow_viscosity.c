// Viscosity within a step: rho (u** - u*) = dt div(2 mu D), solved for a velocity from which the known pressure has been taken.
//
// Gravity has just been added to u*, and in a tank at rest the pressure takes all of it away again. If walls rubbed on u* as it
// is, that part would be damped first and the pressure could not restore it: a still pool would stir. So friction acts on
//     u' = u* - dt/rho grad p,    p of the last step    (incremental splitting [goda1979, brown2001]),
// and only the change it makes, V(u') - u', goes to u*. In a steady flow the splitting then leaves no error.
#include "base/vec.h"
#include "grid/extrapolate.h"
#include "solve/viscosity.h"
#include "step/flow.h"

// Layers past the surface that the patches of the pressure read.
enum { LAYERS = 2 };

typedef struct Friction {
    double* before[3];  // u'
    double* after[3];   // V(u'); then the change
    unsigned char* valid[3];
} Friction;

static mn_status take_arrays(Friction* f, const Liquid* q, Arena* arena)
{
    *f = (Friction){0};
    for (int d = 0; d < q->w.dim; d++) {
        TRY_MEMORY(f->before[d] = window_copy(arena, q->u[d].v, &q->w));
        TRY_MEMORY(f->valid[d] = ARENA_ZERO(arena, unsigned char, q->w.count));
        f->valid[d] += q->w.origin;
    }
    return MN_OK;
}

// u' in f->before, also one or two faces past the surface.
static mn_status predict(Friction* f, Liquid* q, Sim* sim, double dt)
{
    PressureInput in;
    Pressure p;
    TRY(flow_pressure_problem(&in, q, sim, dt));
    TRY(pressure_build(&p, &sim->scratch, &in, f->before));
    // in the first step there is no last pressure yet
    if (sim->step == 0) TRY(flow_solve_pressure(q, sim, &p));
    pressure_update(&p, f->before, q->p.v);
    return extrapolate_velocity(f->before, &sim->scratch, p.valid, q->phi.v, &q->spans, &q->w, LAYERS);
}

static mn_status rub(Friction* f, Liquid* q, Sim* sim, double dt)
{
    for (int d = 0; d < q->w.dim; d++) TRY_MEMORY(f->after[d] = window_copy(&sim->scratch, f->before[d], &q->w));
    ViscosityInput in = {.w = &q->w,
                         .spans = &q->spans,
                         .cells = &q->cells,
                         .phi = q->phi.v,
                         .phi_solid = q->phi_solid.v,
                         .solid = {sim->solids.any_moving ? solids_velocity : NULL, &sim->solids},
                         .slip_walls = sim->settings.slip,
                         .slip_solids = sim->settings.slip,
                         .rho = q->material.rho,
                         .mu = q->material.mu,
                         .dt = dt};
    ViscosityReport report;
    TRY(viscosity_solve(f->after, f->valid, &report, &in, &(SolveOptions){sim->settings.tolerance, 300}, &sim->scratch));
    if (!report.converged)
        return mn_fail(MN_NO_CONVERGENCE, "liquid %d: the viscous solve stalled at residual %.2g after %d iterations", q->id,
                       report.residual, report.iterations);
    sim->report.viscous_iterations = maxi(sim->report.viscous_iterations, report.iterations);
    return MN_OK;
}

// to += factor from, on the spans
static void add(double* const to[3], double factor, double* const from[3], const Liquid* q)
{
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < q->w.dim; d++)
            SPAN_LOOP(s, r, m)
                for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) to[d][at] += factor*from[d][at];
    }
}

mn_status flow_add_viscosity(Liquid* q, Sim* sim, double dt)
{
    if (!(q->material.mu > 0)) return MN_OK;
    double* u[3];
    flow_velocity(u, q);
    flow_hold_walls(q);
    Friction f;
    TRY(take_arrays(&f, q, &sim->scratch));
    TRY(predict(&f, q, sim, dt));
    TRY(rub(&f, q, sim, dt));
    add(f.after, -1, f.before, q);
    // past the surface the change goes on, and what advection brought there stays
    TRY(extrapolate_velocity(f.after, &sim->scratch, f.valid, q->phi.v, &q->spans, &q->w, LAYERS));
    add(u, 1, f.after, q);
    arena_reset(&sim->scratch);
    stage_end(&sim->times, STAGE_VISCOSITY);
    return MN_OK;
}
