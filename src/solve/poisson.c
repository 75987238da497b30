// A group of Poisson problems: set-up of their levels, solving, and the shorter forms for one problem.
#include "solve/poisson.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include "base/vec.h"
#include "solve/poisson_private.h"

// ---- set-up --------------------------------------------------------------------------------------------------------------

// Does an operator act on this cell?
static bool is_named(const PoissonGroup* group, int part, ptrdiff_t at)
{
    for (int o = 0; o < group->ops; o++)
        for (int m = 0; m < group->op[o].count; m++)
            if (group->op[o].part[m] == part && group->op[o].cell[m] == at) return true;
    return false;
}

static bool is_linked(const SpecialCell* c)
{
    double links = 0;
    for (int s = 0; s < 6; s++) links += c->link[s];
    return links > 0;
}

// Cells without any link leave the system: on coarse levels they would be mixed with neighbours they have nothing to do with.
// Those that an operator acts on stay: what acts on them is linked to others.
static void leave_out_lonely_cells(const PoissonGroup* group, int part)
{
    const Poisson* f = group->part[part].problem;
    int rows = f->w->n[1]*f->w->n[2];
    for (int r = 0; r < rows; r++)
        for (int m = f->first[r]; m < f->first[r + 1]; m++) {
            const SpecialCell* c = &f->special[m];
            ptrdiff_t at = window_at(f->w, c->i, r%f->w->n[1], r/f->w->n[1]);
            if (!is_linked(c) && !(c->excess > 0 && is_named(group, part, at))) f->kind[at] = CELL_IS_NONE;
        }
}

// Those left out have p = b/excess, or zero where nothing holds the cell: sealed and alone.
static void solve_lonely_cells(double* p, const Poisson* f)
{
    int rows = f->w->n[1]*f->w->n[2];
    for (int r = 0; r < rows; r++)
        for (int m = f->first[r]; m < f->first[r + 1]; m++) {
            const SpecialCell* c = &f->special[m];
            ptrdiff_t at = window_at(f->w, c->i, r%f->w->n[1], r/f->w->n[1]);
            if (f->kind[at] == CELL_IS_NONE) p[at] = c->excess > 0 ? f->b[at]/c->excess : 0;
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

// The cells of a part that an operator holds: what is linked to them is not sealed.
static mn_status held_cells(ptrdiff_t** held, int* count, const PoissonGroup* group, int part, Arena* arena)
{
    int most = 0;
    for (int o = 0; o < group->ops; o++) most += group->op[o].keeps_constants ? 0 : group->op[o].count;
    TRY_MEMORY(*held = ARENA_NEW(arena, ptrdiff_t, most));
    *count = 0;
    for (int o = 0; o < group->ops; o++)
        for (int m = 0; m < group->op[o].count && !group->op[o].keeps_constants; m++)
            if (group->op[o].part[m] == part) (*held)[(*count)++] = group->op[o].cell[m];
    return MN_OK;
}

static mn_status set_up(Part* s, const PoissonGroup* group, int part, Arena* arena)
{
    Poisson* f = group->part[part].problem;
    *s = (Part){.problem = f, .weight = group->part[part].weight};
    leave_out_lonely_cells(group, part);
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
    ptrdiff_t* held;
    int count;
    TRY(held_cells(&held, &count, group, part, arena));
    return components_sealed(&s->sealed, arena, f, held, count);
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
    *g = (PoissonSolver){.count = group->count, .arena = arena};
    TRY_MEMORY(g->part = ARENA_NEW(arena, Part, group->count));
    for (int q = 0; q < group->count; q++) TRY(set_up(&g->part[q], group, q, arena));
    TRY(list_operators(g, group, arena));
    return dense_build(g, group, arena);
}

// ---- solving -------------------------------------------------------------------------------------------------------------

// Zero where nothing is unknown, or where something is, so that old values do not stay behind.
static void zero_cells(double* v, const Poisson* f, bool unknown)
{
    const Spans* s = f->spans;
#pragma omp parallel for schedule(static) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(f->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0; i < s->span[q].i1; i++)
                if ((f->kind[row + i] != CELL_IS_NONE) == unknown) v[row + i] = 0;
    }
}

// Solution and residual of every part; returns |b| of the whole matrix.
static double open_parts(PoissonSolver* g, SolveReport* report, const PoissonGroup* group, double* removed)
{
    double sum = 0;
    for (int q = 0; q < g->count; q++) {
        Part* s = &g->part[q];
        const Level* l = &s->mg.level[0];
        s->x = group->part[q].p, s->r = s->problem->b;
        zero_cells(s->x, s->problem, false);
        solve_lonely_cells(s->x, s->problem);
        if (s->empty) continue;
        report->unknowns += l->unknowns;
        *removed = hypot(*removed, s->weight*components_project(&s->sealed, s->r));
        components_project(&s->sealed, s->x);
        sum += s->weight*s->weight*part_norm_squared(s, s->r);
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
        report->converged = norm_b == 0, report->residual = norm_b;  // NaN is not convergence
        // what there was before is no answer to a right-hand side of zeros
        for (int q = 0; q < g->count && norm_b == 0; q++) zero_cells(g->part[q].x, g->part[q].problem, true);
        return;
    }
    poisson_iterate(g, report, norm_b, options);
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
    zero_cells(z, f, false);
    if (s.empty) return MN_OK;
    s.x = s.p, s.r = copy;  // p is zero
    part_start(&s, 1);
    multigrid_cycle(&s.mg, &s.sums);
    const Level* l = &s.mg.level[0];
    for (int q = 0; q < l->rows; q++)
        SPAN_LOOP(l, q, m)
            for (int i = l->span[m].i0; i < l->span[m].i1; i++) z[level_row(l, q) + i] = (double)l->x[level_row(l, q) + i];
    return MN_OK;
}
