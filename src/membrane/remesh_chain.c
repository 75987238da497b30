// The same in 2D: chains of segments.
#include <math.h>
#include <stdlib.h>
#include "base/closest.h"
#include "membrane/remesh_private.h"

// The segment e runs from a to b; before and after it come others, or a wall (-1).
typedef struct Link {
    int e, a, b, before, after;  // before and after: vertices
} Link;

static Link link_of(const Remesh* r, int e)
{
    int p = r->across[2*e], q = r->across[2*e + 1];
    return (Link){e, r->m.element[2*e], r->m.element[2*e + 1], p >= 0 ? r->m.element[p ^ 1] : -1,
                  q >= 0 ? r->m.element[q ^ 1] : -1};
}

static double share_of(const Remesh* r, int vertex)
{
    int k = r->corner[vertex], o = r->across[k];
    double sum = edge_length(&r->m, r->m.element[k], r->m.element[k ^ 1]);
    if (o >= 0) sum += edge_length(&r->m, r->m.element[o], r->m.element[o ^ 1]);
    return 0.5*sum;
}

// ---- split ------------------------------------------------------------------------------------------------------------------

// Half way on the cubic through four vertices (Catmull and Rom): 9/16 of the ends, -1/16 of those beyond; of that the part
// along the normal.
static void curve(Remesh* r, const Link* l, int vertex)
{
    MembraneMesh* m = &r->m;
    if (l->before < 0 || l->after < 0) return;
    int all[4] = {l->before, l->a, l->b, l->after};
    for (int n = 0; n < 4; n++)
        if (!membrane_is_free(m, all[n])) return;
    double length = edge_length(m, l->a, l->b), n[2] = {m->x[3*l->b + 1] - m->x[3*l->a + 1], m->x[3*l->a] - m->x[3*l->b]},
           off = 0;
    for (int d = 0; d < 2; d++)
        off +=
            (0.0625*(m->x[3*l->a + d] + m->x[3*l->b + d]) - 0.0625*(m->x[3*l->before + d] + m->x[3*l->after + d])) *
            n[d]/length;
    off = clamp(off, -0.15*length, 0.15*length);
    for (int d = 0; d < 2; d++) m->x[3*vertex + d] += off*n[d]/length;
}

static double split_urgency(const Remesh* r, int k, int a, int b)
{
    (void)k;
    double ratio = edge_ratio(&r->m, a, b);
    return ratio > SPLIT_ABOVE ? ratio : 0;
}

static mn_status split_segment(Remesh* r, int e)
{
    Link l = link_of(r, e);
    Patch before = {0}, after = {0};
    patch_add(&before, &r->m, e);
    int p = remesh_new_vertex(r, l.a, l.b, false), f = remesh_new_element(r);
    if (p < 0 || f < 0) return MN_NO_MEMORY;
    curve(r, &l, p);
    int beyond = r->across[2*e + 1];
    r->m.element[2*e + 1] = p, r->m.element[2*f] = p, r->m.element[2*f + 1] = l.b;
    remesh_link(r, 2*f + 1, beyond);
    if (beyond < 0) r->across[2*f + 1] = -1;
    remesh_link(r, 2*e + 1, 2*f);
    r->corner[p] = 2*f, r->corner[l.b] = 2*f + 1;
    patch_add(&after, &r->m, e), patch_add(&after, &r->m, f);
    patch_restore(&r->m, p, share_of(r, p), &before, &after);
    return MN_OK;
}

static bool segment_stands(const Remesh* r, const WorkEdge* e)
{
    return r->m.element[e->corner] == e->a && r->m.element[e->corner + 1] == e->b;
}

mn_status chain_split(Remesh* r, int* done)
{
    WorkEdge* edge;
    int count;
    mn_status status = work_edges(&edge, &count, r, split_urgency);
    for (int n = 0; n < count && status == MN_OK; n++) {
        if (!segment_stands(r, &edge[n])) continue;
        status = split_segment(r, edge[n].corner/2);
        ++*done;
    }
    free(edge);
    return status;
}

// ---- collapse ---------------------------------------------------------------------------------------------------------------

static double collapse_urgency(const Remesh* r, int k, int a, int b)
{
    (void)k;
    double ratio = edge_ratio(&r->m, a, b);
    return ratio < COLLAPSE_BELOW ? 1/ratio : 0;
}

static double turn(const double a[3], const double b[3], const double origin[3])
{
    return 0.5*((a[0] - origin[0])*(b[1] - origin[1]) - (a[1] - origin[1])*(b[0] - origin[0]));
}

// The place of the vertex that comes of a and b: theirs that is on a wall, or half way; then along the area's gradient until
// the area is what it was.
static bool merged_place(double place[3], const MembraneMesh* m, const Link* l)
{
    int wa = m->flag[l->a] & MEMBRANE_WALLS, wb = m->flag[l->b] & MEMBRANE_WALLS;
    if (wa && wb) return false;
    const double *a = m->x + 3*l->a, *b = m->x + 3*l->b, *origin = wb ? b : a;
    for (int d = 0; d < 3; d++) place[d] = wa ? a[d] : wb ? b[d] : 0.5*(a[d] + b[d]);
    double lost = turn(a, b, origin), g[2] = {0, 0};
    if (l->before >= 0) {
        const double* p = m->x + 3*l->before;
        lost += turn(p, a, origin) - turn(p, place, origin);
        g[0] += 0.5*(place[1] - p[1]), g[1] += 0.5*(p[0] - place[0]);
    }
    if (l->after >= 0) {
        const double* p = m->x + 3*l->after;
        lost += turn(b, p, origin) - turn(place, p, origin);
        g[0] += 0.5*(p[1] - place[1]), g[1] += 0.5*(place[0] - p[0]);
    }
    for (int d = 0; d < 2; d++)
        if ((wa | wb) >> d & 1) g[d] = 0;
    double square = g[0]*g[0] + g[1]*g[1];
    if (!(square > 0) || fabs(lost)/sqrt(square) > 0.3*m->size[l->a]) return false;
    for (int d = 0; d < 2; d++) place[d] += lost*g[d]/square;
    return true;
}

static void patch_of(Patch* p, const Remesh* r, int a, int b)
{
    int k = r->corner[a], o = r->across[k], seen[4] = {k/2, o >= 0 ? o/2 : -1, -1, -1};
    if (b >= 0) k = r->corner[b], o = r->across[k], seen[2] = k/2, seen[3] = o >= 0 ? o/2 : -1;
    for (int n = 0; n < 4; n++) {
        bool again = seen[n] < 0;
        for (int q = 0; q < n; q++) again |= seen[q] == seen[n];
        if (!again) patch_add(p, &r->m, seen[n]);
    }
}

// b goes into a, or a into b where b is on the wall; the segment vanishes.
static bool collapse_segment(Remesh* r, int e)
{
    MembraneMesh* m = &r->m;
    Link l = link_of(r, e);
    double place[3];
    if (!same_state(m, l.a, l.b) || l.before == l.after || (l.before >= 0 && l.after >= 0 && l.before == l.b)) return false;
    if (!merged_place(place, m, &l)) return false;
    if ((l.before >= 0 &&
         2*hypot(place[0] - m->x[3*l.before], place[1] - m->x[3*l.before + 1]) > SPLIT_ABOVE*2*m->size[l.a]) ||
        (l.after >= 0 &&
         2*hypot(place[0] - m->x[3*l.after], place[1] - m->x[3*l.after + 1]) > SPLIT_ABOVE*2*m->size[l.a]))
        return false;
    bool b_stays = m->flag[l.b] & MEMBRANE_WALLS;
    int stays = b_stays ? l.b : l.a, goes = b_stays ? l.a : l.b, p = r->across[2*e], q = r->across[2*e + 1];
    Patch before = {0}, after = {0};
    double share[2] = {share_of(r, stays), share_of(r, goes)};
    patch_of(&before, r, l.a, l.b);
    if (p >= 0) m->element[p] = stays;
    if (q >= 0) m->element[q] = stays;
    remesh_link(r, p, q), remesh_link(r, q, p);
    r->corner[stays] = p >= 0 ? p : q, r->corner[goes] = -1;
    m->element[2*e] = m->element[2*e + 1] = -1;
    for (int d = 0; d < 2; d++) {
        bool walled = m->flag[stays] >> d & 1;
        double mean = (share[0]*m->v[3*stays + d] + share[1]*m->v[3*goes + d])/(share[0] + share[1]);
        m->x[3*stays + d] = place[d], m->v[3*stays + d] = walled ? 0 : mean;
    }
    m->size[stays] = 0.5*(m->size[stays] + m->size[goes]);
    patch_of(&after, r, stays, -1);
    patch_restore(m, stays, share_of(r, stays), &before, &after);
    return true;
}

mn_status chain_collapse(Remesh* r, int* done)
{
    WorkEdge* edge;
    int count;
    mn_status status = work_edges(&edge, &count, r, collapse_urgency);
    for (int n = 0; n < count && status == MN_OK; n++)
        if (segment_stands(r, &edge[n])) *done += collapse_segment(r, edge[n].corner/2);
    free(edge);
    return status;
}

// ---- smooth -----------------------------------------------------------------------------------------------------------------

// Along the line between its neighbours, which is across the area's gradient, to where both segments have as much of their
// wanted length.
static bool smooth_vertex(Remesh* r, int vertex)
{
    MembraneMesh* m = &r->m;
    int k = r->corner[vertex], o = r->across[k];
    if (o < 0) return false;
    int before = m->element[k%2 ? k - 1 : o - 1], after = m->element[k%2 ? o + 1 : k + 1];
    const double *p = m->x + 3*before, *q = m->x + 3*after;
    double* x = m->x + 3*vertex;
    double t[2] = {q[0] - p[0], q[1] - p[1]}, length = hypot(t[0], t[1]);
    double lp = edge_length(m, before, vertex), lq = edge_length(m, vertex, after), sp = m->size[before] + m->size[vertex],
           sq = m->size[after] + m->size[vertex];
    double by = 0.7*((lp + lq)*sp/(sp + sq) - lp);
    if (!(length > 0.2*(lp + lq)) || fabs(by) < 1e-3*m->size[vertex]) return false;
    double place[3] = {x[0] + by*t[0]/length, x[1] + by*t[1]/length, 0}, velocity[3], w;
    const int from = vertex, to = by > 0 ? after : before;
    w = closest_on_edge(place, x, m->x + 3*to);
    for (int d = 0; d < 3; d++) velocity[d] = (1 - w)*m->v[3*from + d] + w*m->v[3*to + d];
    Patch then = {0}, now = {0};
    patch_of(&then, r, vertex, -1);
    for (int d = 0; d < 2; d++) x[d] = place[d], m->v[3*vertex + d] = velocity[d];
    patch_of(&now, r, vertex, -1);
    patch_restore(m, vertex, share_of(r, vertex), &then, &now);
    return true;
}

int chain_smooth(Remesh* r)
{
    int moves = 0;
    for (int i = 0; i < r->m.vertices; i++)
        if (r->corner[i] >= 0 && membrane_is_free(&r->m, i)) moves += smooth_vertex(r, i);
    return moves;
}
