// What a checkpoint holds of a simulation, to and from an HDF5 file in memory.
#pragma once
#include "output/checkpoint.h"
#include "output/h5io.h"

void state_put(H5Io* io, const Sim* sim);

// A state read but not yet in use. All zeros is a valid empty one.
typedef struct CheckpointState {
    Liquid* liquid;  // owned
    int liquid_count, liquid_room;
    Solid* solid;  // owned, as many as the simulation has
    Spray spray;
    FilmAir air;
    Ledger ledger;
    StageTimes times;
    double time;
    long step;
    int next_id;
} CheckpointState;

// Reads and checks everything against the tank and the solids of `sim`. What is wrong is in io->wrong.
void state_get(CheckpointState* s, H5Io* io, const Sim* sim);
// Replaces the state of the simulation and rebuilds what a step expects. Uses s up.
mn_status state_use(Sim* sim, CheckpointState* s);
void state_free(CheckpointState* s);
