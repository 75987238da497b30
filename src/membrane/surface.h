// The surface of a liquid as a mesh that moves with it: triangles in 3D, segments in 2D, with velocities at its vertices.
//
// The mesh is manifold and oriented: its normals point out of the liquid (triangles counter-clockwise seen from outside;
// segments with the liquid to their left). It ends at the walls of the tank and nowhere else; the walls close it. So a drop is
// a closed mesh, a pool a sheet with its border on the walls, and both together one mesh of several parts.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/state.h"

// Bits of a vertex.
enum {
    MEMBRANE_WALL_X = 1,  // << d: on a wall across axis d. Its coordinate d is that of the wall to the last bit, its velocity 0
    MEMBRANE_WALL_Y = 2,
    MEMBRANE_WALL_Z = 4,
    MEMBRANE_WALLS = 7,
    MEMBRANE_CONTACT = 8,    // lies on a body, and `body` says on which; moves with it
    MEMBRANE_RELEASED = 16,  // has left a body and is still close to it
    MEMBRANE_NEW = 32        // made by the last remeshing
};

enum { NO_BODY = -1 };

// All zeros with `dim`, `low` and `high` set is a valid empty mesh of a dry tank. Owns its arrays. 2D: third coordinates are 0.
typedef struct MembraneMesh {
    int dim;
    double low[3], high[3];  // m, the tank
    bool corner_is_wet;      // is there liquid in the tank's corner `low`? (a pool: yes; a drop in the air: no)
    // what survives a step
    int vertices, elements;
    double* x;             // m, 3 per vertex
    double* v;             // m/s, 3 per vertex
    double* size;          // m, edge length wanted at the vertex
    int* flag;             // MEMBRANE_... per vertex
    int* body;             // per vertex: id of the body it touches, NO_BODY if none
    int* element;          // `dim` vertices each
    double target_volume;  // m^3 (2D: m^2) that corrections aim at
    // room in the arrays
    int vertex_room, element_room;
} MembraneMesh;

void membrane_free(MembraneMesh* m);                                  // fine on an empty mesh; leaves it empty, with its tank
mn_status membrane_copy(MembraneMesh* to, const MembraneMesh* from);  // `to` is freed first; MN_NO_MEMORY leaves it empty

// A vertex at rest, in no contact, with the flags of the walls it lies on (to the last bit); and an element of vertices there
// are. MN_NO_MEMORY leaves the mesh as it was. New ones come last.
mn_status membrane_add_vertex(MembraneMesh* m, const double x[3], double size);
mn_status membrane_add_element(MembraneMesh* m, const int* vertex);

// Bits of the walls that a place lies on.
int membrane_walls_at(const MembraneMesh* m, const double x[3]);

static inline const int* membrane_element(const MembraneMesh* m, int e) { return m->element + m->dim*e; }
static inline bool membrane_is_free(const MembraneMesh* m, int vertex) { return !(m->flag[vertex] & MEMBRANE_CONTACT); }

// ---- measures ---------------------------------------------------------------------------------------------------------------

// Area (2D: length) times normal out of the liquid.
void membrane_area_vector(double out[3], const MembraneMesh* m, int element);
double membrane_area(const MembraneMesh* m);  // m^2 (2D: m)
// Per vertex its share of the area: a third of its triangles' (2D: half of its segments').
void membrane_vertex_areas(double* area, const MembraneMesh* m);
// Liquid between mesh and walls, m^3 (2D: m^2): exact for the mesh as it is.
double membrane_volume(const MembraneMesh* m);
// dV/dx of every vertex, m^2 (2D: m), 3 numbers each: g_i = sum over its elements of area vector/dim. The volume is linear in
// each vertex alone. Walled axes are 0: there a vertex cannot move.
void membrane_volume_gradient(double* g, const MembraneMesh* m);

// ---- neighbours -------------------------------------------------------------------------------------------------------------

// Who is beside whom, for a mesh as it is. Corner c of element e has the number dim*e + c.
typedef struct MembraneLinks {
    int* across;  // 3D: per corner, the corner across the edge facing it in the other triangle. 2D: per corner, the corner
                  // at the same vertex of the other segment. -1: the mesh ends there, at a wall
    int *first, *around;  // corners at vertex i are around[first[i] .. first[i + 1] - 1]
} MembraneLinks;

// Arena memory. MN_BAD_MESH names an edge of more than two triangles, or two triangles that face opposite ways.
mn_status membrane_links(MembraneLinks* links, Arena* arena, const MembraneMesh* m);

// Part of each element: elements that share a vertex are of one part, numbered from 0 in the order of their first elements.
// Gives the number of parts, or -1: out of memory. Arena memory.
int membrane_parts(int** part, Arena* arena, const MembraneMesh* m);

// ---- health -----------------------------------------------------------------------------------------------------------------

// NULL, or what is wrong with the mesh: a name out of range, a number that is not finite, an edge of three triangles, triangles
// that face opposite ways, a border away from the walls, a vertex of no element or of two sheets, flags that do not agree with
// places, an element without area. Volume needs no such thing, but everything else does.
const char* membrane_find_fault(const MembraneMesh* m);
static inline bool membrane_is_valid(const MembraneMesh* m) { return membrane_find_fault(m) == NULL; }

// 3D: smallest and largest angle of its triangles, degrees. An empty mesh has 60 and 60.
void membrane_angles(double* least, double* most, const MembraneMesh* m);

// For undoing, checkpoints and hashes (base/state.h).
mn_status membrane_visit(MembraneMesh* m, StateVisitor* v);
