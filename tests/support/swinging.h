// Bodies that swing in liquid without friction and tension, rho = g = 1: a box in a tank (tank_body.h), a pendulum under water.
#pragma once
#include "afloat.h"
#include "folder.h"
#include "rigid/rigid_mujoco.h"
#include "tank_body.h"
#include "vessel.h"

enum { SWINGING_TURNS = 4 };

typedef struct Turns {
    double at[SWINGING_TURNS];  // when it stands still
    double gain;                // J, the most that was won from nowhere
} Turns;

// Entry k of the twist of the first body: times of its zeros after the start.
static inline Turns swinging_run(Sim* sim, int k, int turns, double most)
{
    Turns out = {.gain = -INFINITY};
    double before = 0;
    for (int n = 0; n < turns && sim->world.time < most;) {
        double twist[TWIST];
        CHECK_OK(sim_step(sim, 1));
        test_body_twist(twist, sim, 0);
        if (before*twist[k] < 0) out.at[n++] = sim->world.time - sim->report.dt*twist[k]/(twist[k] - before);
        before = twist[k], out.gain = fmax(out.gain, sim->world.energy.gain);
    }
    return out;
}

// A box 2 wide and 1 high, half as heavy as the liquid, in a tank 2 W wide and 2.5 deep.
static inline TankBody swinging_box(bool rolls, double W)
{
    TankBody t = {.rolls = rolls, .a = 1, .T = 0.5, .W = W, .H = 2.5};
    t.inertia = rolls ? (1 + 0.25)/3 : 1;  // of its mass 1
    t.stiffness = rolls ? 1*(2.0/3 - 0.25)
                        : 2;  // V (I/V - BG): waterplane's moment 2/3, buoyancy a quarter below the middle; its width
    tank_body_solve(&t, 12);
    return t;
}

// The same on a grid, released 0.1 too low or turned by 0.1.
static inline Turns swinging_box_run(const TankBody* t, double cells, double max_dt, int turns)
{
    Sim sim;
    Afloat f = {.dim = 2, .cells = cells, .width = 2*t->W, .depth = t->H, .above = 1.5, .shift = {0.21, 0.137}, .bodies = 1};
    f.body[0] = (TestBody){.is_box = true, .h = {t->a, 0.5}, .density = 0.5};
    if (t->rolls) f.body[0].turned = 0.1, f.body[0].fixed = FIXED_X | FIXED_Y;
    else f.body[0].center[1] = -0.1, f.body[0].fixed = FIXED_X | FIXED_TURN_Z;
    f.depth -= f.shift[1]/cells;  // the level itself is off the grid
    afloat_start(&sim, &f);
    sim.model.settings.max_dt = max_dt;
    Turns out = swinging_run(&sim, t->rolls ? 5 : 1, turns, 60);
    afloat_end(&sim, &f);
    return out;
}

// ---- a pendulum under water ------------------------------------------------------------------------------------------------

// A disc or ball of radius 1 and density s on a rod without weight and skin, 2 long, in the middle of a round vessel of radius b
// full of liquid. It does not turn the liquid, but takes along its added mass m ([lamb1932], art. 93):
//     w^2 = (s - 1) V L/(s V L^2 + I + m L^2),    I = s V/2 (3D: 2 s V/5)
//     m = V (b^2 + 1)/(b^2 - 1)                   (3D: V (b^3 + 2)/(2 (b^3 - 1)))
static const double PENDULUM_LENGTH = 2;

static inline double pendulum_period(int dim, double s, double b)
{
    double added = dim == 3 ? (b*b*b + 2)/(2*(b*b*b - 1)) : (b*b + 1)/(b*b - 1), L = PENDULUM_LENGTH;
    return 2*PI*sqrt((s*L*L + s*(dim == 3 ? 0.4 : 0.5) + added*L*L)/((s - 1)*L));
}

// The same on a grid, released at 0.05 rad.
static inline Turns pendulum_run(int dim, double s, double b, double cells, double max_dt, int turns)
{
    static const double start = 0.05;
    Sim sim;
    TestBody vessel, body = {0};
    char text[600];
    double mass = s*(dim == 3 ? 4*PI/3 : PI), turn = mass*(dim == 3 ? 0.4 : 0.5);
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body><joint type='hinge' axis='0 0 1'/><inertial pos='%.17g %.17g 0' mass='%.17g' "
             "diaginertia='%.17g %.17g %.17g'/><geom type='sphere' pos='%.17g %.17g 0' size='1'/></body></worldbody></mujoco>",
             PENDULUM_LENGTH*sin(start), -PENDULUM_LENGTH*cos(start), mass, turn, turn, turn, PENDULUM_LENGTH*sin(start),
             -PENDULUM_LENGTH*cos(start));
    write_text("pendulum.xml", text);
    vessel_fill(&sim, &vessel, &body, dim, b, cells, 0);
    MjcfOptions options = {.file = in("pendulum.xml"), .solid = (int[]){-1, 1}};  // the file's world, its body
    for (int d = 0; d < 3; d++) options.origin[d] = vessel.center[d] + (d == 1 ? PENDULUM_LENGTH : 0);
    body.center[0] += PENDULUM_LENGTH*sin(start), body.center[1] += PENDULUM_LENGTH*(1 - cos(start));
    test_body_solid(&sim, &body);
    Rigid rigid;
    CHECK_OK(rigid_mujoco_start(&rigid, &sim.model.tank, NULL, 0, &options));
    CHECK_OK(rigid_partner_add(&sim.world, &rigid));
    sim.model.settings.gravity[1] = -1, sim.model.settings.slip = true, sim.model.settings.max_dt = max_dt;
    CHECK_OK(sim_start(&sim));
    Turns out = swinging_run(&sim, 5, turns, 100);
    sim_free(&sim);
    return out;
}
