// Drops of tetradecane that fly at each other and bounce off the air between them (paper: wang2023bouncing, 6.2; film.md 7, T8).
#pragma once
#include "basin.h"

typedef struct BounceDrop {
    double center[3], radius;
} BounceDrop;

static inline double bounce_distance(const void* user, const double x[3])
{
    const BounceDrop* d = user;
    double r[3];
    vec_sub(r, x, d->center);
    return vec_norm(r) - d->radius;
}

typedef struct Bounce {
    int dim;
    int cells;      // per mm
    double radius;  // m
    double speed;   // m/s, of each drop
    double angle;   // of the line of flight against the x axis, rad
    double mu;      // Pa s, of the liquid
    double steps;   // longest step, capillary times
} Bounce;

static const double TETRADECANE_RHO = 762, TETRADECANE_SIGMA = 26.56e-3;

// Time in which tension turns a drop round, sqrt(rho R^3/sigma), s.
static inline double bounce_time(const Bounce* b) { return sqrt(TETRADECANE_RHO*pow(b->radius, 3)/TETRADECANE_SIGMA); }

// Air of 18.6e-6 Pa s between liquids that never merge.
static inline void film_hold_all(Sim* sim)
{
    double dx = sim->tank.dx;
    CHECK_OK(merge_table_init(&sim->merge, 1, (MergePolicy){.rule = MERGE_HOLD}));
    sim->settings.film = (FilmSettings){.mu = 18.6e-6, .h_max = 5*dx, .h_min = fmax(1e-7, 2e-3*dx), .repeats = 2};
    sim->tank.wider = 2;
}

// `count` drops at equal angles around the middle of the box, 2.5 R apart (two drops), flying at the middle.
static inline void bounce_start(Sim* sim, const Bounce* b, int count)
{
    double dx = 1e-3/b->cells, apart = (count == 2 ? 1.25 : 2.5/sqrt(3))*b->radius;
    double room = apart + 2.2*b->radius, across = count == 2 && b->angle == 0 ? 2.2*b->radius : room;
    int nx = (int)ceil(2*room/dx), ny = (int)ceil(2*across/dx), nz = (int)ceil(4.4*b->radius/dx);
    basin_init(sim, b->dim, nx, ny, nz, dx);
    film_hold_all(sim);
    sim->settings.gravity[1] = 0;
    sim->settings.cfl = 1;
    sim->settings.tolerance = 1e-8;
    sim->settings.advection = ADVECT_CUBIC;
    sim->settings.slip = true;
    double middle[3] = {0.5*nx*dx, 0.5*ny*dx, b->dim == 3 ? 0.5*nz*dx : 0};
    for (int m = 0; m < count; m++) {
        double angle = b->angle + 2*PI*m/count, c = cos(angle), s = sin(angle);
        BounceDrop d = {{middle[0] + apart*c, middle[1] + apart*s, middle[2]}, b->radius};
        basin_add(sim, bounce_distance, &d, (double[3]){-b->speed*c, -b->speed*s, 0});
        sim->liquid[m].material =
            (LiquidMaterial){.rho = TETRADECANE_RHO, .sigma = TETRADECANE_SIGMA, .mu = b->mu, .contact_angle = PI/2};
    }
    sim->settings.max_dt = b->steps*sqrt(TETRADECANE_RHO*dx*dx*dx/(4*PI*TETRADECANE_SIGMA));
    CHECK_OK(sim_start(sim));
}

// What is worth knowing of a collision while it goes on.
typedef struct BounceState {
    double kinetic, surface;  // J (2D: J/m): motion, and tension times area above that of round drops
    double momentum[3];       // kg m/s
    double velocity[8][3];    // m/s, mean of each drop
    double width;             // m, largest extent of the first drop across the line of flight (along y)
} BounceState;

static inline BounceState bounce_state(Sim* sim, const Bounce* b)
{
    BounceState out = {0};
    for (int m = 0; m < sim->liquid_count; m++) {
        LiquidState s = liquid_state(&sim->liquid[m], &sim->scratch);
        arena_reset(&sim->scratch);
        out.kinetic += s.kinetic_energy;
        double round = b->dim == 3 ? cbrt(36*PI*s.volume*s.volume) : 2*sqrt(PI*s.volume);
        out.surface += TETRADECANE_SIGMA*(s.area - round);
        for (int d = 0; d < 3; d++) out.momentum[d] += s.momentum[d], out.velocity[m][d] = s.velocity[d];
        if (m == 0) out.width = s.high[1] - s.low[1];
    }
    return out;
}
