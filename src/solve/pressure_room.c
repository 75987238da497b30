// How much of the flux of moving solids the liquid's cells have room for: the regions and slits of squeezed.h, found on the grid.
#include <assert.h>
#include <math.h>
#include "base/unionfind.h"
#include "solve/pressure_private.h"
#include "solve/squeezed.h"

typedef struct Rooms {
    Pressure* p;
    int* set;     // per cell of the window's block: sets of unknown cells that hang together
    int* number;  // per cell of the window's block: of the region, at the set's root
    SqueezedRegion* region;
    int regions;
    Slit* slit;
    int slits;
} Rooms;

static int block_index(const Rooms* rooms, ptrdiff_t at) { return (int)(at + (ptrdiff_t)rooms->p->in.w->origin); }

static bool has_moving_solid(const PressureInput* in)
{
    double v[3];
    for (int c = 0; c < in->cells->count; c++)
        if (pressure_solid_outflow(v, in, &in->cells->cut[c]) != 0) return true;
    return false;
}

static void begin_row(Rooms* rooms, int r)
{
    FOR_CELLS(rooms->p, r) rooms->set[block_index(rooms, row + i)] = block_index(rooms, row + i);
}

// Joins unknown cells through wide faces; counts the narrow ones.
static void join_row(Rooms* rooms, int r)
{
    Pressure* p = rooms->p;
    FOR_CELLS(p, r)
        for (int d = 0; d < w->dim; d++) {
            ptrdiff_t at = row + i, beside = at - window_stride(w, d);
            if (!pressure_has_neighbour(w, (int[3]){i, j, k}, d, -1)) continue;
            if (!pressure_is_unknown(p, at) || !pressure_is_unknown(p, beside)) continue;
            double area = pressure_face_area(&p->in, d, at);
            if (area >= SQUEEZED_NARROW) set_join(rooms->set, block_index(rooms, at), block_index(rooms, beside));
            else rooms->slits += area > 0;
        }
}

// Regions are numbered in the order of their first cells, which are the roots of their sets.
static void number_row(Rooms* rooms, int r)
{
    FOR_CELLS(rooms->p, r) {
        int at = block_index(rooms, row + i);
        if (pressure_is_unknown(rooms->p, row + i) && rooms->set[at] == at) rooms->number[at] = rooms->regions++;
    }
}

static int region_of(const Rooms* rooms, ptrdiff_t at) { return rooms->number[set_find(rooms->set, block_index(rooms, at))]; }

// One face of an unknown cell: a way out of its region, unless it stays within it or is closed.
static void measure_face(Rooms* rooms, const int cell[3], ptrdiff_t at, int axis, int step)
{
    const Pressure* p = rooms->p;
    const Window* w = p->in.w;
    ptrdiff_t s = window_stride(w, axis);
    double area = pressure_face_area(&p->in, axis, step < 0 ? at : at + s);
    SqueezedRegion* here = &rooms->region[region_of(rooms, at)];
    if (!(area > 0)) return;
    if (!pressure_has_neighbour(w, cell, axis, step)) {
        bool open = w->side[2*axis + (step > 0)] == SIDE_IS_OPEN || pressure_wall_is_open(p, at, axis, step);
        here->way += open ? area : 0;
    } else if (!pressure_is_unknown(p, at + step*s)) {
        here->way += area;
    } else if (area < SQUEEZED_NARROW) {
        int beside = region_of(rooms, at + step*s), own = region_of(rooms, at);
        if (beside == own) return;
        here->way += area;
        if (step < 0) rooms->slit[rooms->slits++] = (Slit){{own, beside}, area};
    }
}

static void measure_row(Rooms* rooms, int r)
{
    Pressure* p = rooms->p;
    FOR_CELLS(p, r) {
        ptrdiff_t at = row + i;
        if (!pressure_is_unknown(p, at)) continue;
        for (int d = 0; d < w->dim; d++)
            for (int step = -1; step <= 1; step += 2) measure_face(rooms, (int[3]){i, j, k}, at, d, step);
        int32_t index = p->in.cells->index[at];
        if (index < 0) continue;
        const CutCell* cut = &p->in.cells->cut[index];
        SqueezedRegion* here = &rooms->region[region_of(rooms, at)];
        double v[3];
        here->flux -= pressure_solid_outflow(v, &p->in, cut);
        here->way += cut->patch_area, here->fastest = fmax(here->fastest, vec_norm(v));
    }
}

static mn_status find_regions(Rooms* rooms, Arena* arena)
{
    const Window* w = rooms->p->in.w;
    int rows = rooms->p->in.spans->rows;
    TRY_MEMORY(rooms->set = ARENA_NEW(arena, int, w->count));
    TRY_MEMORY(rooms->number = ARENA_NEW(arena, int, w->count));
    for (int r = 0; r < rows; r++) begin_row(rooms, r);
    for (int r = 0; r < rows; r++) join_row(rooms, r);
    for (int r = 0; r < rows; r++) number_row(rooms, r);
    TRY_MEMORY(rooms->region = ARENA_ZERO(arena, SqueezedRegion, rooms->regions));
    TRY_MEMORY(rooms->slit = ARENA_NEW(arena, Slit, rooms->slits));
    rooms->slits = 0;
    for (int r = 0; r < rows; r++) measure_row(rooms, r);
    return MN_OK;
}

mn_status pressure_find_room(Pressure* p, Arena* arena)
{
    p->room = NULL;
    if (!has_moving_solid(&p->in)) return MN_OK;
    if (p->in.solid_yields) {
        TRY_MEMORY(p->room = ARENA_NEW(arena, double, p->in.cells->count));
        for (int c = 0; c < p->in.cells->count; c++) p->room[c] = 1;
        return MN_OK;
    }
    Rooms rooms = {.p = p};
    TRY(find_regions(&rooms, arena));
    double* keep = ARENA_NEW(arena, double, rooms.regions);
    TRY_MEMORY(keep);
    TRY(squeezed_keep(keep, rooms.region, rooms.regions, rooms.slit, rooms.slits, arena));
    TRY_MEMORY(p->room = ARENA_NEW(arena, double, p->in.cells->count));
    for (int c = 0; c < p->in.cells->count; c++) {
        ptrdiff_t at = p->in.cells->cut[c].at;
        p->room[c] = pressure_is_unknown(p, at) ? keep[region_of(&rooms, at)] : 1;
    }
    return MN_OK;
}
