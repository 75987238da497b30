// Sheets and rods that keep off each other and off planes: no piece ever passes through another, or through itself.
//
// Every pair of pieces that are closer than `distance` has a barrier, which is added to what a step minimises (thin_step.h):
//
//     B = stiffness sum b(d),   b = -(d - D)^2 ln(d/D) for d < D = distance,   0 beyond    [li2020]
//
// b grows without bound as d -> 0, and no iteration goes further than pieces can go without meeting (pair_free_part). Its slope
// over dt^2 is the force. Friction by Coulomb's law acts along the pieces with the normal forces of the start of the step: its
// potential is smooth below speeds of `creep`.
#pragma once
#include "base/arena.h"
#include "thin/thin_distance.h"
#include "thin/thin_mesh.h"

typedef struct ThinPlane {
    double n[3], at;  // what is allowed: n.x > at, |n| = 1; m
} ThinPlane;

typedef struct ContactSettings {
    double distance;         // D, m; less than half the shortest edge
    double stiffness;        // kg (2D: kg/m)
    double friction;         // Coulomb's coefficient
    double creep;            // m/s
    const ThinPlane* plane;  // for all but vertices that are held along all axes
    int planes;
} ContactSettings;

// Edges and corners of a mesh that can meet. Owned; made once per mesh.
typedef struct ContactSkin {
    int (*edge)[2];
    int edges;
} ContactSkin;

mn_status contact_skin_init(ContactSkin* s, const ThinMesh* t);
void contact_skin_free(ContactSkin* s);

typedef struct ContactPair {
    PairKind kind;
    int v[4];
} ContactPair;

// Pairs that may come within reach of each other on the way from x to x + way (NULL: at x). Arena memory. Pieces that share a
// vertex are no pair.
typedef struct Candidates {
    ContactPair* pair;
    int count;
} Candidates;
mn_status contact_candidates(Candidates* c, Arena* arena, const ThinMesh* t, const ContactSkin* s, const double* x,
                             const double* way, double reach);

// Energy of one pair (kg m^2), with gradient and stiffness as of thin_elements.h; all 0 beyond D.
double contact_barrier(double* gradient, double* stiffness, const ContactPair* p, const double* x, const ContactSettings* c);
// The same of a vertex and all planes: 3 and 9 numbers.
double contact_planes(double* gradient, double* stiffness, const double x[3], const ContactSettings* c);

// The part of the way that all pairs, and all vertices before planes, can go.
double contact_free_part(const Candidates* c, const ThinMesh* t, const ContactSettings* s, const double* x, const double* way);
// m, the least distance of all pairs and planes; INFINITY: none is near.
double contact_least(const Candidates* c, const ThinMesh* t, const ContactSettings* s, const double* x);

// What slides on what, as it was at the start of the step.
typedef struct Sliding {
    int v[4], vertices;
    double w[4];       // weights of the vertices' motion
    double across[3];  // normal
    double force;      // kg m: normal force times dt^2
} Sliding;
mn_status contact_sliding(Sliding** out, int* count, Arena* arena, const Candidates* c, const ThinMesh* t,
                          const ContactSettings* s, const double* x);
// Friction of one, for vertices moved from x0 to x: its potential, kg m^2.
double contact_friction(double* gradient, double* stiffness, const Sliding* s, const double* x0, const double* x,
                        const ContactSettings* c, double dt);
