// Splits, flips and collapses of edges of triangles.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "membrane/remesh_private.h"

// An edge from b to c, the triangles beside it (a, b, c) and (d, c, b): k is the corner at a, o that at d (-1: border).
typedef struct EdgeSides {
    int k, o, a, b, c, d;
} EdgeSides;

static EdgeSides sides_of(const Remesh* r, int k)
{
    EdgeSides s = {k, r->across[k], r->m.element[k], r->m.element[next_corner(k)], r->m.element[last_corner(k)], -1};
    if (s.o >= 0) s.d = r->m.element[s.o];
    return s;
}

// Is it still the edge it was when the list was made?
static bool edge_stands(const Remesh* r, const WorkEdge* e)
{
    return !element_is_gone(r, e->corner/3) && r->m.element[next_corner(e->corner)] == e->a &&
           r->m.element[last_corner(e->corner)] == e->b;
}

static void set_triangle(Remesh* r, int corner, int a, int b, int c)
{
    r->m.element[corner] = a, r->m.element[next_corner(corner)] = b, r->m.element[last_corner(corner)] = c;
}

static bool share_wall(const MembraneMesh* m, int a, int b)
{
    for (int d = 0; d < m->dim; d++)
        if ((m->flag[a] & m->flag[b]) >> d & 1 && m->x[3*a + d] == m->x[3*b + d]) return true;
    return false;
}

// ---- volume -----------------------------------------------------------------------------------------------------------------

// Volume under a triangle as seen from a place: differences of sums of these are exact where the place is on all walls they meet.
static double volume_under(const double origin[3], const double a[3], const double b[3], const double c[3])
{
    double p[3], q[3], s[3], n[3];
    vec_sub(p, a, origin), vec_sub(q, b, origin), vec_sub(s, c, origin);
    vec_cross(n, p, q);
    return vec_dot(n, s)/6;
}

static void gradient_of(double g[3], const Remesh* r, int vertex)
{
    Ring ring;
    g[0] = g[1] = g[2] = 0;
    if (!ring_of(&ring, r, vertex)) return;
    for (int k = 0; k < ring.count; k++) {
        double n[3];
        membrane_area_vector(n, &r->m, ring.corner[k]/3);
        for (int d = 0; d < 3; d++) g[d] += n[d]/3;
    }
}

// A flip adds the tetrahedron of its four vertices, a split what its new vertex stands out by. The four give it back, all by one
// distance along their normals, as far as they are free and on no wall.
static void give_back(Remesh* r, const EdgeSides* s, double volume)
{
    int four[4] = {s->a, s->b, s->c, s->d};
    double g[4][3], sum = 0;
    for (int v = 0; v < 4; v++) {
        bool moves = membrane_is_free(&r->m, four[v]) && !(r->m.flag[four[v]] & MEMBRANE_WALLS);
        g[v][0] = g[v][1] = g[v][2] = 0;
        if (moves) gradient_of(g[v], r, four[v]);
        sum += vec_norm(g[v]);
    }
    for (int v = 0; v < 4; v++) {
        double length = vec_norm(g[v]);
        for (int d = 0; d < 3 && length > 0; d++) r->m.x[3*four[v] + d] -= volume/sum*g[v][d]/length;
    }
}

// ---- split ------------------------------------------------------------------------------------------------------------------

// The tip of the triangle across the edge facing a corner; -1 at the border.
static int wing(const Remesh* r, int corner)
{
    int o = r->across[corner];
    return o < 0 ? -1 : r->m.element[o];
}

// Half way on the smooth surface: the butterfly [dyn1990] of the eight vertices around, of which only the part along the normal
// is taken, so that vertices of unequal triangles do not slide. Straight where it is not whole, and beside walls and contacts.
static void butterfly(Remesh* r, const EdgeSides* s, int vertex)
{
    MembraneMesh* m = &r->m;
    if (s->o < 0) return;
    int all[8] = {s->b,
                  s->c,
                  s->a,
                  s->d,
                  wing(r, next_corner(s->k)),
                  wing(r, last_corner(s->k)),
                  wing(r, next_corner(s->o)),
                  wing(r, last_corner(s->o))};
    static const double weight[8] = {0.5, 0.5, 0.125, 0.125, -0.0625, -0.0625, -0.0625, -0.0625};
    double smooth[3] = {0, 0, 0}, n[3], other[3], off[3];
    for (int v = 0; v < 8; v++) {
        if (all[v] < 0 || !membrane_is_free(m, all[v])) return;
        for (int d = 0; d < 3; d++) smooth[d] += weight[v]*m->x[3*all[v] + d];
    }
    triangle_normal(n, place_of(r, s->a), place_of(r, s->b), place_of(r, s->c));
    triangle_normal(other, place_of(r, s->d), place_of(r, s->c), place_of(r, s->b));
    for (int d = 0; d < 3; d++) n[d] += other[d];
    double* x = place_of(r, vertex);
    vec_sub(off, smooth, x);
    double length = vec_norm(n), most = 0.15*edge_length(m, s->b, s->c);
    if (!(length > 0)) return;
    double far = clamp(vec_dot(off, n)/length, -most, most);
    for (int d = 0; d < 3; d++)
        if (!(m->flag[vertex] >> d & 1)) x[d] += far*n[d]/length;
}

static mn_status split_edge(Remesh* r, int k)
{
    EdgeSides s = sides_of(r, k);
    Patch before = {0}, after = {0};
    patch_add(&before, &r->m, k/3);
    if (s.o >= 0) patch_add(&before, &r->m, s.o/3);
    int p = remesh_new_vertex(r, s.b, s.c, s.o < 0), t = remesh_new_element(r), u = s.o >= 0 ? remesh_new_element(r) : 0;
    if (p < 0 || t < 0 || u < 0) return MN_NO_MEMORY;
    butterfly(r, &s, p);
    int nk = next_corner(k), outer = r->across[nk];
    set_triangle(r, k, s.a, s.b, p);
    set_triangle(r, 3*t, s.a, p, s.c);
    remesh_link(r, 3*t + 1, outer);
    remesh_link(r, 3*t + 2, nk);
    r->corner[p] = last_corner(k), r->corner[s.a] = k, r->corner[s.b] = nk, r->corner[s.c] = 3*t + 2;
    if (s.o < 0) r->across[k] = r->across[3*t] = -1;
    else {
        int no = next_corner(s.o);
        outer = r->across[no];
        set_triangle(r, s.o, s.d, s.c, p);
        set_triangle(r, 3*u, s.d, p, s.b);
        remesh_link(r, 3*u + 1, outer);
        remesh_link(r, 3*u + 2, no);
        remesh_link(r, 3*u, k);
        remesh_link(r, 3*t, s.o);
        r->corner[s.d] = s.o;
    }
    int made[4] = {k/3, t, s.o >= 0 ? s.o/3 : -1, u};
    for (int e = 0; e < (s.o >= 0 ? 4 : 2); e++) patch_add(&after, &r->m, made[e]);
    patch_restore(&r->m, p, after.area/3, &before, &after);
    if (s.o < 0) return MN_OK;
    const double *a = place_of(r, s.a), *b = place_of(r, s.b), *c = place_of(r, s.c), *d = place_of(r, s.d), *x = place_of(r, p);
    give_back(r, &s, volume_under(b, a, x, c) + volume_under(b, d, c, x));
    return MN_OK;
}

// An edge inside the mesh with both ends on one wall is not split: its middle would lie on the wall and not be held there.
static double split_urgency(const Remesh* r, int k, int a, int b)
{
    if (r->across[k] >= 0 && share_wall(&r->m, a, b)) return 0;
    double ratio = edge_ratio(&r->m, a, b);
    return ratio > SPLIT_ABOVE ? ratio : 0;
}

mn_status remesh_split(Remesh* r, int* done)
{
    WorkEdge* edge;
    int count;
    mn_status status = work_edges(&edge, &count, r, split_urgency);
    for (int n = 0; n < count && status == MN_OK; n++) {
        if (!edge_stands(r, &edge[n])) continue;
        status = split_edge(r, edge[n].corner);
        ++*done;
    }
    free(edge);
    return status;
}

// ---- flip -------------------------------------------------------------------------------------------------------------------

static bool are_neighbours(const Remesh* r, int a, int b)
{
    Ring ring;
    if (!ring_of(&ring, r, a)) return true;
    for (int n = 0; n < ring.count; n++)
        if (r->m.element[next_corner(ring.corner[n])] == b || r->m.element[last_corner(ring.corner[n])] == b) return true;
    return false;
}

static double angle_at(const Remesh* r, int at, int b, int c)
{
    double p[3], q[3], n[3];
    vec_sub(p, r->m.x + 3*b, r->m.x + 3*at);
    vec_sub(q, r->m.x + 3*c, r->m.x + 3*at);
    vec_cross(n, p, q);
    return atan2(vec_norm(n), vec_dot(p, q));
}

// Delaunay: the angles across from the edge add up to more than 180 degrees; the four triangles, old and new, face the same
// way.
static bool wants_flip(Remesh* r, const EdgeSides* s)
{
    const MembraneMesh* m = &r->m;
    if (angle_at(r, s->a, s->b, s->c) + angle_at(r, s->d, s->b, s->c) < PI + 0.05) return false;
    if (!same_state(m, s->a, s->b) || !same_state(m, s->b, s->c) || !same_state(m, s->c, s->d)) return false;
    if (share_wall(m, s->a, s->d)) return false;
    double n[4][3];
    const double *a = m->x + 3*s->a, *b = m->x + 3*s->b, *c = m->x + 3*s->c, *d = m->x + 3*s->d;
    triangle_normal(n[0], a, b, c);
    triangle_normal(n[1], d, c, b);
    triangle_normal(n[2], a, b, d);
    triangle_normal(n[3], d, c, a);
    for (int e = 0; e < 4; e++)
        for (int f = e + 1; f < 4; f++)
            // slivers have no normal to speak of: only the new ones must agree with something
            if (f >= 2 && vec_dot(n[e], n[f]) < 0.7*vec_norm(n[e])*vec_norm(n[f])) return false;
    if (fmin(smallest_angle(a, b, d), smallest_angle(d, c, a)) <= fmin(smallest_angle(a, b, c), smallest_angle(d, c, b)))
        return false;
    return !are_neighbours(r, s->a, s->d);
}

// A vertex's share of the area.
static double share_of(const Remesh* r, int vertex)
{
    Ring ring;
    double sum = 0, n[3];
    if (!ring_of(&ring, r, vertex)) return 0;
    for (int k = 0; k < ring.count; k++) {
        membrane_area_vector(n, &r->m, ring.corner[k]/3);
        sum += vec_norm(n)/3;
    }
    return sum;
}

// No vertex is new, so all four that share the two triangles take a part of what the momentum lacks.
static void restore_four(Remesh* r, const EdgeSides* s, const Patch* before, const Patch* after)
{
    int four[4] = {s->a, s->b, s->c, s->d};
    for (int d = 0; d < 3; d++) {
        double share[4], sum = 0;
        for (int v = 0; v < 4; v++) {
            bool moves = membrane_is_free(&r->m, four[v]) && !(r->m.flag[four[v]] >> d & 1);
            sum += share[v] = moves ? share_of(r, four[v]) : 0;
        }
        double lacks = before->momentum[d]*after->area/before->area - after->momentum[d];
        for (int v = 0; v < 4; v++)
            if (share[v] > 0) r->m.v[3*four[v] + d] += lacks/sum;
    }
}

static void flip_edge(Remesh* r, const EdgeSides* s)
{
    Patch before = {0}, after = {0};
    patch_add(&before, &r->m, s->k/3), patch_add(&before, &r->m, s->o/3);
    int nk = next_corner(s->k), no = next_corner(s->o), x = r->across[nk], y = r->across[no];
    double more = -volume_under(place_of(r, s->a), place_of(r, s->d), place_of(r, s->c), place_of(r, s->b));
    set_triangle(r, s->k, s->a, s->b, s->d);
    set_triangle(r, s->o, s->d, s->c, s->a);
    remesh_link(r, s->k, y);
    remesh_link(r, s->o, x);
    remesh_link(r, nk, no);
    r->corner[s->a] = s->k, r->corner[s->b] = nk, r->corner[s->c] = no, r->corner[s->d] = s->o;
    patch_add(&after, &r->m, s->k/3), patch_add(&after, &r->m, s->o/3);
    restore_four(r, s, &before, &after);
    give_back(r, s, more);
}

int remesh_flip(Remesh* r)
{
    int all = 0, now = 1;
    for (int round = 0; round < 4 && now > 0; round++, all += now) {
        now = 0;
        for (int k = 0; k < 3*r->m.elements; k++) {
            if (element_is_gone(r, k/3) || r->across[k] < k) continue;
            EdgeSides s = sides_of(r, k);
            if (!wants_flip(r, &s)) continue;
            flip_edge(r, &s);
            now++;
        }
    }
    return all;
}

// ---- collapse ---------------------------------------------------------------------------------------------------------------

// Triangles that change when c goes into b: those around either. The two that vanish come in both rings.
typedef struct Merge {
    EdgeSides s;
    Ring b, c;
    double place[3];  // of the vertex that stays
} Merge;

// Where the merged vertex goes: to the one with more walls; half way between two with the same ones. Not at all between two of
// different walls, nor from the border to inside along an edge that is not the border's.
static bool merged_place(Merge* g, const Remesh* r)
{
    const MembraneMesh* m = &r->m;
    EdgeSides* s = &g->s;
    int wb = m->flag[s->b] & MEMBRANE_WALLS, wc = m->flag[s->c] & MEMBRANE_WALLS;
    if ((wb | wc) != wb) return false;  // c has a wall that b has not; the edge comes the other way round, too
    if (!g->b.closed && !g->c.closed && s->o >= 0) return false;
    if (wc && !share_wall(m, s->b, s->c)) return false;
    for (int d = 0; d < 3; d++) {
        double b = m->x[3*s->b + d], c = m->x[3*s->c + d];
        g->place[d] = wb == wc ? (b == c ? b : 0.5*(b + c)) : b;
    }
    return true;
}

// Vertices beside both b and c must be the tips of the two triangles and no others: else the surface would be pinched.
static bool link_is_clean(const Merge* g, const Remesh* r)
{
    int common = 0;
    for (int n = 0; n < g->b.count; n++) {
        int v = r->m.element[next_corner(g->b.corner[n])];
        for (int o = 0; o < g->c.count; o++)
            common += r->m.element[next_corner(g->c.corner[o])] == v ||
                      (o == g->c.count - 1 && !g->c.closed && r->m.element[last_corner(g->c.corner[o])] == v);
    }
    if (!g->b.closed) {
        int v = r->m.element[last_corner(g->b.corner[g->b.count - 1])];
        for (int o = 0; o < g->c.count; o++)
            common += r->m.element[next_corner(g->c.corner[o])] == v ||
                      (o == g->c.count - 1 && !g->c.closed && r->m.element[last_corner(g->c.corner[o])] == v);
    }
    return common == (g->s.o >= 0 ? 2 : 1);
}

// Triangles at the tips lose one: an inner vertex needs three, one at the border one.
static bool tip_can_lose(const Remesh* r, int tip)
{
    Ring ring;
    return ring_of(&ring, r, tip) && ring.count >= (ring.closed ? 4 : 2);
}

static bool vanishes(const Merge* g, int corner) { return corner/3 == g->s.k/3 || (g->s.o >= 0 && corner/3 == g->s.o/3); }

// Sums over the rings: volume before and after, seen from b, which is on all walls of the merged vertex; and its gradient.
static void merged_volume(double* before, double* after, double gradient[3], const Merge* g, const Remesh* r)
{
    const MembraneMesh* m = &r->m;
    const double* origin = m->x + 3*g->s.b;
    *before = *after = 0;
    for (int d = 0; d < 3; d++) gradient[d] = 0;
    for (int side = 0; side < 2; side++) {
        const Ring* ring = side ? &g->c : &g->b;
        for (int n = 0; n < ring->count; n++) {
            int k = ring->corner[n];
            const double *p = m->x + 3*m->element[next_corner(k)], *q = m->x + 3*m->element[last_corner(k)];
            if (vanishes(g, k) && side) continue;
            *before += volume_under(origin, m->x + 3*m->element[k], p, q);
            if (vanishes(g, k)) continue;
            double normal[3];
            *after += volume_under(origin, g->place, p, q);
            triangle_normal(normal, g->place, p, q);
            for (int d = 0; d < 3; d++) gradient[d] += normal[d]/6;
        }
    }
    for (int d = 0; d < 3; d++)
        if (m->flag[g->s.b] >> d & 1) gradient[d] = 0;
}

// Moves the place along the gradient until the volume is what it was: it is linear in one vertex.
static bool keep_volume(Merge* g, const Remesh* r)
{
    double before, after, gradient[3];
    merged_volume(&before, &after, gradient, g, r);
    double square = vec_dot(gradient, gradient);
    if (!(square > 0)) return false;
    double far = (before - after)/square, size = r->m.size[g->s.b];
    if (fabs(far)*sqrt(square) > 0.3*size) return false;
    for (int d = 0; d < 3; d++) g->place[d] += far*gradient[d];
    return true;
}

// No triangle turns by more than 45 degrees or becomes a sliver, no edge too long.
static bool shapes_stay_good(const Merge* g, const Remesh* r)
{
    const MembraneMesh* m = &r->m;
    double worst_before = PI, worst_after = PI;
    for (int side = 0; side < 2; side++) {
        const Ring* ring = side ? &g->c : &g->b;
        for (int n = 0; n < ring->count; n++) {
            int k = ring->corner[n];
            const double *x = m->x + 3*m->element[k], *p = m->x + 3*m->element[next_corner(k)],
                         *q = m->x + 3*m->element[last_corner(k)];
            double old[3], new[3], e[3];
            worst_before = fmin(worst_before, smallest_angle(x, p, q));
            if (vanishes(g, k)) continue;
            triangle_normal(old, x, p, q);
            triangle_normal(new, g->place, p, q);
            bool was_sliver = vec_norm(old) < 0.1*m->size[g->s.b]*m->size[g->s.b];
            if (!was_sliver && vec_dot(old, new) < 0.7*vec_norm(old)*vec_norm(new)) return false;
            worst_after = fmin(worst_after, smallest_angle(g->place, p, q));
            vec_sub(e, p, g->place);
            if (vec_norm(e) > SPLIT_ABOVE*m->size[g->s.b]) return false;
        }
    }
    return worst_after > 0.35 || worst_after > worst_before;  // 20 degrees
}

static double ring_area(Patch* patch, const Remesh* r, const Ring* ring)
{
    double before = patch->area;
    for (int n = 0; n < ring->count; n++) patch_add(patch, &r->m, ring->corner[n]/3);
    return patch->area - before;
}

// c goes into b; the two triangles vanish.
static void merge_vertices(Remesh* r, const Merge* g)
{
    const EdgeSides* s = &g->s;
    for (int n = 0; n < g->c.count; n++) r->m.element[g->c.corner[n]] = s->b;
    for (int side = 0; side < 2; side++) {
        int k = side ? s->o : s->k, tip = side ? s->d : s->a;
        if (k < 0) continue;
        int x = r->across[next_corner(k)], y = r->across[last_corner(k)];
        remesh_link(r, x, y), remesh_link(r, y, x);
        r->corner[tip] = x >= 0 ? next_corner(x) : last_corner(y);
        r->corner[s->b] = x >= 0 ? last_corner(x) : next_corner(y);
        for (int c = 0; c < 3; c++) r->m.element[3*(k/3) + c] = -1;
    }
    r->corner[s->c] = -1;
}

// Makes one vertex of an edge's two ends, if nothing speaks against it.
static bool collapse_edge(Remesh* r, const EdgeSides* sides)
{
    Merge g = {.s = *sides};
    MembraneMesh* m = &r->m;
    if (!same_state(m, g.s.b, g.s.c) || !ring_of(&g.b, r, g.s.b) || !ring_of(&g.c, r, g.s.c)) return false;
    if (g.b.count + g.c.count > MOST_AROUND) return false;
    if (!merged_place(&g, r) || !link_is_clean(&g, r) || !tip_can_lose(r, g.s.a) || (g.s.o >= 0 && !tip_can_lose(r, g.s.d)))
        return false;
    bool free = membrane_is_free(m, g.s.b);
    if (free && !keep_volume(&g, r)) return false;
    if (!shapes_stay_good(&g, r)) return false;
    Patch before = {0}, after = {0};
    double mass[2] = {0, 0}, sum[3];
    mass[0] = ring_area(&before, r, &g.b), mass[1] = ring_area(&before, r, &g.c);
    Patch twice = {0};
    patch_add(&twice, m, g.s.k/3);
    if (g.s.o >= 0) patch_add(&twice, m, g.s.o/3);
    before.area -= twice.area;
    for (int d = 0; d < 3; d++) before.momentum[d] -= twice.momentum[d];
    for (int d = 0; d < 3; d++) sum[d] = (mass[0]*m->v[3*g.s.b + d] + mass[1]*m->v[3*g.s.c + d])/(mass[0] + mass[1]);
    merge_vertices(r, &g);
    for (int d = 0; d < 3; d++) {
        m->x[3*g.s.b + d] = g.place[d];
        m->v[3*g.s.b + d] = m->flag[g.s.b] >> d & 1 ? 0 : sum[d];
    }
    m->size[g.s.b] = 0.5*(m->size[g.s.b] + m->size[g.s.c]);
    Ring ring;
    if (!ring_of(&ring, r, g.s.b)) return true;
    patch_restore(m, g.s.b, ring_area(&after, r, &ring)/3, &before, &after);
    return true;
}

// Short edges, and the shortest edges of slivers.
static double collapse_urgency(const Remesh* r, int k, int a, int b)
{
    double ratio = edge_ratio(&r->m, a, b);
    if (ratio < COLLAPSE_BELOW) return 1/ratio;
    int o = r->across[k], c = r->m.element[k];
    double angle = angle_at(r, c, a, b);
    if (o >= 0) angle = fmin(angle, angle_at(r, r->m.element[o], a, b));
    return angle < 0.4 && ratio < 0.9 ? 1/ratio : 0;
}

mn_status remesh_collapse(Remesh* r, int* done)
{
    WorkEdge* edge;
    int count;
    mn_status status = work_edges(&edge, &count, r, collapse_urgency);
    for (int n = 0; n < count && status == MN_OK; n++) {
        if (!edge_stands(r, &edge[n])) continue;
        EdgeSides s = sides_of(r, edge[n].corner);
        int wb = r->m.flag[s.b] & MEMBRANE_WALLS, wc = r->m.flag[s.c] & MEMBRANE_WALLS;
        if ((wb | wc) != wb) s.b = edge[n].b, s.c = edge[n].a;  // the end with more walls stays
        *done += collapse_edge(r, &s);
    }
    free(edge);
    return status;
}
