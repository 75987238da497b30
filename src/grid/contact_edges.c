#include "grid/contact_edges.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/contact_line.h"
#include "grid/interpolate.h"

// Two faces meet in an edge if their normals are this far apart. A round solid whose normal turns by as much over REACH cells has
// a radius of 3 cells, and is an edge to the grid.
static const double EDGE_COSINE = 0.77;  // 40 degrees
// Nodes this far around a cell (cells) tell the normals of the faces that meet in it. Inside the solid phi_s is the distance to
// the nearer face, with a crease between the two; a node is clear of the crease, and of the round distance outside, where the
// central difference has the slope 1. With 2 nodes beyond the cell there is always such a node on either side.
enum { REACH = 2 };
static const double CLEAR_SLOPE = 0.95;
// The line rests on the edge if it is this near (cells). With half a cell lines that were leaving were caught again.
static const double ON_EDGE = 0.3;
// Holding a line is not exact: distances that are made anew move it by hundredths of a cell per step. So much of what it is off
// the edge is put back in a step (cells).
static const double DRIFT = 0.25;
// The faces are asked for liquid this far (cells) from the edge, and so far above them: what is inside the solid does not count.
static const double BESIDE = 1.5, ABOVE = 0.75;
// Cells from the edge along a face, where the corners of a cell around it, 1.4 cells off, are no nearer to the other one.
static const double CLEAR_OF_CREASE = 2;
// A point may lie this far outside the cell it was found from (cells): what it is made of is rounded off.
static const double SLACK = 0.2;
// On a face beside a held line phi is at least this part of its distance from the edge, and at first, so that the surface has no
// kink there, as much of it per cell. With a kink (a quarter of the distance at once) distances that are made anew took 0.06
// cells from the line in every step, and a drop from a hole was 4 % heavier.
static const double LEAST_GAP = 0.5, LEAST_BEND = 0.125;
// Nodes up to this far from the edge (cells) go on from the line there: as far as anything is continued (SURE_CELLS).
enum { RULED = 6 };

// The surface is looked at EDGE_NEAR and FAR cells from the edge: its normals there give that at the edge, as on a circle.
static const double FAR = 4;
// Surface and point must be this near (cells).
static const double FOUND = 0.3;

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

typedef struct EdgeTask {
    const double *phi, *phi_s;
    const Spans* spans;
    const Window* w;
    const Contact* contact;
    ClearNode* node;         // in the order of the rows: every one of them is looked at from some hundred cells
    const int32_t* node_at;  // per node: which of them it is, or -1
    const Surroundings* around;
    unsigned char* no_edge;
} EdgeTask;

static bool is_clear(ClearNode* out, const EdgeTask* t, ptrdiff_t at)
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
static int clear_row(EdgeTask* t, int32_t* node_at, int first, int r)
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

static mn_status find_clear_nodes(EdgeTask* t, Arena* arena)
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

static const ClearNode* clear_at(const EdgeTask* t, ptrdiff_t at) { return t->node_at[at] < 0 ? NULL : &t->node[t->node_at[at]]; }

static void add_to_face(Face* f, double* weight, const Beside* b, const ClearNode* node)
{
    *weight += b->weight;
    for (int d = 0; d < 3; d++) f->N[d] += b->weight*node->n[d], f->middle[d] += b->weight*b->x[d];
    f->offset += b->weight*(vec_dot(node->n, b->x) + node->depth);
}

// The means of the nodes whose normals are within 40 degrees of those of two.
static void mean_faces(Face face[2], const EdgeTask* t, ptrdiff_t cell, const ClearNode* const like[2])
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
static bool two_faces(Face face[2], const EdgeTask* t, ptrdiff_t cell)
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

// The point above face m (cells) that is `away` from the edge at x along the face, on the side where there is solid below.
static void beside(double y[3], const double x[3], const Face face[2], int m, double away, double above)
{
    const double *N = face[m].N, *other = face[1 - m].N;
    double c = vec_dot(N, other), scale = away/sqrt(1 - c*c);
    for (int d = 0; d < 3; d++) y[d] = x[d] - scale*(other[d] - c*N[d]) + above*N[d];
}

// phi_s at a point, in cells, and its unit gradient there: of the one cell around it, no more.
static double solid_at(double N[3], const EdgeTask* t, const double x[3])
{
    const double STEP = 1e-4;  // cells
    double y[3] = {x[0], x[1], x[2]}, value, norm;
    edge_fold(y, t->w);
    value = node_value(t->phi_s, t->w, y)/t->w->dx;
    N[2] = 0;
    for (int d = 0; d < t->w->dim; d++) {
        double high[3] = {y[0], y[1], y[2]}, low[3] = {y[0], y[1], y[2]}, side = x[d] == y[d] ? 1 : -1;
        high[d] += side*STEP, low[d] -= side*STEP;
        N[d] = node_value(t->phi_s, t->w, high) - node_value(t->phi_s, t->w, low);
    }
    norm = vec_norm(N);
    for (int d = 0; d < 3; d++) N[d] = norm > 0 ? N[d]/norm : 0;
    return value;
}

// The planes above are those of the nodes around, rough by a tenth of a cell. Across the edge a face is straight, also where it
// bends along it as that of a hole: a point on it some way off tells its normal and where it is. False: the faces are no more.
static bool put_on_faces(double x[3], const EdgeTask* t, Face face[2])
{
    for (int turn = 0; turn < 2; turn++) {
        double y[2][3], N[2][3], off[2];
        for (int m = 0; m < 2; m++) {
            beside(y[m], x, face, m, CLEAR_OF_CREASE, 0);
            off[m] = -solid_at(N[m], t, y[m]);
            if (!(vec_dot(N[m], face[m].N) > EDGE_COSINE && fabs(off[m]) < 1)) return false;
        }
        for (int m = 0; m < 2; m++)
            for (int d = 0; d < 3; d++) off[m] += N[m][d]*(y[m][d] - x[d]), face[m].N[d] = N[m][d];
        double c = vec_dot(N[0], N[1]), det = 1 - c*c;
        if (!(det > 0.01)) return false;
        double a = (off[0] - c*off[1])/det, b = (off[1] - c*off[0])/det;
        for (int d = 0; d < t->w->dim; d++) x[d] += a*N[0][d] + b*N[1][d];
    }
    return true;
}

bool edge_near(double x[3], const EdgePoint* edge, const double* phi_s, const Window* w)
{
    EdgeTask t = {.phi_s = phi_s, .w = w};
    Face face[2];
    for (int d = 0; d < 3; d++) face[0].N[d] = edge->wet[d], face[1].N[d] = edge->dry[d];
    return put_on_faces(x, &t, face);
}

// The point of the surface `far` cells from the edge, and its normal n there: out along the bisector of the faces' normals, then
// round the edge at that distance. False where the surface is not found.
static bool surface_from_edge(double y[3], double n[3], const EdgeTask* t, const EdgePoint* e, double far)
{
    const Window* w = t->w;
    double out[3], norm;
    for (int d = 0; d < 3; d++) out[d] = e->wet[d] + e->dry[d];
    norm = vec_norm(out);
    for (int d = 0; d < 3; d++) y[d] = e->x[d] + far*out[d]/norm;
    for (int step = 0; step < 8; step++) {
        double f = w->dim == 3 ? interpolate_cubic(n, t->phi, w, 3, y) : interpolate_cubic(n, t->phi, w, 2, y), off[3];
        if (w->dim == 2) n[2] = 0;
        norm = vec_norm(n);
        if (!(norm > 0.5*w->dx)) return false;
        for (int d = 0; d < 3; d++) n[d] /= norm;
        if (fabs(f) < 0.05*w->dx) return true;
        for (int d = 0; d < 3; d++) off[d] = y[d] - clamp(f/w->dx, -1, 1)*n[d] - e->x[d];
        norm = vec_norm(off);
        for (int d = 0; d < 3; d++) y[d] = e->x[d] + far*off[d]/norm;
    }
    return fabs(node_value(t->phi, w, y)) < FOUND*w->dx;
}

// The angle of the surface, of normal n, with the dry face, through the liquid: less than 0 where it dips below that face's
// plane.
static double angle_with_dry(const EdgePoint* e, const double n[3])
{
    double c = vec_dot(e->wet, e->dry), off = (c*vec_dot(n, e->dry) - vec_dot(n, e->wet))/sqrt(1 - c*c);
    double angle = atan2(off, vec_dot(n, e->dry));
    return angle < -PI/2 ? angle + 2*PI : angle;
}

// The same angle of the straight line from the edge to the point `on`: that of the normal across it.
static double angle_of_chord(const EdgePoint* e)
{
    double chord[3], n[3];
    vec_sub(chord, e->on, e->x);
    double part = vec_dot(e->n, chord)/vec_dot(chord, chord);
    for (int d = 0; d < 3; d++) n[d] = e->n[d] - part*chord[d];
    return angle_with_dry(e, n);
}

// The angle on the edge. Along the surface it is a + b s + c s^2, s cells from the edge: known are its values at s = 2 and 4, and
// by the chord, since the surface ends on the edge, its mean from 0 to 2,
//     m = a + b + 4/3 c   =>   a = (12 m - 8 angle(2) + angle(4))/5.
// (By a + b s alone the edge of a plate of 120 degrees lifted out of a bath, 6 cells per capillary length, let go at 125: gravity
// bends the surface more and more towards the plate.)
static double angle_on_edge(const EdgePoint* e, const double far[3])
{
    assert(EDGE_NEAR == 2 && FAR == 4);
    return (12*angle_of_chord(e) - 8*angle_with_dry(e, e->n) + angle_with_dry(e, far))/5;
}

// Gibbs: the angle with the dry face has not come up to the advancing one, nor that with the wet face, which is larger by the
// turn of the edge and may be more than 180 degrees, down to the receding one.
static bool line_rests(EdgePoint* e, const EdgeTask* t)
{
    double y[3], far[3];
    if (!surface_from_edge(e->on, e->n, t, e, EDGE_NEAR) || !surface_from_edge(y, far, t, e, FAR)) return false;
    Line l = {.phi = t->phi, .w = t->w, .skin = {e->x[0], e->x[1], e->x[2]}};
    Wanted wanted = line_wanted(&l, t->contact);
    double angle = angle_on_edge(e, far), turn = acos(clamp(vec_dot(e->wet, e->dry), -1, 1));
    e->gap[0] = angle + turn < PI/2 ? sin(angle + turn) : 1, e->gap[1] = angle > PI/2 ? sin(angle) : 1;
    return angle < acos(wanted.low) && angle + turn > acos(wanted.high);
}

// The surface ends on the edge, so that phi on a face s from it is s, or s sin(gap) if the surface leans over it. It must not
// go on along the wet face: at 170 degrees one just below the skin came out of it and the liquid had left the wall.
double edge_on_face(const EdgePoint* edge, double value, const double skin[3], const double N[3], const Window* w)
{
    double off[3];
    vec_sub(off, skin, edge->x);
    double away = vec_norm(off), least = min2(LEAST_BEND*away, LEAST_GAP)*away*w->dx;
    return vec_dot(N, edge->wet) > vec_dot(N, edge->dry) ? min2(value, -least*edge->gap[0]) : max2(value, least*edge->gap[1]);
}

// phi on the face, straight on from above it. (Liquid that covers the face by less than ABOVE was taken for none: a film of half
// a cell around a ball, where it was thinnest, for a line on an edge; half the ball was made dry at once, with a tenth of the
// liquid.)
static bool face_is_wet(const EdgeTask* t, const double x[3], const Face face[2], int m)
{
    double low[3], high[3];
    beside(low, x, face, m, BESIDE, ABOVE), beside(high, x, face, m, BESIDE, 2*ABOVE);
    return 2*node_value(t->phi, t->w, low) - node_value(t->phi, t->w, high) < 0;
}

// The edge in a cell and its two faces, by the solid alone.
static bool edge_of_cell(double x[3], Face face[2], const EdgeTask* t, const int cell[3])
{
    return two_faces(face, t, window_at(t->w, cell[0], cell[1], cell[2])) && edge_in_cell(x, face, t->w, cell) &&
           put_on_faces(x, t, face);
}

// The line passes at the edge in this cell, with liquid on one of the faces, and rests there.
static bool edge_holds(EdgePoint* out, const EdgeTask* t, const int cell[3])
{
    Face face[2];
    unsigned char* none = &t->no_edge[window_at(t->w, cell[0], cell[1], cell[2])];
    if (*none) return false;
    if (!edge_of_cell(out->x, face, t, cell)) {
        *none = 1;
        return false;
    }
    double off = node_value(t->phi, t->w, out->x);
    if (!(fabs(off) < ON_EDGE*t->w->dx)) return false;
    out->off = clamp(off, -DRIFT*t->w->dx, DRIFT*t->w->dx);
    bool is_wet[2] = {face_is_wet(t, out->x, face, 0), face_is_wet(t, out->x, face, 1)};
    if (is_wet[0] == is_wet[1]) return false;
    int wet = is_wet[0] ? 0 : 1;
    for (int d = 0; d < 3; d++) out->wet[d] = face[wet].N[d], out->dry[d] = face[1 - wet].N[d];
    return line_rests(out, t);
}

// May a line rest on an edge in this cell? Half its diagonal and some slack (1.25 cells) is how far its middle can be from the
// edge, and so from the skin; the surface may be half a cell further.
static bool may_have_edge(const EdgeTask* t, const int cell[3])
{
    const Window* w = t->w;
    double middle[3] = {cell[0] + 0.5, cell[1] + 0.5, w->dim == 3 ? cell[2] + 0.5 : 0};
    return fabs(node_value(t->phi, w, middle)) < 1.75*w->dx && fabs(node_value(t->phi_s, w, middle)) < 1.25*w->dx;
}

// Points of the cells of one row. Counts them when out is NULL.
static int points_of_row(EdgePoint* out, const EdgeTask* t, int r)
{
    const Window* w = t->w;
    int j = r%t->spans->rows_y, k = r/t->spans->rows_y, count = 0;
    if (j >= w->n[1] || k >= w->n[2]) return 0;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0; i < mini(t->spans->span[q].i1, w->n[0]); i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            EdgePoint point;
            int cell[3] = {i, j, k};
            if (!(fabs(t->phi[at]) < 3*w->dx && fabs(t->phi_s[at]) < 3*w->dx)) continue;
            if (!may_have_edge(t, cell) || !edge_holds(&point, t, cell)) continue;
            if (out) out[count] = point;
            count++;
        }
    return count;
}

static double square_distance(const EdgePoint* p, const Window* w, int i, int j, int k)
{
    double x[3] = {i, j, k}, sum = 0;
    for (int d = 0; d < w->dim; d++) sum += (x[d] - p->x[d])*(x[d] - p->x[d]);
    return sum;
}

// Nodes around point m that are nearer to it than to those before.
static void rule_nodes(Edges* e, const Window* w, int m)
{
    const EdgePoint* p = &e->point[m];
    int a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    for (int d = 0; d < w->dim; d++) {
        a[d] = maxi((int)ceil(p->x[d]) - RULED, 0);
        b[d] = mini((int)floor(p->x[d]) + RULED, w->n[d]);
    }
    for (int k = a[2]; k <= b[2]; k++)
        for (int j = a[1]; j <= b[1]; j++)
            for (int i = a[0]; i <= b[0]; i++) {
                double away = square_distance(p, w, i, j, k);
                int32_t* nearest = &e->nearest[window_at(w, i, j, k)];
                if (away < RULED*RULED && (*nearest < 0 || away < square_distance(&e->point[*nearest], w, i, j, k)))
                    *nearest = m;
            }
}

mn_status edges_find(Edges* edges, Arena* arena, const double* phi, const double* phi_s, unsigned char* no_edge,
                     const Spans* spans, const Window* w, const Contact* contact)
{
    assert(phi && phi_s && phi != phi_s && no_edge && spans_is_valid(spans, w));
    EdgeTask t = {.phi = phi, .phi_s = phi_s, .spans = spans, .w = w, .contact = contact, .no_edge = no_edge};
    *edges = (Edges){.phi_s = phi_s};
    TRY(find_clear_nodes(&t, arena));
    Surroundings* around = ARENA_NEW(arena, Surroundings, 1);
    TRY_MEMORY(around);
    look_around(around, w), t.around = around;
    int* first = ARENA_NEW(arena, int, spans->rows + 1);
    TRY_MEMORY(first);
    first[0] = 0;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) first[r + 1] = points_of_row(NULL, &t, r);
    for (int r = 0; r < spans->rows; r++) first[r + 1] += first[r];
    edges->count = first[spans->rows];
    if (edges->count == 0) return MN_OK;
    TRY_MEMORY(edges->point = ARENA_NEW(arena, EdgePoint, edges->count));
    for (int r = 0; r < spans->rows; r++)
        if (first[r + 1] > first[r]) points_of_row(edges->point + first[r], &t, r);
    int32_t* nearest = ARENA_NEW(arena, int32_t, w->count);
    TRY_MEMORY(nearest);
    for (size_t m = 0; m < w->count; m++) nearest[m] = -1;
    edges->nearest = nearest + w->origin;
    for (int m = 0; m < edges->count; m++) rule_nodes(edges, w, m);
    return MN_OK;
}
