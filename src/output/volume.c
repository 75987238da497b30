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

// The nearest liquid gives a node its numbers.
static void add_nodes(Volume* v, const Liquid* q)
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
                v->phi[node] = (float)max2(phi, -v->band);
                velocity_on_node(velocity, u, w, w->dim, at);
                for (int d = 0; d < 3; d++) v->u[node][d] = (float)velocity[d];
            }
}

static void add_cells(Volume* v, const Liquid* q)
{
    const Window* w = &q->w;
    int corners = w->dim == 3 ? 8 : 4;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                double sum = 0;
                for (int c = 0; c < corners; c++)
                    sum += wet_level(q, window_at(w, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)));
                if (!(sum < 0)) continue;
                size_t cell = ((size_t)(w->lo[2] + k)*(size_t)v->cells[1] + (size_t)(w->lo[1] + j))*(size_t)v->cells[0] +
                              (size_t)(w->lo[0] + i);
                v->p[cell] = (float)q->p.v[window_at(w, i, j, k)];
            }
}

mn_status volume_make(Volume* v, const Sim* sim)
{
    const Tank* t = &sim->tank;
    *v = (Volume){.dim = t->dim, .dx = t->dx, .band = BAND*t->dx};
    size_t nodes = 1, cells = 1;
    for (int d = 0; d < 3; d++) {
        v->cells[d] = t->n[d], v->nodes[d] = d < t->dim ? t->n[d] + 1 : 1;
        nodes *= (size_t)v->nodes[d], cells *= (size_t)v->cells[d];
    }
    v->phi = malloc(nodes*sizeof *v->phi);
    v->u = calloc(nodes, sizeof *v->u);
    v->p = calloc(cells, sizeof *v->p);
    if (!v->phi || !v->u || !v->p) {
        volume_free(v);
        return mn_fail(MN_NO_MEMORY, "out of memory: %zu values for the volume files of a frame", nodes);
    }
    for (size_t m = 0; m < nodes; m++) v->phi[m] = (float)v->band;
    for (int m = 0; m < sim->liquid_count; m++) add_nodes(v, &sim->liquid[m]), add_cells(v, &sim->liquid[m]);
    return MN_OK;
}
