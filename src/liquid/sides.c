#include "liquid/sides.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"

static const int SIGN[2] = {1, -1};

// ---- whose a node or a face is ------------------------------------------------------------------------------------------

// +1, -1, or 0: of both.
static int side_of_node(const SheetCut* c, ptrdiff_t at) { return !(c->node[at] & SHEET_SHADOW) ? 0 : c->psi[at] < 0 ? -1 : 1; }

// The same; a crossed face has portions on both sides, and counts to the one of its centre.
static int side_of_face(const SheetCut* c, const Window* w, ptrdiff_t at, int axis)
{
    SheetFace front = sheetside_face(c, 1, w, at, axis);
    if (front == SHEET_FACE_OPEN) return sheetside_face(c, -1, w, at, axis) == SHEET_FACE_BEHIND ? 1 : 0;
    if (front == SHEET_FACE_BEHIND) return -1;
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
    return c->psi[at] + c->psi[at + s] + c->psi[at + t] + c->psi[at + s + t] < 0 ? -1 : 1;
}

// Of those that are of both: the view (0, 1) on whose side of the sheet's plane it lies.
static int view_of_shared(const SheetCut* c, ptrdiff_t at) { return c->node[at] & SHEET_NEAR && c->psi[at] < 0; }

int sides_owner(const SheetCut* c, ptrdiff_t at)
{
    int side = side_of_node(c, at);
    return side == 0 ? view_of_shared(c, at) : side < 0;
}

// Nodes of a window with ghosts, or those with a cell above them.
#define FOR_WINDOW(w, i, j, k, last)                                                                                             \
    for (int k = (w)->dim == 3 ? -(w)->ghost : 0; k <= ((w)->dim == 3 ? (w)->n[2] + (last) : 0); k++)                            \
        for (int j = -(w)->ghost; j <= (w)->n[1] + (last); j++)                                                                  \
            for (int i = -(w)->ghost; i <= (w)->n[0] + (last); i++)

// ---- views --------------------------------------------------------------------------------------------------------------

// The solids, with what is behind sheets for one, as this side sees them.
static double* seen_solid(Arena* arena, const SheetCut* c, int sign, const double* phi_solid, const Window* w, double far)
{
    double* seen = ARENA_NEW(arena, double, w->count);
    if (!seen) return NULL;
    seen += w->origin;
    for (ptrdiff_t at = -w->origin; at < (ptrdiff_t)w->count - w->origin; at++) {
        double psi = c->node[at] & SHEET_NEAR ? fabs(c->psi[at]) : far;
        seen[at] = sheetside_hides(c, sign, at) ? -psi : psi;
        if (phi_solid) seen[at] = fmin(seen[at], phi_solid[at]);
    }
    return seen;
}

static mn_status open_view(Sides* s, int m, Arena* arena, const Liquid* q)
{
    const Window* w = &q->w;
    const SheetCut* c = q->sheet;
    SheetSide* side = &s->side[m];
    Liquid* view = &s->view[m];
    double far = liquid_band(q) + (SHEETS_SHADE + SHEETS_PLANE)*w->dx;
    *view = *q;
    *side = (SheetSide){.cut = c, .sign = SIGN[m], .solid = q->phi_solid.v, .own = q->phi.v};
    TRY_MEMORY(side->level = sheetside_level(arena, c, SIGN[m], q->phi_solid.v, w, far));
    view->side = side, view->whole = q, view->sheet = NULL, view->cells = (CutCells){0};
    view->phi_solid = (Field){0}, view->phi_backed = (Backed){0};
    TRY_MEMORY(view->phi_solid.v = seen_solid(arena, c, SIGN[m], q->phi_solid.v, w, far));
    view->phi_backed.v = view->phi_solid.v;
    TRY_MEMORY(view->phi.v = window_copy(arena, q->phi.v, w));
    TRY_MEMORY(view->p.v = window_copy(arena, q->p.v, w));
    for (int d = 0; d < w->dim; d++) TRY_MEMORY(view->u[d].v = window_copy(arena, q->u[d].v, w));
    FOR_WINDOW(w, i, j, k, w->ghost)
    {
        ptrdiff_t at = window_at(w, i, j, k);
        if (side_of_node(c, at) == -SIGN[m]) view->phi.v[at] = q->phi_far.v[at];
    }
    FOR_WINDOW(w, i, j, k, w->ghost - 1)
    {
        ptrdiff_t at = window_at(w, i, j, k);
        for (int d = 0; d < w->dim; d++)
            if (side_of_face(c, w, at, d) == -SIGN[m]) view->u[d].v[at] = q->u_far[d].v[at];
    }
    return MN_OK;
}

mn_status sides_open(Sides* s, Arena* arena, const Liquid* q)
{
    assert(q->sheet && q->phi_far.v && !q->side && spans_is_valid(&q->spans, &q->w));
    for (int m = 0; m < 2; m++) TRY(open_view(s, m, arena, q));
    return MN_OK;
}

void sides_close(Liquid* q, const Sides* s)
{
    const Window* w = &q->w;
    const SheetCut* c = q->sheet;
    FOR_WINDOW(w, i, j, k, w->ghost)
    {
        ptrdiff_t at = window_at(w, i, j, k);
        int own = sides_owner(c, at);
        q->phi.v[at] = s->view[own].phi.v[at];
        q->phi_far.v[at] = s->view[!own].phi.v[at];
    }
    FOR_WINDOW(w, i, j, k, w->ghost - 1)
    {
        ptrdiff_t at = window_at(w, i, j, k);
        for (int d = 0; d < w->dim; d++) {
            int side = side_of_face(c, w, at, d), own = side == 0 ? view_of_shared(c, at) : side < 0;
            q->u[d].v[at] = s->view[own].u[d].v[at];
            q->u_far[d].v[at] = s->view[!own].u[d].v[at];
        }
    }
}

// What view m (0, 1) sees of a pair of arrays, where `side` tells whose the value is.
static double seen_by(int m, int side, double own, double far) { return side == -SIGN[m] ? far : own; }

mn_status sides_follow(Liquid* q, Arena* arena, const SheetSurface* sheets)
{
    const Window* w = &q->w;
    const SheetCut* before = q->sheet;
    SheetCut after;
    double shade = liquid_band(q) + SHEETS_SHADE*w->dx;
    TRY(sheetcut_build(&after, arena, sheets, w, shade + SHEETS_PLANE*w->dx, shade));
    FOR_WINDOW(w, i, j, k, w->ghost)
    {
        ptrdiff_t at = window_at(w, i, j, k);
        int side = side_of_node(before, at), own = sides_owner(&after, at);
        double *phi = &q->phi.v[at], *far = &q->phi_far.v[at], seen = seen_by(own, side, *phi, *far);
        *far = seen_by(!own, side, *phi, *far), *phi = seen;
    }
    FOR_WINDOW(w, i, j, k, w->ghost - 1)
    {
        ptrdiff_t at = window_at(w, i, j, k);
        for (int d = 0; d < w->dim; d++) {
            int side = side_of_face(before, w, at, d), now = side_of_face(&after, w, at, d);
            int own = now == 0 ? view_of_shared(&after, at) : now < 0;
            double *u = &q->u[d].v[at], *far = &q->u_far[d].v[at], seen = seen_by(own, side, *u, *far);
            *far = seen_by(!own, side, *u, *far), *u = seen;
        }
    }
    arena_reset(arena);
    return MN_OK;
}

void sides_velocity(double out[3], const void* user, const double x[3])
{
    const Liquid* view = user;
    const Window* w = &view->w;
    double at[3];
    assert(view->side);
    for (int d = 0; d < 3; d++) at[d] = d < w->dim ? x[d]/w->dx - w->lo[d] : 0;
    double distance = sheetcut_velocity(out, view->side->cut, w, x);
    if (view->side->solid && node_value(view->side->solid, w, at) < distance) out[0] = out[1] = out[2] = 0;
}

void sides_agree(Sides* s, unsigned char* const* const kind[2])
{
    const Liquid* view = &s->view[0];
    const Window* w = &view->w;
    const SheetCut* c = s->side[0].cut;
    const Spans* spans = &view->spans;
    for (int r = 0; r < spans->rows; r++)
        SPAN_LOOP(spans, r, q)
            for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
                ptrdiff_t at = window_at(w, i, r%spans->rows_y, r/spans->rows_y);
                for (int d = 0; d < w->dim; d++) {
                    if (side_of_face(c, w, at, d) != 0) continue;
                    int from = sheetside_counts_face(&s->side[0], w, at, d) ? 0 : 1;
                    s->view[!from].u[d].v[at] = s->view[from].u[d].v[at];
                    kind[!from][d][at] = kind[from][d][at];
                }
            }
}

// ---- places -------------------------------------------------------------------------------------------------------------

// The nodes around a place and their parts of it, whose sum is 1; their number.
static int nodes_around(ptrdiff_t node[8], double part[8], const Window* w, const double at[3])
{
    int corners = w->dim == 3 ? 8 : 4, low[3] = {0, 0, 0};
    double f[3] = {0, 0, 0};
    for (int d = 0; d < w->dim; d++) low[d] = grid_floor(&f[d], at[d], w->n[d]);
    for (int m = 0; m < corners; m++) {
        node[m] = window_at(w, low[0], low[1], low[2]) + window_corner(w, m), part[m] = 1;
        for (int d = 0; d < w->dim; d++) part[m] *= m >> d & 1 ? f[d] : 1 - f[d];
    }
    return corners;
}

int sides_view_at(const Liquid* q, const double at[3])
{
    ptrdiff_t node[8];
    double part[8], psi = 0;
    int count = nodes_around(node, part, &q->w, at);
    for (int m = 0; m < count; m++) {
        if (!(q->sheet->node[node[m]] & SHEET_NEAR)) return sides_owner(q->sheet, node[0]);  // no sheet is near
        psi += part[m]*q->sheet->psi[node[m]];
    }
    return psi < 0;
}

double sides_phi_at(const Liquid* q, const double at[3])
{
    ptrdiff_t node[8];
    double part[8], sum = 0;
    int count = nodes_around(node, part, &q->w, at), sign = SIGN[sides_view_at(q, at)];
    for (int m = 0; m < count; m++)
        sum += part[m]*(sheetside_hides(q->sheet, sign, node[m]) ? q->phi_far.v[node[m]] : q->phi.v[node[m]]);
    return sum;
}

mn_status sides_keep(Liquid* q, const double x[3], const SheetSurface* sheets, Arena* arena)
{
    Sides s;
    double at[3];
    for (int d = 0; d < 3; d++) at[d] = d < q->w.dim ? x[d]/q->w.dx - q->w.lo[d] : 0;
    TRY(liquid_find_sheets(q, arena, sheets));
    TRY(sides_open(&s, arena, q));
    Liquid* other = &s.view[!sides_view_at(q, at)];
    for (ptrdiff_t m = -q->w.origin; m < (ptrdiff_t)q->w.count - q->w.origin; m++)
        if (q->sheet->node[m] & SHEET_SHADOW) other->phi.v[m] = liquid_band(q);
    sides_close(q, &s);
    return MN_OK;
}

// ---- past sheets --------------------------------------------------------------------------------------------------------

// Cells from the sheet at which a surface that goes on behind it is read: so far that only nodes of this side are.
static double first_read(int dim) { return dim == 3 ? 1.8 : 1.5; }

mn_status sides_continue(double* phi, Arena* arena, const Liquid* view)
{
    const Window* w = &view->w;
    const SheetCut* c = view->side->cut;
    const Spans* spans = &view->spans;
    double near = first_read(w->dim), band = liquid_band(view);
    nodes_exchange(phi, w, EVERY_LAYER);
    double* from = window_copy(arena, phi, w);
    TRY_MEMORY(from);
    for (int r = 0; r < spans->rows; r++)
        SPAN_LOOP(spans, r, q)
            for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
                int node[3] = {i, r%spans->rows_y, r/spans->rows_y};
                ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
                if (!sheetside_hides(c, view->side->sign, at)) continue;
                double x[2][3], n[3], depth = fabs(c->psi[at])/w->dx, read[2];
                for (int d = 0; d < 3; d++) n[d] = d < w->dim ? view->side->sign*sheet_direction(c, w, at, d) : 0;
                double length = fmax(vec_norm(n), 1e-6);
                for (int d = 0; d < 3; d++) n[d] /= length;
                for (int m = 0; m < 2; m++) {
                    for (int d = 0; d < 3; d++) x[m][d] = node[d] + (depth + near + m)*n[d];
                    read[m] = interpolate_at(from, w, x[m][0], x[m][1], x[m][2]);
                }
                double slope = clamp(read[0] - read[1], -w->dx, w->dx);
                phi[at] = clamp(read[0] + slope*(near + depth), -band, band);
            }
    nodes_exchange(phi, w, EVERY_LAYER);
    return MN_OK;
}

// ---- sums ---------------------------------------------------------------------------------------------------------------

mn_status sides_cut(Sides* s, Arena* arena, const Liquid* q)
{
    TRY(sides_open(s, arena, q));
    for (int m = 0; m < 2; m++) TRY(liquid_rebuild_cells(&s->view[m], arena));
    return MN_OK;
}

static int pieces_on_sheets(const Liquid* view)
{
    int count = 0;
    for (int m = 0; m < view->cells.count; m++) {
        const CutCell* c = &view->cells.cut[m];
        count += c->volume > 0 && sheetside_cell(view->side->cut, view->side->sign, &view->w, c->at) == SHEET_CELL_SPLIT;
    }
    return count;
}

mn_status sides_count(Liquid* q, Arena* arena)
{
    Sides s;
    TRY(sides_cut(&s, arena, q));
    q->cells.volume = s.view[0].cells.volume + s.view[1].cells.volume;
    q->cells.surface = s.view[0].cells.surface + s.view[1].cells.surface;
    q->wets_sheet = liquid_wets_skin(&s.view[0]) || liquid_wets_skin(&s.view[1]);
    q->on_sheets = pieces_on_sheets(&s.view[0]) + pieces_on_sheets(&s.view[1]);
    return MN_OK;
}
