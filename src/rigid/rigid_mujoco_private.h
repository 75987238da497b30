// Shared by rigid_mujoco*.c and nobody else. In here numbers of MuJoCo are in the model's units of length and mass, and in
// seconds; what goes out is SI.
#pragma once
#include <mujoco/mujoco.h>
#include <stdio.h>
#include "rigid/rigid_mujoco.h"
#include "rigid/rigid_skin.h"

// ---- units -----------------------------------------------------------------------------------------------------------------

// MuJoCo refuses inertia below 1e-15 and takes R < 1e-15 for 1e-15 in contacts, in whatever unit they are.
typedef struct MujocoUnits {
    double length;  // m
    double mass;    // kg
} MujocoUnits;

// ---- loading ---------------------------------------------------------------------------------------------------------------

// Runs a job that calls MuJoCo. An error of MuJoCo, which by itself ends the process, ends the job: `status` with its words.
mn_status mujoco_guarded(mn_status (*job)(void* what), void* what, mn_status status);

typedef struct MujocoWorld {
    const Tank* tank;  // NULL: no walls
    int dim;
    const BodyPlan* plan;
    int plans;
    const MjcfOptions* options;
    double margin;  // m
    MujocoUnits units;
} MujocoWorld;

// Names of what the text adds to a file.
#define MUJOCO_BODY_NAME "meniscus_body_%d"
#define MUJOCO_OWN_PREFIX "meniscus_"
#define MUJOCO_SKIN_NAME MUJOCO_OWN_PREFIX "skin"
// Set in contype of all geoms of a file that meet anything: then they meet ours too.
enum { MUJOCO_FILE_BIT = 1 << 28 };

// All of it as MJCF, the file as an include; from malloc.
mn_status mujoco_text(char** text, const MujocoWorld* w);
// The units that suit tank and bodies, or the file's own.
MujocoUnits mujoco_units(const MujocoWorld* w);
// The model, the file put where it stands, options as we need them.
mn_status mujoco_load(mjModel** m, const MujocoWorld* w);
// Does the name of this geom or body show that it is the text's own and not the file's?
bool mujoco_is_own(const mjModel* m, int type, int id);

// ---- bodies ----------------------------------------------------------------------------------------------------------------

// Mass and centre, in the frame of `root`, of all bodies welded to it.
double mujoco_welded_mass(double center[3], const mjModel* m, const mjData* d, int root);

// ---- the engine ------------------------------------------------------------------------------------------------------------

typedef struct MujocoDrive {
    int joint, dof;
    bool is_velocity;
    double velocity;   // that the step under way asks for
    double stiffness;  // of the row that holds it there: mass or inertia
} MujocoDrive;

// Where the search for the rows that act is (rigid_mujoco_search.c).
typedef struct MujocoSearch {
    int rounds;      // solutions seen in this step
    double* at;      // velocities; owned, with the three below
    double* liquid;  // impulse that is not the engine's there
    double* next;    // a solution for the rows of `state`
    double* pushed;  // and the same of it
} MujocoSearch;

// A contact with a solid that MuJoCo does not know (rigid_mujoco_skin.c).
typedef struct MujocoTouch {
    int contact;         // of mjData
    double velocity[3];  // of the solid
} MujocoTouch;

typedef struct MujocoEngine {
    mjModel* m;  // owned
    mjData* d;   // owned; d->qpos and d->act survive a step
    MujocoUnits units;
    double* unit;          // per velocity: m/s or rad/s that 1 is
    int* root;             // per body: its (topmost) body in the model
    double (*local)[3];    // per body: centre of mass in its frame
    double (*rest)[3][3];  // per body: its rotation at the start
    double* jacobian;      // of all bodies
    bool* own_geom;        // per geom: of the scene, not of the file
    double margin;         // of those
    double flat_margin;    // between two that are both not round
    MujocoDrive* drive;    // owned
    int drives;
    MjcfFunction driven, control;
    void* user;
    int skin_geom;       // in whose name solids that MuJoCo does not know make contacts
    MujocoTouch* touch;  // those of the step under way; owned
    int touches, touch_room;
    double* push;  // force of the liquid in the last step: where contacts start from; survives a step
    // of the step under way; owned
    double dt;
    double* act;  // activations when it began: a step may begin twice (friction looks ahead)
    double* v_old;
    double* v_new;     // of the step that ends
    double* inertia;   // nv x nv, without rows
    double* implicit;  // nv x nv, of springs and dampers: part of inertia
    double* impulse;
    double* force;  // dt of it is in impulse
    int* state;     // per row: mjCNSTRSTATE_...
    int rows_room;
    double slack;  // J a - aref that is rounding
    MujocoSearch search;
} MujocoEngine;

extern const RigidEngine mujoco_engine;
// How many contacts and rows the next mj_makeData has room for.
void mujoco_set_room(mjModel* m, int contacts, int rows);

// Rows of the step: room for the states of as many as there are, and those MuJoCo's own solver would choose if the liquid pushed
// as it did in the last step.
mn_status mujoco_rows_begin(MujocoEngine* e);
void mujoco_rows_guess(MujocoEngine* e);  // those states, for the present e->push
// Contacts of the scene's bodies and of walls: those further off than the margin are looked at too, without friction (before
// MuJoCo makes rows of contacts), and where they push to is ours to say (after it has).
void mujoco_rows_reach(MujocoEngine* e);
void mujoco_rows_aim(MujocoEngine* e);
// MN_BAD_SCENE: a drive pushes a body of the scene, or one of the file, far into what it cannot pass.
mn_status mujoco_rows_check(const MujocoEngine* e);
int mujoco_rows_of(const mjContact* c);  // how many rows it has
// Contacts of skins with s->solids that say so: after those of MuJoCo's own. How fast the solid of a contact moves along one of
// its rows, and what such solids give, J, in a step that ends with v.
mn_status mujoco_skin_contacts(Rigid* r, const RigidStep* s);
double mujoco_skin_speed(const MujocoEngine* e, int contact, int row);
double mujoco_skin_work(const MujocoEngine* e, const double* v);
// State of a row for x = J a - aref, and of all of them at velocities v. True: they are not the ones that were.
int mujoco_row_state(const mjData* d, int row, double x);
bool mujoco_rows_update(MujocoEngine* e, const double* v);
double mujoco_row_speed(const MujocoEngine* e, int row, const double* v);
double mujoco_row_impulse(const MujocoEngine* e, int row, double speed);  // that it takes at this speed, < 0: gives
// r->inertia and r->impulse belong to the states of rows as they are, and v_new solves them with the liquid. Leaves the states to
// solve for next; false: v_new is the solution.
bool mujoco_search(Rigid* r, const double* v_new);
mn_status mujoco_rows_contacts(bool* changed, Rigid* r, const double* v_new);
int mujoco_rows_touching(const Rigid* r, int body);
