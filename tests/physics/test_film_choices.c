// The film as the paper has it, for comparison (docs/film.md, "As the paper does it"): air cells from the graph of closest pieces
// of surface, conductance by the thickness at the edge, tension as a force on a band.
#include "check.h"
#include <math.h>
#include "film/film_partner.h"
#include "base/vec.h"
#include "scene/scene_sim.h"

static const double R = 0.1706e-3, V = 0.243, RHO = 762, SIGMA = 26.56e-3;

// Two drops of tetradecane in 2D, R = 8.2 dx, 2.5 R apart.
static void open_drops(Sim* sim, Scene* scene, const char* film, const char* numerics)
{
    char text[1500];
    snprintf(
        text, sizeof text,
        "local R, V = %.17g, %.17g\n"
        "local t = material { rho = %.17g, sigma = %.17g, mu = 2.1e-3 }\n"
        "return scene { domain = { size = { 1.25e-3, 0.75e-3 }, cells = 60 }, gravity = { 0, 0 },\n"
        "  liquids = { sphere { center = { 0.625e-3 - 1.25*R, 0.375e-3 }, radius = R, velocity = { V, 0 }, material = t },\n"
        "              sphere { center = { 0.625e-3 + 1.25*R, 0.375e-3 }, radius = R, velocity = { -V, 0 }, material = t } },\n"
        "  merge = 'hold', film = { %s }, numerics = { %s }, frames = { rate = 1000, count = 2 } }\n",
        R, V, RHO, SIGMA, film, numerics);
    CHECK_OK(scene_load_text(scene, "drops.lua", text));
    CHECK_OK(scene_build(sim, scene));
    CHECK_OK(sim_start(sim));
}

typedef struct Met {
    double contact, restitution;  // t_c; of V
} Met;

static Met meet(const char* film, const char* numerics)
{
    Sim sim;
    Scene scene;
    Met out;
    double first = -1, last = 0, t_c = sqrt(RHO*R*R*R/SIGMA);
    open_drops(&sim, &scene, film, numerics);
    while (sim.world.time < 1.6e-3) {
        CHECK_OK(sim_step_towards(&sim, 1.6e-3));
        CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-11);
        if (!(film_of(&sim.world)->report.most_pressure > 20)) continue;
        if (first < 0) first = sim.world.time;
        last = sim.world.time;
    }
    LiquidState s = liquid_state(&sim.world.liquid[0], &sim.scratch);
    out.contact = (last - first)/t_c, out.restitution = -s.velocity[0]/V;
    assert_int_equal(sim.world.liquid_count, 2);
    print_message("%s; %s: contact %.2f t_c, restitution %.3f\n", film, numerics, out.contact, out.restitution);
    sim_free(&sim);
    scene_free(&scene);
    return out;
}

// Groups of pieces cover the film that the ridge covers, and hand on the same force: in the course of a contact (0.3 to 0.4 ms)
// drops lose the same speed within 5 %. Areas of groups are half of both surfaces, which lean away from the ridge, by 46 degrees
// at the rim, where the film is 5 cells thick: they are larger, by less than 1/cos 46 - 1 = 0.44, which holds at the rim alone.
static void test_graph_is_the_same_film(void** state)
{
    (void)state;
    Sim sim;
    Scene scene;
    double area[2], slowed[2];
    int cells[2];
    for (int m = 0; m < 2; m++) {
        open_drops(&sim, &scene, m == 0 ? "" : "build = 'graph'", "tension_steps = 1");
        CHECK_OK(sim_advance(&sim, 0.3e-3));
        slowed[m] = liquid_state(&sim.world.liquid[0], &sim.scratch).velocity[0];
        arena_reset(&sim.scratch);
        CHECK_OK(sim_advance(&sim, 0.4e-3));
        slowed[m] -= liquid_state(&sim.world.liquid[0], &sim.scratch).velocity[0];
        area[m] = film_of(&sim.world)->report.area, cells[m] = film_of(&sim.world)->record.count;
        for (int c = 0; c < film_of(&sim.world)->record.count; c++) {
            const FilmPiece* f = &film_of(&sim.world)->record.piece[c];
            if (f->thickness < sim.model.tank.dx) CHECK_LESS(fabs(f->x[0] - 0.625e-3), 0.5*sim.model.tank.dx);
        }
        sim_free(&sim);
        scene_free(&scene);
    }
    print_message("ridge: %d cells, area %.4g m, slowed by %.4f m/s; graph: %d cells, %.4g m, %.4f m/s\n", cells[0], area[0],
                  slowed[0], cells[1], area[1], slowed[1]);
    CHECK_LESS(1, area[1]/area[0]);
    CHECK_LESS(area[1]/area[0], 1.25);
    CHECK_CLOSE(slowed[1], slowed[0], 0.05);
}

// With the paper's air cells and conductances drops bounce as with ours (docs/validation/targets.md, head-on collision: 2.3 to
// 3.2 t_c, restitution 0.4 to 0.9).
static void test_graph_bounces(void** state)
{
    (void)state;
    Met m = meet("build = 'graph', conductance = 'edge'", "tension_steps = 1");
    CHECK_WITHIN(m.contact, 2.75, 0.45);
    CHECK_WITHIN(m.restitution, 0.65, 0.25);
}

// A band force slows waves of some twenty cells by a fifth (docs/tension.md), and so lengthens the contact.
static void test_band_force_lengthens_contact(void** state)
{
    (void)state;
    Met jump = meet("", "tension_steps = 1"), band = meet("", "tension = 'csf', tension_steps = 1");
    CHECK_WITHIN(jump.contact, 2.75, 0.45);
    CHECK_WITHIN(band.contact/jump.contact, 1.27, 0.17);
    CHECK_WITHIN(band.restitution, 0.65, 0.25);
}

// Implicit tension beside a film, in steps of five capillary times: the head-on collision again.
static void test_implicit_beside_film(void** state)
{
    (void)state;
    Met m = meet("", "tension = 'implicit', tension_steps = 5");
    CHECK_WITHIN(m.contact, 2.75, 0.45);
    CHECK_WITHIN(m.restitution, 0.65, 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_is_the_same_film),
        cmocka_unit_test(test_graph_bounces),
        cmocka_unit_test(test_band_force_lengthens_contact),
        cmocka_unit_test(test_implicit_beside_film),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
