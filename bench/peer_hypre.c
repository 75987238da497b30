// hypre on a problem file of bench_solver: conjugate gradients with PFMG (structured multigrid) or BoomerAMG (algebraic).
// usage: mpirun -np 2 peer_hypre FILE pfmg|boomer   one line of numbers for scripts/bench-table
//
// Set-up of the solver is timed with the solve; filling hypre's matrix is not. hypre stops on a residual it updates as it goes,
// so the number of iterations is fixed beforehand: the fewest after which the true residual meets the tolerance.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "HYPRE.h"
#include "HYPRE_krylov.h"
#include "HYPRE_parcsr_ls.h"
#include "HYPRE_struct_ls.h"
#include "flat.h"
#include "memory.h"

static const double TOLERANCE = 1e-6;
enum { ITERATIONS_MOST = 400 };
static int rank, ranks;

// One part of the problem on this rank. Rows [first, end) are its own.
typedef struct Peer {
    const Flat* f;
    int (*high)[3];  // row of the linked cell one above along each axis; -1: no link
    double* x;       // per row, of all ranks after gather
    double* scratch;
    long first, end;
    // PFMG: a slab of the box of the unknowns
    int lo[3], hi[3];
    double* plane;  // four numbers per cell of one layer of it
    HYPRE_StructGrid grid;
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix struct_matrix;
    HYPRE_StructVector struct_b, struct_x;
    // BoomerAMG: the matrix of the unknowns
    HYPRE_IJMatrix matrix;
    HYPRE_IJVector ij_b, ij_x;
} Peer;

static double now(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static double diagonal(const Peer* p, long l)
{
    double sum = p->f->row[l].excess;
    for (int d = 0; d < 3; d++) {
        if (p->f->row[l].low[d] >= 0) sum += p->f->row[l].link[d];
        if (p->high[l][d] >= 0) sum += p->f->row[p->high[l][d]].link[d];
    }
    return sum;
}

static void* take(size_t bytes)
{
    void* piece = malloc(bytes + 1);
    if (!piece) fprintf(stderr, "peer_hypre: out of memory\n"), MPI_Abort(MPI_COMM_WORLD, 1);
    memset(piece, 0, bytes + 1);  // resident before we start to count
    return piece;
}

static void peer_init(Peer* p, const Flat* f)
{
    *p = (Peer){.f = f};
    p->high = take((size_t)f->count*sizeof *p->high);
    p->x = take((size_t)f->count*sizeof *p->x);
    p->scratch = take((size_t)f->count*sizeof *p->scratch);
    memset(p->high, 0xff, (size_t)f->count*sizeof *p->high);  // -1
    for (long l = 0; l < f->count; l++)
        for (int d = 0; d < 3; d++)
            if (f->row[l].low[d] >= 0) p->high[f->row[l].low[d]][d] = (int)l;
}

static void peer_free(Peer* p)
{
    free(p->high);
    free(p->x);
    free(p->scratch);
    free(p->plane);
}

// ---- PFMG: a box; cells of it that are not unknown get the row x = 0 -----------------------------------------------------

static long plane_cells(const Peer* p) { return (long)(p->hi[0] - p->lo[0] + 1)*(p->hi[1] - p->lo[1] + 1); }

static long cell_in_plane(const Peer* p, long l)
{
    const int* c = p->f->row[l].cell;
    return (long)(c[1] - p->lo[1])*(p->hi[0] - p->lo[0] + 1) + c[0] - p->lo[0];
}

static void pfmg_split(Peer* p)
{
    const Flat* f = p->f;
    int layers = f->hi[2] - f->lo[2] + 1;
    memcpy(p->lo, f->lo, sizeof p->lo);
    memcpy(p->hi, f->hi, sizeof p->hi);
    p->lo[2] = f->lo[2] + layers*rank/ranks;
    p->hi[2] = f->lo[2] + layers*(rank + 1)/ranks - 1;
    p->first = 0;
    while (p->first < f->count && f->row[p->first].cell[2] < p->lo[2]) p->first++;
    p->end = p->first;
    while (p->end < f->count && f->row[p->end].cell[2] <= p->hi[2]) p->end++;
    p->plane = take(4*(size_t)plane_cells(p)*sizeof *p->plane);
}

static void pfmg_fill(Peer* p)
{
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &p->grid);
    HYPRE_StructGridSetExtents(p->grid, p->lo, p->hi);
    HYPRE_StructGridAssemble(p->grid);
    HYPRE_Int offsets[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, entries[4] = {0, 1, 2, 3};
    HYPRE_StructStencilCreate(3, 4, &p->stencil);
    for (int e = 0; e < 4; e++) HYPRE_StructStencilSetElement(p->stencil, e, offsets[e]);
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, p->grid, p->stencil, &p->struct_matrix);
    HYPRE_StructMatrixSetSymmetric(p->struct_matrix, 1);
    HYPRE_StructMatrixInitialize(p->struct_matrix);
    HYPRE_StructVector* vectors[2] = {&p->struct_b, &p->struct_x};
    for (int v = 0; v < 2; v++) {
        HYPRE_StructVectorCreate(MPI_COMM_WORLD, p->grid, vectors[v]);
        HYPRE_StructVectorInitialize(*vectors[v]);
    }
    long l = p->first, cells = plane_cells(p);
    for (int k = p->lo[2]; k <= p->hi[2]; k++) {
        HYPRE_Int lo[3] = {p->lo[0], p->lo[1], k}, hi[3] = {p->hi[0], p->hi[1], k};
        for (long c = 0; c < 4*cells; c++) p->plane[c] = c%4 == 0;
        long row = l;
        for (; l < p->end && p->f->row[l].cell[2] == k; l++) {
            double* v = p->plane + 4*cell_in_plane(p, l);
            v[0] = diagonal(p, l);
            for (int d = 0; d < 3; d++) v[1 + d] = p->high[l][d] >= 0 ? -p->f->row[p->high[l][d]].link[d] : 0;
        }
        HYPRE_StructMatrixSetBoxValues(p->struct_matrix, lo, hi, 4, entries, p->plane);
        memset(p->plane, 0, (size_t)cells*sizeof *p->plane);
        for (; row < l; row++) p->plane[cell_in_plane(p, row)] = p->f->row[row].b;
        HYPRE_StructVectorSetBoxValues(p->struct_b, lo, hi, p->plane);
    }
    HYPRE_StructMatrixAssemble(p->struct_matrix);
    HYPRE_StructVectorAssemble(p->struct_b);
    HYPRE_StructVectorAssemble(p->struct_x);
}

static double pfmg_solve(Peer* p, int* iterations, int most, double tolerance)
{
    HYPRE_StructVectorSetConstantValues(p->struct_x, 0);
    HYPRE_StructSolver cg, cycle;
    double before = now();
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &cycle);
    HYPRE_StructPFMGSetMaxIter(cycle, 1);
    HYPRE_StructPFMGSetTol(cycle, 0);
    HYPRE_StructPFMGSetZeroGuess(cycle);
    HYPRE_StructPFMGSetRelaxType(cycle, 2);  // red-black Gauss-Seidel, symmetric
    HYPRE_StructPFMGSetRAPType(cycle, 0);    // Galerkin
    HYPRE_StructPFMGSetSkipRelax(cycle, 1);
    HYPRE_StructPFMGSetNumPreRelax(cycle, 1);
    HYPRE_StructPFMGSetNumPostRelax(cycle, 1);
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_StructPCGSetTwoNorm(cg, 1);
    HYPRE_StructPCGSetMaxIter(cg, most);
    HYPRE_StructPCGSetTol(cg, tolerance);
    HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, cycle);
    HYPRE_StructPCGSetup(cg, p->struct_matrix, p->struct_b, p->struct_x);
    HYPRE_StructPCGSolve(cg, p->struct_matrix, p->struct_b, p->struct_x);
    double seconds = now() - before;
    HYPRE_StructPCGGetNumIterations(cg, iterations);
    HYPRE_StructPCGDestroy(cg);
    HYPRE_StructPFMGDestroy(cycle);
    return seconds;
}

static void pfmg_own_values(Peer* p)
{
    long l = p->first;
    for (int k = p->lo[2]; k <= p->hi[2]; k++) {
        HYPRE_Int lo[3] = {p->lo[0], p->lo[1], k}, hi[3] = {p->hi[0], p->hi[1], k};
        HYPRE_StructVectorGetBoxValues(p->struct_x, lo, hi, p->plane);
        for (; l < p->end && p->f->row[l].cell[2] == k; l++) p->x[l] = p->plane[cell_in_plane(p, l)];
    }
}

static void pfmg_drop(Peer* p)
{
    HYPRE_StructMatrixDestroy(p->struct_matrix);
    HYPRE_StructVectorDestroy(p->struct_b);
    HYPRE_StructVectorDestroy(p->struct_x);
    HYPRE_StructStencilDestroy(p->stencil);
    HYPRE_StructGridDestroy(p->grid);
}

// ---- BoomerAMG: the unknowns alone ---------------------------------------------------------------------------------------

static void boomer_split(Peer* p)
{
    p->first = p->f->count*rank/ranks;
    p->end = p->f->count*(rank + 1)/ranks;
}

// Columns in ascending order: how interpolation is truncated, and with it the iterations, depends on the order.
static void boomer_set_row(Peer* p, HYPRE_BigInt l)
{
    const FlatRow* row = &p->f->row[l];
    HYPRE_BigInt columns[7];
    HYPRE_Complex values[7];
    HYPRE_Int count = 0;
    for (int d = 2; d >= 0; d--)
        if (row->low[d] >= 0) columns[count] = row->low[d], values[count++] = -row->link[d];
    columns[count] = l, values[count++] = diagonal(p, l);
    for (int d = 0; d < 3; d++) {
        int high = p->high[l][d];
        if (high >= 0) columns[count] = high, values[count++] = -p->f->row[high].link[d];
    }
    HYPRE_IJMatrixSetValues(p->matrix, 1, &count, &l, columns, values);
    HYPRE_IJVectorSetValues(p->ij_b, 1, &l, &row->b);
}

static void boomer_fill(Peer* p)
{
    HYPRE_BigInt first = (HYPRE_BigInt)p->first, last = (HYPRE_BigInt)p->end - 1;
    HYPRE_Int* sizes = take((size_t)(p->end - p->first)*sizeof *sizes);
    for (long l = p->first; l < p->end; l++) {
        sizes[l - p->first] = 1;
        for (int d = 0; d < 3; d++) sizes[l - p->first] += (p->f->row[l].low[d] >= 0) + (p->high[l][d] >= 0);
    }
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &p->matrix);
    HYPRE_IJMatrixSetObjectType(p->matrix, HYPRE_PARCSR);
    HYPRE_IJMatrixSetRowSizes(p->matrix, sizes);
    HYPRE_IJMatrixInitialize(p->matrix);
    free(sizes);
    HYPRE_IJVector* vectors[2] = {&p->ij_b, &p->ij_x};
    for (int v = 0; v < 2; v++) {
        HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, vectors[v]);
        HYPRE_IJVectorSetObjectType(*vectors[v], HYPRE_PARCSR);
        HYPRE_IJVectorInitialize(*vectors[v]);
    }
    for (HYPRE_BigInt l = first; l <= last; l++) boomer_set_row(p, l);
    HYPRE_IJMatrixAssemble(p->matrix);
    HYPRE_IJVectorAssemble(p->ij_b);
    HYPRE_IJVectorAssemble(p->ij_x);
}

static double boomer_solve(Peer* p, int* iterations, int most, double tolerance)
{
    void *matrix, *b, *x;
    HYPRE_IJMatrixGetObject(p->matrix, &matrix);
    HYPRE_IJVectorGetObject(p->ij_b, &b);
    HYPRE_IJVectorGetObject(p->ij_x, &x);
    HYPRE_ParVectorSetConstantValues(x, 0);
    HYPRE_Solver cg, cycle;
    double before = now();
    HYPRE_BoomerAMGCreate(&cycle);
    HYPRE_BoomerAMGSetMaxIter(cycle, 1);
    HYPRE_BoomerAMGSetTol(cycle, 0);
    HYPRE_BoomerAMGSetCoarsenType(cycle, 10);  // HMIS
    HYPRE_BoomerAMGSetInterpType(cycle, 6);    // extended+i
    HYPRE_BoomerAMGSetPMaxElmts(cycle, 4);
    HYPRE_BoomerAMGSetStrongThreshold(cycle, 0.5);
    HYPRE_BoomerAMGSetRelaxType(cycle, 8);  // l1 symmetric Gauss-Seidel
    HYPRE_BoomerAMGSetNumSweeps(cycle, 1);
    HYPRE_BoomerAMGSetKeepTranspose(cycle, 1);
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_PCGSetTwoNorm(cg, 1);
    HYPRE_PCGSetMaxIter(cg, most);
    HYPRE_PCGSetTol(cg, tolerance);
    HYPRE_PCGSetPrecond(cg, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup, cycle);
    HYPRE_ParCSRPCGSetup(cg, matrix, b, x);
    HYPRE_ParCSRPCGSolve(cg, matrix, b, x);
    double seconds = now() - before;
    HYPRE_PCGGetNumIterations(cg, iterations);
    HYPRE_ParCSRPCGDestroy(cg);
    HYPRE_BoomerAMGDestroy(cycle);
    return seconds;
}

static void boomer_own_values(Peer* p)
{
    for (HYPRE_BigInt l = (HYPRE_BigInt)p->first; l < p->end; l++) HYPRE_IJVectorGetValues(p->ij_x, 1, &l, &p->x[l]);
}

static void boomer_drop(Peer* p)
{
    HYPRE_IJMatrixDestroy(p->matrix);
    HYPRE_IJVectorDestroy(p->ij_b);
    HYPRE_IJVectorDestroy(p->ij_x);
}

// ---- the run -------------------------------------------------------------------------------------------------------------

typedef struct Method {
    const char *name, *title;
    void (*split)(Peer* p);
    void (*fill)(Peer* p);
    double (*solve)(Peer* p, int* iterations, int most, double tolerance);  // from zero; seconds
    void (*own_values)(Peer* p);                                            // sets x on the rank's own rows
    void (*drop)(Peer* p);
} Method;

static const Method methods[2] = {
    {"pfmg", "PFMG-PCG", pfmg_split, pfmg_fill, pfmg_solve, pfmg_own_values, pfmg_drop},
    {"boomer", "BoomerAMG-PCG", boomer_split, boomer_fill, boomer_solve, boomer_own_values, boomer_drop},
};

// Residual of the present solution, the same on all ranks.
static double true_residual(const Method* method, Peer* p)
{
    memset(p->x, 0, (size_t)p->f->count*sizeof *p->x);
    method->own_values(p);
    MPI_Allreduce(MPI_IN_PLACE, p->x, (int)p->f->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return flat_residual(p->f, p->x, p->scratch);
}

// One solve with exactly `most` iterations.
static double solve_fixed(const Method* method, Peer* p, int most)
{
    int made;
    double seconds = method->solve(p, &made, most, 1e-30);
    HYPRE_ClearAllErrors();  // it did not converge to 1e-30
    return seconds;
}

// The fewest iterations that meet the tolerance, near where hypre's own test stops. `growth` gets the memory of the first solve.
static int find_iterations(const Method* method, Peer* p, double memory_before, double* growth)
{
    int made;
    method->solve(p, &made, ITERATIONS_MOST, TOLERANCE);
    HYPRE_ClearAllErrors();
    *growth = memory_peak() - memory_before;
    double residual = true_residual(method, p);
    while (residual > TOLERANCE && made < ITERATIONS_MOST) {
        solve_fixed(method, p, ++made);
        residual = true_residual(method, p);
    }
    while (made > 1) {
        solve_fixed(method, p, made - 1);
        if (true_residual(method, p) > TOLERANCE) break;
        made--;
    }
    return made;
}

// Adds the best time of one part. Returns how much the rank's memory grew.
static double run_part(FlatResult* result, const Method* method, const Flat* f)
{
    Peer p;
    peer_init(&p, f);
    method->split(&p);
    double before = memory_now(), growth, best = INFINITY, spent = 0;
    method->fill(&p);
    int iterations = find_iterations(method, &p, before, &growth);
    for (int made = 0; flat_repeat(made, spent); made++) {
        double seconds = solve_fixed(method, &p, iterations);
        MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);  // all ranks must agree when to stop
        best = fmin(best, seconds), spent += seconds;
    }
    result->seconds += best;
    result->residual = fmax(result->residual, true_residual(method, &p));
    if (iterations > result->iterations) result->iterations = iterations;
    method->drop(&p);
    peer_free(&p);
    return growth;
}

static int run(const char* path, const Method* method)
{
    FlatProblem problem;
    if (!flat_read(&problem, path)) return 1;
    FlatResult result = {.solver = method->title, .threads = ranks};
    double growth = run_part(&result, method, &problem.part[0]);  // the largest part decides the peak
    for (int m = 1; m < problem.parts; m++) run_part(&result, method, &problem.part[m]);
    MPI_Reduce(&growth, &result.bytes, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) flat_print_result(&result, path, flat_unknowns(&problem));
    flat_free(&problem);
    return !(result.residual <= TOLERANCE);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    HYPRE_Init();
    int status = 2;
    for (int m = 0; argc == 3 && m < 2; m++)
        if (!strcmp(argv[2], methods[m].name)) status = run(argv[1], &methods[m]);
    if (status == 2 && rank == 0) fprintf(stderr, "usage: peer_hypre FILE pfmg|boomer\n");
    HYPRE_Finalize();
    MPI_Finalize();
    return status;
}
