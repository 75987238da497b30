// Films that close fast keep the step short (docs/film.md, dt_gap):
//     dt <= max(h, h_c)/(2 V),  h_c = (24 mu dt dx/rho)^(1/3),  and not below a 16th of the step otherwise.
#include "bounce.h"
#include <string.h>
#include "film/film_partner.h"
#include "output/table.h"

// ---- pieces of film by hand ------------------------------------------------------------------------------------------------

// The time of the fastest: thickness over speed, thin ones counting as the cushion; what rests or opens never closes.
static void test_closing_time(void** state)
{
    (void)state;
    AirPiece piece[] = {
        {.h = 8e-6, .closing = 0.5}, {.h = 1e-6, .closing = 0.2}, {.h = 0.1e-6, .closing = 0}, {.h = 0.1e-6, .closing = -3}};
    FilmAir air = {.piece = piece, .count = 4};
    CHECK_CLOSE(film_air_closing_time(&air, 0), 1e-6/0.2, 1e-15);
    CHECK_CLOSE(film_air_closing_time(&air, 4e-6), 8e-6/0.5, 1e-15);  // 4 um/0.2 m/s takes 20 us, 8 um/0.5 m/s 16 us
    CHECK_CLOSE(film_air_closing_time(&air, 10e-6), 10e-6/0.5, 1e-15);
    CHECK_TRUE(isinf(film_air_closing_time(&(FilmAir){.piece = piece + 2, .count = 2}, 1e-6)));
    CHECK_TRUE(isinf(film_air_closing_time(&(FilmAir){0}, 1e-6)));
}

// ---- two drops ---------------------------------------------------------------------------------------------------------------

static const double CELL = 1e-3/40, RADIUS = 6.8e-3/40;

// Two drops without tension, `gap` between them, with these velocities along x; their axis lies half way between two rows of
// nodes.
static void drops_near(Sim* sim, double gap, double left, double right)
{
    basin_init(sim, 2, 40, 24, 1, CELL);
    bounce_settings(sim);
    for (int m = 0; m < 2; m++) {
        RoundDrop d = {{20*CELL + (m == 0 ? -1 : 1)*(RADIUS + 0.5*gap), 11.5*CELL, 0}, RADIUS};
        basin_add(sim, round_drop_distance, &d, (double[3]){m == 0 ? left : right, 0, 0});
        sim->world.liquid[m].material = (LiquidMaterial){.rho = TETRADECANE_RHO, .contact_angle = PI/2};
    }
    CHECK_OK(sim_start(sim));
}

// A single piece of film with a thickness and a speed, and a step that would be 10 us long.
static void test_step_by_formula(void** state)
{
    (void)state;
    Sim sim;
    drops_near(&sim, 3*CELL, 0, 0);
    const double otherwise = 1e-5, far = 1;
    double cushion = cbrt(24*film_of(&sim.world)->settings.mu*otherwise*CELL/TETRADECANE_RHO),
           per_step = cushion/otherwise;
    sim.model.settings.max_dt = otherwise;
    assert_int_equal(film_of(&sim.world)->air.count, 0);
    CHECK_CLOSE(sim_choose_dt(&sim, far), otherwise, 1e-15);
    CHECK_OK(film_air_reserve(&film_of(&sim.world)->air, 1));
    film_of(&sim.world)->air.count = 1;
    const struct {
        double h, closing, part;  // of the step otherwise
    } known[] = {
        {4*cushion, 0, 1},                         // at rest
        {4*cushion, -0.3, 1},                      // opens
        {4*cushion, 0.1*per_step, 1},            // closed after 40 steps
        {4*cushion, 5*per_step, 0.4},            // after 4/5 of one
        {0.1*cushion, 2*per_step, 0.25},         // counts as thick as the cushion: after half of one
        {0.1*cushion, 1000*per_step, 1.0/16},  // no shorter than that
    };
    for (size_t m = 0; m < sizeof known/sizeof *known; m++) {
        film_of(&sim.world)->air.piece[0] = (AirPiece){.h = known[m].h, .closing = known[m].closing, .id = {1, 2}};
        CHECK_CLOSE(sim_choose_dt(&sim, far), known[m].part*otherwise, 1e-12);
    }
    sim_free(&sim);
}

// As table.csv has it.
static int column_film_limits(Sim* sim)
{
    Columns row = {0};
    TableSums sums = table_sums(sim, &sim->scratch, 0);
    table_columns(&row, sim, &sums);
    const Column* c = columns_find(&row, "film_limits");
    assert_non_null(c);
    int limits = (int)c->whole;
    columns_free(&row);
    assert_true(limits == 0 || limits == 1);
    return limits;
}

// A step of 1 ns makes the film known. It closes as fast as the drops approach, V_left - V_right, since a cushion of
// (24 mu dt dx/rho)^(1/3) = 0.25 um is nothing beside a cell. The next step then is half of h/(V_left - V_right) long.
static double first_thickness;  // m, of the thinnest piece after that

static double second_step(Sim* sim, double gap, double left, double right, double limit)
{
    drops_near(sim, gap, left, right);
    CHECK_OK(sim_step(sim, 1e-9));
    assert_true(!sim->report.limited_by && column_film_limits(sim) == 0);
    const FilmAir* air = &film_of(&sim->world)->air;
    assert_true(air->count > 0);
    first_thickness = INFINITY;
    for (int m = 0; m < air->count; m++) first_thickness = fmin(first_thickness, air->piece[m].h);
    CHECK_OK(sim_step(sim, limit));
    return sim->report.dt;
}

// The ridge lies in a plane of nodes, and one of its pieces has its middle on the axis: h there is the gap, but for what is read
// between nodes.
static void test_drops_that_approach(void** state)
{
    (void)state;
    const double far = 1, speed = 0.5, otherwise = CELL/speed;
    for (int m = 0; m < 2; m++) {
        double gap = (m == 0 ? 1 : 0.6)*CELL, dt, h, half;
        Sim sim;
        dt = second_step(&sim, gap, speed, -speed, far);
        h = first_thickness, half = 0.5*h/(2*speed);
        CHECK_WITHIN(h, gap, 4e-3*CELL);
        print_message("h = %.4f cells closes at 1 m/s: step of %.4g us, half of h/V is %.4g us, by the speed alone %.4g us\n",
                      h/CELL, 1e6*dt, 1e6*half, 1e6*otherwise);
        CHECK_CLOSE(dt, half, 2e-3);
        CHECK_LESS(otherwise/16, dt);
        assert_true(sim.report.limited_by && column_film_limits(&sim) == 1);
        sim_free(&sim);
    }
}

// Drops at rest, and drops that fly together, have steps as if there were no film.
static void test_films_at_rest(void** state)
{
    (void)state;
    const double far = 1, limit = 1e-5, speed = 0.5;
    Sim sim;
    CHECK_CLOSE(second_step(&sim, 0.6*CELL, 0, 0, limit), limit, 1e-15);
    assert_true(!sim.report.limited_by && column_film_limits(&sim) == 0);
    sim_free(&sim);
    CHECK_CLOSE(second_step(&sim, 0.6*CELL, speed, speed, far), CELL/speed/1.02,
                1e-6);  // 2 % less than cfl: docs/energy.md
    assert_true(!sim.report.limited_by && column_film_limits(&sim) == 0);
    sim_free(&sim);
}

// Level sets that overlap are pushed apart, each by half, in no less than the time of a whole step, however short the steps are
// that a frame or a film makes; and those do not get shorter than a 16th of it towards the end of a frame.
static void test_short_steps(void** state)
{
    (void)state;
    const double whole = 1e-5, overlap = 0.2*CELL;
    for (int m = 0; m < 3; m++) {
        double part = m == 0 ? 1e-4 : m == 1 ? 1e-2 : 0.1;
        Sim sim;
        drops_near(&sim, -overlap, 0, 0);
        // without tension they would have no energy at all, and what the push brings would all come from nowhere (docs/energy.md)
        for (int q = 0; q < 2; q++) sim.world.liquid[q].material.sigma = 0.03;
        sim.model.settings.max_dt = whole;
        CHECK_OK(sim_step(&sim, part*whole));
        CHECK_CLOSE(sim.report.dt, part*whole, 1e-12);
        print_message("a step of %g us: pushed apart at %.3f m/s each, overlap/whole step/2 is %.3f m/s\n", 1e6*sim.report.dt,
                      sim.report.max_speed, 0.5*overlap/whole);
        // where they are thickest; liquid runs past them twice as fast (0.418 m/s where the film took the overlap for 0.16 cells,
        // by straight lines between nodes)
        CHECK_LESS(sim.report.max_speed, 2.2*0.5*overlap/whole);
        sim_free(&sim);
    }
    Sim sim;
    drops_near(&sim, 0.1*CELL, 0.5, -0.5);
    sim.model.settings.max_dt = whole;
    CHECK_OK(sim_step(&sim, whole));
    long first = sim.world.step;
    while (sim.world.time < 3*whole) CHECK_OK(sim_step_towards(&sim, 3*whole));
    CHECK_LESS((double)(sim.world.step - first), 2*16 + 2);
    sim_free(&sim);
}

// Spray in the gap of 3 cells between two drops that films keep apart, large enough for a ball of 4 cells across: it has no room
// and stays spray, and the drops keep their places. With room beside them it becomes a liquid. (Made where it was, the ball
// overlapped both by half a cell; what was moved to part them wiped out slivers between: random scene 41.)
static void test_spray_finds_room(void** state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        Sim sim;
        drops_near(&sim, 3*CELL, 0, 0);
        sim.model.settings.max_dt = 1e-6;
        double y = m == 0 ? 11.5*CELL : 20*CELL;
        Droplet drop = {.x = {20*CELL, y, 0}, .volume = PI*4*CELL*CELL, .material = sim.world.liquid[0].material};
        CHECK_OK(spray_add(&sim.world.spray, &drop));
        CHECK_OK(sim_step(&sim, 1));
        assert_int_equal(sim.world.liquid_count, m == 0 ? 2 : 3);
        assert_int_equal(sim.world.spray.count, m == 0 ? 1 : 0);
        CHECK_LESS(sim.report.volume_correction, m == 0 ? 1e-3 : 0.03);  // balls are made to 3 % of their volume
        sim_free(&sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closing_time),        cmocka_unit_test(test_step_by_formula),
                                       cmocka_unit_test(test_drops_that_approach), cmocka_unit_test(test_films_at_rest),
                                       cmocka_unit_test(test_short_steps),         cmocka_unit_test(test_spray_finds_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
