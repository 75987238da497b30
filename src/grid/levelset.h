// Upkeep of a node level set phi (m, < 0 in the liquid), a signed distance within a band around the surface and +-band beyond.
#pragma once
#include "base/arena.h"
#include "grid/contact.h"
#include "grid/spans.h"

// How far from a node, in nodes along each axis, these may read the field they are given: one stage of the relaxation
// (second-order ENO differences), the direct distances (the search for a foot ends 5 cells off, and reads a cubic there),
// levelset_clear (second differences two nodes off), and levelset_middles. Upper bounds from the code.
enum { REDISTANCE_READS = 2, REDISTANCE_DIRECT_READS = 7, CLEAR_READS = 3, MIDDLES_READS = 1 };

// Is a value of phi one of the band's? Beyond it phi is +-band, and what is interpolated between such nodes is that but for
// rounding, which must not decide: scenes and their mirror images round differently.
static inline bool levelset_in_band(double phi, double band)
{
    double inner = band*(1 - 1e-9);
    return phi > -inner && phi < inner;
}

// Relaxes phi towards a signed distance in the band without moving the surface: |grad phi| = 1 by `sweeps` two-stage
// pseudo-time steps of Godunov's scheme with second-order ENO differences, the surface held at its sub-cell place (Russo &
// Smereka 2000; Min & Gibou 2007). Ends clamped to +-band, ghosts reflected. With `hold` the nodes beside the surface keep their
// values: the surface stays where it is to the last bit, even where it is thinner than the grid can tell.
mn_status levelset_redistance(double* phi, Arena* arena, const Spans* spans, const Window* w, double band, int sweeps, bool hold);

// The same relaxation, but nodes within 3 cells of a surface that is smooth there (levelset_clear) go straight towards their
// distance to the zero set of the cubic interpolant (Chopp 2001), by a fraction 0.35 sweeps (at most 1: all of it in a step) of
// what is missing, and are left out of the relaxation. Keeps the curvature of the surface to second order where the relaxation
// alone does not (docs/curvature.md). contact (may be NULL: 90 degrees) fills the ghosts.
mn_status levelset_redistance_direct(double* phi, Arena* arena, const Spans* spans, const Window* w, double band, int sweeps,
                                     const Contact* contact);

// Largest | |grad phi| - 1 | over nodes within one cell of the surface.
double levelset_slope_error(const double* phi, const Spans* spans, const Window* w);

// clear[node] = 1 where phi is smooth: within 3.5 cells of the surface, and no edge of phi (a corner, the middle of a thin sheet)
// within two nodes; the middle of a small drop counts for nodes at most 1.5 cells less deep. 0 on the rest of the spans.
// Curvature and cubics can be trusted there. Arena memory, shifted like a field.
mn_status levelset_clear(unsigned char** clear, Arena* arena, const double* phi, const Spans* spans, const Window* w);

// middle[node] = 1 in the middle of a sheet of liquid or air: phi has an edge there (as above), and no slope, since what lies on
// its two sides falls away from it. At a corner of the surface, which has an edge too, it does have one; on the axis of a thread
// and in the middle of a drop phi comes to a point, bent in more directions than one. 0 on the rest of the spans, and inside
// solids (`solid` < 0; NULL: none), where phi ends in the middle of thin walls. Arena memory, shifted like a field.
mn_status levelset_middles(unsigned char** middle, Arena* arena, const double* phi, const double* solid, const Spans* spans,
                           const Window* w);
