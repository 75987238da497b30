#include "thin/rods.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void rods_free(Rods* r)
{
    thin_mesh_free(&r->mesh);
    free(r->part), free(r->given), free(r->length), free(r->of);
    *r = (Rods){.mesh = {.dim = r->mesh.dim}};
}

mn_status rods_add_part(Rods* r, const RodPart* part)
{
    RodPart* grown = realloc(r->part, sizeof *grown*(size_t)(r->parts + 1));
    if (!grown) return mn_fail(MN_NO_MEMORY, "out of memory: %d rods", r->parts + 1);
    r->part = grown;
    const RodPart* last = r->parts > 0 ? &r->part[r->parts - 1] : NULL;
    RodPart* p = &r->part[r->parts++];
    *p = *part;
    p->first_vertex = last ? last->first_vertex + last->vertices : 0;
    p->first_segment = last ? last->first_segment + last->segments : 0;
    p->vertices = r->mesh.vertices - p->first_vertex, p->segments = r->mesh.segments - p->first_segment;
    assert(p->vertices >= 2 && p->segments >= 1);
    return MN_OK;
}

mn_status rods_finish(Rods* r)
{
    size_t n = (size_t)r->mesh.vertices;
    r->given = malloc(3*n*sizeof *r->given), r->length = calloc(n, sizeof *r->length), r->of = malloc(n*sizeof *r->of);
    if (!r->given || !r->length || !r->of) return mn_fail(MN_NO_MEMORY, "out of memory: %d vertices of rods", r->mesh.vertices);
    memcpy(r->given, r->mesh.x, 3*n*sizeof *r->given);
    for (int p = 0; p < r->parts; p++)
        for (int v = 0; v < r->part[p].vertices; v++) r->of[r->part[p].first_vertex + v] = p;
    for (int m = 0; m < r->mesh.segments; m++)
        for (int end = 0; end < 2; end++) r->length[r->mesh.segment[m].v[end]] += 0.5*r->mesh.segment[m].length;
    return MN_OK;
}

bool rods_is_valid(const Rods* r)
{
    int vertices = 0, segments = 0;
    for (int p = 0; p < r->parts; p++) {
        const RodPart* part = &r->part[p];
        if (part->first_vertex != vertices || part->first_segment != segments || !(part->radius > 0)) return false;
        vertices += part->vertices, segments += part->segments;
    }
    return vertices == r->mesh.vertices && segments == r->mesh.segments && thin_mesh_is_valid(&r->mesh);
}

mn_status rods_visit(Rods* r, StateVisitor* v)
{
    int vertices = r->mesh.vertices;
    TRY(state_rows(v, "rod_vertices", &vertices));
    if (vertices != r->mesh.vertices)
        return mn_fail(MN_BAD_CHECKPOINT, "holds %d vertices of rods, the scene has %d", vertices, r->mesh.vertices);
    TRY(state_reals(v, "rod_places", r->mesh.x, 3*r->mesh.vertices));
    return state_reals(v, "rod_velocities", r->mesh.v, 3*r->mesh.vertices);
}

mn_status rods_lead(Rods* r, double t, double dt)
{
    assert(dt > 0);
    for (int p = 0; p < r->parts; p++) {
        const RodPart* part = &r->part[p];
        double to[3];
        if (!part->moving) continue;
        TRY(r->place(to, r->user, p, t + dt));
        for (int v = part->first_vertex; v < part->first_vertex + part->vertices; v++)
            for (int d = 0; d < 3; d++)
                if (r->mesh.held[v] >> d & 1) r->mesh.v[3*v + d] = (r->given[3*v + d] + to[d] - r->mesh.x[3*v + d])/dt;
    }
    return MN_OK;
}

void rods_tangents(double* out, const Rods* r)
{
    memset(out, 0, 3*sizeof *out*(size_t)r->mesh.vertices);
    for (int m = 0; m < r->mesh.segments; m++) {
        const int* v = r->mesh.segment[m].v;
        double e[3];
        vec_sub(e, r->mesh.x + 3*v[1], r->mesh.x + 3*v[0]);
        double length = vec_norm(e);
        for (int end = 0; end < 2 && length > 0; end++) {
            double* sum = out + 3*v[end];
            double sign = vec_dot(e, sum) < 0 ? -1 : 1;
            for (int d = 0; d < 3; d++) sum[d] += sign*e[d]/length;
        }
    }
    for (int v = 0; v < r->mesh.vertices; v++) {
        double norm = vec_norm(out + 3*v);
        for (int d = 0; d < 3 && norm > 0; d++) out[3*v + d] /= norm;
    }
}

double rods_energy(const Rods* r, const double g[3], const double low[3])
{
    double mass = 0;
    for (int v = 0; v < r->mesh.vertices; v++) mass += r->mesh.mass[v];
    return thin_strain_energy(&r->mesh, r->mesh.x) + thin_kinetic_energy(&r->mesh) + thin_height_energy(&r->mesh, g) +
           mass*vec_dot(g, low);
}
