// Bodies that surface tension carries.
#include "body.h"
#include "floating.h"

static double pool(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

typedef struct Float {
    double cells, density, theta, l, start;  // R/dx, of the liquid's, rad, in R
    double mu, time, width, depth;
    bool turns;
} Float;

static double float_center(const Float* f, bool print)
{
    Sim sim;
    TestBody body = {.R = 1, .density = f->density, .angle = f->theta};
    int nx = (int)lround(f->width*f->cells), ny = (int)lround((f->depth + 3.5)*f->cells);
    double level = f->depth + 0.137/f->cells;
    basin_init(&sim, 2, nx, ny, 1, 1/f->cells);
    sim.model.settings.gravity[1] = -1, sim.model.settings.slip = true;
    basin_add(&sim, pool, &level, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = f->l*f->l, .mu = f->mu, .contact_angle = PI/2};
    body.center[0] = 0.5*f->width + 0.21/f->cells, body.center[1] = level + f->start;
    test_bodies_add(&sim, &body, 1);
    // the far level rises by what the body displaces and falls by what its meniscus takes: measured at the wall
    CHECK_OK(sim_start(&sim));
    double next = 0, sum = 0;
    int samples = 0;
    long steps = 0;
    while (sim.world.time < f->time) {
        CHECK_OK(sim_step(&sim, f->time));
        steps++;
        const Liquid* q = &sim.world.liquid[0];
        double far = 0;
        for (int j = 0; j < q->w.n[1]; j++) {
            ptrdiff_t at = window_at(&q->w, 1, j, 0);
            if (q->phi.v[at] < 0 && q->phi.v[at + q->w.sy] >= 0)
                far = (q->w.lo[1] + j + q->phi.v[at]/(q->phi.v[at] - q->phi.v[at + q->w.sy]))/f->cells;
        }
        const BodyReport* r = rigid_partner_of(&sim.world)->report;
        double twist[TWIST];
        test_body_twist(twist, &sim, 0);
        if (sim.world.time > 0.7*f->time) sum += test_body(&sim, 0)->center[1] - far, samples++;
        if (print && sim.world.time >= next) {
            next += f->time/12;
            print_message("  t %6.2f dt %.4f y %.4f (%.4f) vy %9.2e vx %9.2e w %9.2e | p %.3f sigma %.3f %.1e weight %.3f lines "
                          "%d | speed %.1e vol %.1e it %d\n",
                          sim.world.time, sim.report.dt, test_body(&sim, 0)->center[1] - far, far, twist[1], twist[0], twist[5],
                          r->pressure[1], r->tension[1], r->tension[0], body.density*PI, r->lines, sim.report.max_speed,
                          sim.report.volume_correction, sim.report.iterations);
        }
    }
    sim_free(&sim);
    test_bodies_free(&body, 1);
    return sum/samples;
}

int main(int argc, char** argv)
{
    Float f = {.cells = 8, .density = 1.5, .theta = 110*PI/180, .l = 1/0.66, .mu = 3, .time = 30, .width = 18, .depth = 4};
    if (argc > 1) f.theta = atof(argv[1])*PI/180;
    if (argc > 2) f.cells = atof(argv[2]);
    if (argc > 3) f.density = atof(argv[3]);
    if (argc > 4) f.time = atof(argv[4]);
    double exact = floating_center(f.density, f.theta, 1, f.l);
    f.start = exact;
    if (argc > 5) f.start = atof(argv[5]);
    double got = float_center(&f, true);
    print_message("angle %g: centre %.4f, exact %.4f: %.3f dx; most %.3f\n", f.theta*180/PI, got, exact,
                  (got - exact)*f.cells, floating_most(f.theta, 1, f.l));
    return 0;
}
