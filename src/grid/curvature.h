// Curvature of the surface phi = 0 and what surface tension needs around it.
//
// kappa = div(grad phi/|grad phi|) in 1/m, positive on a convex drop: 1/R for a disc, 2/R for a ball. n = grad phi/|grad phi|
// points out of the liquid. The pressure just inside the surface is p_outside + sigma kappa.
#pragma once
#include "base/arena.h"
#include "grid/cutcells.h"
#include "grid/spans.h"

// How far from a node these may read, in nodes along each axis: phi, five nodes wide; SHARPEN: 2.5 cells to the foot, 2 along
// the surface and 2 of sag at most, and a linear interpolation there; SMOOTH_THIN: a cell below the foot. Upper bounds from the
// code.
enum { CURVATURE_READS = 2, SHARPEN_READS = 8, SMOOTH_THIN_READS = 5 };

// Nodes this close to the surface (cells) get a curvature; the others on the spans get 0.
static const double CURVATURE_REACH = 2.5;

// Curvature of the surface at the foot of every node within CURVATURE_REACH cells of it: the field is constant along normals, so
// that its interpolant at a surface point is the curvature there. Each principal curvature is held to 1/dx. phi must be near a
// distance up to 2 cells further out, its ghosts filled.
void curvature_nodes(double* kappa, const double* phi, const Spans* spans, const Window* w);

// How the surface goes on where it ends.
typedef struct Sharpen {
    const double* phi_solid;  // m, on nodes, ghosts filled; NULL: no solid
    bool
        // it meets walls at 90 degrees. At other angles kappa beside the line is the force on the line: left as it is
        walls_are_even;
} Sharpen;

// Puts back what the filters of curvature_nodes, the reading of kappa between nodes and the linear pressure beside the surface
// take from waves along the surface: (k dx)^2 times 13/24 of kappa, 2 % of a wave of 32 cells. Ghosts of phi and kappa must be
// filled; those of kappa are filled again.
mn_status curvature_sharpen(double* kappa, Arena* arena, const double* phi, const Sharpen* s, const Spans* spans,
                            const Window* w);

// In liquid thinner than THIN_CELLS the surfaces of both sides are within one stencil, and what is found there varies from node
// to node by as much as 1/dx. The pressures that go with it act across a thread of a fraction of a cell and throw it about.
// There the curvature becomes the mean of that around: the thread still has a pressure, its own along itself, but none across.
// All other nodes keep what they have, to the bit. Ghosts of phi and kappa must be filled; those of kappa are filled again.
mn_status curvature_smooth_thin(double* kappa, Arena* arena, const double* phi, const Spans* spans, const Window* w);

// Curvature of one node; n (may be NULL): unit normal out of the liquid there.
double curvature_at(double n[3], const double* phi, const Window* w, ptrdiff_t at);

// One piece of surface: area (any unit, the same for all), unit direction out of the liquid, curvature (1/m).
typedef struct SurfaceEntry {
    double area, direction[3], kappa;
} SurfaceEntry;

// A closed surface pulls on its liquid with no net force: the integral of kappa n vanishes. That of sampled curvatures does not.
// Finds lambda (1/m) such that kappa - direction.lambda has none: (sum A e e^T) lambda = sum A e kappa. Entries are summed in
// their order. lambda = 0 where the sum is singular (no surface, or a flat one).
void curvature_neutral(double lambda[3], const SurfaceEntry* entry, long count, int dim);
// The same on nodes: the sums run over the surface patches of the cut cells, kappa interpolated at their centroids; then
// kappa becomes factor kappa - n.lambda on the nodes within reach; lambda is 0 along the axes that are not free.
typedef struct SurfacePull {
    unsigned free;      // axes along which the surface cannot pull, a bit each
    unsigned mirrored;  // those across mirrors that it meets: it pulls by the lines on them (liquid/momentum.h)
    double line[3];     // along the latter: the integral of kappa n, in units of area/m as the patches of cut cells have them
} SurfacePull;
mn_status curvature_make_neutral(double* kappa, double lambda[3], Arena* arena, const double* phi, const CutCells* cells,
                                 const Spans* spans, const Window* w, const SurfacePull* pull);
