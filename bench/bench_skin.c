// Water on a skin, by itself: what the lattice around a ball costs, its distances, and a step of a film over its upper half. The
// size is that of [lee2019]'s ball: radius 0.1 m, fine spacing 2.5 mm, 3.5 cm of lattice. Processor time of all threads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/vec.h"
#include "skin/skin_step.h"

static double ball_distance(const void* radius, const double x[3]) { return vec_norm(x) - *(const double*)radius; }

static void ball_velocity(double u[3], const void* radius, const double x[3])
{
    (void)radius, (void)x;
    u[0] = u[1] = u[2] = 0;
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

// Full tetrahedra within 1 cm of the upper half.
static int pour_film(SkinWater* s)
{
    int wet = 0;
    for (int tet = 0; tet < skin_fine_count(s->lattice); tet++) {
        double x[4][3];
        skin_corners(x, &s->now, tet);
        int64_t room = skin_room(s, &s->now, tet);
        if (room == 0 || x[0][1] < 0 || skin_order_key(&s->now, tet) > 0.01) continue;
        if (skin_water_pour(s, tet, room, (const double[3]){0, 0, 0}) != MN_OK) return -1;
        wet++;
    }
    return skin_list_active(s) == MN_OK ? wet : -1;
}

int main(void)
{
    const double radius = 0.1;
    SkinLattice l;
    SkinWater s;
    SkinOptions options = skin_options();
    SkinLatticeOptions o = {.spacing = 0.0025,
                            .level = 3,
                            .inner = 0.01,
                            .outer = 0.035,
                            .low = {-radius, -radius, -radius},
                            .high = {radius, radius, radius}};
    SkinBody body = {.self = &radius, .distance = ball_distance, .velocity = ball_velocity, .keeps_form = true};
    double start = processor_time();
    if (skin_lattice_init(&l, &o, ball_distance, &radius) != MN_OK) return 1;
    printf("lattice of %d coarse tetrahedra, %.2f million fine: %.3f s\n", l.tets, 1e-6*skin_fine_count(&l),
           processor_time() - start);
    start = processor_time();
    if (skin_water_init(&s, &l, &body, &options) != MN_OK) return 1;
    printf("distances, twice: %.3f s\n", processor_time() - start);
    int wet = pour_film(&s);
    for (int step = 0; step < 4 && wet > 0; step++) {
        start = processor_time();
        if (skin_water_move(&s, (const double(*)[3])l.rest) != MN_OK) return 1;
        if (skin_step(&s, (const double[3]){0, -9.81, 0}, 5e-3) != MN_OK) return 1;
        double time = processor_time() - start;
        printf("step of %d wet at first: %.2f s, %.1f us each\n", wet, time, 1e6*time/wet);
    }
    skin_water_free(&s), skin_lattice_free(&l);
    return wet > 0 ? 0 : 1;
}
