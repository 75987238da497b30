// The fine tetrahedra inside a coarse one. A coarse tetrahedron is halved `level` times; the 8^level fine ones are affine images
// of one template, so that nothing about them is stored per coarse tetrahedron: places, volumes, neighbours and the way from a
// point to the fine tetrahedron it lies in all follow from these tables.
//
// A tetrahedron's corners are 0 to 3; face f is across from corner f. Edges (0,1) and (2,3) are the long ones of the lattice
// (skin_lattice.h), in the coarse and in every fine tetrahedron.
#pragma once
#include <stdint.h>
#include "base/status.h"

enum { SKIN_LEVEL_MOST = 4, SKIN_FINE_MOST = 1 << 3*SKIN_LEVEL_MOST };
enum { SKIN_TURNS = 6, SKIN_SUMS = 3*(1 << SKIN_LEVEL_MOST) + 1 };

// All zeros is a valid empty template. Owns its arrays. Barycentric coordinates are whole numbers in units of 2^-level.
typedef struct SkinTemplate {
    int level;
    int fine;                        // 8^level fine tetrahedra
    int rim;                         // 4^level triangles on each coarse face
    int nodes;                       // corners of all of them
    uint8_t (*bary)[4];              // of a node, regarding the coarse tetrahedron
    uint16_t (*corner)[4];           // nodes of a fine tetrahedron, positively oriented as the coarse one is
    int16_t (*next)[4];              // the fine tetrahedron across a face; -1 - F: the face lies on coarse face F
    uint16_t (*cell)[4];             // and is that triangle of it
    uint16_t (*behind)[4];           // [triangle][F]: the fine tetrahedron at it
    uint8_t (*behind_face)[4];       // and its face
    uint16_t (*turned)[SKIN_TURNS];  // [triangle][turn]: the same triangle as the neighbour counts it (skin_turn)
} SkinTemplate;

mn_status skin_template_init(SkinTemplate* t, int level);  // 1 to SKIN_LEVEL_MOST. MN_NO_MEMORY leaves it empty
void skin_template_free(SkinTemplate* t);                  // leaves it empty

// How the corners of a face, in rising order, are met by those of the neighbour: his k-th is my skin_turn[turn][k]-th.
extern const uint8_t skin_turn[SKIN_TURNS][3];
// Corners of face f in rising order.
extern const uint8_t skin_face_corner[4][3];

// The fine tetrahedron in which the point with these barycentric coordinates of the coarse one lies; b becomes the coordinates
// regarding it. b adds up to 1, and is 0 or more but for rounding.
int skin_descend(double b[4], const SkinTemplate* t);
