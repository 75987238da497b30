// Strains next to walls and solids: how far the wall is, how it moves, which points of skin they read.
#pragma once
#include "solve/viscous_build.h"

// du_d/dx_o between the faces `high - 1` and `high` along o, per cell: factor (u_high - u_low), fixed u taken as zero, + known.
typedef struct ViscousSlope {
    double factor, known;
    bool cut;   // one of the faces is fixed
    bool past;  // nothing can be said
} ViscousSlope;

// A strain, sqrt(k) e, by the slopes it is made of; root: sqrt(k), 0: it has no weight.
typedef struct ViscousStrain {
    ViscousSlope a, b;  // b: of shear only
    double root;
} ViscousStrain;

// e_dd in the cell, e_do on the edge `at`. p is NULL on coarser levels.
ViscousStrain viscous_normal_strain(const ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, double stiffness,
                                    const int at[3], int d);
ViscousStrain viscous_shear_strain(const ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, double stiffness,
                                   const int at[3], int d, int o);

// Velocity that a fixed face takes, m/s; zero in bodies.
double viscous_fixed_velocity(const ViscousProblem* p, int d, const int face[3]);
// The point of a face, m. Half faces and parts of a cell are fine.
void viscous_face_position(double x[3], const ViscousProblem* p, int d, const double face[3]);
// Does the window (not the grid) have this face?
bool viscous_face_exists(const Window* w, int d, const int face[3]);
// Is the face inside a solid, and not in a wall or past one?
bool viscous_is_in_solid(const ViscousProblem* p, int d, const int face[3]);

// A point of a solid's skin that a strain reads: sqrt(k) e gets weight times component d of the velocity there.
typedef struct SkinPoint {
    int d;
    double weight, x[3];  // m
} SkinPoint;
enum { SKIN_POINTS_MOST = 4 };
// Is a face fixed that the strain e_do at a place reads? Away from solids none is, and it has no such points.
bool viscous_reads_fixed(const ViscousGrid* g, const int at[3], int d, int o);
// Those of the strain e_do (d = o: in the cell, d < o: on the edge `at`) of the finest level; returns how many.
int viscous_skin_points(SkinPoint out[SKIN_POINTS_MOST], const ViscousProblem* p, const int at[3], int d, int o);
