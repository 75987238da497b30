// What the parts of the pressure operator share.
#pragma once
#include "base/vec.h"
#include "solve/pressure.h"

static const double OPEN_FLOOR = 1e-4;  // smaller open fractions carry no link

// Open fraction of the low face of a cell, as the ghost-fluid operator takes it; where there are solids or sheets.
double pressure_ghost_area(const PressureInput* in, int axis, ptrdiff_t at);
// Open (and, for cut cells, wet) fraction of the low face of a cell.
static inline double pressure_face_area(const PressureInput* in, int axis, ptrdiff_t at)
{
    if (in->kind != PRESSURE_CUT) return in->phi_solid || in->side ? pressure_ghost_area(in, axis, at) : 1;
    double area = in->cells->area[axis][at];
    return in->phi_solid && area < OPEN_FLOOR ? 0 : area;
}
// Part of the low face of a cell that no solid covers.
double pressure_open_area(const PressureInput* in, int axis, ptrdiff_t at);
// phi at the centre of a cell, m.
double pressure_center_value(const PressureInput* in, ptrdiff_t at);
// A centre that lies less deep (cells) is on the surface. 0.05 loses second order in the max norm (docs/pressure.md).
static const double DEPTH_FLOOR = 0.01;
// Distance, in cells, from the centre of unknown cell l to the surface on the way to its neighbour m.
double pressure_surface_distance(const Pressure* p, ptrdiff_t l, ptrdiff_t m);
// Pressure just inside the surface, Pa: at a point given in cells; theta cells from the centre of a cell along an axis.
double pressure_outside(const PressureInput* in, const double x[3]);
double pressure_outside_face(const Pressure* p, int i, int j, int k, int axis, int step, double theta);
// Weight and place of the link from a cut unknown cell to the surface patch inside it.
double pressure_patch_weight(const Pressure* p, const CutCell* cut, double foot[3]);
// Of a piece of skin that lets go of its unknown cell: distance (cells) to the pressure beside it, and that pressure (Pa).
double pressure_skin_distance(double* outside, const Pressure* p, const Skin* s);
// Outflow through the surface patch and along solids inside a cut cell.
double pressure_patch_outflow(const Pressure* p, double* const u[3], const CutCell* cut);
// The cut cell whose surface moves with the flow through the face from `at` to `beside`, a cell without an unknown; -1: none.
int pressure_patch_towards(const Pressure* p, ptrdiff_t at, ptrdiff_t beside);
// Sorts the cells: p->cell.
mn_status pressure_classify(Pressure* p, Arena* arena);
// What a solid's motion takes out of a cut cell: solid area (out of the liquid) times its velocity v there, m/s. 0 where all is
// still.
double pressure_solid_outflow(double v[3], const PressureInput* in, const CutCell* cut);
// The part of the solids' flux that each cut cell takes up, p->room: NULL where no solid moves (squeezed.h).
mn_status pressure_find_room(Pressure* p, Arena* arena);

// Cells and faces in the window only: what lies past a side is a wall or open.
static inline bool pressure_has_neighbour(const Window* w, const int at[3], int axis, int step)
{
    int q = at[axis] + step;
    return q >= 0 && q < w->n[axis];
}

// Does the wall beside this cell let go?
static inline bool pressure_wall_is_open(const Pressure* p, ptrdiff_t cell, int axis, int step)
{
    return skin_open(p->in.skins, cell, axis, step > 0) != NULL;
}

// All cells of row r of the spans; the function returns where the row has none.
#define FOR_CELLS(p, r)                                                                                                          \
    const Window* w = (p)->in.w;                                                                                                 \
    const Spans* spans = (p)->in.spans;                                                                                          \
    int j = (r)%spans->rows_y, k = (r)/spans->rows_y;                                                                        \
    if (j >= w->n[1] || k >= w->n[2]) return;                                                                                    \
    ptrdiff_t row = window_at(w, 0, j, k);                                                                                       \
    SPAN_LOOP(spans, r, q)                                                                                                       \
        for (int i = spans->span[q].i0, last = mini(spans->span[q].i1, w->n[0]); i < last; i++)
