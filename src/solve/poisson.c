// Conjugate gradients in double precision around a single-precision multigrid cycle.
#include "solve/poisson.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <string.h>
#include "base/global.h"
#include "base/vec.h"
#include "solve/components.h"
#include "solve/multigrid.h"

// The finest level has the layout of the window: solution and right-hand side are used where they are.
typedef struct Part {
    Multigrid mg;
    Poisson* problem;
    bool empty;         // no unknown is linked to another
    double *x, *r, *p;  // solution, residual, search direction
    RowSums sums;       // of a cycle, per row
    double* per_row;    // squares of the residual
    Components sealed;  // connected parts without excess
    double weight;      // of this problem's rows in the whole matrix
} Part;

// An operator beside the matrix, with what it is given and what it answers.
typedef struct Beside {
    const PoissonOperator* op;
    double *in, *out;
} Beside;

// The columns of all operators that name them, U, and what the cycles Z of the parts make of them, W = Z U: the preconditioner
// of the whole is that of Z^-1 + U U^T (Woodbury),
//     M r = Z r - W (1 + U^T W)^-1 U^T Z r.
typedef struct DenseBorder {
    int rank;
    double* matrix;  // 1 + U^T W, lower triangle of its Cholesky factor, [row*rank + column]
    double* c;       // rank numbers of scratch
    float** w;       // per column and part, [column*parts + part], layout of the part's window; NULL where it is empty
} DenseBorder;

// All problems of a solve. Those without unknowns are carried along, empty.
typedef struct PoissonSolver {
    Part* part;
    int count;
    Beside* beside;
    int besides;  // operators that act on any cell
    DenseBorder dense;
} PoissonSolver;

// ---- set-up --------------------------------------------------------------------------------------------------------------

// Cells without any link leave the system: on coarse levels they would be mixed with neighbours they have nothing to do with.
// With p they are solved here, p = b/excess (or zero where nothing holds the cell: sealed and alone).
static void solve_lonely_cells(double* p, Poisson* f)
{
    int rows = f->w->n[1]*f->w->n[2];
    for (int r = 0; r < rows; r++)
        for (int m = f->first[r]; m < f->first[r + 1]; m++) {
            const SpecialCell* c = &f->special[m];
            double links = 0;
            for (int s = 0; s < 6; s++) links += c->link[s];
            if (links > 0) continue;
            ptrdiff_t at = window_at(f->w, c->i, r%f->w->n[1], r/f->w->n[1]);
            f->kind[at] = CELL_IS_NONE;
            if (p) p[at] = c->excess > 0 ? f->b[at]/c->excess : 0;
        }
}

static void copy_special(Level* l, const Poisson* f, int r)
{
    int to = l->first_special[r];
    const unsigned char* kind = l->kind + level_row(l, r);
    for (int m = f->first[r]; m < f->first[r + 1]; m++) {
        const SpecialCell* c = &f->special[m];
        if (kind[c->i] == CELL_IS_NONE) continue;
        double diagonal = c->excess;
        LevelCell* out = &l->special[to++];
        *out = (LevelCell){.i = c->i, .excess = (float)c->excess};
        for (int s = 0; s < 6; s++) out->link[s] = (float)c->link[s], diagonal += c->link[s];
        assert(diagonal > 0);
        out->diagonal = (float)diagonal, out->inverse = (float)(1/diagonal);
    }
}

// The finest level: the window itself.
static mn_status set_up_finest(Level* l, Arena* arena, const Poisson* f)
{
    const Window* w = f->w;
    *l = (Level){.dim = w->dim, .weight = 1, .sy = w->sy, .sz = w->sz, .origin = w->origin, .count = w->count, .kind = f->kind};
    for (int d = 0; d < 3; d++) l->n[d] = w->n[d];
    for (int s = 0; s < 6; s++) l->wall[s] = side_is_closed(w->side[s]);
    TRY(level_find_runs(l, arena));
    if (l->unknowns == 0) return MN_OK;
    TRY_MEMORY(l->first_special = ARENA_NEW(arena, int, l->rows + 1));
    int total = 0;
    for (int r = 0; r < l->rows; r++) {
        l->first_special[r] = total;
        const unsigned char* kind = l->kind + level_row(l, r);
        for (int m = f->first[r]; m < f->first[r + 1]; m++) total += kind[f->special[m].i] != CELL_IS_NONE;
    }
    l->first_special[l->rows] = total;
    TRY_MEMORY(l->special = ARENA_NEW(arena, LevelCell, total));
#pragma omp parallel for schedule(static) if (l->threads > 1)
    for (int r = 0; r < l->rows; r++) copy_special(l, f, r);
    return level_take_arrays(l, arena);
}

// What the preconditioner is told of the operators' diagonals goes into the level's excess; the matrix itself does not change.
static void add_diagonals(Level* l, const PoissonGroup* group, int part)
{
    for (int o = 0; o < group->ops; o++) {
        const PoissonOperator* op = &group->op[o];
        for (int m = 0; m < op->count && op->diagonal; m++) {
            if (op->part[m] != part) continue;
            LevelCell* c = level_special_at(l, op->cell[m]);
            assert(c && op->diagonal[m] >= 0);
            float more = (float)(op->diagonal[m]/group->part[part].weight);
            c->excess += more, c->diagonal += more, c->inverse = 1/c->diagonal;
        }
    }
}

// Does an operator hold cells of this part, so that nothing of it is sealed?
static bool is_held(const PoissonGroup* group, int part)
{
    for (int o = 0; o < group->ops; o++)
        for (int m = 0; m < group->op[o].count && !group->op[o].keeps_constants; m++)
            if (group->op[o].part[m] == part) return true;
    return false;
}

static mn_status set_up(Part* s, const PoissonGroup* group, int part, Arena* arena)
{
    Poisson* f = group->part[part].problem;
    *s = (Part){.problem = f, .weight = group->part[part].weight};
    solve_lonely_cells(NULL, f);
    Level* l = &s->mg.level[0];
    TRY(set_up_finest(l, arena, f));
    s->empty = l->unknowns == 0;
    if (s->empty) return MN_OK;
    add_diagonals(l, group, part);
    TRY(multigrid_coarsen(&s->mg, arena));
    TRY_MEMORY(s->p = ARENA_NEW(arena, double, l->count));
    s->p += l->origin;
    level_clear(l, s->p);
    TRY_MEMORY(s->per_row = ARENA_ZERO(arena, double, l->rows));
    TRY_MEMORY(s->sums.product = ARENA_ZERO(arena, double, l->rows));
    TRY_MEMORY(s->sums.curvature = ARENA_ZERO(arena, double, l->rows));
    return is_held(group, part) ? MN_OK : components_sealed(&s->sealed, arena, l);
}

// One iteration: the direction p = scale z + beta p, the step alpha along it.
typedef struct Turn {
    double scale, alpha, beta;
} Turn;

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
static void scale_right_side(Part* s, const double* v)
{
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

static double sum_rows(const Part* s, const double* per_row) { return global_sum(per_row, s->mg.level[0].rows); }

#define FOR_ROWS(l, slice, r) for (int r = (slice)*(l)->slice_rows; r < ((slice) + 1)*(l)->slice_rows; r++)

// r = b - A x without the operators beside, where r holds b; returns |r|^2.
static double start(Part* s, double scale)
{
    const Level* l = &s->mg.level[0];
    SLAB_REGION(l)
    {
        double line[l->n[0]];
        OWN_SLABS(l, t)
        for (int m = l->slab[t]; m < l->slab[t + 1]; m++)
            FOR_ROWS(l, m, r) s->per_row[r] = reduce_row(s, r, s->x, 1, scale, line);
    }
    return sum_rows(s, s->per_row);
}

// One step along the new direction p = z + beta p: x += alpha p, r -= alpha A p, one slice behind each other so that memory is
// passed through once; rows at the ends of a thread's slab wait for the neighbour. Returns |r|^2.
static double advance(Part* s, const Turn* turn, double next_scale)
{
    const Level* l = &s->mg.level[0];
    SLAB_REGION(l)
    {
        double line[l->n[0]];
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            for (int m = s0; m < s1; m++) {
                FOR_ROWS(l, m, r) turn_row(s, r, turn);
                if (m - 1 > s0) FOR_ROWS(l, m - 1, r) s->per_row[r] = reduce_row(s, r, s->p, turn->alpha, next_scale, line);
            }
        }
#pragma omp barrier
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            if (s0 < s1) FOR_ROWS(l, s0, r) s->per_row[r] = reduce_row(s, r, s->p, turn->alpha, next_scale, line);
            if (s0 < s1 - 1) FOR_ROWS(l, s1 - 1, r) s->per_row[r] = reduce_row(s, r, s->p, turn->alpha, next_scale, line);
        }
    }
    return sum_rows(s, s->per_row);
}

// The same in three passes, with p.Ap computed in full (below).
static void turn_all_rows(Part* s, const Turn* turn)
{
    const Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->threads > 1)
    for (int r = 0; r < l->rows; r++) turn_row(s, r, turn);
}

static double curvature(Part* s)
{
    const Level* l = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (l->threads > 1)
    for (int r = 0; r < l->rows; r++) {
        double line[l->n[0]], sum = 0;
        const double* p = s->p + level_row(l, r);
        if (!level_row_is_empty(l, r)) apply(line, s->p, s, r);
        SPAN_LOOP(l, r, q)
            for (int i = l->span[q].i0; i < l->span[q].i1; i++) sum += p[i]*line[i];
        s->per_row[r] = sum;
    }
    return sum_rows(s, s->per_row);
}

static double step_along(Part* s, double alpha, double next_scale)
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
    return sum_rows(s, s->per_row);
}

static double norm_squared(Part* s, const double* v)
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
    return sum_rows(s, s->per_row);
}

// ---- the iteration -------------------------------------------------------------------------------------------------------

// Zero where nothing is unknown, so that old values do not stay behind.
static void zero_known(double* v, const Poisson* f)
{
    const Spans* s = f->spans;
#pragma omp parallel for schedule(static) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(f->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0; i < s->span[q].i1; i++)
                if (f->kind[row + i] == CELL_IS_NONE) v[row + i] = 0;
    }
}

// ---- the same over all problems: the whole matrix has rows weight A_part + the operators ---------------------------

// The problems that have unknowns.
#define FOR_PARTS(g, s)                                                                                                          \
    for (Part* s = (g)->part; s < (g)->part + (g)->count; s++)                                                                   \
        if (!s->empty)

// The values of a field of every part on the cells of the operators.
typedef const double* (*PartField)(const Part* s);
static const double* solution_of(const Part* s) { return s->x; }
static const double* direction_of(const Part* s) { return s->p; }

// out = the operators on a field; returns the field's product with all of them.
static double apply_beside(PoissonSolver* g, PartField field)
{
    double sum = 0;
    for (int o = 0; o < g->besides; o++) {
        Beside* b = &g->beside[o];
        const PoissonOperator* op = b->op;
        for (int m = 0; m < op->count; m++) b->in[m] = field(&g->part[op->part[m]])[op->cell[m]];
        op->apply(b->out, b->in, op->user);
        for (int m = 0; m < op->count; m++) sum += b->in[m]*b->out[m];
    }
    return sum;
}

// r -= alpha times what the operators have answered
static void reduce_beside(PoissonSolver* g, double alpha)
{
    for (int o = 0; o < g->besides; o++) {
        const PoissonOperator* op = g->beside[o].op;
        for (int m = 0; m < op->count; m++) {
            Part* s = &g->part[op->part[m]];
            s->r[op->cell[m]] -= alpha/s->weight*g->beside[o].out[m];
        }
    }
}

// r = b - A x, where r holds b; returns |r|.
static double start_all(PoissonSolver* g, double scale)
{
    apply_beside(g, solution_of);
    reduce_beside(g, 1);
    double sum = 0;
    FOR_PARTS(g, s) sum += s->weight*s->weight*start(s, scale);
    return sqrt(sum);
}

// ---- the dense border ----------------------------------------------------------------------------------------------------

#define FOR_COLUMNS(g, b, r, column)                                                                                             \
    for (Beside* b = (g)->beside; b < (g)->beside + (g)->besides; b++)                                                           \
        for (int r = 0; r < b->op->rank; r++, column++)

// U^T z with z in the finest levels' x (float), or in one column of W.
static double along_column(const PoissonSolver* g, const PoissonOperator* op, int r, float* const* z)
{
    double sum = 0;
    for (int m = 0; m < op->count; m++) {
        const float* part = z ? z[op->part[m]] : g->part[op->part[m]].mg.level[0].x;
        sum += op->column[(size_t)r*(size_t)op->count + (size_t)m]*(double)part[op->cell[m]];
    }
    return sum;
}

// W = Z u of one column u. A part's rows are those of the whole matrix over its weight.
static mn_status cycle_column(PoissonSolver* g, float** w, const PoissonOperator* op, int r, Arena* arena)
{
    for (int q = 0; q < g->count; q++) {
        Part* s = &g->part[q];
        Level* l = &s->mg.level[0];
        if (s->empty) continue;
        level_clear(l, s->p);
        for (int m = 0; m < op->count; m++)
            if (op->part[m] == q) s->p[op->cell[m]] = op->column[(size_t)r*(size_t)op->count + (size_t)m]/s->weight;
        scale_right_side(s, s->p);
        multigrid_cycle(&s->mg, &s->sums);
        components_project_float(&s->sealed, l, l->x);
        float* out = ARENA_NEW(arena, float, l->count);
        TRY_MEMORY(out);
        memcpy(out, l->x - l->origin, sizeof *out*l->count);
        w[q] = out + l->origin;
        level_clear(l, s->p);
    }
    return MN_OK;
}

// a = L L^T in place, lower triangle.
static void cholesky(double* a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i*n + j];
            for (int k = 0; k < j; k++) sum -= a[i*n + k]*a[j*n + k];
            a[i*n + j] = i == j ? sqrt(sum) : sum/a[j*n + j];
        }
}

static void cholesky_solve(double* x, const double* l, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= l[i*n + k]*x[k];
        x[i] /= l[i*n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= l[k*n + i]*x[k];
        x[i] /= l[i*n + i];
    }
}

static mn_status dense_build(PoissonSolver* g, const PoissonGroup* group, Arena* arena)
{
    DenseBorder* d = &g->dense;
    for (int o = 0; o < group->ops; o++) d->rank += group->op[o].count > 0 ? group->op[o].rank : 0;
    if (d->rank == 0) return MN_OK;
    TRY_MEMORY(d->matrix = ARENA_ZERO(arena, double, d->rank*d->rank));
    TRY_MEMORY(d->c = ARENA_NEW(arena, double, d->rank));
    TRY_MEMORY(d->w = ARENA_ZERO(arena, float*, d->rank*g->count));
    int i = 0;
    FOR_COLUMNS(g, b, r, i) TRY(cycle_column(g, d->w + i*g->count, b->op, r, arena));
    i = 0;
    FOR_COLUMNS(g, b, r, i)
    for (int j = 0; j <= i; j++) d->matrix[i*d->rank + j] = (i == j) + along_column(g, b->op, r, d->w + j*g->count);
    cholesky(d->matrix, d->rank);
    return MN_OK;
}

// z -= W (1 + U^T W)^-1 U^T z; returns what that takes off z.r, which is c.(U^T z) since Z is symmetric.
static double correct_by_dense(PoissonSolver* g)
{
    DenseBorder* d = &g->dense;
    double off = 0;
    int i = 0;
    FOR_COLUMNS(g, b, r, i) d->c[i] = along_column(g, b->op, r, NULL);
    cholesky_solve(d->c, d->matrix, d->rank);
    i = 0;
    FOR_COLUMNS(g, b, r, i) off += d->c[i]*along_column(g, b->op, r, NULL);
    for (int column = 0; column < d->rank; column++)
        for (int q = 0; q < g->count; q++) {
            const float* w = d->w[column*g->count + q];
            const float c = (float)d->c[column];
            const Level* l = &g->part[q].mg.level[0];
            for (int row = 0; w && row < l->rows; row++)
                SPAN_LOOP(l, row, m)
                    for (int x = l->span[m].i0; x < l->span[m].i1; x++)
                        l->x[level_row(l, row) + x] -= c*w[level_row(l, row) + x];
        }
    return off;
}

// ---- the iteration over all problems ----------------------------------------------------------------------------------------

// z = M r on every problem; returns z.r, and z.Az in *curvature, the operators left out.
static double precondition_all(PoissonSolver* g, double scale, double* curvature)
{
    double product = 0, own = 0;
    FOR_PARTS(g, s)
    {
        multigrid_cycle(&s->mg, &s->sums);
        product += s->weight*sum_rows(s, s->sums.product);
        own += s->weight*sum_rows(s, s->sums.curvature);
        components_project_float(&s->sealed, &s->mg.level[0], s->mg.level[0].x);
    }
    if (g->dense.rank > 0) product -= correct_by_dense(g);
    *curvature = own*scale*scale;
    return product*scale*scale;
}

static double advance_all(PoissonSolver* g, const Turn* turn, double next_scale)
{
    double sum = 0;
    FOR_PARTS(g, s) sum += s->weight*s->weight*advance(s, turn, next_scale);
    return sqrt(sum);
}

// An operator beside the matrix may take away nearly all that the matrix says of a smooth pressure (a film between two liquids
// lets them press on each other: each alone is held at it). z.Az in the cycle's single precision knows nothing of the rest, so
// p.Ap is computed in full. Returns |r|; below zero where p has no curvature: rounding has eaten the residual, or a NaN came
// in.
static double advance_beside(PoissonSolver* g, Turn* turn, double zr, double next_scale)
{
    double pq = 0, sum = 0;
    turn->alpha = 0;
    FOR_PARTS(g, s)
    {
        turn_all_rows(s, turn);
        pq += s->weight*curvature(s);
    }
    pq += apply_beside(g, direction_of);
    if (!(pq > 0)) return -1;
    turn->alpha = zr/pq;
    reduce_beside(g, turn->alpha);
    FOR_PARTS(g, s) sum += s->weight*s->weight*step_along(s, turn->alpha, next_scale);
    return sqrt(sum);
}

// Conjugate gradients, with p.Ap = z.Az - beta z.r/alpha_old [chronopoulos1989], so that step length and direction are
// known before p is touched and one pass does the rest. beta = z.r/(z_old.r_old) is exact for a fixed symmetric cycle; single
// precision spoils that and z.Az by 1e-7, which no residual norm shows (docs/solver.md): r follows x whatever alpha is. The cycle
// works on r divided by a norm of an iteration before, near enough to 1 for single precision.
static void iterate(PoissonSolver* g, SolveReport* report, double norm_b, double norm_r, const SolveOptions* options)
{
    double zr_old = 0, scale = norm_b, enough = options->tolerance*norm_b;
    Turn turn = {0};
    // A start from the last step's pressure may be good enough at once, step after step, and leave the same small force to act
    // each time. Two iterations on top of it cost little and keep still liquid still.
    enum { AT_LEAST = 2 };
    while ((norm_r > enough || (report->iterations < AT_LEAST && norm_r > 1e-6*enough)) &&
           report->iterations < options->max_iterations) {
        double pq, zr = precondition_all(g, scale, &pq);
        turn.beta = report->iterations > 0 ? zr/zr_old : 0, turn.scale = scale;
        scale = norm_r;
        if (g->besides > 0) {
            double next = advance_beside(g, &turn, zr, 1/scale);
            if (!(next >= 0)) break;
            norm_r = next;
        } else {
            if (report->iterations > 0) pq -= turn.beta*zr/turn.alpha;
            if (!(pq > 0)) break;  // rounding has eaten the residual, or a NaN came in
            turn.alpha = zr/pq;
            norm_r = advance_all(g, &turn, 1/scale);
        }
        zr_old = zr;
        report->iterations++;
    }
    report->residual = norm_r/norm_b;
    report->converged = norm_r <= enough;
}

static mn_status list_operators(PoissonSolver* g, const PoissonGroup* group, Arena* arena)
{
    TRY_MEMORY(g->beside = ARENA_NEW(arena, Beside, group->ops));
    for (int o = 0; o < group->ops; o++) {
        const PoissonOperator* op = &group->op[o];
        if (op->count == 0) continue;
        for (int m = 0; m < op->count; m++) assert(!g->part[op->part[m]].empty);
        Beside* b = &g->beside[g->besides++];
        *b = (Beside){op, ARENA_NEW(arena, double, op->count), ARENA_NEW(arena, double, op->count)};
        TRY_MEMORY(b->in && b->out ? b : NULL);
    }
    return MN_OK;
}

mn_status poisson_prepare_group(PoissonSolver** solver, const PoissonGroup* group, Arena* arena)
{
    assert(poisson_group_is_valid(group));
    PoissonSolver* g = arena_take(arena, sizeof *g);
    TRY_MEMORY(g);
    *solver = g;
    *g = (PoissonSolver){.count = group->count};
    TRY_MEMORY(g->part = ARENA_NEW(arena, Part, group->count));
    for (int q = 0; q < group->count; q++) TRY(set_up(&g->part[q], group, q, arena));
    TRY(list_operators(g, group, arena));
    return dense_build(g, group, arena);
}

// Solution and residual of every part; returns |b| of the whole matrix.
static double open_parts(PoissonSolver* g, SolveReport* report, const PoissonGroup* group, double* removed)
{
    double sum = 0;
    for (int q = 0; q < g->count; q++) {
        Part* s = &g->part[q];
        const Level* l = &s->mg.level[0];
        s->x = group->part[q].p, s->r = s->problem->b;
        zero_known(s->x, s->problem);
        solve_lonely_cells(s->x, s->problem);
        if (s->empty) continue;
        report->unknowns += l->unknowns;
        *removed = hypot(*removed, s->weight*components_project(&s->sealed, l, s->r));
        components_project(&s->sealed, l, s->x);
        sum += s->weight*s->weight*norm_squared(s, s->r);
    }
    return sqrt(sum);
}

void poisson_solve_prepared_group(SolveReport* report, PoissonSolver* g, const PoissonGroup* group, const SolveOptions* options)
{
    assert(g->count == group->count && options->tolerance < 1 && options->max_iterations >= 0);
    *report = (SolveReport){.converged = true};
    for (int o = 0, b = 0; o < group->ops; o++)
        if (group->op[o].count > 0) g->beside[b++].op = &group->op[o];
    double removed = 0, norm_b = open_parts(g, report, group, &removed);
    report->incompatibility = norm_b > 0 ? removed/norm_b : 0;
    if (!(norm_b > 0)) {
        report->converged = norm_b == 0;  // NaN is not convergence
        return;
    }
    iterate(g, report, norm_b, start_all(g, 1/norm_b), options);
}

mn_status poisson_prepare(PoissonSolver** solver, Poisson* f, Arena* arena)
{
    PoissonPart part = {.problem = f, .weight = 1};
    return poisson_prepare_group(solver, &(PoissonGroup){.part = &part, .count = 1}, arena);
}

void poisson_solve_prepared(double* p, SolveReport* report, PoissonSolver* solver, const SolveOptions* options)
{
    PoissonPart part = {.p = p, .weight = 1};
    poisson_solve_prepared_group(report, solver, &(PoissonGroup){.part = &part, .count = 1}, options);
}

mn_status poisson_solve_group(SolveReport* report, const PoissonGroup* group, const SolveOptions* options, Arena* arena)
{
    PoissonSolver* s;
    TRY(poisson_prepare_group(&s, group, arena));
    poisson_solve_prepared_group(report, s, group, options);
    return MN_OK;
}

mn_status poisson_solve(double* p, SolveReport* report, Poisson* f, const SolveOptions* options, Arena* arena)
{
    PoissonSolver* s;
    TRY(poisson_prepare(&s, f, arena));
    poisson_solve_prepared(p, report, s, options);
    return MN_OK;
}

mn_status poisson_precondition(double* z, const double* r, Poisson* f, Arena* arena)
{
    assert(z && r && z != r && poisson_is_valid(f));
    Part s;
    double* copy = window_copy(arena, r, f->w);
    TRY_MEMORY(copy);
    PoissonPart part = {.problem = f, .weight = 1};
    TRY(set_up(&s, &(PoissonGroup){.part = &part, .count = 1}, 0, arena));
    zero_known(z, f);
    if (s.empty) return MN_OK;
    s.x = s.p, s.r = copy;  // p is zero
    start(&s, 1);
    multigrid_cycle(&s.mg, &s.sums);
    const Level* l = &s.mg.level[0];
    for (int q = 0; q < l->rows; q++)
        SPAN_LOOP(l, q, m)
            for (int i = l->span[m].i0; i < l->span[m].i1; i++) z[level_row(l, q) + i] = (double)l->x[level_row(l, q) + i];
    return MN_OK;
}
