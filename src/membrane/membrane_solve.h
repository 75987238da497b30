// Liquid and membrane solved as one, after [ruan2021]: pressures of the cells and one velocity per vertex, along its normal.
//
// With the outward flux D of faces, their masses M_f, and B of push.h, unknown are p (Pa s: pressure times dt) and w (m/s):
//
//     u = u** + D^T p/M_f                            faces
//     v_i = n_i w_i + tau_i                          vertices; tau: the liquid's velocity along the surface
//     D u + B^T v = 0                                no cell gains or loses liquid
//     N w = r + F p,   F_ic = n_i.B_ic               the membrane along its normals, with what hangs on it
//     N_ij = (m_i + sum_d L_id n_id^2) 1_ij + dt^2 K_ij n_i.n_j
//     r_i = n_i.[(m_i + L_i) delta_i + W^T M_W (u** - W v^n) + dt (f_tension + f_weight) + dt^2 K delta],   delta = v^n - tau
//
// and eliminating w leaves (A + F^T N^-1 F) p = -D u** - B^T tau - F^T N^-1 r, A = D M_f^-1 D^T: symmetric positive definite,
// where the paper's own system is indefinite. N is factored, A is preconditioned by multigrid, with N's masses for its diagonal.
//
// Vertices in contact have no velocity of their own: on a solid that moves by a script v_j is the solid's, on a free body J_j v_r
// with the body's velocities v_r, which are unknowns beside w (body_rows.h). What a body feels is all forces on the vertices that
// it carries: the pressure under it, tension at the rim, buoyancy.
//
// Departures from the paper: pressure acts on the true piece of surface in each cell (lanes.h), gravity is a force on the surface
// (surface_forces.h), vertices have one unknown, since nothing balances the tangential part of the tension on a mesh.
#pragma once
#include "grid/spans.h"
#include "membrane/masses.h"
#include "membrane/membrane_bodies.h"
#include "membrane/surface_forces.h"
#include "solve/poisson.h"

typedef struct MembraneMaterial {
    double sigma;          // N/m
    double thickness;      // m, of the layer of liquid whose mass the membrane has besides
    SurfaceWeight weight;  // with the density
} MembraneMaterial;

typedef struct MembraneProblem {
    const MembraneCells* cells;
    const MembraneMasses* mass;
    const Spans* spans;  // cover all cells with liquid
    const MembraneMaterial* material;
    double dt;  // s
    SolveOptions options;
    const MembraneBodies* bodies;  // NULL: none
} MembraneProblem;

typedef struct MembraneReport {
    SolveReport solve;
    // kg m/s (2D: per m): how much momentum faces and membrane gained, and of that what the liquid's own velocity along the
    // surface was given by tau instead of by forces. The rest is forces from outside and pressure on walls.
    double gained[3], given[3];
    double force[3];  // N: tension and weight on all vertices; on a closed mesh the weight of the liquid
    double held[3];   // kg m/s: what solids and bodies gave the vertices that touch them
    int released;     // vertices that bodies no longer hold (membrane_project)
    int rounds;       // solves until the contacts between bodies were those that the velocities asked for
} MembraneReport;

// m->v: in v^n, out v, of bodies->v likewise; vertices in contact move with their solid. held: per vertex (N s), what its solid
// gives it; may be NULL. u: in u** with values past the surface, out the velocity of faces with liquid, on others as it was.
// kind: per face, FACE_KEPT where u is now known (grid/past_surface.h); 0 at first. p: Pa s, start value and solution.
mn_status membrane_solve(MembraneReport* report, MembraneMesh* m, double* const u[3], unsigned char* const kind[3], double* p,
                         double (*held)[3], const MembraneProblem* problem, Arena* arena);

// n_i of all vertices: unit vectors along dV/dx_i, in the plane of walls where they lie on some; 0 where the volume does not
// depend on a vertex.
mn_status membrane_normals(double (**normal)[3], const MembraneMesh* m, Arena* arena);
// tau_i = (1 - n_i n_i^T) u(x_i), without what would leave a wall. Ghosts of u must be filled (LINEAR_READS).
void membrane_slide(double (*tau)[3], const MembraneMesh* m, double (*normal)[3], double* const u[3], const Window* w);
