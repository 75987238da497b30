// From pressures back to velocities.
#include <assert.h>
#include <math.h>
#include "base/global.h"
#include "solve/pressure_private.h"

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
    if (area == 0 && rule->keeps_dry) {
        f.is_deep = is_deep(p, wet);
        f.is_open = f.is_deep && pressure_open_area(&p->in, axis, at) > 0;
    }
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
    bool is_dry = area == 0 && w->side[2*axis + (out > 0)] == SIDE_IS_WALL && pressure_open_area(&p->in, axis, at) > 0;
    if (is_dry) p->kind[axis][at] = FACE_CONTINUED;
    else if (!skin) u[axis][at] = 0;
    else {
        double outside, theta = pressure_skin_distance(&outside, p, skin);
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
    double area = p->system.kind[at] == CELL_IS_REGULAR ? 1 : pressure_face_area(&p->in, axis, at);
    double factor = p->in.dt/(p->in.rho*w->dx);
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
    double theta = pressure_surface_distance(p, wet, dry);
    double outside = pressure_outside_face(p, q[0], q[1], q[2], axis, step, theta);
    int patch = p->change ? pressure_patch_towards(p, wet, dry) : -1;
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
    return area*pressure_surface_distance(p, has_low ? low : at, has_low ? at : low);
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
                double out = index >= 0 ? pressure_patch_outflow(p, u, &p->in.cells->cut[index]) : 0;
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
