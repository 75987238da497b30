// Rigid and articulated bodies: velocities v, inertia M, and how v moves each body (its Jacobian J, twist = J v). What they do by
// themselves is an engine's business: MuJoCo's (rigid_mujoco.h), or for free bodies our own (rigid_free.h). The coupling to the
// liquid (rigid_partner.h) knows neither.
//
//     M dv/dt = forces of the engine (weight, joints, contacts) + J^T (wrenches from outside)
//
// A twist is the velocity (m/s) of the body's centre of mass and its spin (rad/s), in the tank's axes. In 2D bodies are slabs one
// metre deep: masses are kg/m, and nothing moves along z or turns about x and y.
#pragma once
#include "base/state.h"
#include "grid/window.h"
#include "liquid/solid.h"
#include "solve/wrenches.h"

typedef struct RigidBody {
    char name[64];
    int solid;                          // of World.solids: the one that follows it; -1: nothing of it is seen
    double mass;                        // kg
    double volume;                      // m^3 that it displaces when it is covered; 0: not known
    double rest[3];                     // m: centre of mass in the frame its shape is given in
    double inertia[3][3];               // kg m^2 about it, at rest
    double thicker;                     // m: by so much the liquid sees its skin further out (rigid_thin.h); 0: as it is
    double area_excess, volume_excess;  // of what the liquid sees, the part that is not its own
    const double* skin;                 // m, 3 each: points of its skin, as its shape is given; borrowed
    int skin_points;
    bool is_round;  // 2D: a disc, 3D: a ball. Pressure cannot turn it; that on the grid's chords would
    // where it is, and how v moves it; by place
    double center[3];  // m, of mass
    double rotation[3][3];
    Follower follower;  // its Jacobian is owned by the engine
} RigidBody;

typedef struct Rigid Rigid;

// What acts in a step of dt from now on.
typedef struct RigidStep {
    double time, dt;         // s; time: that of the present positions, the end of the step
    double acceleration[3];  // m/s^2, of everything in the box: gravity less that of the box
    const Solids* solids;    // those that meet skins are told by this alone; NULL: none. Borrowed
} RigidStep;

// `self` is r->self. An engine never changes r->v; that is the coupling's.
typedef struct RigidEngine {
    const char* name;
    void (*free)(Rigid* r);
    mn_status (*visit)(Rigid* r, StateVisitor* v);  // what survives a step beside v
    mn_status (*place)(Rigid* r);                   // after positions changed: where bodies are, Jacobians
    mn_status (*move)(Rigid* r, double dt);         // positions go along v for dt; place is called after it
    // The start of a step: r->inertia and r->impulse = M v + dt (forces) without contacts; finds those that may act.
    // Friction asks for it once more within the step, with other velocities: it changes nothing that survives a step.
    mn_status (*begin)(Rigid* r, const RigidStep* s);
    // Contacts that v_new asks for: adds those that act to inertia and impulse as begin left them. *changed: they are not the
    // ones of the last call. v_new NULL, the first call after begin: those that the last velocities ask for.
    mn_status (*contacts)(bool* changed, Rigid* r, const double* v_new);
    double (*energy)(const Rigid* r, const double gravity[3],
                     const double low[3]);                // J: kinetic, of height over `low`, of springs
    double (*work)(const Rigid* r, const double* v_new);  // J, of drives in the step that began, once it ends with v_new
    int (*touching)(const Rigid* r, int body);            // contacts that act on it
} RigidEngine;

struct Rigid {
    Tank tank;
    RigidBody* body;  // owned
    int bodies;
    int nv;
    double* v;        // nv, m/s and rad/s; owned
    double* inertia;  // nv x nv; owned
    double* impulse;  // nv; owned
    const RigidEngine* engine;
    void* self;  // owned
};

// Room for nv velocities, zero.
mn_status rigid_take(Rigid* r, int nv);
void rigid_free_all(Rigid* r);
mn_status rigid_visit(Rigid* r, StateVisitor* v);
// Masses and Jacobians that are numbers, velocities that are finite; for asserts.
bool rigid_is_valid(const Rigid* r);
// Twist of one body, for velocities v.
void rigid_twist(double twist[TWIST], const Rigid* r, int body, const double* v);
