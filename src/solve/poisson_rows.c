// Kernels on one problem: its matrix, and the passes of an iteration through its rows.
#include <assert.h>
#include <omp.h>
#include "base/global.h"
#include "solve/poisson_private.h"

// ---- kernels, one row each -----------------------------------------------------------------------------------------------

#define AROUND_2D(v) (v[i - 1] + v[i + 1] + v[i - sy] + v[i + sy])
#define SPECIAL_LOOP(s, r, c)                                                                                                    \
    for (const SpecialCell *c = (s)->problem->special + (s)->problem->first[r],                                                  \
                           *last_##c = (s)->problem->special + (s)->problem->first[(r) + 1];                                     \
         c < last_##c; c++)

// line = A v on row r
static inline void apply_row(double* restrict line, const double* restrict v, const Part* s, int r, const int dim)
{
    const Level* l = &s->mg.level[0];
    ptrdiff_t sy = l->sy, sz = l->sz;
    v += level_row(l, r);
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++)
            line[i] = dim == 3 ? 6*v[i] - (AROUND_2D(v) + (v[i - sz] + v[i + sz])) : 4*v[i] - AROUND_2D(v);
    SPECIAL_LOOP(s, r, c)
    {
        const double* at = v + c->i;
        double sum = c->excess*at[0] + c->link[0]*(at[0] - at[-1]) + c->link[1]*(at[0] - at[1]) +
                     c->link[2]*(at[0] - at[-sy]) + c->link[3]*(at[0] - at[sy]);
        line[c->i] = dim == 3 ? sum + c->link[4]*(at[0] - at[-sz]) + c->link[5]*(at[0] - at[sz]) : sum;
    }
}

static void apply(double* line, const double* v, const Part* s, int r)
{
    if (s->mg.level[0].dim == 3) apply_row(line, v, s, r, 3);
    else apply_row(line, v, s, r, 2);
}

// p = scale z + beta p, x += alpha p
static void turn_row(Part* s, int r, const Turn* turn)
{
    const Level* l = &s->mg.level[0];
    ptrdiff_t row = level_row(l, r);
    const float* restrict z = l->x + row;
    double* restrict p = s->p + row, * restrict x = s->x + row;
    const double scale = turn->scale, alpha = turn->alpha, beta = turn->beta;
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) {
            p[i] = scale*z[i] + beta*p[i];
            x[i] += alpha*p[i];
        }
}

// r -= alpha A v and y = D^-1 r scale, for the next cycle; returns |r|^2 of the row.
static double reduce_row(Part* s, int r, const double* v, double alpha, double scale, double* restrict line)
{
    const Level* l = &s->mg.level[0];
    if (level_row_is_empty(l, r)) return 0;
    apply(line, v, s, r);
    double* restrict residual = s->r + level_row(l, r);
    float* restrict y = l->y + level_row(l, r);
    double total = 0;
    const double regular = scale/(2*l->dim);
    SPAN_LOOP(l, r, q) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) {
            double value = residual[i] - alpha*line[i];
            residual[i] = value;
            y[i] = (float)(regular*value);
            sum += value*value;
        }
        total += sum;
    }
    for (int m = l->first_special[r]; m < l->first_special[r + 1]; m++)
        y[l->special[m].i] = (float)(scale*residual[l->special[m].i])*l->special[m].inverse;
    return total;
}

// y = D^-1 v of the finest level, for a cycle on v.
void part_scale_right_side(Part* s, const double* v)
{
    assert(!s->empty);
    const Level* l = &s->mg.level[0];
    for (int r = 0; r < l->rows; r++) {
        const double* row = v + level_row(l, r);
        float* y = l->y + level_row(l, r);
        SPAN_LOOP(l, r, q)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) y[i] = (float)(row[i]/(2*l->dim));
        for (int m = l->first_special[r]; m < l->first_special[r + 1]; m++)
            y[l->special[m].i] = (float)row[l->special[m].i]*l->special[m].inverse;
    }
}

// ---- the passes of an iteration ------------------------------------------------------------------------------------------

double part_sum_rows(const Part* s, const double* per_row) { return global_sum(per_row, s->mg.level[0].rows); }

#define FOR_ROWS(l, slice, r) for (int r = (slice)*(l)->slice_rows; r < ((slice) + 1)*(l)->slice_rows; r++)

// r = b - A x without the operators beside, where r holds b; returns |r|^2.
double part_start(Part* s, double scale)
{
    assert(!s->empty && s->x && s->r && s->x != s->r);
    const Level* l = &s->mg.level[0];
    SLAB_REGION(l)
    {
        double line[l->n[0]];
        OWN_SLABS(l, t)
        for (int m = l->slab[t]; m < l->slab[t + 1]; m++)
            FOR_ROWS(l, m, r) s->per_row[r] = reduce_row(s, r, s->x, 1, scale, line);
    }
    return part_sum_rows(s, s->per_row);
}

// What follows on the turn of a row, once its neighbours have turned; its share of a sum.
typedef double RowPass(Part* s, int r, const Turn* turn, double next_scale, double* line);

// Turns to the new direction p = z + beta p (x += turn->alpha p), and makes the other pass one slice behind, so that memory is
// passed through once; rows at the ends of a thread's slab wait for the neighbour. Returns the sum.
static double turn_and_follow(Part* s, const Turn* turn, double next_scale, RowPass* pass)
{
    assert(s->p != s->x && s->p != s->r);
    const Level* l = &s->mg.level[0];
    SLAB_REGION(l)
    {
        double line[l->n[0]];
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            for (int m = s0; m < s1; m++) {
                FOR_ROWS(l, m, r) turn_row(s, r, turn);
                if (m - 1 > s0) FOR_ROWS(l, m - 1, r) s->per_row[r] = pass(s, r, turn, next_scale, line);
            }
        }
#pragma omp barrier
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            if (s0 < s1) FOR_ROWS(l, s0, r) s->per_row[r] = pass(s, r, turn, next_scale, line);
            if (s0 < s1 - 1) FOR_ROWS(l, s1 - 1, r) s->per_row[r] = pass(s, r, turn, next_scale, line);
        }
    }
    return part_sum_rows(s, s->per_row);
}

static double row_advance(Part* s, int r, const Turn* turn, double next_scale, double* line)
{
    return reduce_row(s, r, s->p, turn->alpha, next_scale, line);
}

double part_advance(Part* s, const Turn* turn, double next_scale) { return turn_and_follow(s, turn, next_scale, row_advance); }

// p.Ap of a row
static double row_curvature(Part* s, int r, const Turn* turn, double next_scale, double* line)
{
    (void)turn, (void)next_scale;
    const Level* l = &s->mg.level[0];
    const double* p = s->p + level_row(l, r);
    double total = 0;
    if (level_row_is_empty(l, r)) return 0;
    apply(line, s->p, s, r);
    SPAN_LOOP(l, r, q) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) sum += p[i]*line[i];
        total += sum;
    }
    return total;
}

double part_turn_curvature(Part* s, const Turn* turn) { return turn_and_follow(s, turn, 0, row_curvature); }

double part_step_along(Part* s, double alpha, double next_scale)
{
    const Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->threads > 1)
    for (int r = 0; r < l->rows; r++) {
        double line[l->n[0]], *x = s->x + level_row(l, r);
        const double* p = s->p + level_row(l, r);
        SPAN_LOOP(l, r, q)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) x[i] += alpha*p[i];
        s->per_row[r] = reduce_row(s, r, s->p, alpha, next_scale, line);
    }
    return part_sum_rows(s, s->per_row);
}

double part_norm_squared(Part* s, const double* v)
{
    const Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->threads > 1)
    for (int r = 0; r < l->rows; r++) {
        const double* restrict row = v + level_row(l, r);
        double sum = 0;
        SPAN_LOOP(l, r, q)
#pragma omp simd reduction(+ : sum)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) sum += row[i]*row[i];
        s->per_row[r] = sum;
    }
    return part_sum_rows(s, s->per_row);
}
