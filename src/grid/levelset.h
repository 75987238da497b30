// Upkeep of a node level set phi (m, < 0 in the liquid), a signed distance within a band around the surface and +-band beyond.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

// Relaxes phi towards a signed distance in the band without moving the surface: |grad phi| = 1 by `sweeps` two-stage
// pseudo-time steps of Godunov's scheme with second-order ENO differences, the surface held at its sub-cell place (Russo &
// Smereka 2000; Min & Gibou 2007). Ends clamped to +-band, ghosts reflected. With `hold` the nodes beside the surface keep their
// values: the surface stays where it is to the last bit, even where it is thinner than the grid can tell.
mn_status levelset_redistance(double* phi, Arena* arena, const Spans* spans, const Window* w, double band, int sweeps, bool hold);

// Largest | |grad phi| - 1 | over nodes within one cell of the surface.
double levelset_slope_error(const double* phi, const Spans* spans, const Window* w);
