// Walls of the tank let go of liquid that would have to be pulled, where air can come in beside it; nowhere else.
#include <string.h>
#include "bounce.h"
#include "same_state.h"
#include "sessile.h"

typedef struct Box {
    double low[2], high[2];
} Box;

static double in_box(const void* user, const double x[3])
{
    const Box* b = user;
    return fmax(fmax(b->low[0] - x[0], x[0] - b->high[0]), fmax(b->low[1] - x[1], x[1] - b->high[1]));
}

static double half_disc(const void* user, const double x[3])
{
    const double* radius = user;
    double r[3] = {x[0] - 0.503, x[1] - 1, 0};
    return vec_norm(r) - *radius;
}

// Cells of a wall that are wet: those whose two nodes are.
static int wet_cells(const Sim* sim, int axis, bool high)
{
    int count = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) {
        const Liquid* q = &sim->world.liquid[m];
        const Window* w = &q->w;
        int other = 1 - axis, at[3] = {0, 0, 0};
        if (high ? w->lo[axis] + w->n[axis] < sim->model.tank.n[axis] : w->lo[axis] > 0) continue;
        at[axis] = high ? w->n[axis] : 0;
        for (at[other] = 0; at[other] < w->n[other]; at[other]++) {
            ptrdiff_t node = window_at(w, at[0], at[1], 0);
            count += q->phi.v[node] < 0 && q->phi.v[node + window_stride(w, other)] < 0;
        }
    }
    return count;
}

// A unit box of 64 cells with water that has neither tension nor viscosity, unless the caller gives it some.
static Liquid* water(Sim* sim, BasinShape shape, const void* user)
{
    basin_init(sim, 2, 64, 64, 1, 1.0/64);
    basin_add(sim, shape, user, (double[3]){0, 0, 0});
    sim->world.liquid[0].material.sigma = 0, sim->world.liquid[0].material.mu = 0;
    return &sim->world.liquid[0];
}

// Under a ceiling that does not hold it, half a disc falls at g once air has come in from its rim.
static void test_half_disc_falls(void** state)
{
    (void)state;
    for (int op = 0; op < 2; op++) {
        Sim sim;
        double radius = 0.2, time = 0.2;
        water(&sim, half_disc, &radius);
        sim.model.settings.op = op ? PRESSURE_GHOST : PRESSURE_CUT;
        sim.model.settings.unilateral = true;
        CHECK_OK(sim_start(&sim));
        while (sim.world.time < time - 1e-12) {
            CHECK_OK(sim_step(&sim, fmin(0.005, time - sim.world.time)));
            assert_int_equal(sim.report.retries, 0);
        }
        double speed = -liquid_state(&sim.world.liquid[0], &sim.scratch).velocity[1];
        print_message("half a disc under a ceiling, %s: speed %.4f, g t = %.4f, %d cells of the ceiling wet\n",
                      op ? "ghost" : "cut", speed, 9.81*time, wet_cells(&sim, 1, true));
        CHECK_CLOSE(speed, 9.81*time, 0.01);
        assert_int_equal(wet_cells(&sim, 1, true), 0);
        sim_free(&sim);
    }
}

// Adhesion bears sigma (1 + cos theta)/dx. Half a disc pulls by at most rho g R: a ceiling that bears twice that keeps it, one
// that bears a hundredth lets go.
static void test_adhesion_bears(void** state)
{
    (void)state;
    for (int weak = 0; weak < 2; weak++) {
        Sim sim;
        double radius = 0.2, dx = 1.0/64, pull = 1000*9.81*radius, bears = weak ? 0.01*pull : 2*pull;
        Liquid* q = water(&sim, half_disc, &radius);
        q->material.sigma = bears*dx, q->material.mu = 0.001;  // 90 degrees: 1 + cos(theta) = 1
        sim.model.settings.unilateral = true;
        CHECK_OK(sim_start(&sim));
        int before = wet_cells(&sim, 1, true);
        while (sim.world.time < 0.03) CHECK_OK(sim_step_towards(&sim, 0.03));
        int after = wet_cells(&sim, 1, true);
        print_message("a ceiling that bears %g Pa, liquid that pulls by up to %g Pa: %d of %d cells still wet\n", bears, pull,
                      after, before);
        CHECK_TRUE(weak ? after == 0 : after > before/2);
        sim_free(&sim);
    }
}

// The same, weak one, with tension in cycles of its own, with friction and with both: the speed after 0.1 s.
static void test_other_schemes_let_go(void** state)
{
    (void)state;
    for (int m = 0; m < 4; m++) {
        Sim sim;
        bool split = m & 1, rubs = m & 2;
        double radius = 0.2, dx = 1.0/64, time = 0.1;
        Liquid* q = water(&sim, half_disc, &radius);
        q->material.sigma = 0.01*1000*9.81*radius*dx, q->material.mu = rubs ? 1 : 0;
        sim.model.settings.unilateral = true, sim.model.settings.slip = true;
        sim.model.settings.tension = (TensionSettings){split ? TENSION_SPLIT : TENSION_EXPLICIT, .cycles = split ? 4 : 0};
        CHECK_OK(sim_start(&sim));
        while (sim.world.time < time - 1e-12) CHECK_OK(sim_step(&sim, fmin(0.005, time - sim.world.time)));
        double speed = -liquid_state(&sim.world.liquid[0], &sim.scratch).velocity[1];
        print_message("%s tension, %s: speed %.4f, g t = %.4f, %d cells of the ceiling wet\n", split ? "split" : "explicit",
                      rubs ? "friction" : "no friction", speed, 9.81*time, wet_cells(&sim, 1, true));
        CHECK_CLOSE(speed, 9.81*time, 0.05);
        assert_int_equal(wet_cells(&sim, 1, true), 0);
        sim_free(&sim);
    }
}

static double round_one(const void* user, const double x[3])
{
    const double* c = user;
    double r[3] = {x[0] - c[0], x[1] - c[1], 0};
    return vec_norm(r) - c[2];
}

// A puddle of 12 cells, 0.45 dx thick, on a floor that it is drawn up from. The grid cannot show it off the floor, but in a step
// of dt it leaves by g dt^2 only: it must not be gone at once, however short the step. What goes of it in a step, a twentieth,
// the rest takes up.
static void test_puddle_is_not_wiped_out(void** state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        Sim sim;
        double dx = 1.0/64, dt = m == 0 ? 1e-4 : m == 1 ? 1e-3 : 5e-3;
        water(&sim, in_box, &(Box){{0.4, -1}, {0.4 + 12*dx, 0.45*dx}});
        sim.model.settings.gravity[1] = 9.81;
        CHECK_OK(sim_start(&sim));
        int before = wet_cells(&sim, 1, false);
        CHECK_OK(sim_step(&sim, dt));
        int after = wet_cells(&sim, 1, false);
        print_message("puddle drawn up for %g s, by %.2g dx: %d of %d cells of the floor wet\n", dt, 9.81*dt*dt/dx, after,
                      before);
        assert_int_equal(sim.report.retries, 0);
        CHECK_TRUE(m < 2 ? after == before : after >= before - 2);
        for (int step = 0; step < 10; step++) CHECK_OK(sim_step(&sim, dt));
        CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-12);
        sim_free(&sim);
    }
}

// Half a disc with a drop close below it, and air of a film between them: both fall at g.
static void test_lets_go_beside_a_film(void** state)
{
    (void)state;
    Sim sim;
    double radius = 0.2, dx = 1.0/64, time = 0.1;
    basin_init(&sim, 2, 64, 64, 1, dx);
    film_hold_all(&sim);
    basin_add(&sim, half_disc, &radius, (double[3]){0, 0, 0});
    basin_add(&sim, round_one, (double[3]){0.503, 1 - radius - 0.8*dx - 0.1, 0.1}, (double[3]){0, 0, 0});
    for (int m = 0; m < 2; m++) sim.world.liquid[m].material = (LiquidMaterial){.rho = 1000, .contact_angle = PI/2};
    sim.model.settings.unilateral = true;
    CHECK_OK(sim_start(&sim));
    bool joined = false;
    while (sim.world.time < time - 1e-12) {
        CHECK_OK(sim_step(&sim, fmin(0.005, time - sim.world.time)));
        joined = joined || film_of(&sim.world)->air.count > 0;
    }
    for (int m = 0; m < 2; m++) {
        double speed = -liquid_state(&sim.world.liquid[m], &sim.scratch).velocity[1];
        print_message("beside a film, liquid %d: speed %.4f, g t = %.4f, %d cells of the ceiling wet\n", m, speed, 9.81*time,
                      wet_cells(&sim, 1, true));
        CHECK_CLOSE(speed, 9.81*time, 0.05);
    }
    CHECK_TRUE(joined);
    assert_int_equal(wet_cells(&sim, 1, true), 0);
    sim_free(&sim);
}

// The same with walls that hold both ways, to the last bit: where nothing pulls, and where no air can come in.
static void run_both(const Box* box, double sigma, const char* what)
{
    Sim sim[2];
    for (int holds = 0; holds < 2; holds++) {
        water(&sim[holds], in_box, box)->material.sigma = sigma;
        sim[holds].model.settings.unilateral = !holds;
        CHECK_OK(sim_start(&sim[holds]));
        for (int step = 0; step < 20; step++) CHECK_OK(sim_step(&sim[holds], 0.005));
    }
    print_message("%s: ceiling wet in %d cells, walls that hold both ways %d\n", what, wet_cells(&sim[0], 1, true),
                  wet_cells(&sim[1], 1, true));
    check_same_state(&sim[0], &sim[1]);
    sim_free(&sim[0]), sim_free(&sim[1]);
}

static void test_no_cavitation(void** state)
{
    (void)state;
    run_both(&(Box){{-1, -1}, {2, 0.503}}, 0, "pool at rest");
    run_both(&(Box){{-1, -1}, {2, 2}}, 0, "full tank");
}

// Liquid in a tube that is closed at the top and open below hangs in it while adhesion bears the weight, rho g h; else air
// creeps up along its sides, and it comes down.
static void test_tube(void** state)
{
    (void)state;
    double dx = 1.0/64, pull = 1000*9.81*0.5;
    Box column = {{-1, 0.503}, {2, 2}};
    run_both(&column, 1.1*pull*dx, "column in a tube, adhesion bears 1.1 of its weight");
    Sim sim;
    water(&sim, in_box, &column)->material.sigma = 0;
    sim.model.settings.unilateral = true;
    CHECK_OK(sim_start(&sim));
    for (int step = 0; step < 20; step++) CHECK_OK(sim_step(&sim, 0.005));
    print_message("without adhesion: ceiling wet in %d cells\n", wet_cells(&sim, 1, true));
    assert_int_equal(wet_cells(&sim, 1, true), 0);
    sim_free(&sim);
}

// The same column with a slit of air beside it comes off.
static void test_slit_lets_air_in(void** state)
{
    (void)state;
    Sim sim;
    water(&sim, in_box, &(Box){{0.05, 0.503}, {2, 2}});
    sim.model.settings.unilateral = true;
    CHECK_OK(sim_start(&sim));
    int before = wet_cells(&sim, 1, true);
    while (sim.world.time < 0.15) CHECK_OK(sim_step_towards(&sim, 0.15));
    print_message("column with a slit of air beside it: ceiling wet in %d cells, then in %d\n", before, wet_cells(&sim, 1, true));
    CHECK_LESS(wet_cells(&sim, 1, true), 3);
    sim_free(&sim);
}

// A drop thrown at a ceiling, We = rho U^2 R/sigma = 2.25, rho g R^2/sigma = 0.5.
static void test_thrown_at_a_ceiling(void** state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        double degrees = m == 0 ? 120 : 30, time = 6;
        DropShape s = {.foot = {2.513, 3, 0}, .up = {0, -1, 0}, .radius = 1, .above = 1.3, .dim = 2};
        Sim sim;
        sessile_init(&sim, &s, 60, 36, 1.0/12, degrees*PI/180, 0.1);
        sim.model.settings.gravity[1] = -0.5;
        for (size_t i = 0; i < sim.world.liquid[0].w.count; i++) sim.world.liquid[0].u[1].block[i] = 1.5;
        sim.model.settings.unilateral = true;
        CHECK_OK(sim_start(&sim));
        int most = 0, now = 0;
        while (sim.world.time < time) {
            CHECK_OK(sim_step_towards(&sim, time));
            now = wet_cells(&sim, 1, true), most = maxi(most, now);
            if (most > 0 && now == 0) break;
        }
        print_message("thrown at a ceiling of %g degrees: wetted %d cells, %d at t = %.2f\n", degrees, most, now, sim.world.time);
        CHECK_LESS(0, most);
        CHECK_TRUE((now == 0) == (m == 0));
        sim_free(&sim);
    }
}

// A column falls, runs up the far wall and comes down: how long it wets that wall, and the energy that the run wins meanwhile
// (walls that pull cannot give any).
static void test_dam_break(void** state)
{
    (void)state;
    double wet[2] = {0, 0}, gain[2] = {0, 0}, time = 1.2;
    for (int holds = 0; holds < 2; holds++) {
        Sim sim;
        water(&sim, in_box, &(Box){{-1, -1}, {0.3, 0.6}});
        sim.model.settings.unilateral = !holds;
        CHECK_OK(sim_start(&sim));
        while (sim.world.time < time) {
            CHECK_OK(sim_step_towards(&sim, time));
            wet[holds] += wet_cells(&sim, 0, true)*sim.report.dt/time;
            gain[holds] = fmax(gain[holds], sim.world.energy.gain);
            CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-12);
        }
        print_message("dam break, walls that %s: far wall wet in %.1f cells on average, energy won %.2f J\n",
                      holds ? "hold both ways" : "let go", wet[holds], gain[holds]);
        sim_free(&sim);
    }
    CHECK_LESS(wet[0], 0.8*wet[1]);
    CHECK_LESS(gain[0], gain[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_half_disc_falls),
                                       cmocka_unit_test(test_adhesion_bears),
                                       cmocka_unit_test(test_no_cavitation),
                                       cmocka_unit_test(test_tube),
                                       cmocka_unit_test(test_slit_lets_air_in),
                                       cmocka_unit_test(test_thrown_at_a_ceiling),
                                       cmocka_unit_test(test_dam_break),
                                       cmocka_unit_test(test_other_schemes_let_go),
                                       cmocka_unit_test(test_lets_go_beside_a_film),
                                       cmocka_unit_test(test_puddle_is_not_wiped_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
