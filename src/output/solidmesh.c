#include "output/solidmesh.h"

#include <math.h>
#include "base/vec.h"
#include "scene/mesh.h"

// x = rotation (x_rest - pivot) + pivot + position
static void to_tank(double out[3], const Solid* s, const double rest[3])
{
    double y[3];
    vec_sub(y, rest, s->pivot);
    for (int d = 0; d < 3; d++) out[d] = vec_dot(s->pose.rotation[d], y) + s->pivot[d] + s->pose.position[d];
}

static void set_velocities(SurfaceMesh* mesh, const Solid* s)
{
    const Solids one = {.solid = (Solid*)s, .count = 1, .any_moving = s->moving};
    for (int i = 0; i < mesh->vertex_count; i++) solids_velocity(mesh->velocity[i], &one, mesh->position[i]);
}

// ---- shapes that are meshes ----------------------------------------------------------------------------------------------

static void add_face_normals(SurfaceMesh* mesh)
{
    for (int f = 0; f < mesh->face_count; f++) {
        const int* c = mesh->face + 3*(ptrdiff_t)f;
        double ab[3], ac[3], n[3];
        vec_sub(ab, mesh->position[c[1]], mesh->position[c[0]]);
        vec_sub(ac, mesh->position[c[2]], mesh->position[c[0]]);
        vec_cross(n, ab, ac);
        for (int a = 0; a < 3; a++)
            for (int d = 0; d < 3; d++) mesh->normal[c[a]][d] += n[d];
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        double norm = vec_norm(mesh->normal[i]);
        for (int d = 0; d < 3; d++) mesh->normal[i][d] = norm > 0 ? mesh->normal[i][d]/norm : 0;
    }
}

static mn_status take_triangles(SurfaceMesh* mesh, const Solid* solid, const Shape* shape, const TriMesh* triangles)
{
    mesh->corners = 3;
    bool fits = true;
    for (int i = 0; i < triangles->vertex_count && fits; i++) {
        double rest[3], x[3];
        shape_mesh_point(rest, shape, triangles->vertices[i]);
        to_tank(x, solid, rest);
        fits = surfacemesh_add_vertex(mesh, x, 0) >= 0;
    }
    for (int f = 0; f < triangles->triangle_count && fits; f++)
        fits = surfacemesh_add_face(mesh, triangles->triangles[f], FACE_IS_FREE);
    if (!fits) return mn_fail(MN_NO_MEMORY, "out of memory: the mesh of solid %s", solid->name);
    add_face_normals(mesh);
    return MN_OK;
}

// ---- shapes that are distances -------------------------------------------------------------------------------------------

// Cells of the tank that the posed shape may reach, with a margin for gradients; false if there are none.
static bool cells_of_shape(int lo[3], int n[3], const Solid* solid, const Shape* shape, const Tank* tank)
{
    double low[3], high[3], from[3] = {INFINITY, INFINITY, INFINITY}, to[3] = {-INFINITY, -INFINITY, -INFINITY};
    shape_bounds(low, high, shape);
    bool bounded = true;
    for (int d = 0; d < tank->dim; d++) bounded = bounded && isfinite(low[d]) && isfinite(high[d]);
    for (int c = 0; c < 8 && bounded; c++) {
        double corner[3] = {c & 1 ? high[0] : low[0], c & 2 ? high[1] : low[1], c & 4 ? high[2] : low[2]}, x[3];
        if (tank->dim == 2) corner[2] = 0;
        to_tank(x, solid, corner);
        for (int d = 0; d < 3; d++) from[d] = fmin(from[d], x[d]), to[d] = fmax(to[d], x[d]);
    }
    for (int d = 0; d < 3; d++) {
        lo[d] = 0, n[d] = tank->n[d];
        if (!bounded || d >= tank->dim) continue;
        int first = (int)clamp(floor(from[d]/tank->dx) - 2, 0, tank->n[d]);
        int last = (int)clamp(ceil(to[d]/tank->dx) + 2, 0, tank->n[d]);
        lo[d] = first, n[d] = last - first;
        if (n[d] <= 0) return false;
    }
    return true;
}

static double distance_of_one(const void* solids, const double x[3]) { return solids_distance(solids, x, NULL); }

static mn_status polygonise(SurfaceMesh* mesh, const Solid* solid, const Window* w)
{
    const Solids one = {.solid = (Solid*)solid, .count = 1};
    Field distance;
    TRY(field_init(&distance, w));
    int rows_y = w->n[1] + 1, rows = rows_y*window_node_layers(w);
#pragma omp parallel for schedule(dynamic, 8)
    for (int r = 0; r < rows; r++)
        for (int i = 0; i <= w->n[0]; i++) {
            double x[3];
            window_position(x, w, i, r%rows_y, r/rows_y);
            distance.v[window_at(w, i, r%rows_y, r/rows_y)] = solids_distance(&one, x, NULL);
        }
    mn_status status = marching_add(mesh, &(MarchingInput){.w = w, .phi = distance.v, .distance = distance_of_one, .user = &one});
    field_free(&distance);
    // what is closed by a side of the tank is solid all the same
    for (int f = 0; f < mesh->face_count; f++) mesh->kind[f] = FACE_IS_FREE;
    return status;
}

// Bodies, which may be a few cells large, are shown by finer cells; those that liquids see thicker than they are (thinner than
// three cells) as they are.
static void show_as_it_is(Solid* shown, Tank* finer)
{
    int times = shown->thicker > 0 ? 4 : shown->body > 0 ? 2 : 1;
    shown->thicker = 0, finer->dx /= times;
    for (int d = 0; d < finer->dim; d++) finer->n[d] *= times;
}

mn_status solidmesh_make(SurfaceMesh* mesh, const Solid* solid, const Shape* shape, const Tank* tank)
{
    Solid shown = *solid;
    Tank finer = *tank;
    show_as_it_is(&shown, &finer);
    *mesh = (SurfaceMesh){.corners = tank->dim};
    const TriMesh* triangles = tank->dim == 3 ? shape_mesh(shape) : NULL;
    mn_status status = MN_OK;
    int lo[3], n[3];
    if (triangles) {
        status = take_triangles(mesh, solid, shape, triangles);
    } else if (cells_of_shape(lo, n, &shown, shape, &finer)) {
        Window w = window_make(&finer, lo, n);
        status = polygonise(mesh, &shown, &w);
    }
    if (status == MN_OK) set_velocities(mesh, solid);
    else surfacemesh_free(mesh);
    return status;
}
