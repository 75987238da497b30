// A tree of boxes over the triangles of a mesh, caps included: nearest triangle and winding number of a point.
#pragma once
#include "scene/mesh.h"

// Children of an inner node are node + 1 and `right`; a leaf has right = 0 and triangles order[first .. first + count).
typedef struct TreeNode {
    double low[3], high[3];
    double normal[3];  // sum of area times normal
    double middle[3];  // centre of the area
    double reach;      // from the middle to the farthest corner
    int right, first, count;
} TreeNode;

// All zeros is a valid empty tree. Owns its arrays; borrows the mesh's triangles while it is built only.
typedef struct MeshTree {
    TreeNode* nodes;
    double (*corners)[3][3];  // of the triangles, in the order of the leaves
    int* order;               // their numbers in the mesh
    int node_count, triangle_count;
} MeshTree;

mn_status meshtree_init(MeshTree* tree, const TriMesh* mesh);  // the mesh has at least one triangle
void meshtree_free(MeshTree* tree);

// Distance to the nearest triangle. *nearest is a guess on entry (0 will do; the nearest one of a point close by makes the
// search short) and the nearest triangle on return.
double meshtree_distance(const MeshTree* tree, const double x[3], int* nearest);
// Weights of the corners of a triangle at its point nearest to x; they add up to 1.
void meshtree_weights(double weight[3], const MeshTree* tree, const double x[3], int triangle);
// Along the ray from + t direction: the smallest t in (least, most) at which it leaves through a triangle's back, and that
// triangle; INFINITY if there is none.
double meshtree_exit(const MeshTree* tree, const double from[3], const double direction[3], double least, double most,
                     int* triangle);
void meshtree_normal(double out[3], const MeshTree* tree, int triangle);  // unit, out of the body
// How often the surface winds around x: 1 inside, 0 outside of a closed mesh, in between near holes.
double meshtree_winding(const MeshTree* tree, const double x[3]);
