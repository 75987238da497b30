// Shared by rigid_mujoco*.c and nobody else. In here numbers of MuJoCo are in the model's units of length and mass, and in seconds;
// what goes out is SI.
#pragma once
#include <mujoco/mujoco.h>
#include <stdio.h>
#include "rigid/rigid_mujoco.h"

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

typedef struct MujocoEngine {
    mjModel* m;  // owned
    mjData* d;   // owned; d->qpos and d->act survive a step
    MujocoUnits units;
    double* unit;           // per velocity: m/s or rad/s that 1 is
    int* root;              // per body: its (topmost) body in the model
    double (*local)[3];     // per body: centre of mass in its frame
    double (*rest)[3][3];   // per body: its rotation at the start
    double* jacobian;       // of all bodies
    bool* own_geom;         // per geom: of the scene, not of the file
    double margin;          // of those
    MujocoDrive* drive;     // owned
    int drives;
    MjcfFunction driven, control;
    void* user;
    double* push;  // force of the liquid in the last step: where contacts start from; survives a step
    // of the step under way; owned
    double dt;
    double* v_old;
    double* inertia;  // nv x nv, without rows
    double* implicit;  // nv x nv, of springs and dampers: part of inertia
    double* impulse;
    int* state;  // per row: mjCNSTRSTATE_...
    int rows_room;
} MujocoEngine;

extern const RigidEngine mujoco_engine;
// How many contacts and rows the next mj_makeData has room for.
void mujoco_set_room(mjModel* m, int contacts, int rows);

// Rows of the step: room for as many as there are, and the states MuJoCo's own solver would choose if the liquid pushed as it did.
mn_status mujoco_rows_begin(Rigid* r);
// Contacts within reach as rows of ours: nearer than the margin they are MuJoCo's, further off they only keep a body from getting
// past the margin within the step. Before and after MuJoCo makes rows of contacts.
void mujoco_rows_reach(MujocoEngine* e);
void mujoco_rows_ahead(MujocoEngine* e);
mn_status mujoco_rows_contacts(bool* changed, Rigid* r, const double* v_new);
int mujoco_rows_touching(const Rigid* r, int body);
