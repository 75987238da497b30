// Memory bandwidth by the triad of STREAM, a = b + s c: 24 bytes per element counted, whatever the caches add to that.
// usage: bench_stream THREADS   one line for scripts/bench-table: threads, GB/s
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/timer.h"

int main(int argc, char** argv)
{
    enum { COUNT = 20000000, REPETITIONS = 12 };  // 160 MB per array: far more than any cache here
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    omp_set_num_threads(threads);
    double *a = aligned_alloc(64, sizeof(double)*COUNT), *b = aligned_alloc(64, sizeof(double)*COUNT),
           *c = aligned_alloc(64, sizeof(double)*COUNT);
    if (!a || !b || !c) return fprintf(stderr, "bench_stream: out of memory\n"), 1;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < COUNT; i++) a[i] = 0, b[i] = i & 7, c[i] = i & 3;
    double best = INFINITY, check = 0;
    for (int m = 0; m < REPETITIONS; m++) {
        double s = 1.5 + m, before = timer_now();
#pragma omp parallel for simd schedule(static)
        for (int i = 0; i < COUNT; i++) a[i] = b[i] + s*c[i];
        best = fmin(best, timer_now() - before);
        check += a[COUNT - 1 - m];
    }
    printf("stream %d %.3f\n", threads, 24e-9*COUNT/best);
    free(a), free(b), free(c);
    return !(check > 0);
}
