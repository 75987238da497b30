// Nearest points of segments and triangles.
#pragma once

// Weight of b at the point of the segment a b that is nearest to p: a + t (b - a), t from 0 to 1.
double closest_on_edge(const double p[3], const double a[3], const double b[3]);
// Weights of the corners at the point of the triangle that is nearest to x; they add up to 1. One of a corner across from the
// edge that the point lies on is exactly 0. Gives the square of the distance.
double closest_on_triangle(double weight[3], const double x[3], const double a[3], const double b[3], const double c[3]);
