#include "membrane/boundary.h"

mn_status boundary_find(SurfaceBoundary* b, const MembraneMesh* m, Arena* arena)
{
    *b = (SurfaceBoundary){0};
    int corners = m->dim*m->elements;
    TRY_MEMORY(b->edge = arena_take(arena, sizeof *b->edge*(size_t)(corners + 1)));
    MembraneLinks links = {0};
    if (m->dim == 3) TRY(membrane_links(&links, arena, m));
    for (int e = 0; e < m->elements; e++) {
        const int* vertex = membrane_element(m, e);
        for (int c = 0; c < (m->dim == 3 ? 3 : 1); c++) {
            if (m->dim == 3 && links.across[3*e + c] >= 0) continue;
            int from = m->dim == 3 ? vertex[(c + 1)%3] : vertex[0], to = m->dim == 3 ? vertex[(c + 2)%3] : vertex[1];
            b->edge[b->count][0] = from, b->edge[b->count++][1] = to;
        }
    }
    return MN_OK;
}
