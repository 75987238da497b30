// Carries face velocities out of the liquid, constant along the normal, layer by layer.
#pragma once
#include "base/arena.h"
#include "grid/cutcells.h"
#include "grid/spans.h"

// As many layers as it takes to reach every face of the spans. Layers grow along the axes, so that `n` of them go only n/sqrt(3)
// cells far along a diagonal.
enum { ALL_LAYERS = 250 };

// How far from a face one layer reads, in faces along each axis: the neighbour and, for the first layer, two behind it.
enum { EXTRAPOLATE_READS = 3 };

// What a contact line may run along: within NEAR_SOLID cells of it (grid/past_surface.h) velocities do not go on changing.
typedef struct Skins {
    const double* phi_solid;  // m, nodes; NULL: no solids
    bool walls;               // the tank's walls, too
} Skins;

// kind: per face, on the spans, a FaceKind (grid/past_surface.h); not 0 where u is known. Fills `layers` layers of faces around
// the known ones; faces of the spans beyond get zero. Ghosts are reflected at the end.
mn_status extrapolate_velocity(double* const u[3], Arena* arena, unsigned char* const kind[3], const double* phi, Skins skins,
                               const Spans* spans, const Window* w, int layers);

// Settled faces go this part of the way (0 to 1) to the value that the kept ones behind them continue to, with a slope that goes
// on changing as it did (so that waves lose little). Call it before extrapolate_velocity.
mn_status extrapolate_settle(double* const u[3], Arena* arena, unsigned char* const kind[3], const double* phi,
                             const Spans* spans, const Window* w, double part);

// After extrapolate_velocity: gives the dry faces that pressed cut cells look out through (pressed[c] >= 0) the velocity with
// which as much flows into the whole of the cell as out of it. The velocity then changes from the last wet face to the surface as
// the flow along the surface demands: where a drop is stopped within a cell or two, slopes carried on from behind know nothing of
// it. Marks these faces as balanced.
mn_status extrapolate_balance(double* const u[3], Arena* arena, unsigned char* const kind[3], const CutCells* cells,
                              const int* pressed, const Window* w);
