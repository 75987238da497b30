// Contact with solids, whose skins lie anywhere between the nodes: phi inside them, and lines that stick to them.
#include <assert.h>
#include <math.h>
#include <string.h>
#include "grid/contact_line.h"
#include "grid/interpolate.h"

// A node right under the skin would mirror itself, so it looks FIRST cells out at least.
static const double FIRST = 1;
// A node less than ON_SKIN cells above the skin, beside a surface that comes down steeply, is drawn to what goes on to the skin:
// the more, the nearer the skin and the steeper the surface; not at all at 60 degrees and less, or 120 and more. Left to itself
// it rode on alone: the continuation below it looks FIRST cells out and does not see it. Drops of 75 to 110 degrees on a plate
// on a plane of the grid or just below one were thrown about at their capillary speed (test_plate_drops.c). Both numbers are
// chosen; a tenth of the weight stills them, too. Beside bodies nothing is drawn (Contact.has_bodies).
static const double ON_SKIN = 0.3;
static inline double drawn_part(double above, double cosine)  // above: cells
{
    return max2(1 - above/ON_SKIN, 0)*max2(1 - 4*cosine*cosine, 0);
}
// With hysteresis the angle is that between the line as it was held and the surface LEVER cells above it, where the cubic does
// not read the nodes that are set here.
static const double LEVER = 1.5;
// Without it the angle is the one that the surface has between these heights.
static const double LOWER = 1, UPPER = 2;
// The cubics near the skin read nodes inside, which this sets: each pass reads what the one before has set.
enum { PASSES = 4 };

// A node in or next to a solid. What the passes have in common is found once.
typedef struct SkinNode {
    ptrdiff_t at;
    int node[3];            // the same, from the window's corner
    const EdgePoint* edge;  // that rules here; NULL: none
    double skin[3], N[3];   // as in Line
    double inside;          // m below the skin; < 0 above it
    bool rides;             // right above it and with the flow: drawn to what goes on (below), once that stands
    Wanted wanted;
    bool is_wanted;    // has been asked for
    double k1;         // as in Line
    bool is_measured;  // and what it was measured on does not change from pass to pass
    double value;
} SkinNode;

typedef struct Extension {
    const double *phi, *phi_s;
    const double* before;   // where a line that is held was
    const double* carried;  // and where it would be by the flow alone; NULL: as phi
    const Spans* spans;
    const Window* w;
    double depth;  // m below the skin
    const Contact* contact;
    const Holding* holding;
    const unsigned char* unsettled;  // as in Line: the nodes that are set
} Extension;

static inline void point_above(double x[3], const Line* l, double height, const int dim)
{
    for (int d = 0; d < dim; d++) x[d] = l->skin[d] + height*l->N[d];
}

// phi on the skin as the surface was held there. At the start it goes on straight from phi outside: what a scene's shapes are
// inside solids is no surface.
static inline double held_on_skin(const Line* l, const Extension* e, const double* before, const int dim)
{
    if (!e->holding->at_start) return interpolate_cubic(NULL, before, l->w, dim, l->skin);
    double x[3] = {0}, y[3] = {0};
    point_above(x, l, 1, dim), point_above(y, l, 2, dim);
    return 2*node_value(e->before, l->w, x) - node_value(e->before, l->w, y);
}

// A line that is led to an end of its interval goes no further than that along the skin, from where the flow has carried it.
static inline double led_along(double led, double carried, const Line* l, const Extension* e, const int dim)
{
    double g[3] = {0}, rise = 0, square = 0;
    interpolate_cubic(g, e->before, l->w, dim, l->skin);
    for (int d = 0; d < dim; d++) rise += g[d]*l->N[d], square += g[d]*g[d];
    double along = min2(sqrt(max2(square - rise*rise, 0)), l->w->dx);  // slope of phi along the skin, m per cell
    double most = e->holding->led*along;
    return clamp(led, carried - most, carried + most);
}

// Within so many cells along the skin a line would be seen.
static const double LINE_REACH = 4;
// And within so many, the way along the skin leads out of the liquid above a line.
enum { LINE_BEYOND = 16 };
// Where the skin has bent away by this much (cells) it is another face.
static const double STILL_SKIN = 0.5;

// Does the liquid end within LINE_BEYOND cells along the skin, one way or the other? x: a place above it, T: unit, along it.
static inline bool ends_along(const Line* l, const double* phi_s, const double x[3], const double T[3])
{
    double above = node_value(phi_s, l->w, x);
    for (int way = -1; way <= 1; way += 2)
        for (int s = 1; s <= LINE_BEYOND; s++) {
            double y[3];
            for (int d = 0; d < 3; d++) y[d] = x[d] + way*s*T[d];
            if (!(fabs(node_value(phi_s, l->w, y) - above) < STILL_SKIN*l->w->dx)) break;
            if (node_value(l->phi, l->w, y) > 0) return true;
        }
    return false;
}

// Does liquid cover the skin here, while phi falls off it along its normal: is the surface one inside the solid, that lies along
// the skin and meets it nowhere near? Nobody has made it. Continued at the angle it has it stayed there, crept out by hundredths
// of a cell per step, and the liquid had left the wall: a drop hanging from a hole of 110 degrees was thrown about after forty
// steps. (Under a drop of 135 degrees and more that stands on the skin a surface lies along it, too, and it is the drop's own:
// taken for none in the middle of the base, phi jumped there by a cell or two from node to node, some cells from the line, and
// drops at rest were thrown about at up to their capillary speed.) x: t cells above the skin, where phi is f.
static inline bool covers_skin(const Line* l, const double* phi_s, const double x[3], double f, double t, const int dim)
{
    double g[3] = {0}, T[3] = {0}, across = 0, square = 0;
    interpolate_cubic(g, l->phi, l->w, dim, x);
    for (int d = 0; d < dim; d++) across += g[d]*l->N[d], square += g[d]*g[d];
    double along = sqrt(max2(square - across*across, 0)), depth = t*across - f;
    if (!(across < 0 && depth > LINE_REACH*along && along < LEAST_SLOPE_ALONG*l->w->dx)) return false;
    if (!(along > 0)) return true;
    for (int d = 0; d < dim; d++) T[d] = (g[d] - across*l->N[d])/along;
    return !ends_along(l, phi_s, x, T);
}

// The cosine at which the surface comes down to the skin.
static inline double cosine_above(const Line* l, Wanted wanted, const int dim)
{
    Wanted any = line_free(wanted);
    double x[3] = {0}, y[3] = {0};
    point_above(x, l, LOWER, dim), point_above(y, l, UPPER, dim);
    double below = interpolate_cubic(NULL, l->phi, l->w, dim, x), above = interpolate_cubic(NULL, l->phi, l->w, dim, y);
    double cosine = clamp(line_cosine_through(l, below, LOWER, above, UPPER), any.low, any.high), flat = line_flat(wanted);
    // liquid that comes down on a skin touches it: where air between the two is none, phi goes on as liquid
    double on_skin = line_continued(l, below, LOWER, 0, cosine)/l->w->dx;
    bool none = below < 0 && on_skin > 0 && on_skin < THINNEST_AIR && cosine < -sqrt(1 - flat*flat);
    return none ? -cosine : cosine;
}

// k1 of the line. Most are seen from so far off the skin that the passes change nothing of it.
static inline void measure(Line* l, SkinNode* n)
{
    if (n->is_measured) l->k1 = n->k1;
    else {
        line_measure(l);
        n->k1 = l->k1, n->is_measured = l->lasts;
    }
}

// phi at a node, where it is `now`.
static inline double value_inside(Line* l, SkinNode* n, const Extension* e, double now, const int dim)
{
    const EdgePoint* edge = n->edge;
    double depth = n->inside/l->w->dx, t = max2(depth, FIRST), x[3] = {0};
    point_above(x, l, t, dim);
    double f = node_value(l->phi, l->w, x);
    if (!line_is_near(f, l->w)) return depth > 0 ? f : now;
    if (!n->is_wanted) n->wanted = line_wanted(l, e->contact), n->is_wanted = true;
    Wanted wanted = n->wanted;
    bool holds = edge || wanted.low < wanted.high;
    if (!holds && !(depth > -ON_SKIN)) return now;
    if (covers_skin(l, e->phi_s, x, f, t, dim)) return depth > 0 ? f : now;
    if (edge) wanted = (Wanted){-1, 1};  // a line that rests on an edge may have any: that was asked when the edge was found
    measure(l, n);
    if (!holds) {
        double cosine = cosine_above(l, wanted, dim), below = interpolate_cubic(NULL, l->phi, l->w, dim, x),
               value = line_continued(l, below, t, depth, cosine);
        return depth > 0 ? value : now + drawn_part(-depth, cosine)*(value - now);
    }
    double y[3] = {0};
    point_above(y, l, LEVER, dim);
    const double* before = !edge && e->holding->with_skins ? e->holding->with_skins : e->before;
    double above = interpolate_cubic(NULL, l->phi, l->w, dim, y), on_skin = held_on_skin(l, e, before, dim);
    if (edge) on_skin = edge_on_face(edge, on_skin - edge->off, l->skin, l->N, l->w);
    double cosine = clamp(line_cosine_through(l, on_skin, 0, above, LEVER), wanted.low, wanted.high);
    double value = line_continued(l, above, LEVER, depth, cosine);
    bool rests = edge || (cosine > wanted.low && cosine < wanted.high);
    if (depth < LEVER) return rests || !e->carried ? value : led_along(value, now, l, e, dim);
    return line_continued(l, interpolate_cubic(NULL, l->phi, l->w, dim, x), t, depth, cosine);
}

// An edge rules as far as its faces go on: around a small ball, which is as good as an edge where the line is, they do not. (One
// point of a ball of 2.7 cells made half of it dry that was wet, with an eighth of the liquid, in a step however short.)
static inline bool edge_reaches(const EdgePoint* edge, const double skin[3])
{
    const double BENT = 0.25;  // cells
    double r[3];
    vec_sub(r, skin, edge->x);
    return min2(fabs(vec_dot(r, edge->wet)), fabs(vec_dot(r, edge->dry))) < BENT;
}

// The nodes of a row that the surface is continued to, as far as the solid tells. Counts them when out is NULL.
static int skin_nodes_of_row(SkinNode* out, const Extension* e, int r)
{
    const Window* w = e->w;
    const Holding* h = e->holding;
    double above = h->on_faces ? w->dx : e->contact->has_bodies ? 0 : ON_SKIN*w->dx;
    int j = r%e->spans->rows_y, k = r/e->spans->rows_y, count = 0;
    SPAN_LOOP(e->spans, r, q)
        for (int i = e->spans->span[q].i0; i < e->spans->span[q].i1; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            double inside = -e->phi_s[at];
            if (!(inside > -w->dx) || inside > e->depth) continue;
            SkinNode n = {.at = at, .node = {i, j, k}, .edge = edges_at(h->edges, at), .skin = {i, j, k}, .inside = inside};
            if (n.edge ? !h->before && !h->at_start : h->edges_only) continue;
            if (!n.edge && !(inside > -above)) continue;
            node_normal(n.N, e->phi_s, w, at);
            for (int d = 0; d < w->dim; d++) n.skin[d] += inside/w->dx*n.N[d];
            if (n.edge && !edge_reaches(n.edge, n.skin)) {
                n.edge = NULL;
                if (h->edges_only || !(inside > -above)) continue;
            }
            n.rides = !n.edge && !h->on_faces && !(inside > 0);
            if (out) out[count] = n;
            count++;
        }
    return count;
}

static mn_status find_skin_nodes(SkinNode** node, int* count, const Extension* e, Arena* arena)
{
    int rows = e->spans->rows, *first = ARENA_NEW(arena, int, rows + 1);
    TRY_MEMORY(first);
    first[0] = 0;
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(e->spans))
    for (int r = 0; r < rows; r++) first[r + 1] = skin_nodes_of_row(NULL, e, r);
    for (int r = 0; r < rows; r++) first[r + 1] += first[r];
    *count = first[rows];
    TRY_MEMORY(*node = ARENA_NEW(arena, SkinNode, *count));
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(e->spans))
    for (int r = 0; r < rows; r++)
        if (first[r + 1] > first[r]) skin_nodes_of_row(*node + first[r], e, r);
    return MN_OK;
}

static inline void continue_to(SkinNode* n, const Extension* e, const int dim)
{
    n->value = e->phi[n->at];
    if (n->inside <= 0 && !line_is_near(e->phi[n->at], e->w)) return;
    Line l = {.phi = e->phi,
              .w = e->w,
              .skin = {n->skin[0], n->skin[1], n->skin[2]},
              .N = {n->N[0], n->N[1], n->N[2]},
              .unsettled = e->unsettled};
    n->value = value_inside(&l, n, e, (e->carried ? e->carried : e->phi)[n->at], dim);
}

// Do ghosts depend on the nodes that are set? Not if all of those are further from the sides, and no wall has lines, which look
// further.
static bool ghosts_change(const SkinNode* node, int count, const Window* w, const Contact* contact)
{
    for (int side = 0; side < 2*w->dim; side++)
        if (w->side[side] == SIDE_IS_WALL && !(contact->right_sides >> side & 1)) return true;
    for (int m = 0; m < count; m++)
        for (int d = 0; d < w->dim; d++)
            if (node[m].node[d] <= w->ghost || node[m].node[d] >= w->n[d] - w->ghost) return true;
    return false;
}

// A cubic from node (i, j, k) on reads i to i + 3 and so on.
static mn_status mark_unsettled(Extension* e, const SkinNode* node, int count, Arena* arena)
{
    const Window* w = e->w;
    unsigned char* block = ARENA_ZERO(arena, unsigned char, w->count);
    TRY_MEMORY(block);
    block += w->origin, e->unsettled = block;
    for (int m = 0; m < count; m++) {
        const int* at = node[m].node;
        if (node[m].rides) continue;
        int a = maxi(at[0] - 3, 0), b = maxi(at[1] - 3, 0), c = w->dim == 3 ? maxi(at[2] - 3, 0) : 0;
        for (int k = c; k <= at[2]; k++)
            for (int j = b; j <= at[1]; j++) memset(block + window_at(w, a, j, k), 1, (size_t)(at[0] - a + 1));
    }
    return MN_OK;
}

mn_status contact_extend(double* phi, Arena* arena, const double* phi_s, const Spans* spans, const Window* w, double depth,
                         const Contact* contact, const Holding* holding)
{
    assert(phi && phi_s && phi != phi_s && depth > 0);
    assert(spans_is_valid(spans, w) && holding->before != phi);
    double* start = NULL;
    if (!holding->before || holding->on_faces) TRY_MEMORY(start = window_copy(arena, phi, w));
    const double *before = holding->before ? holding->before : start, *carried = holding->on_faces ? start : NULL;
    Extension e = {phi, phi_s, before, carried, spans, w, depth, contact, holding, NULL};
    SkinNode* node;
    int count;
    TRY(find_skin_nodes(&node, &count, &e, arena));
    TRY(mark_unsettled(&e, node, count, arena));
    bool exchanges = ghosts_change(node, count, w, contact);
    WallColumns* columns;
    TRY(wallcolumns_new(&columns, arena, w, contact));
    for (int pass = 0; pass < PASSES; pass++) {
        bool last = pass == PASSES - 1;
#pragma omp parallel for schedule(dynamic, 64) if (spans_parallel(spans))
        for (int m = 0; m < count; m++) {
            if (!last && node[m].rides) continue;
            if (w->dim == 3) continue_to(&node[m], &e, 3);
            else continue_to(&node[m], &e, 2);
        }
        for (int m = 0; m < count; m++) {
            if (!last && node[m].rides) continue;
            if (columns && !(phi[node[m].at] == node[m].value)) wallcolumns_note_change(columns, node[m].at);
            phi[node[m].at] = node[m].value;
        }
        if (exchanges && pass < PASSES - 1) levelset_exchange_again(phi, w, contact, columns, CONTACT_READS);
    }
    levelset_exchange_again(phi, w, contact, columns, EVERY_LAYER);
    return MN_OK;
}
