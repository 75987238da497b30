// Meshes as shapes, and such that move.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/shape_node.h"

// ---------------------------------------------------------------- meshes inside the tree

mn_status shape_prepare(Shape* s, double dx)
{
    s->spacing = dx;
    if (s->kind == KIND_MESH) return meshsdf_prepare(s->sdf, dx);
    for (int i = 0; i < s->count; i++) TRY(shape_prepare(s->parts[i], s->kind == KIND_PLACE ? dx/s->factor : dx));
    return MN_OK;
}

const MeshSdf* shape_sdf(const Shape* s)
{
    if (s->kind == KIND_MESH) return s->sdf;
    return s->kind == KIND_PLACE ? shape_sdf(s->parts[0]) : NULL;
}

const TriMesh* shape_mesh(const Shape* s)
{
    const MeshSdf* sdf = shape_sdf(s);
    return sdf ? meshsdf_mesh(sdf) : NULL;
}

// Counts *left down at every mesh of the tree, from the first part to the last; NULL while it is not yet used up.
static const TriMesh* find_mesh(const Shape* s, int* left)
{
    if (s->kind == KIND_MESH && (*left)-- == 0) return meshsdf_mesh(s->sdf);
    for (int i = 0; i < s->count; i++) {
        const TriMesh* found = find_mesh(s->parts[i], left);
        if (found) return found;
    }
    return NULL;
}

const TriMesh* shape_mesh_part(const Shape* s, int number) { return find_mesh(s, &number); }

bool shape_is_round(const Shape* s)
{
    if (s->kind == KIND_PLACE) return shape_is_round(s->parts[0]);
    return s->kind == KIND_SPHERE || s->kind == KIND_ELLIPSOID || s->kind == KIND_CAPSULE || s->kind == KIND_TORUS;
}

bool shape_has_no_edges(const Shape* s)
{
    if (s->kind == KIND_PLACE || s->kind == KIND_UNION) {
        for (int m = 0; m < s->count; m++)
            if (!shape_has_no_edges(s->parts[m])) return false;
        return true;
    }
    return s->kind == KIND_SPHERE || s->kind == KIND_CAPSULE || s->kind == KIND_TORUS;
}

void shape_mesh_point(double out[3], const Shape* s, const double vertex[3])
{
    double p[3] = {vertex[0], vertex[1], vertex[2]};
    if (s->kind == KIND_PLACE) {
        shape_mesh_point(p, s->parts[0], vertex);
        double q[3];
        vec_sub(q, p, s->center);
        for (int d = 0; d < 3; d++) p[d] = s->center[d] + s->axis[d] + s->factor*vec_dot(s->turn[d], q);
    }
    memcpy(out, p, sizeof p);
}

// ---------------------------------------------------------------- meshes that move

bool shape_changes(const Shape* s)
{
    if (s->motion) return true;
    for (int i = 0; i < s->count; i++)
        if (shape_changes(s->parts[i])) return true;
    return false;
}

bool shape_is_changing(const Shape* s)
{
    return s->kind == KIND_PLACE ? shape_is_changing(s->parts[0]) : s->kind == KIND_MESH && s->motion;
}

double shape_fastest_change(const Shape* s)
{
    double fastest = s->motion ? motion_fastest(s->motion) : 0;
    for (int i = 0; i < s->count; i++) fastest = fmax(fastest, shape_fastest_change(s->parts[i]));
    return s->factor*fastest;
}

// The same moves, rotations and scales around the mesh at time t.
static mn_status make_form(Shape** out, const Shape* s, double t)
{
    Shape* part = NULL;
    MeshSdf* sdf = NULL;
    *out = NULL;
    if (s->kind == KIND_PLACE) TRY(make_form(&part, s->parts[0], t));
    else TRY(motion_mesh(&sdf, s->motion, s->sdf, t));
    Shape* form = s->kind == KIND_PLACE ? shape_combine(KIND_PLACE, &part, 1) : shape_from_mesh(sdf);
    meshsdf_release(sdf);
    if (!form) return mn_fail(MN_NO_MEMORY, "no memory for a mesh that moves");
    memcpy(form->center, s->center, sizeof s->center);
    memcpy(form->axis, s->axis, sizeof s->axis);
    memcpy(form->turn, s->turn, sizeof s->turn);
    form->factor = s->factor;
    *out = form;
    return MN_OK;
}

mn_status shape_at(const Shape** out, Shape* s, double t)
{
    *out = NULL;
    if (!s->forms) s->forms = calloc(1, sizeof *s->forms);
    if (!s->forms) return mn_fail(MN_NO_MEMORY, "no memory for a mesh that moves");
    struct Forms* f = s->forms;
    for (int i = 0; i < SHAPE_FORMS; i++)
        if (f->form[i] && f->time[i] == t) {
            *out = f->form[i];
            return MN_OK;
        }
    Shape* form;
    TRY(make_form(&form, s, t));
    mn_status status = s->spacing > 0 ? shape_prepare(form, s->spacing) : MN_OK;
    if (status != MN_OK) {
        shape_free(form);
        return status;
    }
    shape_free(f->form[f->next]);
    f->form[f->next] = form, f->time[f->next] = t;
    f->next = (f->next + 1)%SHAPE_FORMS;
    *out = form;
    return MN_OK;
}

void shape_shift(double out[3], const Shape* now, const Shape* before, const double x[3])
{
    if (now->kind == KIND_MESH) {
        meshsdf_shift(out, now->sdf, before->sdf, x);
        return;
    }
    double local[3], shift[3];
    shape_place_inverse(local, now, x);
    shape_shift(shift, now->parts[0], before->parts[0], local);
    for (int d = 0; d < 3; d++) out[d] = now->factor*vec_dot(now->turn[d], shift);
}

double shape_longest_shift(const Shape* now, const Shape* before)
{
    if (now->kind == KIND_MESH) return meshsdf_longest_shift(now->sdf, before->sdf);
    return now->factor*shape_longest_shift(now->parts[0], before->parts[0]);
}
