#include "output/jsonfile.h"

#include "output/files.h"

mn_status jsonfile_read(json_t** root, const char* path)
{
    Bytes bytes;
    json_error_t error;
    *root = NULL;
    TRY(file_read(&bytes, path));
    *root = json_loadb(bytes.data, bytes.size, 0, &error);
    bytes_free(&bytes);
    return *root ? MN_OK : mn_fail(MN_IO, "%s: line %d: %s", path, error.line, error.text);
}
