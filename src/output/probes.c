#include "output/probes.h"

#include <math.h>
#include <stdio.h>
#include "base/vec.h"
#include "grid/interpolate.h"

// In cells of the window; false if the point is not in it.
static bool to_window(double x[3], const Window* w, const double at[3])
{
    for (int d = 0; d < 3; d++) {
        x[d] = d < w->dim ? at[d]/w->dx - w->lo[d] : 0;
        if (d < w->dim && !(x[d] >= 0 && x[d] <= w->n[d])) return false;
        if (d < w->dim) x[d] = fmin(x[d], w->n[d] - 1e-9);  // on a high side interpolation would read a ghost
    }
    return true;
}

// phi, or how far outside the solid when that is nearer. Solid values are known near the liquid only.
static double wet_level(const Liquid* q, const double x[3])
{
    double phi = node_value(q->phi.v, &q->w, x);
    const double* solid = liquid_solid(q);
    return solid && phi < liquid_band(q) ? fmax(phi, -node_value(solid, &q->w, x)) : phi;
}

const Liquid* probe_liquid(double x[3], const Sim* sim, const double at[3])
{
    for (int m = 0; m < sim->world.liquid_count; m++)
        if (to_window(x, &sim->world.liquid[m].w, at) && wet_level(&sim->world.liquid[m], x) < 0) return &sim->world.liquid[m];
    return NULL;
}

// Linear between the centres of cells, and on to a side of the tank from the two next to it. Cells with a dry centre hold no
// pressure of their own: with one of those at hand, the mean of the others by their weights.
double probe_pressure(const Sim* sim, const double at[3])
{
    double x[3], weight[3][2], sum = 0, wet_sum = 0, wet_weight = 0;
    const Liquid* q = probe_liquid(x, sim, at);
    if (!q) return 0;
    const Window* w = &q->w;
    int low[3] = {0, 0, 0}, corners = w->dim == 3 ? 8 : 4;
    bool all = true;
    for (int d = 0; d < w->dim; d++) {
        low[d] = clampi((int)floor(x[d] - 0.5), 0, maxi(w->n[d] - 2, 0));
        weight[d][1] = w->n[d] > 1 ? x[d] - 0.5 - low[d] : 0;
        weight[d][0] = 1 - weight[d][1];
    }
    for (int c = 0; c < corners; c++) {
        int cell[3] = {low[0] + (c & 1), low[1] + (c >> 1 & 1), low[2] + (c >> 2)};
        double share = 1;
        for (int d = 0; d < w->dim; d++) share *= weight[d][c >> d & 1];
        if (share == 0) continue;
        double center[3] = {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5}, p = q->p.v[window_at(w, cell[0], cell[1], cell[2])];
        if (w->dim == 2) center[2] = 0;
        bool wet = wet_level(q, center) < 0;
        all = all && wet;
        sum += share*p;
        if (wet) wet_sum += fabs(share)*p, wet_weight += fabs(share);
    }
    if (all) return sum;
    return wet_weight > 0 ? wet_sum/wet_weight : 0;
}

void probe_velocity(double out[3], const Sim* sim, const double at[3])
{
    double x[3];
    const Liquid* q = probe_liquid(x, sim, at);
    out[0] = out[1] = out[2] = NAN;
    if (!q) return;
    double* const u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    face_velocity(out, u, &q->w, x);
}

// Topmost surface of one liquid on the vertical line, in m.
static double liquid_height(const Liquid* q, const double at[3])
{
    const Window* w = &q->w;
    double x[3], foot[3] = {at[0], w->lo[1]*w->dx, at[2]};
    if (!to_window(x, w, foot)) return NAN;
    double above = 0;
    for (int j = w->n[1]; j >= 0; j--) {
        x[1] = fmin(j, w->n[1] - 1e-9);
        double here = wet_level(q, x);
        if (here < 0) {
            double y = j == w->n[1] ? j : j + here/(here - above);
            return (w->lo[1] + y)*w->dx;
        }
        above = here;
    }
    return NAN;
}

double probe_height(const Sim* sim, const double at[3])
{
    double highest = NAN;
    for (int m = 0; m < sim->world.liquid_count; m++) highest = fmax(highest, liquid_height(&sim->world.liquid[m], at));
    return highest;
}

// nan has a sign that printf shows and nobody needs.
static double without_sign(double v) { return isnan(v) ? NAN : v; }

static void add_velocity(Columns* row, const SceneProbe* p, const Sim* sim)
{
    double v[3];
    char name[COLUMN_NAME];
    probe_velocity(v, sim, p->at);
    for (int d = 0; d < 3; d++) {
        snprintf(name, sizeof name, "%s.%c", p->name, "xyz"[d]);
        columns_real(row, name, without_sign(v[d]));
    }
}

void probe_columns(Columns* row, const Scene* scene, const Sim* sim)
{
    columns_clear(row);
    columns_whole(row, "step", sim->world.step);
    columns_real(row, "t", sim->world.time);
    for (int m = 0; m < scene->probe_count; m++) {
        const SceneProbe* p = &scene->probes[m];
        if (p->kind == PROBE_PRESSURE) columns_real(row, p->name, without_sign(probe_pressure(sim, p->at)));
        if (p->kind == PROBE_HEIGHT) columns_real(row, p->name, without_sign(probe_height(sim, p->at)));
        if (p->kind == PROBE_VELOCITY) add_velocity(row, p, sim);
    }
}
