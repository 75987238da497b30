// A liquid whose free surface is a membrane, by itself: what survives a step, and the step.
#pragma once
#include "base/arena.h"
#include "grid/advect.h"
#include "membrane/membrane_contact.h"
#include "membrane/membrane_solve.h"

typedef struct MembraneFlow {
    // what survives a step
    MembraneMesh mesh;
    Window w;     // the whole tank
    Field u[3];   // m/s, faces; in the liquid and some cells past it
    Field p;      // Pa s: the last solution
    double p_dt;  // s: of its step; 0: none
    // made from these
    Field wet;  // m, nodes: dx (1/2 - liquid in the cells around, as a part of them); tells where liquid is and which way out
} MembraneFlow;

typedef struct MembraneSettings {
    double rho, sigma;  // kg/m^3, N/m
    double thickness;   // m
    double gravity[3];  // m/s^2
    Advection advection;
    SolveOptions options;
    // puts the mesh right after it has moved, in its tank; NULL: it stays as it is
    mn_status (*remesh)(MembraneMesh* m, Arena* arena, void* user);
    void* user;
    const MembraneBodies* bodies;  // NULL: none. Those that move by a script have moved before the step
} MembraneSettings;

typedef struct MembraneStep {
    MembraneReport solve;
    double volume;       // m^3, before anybody corrects it
    double leak;         // of the cut cells (lanes.h)
    double least, most;  // of open faces
    TouchCount contact;
} MembraneStep;

// Owns the mesh from now on, also on failure.
mn_status membrane_flow_init(MembraneFlow* f, const MembraneMesh* mesh, const Tank* tank);
void membrane_flow_free(MembraneFlow* f);
// What follows from the rest, after that has changed by other means than a step. Ghosts of u are filled.
mn_status membrane_flow_rebuild(MembraneFlow* f, Arena* arena);

// Every vertex moves with the liquid there: velocities given by the caller on faces (all of the window) go to the vertices.
void membrane_flow_take_velocity(MembraneFlow* f);

mn_status membrane_step(MembraneStep* report, MembraneFlow* f, const MembraneSettings* s, double dt, Arena* arena);

// Its parts, for who puts a step together by himself. Stages 1 and 2: the surface and the velocity ride. And 5, on the cells that
// the surface cuts now. membrane_flow_find_wet: `wet` for these cells.
mn_status membrane_carry(MembraneFlow* f, Advection advection, double dt, Arena* arena);
mn_status membrane_project(MembraneReport* report, MembraneFlow* f, const MembraneSettings* s, const MembraneCells* cells,
                           double dt, Arena* arena);
// 3, where there are bodies: what went into one lies on it, and the mesh is put right.
mn_status membrane_meet_bodies(TouchCount* count, MembraneFlow* f, const MembraneSettings* s, Moved moved, Arena* arena);
void membrane_flow_find_wet(MembraneFlow* f, const MembraneCells* cells);

// s: how long a step may be: half a cell per step for vertices and 0.9 for faces; `capillary` times sqrt(rho dx^3/(2 pi sigma)),
// which
// is accuracy only; and sqrt(dx/g), since weight acts on the surface explicitly.
double membrane_limit(const MembraneFlow* f, const MembraneSettings* s, double capillary);

typedef struct MembraneEnergy {
    double kinetic, tension, height;  // J (2D: J/m); kinetic: of liquid and membrane
} MembraneEnergy;
mn_status membrane_energy(MembraneEnergy* e, double momentum[3], const MembraneFlow* f, const MembraneSettings* s, Arena* arena);
