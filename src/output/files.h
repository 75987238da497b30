// Writing files so that nothing half-written is ever left behind, and saying which file went wrong.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

enum { PATH_ROOM = 4096 };

// Bytes put together in memory. All zeros is a valid empty one. When memory runs out, `failed` stays set and adds do nothing.
typedef struct Bytes {
    char* data;  // owned; 0 follows the last byte
    size_t size, room;
    bool failed;
} Bytes;

void bytes_free(Bytes* b);
void bytes_clear(Bytes* b);  // keeps the memory
void bytes_add(Bytes* b, const void* data, size_t size);
void bytes_print(Bytes* b, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Puts the whole file in place at once: written to path.tmp, then renamed. On failure the old file, if any, is still there.
// `durable` waits until the disk has its bytes before it gets its name: after a power cut too, a file that is there is whole.
// Its name is on the disk after the next directory_sync.
mn_status file_replace(const char* path, const Bytes* bytes, bool durable);
// The whole file. MN_IO with the system's words; *bytes is left empty then.
mn_status file_read(Bytes* bytes, const char* path);
mn_status path_join(char out[PATH_ROOM], const char* dir, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Makes the directory and its parents, on the disk too, and tests that files can be made in it.
mn_status directory_make(const char* dir);
// Waits until the disk has the names in the directory as they are now: files made, renamed and removed. MN_IO names it.
mn_status directory_sync(const char* dir);
// Deletes files PREFIX...NNNN.SUFFIX of the directory (four digits or more) with NNNN >= first. Missing ones are fine.
void directory_clear(const char* dir, const char* prefix, const char* suffix, int first);

// A file that grows by whole rows and that nobody else changes. All zeros with fd -1 is a valid closed one.
typedef struct RowFile {
    int fd;
    long long size;                     // bytes of whole rows
    unsigned long long device, number;  // which file of the disk it is: another may be put in its place
    char path[PATH_ROOM];
} RowFile;

mn_status rowfile_create(RowFile* f, const char* path, const Bytes* header);
// Could the table be continued behind its first `size` bytes? MN_BAD_CHECKPOINT if it is shorter or has another first line.
mn_status rowfile_fits(const char* path, const Bytes* header, long long size);
mn_status rowfile_reopen(RowFile* f, const char* path, long long size);  // cuts the file to `size` bytes and goes on from there
mn_status rowfile_add(RowFile* f, const Bytes* rows);                    // all of it or, on failure, none of it
// MN_IO if somebody else has cut, lengthened, replaced or removed the file: rows would leave a hole, or go nowhere.
mn_status rowfile_check(const RowFile* f);
mn_status rowfile_sync(RowFile* f);            // waits until the disk has all rows; fine on a closed one
void rowfile_cut(RowFile* f, long long size);  // takes rows at the end away; fine on a closed one
void rowfile_close(RowFile* f);
