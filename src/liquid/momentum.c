#include "liquid/momentum.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/interpolate.h"
#include "liquid/rowsums.h"

// What the liquid touches: along the axes of *mirrored mirrors alone, along those of *free nothing; both 0 where it touches
// anything else.
static void find_axes(unsigned* free, unsigned* mirrored, const Liquid* q)
{
    int lo[3], hi[3];
    *free = *mirrored = 0;
    if (!liquid_bounds(lo, hi, q)) return;
    unsigned mirrors = 0;
    for (int d = 0; d < q->w.dim; d++)
        for (int high = 0; high < 2; high++) {
            Side side = q->w.side[2*d + high];
            if (side == SIDE_INSIDE || (high ? hi[d] < q->w.n[d] - 1 : lo[d] > 0)) continue;
            if (side != SIDE_IS_MIRROR) return;
            mirrors |= 1u << d;
        }
    if (liquid_wets_skin(q)) return;
    *free = all_axes(q->w.dim) & ~mirrors, *mirrored = mirrors;
}

bool momentum_is_off_sides(const Liquid* q)
{
    int lo[3], hi[3];
    if (!liquid_bounds(lo, hi, q)) return false;
    for (int d = 0; d < q->w.dim; d++) {
        if (q->w.side[2*d] != SIDE_INSIDE && lo[d] <= 0) return false;
        if (q->w.side[2*d + 1] != SIDE_INSIDE && hi[d] >= q->w.n[d] - 1) return false;
    }
    return true;
}

unsigned momentum_free_axes(const Liquid* q)
{
    unsigned free, mirrored;
    find_axes(&free, &mirrored, q);
    return free;
}

unsigned momentum_loose_axes(const Liquid* q)
{
    int lo[3], hi[3];
    unsigned axes = 0;
    if (!liquid_bounds(lo, hi, q)) return 0;
    if (liquid_wets_skin(q)) return 0;
    for (int d = 0; d < q->w.dim; d++) {
        bool low = q->w.side[2*d] != SIDE_INSIDE && lo[d] <= 0,
             high = q->w.side[2*d + 1] != SIDE_INSIDE && hi[d] >= q->w.n[d] - 1;
        if (!low && !high) axes |= 1u << d;
    }
    return axes;
}

unsigned momentum_mirror_axes(const Liquid* q)
{
    unsigned free, mirrored;
    find_axes(&free, &mirrored, q);
    return mirrored;
}

// Volume-weighted sums over one row of cells: the velocity of a cell is the mean of its faces'; then the volume, and the same of
// the faces' speeds.
static void velocity_row(double sum[ROW_SUMS], const Liquid* q, int r)
{
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    int j = r%s->rows_y, k = r/s->rows_y;
    for (int m = 0; m < ROW_SUMS; m++) sum[m] = 0;
    if (j >= w->n[1] || k >= w->n[2]) return;
    ptrdiff_t row = window_at(w, 0, j, k);
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0; i < mini(s->span[m].i1, w->n[0]); i++) {
            double volume = cutcells_fraction(&q->cells, row + i);
            if (!(volume > 0)) continue;
            sum[3] += volume;
            for (int d = 0; d < w->dim; d++) {
                double low = q->u[d].v[row + i], high = q->u[d].v[row + i + window_stride(w, d)];
                sum[d] += 0.5*volume*(low + high), sum[4 + d] += 0.5*volume*(fabs(low) + fabs(high));
            }
        }
}

// mean velocity, and mean speed along each axis
static mn_status find_means(double mean[3], double speed[3], const Liquid* q, Arena* arena)
{
    double sum[ROW_SUMS];
    TRY(rowsums(sum, q, velocity_row, arena));
    for (int d = 0; d < 3; d++) mean[d] = sum[3] > 0 ? sum[d]/sum[3] : 0, speed[d] = sum[3] > 0 ? sum[4 + d]/sum[3] : 0;
    return MN_OK;
}

mn_status momentum_mean_velocity(double mean[3], const Liquid* q, Arena* arena)
{
    double speed[3];
    return find_means(mean, speed, q, arena);
}

mn_status momentum_total(double momentum[3], const Liquid* q, Arena* arena)
{
    TRY(momentum_mean_velocity(momentum, q, arena));
    for (int d = 0; d < 3; d++) momentum[d] *= q->material.rho*q->cells.volume;
    return MN_OK;
}

// Calls on every face of a side of the window, with the window's index of its low corner.
typedef void (*SideFace)(double* sum, const Liquid* q, int axis, ptrdiff_t at);
static double sum_side(const Liquid* q, int axis, bool high, SideFace add)
{
    const Window* w = &q->w;
    int a[3] = {0, 0, 0}, b[3] = {w->n[0], w->n[1], w->n[2]};
    a[axis] = high ? w->n[axis] : 0, b[axis] = a[axis] + 1;
    double sum = 0;
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++)
            for (int i = a[0]; i < b[0]; i++) add(&sum, q, axis, window_at(w, i, j, k));
    return sum;
}

// Length (cells) of the line on one face of a mirror; in 2D the number of points.
static void add_line(double* length, const Liquid* q, int axis, ptrdiff_t at)
{
    const Window* w = &q->w;
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
    const double* phi = q->phi.v + at;
    double v[4] = {cut_snap(phi[0]/w->dx), cut_snap(phi[s]/w->dx), cut_snap(phi[t]/w->dx), cut_snap(phi[s + t]/w->dx)};
    if (w->dim == 2) {
        *length += (v[0] < 0) != (v[1] < 0);
        return;
    }
    signed char segment[2][2];
    for (int m = cut_segments_2d(segment, v) - 1; m >= 0; m--) {
        double from[3], to[3], way[3];
        cut_point(from, segment[m][0], v), cut_point(to, segment[m][1], v);
        vec_sub(way, to, from);
        *length += vec_norm(way);
    }
}

// Pressure on a face of a low or high side: that of the cell beside it, which may be off the spans.
static void add_low_pressure(double* sum, const Liquid* q, int axis, ptrdiff_t at)
{
    if (face_mean(q->phi.v, &q->w, axis, at) < q->w.dx) *sum += q->cells.area[axis][at]*q->p.v[at];
}

static void add_high_pressure(double* sum, const Liquid* q, int axis, ptrdiff_t at)
{
    ptrdiff_t cell = at - window_stride(&q->w, axis);
    if (face_mean(q->phi.v, &q->w, axis, at) < q->w.dx) *sum += q->cells.area[axis][at]*q->p.v[cell];
}

double momentum_line(const Liquid* q, int axis)
{
    double low = q->w.side[2*axis] == SIDE_IS_MIRROR ? sum_side(q, axis, false, add_line) : 0;
    double high = q->w.side[2*axis + 1] == SIDE_IS_MIRROR ? sum_side(q, axis, true, add_line) : 0;
    return (high - low)*(q->w.dim == 3 ? q->w.dx : 1);
}

MirrorForce momentum_mirror_force(const Liquid* q, double sigma)
{
    MirrorForce f = {{0}, {0}};
    for (int d = 0; d < q->w.dim; d++) {
        double low = q->w.side[2*d] == SIDE_IS_MIRROR ? sum_side(q, d, false, add_low_pressure) : 0;
        double high = q->w.side[2*d + 1] == SIDE_IS_MIRROR ? sum_side(q, d, true, add_high_pressure) : 0;
        f.pull[d] = sigma*momentum_line(q, d), f.push[d] = window_face_area(&q->w)*(low - high);
    }
    return f;
}

static void add_force(Motion* motion, const Liquid* q, const double force[3], const MirrorForce* f, double dt)
{
    double mass = q->material.rho*q->cells.volume;
    for (int d = 0; d < q->w.dim; d++) {
        double least = 0.5*fabs(f->pull[d]);
        motion->trust[d] = least > 0 && mass > 0 ? clamp(1 - fabs(f->push[d])/least, 0, 1) : 0;
        if (mass > 0) motion->v[d] += motion->mirrored >> d & 1 ? dt*force[d]/mass : 0;
    }
}

void momentum_add_pull(Motion* motion, const Liquid* q, const MirrorForce* f, double dt) { add_force(motion, q, f->pull, f, dt); }
void momentum_add_push(Motion* motion, const Liquid* q, const MirrorForce* f, double dt) { add_force(motion, q, f->push, f, dt); }

// A row of what the velocity goes on to behind sheets, which goes along; NULL: there are none, or this is one side of them.
static double* row_behind(Liquid* q, int axis, ptrdiff_t row)
{
    return q->u_far[axis].v && !q->side ? q->u_far[axis].v + row : NULL;
}

// u += change (m/s) all over the spans, and part of its own speed, and the ghosts after it: spans end on the ghosts of the high
// sides, but begin past those of the low ones.
static void shift_velocity(Liquid* q, const double change[3], const double part[3])
{
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(static) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < q->w.dim; d++) {
            double *u = q->u[d].v + row, *far = row_behind(q, d, row), more = change[d], of = part[d];
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    u[i] += more + of*fabs(u[i]);
                    if (far) far[i] += more + of*fabs(far[i]);
                }
        }
    }
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    faces_exchange(u, &q->w, EVERY_LAYER);
}

void momentum_calm(Liquid* q, const double from[3], const double to[3], double part)
{
    assert(part >= 0 && part <= 1);
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(static) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < q->w.dim; d++) {
            double *u = q->u[d].v + row, *far = row_behind(q, d, row);
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    u[i] = to[d] + part*(u[i] - from[d]);
                    if (far) far[i] = to[d] + part*(far[i] - from[d]);
                }
        }
    }
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    faces_exchange(u, &q->w, EVERY_LAYER);
}

// Of its own speed, what settling may change at most across a mirror.
static const double MOST_OF_SPEED = 0.5;

mn_status momentum_note(Motion* motion, const Liquid* q, Arena* arena)
{
    *motion = (Motion){.trust = {1, 1, 1}};
    find_axes(&motion->axes, &motion->mirrored, q);
    return motion->axes | motion->mirrored ? momentum_mean_velocity(motion->v, q, arena) : MN_OK;
}

mn_status momentum_settle(Liquid* q, Motion* motion, Arena* arena)
{
    unsigned axes = motion->axes | motion->mirrored;
    assert((axes & ~all_axes(q->w.dim)) == 0);
    double now[3], speed[3], all[3] = {0, 0, 0}, part[3] = {0, 0, 0};
    if (!axes) return MN_OK;
    TRY(find_means(now, speed, q, arena));
    for (int d = 0; d < 3; d++) {
        motion->change[d] = axes >> d & 1 ? motion->v[d] - now[d] : 0;
        if (motion->axes >> d & 1) all[d] = motion->change[d];
        else if (speed[d] > 0) part[d] = clamp(motion->trust[d]*motion->change[d]/speed[d], -MOST_OF_SPEED, MOST_OF_SPEED);
    }
    shift_velocity(q, all, part);
    return MN_OK;
}

mn_status momentum_note_due(Liquid* q, Arena* arena)
{
    double momentum[3];
    momentum_forget_due(q);
    if (!momentum_is_off_sides(q)) return MN_OK;
    TRY(momentum_total(momentum, q, arena));
    momentum_set_due(q, momentum);
    return MN_OK;
}

void momentum_set_due(Liquid* q, const double momentum[3])
{
    for (int d = 0; d < 3; d++) q->due[d] = momentum[d];
    q->due_volume = q->target_volume;
}

void momentum_forget_due(Liquid* q) { q->due_volume = 0; }
bool momentum_is_due(const Liquid* q) { return q->due_volume > 0 && q->due_volume == q->target_volume; }

mn_status momentum_note_free(FreeMotion** list, const Liquid* liquid, int count, Arena* kept, Arena* scratch)
{
    assert(kept != scratch);
    FreeMotion* out = ARENA_ZERO(kept, FreeMotion, count + 1);
    TRY_MEMORY(out);
    *list = out;
    for (int m = 0; m < count; m++) {
        const Liquid* q = &liquid[m];
        Motion motion = {.trust = {1, 1, 1}};
        find_axes(&motion.axes, &motion.mirrored, q);
        if (!(motion.axes | motion.mirrored)) continue;
        if (momentum_is_due(q))
            for (int d = 0; d < 3; d++) motion.v[d] = q->due[d]/(q->material.rho*q->target_volume);
        else TRY(momentum_mean_velocity(motion.v, q, scratch));
        arena_reset(scratch);
        *out++ = (FreeMotion){q->id, q->target_volume, motion};
    }
    return MN_OK;
}

// The liquid that was noted, if it is still what it was; else NULL.
static Liquid* noted(const FreeMotion* f, Liquid* liquid, int count)
{
    for (int m = 0; m < count; m++)
        if (liquid[m].id == f->id) return liquid[m].target_volume == f->target_volume ? &liquid[m] : NULL;
    return NULL;
}

mn_status momentum_settle_free(const FreeMotion* list, Liquid* liquid, int count, const double acceleration[3], double dt,
                               Arena* scratch)
{
    assert(dt > 0);
    for (const FreeMotion* f = list; f && f->id != 0; f++) {
        Liquid* q = noted(f, liquid, count);
        if (!q) continue;
        Motion motion = {.axes = f->motion.axes & momentum_free_axes(q)};
        for (int d = 0; d < 3; d++) motion.v[d] = f->motion.v[d] + dt*acceleration[d];
        TRY(momentum_settle(q, &motion, scratch));
        arena_reset(scratch);
    }
    return MN_OK;
}

mn_status momentum_settle_carried(const FreeMotion* list, Liquid* liquid, int count, Arena* scratch)
{
    for (const FreeMotion* f = list; f && f->id != 0; f++) {
        Liquid* q = noted(f, liquid, count);
        if (!q) continue;
        Motion motion = f->motion;
        unsigned free, mirrored;
        find_axes(&free, &mirrored, q);
        motion.axes &= free, motion.mirrored &= mirrored;
        TRY(momentum_settle(q, &motion, scratch));
        arena_reset(scratch);
    }
    return MN_OK;
}
