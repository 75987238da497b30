#include "grid/surfacemesh.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void surfacemesh_free(SurfaceMesh* mesh)
{
    free(mesh->position);
    free(mesh->normal);
    free(mesh->velocity);
    free(mesh->owner);
    free(mesh->face);
    free(mesh->kind);
    *mesh = (SurfaceMesh){.corners = mesh->corners};
}

// An array that could not grow keeps its old contents, so the mesh stays valid.
static bool grow(void* array, size_t size, int room)
{
    void** p = array;
    void* more = realloc(*p, size*(size_t)room);
    if (more) *p = more;
    return more != NULL;
}

static bool make_room(SurfaceMesh* m)
{
    assert(m->corners == 2 || m->corners == 3);
    if (m->vertex_count > INT_MAX/4 || m->face_count > INT_MAX/4) return false;
    if (m->vertex_count == m->vertex_room) {
        int room = maxi(1024, 2*m->vertex_room);
        if (!grow(&m->position, sizeof *m->position, room) || !grow(&m->normal, sizeof *m->normal, room) ||
            !grow(&m->velocity, sizeof *m->velocity, room) || !grow(&m->owner, sizeof *m->owner, room))
            return false;
        m->vertex_room = room;
    }
    if (m->face_count == m->face_room) {
        int room = maxi(1024, 2*m->face_room);
        if (!grow(&m->face, sizeof(int)*(size_t)m->corners, room) || !grow(&m->kind, 1, room)) return false;
        m->face_room = room;
    }
    return true;
}

int surfacemesh_add_vertex(SurfaceMesh* m, const double position[3], int owner)
{
    assert(isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]));
    if (!make_room(m)) return -1;
    int id = m->vertex_count++;
    for (int d = 0; d < 3; d++) m->position[id][d] = position[d], m->normal[id][d] = 0, m->velocity[id][d] = 0;
    m->owner[id] = owner;
    return id;
}

bool surfacemesh_add_face(SurfaceMesh* m, const int* corner, int kind)
{
    for (int c = 0; c < m->corners; c++) assert(corner[c] >= 0 && corner[c] < m->vertex_count);
    if (!make_room(m)) return false;
    memcpy(m->face + (ptrdiff_t)m->corners*m->face_count, corner, sizeof(int)*(size_t)m->corners);
    m->kind[m->face_count++] = (unsigned char)kind;
    return true;
}

double surfacemesh_volume(const SurfaceMesh* m)
{
    double sum = 0;
    for (int f = 0; f < m->face_count; f++) {
        const int* c = m->face + (ptrdiff_t)m->corners*f;
        const double *origin = m->position[0], *a = m->position[c[0]], *b = m->position[c[1]];
        double oa[3], ob[3], oc[3] = {0, 0, 0}, n[3];
        vec_sub(oa, a, origin), vec_sub(ob, b, origin);
        vec_cross(n, oa, ob);
        if (m->corners == 3) vec_sub(oc, m->position[c[2]], origin);
        sum += m->corners == 2 ? n[2]/2 : vec_dot(n, oc)/6;
    }
    return sum;
}

double surfacemesh_area(const SurfaceMesh* m, int kind)
{
    double sum = 0;
    for (int f = 0; f < m->face_count; f++) {
        if (m->kind[f] != kind) continue;
        const int* c = m->face + (ptrdiff_t)m->corners*f;
        double ab[3], ac[3], n[3] = {0, 0, 0};
        vec_sub(ab, m->position[c[1]], m->position[c[0]]);
        if (m->corners == 3) {
            vec_sub(ac, m->position[c[2]], m->position[c[0]]);
            vec_cross(n, ab, ac);
        }
        sum += m->corners == 2 ? vec_norm(ab) : 0.5*vec_norm(n);
    }
    return sum;
}
