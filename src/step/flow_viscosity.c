// Viscosity within a step: rho (u** - u*) = dt div(2 mu D), solved for a velocity from which the known pressure has been taken.
//
// Gravity and tension have just acted on u*, and at rest the pressure takes all of it away again. If walls rubbed on u* as it
// is, that part would be damped first and the pressure could not restore it: a still pool would stir. So friction acts on the
// projected velocity u' = P(u*), and only the change it makes, V(u') - u', goes to u*: after the step's own projection
// u = P V P(u*). The second solve starts from the first one's pressure and is short. (The pressure of the last step in place of
// the first solve is cheaper but feeds short capillary waves.)
#include "base/vec.h"
#include "grid/extrapolate.h"
#include "solve/viscosity.h"
#include "step/flow.h"
#include "step/marangoni.h"
#include "step/tension.h"

// Layers past the surface that the patches of the pressure read.
enum { LAYERS = 2 };

typedef struct Friction {
    double* before[3];       // u'
    double* after[3];        // V(u'); then the change
    unsigned char* set[3];   // faces that the viscous solve has set
    unsigned char* kept[3];  // faces whose velocity the projection keeps; the others become copies of these
    unsigned char* cell;     // CELL_IS_... of the pressure
} Friction;

// u' in f->before, also one or two faces past the surface.
static mn_status predict(Friction* f, Liquid* q, Sim* sim, const double acceleration[3], double dt)
{
    Pressure p;
    for (int d = 0; d < q->w.dim; d++) TRY_MEMORY(f->before[d] = window_copy(&sim->scratch, q->u[d].v, &q->w));
    TRY(flow_pressure(&p, q, sim, f->before, acceleration, dt));
    pressure_update(&p, f->before, q->p.v);
    for (int d = 0; d < q->w.dim; d++) f->kept[d] = p.valid[d];
    f->cell = p.cell;
    return extrapolate_velocity(f->before, &sim->scratch, p.valid, q->phi.v, &q->spans, &q->w, LAYERS);
}

static mn_status rub(Friction* f, Liquid* q, Sim* sim, double dt)
{
    for (int d = 0; d < q->w.dim; d++) {
        TRY_MEMORY(f->after[d] = window_copy(&sim->scratch, f->before[d], &q->w));
        TRY_MEMORY(f->set[d] = ARENA_ZERO(&sim->scratch, unsigned char, q->w.count));
        f->set[d] += q->w.origin;
    }
    double(*traction)[3];
    TRY(marangoni_traction(&traction, q, sim));
    ViscosityInput in = {.w = &q->w,
                         .spans = &q->spans,
                         .cells = &q->cells,
                         .phi = q->phi.v,
                         .phi_solid = q->phi_solid.v,
                         .solid = {sim->solids.any_moving ? solids_velocity : NULL, &sim->solids},
                         .slip_walls = sim->settings.slip,
                         .slip_solids = sim->settings.slip,
                         .traction = (const double(*)[3])traction,
                         .rho = q->material.rho,
                         .mu = q->material.mu,
                         .dt = dt};
    ViscosityReport report;
    TRY(viscosity_solve(f->after, f->set, &report, &in, &(SolveOptions){sim->settings.tolerance, 300}, &sim->scratch));
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

// ---- faces the projection does not keep ------------------------------------------------------------------------------------------

static int kept_neighbours(const Friction* f, const Window* w, int d, ptrdiff_t at)
{
    int count = 0;
    for (int o = 0; o < w->dim; o++) {
        ptrdiff_t s = window_stride(w, o);
        count += f->kept[d][at - s] + f->kept[d][at + s];
    }
    return count;
}

// Change of a kept face, with its part of the impulse of wet faces beside it that are not kept: the mean weighted by wet areas.
static double shared_change(const Friction* f, const Liquid* q, int d, const int face[3])
{
    const Window* w = &q->w;
    ptrdiff_t at = window_at(w, face[0], face[1], face[2]);
    const double *area = q->cells.area[d], *change = f->after[d];
    double mass = max2(area[at], 1e-4), impulse = mass*change[at];
    for (int o = 0; o < w->dim; o++)
        for (int side = -1; side <= 1; side += 2) {
            ptrdiff_t beside = at + side*window_stride(w, o);
            bool exists = face[o] + side >= 0 && face[o] + side < w->n[o] + (o == d);
            if (!exists || f->kept[d][beside] || area[beside] == 0) continue;
            double part = area[beside]/kept_neighbours(f, w, d, beside);
            mass += part, impulse += part*change[beside];
        }
    return impulse/mass;
}

// The pressure reads the velocity of a surface patch between the faces of its cell. The liquid there, from the cell's centre to
// the patch, is the control volume of the face beyond; so the patch must read that face's change, and the face is set such that
// it does.
static double change_for_patch(const Friction* f, const Liquid* q, int d, ptrdiff_t at)
{
    ptrdiff_t s = window_stride(&q->w, d);
    const double* change = f->after[d];
    for (int high = 0; high < 2; high++) {
        ptrdiff_t cell = high ? at - s : at, opposite = high ? at - s : at + s;
        if (f->cell[cell] != CELL_IS_UNKNOWN || q->cells.index[cell] < 0 || !f->kept[d][opposite]) continue;
        const CutCell* cut = &q->cells.cut[q->cells.index[cell]];
        double along = high ? cut->center[d] : 1 - cut->center[d];
        if (cut->patch_area > 0 && along > 0.3) return (change[at] - (1 - along)*change[opposite])/along;
    }
    return change[at];
}

// Slivers on the surface feel most of the pull of a surface without traction, but the projection overwrites them by
// extrapolation. Their impulse goes to the faces they will be copies of.
static void share_impulse(double* const out[3], const Friction* f, const Liquid* q)
{
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        for (int d = 0; d < q->w.dim; d++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    ptrdiff_t at = window_at(&q->w, i, j, k);
                    if (f->kept[d][at]) out[d][at] = shared_change(f, q, d, (int[3]){i, j, k});
                    else if (f->set[d][at]) out[d][at] = change_for_patch(f, q, d, at);
                }
    }
}

mn_status flow_add_viscosity(Liquid* q, Sim* sim, const double acceleration[3], double dt)
{
    if (!(q->material.mu > 0)) return MN_OK;
    double *u[3], **change;
    flow_velocity(u, q);
    flow_hold_walls(q);
    // The pull along a surface whose sigma varies has a net force, and the pressure sigma kappa the opposite one (the projection leaves it out).
    double mean[3];
    bool keep_momentum = sim->functions.sigma && q->material.sigma > 0 && tension_is_free(q);
    if (keep_momentum) TRY(tension_mean_velocity(mean, q, &sim->scratch));
    Friction f = {0};
    TRY(predict(&f, q, sim, acceleration, dt));
    TRY(rub(&f, q, sim, dt));
    add(f.after, -1, f.before, q);
    change = f.before;  // no longer needed
    share_impulse(change, &f, q);
    // past the surface the change goes on, and what advection brought there stays
    TRY(extrapolate_velocity(change, &sim->scratch, f.set, q->phi.v, &q->spans, &q->w, LAYERS));
    add(u, 1, change, q);
    if (keep_momentum) TRY(tension_keep_velocity(q, mean, &sim->scratch));
    arena_reset(&sim->scratch);
    stage_end(&sim->times, STAGE_VISCOSITY);
    return MN_OK;
}
