#include "membrane/membrane_start.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "grid/marching.h"
#include "membrane/remesh.h"

// ---- marched ----------------------------------------------------------------------------------------------------------------

// Cells: what lies closer to a wall is on it. Marching puts its points on edges of the grid, to rounding.
static const double ON_WALL = 1e-6;

static void put_on_walls(double x[3], const MembraneMesh* m, double dx)
{
    for (int d = 0; d < m->dim; d++) {
        if (fabs(x[d] - m->low[d]) < ON_WALL*dx) x[d] = m->low[d];
        if (fabs(x[d] - m->high[d]) < ON_WALL*dx) x[d] = m->high[d];
    }
}

// Faces against air, with the vertices they have.
static mn_status take_free_faces(MembraneMesh* m, const SurfaceMesh* from, double edge, double dx)
{
    int* number = malloc(sizeof *number*(size_t)(from->vertex_count + 1));
    TRY_MEMORY(number);
    for (int i = 0; i < from->vertex_count; i++) number[i] = -1;
    mn_status status = MN_OK;
    for (int f = 0; f < from->face_count && status == MN_OK; f++) {
        int corner[3];
        if (from->kind[f] != FACE_IS_FREE) continue;
        for (int c = 0; c < m->dim && status == MN_OK; c++) {
            int i = from->face[m->dim*f + c];
            if (number[i] < 0) {
                double x[3] = {from->position[i][0], from->position[i][1], from->position[i][2]};
                put_on_walls(x, m, dx);
                number[i] = m->vertices;
                status = membrane_add_vertex(m, x, edge);
            }
            corner[c] = number[i];
        }
        if (status == MN_OK) status = membrane_add_element(m, corner);
    }
    free(number);
    return status;
}

static mn_status march(MembraneMesh* m, const Liquid* q, double edge)
{
    SurfaceMesh surface = {.corners = q->w.dim};
    mn_status status = marching_add(&surface, &(MarchingInput){.w = &q->w, .phi = q->phi.v, .owner = q->id});
    if (status == MN_OK) status = take_free_faces(m, &surface, edge, q->w.dx);
    surfacemesh_free(&surface);
    return status;
}

// ---- on the shape -----------------------------------------------------------------------------------------------------------

// One step of Newton towards distance = 0 along its slope, by a cell at most. Where slopes say nothing (creases) it stays.
static void step_to_shape(double x[3], const MembraneMesh* m, int walls, double dx, ShapeDistance distance, const void* user)
{
    double h = 1e-4*dx, slope[3] = {0}, d = distance(user, x);
    if (!(fabs(d) < dx)) return;
    for (int a = 0; a < m->dim; a++) {
        double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        if (walls >> a & 1) continue;
        low[a] -= h, high[a] += h;
        slope[a] = (distance(user, high) - distance(user, low))/(2*h);
    }
    double square = vec_dot(slope, slope);
    if (!(square > 0.1)) return;
    for (int a = 0; a < m->dim; a++) x[a] -= d*slope[a]/square;
}

// Twice: distances that are bounds, or curved within a cell, are reached in the second step.
static void put_on_shape(MembraneMesh* m, double dx, ShapeDistance distance, const void* user)
{
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < m->vertices; i++) {
            double* x = m->x + 3*i;
            step_to_shape(x, m, m->flag[i], dx, distance, user);
            for (int d = 0; d < m->dim; d++)
                if (!(m->flag[i] >> d & 1)) x[d] = clamp(x[d], m->low[d] + ON_WALL*dx, m->high[d] - ON_WALL*dx);
        }
}

// ---- all of it --------------------------------------------------------------------------------------------------------------

// Rounds of marched slivers, whose angles may be below a degree, to triangles that are fit.
enum { ROUNDS = 4, PASSES = 3 };

static mn_status make(MembraneMesh* m, const Liquid* q, double edge, ShapeDistance distance, const void* user)
{
    TRY(march(m, q, edge));
    if (m->elements == 0)
        return mn_fail(MN_BAD_MESH, "it has no surface against air: it fills the box or is thinner than a cell");
    for (int round = 0; round < ROUNDS; round++) {
        if (distance) put_on_shape(m, q->w.dx, distance, user);
        TRY(membrane_remesh(m, PASSES, NULL));
    }
    if (distance) put_on_shape(m, q->w.dx, distance, user);
    const char* fault = membrane_find_fault(m);
    return fault ? mn_fail(MN_BAD_MESH, "%s", fault) : MN_OK;
}

mn_status membrane_from_levels(MembraneMesh* m, const Liquid* q, const Tank* tank, double edge, ShapeDistance distance,
                               const void* user)
{
    assert(edge > 0 && tank->dim == q->w.dim);
    *m = (MembraneMesh){.dim = tank->dim};
    for (int d = 0; d < tank->dim; d++) m->high[d] = tank->n[d]*tank->dx;
    m->corner_is_wet = q->w.lo[0] == 0 && q->w.lo[1] == 0 && q->w.lo[2] == 0 && q->phi.v[0] < 0;
    mn_status status = make(m, q, edge, distance, user);
    if (status != MN_OK) return membrane_free(m), status;
    m->target_volume = membrane_volume(m);
    return MN_OK;
}
