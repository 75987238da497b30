// Signed distance to a triangle mesh, m, < 0 inside. The size comes from the nearest triangle, the sign from the generalised
// winding number, so that small holes and some flipped faces do not turn the inside out. Shared between shapes by counting.
#pragma once
#include "scene/mesh.h"

typedef struct MeshSdf MeshSdf;
typedef struct MeshTree MeshTree;

// Takes the mesh over (leaves *mesh empty) on success; mesh_check has passed on it. *out starts with one reference.
mn_status meshsdf_create(MeshSdf** out, TriMesh* mesh);
MeshSdf* meshsdf_retain(MeshSdf* sdf);  // returns sdf
void meshsdf_release(MeshSdf* sdf);     // fine on NULL; frees with the last reference

const TriMesh* meshsdf_mesh(const MeshSdf* sdf);
const MeshTree* meshsdf_tree(const MeshSdf* sdf);
void meshsdf_bounds(double low[3], double high[3], const MeshSdf* sdf);
double meshsdf_exact(const MeshSdf* sdf, const double x[3]);     // from the triangles, slow
double meshsdf_distance(const MeshSdf* sdf, const double x[3]);  // from the table when there is one
double meshsdf_winding(const MeshSdf* sdf, const double x[3]);   // about 1 inside, about 0 outside

// Between two forms of one mesh (same triangles): how far the point of the surface that is nearest to x now has come, and the
// farthest any vertex has.
void meshsdf_shift(double out[3], const MeshSdf* now, const MeshSdf* before, const double x[3]);
double meshsdf_longest_shift(const MeshSdf* now, const MeshSdf* before);

// Builds the table for a grid of spacing dx (m), unless there is one as fine already.
mn_status meshsdf_prepare(MeshSdf* sdf, double dx);
