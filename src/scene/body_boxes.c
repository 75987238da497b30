#include "scene/body_boxes.h"

#include <math.h>
#include <stdlib.h>
#include "scene/shape_node.h"

static void add(AxisBoxes* list, const AxisBox* box)
{
    if (list->count == list->room) {
        int room = 2*list->room + 8;
        AxisBox* more = realloc(list->box, (size_t)room*sizeof *more);
        list->no_memory = list->no_memory || !more;
        if (!more) return;
        list->box = more, list->room = room;
    }
    list->box[list->count++] = *box;
}

void axis_boxes_free(AxisBoxes* b)
{
    free(b->box);
    *b = (AxisBoxes){0};
}

static bool overlap(const AxisBox* a, const AxisBox* b)
{
    for (int d = 0; d < 3; d++)
        if (!(a->low[d] < b->high[d] && b->low[d] < a->high[d])) return false;
    return true;
}

// What of `box` is outside `cut`: slabs off its ends along x, then of the rest along y, then along z.
static void add_outside(AxisBoxes* out, AxisBox box, const AxisBox* cut)
{
    if (!overlap(&box, cut)) {
        add(out, &box);
        return;
    }
    for (int d = 0; d < 3; d++) {
        AxisBox below = box, above = box;
        below.high[d] = cut->low[d], above.low[d] = cut->high[d];
        if (below.low[d] < below.high[d]) add(out, &below), box.low[d] = cut->low[d];
        if (above.low[d] < above.high[d]) add(out, &above), box.high[d] = cut->high[d];
    }
}

// *list without (or, to find what both have, within) all of `cut`.
static void subtract(AxisBoxes* list, const AxisBoxes* cut)
{
    for (int c = 0; c < cut->count; c++) {
        AxisBoxes left = {.no_memory = list->no_memory};
        for (int m = 0; m < list->count; m++) add_outside(&left, list->box[m], &cut->box[c]);
        axis_boxes_free(list);
        *list = left;
    }
}

static void intersect(AxisBoxes* list, const AxisBoxes* other)
{
    AxisBoxes both = {.no_memory = list->no_memory};
    for (int m = 0; m < list->count; m++)
        for (int c = 0; c < other->count; c++) {
            AxisBox box = list->box[m];
            const AxisBox* by = &other->box[c];
            if (!overlap(&box, by)) continue;
            for (int d = 0; d < 3; d++) box.low[d] = fmax(box.low[d], by->low[d]), box.high[d] = fmin(box.high[d], by->high[d]);
            add(&both, &box);
        }
    axis_boxes_free(list);
    *list = both;
}

// The axis that a direction is along; -1: none.
static int axis_of(const double v[3], int dim)
{
    for (int d = 0; d < dim; d++)
        if (fabs(fabs(v[d]) - 1) < 1e-12) return d;
    return -1;
}

// A box, an upright half-space, or in 2D the rectangle that is a cylinder's cut.
static bool primitive(AxisBox* box, const Shape* s)
{
    int axis;
    for (int d = 0; d < 3; d++) box->low[d] = -INFINITY, box->high[d] = INFINITY;
    switch (s->kind) {
    case KIND_BOX:
        for (int d = 0; d < s->dim; d++) box->low[d] = s->center[d] - s->half[d], box->high[d] = s->center[d] + s->half[d];
        return s->radius == 0;
    case KIND_HALFSPACE:
        axis = axis_of(s->axis, s->dim);
        if (axis >= 0) *(s->axis[axis] > 0 ? &box->high[axis] : &box->low[axis]) = s->center[axis];
        return axis >= 0;
    case KIND_CYLINDER:
        axis = axis_of(s->axis, s->dim);
        if (axis < 0 || s->dim != 2) return false;
        for (int d = 0; d < 2; d++) {
            double middle = s->center[d] + 0.5*s->length*s->axis[d], half = d == axis ? 0.5*s->length : s->radius;
            box->low[d] = middle - half, box->high[d] = middle + half;
        }
        return true;
    default:
        return false;
    }
}

// x -> center + axis + factor (x - center), where nothing is turned.
static bool place(AxisBoxes* list, const Shape* s)
{
    for (int d = 0; d < 3; d++)
        if (s->turn[d][d] != 1) return false;
    for (int m = 0; m < list->count; m++)
        for (int d = 0; d < 3; d++) {
            AxisBox* b = &list->box[m];
            b->low[d] = s->center[d] + s->axis[d] + s->factor*(b->low[d] - s->center[d]);
            b->high[d] = s->center[d] + s->axis[d] + s->factor*(b->high[d] - s->center[d]);
        }
    return true;
}

static bool boxes_of(AxisBoxes* out, const Shape* s);

static bool combination(AxisBoxes* out, const Shape* s)
{
    bool fine = boxes_of(out, s->parts[0]);
    for (int m = 1; m < s->count && fine; m++) {
        AxisBoxes part = {0};
        fine = boxes_of(&part, s->parts[m]);
        out->no_memory = out->no_memory || part.no_memory;
        if (fine && s->kind == KIND_INTERSECTION) intersect(out, &part);
        if (fine && s->kind != KIND_INTERSECTION) subtract(out, &part);
        for (int k = 0; k < part.count && fine && s->kind == KIND_UNION; k++) add(out, &part.box[k]);
        axis_boxes_free(&part);
    }
    return fine;
}

static bool boxes_of(AxisBoxes* out, const Shape* s)
{
    AxisBox box;
    if (s->kind == KIND_UNION || s->kind == KIND_INTERSECTION || s->kind == KIND_DIFFERENCE) return combination(out, s);
    if (s->kind == KIND_PLACE) return boxes_of(out, s->parts[0]) && place(out, s);
    if (!primitive(&box, s)) return false;
    add(out, &box);
    return true;
}

bool shape_axis_boxes(AxisBoxes* out, const Shape* shape)
{
    *out = (AxisBoxes){0};
    if (boxes_of(out, shape) && !out->no_memory) return true;
    axis_boxes_free(out);
    return false;
}
