#include "solve/level.h"

#include <assert.h>
#include <omp.h>
#include <string.h>
#include "base/vec.h"

// Inverse roots of the degree-2 Chebyshev polynomial on [0.5, 2].
static const float FIRST = 0.5624f, SECOND = 1.3888f;

// Fewer unknowns than this are not worth a second thread.
enum { PARALLEL_UNKNOWNS = 30000 };

// ---- layout --------------------------------------------------------------------------------------------------------------

static void set_slices(Level* l)
{
    l->rows = l->n[1]*l->n[2];
    l->slices = l->dim == 3 ? l->n[2] : l->n[1];
    l->slice_rows = l->dim == 3 ? l->n[1] : 1;
}

void level_shape(Level* l, int dim, const int n[3], const bool wall[6])
{
    assert((dim == 2 && n[2] == 1) || dim == 3);
    *l = (Level){.dim = dim, .weight = 1};
    for (int d = 0; d < 3; d++) l->n[d] = n[d];
    for (int s = 0; s < 6; s++) l->wall[s] = wall[s];
    l->sy = (n[0] + 2 + 15)/16*16;
    l->sz = l->sy*(n[1] + 2);
    l->origin = 1 + l->sy + (dim == 3 ? l->sz : 0);
    l->count = (size_t)(l->sz*(dim == 3 ? n[2] + 2 : 1)) + 16;
    set_slices(l);
}

// Runs of unknown cells of a row; writes them if `out` is given.
static int row_runs(Span* out, const unsigned char* kind, int n)
{
    int count = 0;
    for (int i = 0; i < n;) {
        while (i < n && kind[i] == CELL_IS_NONE) i++;
        if (i == n) break;
        int i0 = i;
        const unsigned char* end = memchr(kind + i, CELL_IS_NONE, (size_t)(n - i));
        i = end ? (int)(end - kind) : n;
        if (out) out[count] = (Span){i0, i};
        count++;
    }
    return count;
}

static mn_status share_slices(Level* l, Arena* arena, const long* row_unknowns)
{
    l->threads = l->unknowns > PARALLEL_UNKNOWNS ? omp_get_max_threads() : 1;
    if (l->threads > l->slices/4) l->threads = maxi(l->slices/4, 1);
    TRY_MEMORY(l->slab = ARENA_NEW(arena, int, l->threads + 1));
    long before = 0;
    int t = 0;
    for (int s = 0; s < l->slices; s++) {
        while (t < l->threads && before*l->threads >= l->unknowns*t) l->slab[t++] = s;
        for (int r = s*l->slice_rows; r < (s + 1)*l->slice_rows; r++) before += row_unknowns[r];
    }
    while (t < l->threads) l->slab[t++] = l->slices;
    l->slab[0] = 0;
    l->slab[l->threads] = l->slices;
    for (int m = 0; m < l->threads; m++) assert(l->slab[m] <= l->slab[m + 1]);
    return MN_OK;
}

mn_status level_find_runs(Level* l, Arena* arena)
{
    assert(l->kind && l->n[0] > 0 && l->n[1] > 0 && l->n[2] > 0);
    set_slices(l);
    TRY_MEMORY(l->first = ARENA_NEW(arena, int, l->rows + 1));
    long* row_unknowns = ARENA_ZERO(arena, long, l->rows);
    TRY_MEMORY(row_unknowns);
    bool parallel = (long)l->rows*l->n[0] > 4*PARALLEL_UNKNOWNS;
#pragma omp parallel for schedule(static) if (parallel)
    for (int r = 0; r < l->rows; r++) l->first[r] = row_runs(NULL, l->kind + level_row(l, r), l->n[0]);
    int total = 0;
    for (int r = 0; r < l->rows; r++) {
        int here = l->first[r];
        l->first[r] = total, total += here;
    }
    l->first[l->rows] = total;
    TRY_MEMORY(l->span = ARENA_NEW(arena, Span, total));
#pragma omp parallel for schedule(static) if (parallel)
    for (int r = 0; r < l->rows; r++) {
        if (level_row_is_empty(l, r)) continue;
        row_runs(l->span + l->first[r], l->kind + level_row(l, r), l->n[0]);
        SPAN_LOOP(l, r, q) row_unknowns[r] += l->span[q].i1 - l->span[q].i0;
    }
    l->unknowns = 0;
    for (int r = 0; r < l->rows; r++) l->unknowns += row_unknowns[r];
    return share_slices(l, arena, row_unknowns);
}

// The cells of row (j,k) that are unknown or next to one, diagonals included; j and k may lie in the ghosts.
static Span cells_near(const Level* l, int j, int k)
{
    Span s = {l->n[0], -1};
    for (int kk = maxi(k - 1, 0); kk <= mini(k + 1, l->n[2] - 1); kk++)
        for (int jj = maxi(j - 1, 0); jj <= mini(j + 1, l->n[1] - 1); jj++) {
            int r = level_row_of(l, jj, kk);
            if (level_row_is_empty(l, r)) continue;
            s.i0 = mini(s.i0, level_row_begin(l, r) - 1), s.i1 = maxi(s.i1, level_row_end(l, r) + 1);
        }
    return s;
}

static void clear(const Level* l, char* v, size_t size)
{
    int deep = l->dim == 3;
#pragma omp parallel for schedule(static) if (l->threads > 1)
    for (int k = -deep; k < l->n[2] + deep; k++)
        for (int j = -1; j <= l->n[1]; j++) {
            Span s = cells_near(l, j, k);
            if (s.i0 < s.i1) memset(v + level_at(l, s.i0, j, k)*(ptrdiff_t)size, 0, size*(size_t)(s.i1 - s.i0));
        }
}

LevelCell* level_special_at(Level* l, ptrdiff_t at)
{
    ptrdiff_t layer = l->dim == 3 ? at/l->sz : 0, row = (at - layer*l->sz)/l->sy, i = at - layer*l->sz - row*l->sy;
    int r = level_row_of(l, (int)row, (int)layer);
    for (int m = l->first_special[r]; m < l->first_special[r + 1]; m++)
        if (l->special[m].i == i) return &l->special[m];
    return NULL;
}

void level_clear(const Level* l, double* v) { clear(l, (char*)v, sizeof *v); }
void level_clear_float(const Level* l, float* v) { clear(l, (char*)v, sizeof *v); }

static mn_status take_floats(float** out, const Level* l, Arena* arena)
{
    TRY_MEMORY(*out = ARENA_NEW(arena, float, l->count));
    *out += l->origin;
    level_clear_float(l, *out);
    return MN_OK;
}

mn_status level_take_arrays(Level* l, Arena* arena)
{
    assert(l->first && l->unknowns > 0);
    TRY(take_floats(&l->x, l, arena));
    TRY(take_floats(&l->y, l, arena));
    TRY(take_floats(&l->t, l, arena));
    TRY_MEMORY(l->reach = ARENA_NEW(arena, Span, l->rows));
    for (int r = 0; r < l->rows; r++) {
        Span s = cells_near(l, r%l->n[1], r/l->n[1]);
        l->reach[r] = (Span){maxi(s.i0, 0), mini(s.i1, l->n[0])};
    }
    return MN_OK;
}

// ---- kernels -------------------------------------------------------------------------------------------------------------

// They exist once; `dim` is a constant where they are called, so that each becomes a 2D and a 3D loop.
#define AROUND_2D(v) (v[i - 1] + v[i + 1] + v[i - sy] + v[i + sy])
#define AROUND(v) (dim == 3 ? AROUND_2D(v) + (v[i - sz] + v[i + sz]) : AROUND_2D(v))
#define BOTH_DIMENSIONS(call_2d, call_3d)                                                                                        \
    if (l->dim == 3) call_3d;                                                                                                    \
    else call_2d
#define SPECIAL_LOOP(l, r, c)                                                                                                    \
    for (const LevelCell *c = (l)->special + (l)->first_special[r], *last_##c = (l)->special + (l)->first_special[(r) + 1];      \
         c < last_##c; c++)

// Sum of link times value around a special cell.
static inline float linked(const LevelCell* c, const float* v, ptrdiff_t sy, ptrdiff_t sz, const int dim)
{
    v += c->i;
    float sum = (c->link[0]*v[-1] + c->link[1]*v[1]) + (c->link[2]*v[-sy] + c->link[3]*v[sy]);
    return dim == 3 ? sum + (c->link[4]*v[-sz] + c->link[5]*v[sz]) : sum;
}

// x = FIRST y + SECOND (y + S FIRST y - FIRST y)
static inline void smooth_from_zero(Level* l, int r, const int dim)
{
    ptrdiff_t row = level_row(l, r), sy = l->sy, sz = l->sz;
    float* restrict x = l->x + row;
    const float* restrict y = l->y + row;
    const float own = FIRST + SECOND - FIRST*SECOND, other = FIRST*SECOND, mean = other/(2*dim);
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) x[i] = own*y[i] + mean*AROUND(y);
    SPECIAL_LOOP(l, r, c) x[c->i] = own*y[c->i] + other*c->inverse*linked(c, y, sy, sz, dim);
}

static inline void sweep(float* restrict to, const float* restrict from, const float* restrict y, const Level* l, int r,
                         const float weight, const int dim)
{
    assert(to != from && l->first_special);
    ptrdiff_t sy = l->sy, sz = l->sz;
    const float keep = 1 - weight, mean = weight/(2*dim);
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) to[i] = keep*from[i] + weight*y[i] + mean*AROUND(from);
    SPECIAL_LOOP(l, r, c)
    to[c->i] = keep*from[c->i] + weight*(y[c->i] + c->inverse*linked(c, from, sy, sz, dim));
}

static inline void residual(float* restrict line, const Level* l, int r, const int dim)
{
    ptrdiff_t row = level_row(l, r), sy = l->sy, sz = l->sz;
    const float* restrict x = l->x + row;
    const float* restrict y = l->y + row;
    const float weight = l->weight, diagonal = level_diagonal(l);
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) line[i] = diagonal*(y[i] - x[i]) + weight*AROUND(x);
    SPECIAL_LOOP(l, r, c) line[c->i] = c->diagonal*(y[c->i] - x[c->i]) + linked(c, x, sy, sz, dim);
}

void level_smooth_from_zero(Level* l, int r) { BOTH_DIMENSIONS(smooth_from_zero(l, r, 2), smooth_from_zero(l, r, 3)); }

void level_sweep_first(Level* l, int r)
{
    ptrdiff_t row = level_row(l, r);
    BOTH_DIMENSIONS(sweep(l->t + row, l->x + row, l->y + row, l, r, FIRST, 2),
                    sweep(l->t + row, l->x + row, l->y + row, l, r, FIRST, 3));
}

void level_sweep_second(Level* l, int r)
{
    ptrdiff_t row = level_row(l, r);
    BOTH_DIMENSIONS(sweep(l->x + row, l->t + row, l->y + row, l, r, SECOND, 2),
                    sweep(l->x + row, l->t + row, l->y + row, l, r, SECOND, 3));
}

void level_residual(float* line, const Level* l, int r) { BOTH_DIMENSIONS(residual(line, l, r, 2), residual(line, l, r, 3)); }

double level_product(const Level* l, int r)
{
    ptrdiff_t row = level_row(l, r);
    const float* restrict x = l->x + row;
    const float* restrict y = l->y + row;
    double regular = 0, special = 0;
    SPAN_LOOP(l, r, q) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) sum += (double)(x[i]*y[i]);
        regular += sum;
    }
    const float diagonal = level_diagonal(l);
    SPECIAL_LOOP(l, r, c) special += (double)((c->diagonal - diagonal)*(x[c->i]*y[c->i]));
    return (double)diagonal*regular + special;
}

static inline double curvature(const Level* l, int r, const int dim)
{
    ptrdiff_t row = level_row(l, r), sy = l->sy, sz = l->sz;
    const float* restrict x = l->x + row;
    double regular = 0, special = 0;
    SPAN_LOOP(l, r, q) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) sum += (double)(x[i]*(2*dim*x[i] - AROUND(x)));
        regular += sum;
    }
    SPECIAL_LOOP(l, r, c)
    {
        int i = c->i;
        special += (double)(x[i]*(c->diagonal*x[i] - linked(c, x, sy, sz, dim) - l->weight*(2*dim*x[i] - AROUND(x))));
    }
    return (double)l->weight*regular + special;
}

double level_curvature(const Level* l, int r) { return l->dim == 3 ? curvature(l, r, 3) : curvature(l, r, 2); }
