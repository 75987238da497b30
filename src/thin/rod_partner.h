// Rods and webs as a partner of the liquid. In a step (step/step_liquid.c)
//
//     before anything moves   what the liquid does to them is found, and they make their step (thin_step.h), whole and implicit
//     after friction          what they did to the liquid acts on its velocities
//
// docs/rods.md tells the method.
#pragma once
#include "liquid/world.h"
#include "thin/rod_wet.h"
#include "thin/rods.h"

// What happened to them in the last step.
typedef struct RodReport {
    ThinReport step;
    RodPush push;
    double wet_length;  // m
    double work;        // J, of what holds them
} RodReport;

typedef struct RodPartner {
    Rods rods;  // owned
    struct ThinSolver* solver;
    RodReport report;
    RodWet wet;     // from predict to act; kept memory
    RodPull* pull;  // of the first `pulled` liquids, from act to the end of the step; kept memory
    int pulled;
} RodPartner;

// Moves *rods in, finished, also on failure.
mn_status rod_partner_add(World* world, Rods* rods);
RodPartner* rod_partner_of(const World* world);  // NULL: there are none
