// Tension as a force on a band of liquid under the surface, for comparison with the papers; the method is told in tension_band.c.
#pragma once
#include "liquid/world.h"

typedef struct BandFace {
    ptrdiff_t at;
    double delta;    // 1/m: the band's kernel at the face's centre
    double normal;   // component of the unit normal, out of the liquid, along the face's axis
    double foot[3];  // the surface point next to it, cells
    int beside[6];   // the neighbours' places in the list; -1: not in the band
    double link[6];  // 1/m: the kernel half-way to them
} BandFace;

typedef struct Band {
    BandFace* face[3];  // per axis, in the order of the rows
    int count[3];
} Band;

// The faces with -eps < phi < 0, eps = width dx (0: 3). Ghosts of phi must be filled. Memory from the arena.
mn_status band_build(Band* b, Arena* arena, const double* phi, const Spans* spans, const Window* w, double width);
// u -= factor delta pressure n; pressure (Pa): sigma kappa on the nodes around the surface, factor = dt/rho. Where u is another
// field it is left alone.
void band_push(double* const u[3], const Band* b, const double* pressure, double factor, const Window* w);
// (1 - factor div(delta grad)) u_new = u per component, factor = w sigma dt^2/rho. Returns the iterations it took.
mn_status band_smooth(double* const u[3], int* iterations, Arena* arena, const Band* b, double factor, const Window* w);

// The scheme TENSION_CSF: force and smoothing of a liquid's u over the step, before the projection, which then knows no tension.
mn_status tension_band_act(Liquid* q, StepContext* ctx);
