#include "membrane/push.h"

#include "base/vec.h"

// The entry of a vertex for a cell; a vertex touches few.
static PushEntry* entry_of(PushEntry* entry, int* count, int cell)
{
    for (int q = 0; q < *count; q++)
        if (entry[q].cell == cell) return &entry[q];
    entry[*count] = (PushEntry){.cell = cell};
    return &entry[(*count)++];
}

static int piece_place(const MembraneCells* c, int q)
{
    const Piece* p = &c->pieces.piece[q];
    return c->cut[window_at(c->w, p->cell[0], p->cell[1], p->cell[2])];
}

// Entries of a vertex stand together, with as much room as it has pieces; then they close up.
mn_status pushes_build(Pushes* p, const MembraneCells* c, const MembraneMesh* m, double (*normal)[3], const bool* unknown,
                       Arena* arena)
{
    int* room = ARENA_ZERO(arena, int, m->vertices + 1);
    int* count = ARENA_ZERO(arena, int, m->vertices);
    PushEntry* loose = ARENA_NEW(arena, PushEntry, m->dim*c->pieces.count + 1);
    TRY_MEMORY(room && count && loose);
    for (int q = 0; q < c->pieces.count; q++)
        for (int corner = 0; corner < m->dim; corner++) room[membrane_element(m, c->pieces.piece[q].element)[corner] + 1]++;
    for (int i = 0; i < m->vertices; i++) room[i + 1] += room[i];
    for (int q = 0; q < c->pieces.count; q++) {
        const Piece* piece = &c->pieces.piece[q];
        int cell = piece_place(c, q);
        if (!unknown[cell]) continue;
        for (int corner = 0; corner < m->dim; corner++) {
            int i = membrane_element(m, piece->element)[corner];
            PushEntry* e = entry_of(loose + room[i], &count[i], cell);
            for (int d = 0; d < m->dim; d++) e->area[d] += piece->share[corner]*piece->area[d];
        }
    }
    TRY_MEMORY(p->start = ARENA_NEW(arena, int, m->vertices + 1));
    p->entry = loose;
    int total = 0;
    for (int i = 0; i < m->vertices; i++) {
        p->start[i] = total;
        for (int q = 0; q < count[i]; q++, total++) {
            p->entry[total] = loose[room[i] + q];
            p->entry[total].normal = vec_dot(p->entry[total].area, normal[i]);
        }
    }
    p->start[m->vertices] = total;
    return MN_OK;
}
