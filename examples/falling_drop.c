// Lets the drop of falling_drop.lua fall and compares its path with y0 - g t^2/2. A program as others write them, with the public
// library alone:
//
//     cc falling_drop.c $(pkg-config --cflags --libs meniscus) -lm -o falling_drop && ./falling_drop falling_drop.lua
//
// or with the CMakeLists.txt beside it.
#include <math.h>
#include <meniscus.h>
#include <stdio.h>

static const double gravity = 9.81;  // m/s^2, as in the scene

static int fail(const char* what)
{
    fprintf(stderr, "falling_drop: %s: %s\n", what, mn_last_error());
    return 1;
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: falling_drop SCENE.lua\n");
        return 2;
    }
    const char* const settings[] = {"cells=64", NULL};
    mn_sim_options options = {.scene = argv[1], .settings = settings};
    mn_sim* sim;
    mn_liquid drop;
    if (mn_sim_open_with(&sim, &options) != MN_OK) return fail("open");
    if (mn_sim_liquid(sim, 0, &drop) != MN_OK) return fail("liquid");
    double start = drop.center[1], volume = drop.volume, worst = 0;

    printf("time (ms)   centre (mm)   g t^2/2 says   speed (m/s)\n");
    for (int frame = 1; frame <= 10; frame++) {
        if (mn_sim_advance(sim, 0.002*frame) != MN_OK) return fail("advance");
        if (mn_sim_liquid(sim, 0, &drop) != MN_OK) return fail("liquid");
        double t = mn_sim_time(sim), exact = start - gravity*t*t/2;
        worst = fmax(worst, fabs(drop.center[1] - exact));
        printf("%9.1f   %11.4f   %12.4f   %11.4f\n", 1e3*t, 1e3*drop.center[1], 1e3*exact, drop.velocity[1]);
    }
    double lost = drop.volume/volume - 1;
    mn_sim_close(sim);
    printf("farthest from it: %.3f mm; volume changed by %.1e\n", 1e3*worst, lost);
    // the surface and the velocity move one after the other: the path lags by half a step
    return worst < 1e-4 && fabs(lost) < 1e-9 ? 0 : 1;
}
