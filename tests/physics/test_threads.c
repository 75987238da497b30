// The same bytes from 1 and 2 threads (issue 2, item 6): a drop falls into a bath, ten steps.
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "basin.h"

static double bath(const void* user, const double x[3])
{
    (void)user;
    return x[1] - 0.03;
}

static double drop(const void* user, const double x[3])
{
    double r[3];
    vec_sub(r, x, user);
    return vec_norm(r) - 0.012;
}

static void run(Sim* sim, int dim, int n, int threads)
{
    omp_set_num_threads(threads);
    basin_init(sim, dim, n, n, n, 0.1/n);
    double center[3] = {0.051, 0.0445, dim == 3 ? 0.0507 : 0};
    basin_add(sim, bath, NULL, (double[3]){0, 0, 0});
    basin_add(sim, drop, center, (double[3]){0.1, -1, 0});
    CHECK_OK(sim_start(sim));
    for (int m = 0; m < 10; m++) CHECK_OK(sim_step(sim, 1));
}

static void check_same(int dim, int n)
{
    Sim a, b;
    run(&a, dim, n, 1);
    run(&b, dim, n, 2);
    assert_int_equal(a.world.liquid_count, b.world.liquid_count);
    CHECK_TRUE(a.world.time == b.world.time);
    for (int m = 0; m < a.world.liquid_count; m++) {
        Liquid *p = &a.world.liquid[m], *q = &b.world.liquid[m];
        CHECK_TRUE(window_same(&p->w, &q->w));
        size_t bytes = sizeof(double)*p->w.count;
        assert_memory_equal(p->phi.block, q->phi.block, bytes);
        assert_memory_equal(p->p.block, q->p.block, bytes);
        for (int d = 0; d < dim; d++) assert_memory_equal(p->u[d].block, q->u[d].block, bytes);
    }
    print_message("%dD %d: %ld steps to t = %.6g s, %d liquid(s), ledger %.1e: the same bytes\n", dim, n, a.world.step,
                  a.world.time, a.world.liquid_count, sim_ledger_error(&a));
    CHECK_LESS(fabs(sim_ledger_error(&a)), 1e-10);
    sim_free(&a);
    sim_free(&b);
}

static void test_2d(void** state)
{
    (void)state;
    check_same(2, 128);
}

static void test_3d(void** state)
{
    (void)state;
    check_same(3, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_2d), cmocka_unit_test(test_3d)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
