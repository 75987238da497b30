// The library in clumsy hands: NULL everywhere, numbers that are none, calls in any order. Nothing crashes, what is wrong is told,
// and the simulation still works.
#include "dice.h"
#include "folder.h"
#include "meniscus.h"

static const char small[] =
    "return scene { title = 'small', domain = { size = { mm(8), mm(8) }, cells = 16 }, frames = { rate = 500, count = 3 },\n"
    "  probes = { { name = 'middle', kind = 'pressure', at = { mm(4), mm(1) } } }, liquids = { pool { depth = mm(2) } },\n"
    "  bodies = { sphere { center = { mm(4), mm(5) }, radius = mm(1), density = 700 } } }\n";

#define CHECK_REFUSED(call) assert_int_equal(call, MN_BAD_ARGUMENT)

static mn_sim* open_small(void)
{
    mn_sim* sim;
    CHECK_OK(mn_sim_open_with(&sim, &(mn_sim_options){.text = small}));
    return sim;
}

static void test_no_simulation(void** state)
{
    (void)state;
    double v[3] = {0};
    int count;
    mn_field field;
    mn_layer layer;
    mn_attribute attribute;
    mn_liquid liquid;
    mn_body body;
    mn_probe probe;
    mn_hold* hold;
    void* bytes;
    size_t size;
    const char* const* names;
    const double* values;
    mn_sim* sim = (mn_sim*)v;
    CHECK_REFUSED(mn_run(NULL));
    CHECK_REFUSED(mn_run(&(mn_run_options){0}));
    CHECK_REFUSED(mn_sim_open(NULL, "x.lua"));
    CHECK_REFUSED(mn_sim_open(&sim, NULL));
    assert_null(sim);
    CHECK_REFUSED(mn_sim_open_with(&sim, NULL));
    CHECK_REFUSED(mn_sim_open_with(&sim, &(mn_sim_options){.text = small, .threads = -1}));
    CHECK_REFUSED(mn_sim_open_with(&sim, &(mn_sim_options){.text = small, .threads = 100000}));
    mn_sim_close(NULL), mn_release(NULL), mn_free(NULL), mn_sim_cancel(NULL);
    CHECK_REFUSED(mn_sim_step(NULL, 1));
    CHECK_REFUSED(mn_sim_advance(NULL, 1));
    assert_true(mn_sim_time(NULL) == 0 && mn_sim_ledger_error(NULL) == 0 && mn_sim_hash(NULL) == 0);
    assert_int_equal(mn_sim_steps(NULL) + mn_sim_dimensions(NULL) + mn_sim_liquids(NULL), 0);
    assert_int_equal(mn_sim_bodies(NULL) + mn_sim_probes(NULL), 0);
    assert_null(mn_sim_liquid_name(NULL, 0));
    CHECK_REFUSED(mn_sim_tank(NULL, v, NULL, NULL));
    CHECK_REFUSED(mn_sim_liquid(NULL, 0, &liquid));
    CHECK_REFUSED(mn_sim_hold(NULL, &hold));
    CHECK_REFUSED(mn_sim_field(NULL, 0, MN_DISTANCE, &field));
    CHECK_REFUSED(mn_sim_layers(NULL, &count));
    CHECK_REFUSED(mn_sim_layer(NULL, 0, &layer));
    CHECK_REFUSED(mn_sim_attribute(NULL, 0, 0, &attribute));
    CHECK_REFUSED(mn_sim_numbers(NULL, &count, &names, &values));
    CHECK_REFUSED(mn_sim_measure(NULL, MN_PROBE_HEIGHT, 1, (const double(*)[3])v, v));
    CHECK_REFUSED(mn_sim_probe(NULL, 0, &probe));
    CHECK_REFUSED(mn_sim_body(NULL, 0, &body));
    CHECK_REFUSED(mn_sim_set_body(NULL, 0, v, NULL, NULL, NULL));
    CHECK_REFUSED(mn_sim_force_body(NULL, 0, v, v));
    CHECK_REFUSED(mn_sim_push_body(NULL, 0, v, v));
    CHECK_REFUSED(mn_sim_gravity(NULL, v));
    CHECK_REFUSED(mn_sim_set_gravity(NULL, v));
    CHECK_REFUSED(mn_sim_set(NULL, "cfl=1"));
    CHECK_REFUSED(mn_sim_save(NULL, &bytes, &size));
    CHECK_REFUSED(mn_sim_load(NULL, v, sizeof v));
}

static void test_nowhere_to_put_it(void** state)
{
    (void)state;
    mn_sim* sim = open_small();
    int count;
    void* bytes;
    size_t size;
    const char* const* names;
    double v[3] = {0};
    CHECK_REFUSED(mn_sim_liquid(sim, 0, NULL));
    CHECK_REFUSED(mn_sim_hold(sim, NULL));
    CHECK_REFUSED(mn_sim_field(sim, 0, MN_DISTANCE, NULL));
    CHECK_REFUSED(mn_sim_layers(sim, NULL));
    CHECK_REFUSED(mn_sim_layer(sim, 0, NULL));
    CHECK_REFUSED(mn_sim_attribute(sim, 0, 0, NULL));
    CHECK_REFUSED(mn_sim_numbers(sim, &count, &names, NULL));
    CHECK_REFUSED(mn_sim_measure(sim, MN_PROBE_HEIGHT, 1, NULL, v));
    CHECK_REFUSED(mn_sim_measure(sim, MN_PROBE_HEIGHT, 1, (const double(*)[3])v, NULL));
    CHECK_REFUSED(mn_sim_probe(sim, 0, NULL));
    CHECK_REFUSED(mn_sim_body(sim, 0, NULL));
    CHECK_REFUSED(mn_sim_push_body(sim, 0, NULL, NULL));
    CHECK_REFUSED(mn_sim_gravity(sim, NULL));
    CHECK_REFUSED(mn_sim_set_gravity(sim, NULL));
    CHECK_REFUSED(mn_sim_set(sim, NULL));
    CHECK_REFUSED(mn_sim_save(sim, NULL, &size));
    CHECK_REFUSED(mn_sim_save(sim, &bytes, NULL));
    CHECK_REFUSED(mn_sim_load(sim, NULL, 0));
    CHECK_OK(mn_sim_tank(sim, NULL, NULL, NULL));
    CHECK_OK(mn_sim_set_body(sim, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(mn_sim_measure(sim, MN_PROBE_HEIGHT, 0, NULL, NULL));
    CHECK_OK(mn_sim_step(sim, 1e-4));
    mn_sim_close(sim);
}

// ---- calls in any order, with good and bad arguments -----------------------------------------------------------------------

enum { HOLDS = 4 };

typedef struct Hands {
    Dice dice;
    mn_sim* sim;
    mn_hold* hold[HOLDS];
    void* bytes;
    size_t size;
    int refused, done;
} Hands;

static int draw(Hands* h, int low, int high) { return low + (int)(dice_bits(&h->dice)%(uint64_t)(high - low + 1)); }

// Mostly sensible. Nothing is as long as 1e300 s: that is a time, and a call with it would not end.
static double draw_number(Hands* h, double scale)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -1e-300};
    return draw(h, 0, 15) ? dice_number(&h->dice, -scale, scale) : odd[draw(h, 0, 4)];
}

static const double* draw_vector(Hands* h, double out[4], double scale)
{
    for (int d = 0; d < 4; d++) out[d] = draw_number(h, scale);
    if (draw(h, 0, 3)) out[2] = 0;
    return draw(h, 0, 7) ? out : NULL;
}

static mn_status look(Hands* h, int call)
{
    mn_field field;
    mn_layer layer;
    mn_attribute attribute;
    mn_liquid liquid;
    mn_body body;
    mn_probe probe;
    const char* const* names;
    const double* values;
    double x[4], v[3];
    int count, n = draw(h, -1, 2);
    switch (call) {
    case 0:
        return mn_sim_field(h->sim, n, (mn_quantity)draw(h, -1, 5), &field);
    case 1:
        return mn_sim_layers(h->sim, &count);
    case 2:
        return mn_sim_layer(h->sim, n, &layer);
    case 3:
        return mn_sim_attribute(h->sim, n, draw(h, -1, 5), &attribute);
    case 4:
        return mn_sim_numbers(h->sim, &count, &names, &values);
    case 5:
        return mn_sim_measure(h->sim, (mn_probe_kind)draw(h, -1, 3), 1, (const double(*)[3])draw_vector(h, x, 0.01), v);
    case 6:
        return mn_sim_probe(h->sim, n, &probe);
    case 7:
        return mn_sim_body(h->sim, n, &body);
    default:
        return mn_sim_liquid(h->sim, n, &liquid);
    }
}

static mn_status change(Hands* h, int call)
{
    static const char* const settings[] = {"cfl=1", "cfl=0", "max_dt=1e-3", "slip=true", "tolerance=1e-5", "=", "max_dt=0"};
    double a[4], b[4], c[4], d[4];
    int n = draw(h, 0, 8) ? 0 : draw(h, -1, 2), k = draw(h, 0, HOLDS - 1);
    switch (call) {
    case 0:
        return mn_sim_step(h->sim, draw_number(h, 5e-4));
    case 1:
        return mn_sim_advance(h->sim, mn_sim_time(h->sim) + draw_number(h, 5e-4)*(draw(h, 0, 1) ? 1 : -1));
    case 2:
        return mn_sim_set_body(h->sim, n, draw_vector(h, a, 0.01), draw_vector(h, b, 1), draw_vector(h, c, 0.1),
                               draw_vector(h, d, 10));
    case 3:
        return mn_sim_force_body(h->sim, n, draw_vector(h, a, 1e-3), draw_vector(h, b, 1e-7));
    case 4:
        return mn_sim_push_body(h->sim, n, draw_vector(h, a, 1e-5), draw_vector(h, b, 0.01));
    case 5:
        return mn_sim_set_gravity(h->sim, draw_vector(h, a, 10));
    case 6:
        return mn_sim_set(h->sim, settings[draw(h, 0, 6)]);
    case 7:
        mn_free(h->bytes), h->bytes = NULL;
        return mn_sim_save(h->sim, &h->bytes, &h->size);
    case 8:
        return mn_sim_load(h->sim, h->bytes, draw(h, 0, 3) ? h->size : h->size/2);
    default:
        mn_release(h->hold[k]), h->hold[k] = NULL;
        return mn_sim_hold(h->sim, &h->hold[k]);
    }
}

static void test_any_order(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        Hands h = {.dice = dice_for(seed, 0), .sim = open_small()};
        for (int n = 0; n < 60; n++) {
            mn_status status = draw(&h, 0, 1) ? look(&h, draw(&h, 0, 8)) : change(&h, draw(&h, 0, 9));
            if (status == MN_OK) h.done++;
            else h.refused++, assert_true(strlen(mn_last_error()) > 0 && strchr(mn_last_error(), '\n') == NULL);
            assert_true(isfinite(mn_sim_time(h.sim)));
        }
        assert_true(h.done > 10 && h.refused > 5);
        mn_liquid pool;
        CHECK_OK(mn_sim_liquid(h.sim, 0, &pool));
        CHECK_CLOSE(pool.target_volume, 8e-3*2e-3, 0.1);
        if (seed%2) mn_sim_close(h.sim);
        for (int k = 0; k < HOLDS; k++) mn_release(h.hold[k]);
        if (seed%2 == 0) mn_sim_close(h.sim);
        mn_free(h.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_simulation),
        cmocka_unit_test(test_nowhere_to_put_it),
        cmocka_unit_test(test_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
