// A lattice of coarse tetrahedra around a body at rest, between a depth inside its skin and a thickness outside. Body-centred
// cubic: nodes are the corners and the centres of cubes of edge H; each tetrahedron joins two neighbouring centres and an edge
// of the face between their cubes. All have one shape: two edges across from each other of length H, four of sqrt(3)/2 H, volume
// H^3/12 [molino2003]. Each stands for the fine ones of a SkinTemplate.
//
// Fine tetrahedra have numbers: coarse << 3 level | fine in the template.
#pragma once
#include <stdbool.h>
#include "skin/skin_template.h"

// Signed distance to the body, m, < 0 inside; a bound will do far away.
typedef double (*SkinDistance)(const void* body, const double x[3]);

// All zeros is a valid empty lattice. Owns its arrays.
typedef struct SkinLattice {
    double spacing;  // m, H
    int nodes, tets;
    int (*key)[3];       // of a node, H/2 from the origin of space; all even: a corner of a cube, all odd: a centre
    double (*rest)[3];   // m
    int (*node)[4];      // (0,1) centres, (2,3) corners of cubes; positively oriented
    int (*next)[4];      // across a face; -1: the lattice ends
    uint8_t (*face)[4];  // the neighbour's face
    uint8_t (*turn)[4];  // how its corners meet mine (skin_template.h)
    SkinTemplate fine;
} SkinLattice;

typedef struct SkinLatticeOptions {
    double spacing;          // m, of the fine lattice: a; H = a 2^level
    int level;               // 1 to SKIN_LEVEL_MOST
    double inner, outer;     // m, > 0: how far it reaches into the body and out of it
    double low[3], high[3];  // m: a box around the body
} SkinLatticeOptions;

// MN_NO_MEMORY; MN_BAD_SCENE when there would be none or far too many tetrahedra. A failed call leaves it empty.
mn_status skin_lattice_init(SkinLattice* l, const SkinLatticeOptions* options, SkinDistance distance, const void* body);
void skin_lattice_free(SkinLattice* l);
// Neighbours name each other with turns that fit, orientations are positive.
bool skin_lattice_is_valid(const SkinLattice* l);

static inline int skin_fine_count(const SkinLattice* l) { return l->tets << 3*l->fine.level; }
static inline int skin_coarse_of(const SkinLattice* l, int tet) { return tet >> 3*l->fine.level; }
static inline int skin_path_of(const SkinLattice* l, int tet) { return tet & (l->fine.fine - 1); }
static inline double skin_fine_volume(const SkinLattice* l)  // m^3, at rest
{
    return l->spacing*l->spacing*l->spacing/12/l->fine.fine;
}

// The fine tetrahedron across a face of another; -1: the lattice ends.
static inline int skin_next(const SkinLattice* l, int tet, int face)
{
    const SkinTemplate* t = &l->fine;
    int coarse = skin_coarse_of(l, tet), path = skin_path_of(l, tet), in = t->next[path][face];
    if (in >= 0) return coarse << 3*t->level | in;
    int big = -1 - in, other = l->next[coarse][big];
    if (other < 0) return -1;
    int cell = t->turned[t->cell[path][face]][l->turn[coarse][big]];
    return other << 3*t->level | t->behind[cell][l->face[coarse][big]];
}
