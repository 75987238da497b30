// Splitting a liquid into its connected parts, and merging liquids that touch.
#pragma once
#include "liquid/liquid.h"

// A connected part: wet cells joined through wet faces. (Not nodes: they would join parts across a diagonal.)
typedef struct Part {
    double volume;       // m^3
    double center[3];    // m
    double velocity[3];  // m/s, volume mean
    int lo[3], hi[3];    // cells of the window
} Part;

typedef struct Parts {
    int count;
    Part* part;      // largest volume first; equal ones, to a thousandth of a cell, by their lowest cell (z, then y, then x)
    int32_t* label;  // per cell of the window, on the spans: part or -1; NULL when count < 2
    // per node inside a solid where phi goes on as if there were liquid, on the spans: whose surface that is, or < 0. NULL
    // without solids and when count < 2
    int32_t* inside;
} Parts;

mn_status parts_find(Parts* parts, Arena* arena, const Liquid* q);

// Makes part m of q a liquid of its own in *out (id 0, target volume 0: the caller's). q is not changed.
mn_status part_extract(Liquid* out, Arena* arena, const Liquid* q, const Parts* parts, int m, const Tank* tank);
// Leaves only part m in q.
mn_status part_keep(Liquid* q, Arena* arena, const Parts* parts, int m);

// Do two liquids share a wet cell? Then one flood fill would join them: they touch.
bool liquids_touch(const Liquid* a, const Liquid* b);
// Joins b into a: union of the liquids, velocities weighted by wet volume, target volumes added. b is left as it was.
mn_status liquid_merge(Liquid* a, const Liquid* b, Arena* arena, const Tank* tank);
// A ball of liquid of 1.5 cells around a node of the tank is added to q: what held it apart from another broke there. Spans and
// cut cells are those of before.
void liquid_open_hole(Liquid* q, const int node[3]);
