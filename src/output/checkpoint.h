// A simulation on disk, whole: a run that goes on from it leaves the same bytes as one that was never stopped.
#pragma once
#include "output/files.h"
#include "step/sim.h"

enum { CHECKPOINT_FORMAT = 4 };

// What a run keeps besides the simulation.
typedef struct CheckpointRun {
    unsigned long long fingerprint;  // of the scene
    int frame;                       // last frame written
    double wall_seconds;             // so far
    // sizes of the tables at this moment; probes, bodies: 0 without
    long long table_bytes, liquids_bytes, probes_bytes, bodies_bytes;
} CheckpointRun;

// Writes dir/checkpoint.h5 by way of a temporary name; the one before stays as dir/checkpoint_previous.h5. On failure (MN_IO,
// MN_NO_MEMORY) the files that were there still are.
mn_status checkpoint_write(const char* dir, Sim* sim, const CheckpointRun* run);

// Puts the last checkpoint, or the one before if that is damaged, into a simulation built from the same scene: its liquids,
// spray, poses, books and clock are replaced. run->fingerprint must be the scene's. MN_BAD_CHECKPOINT leaves *sim and *run alone.
mn_status checkpoint_read(Sim* sim, CheckpointRun* run, const char* dir);
// The same from one file.
mn_status checkpoint_read_file(Sim* sim, CheckpointRun* run, const char* path);
// The same in memory; `name` is for messages. *out is left empty on failure.
mn_status checkpoint_bytes(Bytes* out, Sim* sim, const CheckpointRun* run, const char* name);
mn_status checkpoint_from_bytes(Sim* sim, CheckpointRun* run, const Bytes* file, const char* name);
// Writes size and checksum of the whole file into its first H5IO_BLOCK bytes, by which a reader knows it to be whole.
void checkpoint_seal(Bytes* file);
