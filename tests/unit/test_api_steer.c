// The library as another program uses it: bodies in its hands, gravity and settings, saved states, several simulations at once.
#include <pthread.h>
#include "folder.h"
#include "meniscus.h"

// A box of 4 mm, 1200 kg/m^3, in the air above a shallow pool, nothing with weight.
static const char box[] =
    "return scene { title = 'box', domain = { size = { mm(32), mm(32) }, cells = 32 }, gravity = { 0, 0 },\n"
    "  frames = { rate = 500, count = 3 }, numerics = { max_dt = 2e-4 }, liquids = { pool { depth = mm(3) } },\n"
    "  bodies = { box { name = 'box', low = { mm(14), mm(18) }, high = { mm(18), mm(22) }, density = 1200 } } }\n";
static const char drop[] =
    "return scene { title = 'drop', domain = { size = { mm(16), mm(16) }, cells = 32 }, frames = { rate = 500, count = 3 },\n"
    "  numerics = { max_dt = 2e-4 }, liquids = { pool { depth = mm(3) },\n"
    "    sphere { center = { mm(8), mm(9) }, radius = mm(2), velocity = { 0.05, -0.1 } } } }\n";

static const double mass = 1200*16e-6, inertia = 1200*16e-6*(2*16e-6)/12;  // kg/m, kg m^2/m: m (a^2 + b^2)/12

static mn_sim* open_text(const char* text)
{
    mn_sim* sim;
    CHECK_OK(mn_sim_open_with(&sim, &(mn_sim_options){.text = text}));
    return sim;
}

// Newton: v = F t/m and w = T t/I in the air; none when the force ends; y = y0 + F t^2/(2 m), late by at most a step's v dt/2.
static void test_force(void** state)
{
    (void)state;
    mn_sim* sim = open_text(box);
    mn_body b;
    assert_int_equal(mn_sim_bodies(sim), 1);
    CHECK_OK(mn_sim_body(sim, 0, &b));
    assert_string_equal(b.name, "box");
    CHECK_CLOSE(b.mass, mass, 1e-3);
    double y = b.center[1], t = 0.01, F = 0.02, T = 1e-6;
    CHECK_OK(mn_sim_force_body(sim, 0, (double[3]){0, F, 0}, (double[3]){0, 0, T}));
    CHECK_OK(mn_sim_advance(sim, t));
    CHECK_OK(mn_sim_body(sim, 0, &b));
    CHECK_CLOSE(b.velocity[1], F*t/b.mass, 1e-6);
    CHECK_CLOSE(b.spin[2], T*t/inertia, 0.01);
    CHECK_WITHIN(b.center[1], y + F*t*t/(2*b.mass), F*t/b.mass*1.01e-4);
    double spin = b.spin[2], v = b.velocity[1];
    CHECK_OK(mn_sim_force_body(sim, 0, NULL, NULL));
    CHECK_OK(mn_sim_advance(sim, 0.012));
    CHECK_OK(mn_sim_body(sim, 0, &b));
    CHECK_CLOSE(b.velocity[1], v, 1e-9);
    CHECK_CLOSE(b.spin[2], spin, 1e-9);
    mn_sim_close(sim);
}

// A push of P at a point changes the velocity by P/m and the spin by r x P/I, once; two of them add up.
static void test_push(void** state)
{
    (void)state;
    mn_sim* sim = open_text(box);
    mn_body b;
    CHECK_OK(mn_sim_body(sim, 0, &b));
    double P = 1e-4, corner[3] = {b.center[0] + 2e-3, b.center[1], 0};
    CHECK_OK(mn_sim_push_body(sim, 0, (double[3]){0, P, 0}, corner));
    CHECK_OK(mn_sim_push_body(sim, 0, (double[3]){P, 0, 0}, NULL));
    for (int n = 0; n < 3; n++) {
        CHECK_OK(mn_sim_step(sim, 2e-4));
        CHECK_OK(mn_sim_body(sim, 0, &b));
        CHECK_CLOSE(b.velocity[0], P/b.mass, 1e-9);
        CHECK_CLOSE(b.velocity[1], P/b.mass, 1e-9);
        CHECK_CLOSE(b.spin[2], 2e-3*P/inertia, 0.01);
    }
    mn_sim_close(sim);
}

// A body that sinks is held where it is by its weight less its buoyancy, (rho_s - rho) g V: it comes to rest with that force.
static void test_held_under_water(void** state)
{
    (void)state;
    static const char pool[] =
        "return scene { title = 'held', domain = { size = { mm(64), mm(48) }, cells = 64 },\n"
        "  frames = { rate = 500, count = 3 }, liquids = { pool { depth = mm(36), material = water { sigma = 0 } } },\n"
        "  bodies = { sphere { name = 'ball', center = { mm(32), mm(18) }, radius = mm(6), density = 1200 } } }\n";
    mn_sim* sim = open_text(pool);
    mn_body b;
    double hold = (1200 - 998.2)*9.81*M_PI*36e-6;
    CHECK_OK(mn_sim_force_body(sim, 0, (double[3]){0, hold, 0}, NULL));
    CHECK_OK(mn_sim_advance(sim, 0.05));
    CHECK_OK(mn_sim_body(sim, 0, &b));
    // let go it would have gained half a millimetre per second in every millisecond
    CHECK_WITHIN(b.velocity[1], 0, 2e-3);
    CHECK_WITHIN(b.center[1], 18e-3, 5e-5);
    CHECK_CLOSE(b.pressure[1], 998.2*9.81*M_PI*36e-6, 0.02);
    mn_sim_close(sim);
}

// Put elsewhere: exactly there, as turned and as fast as told; then it falls from there, and its picture with it.
static void test_pose(void** state)
{
    (void)state;
    mn_sim* sim = open_text(box);
    mn_body b;
    double place[3] = {10e-3, 25e-3, 0}, angle = 2.5, q[4] = {cos(angle/2), 0, 0, sin(angle/2)};
    CHECK_OK(mn_sim_set_body(sim, 0, place, q, (double[3]){0.1, 0, 0}, (double[3]){0, 0, 3}));
    CHECK_OK(mn_sim_body(sim, 0, &b));
    CHECK_WITHIN(b.center[0], place[0], 1e-10);
    CHECK_WITHIN(b.center[1], place[1], 1e-10);
    for (int k = 0; k < 4; k++) CHECK_WITHIN(b.rotation[k], q[k], 1e-7);
    CHECK_CLOSE(b.velocity[0], 0.1, 1e-9);
    CHECK_CLOSE(b.spin[2], 3, 1e-9);
    int count;
    mn_layer layer = {0};
    CHECK_OK(mn_sim_layers(sim, &count));
    for (int n = 0; n < count && strcmp(layer.name ? layer.name : "", "solid_box"); n++) CHECK_OK(mn_sim_layer(sim, n, &layer));
    double sum = 0;
    for (int i = 0; i < layer.points; i++) sum += layer.position[3*i]/layer.points;
    CHECK_WITHIN(sum, place[0], 3e-4);
    CHECK_OK(mn_sim_advance(sim, 0.02));
    CHECK_OK(mn_sim_body(sim, 0, &b));
    CHECK_WITHIN(b.center[0], place[0] + 0.1*0.02, 1e-9);
    CHECK_CLOSE(2*atan2(b.rotation[3], b.rotation[0]), angle + 3*0.02, 1e-6);
    // half a turn more, which has no axis to begin with
    CHECK_OK(mn_sim_set_body(sim, 0, NULL, (double[4]){b.rotation[3], 0, 0, -b.rotation[0]}, NULL, NULL));
    assert_int_equal(mn_sim_set_body(sim, 0, (double[3]){0, 0, 1}, NULL, NULL, NULL), MN_BAD_ARGUMENT);
    assert_int_equal(mn_sim_set_body(sim, 0, NULL, (double[4]){0}, NULL, NULL), MN_BAD_ARGUMENT);
    mn_sim_close(sim);
}

// In 3D too, with a turn about a slanted axis.
static void test_pose_in_3d(void** state)
{
    (void)state;
    static const char text[] =
        "return scene { title = 'stone', domain = { size = { mm(16), mm(16), mm(16) }, cells = 16 },\n"
        "  frames = { rate = 500, count = 3 }, liquids = { pool { depth = mm(3) } },\n"
        "  bodies = { box { low = { mm(6), mm(9), mm(6) }, high = { mm(10), mm(11), mm(9) }, density = 800 } } }\n";
    mn_sim* sim = open_text(text);
    mn_body b;
    double place[3] = {7e-3, 12e-3, 9e-3}, q[4] = {0.3, 0.5, -0.7, 0.1}, size = sqrt(0.09 + 0.25 + 0.49 + 0.01);
    CHECK_OK(mn_sim_set_body(sim, 0, place, q, (double[3]){0.1, -0.2, 0.3}, (double[3]){1, 2, -3}));
    CHECK_OK(mn_sim_body(sim, 0, &b));
    for (int d = 0; d < 3; d++) CHECK_WITHIN(b.center[d], place[d], 1e-10);
    for (int k = 0; k < 4; k++) CHECK_WITHIN(b.rotation[k], q[k]/size, 1e-7);
    CHECK_CLOSE(b.velocity[2], 0.3, 1e-9);
    CHECK_CLOSE(b.spin[2], -3, 1e-9);
    mn_sim_close(sim);
}

// Gravity turned round halfway: up as fast as it fell; y = y0 + v t - g t^2/2, then the same with g upwards.
static void test_gravity(void** state)
{
    (void)state;
    mn_sim* sim = open_text("return scene { title = 'd', domain = { size = { mm(16), mm(16) }, cells = 64 },\n"
                            "  frames = { rate = 500, count = 3 }, numerics = { max_dt = 2e-4 },\n"
                            "  liquids = { sphere { center = { mm(8), mm(8) }, radius = mm(2) } } }\n");
    mn_liquid q;
    double g[3], t = 0.01;
    CHECK_OK(mn_sim_gravity(sim, g));
    CHECK_CLOSE(g[1], -9.81, 1e-12);
    CHECK_OK(mn_sim_advance(sim, t));
    CHECK_OK(mn_sim_set_gravity(sim, (double[3]){0, 9.81, 0}));
    CHECK_OK(mn_sim_advance(sim, 2*t));
    CHECK_OK(mn_sim_liquid(sim, 0, &q));
    CHECK_WITHIN(q.velocity[1], 0, 1e-3);
    CHECK_WITHIN(q.center[1], 8e-3 - 9.81*t*t, 1e-5);
    assert_int_equal(mn_sim_set_gravity(sim, (double[3]){0, 0, 1}), MN_BAD_ARGUMENT);
    mn_sim_close(sim);
}

// max_dt from the next step on; words that are no settings change nothing.
static void test_settings(void** state)
{
    (void)state;
    mn_sim* sim = open_text(drop);
    CHECK_OK(mn_sim_set(sim, "max_dt=1e-5"));
    CHECK_OK(mn_sim_step(sim, 1));
    assert_true(mn_sim_time(sim) <= 1e-5);
    CHECK_OK(mn_sim_set(sim, "slip=true"));
    CHECK_OK(mn_sim_set(sim, "max_dt=inf"));
    const char* wrong[] = {"max_dt", "max_dt=",     "max_dt=-1", "max_dt=nan", "cfl=4",
                           "cfl=1x", "tolerance=1", "slip=yes",  "x=1",        ""};
    for (size_t n = 0; n < sizeof wrong/sizeof *wrong; n++) assert_int_equal(mn_sim_set(sim, wrong[n]), MN_BAD_ARGUMENT);
    mn_sim_close(sim);
}

// From a saved state the same steps lead to the same bits, in the simulation it came from and in another one.
static void test_save_and_load(void** state)
{
    (void)state;
    mn_sim *a = open_text(drop), *b = open_text(drop), *other = open_text(box);
    void* bytes;
    size_t size;
    CHECK_OK(mn_sim_advance(a, 2e-3));
    CHECK_OK(mn_sim_save(a, &bytes, &size));
    unsigned long long saved = mn_sim_hash(a), end, before = mn_sim_hash(other);
    CHECK_OK(mn_sim_advance(a, 4e-3));
    end = mn_sim_hash(a);
    assert_true(end != saved);
    CHECK_OK(mn_sim_load(a, bytes, size));
    assert_true(mn_sim_hash(a) == saved && mn_sim_time(a) == 2e-3);
    CHECK_OK(mn_sim_advance(a, 4e-3));
    assert_true(mn_sim_hash(a) == end);
    CHECK_OK(mn_sim_load(b, bytes, size));
    CHECK_OK(mn_sim_advance(b, 4e-3));
    assert_true(mn_sim_hash(b) == end);
    // another scene's, cut short, changed by a bit
    assert_int_equal(mn_sim_load(other, bytes, size), MN_BAD_CHECKPOINT);
    for (size_t cut = 0; cut < size; cut += size/7) assert_int_equal(mn_sim_load(b, bytes, cut), MN_BAD_CHECKPOINT);
    ((char*)bytes)[size/2] ^= 1;
    assert_int_equal(mn_sim_load(b, bytes, size), MN_BAD_CHECKPOINT);
    assert_true(mn_sim_hash(b) == end && mn_sim_hash(other) == before);
    CHECK_OK(mn_sim_step(b, 1e-4));
    mn_free(bytes);
    mn_free(NULL);
    mn_sim_close(a), mn_sim_close(b), mn_sim_close(other);
}

// ---- several at once -------------------------------------------------------------------------------------------------------

typedef struct Job {
    const char* text;
    unsigned long long hash;
    mn_status status;
    int threads;
} Job;

static void* work(void* user)
{
    Job* job = user;
    mn_sim* sim;
    void* bytes;
    size_t size;
    job->status = mn_sim_open_with(&sim, &(mn_sim_options){.text = job->text, .threads = job->threads});
    if (job->status != MN_OK) return NULL;
    for (int n = 1; n <= 4 && job->status == MN_OK; n++) {
        job->status = mn_sim_advance(sim, n*1e-3);
        if (job->status == MN_OK) job->status = mn_sim_save(sim, &bytes, &size);
        if (job->status == MN_OK) job->status = mn_sim_load(sim, bytes, size), mn_free(bytes);
    }
    job->hash = mn_sim_hash(sim);
    mn_sim_close(sim);
    return NULL;
}

// Four simulations in four threads, each saving and loading, come to the same states as one after the other with one thread.
static void test_several_at_once(void** state)
{
    (void)state;
    Job alone[2] = {{.text = drop, .threads = 1}, {.text = box, .threads = 1}};
    Job job[4] = {{.text = drop}, {.text = box}, {.text = drop, .threads = 2}, {.text = box, .threads = 3}};
    pthread_t thread[4];
    for (int n = 0; n < 2; n++) work(&alone[n]);
    for (int n = 0; n < 4; n++) assert_int_equal(pthread_create(&thread[n], NULL, work, &job[n]), 0);
    for (int n = 0; n < 4; n++) pthread_join(thread[n], NULL);
    for (int n = 0; n < 4; n++) {
        assert_int_equal(job[n].status, MN_OK);
        assert_true(job[n].hash == alone[n%2].hash);
    }
}

// ---- progress and cancel ---------------------------------------------------------------------------------------------------

typedef struct Watch {
    mn_sim* sim;
    int calls, stop_after, cancel_after;
} Watch;

static bool watch(void* user, const mn_progress* p)
{
    Watch* w = user;
    mn_liquid q;
    assert_true(p->time > 0 && p->dt > 0 && p->liquids == 2 && p->wall_seconds >= 0);
    CHECK_OK(mn_sim_liquid(w->sim, 0, &q));                        // looking is fine
    assert_int_equal(mn_sim_step(w->sim, 1e-4), MN_BAD_ARGUMENT);  // changing is not
    assert_int_equal(mn_sim_set(w->sim, "cfl=1"), MN_BAD_ARGUMENT);
    assert_int_equal(mn_sim_set_gravity(w->sim, (double[3]){0}), MN_BAD_ARGUMENT);
    if (++w->calls == w->cancel_after) mn_sim_cancel(w->sim);
    return w->calls != w->stop_after;
}

static void test_progress_and_cancel(void** state)
{
    (void)state;
    Watch w = {.stop_after = 3};
    CHECK_OK(mn_sim_open_with(&w.sim, &(mn_sim_options){.text = drop, .progress = watch, .user = &w}));
    assert_int_equal(mn_sim_advance(w.sim, 0.01), MN_STOPPED);
    assert_int_equal(w.calls, 3);
    assert_int_equal(mn_sim_steps(w.sim), 3);
    w.cancel_after = 5;
    assert_int_equal(mn_sim_advance(w.sim, 0.01), MN_STOPPED);
    assert_int_equal(mn_sim_steps(w.sim), 5);
    mn_sim_cancel(w.sim);  // before the call
    assert_int_equal(mn_sim_step(w.sim, 1e-4), MN_STOPPED);
    CHECK_OK(mn_sim_step(w.sim, 1e-4));
    assert_int_equal(mn_sim_steps(w.sim), 7);
    mn_sim_close(w.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force),
        cmocka_unit_test(test_push),
        cmocka_unit_test(test_held_under_water),
        cmocka_unit_test(test_pose),
        cmocka_unit_test(test_pose_in_3d),
        cmocka_unit_test(test_gravity),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_several_at_once),
        cmocka_unit_test(test_progress_and_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
