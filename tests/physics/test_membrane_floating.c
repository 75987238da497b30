// Bodies that no liquid wets on a surface that is a membrane, against Young and Laplace (support/floating.h, floating_ball.h):
// contact angle 180 degrees. dx = rho = sigma = 1, so that lengths are in cells and densities in that of the liquid.
#include <stddef.h>
#include "floating.h"
#include "floating_ball.h"
#include "membrane_afloat.h"

static const double R = 6, L = 4;  // radius and capillary length, cells

// Start: height of the centre over the level surface; the body is above it. Room for the surface to come level at the sides.
static MembranePool pool_2d(double density, double depth)
{
    MembranePool p = {
        .dim = 2, .width = 52, .depth = depth, .above = 16, .l = L, .edge = 0.6, .steps = 4, .friction = 0.06, .bodies = 1};
    p.body[0] = (TestBody){.R = R, .density = density, .center = {0, R + 0.2, 0}};
    return p;
}

static MembranePool pool_3d(double density)
{
    MembranePool p = {.dim = 3,
                      .width = 40,
                      .across = 40,
                      .depth = 14,
                      .above = 12,
                      .l = L,
                      .edge = 1,
                      .steps = 4,
                      .friction = 0.06,
                      .bodies = 1};
    p.body[0] = (TestBody){.R = R, .density = density, .center = {0, 0, R + 0.2}};
    return p;
}

static double height_of(const MembranePool* p) { return p->rigid.body[0].center[p->dim - 1] - pool_far(p); }

static void run(MembranePool* p, int steps)
{
    for (int n = 0; n < steps; n++) pool_step(p);
}

static void check_afloat(const MembranePool* p, double exact, const char* name)
{
    print_message("%s: centre at %.4f, exact %.4f; %d vertices touch it, chords up to %.3f inside; %d iterations at most\n", name,
                  height_of(p), exact, p->report.contact.touching, p->deepest, p->most_iterations);
    CHECK_WITHIN(height_of(p), exact, 0.15);
    CHECK_LESS(fabs(p->rigid.v[p->dim - 1]), 2e-3);
    CHECK_LESS(p->most_iterations, 30);
    CHECK_LESS(fabs(p->report.volume/p->flow.mesh.target_volume - 1), 1e-6);
    // between vertices, chords of a circle; the vertices themselves are outside
    CHECK_LESS(p->deepest, 0.1);
    for (int i = 0; i < p->flow.mesh.vertices; i++) CHECK_LESS(0, solid_distance_to(&p->solids.solid[0], p->flow.mesh.x + 3*i));
}

// It comes to rest where weight, buoyancy and tension balance, from above, through waves and an overshoot. The sides mirror the
// surface: there it is twice as deep as in open water.
static void test_cylinder(void** state)
{
    (void)state;
    static const double density[] = {0.5, 1, 1.5};
    for (int k = 0; k < 3; k++) {
        MembranePool p = pool_2d(density[k], 20);
        double exact = floating_center(density[k], PI, R, L);
        pool_start(&p);
        run(&p, 350);
        char name[64];
        snprintf(name, sizeof name, "cylinder of density %g", density[k]);
        check_afloat(&p, exact + 2*floating_depth(26, exact, PI, R, L), name);
        pool_end(&p);
    }
}

// In a round vessel of the box's area.
static void test_ball(void** state)
{
    (void)state;
    MembranePool p = pool_3d(0.5);
    FloatingBall f = {.theta = PI, .R = R, .l = L, .vessel = 40/sqrt(PI)};
    double low = 0.02, high = 1.5, weight = 0.5*4*PI/3*R*R*R;
    for (int n = 0; n < 40; n++) {
        double a = 0.5*(low + high);
        if (floating_ball_at(&f, a) < weight) low = a;
        else high = a;
    }
    pool_start(&p);
    run(&p, 110);
    check_afloat(&p, f.center, "ball of density 0.5");
    pool_end(&p);
}

// The heaviest that floats: 5 % less floats, 5 % more sinks, ever faster once it is past the depth where the heaviest lies, until
// the surface closes over it. That is told, and nothing is made up.
static void test_heaviest(void** state)
{
    (void)state;
    double most = floating_most(PI, R, L);
    MembranePool p = pool_2d(0.95*most, 26);
    p.friction = 0.4;
    pool_start(&p);
    run(&p, 600);
    double exact = floating_center(0.95*most, PI, R, L);
    print_message("0.95 of the heaviest: centre at %.4f, exact %.4f\n", height_of(&p), exact);
    CHECK_WITHIN(height_of(&p), exact + 2*floating_depth(26, exact, PI, R, L), 0.15);
    pool_end(&p);

    p = pool_2d(1.05*most, 40);
    p.friction = 0.4;
    pool_start(&p);
    run(&p, 500);
    double before = height_of(&p), speed = p.rigid.v[1];
    p.friction = 0.1;
    mn_status status = MN_OK;
    for (int n = 0; n < 600 && status == MN_OK; n++) {
        arena_reset(&p.arena);
        double dt = membrane_limit(&p.flow, &p.settings, p.steps);
        status = membrane_step(&p.report, &p.flow, &p.settings, dt, &p.arena);
        if (status == MN_OK) pool_rub(&p, dt);
    }
    print_message("1.05 of the heaviest: centre at %.4f, going down at %.4f; at last at %.4f: %s\n", before, -speed,
                  p.rigid.body[0].center[1] - p.level, mn_last_error());
    CHECK_LESS(speed, -1e-3);
    assert_int_equal(status, MN_STEP_FAILED);
    assert_non_null(strstr(mn_last_error(), "surface meets itself"));
    CHECK_LESS(p.rigid.body[0].center[1] - p.level, -2*R);
    pool_end(&p);
}

// Wires far thinner than a cell: only the mesh near them is fine. The first has a paperclip's ratio of radius to capillary length
// and the density of steel, on cells twice as large as the wire is thick.
static void test_wires(void** state)
{
    (void)state;
    static const double wire[][3] = {{0.25, 1.35, 7.9}, {0.5, 4, 7.9}, {0.1, 4, 200}, {0.02, 4, 2000}};  // R, l, density
    for (int k = 0; k < 4; k++) {
        double radius = wire[k][0], l = wire[k][1], exact = floating_center(wire[k][2], PI, radius, l);
        MembranePool p = {.dim = 2,
                          .width = ceil(14*l),
                          .depth = ceil(4*l),
                          .above = ceil(2*l + 1),
                          .l = l,
                          .edge = 0.6,
                          .steps = 2,
                          .friction = 0.1,
                          .bodies = 1};
        p.body[0] = (TestBody){.R = radius, .density = wire[k][2], .center = {0, 1.05*radius, 0}};
        p.edges[0] = 0.4*radius;
        pool_start(&p);
        run(&p, 200);
        print_message("wire of radius %g cells, capillary length %g, density %g: centre at %.4f, exact %.4f; %d vertices\n",
                      radius, l, wire[k][2], height_of(&p), exact, p.flow.mesh.vertices);
        CHECK_WITHIN(height_of(&p), exact + 2*floating_depth(0.5*p.width, exact, PI, radius, l), 0.005*l);
        CHECK_LESS(p.most_iterations, 30);
        pool_end(&p);
    }
}

// ---- pressed into the surface ----------------------------------------------------------------------------------------------

static double press_to, press_speed;

// Down at a constant speed, then still.
static void press(Solids* s, double time, double dt)
{
    (void)time;
    Solid* solid = &s->solid[0];
    int up = solid->pivot[2] > 0 ? 2 : 1;
    double lowest = press_to - solid->pivot[up];
    Pose next = solid->pose;
    next.position[up] = fmax(next.position[up] - press_speed*dt, lowest);
    solid_move(solid, &next, dt);
}

// What a cylinder that is held at a depth is pressed with: tension on both lines, buoyancy, the depth of the lines.
static void test_pressed_cylinder(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        MembranePool p = pool_2d(1, 24);
        double aim = k ? -4 : 1, center, angle = 0;
        p.lead = press, press_to = p.depth + 0.137 + aim, press_speed = 0.05;
        pool_start(&p);
        run(&p, 350);
        center = p.solids.solid[0].pivot[1] + p.solids.solid[0].pose.position[1] - pool_far(&p);
        angle = floating_wetted(center, PI, R, L);
        double exact = floating_load(&center, angle, PI, R, L)/(L*L), force = p.wrench[0][1];
        print_message("cylinder held at %.3f: lifted by %.4f, exact %.4f\n", center, force, exact);
        CHECK_CLOSE(force, exact, 0.02);
        CHECK_LESS(fabs(p.wrench[0][0]), 2e-3*exact);
        pool_end(&p);
    }
}

// ---- two of them -----------------------------------------------------------------------------------------------------------

// Two cylinders that are held sideways and free to go up and down pull at each other through the surface between them.
static void test_pair(void** state)
{
    (void)state;
    static const double apart[] = {16, 20};
    for (int k = 0; k < 2; k++) {
        MembranePool p = pool_2d(1.1, 20);
        double center, exact = floating_pair_pull(&center, 1.1, PI, R, L, apart[k]);
        p.width = 72, p.bodies = 2, p.body[0].fixed = FIXED_X, p.body[0].center[0] = -0.5*apart[k];
        p.body[1] = p.body[0], p.body[1].center[0] = 0.5*apart[k];
        pool_start(&p);
        run(&p, 500);
        double pull = 0.5*(p.wrench[0][0] - p.wrench[1][0]);
        print_message("%g apart: pull %.4f, exact %.4f; centres at %.4f and %.4f, exact %.4f\n", apart[k], pull, exact,
                      height_of(&p), p.rigid.body[1].center[1] - pool_far(&p), center);
        CHECK_CLOSE(pull, exact, 0.05);
        pool_end(&p);
    }
}

// ---- books -----------------------------------------------------------------------------------------------------------------

// Of liquid, surface and body: motion at x, tension and height half a step ahead. x goes along the old velocities and these are
// then changed by the forces at the new x: at x itself the energy swings by a term of the first order in dt, and back.
static double total_energy(MembranePool* p, double dt)
{
    MembraneEnergy e;
    MembraneMesh ahead = p->flow.mesh;
    double momentum[3], low[3] = {0}, mass = p->rigid.body[0].mass;
    SurfaceWeight weight = {.rho = 1, .acceleration = {p->acceleration[0], p->acceleration[1], p->acceleration[2]}};
    CHECK_OK(membrane_energy(&e, momentum, &p->flow, &p->settings, &p->arena));
    ahead.x = ARENA_NEW(&p->arena, double, 3*ahead.vertices);
    assert_non_null(ahead.x);
    for (int q = 0; q < 3*ahead.vertices; q++) ahead.x[q] = p->flow.mesh.x[q] + 0.5*dt*p->flow.mesh.v[q];
    double body = p->rigid.engine->energy(&p->rigid, p->acceleration, low);
    for (int d = 0; d < p->dim; d++) body -= mass*p->acceleration[d]*0.5*dt*p->rigid.v[d];
    return e.kinetic + body + surface_tension_energy(&ahead, 1) + surface_weight_energy(&ahead, &weight);
}

// A body strikes a pool and swims: what liquid and surface gain is what forces, walls and the body give, what the body loses it
// gives. And the energy of all of them together is never more than at first.
static void test_books(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        MembranePool p = dim == 2 ? pool_2d(0.7, 20) : pool_3d(0.7);
        p.friction = 0, p.steps = 2;
        p.body[0].velocity[dim - 1] = -0.2, p.body[0].velocity[0] = 0.05;
        if (dim == 3) p.width = p.across = 26, p.edge = 1.2;
        pool_start(&p);
        double worst = 0, scale = 0, lowest = INFINITY, most = 0, first = 0, mass = p.rigid.body[0].mass;
        for (int n = 0; n < (dim == 2 ? 200 : 40); n++) {
            double before[3] = {p.rigid.v[0], p.rigid.v[1], dim == 3 ? p.rigid.v[2] : 0};
            double total = total_energy(&p, membrane_limit(&p.flow, &p.settings, p.steps));
            most = fmax(most, total - lowest), lowest = fmin(lowest, total);
            if (n == 0) first = total;
            double dt = pool_step(&p);
            for (int d = 0; d < dim; d++) {
                double gain = mass*(p.rigid.v[d] - before[d] - dt*p.acceleration[d]);
                scale = fmax(scale, fabs(gain)), worst = fmax(worst, fabs(gain + p.report.solve.held[d]));
            }
        }
        double fall = -mass*p.acceleration[dim - 1]*R;  // of the body's own height
        print_message("%dD: momentum out of nowhere %.1e of what the body gets in a step; energy lost %.3f of the body's weight "
                      "times its radius, at most %.1e of it over the least before\n",
                      dim, worst/scale, (first - lowest)/fall, most/fall);
        CHECK_LESS(worst, 1e-9*scale);
        CHECK_LESS(most, 0.005*fall);
        CHECK_LESS(lowest, first);
        pool_end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cylinder), cmocka_unit_test(test_heaviest),
                                       cmocka_unit_test(test_wires),    cmocka_unit_test(test_pressed_cylinder),
                                       cmocka_unit_test(test_pair),     cmocka_unit_test(test_books),
                                       cmocka_unit_test(test_ball)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
