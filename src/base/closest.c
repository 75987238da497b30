#include "base/closest.h"

#include "base/vec.h"

double closest_on_edge(const double p[3], const double a[3], const double b[3])
{
    double e[3], r[3];
    vec_sub(e, b, a);
    vec_sub(r, p, a);
    double square = vec_dot(e, e);
    return square > 0 ? clamp(vec_dot(r, e)/square, 0, 1) : 0;
}

// By the region of the triangle's plane that x is over: three corners, three sides, the middle [ericson2005, 5.1.5].
double closest_on_triangle(double weight[3], const double x[3], const double a[3], const double b[3], const double c[3])
{
    double ab[3], ac[3], p[3], q[3], r[3], square = 0;
    vec_sub(ab, b, a);
    vec_sub(ac, c, a);
    vec_sub(p, x, a);
    vec_sub(q, x, b);
    vec_sub(r, x, c);
    weight[0] = weight[1] = weight[2] = 0;
    double d1 = vec_dot(ab, p), d2 = vec_dot(ac, p), d3 = vec_dot(ab, q), d4 = vec_dot(ac, q), d5 = vec_dot(ab, r),
           d6 = vec_dot(ac, r);
    if (d1 <= 0 && d2 <= 0) return weight[0] = 1, vec_dot(p, p);
    if (d3 >= 0 && d4 <= d3) return weight[1] = 1, vec_dot(q, q);
    if (d6 >= 0 && d5 <= d6) return weight[2] = 1, vec_dot(r, r);
    double vc = d1*d4 - d3*d2, vb = d5*d2 - d1*d6, va = d3*d6 - d5*d4, sum = va + vb + vc;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) weight[1] = d1/(d1 - d3), weight[0] = 1 - weight[1];
    else if (vb <= 0 && d2 >= 0 && d6 <= 0) weight[2] = d2/(d2 - d6), weight[0] = 1 - weight[2];
    else if (va <= 0 && d4 >= d3 && d5 >= d6) weight[2] = (d4 - d3)/((d4 - d3) + (d5 - d6)), weight[1] = 1 - weight[2];
    else if (sum > 0) weight[1] = vb/sum, weight[2] = vc/sum, weight[0] = 1 - weight[1] - weight[2];
    else weight[0] = 1;
    for (int d = 0; d < 3; d++) {
        double away = p[d] - weight[1]*ab[d] - weight[2]*ac[d];
        square += away*away;
    }
    return square;
}
