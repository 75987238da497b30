#include "liquid/held_faces.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"
#include "grid/levelset.h"

// Unit normal of the sampled distance at the centre of a face: mean over its nodes.
static void sampled_face_normal(double n[3], const double* phi_s, const Window* w, int axis, ptrdiff_t at)
{
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
    ptrdiff_t node[4] = {at, at + s, at + t, at + s + t};
    n[0] = n[1] = n[2] = 0;
    for (int m = 0; m < (w->dim == 3 ? 4 : 2); m++) {
        double g[3];
        node_gradient(g, phi_s, w, node[m]);
        for (int d = 0; d < 3; d++) n[d] += g[d];
    }
    double norm = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
}

// The faces of a row whose middle is inside a solid. Counts them when out is NULL.
static int faces_of_row(HeldFace* out, const double* phi_s, const Spans* spans, const Window* w, int r)
{
    int j = r%spans->rows_y, k = r/spans->rows_y, count = 0;
    for (int axis = 0; axis < w->dim; axis++) {
        if ((axis != 1 && j >= w->n[1]) || (w->dim == 3 && axis != 2 && k >= w->n[2])) continue;
        SPAN_LOOP(spans, r, q)
            for (int i = spans->span[q].i0; i < mini(spans->span[q].i1, w->n[0] + (axis == 0)); i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                double off = face_mean(phi_s, w, axis, at);
                if (!(off < 0)) continue;
                if (out) {
                    HeldFace* f = &out[count];
                    *f = (HeldFace){
                        .at = at, .axis = axis, .x = {i + (axis != 0)*0.5, j + (axis != 1)*0.5, k + (axis != 2)*0.5}};
                    sampled_face_normal(f->n, phi_s, w, axis, at);
                    for (int d = 0; d < 3; d++) f->foot[d] = f->x[d] - off/w->dx*f->n[d];
                }
                count++;
            }
    }
    return count;
}

mn_status held_faces_find(HeldFaces* held, Arena* arena, const double* phi_s, const Spans* spans, const Window* w)
{
    assert(phi_s && spans_is_valid(spans, w));
    int rows = spans->rows, *first = ARENA_NEW(arena, int, rows + 1);
    TRY_MEMORY(first);
    first[0] = 0;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < rows; r++) first[r + 1] = faces_of_row(NULL, phi_s, spans, w, r);
    for (int r = 0; r < rows; r++) first[r + 1] += first[r];
    *held = (HeldFaces){.count = first[rows]};
    TRY_MEMORY(held->face = ARENA_NEW(arena, HeldFace, held->count));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < rows; r++)
        if (first[r + 1] > first[r]) faces_of_row(held->face + first[r], phi_s, spans, w, r);
    return MN_OK;
}

// The velocity at a face with the solid's along the normal, of the field as it is.
static double held_value(const HeldFace* f, double* const u[3], const double* phi, SolidMotion solid, const Window* w)
{
    double x[3], v[3], us[3], across = 0;
    window_position(x, w, f->x[0], f->x[1], f->x[2]);
    solid.velocity(us, solid.user, x);
    face_velocity(v, u, w, f->x);
    for (int d = 0; d < 3; d++) across += f->n[d]*(v[d] - us[d]);
    if (phi && across > 0 && solid_has_parted(phi, w, f->foot, f->n)) return u[f->axis][f->at];
    return v[f->axis] - f->n[f->axis]*across;
}

// All values first, from the field as it was: a face that read what its neighbour before had been given leant to one side, and
// a water strider of two equal halves walked off sideways.
void held_faces_set(double* const u[3], const HeldFaces* held, const double* phi, SolidMotion solid, const Window* w)
{
    assert(solid.velocity);
    for (int m = 0; m < held->count; m++) held->face[m].value = held_value(&held->face[m], u, phi, solid, w);
    for (int m = 0; m < held->count; m++) u[held->face[m].axis][held->face[m].at] = held->face[m].value;
    faces_exchange(u, w, EVERY_LAYER);
}
