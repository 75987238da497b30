#include "membrane_afloat.h"
#include "floating.h"
static void run(double R, double l, double D, double start, double edge)
{
    MembranePool p = {.dim = 2, .width = 2*ceil(5*l + R), .depth = 2.5*R, .above = 3*R, .l = l, .edge = edge, .steps = 2, .friction = 0.03, .bodies = 1};
    p.body[0] = (TestBody){.R = R, .density = D, .center = {0, start, 0}};
    pool_start(&p);
    for (int n = 0; n < 1200; n++) {
        double dt = pool_step(&p);
        if (n%100 == 99) {
        double h = p.rigid.body[0].center[1] - pool_far(&p);
        print_message("%d t %.1f dt %.3f h %.4f far %.4f v %.2e touch %d cap %d rel %d it %d deep %.1e vol %.1e vert %d\n", n, p.time, dt, h, pool_far(&p)-p.level, p.rigid.v[1], p.report.contact.touching, p.report.contact.captured, p.report.contact.released, p.report.solve.solve.iterations, p.deepest, p.report.volume/p.flow.mesh.target_volume-1, p.flow.mesh.vertices); p.deepest=0;
        }
    }
    double exact = floating_center(D, PI, R, l);
    print_message("exact %.4f  wetted %.4f got %.4f\n", exact, floating_wetted(exact, PI, R, l), p.rigid.body[0].center[1] - pool_far(&p));
    pool_end(&p);
}
static void test_a(void** state) { (void)state; double D = atof(getenv("D")), s = atof(getenv("S")); run(6, 4, D, s, atof(getenv("E"))); }
int main(void) { const struct CMUnitTest tests[] = {cmocka_unit_test(test_a)}; return cmocka_run_group_tests(tests, NULL, NULL); }
