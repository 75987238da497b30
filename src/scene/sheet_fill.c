// Shapes that end at a sheet, as a cup's coffee does, are written with the sheet's own numbers. Behind it nothing is left of
// them.
#include "scene/sheet_fill.h"

#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"

// Steps along the axes from the nodes deep in the liquid; past `most` nobody counts.
typedef struct Steps {
    const Window* w;
    const SheetCut* cut;  // no step goes through a sheet; NULL: there is none
    int most;
    unsigned char* count;  // by node, shifted
    ptrdiff_t* queue;
} Steps;

static bool is_in(const Window* w, ptrdiff_t at, int d, int step)
{
    ptrdiff_t from = at + w->origin;
    ptrdiff_t k = w->dim == 3 ? from/w->sz : 0, rest = w->dim == 3 ? from%w->sz : from,
              place[3] = {rest%w->sy, rest/w->sy, k};
    ptrdiff_t next = place[d] - w->ghost + step;
    return next >= 0 && next <= w->n[d];
}

static void count_steps(Steps* s, const double* phi, double deep)
{
    const Window* w = s->w;
    ptrdiff_t waiting = 0;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                s->count[at] = (unsigned char)(phi[at] < -deep ? 0 : s->most);
                if (s->count[at] == 0) s->queue[waiting++] = at;
            }
    for (ptrdiff_t m = 0; m < waiting; m++)
        for (int d = 0; d < w->dim; d++)
            for (int step = -1; step <= 1; step += 2) {
                ptrdiff_t at = s->queue[m], next = at + step*window_stride(w, d);
                if (!is_in(w, at, d, step) || s->count[at] + 1 >= s->count[next]) continue;
                if (s->cut && sheetcut_crosses(s->cut, step < 0 ? next : at, d)) continue;
                s->count[next] = (unsigned char)(s->count[at] + 1), s->queue[waiting++] = next;
            }
}

static mn_status steps_make(Steps* s, Arena* arena, const double* phi, const Window* w, const SheetCut* cut)
{
    *s = (Steps){.w = w, .cut = cut, .most = 3*(BAND + w->wider)};
    TRY_MEMORY(s->count = ARENA_NEW(arena, unsigned char, w->count));
    TRY_MEMORY(s->queue = ARENA_NEW(arena, ptrdiff_t, w->count));
    s->count += w->origin;
    count_steps(s, phi, 0.5*w->dx);
    return MN_OK;
}

// A way round the rim that is longer than the one through the sheet by this many steps is no way: there is no liquid on this
// side.
enum { DETOUR = 4 };

// Where no liquid can be reached: dry.
static mn_status dry_behind(Liquid* q, Arena* arena, const SheetCut* cut)
{
    const Window* w = &q->w;
    Steps through, around;
    TRY(steps_make(&through, arena, q->phi.v, w, NULL));
    TRY(steps_make(&around, arena, q->phi.v, w, cut));
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (around.count[at] > through.count[at] + DETOUR) q->phi.v[at] = liquid_band(q);
            }
    return MN_OK;
}

// ---- liquid that ends at a sheet -------------------------------------------------------------------------------------------

// Does the shape end at the sheet, within half a cell: liquid in front of `foot` (m), none behind? n: out of the sheet.
static bool ends_here(const Filling* f, const double foot[3], const double n[3], double dx)
{
    double front[3], back[3];
    for (int d = 0; d < 3; d++) front[d] = foot[d] + 1.5*dx*n[d], back[d] = foot[d] - dx*n[d];
    return fabs(f->distance(f->shape, foot)) <= 0.5*dx && f->distance(f->shape, back) >= 0.6*dx &&
           f->distance(f->shape, front) < 0;
}

// Is the end of the shape that is nearest to x (m) one at a sheet, within half a cell? Then there is no surface.
static bool nearest_is_end(const Filling* f, const SheetCut* cut, const Window* w, const double x[3])
{
    double slope[3] = {0, 0, 0}, end[3], foot[3], step = 0.05*w->dx;
    for (int d = 0; d < w->dim; d++) {
        double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
        a[d] -= step, b[d] += step;
        slope[d] = (f->distance(f->shape, b) - f->distance(f->shape, a))/(2*step);
    }
    double length = fmax(vec_norm(slope), 1e-6), distance = f->distance(f->shape, x);
    for (int d = 0; d < 3; d++) end[d] = x[d] - distance*slope[d]/length;
    return sheetcut_nearest(foot, cut, w, end) <= 0.5*w->dx;
}

// A surface other than the one at the sheet, read this far out (cells) and one further, and continued straight on to `height`
// cells above the sheet (below it: negative). Where the end at the sheet is the nearest that is read there is no other.
static double other_surface(const double* phi, const Window* w, const double foot[3], const double n[3], double height,
                            double band)
{
    static const double NEAR = 3, FAR = 4, SURE = 0.6;
    double read[2];
    for (int m = 0; m < 2; m++) {
        double x[3] = {0, 0, 0};
        for (int d = 0; d < w->dim; d++) x[d] = clamp(foot[d]/w->dx - w->lo[d] + (m == 0 ? NEAR : FAR)*n[d], 0, w->n[d]);
        read[m] = interpolate_at(phi, w, x[0], x[1], x[2])/w->dx;
    }
    if (read[0] < SURE - NEAR || read[1] < SURE - FAR) return -band;
    return clamp((read[0] + (read[0] - read[1])*(NEAR - height))*w->dx, -band, band);
}

// In the corner of a cup the normals of psi are those of neither side, and no foot tells that the shape ends at both. A node
// whose nearest end is one at a sheet, with no surface within two cells along the axes, has none near: what is left of the
// corner there would be a bubble as soon as the cup moves.
static bool is_in_corner(const Filling* f, const SheetCut* cut, const Window* w, const double x[3])
{
    if (!(f->distance(f->shape, x) < 0) || !nearest_is_end(f, cut, w, x)) return false;
    for (int d = 0; d < w->dim; d++)
        for (int step = -2; step <= 2; step += 4) {
            double y[3] = {x[0], x[1], x[2]};
            y[d] += step*w->dx;
            if (f->distance(f->shape, y) > 0 && !nearest_is_end(f, cut, w, y)) return false;
        }
    return true;
}

// The liquid goes on through the sheet that it ends at: its own nodes, and what it is continued by behind.
static void go_on(Liquid* q, const double* from, const SheetCut* cut, const Filling* f, const int node[3])
{
    static const double DEEP = 4;  // cells
    const Window* w = &q->w;
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
    if (!(cut->node[at] & SHEET_SHADOW) || fabs(cut->psi[at]) > DEEP*w->dx) return;
    double slope[3], x[3], foot[3], band = liquid_band(q);
    for (int d = 0; d < 3; d++) slope[d] = d < w->dim ? sheet_direction(cut, w, at, d) : 0;
    double length = fmax(vec_norm(slope), 1e-6);
    window_position(x, w, node[0], node[1], node[2]);
    for (int d = 0; d < 3; d++) slope[d] /= length, foot[d] = x[d] - cut->psi[at]*slope[d];
    // distances made anew have felt the end at the sheet also where the shape ends elsewhere
    bool is_dry = q->phi.v[at] == band;
    if (!is_dry) q->phi.v[at] = is_in_corner(f, cut, w, x) ? -band : clamp(f->distance(f->shape, x), -band, band);
    for (int sign = -1; sign <= 1; sign += 2) {
        double n[3] = {sign*slope[0], sign*slope[1], sign*slope[2]}, height = sign*cut->psi[at]/w->dx;
        if (!ends_here(f, foot, n, w->dx)) continue;
        bool own = (cut->psi[at] < 0) == (sign < 0);
        (own ? &q->phi : &q->phi_far)->v[at] = other_surface(from, w, foot, n, height, band);
    }
}

mn_status sheets_cut_shape(Liquid* q, Arena* arena, const SheetSurface* sheets, const Filling* filling)
{
    const Window* w = &q->w;
    SheetCut cut;
    double shade = liquid_band(q) + SHEETS_SHADE*w->dx;
    TRY(sheetcut_build(&cut, arena, sheets, w, shade, shade));
    TRY(liquid_add_far(q));
    TRY(dry_behind(q, arena, &cut));
    // twice: in the corner of a cup the other surface that is read may be the end at the bottom
    for (int round = 0; round < 2; round++) {
        nodes_exchange(q->phi.v, w, EVERY_LAYER);
        const double* from = window_copy(arena, q->phi.v, w);
        TRY_MEMORY(from);
        for (int k = 0; k < window_node_layers(w); k++)
            for (int j = 0; j <= w->n[1]; j++)
                for (int i = 0; i <= w->n[0]; i++) go_on(q, from, &cut, filling, (int[3]){i, j, k});
    }
    nodes_exchange(q->phi.v, w, EVERY_LAYER);
    nodes_exchange(q->phi_far.v, w, EVERY_LAYER);
    return MN_OK;
}
