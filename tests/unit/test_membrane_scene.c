// Liquids whose surface is a mesh, in scenes: what is read and refused, what others read of them, undoing, merging, walls.
#include "scene_text.h"

#include "base/vec.h"
#include "liquid/momentum.h"
#include "membrane/membrane_outline.h"
#include "membrane/membrane_partner.h"
#include "scene/scene_sim.h"
#include "step/sim.h"

#define MESHED ", surface = \"membrane\" }"
#define NO_WEIGHT "gravity = { 0, 0 }"

static void unfit(const char* domain, const char* liquids, const char* top, const char* part)
{
    Scene s;
    check_message(load_parts(&s, domain, liquids, top), MN_UNSUPPORTED, part);
}

static void test_wrong_values(void** state)
{
    (void)state;
    const char* ball = "sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2, ";
    char text[400];
    const char* wrong[][2] = {
        {"surface = \"mesh\" }", "liquids[1].surface: expected \"levelset\" or \"membrane\", got the text \"mesh\""},
        {"membrane = {} }", "liquids[1].membrane: means something only with surface = \"membrane\""},
        {"surface = \"membrane\", membrane = { edges = 1 } }", "liquids[1].membrane.edges: unknown key; did you mean 'edge'?"},
        {"surface = \"membrane\", membrane = { edge = 1 } }", "liquids[1].membrane.edge: expected a length in metres from"},
        {"surface = \"membrane\", membrane = { thickness = 1 } }",
         "liquids[1].membrane.thickness: expected a length in metres from"},
        {"surface = \"membrane\", membrane = { topology = \"split\" } }",
         "liquids[1].membrane.topology: expected \"levelset\" or"},
    };
    for (int m = 0; m < 6; m++) {
        snprintf(text, sizeof text, "%s%s", ball, wrong[m][0]);
        bad_liquid(text, wrong[m][1]);
    }
}

static void test_wrong_company(void** state)
{
    (void)state;
    const char *pool = "pool { depth = 0.3" MESHED, *ball = "sphere { center = { 1, 0.7 }, radius = 0.1 }";
    char text[300];
    snprintf(text, sizeof text, "solids = { %s }", ball);
    unfit(BOX2, pool, text, "solids[1].contact_angle: surface = \"membrane\" carries what it does not wet");
    unfit(BOX2, pool, "bodies = { sphere { center = { 1, 0.7 }, radius = 0.1, density = 500 } }",
          "bodies[1].contact_angle: surface = \"membrane\" carries what it does not wet; expected contact_angle = 180");
    unfit(BOX2, pool, "sources = { sphere { center = { 1, 0.7 }, radius = 0.1, rate = 0.1 } }", "sources: cannot be combined");
    unfit(BOX2 ", sides = { top = \"open\" }", pool, "", "domain.sides: open sides cannot be combined");
    unfit(BOX2 ", contact_angle = 1", pool, "", "domain.contact_angle: surface = \"membrane\" meets walls at 90 degrees");
    unfit(BOX2, pool, "merge = \"hold\"", "merge: air films cannot be combined with surface = \"membrane\" yet");
    unfit(BOX2, "pool { depth = 0.3, material = water { contact_angle = 1 }" MESHED, "",
          "liquids[1].material: surface = \"membrane\"");
}

// ---- runs -------------------------------------------------------------------------------------------------------------------

typedef struct Run {
    Scene scene;
    Sim sim;
} Run;

static void start(Run* r, const char* domain, const char* liquids, const char* top)
{
    CHECK_OK(load_parts(&r->scene, domain, liquids, top));
    CHECK_OK(scene_build(&r->sim, &r->scene));
    CHECK_OK(sim_start(&r->sim));
}

static void finish(Run* r)
{
    sim_free(&r->sim);
    scene_free(&r->scene);
}

// A pool at any level rests: with its weight as a force on its surface, to rounding of sqrt(g dx) = 0.01 * 9.81^1/2.
static void rests(const char* domain, const char* gravity)
{
    Run r;
    start(&r, domain, "pool { depth = 0.3137" MESHED, gravity);
    for (int m = 0; m < 5; m++) CHECK_OK(sim_step(&r.sim, 1));
    double speed = liquid_max_speed(&r.sim.world.liquid[0]);
    print_message("pool: %.2g m/s after 5 steps\n", speed);
    CHECK_LESS(speed, 1e-12);
    finish(&r);
}

static void test_pool_rests(void** state)
{
    (void)state;
    rests(BOX2, "");
    rests(BOX3, "");
}

// What is read of a ball of R = 10 cells is that of its mesh: the volume to rounding, phi to the chords' error, which is below
// edge^2/(8 R) = 0.005 cells for edges of 0.6 cells, vertices lying on the ball.
static void ball_is_read(const char* domain, const char* liquid, const double center[3], double dx)
{
    Run r;
    start(&r, domain, liquid, "");
    const Liquid* q = &r.sim.world.liquid[0];
    const MembraneMesh* mesh = membrane_mesh_of(&r.sim.world, q);
    assert_non_null(mesh);
    assert_null(membrane_find_fault(mesh));
    CHECK_CLOSE(q->cells.volume, membrane_volume(mesh), 1e-13);
    CHECK_CLOSE(q->cells.surface, membrane_area(mesh), 1e-12);
    CHECK_CLOSE(q->cells.volume, q->w.dim == 3 ? 4*PI/3*pow(10*dx, 3) : PI*100*dx*dx, 3e-3);
    double worst = 0;
    for (int k = 0; k < window_node_layers(&q->w); k++)
        for (int j = 0; j <= q->w.n[1]; j++)
            for (int i = 0; i <= q->w.n[0]; i++) {
                double x[3], phi = q->phi.v[window_at(&q->w, i, j, k)];
                window_position(x, &q->w, i, j, k);
                vec_sub(x, x, center);
                if (fabs(phi) < liquid_band(q)) worst = fmax(worst, fabs(phi - (vec_norm(x) - 10*dx)));
                else CHECK_TRUE((phi < 0) == (vec_norm(x) < 10*dx));
            }
    print_message("%dD ball: phi off by %.2g cells at most, volume by %.2g\n", q->w.dim, worst/dx,
                  q->cells.volume/(q->w.dim == 3 ? 4*PI/3*pow(10*dx, 3) : PI*100*dx*dx) - 1);
    CHECK_LESS(worst, 0.01*dx);
    finish(&r);
}

static void test_ball_is_read(void** state)
{
    (void)state;
    ball_is_read("size = { 1, 1 }, cells = 40", "sphere { center = { 0.503, 0.49 }, radius = 0.25" MESHED,
                 (double[]){0.503, 0.49, 0}, 0.025);
    ball_is_read("size = { 1, 1, 1 }, cells = 40", "sphere { center = { 0.503, 0.49, 0.5 }, radius = 0.25" MESHED,
                 (double[]){0.503, 0.49, 0.5}, 0.025);
}

// The mesh of files is closed: its area vectors add up to nothing, and it holds the volume of the liquid.
static void is_closed(const char* domain, const char* liquid)
{
    Run r;
    SurfaceMesh mesh = {.corners = strstr(domain, "size = { 1, 1, 1 }") ? 3 : 2};
    start(&r, domain, liquid, "");
    const Liquid* q = &r.sim.world.liquid[0];
    CHECK_OK(membrane_add_outline(&mesh, membrane_mesh_of(&r.sim.world, q), q, &r.sim.scratch));
    double sum[3] = {0, 0, 0};
    for (int f = 0; f < mesh.face_count; f++) {
        const int* c = mesh.face + mesh.corners*f;
        double ab[3], ac[3], n[3] = {0, 0, 0};
        vec_sub(ab, mesh.position[c[1]], mesh.position[c[0]]);
        if (mesh.corners == 3) {
            vec_sub(ac, mesh.position[c[2]], mesh.position[c[0]]);
            vec_cross(n, ab, ac);
        } else n[0] = ab[1], n[1] = -ab[0];
        for (int d = 0; d < 3; d++) sum[d] += n[d];
    }
    CHECK_WITHIN(vec_norm(sum), 0, 1e-12);
    CHECK_CLOSE(surfacemesh_volume(&mesh), q->cells.volume, 1e-12);
    surfacemesh_free(&mesh);
    finish(&r);
}

static void test_outline_is_closed(void** state)
{
    (void)state;
    const char* const flat[] = {"pool { depth = 0.3137", "sphere { center = { 1, 0.5 }, radius = 0.2",
                                "sphere { center = { 0, 0 }, radius = 0.4", "sphere { center = { 1, 1 }, radius = 0.4",
                                "difference { pool { depth = 0.6 }, sphere { center = { 0, 0.3 }, radius = 0.15 }"};
    const char* const solid[] = {
        "pool { depth = 0.3137", "sphere { center = { 0.5, 0.5, 0 }, radius = 0.3", "sphere { center = { 0, 0, 1 }, radius = 0.4",
        "union { pool { depth = 0.2 }, sphere { center = { 0.5, 1, 0.5 }, radius = 0.3 }",
        "difference { pool { depth = 0.7 }, sphere { center = { 0, 0.35, 0.5 }, radius = 0.2 }, sphere { center = { "
        "0.5, 0, 0.6 }, radius = 0.25 }, sphere { center = { 0.5, 0.4, 0 }, radius = 0.2 }"};
    char text[300];
    for (int m = 0; m < 5; m++) {
        snprintf(text, sizeof text, "%s" MESHED, flat[m]);
        is_closed(BOX2, text);
        snprintf(text, sizeof text, "%s" MESHED, solid[m]);
        is_closed(BOX3, text);
    }
}

// A step that is taken back and done again leaves the same state, to the last bit.
static void test_undo(void** state)
{
    (void)state;
    Run r;
    start(&r, BOX2, "pool { depth = 0.3" MESHED ", ellipsoid { center = { 1, 0.7 }, radii = { 0.2, 0.1 }" MESHED, "");
    for (int m = 0; m < 3; m++) CHECK_OK(sim_step(&r.sim, 1e-2));
    uint64_t before = world_hash(&r.sim.world, &r.sim.model.tank);
    CHECK_OK(sim_step(&r.sim, 1e-3));
    uint64_t after = world_hash(&r.sim.world, &r.sim.model.tank);
    CHECK_TRUE(before != after);
    CHECK_OK(sim_undo_step(&r.sim));
    CHECK_TRUE(world_hash(&r.sim.world, &r.sim.model.tank) == before);
    CHECK_OK(sim_step(&r.sim, 1e-3));
    CHECK_TRUE(world_hash(&r.sim.world, &r.sim.model.tank) == after);
    finish(&r);
}

// A drop that swings and flies keeps its momentum, but for its weight, and its volume to rounding; its energy does not rise.
static void test_free_drop(void** state)
{
    (void)state;
    Run r;
    start(&r, "size = { 1, 1 }, cells = 48",
          "ellipsoid { center = { 0.4, 0.6 }, radii = { 0.2, 0.13 }, velocity = { 0.02, 0.01 }" MESHED,
          "gravity = { 0.001, -0.002 }");
    double first[3], now[3];
    const Liquid* q = &r.sim.world.liquid[0];
    CHECK_OK(momentum_total(first, q, &r.sim.scratch));
    for (int m = 0; m < 40; m++) CHECK_OK(sim_step(&r.sim, 1));
    q = &r.sim.world.liquid[0];
    CHECK_OK(momentum_total(now, q, &r.sim.scratch));
    double mass = q->material.rho*q->target_volume, t = r.sim.world.time;
    for (int d = 0; d < 2; d++) CHECK_WITHIN(now[d]/mass, first[d]/mass + t*r.sim.model.settings.gravity[d], 1e-12);
    const EnergyBooks* books = &r.sim.world.energy;
    print_message("free drop: %g s, ledger %.2g, gain of energy %.3g of %.3g J/m\n", t, sim_ledger_error(&r.sim), books->gain,
                  books->most);
    CHECK_WITHIN(sim_ledger_error(&r.sim), 0, 1e-10);
    // what moves is known to a hundredth of it: kinetic energy is that of cells, from the means over their faces
    CHECK_LESS(books->gain, 0.02*r.sim.report.energy.after.kinetic);
    CHECK_WITHIN(books->taken, 0, 0);
    assert_int_equal(r.sim.undone.gained, 0);
    finish(&r);
}

// Where its mesh meets another liquid or a wall it goes on as a level set, with all of its volume; or stops, where it is told to.
static void falls(const char* membrane, bool ends)
{
    Run r;
    char liquids[300];
    snprintf(liquids, sizeof liquids,
             "pool { depth = 0.2, surface = \"membrane\" }, sphere { center = { 1, 0.5 }, radius = 0.15, velocity = { 0, -1 }, "
             "surface = \"membrane\"%s }",
             membrane);
    start(&r, BOX2, liquids, NO_WEIGHT);
    mn_status status = MN_OK;
    for (int m = 0; m < 200 && status == MN_OK && r.sim.world.liquid_count > 1; m++) status = sim_step(&r.sim, 0.01);
    check_message(status, ends ? MN_STEP_FAILED : MN_OK, ends ? "has met another liquid, which its mesh cannot follow" : "");
    if (!ends) {
        assert_int_equal(r.sim.world.liquid_count, 1);
        assert_null(membrane_mesh_of(&r.sim.world, &r.sim.world.liquid[0]));
        CHECK_WITHIN(sim_ledger_error(&r.sim), 0, 1e-9);
    }
    finish(&r);
}

static void test_meets_liquid(void** state)
{
    (void)state;
    falls("", false);
    falls(", membrane = { topology = \"stop\" }", true);
}

static void test_meets_wall(void** state)
{
    (void)state;
    Run r;
    start(&r, BOX2, "sphere { center = { 1, 0.3 }, radius = 0.15, velocity = { 0, -1 }" MESHED, NO_WEIGHT);
    for (int m = 0; m < 60; m++) CHECK_OK(sim_step(&r.sim, 0.01));
    assert_null(membrane_mesh_of(&r.sim.world, &r.sim.world.liquid[0]));
    CHECK_WITHIN(sim_ledger_error(&r.sim), 0, 1e-9);
    finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_values), cmocka_unit_test(test_wrong_company),     cmocka_unit_test(test_pool_rests),
        cmocka_unit_test(test_ball_is_read), cmocka_unit_test(test_outline_is_closed), cmocka_unit_test(test_undo),
        cmocka_unit_test(test_free_drop),    cmocka_unit_test(test_meets_liquid),      cmocka_unit_test(test_meets_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
