// Drops that an air film keeps off bodies, which they push (docs/film.md): `film = true` on a body.
#include <math.h>
#include <string.h>
#include "afloat.h"
#include "floating.h"
#include "scene/scene_sim.h"
#include "step/project.h"
#include "tension/tension_choice.h"

// A drop of water, R = 0.5 mm, and a block that meet at V; no gravity, no viscosity.
typedef struct Hit {
    int dim, cells;   // across 3.2 mm
    double mass;      // of the block, in drops; 0: it is a solid that stands still or moves by a script
    double speed;     // m/s, V
    double block;     // m/s: the block's own, upwards; the drop falls at V less this
    double sideways;  // of the radius: the drop's way passes the middle of the block by this
    bool round;       // a disc or ball in place of a block
    bool both;        // another drop hits it from below
} Hit;

static const double R = 0.5e-3, RHO = 998.2, SIGMA = 72.75e-3;

typedef struct Bounced {
    double contact;      // s, first to last film pressure above 20 Pa
    double restitution;  // relative speed after over before
    double momentum;     // most change of the momentum of both, of m V
    double energy;       // most of all energy, of the kinetic at the start
    double left;         // at the end
    double spin;         // R times the block's at the end, of V
    double v[3];         // m/s, of the block at the end
} Bounced;

static double mass_of_drop(int dim) { return RHO*(dim == 3 ? 4*PI/3*R*R*R : PI*R*R); }

static void open_hit(Sim* sim, Scene* scene, const Hit* h)
{
    char block[500], form[300], drop[300], text[2000];
    double top = h->both ? 1.85e-3 : 1e-3;
    const char *z = h->dim == 3 ? ", 1.6e-3" : "", *zero = h->dim == 3 ? ", 0" : "";
    if (h->round) snprintf(form, sizeof form, "sphere { center = { 1.6e-3, top - 0.4e-3%s }, radius = 0.4e-3", z);
    else
        snprintf(form, sizeof form, "box { low = { 0.6e-3, top - 0.5e-3%s }, high = { 2.6e-3, top%s }",
                 h->dim == 3 ? ", 0.6e-3" : "", h->dim == 3 ? ", 2.6e-3" : "");
    if (h->mass > 0)
        snprintf(block, sizeof block, "bodies = { %s, film = true, mass = %.17g, velocity = { 0, %.17g%s } } }", form,
                 h->mass*mass_of_drop(h->dim), h->block, zero);
    else
        snprintf(block, sizeof block, "solids = { %s, film = true, position = function(t) return 0, %.17g*t%s end } }", form,
                 h->block, zero);
    snprintf(drop, sizeof drop,
             ", sphere { center = { 1.6e-3, top - 0.5e-3 - 1.3*R }, radius = R, velocity = { 0, %.17g },\n"
             "material = liquid }",
             h->block + h->speed);
    snprintf(text, sizeof text,
             "local R, top = %.17g, %.17g\n"
             "local liquid = material { rho = %.17g, sigma = %.17g, mu = 0 }\n"
             "return scene { domain = { size = { 3.2e-3, 3.2e-3%s }, cells = %d }, gravity = { 0, 0%s },\n"
             "  liquids = { sphere { center = { 1.6e-3 + %.17g*R, top + 1.3*R%s }, radius = R, velocity = { 0, %.17g%s },\n"
             "              material = liquid }%s }, %s,\n"
             "  numerics = { tension_steps = 1, tolerance = 1e-8 }, frames = { rate = 1000, count = 6 } }\n",
             R, top, RHO, SIGMA, h->dim == 3 ? ", 3.2e-3" : "", h->cells, zero, h->sideways, z, h->block - h->speed, zero,
             h->both ? drop : "", block);
    CHECK_OK(scene_load_text(scene, "hit.lua", text));
    CHECK_OK(scene_build(sim, scene));
    CHECK_OK(sim_start(sim));
}

// Momentum and energy of all of them, and the first drop's velocity; J and kg m/s (2D: per metre).
static double books(double momentum[3], double v[3], Sim* sim)
{
    double energy = 0, kinetic = 0;
    momentum[0] = momentum[1] = momentum[2] = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) {
        LiquidState s = liquid_state(&sim->world.liquid[m], &sim->scratch);
        arena_reset(&sim->scratch);
        double round = sim->model.tank.dim == 3 ? cbrt(36*PI*s.volume*s.volume) : 2*sqrt(PI*s.volume);
        for (int d = 0; d < 3; d++) momentum[d] += RHO*s.volume*s.velocity[d];
        for (int d = 0; d < 3 && m == 0; d++) v[d] = s.velocity[d];
        energy += s.kinetic_energy + SIGMA*(s.area - round);
    }
    partners_motion(momentum, &kinetic, &sim->world);
    return energy + kinetic;
}

static Bounced hit(const Hit* h, double until)
{
    Sim sim;
    Scene scene;
    Bounced out = {0};
    double first = -1, last = 0, v[3], at_start[3], now[3], m = mass_of_drop(h->dim);
    open_hit(&sim, &scene, h);
    double start = books(at_start, v, &sim);
    while (sim.world.time < until) {
        CHECK_OK(sim_step_towards(&sim, until));
        if (film_of(&sim.world)->report.most_pressure > 20) {
            if (first < 0) first = sim.world.time;
            last = sim.world.time;
        }
        out.left = books(now, v, &sim)/start, out.energy = fmax(out.energy, out.left);
        for (int d = 0; d < 3; d++) out.momentum = fmax(out.momentum, fabs(now[d] - at_start[d])/(m*h->speed));
    }
    const Solid* block = &sim.world.solids.solid[0];
    for (int d = 0; d < 3; d++) out.v[d] = block->velocity[d];
    out.contact = last - first, out.restitution = (v[1] - out.v[1])/h->speed, out.spin = R*vec_norm(block->spin)/h->speed;
    print_message("%dD, block of %g drops, V = %.2f, block %.2f m/s%s%s: contact %.3f t_c, restitution %.4f, energy %.3f, most "
                  "%.4f, momentum off by %.1e, block at %.4f %.4f m/s, spin %.4f\n",
                  h->dim, h->mass, h->speed, h->block, h->round ? ", round" : "", h->both ? ", two drops" : "",
                  out.contact/sqrt(RHO*R*R*R/SIGMA), out.restitution, out.left, out.energy, out.momentum, out.v[0],
                  out.v[1], out.spin);
    assert_int_equal(sim.undone.failed + sim.undone.gained + sim.undone.too_far, 0);
    sim_free(&sim);
    scene_free(&scene);
    return out;
}

static void check_same(const Bounced* a, const Bounced* b)
{
    CHECK_CLOSE(a->contact, b->contact, 0.01);
    CHECK_CLOSE(a->restitution, b->restitution, 0.01);
}

// A body of a million drops is a wall, at rest or as it moves; flat or round.
static void test_heavy_block_is_a_solid(void** state)
{
    (void)state;
    static const Hit hits[] = {{.dim = 2, .cells = 52, .speed = 0.35},
                               {.dim = 2, .cells = 52, .speed = 0.35, .block = 0.12},
                               {.dim = 2, .cells = 52, .speed = 0.35, .round = true}};
    for (int m = 0; m < 3; m++) {
        Hit heavy = hits[m];
        heavy.mass = 1e6;
        Bounced wall = hit(&hits[m], 5.2e-3), body = hit(&heavy, 5.2e-3);
        check_same(&wall, &body);
    }
}

// Drop and block alone keep their momentum, whatever the block weighs, and gain no energy. They meet in the frame of both.
static void test_momentum_is_kept(void** state)
{
    (void)state;
    static const double mass[] = {10, 1, 0.1, 0.01};
    double before = INFINITY;
    for (int m = 0; m < 4; m++) {
        Bounced b = hit(&(Hit){.dim = 2, .cells = 52, .speed = 0.35, .mass = mass[m], .block = 0.35/(1 + mass[m])}, 5.2e-3);
        CHECK_LESS(b.momentum, 1e-10);
        CHECK_LESS(b.energy, 1.001);
        CHECK_LESS(b.spin, 1e-3);
        // what is lighter is thrown off sooner
        CHECK_LESS(b.contact, before);
        before = b.contact;
    }
    Bounced side = hit(&(Hit){.dim = 2, .cells = 52, .speed = 0.35, .mass = 1, .block = 0.175, .sideways = 1}, 3e-3);
    Bounced disc =
        hit(&(Hit){.dim = 2, .cells = 52, .speed = 0.35, .mass = 1, .block = 0.175, .sideways = 0.3, .round = true}, 3e-3);
    Bounced solid = hit(&(Hit){.dim = 3, .cells = 32, .speed = 0.5, .mass = 1, .block = 0.25, .sideways = 0.5}, 2.5e-3);
    CHECK_LESS(fmax(side.momentum, fmax(disc.momentum, solid.momentum)), 1e-10);
    CHECK_LESS(fmax(side.energy, solid.energy), 1.001);
    CHECK_LESS(0.1, fmin(side.spin, solid.spin));
    CHECK_LESS(disc.spin, 1e-12);  // pressure does not turn it
}

// A block of a tenth of a drop that two drops hit from both sides is a wall to either of them: it hands all of the push on.
static void test_light_block_between_two_drops(void** state)
{
    (void)state;
    Hit light = {.dim = 2, .cells = 52, .speed = 0.35, .mass = 0.1, .both = true}, still = light;
    still.mass = 0;
    Bounced wall = hit(&still, 4.6e-3), body = hit(&light, 4.6e-3);
    check_same(&wall, &body);
    CHECK_LESS(vec_norm(body.v), 0.01*0.35);
}

// ---- one solve -------------------------------------------------------------------------------------------------------------

// In the solve of a step the block gets what its film's pressures press on the drop, to rounding: M (v' - v) = dt sum p A.
static void test_push_and_film_agree(void** state)
{
    (void)state;
    Sim sim;
    Scene scene;
    open_hit(&sim, &scene, &(Hit){.dim = 2, .cells = 52, .speed = 0.35, .mass = 0.3, .block = 0.2, .sideways = 0.7});
    while (film_of(&sim.world)->report.most_pressure < 100) CHECK_OK(sim_step(&sim, 1));
    StepContext ctx = sim_context(&sim);
    Coupling c;
    ctx.dt = sim.report.dt;
    CHECK_OK(tension_begin(&ctx));
    CHECK_OK(project_foresee(&c, &sim.world.partners, &ctx));
    assert_int_equal(c.clusters, 1);
    assert_int_equal(c.cluster[0].push->solids, 1);
    const double *change = c.cluster[0].push->change, mass = test_body(&sim, 0)->mass, spins = test_body(&sim, 0)->inertia[2][2];
    const Film* film = &film_of(&sim.world)->part[0].film;
    const Liquid* q = &sim.world.liquid[0];
    double force[3], torque = 0;
    film_force(force, film, q, 0, true);
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* cut = &q->cells.cut[m];
        if (film->air[0][m] < 0) continue;
        double x[3], arm[3], turn[3];
        window_position(x, &q->w, cut->i + cut->center[0], cut->j + cut->center[1], 0);
        vec_sub(arm, x, test_body(&sim, 0)->center);
        vec_cross(turn, arm, cut->patch);
        torque += film->p[film->air[0][m]]*window_face_area(&q->w)*turn[2];
    }
    print_message("change of %.5f %.5f m/s, %.3f rad/s\n", change[0], change[1], change[5]);
    CHECK_LESS(1e-4, fabs(change[1]));
    for (int d = 0; d < 2; d++) CHECK_WITHIN(mass*change[d], -ctx.dt*force[d], 1e-10*ctx.dt*vec_norm(force));
    CHECK_CLOSE(spins*change[5], ctx.dt*torque, 1e-9);
    partners_end(&sim.world.partners);
    sim_free(&sim);
    scene_free(&scene);
}

// ---- afloat ----------------------------------------------------------------------------------------------------------------

// A cylinder that no liquid wets, of density 1.5, R = 0.66 l, floats as one with a contact angle of 180 degrees; its film carries
// all of its weight. The edge of the film is known to a cell: R = 6 dx lies 1.3 dx too deep, 12 dx 0.9 dx.
static void test_cylinder_floats_on_its_film(void** state)
{
    (void)state;
    Sim sim;
    Scene scene;
    const double until = 0.2, L = 1/0.66, cells = 6;
    double time = 0, height = 0, carried = 0;
    CHECK_OK(scene_load_text(&scene, "float.lua",
                             "local l = math.sqrt(72.75e-3/(998.2*9.81))\n"
                             "local R = 0.66*l\n"
                             "local dx = R/6\n"
                             "local W, H = 90*dx, 33*dx\n"
                             "return scene { domain = { size = { W, H }, cells = 90 }, gravity = { 0, -9.81 },\n"
                             "  liquids = { pool { depth = 18.137*dx, material = material { rho = 998.2, sigma = 72.75e-3,\n"
                             "              mu = 3*998.2*math.sqrt(9.81*R^3) } } },\n"
                             "  bodies = { sphere { center = { W/2 + 0.21*dx, 16*dx }, radius = R, density = 1.5*998.2,\n"
                             "             film = true } },\n"
                             "  numerics = { slip = true }, frames = { rate = 10, count = 2 } }\n"));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_start(&sim));
    while (sim.world.time < until) {
        CHECK_OK(sim_step_towards(&sim, until));
        if (sim.world.time < 0.5*until) continue;
        time += sim.report.dt;
        height += sim.report.dt*(test_body(&sim, 0)->center[1] - afloat_far(&sim.world.liquid[0]))/sim.model.tank.dx;
        carried += sim.report.dt*rigid_partner_of(&sim.world)->report[0].pressure[1]/(9.81*test_body(&sim, 0)->mass);
    }
    double alone = floating_center(1.5, PI, 1, L),
           exact = cells*(alone + 2*floating_depth(0.5*90/cells, alone, PI, 1, L));
    print_message("%.3f dx, exact %.3f; film carries %.4f of the weight\n", height/time, exact, carried/time);
    CHECK_WITHIN(carried/time, 1, 0.005);
    CHECK_WITHIN(height/time, exact, 1.5);
    sim_free(&sim);
    scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heavy_block_is_a_solid),        cmocka_unit_test(test_momentum_is_kept),
        cmocka_unit_test(test_light_block_between_two_drops), cmocka_unit_test(test_push_and_film_agree),
        cmocka_unit_test(test_cylinder_floats_on_its_film),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
