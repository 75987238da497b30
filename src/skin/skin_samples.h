// Points of a tetrahedron that stand for its volume in equal shares, as barycentric coordinates.
#pragma once
#include <stdint.h>

enum { SKIN_SAMPLES_MOST = 64 };

// Points that never lie still: the k-th of a sequence of low discrepancy [roberts2018], shifted at random for every tetrahedron
// and step and folded into the tetrahedron. Fixed points freeze slow water: what moves less than the way from a point to the next
// face never arrives (docs/skin.md).
typedef struct SkinShift {
    double shift[3];
} SkinShift;

// What random numbers are for; they are hashes of what they belong to, so that no order of work changes them.
typedef enum SkinPurpose { SKIN_BACKWARD, SKIN_FORWARD, SKIN_JITTER, SKIN_RIM } SkinPurpose;
uint64_t skin_hash(uint64_t id, uint64_t step, SkinPurpose purpose);
double skin_uniform(uint64_t* state);  // 0 to 1, and a new state

SkinShift skin_shift(int tet, long step, SkinPurpose purpose);
void skin_moving_sample(double b[4], const SkinShift* s, int k);

// Fixed sets with equal weights, exact for polynomials up to a degree, for what is measured and shown and does not move:
// 4 points (2), 5 (2), 8 (3), 10 (3), 11 (3), 20 (4).
int skin_fixed_samples(double b[][4], int count);  // gives the degree; 0: there is no such set
