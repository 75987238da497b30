#include "step/volumes.h"

#include <math.h>
#include "liquid/energy.h"
#include "liquid/liquid_volume.h"

// What is left of a volume's error, relative to it, once the surface has moved.
static const double REACHED = 1e-10;

// A volume that is put right is moved within its liquid: that part of its height and surface may change, J. The height is that
// of the middle of its bounds.
static double energy_of_correction(const Liquid* q, const Model* model, double part)
{
    int lo[3], hi[3];
    double x[3];
    if (!liquid_bounds(lo, hi, q)) return 0;
    window_position(x, &q->w, 0.5*(lo[0] + hi[0] + 1), 0.5*(lo[1] + hi[1] + 1), 0.5*(lo[2] + hi[2] + 1));
    double weight = q->material.rho*q->target_volume*energy_of_height(model, x);
    return fabs(part)*(fabs(weight) + q->material.sigma*q->cells.surface);
}

// Moves the surface of liquid m until its volume is the target; *left (m^3): what it has more than that however far the surface
// moves. Spans too are rebuilt, so that the state at the end of a step follows from what a checkpoint saves and nothing else.
static mn_status restore(double* left, StepContext* ctx, int m)
{
    Liquid* q = &ctx->world->liquid[m];
    double error;
    float* freedom;
    TRY(partners_hold(&freedom, ctx, m));
    TRY(liquid_restore_volume(q, ctx->scratch, freedom, &error, left));
    ctx->report->volume_correction = fmax(ctx->report->volume_correction, fabs(error));
    ctx->report->volume_energy += energy_of_correction(q, ctx->model, error);
    arena_reset(ctx->scratch);
    return liquid_rebuild(q, ctx->kept, &ctx->world->solids);
}

// m between the boxes of two liquids, along the axis on which they are furthest apart; <= 0: they overlap.
static double apart(const Liquid* p, const Liquid* q)
{
    double most = -INFINITY;
    int a[3], b[3], c[3], e[3];
    if (!liquid_bounds(a, b, p) || !liquid_bounds(c, e, q)) return INFINITY;
    for (int d = 0; d < p->w.dim; d++) {
        int low = p->w.lo[d] + a[d], high = p->w.lo[d] + b[d], other_low = q->w.lo[d] + c[d], other_high = q->w.lo[d] + e[d];
        most = fmax(most, p->w.dx*fmax(low - other_high, other_low - high));
    }
    return fmax(most, 0);
}

// The liquid that was one with liquid m, or might be: of its kind and density, with a surface that can move; the nearest, and of
// several the largest. -1: there is none.
static int find_neighbour(const World* world, int m, const double* left)
{
    const Liquid* q = &world->liquid[m];
    int best = -1;
    for (int n = 0; n < world->liquid_count; n++) {
        const Liquid* p = &world->liquid[n];
        // densities of what has merged are means, and differ by rounding
        bool is_alike = p->kind == q->kind && fabs(p->material.rho - q->material.rho) < 1e-9*q->material.rho;
        if (n == m || !is_alike || left[n] != 0 || !(p->cells.surface > 0)) continue;
        if (best < 0) {
            best = n;
            continue;
        }
        double here = apart(q, p), there = apart(q, &world->liquid[best]);
        if (here < there || (here == there && p->target_volume > world->liquid[best].target_volume)) best = n;
    }
    return best;
}

// A liquid that fills all the room between solids cannot take more. Bodies that lie on each other keep half a cell apart, but the
// grid sees pockets without a way out between them; as they roll, these lose room through no fault of the flow. What does not fit
// is where it would have come out of the slits: with the next liquid. One that is alone keeps what its solids leave it if it has
// no surface at all (a full box), and fails if it has.
static mn_status hand_on(int* to, StepContext* ctx, int m, const double* left)
{
    World* world = ctx->world;
    Liquid* q = &world->liquid[m];
    *to = find_neighbour(world, m, left);
    if (*to < 0 && q->cells.surface == 0) return MN_OK;
    if (*to < 0)
        return mn_fail(MN_STEP_FAILED, "liquid %d: its volume stays %g off the target %g whatever its surface moves", q->id,
                       left[m], q->target_volume);
    world->liquid[*to].target_volume += q->target_volume - q->cells.volume;
    q->target_volume = q->cells.volume;
    return MN_OK;
}

mn_status volumes_restore(StepContext* ctx)
{
    int count = ctx->world->liquid_count;
    double* left = ARENA_ZERO(ctx->kept, double, count + 1);
    bool* again = ARENA_ZERO(ctx->kept, bool, count + 1);
    TRY_MEMORY(left);
    TRY_MEMORY(again);
    for (int m = 0; m < count; m++) {
        if (ctx->world->liquid[m].meshed) continue;
        TRY(restore(&left[m], ctx, m));
        if (fabs(left[m]) <= REACHED*ctx->world->liquid[m].target_volume) left[m] = 0;
    }
    for (int m = 0; m < count; m++) {
        int to;
        if (left[m] == 0) continue;
        TRY(hand_on(&to, ctx, m, left));
        if (to >= 0) again[to] = true;
    }
    for (int m = 0; m < count; m++) {
        if (!again[m]) continue;
        TRY(restore(&left[m], ctx, m));
        const Liquid* q = &ctx->world->liquid[m];
        if (fabs(left[m]) > REACHED*q->target_volume)
            return mn_fail(MN_STEP_FAILED, "liquid %d: its volume stays %g off the target %g whatever its surface moves", q->id,
                           left[m], q->target_volume);
    }
    return MN_OK;
}
