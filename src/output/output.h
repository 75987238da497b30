// The directory a run leaves behind: tables, meshes, run.json and checkpoints (docs/output.md).
#pragma once
#include <stdbool.h>
#include "scene/scene.h"
#include "scene/warnings.h"
#include "step/sim.h"

typedef struct Output Output;

typedef struct OutputOptions {
    int threads;  // for run.json
    // what was given to the run, for run.json and a resume (output/runcommand.h); borrowed until output_close
    const char* const* settings;
    int frames_given, threads_given;
    bool resume;  // go on in the directory of an earlier run: output_resume must be the next call
} OutputOptions;

// Makes the directory and its parents, clears it of the frames and checkpoints of an earlier run, starts the tables with the
// columns that this simulation has. The scene must outlive *out. On failure *out is NULL; with `resume` nothing in the
// directory is changed yet. While another run is under way there: MN_IO that names it, and nothing is touched.
mn_status output_open(Output** out, const char* dir, const Scene* scene, const Sim* sim, const OutputOptions* options);
// Reads the last checkpoint into a simulation built from the same scene, cuts the tables back to it and removes later frames.
// *frame is the last frame written at that time, -1 if none. MN_BAD_CHECKPOINT: the tables and frames are as they were.
mn_status output_resume(Output* out, Sim* sim, int* frame);

// What is doubtful about the scene, for run.json, from the next time it is written; borrowed until output_close.
void output_tell_warnings(Output* out, const Warnings* warnings);
// How surface tension acts in this session, for run.json.
mn_status output_tell_tension(Output* out, const Sim* sim, const char* line);
// Each of these is all or nothing; MN_IO names the file.
mn_status output_step(Output* out, const Sim* sim);              // after a step: rows of table.csv and probes.csv
mn_status output_frame(Output* out, const Sim* sim, int frame);  // meshes, rows of liquids.csv and bodies.csv
// Takes back the rows of the last output_step and of a frame that followed it, for a state that goes back before the step.
void output_undo_step(Output* out);
// frame: the last one written. All that a resume needs beside it (tables, frames) is on the disk before the checkpoint has its
// name, so that a power cut at any moment leaves a run that goes on.
mn_status output_checkpoint(Output* out, Sim* sim, int frame);
// Writes run.json for the last time: "finished", "stopped" or "failed: why"; and run.usda, if the scene asks for it.
mn_status output_finish(Output* out, const Sim* sim, const char* status);
void output_close(Output* out);  // fine on NULL
