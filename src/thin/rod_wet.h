// Rods thinner than a cell in liquid: what the two do to each other. Whatever one gains of momentum the other loses.
//
// A thread of radius b is a line to the grid: liquid closes around it, as it does around a thread that it wets. Two forces act
// between them (docs/rods.md):
//
//   wetting   A wet length L of thread is worth 2 pi b sigma cos(angle) L less than a dry one (Young). With h the wet part, 1 in
//             the liquid and 0 outside, E = -2 pi b sigma cos(angle) sum of l h(phi) over the vertices, l their length; minus its
//             slope pulls the thread into the liquid where it leaves it, and the liquid along the thread.
//   drag      of a cylinder in a flow across it, and along it, with the velocity that the liquid has there (rod_drag.h).
//
// They are found before anything moves, from the state at the start of the step; the rods' step knows them as a field
// (thin_step.h), implicitly, and what it made of them acts on the liquid with the opposite sign, in the same step.
#pragma once
#include "liquid/world.h"
#include "thin/rods.h"
#include "thin/thin_step.h"

// A vertex and a liquid that it is in, or close to.
typedef struct RodTouch {
    int vertex, liquid;
    double pull;                   // J: 2 pi b sigma cos(angle) l
    double drag[9];                // N s/m
    double way[3];                 // m: of the liquid there in the step
    double pulled[3], dragged[3];  // kg m/s: on the liquid
} RodTouch;

// Those of a step, by vertex. Arena memory; liquids are borrowed, as they are at the start of the step.
typedef struct RodWet {
    const Liquid* liquid;
    const double* from;  // m, 3 per vertex: places at the start of the step
    RodTouch* touch;
    int touches;
    int* first;  // touches of vertex v: first[v] .. first[v + 1] - 1
    double dt;
} RodWet;

// from: places of the rods' vertices, those they have now; it must last as long. `scratch` is reset.
mn_status rod_wet_find(RodWet* wet, Arena* arena, Arena* scratch, const Rods* rods, const World* world, const double* from,
                       double dt);
double rod_wet_field(double* gradient, double* stiffness, const void* wet, int vertex, const double x[3]);  // a ThinField
// The rods have made their step: impulses for the liquid.
void rod_wet_answer(RodWet* wet, const Rods* rods);

// What impulses have become of.
typedef struct RodPush {
    double given[3];  // kg m/s, to liquids
    double lost;      // kg m/s, sum of those that found no liquid to act on
} RodPush;
// Pressure that wetting brings on the surface of a liquid, and what it comes to.
typedef struct RodPull {
    double* pressure;   // Pa, nodes; NULL: none
    double impulse[3];  // kg m/s
} RodPull;
// The liquids get them, where the vertices are now: drag acts on their velocities at once, wetting is a pressure on their
// surfaces (rod_pull.c), one RodPull per liquid. Arena memory.
mn_status rod_wet_push(RodPush* push, RodPull** pull, Arena* arena, const RodWet* wet, const Rods* rods, World* world);

// J: of wetting, as the rods and liquids are now.
double rod_wet_energy(const Rods* rods, const World* world);
// Share of a vertex that is wet, 0 to 1, as all are now.
double rod_wet_part(const Rods* rods, const World* world, int vertex);
