// Sheets of no thickness for tests: closed curves and balls of any roughness, and flat ones that end anywhere.
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/sheetcut.h"

typedef struct Surface {
    double* x;
    int* element;
    SheetSurface s;
} Surface;

static inline void surface_free(Surface* f) { free(f->x), free(f->element); }

// A closed curve about (0.5, 0.5), of radius r(angle) = 0.3 (1 + wave sin(3 angle + phase)), of n segments, the normal outwards.
static inline double radius_at(double angle, double wave, double phase) { return 0.3*(1 + wave*sin(3*angle + phase)); }

static inline Surface closed_curve(int n, const double center[2], double wave, double phase)
{
    Surface f = {calloc(3*(size_t)n, sizeof *f.x), malloc(2*sizeof *f.element*(size_t)n), {0}};
    for (int m = 0; m < n; m++) {
        double a = 2*PI*m/n, r = radius_at(a, wave, phase);
        f.x[3*m] = center[0] + r*cos(a), f.x[3*m + 1] = center[1] + r*sin(a);
        f.element[2*m] = (m + 1)%n, f.element[2*m + 1] = m;  // clockwise: left is outside
    }
    f.s = (SheetSurface){.dim = 2, .x = f.x, .vertices = n, .element = f.element, .elements = n};
    return f;
}

// A ball by rings of latitude, bumped, normal outwards.
static inline Surface closed_surface(int n, const double center[3], double wave)
{
    int rings = n/2, vertices = 2 + (rings - 1)*n, count = 0;
    Surface f = {malloc(3*sizeof *f.x*(size_t)vertices), malloc(3*sizeof *f.element*(size_t)(2*n*rings)), {0}};
    for (int m = 0; m < vertices; m++) {
        int ring = m == 0 ? 0 : m == vertices - 1 ? rings : 1 + (m - 1)/n;
        double theta = PI*ring/rings, angle = 2*PI*((m - 1)%n)/n,
               r = 0.3*(1 + wave*sin(3*theta)*cos(2*angle));
        f.x[3*m] = center[0] + r*sin(theta)*cos(angle), f.x[3*m + 1] = center[1] + r*sin(theta)*sin(angle);
        f.x[3*m + 2] = center[2] + r*cos(theta);
    }
    for (int ring = 0; ring < rings; ring++)
        for (int k = 0; k < n; k++) {
            int up[2], down[2], next = (k + 1)%n;
            for (int c = 0; c < 2; c++) {
                int around = c == 0 ? k : next;
                up[c] = ring == 0 ? 0 : 1 + (ring - 1)*n + around;
                down[c] = ring == rings - 1 ? vertices - 1 : 1 + ring*n + around;
            }
            if (ring > 0) memcpy(f.element + 3*count++, (int[3]){up[0], down[0], up[1]}, 3*sizeof(int));
            if (ring < rings - 1) memcpy(f.element + 3*count++, (int[3]){up[1], down[0], down[1]}, 3*sizeof(int));
        }
    f.s = (SheetSurface){.dim = 3, .x = f.x, .vertices = vertices, .element = f.element, .elements = count};
    return f;
}

// A plane piece through `middle`, of half-widths `half` along two directions at right angles to its normal (cos tilt, sin tilt,
// 0): in 2D a segment.
static inline Surface flat_sheet(int dim, const double middle[3], double tilt, double half)
{
    int vertices = dim == 2 ? 2 : 4;
    Surface f = {malloc(3*sizeof *f.x*(size_t)vertices), malloc(6*sizeof *f.element), {0}};
    double along[3] = {-sin(tilt), cos(tilt), 0};
    for (int m = 0; m < vertices; m++) {
        double a = m == 0 || m == 3 ? half : -half, b = m < 2 ? -half : half;
        for (int d = 0; d < 3; d++) f.x[3*m + d] = middle[d] + a*along[d] + (d == 2 && dim == 3 ? b : 0);
    }
    static const int segment[2] = {0, 1}, triangle[6] = {0, 1, 2, 0, 2, 3};
    memcpy(f.element, dim == 2 ? segment : triangle, (dim == 2 ? 2 : 6)*sizeof(int));
    f.s = (SheetSurface){.dim = dim, .x = f.x, .vertices = vertices, .element = f.element, .elements = dim == 2 ? 1 : 2};
    return f;
}

// A chain of segments from point to point, in 2D.
static inline Surface open_curve(const double (*point)[2], int n)
{
    Surface f = {calloc(3*(size_t)n, sizeof *f.x), malloc(2*sizeof *f.element*(size_t)n), {0}};
    for (int m = 0; m < n; m++) f.x[3*m] = point[m][0], f.x[3*m + 1] = point[m][1];
    for (int m = 0; m < n - 1; m++) f.element[2*m] = m, f.element[2*m + 1] = m + 1;
    f.s = (SheetSurface){.dim = 2, .x = f.x, .vertices = n, .element = f.element, .elements = n - 1};
    return f;
}

static inline Window box_window(int dim, int n)
{
    Tank tank = {.dim = dim, .dx = 1.0/n, .n = {n, n, dim == 3 ? n : 1}};
    for (int s = 0; s < 6; s++) tank.side[s] = SIDE_IS_WALL;
    return window_whole(&tank);
}
