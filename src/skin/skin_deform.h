// How the lattice follows a skin that changes its form: nodes go where the lattice is as rigid as possible around each of them
// [sorkine2007] while marks on the skin keep their places in it. Rigid motion of the skin moves all nodes rigidly.
#pragma once
#include "skin/skin_lattice.h"
#include "solve/factor.h"

// A point of the skin, by the coarse tetrahedron in which it lies at rest.
typedef struct SkinMark {
    int node[4];
    double bary[4];
    double pull;  // kappa A: stiffness of its spring over that of an edge
} SkinMark;

// All zeros is a valid empty one. Owns its arrays; borrows the lattice.
typedef struct SkinDeform {
    const SkinLattice* lattice;
    SkinMark* mark;
    int marks;
    int (*edge)[2];
    int edges;
    bool* inside;  // nodes inside the body at rest: repair leaves them where they are
    Factor* factor;
    double (*turn)[9];  // per node, its rotation
    double* right;      // per node and axis, right-hand sides
} SkinDeform;

typedef struct SkinDeformReport {
    int repaired;  // tetrahedra that repair put right
    int broken;    // that stay broken, and are not used
} SkinDeformReport;

// Marks at rest with the area (m^2) that each stands for. MN_BAD_SCENE: one lies outside the lattice; MN_NO_MEMORY. A failed call
// leaves it empty.
mn_status skin_deform_init(SkinDeform* d, const SkinLattice* l, const double (*mark)[3], const double* area, int marks,
                           SkinDistance distance, const void* body);
void skin_deform_free(SkinDeform* d);
// Nodes x follow the marks from where they are to `mark`: first as the best rigid motion does, then by `rounds` of turning every
// node's surroundings and solving for the places. Fails with MN_NO_MEMORY only.
mn_status skin_deform_follow(double (*x)[3], SkinDeformReport* report, SkinDeform* d, const double (*mark)[3], int rounds);

// The rotation r, row by row, that turns the b best into the a, sum |a - r b|^2 least, from m = sum a b^T.
void skin_best_turn(double r[9], const double m[9]);
