// Pieces that sheets and rods are made of: their energy, its gradient, and a stiffness that is never negative.
//
// Positions are those of the piece's own vertices, one after the other, m; z = 0 in 2D. Energies are J, in 2D J per metre of
// depth, where a sheet is a chain of segments and bends (thin_mesh.h). Each function returns the energy at x and fills what is
// asked for: gradient (3 per vertex, J/m: minus the forces) and stiffness (row by row, J/m^2); either may be NULL.
//
// The stiffness is the second derivative with its negative part left out, so that a step of Newton's method always goes downhill.
// Where nothing is compressed and hinges are nearly at rest it is the second derivative itself.
#pragma once
#include <stdbool.h>

// How a sheet resists being stretched and sheared in its plane.
typedef enum ThinLaw {
    THIN_STVK,          // Saint Venant and Kirchhoff: linear between Green's strain and stress
    THIN_NEO_HOOKEAN,   // does not let triangles collapse
    THIN_BARAFF_WITKIN  // threads along the two rest axes: stretch and shear by themselves [baraff1998]
} ThinLaw;

typedef struct ThinTriangle {
    int v[3];
    double rest[2][2];  // 1/m, inverse of the rest edges (v1 - v0, v2 - v0) as columns in the plane of the sheet
    double area;        // m^2, at rest
    double mu, lambda;  // N/m: plane stress, times thickness: mu = Y h/(2 (1 + nu)), lambda = Y h nu/(1 - nu^2)
    ThinLaw law;
} ThinTriangle;

// Two triangles that share the edge v0 v1; v2 is left of it, v3 right of it, seen from the side of the normals.
typedef struct ThinHinge {
    int v[4];
    double rest;       // rad: angle between the normals at rest, 0: flat; > 0: folded so that the normals' tips part
    double stiffness;  // J: Y h^3/(12 (1 - nu^2)) |e|^2/(A1 + A2), e and A at rest
} ThinHinge;

typedef struct ThinSegment {
    int v[2];
    double length;     // m, at rest
    double stiffness;  // N: Y times its cross section (2D: N/m, Y h/(1 - nu^2))
} ThinSegment;

// The angle at v1 of the strand v0 v1 v2.
typedef struct ThinBend {
    int v[3];
    double length[2];  // m, of both segments at rest
    double stiffness;  // N m^2: Y I (2D: N m, Y h^3/(12 (1 - nu^2)))
    double rest;       // 2 tan(angle/2) at rest; 2D: > 0 where the strand turns left
    bool planar;       // 2D: the angle has a sign
} ThinBend;

double thin_triangle(double* gradient, double* stiffness, const ThinTriangle* t, const double x[9]);
double thin_hinge(double* gradient, double* stiffness, const ThinHinge* h, const double x[12]);
double thin_segment(double* gradient, double* stiffness, const ThinSegment* s, const double x[6]);
double thin_bend(double* gradient, double* stiffness, const ThinBend* b, const double x[9]);

// rad, -pi to pi, of a hinge at these four places.
double thin_hinge_angle(const double x[12]);
// How much of its rest area a triangle has, |f1 x f2|: 1 at rest, 0 when it has collapsed.
double thin_triangle_spread(const ThinTriangle* t, const double x[9]);
