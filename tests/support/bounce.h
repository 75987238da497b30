// Drops of tetradecane that fly at each other and bounce off the air between them ([wang2023bouncing], 6.2;
// docs/validation/targets.md, head-on collision).
#pragma once
#include "film/film_partner.h"
#include "basin.h"
#include "oscillation.h"
#include "round_drop.h"

typedef struct Bounce {
    int dim;
    int cells;      // per mm
    double radius;  // m
    double speed;   // m/s, of each drop
    double angle;   // of the line of flight against the x axis, rad
    double mu;      // Pa s, of the liquid
    double steps;   // longest step, capillary times
    TensionScheme tension;
    bool half;      // 3D: the half above a mirror through the drops' middles
    bool mirrored;  // two drops along x: the side y > 0, z > 0 of the planes through the line of flight, between mirrors
} Bounce;

static const double TETRADECANE_RHO = 762, TETRADECANE_SIGMA = 26.56e-3;

// Time in which tension turns a drop round, sqrt(rho R^3/sigma), s.
static inline double bounce_time(const Bounce* b) { return sqrt(TETRADECANE_RHO*pow(b->radius, 3)/TETRADECANE_SIGMA); }

// Air of 18.6e-6 Pa s between liquids that never merge.
static inline void film_hold_all(Sim* sim)
{
    double dx = sim->model.tank.dx;
    CHECK_OK(merge_table_init(&sim->model.merge, 1, (MergePolicy){.rule = MERGE_HOLD}));
    film_of(&sim->world)->settings = (FilmSettings){.mu = 18.6e-6, .h_max = 5*dx, .h_min = fmax(1e-7, 2e-3*dx), .repeats = 2};
    sim->model.tank.wider = 2;
}

// Drops without gravity, held apart by films.
static inline void bounce_settings(Sim* sim)
{
    film_hold_all(sim);
    sim->model.settings.gravity[1] = 0;
    sim->model.settings.cfl = 1;
    sim->model.settings.tolerance = 1e-8;
    sim->model.settings.advection = ADVECT_CUBIC;
    sim->model.settings.slip = true;
}

// Is the low side across this axis a mirror through the middle of the drops?
static inline bool bounce_mirror(const Bounce* b, int axis)
{
    return axis > 0 && axis < b->dim && (b->mirrored || (b->half && axis == 2));
}

// The box around the drops, from its own middle or, across mirrors, from these.
static inline void bounce_box(Sim* sim, double middle[3], const Bounce* b, double along, double across)
{
    double dx = 1e-3/b->cells, half[3] = {along, across, 2.2*b->radius};
    int n[3] = {1, 1, 1};
    for (int d = 0; d < b->dim; d++) n[d] = (int)ceil((bounce_mirror(b, d) ? 1 : 2)*half[d]/dx);
    basin_init(sim, b->dim, n[0], n[1], n[2], dx);
    for (int d = 0; d < 3; d++) {
        if (bounce_mirror(b, d)) sim->model.tank.side[2*d] = SIDE_IS_MIRROR;
        middle[d] = d < b->dim && !bounce_mirror(b, d) ? 0.5*n[d]*dx : 0;
    }
}

// How many such parts make up the whole.
static inline int bounce_parts(const Bounce* b) { return 1 << (bounce_mirror(b, 1) + bounce_mirror(b, 2)); }

// `count` drops at equal angles around the middle of the box, 2.5 R apart (two drops), flying at the middle.
static inline void bounce_start(Sim* sim, const Bounce* b, int count)
{
    double dx = 1e-3/b->cells, apart = (count == 2 ? 1.25 : 2.5/sqrt(3))*b->radius, middle[3];
    double room = apart + 2.2*b->radius, across = count == 2 && b->angle == 0 ? 2.2*b->radius : room;
    assert_true(!b->mirrored || (count == 2 && b->angle == 0));
    bounce_box(sim, middle, b, room, across);
    bounce_settings(sim);
    sim->model.settings.tension.scheme = b->tension;
    for (int m = 0; m < count; m++) {
        double angle = b->angle + 2*PI*m/count, c = cos(angle), s = sin(angle);
        RoundDrop d = {{middle[0] + apart*c, middle[1] + apart*s, middle[2]}, b->radius};
        basin_add(sim, round_drop_distance, &d, (double[3]){-b->speed*c, -b->speed*s, 0});
        sim->world.liquid[m].material =
            (LiquidMaterial){.rho = TETRADECANE_RHO, .sigma = TETRADECANE_SIGMA, .mu = b->mu, .contact_angle = PI/2};
    }
    sim->model.settings.max_dt = b->steps*sqrt(TETRADECANE_RHO*dx*dx*dx/(4*PI*TETRADECANE_SIGMA));
    CHECK_OK(sim_start(sim));
}

// What is worth knowing of a collision while it goes on.
typedef struct BounceState {
    double kinetic, surface;  // J (2D: J/m): motion, and tension times area
    double momentum[3];       // kg m/s
    double velocity[8][3];    // m/s, mean of each drop
    double width;             // m, largest extent of the first drop across the line of flight (along y)
} BounceState;

static inline BounceState bounce_state(Sim* sim, const Bounce* b)
{
    BounceState out = {0};
    int parts = bounce_parts(b);
    for (int m = 0; m < sim->world.liquid_count; m++) {
        LiquidState s = liquid_state(&sim->world.liquid[m], &sim->scratch);
        arena_reset(&sim->scratch);
        out.kinetic += parts*s.kinetic_energy;
        out.surface += parts*TETRADECANE_SIGMA*s.area;
        for (int d = 0; d < 3; d++)
            if (!bounce_mirror(b, d))  // across mirrors the parts' cancel
                out.momentum[d] += parts*s.momentum[d], out.velocity[m][d] = s.velocity[d];
        if (m == 0) out.width = b->mirrored ? 2*s.high[1] : s.high[1] - s.low[1];
    }
    return out;
}

// A whole collision.
typedef struct Collision {
    double contact;               // s, from the first to the last film pressure above 20 Pa
    double width, speed, energy;  // largest width/2R; m/s (of the first drop) and energy/initial when all is over
    double most_energy;           // largest. Energy: kinetic, and tension times the area gained since the start
    double off_line;              // sine of the angle between the way out and the way in
    double momentum;              // change since the start, of m V0
    double spread;                // (fastest - slowest)/fastest of the drops at the end
    double repaired, removed;     // m, most in a step; of a drop's volume, in all
    double most_pressure;         // Pa, in the film
    int liquids, iterations;
} Collision;

// (fastest - slowest)/fastest
static inline double bounce_spread(const BounceState* s, int count)
{
    double least = INFINITY, most = 0;
    for (int m = 0; m < count; m++) least = fmin(least, vec_norm(s->velocity[m])), most = fmax(most, vec_norm(s->velocity[m]));
    return (most - least)/most;
}

// Runs `count` drops until a time; width (NULL: not wanted) gets the first drop's width/2R of every step.
static inline Collision collide(const Bounce* b, int count, double until, Signal* width)
{
    Sim sim;
    Collision out = {0};
    double first = -1, last = 0;
    bounce_start(&sim, b, count);
    BounceState s = bounce_state(&sim, b);
    // the area of a round drop as the grid measures it is not that of a ball: at R = 6.8 dx the difference is 4 % of the energy
    double before[3] = {s.momentum[0], s.momentum[1], s.momentum[2]}, change[3];
    double start = s.kinetic, round = s.surface, volume = bounce_parts(b)*sim.world.liquid[0].target_volume,
           mv = TETRADECANE_RHO*volume*b->speed;
    while (sim.world.time < until) {
        CHECK_OK(sim_step_towards(&sim, until));
        const FilmReport* f = &film_of(&sim.world)->report;
        if (f->most_pressure > 20) {
            if (first < 0) first = sim.world.time;
            last = sim.world.time;
        }
        CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-11);
        s = bounce_state(&sim, b);
        out.width = fmax(out.width, s.width/(2*b->radius));
        if (width) signal_add(width, sim.world.time, s.width/(2*b->radius));
        out.most_energy = fmax(out.most_energy, (s.kinetic + s.surface - round)/start);
        out.repaired = fmax(out.repaired, f->repaired), out.removed += bounce_parts(b)*f->removed/volume;
        out.most_pressure = fmax(out.most_pressure, f->most_pressure);
        out.iterations = sim.report.iterations > out.iterations ? sim.report.iterations : out.iterations;
    }
    const double* v = s.velocity[0];
    out.contact = last - first;
    out.speed = vec_norm(v), out.energy = (s.kinetic + s.surface - round)/start;
    out.off_line = (v[1]*cos(b->angle) - v[0]*sin(b->angle))/out.speed;
    vec_sub(change, s.momentum, before);
    out.momentum = vec_norm(change)/mv;
    out.spread = bounce_spread(&s, sim.world.liquid_count);
    out.liquids = sim.world.liquid_count;
    double out_speed = v[0]*cos(b->angle) + v[1]*sin(b->angle);
    if (out_speed < 0) out.speed = -out.speed;  // it did not turn round
    sim_free(&sim);
    print_message(
        "%dD, %d cells/mm, %.3f m/s, angle %.2f: contact %.2f t_c, width %.3f, leaves at %.3f m/s, energy %.3f (at most "
        "%.4f), off its line by %.2f, momentum %.1e\n",
        b->dim, b->cells, b->speed, b->angle, out.contact/bounce_time(b), out.width, out.speed, out.energy, out.most_energy,
        out.off_line, out.momentum);
    return out;
}
