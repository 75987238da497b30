#include "solve/pressure.h"

#include <assert.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "solve/pressure_private.h"

// Adds the link of a piece of skin that has let go.
static void link_skin(const Pressure* p, SpecialCell* out, double* known, const Skin* s)
{
    double outside, weight = vec_norm(s->area)/pressure_skin_distance(&outside, p, s);
    out->excess += weight, *known += weight*outside;
}

double pressure_skin_pull(const Pressure* p, const Skin* s)
{
    if (!s->opened || s->is_dry) return 0;
    double outside, distance = pressure_skin_distance(&outside, p, s);
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
        double theta = pressure_surface_distance(p, at, beside), weight = area/theta;
        out->excess += weight;
        *known += weight*pressure_outside_face(p, cell[0], cell[1], cell[2], axis, step, theta);
    }
    return outflow;
}

bool pressure_sheet_area(double area[3], const PressureInput* in, const CutCell* cut)
{
    const Window* w = in->w;
    area[0] = area[1] = area[2] = 0;
    if (sheetside_cell(in->side->cut, in->side->sign, w, cut->at) != SHEET_CELL_SPLIT) return false;
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t high = cut->at + window_stride(w, d);
        // what the faces leave open that this operator has; in cut cells the surface closes some of it
        area[d] = pressure_face_area(in, d, cut->at) - pressure_face_area(in, d, high);
        if (in->kind == PRESSURE_CUT) area[d] -= cut->patch[d];
    }
    return true;
}

double pressure_solid_outflow(double v[3], const PressureInput* in, const CutCell* cut)
{
    double x[3], sheet[3];
    v[0] = v[1] = v[2] = 0;
    if (!in->phi_solid || !in->solid.velocity || skin_open(in->skins, cut->at, -1, 0)) return 0;
    if (in->side && !pressure_sheet_area(sheet, in, cut)) return 0;  // solids beside sheets stand still
    window_position(x, in->w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
    in->solid.velocity(v, in->solid.user, x);
    return vec_dot(in->side ? sheet : cut->solid, v);
}

// Outflow through the surface patch and along solids inside a cut cell; through skin that has let go liquid goes as it likes.
double pressure_patch_outflow(const Pressure* p, double* const u[3], const CutCell* cut)
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
        outflow += pressure_patch_outflow(p, u, cut);
        if (p->in.kind == PRESSURE_CUT && cut->patch_area > 0) {
            double foot[3], weight = pressure_patch_weight(p, cut, foot);
            out->excess += weight;
            known += weight*pressure_outside(&p->in, foot);
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
        for (int m = 0; p->in.side && m < 2; m++)
            if (!sheetside_counts_face(p->in.side, w, at + m*s, d)) return false;
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
    TRY(pressure_classify(p, arena));
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
