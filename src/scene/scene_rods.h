// Rods and webs of a scene, as they are written. What they are made of for a simulation: rod_build.h.
#pragma once
#include <stdbool.h>
#include "scene/timevector.h"

// What holds a rod: a bit each. Of a web its rim is held, or nothing is.
enum { ROD_HELD_FROM = 1, ROD_HELD_TO = 2 };

typedef struct SceneRod {
    char name[64];
    bool is_web;
    double (*point)[3];  // m; of a rod: its corners, from one end to the other; owned
    int points;
    double center[3], normal[3], size, hole;  // of a web: m; its radius, and that of the free zone around the hub
    int spokes, turns;
    double turned;  // rad: of the first spoke
    double radius;  // m, of the rod or of each thread
    double density, young;
    double taut;           // strain at the start
    double piece;          // m: segments are at most so long
    double contact_angle;  // rad; < 0: that of the liquid
    double friction;
    double damp_mass, damp_stiffness;  // 1/s, s
    unsigned held;
    bool clamped;         // the first piece, too: the direction is held
    double velocity[3];   // m/s at the start, of what is not held
    TimeVector position;  // m: of what holds it, from where it was given
    int look;             // of pictures, in scene_solid_looks; -1: not told
    int line;
} SceneRod;
