// Neighbours, parts, and what may be wrong with a mesh.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/unionfind.h"
#include "base/vec.h"
#include "membrane/surface.h"

static mn_status corners_around(MembraneLinks* l, Arena* arena, const MembraneMesh* m)
{
    int corners = m->dim*m->elements;
    TRY_MEMORY(l->first = ARENA_ZERO(arena, int, m->vertices + 2));
    TRY_MEMORY(l->around = ARENA_NEW(arena, int, corners + 1));
    TRY_MEMORY(l->across = ARENA_NEW(arena, int, corners + 1));
    for (int k = 0; k < corners; k++) l->first[m->element[k] + 2]++, l->across[k] = -1;
    for (int i = 0; i < m->vertices; i++) l->first[i + 2] += l->first[i + 1];
    for (int k = 0; k < corners; k++) l->around[l->first[m->element[k] + 1]++] = k;
    return MN_OK;
}

static int next_of(int corner) { return corner%3 == 2 ? corner - 2 : corner + 1; }
static int last_of(int corner) { return corner%3 == 0 ? corner + 2 : corner - 1; }

// The triangle on the other side of the edge from the next to the last corner: among those at one of its ends.
static mn_status link_triangle_edge(MembraneLinks* l, const MembraneMesh* m, int k)
{
    int a = m->element[next_of(k)], b = m->element[last_of(k)];
    for (int at = l->first[a]; at < l->first[a + 1]; at++) {
        int q = l->around[at];  // the corner of another triangle at a
        if (q/3 == k/3) continue;
        if (m->element[next_of(q)] == b)
            return mn_fail(MN_BAD_MESH, "a surface's triangles %d and %d share an edge but face opposite ways", k/3, q/3);
        if (m->element[last_of(q)] != b) continue;
        if (l->across[k] >= 0)
            return mn_fail(MN_BAD_MESH, "a surface's edge at vertices %d and %d has more than 2 triangles", a, b);
        l->across[k] = next_of(q);
    }
    return MN_OK;
}

static mn_status link_segments(MembraneLinks* l, const MembraneMesh* m)
{
    for (int i = 0; i < m->vertices; i++) {
        const int* at = l->around + l->first[i];
        int count = l->first[i + 1] - l->first[i];
        if (count > 2) return mn_fail(MN_BAD_MESH, "a surface's vertex %d belongs to %d segments", i, count);
        if (count < 2) continue;
        if (at[0]%2 == at[1]%2)
            return mn_fail(MN_BAD_MESH, "a surface's segments %d and %d share a vertex but face opposite ways", at[0]/2,
                           at[1]/2);
        l->across[at[0]] = at[1], l->across[at[1]] = at[0];
    }
    return MN_OK;
}

mn_status membrane_links(MembraneLinks* l, Arena* arena, const MembraneMesh* m)
{
    *l = (MembraneLinks){0};
    TRY(corners_around(l, arena, m));
    if (m->dim == 2) return link_segments(l, m);
    for (int k = 0; k < 3*m->elements; k++) TRY(link_triangle_edge(l, m, k));
    return MN_OK;
}

int membrane_parts(int** part, Arena* arena, const MembraneMesh* m)
{
    int *set = ARENA_NEW(arena, int, m->vertices + 1), *number = ARENA_NEW(arena, int, m->vertices + 1), count = 0;
    *part = ARENA_NEW(arena, int, m->elements + 1);
    if (!set || !number || !*part) return -1;
    for (int i = 0; i < m->vertices; i++) set[i] = i, number[i] = -1;
    for (int k = 0; k < m->dim*m->elements; k++) set_join(set, m->element[k], m->element[k - k%m->dim]);
    for (int e = 0; e < m->elements; e++) {
        int root = set_find(set, membrane_element(m, e)[0]);
        if (number[root] < 0) number[root] = count++;
        (*part)[e] = number[root];
    }
    return count;
}

// ---- faults -----------------------------------------------------------------------------------------------------------------

static const char* fault_of_vertices(const MembraneMesh* m)
{
    for (int i = 0; i < m->vertices; i++) {
        const double* x = m->x + 3*i;
        if (!isfinite(vec_norm(x)) || !isfinite(vec_norm(m->v + 3*i))) return "a place or velocity is not finite";
        if (!(m->size[i] > 0)) return "a wanted edge length is not positive";
        if (m->dim == 2 && x[2] != 0) return "a vertex of a 2D mesh is out of its plane";
        for (int d = 0; d < m->dim; d++) {
            if (!(m->flag[i] >> d & 1)) continue;
            if (x[d] != m->low[d] && x[d] != m->high[d]) return "a wall vertex is off its wall";
            if (m->v[3*i + d] != 0) return "a wall vertex moves off its wall";
        }
        if (membrane_is_free(m, i) != (m->body[i] == NO_BODY)) return "contact and body do not agree";
    }
    return NULL;
}

static const char* fault_of_elements(const MembraneMesh* m)
{
    for (int e = 0; e < m->elements; e++) {
        const int* v = membrane_element(m, e);
        double n[3], longest = 0;
        for (int c = 0; c < m->dim; c++) {
            if (v[c] < 0 || v[c] >= m->vertices) return "an element names a vertex that is not there";
            if (v[c] == v[(c + 1)%m->dim]) return "an element names a vertex twice";
        }
        for (int c = 0; c < m->dim; c++) {
            double edge[3];
            vec_sub(edge, m->x + 3*v[(c + 1)%m->dim], m->x + 3*v[c]);
            longest = fmax(longest, vec_norm(edge));
        }
        membrane_area_vector(n, m, e);
        if (!(vec_norm(n) > 1e-6*(m->dim == 3 ? longest*longest : longest)) || longest == 0) return "an element has no area";
    }
    return NULL;
}

// Do two vertices lie on one wall?
static bool share_wall(const MembraneMesh* m, int a, int b)
{
    for (int d = 0; d < m->dim; d++)
        if ((m->flag[a] & m->flag[b]) >> d & 1 && m->x[3*a + d] == m->x[3*b + d]) return true;
    return false;
}

// The triangles at a vertex, from one to the next across edges: a fan that ends where it began or at the border.
static bool is_one_fan(const MembraneLinks* l, int vertex)
{
    int count = l->first[vertex + 1] - l->first[vertex], start = l->around[l->first[vertex]], met = 0;
    for (int way = 0; way < 2; way++) {
        int k = start;
        do {
            if (way == 0 || k != start) met++;
            int over = l->across[way ? last_of(k) : next_of(k)];
            if (over < 0) break;
            k = way ? last_of(over) : next_of(over);
        } while (k != start && met <= count);
        if (k == start && met >= count) break;  // went all the way round
    }
    return met == count;
}

static const char* fault_of_links(const MembraneMesh* m, const MembraneLinks* l)
{
    for (int k = 0; k < m->dim*m->elements; k++) {
        if (l->across[k] >= 0) continue;
        if (m->dim == 2 && !(m->flag[m->element[k]] & MEMBRANE_WALLS)) return "the surface ends away from the walls";
        if (m->dim == 3 && !share_wall(m, m->element[next_of(k)], m->element[last_of(k)]))
            return "an edge of the border is on no wall";
    }
    for (int i = 0; i < m->vertices; i++) {
        if (l->first[i] == l->first[i + 1]) return "a vertex belongs to no element";
        if (m->dim == 3 && !is_one_fan(l, i)) return "two sheets meet in a vertex";
    }
    return NULL;
}

const char* membrane_find_fault(const MembraneMesh* m)
{
    if (m->dim != 2 && m->dim != 3) return "neither 2D nor 3D";
    if (m->vertices < 0 || m->elements < 0) return "negative counts";
    const char* fault = fault_of_elements(m);
    if (!fault) fault = fault_of_vertices(m);
    if (fault) return fault;
    Arena arena = {0};
    MembraneLinks links;
    mn_status status = membrane_links(&links, &arena, m);
    if (status == MN_BAD_MESH) fault = mn_last_error();
    else if (status == MN_OK) fault = fault_of_links(m, &links);
    arena_free(&arena);
    return fault;
}

static double corner_angle(const MembraneMesh* m, int k)
{
    const double* x = m->x + 3*m->element[k];
    double a[3], b[3], n[3];
    vec_sub(a, m->x + 3*m->element[next_of(k)], x);
    vec_sub(b, m->x + 3*m->element[last_of(k)], x);
    vec_cross(n, a, b);
    return atan2(vec_norm(n), vec_dot(a, b))*180/PI;
}

void membrane_angles(double* least, double* most, const MembraneMesh* m)
{
    assert(m->dim == 3);
    *least = *most = 60;
    for (int k = 0; k < 3*m->elements; k++) {
        double angle = corner_angle(m, k);
        *least = fmin(*least, angle), *most = fmax(*most, angle);
    }
}
