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
    bool empty;                    // no unknown is linked to another
    double *x, *r, *p;             // solution, residual, search direction
    RowSums sums;                  // of a cycle, per row
    double* per_row;               // squares of the residual
    Components sealed;             // connected parts without excess
    double weight;                 // of this problem's rows in the whole matrix
    double *extra_in, *extra_out;  // its share of the solver's
} Part;

// All problems of a solve. Those without unknowns are carried along, empty.
typedef struct PoissonSolver {
    Part* part;
    int count, extras;
    double *extra_in, *extra_out;
    void (*apply)(double* out, const double* in, void* user);
    void* user;
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

static mn_status set_up(Part* s, Poisson* f, Arena* arena)
{
    *s = (Part){.problem = f, .weight = 1};
    solve_lonely_cells(NULL, f);
    Level* l = &s->mg.level[0];
    TRY(set_up_finest(l, arena, f));
    s->empty = l->unknowns == 0;
    if (s->empty) return MN_OK;
    TRY(multigrid_coarsen(&s->mg, arena));
    TRY_MEMORY(s->p = ARENA_NEW(arena, double, l->count));
    s->p += l->origin;
    level_clear(l, s->p);
    TRY_MEMORY(s->per_row = ARENA_ZERO(arena, double, l->rows));
    TRY_MEMORY(s->sums.product = ARENA_ZERO(arena, double, l->rows));
    TRY_MEMORY(s->sums.curvature = ARENA_ZERO(arena, double, l->rows));
    // a further operator holds what it acts on: then nothing counts as sealed
    return f->extra.count > 0 ? MN_OK : components_sealed(&s->sealed, arena, l);
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

// ---- the passes of an iteration ------------------------------------------------------------------------------------------

static double sum_rows(const Part* s, const double* per_row) { return global_sum(per_row, s->mg.level[0].rows); }

#define FOR_ROWS(l, slice, r) for (int r = (slice)*(l)->slice_rows; r < ((slice) + 1)*(l)->slice_rows; r++)

// r -= alpha times the further operator's share of this problem.
static void reduce_extra(Part* s, const double* share, double alpha)
{
    const PoissonExtra* e = &s->problem->extra;
    for (int m = 0; m < e->count; m++) s->r[e->cell[m]] -= alpha/s->weight*share[m];
}

// r = b - A x without the further operator, where r holds b; returns |r|^2.
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

// ---- the same over all problems: the whole matrix has rows weight A_part + the further operator ---------------------------

// The problems that have unknowns.
#define FOR_PARTS(g, s)                                                                                                          \
    for (Part* s = (g)->part; s < (g)->part + (g)->count; s++)                                                                   \
        if (!s->empty)

// extra_out = the further operator on what is in extra_in; returns the product of the two.
static double apply_extra(PoissonSolver* g)
{
    if (g->extras == 0) return 0;
    g->apply(g->extra_out, g->extra_in, g->user);
    double sum = 0;
    for (int m = 0; m < g->extras; m++) sum += g->extra_in[m]*g->extra_out[m];
    return sum;
}

// r = b - A x, where r holds b; returns |r|.
static double start_all(PoissonSolver* g, double scale)
{
    FOR_PARTS(g, s)
    for (int m = 0; m < s->problem->extra.count; m++) s->extra_in[m] = s->x[s->problem->extra.cell[m]];
    apply_extra(g);
    double sum = 0;
    FOR_PARTS(g, s)
    {
        reduce_extra(s, s->extra_out, 1);
        sum += s->weight*s->weight*start(s, scale);
    }
    return sqrt(sum);
}

// z = M r on every problem; returns z.r, and z.Az in *curvature, the further operator left out.
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
    *curvature = own*scale*scale;
    return product*scale*scale;
}

static double advance_all(PoissonSolver* g, const Turn* turn, double next_scale)
{
    double sum = 0;
    FOR_PARTS(g, s) sum += s->weight*s->weight*advance(s, turn, next_scale);
    return sqrt(sum);
}

// A further operator may take away nearly all that the matrix says of a smooth pressure (a film between two liquids lets them
// press on each other: each alone is held at it). z.Az in the cycle's single precision knows nothing of the rest, so p.Ap is
// computed in full. Returns |r|; below zero where p has no curvature: rounding has eaten the residual, or a NaN came in.
static double advance_with_extra(PoissonSolver* g, Turn* turn, double zr, double next_scale)
{
    double pq = 0, sum = 0;
    turn->alpha = 0;
    FOR_PARTS(g, s)
    {
        turn_all_rows(s, turn);
        pq += s->weight*curvature(s);
        for (int m = 0; m < s->problem->extra.count; m++) s->extra_in[m] = s->p[s->problem->extra.cell[m]];
    }
    pq += apply_extra(g);
    if (!(pq > 0)) return -1;
    turn->alpha = zr/pq;
    FOR_PARTS(g, s)
    {
        reduce_extra(s, s->extra_out, turn->alpha);
        sum += s->weight*s->weight*step_along(s, turn->alpha, next_scale);
    }
    return sqrt(sum);
}

// Conjugate gradients, with p.Ap = z.Az - beta z.r/alpha_old (Chronopoulos and Gear 1989), so that step length and direction are
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
        if (g->extras > 0) {
            double next = advance_with_extra(g, &turn, zr, 1/scale);
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

mn_status poisson_prepare_group(PoissonSolver** solver, const PoissonGroup* group, Arena* arena)
{
    for (int q = 0; q < group->count; q++) assert(group->part[q].weight > 0 && poisson_is_valid(group->part[q].problem));
    PoissonSolver* g = arena_take(arena, sizeof *g);
    TRY_MEMORY(g);
    *solver = g;
    *g = (PoissonSolver){.count = group->count};
    TRY_MEMORY(g->part = ARENA_NEW(arena, Part, group->count));
    for (int q = 0; q < group->count; q++) {
        Part* s = &g->part[q];
        TRY(set_up(s, group->part[q].problem, arena));
        s->weight = group->part[q].weight;
        assert(!s->empty || s->problem->extra.count == 0);
        g->extras += s->problem->extra.count;
    }
    TRY_MEMORY(g->extra_in = ARENA_NEW(arena, double, g->extras));
    TRY_MEMORY(g->extra_out = ARENA_NEW(arena, double, g->extras));
    int offset = 0;
    FOR_PARTS(g, s)
    {
        s->extra_in = g->extra_in + offset, s->extra_out = g->extra_out + offset;
        offset += s->problem->extra.count;
    }
    return MN_OK;
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
    assert(g->extras == 0 || group->apply);
    *report = (SolveReport){.converged = true};
    g->apply = group->apply, g->user = group->user;
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
    const PoissonExtra* e = &solver->part[0].problem->extra;
    PoissonPart part = {.p = p, .weight = 1};
    poisson_solve_prepared_group(report, solver, &(PoissonGroup){&part, 1, e->apply, e->user}, options);
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
    TRY(set_up(&s, f, arena));
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
