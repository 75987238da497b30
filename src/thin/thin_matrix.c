#include "thin/thin_matrix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- pieces -----------------------------------------------------------------------------------------------------------------

enum { TRIANGLES, HINGES, SEGMENTS, BENDS };

int thin_pieces(const ThinMesh* t, int kind)
{
    const int count[PIECE_KINDS] = {t->triangles, t->hinges, t->segments, t->bends};
    return count[kind];
}

int thin_piece_corners(int kind)
{
    static const int corners[PIECE_KINDS] = {3, 4, 2, 3};
    return corners[kind];
}

const int* thin_piece(const ThinMesh* t, int kind, int m)
{
    switch (kind) {
    case TRIANGLES:
        return t->triangle[m].v;
    case HINGES:
        return t->hinge[m].v;
    case SEGMENTS:
        return t->segment[m].v;
    default:
        return t->bend[m].v;
    }
}

double thin_piece_energy(double* gradient, double* stiffness, const ThinMesh* t, int kind, int m, const double* x)
{
    double at[3*MOST_CORNERS];
    const int* v = thin_piece(t, kind, m);
    for (int c = 0; c < thin_piece_corners(kind); c++) memcpy(at + 3*c, x + 3*v[c], 3*sizeof *x);
    switch (kind) {
    case TRIANGLES:
        return thin_triangle(gradient, stiffness, &t->triangle[m], at);
    case HINGES:
        return thin_hinge(gradient, stiffness, &t->hinge[m], at);
    case SEGMENTS:
        return thin_segment(gradient, stiffness, &t->segment[m], at);
    default:
        return thin_bend(gradient, stiffness, &t->bend[m], at);
    }
}

// ---- places -----------------------------------------------------------------------------------------------------------------

// Goes through the entries of a block of vertices v: both coordinates are unknowns, and each pair comes once.
#define FOR_ENTRIES(m, v, corners, i, j, row, column)                                                                            \
    for (int i = 0; i < 3*(corners); i++)                                                                                      \
        for (int j = 0, row = (m)->unknown[3*(v)[i/3] + i%3], column; j < 3*(corners); j++)                              \
            if (column = (m)->unknown[3*(v)[j/3] + j%3], row >= 0 && column >= 0 && row >= column)

static int count_entries(const ThinMatrix* m, const int* v, int corners)
{
    int count = 0;
    FOR_ENTRIES(m, v, corners, i, j, row, column) count++;
    return count;
}

static mn_status make_own(ThinMatrix* m, const ThinMesh* t)
{
    for (int kind = 0; kind < PIECE_KINDS; kind++)
        for (int p = 0; p < thin_pieces(t, kind); p++)
            m->entries += count_entries(m, thin_piece(t, kind, p), thin_piece_corners(kind));
    int places = m->entries + m->unknowns, at = 0;
    int(*place)[2] = malloc(sizeof *place*(size_t)places);
    m->slot = malloc(sizeof *m->slot*(size_t)places);
    if (!place || !m->slot) return free(place), mn_fail(MN_NO_MEMORY, "out of memory: %d entries of a matrix", places);
    for (int kind = 0; kind < PIECE_KINDS; kind++)
        for (int p = 0; p < thin_pieces(t, kind); p++) {
            const int* v = thin_piece(t, kind, p);
            FOR_ENTRIES(m, v, thin_piece_corners(kind), i, j, row, column) place[at][0] = row, place[at++][1] = column;
        }
    for (int k = 0; k < m->unknowns; k++) place[at][0] = place[at][1] = k, at++;
    mn_status status = sparse_init(&m->own, m->unknowns, (const int(*)[2])place, places, m->slot);
    free(place);
    return status;
}

mn_status thin_matrix_init(ThinMatrix* m, const ThinMesh* t)
{
    *m = (ThinMatrix){.unknown = malloc(3*sizeof *m->unknown*(size_t)t->vertices)};
    if (!m->unknown) return mn_fail(MN_NO_MEMORY, "out of memory: a mesh of %d vertices", t->vertices);
    for (int k = 0; k < 3*t->vertices; k++) m->unknown[k] = t->held[k/3] >> k%3 & 1 ? -1 : m->unknowns++;
    mn_status status = m->unknowns > 0 ? make_own(m, t) : MN_OK;
    if (status != MN_OK) thin_matrix_free(m);
    return status;
}

static void forget_blocks(ThinMatrix* m)
{
    free(m->own_in_all), free(m->block), free(m->block_slot);
    m->own_in_all = NULL, m->block = NULL, m->block_slot = NULL, m->blocks = 0;
    sparse_free(&m->all);
    factor_free(m->factor);
    m->factor = NULL;
}

void thin_matrix_free(ThinMatrix* m)
{
    free(m->unknown), free(m->slot);
    sparse_free(&m->own);
    forget_blocks(m);
    *m = (ThinMatrix){0};
}

// All places: those of `own`, then those of the blocks.
static mn_status make_all(ThinMatrix* m, int places)
{
    int(*place)[2] = malloc(sizeof *place*(size_t)places);
    int at = 0, *slot = malloc(sizeof *slot*(size_t)places);
    m->own_in_all = slot;
    if (!place || !slot) return free(place), mn_fail(MN_NO_MEMORY, "out of memory: %d entries of a matrix", places);
    for (int k = 0; k < m->unknowns; k++)
        for (int p = m->own.start[k]; p < m->own.start[k + 1]; p++) place[at][0] = m->own.row[p], place[at++][1] = k;
    for (int b = 0; b < m->blocks; b++) {
        const MatrixBlock* block = &m->block[b];
        FOR_ENTRIES(m, block->v, block->vertices, i, j, row, column) place[at][0] = row, place[at++][1] = column;
    }
    assert(at == places);
    mn_status status = sparse_init(&m->all, m->unknowns, (const int(*)[2])place, places, slot);
    free(place);
    if (status != MN_OK) return status;
    int extra = places - m->own.count;
    m->block_slot = malloc(sizeof *m->block_slot*(size_t)(extra + 1));
    if (!m->block_slot) return mn_fail(MN_NO_MEMORY, "out of memory: %d entries of a matrix", places);
    memcpy(m->block_slot, slot + m->own.count, sizeof *slot*(size_t)extra);
    return MN_OK;
}

mn_status thin_matrix_fit(ThinMatrix* m, const MatrixBlock* block, int blocks)
{
    if (m->factor && blocks == m->blocks && (blocks == 0 || memcmp(block, m->block, sizeof *block*(size_t)blocks) == 0))
        return MN_OK;
    forget_blocks(m);
    m->block = malloc(sizeof *block*(size_t)(blocks + 1));
    if (!m->block) return mn_fail(MN_NO_MEMORY, "out of memory: %d contacts", blocks);
    if (blocks > 0) memcpy(m->block, block, sizeof *block*(size_t)blocks);
    m->blocks = blocks;
    int places = m->own.count;
    for (int b = 0; b < blocks; b++) places += count_entries(m, block[b].v, block[b].vertices);
    return make_all(m, places);
}

// ---- numbers ----------------------------------------------------------------------------------------------------------------

void thin_matrix_add_stiffness(double* value, const ThinMatrix* m, const ThinMesh* t, const double* x, double factor)
{
    int at = 0;
    double stiffness[9*MOST_CORNERS*MOST_CORNERS];
    for (int kind = 0; kind < PIECE_KINDS; kind++)
        for (int p = 0; p < thin_pieces(t, kind); p++) {
            const int *v = thin_piece(t, kind, p), corners = thin_piece_corners(kind);
            thin_piece_energy(NULL, stiffness, t, kind, p, x);
            FOR_ENTRIES(m, v, corners, i, j, row, column) value[m->slot[at++]] += factor*stiffness[3*corners*i + j];
        }
}

void thin_matrix_add_masses(double* value, const ThinMatrix* m, const ThinMesh* t, double factor)
{
    for (int k = 0; k < 3*t->vertices; k++)
        if (m->unknown[k] >= 0) value[m->slot[m->entries + m->unknown[k]]] += factor*t->mass[k/3];
}

void thin_matrix_add_up(ThinMatrix* m, const double* stiffness)
{
    int at = 0;
    sparse_clear(&m->all);
    for (int p = 0; p < m->own.count; p++) m->all.value[m->own_in_all[p]] = m->own.value[p];
    for (int b = 0; b < m->blocks; b++) {
        const MatrixBlock* block = &m->block[b];
        int n = 3*block->vertices;
        FOR_ENTRIES(m, block->v, block->vertices, i, j, row, column) m->all.value[m->block_slot[at++]] += stiffness[n*i + j];
        stiffness += n*n;
    }
}

mn_status thin_matrix_factorise(ThinMatrix* m)
{
    return m->factor ? factor_sparse_again(m->factor, &m->all) : factor_of_sparse(&m->factor, &m->all);
}
