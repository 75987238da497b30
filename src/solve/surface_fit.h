// A smooth function on a surface, fitted to values on the nodes around it.
#pragma once
#include "grid/cutcells.h"

typedef struct SurfaceFit {
    const double* phi;        // m, nodes, ghosts filled
    const double* phi_solid;  // m, nodes, < 0 in solids: what is given with a foot in there does not count; may be NULL
    const CutCells* cells;
    const Spans* spans;
    const Window* w;
    double rest[3];    // 1/m^2, gradient of a kappa at rest (rho/sigma times the acceleration): the fit leaves it alone
    double stiffness;  // of the fit, pure number: lengths in cells
    double* const* u;  // m/s, faces, right up to a cell past the surface, ghosts filled; may be NULL
    double ahead;      // s: ripples are fitted as u will have made them by then
} SurfaceFit;

// Replaces `kappa`, given on the nodes within CURVATURE_REACH cells of the surface and constant along normals, by the function f
// on the surface that makes
//     sum over nodes m (f - kappa)^2 + stiffness (integral of (lap f)^2 over the surface)
// least, lengths in cells, lap the Laplacian along the surface. A wave of wavenumber k (per cell) keeps F = 1/(1 + stiffness k^4)
// of itself; a linear function stays as it is; where the surface ends, at walls and in solids, f goes on as in a mirror. With u,
// kappa stands for kappa - ahead lap w, w the part 1 - F of the surface's normal velocity: waves that the fit takes away are
// braked, long ones are not. Nodes without surface near their foot keep their value. Ghosts of kappa are filled again.
mn_status surface_fit(double* kappa, Arena* arena, const SurfaceFit* in);
