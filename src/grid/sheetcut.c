#include "grid/sheetcut.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/closest.h"
#include "base/vec.h"
#include "grid/sheetnormals.h"

// ---- distances --------------------------------------------------------------------------------------------------------------

typedef struct Builder {
    SheetCut* cut;
    const SheetSurface* s;
    const Window* w;
    SheetNormals normals;
    int low[3], high[3];  // nodes that there are, ghosts included: low <= i <= high
} Builder;

// The node's distance to an element becomes its psi, if that is the nearest so far. Of elements at one distance, those that share
// the nearest edge or corner, the first stays: their normals there are the same.
static void try_element(const Builder* b, const int node[3], int element)
{
    ptrdiff_t at = window_at(b->w, node[0], node[1], node[2]);
    double x[3], away[3];
    window_position(x, b->w, node[0], node[1], node[2]);
    SheetFoot foot;
    sheet_foot(&foot, b->s, &b->normals, element, x);
    unsigned char* bits = &b->cut->node[at];
    if (*bits & SHEET_NEAR && foot.distance >= fabs(b->cut->psi[at])) return;
    vec_sub(away, x, foot.x);
    // a node on the sheet itself counts to the side of its normal
    b->cut->psi[at] = vec_dot(away, foot.n) < 0 ? -foot.distance : foot.distance;
    b->cut->nearest[at] = element;
    *bits = (unsigned char)((*bits & ~SHEET_SHADOW) | SHEET_NEAR | (foot.on_rim ? 0 : SHEET_SHADOW));
}

// Nodes of the box around an element, `cells` further on each side; false: none of the window.
static bool box_around(int low[3], int high[3], const Builder* b, int element, double cells)
{
    const SheetSurface* s = b->s;
    for (int d = 0; d < 3; d++) {
        low[d] = high[d] = 0;
        if (d >= s->dim) continue;
        double least = INFINITY, most = -INFINITY;
        for (int c = 0; c < s->dim; c++) {
            double x = s->x[3*s->element[s->dim*element + c] + d]/b->w->dx - b->w->lo[d];
            least = fmin(least, x), most = fmax(most, x);
        }
        low[d] = (int)ceil(clamp(least - cells, b->low[d], b->high[d] + 1));
        high[d] = (int)floor(clamp(most + cells, b->low[d] - 1, b->high[d]));
        if (low[d] > high[d]) return false;
    }
    return true;
}

#define FOR_BOX(n, low, high)                                                                                                    \
    for (int n[3] = {0, 0, (low)[2]}; n[2] <= (high)[2]; n[2]++)                                                                 \
        for (n[1] = (low)[1]; n[1] <= (high)[1]; n[1]++)                                                                         \
            for (n[0] = (low)[0]; n[0] <= (high)[0]; n[0]++)

// Nodes whose distance is known, in the order in which it was found.
typedef struct Known {
    int (*node)[3];
    int count;
} Known;

// Nodes right beside the sheets, from every element near them.
static void seed(Known* k, const Builder* b)
{
    static const double BESIDE = 1.01;
    for (int e = 0; e < b->s->elements; e++) {
        int low[3], high[3];
        if (!box_around(low, high, b, e, BESIDE)) continue;
        FOR_BOX(n, low, high)
        {
            bool is_new = !(b->cut->node[window_at(b->w, n[0], n[1], n[2])] & SHEET_NEAR);
            try_element(b, n, e);
            if (is_new) memcpy(k->node[k->count++], n, sizeof n);
        }
    }
}

// A node further out: its nearest element is one of those of its neighbours.
static void ask_neighbours(const Builder* b, const int node[3])
{
    int low[3], high[3];
    for (int d = 0; d < 3; d++) low[d] = maxi(node[d] - 1, b->low[d]), high[d] = mini(node[d] + 1, b->high[d]);
    int32_t asked[27];
    int count = 0;
    FOR_BOX(n, low, high)
    {
        ptrdiff_t at = window_at(b->w, n[0], n[1], n[2]);
        bool known = b->cut->node[at] & SHEET_NEAR && memcmp(n, node, sizeof n) != 0;
        for (int m = 0; m < count && known; m++) known = asked[m] != b->cut->nearest[at];
        if (known) asked[count++] = b->cut->nearest[at];
    }
    for (int m = 0; m < count; m++) try_element(b, node, asked[m]);
}

// From the element found to ones that share a corner with it, as long as they are nearer.
static void descend(const Builder* b, const int node[3])
{
    ptrdiff_t at = window_at(b->w, node[0], node[1], node[2]);
    int32_t before;
    do {
        before = b->cut->nearest[at];
        for (int c = 0; c < b->s->dim; c++) {
            int v = b->s->element[b->s->dim*before + c];
            for (int m = b->normals.first[v]; m < b->normals.first[v + 1]; m++) try_element(b, node, b->normals.around[m]);
        }
    } while (b->cut->nearest[at] != before);
}

// Layer by layer, until all neighbours of a layer are too far away. What its neighbours know may not be a node's nearest element,
// but is close to it.
static void spread(Known* k, const Builder* b, double reach)
{
    for (int m = 0; m < k->count; m++) {
        int from[3], low[3], high[3];
        memcpy(from, k->node[m], sizeof from);
        if (fabs(b->cut->psi[window_at(b->w, from[0], from[1], from[2])]) > reach) continue;
        for (int d = 0; d < 3; d++) low[d] = maxi(from[d] - 1, b->low[d]), high[d] = mini(from[d] + 1, b->high[d]);
        FOR_BOX(n, low, high)
        {
            if (b->cut->node[window_at(b->w, n[0], n[1], n[2])] & SHEET_NEAR) continue;
            ask_neighbours(b, n);
            memcpy(k->node[k->count++], n, sizeof n);
        }
    }
    for (int m = 0; m < k->count; m++) descend(b, k->node[m]);
}

static void end_shadow(const Known* k, const Builder* b, double shade)
{
    for (int m = 0; m < k->count; m++) {
        ptrdiff_t at = window_at(b->w, k->node[m][0], k->node[m][1], k->node[m][2]);
        if (fabs(b->cut->psi[at]) > shade) b->cut->node[at] &= (unsigned char)~SHEET_SHADOW;
    }
}

// ---- crossings --------------------------------------------------------------------------------------------------------------

static void mark(const Builder* b, const int node[3], int axis)
{
    for (int d = 0; d < 3; d++)
        if (node[d] < b->low[d] || node[d] > b->high[d]) return;
    b->cut->node[window_at(b->w, node[0], node[1], node[2])] |= (unsigned char)(SHEET_CROSSES << axis);
}

// Which side of the line from vertex a to b, seen along an axis, a point (in the other two coordinates, u and v) is on. The same
// number, but for its sign, for both elements that share the edge, so that a line of the grid passes through one of them. On the
// line itself counts as to its left, seen from the vertex of the lower number.
static bool is_left(const SheetSurface* s, int a, int b, int u, int v, double pu, double pv)
{
    bool turned = a > b;
    const double *p = s->x + 3*(turned ? b : a), *q = s->x + 3*(turned ? a : b);
    bool left = (q[u] - p[u])*(pv - p[v]) - (q[v] - p[v])*(pu - p[u]) >= 0;
    return left != turned;
}

// 2D: lines of nodes along `axis` that pass between the ends of a segment. An end on a line counts as above it.
static void cross_segment(const Builder* b, int element, int axis)
{
    int across = 1 - axis, low[3], high[3];
    const int* e = b->s->element + 2*element;
    const double *p = b->s->x + 3*e[0], *q = b->s->x + 3*e[1];
    double dx = b->w->dx;
    if (!box_around(low, high, b, element, 1)) return;
    for (int line = low[across]; line <= high[across]; line++) {
        double at = (b->w->lo[across] + line)*dx;
        if ((p[across] >= at) == (q[across] >= at)) continue;
        double t = (at - p[across])/(q[across] - p[across]), place = (p[axis] + t*(q[axis] - p[axis]))/dx - b->w->lo[axis];
        int node[3] = {0, 0, 0};
        node[across] = line, node[axis] = (int)floor(clamp(place, b->low[axis] - 1, b->high[axis] + 1));
        mark(b, node, axis);
    }
}

static void cross_triangle(const Builder* b, int element, int axis)
{
    int u = (axis + 1)%3, v = (axis + 2)%3, low[3], high[3];
    const int* e = b->s->element + 3*element;
    const double* n = b->normals.face + 3*element;
    double dx = b->w->dx;
    if (!box_around(low, high, b, element, 0) && !box_around(low, high, b, element, 1)) return;
    for (int j = low[v]; j <= high[v]; j++)
        for (int i = low[u]; i <= high[u]; i++) {
            double pu = (b->w->lo[u] + i)*dx, pv = (b->w->lo[v] + j)*dx;
            bool left[3];
            for (int c = 0; c < 3; c++) left[c] = is_left(b->s, e[c], e[(c + 1)%3], u, v, pu, pv);
            if (left[0] != left[1] || left[1] != left[2] || n[axis] == 0) continue;
            const double* x = b->s->x + 3*e[0];
            double place = (x[axis] - (n[u]*(pu - x[u]) + n[v]*(pv - x[v]))/n[axis])/dx - b->w->lo[axis];
            int node[3];
            node[u] = i, node[v] = j, node[axis] = (int)floor(clamp(place, b->low[axis] - 1, b->high[axis] + 1));
            mark(b, node, axis);
        }
}

// Nodes on different sides, both in the shadow: closed.
static void close_between_sides(const Builder* b, const Known* k)
{
    for (int m = 0; m < k->count; m++)
        for (int d = 0; d < b->w->dim; d++) {
            const int* n = k->node[m];
            if (n[d] == b->high[d]) continue;
            ptrdiff_t at = window_at(b->w, n[0], n[1], n[2]), next = at + window_stride(b->w, d);
            unsigned char both = b->cut->node[at] & b->cut->node[next];
            bool near = both & SHEET_SHADOW && fabs(b->cut->psi[at] - b->cut->psi[next]) <= 1.5*b->w->dx;
            if (near && (b->cut->psi[at] < 0) != (b->cut->psi[next] < 0)) mark(b, n, d);
        }
}

// Whatever an edge is crossed between lies on its side of the sheet, whichever point of that is nearest.
static void shade_ends(const Builder* b, const Known* k)
{
    for (int m = 0; m < k->count; m++)
        for (int d = 0; d < b->w->dim; d++) {
            const int* n = k->node[m];
            if (n[d] == b->high[d]) continue;
            ptrdiff_t at = window_at(b->w, n[0], n[1], n[2]), next = at + window_stride(b->w, d);
            if (!sheetcut_crosses(b->cut, at, d) || !(b->cut->node[next] & SHEET_NEAR)) continue;
            if ((b->cut->psi[at] < 0) != (b->cut->psi[next] < 0))
                b->cut->node[at] |= SHEET_SHADOW, b->cut->node[next] |= SHEET_SHADOW;
        }
}

// ---- all of it --------------------------------------------------------------------------------------------------------------

mn_status sheetcut_build(SheetCut* c, Arena* arena, const SheetSurface* s, const Window* w, double reach, double shade)
{
    assert(s->dim == w->dim && reach >= 0 && s->elements > 0);
    SheetSurface whole;
    TRY(sheet_past_walls(&whole, arena, s, w));
    s = &whole;
    Builder b = {.cut = c, .s = s, .w = w};
    for (int d = 0; d < 3; d++) b.low[d] = d < w->dim ? -w->ghost : 0, b.high[d] = d < w->dim ? w->n[d] + w->ghost - 1 : 0;
    Known known = {0};
    TRY(sheet_normals(&b.normals, arena, s));
    TRY_MEMORY(c->node = ARENA_ZERO(arena, unsigned char, w->count));
    TRY_MEMORY(c->psi = ARENA_NEW(arena, double, w->count));
    TRY_MEMORY(c->nearest = ARENA_NEW(arena, int32_t, w->count));
    TRY_MEMORY(known.node = arena_take(arena, sizeof *known.node*w->count));
    c->node += w->origin, c->psi += w->origin, c->nearest += w->origin;
    c->surface = whole;
    seed(&known, &b);
    spread(&known, &b, reach);
    end_shadow(&known, &b, shade);
    for (int e = 0; e < s->elements; e++)
        for (int axis = 0; axis < w->dim; axis++)
            if (w->dim == 2) cross_segment(&b, e, axis);
            else cross_triangle(&b, e, axis);
    close_between_sides(&b, &known);
    shade_ends(&b, &known);
    return MN_OK;
}

// ---- the nearest sheet ------------------------------------------------------------------------------------------------------

// Of the elements nearest to the nodes around x: the nearest, and the weights of its corners at its point nearest to x. -1: none.
static int nearest_element(double weight[3], double* distance, const SheetCut* c, const Window* w, const double x[3])
{
    int low[3] = {0, 0, 0}, best = -1;
    for (int d = 0; d < w->dim; d++) low[d] = (int)floor(clamp(x[d]/w->dx - w->lo[d], -w->ghost, w->n[d] + w->ghost - 2));
    *distance = INFINITY;
    for (int m = 0, asked = -1; m < (w->dim == 3 ? 8 : 4); m++) {
        ptrdiff_t node = window_at(w, low[0], low[1], low[2]) + window_corner(w, m);
        if (!(c->node[node] & SHEET_NEAR) || c->nearest[node] == asked) continue;
        asked = c->nearest[node];
        double here[3], away = sheet_nearest(here, &c->surface, asked, x);
        if (away < *distance) *distance = away, best = asked, memcpy(weight, here, sizeof here);
    }
    return best;
}

// Mean of a vector of the vertices with these weights.
static void weigh(double out[3], const double* vector, const SheetSurface* s, int element, const double weight[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int e = 0; e < s->dim; e++)
        for (int d = 0; d < 3; d++) out[d] += weight[e]*vector[3*(ptrdiff_t)s->element[s->dim*element + e] + d];
}

double sheetcut_nearest(double foot[3], const SheetCut* c, const Window* w, const double x[3])
{
    double weight[3], distance;
    int element = nearest_element(weight, &distance, c, w, x);
    if (element >= 0) weigh(foot, c->surface.x, &c->surface, element, weight);
    return distance;
}

double sheetcut_velocity(double v[3], const SheetCut* c, const Window* w, const double x[3])
{
    double weight[3], distance = INFINITY;
    int element = c->surface.v ? nearest_element(weight, &distance, c, w, x) : -1;
    v[0] = v[1] = v[2] = 0;
    if (element >= 0) weigh(v, c->surface.v, &c->surface, element, weight);
    return distance;
}

double sheetcut_shares(int vertex[3], double weight[3], const SheetCut* c, const Window* w, const double x[3])
{
    double distance;
    int element = nearest_element(weight, &distance, c, w, x);
    for (int e = 0; element >= 0 && e < c->surface.dim; e++) {
        int own = c->surface.element[c->surface.dim*element + e];
        vertex[e] = c->surface.of ? c->surface.of[own] : own;
    }
    return distance;
}

void sheetcut_take_velocities(SheetCut* c, const SheetSurface* sheets)
{
    assert(sheets->v && c->surface.v);
    if (!c->surface.of) return;         // they are the same array
    double* v = (double*)c->surface.v;  // its own, of sheet_past_walls
    for (int m = 0; m < c->surface.vertices; m++)
        for (int d = 0; d < 3; d++) v[3*(ptrdiff_t)m + d] = sheets->v[3*(ptrdiff_t)c->surface.of[m] + d];
}
