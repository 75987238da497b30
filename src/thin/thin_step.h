// A step of sheets and rods by themselves: backward Euler, solved by Newton's method with a line search.
//
// The new places x minimise
//     E(x) = (x - x^).M (x - x^)/2 + dt^2 Psi(x) + dt (x - x0).D (x - x0)/2 + B(x) + R(x),    x^ = x0 + dt v0 + dt^2 (a + f/M)
// with the strain energy Psi and that of a field, forces f from outside, Rayleigh's damping D = alpha M + beta H(x0), H the
// stiffness at the start [rayleigh1877], barriers B between pieces that are close and friction R along them (thin_contact.h).
// Then v = (x - x0)/dt. Stable for any step; oscillations that a step does not resolve are damped. No piece passes through
// another.
#pragma once
#include "solve/sparse.h"
#include "thin/thin_contact.h"

// Energy of a vertex at x in a field from outside, J, with its slope (3, J/m) and a stiffness that is never negative (9, J/m^2);
// either may be NULL. What lasts for the step alone, as the drag of a liquid, is a field too: c |x - x0 - dt u|^2/(2 dt).
typedef double ThinField(double* gradient, double* stiffness, const void* user, int vertex, const double x[3]);

typedef struct ThinForces {
    double a[3];                     // m/s^2, on all of it
    const double* force;             // N, 3 per vertex; NULL: none
    ThinField* field;                // on every vertex; NULL: none
    const void* user;                // its own
    double damp_mass;                // alpha, 1/s
    double damp_stiffness;           // beta, s
    const ContactSettings* contact;  // NULL: pieces pass through each other
    double enough;                   // m: an iteration that moves no vertex further is the last; 0: 1e-7 of the shortest piece
} ThinForces;

typedef struct ThinReport {
    int iterations;
    bool converged;      // else the last place was as good as it got: forces do not balance to the tolerance
    double way;          // m, of the last iteration: how far the vertex went that went furthest
    double reaction[3];  // N, on what holds vertices, all of them
    double held_work;    // J: what it has done on them in the step
    double least;        // m, distance of the nearest pieces; INFINITY: none are near
    int contacts;        // pairs, vertices and planes within the contacts' distance
} ThinReport;

// What a mesh needs for its steps; made anew when elements or held coordinates change.
typedef struct ThinSolver ThinSolver;

mn_status thin_solver_new(ThinSolver** s, const ThinMesh* t);
void thin_solver_free(ThinSolver* s);  // fine on NULL
// x and v become those of the end of the step. Held coordinates go on with their velocity. MN_STEP_FAILED, and the mesh as it
// was: numbers are not finite, pieces touch already, or held ones were driven through others.
mn_status thin_step(ThinReport* report, ThinMesh* t, ThinSolver* s, const ThinForces* f, double dt);

// The linear system of an iteration from the places x (NULL: those of the start): matrix way = right over the unknown
// coordinates, kg and kg m. Borrowed from the solver until it is used again.
typedef struct ThinLinear {
    const int* unknown;  // per coordinate; -1: held
    int unknowns;
    const Sparse* matrix;
    const double* right;
} ThinLinear;
mn_status thin_linearise(ThinLinear* out, const ThinMesh* t, ThinSolver* s, const ThinForces* f, double dt, const double* x);

// MN_STEP_FAILED: vertices that go this way (m, 3 per vertex) would meet something, or nearly so.
mn_status thin_check_way(const ThinMesh* t, ThinSolver* s, const ContactSettings* contact, const double* way);
