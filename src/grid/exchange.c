#include "grid/exchange.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/contact.h"

// One column of values across a side of the tank: v is the value nearest to the low end of the window, s the stride.
typedef struct Column {
    ptrdiff_t s;
    int n;     // cells of the window
    int half;  // values that lie half a cell off the side: ghost -m mirrors m - 1; on the side it mirrors m
} Column;

// Past the last values; those half a cell off end at n - 1, so their ghosts start one earlier, at n.
static inline double* high_ghost(double* v, const Column* c, int m) { return v + (c->n + m - c->half)*c->s; }

static inline void mirror_column(double* v, const Column* c, const double sign[2], int width)
{
    for (int m = 1; m <= width; m++) {
        if (sign[0] != 0) v[-m*c->s] = sign[0]*v[mini(m - c->half, c->n)*c->s];
        if (sign[1] != 0) *high_ghost(v, c, m) = sign[1]*v[maxi(c->n - m, 0)*c->s];
    }
}

// The layers that nothing was promised for.
static inline void spoil_column(double* v, const Column* c, const double sign[2], int width, int ghost)
{
    for (int m = width + 1; m <= ghost; m++) {
        if (sign[0] != 0) v[-m*c->s] = NAN;
        if (sign[1] != 0) *high_ghost(v, c, m) = NAN;
    }
}

// 0: the side lies inside the tank, nothing is known there.
static double sign_of(const FieldRef* f, const Window* w, int axis, bool high)
{
    Side side = w->side[2*axis + high];
    if (side == SIDE_INSIDE) return 0;
    return f->rule == RULE_NO_FLOW && (int)f->place == axis && side_is_closed(side) ? -1 : 1;
}

// All columns along one axis, ghosts of the other axes included: `width` layers mirrored, or the layers past them spoilt.
static void fill_axis(const FieldRef* f, const Window* w, int axis, int width, bool spoil)
{
    const double sign[2] = {sign_of(f, w, axis, false), sign_of(f, w, axis, true)};
    if (sign[0] == 0 && sign[1] == 0) return;
    bool on_side = f->place == ON_NODES || (int)f->place == axis;
    const Column c = {window_stride(w, axis), w->n[axis], on_side ? 0 : 1};
    int a[3], b[3];
    for (int d = 0; d < 3; d++) {
        bool flat = w->dim == 2 && d == 2;
        a[d] = flat ? 0 : -w->ghost;
        b[d] = flat ? 1 : w->n[d] + 1 + w->ghost;
    }
    a[axis] = 0, b[axis] = 1;
#pragma omp parallel for collapse(2) schedule(static) if (window_is_large(w))
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++)
            for (int i = a[0]; i < b[0]; i++) {
                double* v = f->v + window_at(w, i, j, k);
                if (spoil) spoil_column(v, &c, sign, width, w->ghost);
                else mirror_column(v, &c, sign, width);
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
        for (int axis = 0; axis < w->dim; axis++) fill_axis(f, w, axis, layers, false);
        if (f->rule == RULE_CONTACT) contact_continue(f->v, w, f->contact);
#ifndef NDEBUG
        for (int axis = 0; axis < w->dim && width < w->ghost; axis++) fill_axis(f, w, axis, width, true);
#endif
    }
}
