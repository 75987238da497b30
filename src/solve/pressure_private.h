// What the parts of the pressure operator share.
#pragma once
#include "base/vec.h"
#include "solve/pressure.h"

// Open (and, for cut cells, wet) fraction of the low face of a cell.
double pressure_face_area(const PressureInput* in, int axis, ptrdiff_t at);
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
