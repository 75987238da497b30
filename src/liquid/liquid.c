#include "liquid/liquid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/global.h"
#include "base/vec.h"
#include "liquid/sides.h"

enum { FIELDS = 5, FIELDS_WITH_SHEETS = 9 };

static Field* liquid_field(Liquid* q, int m)
{
    Field* all[FIELDS_WITH_SHEETS] = {&q->phi,     &q->u[0],     &q->u[1],     &q->u[2],    &q->p,
                                      &q->phi_far, &q->u_far[0], &q->u_far[1], &q->u_far[2]};
    return all[m];
}

// In 2D there is no third velocity behind sheets.
static int fields_beside_sheets(const Liquid* q) { return q->w.dim == 2 ? FIELDS_WITH_SHEETS - 1 : FIELDS_WITH_SHEETS; }

static int fields_of(const Liquid* q) { return q->phi_far.v ? fields_beside_sheets(q) : FIELDS; }

LiquidMaterial material_mixed(const LiquidMaterial* a, double va, const LiquidMaterial* b, double vb)
{
    double total = va + vb;
    assert(total > 0);
    if (memcmp(a, b, sizeof *a) == 0) return *a;  // to the last bit: means of one number differ by rounding
    LiquidMaterial out = {0};
    out.rho = (va*a->rho + vb*b->rho)/total;
    out.sigma = (va*a->sigma + vb*b->sigma)/total;
    out.mu = (va*a->mu + vb*b->mu)/total;
    out.contact_angle = (va*a->contact_angle + vb*b->contact_angle)/total;
    return out;
}

mn_status liquid_init(Liquid* q, const Window* w)
{
    assert(q && window_is_valid(w));
    *q = (Liquid){.w = *w};
    for (int m = 0; m < FIELDS; m++) {
        mn_status status = field_init(liquid_field(q, m), w);
        if (status == MN_OK) continue;
        liquid_free(q);
        return status;
    }
    field_fill(&q->phi, w, window_band(w));
    return MN_OK;
}

void liquid_free(Liquid* q)
{
    for (int m = 0; m < FIELDS_WITH_SHEETS; m++) field_free(liquid_field(q, m));
    field_free(&q->solid_cache);
    if (q->edge_cells) edgecells_free(q->edge_cells);
    free(q->edge_cells);
    *q = (Liquid){0};
}

// Shape of a field's block, ghosts included, slowest axis first.
static int block_shape(size_t n[3], const Window* w)
{
    int axes = w->dim;
    for (int d = 0; d < axes; d++) n[axes - 1 - d] = (size_t)(w->n[d] + 1 + 2*w->ghost);
    return axes;
}

// The window as a visitor has it; one that brings another gets fields for it.
static mn_status visit_window(Liquid* q, const Tank* tank, StateVisitor* v)
{
    int box[6] = {q->w.lo[0], q->w.lo[1], q->w.lo[2], q->w.n[0], q->w.n[1], q->w.n[2]};
    TRY(state_ints(v, "window", box, 6));
    if (!v->brings) return MN_OK;
    for (int d = 0; d < 3; d++)
        if (box[d] < 0 || box[3 + d] < 1 || box[d] >= tank->n[d] || box[3 + d] > tank->n[d] - box[d])
            return mn_fail(MN_BAD_CHECKPOINT, "holds a liquid outside the tank");
    Window w = window_make(tank, box, box + 3);
    if (q->phi.block && window_same(&w, &q->w)) return MN_OK;
    Liquid fresh;
    TRY(liquid_init(&fresh, &w));
    fresh.id = q->id, fresh.kind = q->kind, fresh.material = q->material, fresh.target_volume = q->target_volume;
    fresh.meshed = q->meshed;
    liquid_free(q);
    *q = fresh;
    return MN_OK;
}

mn_status liquid_visit(Liquid* q, const Tank* tank, bool beside_sheets, StateVisitor* v)
{
    assert(v->brings || q->phi.block);  // only who brings values may meet a liquid without any
    static const char* const name[FIELDS_WITH_SHEETS] = {"phi", "u", "v", "w", "p", "phi_far", "u_far", "v_far", "w_far"};
    TRY(state_ints(v, "id", &q->id, 1));
    TRY(state_ints(v, "kind", &q->kind, 1));
    TRY(state_reals(v, "material", (double*)&q->material, sizeof q->material/sizeof(double)));
    TRY(state_reals(v, "target_volume", &q->target_volume, 1));
    TRY(visit_window(q, tank, v));
    if (beside_sheets && !q->phi_far.v) TRY(liquid_add_far(q));
    assert(beside_sheets == (q->phi_far.v != NULL));
    size_t n[3];
    int rank = block_shape(n, &q->w);
    for (int m = 0; m < fields_of(q); m++)
        if (q->w.dim == 3 || (m != 3 && m != 8)) TRY(v->block(v, name[m], liquid_field(q, m)->block, rank, n));
    return MN_OK;
}

// ---- validity --------------------------------------------------------------------------------------------------------------

static bool finite_on_spans(const double* v, const Liquid* q)
{
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++)
                if (!isfinite(v[at])) return false;
    }
    return true;
}

bool liquid_is_valid(const Liquid* q)
{
    if (!q || !window_is_valid(&q->w) || !q->phi.v || !q->u[0].v || !q->u[1].v || !q->p.v) return false;
    const LiquidMaterial* m = &q->material;
    if (q->id < 0 || q->kind < 0 || !(q->target_volume >= 0) || !(m->rho > 0) || !(m->sigma >= 0) || !(m->mu >= 0)) return false;
    if (!q->spans.first) return true;
    if (!spans_is_valid(&q->spans, &q->w)) return false;
    // numbers that are not finite come from the world, not from a mistake of ours: the step looks for them and is undone
    if (!finite_on_spans(q->phi.v, q)) return true;
    return !q->cells.index || cutcells_is_valid(&q->cells, &q->spans, &q->w);
}

// ---- sides of sheets -------------------------------------------------------------------------------------------------------

mn_status liquid_add_far(Liquid* q)
{
    assert(!q->phi_far.v);
    for (int m = FIELDS; m < fields_beside_sheets(q); m++) {
        TRY(field_init(liquid_field(q, m), &q->w));
        window_copy_to(liquid_field(q, m)->v, m == FIELDS ? q->phi.v : q->u[m - FIELDS - 1].v, &q->w);
    }
    return MN_OK;
}

// ---- windows -------------------------------------------------------------------------------------------------------------

bool liquid_bounds(int lo[3], int hi[3], const Liquid* q)
{
    const Window* w = &q->w;
    for (int d = 0; d < 3; d++) lo[d] = w->n[d], hi[d] = -1;
    int layers = window_node_layers(w);
    for (int k = 0; k < layers; k++)
        for (int j = 0; j <= w->n[1]; j++) {
            const double* phi = q->phi.v + window_at(w, 0, j, k);
            int i0 = 0, i1 = w->n[0];
            while (i0 <= i1 && !(phi[i0] < 0)) i0++;
            if (i0 > i1) continue;
            while (!(phi[i1] < 0)) i1--;
            int node[3][2] = {{i0, i1}, {j, j}, {k, k}};
            for (int d = 0; d < w->dim; d++) {
                lo[d] = mini(lo[d], maxi(node[d][0] - 1, 0));
                hi[d] = maxi(hi[d], mini(node[d][1], w->n[d] - 1));
            }
        }
    if (w->dim == 2) lo[2] = hi[2] = 0;
    return hi[0] >= 0;
}

mn_status liquid_copy_to_window(Liquid* out, const Liquid* q, const Window* w)
{
    assert(window_is_valid(w) && w->dim == q->w.dim && w->dx == q->w.dx && w->wider == q->w.wider);
    TRY(liquid_init(out, w));
    if (q->phi_far.v) {
        mn_status status = liquid_add_far(out);
        if (status != MN_OK) return liquid_free(out), status;
    }
    Liquid from = *q;  // borrows the fields
    for (int m = 0; m < fields_of(q); m++) field_copy_window(liquid_field(out, m), w, liquid_field(&from, m), &q->w);
    return MN_OK;
}

mn_status liquid_change_window(Liquid* q, const Window* w)
{
    Liquid moved;
    TRY(liquid_copy_to_window(&moved, q, w));
    moved.id = q->id, moved.kind = q->kind, moved.material = q->material, moved.target_volume = q->target_volume;
    for (int d = 0; d < 3; d++) moved.due[d] = q->due[d];
    moved.due_volume = q->due_volume, moved.meshed = q->meshed;
    nodes_exchange(moved.phi.v, w, EVERY_LAYER);
    double* u[3] = {moved.u[0].v, moved.u[1].v, moved.u[2].v};
    faces_exchange(u, w, EVERY_LAYER);
    liquid_free(q);
    *q = moved;
    return MN_OK;
}

// The margin of a window around so many cells, alike on both sides. A little more of it makes the number of cells a multiple of
// EVENLY where it is even: the grid can then be halved three times, and a liquid that is its own mirror image stays that
// (solve/multigrid.c).
static int even_margin(const Tank* tank, int cells)
{
    enum { EVENLY = 8 };
    int margin = liquid_margin(tank);
    if (cells%2 == 0)
        while ((cells + 2*margin)%EVENLY != 0) margin++;
    return margin;
}

mn_status liquid_refit_window(Liquid* q, const Tank* tank)
{
    assert(tank->dx == q->w.dx && tank->wider == q->w.wider);
    int lo[3], hi[3], n[3];
    if (!liquid_bounds(lo, hi, q)) return MN_OK;
    bool refit = false;
    for (int d = 0; d < q->w.dim; d++) {
        int room[2] = {lo[d], q->w.n[d] - 1 - hi[d]};
        for (int side = 0; side < 2; side++) {
            bool at_tank = q->w.side[2*d + side] != SIDE_INSIDE;
            refit = refit || (!at_tank && room[side] < MARGIN_LEAST + tank->wider) || room[side] > MARGIN_MOST;
        }
    }
    if (!refit) return MN_OK;
    for (int d = 0; d < 3; d++) {
        int margin = q->w.dim == 2 && d == 2 ? 0 : even_margin(tank, hi[d] - lo[d] + 1);
        n[d] = hi[d] - lo[d] + 1 + 2*margin;
        lo[d] += q->w.lo[d] - margin;
    }
    Window w = window_make(tank, lo, n);
    return window_same(&w, &q->w) ? MN_OK : liquid_change_window(q, &w);
}

// ---- what is rebuilt every step ------------------------------------------------------------------------------------------

mn_status liquid_find_sheets(Liquid* q, Arena* arena, const SheetSurface* sheets)
{
    if (!q->phi_far.v) TRY(liquid_add_far(q));
    TRY_MEMORY(q->sheet = ARENA_NEW(arena, SheetCut, 1));
    double shade = liquid_band(q) + SHEETS_SHADE*q->w.dx;
    TRY(sheetcut_build(q->sheet, arena, sheets, &q->w, shade + SHEETS_PLANE*q->w.dx, shade));
    double* least = window_copy(arena, q->phi.v, &q->w);
    TRY_MEMORY(least);
    for (ptrdiff_t at = -q->w.origin; at < (ptrdiff_t)q->w.count - q->w.origin; at++)
        if (q->sheet->node[at] & SHEET_SHADOW) least[at] = fmin(least[at], q->phi_far.v[at]);
    return spans_build(&q->spans, arena, least, &q->w, liquid_band(q), SPAN_GROW);
}

// The solids are somewhere else.
static mn_status forget_edges(Liquid* q)
{
    if (!q->edge_cells) q->edge_cells = calloc(1, sizeof *q->edge_cells);
    return q->edge_cells ? edgecells_forget(q->edge_cells, &q->w) : mn_fail(MN_NO_MEMORY, "out of memory: edges of solids");
}

mn_status liquid_rebuild_spans(Liquid* q, Arena* arena, const Solids* solids)
{
    assert(!q->side);  // what a side sees is made from the whole
    if (solids->sheets) TRY(liquid_find_sheets(q, arena, solids->sheets));
    else TRY(spans_build(&q->spans, arena, q->phi.v, &q->w, liquid_band(q), SPAN_GROW));
    // solids that have not moved since are where they were: within a step spans change, but no solid
    const double* before = solids->moves > 0 && solids->moves == q->solid_moves ? q->phi_solid.v : NULL;
    q->phi_solid = (Field){0}, q->phi_backed = (Backed){0};
    if (solids_wetted(solids)) {
        // zeros past the spans: the rim of a loop over faces reads them, and they must not depend on what was here before
        double* block = ARENA_ZERO(arena, double, q->w.count);
        TRY_MEMORY(block);
        q->phi_solid.v = block + q->w.origin;
        if (!before) TRY(forget_edges(q));
        if (!q->solid_cache.v) TRY(field_init(&q->solid_cache, &q->w));
        solids_sample(q->phi_solid.v, q->solid_cache.v, before, solids, &q->spans, &q->w);
        q->solid_moves = solids->moves;
        TRY(solid_back(&q->phi_backed, arena, q->phi.v, q->phi_solid.v, &q->spans, &q->w));
    }
    return MN_OK;
}

mn_status liquid_rebuild(Liquid* q, Arena* arena, const Solids* solids)
{
    TRY(liquid_rebuild_spans(q, arena, solids));
    return liquid_rebuild_cells(q, arena);
}

// Volume and surface of the cells that count.
static void count_own(Liquid* q)
{
    double volume = 0, surface = 0;
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        if (j >= q->w.n[1] || k >= q->w.n[2]) continue;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < mini(s->span[m].i1, q->w.n[0]); i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                if (q->cells.index[at] == CELL_EMPTY || !liquid_counts(q, at)) continue;
                volume += cutcells_fraction(&q->cells, at);
                if (q->cells.index[at] >= 0) surface += q->cells.cut[q->cells.index[at]].patch_area;
            }
    }
    q->cells.volume = volume*window_cell_volume(&q->w), q->cells.surface = surface*window_face_area(&q->w);
}

mn_status liquid_rebuild_cells(Liquid* q, Arena* arena)
{
    assert(q->phi_solid.v != q->phi.v && spans_is_valid(&q->spans, &q->w));  // spans come first
    if (q->side) {
        TRY(cutcells_build_side(&q->cells, arena, &q->spans, q->phi.v, q->side->solid, q->side, &q->w));
        count_own(q);
        return MN_OK;
    }
    TRY(cutcells_build(&q->cells, arena, &q->spans, q->phi.v, q->phi_solid.v, &q->w));
    return q->sheet ? sides_count(q, arena) : MN_OK;
}

bool liquid_wets_skin(const Liquid* q)
{
    if (q->sheet && q->wets_sheet) return true;
    for (int m = 0; m < q->cells.count && liquid_solid(q); m++)
        if (vec_norm(q->cells.cut[m].solid) > 0) return true;
    return false;
}

// ---- measures ------------------------------------------------------------------------------------------------------------

typedef struct RowSums {
    double v[12];  // volume, 3 first moments, 3 momenta per rho, energy per rho
} RowSums;

static void state_row(RowSums* out, const Liquid* q, int r)
{
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    *out = (RowSums){0};
    int j = r%s->rows_y, k = r/s->rows_y;
    if (j >= w->n[1] || k >= w->n[2]) return;
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0; i < mini(s->span[m].i1, w->n[0]); i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            double f = cutcells_fraction(&q->cells, at);
            if (f == 0 || !liquid_counts(q, at)) continue;
            double x[3] = {i + 0.5, j + 0.5, k + 0.5}, energy = 0;
            out->v[0] += f;
            for (int d = 0; d < w->dim; d++) {
                double a = q->u[d].v[at], b = q->u[d].v[at + window_stride(w, d)];
                out->v[1 + d] += f*x[d];
                out->v[4 + d] += f*0.5*(a + b);
                energy += 0.25*(a*a + b*b);
            }
            out->v[7] += f*energy;
        }
}

static void extend(double* low, double* high, double x) { *low = fmin(*low, x), *high = fmax(*high, x); }

// Makes the bounds (in cells) hold the surface in one cut cell: along every axis it reaches furthest where it crosses an edge
// of that axis. Crossings within solids do not count; what is left of the surface there tells at least its centroid.
static void surface_extend(double low[3], double high[3], const Liquid* q, const CutCell* c)
{
    const Window* w = &q->w;
    const double* solid = liquid_solid(q);
    if (c->volume == 0) return;
    int at[3] = {c->i, c->j, c->k};
    for (int d = 0; d < w->dim; d++) {
        extend(&low[d], &high[d], at[d] + (c->patch_area > 0 ? c->center[d] : 0.5));
        ptrdiff_t along = window_stride(w, d);
        for (int corner = 0; corner < 1 << w->dim; corner++) {
            if (corner >> d & 1) continue;
            ptrdiff_t a = c->at + (corner & 1) + (corner >> 1 & 1)*w->sy + (corner >> 2)*w->sz, b = a + along;
            double pa = q->phi.v[a], pb = q->phi.v[b];
            if ((pa < 0) == (pb < 0)) continue;
            double theta = pa/(pa - pb);
            if (q->sheet && sheetcut_crosses(q->sheet, a, d)) continue;  // between two sides there is no surface
            if (solid && solid[a]*(1 - theta) + solid[b]*theta < 0) continue;
            extend(&low[d], &high[d], at[d] + theta);
        }
    }
}

// Adds a liquid, or what one side of sheets has of it, to sums over cells and to the bounds of its surface (cells). False: out of
// memory.
static bool add_state(double sum[8], double low[3], double high[3], const Liquid* q, Arena* arena)
{
    const Spans* s = &q->spans;
    RowSums* rows = ARENA_NEW(arena, RowSums, s->rows);
    if (!rows) return false;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) state_row(&rows[r], q, r);
    for (int r = 0; r < s->rows; r++)
        for (int m = 0; m < 8; m++) sum[m] += rows[r].v[m];
    for (int m = 0; m < q->cells.count; m++)
        if (liquid_counts(q, q->cells.cut[m].at)) surface_extend(low, high, q, &q->cells.cut[m]);
    return true;
}

LiquidState liquid_state(const Liquid* q, Arena* arena)
{
    assert(spans_is_valid(&q->spans, &q->w) && q->cells.index);
    LiquidState out = {0};
    double sum[8] = {0}, cell = window_cell_volume(&q->w);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    Sides sides;
    if (q->sheet && sides_cut(&sides, arena, q) != MN_OK) return out;
    for (int m = 0; m < (q->sheet ? 2 : 1); m++)
        if (!add_state(sum, low, high, q->sheet ? &sides.view[m] : q, arena)) return out;
    out.volume = q->cells.volume;
    out.area = q->cells.surface;
    out.kinetic_energy = sum[7]*cell*q->material.rho;
    double center[3] = {0, 0, 0};
    for (int d = 0; d < 3; d++) {
        if (sum[0] > 0) center[d] = sum[1 + d]/sum[0], out.velocity[d] = sum[4 + d]/sum[0];
        out.momentum[d] = sum[4 + d]*cell*q->material.rho;
    }
    window_position(out.center, &q->w, center[0], center[1], center[2]);
    // a side of the tank is where the liquid ends there
    int lo[3], hi[3];
    if (liquid_bounds(lo, hi, q))
        for (int d = 0; d < q->w.dim; d++) {
            if (lo[d] == 0 && q->w.side[2*d] != SIDE_INSIDE) low[d] = 0;
            if (hi[d] == q->w.n[d] - 1 && q->w.side[2*d + 1] != SIDE_INSIDE) high[d] = q->w.n[d];
        }
    window_position(out.low, &q->w, low[0], low[1], q->w.dim == 3 ? low[2] : 0);
    window_position(out.high, &q->w, high[0], high[1], q->w.dim == 3 ? high[2] : 0);
    return out;
}

double liquid_capillary_time(const Liquid* q)
{
    assert(q->material.rho > 0 && q->material.sigma >= 0);
    double dx = q->w.dx;
    return q->material.sigma > 0 ? sqrt(q->material.rho*dx*dx*dx/(4*PI*q->material.sigma)) : INFINITY;
}

double liquid_max_speed(const Liquid* q)
{
    assert(q->spans.first && q->cells.index);
    const Spans* s = &q->spans;
    const Window* w = &q->w;
    double most = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(max : most) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        if (j >= w->n[1] || k >= w->n[2]) continue;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < mini(s->span[m].i1, w->n[0]); i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (q->cells.index[at] == CELL_EMPTY) continue;
                double sum = 0;
                for (int d = 0; d < w->dim; d++) {
                    double low = q->u[d].v[at], high = q->u[d].v[at + window_stride(w, d)], a = fmax(fabs(low), fabs(high));
                    sum += a*a + 0*(low + high);  // fmax alone would drop what is not a number
                }
                double speed = sqrt(sum);
                if (!(speed <= most)) most = speed < INFINITY ? speed : INFINITY;
            }
    }
    return global_max(most);
}
