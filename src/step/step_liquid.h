// One step of liquids without partners.
#pragma once
#include "step/sim.h"

// Advances the state from sim->time by dt. On failure the state is half-way: sim_step restores it.
mn_status step_liquid(Sim* sim, double dt);
