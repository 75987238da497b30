// Contact with the walls of the tank: ghost nodes past them, and lines that stick to them.
#include <assert.h>
#include <math.h>
#include "grid/contact_columns.h"

// A tank narrower than this many cells has no room for the probes of contact_line.c: their highest point is 4.25 cells above a
// wall, and those of the opposite walls would see each other's surfaces. The bend is taken as 0 there.
enum { LEAST_CELLS = 8 };

static Line line_on_wall(const double* phi, const Window* w, const int node[3], int axis, bool high)
{
    Line l = {.phi = phi, .w = w, .skin = {node[0], node[1], node[2]}, .wall = 1 + axis};
    l.N[axis] = high ? -1 : 1;
    return l;
}

// ---- surfaces that lie along a wall ------------------------------------------------------------------------------------------

// Surfaces that meet a wall at angles below 9 or above 171 degrees are as flat, but have their line nearby: within so many cells.
static const double LINE_REACH = 4;

// A slope at a node on a wall across `axis`, from the node on either side along the wall; ghosts of other sides are nodes as
// well.
static double slope_along(const double* phi, const Window* w, const int node[3], int axis)
{
    double g[3] = {0};
    for (int d = 0; d < w->dim; d++) {
        if (d == axis) continue;
        int low[3] = {node[0], node[1], node[2]}, high[3] = {node[0], node[1], node[2]};
        low[d] = maxi(node[d] - 1, -w->ghost), high[d] = mini(node[d] + 1, w->n[d] + w->ghost);
        double rise = phi[window_at(w, high[0], high[1], high[2])] - phi[window_at(w, low[0], low[1], low[2])];
        g[d] = rise/((high[d] - low[d])*w->dx);
    }
    return vec_norm(g);
}

// At a line of more than 90 degrees phi falls away from the wall. Where it rises like this, the nearest surface is the one
// overhead.
static const double RISE_OVERHEAD = 0.9;

// Does liquid cover the wall around this node, with no line in reach? So it does where its surface lies along the wall; and on
// a wall that it does not wet, under a surface overhead or in a layer thinner than a cell. `inside`: phi of the next node, off
// the wall.
static bool covers_wall(const double* phi, const Window* w, const int node[3], int axis, double inside, Wanted wanted)
{
    double depth = -phi[window_at(w, node[0], node[1], node[2])]/w->dx, rise = inside/w->dx + depth;
    if (!(depth > 0)) return false;
    if (wanted.high < 0 && (inside > 0 || rise > RISE_OVERHEAD)) return true;
    double slope = slope_along(phi, w, node, axis);
    return slope < LEAST_SLOPE_ALONG && depth > LINE_REACH*slope;
}

// ---- ghosts ------------------------------------------------------------------------------------------------------------------

// Ghosts of a column of nodes across `axis` that ends on a wall; `in` is the stride into the tank.
static void fill_column(double* wall, ptrdiff_t in, Line* l, const int node[3], int axis, Wanted wanted)
{
    assert(in != 0 && axis < l->w->dim);
    if (wanted.low == 0 && wanted.high == 0) return;  // as reflected
    int n = l->w->n[axis];
    // At a surface that lies along the wall the angle of a line would bend phi: on walls of 136 degrees a pool 0.74 cells deep
    // lost a quarter of its volume each time distances were made anew. It goes on straight.
    if (covers_wall(l->phi, l->w, node, axis, wall[in], wanted)) {
        for (int m = 1; m <= l->w->ghost; m++) wall[-m*in] = wall[0] - m*(wall[in] - wall[0]);
        return;
    }
    if (n >= LEAST_CELLS) line_measure(l);
    double cosine = clamp(line_cosine_through(l, wall[0], 0, wall[in], 1), wanted.low, wanted.high);
    for (int m = 1; m <= l->w->ghost; m++) {
        double image = wall[mini(m, n)*in];
        wall[-m*in] = line_is_near(image, l->w) ? line_continued(l, image, m, m, cosine) : image;
    }
}

// The nodes that a column reads besides line_measure: its own, and those beside it on the wall.
static NodeBox column_box(const Window* w, const int node[3], int axis, bool high)
{
    NodeBox box = {{0}, {0}};
    for (int d = 0; d < w->dim; d++) {
        bool along = d != axis;
        box.low[d] = along ? node[d] - 1 : high ? maxi(node[d] - w->ghost, 0) : 0;
        box.high[d] = along ? node[d] + 1 : high ? node[d] : mini(w->ghost, w->n[d]);
    }
    return box;
}

// The same of a column that may have been filled before.
static void fill_again(double* wall, ptrdiff_t in, Line* l, const int node[3], int axis, const Contact* contact,
                       const WallColumns* columns)
{
    bool high = in < 0;
    int index = wallcolumns_index(columns, axis, node);
    unsigned char* state = &columns->state[2*axis + high][index];
    bool was_near = *state & COLUMN_IS_NEAR;
    *state &= COLUMN_IS_ASKED;
    if (!line_is_near(wall[0], l->w)) {
        if (was_near) *state |= COLUMN_IS_NEW;
        return;
    }
    *state |= COLUMN_IS_NEAR;
    WallColumn* c = &columns->side[2*axis + high][index];
    if (was_near && !wallcolumns_box_changed(columns, &c->read)) {
        for (int m = 1; m <= l->w->ghost; m++) wall[-m*in] = c->ghost[m - 1];
        return;
    }
    if (!(*state & COLUMN_IS_ASKED)) c->wanted = line_wanted(l, contact), *state |= COLUMN_IS_ASKED;
    c->read = column_box(l->w, node, axis, high), l->read = &c->read;
    fill_column(wall, in, l, node, axis, line_free(c->wanted));
    for (int m = 1; m <= l->w->ghost; m++) {
        if (!was_near || !(c->ghost[m - 1] == wall[-m*in])) *state |= COLUMN_IS_NEW;
        c->ghost[m - 1] = wall[-m*in];
    }
}

static void contact_axis(double* phi, const Window* w, int axis, const Contact* contact, const WallColumns* columns)
{
    int a[3], b[3], n = w->n[axis];
    for (int d = 0; d < 3; d++) {
        bool flat = w->dim == 2 && d == 2;
        a[d] = flat ? 0 : -w->ghost;
        b[d] = flat ? 1 : w->n[d] + 1 + w->ghost;
    }
    a[axis] = 0, b[axis] = 1;
    bool has[2] = {contact_has_lines(w, contact, 2*axis), contact_has_lines(w, contact, 2*axis + 1)};
    if (!has[0] && !has[1]) return;
    ptrdiff_t s = window_stride(w, axis);
#pragma omp parallel for collapse(2) schedule(static) if (window_is_large(w))
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++)
            for (int i = a[0]; i < b[0]; i++)
                for (int high = 0; high < 2; high++) {
                    if (!has[high]) continue;
                    int node[3] = {i, j, k};
                    node[axis] = high ? n : 0;
                    Line l = line_on_wall(phi, w, node, axis, high);
                    double* wall = phi + window_at(w, node[0], node[1], node[2]);
                    if (columns) fill_again(wall, high ? -s : s, &l, node, axis, contact, columns);
                    else if (line_is_near(*wall, w))
                        fill_column(wall, high ? -s : s, &l, node, axis, line_free(line_wanted(&l, contact)));
                }
}

void contact_continue(double* phi, const Window* w, const Contact* contact, WallColumns* columns)
{
    assert(phi && window_is_valid(w) && (!columns || columns->w == w));
    if (!contact || !(contact->at || contact->slack > 0 || fabs(contact->cosine) >= RIGHT_ANGLE)) return;
    for (int axis = 0; axis < w->dim; axis++) {
        contact_axis(phi, w, axis, contact, columns);
        if (columns) wallcolumns_end_axis(columns, axis);
    }
    if (columns) wallcolumns_end(columns);
}

// ---- hysteresis --------------------------------------------------------------------------------------------------------------

// The value for a node on a wall across `axis`.
static double held_value(const double* phi, const double* held, const Window* w, const int node[3], int axis, bool high,
                         const Contact* contact, double furthest)
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]), in = high ? -window_stride(w, axis) : window_stride(w, axis);
    if (!(line_is_near(held[at], w) && line_is_near(phi[at], w) && line_is_near(phi[at + in], w))) return phi[at];
    double slope = slope_along(held, w, node, axis);
    if (slope < LEAST_SLOPE_ALONG) return phi[at];
    Line l = line_on_wall(phi, w, node, axis, high);
    Wanted wanted = line_wanted(&l, contact);
    if (!(wanted.low < wanted.high) || covers_wall(held, w, node, axis, held[at + in], wanted)) return phi[at];
    if (w->n[axis] >= LEAST_CELLS) line_measure(&l);
    double cosine = line_cosine_through(&l, held[at], 0, phi[at + in], 1);
    if (cosine >= wanted.low && cosine <= wanted.high) return held[at];
    double led = line_continued(&l, phi[at + in], 1, 0, clamp(cosine, wanted.low, wanted.high));
    return clamp(led, phi[at] - furthest*slope*w->dx, phi[at] + furthest*slope*w->dx);
}

mn_status contact_hold(double* phi, Arena* arena, const double* held, const Window* w, const Contact* contact, double led)
{
    assert(phi && held && phi != held && led >= 0);
    if (!contact || (!contact->at && !(contact->slack > 0))) return MN_OK;
    double* old = window_copy(arena, phi, w);
    TRY_MEMORY(old);
    for (int side = 0; side < 2*w->dim; side++) {
        if (!contact_has_lines(w, contact, side)) continue;
        int axis = side/2, a[3] = {0, 0, 0}, b[3] = {w->n[0] + 1, w->n[1] + 1, window_node_layers(w)};
        a[axis] = side & 1 ? w->n[axis] : 0, b[axis] = a[axis] + 1;
        for (int k = a[2]; k < b[2]; k++)
            for (int j = a[1]; j < b[1]; j++)
                for (int i = a[0]; i < b[0]; i++)
                    phi[window_at(w, i, j, k)] = held_value(old, held, w, (int[3]){i, j, k}, axis, side & 1, contact, led);
    }
    levelset_exchange(phi, w, contact, EVERY_LAYER);
    return MN_OK;
}

// ---- touching ----------------------------------------------------------------------------------------------------------------

// Does the liquid a cell off a node of the wall across `axis` go away from it? The mean over the faces around.
static bool goes_away(double* const u[3], const Window* w, const int node[3], int axis, bool high)
{
    double sum = 0;
    int a[3], b[3];
    for (int d = 0; d < 3; d++) {
        bool flat = d == axis || d >= w->dim;
        a[d] = flat ? node[d] : maxi(node[d] - 1, 0), b[d] = flat ? node[d] : mini(node[d], w->n[d] - 1);
    }
    a[axis] = b[axis] = node[axis] + (high ? -1 : 1);
    for (int k = a[2]; k <= b[2]; k++)
        for (int j = a[1]; j <= b[1]; j++)
            for (int i = a[0]; i <= b[0]; i++) sum += u[axis][window_at(w, i, j, k)];
    return (high ? -sum : sum) > 0;
}

static bool touches(const double* phi, double* const u[3], const Window* w, const int node[3], int axis, bool high,
                    const Contact* contact)
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]), in = high ? -window_stride(w, axis) : window_stride(w, axis);
    if (!(phi[at] > 0 && phi[at] < THINNEST_AIR*w->dx && phi[at + in] < -(1 - 2*THINNEST_AIR)*w->dx)) return false;
    Line l = line_on_wall(phi, w, node, axis, high);
    Wanted wanted = line_wanted(&l, contact);
    if (wanted.low < wanted.high || wanted.low == 0) return false;
    return slope_along(phi, w, node, axis) < line_flat(wanted) && !goes_away(u, w, node, axis, high);
}

// On a wall that the liquid does not wet its line advances by landing: the surface above runs ahead, and comes down in front of
// it. Friction on the wall holds the liquid below, not that. So where the lowest cell leans out further than the wanted angle,
// the line follows up to it. (That gives energy away and never wins any. With the flow alone drops at 150 degrees, Ohnesorge
// 0.1, ran in and did not come out again: base 16 % short.) It can only go out, so that an angle that is not known well would
// lead it too far: over a cell a surface of bend k1 (1/cells) turns by k1, and its cosine is known to some k1^2. With 0 in place
// of 4 the base of a ball of R = 8 dx at 150 degrees was 9.7 % too wide, with 4 it is 0.2 to 2 % short; in 2D, R = 16 dx,
// Bond 0.1, 1.5 and 0.0 %.
static const double BENDS = 4;

// The value for a node on the wall.
static double landed(const double* phi, const Window* w, const int node[3], int axis, bool high, const Contact* contact,
                     double led)
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]), in = high ? -window_stride(w, axis) : window_stride(w, axis);
    if (!(line_is_near(phi[at], w) && line_is_near(phi[at + in], w))) return phi[at];
    double slope = slope_along(phi, w, node, axis);
    Line l = line_on_wall(phi, w, node, axis, high);
    Wanted wanted = line_wanted(&l, contact);
    if (!(wanted.low < 0 && wanted.low == wanted.high) || slope < line_flat(wanted)) return phi[at];
    if (covers_wall(phi, w, node, axis, phi[at + in], wanted)) return phi[at];
    if (w->n[axis] >= LEAST_CELLS) line_measure(&l);
    double least = wanted.low - BENDS*l.k1*l.k1;
    if (!(line_cosine_through(&l, phi[at], 0, phi[at + in], 1) < least)) return phi[at];
    return max2(line_continued(&l, phi[at + in], 1, 0, least), phi[at] - led*slope*w->dx);
}

mn_status contact_touch(double* phi, Arena* arena, double* const u[3], const Window* w, const Contact* contact, double led)
{
    assert(phi && u[0] && led >= 0);
    double* old = window_copy(arena, phi, w);
    TRY_MEMORY(old);
    for (int side = 0; side < 2*w->dim; side++) {
        if (!contact_has_lines(w, contact, side)) continue;
        int axis = side/2, a[3] = {0, 0, 0}, b[3] = {w->n[0] + 1, w->n[1] + 1, window_node_layers(w)};
        a[axis] = side & 1 ? w->n[axis] : 0, b[axis] = a[axis] + 1;
        for (int k = a[2]; k < b[2]; k++)
            for (int j = a[1]; j < b[1]; j++)
                for (int i = a[0]; i < b[0]; i++) {
                    ptrdiff_t at = window_at(w, i, j, k);
                    int node[3] = {i, j, k};
                    if (touches(old, u, w, node, axis, side & 1, contact)) phi[at] = -old[at];
                    else phi[at] = landed(old, w, node, axis, side & 1, contact, led);
                }
    }
    levelset_exchange(phi, w, contact, EVERY_LAYER);
    return MN_OK;
}
