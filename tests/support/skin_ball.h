// A ball that carries water on a lattice around it, turns and moves: for tests of src/skin/.
#pragma once
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "check.h"
#include "skin/skin_step.h"

typedef struct SkinBall {
    double radius, centre[3], velocity[3], spin;  // m, m/s; rad/s about z
    double angle;
    SkinLattice lattice;
    SkinWater water;
    double (*x)[3];
} SkinBall;

static double skin_ball_distance(const void* self, const double x[3])
{
    const SkinBall* b = self;
    double arm[3];
    vec_sub(arm, x, b->centre);
    return vec_norm(arm) - b->radius;
}

static void skin_ball_velocity(double u[3], const void* self, const double x[3])
{
    const SkinBall* b = self;
    u[0] = b->velocity[0] - b->spin*(x[1] - b->centre[1]), u[1] = b->velocity[1] + b->spin*(x[0] - b->centre[0]);
    u[2] = b->velocity[2];
}

// A ball of that radius at the origin, its lattice to `outer` from its skin with fine spacing a.
static SkinBall* skin_ball_new(double radius, double a, int level, double outer, const SkinOptions* options)
{
    SkinBall* b = calloc(1, sizeof *b);
    b->radius = radius;
    SkinLatticeOptions o = {.spacing = a,
                            .level = level,
                            .inner = fmin(0.5*a*(1 << level), 0.9*radius),
                            .outer = outer,
                            .low = {-radius, -radius, -radius},
                            .high = {radius, radius, radius}};
    CHECK_OK(skin_lattice_init(&b->lattice, &o, skin_ball_distance, b));
    SkinBody body = {.self = b, .distance = skin_ball_distance, .velocity = skin_ball_velocity, .keeps_form = true};
    CHECK_OK(skin_water_init(&b->water, &b->lattice, &body, options));
    b->x = malloc(sizeof *b->x*(size_t)b->lattice.nodes);
    return b;
}

static void skin_ball_free(SkinBall* b)
{
    skin_water_free(&b->water), skin_lattice_free(&b->lattice);
    free(b->x), free(b);
}

// The ball and its lattice go on for dt.
static void skin_ball_move(SkinBall* b, double dt)
{
    for (int d = 0; d < 3; d++) b->centre[d] += dt*b->velocity[d];
    b->angle += dt*b->spin;
    double c = cos(b->angle), s = sin(b->angle);
    for (int m = 0; m < b->lattice.nodes; m++) {
        const double* r = b->lattice.rest[m];
        b->x[m][0] = b->centre[0] + c*r[0] - s*r[1], b->x[m][1] = b->centre[1] + s*r[0] + c*r[1],
        b->x[m][2] = b->centre[2] + r[2];
    }
    CHECK_OK(skin_water_move(&b->water, (const double(*)[3])b->x));
}

// All open tetrahedra whose centroid lies in a ball get `part` of what they hold.
static inline void skin_ball_pour(SkinBall* b, const double middle[3], double reach, double part, const double u[3])
{
    for (int tet = 0; tet < skin_fine_count(&b->lattice); tet++) {
        double x[4][3], gap[3];
        skin_corners(x, &b->water.now, tet);
        for (int d = 0; d < 3; d++) gap[d] = 0.25*(x[0][d] + x[1][d] + x[2][d] + x[3][d]) - middle[d];
        int64_t room = skin_room(&b->water, &b->water.now, tet), w = (int64_t)(part*(double)room);
        if (vec_norm(gap) < reach && w > 0) CHECK_OK(skin_water_pour(&b->water, tet, w, u));
    }
    CHECK_OK(skin_list_active(&b->water));
}

// Centre of the water in tetrahedra, m; how many are wet; the most one holds over its room.
typedef struct SkinBallState {
    double centre[3], fullest, excess;  // excess: quanta above the rooms over all quanta
    int wet;
} SkinBallState;

static inline SkinBallState skin_ball_state(const SkinBall* b)
{
    SkinBallState out = {0};
    double total = 0;
    for (int tet = 0; tet < skin_fine_count(&b->lattice); tet++) {
        double x[4][3], w = (double)skin_w(&b->water, tet);
        if (w == 0) continue;
        double room = (double)skin_room(&b->water, &b->water.now, tet);
        skin_corners(x, &b->water.now, tet);
        total += w, out.wet++;
        out.fullest = fmax(out.fullest, w/fmax(room, 1)), out.excess += fmax(w - room, 0);
        for (int d = 0; d < 3; d++) out.centre[d] += 0.25*w*(x[0][d] + x[1][d] + x[2][d] + x[3][d]);
    }
    for (int d = 0; d < 3; d++) out.centre[d] /= total;
    out.excess /= total;
    return out;
}
