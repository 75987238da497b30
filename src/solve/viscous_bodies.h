// Bodies in the viscous minimum. With S = B u + s + C T v the strains sqrt(k) e (s: of walls that do not give way, T: twists
// of the velocities v), everything divided by rho dx^dim, the functional is
//
//     1/2 sum V (u - u*)^2 + 1/2 |S|^2 + 1/2 sum_w c_w (R_w T v - u*_w)^2 + 1/2 (v - v*)^T M (v - v*)
//
// (w: wet parts of faces inside bodies, which follow the body by themselves, viscosity.c). For given u its least value is at
//
//     H v = M v* - T^T C^T (B u + s) + T^T sum_w c_w R_w u*_w,       H = M + T^T (C^T C + sum_w c_w R_w^T R_w) T
//
// so that v can be eliminated: what is left for u has the matrix A - B^T C T H^-1 T^T C^T B, symmetric and positive whatever the
// bodies weigh, and M (v - v*) is the impulse of the liquid's friction by construction.
#pragma once
#include "solve/viscous_strains.h"

// One point of a body's skin in the strain e_do (d = o: in a cell).
typedef struct BodyStrain {
    ptrdiff_t at;
    int d, o;
    int body;
    bool goes_on;       // the next one is of the same strain
    double row[TWIST];  // of C: d(sqrt(k) e)/d twist
} BodyStrain;

// The wet part of a face inside a body.
typedef struct StuckFace {
    int body;
    double row[TWIST];  // R: its velocity per twist
    double weight, u;   // c; u* (m/s)
} StuckFace;

// Arena memory.
typedef struct ViscousBodies {
    const StickingBodies* in;  // NULL: the liquid sticks to none
    BodyStrain* strain;
    int strains;
    StuckFace* stuck;
    int stucks;
    double scale;       // kg (2D: kg/m): rho dx^dim
    double* factor;     // of H
    double* twist;      // bodies x TWIST
    double* wrench;     // bodies x TWIST
    double *v, *right;  // nv
    double* start;      // nv: v*
} ViscousBodies;

// After viscous_build. u: u* in the window.
mn_status viscous_bodies_build(ViscousBodies* b, ViscousProblem* p, double* const u[3], Arena* arena);
// v (b->in->v) for the velocity u on the grid's faces.
void viscous_bodies_follow(const ViscousBodies* b, const ViscousProblem* p, double* const u[3]);
// The force of bodies that move with the present v joins the problem's: - B^T C T v.
void viscous_bodies_push(const ViscousBodies* b, ViscousProblem* p);
// q = A x becomes the product with the reduced matrix; returns what x.q loses.
double viscous_bodies_product(double* const q[3], const ViscousBodies* b, const ViscousGrid* g, double* const x[3]);
// Adds what friction has given the bodies at the minimum (u, v).
void viscous_bodies_end(const ViscousBodies* b, const ViscousProblem* p, double* const u[3]);
// Velocity of a face inside a body, m/s, with the present v; false: it is in none.
bool viscous_bodies_velocity(double* v, const ViscousBodies* b, const ViscousProblem* p, int d, const int face[3]);
// How a fixed face that is wet by `wet` follows its solid: the part of the way to the solid's velocity.
double viscous_stuck_part(const ViscousProblem* p, double wet);
