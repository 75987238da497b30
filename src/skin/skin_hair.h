// Fur: strands that take room in the tetrahedra and drag on the water between them, less along than across.
#pragma once
#include "skin/skin_pose.h"

// Of one fine tetrahedron, at rest: the part of it that is hair, and sum of length t t^T over the strands in it, t their
// direction (xx, yy, zz, xy, yz, zx), m.
typedef struct SkinTuft {
    float fraction, along[6];
} SkinTuft;

// All zeros but what strands are like is a valid fur without any. Owns its arrays; borrows the lattice.
typedef struct SkinHair {
    const SkinLattice* lattice;
    double diameter;    // m
    double drag_scale;  // 1: as the formulas say
    double viscosity;   // m^2/s, of the water: mu/rho
    SkinTuft** tuft;    // per coarse tetrahedron, fine.fine of them; NULL: no hair there
} SkinHair;

#define SKIN_HAIR_MOST 0.7  // no more of a tetrahedron is hair, however much it is squeezed

mn_status skin_hair_init(SkinHair* h, const SkinLattice* l, double diameter, double viscosity);
void skin_hair_free(SkinHair* h);
// A strand through these points, places at rest (the pose's); what lies outside the lattice is left out.
mn_status skin_hair_add(SkinHair* h, const SkinPose* rest, const double (*point)[3], int points);

// The part of a fine tetrahedron that is hair on a pose.
double skin_hair_fraction(const SkinHair* h, const SkinPose* p, int tet);
// Rates at which water between parallel fibres that are a part psi of all comes to rest, 1/s, along them and across.
void skin_hair_rates(double* along, double* across, const SkinHair* h, double psi);
// Water of a tetrahedron under an acceleration, and the drag of hair that moves with `held` (m/s), for dt: exact for both
// together.
void skin_hair_drag(double u[3], const SkinHair* h, const SkinPose* p, int tet, const double held[3],
                    const double acceleration[3], double dt);
