#include "film/film_ridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/interpolate.h"

// A piece of ridge ends on the faces of its grid cell: in 2D in a point on a grid edge, in 3D in a segment between two grid
// edges. Two pieces that share such a side are neighbours.
typedef struct RidgeEnd {
    int64_t edge[2];  // numbers of the grid edges, smaller first (2D: twice the same)
    int pair[2];
    int cell;
    double x[3];      // middle, in cells
    double along[3];  // 3D: unit vector along the segment
    double length;    // in cells (2D: 1/dx, so that it comes out as 1 m)
    int wall;         // side of the tank that it lies on and that lets no air through, 0 to 5; -1: none
    bool past_joint;
} RidgeEnd;

// The two passes over all pairs: the first counts what there may be at most, the second fills.
typedef struct Ridge {
    Film* film;
    const Liquid* liquid;
    int count;
    bool fill;
    RidgeEnd* side;
    int sides, cells;
} Ridge;

// A point of the ridge on a grid edge: place in the tank in cells, number of the grid edge, which of its coordinates are whole.
typedef struct Corner {
    double x[3];
    int64_t edge;
    int axis;
} Corner;

static Corner corner_on_edge(const Tank* t, const int cell[3], int edge, const double* psi)
{
    Corner c = {.axis = edge/4};
    cut_point(c.x, edge, psi);
    int node[3];
    for (int d = 0; d < 3; d++) node[d] = cell[d] + (d == c.axis ? 0 : (int)c.x[d]), c.x[d] += cell[d];
    c.edge = 3*(node[0] + (int64_t)(t->n[0] + 1)*(node[1] + (int64_t)(t->n[1] + 1)*node[2])) + c.axis;
    return c;
}

// The side of the tank that lets no air through and has both ends on it, -1: none.
static int wall_of(const Tank* t, const Corner* a, const Corner* b)
{
    for (int d = 0; d < t->dim; d++) {
        if (d == a->axis || d == b->axis) continue;
        for (int high = 0; high < 2; high++) {
            double at = high ? t->n[d] : 0;
            if (a->x[d] == at && b->x[d] == at && side_is_closed(t->side[2*d + high])) return 2*d + high;
        }
    }
    return -1;
}

// Is some other liquid nearer than the two of the pair?
static bool third_is_nearer(const Ridge* r, const int pair[2], const double x[3])
{
    double at[3];
    film_to_window(at, &r->liquid[pair[0]].w, x);
    double own = node_value(r->liquid[pair[0]].phi.v, &r->liquid[pair[0]].w, at);
    for (int m = 0; m < r->count; m++) {
        const Liquid* q = &r->liquid[m];
        if (m == pair[0] || m == pair[1] || !film_to_window(at, &q->w, x)) continue;
        // the solids beside another liquid are the same solids, or too far away to have been sampled
        if (film_is_solid(r->film, m) && (film_is_solid(r->film, pair[1]) || !q->phi.v)) continue;
        if (node_value(q->phi.v, &q->w, at) < own) return true;
    }
    return false;
}

static void add_side(Ridge* r, const int pair[2], const Corner* a, const Corner* b)
{
    const Tank* t = &r->film->tank;
    RidgeEnd* s = &r->side[r->sides];
    *s = (RidgeEnd){.pair = {pair[0], pair[1]}, .cell = r->cells};
    s->edge[0] = a->edge < b->edge ? a->edge : b->edge, s->edge[1] = a->edge < b->edge ? b->edge : a->edge;
    vec_sub(s->along, b->x, a->x);
    s->length = t->dim == 3 ? vec_norm(s->along) : 1/t->dx;
    for (int d = 0; d < 3; d++) {
        s->x[d] = 0.5*(a->x[d] + b->x[d]);
        s->along[d] = t->dim == 3 && s->length > 0 ? s->along[d]/s->length : 0;
    }
    // past a joint, where a third liquid is nearer, the film of this pair has ended: join_pairs leads on
    s->wall = wall_of(t, a, b), s->past_joint = third_is_nearer(r, pair, s->x);
    r->sides++;
}

// Thickness at a point of the ridge of the pair.
static double thickness(const Ridge* r, const int pair[2], const double x[3])
{
    double h = 0, at[3];
    for (int s = 0; s < 2; s++) {
        const Liquid* q = &r->liquid[pair[s]];
        film_to_window(at, &q->w, x);
        h += film_distance(q, at);
    }
    return h;
}

// Centroid (in cells) and area (in face areas) of a piece of ridge with these corners.
static double piece_area(double center[3], int dim, const Corner* c, int n)
{
    double mean[3] = {0, 0, 0}, sum = 0;
    for (int m = 0; m < n; m++)
        for (int d = 0; d < 3; d++) mean[d] += c[m].x[d]/n;
    for (int d = 0; d < 3; d++) center[d] = mean[d];
    if (dim == 2) return hypot(c[1].x[0] - c[0].x[0], c[1].x[1] - c[0].x[1]);
    double moment[3] = {0, 0, 0};
    for (int m = 0; m < n; m++) {  // a fan of triangles around the mean
        const double *a = c[m].x, *b = c[(m + 1)%n].x;
        double u[3], v[3], s[3];
        vec_sub(u, a, mean), vec_sub(v, b, mean);
        vec_cross(s, u, v);
        double area = 0.5*vec_norm(s);
        sum += area;
        for (int d = 0; d < 3; d++) moment[d] += area*(mean[d] + a[d] + b[d])/3;
    }
    for (int d = 0; d < 3 && sum > 0; d++) center[d] = moment[d]/sum;
    return sum;
}

static void add_piece(Ridge* r, const int pair[2], const int cell[3], const Corner* c, int n)
{
    const Film* film = r->film;
    const Tank* t = &film->tank;
    if (!r->fill) {
        r->cells++, r->sides += n;
        return;
    }
    double center[3], area = piece_area(center, t->dim, c, n), h = thickness(r, pair, center);
    if (h > film->settings.h_max || h < -film->settings.h_max) return;
    // a piece that reaches past a joint is kept whole; one that lies beyond it is not there
    bool beyond = third_is_nearer(r, pair, center);
    for (int m = 0; m < n && beyond; m++) beyond = third_is_nearer(r, pair, c[m].x);
    if (beyond) return;
    for (int m = 0; m < n; m++) {
        if (t->dim == 2) add_side(r, pair, &c[m], &c[m]);
        else add_side(r, pair, &c[m], &c[(m + 1)%n]);
    }
    AirCell* a = &film->cell[r->cells];
    *a = (AirCell){.h = fmax(h, film->settings.h_min),
                   .gap = h,
                   .area = area*(t->dim == 3 ? t->dx*t->dx : t->dx),
                   .grid = film_grid_number(t, cell[0], cell[1], cell[2]),
                   .pair = {pair[0], pair[1]}};
    for (int d = 0; d < 3; d++) a->x[d] = center[d]*t->dx;
    film_velocity(a->u, film, r->liquid, pair, center, true);
    r->cells++;
}

// The pieces of ridge in one grid cell: where psi = phi_j - phi_k, in cells, changes sign.
static void add_cell(Ridge* r, const int pair[2], const int cell[3], const double* psi)
{
    const Tank* t = &r->film->tank;
    Corner c[CUT_LOOP_MAX];
    if (t->dim == 2) {
        signed char segment[2][2];
        int segments = cut_segments_2d(segment, psi);
        for (int m = 0; m < segments; m++) {
            for (int s = 0; s < 2; s++) c[s] = corner_on_edge(t, cell, segment[m][s], psi);
            add_piece(r, pair, cell, c, 2);
        }
        return;
    }
    signed char next[12];
    cut_loops_3d(next, psi);
    for (int e = 0; e < 12; e++) {
        if (next[e] < 0) continue;
        int n = 0;
        for (int q = e; next[q] >= 0;) {
            c[n++] = corner_on_edge(t, cell, q, psi);
            int after = next[q];
            next[q] = -1;
            q = after;
        }
        add_piece(r, pair, cell, c, n);
    }
}

// All grid cells that both windows cover and whose ridge may be thin enough.
static void add_pair(Ridge* r, const int pair[2])
{
    const Liquid *a = &r->liquid[pair[0]], *b = &r->liquid[pair[1]];
    const Window *w = &a->w, *v = &b->w;
    int corners = w->dim == 3 ? 8 : 4;
    double limit = r->film->settings.h_max + 2*sqrt(w->dim)*w->dx;
    for (int row = 0; row < a->spans.rows; row++) {
        int j = row%a->spans.rows_y, k = row/a->spans.rows_y;
        int jb = j + w->lo[1] - v->lo[1], kb = w->dim == 3 ? k + w->lo[2] - v->lo[2] : 0;
        if (j >= w->n[1] || jb < 0 || jb >= v->n[1] || k >= w->n[2] || kb < 0 || kb >= v->n[2]) continue;
        int shift = w->lo[0] - v->lo[0];
        SPAN_LOOP(&a->spans, row, q)
            for (int i = maxi(a->spans.span[q].i0, -shift); i < mini(a->spans.span[q].i1, mini(w->n[0], v->n[0] - shift)); i++) {
                int ib = i + shift;
                const double *pa = a->phi.v + window_at(w, i, j, k), *pb = b->phi.v + window_at(v, ib, jb, kb);
                if (*pa + *pb > limit) continue;
                double psi[8];
                int below = 0;
                for (int c = 0; c < corners; c++) {
                    int di = c & 1, dj = c >> 1 & 1, dk = c >> 2;
                    psi[c] = cut_snap((pa[di + dj*w->sy + dk*w->sz] - pb[di + dj*v->sy + dk*v->sz])/w->dx);
                    below += psi[c] < 0;
                }
                if (below > 0 && below < corners)
                    add_cell(r, pair, (int[3]){i + w->lo[0], j + w->lo[1], w->dim == 3 ? k + w->lo[2] : 0}, psi);
            }
    }
}

static void add_all(Ridge* r)
{
    r->cells = r->sides = 0;
    for (int j = 0; j < r->count; j++)
        for (int k = j + 1; k < r->count; k++)
            if (film_keeps_apart(r->film, j, k, r->count) && film_windows_meet(&r->liquid[j].w, &r->liquid[k].w))
                add_pair(r, (int[2]){j, k});
}

// ---- edges ---------------------------------------------------------------------------------------------------------------

// Ends at the same place of the ridge of the same two liquids compare equal.
static int compare_place(const RidgeEnd* p, const RidgeEnd* q)
{
    for (int s = 0; s < 2; s++)
        if (p->edge[s] != q->edge[s]) return p->edge[s] < q->edge[s] ? -1 : 1;
    for (int s = 0; s < 2; s++)
        if (p->pair[s] != q->pair[s]) return p->pair[s] < q->pair[s] ? -1 : 1;
    return 0;
}

static int by_place(const void* a, const void* b)
{
    const RidgeEnd *p = a, *q = b;
    int order = compare_place(p, q);
    return order != 0 ? order : (p->cell > q->cell) - (p->cell < q->cell);
}

void film_edge_direction(double m[3], const double from[3], const double to[3], const double along[3])
{
    vec_sub(m, to, from);
    double part = vec_dot(m, along);
    for (int d = 0; d < 3; d++) m[d] -= part*along[d];
    double norm = vec_norm(m);
    for (int d = 0; d < 3; d++) m[d] = norm > 0 ? m[d]/norm : 0;
}

static void add_edge(Ridge* r, const RidgeEnd* s, int b)
{
    Film* film = r->film;
    double dx = film->tank.dx, to[3], apart[3];
    const AirCell* a = &film->cell[s->cell];
    AirEdge* e = &film->edge[film->edges++];
    *e = (AirEdge){.a = s->cell, .b = b, .length = s->length*dx, .h = fmax(thickness(r, a->pair, s->x), film->settings.h_min)};
    for (int d = 0; d < 3; d++) e->x[d] = s->x[d]*dx, to[d] = b >= 0 ? film->cell[b].x[d] : e->x[d];
    vec_sub(apart, to, a->x);
    e->distance = fmax(vec_norm(apart), (b >= 0 ? FILM_DISTANCE_FLOOR : FILM_RIM_FLOOR)*dx);
    // through a side of the tank straight across it
    for (int d = 0; d < 3 && s->wall >= 0 && b < 0; d++) to[d] = a->x[d] + (d == s->wall/2 ? (s->wall & 1 ? dx : -dx) : 0);
    e->closed = s->wall >= 0;
    film_edge_direction(e->m, a->x, to, s->along);
    film_velocity(e->u, film, r->liquid, a->pair, s->x, false);
}

// A side that two pieces share is an edge; the others are rim, or closed at a side of the tank. A face of the grid has two cells, so no
// more than two pieces ever meet.
static mn_status join_sides(Ridge* r, Arena* arena)
{
    Film* film = r->film;
    qsort(r->side, (size_t)r->sides, sizeof *r->side, by_place);
    TRY_MEMORY(film->edge = ARENA_NEW(arena, AirEdge, r->sides));
    film->edges = 0;
    for (int m = 0; m < r->sides; m++) {
        const RidgeEnd* s = &r->side[m];
        if (m + 1 < r->sides && compare_place(s, s + 1) == 0) add_edge(r, s, r->side[++m].cell);
        else if (!s->past_joint) add_edge(r, s, -1);
    }
    return MN_OK;
}

// Where three liquids meet, the films of their pairs run into each other. Pieces of different pairs in one grid cell are joined by an
// edge much shorter than the others, so that they have one pressure. No drag: what flows through a joint is all pushed.
static int join_pairs(AirEdge* out, const Film* film)
{
    int count = 0;
    for (int m = 0; m < film->cells; m++)
        for (int n = m + 1; n < film->cells && film->order[n].grid == film->order[m].grid; n++) {
            const AirCell *a = &film->cell[film->order[m].cell], *b = &film->cell[film->order[n].cell];
            if (a->pair[0] == b->pair[0] && a->pair[1] == b->pair[1]) continue;
            if (out) {
                double dx = film->tank.dx;
                AirEdge* e = &out[count];
                *e = (AirEdge){.a = film->order[m].cell, .b = film->order[n].cell, .distance = FILM_DISTANCE_FLOOR*dx};
                e->length = film->tank.dim == 3 ? dx : 1, e->h = 0.5*(a->h + b->h);
                for (int d = 0; d < 3; d++) e->x[d] = 0.5*(a->x[d] + b->x[d]), e->u[d] = 0.5*(a->u[d] + b->u[d]);
            }
            count++;
        }
    return count;
}

static mn_status add_joints(Film* film, Arena* arena)
{
    int joints = join_pairs(NULL, film);
    if (joints == 0) return MN_OK;
    AirEdge* all = ARENA_NEW(arena, AirEdge, film->edges + joints);
    TRY_MEMORY(all);
    memcpy(all, film->edge, sizeof *all*(size_t)film->edges);
    join_pairs(all + film->edges, film);
    film->edge = all, film->edges += joints;
    return MN_OK;
}

static int by_grid(const void* a, const void* b)
{
    const AirKey *p = a, *q = b;
    if (p->grid != q->grid) return p->grid < q->grid ? -1 : 1;
    return (p->cell > q->cell) - (p->cell < q->cell);
}

mn_status film_ridge_order(Film* film, Arena* arena)
{
    TRY_MEMORY(film->order = ARENA_NEW(arena, AirKey, film->cells));
    for (int c = 0; c < film->cells; c++) film->order[c] = (AirKey){film->cell[c].grid, c};
    qsort(film->order, (size_t)film->cells, sizeof *film->order, by_grid);
    return MN_OK;
}

mn_status film_ridge_build(Film* film, Arena* arena, const Liquid* liquid, int count)
{
    Ridge r = {.film = film, .liquid = liquid, .count = count};
    add_all(&r);
    TRY_MEMORY(film->cell = ARENA_NEW(arena, AirCell, r.cells));
    TRY_MEMORY(r.side = ARENA_NEW(arena, RidgeEnd, r.sides));
    r.fill = true;
    add_all(&r);
    film->cells = r.cells;
    TRY(join_sides(&r, arena));
    TRY(film_ridge_order(film, arena));
    return add_joints(film, arena);
}
