// Small vectors as double[3]; 2D code uses the first two entries and keeps the third 0.
#pragma once
#include <math.h>

#define PI 3.14159265358979323846

static inline double vec_dot(const double a[3], const double b[3]) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }
static inline double vec_norm(const double a[3]) { return sqrt(vec_dot(a, a)); }

static inline void vec_cross(double out[3], const double a[3], const double b[3])
{
    double x = a[1]*b[2] - a[2]*b[1], y = a[2]*b[0] - a[0]*b[2], z = a[0]*b[1] - a[1]*b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

static inline void vec_sub(double out[3], const double a[3], const double b[3])
{
    out[0] = a[0] - b[0], out[1] = a[1] - b[1], out[2] = a[2] - b[2];
}

// Unlike fmin and fmax these are single instructions: they do not look out for NaN.
static inline double min2(double a, double b) { return a < b ? a : b; }
static inline double max2(double a, double b) { return a > b ? a : b; }
static inline double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
static inline int clampi(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static inline int mini(int a, int b) { return a < b ? a : b; }
static inline int maxi(int a, int b) { return a > b ? a : b; }
