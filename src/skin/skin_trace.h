// Points of a tetrahedron that stand for its water, moved by the water's way: where they come from, or where they go.
#pragma once
#include "skin/skin_samples.h"
#include "skin/skin_water.h"

// Where a point may be besides in a tetrahedron: in none; inside the body to begin with, so that it does not count.
enum { NOWHERE = -1, CLOSED = -2 };

// The samples of a fine tetrahedron on one pose, each moved by the same way, and where they are then on another pose. Only
// samples outside the body count, unless all are inside. Where all corners are in one coarse tetrahedron, so are the samples.
typedef struct Sampler {
    const SkinPose *of, *onto;
    double x[4][3], bary[4][4], phi[4];  // corners when moved, regarding coarse on `onto`; distances before
    int coarse, count;                   // samples there are
    bool within, near_skin, take_all;
    SkinShift shift;
    const double (*still)[4];  // NULL: moving ones
} Sampler;

void sampler_begin(Sampler* q, const SkinWater* s, const SkinPose* of, const SkinPose* onto, int tet, const double way[3],
                   SkinPurpose purpose);
// Where sample k is when moved, x, put outside the body: a fine tetrahedron of `onto`, NOWHERE or CLOSED.
int sampler_find(const Sampler* q, int k, double x[3]);

// x is put out of the body, if the lattice knows that it is inside; a few steps along the gradient of the distance.
void skin_put_outside(double x[3], const SkinPose* p, int guess);
