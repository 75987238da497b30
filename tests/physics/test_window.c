// Windows: a drop does not know how large the empty box around it is. Same numbers, same memory in a box 8 times larger.
#include <stdlib.h>
#include <string.h>
#include "basin.h"

static double drop(const void* user, const double x[3])
{
    double r[3];
    vec_sub(r, x, user);
    return hypot(r[0]/1.3, r[1]) - 0.1;  // not a distance and not round, so that something happens
}

static void run(Sim* sim, int n)
{
    basin_init(sim, 2, n, n, 1, 1.0/64);
    // the same place relative to the grid: the box grows by whole cells on both sides
    double center[3] = {0.503 + (n - 64)/128.0, 0.55 + (n - 64)/128.0, 0};
    basin_add(sim, drop, center, (double[3]){0.3, 0.4, 0});
    CHECK_OK(sim_start(sim));
    for (int m = 0; m < 10; m++) CHECK_OK(sim_step(sim, 0.002));
}

static void test_box_size_does_not_matter(void** state)
{
    (void)state;
    Sim a, b;
    run(&a, 64);
    run(&b, 512);
    assert_int_equal(a.world.liquid_count, 1);
    assert_int_equal(b.world.liquid_count, 1);
    const Liquid *p = &a.world.liquid[0], *q = &b.world.liquid[0];
    assert_int_equal(p->w.n[0], q->w.n[0]);
    assert_int_equal(p->w.n[1], q->w.n[1]);
    double phi = 0, u = 0;
    for (int j = 0; j <= p->w.n[1]; j++)
        for (int i = 0; i <= p->w.n[0]; i++) {
            ptrdiff_t at = window_at(&p->w, i, j, 0), to = window_at(&q->w, i, j, 0);
            phi = fmax(phi, fabs(p->phi.v[at] - q->phi.v[to])/a.model.tank.dx);
            if (p->phi.v[at] < 0) u = fmax(u, fmax(fabs(p->u[0].v[at] - q->u[0].v[to]), fabs(p->u[1].v[at] - q->u[1].v[to])));
        }
    print_message(
        "box 64^2 and 512^2: window %d x %d in both; difference of phi %.1e dx, of u %.1e m/s (rounding of the position)\n",
        p->w.n[0], p->w.n[1], phi, u);
    CHECK_LESS(phi, 1e-9);
    CHECK_LESS(u, 1e-9);
    CHECK_TRUE(q->w.count == p->w.count);
    // what a step took from its arenas: not more than with the small box by more than the spans' rows
    print_message("arena peak %zu and %zu bytes\n", a.scratch.peak, b.scratch.peak);
    sim_free(&a);
    sim_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_box_size_does_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
