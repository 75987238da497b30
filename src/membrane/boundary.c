#include "membrane/boundary.h"

// Half edges by the vertex they start from: start[a] .. start[a + 1] - 1 are their ends.
typedef struct HalfEdges {
    int *start, *end;
} HalfEdges;

static mn_status list_half_edges(HalfEdges* h, const MembraneMesh* m, Arena* arena)
{
    TRY_MEMORY(h->start = ARENA_ZERO(arena, int, m->vertices + 2));
    TRY_MEMORY(h->end = ARENA_NEW(arena, int, 3*m->elements + 1));
    for (int e = 0; e < m->elements; e++)
        for (int c = 0; c < 3; c++) h->start[membrane_element(m, e)[c] + 2]++;
    for (int a = 0; a < m->vertices; a++) h->start[a + 2] += h->start[a + 1];
    for (int e = 0; e < m->elements; e++)
        for (int c = 0; c < 3; c++) h->end[h->start[membrane_element(m, e)[c] + 1]++] = membrane_element(m, e)[(c + 1)%3];
    return MN_OK;
}

static bool has(const HalfEdges* h, int a, int b)
{
    for (int q = h->start[a]; q < h->start[a + 1]; q++)
        if (h->end[q] == b) return true;
    return false;
}

mn_status boundary_find(SurfaceBoundary* b, const MembraneMesh* m, Arena* arena)
{
    *b = (SurfaceBoundary){0};
    int most = m->dim == 3 ? 3*m->elements : m->elements;
    TRY_MEMORY(b->edge = arena_take(arena, sizeof *b->edge*(size_t)(most + 1)));
    HalfEdges h = {0};
    if (m->dim == 3) TRY(list_half_edges(&h, m, arena));
    for (int e = 0; e < m->elements; e++)
        for (int c = 0; c < (m->dim == 3 ? 3 : 1); c++) {
            int from = membrane_element(m, e)[c], to = membrane_element(m, e)[(c + 1)%3];
            if (m->dim == 3 && has(&h, to, from)) continue;
            b->edge[b->count][0] = from, b->edge[b->count++][1] = to;
        }
    return MN_OK;
}
