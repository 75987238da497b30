// One connected body of liquid: its window of the grid, level set, velocity and target volume.
#pragma once
#include "base/arena.h"
#include "base/state.h"
#include "grid/contact_edge_solid.h"
#include "grid/cutcells.h"
#include "grid/past_surface.h"
#include "grid/exchange.h"
#include "grid/spans.h"
#include "liquid/backing.h"
#include "liquid/solid.h"

// How far spans reach past the band.
enum { SPAN_GROW = 3 };
// Cells between the liquid and the sides of its window: made with, re-made below, re-made above. Wider bands ask for as many
// more.
enum { MARGIN = 10, MARGIN_LEAST = 8, MARGIN_MOST = 24 };

// Cells past the band that the shadow of sheets reaches: to there nodes belong to one side. And cells past its end that are still
// known to be in front or behind: what each side sees has a jump at the end of the shadow behind it, which must not be read by
// what is kept.
enum { SHEETS_SHADE = 2, SHEETS_PLANE = 8 };

typedef struct LiquidMaterial {
    double rho;            // kg/m^3
    double sigma;          // N/m
    double mu;             // Pa s
    double contact_angle;  // rad
} LiquidMaterial;          // doubles only: its walk is an array of them

// Of so much (m^3) of one and of another once they are mixed: mass adds, other properties mix by volume.
LiquidMaterial material_mixed(const LiquidMaterial* a, double va, const LiquidMaterial* b, double vb);

typedef struct Liquid {
    // what a checkpoint saves
    int id;    // never used twice in a run; 0 is nobody
    int kind;  // which liquid of the scene it comes from: decides with whom it merges
    LiquidMaterial material;
    double target_volume;  // m^3 (2D: m^2)
    Window w;
    Field phi;   // m, nodes
    Field u[3];  // m/s, faces; valid in the liquid and extrapolated through the band
    Field p;     // Pa, cells; the last solution, start of the next solve
    // Beside sheets, where there are any: what the values of the other side go on to, at nodes and faces with a sheet in between
    // (liquid/sides.h).
    Field phi_far, u_far[3];
    // A partner has its surface as a mesh and moves it (membrane/): phi, spans and cells follow from that, and its own step
    // leaves it alone. The partner's state says so; it is no state of the liquid.
    bool meshed;
    Field solid_cache;      // m, nodes: distance to the solids that stand still; 0 = not asked for yet; lost with the window
    EdgeCells* edge_cells;  // what is known of edges of phi_solid, shared with sides of sheets; NULL without solids. Owned
    // rebuilt every step; arena memory
    Field phi_solid;    // m, nodes, on the spans; empty without solids
    long solid_moves;   // Solids.moves when it was sampled
    Backed phi_backed;  // the same with thin walls filled on their dry side (liquid/backing.h): what the surface is continued by
    Spans spans;
    CutCells cells;   // of both sides of sheets together
    SheetCut* sheet;  // NULL: no sheets
    bool wets_sheet;  // does it touch one, on either side?
    int on_sheets;    // wet pieces of cells that sheets cut through
    // of what one side of sheets sees (liquid/sides.h): which, and of whom; NULL: this is the whole liquid
    const SheetSide* side;
    const struct Liquid* whole;
    // within a step: the momentum (kg m/s) that it has but for what pushes it, known while due_volume is the target volume
    // (liquid/momentum.h)
    double due[3], due_volume;
} Liquid;

// Does what one side of sheets sees in this cell count, where sums over both sides are made? Of the whole liquid everything does.
static inline bool liquid_counts(const Liquid* q, ptrdiff_t at) { return !q->side || sheetside_counts_cell(q->side, &q->w, at); }
static inline const Liquid* liquid_whole(const Liquid* q) { return q->whole ? q->whole : q; }

mn_status liquid_init(Liquid* q, const Window* w);  // empty: phi = +band everywhere
void liquid_free(Liquid* q);
// Window, material, spans and cut cells as far as they are built. Takes as long as the
// liquid is large: for asserts.
bool liquid_is_valid(const Liquid* q);
mn_status liquid_add_far(Liquid* q);  // phi_far and u_far, as if no sheet were there
// A new liquid on a window of its own with q's fields where the two windows overlap, and nothing else of it: phi is +band past
// them, and ghosts are not filled.
mn_status liquid_copy_to_window(Liquid* out, const Liquid* q, const Window* w);
// Sheets in the window, and spans that also cover what goes on behind them. Arena memory.
mn_status liquid_find_sheets(Liquid* q, Arena* arena, const SheetSurface* sheets);
// What survives a step, for a visitor. One that brings values leaves the rebuilt parts as they are: rebuild them.
// beside_sheets: it has, or gets, the values behind them too.
mn_status liquid_visit(Liquid* q, const Tank* tank, bool beside_sheets, StateVisitor* v);

// Does it touch a solid or a sheet? Its cut cells must stand.
bool liquid_wets_skin(const Liquid* q);

static inline double window_band(const Window* w) { return (BAND + w->wider)*w->dx; }
static inline double liquid_band(const Liquid* q) { return window_band(&q->w); }
static inline int liquid_margin(const Tank* tank) { return MARGIN + tank->wider; }
static inline const double* liquid_solid(const Liquid* q) { return q->phi_solid.v; }
// The surface that its velocity goes past; borrowed, until the liquid is rebuilt.
static inline SurfaceView liquid_surface(const Liquid* q)
{
    return (SurfaceView){.phi = q->phi.v, .phi_solid = liquid_solid(q), .cells = &q->cells, .spans = &q->spans, .w = &q->w};
}

// Fills phi from a signed distance (m) or a bound of one, and makes it a distance in the band.
typedef double (*ShapeDistance)(const void* user, const double x[3]);
mn_status liquid_set_shape(Liquid* q, Arena* arena, ShapeDistance distance, const void* user);

// Box of the cells with a wet corner, in cells of the window; false if there is none.
bool liquid_bounds(int lo[3], int hi[3], const Liquid* q);
// Moves the window after the liquid when that has come near a side or left much room. Data moves, nothing is resampled.
mn_status liquid_refit_window(Liquid* q, const Tank* tank);
mn_status liquid_change_window(Liquid* q, const Window* w);

// Spans, solid samples and cut cells for the present phi.
mn_status liquid_rebuild(Liquid* q, Arena* arena, const Solids* solids);
mn_status liquid_rebuild_spans(Liquid* q, Arena* arena, const Solids* solids);  // without the cut cells
mn_status liquid_rebuild_cells(Liquid* q, Arena* arena);                        // phi changed within the spans

// s: what the shortest wave of the grid, of two cells, takes for half a cell, sqrt(rho dx^3/(4 pi sigma)); INFINITY without
// tension.
double liquid_capillary_time(const Liquid* q);

typedef struct LiquidState {
    double volume, center[3], velocity[3], low[3], high[3], area, kinetic_energy;
    double momentum[3];
} LiquidState;
// Integrals over the liquid for tables; low and high bound the surface.
LiquidState liquid_state(const Liquid* q, Arena* arena);
double liquid_max_speed(const Liquid* q);  // largest face velocity in the wet cells, m/s; infinite if one is no number
