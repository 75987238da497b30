#include "solve/pressure.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/global.h"
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/interpolate.h"
#include "solve/pressure_private.h"

static const double DEPTH_FLOOR = 0.01;     // of a cell; 0.05 loses second order in the max norm (docs/pressure.md)
static const double DISTANCE_FLOOR = 0.05;  // of the distance to the surface through a face (cut cells)
static const double GHOST_FLOOR = 1e-3;     // the same for the ghost-fluid variant
static const double DISTANCE_MOST = 1.5;
static const double OPEN_FLOOR = 1e-4;  // smaller open fractions carry no link
static const double ORPHAN_DEPTH = 0.05;
// Of a cell: less liquid is rounding around a node that touches the surface. As an orphan such a speck has weights of 1e-19,
// which squared are nothing in single precision, and conjugate gradients broke down (random scene 457).
static const double SPECK = 1e-12;

// ---- small geometry ------------------------------------------------------------------------------------------------------

static double center_value(const PressureInput* in, ptrdiff_t at)
{
    const Window* w = in->w;
    const double* q = in->phi + at;
    double sum = q[0] + q[1] + q[w->sy] + q[w->sy + 1];
    if (w->dim == 2) return 0.25*sum;
    q += w->sz;
    return 0.125*(sum + q[0] + q[1] + q[w->sy] + q[w->sy + 1]);
}

// |grad phi| at the cell centre: mean of the differences along the cell's edges.
static double center_slope(double n[3], const PressureInput* in, ptrdiff_t at)
{
    const Window* w = in->w;
    double g[3] = {0, 0, 0};
    int corners = w->dim == 3 ? 8 : 4;
    for (int c = 0; c < corners; c++) {
        double v = in->phi[at + window_corner(w, c)];
        for (int d = 0; d < w->dim; d++) g[d] += c >> d & 1 ? v : -v;
    }
    for (int d = 0; d < 3; d++) g[d] /= corners/2*w->dx;
    double slope = fmax(vec_norm(g), 0.1);
    for (int d = 0; d < 3; d++) n[d] = g[d]/slope;
    return slope;
}

// Fraction of a face that no solid covers, whose corners have these distances to it.
static double open_fraction(const double corner[4], const Window* w)
{
    static const double wet[4] = {-1, -1, -1, -1};
    double solid[4];
    for (int c = 0; c < 4; c++) solid[c] = cut_snap(corner[c]/w->dx);
    double area = w->dim == 3 ? cut_square(wet, solid) : cut_edge(wet, solid);
    return area < OPEN_FLOOR ? 0 : area;
}

// The same of the low face of a cell. Most faces touch none, also of a liquid with many solids.
static inline double open_area(const PressureInput* in, int axis, ptrdiff_t at)
{
    const Window* w = in->w;
    const double* solid = in->phi_solid;
    if (in->side) {
        SheetFace kind = sheetside_face(in->side->cut, in->side->sign, w, at, axis);
        if (kind == SHEET_FACE_BEHIND) return 0;
        solid = kind == SHEET_FACE_CROSSED ? in->side->level : in->side->solid;
    }
    if (!solid) return 1;
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
    const double* q = solid + at;
    if (q[0] >= 0 && q[s] >= 0 && q[t] >= 0 && q[s + t] >= 0) return 1;
    return open_fraction((double[4]){q[0], q[s], q[s + t], q[t]}, w);
}

double pressure_face_area(const PressureInput* in, int axis, ptrdiff_t at)
{
    if (in->kind != PRESSURE_CUT) {
        double open = open_area(in, axis, at);
        // a portion of a face deep in the liquid, but dry: its wet part is all on the other side of the sheet, and the cell
        // beyond has no piece here
        bool is_dry = in->side && open < 1 && in->cells->area[axis][at] == 0;
        bool is_deep = is_dry && center_value(in, at) < 0 && center_value(in, at - window_stride(in->w, axis)) < 0;
        return is_deep ? 0 : open;
    }
    double area = in->cells->area[axis][at];
    return in->phi_solid && area < OPEN_FLOOR ? 0 : area;
}

// Distance, in cells, from the centre of unknown cell l to the surface on the way to its neighbour m.
static double surface_distance(const Pressure* p, ptrdiff_t l, ptrdiff_t m)
{
    assert(pressure_is_unknown(p, l) && !pressure_is_unknown(p, m));
    if (p->cell[l] == CELL_IS_ORPHAN) return 0.5;
    double a = center_value(&p->in, l), b = center_value(&p->in, m);
    double theta = b > a ? a/(a - b) : DISTANCE_MOST;
    return clamp(theta, p->in.kind == PRESSURE_CUT ? DISTANCE_FLOOR : GHOST_FLOOR, DISTANCE_MOST);
}

// Pressure just inside the surface at a point given in cells.
static double surface_pressure(const PressureInput* in, const double x[3])
{
    return in->surface ? node_value(in->surface, in->w, x) : 0;
}

static double surface_pressure_on_face(const Pressure* p, int i, int j, int k, int axis, int step, double theta)
{
    double x[3] = {i + 0.5, j + 0.5, k + 0.5};
    x[axis] += step*theta;  // the very distance the weight is made with, also past 1: anything else is first order there
    return surface_pressure(&p->in, x);
}

// Weight and place of the link from a cut unknown cell to the surface patch inside it.
static double patch_weight(const Pressure* p, const CutCell* cut, double foot[3])
{
    double n[3], slope = center_slope(n, &p->in, cut->at), area = vec_norm(cut->patch), depth;
    if (p->cell[cut->at] == CELL_IS_ORPHAN) {
        // half the mean half-thickness of a sheet that fills `volume` between its two sides
        depth = fmax(0.25*cut->volume/fmax(cut->patch_area, 1e-3), ORPHAN_DEPTH);
        area = cut->patch_area;
        memcpy(foot, cut->center, sizeof cut->center);
    } else {
        depth = fmax(-center_value(&p->in, cut->at)/(slope*p->in.w->dx), DEPTH_FLOOR);
        for (int d = 0; d < 3; d++) foot[d] = 0.5 + depth*n[d];
    }
    foot[0] += cut->i, foot[1] += cut->j, foot[2] += cut->k;
    assert(depth > 0);
    return area/depth;
}

// ---- which cells are unknown ---------------------------------------------------------------------------------------------

static void classify_row(Pressure* p, int r)
{
    FOR_CELLS(p, r) {
        ptrdiff_t at = row + i;
        int32_t index = p->in.cells->index[at];
        bool wet = index == CELL_FULL || (index >= 0 && p->in.cells->cut[index].volume > SPECK);
        if (index == CELL_FULL) p->cell[at] = CELL_IS_UNKNOWN;
        else if (!wet) p->cell[at] = CELL_IS_DRY;
        else p->cell[at] = center_value(&p->in, at) < -DEPTH_FLOOR*w->dx ? CELL_IS_UNKNOWN : CELL_IS_ELIMINATED;
    }
}

// Is any cell around this one, diagonals included, of this kind?
static bool near_kind(const Pressure* p, const CutCell* c, unsigned char kind)
{
    const Window* w = p->in.w;
    int deep = w->dim == 3;
    for (int k = maxi(c->k - deep, 0); k <= mini(c->k + deep, w->n[2] - 1); k++)
        for (int j = maxi(c->j - 1, 0); j <= mini(c->j + 1, w->n[1] - 1); j++)
            for (int i = maxi(c->i - 1, 0); i <= mini(c->i + 1, w->n[0] - 1); i++)
                if (p->cell[window_at(w, i, j, k)] == kind) return true;
    return false;
}

static bool is_beside_skin(const Pressure* p, const CutCell* c)
{
    int cell[3] = {c->i, c->j, c->k};
    for (int d = 0; d < p->in.w->dim; d++)
        for (int step = -1; step <= 1; step += 2)
            if (!pressure_has_neighbour(p->in.w, cell, d, step) && p->in.w->side[2*d + (step > 0)] == SIDE_IS_WALL) return true;
    return vec_norm(c->solid) > 0;
}

// Cells along a wall from the last unknown of a wedge to its tip. One of 8 degrees has its first wet centre 3.6 cells from the
// line.
enum { WEDGE_CELLS = 4 };

// Orphans beside skin that touch a cell of this kind; their number.
static int orphans_beside(int* list, const Pressure* p, unsigned char kind)
{
    int count = 0;
    for (int q = 0; q < p->in.cells->count; q++) {
        const CutCell* c = &p->in.cells->cut[q];
        if (p->cell[c->at] == CELL_IS_ORPHAN && is_beside_skin(p, c) && near_kind(p, c, kind)) list[count++] = q;
    }
    return count;
}

// The tip of a wedge on a wall or solid, thinner than half a cell, is no sheet: it goes where the liquid behind it goes. As an
// orphan it was moved by the pressures of its own few surface points instead, which differ by as much as the line is pulled with;
// lines of less than 30 degrees trembled, or stopped for ever on a node, where the next cell was to become an orphan.
// What goes on as an orphan past the last of these cells is no tip but a film, and falls by itself: all of it stays what it was.
// (Its foot, continued from the pool that a dam break's film ran down into, came to 30 m/s.)
static mn_status join_wedges(Pressure* p, Arena* arena)
{
    const CutCells* cells = p->in.cells;
    int *joins = ARENA_NEW(arena, int, cells->count), joined = 0;
    TRY_MEMORY(joins);
    for (int round = 1; round < WEDGE_CELLS; round++) {
        int count = orphans_beside(joins + joined, p, CELL_IS_ELIMINATED);
        for (int m = joined; m < joined + count; m++) p->cell[cells->cut[joins[m]].at] = CELL_IS_ELIMINATED;
        joined += count;
    }
    for (int m = joined - 1; m >= 0; m--) {  // those furthest from the liquid first
        const CutCell* c = &cells->cut[joins[m]];
        if (near_kind(p, c, CELL_IS_ORPHAN)) p->cell[c->at] = CELL_IS_ORPHAN;
    }
    return MN_OK;
}

// Thin sheets and necks: liquid without any unknown around it keeps an unknown of its own. (Corners of a thick body that poke
// into a cell past a diagonal do not need one: the velocity there comes by extrapolation. Giving them one, cut off from
// everything but the surface, doubled the iterations in 3D.)
static mn_status find_orphans(Pressure* p, Arena* arena)
{
    const CutCells* cells = p->in.cells;
    for (int q = 0; q < cells->count; q++) {
        const CutCell* c = &cells->cut[q];
        if (p->cell[c->at] == CELL_IS_ELIMINATED && !near_kind(p, c, CELL_IS_UNKNOWN)) p->cell[c->at] = CELL_IS_ORPHAN;
    }
    return p->in.kind == PRESSURE_CUT ? MN_OK : join_wedges(p, arena);
}

// ---- weights and right-hand side -----------------------------------------------------------------------------------------

// Of a piece of skin that lets go of its unknown cell: distance (cells) to the pressure beside it, and that pressure (Pa). While
// the skin is wet that is what adhesion bears; once there is air in between it is the surface's.
static double skin_distance(double* outside, const Pressure* p, const Skin* s)
{
    double theta = clamp(s->depth, DISTANCE_FLOOR, DISTANCE_MOST);
    *outside = -s->held;
    if (!s->is_dry) return theta;
    double here = center_value(&p->in, s->at), there = node_value(p->in.phi, p->in.w, s->place), x[3];
    if (p->cell[s->at] == CELL_IS_UNKNOWN && there > here) theta = clamp(theta*here/(here - there), GHOST_FLOOR, theta);
    for (int d = 0; d < 3; d++) x[d] = s->cell[d] + 0.5 - theta*s->normal[d];
    *outside = surface_pressure(&p->in, x);
    return theta;
}

// Adds the link of a piece of skin that has let go.
static void link_skin(const Pressure* p, SpecialCell* out, double* known, const Skin* s)
{
    double outside, weight = vec_norm(s->area)/skin_distance(&outside, p, s);
    out->excess += weight, *known += weight*outside;
}

double pressure_skin_pull(const Pressure* p, const Skin* s)
{
    if (!s->opened || s->is_dry) return 0;
    double outside, distance = skin_distance(&outside, p, s);
    return vec_norm(s->area)/distance*outside;
}

// Adds the link of one face of unknown cell `at` and returns the outflow through it, as fraction times m/s.
static double build_face(const Pressure* p, double* const u[3], SpecialCell* out, double* known, const int cell[3], ptrdiff_t at,
                         int axis, int step)
{
    assert(step == 1 || step == -1);
    const Window* w = p->in.w;
    ptrdiff_t s = window_stride(w, axis), face = step < 0 ? at : at + s, beside = at + step*s;
    if (p->in.side && !sheetside_counts_face(p->in.side, w, face, axis)) return 0;
    double area = pressure_face_area(&p->in, axis, face);
    double outflow = step*area*u[axis][face];
    if (!pressure_has_neighbour(w, cell, axis, step)) {
        // an open side is a free surface, half a cell away: liquid leaves through it, and air comes in behind what moves away
        if (w->side[2*axis + (step > 0)] == SIDE_IS_OPEN) out->excess += area/0.5;
        if (p->in.skins && side_is_closed(w->side[2*axis + (step > 0)])) {
            const Skin* skin = skin_open(p->in.skins, at, axis, step > 0);
            if (!skin) return 0;
            link_skin(p, out, known, skin);
        }
    } else if (pressure_is_unknown(p, beside)) {
        out->link[2*axis + (step > 0)] = area;
    } else if (area > 0) {
        double theta = surface_distance(p, at, beside), weight = area/theta;
        out->excess += weight;
        *known += weight*surface_pressure_on_face(p, cell[0], cell[1], cell[2], axis, step, theta);
    }
    return outflow;
}

double pressure_solid_outflow(double v[3], const PressureInput* in, const CutCell* cut)
{
    double x[3];
    v[0] = v[1] = v[2] = 0;
    if (!in->phi_solid || !in->solid.velocity || skin_open(in->skins, cut->at, -1, 0)) return 0;
    window_position(x, in->w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
    in->solid.velocity(v, in->solid.user, x);
    return vec_dot(cut->solid, v);
}

// Outflow through the surface patch and along solids inside a cut cell; through skin that has let go liquid goes as it likes.
static double patch_outflow(const Pressure* p, double* const u[3], const CutCell* cut)
{
    const Window* w = p->in.w;
    double outflow = 0, v[3];
    if (p->in.kind == PRESSURE_CUT && cut->patch_area > 0) {
        double x[3] = {cut->i + cut->center[0], cut->j + cut->center[1], cut->k + cut->center[2]};
        face_velocity(v, u, w, x);
        outflow += vec_dot(cut->patch, v);
    }
    const Skin* skin = skin_open(p->in.skins, cut->at, -1, 0);
    if (skin) {
        face_velocity(v, u, w, skin->place);
        return outflow + vec_dot(skin->area, v);
    }
    if (p->room) outflow += p->room[cut - p->in.cells->cut]*pressure_solid_outflow(v, &p->in, cut);
    return outflow;
}

static double source_of(const Pressure* p, ptrdiff_t at)
{
    return p->in.divergence ? p->in.divergence[at]*cutcells_fraction(p->in.cells, at)*p->in.w->dx : 0;
}

// Weights of a special cell, and its right-hand side.
static double build_special(SpecialCell* out, const Pressure* p, double* const u[3], const int cell[3], ptrdiff_t at)
{
    const Window* w = p->in.w;
    double known = 0, outflow = 0;
    *out = (SpecialCell){.i = cell[0]};
    for (int d = 0; d < w->dim; d++)
        for (int step = -1; step <= 1; step += 2) outflow += build_face(p, u, out, &known, cell, at, d, step);
    if (p->in.side && !sheetside_counts_cell(p->in.side, w, at)) return known - p->in.rho*w->dx/p->in.dt*outflow;
    int32_t index = p->in.cells->index[at];
    if (index >= 0) {
        const CutCell* cut = &p->in.cells->cut[index];
        outflow += patch_outflow(p, u, cut);
        if (p->in.kind == PRESSURE_CUT && cut->patch_area > 0) {
            double foot[3], weight = patch_weight(p, cut, foot);
            out->excess += weight;
            known += weight*surface_pressure(&p->in, foot);
        }
        const Skin* skin = skin_open(p->in.skins, at, -1, 0);
        if (skin) link_skin(p, out, &known, skin);
    }
    return known + p->in.rho*w->dx/p->in.dt*(source_of(p, at) - outflow);
}

// Full, which neither surface nor solid touches, so that its faces are whole, with an unknown behind each.
static bool is_regular(const Pressure* p, const int cell[3], ptrdiff_t at)
{
    const Window* w = p->in.w;
    if (p->in.cells->index[at] != CELL_FULL) return false;
    if (p->in.side && !sheetside_counts_cell(p->in.side, w, at)) return false;
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        if (cell[d] == 0 || cell[d] == w->n[d] - 1) return false;
        if (!pressure_is_unknown(p, at - s) || !pressure_is_unknown(p, at + s)) return false;
        assert(pressure_face_area(&p->in, d, at) == 1 && pressure_face_area(&p->in, d, at + s) == 1);
    }
    return true;
}

// Sorts the unknown cells of a row into regular and special ones; leaves the number of special ones in first[].
static void sort_row(Pressure* p, int r)
{
    int special = 0;
    FOR_CELLS(p, r) {
        ptrdiff_t at = row + i;
        if (!pressure_is_unknown(p, at)) continue;
        bool regular = is_regular(p, (int[3]){i, j, k}, at);
        p->system.kind[at] = regular ? CELL_IS_REGULAR : CELL_IS_SPECIAL;
        special += !regular;
        p->system.first[j + k*w->n[1]] = special;
    }
}

static void build_row(Pressure* p, double* const u[3], int r)
{
    double scale = p->in.rho*p->in.w->dx/p->in.dt;
    SpecialCell* special = NULL;
    FOR_CELLS(p, r) {
        ptrdiff_t at = row + i;
        if (!special) special = p->system.special + p->system.first[j + k*w->n[1]];
        if (p->system.kind[at] == CELL_IS_SPECIAL) {
            p->system.b[at] = build_special(special++, p, u, (int[3]){i, j, k}, at);
        } else if (p->system.kind[at] == CELL_IS_REGULAR) {
            double outflow = 0;
            for (int d = 0; d < w->dim; d++) outflow += u[d][at + window_stride(w, d)] - u[d][at];
            p->system.b[at] = scale*(source_of(p, at) - outflow);
        }
    }
}

// The right-hand side of row r of cells, once the weights stand; with `weights` also those of the special cells. These come from
// their list: the solver may have taken some of them out of `kind`.
static void refresh_row(Pressure* p, double* const u[3], int r, bool weights)
{
    const Window* w = p->in.w;
    int j = r%w->n[1], k = r/w->n[1];
    ptrdiff_t row = window_at(w, 0, j, k);
    double scale = p->in.rho*w->dx/p->in.dt;
    SPAN_LOOP(p->in.spans, r%w->n[1] + r/w->n[1]*p->in.spans->rows_y, q)
        for (int i = p->in.spans->span[q].i0, last = mini(p->in.spans->span[q].i1, w->n[0]); i < last; i++) {
            ptrdiff_t at = row + i;
            if (p->system.kind[at] != CELL_IS_REGULAR) continue;
            double outflow = 0;
            for (int d = 0; d < w->dim; d++) outflow += u[d][at + window_stride(w, d)] - u[d][at];
            p->system.b[at] = scale*(source_of(p, at) - outflow);
        }
    for (int m = p->system.first[r]; m < p->system.first[r + 1]; m++) {
        SpecialCell fresh;
        int cell[3] = {p->system.special[m].i, j, k};
        p->system.b[row + cell[0]] = build_special(&fresh, p, u, cell, row + cell[0]);
        if (weights) p->system.special[m] = fresh;
    }
}

static void refresh(Pressure* p, double* const u[3], bool weights)
{
    int rows = p->in.w->n[1]*p->in.w->n[2];
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(p->in.spans))
    for (int r = 0; r < rows; r++) refresh_row(p, u, r, weights);
}

void pressure_refresh(Pressure* p, double* const u[3])
{
    assert(p->system.special || p->system.first[p->in.w->n[1]*p->in.w->n[2]] == 0);
    refresh(p, u, false);
}

mn_status pressure_reopen(Pressure* p, Arena* arena, double* const u[3])
{
    assert(p->in.skins);
    TRY(pressure_find_room(p, arena));
    refresh(p, u, true);
    return MN_OK;
}

static mn_status take_arrays(Pressure* p, Arena* arena)
{
    const Window* w = p->in.w;
    Poisson* s = &p->system;
    *s = (Poisson){.w = w, .spans = p->in.spans};
    TRY_MEMORY(p->cell = ARENA_ZERO(arena, unsigned char, w->count));
    TRY_MEMORY(s->kind = ARENA_ZERO(arena, unsigned char, w->count));
    TRY_MEMORY(s->first = ARENA_ZERO(arena, int, w->n[1]*w->n[2] + 1));
    TRY_MEMORY(s->b = ARENA_NEW(arena, double, w->count));
    p->cell += w->origin, s->kind += w->origin, s->b += w->origin;
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(p->kind[d] = ARENA_ZERO(arena, unsigned char, w->count));
        p->kind[d] += w->origin;
    }
    return MN_OK;
}

mn_status pressure_build(Pressure* p, Arena* arena, const PressureInput* in, double* const u[3])
{
    assert(in->rho > 0 && in->dt > 0 && in->kind != PRESSURE_AUTO && in->phi);
    assert(spans_is_valid(in->spans, in->w) && cutcells_is_valid(in->cells, in->spans, in->w));
    *p = (Pressure){.in = *in};
    TRY(take_arrays(p, arena));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(in->spans))
    for (int r = 0; r < in->spans->rows; r++) classify_row(p, r);
    TRY(find_orphans(p, arena));
    TRY(pressure_find_room(p, arena));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(in->spans))
    for (int r = 0; r < in->spans->rows; r++) sort_row(p, r);
    int total = 0;
    for (int r = 0; r < in->w->n[1]*in->w->n[2]; r++) {
        int here = p->system.first[r];
        p->system.first[r] = total, total += here;
    }
    p->system.first[in->w->n[1]*in->w->n[2]] = total;
    TRY_MEMORY(p->system.special = ARENA_NEW(arena, SpecialCell, total));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(in->spans))
    for (int r = 0; r < in->spans->rows; r++) build_row(p, u, r);
    assert(poisson_is_valid(&p->system));
    return MN_OK;
}

// ---- links to the surface ------------------------------------------------------------------------------------------------

static bool has_patch(const Pressure* p, ptrdiff_t at)
{
    int32_t index = p->in.cells->index[at];
    return index >= 0 && p->in.cells->cut[index].patch_area > 0;
}

// The cut cell whose surface moves with the flow through the face from `at` to `beside`, a cell without an unknown.
static int patch_towards(const Pressure* p, ptrdiff_t at, ptrdiff_t beside)
{
    if (p->cell[at] == CELL_IS_ORPHAN) return -1;
    if (has_patch(p, beside)) return p->in.cells->index[beside];
    return has_patch(p, at) ? p->in.cells->index[at] : -1;
}

// The links of unknown cell (i,j,k) to the surface; returns their number. `out` may be NULL.
static int links_of_cell(SurfaceLink* out, const Pressure* p, double* const u[3], const int cell[3], ptrdiff_t at)
{
    const Window* w = p->in.w;
    int count = 0;
    for (int d = 0; d < w->dim; d++)
        for (int step = -1; step <= 1; step += 2) {
            if (!pressure_has_neighbour(w, cell, d, step)) continue;
            ptrdiff_t s = window_stride(w, d), face = step < 0 ? at : at + s, beside = at + step*s;
            double area = pressure_is_unknown(p, beside) ? 0 : pressure_face_area(&p->in, d, face);
            if (!(area > 0)) continue;
            if (out) {
                double theta = surface_distance(p, at, beside), weight = area/theta;
                out[count] = (SurfaceLink){.cell = at,
                                           .patch = patch_towards(p, at, beside),
                                           .weight = weight,
                                           .x = {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5},
                                           .axis = d,
                                           .face = face};
                out[count].x[d] += step*theta;
                out[count].known = weight*surface_pressure_on_face(p, cell[0], cell[1], cell[2], d, step, theta);
                out[count].area[d] = step*area, out[count].outflow = step*area*u[d][face];
            }
            count++;
        }
    if (p->in.kind != PRESSURE_CUT || !has_patch(p, at)) return count;
    if (out) {
        const CutCell* cut = &p->in.cells->cut[p->in.cells->index[at]];
        double foot[3], v[3], x[3] = {cut->i + cut->center[0], cut->j + cut->center[1], cut->k + cut->center[2]};
        double weight = patch_weight(p, cut, foot);
        face_velocity(v, u, w, x);
        int patch = p->cell[at] == CELL_IS_ORPHAN ? -1 : p->in.cells->index[at];
        out[count] = (SurfaceLink){.cell = at, .patch = patch, .weight = weight, .x = {foot[0], foot[1], foot[2]}, .axis = -1};
        out[count].known = weight*surface_pressure(&p->in, foot);
        for (int d = 0; d < 3; d++) out[count].area[d] = cut->patch[d];
        out[count].outflow = vec_dot(cut->patch, v);
    }
    return count + 1;
}

mn_status pressure_surface_links(SurfaceLink** link, int* count, Arena* arena, const Pressure* p, double* const u[3])
{
    const Window* w = p->in.w;
    const Poisson* f = &p->system;
    *count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) TRY_MEMORY(*link = ARENA_NEW(arena, SurfaceLink, *count));
        *count = 0;
        for (int r = 0; r < w->n[1]*w->n[2]; r++)
            for (int m = f->first[r]; m < f->first[r + 1]; m++) {
                if (!(f->special[m].excess > 0)) continue;
                int cell[3] = {f->special[m].i, r%w->n[1], r/w->n[1]};
                *count += links_of_cell(pass ? *link + *count : NULL, p, u, cell, window_at(w, cell[0], cell[1], cell[2]));
            }
    }
    return MN_OK;
}

// ---- back to velocities --------------------------------------------------------------------------------------------------

// Has an unknown cell two more behind it along every axis?
static bool is_deep(const Pressure* p, ptrdiff_t at)
{
    const Window* w = p->in.w;
    if (p->cell[at] != CELL_IS_UNKNOWN) return false;
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        bool low = p->cell[at - s] == CELL_IS_UNKNOWN && p->cell[at - 2*s] == CELL_IS_UNKNOWN;
        bool high = p->cell[at + s] == CELL_IS_UNKNOWN && p->cell[at + 2*s] == CELL_IS_UNKNOWN;
        if (!low && !high) return false;
    }
    return true;
}

// Of or beside a cell that a sheet cuts through a face between an unknown cell and the surface that is open by less than this
// goes with those behind it. Left to the pressure, such faces at the contact line grow by a factor e in 0.04 s.
static const double OPEN_BESIDE_SHEETS = 0.75;

static bool is_beside_split(const Pressure* p, int axis, ptrdiff_t at)
{
    const Window* w = p->in.w;
    for (int m = 0; m < 2; m++) {
        ptrdiff_t cell = m == 0 ? at : at - window_stride(w, axis);
        if (sheetside_cell(p->in.side->cut, 1, w, cell) == SHEET_CELL_SPLIT) return true;
        for (int d = 0; d < w->dim; d++)
            for (int step = -1; step <= 1; step += 2)
                if (sheetside_cell(p->in.side->cut, 1, w, cell + step*window_stride(w, d)) == SHEET_CELL_SPLIT) return true;
    }
    return false;
}

// What becomes of the velocity of a face beside an unknown cell `wet`.
static FaceKind kind_of_face(const Pressure* p, int axis, ptrdiff_t at, ptrdiff_t wet, int unknowns, bool on_side, double area)
{
    const PastSurface* rule = &p->in.past;
    FaceFacts f = {.unknowns = unknowns, .on_side = on_side, .area = area, .wet = p->in.cells->area[axis][at]};
    if (area == 0 && rule->keeps_dry) f.is_deep = is_deep(p, wet), f.is_open = f.is_deep && open_area(&p->in, axis, at) > 0;
    PastSurface beside = *rule;
    if (p->in.side && unknowns == 1 && !on_side && is_beside_split(p, axis, at))
        beside.keeps_dry = false, beside.least_open = fmax(rule->least_open, OPEN_BESIDE_SHEETS);
    return past_surface_kind(&beside, &f);
}

// The velocity on a wall of the tank, beside an unknown cell: none, or away from a wall that lets go. Dry walls of cut cells have
// the velocity of the surface in front of them.
static void update_wall(Pressure* p, double* const u[3], const double* pressure, const int face[3], ptrdiff_t at, int axis)
{
    const Window* w = p->in.w;
    int out = face[axis] > 0 ? 1 : -1;
    ptrdiff_t wet = out > 0 ? at - window_stride(w, axis) : at;
    double area = pressure_face_area(&p->in, axis, at);
    const Skin* skin = skin_open(p->in.skins, wet, axis, out > 0);
    bool is_dry = area == 0 && w->side[2*axis + (out > 0)] == SIDE_IS_WALL && open_area(&p->in, axis, at) > 0;
    if (is_dry) p->kind[axis][at] = FACE_CONTINUED;
    else if (!skin) u[axis][at] = 0;
    else {
        double outside, theta = skin_distance(&outside, p, skin);
        u[axis][at] += out*p->in.dt/(p->in.rho*w->dx*theta)*(pressure[wet] - outside);
        if (out*u[axis][at] > 0) u[axis][at] = 0;
    }
}

static void update_face(Pressure* p, double* const u[3], const double* pressure, const int cell[3], ptrdiff_t at, int axis)
{
    const Window* w = p->in.w;
    ptrdiff_t s = window_stride(w, axis), low = at - s, high = at;
    bool has_low = cell[axis] > 0 && pressure_is_unknown(p, low),
         has_high = cell[axis] < w->n[axis] && pressure_is_unknown(p, high);
    p->kind[axis][at] = FACE_CONTINUED;
    if (!has_low && !has_high) return;
    double area = pressure_face_area(&p->in, axis, at), factor = p->in.dt/(p->in.rho*w->dx);
    bool on_side = cell[axis] == 0 || cell[axis] == w->n[axis];
    FaceKind kind = kind_of_face(p, axis, at, has_low ? low : high, has_low + has_high, on_side, area);
    p->kind[axis][at] = (unsigned char)kind;
    if (on_side) {
        Side side = w->side[2*axis + (cell[axis] > 0)];
        int out = cell[axis] > 0 ? 1 : -1;
        if (side == SIDE_IS_OPEN) u[axis][at] += out*factor/0.5*pressure[has_low ? low : high];
        if (p->in.skins && side_is_closed(side)) update_wall(p, u, pressure, cell, at, axis);
        return;
    }
    if (area == 0 && kind == FACE_CONTINUED) return;
    if (has_low && has_high) {
        u[axis][at] -= factor*(pressure[high] - pressure[low]);
        return;
    }
    ptrdiff_t wet = has_low ? low : high, dry = has_low ? high : low;
    int step = has_low ? 1 : -1, q[3] = {cell[0], cell[1], cell[2]};
    if (has_low) q[axis]--;
    double theta = surface_distance(p, wet, dry);
    double outside = surface_pressure_on_face(p, q[0], q[1], q[2], axis, step, theta);
    int patch = p->change ? patch_towards(p, wet, dry) : -1;
    if (patch >= 0) outside += p->change[patch];
    u[axis][at] -= step*factor/theta*(outside - pressure[wet]);
}

double pressure_face_mass(const Pressure* p, int axis, const int face[3])
{
    assert(axis >= 0 && axis < p->in.w->dim && face[axis] >= 0 && face[axis] <= p->in.w->n[axis]);
    const Window* w = p->in.w;
    ptrdiff_t at = window_at(w, face[0], face[1], face[2]), low = at - window_stride(w, axis);
    bool has_low = face[axis] > 0 && pressure_is_unknown(p, low),
         has_high = face[axis] < w->n[axis] && pressure_is_unknown(p, at);
    if (!has_low && !has_high) return 0;
    double area = pressure_face_area(&p->in, axis, at);
    bool on_side = face[axis] == 0 || face[axis] == w->n[axis];
    if (on_side || (has_low && has_high)) return area;
    return area*surface_distance(p, has_low ? low : at, has_low ? at : low);
}

static void update_row(Pressure* p, double* const u[3], const double* pressure, int r)
{
    const Window* w = p->in.w;
    const Spans* spans = p->in.spans;
    int j = r%spans->rows_y, k = r/spans->rows_y;
    ptrdiff_t row = window_at(w, 0, j, k);
    for (int axis = 0; axis < w->dim; axis++) {
        if ((axis != 1 && j >= w->n[1]) || (w->dim == 3 && axis != 2 && k >= w->n[2])) continue;
        SPAN_LOOP(spans, r, q)
            for (int i = spans->span[q].i0, last = mini(spans->span[q].i1, axis == 0 ? w->n[0] + 1 : w->n[0]); i < last; i++)
                update_face(p, u, pressure, (int[3]){i, j, k}, row + i, axis);
    }
}

void pressure_update(Pressure* p, double* const u[3], const double* pressure)
{
    assert(p->system.kind && pressure);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(p->in.spans))
    for (int r = 0; r < p->in.spans->rows; r++) update_row(p, u, pressure, r);
}

double pressure_divergence(const Pressure* p, double* const u[3])
{
    double worst = 0;
    const Window* w = p->in.w;
    const Spans* s = p->in.spans;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        if (j >= w->n[1] || k >= w->n[2]) continue;
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0; i < mini(s->span[q].i1, w->n[0]); i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (!pressure_is_unknown(p, at)) continue;
                int32_t index = p->in.cells->index[at];
                if (index >= 0 && p->in.cells->cut[index].patch_area > 0) continue;
                double out = index >= 0 ? patch_outflow(p, u, &p->in.cells->cut[index]) : 0;
                for (int d = 0; d < w->dim; d++) {
                    ptrdiff_t t = window_stride(w, d);
                    out += pressure_face_area(&p->in, d, at + t)*u[d][at + t] - pressure_face_area(&p->in, d, at)*u[d][at];
                }
                double source = p->in.divergence ? p->in.divergence[at]*cutcells_fraction(p->in.cells, at) : 0;
                worst = fmax(worst, fabs(out/w->dx - source));
            }
    }
    return global_max(worst);
}
