// The library as another program uses it: include/meniscus.h and nothing else of ours.
#include "folder.h"
#include "meniscus.h"

// A disc of 2 mm that falls freely at 0.1 m/s in a box of 16 mm.
static const char drop[] =
    "return scene { title = 'drop', domain = { size = { mm(16), mm(16) }, cells = 32 }, frames = { rate = 500, count = 3 },\n"
    "  numerics = { max_dt = 2e-4 }, liquids = { sphere { center = { mm(8), mm(11) }, radius = mm(2), "
    "velocity = { 0.05, -0.1 } "
    "} } }\n";
static const char two[] =
    "return scene { title = 'two', domain = { size = { mm(8), mm(8), mm(8) }, cells = 16 }, frames = { rate = 500, count = 1 },\n"
    "  liquids = { pool { depth = mm(2) }, sphere { center = { mm(4, 5.5, 4) }, radius = mm(2), velocity = { 0, 0, 0.2 } } } }\n";

static void check_says_(const char* words, int line)
{
    const char* text = mn_last_error();
    if (strstr(text, words) && !strchr(text, '\n')) return;
    print_error("expected \"%s\" in one line, got: %s\n", words, text);
    _fail(__FILE__, line);
}
#define CHECK_SAYS(words) check_says_(words, __LINE__)

// A disc in free fall: area pi R^2, length 2 pi R, mass-mean velocity v + g t, centre x + v t + g t^2/2, energy rho A v^2/2.
// The surface rides on the velocity of the step before, so it lags by g t dt/2 = 12 um.
static void test_free_fall(void** state)
{
    (void)state;
    write_text("scene.lua", drop);
    mn_sim* sim;
    CHECK_OK(mn_sim_open(&sim, in("scene.lua")));
    assert_int_equal(mn_sim_dimensions(sim), 2);
    assert_int_equal(mn_sim_liquids(sim), 1);
    assert_true(mn_sim_time(sim) == 0);
    mn_liquid start, later;
    CHECK_OK(mn_sim_liquid(sim, 0, &start));
    double area = M_PI*4e-6;  // 4 cells in radius
    assert_true(start.id > 0);
    CHECK_CLOSE(start.volume, area, 0.02);
    CHECK_CLOSE(start.target_volume, start.volume, 1e-10);
    CHECK_CLOSE(start.surface_area, 2*M_PI*2e-3, 0.02);
    CHECK_WITHIN(start.center[0], 8e-3, 1e-6);
    CHECK_WITHIN(start.center[1], 11e-3, 1e-6);
    CHECK_WITHIN(start.center[2], 0, 1e-12);
    CHECK_CLOSE(start.velocity[0], 0.05, 1e-4);
    CHECK_CLOSE(start.velocity[1], -0.1, 1e-4);
    CHECK_CLOSE(start.kinetic_energy, 0.5*998.2*start.volume*(0.1*0.1 + 0.05*0.05), 0.01);

    CHECK_OK(mn_sim_step(sim, 1e-4));  // no longer than that
    assert_true(mn_sim_time(sim) > 0 && mn_sim_time(sim) <= 1e-4);
    double t = 0.0123;
    CHECK_OK(mn_sim_advance(sim, t));
    assert_true(mn_sim_time(sim) == t);  // exactly
    CHECK_OK(mn_sim_liquid(sim, 0, &later));
    assert_int_equal(later.id, start.id);
    CHECK_CLOSE(later.target_volume, start.target_volume, 1e-14);
    CHECK_CLOSE(later.volume, later.target_volume, 1e-10);
    CHECK_LESS(fabs(mn_sim_ledger_error(sim)), 1e-10);
    CHECK_CLOSE(later.velocity[0], 0.05, 0.01);
    CHECK_CLOSE(later.velocity[1], -0.1 - 9.81*t, 0.01);
    CHECK_WITHIN(later.center[0], 8e-3 + 0.05*t, 2e-5);  // 4% of a cell
    CHECK_WITHIN(later.center[1], 11e-3 - 0.1*t - 0.5*9.81*t*t + 0.5*9.81*t*2e-4, 1e-5);
    mn_sim_close(sim);
}

// Two simulations live side by side, in 3D and 2D; what one does leaves the other alone.
static void test_two_at_once(void** state)
{
    (void)state;
    write_text("scene.lua", two);
    write_text("other.lua", drop);
    mn_sim *a, *b;
    CHECK_OK(mn_sim_open(&a, in("scene.lua")));
    CHECK_OK(mn_sim_open(&b, in("other.lua")));
    assert_int_equal(mn_sim_dimensions(a), 3);
    assert_int_equal(mn_sim_liquids(a), 2);
    mn_liquid pool, ball, disc, again;
    CHECK_OK(mn_sim_liquid(b, 0, &disc));
    CHECK_OK(mn_sim_liquid(a, 0, &pool));
    CHECK_OK(mn_sim_liquid(a, 1, &ball));
    assert_int_not_equal(pool.id, ball.id);
    CHECK_CLOSE(pool.volume, 8e-3*8e-3*2e-3, 1e-6);
    CHECK_CLOSE(ball.volume, 4.0/3*M_PI*8e-9, 0.05);
    CHECK_CLOSE(ball.velocity[2], 0.2, 1e-3);
    CHECK_CLOSE(pool.surface_area, 8e-3*8e-3, 0.01);
    CHECK_OK(mn_sim_step(a, 1e-4));
    CHECK_OK(mn_sim_liquid(b, 0, &again));
    assert_true(mn_sim_time(b) == 0);
    assert_memory_equal(&disc.volume, &again.volume, sizeof disc.volume);
    assert_memory_equal(disc.center, again.center, sizeof disc.center);
    mn_sim_close(a);
    CHECK_OK(mn_sim_step(b, 1e-4));
    mn_sim_close(b);
}

// Advancing in pieces or to a time that has passed: the clock never goes back, and each mark is met exactly.
static void test_advance(void** state)
{
    (void)state;
    write_text("scene.lua", drop);
    mn_sim* sim;
    CHECK_OK(mn_sim_open(&sim, in("scene.lua")));
    for (int n = 1; n <= 3; n++) {
        CHECK_OK(mn_sim_advance(sim, n/700.0));
        assert_true(mn_sim_time(sim) == n/700.0);
    }
    CHECK_OK(mn_sim_advance(sim, 3/700.0));
    assert_true(mn_sim_time(sim) == 3/700.0);
    mn_sim_advance(sim, 1e-6);  // past: nothing to do, or an error; never a step
    assert_true(mn_sim_time(sim) == 3/700.0);
    mn_sim_close(sim);
}

// A time that is no number, or that never comes, is an argument that is wrong, for advance as for step.
static void test_time_that_is_no_number(void** state)
{
    (void)state;
    write_text("scene.lua", drop);
    mn_sim* sim;
    CHECK_OK(mn_sim_open(&sim, in("scene.lua")));
    assert_int_equal(mn_sim_step(sim, NAN), MN_BAD_ARGUMENT);
    mn_status status = mn_sim_advance(sim, NAN);
    if (status == MN_BAD_ARGUMENT) status = mn_sim_advance(sim, INFINITY);
    mn_sim_close(sim);
    assert_int_equal(status, MN_BAD_ARGUMENT);
}

// Errors are statuses with one line of words; the simulation goes on as if they had not been.
static void test_errors(void** state)
{
    (void)state;
    assert_true(mn_version()[0] >= '0' && mn_version()[0] <= '9');
    mn_sim* sim = (mn_sim*)&base;
    assert_int_equal(mn_sim_open(&sim, in("scene.lua")), MN_IO);
    CHECK_SAYS("scene.lua: No such file");
    assert_null(sim);
    mn_sim_close(NULL);
    write_text("scene.lua", "return scene {\n  domain = 3 }");
    assert_int_equal(mn_sim_open(&sim, in("scene.lua")), MN_BAD_SCENE);
    CHECK_SAYS("scene.lua:2: domain");
    assert_null(sim);
    write_text("scene.lua", "return scene { domain = { size = { 1, 1, 1 }, cells = 8 }, frames = { rate = 1, count = 1 },\n"
                            "  liquids = { mesh { file = 'none.obj' } } }");
    mn_status status = mn_sim_open(&sim, in("scene.lua"));
    assert_true(status == MN_IO || status == MN_BAD_MESH || status == MN_BAD_SCENE);
    CHECK_SAYS("none.obj");
    write_text("scene.lua", drop);
    CHECK_OK(mn_sim_open(&sim, in("scene.lua")));
    mn_liquid q;
    assert_int_equal(mn_sim_liquid(sim, 1, &q), MN_BAD_ARGUMENT);
    assert_int_equal(mn_sim_liquid(sim, -1, &q), MN_BAD_ARGUMENT);
    CHECK_SAYS("-1");
    assert_int_equal(mn_sim_step(sim, 0), MN_BAD_ARGUMENT);
    assert_int_equal(mn_sim_step(sim, -1), MN_BAD_ARGUMENT);
    CHECK_SAYS("-1");
    assert_true(mn_sim_time(sim) == 0);
    CHECK_OK(mn_sim_step(sim, 1e-4));
    mn_sim_close(sim);
}

typedef struct Watch {
    int calls, frames, stop_after;  // stop_after: calls, 0 for never
    double time;
} Watch;

static bool watch(void* user, const mn_progress* p)
{
    Watch* w = user;
    w->calls++;
    assert_true(p->time > w->time);
    assert_int_equal(p->step, w->calls);
    assert_int_equal(p->frames, 3);
    w->time = p->time;
    w->frames += p->frame_done;
    assert_int_equal(p->frame, w->frames);
    assert_true(p->dt > 0 && p->iterations >= 0 && p->liquids == 1 && p->wall_seconds >= 0);
    CHECK_LESS(fabs(p->ledger_error), 1e-10);
    return w->calls != w->stop_after;
}

// mn_run tells of every step; a callback that says no ends it with MN_STOPPED and a checkpoint that the next call goes on from.
static void test_run(void** state)
{
    (void)state;
    write_text("scene.lua", drop);
    Watch all = {0}, some = {.stop_after = 2};
    mn_run_options options = {.scene = in("scene.lua"), .directory = in("run"), .threads = 1, .progress = watch, .user = &all};
    CHECK_OK(mn_run(&options));
    assert_int_equal(all.frames, 3);
    CHECK_CLOSE(all.time, 3/500.0, 1e-14);
    options.user = &some;
    assert_int_equal(mn_run(&options), MN_STOPPED);
    CHECK_SAYS("stopped at t = ");
    assert_int_equal(some.calls, 2);
    some.stop_after = 0;
    options.resume = true;
    CHECK_OK(mn_run(&options));
    assert_int_equal(some.calls, all.calls);
    assert_true(some.time == all.time);
    // without a callback, and with errors
    options = (mn_run_options){.scene = in("scene.lua"), .directory = in("run"), .threads = 1, .frames = 1};
    CHECK_OK(mn_run(&options));
    write_text("other.lua", two);
    options.resume = true;
    options.scene = in("other.lua");
    assert_int_equal(mn_run(&options), MN_BAD_CHECKPOINT);
    CHECK_SAYS("belongs to another scene");
    options = (mn_run_options){.scene = in("other.lua"), .directory = in("scene.lua"), .threads = 1};
    assert_int_equal(mn_run(&options), MN_IO);
    CHECK_SAYS("scene.lua");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_free_fall), IN_FOLDER(test_two_at_once), IN_FOLDER(test_advance), IN_FOLDER(test_time_that_is_no_number),
        IN_FOLDER(test_errors),    IN_FOLDER(test_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
