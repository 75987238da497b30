// A ball, 3D, of radius 1 in the middle of a square box, with the surface that theory has in a round vessel of the same area.
#pragma once
#include "afloat.h"
#include "floating_ball.h"

enum { AFLOAT_TRACE = 8000 };

typedef struct AfloatBall {
    FloatingBall exact;
    double density;
    double trace[2*AFLOAT_TRACE];  // r and z of the surface, from the wall inwards
    int points;
} AfloatBall;

static inline AfloatBall afloat_ball_of(double theta, double density, double l, double width)
{
    AfloatBall b = {.exact = {.theta = theta, .R = 1, .l = l, .vessel = width/sqrt(PI)}, .density = density};
    b.points = floating_ball_solve(&b.exact, density, b.trace, AFLOAT_TRACE);
    assert_true(b.points > 0);
    return b;
}

// Height of the surface over that at the wall.
static inline double afloat_ball_height(const AfloatBall* b, double r)
{
    int low = 0, high = b->points - 1;
    if (r >= b->trace[0]) return 0;
    if (r <= b->trace[2*high]) return b->trace[2*high + 1] - b->trace[1];
    while (high - low > 1) {
        int middle = (low + high)/2;
        if (b->trace[2*middle] > r) low = middle;
        else high = middle;
    }
    return b->trace[2*low + 1] - b->trace[1];
}

static inline double afloat_ball_surface(const void* user, const double x[3])
{
    const Afloat* f = user;
    return x[1] - f->level - afloat_ball_height(f->user, hypot(x[0] - f->middle[0], x[2] - f->middle[2]));
}

static inline Afloat afloat_ball(const AfloatBall* b, double cells, double width, double time)
{
    Afloat f = {.dim = 3,
                .cells = cells,
                .width = width,
                .across = width,
                .depth = 2.5,
                .above = 1.5 + fmax(b->exact.center, 0),
                .l = b->exact.l,
                .mu = 2*b->exact.l,
                .time = time,
                .shift = {0.21, 0.137, -0.16},
                .surface = afloat_ball_surface,
                .bodies = 1,
                .user = b};
    f.body[0] = (TestBody){.R = 1, .density = b->density, .angle = b->exact.theta, .center = {0, b->exact.center, 0}};
    return f;
}
