// Boxes that hold shapes.
#include <math.h>
#include "base/vec.h"
#include "scene/shape_node.h"

// Half width, along axis d, of a disc of the given radius whose plane is square to `axis`.
static double disc_reach(const double axis[3], int d, double radius) { return radius*sqrt(fmax(0, 1 - axis[d]*axis[d])); }

static void primitive_bounds(double low[3], double high[3], const Shape* s)
{
    for (int d = 0; d < 3; d++) {
        double a = s->center[d], b = a, end = a + s->length*s->axis[d], r = s->radius;
        switch (s->kind) {
        case KIND_BOX:
            a -= s->half[d] + r, b += s->half[d] + r;
            break;
        case KIND_ELLIPSOID:
            a -= s->half[d], b += s->half[d];
            break;
        case KIND_CAPSULE:
            a = fmin(a, end) - r, b = fmax(b, end) + r;
            break;
        case KIND_CYLINDER:
            r = disc_reach(s->axis, d, r), a = fmin(a, end) - r, b = fmax(b, end) + r;
            break;
        case KIND_TORUS:
            r = disc_reach(s->axis, d, r) + s->length, a -= r, b += r;
            break;
        case KIND_HALFSPACE:
            // bounded only when its face is square to this axis
            a = s->axis[d] <= -1 + 1e-15 ? a : -INFINITY, b = s->axis[d] >= 1 - 1e-15 ? b : INFINITY;
            break;
        default:
            a -= r, b += r;
            break;
        }
        low[d] = a, high[d] = b;
    }
}

// Extremes of c*x over [low, high], with 0 times infinity being 0: an unbounded axis that is not looked along.
static void add_scaled_range(double* low, double* high, double c, double a, double b)
{
    if (fabs(c) < 1e-14) return;
    *low += c > 0 ? c*a : c*b;
    *high += c > 0 ? c*b : c*a;
}

static void place_bounds(double low[3], double high[3], const Shape* s)
{
    double a[3], b[3];
    shape_bounds(a, b, s->parts[0]);
    for (int d = 0; d < 3; d++) {
        low[d] = high[d] = s->center[d] + s->axis[d];
        for (int e = 0; e < 3; e++) {
            add_scaled_range(&low[d], &high[d], s->factor*s->turn[d][e], a[e] - s->center[e], b[e] - s->center[e]);
        }
    }
}

void shape_bounds(double low[3], double high[3], const Shape* s)
{
    if (s->kind == KIND_FORMULA) {
        for (int d = 0; d < 3; d++) low[d] = INFINITY, high[d] = -INFINITY;
        if (s->formula) formula_bounds(low, high, s->formula);
        if (low[0] > high[0]) return;  // empty
    } else if (s->kind == KIND_POLYGON) {
        for (int d = 0; d < 3; d++) low[d] = INFINITY, high[d] = -INFINITY;
        for (int m = 0; m < 2*s->points; m++) {
            low[m%2] = fmin(low[m%2], s->point[m/2][m%2]);
            high[m%2] = fmax(high[m%2], s->point[m/2][m%2]);
        }
    } else if (s->kind == KIND_MESH) {
        meshsdf_bounds(low, high, s->sdf);
    } else if (s->kind == KIND_PLACE) {
        place_bounds(low, high, s);
    } else if (s->count == 0) {
        primitive_bounds(low, high, s);
    } else {
        shape_bounds(low, high, s->parts[0]);
        for (int i = 1; i < s->count && s->kind != KIND_DIFFERENCE; i++) {
            double a[3], b[3];
            shape_bounds(a, b, s->parts[i]);
            bool join = s->kind == KIND_UNION;
            for (int d = 0; d < 3; d++) {
                low[d] = join ? fmin(low[d], a[d]) : fmax(low[d], a[d]);
                high[d] = join ? fmax(high[d], b[d]) : fmin(high[d], b[d]);
            }
        }
    }
    if (s->dim == 2) low[2] = high[2] = 0;
}
