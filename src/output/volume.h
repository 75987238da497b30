// All liquids of a moment on one grid, the tank's own, for files that hold volumes.
#pragma once
#include "step/sim.h"

// Arrays have x fastest. Owns them; all zeros is a valid empty one.
typedef struct Volume {
    int dim;
    int cells[3];   // of the tank; cells[2] is 1 in 2D
    int nodes[3];   // cells + 1; nodes[2] is 1 in 2D
    double dx;      // m; node (i, j, k) is at (i dx, j dx, k dx)
    double band;    // m
    float* phi;     // m per node, < 0 in the liquid (solids cut out of it), never beyond +-band
    float (*u)[3];  // m/s per node; 0 where phi = band
    float* p;       // Pa above the air per node, mean of the wet cells around it; 0 outside the liquid
} Volume;

mn_status volume_make(Volume* v, const Sim* sim);  // MN_NO_MEMORY leaves v empty
void volume_free(Volume* v);                       // fine on an empty one; leaves it empty

static inline size_t volume_node(const Volume* v, int i, int j, int k)
{
    return ((size_t)k*(size_t)v->nodes[1] + (size_t)j)*(size_t)v->nodes[0] + (size_t)i;
}
