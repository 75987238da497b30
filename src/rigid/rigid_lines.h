// Lines on bodies that are lighter than the liquid which goes along with them.
//
// A surface that ends on a body holds it as a spring does: one that is drawn off the surface, along its normal n, by d turns it
// by d/lambda as far as it can follow in a step, lambda = (sigma dt^2/rho)^(1/3), and is pulled back by k d, k = sigma L/lambda
// for a piece L of the line. The tension on bodies is that at the end of their way and acts in full: what weighs less than
// dt^2 k may be thrown to and fro by it, further each time. (A box of 1.5 thousandths of the liquid's density had 86 steps taken
// back in 60.) So the pull gives way to their motion within the step, v relative to the liquid at the line, u:
//     M v = r + dt F - dt^2 sum k a (a.v - n.u),    a = (n, (x - x_0) x n).
// What stands for the mass that a body lacks, dt^2 sum k - M, is all that is taken: on others nothing acts.
#pragma once
#include "liquid/world.h"
#include "rigid/rigid_momentum.h"

// Of one body: sum of k a a^T and of k a (n.u), N/m and N s/m^2 and so on.
typedef struct LineSpring {
    double stiffness[TWIST][TWIST], pull[TWIST];
    double sum;  // of k, N/m
} LineSpring;

typedef struct RigidLines {
    const Rigid* rigid;
    LineSpring* spring;  // per body
    double dt;
} RigidLines;

// From the cells of the bodies, with the velocities of the liquids as they are. Arena memory.
mn_status rigid_lines_find(RigidLines* out, const Rigid* r, const BodyCell* cell, int cells, const StepContext* ctx);
// nv x nv, dt^2 J^T stiffness J; and nv, dt^2 J^T pull: added.
void rigid_lines_inertia(double* inertia, const RigidLines* l);
void rigid_lines_impulse(double* impulse, const RigidLines* l);
