// Triangle meshes from OBJ and PLY files, and what is wrong with them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

// All zeros is a valid empty mesh. Owns both arrays.
typedef struct TriMesh {
    double (*vertices)[3];  // in the file's unit
    int (*triangles)[3];    // indices of vertices, counterclockwise seen from outside
    int vertex_count, triangle_count;
    // by mesh_check
    int cap_count;       // triangles after the first triangle_count that close holes; their extra corners come after
                         // the first vertex_count. For distances, not for show.
    int dropped;         // triangles without area, taken out
    int holes;           // closed rims of edges that belong to one triangle only
    int boundary_edges;  // those edges
    int flipped;         // triangles that faced the other way than their neighbours, turned round
    int crowded_edges;   // edges of more than two triangles
} TriMesh;

// Reads .obj or .ply by the file's ending; then mesh_check. Failure: MN_IO (no such file), MN_BAD_MESH naming file and
// line or byte; *mesh is left empty.
mn_status mesh_load(TriMesh* mesh, const char* path);
mn_status mesh_read(TriMesh* mesh, const char* path);  // the same without mesh_check: vertices and faces as the file has them
// The same from memory, without mesh_check. bytes[size] must be readable and 0.
mn_status mesh_read_obj(TriMesh* mesh, const char* name, const char* bytes, size_t size);
mn_status mesh_read_ply(TriMesh* mesh, const char* name, const char* bytes, size_t size);
void mesh_free(TriMesh* mesh);  // fine on an empty mesh; leaves it empty

// Drops triangles without area, turns flipped ones round, caps holes, and counts it all. MN_BAD_MESH when no triangle is
// left; `name` is for that message. The mesh stays the caller's to free either way.
mn_status mesh_check(TriMesh* mesh, const char* name);
// One line for a person: "1280 triangles, closed" or "1268 triangles, 1 hole (12 open edges), 3 flipped, 2 without area".
void mesh_describe(char* text, size_t size, const TriMesh* mesh);
