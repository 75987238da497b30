// Where the surface is, as seen from the centre of a cell, and how much of a face lets flow pass.
#include <assert.h>
#include <math.h>
#include <string.h>
#include "grid/cutcell.h"
#include "grid/interpolate.h"
#include "solve/pressure_private.h"

static const double DISTANCE_FLOOR = 0.05;  // of the distance to the surface through a face (cut cells)
static const double GHOST_FLOOR = 1e-3;     // the same for the ghost-fluid variant
static const double DISTANCE_MOST = 1.5;
static const double ORPHAN_DEPTH = 0.05;

double pressure_center_value(const PressureInput* in, ptrdiff_t at)
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
double pressure_open_area(const PressureInput* in, int axis, ptrdiff_t at)
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
    return in->open[axis] ? in->open[axis][at] : open_fraction((double[4]){q[0], q[s], q[s + t], q[t]}, w);
}

// The faces around a node inside a solid; each is left to the first of its corners that is.
static void open_around(double* const open[3], const PressureInput* in, ptrdiff_t node)
{
    const Window* w = in->w;
    for (int axis = 0; axis < w->dim; axis++) {
        ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
        ptrdiff_t corner[4] = {0, s, t, s + t};
        for (int c = 0; c < (w->dim == 3 ? 4 : 2); c++) {
            ptrdiff_t face = node - corner[c];
            const double* q = in->phi_solid + face;
            int first = 0;
            while (!(q[corner[first]] < 0)) first++;
            if (first == c) open[axis][face] = open_fraction((double[4]){q[0], q[s], q[s + t], q[t]}, w);
        }
    }
}

mn_status pressure_find_open(PressureInput* in, Arena* arena)
{
    assert(in->phi_solid && !in->side);
    const Spans* spans = in->spans;
    double* open[3] = {NULL, NULL, NULL};
    for (int d = 0; d < in->w->dim; d++) {
        TRY_MEMORY(open[d] = ARENA_NEW(arena, double, in->w->count));
        open[d] += in->w->origin, in->open[d] = open[d];
    }
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) {
        ptrdiff_t row = window_at(in->w, 0, r%spans->rows_y, r/spans->rows_y);
        SPAN_LOOP(spans, r, q)
            for (ptrdiff_t at = row + spans->span[q].i0; at < row + spans->span[q].i1; at++)
                if (in->phi_solid[at] < 0) open_around(open, in, at);
    }
    return MN_OK;
}

double pressure_ghost_area(const PressureInput* in, int axis, ptrdiff_t at)
{
    double open = pressure_open_area(in, axis, at);
    // a portion of a face deep in the liquid, but dry: its wet part is all on the other side of the sheet, and the cell beyond
    // has no piece here
    bool is_dry = in->side && open < 1 && in->cells->area[axis][at] == 0;
    bool is_deep = is_dry && pressure_center_value(in, at) < 0 && pressure_center_value(in, at - window_stride(in->w, axis)) < 0;
    return is_deep ? 0 : open;
}

double pressure_surface_distance(const Pressure* p, ptrdiff_t l, ptrdiff_t m)
{
    assert(pressure_is_unknown(p, l) && !pressure_is_unknown(p, m));
    if (p->cell[l] == CELL_IS_ORPHAN) return 0.5;
    double a = pressure_center_value(&p->in, l), b = pressure_center_value(&p->in, m);
    double theta = b > a ? a/(a - b) : DISTANCE_MOST;
    return clamp(theta, p->in.kind == PRESSURE_CUT ? DISTANCE_FLOOR : GHOST_FLOOR, DISTANCE_MOST);
}

double pressure_outside(const PressureInput* in, const double x[3])
{
    return in->surface ? node_value(in->surface, in->w, x) : 0;
}

double pressure_outside_face(const Pressure* p, int i, int j, int k, int axis, int step, double theta)
{
    double x[3] = {i + 0.5, j + 0.5, k + 0.5};
    x[axis] += step*theta;  // the very distance the weight is made with, also past 1: anything else is first order there
    return pressure_outside(&p->in, x);
}

double pressure_patch_weight(const Pressure* p, const CutCell* cut, double foot[3])
{
    double n[3], slope = center_slope(n, &p->in, cut->at), area = vec_norm(cut->patch), depth;
    if (p->cell[cut->at] == CELL_IS_ORPHAN) {
        // half the mean half-thickness of a sheet that fills `volume` between its two sides
        depth = fmax(0.25*cut->volume/fmax(cut->patch_area, 1e-3), ORPHAN_DEPTH);
        area = cut->patch_area;
        memcpy(foot, cut->center, sizeof cut->center);
    } else {
        depth = fmax(-pressure_center_value(&p->in, cut->at)/(slope*p->in.w->dx), DEPTH_FLOOR);
        for (int d = 0; d < 3; d++) foot[d] = 0.5 + depth*n[d];
    }
    foot[0] += cut->i, foot[1] += cut->j, foot[2] += cut->k;
    assert(depth > 0);
    return area/depth;
}

// Of a piece of skin that lets go of its unknown cell: distance (cells) to the pressure beside it, and that pressure (Pa). While
// the skin is wet that is what adhesion bears; once there is air in between it is the surface's.
double pressure_skin_distance(double* outside, const Pressure* p, const Skin* s)
{
    double theta = clamp(s->depth, DISTANCE_FLOOR, DISTANCE_MOST);
    *outside = -s->held;
    if (!s->is_dry) return theta;
    double here = pressure_center_value(&p->in, s->at), there = node_value(p->in.phi, p->in.w, s->place), x[3];
    if (p->cell[s->at] == CELL_IS_UNKNOWN && there > here) theta = clamp(theta*here/(here - there), GHOST_FLOOR, theta);
    for (int d = 0; d < 3; d++) x[d] = s->cell[d] + 0.5 - theta*s->normal[d];
    *outside = pressure_outside(&p->in, x);
    return theta;
}
