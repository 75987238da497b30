#include "solve/pressure_wrench.h"

#include <assert.h>
#include <string.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "solve/pressure_private.h"

// Corner values of the low face of a cell, in cells, off zero; cyclic in 3D.
static void face_corners(double out[4], const double* values, const Window* w, int axis, ptrdiff_t at)
{
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
    const double* q = values + at;
    out[0] = cut_snap(q[0]/w->dx), out[1] = cut_snap(q[s]/w->dx);
    out[2] = cut_snap(q[s + t]/w->dx), out[3] = cut_snap(q[t]/w->dx);
}

// Middle of the part of a low face that the operator's area stands for, m.
static void face_middle(double x[3], const PressureInput* in, int axis, const int face[3], ptrdiff_t at)
{
    static const double all_wet[4] = {-1, -1, -1, -1};
    const Window* w = in->w;
    double phi[4], solid[4], middle[2], local[3] = {face[0], face[1], face[2]};
    int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    memcpy(phi, all_wet, sizeof phi);
    if (in->kind == PRESSURE_CUT) face_corners(phi, in->phi, w, axis, at);
    face_corners(solid, in->phi_solid, w, axis, at);
    if (w->dim == 3) {
        cut_square_middle(middle, phi, solid);
        local[a] += middle[0], local[b] += middle[1];
    } else local[a] += cut_edge_middle(phi, solid);
    window_position(x, w, local[0], local[1], local[2]);
}

// Takes an area vector at x (m) off the wrench about x_0.
static void take_off(double wrench[TWIST], const double area[3], const double x[3], const double x_0[3])
{
    double arm[3], turn[3];
    vec_sub(arm, x, x_0);
    vec_cross(turn, arm, area);
    for (int d = 0; d < 3; d++) wrench[d] -= area[d], wrench[3 + d] -= turn[d];
}

// The faces of a cell that have an area: out of it, and their middles (m).
typedef struct CellFaces {
    int axis[6], count;
    double area[6][3], x[6][3];
} CellFaces;

static void find_faces(CellFaces* out, const Pressure* p, const CutCell* cut)
{
    out->count = 0;
    for (int side = 0; side < 2*p->in.w->dim; side++) {
        int axis = side/2, high = side%2, face[3] = {cut->i, cut->j, cut->k}, m = out->count;
        ptrdiff_t at = cut->at + high*window_stride(p->in.w, axis);
        double area = pressure_face_area(&p->in, axis, at);
        if (area == 0) continue;
        face[axis] += high;
        for (int d = 0; d < 3; d++) out->area[m][d] = 0;
        out->axis[m] = axis, out->area[m][axis] = (high ? 1 : -1)*area;
        face_middle(out->x[m], &p->in, axis, face, at);
        out->count++;
    }
}

static void wrench_of_faces(double wrench[TWIST], const CellFaces* faces, const Pressure* p, const CutCell* cut,
                            const double x_0[3])
{
    double x[3];
    memset(wrench, 0, TWIST*sizeof *wrench);
    for (int m = 0; m < faces->count; m++) take_off(wrench, faces->area[m], faces->x[m], x_0);
    if (p->in.kind != PRESSURE_CUT || !(cut->patch_area > 0)) return;
    window_position(x, p->in.w, cut->i + cut->center[0], cut->j + cut->center[1], cut->k + cut->center[2]);
    take_off(wrench, cut->patch, x, x_0);
}

static void moments_of_faces(double Q[3][3], const CellFaces* faces, const Window* w, const CutCell* cut)
{
    double middle[3];
    window_position(middle, w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
    memset(Q, 0, 9*sizeof Q[0][0]);
    for (int d = 0; d < w->dim; d++) Q[d][d] = cut->volume;
    for (int m = 0; m < faces->count; m++)
        for (int d = 0; d < w->dim; d++)
            Q[d][faces->axis[m]] -= (faces->x[m][d] - middle[d])/w->dx*faces->area[m][faces->axis[m]];
}

void pressure_wrench(double wrench[TWIST], const Pressure* p, const CutCell* cut, const double x_0[3])
{
    assert(p->in.phi_solid && pressure_is_unknown(p, cut->at));
    CellFaces faces;
    find_faces(&faces, p, cut);
    wrench_of_faces(wrench, &faces, p, cut, x_0);
}

void pressure_skin_moments(double wrench[TWIST], double Q[3][3], const Pressure* p, const CutCell* cut, const double x_0[3])
{
    assert(p->in.phi_solid && pressure_is_unknown(p, cut->at));
    CellFaces faces;
    find_faces(&faces, p, cut);
    wrench_of_faces(wrench, &faces, p, cut, x_0);
    moments_of_faces(Q, &faces, p->in.w, cut);
}
