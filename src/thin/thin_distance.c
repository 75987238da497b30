#include "thin/thin_distance.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/closest.h"
#include "base/vec.h"

static double length_of(const double* w, const double* x, int vertices)
{
    double r[3] = {0, 0, 0};
    for (int v = 0; v < vertices; v++)
        for (int k = 0; k < 3; k++) r[k] += w[v]*x[3*v + k];
    return vec_norm(r);
}

static double point_edge(double w[4], const double* x)
{
    double t = closest_on_edge(x, x + 3, x + 6);
    w[0] = 1, w[1] = t - 1, w[2] = -t, w[3] = 0;
    return length_of(w, x, 3);
}

static double point_triangle(double w[4], const double* x)
{
    double corner[3];
    closest_on_triangle(corner, x, x + 3, x + 6, x + 9);
    w[0] = 1;
    for (int c = 0; c < 3; c++) w[1 + c] = -corner[c];
    return length_of(w, x, 4);
}

// Inside both where the lines come closest, or an end of one and the nearest point of the other.
static double edge_edge(double w[4], const double* x)
{
    double u[3], v[3], r[3], nearest = INFINITY;
    vec_sub(u, x + 3, x);
    vec_sub(v, x + 9, x + 6);
    vec_sub(r, x, x + 6);
    double a = vec_dot(u, u), b = vec_dot(u, v), c = vec_dot(v, v), d = vec_dot(u, r), e = vec_dot(v, r), det = a*c - b*b;
    double s = (b*e - c*d)/det, t = (a*e - b*d)/det;
    if (det > 1e-14*a*c && s >= 0 && s <= 1 && t >= 0 && t <= 1) {
        w[0] = 1 - s, w[1] = s, w[2] = t - 1, w[3] = -t;
        return length_of(w, x, 4);
    }
    for (int end = 0; end < 4; end++) {
        int other = end < 2 ? 2 : 0;
        double place = closest_on_edge(x + 3*end, x + 3*other, x + 3*(other + 1)), sign = end < 2 ? 1 : -1, own[4] = {0};
        own[end] = sign, own[other] = -sign*(1 - place), own[other + 1] = -sign*place;
        double distance = length_of(own, x, 4);
        if (distance < nearest) nearest = distance, memcpy(w, own, sizeof own);
    }
    return nearest;
}

double pair_distance(double w[4], PairKind kind, const double* x)
{
    switch (kind) {
    case PAIR_POINT_TRIANGLE:
        return point_triangle(w, x);
    case PAIR_EDGE_EDGE:
        return edge_edge(w, x);
    default:
        return point_edge(w, x);
    }
}

// m: the two together cannot come closer than this on a way, whatever points of them are nearest.
static double most_closing(PairKind kind, const double* way)
{
    int vertices = pair_vertices(kind), first = kind == PAIR_EDGE_EDGE ? 2 : 1;
    double mean[3] = {0, 0, 0}, most[2] = {0, 0};
    for (int v = 0; v < vertices; v++)
        for (int k = 0; k < 3; k++) mean[k] += way[3*v + k]/vertices;
    for (int v = 0; v < vertices; v++) {
        double own[3];
        vec_sub(own, way + 3*v, mean);
        most[v >= first] = fmax(most[v >= first], vec_norm(own));
    }
    return most[0] + most[1];
}

double pair_free_part(PairKind kind, const double* x, const double* way)
{
    enum { STEPS = 1000 };
    static const double KEEPS = 0.1;
    double closing = most_closing(kind, way), at[12], w[4], start = pair_distance(w, kind, x), distance = start, part = 0;
    int numbers = 3*pair_vertices(kind);
    assert(start > 0);
    for (int m = 0; m < STEPS && part < 1; m++) {
        double room = distance - KEEPS*start;
        if (!(room > 1e-3*start)) break;
        if (closing*(1 - part) <= room) return 1;
        part += room/closing;
        for (int k = 0; k < numbers; k++) at[k] = x[k] + part*way[k];
        distance = pair_distance(w, kind, at);
    }
    return fmin(part, 1);
}
