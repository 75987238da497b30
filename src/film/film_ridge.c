#include "film/film_ridge.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/unionfind.h"
#include "base/vec.h"
#include "film/film_piece.h"
#include "film/film_valid.h"
#include "grid/cutcell.h"
#include "grid/interpolate.h"

// A piece of ridge ends on the faces of its grid cell: in 2D in a point on a grid edge, in 3D in a segment between two grid
// edges. Two pieces that share such a side are neighbours. It also ends in a joint, where a third body is as near as its own two.
typedef struct RidgeEnd {
    int64_t edge[2];  // numbers of the grid edges, smaller first (2D: twice the same)
    int pair[2];
    int cell;
    int third;        // -1: on a face of the grid; else a joint with this body, or as many as there are: a solid that both wet
    double x[3];      // middle, in cells
    double along[3];  // 3D: unit vector along the segment
    double length;    // in cells (2D: 1/dx, so that it comes out as 1 m)
    int wall;         // side of the tank that it lies on and that lets no air through, 0 to 5; -1: none
} RidgeEnd;

// Sides on faces of the grid, and ends in joints.
typedef struct RidgeEnds {
    RidgeEnd* end;
    int count, room;
} RidgeEnds;

typedef struct Ridge {
    Film* film;
    Arena* arena;
    const FilmBody* body;  // the film's
    int count;
    int* third;  // bodies that may come nearer than the pair looked at
    int thirds;
    int cell_room, edge_room;
    RidgeEnds side, joint;
} Ridge;

static int64_t edge_number(const Tank* t, const int cell[3], int axis, const double local[3])
{
    int node[3];
    for (int d = 0; d < 3; d++) node[d] = cell[d] + (d == axis ? 0 : (int)local[d]);
    return 3*(node[0] + (int64_t)(t->n[0] + 1)*(node[1] + (int64_t)(t->n[1] + 1)*node[2])) + axis;
}

// The side of the tank that lets no air through and has a piece's end on it, -1: none. An edge of the grid along an axis lies on
// no side across that axis.
static int wall_of(const Tank* t, const double a[3], const double b[3], int axis_a, int axis_b)
{
    for (int d = 0; d < t->dim; d++) {
        if (d == axis_a || d == axis_b) continue;
        for (int high = 0; high < 2; high++) {
            double at = high ? t->n[d] : 0;
            if (a[d] == at && b[d] == at && side_is_closed(t->side[2*d + high])) return 2*d + high;
        }
    }
    return -1;
}

// The piece of ridge with corners on these edges of a grid cell.
static void make_piece(Piece* p, const Tank* t, const int cell[3], const signed char* edge, int n, const double* psi)
{
    assert(n >= 2 && n <= CUT_LOOP_MAX);
    int64_t number[CUT_LOOP_MAX];
    p->count = n, p->polygon = t->dim == 3;
    for (int m = 0; m < n; m++) {
        PieceCorner* c = &p->corner[m];
        cut_point(c->x, edge[m], psi);
        number[m] = edge_number(t, cell, edge[m]/4, c->x);
        for (int d = 0; d < 3; d++) c->x[d] += cell[d];
    }
    for (int m = 0; m < n; m++) {
        int to = p->polygon ? (m + 1)%n : m;
        PieceCorner* c = &p->corner[m];
        c->third = -1;
        c->edge[0] = number[m] < number[to] ? number[m] : number[to],
        c->edge[1] = number[m] < number[to] ? number[to] : number[m];
        c->wall = wall_of(t, c->x, p->corner[to].x, edge[m]/4, edge[to]/4);
    }
}

// The array with room for as many, its contents kept; NULL: memory is out.
static void* grown(Arena* arena, void* array, int* room, int needed, size_t size)
{
    assert(needed > 0 && *room >= 0);
    if (needed <= *room) return array;
    int more = maxi(needed, maxi(256, 2 * *room));
    void* larger = arena_take(arena, size*(size_t)more);
    if (!larger) return NULL;
    if (*room > 0) memcpy(larger, array, size*(size_t)*room);
    *room = more;
    return larger;
}

static mn_status add_end(Ridge* r, const int pair[2], const Piece* p, int m)
{
    const Tank* t = &r->film->tank;
    const PieceCorner *a = &p->corner[m], *b = p->polygon ? &p->corner[(m + 1)%p->count] : a;
    RidgeEnds* list = a->third < 0 ? &r->side : &r->joint;
    TRY_MEMORY(list->end = grown(r->arena, list->end, &list->room, list->count + 1, sizeof *list->end));
    RidgeEnd* s = &list->end[list->count++];
    *s = (RidgeEnd){.pair = {pair[0], pair[1]}, .cell = r->film->cells, .third = a->third, .wall = a->wall};
    s->edge[0] = a->edge[0], s->edge[1] = a->edge[1];
    vec_sub(s->along, b->x, a->x);
    s->length = t->dim == 3 ? vec_norm(s->along) : 1/t->dx;
    for (int d = 0; d < 3; d++) {
        s->x[d] = 0.5*(a->x[d] + b->x[d]);
        s->along[d] = t->dim == 3 && s->length > 0 ? s->along[d]/s->length : 0;
    }
    return MN_OK;
}

// ---- joints --------------------------------------------------------------------------------------------------------------

// Bodies that may come nearer than the two of a pair. To a liquid on a solid other solids are no third: they are the same, or too
// far away to have been sampled.
static void list_thirds(Ridge* r, const int pair[2])
{
    const FilmBody *a = &r->body[pair[0]], *b = &r->body[pair[1]];
    r->thirds = 0;
    for (int m = 0; m < r->count; m++) {
        const FilmBody* q = &r->body[m];
        if (m == pair[0] || m == pair[1] || (film_body_is_solid(q) && film_body_is_solid(b))) continue;
        if (film_windows_meet(a->w, q->w) && film_windows_meet(b->w, q->w)) r->third[r->thirds++] = m;
    }
}

static bool has_cell(const Window* w, const int cell[3])
{
    for (int d = 0; d < w->dim; d++)
        if (cell[d] < w->lo[d] || cell[d] >= w->lo[d] + w->n[d]) return false;
    return true;
}

static ptrdiff_t node_in(const Window* w, const int cell[3], int corner)
{
    int k = w->dim == 3 ? cell[2] - w->lo[2] + (corner >> 2) : 0;
    return window_at(w, cell[0] - w->lo[0] + (corner & 1), cell[1] - w->lo[1] + (corner >> 1 & 1), k);
}

// Does the third body come nearer than the pair at a corner of the grid cell? On its edges all distances are linear.
static bool comes_near(const FilmBody* third, const FilmBody* a, const FilmBody* b, const int cell[3])
{
    if (!has_cell(third->w, cell)) return false;
    for (int c = 0; c < (a->w->dim == 3 ? 8 : 4); c++) {
        double of_pair = 0.5*(a->phi[node_in(a->w, cell, c)] + b->phi[node_in(b->w, cell, c)]);
        if (third->phi[node_in(third->w, cell, c)] < of_pair) return true;
    }
    return false;
}

static double distance_at(const FilmBody* q, const double x[3])
{
    double at[3];
    film_to_window(at, q->w, x);
    return node_value(q->phi, q->w, at);
}

// Takes off a piece of the pair's ridge what lies nearer to a third body.
static void clip_by_thirds(Piece* p, const Ridge* r, const int pair[2], const int cell[3])
{
    const FilmBody *a = &r->body[pair[0]], *b = &r->body[pair[1]];
    for (int m = 0; m < r->thirds && p->count > 0; m++) {
        const FilmBody* third = &r->body[r->third[m]];
        double farther[PIECE_MOST];
        if (!comes_near(third, a, b, cell)) continue;
        for (int c = 0; c < p->count; c++) {
            const double* x = p->corner[c].x;
            farther[c] = cut_snap((distance_at(third, x) - 0.5*(distance_at(a, x) + distance_at(b, x)))/a->w->dx);
        }
        film_piece_clip(p, farther, r->third[m]);
    }
}

// Takes off what lies inside a solid that the liquids wet. Level sets go on inside it, but no liquid does, and none could be
// pushed apart there.
static void clip_by_solid(Piece* p, const Ridge* r, const Liquid* q)
{
    const double* solid = liquid_solid(q);
    double outside[PIECE_MOST], at[3];
    bool all = true;
    for (int c = 0; c < p->count && solid; c++) {
        film_to_window(at, &q->w, p->corner[c].x);
        outside[c] = cut_snap(node_value(solid, &q->w, at)/q->w.dx);
        all = all && outside[c] > 0;
    }
    if (solid && !all) film_piece_clip(p, outside, r->count);
}

// Thickness at a point of the ridge of the pair.
static double thickness(const Ridge* r, const int pair[2], const double x[3])
{
    double h = 0, at[3];
    for (int s = 0; s < 2; s++) {
        const FilmBody* q = &r->body[pair[s]];
        film_to_window(at, q->w, x);
        h += film_distance(q, at);
    }
    return h;
}

static mn_status add_piece(Ridge* r, const int pair[2], const int cell[3], Piece* p)
{
    Film* film = r->film;
    const Tank* t = &film->tank;
    clip_by_thirds(p, r, pair, cell);
    clip_by_solid(p, r, r->body[pair[0]].liquid);
    if (p->count == 0) return MN_OK;
    double center[3], area = film_piece_area(center, p), h = thickness(r, pair, center);
    if (h > film->settings.h_max || h < -film->settings.h_max) return MN_OK;
    for (int m = 0; m < p->count; m++) TRY(add_end(r, pair, p, m));
    TRY_MEMORY(film->cell = grown(r->arena, film->cell, &r->cell_room, film->cells + 1, sizeof *film->cell));
    AirCell* a = &film->cell[film->cells++];
    *a = (AirCell){.h = fmax(h, film->settings.h_min),
                   .gap = h,
                   .area = area*(t->dim == 3 ? t->dx*t->dx : t->dx),
                   .grid = film_grid_number(t, cell[0], cell[1], cell[2]),
                   .pair = {pair[0], pair[1]}};
    for (int d = 0; d < 3; d++) a->x[d] = center[d]*t->dx;
    film_velocity(a->u, &film->bodies, pair, center, true);
    return MN_OK;
}

// The pieces of ridge in one grid cell: where psi = phi_j - phi_k, in cells, changes sign.
static mn_status add_cell(Ridge* r, const int pair[2], const int cell[3], const double* psi)
{
    const Tank* t = &r->film->tank;
    Piece p;
    if (t->dim == 2) {
        signed char segment[2][2];
        int segments = cut_segments_2d(segment, psi);
        for (int m = 0; m < segments; m++) {
            make_piece(&p, t, cell, segment[m], 2, psi);
            TRY(add_piece(r, pair, cell, &p));
        }
        return MN_OK;
    }
    signed char next[12];
    cut_loops_3d(next, psi);
    for (int e = 0; e < 12; e++) {
        if (next[e] < 0) continue;
        signed char loop[CUT_LOOP_MAX];
        int n = 0;
        for (int q = e; next[q] >= 0;) {
            int after = next[q];
            loop[n++] = (signed char)q, next[q] = -1;
            q = after;
        }
        make_piece(&p, t, cell, loop, n, psi);
        TRY(add_piece(r, pair, cell, &p));
    }
    return MN_OK;
}

// Cells by which a node is off the ridge. Between two liquids that are each other's mirror image the ridge lies in a plane of
// nodes: what rounding makes of the difference there must not fold it.
static double off_ridge(double difference)
{
    const double rounding = 1e-9;
    return cut_snap(fabs(difference) < rounding ? 0 : difference);
}

// All grid cells that both windows cover and whose ridge may be thin enough.
static mn_status add_pair(Ridge* r, const int pair[2])
{
    const FilmBody *a = &r->body[pair[0]], *b = &r->body[pair[1]];
    assert(!film_body_is_solid(a) && a->w->dx == b->w->dx);
    const Window *w = a->w, *v = b->w;
    const Spans* spans = &a->liquid->spans;
    int corners = w->dim == 3 ? 8 : 4;
    list_thirds(r, pair);
    double limit = r->film->settings.h_max + 2*sqrt(w->dim)*w->dx;
    for (int row = 0; row < spans->rows; row++) {
        int j = row%spans->rows_y, k = row/spans->rows_y;
        int jb = j + w->lo[1] - v->lo[1], kb = w->dim == 3 ? k + w->lo[2] - v->lo[2] : 0;
        if (j >= w->n[1] || jb < 0 || jb >= v->n[1] || k >= w->n[2] || kb < 0 || kb >= v->n[2]) continue;
        int shift = w->lo[0] - v->lo[0];
        SPAN_LOOP(spans, row, q)
            for (int i = maxi(spans->span[q].i0, -shift); i < mini(spans->span[q].i1, mini(w->n[0], v->n[0] - shift)); i++) {
                int ib = i + shift;
                const double *pa = a->phi + window_at(w, i, j, k), *pb = b->phi + window_at(v, ib, jb, kb);
                if (*pa + *pb > limit) continue;
                double psi[8];
                int below = 0;
                for (int c = 0; c < corners; c++) {
                    int di = c & 1, dj = c >> 1 & 1, dk = c >> 2;
                    psi[c] = off_ridge((pa[di + dj*w->sy + dk*w->sz] - pb[di + dj*v->sy + dk*v->sz])/w->dx);
                    below += psi[c] < 0;
                }
                if (below > 0 && below < corners)
                    TRY(add_cell(r, pair, (int[3]){i + w->lo[0], j + w->lo[1], w->dim == 3 ? k + w->lo[2] : 0}, psi));
            }
    }
    return MN_OK;
}

static mn_status add_all(Ridge* r)
{
    TRY_MEMORY(r->third = ARENA_NEW(r->arena, int, r->count));
    for (int j = 0; j < r->count; j++)
        for (int k = j + 1; k < r->count; k++)
            if (film_keeps_apart(r->film, j, k) && film_windows_meet(r->body[j].w, r->body[k].w))
                TRY(add_pair(r, (int[2]){j, k}));
    return MN_OK;
}

// ---- edges ---------------------------------------------------------------------------------------------------------------

// The place of a side on the grid, to sort by: sides of the same two bodies at the same place compare equal.
typedef struct SideKey {
    int64_t edge[2];
    int pair, side;  // which two bodies; place in the list of sides, which is in the order of air cells
} SideKey;

static int compare_place(const SideKey* p, const SideKey* q)
{
    for (int s = 0; s < 2; s++)
        if (p->edge[s] != q->edge[s]) return p->edge[s] < q->edge[s] ? -1 : 1;
    return (p->pair > q->pair) - (p->pair < q->pair);
}

static int by_place(const void* a, const void* b)
{
    const SideKey *p = a, *q = b;
    int order = compare_place(p, q);
    return order != 0 ? order : (p->side > q->side) - (p->side < q->side);
}

void film_edge_direction(double m[3], const double from[3], const double to[3], const double along[3])
{
    vec_sub(m, to, from);
    double part = vec_dot(m, along);
    for (int d = 0; d < 3; d++) m[d] -= part*along[d];
    double norm = vec_norm(m);
    for (int d = 0; d < 3; d++) m[d] = norm > 0 ? m[d]/norm : 0;
}

static mn_status new_edges(AirEdge** e, Ridge* r, int count)
{
    Film* film = r->film;
    TRY_MEMORY(film->edge = grown(r->arena, film->edge, &r->edge_room, film->edges + count, sizeof *film->edge));
    *e = film->edge + film->edges;
    film->edges += count;
    return MN_OK;
}

// The edge at an end of an air cell, towards air cell b; -1: rim, a side of the tank, or a solid that both liquids wet.
static void make_edge(AirEdge* e, const Ridge* r, const RidgeEnd* s, int b)
{
    const Film* film = r->film;
    assert(s->cell >= 0 && s->cell < film->cells && b != s->cell && b < film->cells);
    double dx = film->tank.dx, to[3], apart[3];
    const AirCell* a = &film->cell[s->cell];
    *e = (AirEdge){.a = s->cell, .b = b, .length = s->length*dx, .h = fmax(thickness(r, a->pair, s->x), film->settings.h_min)};
    for (int d = 0; d < 3; d++) e->x[d] = s->x[d]*dx, to[d] = b >= 0 ? film->cell[b].x[d] : e->x[d];
    vec_sub(apart, to, a->x);
    e->distance = fmax(vec_norm(apart), (b >= 0 ? FILM_DISTANCE_FLOOR : FILM_RIM_FLOOR)*dx);
    // through a side of the tank straight across it
    for (int d = 0; d < 3 && s->wall >= 0 && b < 0; d++) to[d] = a->x[d] + (d == s->wall/2 ? (s->wall & 1 ? dx : -dx) : 0);
    e->closed = s->wall >= 0 || s->third == r->count;
    film_edge_direction(e->m, a->x, to, s->along);
    film_velocity(e->u, &film->bodies, a->pair, s->x, false);
}

// Fewer edges than this are not worth a second thread.
enum { EDGES_PARALLEL = 256 };

// A side that two pieces share is an edge; the others are rim, or closed at a side of the tank. A face of the grid has two cells,
// so no more than two pieces ever meet. Where a joint passes through the face, both have the same part of the side.
static mn_status join_sides(Ridge* r)
{
    const RidgeEnd* side = r->side.end;
    int sides = r->side.count, edges = 0;
    if (sides == 0) return MN_OK;
    SideKey* key = ARENA_NEW(r->arena, SideKey, sides);
    int* first = ARENA_NEW(r->arena, int, sides + 1);  // per edge: its first key
    AirEdge* edge;
    TRY_MEMORY(key);
    TRY_MEMORY(first);
    for (int m = 0; m < sides; m++)
        key[m] = (SideKey){{side[m].edge[0], side[m].edge[1]}, side[m].pair[0]*r->count + side[m].pair[1], m};
    qsort(key, (size_t)sides, sizeof *key, by_place);
    for (int m = 0; m < sides; m++) {
        first[edges++] = m;
        if (m + 1 < sides && compare_place(&key[m], &key[m + 1]) == 0) m++;
    }
    first[edges] = sides;
    TRY(new_edges(&edge, r, edges));
#pragma omp parallel for schedule(static) if (edges > EDGES_PARALLEL)
    for (int m = 0; m < edges; m++) {
        bool shared = first[m + 1] - first[m] == 2;
        make_edge(&edge[m], r, &side[key[first[m]].side], shared ? side[key[first[m] + 1].side].cell : -1);
    }
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
    if (film->cells > 0) qsort(film->order, (size_t)film->cells, sizeof *film->order, by_grid);
    return MN_OK;
}

// ---- where films meet ----------------------------------------------------------------------------------------------------

// The films that meet in a joint have one pressure there: an edge between them as short as this (cells) resists nothing.
static const double JOINT_DISTANCE = 1e-3;

// No drag: what flows through a joint is all pushed.
static mn_status add_joint(Ridge* r, int a, int b)
{
    const Film* film = r->film;
    assert(a != b);
    const AirCell *p = &film->cell[a], *q = &film->cell[b];
    AirEdge* e;
    TRY(new_edges(&e, r, 1));
    double dx = film->tank.dx;
    *e = (AirEdge){
        .a = a, .b = b, .distance = JOINT_DISTANCE*dx, .length = film->tank.dim == 3 ? dx : 1, .h = 0.5*(p->h + q->h)};
    for (int d = 0; d < 3; d++) e->x[d] = 0.5*(p->x[d] + q->x[d]), e->u[d] = 0.5*(p->u[d] + q->u[d]);
    return MN_OK;
}

// The nearest air cell of the film between one body of the joint's pair and its third, within some grid cells of the joint's own;
// -1: none.
static int other_film(const Film* film, const RidgeEnd* joint, int side, int around)
{
    const FilmBody* body = film->bodies.body;
    int a = joint->pair[side], b = joint->third;
    // beside each liquid the solids are a body of their own
    if (film_body_is_solid(&body[a])) a = body[b].solids;
    else if (film_body_is_solid(&body[b])) b = body[a].solids;
    return a < 0 || b < 0 ? -1 : film_air_near(film, film->cell[joint->cell].x, around, a, b);
}

// Joins the end of a film in a joint with the other two films there. They lie in the same grid cell, or beside it where the joint
// runs within rounding of a face or a node of the grid. Where there are none, they are too thick to be films, and the joint is
// rim.
static mn_status join_joint(Ridge* r, const RidgeEnd* joint, int* joined)
{
    bool found = false, in_solid = joint->third == r->count;
    for (int around = 0; around < 2 && !found && !in_solid; around++)
        for (int s = 0; s < 2; s++) {
            int other = other_film(r->film, joint, s, around);
            if (other < 0) continue;
            found = true;
            if (set_find(joined, other) == set_find(joined, joint->cell)) continue;
            set_join(joined, other, joint->cell);
            TRY(add_joint(r, joint->cell, other));
        }
    if (found) return MN_OK;
    AirEdge* rim;
    TRY(new_edges(&rim, r, 1));
    make_edge(rim, r, joint, -1);
    return MN_OK;
}

static mn_status join_joints(Ridge* r)
{
    if (r->joint.count == 0) return MN_OK;
    int* joined = ARENA_NEW(r->arena, int, r->film->cells);
    TRY_MEMORY(joined);
    for (int c = 0; c < r->film->cells; c++) joined[c] = c;
    for (int m = 0; m < r->joint.count; m++) TRY(join_joint(r, &r->joint.end[m], joined));
    return MN_OK;
}

mn_status film_ridge_build(Film* film, Arena* arena)
{
    Ridge r = {.film = film, .arena = arena, .body = film->bodies.body, .count = film->bodies.count};
    assert(film_bodies_is_valid(&film->bodies) && film->settings.h_max > film->settings.h_min && film->settings.h_min > 0);
    film->cell = NULL, film->edge = NULL, film->air = NULL, film->cells = film->edges = 0;
    TRY(add_all(&r));
    TRY(join_sides(&r));
    TRY(film_ridge_order(film, arena));
    TRY(join_joints(&r));
    assert(film_is_valid(film));
    return MN_OK;
}
