// A mesh whose vertices move: a vertex cache (.pc2) beside the mesh, or a sequence of mesh files with the same faces.
#pragma once
#include "scene/mesh_sdf.h"

// Samples of all vertices at equal steps of time; straight lines in between, at rest before the first and after the last.
typedef struct MeshMotion {
    float (*sample)[3];  // in the mesh's unit; sample_count times vertex_count; owned
    int vertex_count, sample_count;
    double first, step;  // s: time of the first sample, and between two
} MeshMotion;

// Reads a PC2 cache for a mesh of vertex_count vertices. `rate`: frames of the cache per second; `start`: time of its first
// sample. MN_IO, MN_BAD_MESH name the file; *out is NULL then.
mn_status motion_read_cache(MeshMotion** out, const char* path, int vertex_count, double rate, double start);
// Reads the sequence whose name has #s in place of the number ("walk_####.obj"), from the smallest number there is up to the
// first that is missing. Also gives the path of its first file, which is the mesh itself. Files that do not lie below the folder
// `below` are refused; NULL: they may lie anywhere.
mn_status motion_read_sequence(MeshMotion** out, char first[4096], const char* pattern, double rate, double start,
                               const char* below);
void motion_free(MeshMotion* m);  // fine on NULL

double motion_fastest(const MeshMotion* m);  // of any vertex between two samples, in the mesh's unit per second

// The mesh at time t: that of `rest` with its vertices moved. *out has one reference.
mn_status motion_mesh(MeshSdf** out, const MeshMotion* m, const MeshSdf* rest, double t);
