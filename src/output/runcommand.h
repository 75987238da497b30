// What was given to `meniscus run` when a run began, kept in run.json ("command"), so that a resume need not be told again.
#pragma once
#include <stdbool.h>
#include "base/status.h"

// Owns its texts. All zeros is a valid empty one: nothing was given.
typedef struct RunCommand {
    char** settings;  // "name=value" each, NULL-ended; NULL: none
    int frames;       // 0: the scene's own number
    int threads;      // 0: all processors
    int frames_done;  // written by the run so far, the first one included
} RunCommand;

// From dir/run.json. One that is missing, damaged or of an older version tells nothing: then the command is empty, *told false.
mn_status runcommand_read(RunCommand* command, bool* told, const char* dir);
void runcommand_free(RunCommand* command);

// Do these settings, given with a resume, agree with what the run began with? MN_BAD_ARGUMENT names the first that does not.
mn_status runcommand_agrees(const RunCommand* command, const char* const* settings, const char* dir);
