#include "solve/level.h"

// The roots of the degree-2 Chebyshev polynomial on [0.5, 2] (the upper bound 2 holds for any row-dominant A by Gershgorin).
static const float FIRST = 0.5624f, SECOND = 1.3888f;

static float* take_floats(Arena* arena, const Level* l)
{
    float* block = ARENA_ZERO(arena, float, l->count);
    return block ? block + l->origin : NULL;
}

mn_status level_init(Level* l, Arena* arena, int dim, const int n[3], const bool wall[6])
{
    *l = (Level){.dim = dim};
    for (int d = 0; d < 3; d++) l->n[d] = n[d];
    for (int s = 0; s < 6; s++) l->wall[s] = wall[s];
    l->sy = (n[0] + 2 + 15)/16*16;
    l->sz = l->sy*(n[1] + 2);
    l->origin = 1 + l->sy + (dim == 3 ? l->sz : 0);
    l->count = (size_t)(l->sz*(dim == 3 ? n[2] + 2 : 1)) + 16;
    l->rows = n[1]*n[2];
    for (int d = 0; d < dim; d++) TRY_MEMORY(l->link[d] = take_floats(arena, l));
    TRY_MEMORY(l->inverse = take_floats(arena, l));
    TRY_MEMORY(l->x = take_floats(arena, l));
    TRY_MEMORY(l->b = take_floats(arena, l));
    TRY_MEMORY(l->t = take_floats(arena, l));
    return MN_OK;
}

static int row_spans(Span* out, const float* inverse, int n)
{
    int count = 0;
    for (int i = 0; i < n;) {
        while (i < n && !(inverse[i] > 0)) i++;
        if (i == n) break;
        int i0 = i;
        while (i < n && inverse[i] > 0) i++;
        out[count++] = (Span){i0, i};
    }
    return count;
}

mn_status level_find_spans(Level* l, Arena* arena)
{
    TRY_MEMORY(l->first = ARENA_NEW(arena, int, l->rows + 1));
    Span* scratch = ARENA_NEW(arena, Span, l->n[0]/2 + 1);
    TRY_MEMORY(scratch);
    int total = 0;
    for (int r = 0; r < l->rows; r++) {
        l->first[r] = total;
        total += row_spans(scratch, l->inverse + level_row(l, r), l->n[0]);
    }
    l->first[l->rows] = total;
    TRY_MEMORY(l->span = ARENA_NEW(arena, Span, total));
    l->unknowns = 0;
    for (int r = 0; r < l->rows; r++) {
        row_spans(l->span + l->first[r], l->inverse + level_row(l, r), l->n[0]);
        SPAN_LOOP(l, r, q) l->unknowns += l->span[q].i1 - l->span[q].i0;
    }
    l->parallel = l->unknowns > 8000;
    return MN_OK;
}

// Sum of weight times neighbour value; `value(i)` is an expression.
#define NEIGHBOURS_2D(value)                                                                                                     \
    (lx[i]*value(i - 1) + lx[i + 1]*value(i + 1) + ly[i]*value(i - sy) + ly[i + sy]*value(i + sy))
#define NEIGHBOURS_3D(value) (NEIGHBOURS_2D(value) + lz[i]*value(i - sz) + lz[i + sz]*value(i + sz))

// The kernels below exist once; `dim` is a constant where they are called, so each becomes a 2D and a 3D loop.
#define ROW_POINTERS                                                                                                             \
    ptrdiff_t row = level_row(l, r), sy = l->sy, sz = l->sz;                                                                     \
    const float* restrict lx = l->link[0] + row, * restrict ly = l->link[1] + row;                                               \
    const float* restrict lz = dim == 3 ? l->link[2] + row : NULL, * restrict d = l->inverse + row;                              \
    const float* restrict b = l->b + row;                                                                                        \
    (void)sz, (void)lz

static inline void from_zero_row(Level* l, int r, const int dim)
{
    ROW_POINTERS;
    float* restrict x = l->x + row;
#define JACOBI(i) (d[i]*b[i])
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) {
            float y = FIRST*JACOBI(i);
            float around = FIRST*(dim == 3 ? NEIGHBOURS_3D(JACOBI) : NEIGHBOURS_2D(JACOBI));
            x[i] = y + SECOND*(d[i]*(b[i] + around) - y);
        }
#undef JACOBI
}

#define VALUE(i) x[i]
static inline void sweep_row(Level* l, int r, float weight, const int dim)
{
    ROW_POINTERS;
    const float* restrict x = l->x + row;
    float* restrict t = l->t + row;
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) {
            float around = dim == 3 ? NEIGHBOURS_3D(VALUE) : NEIGHBOURS_2D(VALUE);
            t[i] = x[i] + weight*(d[i]*(b[i] + around) - x[i]);
        }
}

static inline void residual_row(Level* l, int r, const int dim)
{
    ROW_POINTERS;
    const float* restrict x = l->x + row;
    float* restrict t = l->t + row;
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) {
            float around = dim == 3 ? NEIGHBOURS_3D(VALUE) : NEIGHBOURS_2D(VALUE);
            t[i] = b[i] + around - x[i]/d[i];
        }
}
#undef VALUE

void level_smooth_from_zero(Level* l)
{
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++)
        if (l->dim == 3) from_zero_row(l, r, 3);
        else from_zero_row(l, r, 2);
}

static void sweep(Level* l, float weight)
{
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++)
        if (l->dim == 3) sweep_row(l, r, weight, 3);
        else sweep_row(l, r, weight, 2);
    float* swap = l->x;
    l->x = l->t, l->t = swap;
}

void level_smooth(Level* l)
{
    sweep(l, FIRST);
    sweep(l, SECOND);
}

void level_residual(Level* l)
{
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++)
        if (l->dim == 3) residual_row(l, r, 3);
        else residual_row(l, r, 2);
}
