// Conjugate gradients in double precision around a single-precision multigrid cycle.
#include "solve/poisson.h"

#include <math.h>
#include <string.h>
#include "base/sum.h"
#include "base/vec.h"
#include "solve/components.h"
#include "solve/multigrid.h"

// The finest level once more in double precision, in the layout of mg.level[0].
typedef struct Workspace {
    Multigrid mg;
    int lo[3];  // the level's cell (0,0,0) in the window
    double* link[3];
    double* diagonal;
    double *x, *r, *p, *q;  // solution, residual, search direction, A p
    double *row_a, *row_b;  // partial sums per row
    Components sealed;      // connected parts without excess
} Workspace;

// ---- set-up --------------------------------------------------------------------------------------------------------------

static bool bounding_box(int lo[3], int n[3], const Poisson* f)
{
    int hi[3] = {-1, -1, -1};
    for (int d = 0; d < 3; d++) lo[d] = f->w->n[d];
    for (int r = 0; r < f->spans->rows; r++) {
        int j = r%f->spans->rows_y, k = r/f->spans->rows_y;
        const unsigned char* unknown = f->unknown + window_at(f->w, 0, j, k);
        SPAN_LOOP(f->spans, r, q) {
            int i0 = f->spans->span[q].i0, i1 = f->spans->span[q].i1;
            while (i0 < i1 && !unknown[i0]) i0++;
            while (i1 > i0 && !unknown[i1 - 1]) i1--;
            if (i0 == i1) continue;
            lo[0] = mini(lo[0], i0), hi[0] = maxi(hi[0], i1 - 1);
            lo[1] = mini(lo[1], j), hi[1] = maxi(hi[1], j);
            lo[2] = mini(lo[2], k), hi[2] = maxi(hi[2], k);
        }
    }
    for (int d = 0; d < 3; d++) n[d] = hi[d] - lo[d] + 1;
    return hi[0] >= 0;
}

static double* take_doubles(Arena* arena, const Level* l)
{
    double* block = ARENA_ZERO(arena, double, l->count);
    return block ? block + l->origin : NULL;
}

// Copies one row of the problem into the finest level.
static void copy_row(Workspace* s, float* excess, const Poisson* f, int r)
{
    Level* l = &s->mg.level[0];
    int j = r%l->n[1] + s->lo[1], k = r/l->n[1] + s->lo[2];
    ptrdiff_t to = level_row(l, r), from = window_at(f->w, s->lo[0], j, k);
    int window_row = j + k*f->spans->rows_y;
    SPAN_LOOP(f->spans, window_row, q) {
        int i0 = maxi(f->spans->span[q].i0 - s->lo[0], 0), i1 = mini(f->spans->span[q].i1 - s->lo[0], l->n[0]);
        for (int i = i0; i < i1; i++) {
            if (!f->unknown[from + i]) continue;
            double diagonal = f->excess[from + i];
            for (int d = 0; d < l->dim; d++) {
                double low = f->link[d][from + i];
                s->link[d][to + i] = low;
                l->link[d][to + i] = (float)low;
                diagonal += low + f->link[d][from + i + window_stride(f->w, d)];
            }
            // cells without neighbours are no business of the solver (solve_lonely_cells)
            if (!(diagonal > f->excess[from + i])) continue;
            s->diagonal[to + i] = diagonal;
            l->inverse[to + i] = (float)(1/diagonal);
            excess[to + i] = (float)f->excess[from + i];
        }
    }
}

static mn_status set_up(Workspace* s, const Poisson* f, Arena* arena, bool* empty)
{
    *s = (Workspace){0};
    int n[3];
    *empty = !bounding_box(s->lo, n, f);
    if (*empty) return MN_OK;
    bool wall[6];
    for (int d = 0; d < 3; d++) {
        wall[2*d] = s->lo[d] == 0 && f->w->side[2*d] == SIDE_IS_WALL;
        wall[2*d + 1] = s->lo[d] + n[d] == f->w->n[d] && f->w->side[2*d + 1] == SIDE_IS_WALL;
    }
    Level* l = &s->mg.level[0];
    TRY(level_init(l, arena, f->w->dim, n, wall));
    for (int d = 0; d < l->dim; d++) TRY_MEMORY(s->link[d] = take_doubles(arena, l));
    TRY_MEMORY(s->diagonal = take_doubles(arena, l));
    TRY_MEMORY(s->x = take_doubles(arena, l));
    TRY_MEMORY(s->r = take_doubles(arena, l));
    TRY_MEMORY(s->p = take_doubles(arena, l));
    TRY_MEMORY(s->q = take_doubles(arena, l));
    TRY_MEMORY(s->row_a = ARENA_NEW(arena, double, l->rows));
    TRY_MEMORY(s->row_b = ARENA_NEW(arena, double, l->rows));
    float* excess = ARENA_ZERO(arena, float, l->count);
    TRY_MEMORY(excess);
    excess += l->origin;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(f->spans))
    for (int r = 0; r < l->rows; r++) copy_row(s, excess, f, r);
    TRY(level_find_spans(l, arena));
    *empty = l->unknowns == 0;
    if (*empty) return MN_OK;
    TRY(multigrid_coarsen(&s->mg, arena, excess));
    return components_sealed(&s->sealed, arena, l, s->link, s->diagonal);
}

// ---- kernels, one row each -----------------------------------------------------------------------------------------------

// (A v) at i
#define APPLY_2D(v) (diagonal[i]*v[i] - lx[i]*v[i - 1] - lx[i + 1]*v[i + 1] - ly[i]*v[i - sy] - ly[i + sy]*v[i + sy])
#define APPLY_3D(v) (APPLY_2D(v) - lz[i]*v[i - sz] - lz[i + sz]*v[i + sz])
#define MATRIX_POINTERS                                                                                                          \
    const Level* l = &s->mg.level[0];                                                                                            \
    ptrdiff_t row = level_row(l, r), sy = l->sy, sz = l->sz;                                                                     \
    const double* restrict lx = s->link[0] + row, * restrict ly = s->link[1] + row;                                              \
    const double* restrict lz = dim == 3 ? s->link[2] + row : NULL, * restrict diagonal = s->diagonal + row;                     \
    (void)sz, (void)lz

// r = b - A x, with b in r on entry; returns |r|^2 of the row.
static inline double start_residual_row(Workspace* s, int r, const int dim)
{
    MATRIX_POINTERS;
    const double* restrict x = s->x + row;
    double* restrict residual = s->r + row, sum = 0;
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) {
            residual[i] -= dim == 3 ? APPLY_3D(x) : APPLY_2D(x);
            sum += residual[i]*residual[i];
        }
    return sum;
}

// q = A p; returns p.q of the row.
static inline double apply_row(Workspace* s, int r, const int dim)
{
    MATRIX_POINTERS;
    const double* restrict p = s->p + row;
    double* restrict out = s->q + row, sum = 0;
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) {
            out[i] = dim == 3 ? APPLY_3D(p) : APPLY_2D(p);
            sum += out[i]*p[i];
        }
    return sum;
}

static double level_sum(const Level* l, const double* per_row) { return sum_fixed(per_row, l->rows); }

static double start_residual(Workspace* s)
{
    Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++) s->row_a[r] = l->dim == 3 ? start_residual_row(s, r, 3) : start_residual_row(s, r, 2);
    return level_sum(l, s->row_a);
}

static double apply(Workspace* s)
{
    Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++) s->row_a[r] = l->dim == 3 ? apply_row(s, r, 3) : apply_row(s, r, 2);
    return level_sum(l, s->row_a);
}

// The cycle's right-hand side: the residual in single precision, scaled so that small pressures do not underflow.
static void residual_to_cycle(Workspace* s, double scale)
{
    Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++) {
        const double* restrict residual = s->r + level_row(l, r);
        float* restrict b = l->b + level_row(l, r);
        SPAN_LOOP(l, r, q)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) b[i] = (float)(residual[i]*scale);
    }
}

// z.r and z.q
static void correction_products(Workspace* s, double* zr, double* zq)
{
    Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++) {
        ptrdiff_t row = level_row(l, r);
        const float* restrict z = l->x + row;
        const double* restrict residual = s->r + row, * restrict old = s->q + row;
        double a = 0, b = 0;
        SPAN_LOOP(l, r, q)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) a += z[i]*residual[i], b += z[i]*old[i];
        s->row_a[r] = a, s->row_b[r] = b;
    }
    *zr = level_sum(l, s->row_a);
    *zq = level_sum(l, s->row_b);
}

// p = scale z + beta p
static void new_direction(Workspace* s, double scale, double beta)
{
    Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++) {
        const float* restrict z = l->x + level_row(l, r);
        double* restrict p = s->p + level_row(l, r);
        SPAN_LOOP(l, r, q)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) p[i] = scale*z[i] + beta*p[i];
    }
}

// x += alpha p, r -= alpha q; returns |r|^2.
static double advance(Workspace* s, double alpha)
{
    Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++) {
        ptrdiff_t row = level_row(l, r);
        double* restrict x = s->x + row, * restrict residual = s->r + row, sum = 0;
        const double* restrict p = s->p + row, * restrict out = s->q + row;
        SPAN_LOOP(l, r, q)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) {
                x[i] += alpha*p[i];
                residual[i] -= alpha*out[i];
                sum += residual[i]*residual[i];
            }
        s->row_a[r] = sum;
    }
    return level_sum(l, s->row_a);
}

// ---- the iteration -------------------------------------------------------------------------------------------------------

// Copies between a level array and the layout of the window, on the unknown cells.
static void copy_level(Workspace* s, const Poisson* f, double* level_values, double* window_values, bool to_level)
{
    Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->parallel)
    for (int r = 0; r < l->rows; r++) {
        double* a = level_values + level_row(l, r);
        double* b = window_values + window_at(f->w, s->lo[0], s->lo[1] + r%l->n[1], s->lo[2] + r/l->n[1]);
        SPAN_LOOP(l, r, q) {
            size_t first = (size_t)l->span[q].i0, bytes = sizeof(double)*(size_t)(l->span[q].i1 - l->span[q].i0);
            if (to_level) memcpy(a + first, b + first, bytes);
            else memcpy(b + first, a + first, bytes);
        }
    }
}

static void zero_on_spans(double* v, const Window* w, const Spans* s)
{
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, q)
            memset(v + window_at(w, s->span[q].i0, r%s->rows_y, r/s->rows_y), 0,
                   sizeof *v*(size_t)(s->span[q].i1 - s->span[q].i0));
}

// Unknowns without any link: p = b/excess, or zero where nothing holds the cell at all (sealed and alone).
static void solve_lonely_cells(double* p, const Poisson* f)
{
    const Spans* s = f->spans;
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0; i < s->span[q].i1; i++) {
                ptrdiff_t at = window_at(f->w, i, r%s->rows_y, r/s->rows_y);
                if (!f->unknown[at]) continue;
                double links = 0;
                for (int d = 0; d < f->w->dim; d++) links += f->link[d][at] + f->link[d][at + window_stride(f->w, d)];
                if (links == 0 && f->excess[at] > 0) p[at] = f->b[at]/f->excess[at];
            }
}

// |b|^2, with b in s->r.
static double norm_squared(Workspace* s)
{
    Level* l = &s->mg.level[0];
    for (int r = 0; r < l->rows; r++) {
        const double* b = s->r + level_row(l, r);
        double sum = 0;
        SPAN_LOOP(l, r, q)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) sum += b[i]*b[i];
        s->row_a[r] = sum;
    }
    return level_sum(l, s->row_a);
}

// Flexible conjugate gradients (Polak-Ribiere beta: tolerates the rounding of the single-precision cycle). With
// r_new = r_old - alpha q, the numerator z.(r_new - r_old) is -alpha z.q, so no old residual is kept. The cycle works on
// r/|r|; `z` below stands for |r| times its result.
static void iterate(Workspace* s, SolveReport* report, double norm_b, double norm_r, const SolveOptions* options)
{
    double zr_old = 0, alpha = 0, enough = options->tolerance*norm_b;
    // A start from the last step's pressure may be good enough at once, step after step, and leave the same small force to act
    // each time. Two iterations on top of it cost little and keep still liquid still.
    enum { AT_LEAST = 2 };
    while ((norm_r > enough || (report->iterations < AT_LEAST && norm_r > 1e-6*enough)) &&
           report->iterations < options->max_iterations) {
        residual_to_cycle(s, 1/norm_r);
        multigrid_cycle(&s->mg);
        components_project_float(&s->sealed, &s->mg.level[0], s->mg.level[0].x);
        double zr, zq;
        correction_products(s, &zr, &zq);
        zr *= norm_r, zq *= norm_r;
        double beta = report->iterations > 0 ? fmax(-alpha*zq/zr_old, 0) : 0;
        new_direction(s, norm_r, beta);
        double pq = apply(s);
        if (!(pq > 0)) break;  // rounding has eaten the residual, or a NaN came in
        alpha = zr/pq;
        norm_r = sqrt(advance(s, alpha));
        zr_old = zr;
        report->iterations++;
    }
    report->residual = norm_r/norm_b;
    report->converged = norm_r <= enough;
}

mn_status poisson_solve(double* p, SolveReport* report, const Poisson* f, const SolveOptions* options, Arena* arena)
{
    *report = (SolveReport){.converged = true};
    Workspace s;
    bool empty;
    TRY(set_up(&s, f, arena, &empty));
    if (empty) {
        zero_on_spans(p, f->w, f->spans);
        solve_lonely_cells(p, f);
        return MN_OK;
    }
    report->unknowns = s.mg.level[0].unknowns;
    copy_level(&s, f, s.x, p, true);
    copy_level(&s, f, s.r, f->b, true);
    double removed = components_project(&s.sealed, &s.mg.level[0], s.r);
    components_project(&s.sealed, &s.mg.level[0], s.x);
    double norm_b = sqrt(norm_squared(&s));
    report->incompatibility = norm_b > 0 ? removed/norm_b : 0;
    zero_on_spans(p, f->w, f->spans);
    solve_lonely_cells(p, f);
    if (!(norm_b > 0)) {
        report->converged = norm_b == 0;  // NaN is not convergence
        return MN_OK;
    }
    double norm_r = sqrt(start_residual(&s));
    iterate(&s, report, norm_b, norm_r, options);
    copy_level(&s, f, s.x, p, false);
    return MN_OK;
}

mn_status poisson_precondition(double* z, const double* r, const Poisson* f, Arena* arena)
{
    Workspace s;
    bool empty;
    TRY(set_up(&s, f, arena, &empty));
    zero_on_spans(z, f->w, f->spans);
    if (empty) return MN_OK;
    copy_level(&s, f, s.r, (double*)r, true);
    residual_to_cycle(&s, 1);
    multigrid_cycle(&s.mg);
    Level* l = &s.mg.level[0];
    for (int q = 0; q < l->rows; q++)
        SPAN_LOOP(l, q, m)
            for (int i = l->span[m].i0; i < l->span[m].i1; i++) s.x[level_row(l, q) + i] = l->x[level_row(l, q) + i];
    copy_level(&s, f, s.x, z, false);
    return MN_OK;
}
