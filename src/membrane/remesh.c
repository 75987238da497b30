#include "membrane/remesh.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "membrane/remesh_private.h"

// ---- in and out -------------------------------------------------------------------------------------------------------------

static void remesh_free(Remesh* r)
{
    membrane_free(&r->m);
    free(r->across), free(r->corner);
    *r = (Remesh){0};
}

static mn_status remesh_begin(Remesh* r, const MembraneMesh* m)
{
    Arena arena = {0};
    MembraneLinks links;
    *r = (Remesh){0};
    mn_status status = membrane_links(&links, &arena, m);
    if (status == MN_OK) status = membrane_copy(&r->m, m);
    if (status == MN_OK) {
        r->across_room = m->dim*m->elements + 1, r->corner_room = m->vertices + 1;
        r->across = malloc(sizeof *r->across*(size_t)r->across_room);
        r->corner = malloc(sizeof *r->corner*(size_t)r->corner_room);
        if (!r->across || !r->corner) status = mn_fail(MN_NO_MEMORY, "out of memory: a surface of %d elements", m->elements);
    }
    for (int k = 0; status == MN_OK && k < m->dim*m->elements; k++) r->across[k] = links.across[k];
    for (int i = 0; status == MN_OK && i < m->vertices; i++) {
        r->corner[i] = links.around[links.first[i]];
        r->m.flag[i] &= ~MEMBRANE_NEW;
    }
    arena_free(&arena);
    if (status != MN_OK) remesh_free(r);
    return status;
}

// Closes the gaps, in order.
static void close_gaps(Remesh* r)
{
    MembraneMesh* m = &r->m;
    int kept = 0;
    for (int i = 0; i < m->vertices; i++) {
        if (r->corner[i] < 0) continue;
        memmove(m->x + 3*kept, m->x + 3*i, 3*sizeof *m->x);
        memmove(m->v + 3*kept, m->v + 3*i, 3*sizeof *m->v);
        m->size[kept] = m->size[i], m->flag[kept] = m->flag[i], m->body[kept] = m->body[i];
        r->corner[i] = kept++;  // from here on: its new name
    }
    m->vertices = kept, kept = 0;
    for (int e = 0; e < m->elements; e++) {
        if (element_is_gone(r, e)) continue;
        for (int c = 0; c < m->dim; c++) m->element[m->dim*kept + c] = r->corner[m->element[m->dim*e + c]];
        kept++;
    }
    m->elements = kept;
}

// ---- shared by the operations -----------------------------------------------------------------------------------------------

bool ring_of(Ring* ring, const Remesh* r, int vertex)
{
    int start = r->corner[vertex], k = start;
    assert(start >= 0 && r->m.element[start] == vertex);
    for (int n = 0;; n++) {  // clockwise to the border, or once round
        int over = r->across[last_corner(k)];
        if (over < 0 || n > MOST_AROUND) break;
        k = last_corner(over);
        if (k == start) break;
    }
    start = k;
    *ring = (Ring){.count = 0};
    do {
        if (ring->count == MOST_AROUND) return false;
        ring->corner[ring->count++] = k;
        int over = r->across[next_corner(k)];
        if (over < 0) return true;
        k = next_corner(over);
    } while (k != start);
    ring->closed = true;
    return true;
}

static mn_status grow(int** array, int* room, int count)
{
    if (count <= *room) return MN_OK;
    int more = count + count/2;
    int* larger = realloc(*array, sizeof **array*(size_t)more);
    if (!larger) return mn_fail(MN_NO_MEMORY, "out of memory: a surface of %d corners", count);
    *array = larger, *room = more;
    return MN_OK;
}

int remesh_new_vertex(Remesh* r, int a, int b, bool on_border)
{
    MembraneMesh* m = &r->m;
    int i = m->vertices, walls = m->flag[a] & m->flag[b] & MEMBRANE_WALLS;
    double middle[3];
    for (int d = 0; d < 3; d++) {
        middle[d] = 0.5*(m->x[3*a + d] + m->x[3*b + d]);
        if (m->x[3*a + d] != m->x[3*b + d]) walls &= ~(MEMBRANE_WALL_X << d);
    }
    if (membrane_add_vertex(m, middle, 0.5*(m->size[a] + m->size[b])) != MN_OK) return -1;
    if (grow(&r->corner, &r->corner_room, m->vertices) != MN_OK) return -1;
    bool touches = same_state(m, a, b) && !membrane_is_free(m, a);
    m->flag[i] = (on_border ? walls : 0) | (touches ? MEMBRANE_CONTACT : 0) | MEMBRANE_NEW;
    m->body[i] = touches ? m->body[a] : NO_BODY;
    for (int d = 0; d < 3; d++) m->v[3*i + d] = m->flag[i] >> d & 1 ? 0 : 0.5*(m->v[3*a + d] + m->v[3*b + d]);
    r->corner[i] = -1;
    return i;
}

int remesh_new_element(Remesh* r)
{
    int any[3] = {0, 0, 0}, e = r->m.elements;
    if (membrane_add_element(&r->m, any) != MN_OK) return -1;
    return grow(&r->across, &r->across_room, r->m.dim*r->m.elements) == MN_OK ? e : -1;
}

void remesh_link(Remesh* r, int a, int b)
{
    if (a >= 0) r->across[a] = b;
    if (b >= 0) r->across[b] = a;
}

bool same_state(const MembraneMesh* m, int a, int b)
{
    return membrane_is_free(m, a) == membrane_is_free(m, b) && m->body[a] == m->body[b];
}

double edge_length(const MembraneMesh* m, int a, int b)
{
    double e[3];
    vec_sub(e, m->x + 3*b, m->x + 3*a);
    return vec_norm(e);
}

double edge_ratio(const MembraneMesh* m, int a, int b) { return 2*edge_length(m, a, b)/(m->size[a] + m->size[b]); }

void triangle_normal(double n[3], const double a[3], const double b[3], const double c[3])
{
    double ab[3], ac[3];
    vec_sub(ab, b, a);
    vec_sub(ac, c, a);
    vec_cross(n, ab, ac);
}

double smallest_angle(const double a[3], const double b[3], const double c[3])
{
    const double* x[3] = {a, b, c};
    double least = PI, n[3];
    triangle_normal(n, a, b, c);
    for (int k = 0; k < 3; k++) {
        double p[3], q[3];
        vec_sub(p, x[(k + 1)%3], x[k]);
        vec_sub(q, x[(k + 2)%3], x[k]);
        least = fmin(least, atan2(vec_norm(n), vec_dot(p, q)));
    }
    return least;
}

void patch_add(Patch* p, const MembraneMesh* m, int element)
{
    double n[3];
    membrane_area_vector(n, m, element);
    double area = vec_norm(n);
    p->area += area;
    for (int c = 0; c < m->dim; c++)
        for (int d = 0; d < 3; d++) p->momentum[d] += area*m->v[3*membrane_element(m, element)[c] + d]/m->dim;
}

void patch_restore(MembraneMesh* m, int vertex, double share, const Patch* before, const Patch* after)
{
    if (!membrane_is_free(m, vertex)) return;
    for (int d = 0; d < m->dim; d++)
        if (!(m->flag[vertex] >> d & 1))
            m->v[3*vertex + d] += (before->momentum[d]*after->area/before->area - after->momentum[d])/share;
}

static int most_urgent_first(const void* a, const void* b)
{
    const WorkEdge *p = a, *q = b;
    if (p->urgency != q->urgency) return p->urgency > q->urgency ? -1 : 1;
    return (p->corner > q->corner) - (p->corner < q->corner);
}

mn_status work_edges(WorkEdge** edges, int* count, const Remesh* r, double (*urgency)(const Remesh* r, int corner, int a, int b))
{
    int dim = r->m.dim, room = 0, step = dim == 3 ? 1 : 2;
    *edges = NULL, *count = 0;
    for (int k = 0; k < dim*r->m.elements; k += step) {
        if (element_is_gone(r, k/dim) || (dim == 3 && r->across[k] >= 0 && r->across[k] < k)) continue;
        int a = dim == 3 ? r->m.element[next_corner(k)] : r->m.element[k],
            b = dim == 3 ? r->m.element[last_corner(k)] : r->m.element[k + 1];
        double need = urgency(r, k, a, b);
        if (!(need > 0)) continue;
        if (*count == room) {
            room = 2*room + 256;
            WorkEdge* more = realloc(*edges, sizeof *more*(size_t)room);
            if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: %d edges", room);
            *edges = more;
        }
        (*edges)[(*count)++] = (WorkEdge){need, k, a, b};
    }
    if (*count > 0) qsort(*edges, (size_t)*count, sizeof **edges, most_urgent_first);
    return MN_OK;
}

// ---- all of it --------------------------------------------------------------------------------------------------------------

static mn_status one_pass(Remesh* r, int* changes)
{
    int splits = 0, flips = 0, collapses = 0;
    if (r->m.dim == 3) {
        TRY(remesh_split(r, &splits));
        flips += remesh_flip(r);
        TRY(remesh_collapse(r, &collapses));
        if (splits + collapses > 0) flips += remesh_flip(r);
        for (int sweep = 0; sweep < 3; sweep++) {
            r->count.moves += remesh_smooth(r);
            flips += remesh_flip(r);
        }
    } else {
        TRY(chain_split(r, &splits));
        TRY(chain_collapse(r, &collapses));
        r->count.moves += chain_smooth(r);
    }
    r->count.splits += splits, r->count.flips += flips, r->count.collapses += collapses;
    *changes = splits + flips + collapses;
    return MN_OK;
}

mn_status membrane_remesh(MembraneMesh* m, int passes, RemeshCount* count)
{
    if (m->elements == 0) return MN_OK;
    Remesh r;
    TRY(remesh_begin(&r, m));
    mn_status status = MN_OK;
    int changes = 1;
    for (int p = 0; p < passes && changes > 0 && status == MN_OK; p++) status = one_pass(&r, &changes);
    if (status == MN_OK) {
        close_gaps(&r);
        MembraneMesh old = *m;
        *m = r.m, r.m = old;
        if (count) {
            count->splits += r.count.splits, count->flips += r.count.flips;
            count->collapses += r.count.collapses, count->moves += r.count.moves;
        }
    }
    remesh_free(&r);
    assert(status != MN_OK || membrane_is_valid(m));
    return status;
}
