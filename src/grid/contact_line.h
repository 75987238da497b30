// The contact line as seen from one point of a wall or of a solid's skin, and how phi goes on below it. Shared by
// contact_walls.c, contact_solids.c and contact_points.c; the rest of the house uses contact.h.
//
// d phi/dN = cos(theta) holds on the contact line only. At another point of the wall, phi away from the surface, the normal is
// that of a foot further along the surface. In the plane across the line the surface is a circle to second order, of curvature
// k1; its centre lies -R cos(theta) above the wall, and with rho the distance from the centre along the wall
//     phi(t) = sqrt(rho^2 + (t + R cos(theta))^2) - R,    R = 1/k1,
// at the height t. rho follows from phi at one height, and then phi below the wall is known (`line_continued`). With the slope
// cos(theta) everywhere instead, the curvature at the line is wrong by 0.4/R at any resolution.
#pragma once
#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/contact.h"

// How well a line was seen: not at all; from so near that the cubics read nodes past a solid's skin, so that the bend can be used
// but the angle is half of what was put there; or from further up, where they read the liquid's side alone.
typedef enum Sight { NO_LINE, LINE_SEEN_LOW, LINE_SEEN } Sight;

// Nodes from low to high, both ends included.
typedef struct NodeBox {
    int low[3], high[3];
} NodeBox;

typedef struct Line {
    const double* phi;  // m, on nodes, ghosts filled
    const Window* w;
    double skin[3];  // the point of the wall or skin, cells from the window's corner
    double N[3];     // unit normal out of the wall, into the tank
    int wall;        // on a wall of the tank: 1 + the axis across it; 0: on a solid's skin
    // Per node: will some of the four nodes along each axis from it on change? NULL: all may. Ghosts are taken to.
    const unsigned char* unsettled;
    NodeBox* read;  // grows by the nodes that line_measure reads; may be NULL
    // by line_measure, from phi on the liquid's side
    double T[3];    // unit vector along the wall and out of the liquid
    double k1;      // 1/cells: curvature in the plane of N and T, > 0 on a convex drop; 0 where no line was seen
    double cosine;  // n.N on the line
    bool lasts;     // nothing of what was read will change, so that this will not either
} Line;

// Beyond this many cells from the surface there is nothing to continue: phi is a distance up to BAND cells and may be clamped
// there, and half a cell less keeps what is read around a node out of that.
static const double SURE_CELLS = BAND - 0.5;
static inline bool line_is_near(double f, const Window* w) { return fabs(f) < SURE_CELLS*w->dx; }

// What the contact asks for at the line's point: cosines from low (advancing) to high (receding). Both 0 where contact is NULL.
typedef struct Wanted {
    double low, high;
} Wanted;
Wanted line_wanted(const Line* l, const Contact* contact);

// The cosines at which phi may go on past the line. Where hysteresis holds it, those of its interval; elsewhere any: phi goes on
// as it comes down to the wall, so that neither distances nor advection move the line, and what the wanted angle pulls with is
// added to the curvature (`contact_pull`). Right angles: both 0, the even reflection.
static inline Wanted line_free(Wanted wanted) { return wanted.low < wanted.high || wanted.low == 0 ? wanted : (Wanted){-1, 1}; }

// Fills T, k1 and cosine. Where no line is seen only k1 is set, to 0.
Sight line_measure(Line* l);

// The slope of phi along a wall is the sine of the angle at which the surface meets it. Below this (9 degrees) it lies along the
// wall, as on a pool shallower than a cell, and has no line there that could be seen, held, led or pulled.
static const double LEAST_SLOPE_ALONG = 0.15;

// Air between liquid and wall that is thinner than this (cells) is none: no liquid moves through a wall, so that of itself the
// surface would come down to it for ever. The surface of such a layer lies along the wall, flatter than half the sine of the
// wanted angle: beside a line at rest it rises.
static const double THINNEST_AIR = 0.05;
static inline double line_flat(Wanted wanted) { return min2(LEAST_SLOPE_ALONG, 0.5*sqrt(1 - wanted.low*wanted.low)); }

// phi (m) at the depth s below the wall from phi = f at the height t above it; s, t in cells. Squaring phi(t) above,
// (1 + k1 phi)^2 = 1 + k1 B with B = f (2 + k1 f) - (t + s)(k1 (t - s) + 2 cos(theta)) at -s. Past the centre of the circle
// there is no root: phi ends at 0.78 of the way to it, 1 + k1 B = 0.05.
static inline double line_continued(const Line* l, double f, double t, double s, double cosine)
{
    assert(t >= 0 && t + s >= 0);
    double k1 = l->k1, dx = l->w->dx;
    f /= dx;
    double B = f*(2 + k1*f) - (t + s)*(k1*(t - s) + 2*cosine);
    return B/(1 + sqrt(max2(1 + k1*B, 0.05)))*dx;
}

// The cosine for which `line_continued` goes from f at the height t down to f0 at the height t0; heights in cells.
static inline double line_cosine_through(const Line* l, double f0, double t0, double f, double t)
{
    assert(t > t0 && t0 >= 0);
    double k1 = l->k1, dx = l->w->dx;
    f0 /= dx, f /= dx;
    return 0.5*((f*(2 + k1*f) - f0*(2 + k1*f0))/(t - t0) - k1*(t + t0));
}
