// How the pressures of cells and the velocities of vertices push each other: B_ic, the integral over the surface in cell c of
// phi_i n dA, which is both the push of a unit pressure on vertex i and the flow out of the cell by its unit velocity.
#pragma once
#include "membrane/lanes.h"

typedef struct PushEntry {
    int cell;        // place among the cells with pieces
    double area[3];  // B_ic, in face areas
    double normal;   // n_i.B_ic
} PushEntry;

// By vertex: entries start[i] .. start[i + 1] - 1, each cell once. Arena memory.
typedef struct Pushes {
    int* start;
    PushEntry* entry;
} Pushes;

// normal: unit vectors, one per vertex. Cells that are not unknown are left out: nothing is pushed through them.
mn_status pushes_build(Pushes* p, const MembraneCells* c, const MembraneMesh* m, double (*normal)[3], const bool* unknown,
                       Arena* arena);
