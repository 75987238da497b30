// Reading a JSON file whole.
#pragma once
#include <jansson.h>
#include "base/status.h"

// The file's value, for json_decref. MN_IO names the file, and the line where it is no JSON; *root is NULL then.
mn_status jsonfile_read(json_t** root, const char* path);
