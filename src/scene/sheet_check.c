// What can be wrong with the sheets of a scene.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/budget.h"
#include "base/closest.h"
#include "base/unionfind.h"
#include "base/vec.h"
#include "grid/sheetnormals.h"
#include "liquid/liquid.h"
#include "scene/include.h"
#include "scene/read_sheet.h"
#include "scene/scene_sim.h"
#include "scene/sheet_moves.h"
#include "scene/source.h"
#include "thin/thin_distance.h"

static mn_status fail_sheet(mn_status status, const Scene* scene, int m, const char* what)
{
    const SceneSheet* sheet = &scene->sheets.sheet[m];
    char when[40] = "";
    if (scene->sheets.time > 0) snprintf(when, sizeof when, "at t = %.3g s: ", scene->sheets.time);
    return mn_fail(status, "%s:%d: sheets[%d] (\"%s\"): %s%s", scene_file_name(scene, sheet->line), source_line(sheet->line),
                   m + 1, sheet->name, when, what);
}

static const double* corner_of(const SheetSurface* s, int element, int c)
{
    return s->x + 3*(ptrdiff_t)s->element[s->dim*element + c];
}

// m (3D: m^2)
static double element_area(const SheetSurface* s, int element)
{
    double a[3], b[3], n[3];
    vec_sub(a, corner_of(s, element, 1), corner_of(s, element, 0));
    if (s->dim == 2) return vec_norm(a);
    vec_sub(b, corner_of(s, element, 2), corner_of(s, element, 0));
    vec_cross(n, a, b);
    return 0.5*vec_norm(n);
}

// ---- rims ------------------------------------------------------------------------------------------------------------------

// One side of a triangle; in 2D an end of a segment, low = high.
typedef struct ElementSide {
    int low, high, forward, element;
} ElementSide;

static int by_ends(const void* a, const void* b)
{
    const ElementSide *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return p->element - q->element;
}

// Sides of the elements first .. first + count - 1, equal ones next to each other; from malloc.
static ElementSide* sorted_sides(const SheetSurface* s, int first, int count)
{
    ElementSide* side = malloc((size_t)(s->dim*count)*sizeof *side);
    for (int m = 0; m < s->dim*count && side; m++) {
        int e = first + m/s->dim, c = m%s->dim, a = s->element[s->dim*e + c], b = s->element[s->dim*e + (c + 1)%s->dim];
        if (s->dim == 2) side[m] = (ElementSide){a, a, c, e};
        else side[m] = (ElementSide){mini(a, b), maxi(a, b), a < b, e};
    }
    if (side) qsort(side, (size_t)(s->dim*count), sizeof *side, by_ends);
    return side;
}

static int uses_of(const ElementSide* side, int m, int count)
{
    int n = 1;
    while (m + n < count && side[m + n].low == side[m].low && side[m + n].high == side[m].high) n++;
    return n;
}

void sheet_measure(SheetMeasure* out, const SceneSheets* sheets, int sheet)
{
    const SceneSheet* from = &sheets->sheet[sheet];
    const SheetSurface* s = &sheets->surface;
    *out = (SheetMeasure){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int e = from->first_element; e < from->first_element + from->elements; e++) {
        out->area += element_area(s, e);
        for (int c = 0; c < s->dim; c++)
            for (int d = 0; d < 3; d++) {
                double x = corner_of(s, e, c)[d];
                out->low[d] = fmin(out->low[d], x), out->high[d] = fmax(out->high[d], x);
            }
    }
    int sides = s->dim*from->elements;
    ElementSide* side = sorted_sides(s, from->first_element, from->elements);
    for (int m = 0, n; m < sides && side; m += n) {
        n = uses_of(side, m, sides);
        if (n > 1) continue;
        double way[3];
        vec_sub(way, s->x + 3*(ptrdiff_t)side[m].high, s->x + 3*(ptrdiff_t)side[m].low);
        out->rim += vec_norm(way), out->rim_ends++;
    }
    free(side);
}

// ---- each by itself --------------------------------------------------------------------------------------------------------

// A side belongs to two elements at most, which go through it in opposite directions: else the sheet has no two sides.
static mn_status check_sides(const Scene* scene, int m)
{
    const SceneSheet* sheet = &scene->sheets.sheet[m];
    int count = scene->dim*sheet->elements;
    ElementSide* side = sorted_sides(&scene->sheets.surface, sheet->first_element, sheet->elements);
    if (!side) return mn_fail(MN_NO_MEMORY, "no memory to check the sheets of %s", scene->path);
    mn_status status = MN_OK;
    for (int k = 0, n; k < count && status == MN_OK; k += n) {
        n = uses_of(side, k, count);
        if (n > 2)
            status = fail_sheet(MN_BAD_MESH, scene, m, "more than two of its pieces meet at one edge; a sheet has two sides");
        else if (n == 2 && side[k].forward == side[k + 1].forward)
            status = fail_sheet(MN_BAD_MESH, scene, m, "its sides cannot be told apart (a strip with a twist?)");
    }
    free(side);
    return status;
}

static mn_status check_open_sides(const Scene* scene, int m)
{
    char what[200];
    SheetMeasure size;
    sheet_measure(&size, &scene->sheets, m);
    for (int side = 0; side < 2*scene->dim; side++) {
        int d = side/2, high = side%2;
        double room = high ? scene->size[d] - size.high[d] : size.low[d];
        if (scene->side[side] != SIDE_OPEN || room > 2*scene->dx) continue;
        snprintf(what, sizeof what, "comes within two cells of the open side %c%c; sheets may end at walls and mirrors only",
                 high ? '+' : '-', 'x' + d);
        return fail_sheet(MN_UNSUPPORTED, scene, m, what);
    }
    return MN_OK;
}

static mn_status check_one(const Scene* scene, int m)
{
    const SceneSheet* sheet = &scene->sheets.sheet[m];
    char what[200];
    SheetMeasure size;
    if (sheet->elements == 0) return fail_sheet(MN_BAD_SCENE, scene, m, "has no elements");
    for (int e = sheet->first_element; e < sheet->first_element + sheet->elements; e++) {
        double least = pow(1e-4*scene->dx, scene->dim - 1);
        if (element_area(&scene->sheets.surface, e) > least*1e-4) continue;
        snprintf(what, sizeof what, "%s %d of it has no %s", scene->dim == 2 ? "segment" : "triangle",
                 e - sheet->first_element + 1, scene->dim == 2 ? "length" : "area");
        return fail_sheet(MN_BAD_SCENE, scene, m, what);
    }
    sheet_measure(&size, &scene->sheets, m);
    for (int d = 0; d < scene->dim; d++) {
        bool outside = size.high[d] < 0 || size.low[d] > scene->size[d];
        bool far = size.low[d] < -scene->size[d] || size.high[d] > 2*scene->size[d];
        if (outside || far) {
            snprintf(what, sizeof what, "%s: %c goes from %g to %g m, the box from 0 to %g m",
                     outside ? "lies outside the box" : "reaches further past the box than that is large", 'x' + d, size.low[d],
                     size.high[d], scene->size[d]);
            return fail_sheet(MN_BAD_SCENE, scene, m, what);
        }
    }
    TRY(check_open_sides(scene, m));
    return check_sides(scene, m);
}

// ---- pairs -----------------------------------------------------------------------------------------------------------------

// Box of an element along x, for sweeping.
typedef struct Sweep {
    double low, high;
    int element;
} Sweep;

static int by_low(const void* a, const void* b)
{
    const Sweep *p = a, *q = b;
    return p->low != q->low ? (p->low < q->low ? -1 : 1) : p->element - q->element;
}

static bool boxes_apart(const SheetSurface* s, int a, int b, double gap)
{
    for (int d = 0; d < s->dim; d++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int m = 0; m < 2; m++)
            for (int c = 0; c < s->dim; c++) {
                double x = corner_of(s, m ? b : a, c)[d];
                low[m] = fmin(low[m], x), high[m] = fmax(high[m], x);
            }
        if (low[0] > high[1] + gap || low[1] > high[0] + gap) return true;
    }
    return false;
}

// Does the side from p to q of one triangle go through another?
static bool goes_through(const SheetSurface* s, int triangle, const double p[3], const double q[3])
{
    double ab[3], ac[3], n[3], from[3], way[3], x[3], weight[3];
    vec_sub(ab, corner_of(s, triangle, 1), corner_of(s, triangle, 0));
    vec_sub(ac, corner_of(s, triangle, 2), corner_of(s, triangle, 0));
    vec_cross(n, ab, ac);
    vec_sub(from, p, corner_of(s, triangle, 0));
    vec_sub(way, q, p);
    double slope = vec_dot(n, way), t = slope != 0 ? -vec_dot(n, from)/slope : -1;
    if (t < 0 || t > 1) return false;
    for (int d = 0; d < 3; d++) x[d] = p[d] + t*way[d];
    double off = closest_on_triangle(weight, x, corner_of(s, triangle, 0), corner_of(s, triangle, 1), corner_of(s, triangle, 2));
    return off < 1e-18*(vec_dot(ab, ab) + vec_dot(ac, ac));
}

static double corner_distance(PairKind kind, const double* const v[4])
{
    double x[12], w[4];
    for (int m = 0; m < pair_vertices(kind); m++) memcpy(x + 3*m, v[m], 3*sizeof *x);
    return pair_distance(w, kind, x);
}

// m; 0 where they cross.
static double element_distance(const SheetSurface* s, int a, int b)
{
    double least = INFINITY;
    if (s->dim == 2)
        return corner_distance(PAIR_EDGE_EDGE, (const double* const[4]){corner_of(s, a, 0), corner_of(s, a, 1),
                                                                        corner_of(s, b, 0), corner_of(s, b, 1)});
    for (int m = 0; m < 2; m++) {
        int from = m ? b : a, to = m ? a : b;
        for (int c = 0; c < 3; c++) {
            const double *p = corner_of(s, from, c), *q = corner_of(s, from, (c + 1)%3);
            if (goes_through(s, to, p, q)) return 0;
            least =
                fmin(least,
                     corner_distance(PAIR_POINT_TRIANGLE,
                                     (const double* const[4]){p, corner_of(s, to, 0), corner_of(s, to, 1), corner_of(s, to, 2)}));
            for (int e = 0; e < 3 && m == 0; e++)
                least = fmin(least, corner_distance(PAIR_EDGE_EDGE, (const double* const[4]){p, q, corner_of(s, to, e),
                                                                                             corner_of(s, to, (e + 1)%3)}));
        }
    }
    return least;
}

static bool share_corner(const SheetSurface* s, int a, int b)
{
    for (int c = 0; c < s->dim; c++)
        for (int e = 0; e < s->dim; e++)
            if (s->element[s->dim*a + c] == s->element[s->dim*b + e]) return true;
    return false;
}

// Pieces that hang together (part: by vertex) may come close to each other, but not touch; others must leave room for liquid
// between them, which a grid needs to tell their sides apart.
static const double LEAST_GAP = 3;  // cells

static mn_status check_pair(const Scene* scene, int* part, int a, int b)
{
    const SheetSurface* s = &scene->sheets.surface;
    bool one = set_find(part, s->element[s->dim*a]) == set_find(part, s->element[s->dim*b]);
    double gap = (one ? 1e-6 : LEAST_GAP)*scene->dx;
    if (boxes_apart(s, a, b, gap) || share_corner(s, a, b)) return MN_OK;
    double distance = element_distance(s, a, b);
    if (distance >= gap) return MN_OK;
    int m = sheets_owner(&scene->sheets, a), n = sheets_owner(&scene->sheets, b);
    char what[200];
    if (m == n && one) return fail_sheet(MN_UNSUPPORTED, scene, m, "touches or crosses itself");
    bool touch = distance < 1e-6*scene->dx;
    snprintf(what, sizeof what, "%s sheets[%d] (\"%s\")%s", touch ? "touches or crosses" : "comes within 3 cells of",
             mini(m, n) + 1, scene->sheets.sheet[mini(m, n)].name,
             touch ? "; join what belongs together in one mesh" : ": no room for liquid between");
    return fail_sheet(MN_UNSUPPORTED, scene, maxi(m, n), what);
}

static mn_status check_pairs(const Scene* scene, int* part, Sweep* sweep)
{
    const SheetSurface* s = &scene->sheets.surface;
    for (int e = 0; e < s->elements; e++) {
        sweep[e] = (Sweep){INFINITY, -INFINITY, e};
        for (int c = 0; c < s->dim; c++) {
            double x = corner_of(s, e, c)[0];
            sweep[e].low = fmin(sweep[e].low, x), sweep[e].high = fmax(sweep[e].high, x);
        }
    }
    qsort(sweep, (size_t)s->elements, sizeof *sweep, by_low);
    for (int m = 0; m < s->elements; m++) {
        TRY(budget_check(scene->path));
        for (int n = m + 1; n < s->elements && sweep[n].low <= sweep[m].high + LEAST_GAP*scene->dx; n++)
            TRY(check_pair(scene, part, sweep[m].element, sweep[n].element));
    }
    return MN_OK;
}

// ---- sides -----------------------------------------------------------------------------------------------------------------

// Which parts (by root vertex) must be turned round: parent, and whether turned against it.
typedef struct Turns {
    int* parent;
    bool* turned;
} Turns;

static int turns_find(Turns* t, int a, bool* turned)
{
    *turned = false;
    for (; t->parent[a] != a; a = t->parent[a]) *turned ^= t->turned[a];
    return a;
}

// Parts a and b are to be the same way round, or opposite ways; false: they are not already.
static bool turns_join(Turns* t, int a, int b, bool opposite)
{
    bool of_a, of_b;
    int p = turns_find(t, a, &of_a), q = turns_find(t, b, &of_b);
    if (p == q) return (of_a != of_b) == opposite;
    t->parent[maxi(p, q)] = mini(p, q), t->turned[maxi(p, q)] = of_a ^ of_b ^ opposite;
    return true;
}

// Two sheets face each other across a gap: halfway between two nodes of the grid the nearest changes from one to the other. The
// gap must be on the same side of both, or nodes of one liquid would be seen as behind a sheet. Nearer than `near` a
// contradiction is an error, further it does no harm.
static mn_status join_facing(Turns* turns, const Scene* scene, const SheetCut* c, const Window* w, int* part, double least,
                             double near)
{
    const SheetSurface* s = &scene->sheets.surface;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++)
                for (int d = 0; d < w->dim; d++) {
                    ptrdiff_t at = window_at(w, i, j, k), next = at + window_stride(w, d);
                    if (!(c->node[at] & c->node[next] & SHEET_SHADOW) || sheetcut_crosses(c, at, d)) continue;
                    double depth = fmax(fabs(c->psi[at]), fabs(c->psi[next]));
                    bool beyond = c->nearest[at] >= s->elements || c->nearest[next] >= s->elements;
                    if (beyond || depth > near || depth <= least || fabs(c->psi[at]) + fabs(c->psi[next]) < 2*w->dx) continue;
                    int a = set_find(part, s->element[s->dim*c->nearest[at]]),
                        b = set_find(part, s->element[s->dim*c->nearest[next]]);
                    bool differ = (c->psi[at] < 0) != (c->psi[next] < 0);
                    if (a == b && !differ) continue;
                    if (turns_join(turns, a, b, differ) || least > 0) continue;
                    int m = sheets_owner(&scene->sheets, c->nearest[at]), n = sheets_owner(&scene->sheets, c->nearest[next]);
                    char what[200];
                    snprintf(what, sizeof what,
                             "across a gap of %.3g cells one of its sides faces the other side of %s%s%s; a gap must be wider "
                             "than %.0f cells then",
                             (fabs(c->psi[at]) + fabs(c->psi[next]))/w->dx, m == n ? "itself" : "\"",
                             m == n ? "" : scene->sheets.sheet[mini(m, n)].name, m == n ? "" : "\"", 2*near/w->dx);
                    return fail_sheet(MN_UNSUPPORTED, scene, maxi(m, n), what);
                }
    return MN_OK;
}

static void turn_round(SheetSurface* s, int* element, Turns* turns, int* part)
{
    for (int e = 0; e < s->elements; e++) {
        bool turned;
        int* c = element + s->dim*(ptrdiff_t)e;
        turns_find(turns, set_find(part, c[0]), &turned);
        int last = c[s->dim - 1];
        if (turned) c[s->dim - 1] = c[s->dim - 2], c[s->dim - 2] = last;
    }
}

// Only at the start may parts be turned round: later they must agree as they are.
static mn_status check_facing(Scene* scene, Arena* arena, int* part)
{
    SheetSurface* s = &scene->sheets.surface;
    Tank tank = scene_tank(scene);
    Window w = window_whole(&tank);
    SheetCut cut;
    Turns turns = {ARENA_NEW(arena, int, s->vertices), ARENA_ZERO(arena, bool, s->vertices)};
    TRY_MEMORY(turns.parent);
    TRY_MEMORY(turns.turned);
    bool may_turn = scene->sheets.time == 0;
    for (int v = 0; v < s->vertices; v++) turns.parent[v] = may_turn ? v : 0;
    double shade = (BAND + SHEETS_SHADE)*w.dx, reach = shade + SHEETS_PLANE*w.dx;  // as of a liquid
    TRY(sheetcut_build(&cut, arena, s, &w, reach, reach));
    TRY(join_facing(&turns, scene, &cut, &w, part, 0, shade));
    TRY(join_facing(&turns, scene, &cut, &w, part, shade, reach));
    if (may_turn) turn_round(s, scene->sheets.element, &turns, part);
    return MN_OK;
}

// What is needed to look at all of them together.
typedef struct Together {
    Arena* arena;
    int* part;  // per vertex: sets of those that hang together
    Sweep* sweep;
} Together;

static mn_status begin_together(Together* t, const SheetSurface* s)
{
    TRY_MEMORY(t->part = ARENA_NEW(t->arena, int, s->vertices));
    TRY_MEMORY(t->sweep = ARENA_NEW(t->arena, Sweep, s->elements));
    for (int v = 0; v < s->vertices; v++) t->part[v] = v;
    for (int e = 0; e < s->elements; e++)
        for (int c = 1; c < s->dim; c++) set_join(t->part, s->element[s->dim*e], s->element[s->dim*e + c]);
    return MN_OK;
}

static mn_status check_together(Scene* scene)
{
    Arena arena = {0};
    Together t = {.arena = &arena};
    mn_status status = begin_together(&t, &scene->sheets.surface);
    if (status == MN_OK) status = check_pairs(scene, t.part, t.sweep);
    if (status == MN_OK) status = check_facing(scene, &arena, t.part);
    arena_free(&arena);
    return status;
}

static mn_status check_then(Scene* scene, void* unused)
{
    (void)unused;
    for (int m = 0; m < scene->sheets.count; m++) TRY(check_open_sides(scene, m));
    // one alone keeps its form
    return scene->sheets.count > 1 ? check_together(scene) : MN_OK;
}

static mn_status nudge(Scene* scene)
{
    Arena arena = {0};
    mn_status status = sheets_nudge(scene, &arena);
    arena_free(&arena);
    return status;
}

mn_status sheets_check(Scene* scene)
{
    if (scene->sheets.count == 0) return MN_OK;
    TRY(sheets_start(scene));
    for (int m = 0; m < scene->sheets.count; m++) TRY(check_one(scene, m));
    TRY(nudge(scene));
    TRY(check_together(scene));
    return sheets_look_ahead(scene, check_then, NULL);
}
