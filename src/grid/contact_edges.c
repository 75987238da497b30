#include "grid/contact_edges.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/contact_line.h"
#include "grid/interpolate.h"

// The line rests on the edge if it is this near (cells). With half a cell lines that were leaving were caught again.
static const double ON_EDGE = 0.3;
// Holding a line is not exact: distances that are made anew move it by hundredths of a cell per step. So much of what it is off
// the edge is put back in a step (cells).
static const double DRIFT = 0.25;
// The faces are asked for liquid this far (cells) from the edge, and so far above them: what is inside the solid does not count.
static const double BESIDE = 1.5, ABOVE = 0.75;
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

typedef struct EdgeTask {
    const double *phi, *phi_s;
    const Spans* spans;
    const Window* w;
    const Contact* contact;
} EdgeTask;

bool edge_near(double x[3], const EdgePoint* edge, const double* phi_s, const Window* w)
{
    EdgeOfSolid at;
    memcpy(at.x, x, sizeof at.x);
    memcpy(at.N[0], edge->wet, sizeof edge->wet), memcpy(at.N[1], edge->dry, sizeof edge->dry);
    bool found = edge_go_to(&at, phi_s, w);
    memcpy(x, at.x, sizeof at.x);
    return found;
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
static bool face_is_wet(const EdgeTask* t, const EdgeOfSolid* edge, int m)
{
    double low[3], high[3];
    edge_beside(low, edge, m, BESIDE, ABOVE), edge_beside(high, edge, m, BESIDE, 2*ABOVE);
    return 2*node_value(t->phi, t->w, low) - node_value(t->phi, t->w, high) < 0;
}

// The line passes at this edge, with liquid on one of the faces, and rests there.
static bool edge_holds(EdgePoint* out, const EdgeTask* t, const EdgeOfSolid* edge)
{
    memcpy(out->x, edge->x, sizeof edge->x);
    double off = node_value(t->phi, t->w, out->x);
    if (!(fabs(off) < ON_EDGE*t->w->dx)) return false;
    out->off = clamp(off, -DRIFT*t->w->dx, DRIFT*t->w->dx);
    bool is_wet[2] = {face_is_wet(t, edge, 0), face_is_wet(t, edge, 1)};
    if (is_wet[0] == is_wet[1]) return false;
    int wet = is_wet[0] ? 0 : 1;
    for (int d = 0; d < 3; d++) out->wet[d] = edge->N[wet][d], out->dry[d] = edge->N[1 - wet][d];
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

// The cells of one row where one may; returns their number, or with out NULL how many there can be at most.
static int cells_of_row(int (*out)[3], const EdgeTask* t, int r)
{
    const Window* w = t->w;
    int j = r%t->spans->rows_y, k = r/t->spans->rows_y, count = 0;
    if (j >= w->n[1] || k >= w->n[2]) return 0;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0; i < mini(t->spans->span[q].i1, w->n[0]); i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            int cell[3] = {i, j, k};
            if (!(fabs(t->phi[at]) < 3*w->dx && fabs(t->phi_s[at]) < 3*w->dx)) continue;
            if (out && !may_have_edge(t, cell)) continue;
            if (out) memcpy(out[count], cell, sizeof cell);
            count++;
        }
    return count;
}

// Those of all rows, in their order.
static mn_status find_cells(int (**cell)[3], int* count, Arena* arena, const EdgeTask* t)
{
    int rows = t->spans->rows, *first = ARENA_NEW(arena, int, rows + 1), *used = ARENA_NEW(arena, int, rows);
    TRY_MEMORY(first);
    TRY_MEMORY(used);
    first[0] = *count = 0;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(t->spans))
    for (int r = 0; r < rows; r++) first[r + 1] = cells_of_row(NULL, t, r);
    for (int r = 0; r < rows; r++) first[r + 1] += first[r];
    TRY_MEMORY(*cell = arena_take(arena, sizeof **cell*(size_t)first[rows]));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(t->spans))
    for (int r = 0; r < rows; r++) used[r] = first[r + 1] > first[r] ? cells_of_row(*cell + first[r], t, r) : 0;
    for (int r = 0; r < rows; *count += used[r++]) memmove(*cell + *count, *cell + first[r], sizeof **cell*(size_t)used[r]);
    return MN_OK;
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

// The points in these cells that hold a line.
static mn_status find_points(Edges* edges, Arena* arena, const EdgeTask* t, const EdgeCells* known, const int (*cell)[3],
                             int cells)
{
    bool* holds = ARENA_NEW(arena, bool, cells);
    TRY_MEMORY(holds);
    TRY_MEMORY(edges->point = ARENA_NEW(arena, EdgePoint, cells));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(t->spans))
    for (int m = 0; m < cells; m++) {
        const EdgeOfSolid* edge = edgecells_at(known, t->w, cell[m]);
        holds[m] = edge && edge_holds(&edges->point[m], t, edge);
    }
    for (int m = 0; m < cells; m++)
        if (holds[m]) edges->point[edges->count++] = edges->point[m];
    return MN_OK;
}

mn_status edges_find(Edges* edges, Arena* arena, const double* phi, const double* phi_s, EdgeCells* known, const Spans* spans,
                     const Window* w, const Contact* contact)
{
    assert(phi && phi_s && phi != phi_s && spans_is_valid(spans, w));
    EdgeTask t = {.phi = phi, .phi_s = phi_s, .spans = spans, .w = w, .contact = contact};
    int(*cell)[3], cells;
    *edges = (Edges){.phi_s = phi_s};
    if (contact->all_round) return MN_OK;
    TRY(find_cells(&cell, &cells, arena, &t));
    TRY(edgecells_ask(known, arena, cell, cells, phi_s, spans, w, contact));
    TRY(find_points(edges, arena, &t, known, cell, cells));
    if (edges->count == 0) return MN_OK;
    int32_t* nearest = ARENA_NEW(arena, int32_t, w->count);
    TRY_MEMORY(nearest);
    for (size_t m = 0; m < w->count; m++) nearest[m] = -1;
    edges->nearest = nearest + w->origin;
    for (int m = 0; m < edges->count; m++) rule_nodes(edges, w, m);
    return MN_OK;
}
