// Opening and reading files that others have named or made. A name may lead to a FIFO that nobody writes to, to a device that
// has no end, or out of the folder it should stay in; all of these are told at once instead of waiting or reading for ever.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

// Opens a file on disk with the flags of open(); anything else that has a name (a folder, FIFO, socket or device) is refused
// without waiting for it. `expected`: what the file should be, for the message: "a scene". MN_IO, and *fd is -1.
mn_status file_open(int* fd, const char* path, int flags, const char* expected);
mn_status file_is_plain(const char* path, const char* expected);  // the same without opening it for long

// All of a file of at most `most` bytes and a 0 after it, from malloc. MN_IO or MN_NO_MEMORY leave *bytes NULL.
mn_status file_read_all(char** bytes, size_t* size, const char* path, size_t most, const char* expected);

// Where a path leads to, all links and .. followed, lies in `folder` or below it. What does not exist lies nowhere, so that
// nobody is told of it but by the one who opens it: true. folder "" is the present one.
bool path_is_below(const char* path, const char* folder);
