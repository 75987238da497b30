#include "output/volume.h"

#include <stdlib.h>
#include "base/vec.h"
#include "grid/interpolate.h"

void volume_free(Volume* v)
{
    free(v->phi);
    free(v->u);
    free(v->p);
    *v = (Volume){0};
}

// phi, or how far inside a solid when that is more: the surface of it is the one that meshes show. Distances to solids are
// known near and in the liquid only.
static double wet_level(const Liquid* q, ptrdiff_t at)
{
    double phi = q->phi.v[at];
    const double* solid = liquid_solid(q);
    return solid && phi < liquid_band(q) ? fmax(phi, -solid[at]) : phi;
}

// Mean over the cells around a node whose centre is wet; cells past the sides of the tank are none.
static double pressure_on_node(const Liquid* q, int i, int j, int k)
{
    const Window* w = &q->w;
    int corners = w->dim == 3 ? 8 : 4, count = 0;
    double sum = 0;
    for (int c = 0; c < corners; c++) {
        int cell[3] = {i - (c & 1), j - (c >> 1 & 1), k - (c >> 2)};
        if (cell[0] < 0 || cell[1] < 0 || cell[2] < 0 || cell[0] >= w->n[0] || cell[1] >= w->n[1] || cell[2] >= w->n[2]) continue;
        double level = 0;
        for (int e = 0; e < corners; e++)
            level += wet_level(q, window_at(w, cell[0] + (e & 1), cell[1] + (e >> 1 & 1), cell[2] + (e >> 2)));
        if (level < 0) sum += q->p.v[window_at(w, cell[0], cell[1], cell[2])], count++;
    }
    return count > 0 ? sum/count : 0;
}

// The nearest liquid gives a node its numbers.
static void add_liquid(Volume* v, const Liquid* q)
{
    const Window* w = &q->w;
    double* const u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
#pragma omp parallel for schedule(static)
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                size_t node = volume_node(v, w->lo[0] + i, w->lo[1] + j, w->lo[2] + k);
                double phi = wet_level(q, at), velocity[3];
                if (!(phi < v->phi[node])) continue;
                v->phi[node] = (float)clamp(phi, -v->band, v->band);
                velocity_on_node(velocity, u, w, w->dim, at);
                for (int d = 0; d < 3; d++) v->u[node][d] = (float)velocity[d];
                v->p[node] = phi < 0 ? (float)pressure_on_node(q, i, j, k) : 0;
            }
}

mn_status volume_make(Volume* v, const Sim* sim)
{
    const Tank* t = &sim->model.tank;
    *v = (Volume){.dim = t->dim, .dx = t->dx, .band = BAND*t->dx};
    size_t nodes = 1;
    for (int d = 0; d < 3; d++) {
        v->cells[d] = t->n[d], v->nodes[d] = d < t->dim ? t->n[d] + 1 : 1;
        nodes *= (size_t)v->nodes[d];
    }
    v->phi = malloc(nodes*sizeof *v->phi);
    v->u = calloc(nodes, sizeof *v->u);
    v->p = calloc(nodes, sizeof *v->p);
    if (!v->phi || !v->u || !v->p) {
        volume_free(v);
        return mn_fail(MN_NO_MEMORY, "out of memory: %zu values for the volume files of a frame", nodes);
    }
    for (size_t m = 0; m < nodes; m++) v->phi[m] = (float)v->band;
    for (int m = 0; m < sim->world.liquid_count; m++) add_liquid(v, &sim->world.liquid[m]);
    return MN_OK;
}
