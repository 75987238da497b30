// The rods and webs of a scene: strands in one mesh (thin_mesh.h), what each is made of, and how the ends that are held move.
#pragma once
#include "base/state.h"
#include "thin/thin_mesh.h"

// A rod, or a web of threads that share vertices. In the mesh its vertices and segments are one after the other.
typedef struct RodPart {
    char name[64];
    double radius;         // m, of the rod or of each thread
    double contact_angle;  // rad, that liquids meet it at; < 0: that of the liquid
    int first_vertex, vertices, first_segment, segments;
    bool moving;  // what holds it follows `place`
} RodPart;

// Where what holds a part is at a time, m, from where it was given.
typedef mn_status RodPlace(double out[3], void* user, int part, double t);

// All zeros with mesh.dim = 3 is a valid empty one. Owns its arrays.
typedef struct Rods {
    ThinMesh mesh;
    RodPart* part;
    int parts;
    // by rods_finish
    double* given;                     // m, 3 per vertex: where it was at the start
    double* length;                    // m per vertex: half of the segments that meet in it
    int* of;                           // per vertex: its part
    double damp_mass, damp_stiffness;  // Rayleigh's, 1/s and s
    double friction;                   // Coulomb's, between rods and with walls
    RodPlace* place;                   // NULL: nothing that is held moves
    void* user;
} Rods;

void rods_free(Rods* r);
// A part more, of what was added to the mesh since the last one.
mn_status rods_add_part(Rods* r, const RodPart* part);
mn_status rods_finish(Rods* r);  // all parts are in
bool rods_is_valid(const Rods* r);
mn_status rods_visit(Rods* r, StateVisitor* v);

// Held vertices get the velocity that brings them, in a step from t of dt, to where they shall be then.
mn_status rods_lead(Rods* r, double t, double dt);
// Along the strands that meet at each vertex, unit length (3 per vertex): the mean of their directions, none of which is told
// from its opposite.
void rods_tangents(double* out, const Rods* r);

// J: strain, motion, and height of all of it over `low` against gravity g.
double rods_energy(const Rods* r, const double g[3], const double low[3]);
