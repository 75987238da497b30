// Bodies and liquid that are their own mirror image from front to back stay that: nothing prefers the low or the high side of the
// grid. (Rows were held to solids one after the other, each reading what the one before had been given; balls of 3 cells had
// edges on one side; a line was counted by cells, with those that it touched by rounding.) What differs is what the solver leaves
// and what cells cut in two different ways make of it.
#include "check.h"
#include "scene/scene_sim.h"

// 0.7 mm cells, 31 of them from front to back: two balls of 2.5 cells and a rod of 1.1 that lies across the middle fall into
// water.
static const char* const SCENE =
    "local function ball(z) return sphere { center = { mm(10.1), mm(6.9), mm(z) }, radius = mm(1.75), density = 900,\n"
    "    contact_angle = degrees(110), velocity = { 0, -0.1, 0 } } end\n"
    "return scene { title = 'mirror', domain = { size = { mm(16.8), mm(12.6), mm(21.7) }, cells = 24, sides = { top = 'open' } "
    "},\n"
    "  liquids = { pool { depth = mm(5.37) } },\n"
    "  bodies = { ball(6), ball(15.7), capsule { from = { mm(5), mm(6), mm(7.35) }, to = { mm(5), mm(6), mm(14.35) },\n"
    "    radius = mm(0.4), density = 600, contact_angle = degrees(150), velocity = { 0, -0.1, 0 } } },\n"
    "  numerics = { tolerance = 1e-10 }, frames = { rate = 100, count = 10 } }\n";

// Of phi in and beside the liquid and outside solids, in cells.
static double differs(const Liquid* q, int cells)
{
    const Window* w = &q->w;
    double most = 0;
    for (int r = 0; r < q->spans.rows; r++) {
        int j = r%q->spans.rows_y, k = r/q->spans.rows_y, image = cells - k - 2*w->lo[2];
        if (image < 0 || image > w->n[2]) continue;
        SPAN_LOOP(&q->spans, r, m)
            for (int i = q->spans.span[m].i0; i < q->spans.span[m].i1; i++) {
                ptrdiff_t here = window_at(w, i, j, k), there = window_at(w, i, j, image);
                if (q->phi.v[here] > 2*w->dx || q->phi_solid.v[here] < 0) continue;
                most = fmax(most, fabs(q->phi.v[here] - q->phi.v[there])/w->dx);
            }
    }
    return most;
}

static void test_a_pair_and_a_rod(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    CHECK_OK(scene_load_text(&scene, "mirror", SCENE));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_start(&sim));
    for (int step = 1; step <= 2; step++) {
        CHECK_OK(sim_step(&sim, 1));
        const Solid* body = sim.world.solids.solid;
        double apart = fabs(body[0].velocity[2] + body[1].velocity[2]), up = fabs(body[0].velocity[1] - body[1].velocity[1]);
        double turn = fmax(fabs(body[2].spin[0]), fabs(body[2].spin[1]))*7e-3, phi = differs(&sim.world.liquid[0], 31);
        print_message("step %d: phi %.1e cells, balls %.1e and %.1e m/s, rod %.1e and %.1e m/s\n", step, phi, apart, up,
                      fabs(body[2].velocity[2]), turn);
        CHECK_LESS(phi, 1e-6);              // 3e-3 when rows read each other
        CHECK_LESS(fmax(apart, up), 1e-5);  // of 0.1
        CHECK_LESS(fmax(fabs(body[2].velocity[2]), turn), 1e-5);
    }
    sim_free(&sim), scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_pair_and_a_rod)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
