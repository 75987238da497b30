// One run at a time in a directory: a lock on DIR/run.lock, in which the run that holds it writes who it is. The system drops the
// lock when a process ends, however it ends, so that a run that was killed leaves nothing that stands in the way.
#pragma once
#include "output/files.h"

// {.fd = -1} is a valid lock that is not held.
typedef struct RunLock {
    int fd;
    char path[PATH_ROOM];
} RunLock;

// MN_IO names the process that runs in the directory, its machine and since when. On a disk that has no locks this does nothing.
mn_status runlock_take(RunLock* lock, const char* dir);
void runlock_release(RunLock* lock);  // removes the file; fine on a lock that is not held
