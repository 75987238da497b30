// Pulls the boat of steered_boat.lua across its pool, looks at the surface on the way, lifts the boat out and lets it drop, and turns
// gravity off at last. All of it in memory; built as falling_drop.c is.
#include <math.h>
#include <meniscus.h>
#include <stdio.h>
#include <string.h>

static int fail(const char* what)
{
    fprintf(stderr, "steered_boat: %s: %s\n", what, mn_last_error());
    return 1;
}

// Highest and lowest point of the free surface, m.
static mn_status surface_heights(double* low, double* high, mn_sim* sim)
{
    int layers;
    mn_layer s;
    mn_status status = mn_sim_layers(sim, &layers);
    *low = INFINITY, *high = -INFINITY;
    for (int n = 0; n < layers && status == MN_OK; n++) {
        status = mn_sim_layer(sim, n, &s);
        if (status != MN_OK || strcmp(s.name, "surface")) continue;
        for (int i = 0; i < s.points; i++) {
            *low = fmin(*low, s.position[3*i + 1]);
            *high = fmax(*high, s.position[3*i + 1]);
        }
    }
    return status;
}

static mn_status show(mn_sim* sim)
{
    double low, high;
    mn_body boat;
    mn_status status = surface_heights(&low, &high, sim);
    if (status == MN_OK) status = mn_sim_body(sim, 0, &boat);
    if (status == MN_OK)
        printf("%6.0f ms   boat at %5.2f, %5.2f mm   water up to %5.2f mm\n", 1e3*mn_sim_time(sim), 1e3*boat.center[0],
               1e3*boat.center[1], 1e3*high);
    return status;
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: steered_boat SCENE.lua\n");
        return 2;
    }
    mn_sim* sim;
    if (mn_sim_open(&sim, argv[1]) != MN_OK) return fail("open");
    const double pull[3] = {0.05, 0, 0}, up[3] = {48e-3, 24e-3, 0}, rest[3] = {0, 0, 0};  // N/m, m, m/s
    for (int n = 1; n <= 8; n++) {
        if (n == 1 && mn_sim_force_body(sim, 0, pull, NULL) != MN_OK) return fail("pull");
        if (n == 5 && mn_sim_force_body(sim, 0, NULL, NULL) != MN_OK) return fail("let go");
        if (n == 5 && mn_sim_set_body(sim, 0, up, NULL, rest, rest) != MN_OK) return fail("lift");
        if (n == 7 && mn_sim_set_gravity(sim, rest) != MN_OK) return fail("gravity");
        if (mn_sim_advance(sim, 0.025*n) != MN_OK) return fail("advance");
        if (show(sim) != MN_OK) return fail("look");
    }
    double lost = mn_sim_ledger_error(sim);
    mn_sim_close(sim);
    printf("liquid lost: %.1e\n", lost);
    return fabs(lost) < 1e-9 ? 0 : 1;
}
