// The columns of nodes that end on walls with contact lines, while their ghosts are filled again and again and only some nodes
// change in between: in the sweeps of redistancing, in the passes into solids. A column that has read no node that changed keeps
// the ghosts it had, so the cost follows what changes. The bytes are those of filling them all. For one contact and one place of
// the solids. Shared by contact_walls.c and contact_columns.c; others use contact.h.
#pragma once
#include <stdint.h>
#include "grid/contact_line.h"

typedef struct WallColumn {
    NodeBox read;         // the nodes that its ghosts were made from
    double ghost[GHOST];  // m, from the wall outwards
    Wanted wanted;
} WallColumn;

// What is known of a column.
enum {
    COLUMN_IS_NEAR = 1,   // it ended near the surface when it was filled last; others are reflected and have no ghosts here
    COLUMN_IS_NEW = 2,    // in this filling its ghosts have changed
    COLUMN_IS_ASKED = 4,  // `wanted` is set
};

struct WallColumns {
    const Window* w;
    WallColumn* side[6];      // NULL: a side without lines
    unsigned char* state[6];  // of each, as above
    // Nodes that have changed, by blocks of 2^shift nodes along each axis, ghosts included: rows of blocks along x, a bit each.
    uint64_t* changed;
    int shift[3], rows_y, rows_z;
    bool filled;  // has been, once
};

// The two axes along a side across `axis`, and the number of nodes along the first, ghosts included.
static inline int wallcolumns_along(int* first, int* second, const Window* w, int axis)
{
    *first = axis == 0 ? 1 : 0, *second = axis == 2 ? 1 : 2;
    return w->n[*first] + 1 + 2*w->ghost;
}

// Which column of its side a node belongs to.
static inline int wallcolumns_index(const WallColumns* c, int axis, const int node[3])
{
    int first, second, length = wallcolumns_along(&first, &second, c->w, axis);
    return node[first] + c->w->ghost + (second < c->w->dim ? node[second] + c->w->ghost : 0)*length;
}

// Has any node of the box changed since ghosts were filled last?
bool wallcolumns_box_changed(const WallColumns* c, const NodeBox* box);
// The ghosts past the two sides across an axis have been made: those that are new count as changed for the axes that follow.
void wallcolumns_end_axis(WallColumns* c, int axis);
// All ghosts have been made.
void wallcolumns_end(WallColumns* c);
