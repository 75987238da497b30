// The library as another program uses it: what it lends (fields, layers, numbers), how long, and probes.
#include "folder.h"
#include "meniscus.h"

// A still disc of water, 2 mm in radius, 16 cells, in the air without weight; it moves at 0.02 m/s along x.
static const char disc[] =
    "return scene { title = 'disc', domain = { size = { mm(8), mm(8) }, cells = 64 }, gravity = { 0, 0 },\n"
    "  frames = { rate = 500, count = 3 }, numerics = { max_dt = 2e-4 },\n"
    "  probes = { { name = 'middle', kind = 'pressure', at = { mm(4), mm(4) } },\n"
    "             { name = 'wind', kind = 'velocity', at = { mm(4), mm(4) } } },\n"
    "  liquids = { sphere { name = 'drop', center = { mm(4), mm(4) }, radius = mm(2), velocity = { 0.02, 0 } } } }\n";

static mn_sim* open_text(const char* text)
{
    mn_sim* sim;
    CHECK_OK(mn_sim_open_with(&sim, &(mn_sim_options){.text = text}));
    return sim;
}

static double value(const mn_field* f, int i, int j) { return f->data[i*f->stride[0] + j*f->stride[1]]; }

// Near its surface the distance is hypot(x - c) - R at every corner of a cell, and the velocity of all faces is what the scene says.
static void test_fields(void** state)
{
    (void)state;
    mn_sim* sim = open_text(disc);
    mn_field phi, u, v, p;
    CHECK_OK(mn_sim_field(sim, 0, MN_DISTANCE, &phi));
    CHECK_OK(mn_sim_field(sim, 0, MN_VELOCITY_X, &u));
    CHECK_OK(mn_sim_field(sim, 0, MN_VELOCITY_Y, &v));
    CHECK_OK(mn_sim_field(sim, 0, MN_PRESSURE, &p));
    double dx = phi.spacing;
    CHECK_CLOSE(dx, 8e-3/64, 1e-12);
    assert_int_equal(phi.size[0], p.size[0] + 1);
    assert_int_equal(phi.size[2], 1);
    CHECK_CLOSE(u.origin[1] - phi.origin[1], dx/2, 1e-9);
    CHECK_WITHIN(u.origin[0] - phi.origin[0], 0, 1e-15);
    CHECK_CLOSE(p.origin[0] - phi.origin[0], dx/2, 1e-9);
    int near = 0;
    for (int j = 0; j < phi.size[1]; j++)
        for (int i = 0; i < phi.size[0]; i++) {
            double x = phi.origin[0] + i*dx, y = phi.origin[1] + j*dx, exact = hypot(x - 4e-3, y - 4e-3) - 2e-3;
            if (fabs(exact) > 3*dx) continue;
            near++;
            CHECK_WITHIN(value(&phi, i, j), exact, 0.05*dx);
            if (exact > 0 || i == u.size[0] - 1 || j == u.size[1] - 1) continue;
            CHECK_WITHIN(value(&u, i, j), 0.02, 1e-5);
            CHECK_WITHIN(value(&v, i, j), 0, 1e-5);
        }
    assert_true(near > 500);
    mn_sim_close(sim);
}

// Laplace: the pressure in a drop is sigma/R in 2D; by the field, by a probe of the scene and by one of our own.
static void test_pressure(void** state)
{
    (void)state;
    mn_sim* sim = open_text(disc);
    CHECK_OK(mn_sim_advance(sim, 1e-3));
    mn_field p;
    mn_probe middle, wind;
    double exact = 0.0728/2e-3, mine[2], points[2][3] = {{4e-3, 4e-3}, {7.5e-3, 7.5e-3}}, u[6];
    CHECK_OK(mn_sim_field(sim, 0, MN_PRESSURE, &p));
    int i = (int)lround((4e-3 - p.origin[0])/p.spacing), j = (int)lround((4e-3 - p.origin[1])/p.spacing);
    CHECK_CLOSE(value(&p, i, j), exact, 0.02);
    assert_int_equal(mn_sim_probes(sim), 2);
    CHECK_OK(mn_sim_probe(sim, 0, &middle));
    CHECK_OK(mn_sim_probe(sim, 1, &wind));
    assert_string_equal(middle.name, "middle");
    assert_int_equal(wind.kind, MN_PROBE_VELOCITY);
    CHECK_CLOSE(middle.value[0], exact, 0.02);
    CHECK_CLOSE(wind.value[0], 0.02, 0.01);
    CHECK_OK(mn_sim_measure(sim, MN_PROBE_PRESSURE, 2, (const double(*)[3])points, mine));
    assert_true(mine[0] == middle.value[0] && mine[1] == 0);
    CHECK_OK(mn_sim_measure(sim, MN_PROBE_VELOCITY, 2, (const double(*)[3])points, u));
    assert_true(u[0] == wind.value[0] && isnan(u[3]));
    CHECK_OK(mn_sim_measure(sim, MN_PROBE_HEIGHT, 2, (const double(*)[3])points, mine));
    CHECK_WITHIN(mine[0], 6e-3, 2e-5);
    assert_true(isnan(mine[1]));
    mn_sim_close(sim);
}

// The surface as edges: as long as the disc's rim, all normals outwards, every point of the one liquid and as fast as it.
static void test_layers(void** state)
{
    (void)state;
    mn_sim* sim = open_text(disc);
    int count, seen = 0;
    mn_liquid drop;
    CHECK_OK(mn_sim_liquid(sim, 0, &drop));
    assert_string_equal(mn_sim_liquid_name(sim, 0), "drop");
    CHECK_OK(mn_sim_layers(sim, &count));
    for (int n = 0; n < count; n++) {
        mn_layer surface;
        CHECK_OK(mn_sim_layer(sim, n, &surface));
        if (strcmp(surface.name, "surface")) continue;
        assert_int_equal(surface.corners, 2);
        double length = 0;
        for (int e = 0; e < surface.elements; e++) {
            const float *a = surface.position + 3*surface.element[2*e],
                        *b = surface.position + 3*surface.element[2*e + 1];
            length += hypot(b[0] - a[0], b[1] - a[1]);
        }
        CHECK_CLOSE(length, 2*M_PI*2e-3, 0.005);
        for (int a = 0; a < surface.attributes; a++) {
            mn_attribute t;
            CHECK_OK(mn_sim_attribute(sim, n, a, &t));
            for (int i = 0; i < surface.points; i++) {
                const float* x = surface.position + 3*i;
                if (!strcmp(t.name, "liquid")) assert_int_equal(t.whole[i], drop.id);
                if (!strcmp(t.name, "velocity")) CHECK_WITHIN(t.real[3*i], 0.02, 1e-4);
                if (!strcmp(t.name, "normal"))
                    assert_true((x[0] - 4e-3)*t.real[3*i] + (x[1] - 4e-3)*t.real[3*i + 1] > 0.95*2e-3);
            }
            seen += !strcmp(t.name, "liquid") || !strcmp(t.name, "velocity") || !strcmp(t.name, "normal");
        }
    }
    assert_int_equal(seen, 3);
    mn_sim_close(sim);
}

// A row of the table, by name.
static double number(mn_sim* sim, const char* name)
{
    int count;
    const char* const* names;
    const double* values;
    CHECK_OK(mn_sim_numbers(sim, &count, &names, &values));
    for (int n = 0; n < count; n++)
        if (!strcmp(names[n], name)) return values[n];
    fail_msg("no number \"%s\"", name);
    return 0;
}

static void test_numbers(void** state)
{
    (void)state;
    mn_sim* sim = open_text(disc);
    CHECK_OK(mn_sim_advance(sim, 1e-3));
    assert_true(number(sim, "t") == 1e-3);
    assert_true(number(sim, "step") == mn_sim_steps(sim));
    CHECK_CLOSE(number(sim, "volume"), M_PI*4e-6, 0.005);
    CHECK_CLOSE(number(sim, "surface_energy"), 0.0728*2*M_PI*2e-3, 0.01);
    CHECK_CLOSE(number(sim, "kinetic_energy"), 0.5*998.2*M_PI*4e-6*0.02*0.02, 0.02);
    mn_sim_close(sim);
}

// What is held stays as it was, over steps and over the end of the simulation; what is not held costs nothing; and looking does not
// change what the simulation does.
static void test_holds(void** state)
{
    (void)state;
    mn_sim *watched = open_text(disc), *alone = open_text(disc);
    CHECK_OK(mn_sim_advance(watched, 1e-3));
    CHECK_OK(mn_sim_advance(alone, 1e-3));
    mn_field phi, later, p;
    mn_layer layer;
    mn_hold *hold, *last;
    CHECK_OK(mn_sim_field(watched, 0, MN_DISTANCE, &phi));
    CHECK_OK(mn_sim_field(watched, 0, MN_PRESSURE, &p));
    CHECK_OK(mn_sim_hold(watched, &hold));
    CHECK_OK(mn_sim_layer(watched, 0, &layer));  // borrowed after the hold: of the same moment
    size_t bytes = sizeof(double)*(size_t)(phi.stride[1]*(phi.size[1] - 1) + phi.size[0]);
    double* before = malloc(bytes);
    float first = layer.position[0];
    memcpy(before, phi.data, bytes);
    for (int step = 0; step < 5; step++) {
        CHECK_OK(mn_sim_step(watched, 2e-4));
        CHECK_OK(mn_sim_step(alone, 2e-4));
        CHECK_OK(mn_sim_field(watched, 0, MN_DISTANCE, &later));
        CHECK_OK(mn_sim_hold(watched, &last));
        if (step < 4) mn_release(last);
    }
    assert_true(mn_sim_hash(watched) == mn_sim_hash(alone));
    assert_memory_equal(before, phi.data, bytes);
    assert_true(later.data != phi.data);
    double moved = later.data[0], pressure = p.data[0];
    mn_sim_close(watched);
    mn_sim_close(alone);
    assert_memory_equal(before, phi.data, bytes);
    assert_true(layer.position[0] == first && later.data[0] == moved && p.data[0] == pressure);
    mn_release(hold);
    mn_release(last);
    mn_release(NULL);
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),  cmocka_unit_test(test_pressure), cmocka_unit_test(test_layers),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
