// A liquid gets its volume back: the surface is moved along its distance, everywhere alike or where it is free to, until the
// cells hold the target volume.
#include "liquid/liquid_volume.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "grid/levelset.h"
#include "liquid/sides.h"

// Is node `at` a corner of a grid square with two wet and two dry corners across the diagonals? Where such a square changes
// from joined to apart, the volume jumps.
enum { SADDLE_READS = 1 };
static bool on_saddle(const double* phi, const Window* w, ptrdiff_t at)
{
    for (int a = 0; a < w->dim; a++)
        for (int b = a + 1; b < w->dim; b++)
            for (int m = 0; m < 4; m++) {
                ptrdiff_t s = m & 1 ? window_stride(w, a) : -window_stride(w, a),
                          t = m & 2 ? window_stride(w, b) : -window_stride(w, b);
                bool here = phi[at] < 0;
                if (here == (phi[at + s + t] < 0) && here != (phi[at + s] < 0) && here != (phi[at + t] < 0)) return true;
            }
    return false;
}

// Which nodes take part in a shift: those not marked in `fixed`, each by its share of it; NULL: all, wholly.
typedef struct Movable {
    const unsigned char* fixed;
    const float* freedom;
} Movable;

// phi += shift in the band; clamped values stay.
static void shift_levelset(Liquid* q, Movable nodes, double shift)
{
    assert(isfinite(shift) && fabs(shift) <= q->w.dx);
    const Spans* s = &q->spans;
    double band = liquid_band(q), *phi = q->phi.v, *far = q->side ? NULL : q->phi_far.v;  // one side has but its own
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                ptrdiff_t at = window_at(&q->w, i, r%s->rows_y, r/s->rows_y);
                if (nodes.fixed && nodes.fixed[at]) continue;
                double own = nodes.freedom ? (double)nodes.freedom[at]*shift : shift;
                if (fabs(phi[at]) < band) phi[at] = clamp(phi[at] + own, -band, band);
                if (far && fabs(far[at]) < band) far[at] = clamp(far[at] + own, -band, band);
            }
}

double liquid_movable_area(const Liquid* q, const float* freedom)
{
    if (!freedom) return q->cells.surface;
    double sum = 0;
    for (int c = 0; c < q->cells.count; c++) sum += (double)freedom[q->cells.cut[c].at]*q->cells.cut[c].patch_area;
    return sum*window_face_area(&q->w);
}

static double wet_volume(Liquid* q, Arena* scratch)
{
    if (q->side) return liquid_rebuild_cells(q, scratch) == MN_OK ? q->cells.volume : NAN;
    if (!q->sheet) return cutcells_volume(&q->spans, q->phi.v, q->phi_solid.v, &q->w, &q->cells, scratch);
    return sides_count(q, scratch) == MN_OK ? q->cells.volume : NAN;
}

// Moves the surface until the volume error is within `tolerance`: Newton's method with dV = -area*shift, kept inside the bracket
// it has found so far. Returns the error that is left; more than the tolerance where the volume jumps.
static double move_surface(Liquid* q, Arena* scratch, Movable nodes, double error, double tolerance, double* total)
{
    double low = -INFINITY, high = INFINITY, at = 0, dx = q->w.dx;
    double area = fmax(liquid_movable_area(q, nodes.freedom), window_face_area(&q->w)), slope = area;
    for (int pass = 0; pass < 60 && fabs(error) > tolerance; pass++) {
        if (error > 0) low = at;
        else high = at;
        if (high - low < 1e-14*dx) break;
        double next = at + clamp(error/slope, -0.2*dx, 0.2*dx);
        if (!(next > low && next < high)) next = isfinite(low) && isfinite(high) ? 0.5*(low + high) : next;
        if (fabs(*total + next) > dx || next == at) break;
        shift_levelset(q, nodes, next - at);
        double volume = wet_volume(q, scratch);
        double secant = (error - (volume - q->target_volume))/(next - at);
        slope = clamp(secant, 0.3*area, 3*area);
        error = volume - q->target_volume, at = next;
        arena_reset(scratch);
    }
    *total += at;
    return error;
}

// How much the wet volume of the cells around a node, in cells, changes when the node alone changes sides.
static double flip_jump(Liquid* q, int i, int j, int k)
{
    const Window* w = &q->w;
    ptrdiff_t at = window_at(w, i, j, k);
    double kept = q->phi.v[at], volume[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        q->phi.v[at] = (side == 0 ? -1e-9 : 1e-9)*w->dx;
        for (int c = maxi(k - 1, 0); c <= mini(k, w->n[2] - 1); c++)
            for (int b = maxi(j - 1, 0); b <= mini(j, w->n[1] - 1); b++)
                for (int a = maxi(i - 1, 0); a <= mini(i, w->n[0] - 1); a++)
                    volume[side] += cutcells_one(q->phi.v, q->phi_solid.v, w, window_at(w, a, b, c));
    }
    q->phi.v[at] = kept;
    return fabs(volume[0] - volume[1]);
}

// Marks the nodes at which the volume jumps: corners of saddle squares, and nodes that the surface is just passing where that
// matters (the patches around them change their corners; a box on grid planes changes by half a cell at each of its own).
static void mark_jumps(unsigned char* fixed, Liquid* q)
{
    const Spans* s = &q->spans;
    nodes_exchange(q->phi.v, &q->w, SADDLE_READS);
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                int j = r%s->rows_y, k = r/s->rows_y;
                ptrdiff_t at = window_at(&q->w, i, j, k);
                double away = fabs(q->phi.v[at])/q->w.dx;
                bool jumps = (away < 1e-9 && flip_jump(q, i, j, k) > 1e-6) || (away < 2 && on_saddle(q->phi.v, &q->w, at));
                if (jumps) fixed[at] = 1;
            }
}

// Moves the surface as move_surface does. If the volume jumps at some shift, the nodes at which it does are left as they are and
// the rest of the surface moves; that may bring it to other jumps, so a few times over.
static mn_status move_past_jumps(Liquid* q, Arena* scratch, const float* freedom, double* error, double tolerance)
{
    enum { ROUNDS = 10 };
    double total = 0;
    *error = move_surface(q, scratch, (Movable){NULL, freedom}, *error, tolerance, &total);
    if (fabs(*error) <= tolerance) return MN_OK;
    unsigned char* fixed = calloc(q->w.count, 1);
    if (!fixed) return mn_fail(MN_NO_MEMORY, "out of memory: restoring the volume of liquid %d", q->id);
    for (int round = 0; round < ROUNDS && fabs(*error) > tolerance; round++) {
        mark_jumps(fixed + q->w.origin, q);
        *error = move_surface(q, scratch, (Movable){fixed + q->w.origin, freedom}, *error, tolerance, &total);
    }
    free(fixed);
    return MN_OK;
}

bool liquid_is_out_of_hand(const Liquid* q, double volume)
{
    double cells = q->target_volume/window_cell_volume(&q->w);
    return !(fabs(volume - q->target_volume) <= (cells > 100 ? 0.1 : 0.7)*q->target_volume);
}

mn_status liquid_approach_volume(double* error, Liquid* q, Arena* scratch, const float* freedom)
{
    assert(q->target_volume > 0 && q->cells.index && q->cells.surface > 0);
    double tolerance = 1e-12*q->target_volume;
    *error = q->cells.volume - q->target_volume;
    TRY(move_past_jumps(q, scratch, freedom, error, tolerance));
    // Where most of the surface is held, the rest may have to move further than it can: then all of it does.
    if (fabs(*error) > tolerance && freedom) TRY(move_past_jumps(q, scratch, NULL, error, tolerance));
    nodes_exchange(q->phi.v, &q->w, EVERY_LAYER);
    return MN_OK;
}

mn_status liquid_restore_volume(Liquid* q, Arena* scratch, const float* freedom, double* relative_error, double* left)
{
    double target = q->target_volume;
    *relative_error = (q->cells.volume - target)/target;
    if (liquid_is_out_of_hand(q, q->cells.volume))
        return mn_fail(MN_STEP_FAILED, "liquid %d changed its volume from %g to %g in one step", q->id, target, q->cells.volume);
    *left = q->cells.volume - target;
    // no free surface, nothing to move: the tank and the solids fix the volume, to the grid's accuracy where a solid turns
    return q->cells.surface > 0 ? liquid_approach_volume(left, q, scratch, freedom) : MN_OK;
}

mn_status liquid_reach_volume(Liquid* q, Arena* scratch, const float* freedom)
{
    double error;
    // no free surface, nothing to move: the tank and the solids fix the volume, to the grid's accuracy where a solid turns
    if (q->cells.surface == 0) return MN_OK;
    TRY(liquid_approach_volume(&error, q, scratch, freedom));
    if (!(fabs(error) <= 1e-10*q->target_volume))
        return mn_fail(MN_STEP_FAILED, "liquid %d: its volume stays %g off the target %g whatever its surface moves", q->id,
                       error, q->target_volume);
    return MN_OK;
}
