// What velocity a face on or past the free surface has after a projection: who decides it, and in what order it comes about
// (docs/pressure.md, "Velocity past the surface").
//
//     1  the pressure sets the faces beside its unknown cells, as far as past_surface_keeps lets it     (solve/pressure_update.c)
//     2  of these, those with little liquid settle: they fade towards what the faces behind continue to (extrapolate_settle)
//     3  all others are continued from the set ones, layer by layer                                     (extrapolate_velocity)
//     4  where a partner presses on cut cells, the dry faces they look out through are balanced         (extrapolate_balance)
//     5  and the rest is continued once more, now from these too
//
// past_surface_rule decides for a whole liquid, past_surface_kind for a face, past_surface_fill does 2 to 5.
#pragma once
#include "base/arena.h"
#include "grid/cutcells.h"

// Of a face. Those that are not FACE_CONTINUED or FACE_HELD are known: others are continued from them.
typedef enum FaceKind {
    FACE_CONTINUED,  // goes on from the faces behind it as they change (the first layer) or as they are (further out)
    FACE_KEPT,       // as the pressure left it
    FACE_SETTLED,    // as the pressure left it, faded a little towards what the faces behind it continue to
    FACE_BALANCED,   // as much flows into the cut cell it closes as out of it
    FACE_HELD  // beside a solid or wall: the value next to it, as it is. Decided while continuing and not stored: FACE_CONTINUED
               // stands in arrays
} FaceKind;

// What counts for a whole liquid in a projection.
typedef struct SurfaceCase {
    bool has_tension;      // a pressure sigma kappa acts on the surface
    bool is_pressed;       // a partner may press on the surface too
    bool has_patches;      // cut cells, which have a flow through the piece of surface in them; false: ghost fluid
    double dt, t_s;        // s: the step, and the capillary time sqrt(rho dx^3/(4 pi sigma))
    double viscosity, dx;  // m^2/s, m
    bool lines_on_walls;   // the surface meets the tank's walls at other angles than 90 degrees
} SurfaceCase;

// How the faces past one liquid's surface are treated; all zeros: what the pressure sets is kept where it is wet, and everything
// else is continued.
typedef struct PastSurface {
    bool keeps_dry;       // the pressure moves dry faces beside an unknown cell too
    double least_open;    // a face between an unknown cell and the surface that is open by less is continued
    double settling;      // 0..1: part of the way that little wet faces fade in this projection
    bool holds_at_walls;  // beside the tank's walls a face that is continued is held, as beside solids
} PastSurface;

// What counts for one face.
typedef struct FaceFacts {
    int unknowns;  // unknown cells beside it, 0 to 2
    bool on_side;  // on a side of the tank
    double area;   // part of it that the pressure's operator lets flow pass: the wet one (cut cells), the open one (ghost fluid)
    double wet;    // part of it that is wet
    bool is_open;  // some of it is not in a solid; asked for dry faces
    bool is_deep;  // the unknown cell has two more behind it along every axis; asked for dry faces
    bool near_solid;  // or, where the rule says so, a wall: nearer than NEAR_SOLID; asked while continuing
    bool is_pressed;  // a cut cell that a partner presses on looks out through it
} FaceFacts;

// Cells. Beside solids the value next to a face is taken as it is: along a line that goes down a wall faster and faster, what is
// continued would be carried back into the liquid and continued again, a third larger in every step. So would it on walls of the
// tank that hold the line: the surface there does not go with the flow, and what is continued enters the liquid through it. Along
// other lines on walls it would be the faces in the tip of a wedge, thinner than a cell, that decide where phi goes cells ahead
// of it.
static const double NEAR_SOLID = 2;
static const double HALF_WET = 0.5;  // faces that are less wet settle

PastSurface past_surface_rule(const SurfaceCase* c);
// Where the surface stays while the velocity is projected again and again (cycles of tension): all past it is made anew each
// time.
PastSurface past_surface_anew(const PastSurface* rule);

// Does the velocity that the pressure gives to a face stay?
// - Dry faces move with the pressure where the rule says so. In threads thinner than three cells they do not: the few faces past
//   the surface are kicked to 2.3 times the speed at which the thinnest sheet retracts (test_breaking).
// - A sliver between a solid and the surface closes the balance of a cell, so that errors of the other faces come out of it
//   enlarged by the ratio of the areas (least_open).
static inline bool past_surface_keeps(const PastSurface* rule, const FaceFacts* f)
{
    if (f->unknowns == 0) return false;
    if (f->on_side) return true;
    if (f->area == 0) return rule->keeps_dry && f->is_deep && f->is_open;
    return f->unknowns == 2 || !(f->area < rule->least_open);
}

// A face that the pressure does not set.
static inline FaceKind past_surface_continued(const FaceFacts* f)
{
    if (f->is_pressed && !(f->wet > 0)) return FACE_BALANCED;
    return f->near_solid ? FACE_HELD : FACE_CONTINUED;
}

// The one decision.
static inline FaceKind past_surface_kind(const PastSurface* rule, const FaceFacts* f)
{
    if (!past_surface_keeps(rule, f)) return past_surface_continued(f);
    return rule->settling > 0 && !(f->wet > HALF_WET) ? FACE_SETTLED : FACE_KEPT;
}

// The free surface that velocities go past.
typedef struct SurfaceView {
    const double *phi, *phi_solid;  // m, nodes; phi_solid may be NULL
    const CutCells* cells;
    const Spans* spans;
    const Window* w;
} SurfaceView;

// Steps 2 to 5 above, once the pressure has set its faces. kind: per face, on the spans, as the pressure decided; balanced ones
// are added. pressed: per cut cell, >= 0 where a partner presses on it; NULL: nowhere. Ghosts are reflected at the end. Arena
// memory.
mn_status past_surface_fill(double* const u[3], Arena* arena, unsigned char* const kind[3], const PastSurface* rule,
                            const int* pressed, const SurfaceView* s);
