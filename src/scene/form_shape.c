#include "scene/form_shape.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "scene/mesh_build.h"
#include "scene/shape_node.h"

// cos and sin of what counts as along z or in the plane
static const double ASKEW = 1e-6;

static mn_status made(Shape** out, Shape* shape)
{
    *out = shape;
    return shape ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for the shape of a body");
}

// The shape, given about the origin in the form's own axes, where the form is.
static mn_status put(Shape** out, Shape* own, const BodyForm* f)
{
    Shape* placed = own ? shape_combine(KIND_PLACE, &own, 1) : NULL;
    if (placed) {
        memcpy(placed->axis, f->center, sizeof placed->axis);
        memcpy(placed->turn, f->rotation, sizeof placed->turn);
        placed->factor = 1;
    }
    return made(out, placed);
}

static mn_status segment(Shape** out, const BodyForm* f, int dim)
{
    double from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
    for (int d = 0; d < dim; d++) {
        from[d] = f->center[d] - f->size[1]*f->rotation[d][2];
        to[d] = f->center[d] + f->size[1]*f->rotation[d][2];
    }
    return made(out, (f->kind == FORM_CAPSULE ? shape_capsule : shape_cylinder)(dim, from, to, f->size[0]));
}

static mn_status hull(Shape** out, const BodyForm* f)
{
    MeshBuilder b = {0};
    TriMesh mesh = {0};
    MeshSdf* sdf = NULL;
    mn_status status = MN_OK;
    for (int m = 0; m < f->points && status == MN_OK; m++) status = builder_vertex(&b, f->point + 3*m);
    for (int m = 0; m < f->triangles && status == MN_OK; m++)
        status = builder_triangle(&b, f->triangle[3*m], f->triangle[3*m + 1], f->triangle[3*m + 2]);
    if (status == MN_OK) status = builder_finish(&mesh, &b, "a mesh of the file");
    else mesh_free(&b.mesh);
    if (status == MN_OK) status = mesh_check(&mesh, "a mesh of the file");
    if (status == MN_OK) status = meshsdf_create(&sdf, &mesh);
    if (status == MN_OK) status = put(out, shape_from_mesh(sdf), f);
    meshsdf_release(sdf);
    mesh_free(&mesh);
    return status;
}

static mn_status form_3d(Shape** out, const BodyForm* f)
{
    static const double origin[3];
    double low[3] = {-f->size[0], -f->size[1], -f->size[2]};
    switch (f->kind) {
    case FORM_BALL:
        return made(out, shape_sphere(3, f->center, f->size[0]));
    case FORM_BOX:
        return put(out, shape_box(3, low, f->size, 0), f);
    case FORM_ELLIPSOID:
        return put(out, shape_ellipsoid(3, origin, f->size), f);
    case FORM_CAPSULE:
    case FORM_CYLINDER:
        return segment(out, f, 3);
    default:
        return hull(out, f);
    }
}

// A box or ellipsoid one of whose axes is along z: its cut across that one.
static mn_status across(Shape** out, const BodyForm* f)
{
    static const double z[3] = {0, 0, 1}, origin[3];
    int up = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(f->rotation[2][k]) > fabs(f->rotation[2][up])) up = k;
    if (fabs(f->rotation[2][up]) < 1 - ASKEW) return MN_UNSUPPORTED;
    int a = (up + 1)%3, b = (up + 2)%3;
    double half[3] = {f->size[a], f->size[b], 0}, low[3] = {-half[0], -half[1], 0}, center[3] = {f->center[0], f->center[1], 0};
    Shape* own = f->kind == FORM_BOX ? shape_box(2, low, half, 0) : shape_ellipsoid(2, origin, half);
    return made(out, own ? shape_place(own, origin, center, z, atan2(f->rotation[1][a], f->rotation[0][a]), 1) : NULL);
}

static mn_status form_2d(Shape** out, const BodyForm* f)
{
    double center[3] = {f->center[0], f->center[1], 0}, rise = fabs(f->rotation[2][2]);
    bool round = f->kind == FORM_CAPSULE || f->kind == FORM_CYLINDER;
    if (f->kind == FORM_BALL || (round && rise > 1 - ASKEW)) return made(out, shape_sphere(2, center, f->size[0]));
    if (round) return rise < ASKEW ? segment(out, f, 2) : MN_UNSUPPORTED;
    return f->kind == FORM_HULL ? MN_UNSUPPORTED : across(out, f);
}

mn_status shape_of_forms(Shape** out, const BodyForm* form, int count, int dim)
{
    assert(count > 0);
    *out = NULL;
    Shape** part = calloc((size_t)count, sizeof *part);
    mn_status status = part ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for the shape of a body");
    int have = 0;
    for (; have < count && status == MN_OK; have += status == MN_OK)
        status = (dim == 2 ? form_2d : form_3d)(&part[have], &form[have]);
    if (status == MN_UNSUPPORTED)
        mn_fail(status, "in 2D a form is a ball, or lies along the plane or across it, and is no mesh; this one is not");
    if (status == MN_OK) status = made(out, count == 1 ? part[0] : shape_union(part, count));
    else
        for (int m = 0; m < have; m++) shape_free(part[m]);
    free(part);
    return status;
}
