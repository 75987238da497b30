// Conjugate gradients in double precision over all problems of a group: the whole matrix has rows weight A_part + the operators.
#include <assert.h>
#include <math.h>
#include "solve/poisson_private.h"

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
    FOR_PARTS(g, s) sum += s->weight*s->weight*part_start(s, scale);
    return sqrt(sum);
}

// z = M r on every problem; returns z.r, and z.Az in *curvature, the operators left out.
static double precondition_all(PoissonSolver* g, double scale, double* curvature)
{
    double product = 0, own = 0;
    FOR_PARTS(g, s)
    {
        multigrid_cycle(&s->mg, &s->sums);
        product += s->weight*part_sum_rows(s, s->sums.product);
        own += s->weight*part_sum_rows(s, s->sums.curvature);
        components_project_float(&s->sealed, s->mg.level[0].x);
    }
    if (g->dense.rank > 0) product -= dense_correct(g);
    *curvature = own*scale*scale;
    return product*scale*scale;
}

static double advance_all(PoissonSolver* g, const Turn* turn, double next_scale)
{
    double sum = 0;
    FOR_PARTS(g, s) sum += s->weight*s->weight*part_advance(s, turn, next_scale);
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
    FOR_PARTS(g, s) pq += s->weight*part_turn_curvature(s, turn);
    pq += apply_beside(g, direction_of);
    if (!(pq > 0)) return -1;
    turn->alpha = zr/pq;
    reduce_beside(g, turn->alpha);
    FOR_PARTS(g, s) sum += s->weight*s->weight*part_step_along(s, turn->alpha, next_scale);
    return sqrt(sum);
}

// Where the velocity is free of divergence to rounding and the start is the pressure of something else, b is nothing beside A x:
// single precision cannot hold a residual so large in units of |b|. A start with more than this times |b| is worse than none.
static const double WORSE = 1000;

static void scale_solution(const Part* s, double factor)
{
    const Poisson* f = s->problem;
#pragma omp parallel for schedule(static) if (spans_parallel(f->spans))
    for (int r = 0; r < f->spans->rows; r++) {
        ptrdiff_t row = window_at(f->w, 0, r%f->spans->rows_y, r/f->spans->rows_y);
        SPAN_LOOP(f->spans, r, q)
            for (ptrdiff_t at = row + f->spans->span[q].i0; at < row + f->spans->span[q].i1; at++)
                if (f->kind[at] != CELL_IS_NONE) s->x[at] *= factor;
    }
}

// From r = b - A x back to r = b and x = 0: b is where r was, but for rounding of A x. Returns |r|.
static double forget_start(PoissonSolver* g, double norm_b)
{
    FOR_PARTS(g, s) scale_solution(s, -1);
    double norm_r = start_all(g, 1/norm_b);
    FOR_PARTS(g, s) scale_solution(s, 0);
    return norm_r;
}

// Conjugate gradients, with p.Ap = z.Az - beta z.r/alpha_old [chronopoulos1989], so that step length and direction are
// known before p is touched and one pass does the rest. beta = z.r/(z_old.r_old) is exact for a fixed symmetric cycle; single
// precision spoils that and z.Az by 1e-7, which no residual norm shows (docs/solver.md): r follows x whatever alpha is. The cycle
// works on r divided by a norm of an iteration before, near enough to 1 for single precision. direct: in place of the cycles;
// NULL: none. Goes on from r, of norm *norm_r and divided by `scale` for the first cycle.
static void iterate(PoissonSolver* g, SolveReport* report, double* norm_r, double scale, double enough, int most,
                    DirectSolver* direct)
{
    Turn turn = {0};
    double zr_old = 0;
    // A start from the last step's pressure may be good enough at once, step after step, and leave the same small force to act
    // each time. Two iterations on top of it cost little and keep still liquid still.
    enum { AT_LEAST = 2 };
    for (int turns = 0; (*norm_r > enough || (report->iterations<AT_LEAST&& * norm_r> 1e-6*enough)) && turns < most; turns++) {
        double pq = 0, zr = direct ? direct_apply(direct, g, scale) : precondition_all(g, scale, &pq);
        turn.beta = turns > 0 ? zr/zr_old : 0, turn.scale = scale;
        scale = *norm_r;
        if (g->besides > 0) {
            double next = advance_beside(g, &turn, zr, 1/scale);
            if (!(next >= 0)) break;
            *norm_r = next;
        } else {
            if (turns > 0) pq -= turn.beta*zr/turn.alpha;
            if (!(pq > 0)) break;  // rounding has eaten the residual, or a NaN came in
            turn.alpha = zr/pq;
            *norm_r = advance_all(g, &turn, 1/scale);
        }
        zr_old = zr;
        report->iterations++;
    }
}

// A factor costs about as many iterations as this (a chosen number). Where one was needed, the next right-hand side needs it too.
enum { PATIENCE = 10 };

void poisson_iterate(PoissonSolver* g, SolveReport* report, double norm_b, const SolveOptions* options)
{
    assert(norm_b > 0 && report->iterations == 0);
    double norm_r = start_all(g, 1/norm_b), enough = options->tolerance*norm_b;
    if (norm_r > WORSE*norm_b) norm_r = forget_start(g, norm_b);
    bool fit = options->max_iterations > PATIENCE && direct_is_fit(g);
    if (!g->slow) iterate(g, report, &norm_r, norm_b, enough, fit ? PATIENCE : options->max_iterations, NULL);
    if (fit && norm_r > enough) {
        g->slow = true;
        DirectSolver direct;
        if (direct_begin(&direct, g) == MN_OK)
            iterate(g, report, &norm_r, norm_r, enough, options->max_iterations - PATIENCE, &direct);
        direct_end(&direct);
    }
    report->residual = norm_r/norm_b;
    report->converged = norm_r <= enough;
}
