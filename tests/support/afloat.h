// Runs in which bodies come to rest across the surface of a pool: rho = g = 1, lengths in radii of the first body.
#pragma once
#include "body.h"

enum { AFLOAT_MOST = 2 };

typedef struct Afloat {
    int dim;
    double cells;         // dx = 1/cells
    double width, depth;  // of the pool
    double across;        // 3D: its width along z
    double above;         // of the air
    double l, mu;         // capillary length; viscosity
    double time;
    double shift[3];             // cells: off the grid, along x, of the level, and along z
    BasinShape surface;          // given the Afloat; NULL: level
    TestBody body[AFLOAT_MOST];  // centres from the middle of the level surface on; moved to the tank when the run starts
    int bodies;
    double level;  // height over the floor, once it runs
    double middle[3];
    const void* user;  // of surface
} Afloat;

// Means over the last 30 % of the time.
typedef struct AtRest {
    double height[AFLOAT_MOST];  // of centres over the level at the sides
    double force[AFLOAT_MOST];   // of the liquid and its surface along x
    double swing;                // of the first body: highest less lowest
    bool carried;                // the surface ends on the first body at the end
    double speed, body_speed;    // the fastest liquid, and the fastest body, at the end
    double gain, climb, taken;   // energy: at the end; the most from any lowest point on; what was taken off again
    double lowest;               // height of the first body ever
} AtRest;

static inline double afloat_level(const void* user, const double x[3])
{
    const Afloat* f = user;
    return x[1] - f->level;
}

static inline void afloat_start(Sim* sim, Afloat* f)
{
    int n[3] = {(int)lround(f->width*f->cells), (int)lround((f->depth + f->above)*f->cells),
                (int)lround(f->across*f->cells)};
    double dx = 1/f->cells;
    f->level = f->depth + f->shift[1]*dx;
    f->middle[0] = 0.5*f->width + f->shift[0]*dx, f->middle[2] = f->dim == 3 ? 0.5*f->across + f->shift[2]*dx : 0;
    basin_init(sim, f->dim, n[0], n[1], n[2], dx);
    sim->model.settings.gravity[1] = -1, sim->model.settings.slip = true;
    basin_add(sim, f->surface ? f->surface : afloat_level, f, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = f->l*f->l, .mu = f->mu, .contact_angle = PI/2};
    for (int m = 0; m < f->bodies; m++) {
        f->body[m].center[0] += f->middle[0], f->body[m].center[1] += f->level, f->body[m].center[2] += f->middle[2];
    }
    if (f->bodies > 0) test_bodies_add(sim, f->body, f->bodies);
    CHECK_OK(sim_start(sim));
}

static inline void afloat_end(Sim* sim, Afloat* f)
{
    sim_free(sim);
    test_bodies_free(f->body, f->bodies);
}

// Height of the surface over the floor in the column of nodes (i, k).
static inline double afloat_top(const Liquid* q, int i, int k)
{
    for (int j = q->w.n[1] - 1; j >= 0; j--) {
        ptrdiff_t at = window_at(&q->w, i, j, k);
        double a = q->phi.v[at], b = q->phi.v[at + q->w.sy];
        if (a < 0 && b >= 0) return (q->w.lo[1] + j + a/(a - b))*q->w.dx;
    }
    return NAN;
}

// Mean height of the surface at the sides.
static inline double afloat_far(const Liquid* q)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k <= (q->w.dim == 3 ? q->w.n[2] : 0); k++)
        for (int i = 0; i <= q->w.n[0]; i++) {
            bool side = i == 0 || i == q->w.n[0] || (q->w.dim == 3 && (k == 0 || k == q->w.n[2]));
            if (side) sum += afloat_top(q, i, k), count++;
        }
    return sum/count;
}

typedef struct AfloatSums {
    double time, lowest_gain;
    AtRest rest;
    double low, high;
} AfloatSums;

static inline void afloat_note(AfloatSums* s, const Sim* sim, const Afloat* f)
{
    const BodyReport* report = rigid_partner_of(&sim->world)->report;
    double dt = sim->report.dt, far = afloat_far(&sim->world.liquid[0]), height = test_body(sim, 0)->center[1] - far;
    s->lowest_gain = fmin(s->lowest_gain, sim->world.energy.gain);
    s->rest.climb = fmax(s->rest.climb, sim->world.energy.gain - s->lowest_gain);
    s->rest.lowest = fmin(s->rest.lowest, height);
    if (sim->world.time < 0.7*f->time) return;
    s->time += dt, s->low = fmin(s->low, height), s->high = fmax(s->high, height);
    for (int m = 0; m < f->bodies; m++) {
        s->rest.height[m] += dt*(test_body(sim, m)->center[1] - far);
        s->rest.force[m] += dt*(report[m].pressure[0] + report[m].tension[0]);
    }
}

// Runs to its time, or until the first body has sunk to `sunk`.
static inline AtRest afloat_run(Afloat* f, double sunk)
{
    Sim sim;
    AfloatSums s = {.low = INFINITY, .high = -INFINITY};
    afloat_start(&sim, f);
    while (sim.world.time < f->time && s.rest.lowest > sunk) {
        CHECK_OK(sim_step(&sim, f->time));
        afloat_note(&s, &sim, f);
    }
    for (int m = 0; m < f->bodies; m++) {
        double twist[TWIST];
        test_body_twist(twist, &sim, m);
        s.rest.height[m] /= s.time, s.rest.force[m] /= s.time;
        s.rest.body_speed = fmax(s.rest.body_speed, vec_norm(twist));
    }
    s.rest.swing = s.high - s.low, s.rest.carried = rigid_partner_of(&sim.world)->report[0].lines > 0;
    s.rest.speed = sim.report.max_speed, s.rest.gain = sim.world.energy.gain, s.rest.taken = sim.world.energy.taken;
    afloat_end(&sim, f);
    return s.rest;
}
