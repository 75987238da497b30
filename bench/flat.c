#include "flat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- files ---------------------------------------------------------------------------------------------------------------

static bool read_part(Flat* f, FILE* file)
{
    if (fread(f, sizeof *f, 1, file) != 1) return f->row = NULL, false;
    f->row = malloc((size_t)f->count*sizeof *f->row);
    return f->row && fread(f->row, sizeof *f->row, (size_t)f->count, file) == (size_t)f->count;
}

bool flat_read(FlatProblem* p, const char* path)
{
    *p = (FlatProblem){0};
    FILE* file = fopen(path, "rb");
    if (!file) return perror(path), false;
    int parts = 0;
    bool ok = fread(&parts, sizeof parts, 1, file) == 1 && parts >= 1 && parts <= PARTS_MOST;
    for (int m = 0; ok && m < parts; m++) ok = read_part(&p->part[p->parts++], file);
    fclose(file);
    if (!ok) fprintf(stderr, "%s: not a whole problem\n", path), flat_free(p);
    return ok;
}

bool flat_write(const FlatProblem* p, const char* path)
{
    FILE* file = fopen(path, "wb");
    if (!file) return perror(path), false;
    bool ok = fwrite(&p->parts, sizeof p->parts, 1, file) == 1;
    for (int m = 0; ok && m < p->parts; m++) {
        const Flat* f = &p->part[m];
        ok = fwrite(f, sizeof *f, 1, file) == 1 && fwrite(f->row, sizeof *f->row, (size_t)f->count, file) == (size_t)f->count;
    }
    ok = fclose(file) == 0 && ok;
    if (!ok) fprintf(stderr, "%s: could not be written\n", path);
    return ok;
}

void flat_free(FlatProblem* p)
{
    for (int m = 0; m < p->parts; m++) free(p->part[m].row);
    *p = (FlatProblem){0};
}

// ---- the system ----------------------------------------------------------------------------------------------------------

long flat_unknowns(const FlatProblem* p)
{
    long sum = 0;
    for (int m = 0; m < p->parts; m++) sum += p->part[m].count;
    return sum;
}

void flat_bounds(Flat* f)
{
    memcpy(f->lo, f->tank, sizeof f->lo);
    for (int d = 0; d < 3; d++) f->hi[d] = -1;
    for (long l = 0; l < f->count; l++)
        for (int d = 0; d < 3; d++) {
            int c = f->row[l].cell[d];
            if (c < f->lo[d]) f->lo[d] = c;
            if (c > f->hi[d]) f->hi[d] = c;
        }
}

double flat_residual(const Flat* f, const double* x, double* r)
{
    for (long l = 0; l < f->count; l++) {
        const FlatRow* row = &f->row[l];
        r[l] = row->b - row->excess*x[l];
        for (int d = 0; d < 3; d++) {
            int m = row->low[d];
            if (m < 0) continue;
            double flow = row->link[d]*(x[l] - x[m]);
            r[l] -= flow, r[m] += flow;
        }
    }
    double rr = 0, bb = 0;
    for (long l = 0; l < f->count; l++) rr += r[l]*r[l], bb += f->row[l].b*f->row[l].b;
    return sqrt(rr/bb);
}

bool flat_drop_empty_rows(Flat* f)
{
    double* diagonal = calloc((size_t)f->count + 1, sizeof *diagonal);
    int* kept_as = malloc(((size_t)f->count + 1)*sizeof *kept_as);
    bool ok = diagonal && kept_as;
    for (long l = 0; ok && l < f->count; l++) {
        diagonal[l] += f->row[l].excess;
        for (int d = 0; d < 3; d++)
            if (f->row[l].low[d] >= 0) diagonal[l] += f->row[l].link[d], diagonal[f->row[l].low[d]] += f->row[l].link[d];
    }
    long kept = 0;
    for (long l = 0; ok && l < f->count; l++) {
        if (!(diagonal[l] > 0)) continue;
        kept_as[l] = (int)kept;
        FlatRow* row = &f->row[kept++];
        *row = f->row[l];
        for (int d = 0; d < 3; d++)
            if (row->low[d] >= 0) row->low[d] = kept_as[row->low[d]];
    }
    if (ok) f->count = kept;
    free(diagonal);
    free(kept_as);
    return ok;
}

void flat_print_result(const FlatResult* r, const char* path, long unknowns)
{
    const char* name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    printf("solve %.*s %ld %s %d %.6f %d %.3e %.1f\n", (int)strcspn(name, "."), name, unknowns, r->solver, r->threads, r->seconds,
           r->iterations, r->residual, r->bytes/(double)unknowns);
}
