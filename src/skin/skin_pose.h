// A lattice where it is at one time: places of its nodes, which coarse tetrahedra are still sound, the fine tetrahedron at a
// point, and the distance to the body, linear in each fine tetrahedron.
#pragma once
#include "base/vec.h"
#include "skin/skin_lattice.h"

// Point location: coarse tetrahedra by the cells of a box grid that they may reach into.
typedef struct SkinBuckets {
    double low[3], cell;  // m
    int n[3];
    int* start;  // cells + 1
    int* tet;
    size_t cell_room, tet_room;
} SkinBuckets;

// Distances to the body at the fine nodes of a coarse tetrahedron that the skin may cut; elsewhere the coarse nodes' will do.
typedef struct SkinDepth {
    int* slot;       // per coarse tetrahedron: its place in `node`; -1: it is far from the skin
    double* node;    // m, fine.nodes per slot
    double* coarse;  // m, per coarse node
    int slots, room;
} SkinDepth;

// All zeros is a valid empty pose. Owns its arrays; borrows the lattice.
typedef struct SkinPose {
    const SkinLattice* lattice;
    double (*x)[3];         // m, per node
    double (*inverse)[12];  // per coarse tetrahedron: b1, b2, b3 = A x + c, row by row (A's three numbers, c)
    double* volume;         // m^3
    bool* broken;           // turned inside out, or nearly flat: points are not looked for in it
    int broken_count;
    SkinBuckets buckets;
    SkinDepth depth;
} SkinPose;

// A lattice tetrahedron with less than this part of its volume at rest is broken.
#define SKIN_BROKEN 0.05

mn_status skin_pose_init(SkinPose* p, const SkinLattice* l);  // at rest; skin_pose_set comes next. MN_NO_MEMORY leaves it empty
void skin_pose_free(SkinPose* p);
// Nodes are at x now. Distances stay those of before, node by node: right for bodies that keep their form.
mn_status skin_pose_set(SkinPose* p, const double (*x)[3]);
// Asks for the distances anew: at every fine node of coarse tetrahedra that the skin may cut, elsewhere at the coarse nodes.
mn_status skin_pose_measure(SkinPose* p, SkinDistance distance, const void* body);

// Barycentric coordinates of x regarding coarse tetrahedron t.
static inline void skin_pose_bary(double b[4], const SkinPose* p, int t, const double x[3])
{
    const double* m = p->inverse[t];
    b[1] = m[0]*x[0] + m[1]*x[1] + m[2]*x[2] + m[3];
    b[2] = m[4]*x[0] + m[5]*x[1] + m[6]*x[2] + m[7];
    b[3] = m[8]*x[0] + m[9]*x[1] + m[10]*x[2] + m[11];
    b[0] = 1 - b[1] - b[2] - b[3];
}

// The fine tetrahedron at x, and coordinates b regarding it; -1: none. `guess` is a coarse one to try first, or -1. Where the
// lattice overlaps itself and the guess does not hold x, the one that is nearest to the skin there.
int skin_locate(double b[4], const SkinPose* p, const double x[3], int guess);

void skin_corners(double x[4][3], const SkinPose* p, int tet);       // m, of a fine tetrahedron
void skin_depth_corners(double phi[4], const SkinPose* p, int tet);  // m, distances to the body at its corners
static inline double skin_volume_of(const SkinPose* p, int tet)      // m^3
{
    return p->volume[skin_coarse_of(p->lattice, tet)]/p->lattice->fine.fine;
}
// Gradient of the distance in a fine tetrahedron; in a flat one, 0.
void skin_depth_gradient(double g[3], const SkinPose* p, int tet);
// The order in which water is pushed outwards: distance of the centroid, m.
double skin_order_key(const SkinPose* p, int tet);
// The fraction of a tetrahedron that is outside the body, distances at its corners given. Linear distance: where the plane cuts.
double skin_open_fraction(const double phi[4]);
