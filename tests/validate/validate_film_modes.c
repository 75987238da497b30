// Drops on shaken baths ([wang2023bouncing], 6.4 and 6.5; docs/validation/targets.md, (2,1) mode), from the quick scenes in
// scenes/film/: how often a drop hits the bath, and how far two drops are apart. Writes docs/validation/film_modes.md. With an
// argument it only runs each scene to that time (s) and writes no page: to see that it works.
#include <stdlib.h>
#include "page.h"
#include "film/film_partner.h"
#include "base/vec.h"
#include "scene/scene_sim.h"

typedef struct Shaken {
    Scene scene;
    Sim sim;
} Shaken;

static void shaken_start(Shaken* s, const char* name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/film/%s", MN_SCENES, name);
    s->sim = (Sim){0};
    CHECK_OK(scene_load(&s->scene, path, NULL));
    CHECK_OK(scene_build(&s->sim, &s->scene));
    CHECK_OK(sim_start(&s->sim));
}

static void shaken_end(Shaken* s)
{
    sim_free(&s->sim);
    scene_free(&s->scene);
}

// Upward velocity of the bath in the laboratory, m/s.
static double bath_velocity(const Scene* scene, double t)
{
    const double h = 1e-5;
    double a[3], b[3];
    CHECK_OK(scene_time_vector(a, scene, &scene->frame_position, t - h));
    CHECK_OK(scene_time_vector(b, scene, &scene->frame_position, t + h));
    return (b[1] - a[1])/(2*h);
}

enum { MOST_IMPACTS = 64, LAST = 5 };

// An impact: the film pressure passes 20 Pa after more than 4 ms below.
static int find_impacts(double impact[MOST_IMPACTS], Shaken* s, double until)
{
    int count = 0;
    double pressed = -1;
    while (s->sim.world.time < until) {
        CHECK_OK(sim_step_towards(&s->sim, until));
        assert_int_equal(s->sim.world.liquid_count, 2);
        if (!(film_of(&s->sim.world)->report.most_pressure > 20)) continue;
        if (s->sim.world.time - pressed > 4e-3 && count < MOST_IMPACTS) impact[count++] = s->sim.world.time;
        pressed = s->sim.world.time;
    }
    return count;
}

static void bouncing(double until)
{
    Shaken s;
    double impact[MOST_IMPACTS];
    shaken_start(&s, "bath21_quick.lua");
    int count = find_impacts(impact, &s, until);
    SAY("## A drop on a bath shaken at 50 Hz with 3.6 g\n\nscenes/film/bath21_quick.lua, R = %.1f dx, nu = 20 cSt, to %.2f s. "
        "(2,1): "
        "one impact every two periods, 40 ms, while the bath moves up. Asked ([targets.md](targets.md)): the last %d intervals "
        "within 1 ms of "
        "that.\n\n"
        "| impact (ms) | since the last (ms) | bath (m/s) |\n| --- | --- | --- |\n",
        0.39e-3/s.sim.model.tank.dx, until, LAST);
    for (int m = 0; m < count; m++) {
        double apart = m > 0 ? 1e3*(impact[m] - impact[m - 1]) : NAN, v = bath_velocity(&s.scene, impact[m]);
        bool counts = m >= count - LAST;
        SAY("| %.2f | %.2f%s | %+.3f%s |\n", 1e3*impact[m], apart, counts ? page_mark(fabs(apart - 40), 1) : "", v,
            counts ? page_mark(-v, 0) : "");
    }
    SAY("\n");
    shaken_end(&s);
}

// Distance between the centres of two drops.
static void promenading(const char* name, double until)
{
    enum { ROWS = 6 };
    Shaken s;
    shaken_start(&s, name);
    SAY("| %s |", name);
    for (int m = 0; m <= ROWS; m++) {
        while (s.sim.world.time < until*m/ROWS) CHECK_OK(sim_step_towards(&s.sim, until*m/ROWS));
        assert_int_equal(s.sim.world.liquid_count, 3);
        LiquidState left = liquid_state(&s.sim.world.liquid[1], &s.sim.scratch),
                    right = liquid_state(&s.sim.world.liquid[2], &s.sim.scratch);
        arena_reset(&s.sim.scratch);
        SAY(" %.3f |", 1e3*(right.center[0] - left.center[0]));
    }
    SAY("\n");
    shaken_end(&s);
}

int main(int argc, char** argv)
{
    double until = argc > 1 ? atof(argv[1]) : 0;
    if (!(until > 0)) page_open("film_modes.md");
    SAY("# Drops on shaken baths\n\nWritten by `build/tests/validate_film_modes`; method and pictures: "
        "[film.md](../film.md).\n\n");
    bouncing(until > 0 ? until : 0.57);
    double pair = until > 0 ? until : 0.15;
    SAY("## A promenading pair, 80 Hz, 0.45 g\n\nDistance of the centres (mm) at six equal times up to %.3f s.\n\n"
        "| scene | start | | | | | | end |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
        pair);
    promenading("promenading_1_quick.lua", pair);
    promenading("promenading_2_quick.lua", pair);
    if (page) page_close();
    return page_misses > 0;
}
