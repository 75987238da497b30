// Bodies in the hands of whoever runs the simulation: put somewhere, given a velocity, pulled and pushed. Nothing of it is state:
// forces are given from outside, as gravity is.
#pragma once
#include "rigid/rigid_partner.h"

// What is to hold after rigid_steer; NULL: stays as it is.
typedef struct BodyAim {
    const double* center;           // m, of mass
    const double (*rotation)[3];    // from how its shape is given
    const double *velocity, *spin;  // m/s, rad/s
} BodyAim;

// Puts a body where its joints let it, and gives it the velocity nearest to what is asked for. MN_UNSUPPORTED: its joints do not
// let it go there; nothing has changed then. The liquids are to be rebuilt after it (world_rebuild).
mn_status rigid_steer(World* world, int body, const BodyAim* aim);

// N and N m about the centre of mass, in every step from now on.
void rigid_set_force(RigidPartner* p, int body, const double wrench[TWIST]);
// N s and N m s, in the next step; several add up.
void rigid_push(RigidPartner* p, int body, const double impulse[TWIST]);
// The pushes have been given: to be called after a step that is kept.
void rigid_pushes_given(RigidPartner* p);

// For the partner: the wrenches of a step of dt, added to `wrench` (bodies x TWIST), and those of one body alone.
void rigid_outside_add(double* wrench, const RigidPartner* p, double dt);
void rigid_outside_of(double wrench[TWIST], const RigidPartner* p, int body, double dt);
