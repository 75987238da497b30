// The graph's nodes are the pieces of surface within h_max of another liquid and the points where the ridge phi_j = phi_k crosses
// the edges of the grid. Every such point is joined with the piece of either liquid that is closest to it, every piece with the
// point closest to it; what hangs together is an air cell. Its lateral faces stand on the edges between pieces of different
// groups, one half on each liquid, each half as high as half the film.
//
// The text leaves open what "closest" means where two are equally close: on a plane film all hangs together then. Distances
// within 1e-6 dx count as equal here, the lower place wins, and a group takes no more than 2^dim pieces.
#include "film/film_graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/unionfind.h"
#include "base/vec.h"
#include "film/film_ridge.h"
#include "film/film_valid.h"
#include "grid/cutcell.h"

static const double SAME_DISTANCE = 1e-6;  // cells

typedef struct RidgePoint {
    double x[3];   // cells of the tank
    int64_t grid;  // grid cell at the low end of its edge
    int pair[2];
} RidgePoint;

typedef struct Graph {
    Film* film;
    const FilmBody* body;  // the film's
    int count, liquids;
    int* first;   // per liquid: node of its first piece of surface
    int* other;   // per piece: the body across the film; -1: none
    double* gap;  // m, per piece: thickness it sees
    RidgePoint* point;
    int pieces, points;
    int *parent, *size;  // per node; of a root: pieces of surface in its group
} Graph;

static const CutCell* piece_of(const Graph* g, int m, int piece) { return &g->body[m].liquid->cells.cut[piece - g->first[m]]; }

static void piece_place(double x[3], const Liquid* q, const CutCell* c)
{
    x[0] = q->w.lo[0] + c->i + c->center[0], x[1] = q->w.lo[1] + c->j + c->center[1];
    x[2] = q->w.dim == 3 ? q->w.lo[2] + c->k + c->center[2] : 0;
}

static double distance_at(const FilmBody* q, const double x[3])
{
    double at[3];
    return film_to_window(at, q->w, x) ? film_distance(q, at) : INFINITY;
}

// ---- nodes ---------------------------------------------------------------------------------------------------------------

static void find_pieces(Graph* g)
{
    for (int m = 0; m < g->liquids; m++)
        for (int q = 0; q < g->body[m].liquid->cells.count; q++) {
            int piece = g->first[m] + q;
            double x[3];
            g->other[piece] = -1, g->gap[piece] = INFINITY;
            piece_place(x, g->body[m].liquid, &g->body[m].liquid->cells.cut[q]);
            for (int k = 0; k < g->count; k++) {
                if (k == m || !film_keeps_apart(g->film, m, k)) continue;
                double d = distance_at(&g->body[k], x);
                if (d < g->gap[piece]) g->gap[piece] = d, g->other[piece] = k;
            }
            if (g->gap[piece] > g->film->settings.h_max) g->other[piece] = -1;
        }
}

// Points of the ridge of a pair on grid edges; `out` NULL: only counts.
static int find_points(RidgePoint* out, const Graph* g, const int pair[2])
{
    const FilmBody *a = &g->body[pair[0]], *b = &g->body[pair[1]];
    const Window *w = a->w, *v = b->w;
    const Spans* spans = &a->liquid->spans;
    int found = 0;
    for (int r = 0; r < spans->rows; r++) {
        int j = r%spans->rows_y, k = r/spans->rows_y;
        int shift[3] = {w->lo[0] - v->lo[0], w->lo[1] - v->lo[1], w->dim == 3 ? w->lo[2] - v->lo[2] : 0};
        SPAN_LOOP(spans, r, s)
            for (int i = spans->span[s].i0; i < spans->span[s].i1; i++)
                for (int d = 0; d < w->dim; d++) {
                    int node[3] = {i, j, k}, ib[3];
                    bool within = true;
                    for (int e = 0; e < w->dim; e++) {
                        ib[e] = node[e] + shift[e];
                        within = within && ib[e] >= 0 && ib[e] + (e == d) <= v->n[e] && node[e] + (e == d) <= w->n[e];
                    }
                    if (!within) continue;
                    ptrdiff_t p = window_at(w, i, j, k), q = window_at(v, ib[0], ib[1], w->dim == 3 ? ib[2] : 0);
                    ptrdiff_t p1 = p + window_stride(w, d), q1 = q + window_stride(v, d);
                    double low = cut_snap((a->phi[p] - b->phi[q])/w->dx), high = cut_snap((a->phi[p1] - b->phi[q1])/w->dx);
                    if ((low < 0) == (high < 0)) continue;
                    double t = low/(low - high);
                    double h = (1 - t)*(a->phi[p] + b->phi[q]) + t*(a->phi[p1] + b->phi[q1]);
                    if (h > g->film->settings.h_max) continue;
                    if (out) {
                        RidgePoint* point = &out[found];
                        *point = (RidgePoint){.pair = {pair[0], pair[1]}};
                        int cell[3] = {0, 0, 0};
                        for (int e = 0; e < w->dim; e++) {
                            cell[e] = mini(node[e] + w->lo[e], g->film->tank.n[e] - 1);
                            point->x[e] = node[e] + w->lo[e] + (e == d ? t : 0);
                        }
                        point->grid = film_grid_number(&g->film->tank, cell[0], cell[1], cell[2]);
                    }
                    found++;
                }
    }
    return found;
}

static int all_points(RidgePoint* out, const Graph* g)
{
    int found = 0;
    for (int a = 0; a < g->count; a++)
        for (int b = a + 1; b < g->count; b++)
            if (film_keeps_apart(g->film, a, b) && film_windows_meet(g->body[a].w, g->body[b].w))
                found += find_points(out ? out + found : NULL, g, (int[2]){a, b});
    return found;
}

static int by_grid(const void* a, const void* b)
{
    const RidgePoint *p = a, *q = b;
    if (p->grid != q->grid) return p->grid < q->grid ? -1 : 1;
    for (int s = 0; s < 2; s++)
        if (p->pair[s] != q->pair[s]) return p->pair[s] - q->pair[s];
    for (int d = 0; d < 3; d++)
        if (p->x[d] != q->x[d]) return p->x[d] < q->x[d] ? -1 : 1;
    return 0;
}

// ---- the closest ---------------------------------------------------------------------------------------------------------

typedef struct Closest {
    int node;
    double distance, sum;  // cells, rounded; of its coordinates
} Closest;

static void consider(Closest* best, int node, const double from[3], const double x[3])
{
    double apart[3];
    vec_sub(apart, x, from);
    double distance = round(vec_norm(apart)/SAME_DISTANCE), sum = x[0] + x[1] + x[2];
    if (best->node >= 0 && (distance > best->distance || (distance == best->distance && !(sum < best->sum)))) return;
    *best = (Closest){node, distance, sum};
}

// Grid cells around a place that may hold what is across half a film of thickness h (m).
static void search_box(int lo[3], int hi[3], const Tank* t, const double x[3], double h)
{
    int reach = (int)ceil(0.5*fmax(h, 0)/t->dx) + 1;
    for (int d = 0; d < 3; d++) {
        int at = d < t->dim ? (int)floor(x[d]) : 0;
        lo[d] = d < t->dim ? maxi(at - reach, 0) : 0, hi[d] = d < t->dim ? mini(at + reach, t->n[d] - 1) : 0;
    }
}

static int closest_piece(const Graph* g, int m, const RidgePoint* p, double h)
{
    const Liquid* q = g->body[m].liquid;
    int lo[3], hi[3];
    Closest best = {.node = -1};
    search_box(lo, hi, &g->film->tank, p->x, h);
    for (int c = 0; c < 3; c++) lo[c] = maxi(lo[c] - q->w.lo[c], 0), hi[c] = mini(hi[c] - q->w.lo[c], q->w.n[c] - 1);
    for (int r = 0; r < q->cells.count; r++) {
        const CutCell* c = &q->cells.cut[r];
        double x[3];
        if (c->i < lo[0] || c->i > hi[0] || c->j < lo[1] || c->j > hi[1] || (q->w.dim == 3 && (c->k < lo[2] || c->k > hi[2])))
            continue;
        if (g->other[g->first[m] + r] < 0) continue;
        piece_place(x, q, c);
        consider(&best, g->first[m] + r, p->x, x);
    }
    return best.node;
}

static int first_point(const Graph* g, int64_t grid)
{
    int low = 0, high = g->points;
    while (low < high) {
        int mid = (low + high)/2;
        if (g->point[mid].grid < grid) low = mid + 1;
        else high = mid;
    }
    return low;
}

static int closest_point(const Graph* g, int m, int piece)
{
    int lo[3], hi[3];
    double x[3];
    Closest best = {.node = -1};
    piece_place(x, g->body[m].liquid, piece_of(g, m, piece));
    search_box(lo, hi, &g->film->tank, x, g->gap[piece]);
    for (int k = lo[2]; k <= hi[2]; k++)
        for (int j = lo[1]; j <= hi[1]; j++) {
            int64_t last = film_grid_number(&g->film->tank, hi[0], j, k);
            for (int p = first_point(g, film_grid_number(&g->film->tank, lo[0], j, k)); p < g->points && g->point[p].grid <= last;
                 p++)
                if (g->point[p].pair[0] == m || g->point[p].pair[1] == m) consider(&best, g->pieces + p, x, g->point[p].x);
        }
    return best.node;
}

// ---- groups --------------------------------------------------------------------------------------------------------------

static void join(Graph* g, int a, int b)
{
    if (a < 0 || b < 0) return;
    assert(a < g->pieces + g->points && b < g->pieces + g->points);
    int most = g->film->tank.dim == 3 ? 8 : 4, p = set_find(g->parent, a), q = set_find(g->parent, b);
    if (p == q || g->size[p] + g->size[q] > most) return;
    int sum = g->size[p] + g->size[q];
    set_join(g->parent, p, q);
    g->size[set_find(g->parent, p)] = sum;
}

static void join_closest(Graph* g)
{
    for (int p = 0; p < g->points; p++) {
        const RidgePoint* v = &g->point[p];
        double h = distance_at(&g->body[v->pair[0]], v->x) + distance_at(&g->body[v->pair[1]], v->x);
        for (int s = 0; s < 2; s++)
            if (!film_body_is_solid(&g->body[v->pair[s]])) join(g, g->pieces + p, closest_piece(g, v->pair[s], v, h));
    }
    for (int m = 0; m < g->liquids; m++)
        for (int piece = g->first[m]; piece < g->first[m + 1]; piece++)
            if (g->other[piece] >= 0) join(g, piece, closest_point(g, m, piece));
}

// ---- air cells -----------------------------------------------------------------------------------------------------------

// From a piece of surface half way across the film, in cells.
static void across(double x[3], const Liquid* q, const CutCell* c, double gap)
{
    double norm = vec_norm(c->patch);
    piece_place(x, q, c);
    for (int d = 0; d < q->w.dim && norm > 0; d++) x[d] += c->patch[d]/norm*0.5*fmax(gap, 0)/q->w.dx;
}

static void number_groups(Graph* g, int* cell_of)
{
    Film* film = g->film;
    film->cells = 0;
    for (int m = 0; m < g->liquids; m++)
        for (int piece = g->first[m]; piece < g->first[m + 1]; piece++) {
            int root = set_find(g->parent, piece);
            if (g->other[piece] >= 0 && cell_of[root] < 0) cell_of[root] = film->cells++;
            film->air[m][piece - g->first[m]] = g->other[piece] >= 0 ? cell_of[root] : -1;
        }
}

// Centre: mean of the ridge points of the group, or of the places half way across from its pieces where it has no point.
static mn_status find_centres(Graph* g, const int* cell_of, Arena* arena)
{
    Film* film = g->film;
    int *points = ARENA_ZERO(arena, int, film->cells), *pieces = ARENA_ZERO(arena, int, film->cells);
    TRY_MEMORY(points && pieces ? points : NULL);
    for (int p = 0; p < g->points; p++) {
        int c = cell_of[set_find(g->parent, g->pieces + p)];
        if (c < 0) continue;
        points[c]++;
        for (int d = 0; d < 3; d++) film->cell[c].x[d] += g->point[p].x[d];
    }
    for (int m = 0; m < g->liquids; m++)
        for (int piece = g->first[m]; piece < g->first[m + 1]; piece++) {
            int c = film->air[m][piece - g->first[m]];
            double x[3];
            if (c < 0 || points[c] > 0) continue;
            pieces[c]++;
            across(x, g->body[m].liquid, piece_of(g, m, piece), g->gap[piece]);
            for (int d = 0; d < 3; d++) film->cell[c].x[d] += x[d];
        }
    for (int c = 0; c < film->cells; c++)
        for (int d = 0; d < 3; d++) film->cell[c].x[d] /= points[c] > 0 ? points[c] : pieces[c];
    return MN_OK;
}

static mn_status fill_cells(Graph* g, const int* cell_of, Arena* arena)
{
    Film* film = g->film;
    assert(film->cells <= g->pieces);
    double dx = film->tank.dx, face = film->tank.dim == 3 ? dx*dx : dx;
    TRY_MEMORY(film->cell = ARENA_ZERO(arena, AirCell, film->cells));
    TRY(find_centres(g, cell_of, arena));
    for (int m = 0; m < g->liquids; m++)
        for (int piece = g->first[m]; piece < g->first[m + 1]; piece++) {
            int c = film->air[m][piece - g->first[m]], o = g->other[piece];
            if (c < 0) continue;
            film->cell[c].pair[0] = mini(m, o), film->cell[c].pair[1] = maxi(m, o);
            film->cell[c].area += (film_body_is_solid(&g->body[o]) ? 1 : 0.5)*face*vec_norm(piece_of(g, m, piece)->patch);
        }
    for (int c = 0; c < film->cells; c++) {
        AirCell* a = &film->cell[c];
        int at[3] = {0, 0, 0};
        for (int d = 0; d < film->tank.dim; d++) at[d] = clampi((int)floor(a->x[d]), 0, film->tank.n[d] - 1);
        double h = distance_at(&g->body[a->pair[0]], a->x) + distance_at(&g->body[a->pair[1]], a->x);
        a->gap = h, a->h = clamp(h, film->settings.h_min, film->settings.h_max);
        a->grid = film_grid_number(&film->tank, at[0], at[1], at[2]);
        film_velocity(a->u, &film->bodies, a->pair, a->x, true);
        for (int d = 0; d < 3; d++) a->x[d] *= dx;
    }
    return MN_OK;
}

// ---- half faces ----------------------------------------------------------------------------------------------------------

// Where the surface crosses a face of the grid: middle (cells of the window), direction and length (m; 2D: 1). False: it does
// not.
static bool crossing(double middle[3], double along[3], double* length, const Liquid* q, int axis, const int face[3])
{
    const Window* w = &q->w;
    int s = axis == 0 ? 1 : 0, t = axis == 2 ? 1 : 2, corners = w->dim == 3 ? 4 : 2, found = 0;
    double point[4][3];
    for (int c = 0; c < corners; c++) {  // around the face
        int from[3] = {face[0], face[1], face[2]}, to[3];
        static const int ring[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        memcpy(to, from, sizeof to);
        from[s] += ring[c][0], to[s] += ring[(c + 1)%4][0];
        if (corners == 4) from[t] += ring[c][1], to[t] += ring[(c + 1)%4][1];
        if (corners == 2 && c == 1) break;
        double a = cut_snap(q->phi.v[window_at(w, from[0], from[1], from[2])]/w->dx);
        double b = cut_snap(q->phi.v[window_at(w, to[0], to[1], to[2])]/w->dx);
        if ((a < 0) == (b < 0)) continue;
        for (int d = 0; d < 3; d++) point[found][d] = from[d] + a/(a - b)*(to[d] - from[d]);
        found++;
    }
    if (found == 0) return false;
    along[0] = along[1] = along[2] = 0, *length = 1;
    memcpy(middle, point[0], sizeof point[0]);
    if (found < 2) return true;
    vec_sub(along, point[1], point[0]);
    double norm = vec_norm(along);
    for (int d = 0; d < 3; d++) middle[d] = 0.5*(point[0][d] + point[1][d]), along[d] = norm > 0 ? along[d]/norm : 0;
    *length = norm*w->dx;
    return true;
}

static void add_half_face(Graph* g, int m, int piece, int beyond, int axis, const int face[3])
{
    Film* film = g->film;
    const Liquid* q = g->body[m].liquid;
    double x[3], along[3], length, dx = film->tank.dx, to[3], apart[3];
    int a = film->air[m][piece - g->first[m]], b = beyond >= 0 ? film->air[m][beyond - g->first[m]] : -1;
    int own = a >= 0 ? piece : beyond, other = g->other[own];
    if (a == b || !crossing(x, along, &length, q, axis, face)) return;
    assert(other >= 0 && film->edges < film->tank.dim*g->pieces);
    if (a < 0) a = b, b = -1;
    const CutCell* c = piece_of(g, m, own);
    double norm = vec_norm(c->patch), gap = g->gap[own];
    for (int d = 0; d < film->tank.dim; d++) x[d] += q->w.lo[d] + (norm > 0 ? c->patch[d]/norm*0.5*fmax(gap, 0)/dx : 0);
    AirEdge* e = &film->edge[film->edges++];
    *e = (AirEdge){.a = a, .b = b, .length = (film_body_is_solid(&g->body[other]) ? 1 : 0.5)*length};
    double h = distance_at(&g->body[mini(m, other)], x) + distance_at(&g->body[maxi(m, other)], x);
    e->h = clamp(h, film->settings.h_min, film->settings.h_max);
    for (int d = 0; d < 3; d++) e->x[d] = x[d]*dx, to[d] = b >= 0 ? film->cell[b].x[d] : e->x[d];
    vec_sub(apart, to, film->cell[a].x);
    e->distance = fmax(vec_norm(apart), (b >= 0 ? FILM_DISTANCE_FLOOR : FILM_RIM_FLOOR)*dx);
    film_edge_direction(e->m, film->cell[a].x, to, along);
    film_velocity(e->u, &film->bodies, (int[2]){mini(m, other), maxi(m, other)}, x, false);
}

static mn_status fill_edges(Graph* g, Arena* arena)
{
    Film* film = g->film;
    TRY_MEMORY(film->edge = ARENA_NEW(arena, AirEdge, film->tank.dim*g->pieces));
    film->edges = 0;
    for (int m = 0; m < g->liquids; m++) {
        const Liquid* q = g->body[m].liquid;
        for (int r = 0; r < q->cells.count; r++) {
            const CutCell* c = &q->cells.cut[r];
            int cell[3] = {c->i, c->j, c->k};
            for (int d = 0; d < q->w.dim; d++) {  // through the high face; past a side of the tank there is nothing: closed
                int face[3] = {cell[0], cell[1], cell[2]};
                if (++face[d] >= q->w.n[d]) continue;
                int beyond = q->cells.index[c->at + window_stride(&q->w, d)];
                if (beyond >= 0) add_half_face(g, m, g->first[m] + r, g->first[m] + beyond, d, face);
            }
        }
    }
    return MN_OK;
}

static mn_status make_nodes(Graph* g, Arena* arena)
{
    TRY_MEMORY(g->first = ARENA_NEW(arena, int, g->liquids + 1));
    TRY_MEMORY(g->film->air = ARENA_NEW(arena, int*, g->liquids));
    for (int m = 0; m < g->liquids; m++) {
        int pieces = g->body[m].liquid->cells.count;
        g->first[m] = g->pieces;
        g->pieces += pieces;
        TRY_MEMORY(g->film->air[m] = ARENA_NEW(arena, int, pieces));
    }
    g->first[g->liquids] = g->pieces;
    TRY_MEMORY(g->other = ARENA_NEW(arena, int, g->pieces));
    TRY_MEMORY(g->gap = ARENA_NEW(arena, double, g->pieces));
    find_pieces(g);
    g->points = all_points(NULL, g);
    TRY_MEMORY(g->point = ARENA_NEW(arena, RidgePoint, g->points));
    all_points(g->point, g);
    qsort(g->point, (size_t)g->points, sizeof *g->point, by_grid);
    int nodes = g->pieces + g->points;
    TRY_MEMORY(g->parent = ARENA_NEW(arena, int, nodes));
    TRY_MEMORY(g->size = ARENA_NEW(arena, int, nodes));
    for (int n = 0; n < nodes; n++) g->parent[n] = n, g->size[n] = n < g->pieces;
    return MN_OK;
}

mn_status film_graph_build(Film* film, Arena* arena)
{
    const FilmBodies* b = &film->bodies;
    assert(film_bodies_is_valid(b) && film->settings.h_max > film->settings.h_min);
    Graph g = {.film = film, .body = b->body, .count = b->count, .liquids = b->liquids};
    TRY(make_nodes(&g, arena));
    join_closest(&g);
    int nodes = g.pieces + g.points, *cell_of = ARENA_NEW(arena, int, nodes);
    TRY_MEMORY(cell_of);
    for (int n = 0; n < nodes; n++) cell_of[n] = -1;
    film->lost = 0;
    number_groups(&g, cell_of);
    TRY(fill_cells(&g, cell_of, arena));
    TRY(fill_edges(&g, arena));
    TRY(film_ridge_order(film, arena));
    assert(film_is_valid(film));
    return MN_OK;
}
