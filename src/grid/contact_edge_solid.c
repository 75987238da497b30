#include "grid/contact_edge_solid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/contact.h"
#include "grid/interpolate.h"

// Two faces meet in an edge if their normals are this far apart. A round solid whose normal turns by as much over REACH cells has
// a radius of 3 cells, and is an edge to the grid.
static const double EDGE_COSINE = 0.77;  // 40 degrees
// Nodes this far around a cell (cells) tell the normals of the faces that meet in it. Inside the solid phi_s is the distance to
// the nearer face, with a crease between the two; a node is clear of the crease, and of the round distance outside, where the
// central difference has the slope 1. With 2 nodes beyond the cell there is always such a node on either side.
enum { REACH = 2 };
static const double CLEAR_SLOPE = 0.95;
// Cells from the edge along a face, where the corners of a cell around it, 1.4 cells off, are no nearer to the other one.
static const double CLEAR_OF_CREASE = 2;
// A point may lie this far outside the cell it was found from (cells): what it is made of is rounded off.
static const double SLACK = 0.2;

// A node inside the solid that is clear of the crease: unit normal there, and cells below the skin.
typedef struct ClearNode {
    double n[3], depth;
} ClearNode;

// One face: weighted sums over the nodes that are clear and nearest to it.
typedef struct Face {
    double N[3], middle[3];
    double offset;  // cells along N from the cell's centre to its plane
} Face;

// A node as seen from a cell. Nearer ones weigh more.
typedef struct Beside {
    ptrdiff_t step;  // from the cell's own node
    double x[3];     // cells from the cell's centre
    double weight;
} Beside;

enum { MOST_BESIDE = 216 };  // (2 REACH + 2)^3

// Those that a cell looks at, in the order of the grid and by weight, the heaviest first.
typedef struct Surroundings {
    Beside in_order[MOST_BESIDE], by_weight[MOST_BESIDE];
    int count;
} Surroundings;

typedef struct SolidTask {
    const double* phi_s;
    const Spans* spans;
    const Window* w;
    ClearNode* node;         // in the order of the rows: every one of them is looked at from some hundred cells
    const int32_t* node_at;  // per node: which of them it is, or -1
    const Surroundings* around;
} SolidTask;

static bool is_clear(ClearNode* out, const SolidTask* t, ptrdiff_t at)
{
    out->depth = -t->phi_s[at]/t->w->dx;
    if (!(out->depth > 0)) return false;
    node_gradient(out->n, t->phi_s, t->w, at);
    double slope = vec_norm(out->n);
    if (!(slope > CLEAR_SLOPE*t->w->dx)) return false;
    for (int d = 0; d < 3; d++) out->n[d] /= slope;
    return true;
}

// The clear nodes of a row. Counts them when node_at is NULL.
static int clear_row(SolidTask* t, int32_t* node_at, int first, int r)
{
    ptrdiff_t row = window_at(t->w, 0, r%t->spans->rows_y, r/t->spans->rows_y);
    int count = 0;
    SPAN_LOOP(t->spans, r, q)
        for (ptrdiff_t at = row + t->spans->span[q].i0; at < row + t->spans->span[q].i1; at++) {
            ClearNode node;
            if (!is_clear(&node, t, at)) continue;
            if (node_at) t->node[first + count] = node, node_at[at] = first + count;
            count++;
        }
    return count;
}

static mn_status find_clear_nodes(SolidTask* t, Arena* arena)
{
    int rows = t->spans->rows, *first = ARENA_NEW(arena, int, rows + 1);
    int32_t* node_at = ARENA_NEW(arena, int32_t, t->w->count);
    TRY_MEMORY(first);
    TRY_MEMORY(node_at);
    memset(node_at, -1, sizeof *node_at*t->w->count);
    node_at += t->w->origin, t->node_at = node_at;
    first[0] = 0;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(t->spans))
    for (int r = 0; r < rows; r++) first[r + 1] = clear_row(t, NULL, 0, r);
    for (int r = 0; r < rows; r++) first[r + 1] += first[r];
    TRY_MEMORY(t->node = ARENA_NEW(arena, ClearNode, first[rows]));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(t->spans))
    for (int r = 0; r < rows; r++)
        if (first[r + 1] > first[r]) clear_row(t, node_at, first[r], r);
    return MN_OK;
}

static int heavier_first(const void* a, const void* b)
{
    const Beside *p = a, *q = b;
    if (p->weight != q->weight) return p->weight > q->weight ? -1 : 1;
    return p->step < q->step ? -1 : p->step > q->step;
}

static void look_around(Surroundings* s, const Window* w)
{
    int depth = w->dim == 3 ? REACH : 0;
    s->count = 0;
    for (int k = -depth; k <= (w->dim == 3 ? REACH + 1 : 0); k++)
        for (int j = -REACH; j <= REACH + 1; j++)
            for (int i = -REACH; i <= REACH + 1; i++) {
                Beside b = {.step = i + j*w->sy + k*w->sz, .x = {i - 0.5, j - 0.5, w->dim == 3 ? k - 0.5 : 0}};
                double away = vec_dot(b.x, b.x);
                b.weight = 1/((1 + away)*(1 + away));
                s->in_order[s->count++] = b;
            }
    memcpy(s->by_weight, s->in_order, sizeof s->in_order);
    qsort(s->by_weight, (size_t)s->count, sizeof *s->by_weight, heavier_first);
}

static const ClearNode* clear_at(const SolidTask* t, ptrdiff_t at)
{
    return t->node_at[at] < 0 ? NULL : &t->node[t->node_at[at]];
}

static void add_to_face(Face* f, double* weight, const Beside* b, const ClearNode* node)
{
    *weight += b->weight;
    for (int d = 0; d < 3; d++) f->N[d] += b->weight*node->n[d], f->middle[d] += b->weight*b->x[d];
    f->offset += b->weight*(vec_dot(node->n, b->x) + node->depth);
}

// The means of the nodes whose normals are within 40 degrees of those of two.
static void mean_faces(Face face[2], const SolidTask* t, ptrdiff_t cell, const ClearNode* const like[2])
{
    double weight[2] = {0, 0};
    face[0] = face[1] = (Face){.offset = 0};
    for (int m = 0; m < t->around->count; m++) {
        const Beside* b = &t->around->in_order[m];
        const ClearNode* node = clear_at(t, cell + b->step);
        if (!node) continue;
        for (int f = 0; f < 2; f++)
            if (vec_dot(node->n, like[f]->n) >= EDGE_COSINE) add_to_face(&face[f], &weight[f], b, node);
    }
    for (int f = 0; f < 2; f++) {
        double norm = vec_norm(face[f].N);
        for (int d = 0; d < 3; d++) face[f].middle[d] /= weight[f], face[f].N[d] /= norm;
        face[f].offset /= weight[f];
    }
}

// The two faces that meet around a cell in a convex edge: that of the heaviest node, and that of the heaviest one off it.
static bool two_faces(Face face[2], const SolidTask* t, ptrdiff_t cell)
{
    const ClearNode *first = NULL, *second = NULL;
    for (int m = 0; m < t->around->count && !second; m++) {
        const ClearNode* node = clear_at(t, cell + t->around->by_weight[m].step);
        if (!node) continue;
        if (!first) first = node;
        else if (vec_dot(node->n, first->n) < EDGE_COSINE) second = node;
    }
    if (!second) return false;
    mean_faces(face, t, cell, (const ClearNode* const[2]){first, second});
    double apart[3], turn[3];
    vec_sub(apart, face[0].middle, face[1].middle), vec_sub(turn, face[0].N, face[1].N);
    return vec_dot(face[0].N, face[1].N) < EDGE_COSINE && vec_dot(apart, turn) > 0;
}

// The point of both planes that is nearest to the cell's centre: centre + a N0 + b N1.
static bool edge_in_cell(double x[3], const Face face[2], const Window* w, const int cell[3])
{
    double c = vec_dot(face[0].N, face[1].N), det = 1 - c*c;
    if (!(det > 0.01)) return false;  // a blade: its faces are parallel
    double a = (face[0].offset - c*face[1].offset)/det, b = (face[1].offset - c*face[0].offset)/det;
    x[2] = 0;
    for (int d = 0; d < w->dim; d++) {
        double off = a*face[0].N[d] + b*face[1].N[d];
        if (!(fabs(off) < 0.5 + SLACK)) return false;
        x[d] = cell[d] + 0.5 + off;
    }
    return true;
}

void edge_beside(double y[3], const EdgeOfSolid* edge, int m, double away, double above)
{
    const double *N = edge->N[m], *other = edge->N[1 - m];
    double c = vec_dot(N, other), scale = away/sqrt(1 - c*c);
    for (int d = 0; d < 3; d++) y[d] = edge->x[d] - scale*(other[d] - c*N[d]) + above*N[d];
}

// phi_s at a point, in cells, and its unit gradient there: of the one cell around it, no more.
static double solid_at(double N[3], const double* phi_s, const Window* w, const double x[3])
{
    const double STEP = 1e-4;  // cells
    double y[3] = {x[0], x[1], x[2]}, value, norm;
    edge_fold(y, w);
    value = node_value(phi_s, w, y)/w->dx;
    N[2] = 0;
    for (int d = 0; d < w->dim; d++) {
        double high[3] = {y[0], y[1], y[2]}, low[3] = {y[0], y[1], y[2]}, side = x[d] == y[d] ? 1 : -1;
        high[d] += side*STEP, low[d] -= side*STEP;
        N[d] = node_value(phi_s, w, high) - node_value(phi_s, w, low);
    }
    norm = vec_norm(N);
    for (int d = 0; d < 3; d++) N[d] = norm > 0 ? N[d]/norm : 0;
    return value;
}

// The planes above are those of the nodes around, rough by a tenth of a cell. Across the edge a face is straight, also where it
// bends along it as that of a hole: a point on it some way off tells its normal and where it is. False: the faces are no more.
bool edge_go_to(EdgeOfSolid* edge, const double* phi_s, const Window* w)
{
    for (int turn = 0; turn < 2; turn++) {
        double y[2][3], N[2][3], off[2];
        for (int m = 0; m < 2; m++) {
            edge_beside(y[m], edge, m, CLEAR_OF_CREASE, 0);
            off[m] = -solid_at(N[m], phi_s, w, y[m]);
            if (!(vec_dot(N[m], edge->N[m]) > EDGE_COSINE && fabs(off[m]) < 1)) return false;
        }
        for (int m = 0; m < 2; m++)
            for (int d = 0; d < 3; d++) off[m] += N[m][d]*(y[m][d] - edge->x[d]), edge->N[m][d] = N[m][d];
        double c = vec_dot(N[0], N[1]), det = 1 - c*c;
        if (!(det > 0.01)) return false;
        double a = (off[0] - c*off[1])/det, b = (off[1] - c*off[0])/det;
        for (int d = 0; d < w->dim; d++) edge->x[d] += a*N[0][d] + b*N[1][d];
    }
    return true;
}

// The edge in a cell and its two faces.
static bool edge_of_cell(EdgeOfSolid* edge, const SolidTask* t, const int cell[3])
{
    Face face[2];
    if (!two_faces(face, t, window_at(t->w, cell[0], cell[1], cell[2])) || !edge_in_cell(edge->x, face, t->w, cell)) return false;
    for (int m = 0; m < 2; m++) memcpy(edge->N[m], face[m].N, sizeof face[m].N);
    return edge_go_to(edge, t->phi_s, t->w);
}

// ---- what is known -----------------------------------------------------------------------------------------------------------

void edgecells_free(EdgeCells* e)
{
    free(e->block), free(e->known);
    *e = (EdgeCells){0};
}

mn_status edgecells_forget(EdgeCells* e, const Window* w)
{
    if (e->size != w->count) {
        edgecells_free(e);
        e->block = calloc(w->count, sizeof *e->block);
        if (!e->block) return mn_fail(MN_NO_MEMORY, "out of memory: edges of solids");
        e->size = w->count;
    }
    for (int m = 0; m < e->count; m++) e->block[e->known[m].place] = 0;
    e->count = 0;
    return MN_OK;
}

static mn_status make_room(EdgeCells* e, int count)
{
    if (count <= e->room) return MN_OK;
    int room = maxi(count, 2*e->room);
    EdgeCell* known = realloc(e->known, sizeof *known*(size_t)room);
    if (!known) return mn_fail(MN_NO_MEMORY, "out of memory: edges of solids");
    e->known = known, e->room = room;
    return MN_OK;
}

// Skin of a ball of 3 cells and less turns between nodes as at an edge, to the one side or the other by the order of nodes.
static bool is_round(const Contact* contact, const Window* w, const int cell[3])
{
    double x[3];
    window_position(x, w, cell[0] + 0.5, cell[1] + 0.5, w->dim == 3 ? cell[2] + 0.5 : 0);
    return contact->is_round && contact->is_round(contact->user, x);
}

mn_status edgecells_ask(EdgeCells* e, Arena* arena, const int (*cell)[3], int count, const double* phi_s, const Spans* spans,
                        const Window* w, const Contact* contact)
{
    assert(e->block && e->size == w->count);
    int first = e->count, *fresh = ARENA_NEW(arena, int, count);
    TRY_MEMORY(fresh);
    TRY(make_room(e, first + count));
    for (int m = 0; m < count; m++) {
        ptrdiff_t place = window_at(w, cell[m][0], cell[m][1], cell[m][2]) + w->origin;
        if (e->block[place] != 0) continue;
        fresh[e->count - first] = m;
        e->known[e->count++] = (EdgeCell){.place = place};
        e->block[place] = e->count;
    }
    if (e->count == first) return MN_OK;
    SolidTask t = {.phi_s = phi_s, .spans = spans, .w = w};
    Surroundings* around = ARENA_NEW(arena, Surroundings, 1);
    TRY_MEMORY(around);
    look_around(around, w), t.around = around;
    TRY(find_clear_nodes(&t, arena));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int m = first; m < e->count; m++) {
        const int* own = cell[fresh[m - first]];
        e->known[m].has_edge = !is_round(contact, w, own) && edge_of_cell(&e->known[m].edge, &t, own);
    }
    return MN_OK;
}
