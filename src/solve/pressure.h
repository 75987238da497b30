// The pressure operator of one liquid: from cut cells to face weights and back to velocities.
//
//     u_new = u - dt/rho grad p,   div u_new = divergence (0 unless liquid is added),
//     p = p_outside on the free surface,   u_new.n = u_solid.n on walls and solids.
//
// Unknowns sit at the centres of cells whose centre is wet; cells with liquid but a dry centre lie on the surface and are
// eliminated (docs/pressure.md tells why, with the table of errors). Rows are scaled by rho dx/dt/dx^(dim-1), so that weights
// are pure numbers and b is in Pa:
//     sum_f w_f (p_l - p_m) + w_patch (p_l - p_surface) = rho dx/dt (net inflow through the cell's faces, patch and solids).
#pragma once
#include "base/arena.h"
#include "grid/cutcells.h"
#include "grid/past_surface.h"
#include "solve/poisson.h"
#include "solve/skin.h"

// PRESSURE_AUTO stands in settings only: a step picks one of the others (flow_operator).
typedef enum PressureKind { PRESSURE_CUT, PRESSURE_GHOST, PRESSURE_AUTO } PressureKind;

// Velocity (m/s) of the solid nearest to a point (m).
typedef struct SolidMotion {
    void (*velocity)(double out[3], const void* user, const double x[3]);
    const void* user;
} SolidMotion;

typedef struct PressureInput {
    PressureKind kind;
    const Window* w;
    const Spans* spans;
    const CutCells* cells;
    const double* phi;        // m, nodes
    const double* phi_solid;  // m, nodes; NULL without solids
    const double* open[3];    // of faces that a solid touches, by pressure_find_open; NULL: found whenever they are asked for
    // One side of sheets: phi goes on behind them, cells are that side's, and phi_solid has the sheets for a solid. The rows of
    // the two sides add up: what they share is in those of one of them (solve/pressure_sides.h). NULL: no sheets.
    const SheetSide* side;
    SolidMotion solid;
    bool solid_yields;         // what moves gives way to the pressure: it squeezes nothing (squeezed.h)
    const double* surface;     // Pa, nodes: pressure just inside the surface (sigma kappa); NULL for zero
    const double* divergence;  // 1/s, cells; NULL for zero
    // Walls and solids that let go (liquid/letting_go.h). On their open pieces the pressure is -held instead of whatever keeps
    // the liquid from leaving. NULL: they hold both ways.
    SkinList* skins;
    PastSurface past;  // which faces on and past the surface keep the velocity that the pressure gives them
    double rho, dt;
} PressureInput;

// One link from an unknown cell to the surface: to the patch inside it, or through a face towards a cell without an unknown.
typedef struct SurfaceLink {
    ptrdiff_t cell;
    int patch;  // the cut cell whose piece of surface it ends on; -1: none
    double weight;
    double known;  // weight times the surface's pressure there, Pa
    double x[3];   // where that pressure is read, cells
    int axis;      // of the face it goes through; -1: none, it ends on the patch inside
    ptrdiff_t face;
    double area[3];  // of the patch or face, out of the liquid, in face areas
    double outflow;  // area.u with the velocity the problem was built with, m/s
} SurfaceLink;

typedef struct Pressure {
    PressureInput in;
    Poisson system;
    const double* change;  // Pa, per cut cell: added to the surface's pressure on its patch by an implicit scheme; NULL: nothing
    double* room;          // per cut cell: the part of its solid's flux that it takes up; NULL: no solid moves
    unsigned char* cell;   // per cell, on the spans: CELL_IS_...
    unsigned char* kind[3];  // per face, on the spans: a FaceKind; FACE_CONTINUED where the velocity is not the pressure's
} Pressure;

enum { CELL_IS_DRY, CELL_IS_UNKNOWN, CELL_IS_ELIMINATED, CELL_IS_ORPHAN };

// How much of each face solids leave open, once for all who ask. To be called before pressure_build; not beside sheets.
mn_status pressure_find_open(PressureInput* in, Arena* arena);
// Builds weights and right-hand side from the predicted velocity u. Wall faces of u must hold the wall's velocity.
mn_status pressure_build(Pressure* p, Arena* arena, const PressureInput* in, double* const u[3]);
// The right-hand side again, for other values of u and of in.surface; everything else as it was.
void pressure_refresh(Pressure* p, double* const u[3]);
// The same once more, with the same u, after pieces of in.skins have opened: they change weights of special cells only.
mn_status pressure_reopen(Pressure* p, Arena* arena, double* const u[3]);
// What an open, wet piece of skin adds to the right-hand side of its cell, Pa; 0 for others.
double pressure_skin_pull(const Pressure* p, const Skin* s);
// All links to the surface, in the order of the special cells.
mn_status pressure_surface_links(SurfaceLink** link, int* count, Arena* arena, const Pressure* p, double* const u[3]);
// u -= dt/rho grad p on every face with an unknown beside it that lets flow pass; sorts them (past_surface_kind).
void pressure_update(Pressure* p, double* const u[3], const double* pressure);
// Has the problem an unknown in this cell?
static inline bool pressure_is_unknown(const Pressure* p, ptrdiff_t at)
{
    return p->cell[at] == CELL_IS_UNKNOWN || p->cell[at] == CELL_IS_ORPHAN;
}
// What sheets close of a cell that they cut through, as its side has it: out of the liquid, in face areas. False: it is not cut
// through. (A rim within it moves nothing into the cell or out of it: both its sides are in it.)
bool pressure_sheet_area(double area[3], const PressureInput* in, const CutCell* cut);
// Mass of a face that pressure_update sets, of a full one's: it moves as if this part of a cell hung on it. 0 on other faces.
double pressure_face_mass(const Pressure* p, int axis, const int face[3]);
// Largest |net outflow - source| of any unknown cell after the update, as |div u| in 1/s; a check on the whole chain. The flux
// through surface patches is not stored, so cells with a patch do not count.
double pressure_divergence(const Pressure* p, double* const u[3]);
