// Splitting a liquid into its connected parts, and merging liquids that touch.
#pragma once
#include "liquid/liquid.h"

// A connected part: wet cells joined through wet faces. (Not nodes: they would join parts across a diagonal.) Beside sheets that
// is asked of what each side sees (liquid/sides.h): a cell that a sheet cuts through is two pieces, and what both see is one.
typedef struct Part {
    double volume;       // m^3
    double center[3];    // m; beside a sheet on the part's own side
    double velocity[3];  // m/s, volume mean
    int lo[3], hi[3];    // cells of the window
} Part;

typedef struct Parts {
    int count;
    Part* part;  // largest volume first; equal ones, to a thousandth of a cell, by their lowest cell (z, then y, then x)
    // per cell of the window, on the spans: part or -1; NULL when count < 2. Beside sheets as each side sees it, else [0] alone
    int32_t* label[2];
    // per node inside a solid, or to one side behind a sheet, where phi goes on as if there were liquid, on the spans: whose
    // surface that is, or < 0. NULL without solids and sheets and when count < 2
    int32_t* inside[2];
} Parts;

mn_status parts_find(Parts* parts, Arena* arena, const Liquid* q);
// Is node (i,j,k) of q's window, on the side of sheets that it lies on, a corner of a cell of part m?
bool part_has_node(const Parts* parts, const Liquid* q, int i, int j, int k, int m);

// Makes part m of q a liquid of its own in *out (id 0, target volume 0: the caller's). q is not changed. Spans and cut cells of
// *out are for the caller to build. sheets: those of q, if it has any; NULL: there are none.
mn_status part_extract(Liquid* out, Arena* arena, const Liquid* q, const Parts* parts, int m, const Tank* tank,
                       const SheetSurface* sheets);
// Leaves only part m in q.
mn_status part_keep(Liquid* q, Arena* arena, const Parts* parts, int m);

// Do two liquids share a wet cell, on the same side of sheets? Then one flood fill would join them: they touch.
bool liquids_touch(const Liquid* a, const Liquid* b);
// Joins b into a: union of the liquids on either side of sheets, velocities weighted by wet volume, target volumes added. b is
// left as it was. Spans and cut cells of a are for the caller to build.
mn_status liquid_merge(Liquid* a, const Liquid* b, Arena* arena, const Tank* tank, const SheetSurface* sheets);
// A ball of liquid of 1.5 cells around a node of the tank is added to q, on its side of sheets: what held it apart from another
// broke there. Spans and cut cells are those of before.
mn_status liquid_open_hole(Liquid* q, Arena* arena, const int node[3]);
