// Sheets and rods of a scene: one mesh of triangles, hinges, segments and bends (thin_elements.h), and where its vertices are.
//
// In 3D a sheet is made of triangles with hinges between them, a rod of segments and bends. In 2D a sheet is a chain of segments
// and bends, one metre deep, and there are no rods.
#pragma once
#include "base/status.h"
#include "thin/thin_elements.h"

// What a sheet is made of.
typedef struct SheetMaterial {
    double density;    // kg/m^3
    double young;      // Pa
    double poisson;    // 0 to 0.49
    double thickness;  // m
    ThinLaw law;       // 3D
} SheetMaterial;

// A round rod, 3D.
typedef struct RodMaterial {
    double density, young;  // kg/m^3, Pa
    double radius;          // m
    double taut;            // strain that it is under as it is given: at rest it is shorter by 1/(1 + taut); 0: none
} RodMaterial;

// Coordinates that do not follow the forces, a bit each.
enum { HELD_X = 1, HELD_Y = 2, HELD_Z = 4, HELD = 7 };

// All zeros but `dim` is a valid empty mesh. Owns its arrays.
typedef struct ThinMesh {
    int dim;
    int vertices, triangles, hinges, segments, bends;
    // for good
    ThinTriangle* triangle;
    ThinHinge* hinge;
    ThinSegment* segment;
    ThinBend* bend;
    double* mass;         // kg per vertex (2D: kg/m)
    unsigned char* held;  // HELD_... per vertex; 2D: z always
    // what survives a step
    double* x;  // m, 3 per vertex
    double* v;  // m/s; held coordinates go on with theirs
} ThinMesh;

void thin_mesh_free(ThinMesh* t);  // leaves it empty, with its dim
// Vertices in their places at rest, where they also are; edges of two triangles become hinges, bent at rest as they are. A vertex
// may be shared with what is there already: numbers below `t->vertices` as it was are old ones, the first new one is that number.
// MN_BAD_MESH names the first triangle without area, or edge of more than two triangles: nothing was added then.
mn_status thin_add_sheet(ThinMesh* t, const double* x, int vertices, const int (*triangle)[3], int triangles,
                         const SheetMaterial* material);
// The same in 2D: a strand of these vertices, one after the other, bent at rest as it is.
mn_status thin_add_chain(ThinMesh* t, const double* x, int vertices, const SheetMaterial* material);
// New vertices, 3 numbers each, and then strands of old and new ones. A strand is bent at rest as it is; where strands share a
// vertex they turn about it freely, as the threads of a web.
mn_status thin_add_vertices(ThinMesh* t, const double* x, int vertices);
mn_status thin_add_rod(ThinMesh* t, const int* vertex, int vertices, const RodMaterial* material);

// m: of the shortest edge or segment at rest; 0: there is none.
double thin_shortest(const ThinMesh* t);
// Elements name vertices that are there, masses are positive, places and velocities finite.
bool thin_mesh_is_valid(const ThinMesh* t);

// J (2D: J/m): strain; motion; height, against an acceleration a (m/s^2) that acts on all of it.
double thin_strain_energy(const ThinMesh* t, const double* x);
double thin_kinetic_energy(const ThinMesh* t);
double thin_height_energy(const ThinMesh* t, const double a[3]);
