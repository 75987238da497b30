// Bodies that other partners press on: films of air (SkinPush in liquid/coupling.h). To a body that is more cells whose pressures
// push it, damping, and a force; what is told about the change of its twist is brought here to the twist itself. Without such a
// push (NULL) nothing of this does anything.
#pragma once
#include "liquid/coupling.h"
#include "liquid/solid.h"
#include "rigid/rigid.h"

typedef struct RigidPushed {
    const Rigid* rigid;
    const Solids* solids;
    SkinPush* push;  // NULL: nobody presses
    double dt;       // s
    double face;     // m^2, of a cell
} RigidPushed;

// The cells appended to w, which has room for them.
void rigid_pushed_cells(Wrenches* w, const RigidPushed* p);
// nv x nv: what the film's resistance adds to the inertia, dt J^T drag J.
void rigid_pushed_inertia(double* inertia, const RigidPushed* p);
// nv: adds the impulse that it has with the present velocities, dt J^T (wrench + drag twist).
void rigid_pushed_impulse(double* impulse, const RigidPushed* p);
// What flows out of the push's cell m by the present velocities, in faces times m/s: the pressure's rows know of it already.
double rigid_pushed_known(const RigidPushed* p, int m);
// Tells how the twists have changed with velocities v.
void rigid_pushed_tell(const RigidPushed* p, const double* v);
// Wrench on a body, N and N m, after that, for the pressures of the parts; added.
void rigid_pushed_wrench(double wrench[TWIST], const RigidPushed* p, int body, double* const* pressure);
