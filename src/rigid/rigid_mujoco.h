// Bodies by MuJoCo: bodies of the scene, bodies of an MJCF file, or both in one world, with joints, springs, actuators and
// contacts. MuJoCo never steps: it tells inertia, forces and constraint rows, and who solves for the liquid solves for the
// velocities too (docs/mujoco.md). In a build without it (rigid_mujoco_is_there) everything here fails with a message that names
// the package.
#pragma once
#include "rigid/body_plan.h"

// A number of the file's as a function of time. `which`: of MjcfOptions.drive, or of the file's actuators.
typedef mn_status (*MjcfFunction)(double* value, void* user, int which, double t);

// A hinge or slide of the file that goes as it is told, whatever that takes.
typedef struct MjcfDrive {
    const char* joint;
    bool is_velocity;  // rad/s or m/s; otherwise rad or m
} MjcfDrive;

// All zeros is valid: no file, no friction, no drives.
typedef struct MjcfOptions {
    const char* file;               // NULL: none
    double unit_length, unit_mass;  // m, kg: that the file is written in; 0: 1. Seconds are seconds
    double origin[3];               // m, where the file's origin stands in the tank
    double rotation[3][3];          // and how it is turned; all zeros: not at all
    const int* solid;               // of World.solids, per body of mjcf_read; NULL: none
    const BodyForm* still;          // what stands still and bodies collide with, beside the walls
    int stills;
    double margin;           // m, kept between bodies of the scene, and from walls; 0: half a cell, between flat sides 1.1
    double friction;         // of the same
    const MjcfDrive* drive;  // looked at while it starts
    int drives;
    MjcfFunction driven;   // a drive's value; functions and user are borrowed for the life of the simulation
    MjcfFunction control;  // of an actuator; NULL: all stay 0
    void* user;
} MjcfOptions;

bool rigid_mujoco_is_there(void);

// Bodies: those of plan in their order, then those of the file that move, in its order. MN_BAD_SCENE names the body, or the file
// with MuJoCo's own words. On failure *r is empty.
mn_status rigid_mujoco_start(Rigid* r, const Tank* tank, const BodyPlan* plan, int count, const MjcfOptions* o);

// ---- what a file holds -----------------------------------------------------------------------------------------------------

// All that is welded together is one body. Planes and height fields are not told. Geoms that collide with nothing are told only
// of bodies that have no others.
typedef struct MjcfBody {
    char name[64];
    bool moves;        // otherwise it belongs to the world
    double mass;       // kg
    double center[3];  // m, of mass, where the file has it at the start
    BodyForm* form;    // where they are at the start
    int forms;
} MjcfBody;

typedef struct MjcfBodies {
    MjcfBody* body;  // owned, with all it points to
    int bodies;
    char (*actuator)[64];  // names, owned
    int actuators;
} MjcfBodies;

// Reads o->file where o says it stands. On failure *f is empty.
mn_status mjcf_read(MjcfBodies* f, int dim, const MjcfOptions* o);
void mjcf_free(MjcfBodies* f);
