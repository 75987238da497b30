// meniscus: small liquids, where surface tension, thin air films and thin solids rule.
// The whole public interface of libmeniscus. SI units everywhere; y is up.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mn_status {
    MN_OK = 0,
    MN_NO_MEMORY,       // an allocation failed
    MN_BAD_SCENE,       // the scene file is wrong; the message names file, line and key
    MN_BAD_MESH,        // a mesh file is wrong
    MN_BAD_ARGUMENT,    // a caller's argument or a command-line option is wrong
    MN_BAD_CHECKPOINT,  // a checkpoint is damaged or belongs to another scene
    MN_IO,              // reading or writing a file failed (missing, not writable, disk full)
    MN_NO_CONVERGENCE,  // a solve stalled
    MN_STEP_FAILED,     // a step failed at its smallest size; the state before it is intact
    MN_STOPPED,         // a callback asked to stop
    MN_UNSUPPORTED      // asked for something this version does not do
} mn_status;

// What went wrong, in one line, for the last call of this thread that did not return MN_OK.
const char* mn_last_error(void);
const char* mn_version(void);

#ifdef __cplusplus
}
#endif
