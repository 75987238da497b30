// Forces of a free surface that is a mesh: tension, and the weight of the liquid below it as a force on the surface. Both are
// the exact gradients of their energies, so a mesh at rest in the sense of its own energy stays at rest.
#pragma once
#include "membrane/surface.h"

// sigma times the area, J (2D: J/m).
double surface_tension_energy(const MembraneMesh* m, double sigma);
// -d(surface_tension_energy)/dx_i, added to force, N (2D: N/m).
void surface_add_tension(double (*force)[3], const MembraneMesh* m, double sigma);

// The stiffness of one element, from which f = -K x exactly: K is the sum over elements of the Laplacians of their edges. Edge c
// lies opposite corner c (2D: edge 0 is the segment), and K_ij = K_ji = -weight, K_ii = K_jj += weight. Corners of slivers are
// kept from growing without bound. Returns the number of edges: dim == 3 ? 3 : 1.
typedef struct StiffEdge {
    int a, b;
    double weight;  // N/m
} StiffEdge;
int surface_stiffness(StiffEdge edge[3], const MembraneMesh* m, int element, double sigma);

// Height of a point in the field of an acceleration a (gravity, less that of the box), s = a.(x - origin), m^2/s^2. The liquid's
// potential energy is -rho times the volume integral of s. On a mesh with a boundary, what lies on walls along a adds nothing,
// and
// what lies on others only a constant as long as they are wet throughout.
typedef struct SurfaceWeight {
    double rho;              // kg/m^3
    double acceleration[3];  // m/s^2
    double origin[3];        // m: pressures are counted from that of its height; the mean level
} SurfaceWeight;
double surface_weight_energy(const MembraneMesh* m, const SurfaceWeight* g);
// -d(surface_weight_energy)/dx_i = rho sum over elements of nA integral of s phi_i / area, added to force.
void surface_add_weight(double (*force)[3], const MembraneMesh* m, const SurfaceWeight* g);

// Where the mean level is: origin becomes the centroid of the surface.
void surface_weight_level(SurfaceWeight* g, const MembraneMesh* m);
