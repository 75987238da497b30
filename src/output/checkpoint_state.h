// The walk over a world's state (base/state.h) to and from an HDF5 file in memory.
#pragma once
#include "output/h5io.h"
#include "step/sim.h"

// What goes wrong is in io->wrong.
void state_put(H5Io* io, Sim* sim);
// Replaces the state of the simulation, checked against its tank and solids, and rebuilds what a step expects. Where that
// fails, whether for what is in the file (io->wrong) or for memory or a function of the scene (the status), the state is the
// one of before.
mn_status state_get(Sim* sim, H5Io* io);
