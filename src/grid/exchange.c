#include "grid/exchange.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/contact.h"

// One layer of ghosts past a side, and the layer inside that it mirrors: their distance in memory from the values at the low end.
typedef struct Layer {
    ptrdiff_t ghost, inside;
    double sign;
    ptrdiff_t wall;
    int away;  // of flow across a wall: direction from the wall into the window; 0: plain images
} Layer;

enum { LAYERS_MOST = 32 };  // of both ends of an axis: windows have 16 ghosts per side at most

// Rows are copied whole, several values per instruction.
static inline void mirror_row(double* restrict ghost, const double* restrict inside, double sign, int length)
{
    for (int i = 0; i < length; i++) ghost[i] = sign*inside[i];
}

// Odd about the value on the wall, which is not 0 where liquid leaves it: `away` points into the window.
static inline void mirror_row_about(double* restrict ghost, const double* restrict inside, const double* restrict wall, int away,
                                    double factor, int length)
{
    for (int i = 0; i < length; i++) ghost[i] = factor*(inside[i] - 2*(away > 0 ? max2(wall[i], 0) : min2(wall[i], 0)));
}

static inline void fill_row(double* row, int length, const Layer* layer, int layers)
{
    for (int m = 0; m < layers; m++)
        if (layer[m].away)
            mirror_row_about(row + layer[m].ghost, row + layer[m].inside, row + layer[m].wall, layer[m].away, layer[m].sign,
                             length);
        else mirror_row(row + layer[m].ghost, row + layer[m].inside, layer[m].sign, length);
}

// 0: the side lies inside the tank, nothing is known there.
static double sign_of(const FieldRef* f, const Window* w, int axis, bool high)
{
    Side side = w->side[2*axis + high];
    if (side == SIDE_INSIDE) return 0;
    return f->rule == RULE_NO_FLOW && (int)f->place == axis && side_is_closed(side) ? -1 : 1;
}

// The layers first .. last past both ends of an axis, from the side outwards. Returns their number. spoil: nothing was promised
// for them, they become NaN.
static int list_layers(Layer layer[LAYERS_MOST], const FieldRef* f, const Window* w, int axis, int first, int last, bool spoil)
{
    assert(2*(last - first + 1) <= LAYERS_MOST);
    ptrdiff_t s = window_stride(w, axis);
    int n = w->n[axis], count = 0;
    // values that lie half a cell off the side: ghost -m mirrors m - 1; on the side it mirrors m
    int half = f->place == ON_NODES || (int)f->place == axis ? 0 : 1;
    double low = sign_of(f, w, axis, false), high = sign_of(f, w, axis, true), factor = spoil ? NAN : 1;
    for (int m = first; m <= last; m++) {
        if (low != 0)
            layer[count++] =
                (Layer){-m*s, mini(m - half, n)*s, factor*low, 0, low < 0 && w->side[2*axis] == SIDE_IS_WALL};
        // values half a cell off end at n - 1, so their ghosts start one earlier, at n
        if (high != 0)
            layer[count++] = (Layer){(n + m - half)*s, maxi(n - m, 0)*s, factor*high, n*s,
                                     -(high < 0 && w->side[2*axis + 1] == SIDE_IS_WALL)};
    }
    return count;
}

// Along one axis, ghosts of the other axes included.
static void fill_axis(const FieldRef* f, const Window* w, int axis, int first, int last, bool spoil)
{
    Layer layer[LAYERS_MOST];
    int layers = list_layers(layer, f, w, axis, first, last, spoil);
    if (layers == 0) return;
    int a[3], b[3];
    for (int d = 0; d < 3; d++) {
        bool flat = w->dim == 2 && d == 2;
        a[d] = flat ? 0 : -w->ghost;
        b[d] = flat ? 1 : w->n[d] + 1 + w->ghost;
    }
    a[axis] = 0, b[axis] = 1;
    int length = b[0] - a[0];
#pragma omp parallel for collapse(2) schedule(static) if (window_is_large(w))
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++) {
            double* row = f->v + window_at(w, a[0], j, k);
            if (length == 1) fill_row(row, 1, layer, layers);  // along x: compiled apart, without the start of a long loop
            else fill_row(row, length, layer, layers);
        }
}

void exchange(const Window* w, const FieldRef* field, int count, int width)
{
    assert(window_is_valid(w) && width >= 0);
    for (int m = 0; m < count; m++) {
        const FieldRef* f = &field[m];
        assert(f->v && (f->rule != RULE_CONTACT || f->place == ON_NODES) && (f->rule != RULE_NO_FLOW || f->place < ON_NODES));
        // what goes on at a contact angle reads the ghosts around, all of them
        int layers = f->rule == RULE_CONTACT ? w->ghost : mini(width, w->ghost);
        for (int axis = 0; axis < w->dim; axis++) fill_axis(f, w, axis, 1, layers, false);
        if (f->rule == RULE_CONTACT) contact_continue(f->v, w, f->contact, f->columns);
#ifndef NDEBUG
        for (int axis = 0; axis < w->dim && width < w->ghost; axis++) fill_axis(f, w, axis, width + 1, w->ghost, true);
#endif
    }
}

// ---- faces with marks ----------------------------------------------------------------------------------------------------

static void mirror_marked(double* u, unsigned char* mark, const Window* w, int component, int side, int width)
{
    int axis = side/2, end[3] = {1, 1, 1};
    bool high = side & 1, across = axis == component;
    for (int d = 0; d < w->dim; d++) end[d] = w->n[d] + (d == component);
    int deep = mini(width, end[axis] - 1), first = high ? end[axis] - 1 : 0;
    ptrdiff_t inward = high ? -window_stride(w, axis) : window_stride(w, axis);
    end[axis] = 1;
    for (int k = 0; k < end[2]; k++)
        for (int j = 0; j < end[1]; j++)
            for (int i = 0; i < end[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k) + first*window_stride(w, axis);
                for (int m = 1; m <= deep; m++) {
                    ptrdiff_t image = at + (across ? m : m - 1)*inward;  // faces across the mirror lie on it
                    mark[at - m*inward] = mark[image];
                    u[at - m*inward] = across ? -u[image] : u[image];
                }
            }
}

void marked_faces_exchange(double* u, unsigned char* mark, const Window* w, int axis, int width)
{
    assert(axis >= 0 && axis < w->dim && width <= w->ghost);
    for (int side = 0; side < 2*w->dim; side++)
        if (w->side[side] == SIDE_IS_MIRROR) mirror_marked(u, mark, w, axis, side, width);
}
