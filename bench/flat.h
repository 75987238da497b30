// A linear system that belongs to no solver: the list of unknown cells with their links, kept in a file. Our solver and hypre
// read the same file, so they solve the same numbers, each in a process of its own whose peak memory means something.
//
//     row l:  sum over linked cells m of w_lm (x_l - x_m)  +  e_l x_l  =  b_l
//
// Needs nothing of the library: the hypre program is built from this and MPI alone.
#pragma once
#include <stdbool.h>

typedef struct FlatRow {
    int cell[3];     // in the tank
    int low[3];      // row of the linked cell one below along each axis; -1: no link
    double link[3];  // weight of that link, > 0
    double excess;   // e
    double b;
} FlatRow;

// Rows are sorted by k, then j, then i: a lower cell has a lower row. Owns row.
typedef struct Flat {
    int tank[3];       // cells of the box; its sides are walls
    int lo[3], hi[3];  // box of the unknown cells, both ends in it
    long count;
    FlatRow* row;
} Flat;

// What is solved and timed together: liquids apart from each other are parts, each a system of its own, the largest first.
enum { PARTS_MOST = 2 };
typedef struct FlatProblem {
    int parts;
    Flat part[PARTS_MOST];
} FlatProblem;

bool flat_read(FlatProblem* p, const char* path);  // false leaves p empty
bool flat_write(const FlatProblem* p, const char* path);
void flat_free(FlatProblem* p);
long flat_unknowns(const FlatProblem* p);

void flat_bounds(Flat* f);  // sets lo and hi
// |b - A x|/|b|, straight from the definition above. `r` is scratch for one value per row.
double flat_residual(const Flat* f, const double* x, double* r);
// Takes out rows whose diagonal is zero: cells a solid cuts off from everything. No p balances their b. False: out of memory.
bool flat_drop_empty_rows(Flat* f);

// The line a solver program prints about its run, read by scripts/bench-table.
typedef struct FlatResult {
    const char* solver;
    int threads;
    double seconds;   // set-up and solve, best of the repetitions
    int iterations;   // most of any part
    double residual;  // |b - A x|/|b|, worst of any part
    double bytes;     // growth of resident memory at its peak
} FlatResult;
void flat_print_result(const FlatResult* r, const char* path, long unknowns);

// Repetitions: 3 unless they take more than 20 s, and on until two seconds are spent or 100 are made.
static inline bool flat_repeat(int made, double spent)
{
    return made < 1 || (made < 3 && spent < 20) || (made < 100 && spent < 2);
}
