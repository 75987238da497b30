// Small waves in a tank: the amplitude of the first cosine mode of the surface, over time.
#pragma once
#include "basin.h"

typedef struct Slosh {
    double width, depth, amplitude;
} Slosh;

static inline double slosh_shape(const void* user, const double x[3])
{
    const Slosh* s = user;
    double k = PI/s->width, slope = s->amplitude*k*sin(k*x[0]);
    return (x[1] - s->depth - s->amplitude*cos(k*x[0]))/sqrt(1 + slope*slope);
}

// (2/W) integral of h(x) cos(pi x/W), h = wet depth of a column of cells (3D: mean over z).
static inline double slosh_mode(const Liquid* q, double width)
{
    const Window* w = &q->w;
    double sum = 0;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (!(q->phi.v[at] < liquid_band(q))) continue;
                sum += cutcells_fraction(&q->cells, at)*cos(PI*(w->lo[0] + i + 0.5)*w->dx/width);
            }
    return 2*sum*w->dx*w->dx/width/w->n[2];
}

typedef struct SloshResult {
    double period;  // s, from zero crossings
    double decay;   // amplitude left after one period, from the second extreme over the first, squared
    int steps;
} SloshResult;

// Runs `periods` periods of about `guess` seconds; steps no longer than guess/per_period.
static inline SloshResult slosh_run(Sim* sim, const Slosh* s, double guess, double periods, double per_period)
{
    SloshResult out = {0};
    double before = slosh_mode(&sim->world.liquid[0], s->width), first = 0, last = 0, high = 0, peaks[64] = {0};
    int crossings = 0, peak = 0;
    while (sim->world.time < periods*guess) {
        double t = sim->world.time;
        CHECK_OK(sim_step(sim, guess/per_period));
        out.steps++;
        double now = slosh_mode(&sim->world.liquid[0], s->width);
        high = fmax(high, fabs(now));
        if ((before > 0) != (now > 0)) {
            double at = t + (sim->world.time - t)*before/(before - now);
            if (crossings == 0) first = at;
            last = at;
            crossings++;
            if (peak < 64) peaks[peak++] = high;
            high = 0;
        }
        before = now;
    }
    out.period = crossings > 1 ? 2*(last - first)/(crossings - 1) : 0;
    if (peak >= 4) out.decay = peaks[3]/peaks[1];  // extremes a period apart
    return out;
}
