// Contact with solids, whose skins lie anywhere between the nodes: phi inside them, and lines that stick to them.
#include <assert.h>
#include <math.h>
#include "grid/contact_line.h"
#include "grid/interpolate.h"

// A node right under the skin would mirror itself, so it looks FIRST cells out at least.
static const double FIRST = 1;
// With hysteresis the angle is that between the line as it was held and the surface LEVER cells above it, where the cubic does
// not read the nodes that are set here.
static const double LEVER = 1.5;
// Without it the angle is the one that the surface has between these heights.
static const double LOWER = 1, UPPER = 2;
// The cubics near the skin read nodes inside, which this sets: each pass reads what the one before has set.
enum { PASSES = 4 };

// One pass over the nodes in and next to solids.
typedef struct Extension {
    double* out;
    const double *phi, *phi_s;
    const double* before;   // where a line that is held was
    const double* carried;  // and where it would be by the flow alone; NULL: as phi
    const Spans* spans;
    const Window* w;
    double depth;  // m below the skin
    const Contact* contact;
    const Holding* holding;
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

// Does liquid cover the skin here, while phi falls off it along its normal: is the surface one inside the solid, that lies along
// the skin and meets it nowhere near? Nobody has made it. Continued at the angle it has it stayed there, crept out by hundredths
// of a cell per step, and the liquid had left the wall: a drop hanging from a hole of 110 degrees was thrown about after forty
// steps. x: t cells above the skin, where phi is f.
static inline bool covers_skin(const Line* l, const double x[3], double f, double t, const int dim)
{
    double g[3] = {0}, across = 0, square = 0;
    interpolate_cubic(g, l->phi, l->w, dim, x);
    for (int d = 0; d < dim; d++) across += g[d]*l->N[d], square += g[d]*g[d];
    double along = sqrt(max2(square - across*across, 0)), depth = t*across - f;
    return across < 0 && depth > LINE_REACH*along && along < LEAST_SLOPE_ALONG*l->w->dx;
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

// phi at a node `depth` cells below its point of the skin (< 0: above it), where phi is `now`. edge: the one that rules there.
static inline double value_inside(Line* l, const Extension* e, double depth, double now, const EdgePoint* edge, const int dim)
{
    double t = max2(depth, FIRST), x[3] = {0};
    point_above(x, l, t, dim);
    double f = node_value(l->phi, l->w, x);
    if (!line_is_near(f, l->w)) return depth > 0 ? f : now;
    Wanted wanted = line_wanted(l, e->contact);
    bool holds = edge || wanted.low < wanted.high;
    if (!holds && !(depth > 0)) return now;
    if (covers_skin(l, x, f, t, dim)) return depth > 0 ? f : now;
    if (edge) wanted = (Wanted){-1, 1};  // a line that rests on an edge may have any: that was asked when the edge was found
    line_measure(l);
    if (!holds) return line_continued(l, interpolate_cubic(NULL, l->phi, l->w, dim, x), t, depth, cosine_above(l, wanted, dim));
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

static inline void extend_row(const Extension* e, int r, const int dim)
{
    const Window* w = e->w;
    const Holding* h = e->holding;
    int j = r%e->spans->rows_y, k = r/e->spans->rows_y;
    SPAN_LOOP(e->spans, r, q)
        for (int i = e->spans->span[q].i0; i < e->spans->span[q].i1; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            const EdgePoint* edge = edges_at(h->edges, at);
            if (edge ? !h->before && !h->at_start : h->edges_only) continue;
            double inside = -e->phi_s[at], outside = edge || h->on_faces ? w->dx : 0;
            if (!(inside > -outside) || inside > e->depth || (inside <= 0 && !line_is_near(e->phi[at], w))) continue;
            Line l = {.phi = e->phi, .w = w, .skin = {i, j, k}};
            node_normal(l.N, e->phi_s, w, at);
            for (int d = 0; d < dim; d++) l.skin[d] += inside/w->dx*l.N[d];
            e->out[at] = value_inside(&l, e, inside/w->dx, (e->carried ? e->carried : e->phi)[at], edge, dim);
        }
}

mn_status contact_extend(double* phi, Arena* arena, const double* phi_s, const Spans* spans, const Window* w, double depth,
                         const Contact* contact, const Holding* holding)
{
    assert(phi && phi_s && phi != phi_s && depth > 0);
    assert(spans_is_valid(spans, w) && holding->before != phi);
    double *old = window_copy(arena, phi, w), *start = NULL;
    TRY_MEMORY(old);
    if (!holding->before || holding->on_faces) TRY_MEMORY(start = window_copy(arena, phi, w));
    const double *before = holding->before ? holding->before : start, *carried = holding->on_faces ? start : NULL;
    Extension e = {phi, old, phi_s, before, carried, spans, w, depth, contact, holding};
    for (int pass = 0; pass < PASSES; pass++) {
        window_copy_to(old, phi, w);
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++)
            if (w->dim == 3) extend_row(&e, r, 3);
            else extend_row(&e, r, 2);
        levelset_exchange(phi, w, contact, pass < PASSES - 1 ? CONTACT_READS : EVERY_LAYER);
    }
    return MN_OK;
}
