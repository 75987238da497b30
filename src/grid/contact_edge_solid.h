// Convex edges of solids, by the solid alone. contact_edges.h has the lines that rest on them.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

typedef struct Contact Contact;  // grid/contact.h

// A point of an edge, cells from the window's corner, and the unit normals of the two faces, out of the solid.
typedef struct EdgeOfSolid {
    double x[3], N[2][3];
} EdgeOfSolid;

typedef struct EdgeCell {
    ptrdiff_t place;  // in the block
    bool has_edge;
    EdgeOfSolid edge;
} EdgeCell;

// What is known of the cells of a window: each is asked once for as long as the solid stays where it is. Owned memory; zeros:
// nobody has said for which window yet.
typedef struct EdgeCells {
    int32_t* block;  // per cell, ghosts included: 1 + its number in `known`; 0: it has not been asked
    size_t size;     // of the block
    EdgeCell* known;
    int count, room;
} EdgeCells;

void edgecells_free(EdgeCells* e);
// For this window, of a solid that nothing is known of.
mn_status edgecells_forget(EdgeCells* e, const Window* w);
// Those cells that have not been asked yet are. All nodes within 4 of them must be on the spans, and ghosts of phi_s filled.
mn_status edgecells_ask(EdgeCells* e, Arena* arena, const int (*cell)[3], int count, const double* phi_s, const Spans* spans,
                        const Window* w, const Contact* contact);

// The edge in a cell that has been asked; NULL: it has none.
static inline const EdgeOfSolid* edgecells_at(const EdgeCells* e, const Window* w, const int cell[3])
{
    const EdgeCell* known = &e->known[e->block[window_at(w, cell[0], cell[1], cell[2]) + w->origin] - 1];
    return known->has_edge ? &known->edge : NULL;
}

// The point above face m (cells) that is `away` from the edge at x along the face, on the side where there is solid below.
void edge_beside(double y[3], const EdgeOfSolid* edge, int m, double away, double above);

// The place, near an edge with about these faces, goes to the point of the edge next to it. False: there is none.
bool edge_go_to(EdgeOfSolid* edge, const double* phi_s, const Window* w);

// A place past a side of the window is its mirror image: there the surface goes on evenly.
static inline void edge_fold(double y[3], const Window* w)
{
    for (int d = 0; d < w->dim; d++) {
        if (y[d] < 0) y[d] = -y[d];
        if (y[d] > w->n[d]) y[d] = 2*w->n[d] - y[d];
    }
}
