// A liquid gets the shape that a scene gives it.
#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/levelset.h"
#include "liquid/liquid.h"

// Is what a shape says at x, d, its distance: is its surface where slope and value say it is? Not asked on creases, where slopes
// say nothing.
static bool is_distance(ShapeDistance distance, const void* user, const double x[3], double d, const Window* w)
{
    double h = 1e-3*w->dx, slope[3] = {0}, foot[3];
    for (int a = 0; a < w->dim; a++) {
        double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        low[a] -= h, high[a] += h;
        slope[a] = (distance(user, high) - distance(user, low))/(2*h);
    }
    if (!(vec_norm(slope) > 0.99)) return true;
    for (int a = 0; a < 3; a++) foot[a] = x[a] - d*slope[a];
    return fabs(distance(user, foot)) < 1e-3*w->dx;
}

// Does the surface of a shape meet a wall of the tank, or come near one, and is the shape a distance there? Past a wall a shape
// goes on as it says; what relaxes it knows of no angle yet and mirrors it: caps of 120 to 150 degrees were off by a tenth of a
// cell beside their lines, and started with 0.02 to 0.2 of their capillary speed.
static bool is_distance_at_walls(const Liquid* q, ShapeDistance distance, const void* user)
{
    const Window* w = &q->w;
    double band = liquid_band(q);
    int reach = BAND + w->wider, tested = 0;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                int at[3] = {i, j, k};
                bool near = false;
                for (int a = 0; a < w->dim; a++)
                    near = near || (w->side[2*a] == SIDE_IS_WALL && at[a] <= reach) ||
                           (w->side[2*a + 1] == SIDE_IS_WALL && at[a] >= w->n[a] - reach);
                double x[3], d = q->phi.v[window_at(w, i, j, k)];
                if (!near || !(fabs(d) < band)) continue;
                window_position(x, w, i, j, k);
                if (!is_distance(distance, user, x, d, w)) return false;
                tested++;
            }
    return tested > 0;
}

mn_status liquid_set_shape(Liquid* q, Arena* arena, ShapeDistance distance, const void* user)
{
    assert(distance && q->phi.v);
    const Window* w = &q->w;
    double band = liquid_band(q);
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                double x[3];
                window_position(x, w, i, j, k);
                q->phi.v[window_at(w, i, j, k)] = clamp(distance(user, x), -band, band);
            }
    nodes_exchange(q->phi.v, w, REDISTANCE_READS);
    TRY(spans_build(&q->spans, arena, q->phi.v, w, band, SPAN_GROW));
    if (is_distance_at_walls(q, distance, user)) return MN_OK;
    // combined shapes are bounds, not distances: relax them all the way through the band
    return levelset_redistance(q->phi.v, arena, &q->spans, w, band, 4*(BAND + w->wider), false);
}
