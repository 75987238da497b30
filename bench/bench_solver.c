// Our solver on a problem of problems.h.
// usage: bench_solver make NAME N FILE     writes the problem, for this program and for peer_hypre
//        bench_solver solve FILE THREADS   one line of numbers for scripts/bench-table
// Set-up is timed with the solve, the start value is zero, the residual is taken from the file's system. Exit code 1 when it is
// above the tolerance.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/timer.h"
#include "flat_poisson.h"
#include "memory.h"
#include "problems.h"

static const double TOLERANCE = 1e-6;

static int fail(void) { return fprintf(stderr, "bench_solver: %s\n", mn_last_error()), 1; }

static int make(const char* name, int n, const char* path)
{
    FlatProblem p;
    if (problem_make(&p, name, n) != MN_OK) return fail();
    bool written = flat_write(&p, path);
    flat_free(&p);
    return !written;
}

// Solves one part again and again and adds its best time; x gets the solution, row by row.
static mn_status solve_part(FlatResult* result, double* x, const Flat* f, Arena* kept, Arena* scratch)
{
    FlatSystem s;
    TRY(poisson_from_flat(&s, f, kept));
    Field solution;
    TRY(field_init(&solution, &s.w));
    double* p = solution.v;
    SolveReport report = {0};
    double best = INFINITY, spent = 0;
    for (int made = 0; flat_repeat(made, spent); made++) {
        for (long l = 0; l < f->count; l++) p[flat_at(&f->row[l], &s.w)] = 0;
        poisson_refill(&s, f);
        arena_reset(scratch);
        double before = timer_now();
        TRY(poisson_solve(p, &report, &s.system, &(SolveOptions){TOLERANCE, 200}, scratch));
        double seconds = timer_now() - before;
        best = fmin(best, seconds), spent += seconds;
    }
    for (long l = 0; l < f->count; l++) x[l] = p[flat_at(&f->row[l], &s.w)];
    field_free(&solution);
    result->seconds += best;
    result->iterations = report.iterations > result->iterations ? report.iterations : result->iterations;
    return MN_OK;
}

static int solve(const char* path, int threads)
{
    omp_set_num_threads(threads);
    FlatProblem problem;
    if (!flat_read(&problem, path)) return 1;
    size_t most = (size_t)problem.part[0].count;
    double *x = malloc(most*sizeof *x), *r = malloc(most*sizeof *r);
    if (!x || !r) return fprintf(stderr, "bench_solver: out of memory\n"), 1;
    memset(x, 1, most*sizeof *x), memset(r, 1, most*sizeof *r);  // resident before we start to count
    FlatResult result = {.solver = "meniscus", .threads = threads};
    double before = memory_now();
    for (int m = 0; m < problem.parts; m++) {
        Arena kept = {0}, scratch = {0};
        if (solve_part(&result, x, &problem.part[m], &kept, &scratch) != MN_OK) return fail();
        result.residual = fmax(result.residual, flat_residual(&problem.part[m], x, r));
        arena_free(&kept);
        arena_free(&scratch);
    }
    result.bytes = memory_peak() - before;
    flat_print_result(&result, path, flat_unknowns(&problem));
    free(x);
    free(r);
    flat_free(&problem);
    return !(result.residual <= TOLERANCE);
}

int main(int argc, char** argv)
{
    if (argc == 5 && !strcmp(argv[1], "make")) return make(argv[2], atoi(argv[3]), argv[4]);
    if (argc == 4 && !strcmp(argv[1], "solve")) return solve(argv[2], atoi(argv[3]));
    return fprintf(stderr, "usage: bench_solver make NAME N FILE | solve FILE THREADS\n"), 2;
}
