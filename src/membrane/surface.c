#include "membrane/surface.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

// ---- memory -----------------------------------------------------------------------------------------------------------------

void membrane_free(MembraneMesh* m)
{
    free(m->x), free(m->v), free(m->size), free(m->flag), free(m->body), free(m->element);
    m->x = m->v = m->size = NULL;
    m->flag = m->body = m->element = NULL;
    m->vertices = m->elements = m->vertex_room = m->element_room = 0;
}

// An array that could not grow keeps its old contents, so the mesh stays valid.
static bool grow(void* array, size_t bytes, int room)
{
    void** at = array;
    void* larger = realloc(*at, bytes*(size_t)room);
    if (larger) *at = larger;
    return larger != NULL;
}

static mn_status reserve_vertices(MembraneMesh* m, int count)
{
    if (count <= m->vertex_room) return MN_OK;
    int room = maxi(count, count < INT_MAX/8 ? m->vertex_room + m->vertex_room/2 : count);
    if (room > INT_MAX/4 || !grow(&m->x, 3*sizeof *m->x, room) || !grow(&m->v, 3*sizeof *m->v, room) ||
        !grow(&m->size, sizeof *m->size, room) || !grow(&m->flag, sizeof *m->flag, room) ||
        !grow(&m->body, sizeof *m->body, room))
        return mn_fail(MN_NO_MEMORY, "out of memory: a surface of %d vertices", count);
    m->vertex_room = room;
    return MN_OK;
}

static mn_status reserve_elements(MembraneMesh* m, int count)
{
    if (count <= m->element_room) return MN_OK;
    int room = maxi(count, count < INT_MAX/8 ? m->element_room + m->element_room/2 : count);
    if (room > INT_MAX/4 || !grow(&m->element, sizeof *m->element*(size_t)m->dim, room))
        return mn_fail(MN_NO_MEMORY, "out of memory: a surface of %d elements", count);
    m->element_room = room;
    return MN_OK;
}

mn_status membrane_copy(MembraneMesh* to, const MembraneMesh* from)
{
    assert(to != from);
    membrane_free(to);
    *to = (MembraneMesh){.dim = from->dim, .corner_is_wet = from->corner_is_wet, .target_volume = from->target_volume};
    memcpy(to->low, from->low, sizeof to->low);
    memcpy(to->high, from->high, sizeof to->high);
    mn_status status = reserve_vertices(to, from->vertices);
    if (status == MN_OK) status = reserve_elements(to, from->elements);
    if (status != MN_OK) return membrane_free(to), status;
    size_t vertices = (size_t)from->vertices, corners = (size_t)(from->dim*from->elements);
    if (vertices > 0) {
        memcpy(to->x, from->x, 3*sizeof *to->x*vertices);
        memcpy(to->v, from->v, 3*sizeof *to->v*vertices);
        memcpy(to->size, from->size, sizeof *to->size*vertices);
        memcpy(to->flag, from->flag, sizeof *to->flag*vertices);
        memcpy(to->body, from->body, sizeof *to->body*vertices);
    }
    if (corners > 0) memcpy(to->element, from->element, sizeof *to->element*corners);
    to->vertices = from->vertices, to->elements = from->elements;
    return MN_OK;
}

int membrane_walls_at(const MembraneMesh* m, const double x[3])
{
    int walls = 0;
    for (int d = 0; d < m->dim; d++)
        if (x[d] == m->low[d] || x[d] == m->high[d]) walls |= MEMBRANE_WALL_X << d;
    return walls;
}

mn_status membrane_add_vertex(MembraneMesh* m, const double x[3], double size)
{
    assert((m->dim == 2 || m->dim == 3) && size > 0);
    TRY(reserve_vertices(m, m->vertices + 1));
    int i = m->vertices++;
    for (int d = 0; d < 3; d++) m->x[3*i + d] = d < m->dim ? x[d] : 0, m->v[3*i + d] = 0;
    m->size[i] = size, m->flag[i] = membrane_walls_at(m, x), m->body[i] = NO_BODY;
    return MN_OK;
}

mn_status membrane_add_element(MembraneMesh* m, const int* vertex)
{
    TRY(reserve_elements(m, m->elements + 1));
    for (int c = 0; c < m->dim; c++) {
        assert(vertex[c] >= 0 && vertex[c] < m->vertices);
        m->element[m->dim*m->elements + c] = vertex[c];
    }
    m->elements++;
    return MN_OK;
}

// ---- state ------------------------------------------------------------------------------------------------------------------

// What a visitor brings comes from a file: names must be those of vertices there are.
static mn_status check_names(const MembraneMesh* m)
{
    for (int k = 0; k < m->dim*m->elements; k++)
        if (m->element[k] < 0 || m->element[k] >= m->vertices)
            return mn_fail(MN_BAD_CHECKPOINT, "holds a surface with an element of vertex %d of %d", m->element[k], m->vertices);
    return MN_OK;
}

mn_status membrane_visit(MembraneMesh* m, StateVisitor* v)
{
    static const StateColumn place[] = {{STATE_REAL, 0, 3}}, real[] = {{STATE_REAL, 0, 1}}, whole[] = {{STATE_INT, 0, 1}},
                             corner[] = {{STATE_INT, 0, 3}}, ends[] = {{STATE_INT, 0, 2}};
    int vertices = m->vertices, elements = m->elements, wet = m->corner_is_wet;
    TRY(state_rows(v, "surface_vertices", &vertices));
    TRY(state_rows(v, "surface_elements", &elements));
    TRY(reserve_vertices(m, vertices));
    TRY(reserve_elements(m, elements));
    m->vertices = vertices, m->elements = elements;
    TRY(state_ints(v, "surface_corner_is_wet", &wet, 1));
    m->corner_is_wet = wet != 0;
    TRY(state_reals(v, "surface_target_volume", &m->target_volume, 1));
    TRY(v->table(v, &(StateTable){"surface_x", m->x, vertices, 3*sizeof *m->x, place, 1}));
    TRY(v->table(v, &(StateTable){"surface_v", m->v, vertices, 3*sizeof *m->v, place, 1}));
    TRY(v->table(v, &(StateTable){"surface_size", m->size, vertices, sizeof *m->size, real, 1}));
    TRY(v->table(v, &(StateTable){"surface_flag", m->flag, vertices, sizeof *m->flag, whole, 1}));
    TRY(v->table(v, &(StateTable){"surface_body", m->body, vertices, sizeof *m->body, whole, 1}));
    TRY(v->table(v, &(StateTable){"surface_element", m->element, elements, sizeof *m->element*(size_t)m->dim,
                                  m->dim == 3 ? corner : ends, 1}));
    return v->brings ? check_names(m) : MN_OK;
}
