// HDF5 files in memory: arrays and numbers by name, every one checked for type and size when read. Files are made and read in
// memory and go to disk as bytes (files.h), so that a full disk or a damaged file never reaches the HDF5 library.
#pragma once
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include "output/files.h"

enum { H5IO_RANK_MAX = 4, H5IO_BLOCK = 512 };  // the user block in front of the HDF5 data, ours to fill

// double, int64_t, float and unsigned char, in memory and in the file
typedef enum H5Kind { H5IO_DOUBLE, H5IO_INT, H5IO_FLOAT, H5IO_BYTE } H5Kind;

// An open file or group. The first thing that goes wrong is kept in `wrong` (empty: nothing) and later calls do nothing, so
// that callers test once at the end.
typedef struct H5Io {
    hid_t file, group;
    size_t block;  // bytes in front
    bool open;     // from create or open, also failed ones, to finish or close: no other thread uses HDF5 meanwhile
    char wrong[200];
} H5Io;

bool h5io_create(H5Io* io, size_t block);      // block: H5IO_BLOCK or 0. false: see io->wrong
void h5io_finish(Bytes* out, H5Io* io);        // closes; the file's bytes, the first `block` of them zero
bool h5io_open(H5Io* io, const Bytes* bytes);  // borrows bytes until h5io_close
void h5io_close(H5Io* io);
void h5io_fail(H5Io* io, const char* format, ...) __attribute__((format(printf, 2, 3)));

void h5io_enter(H5Io* io, const char* group, bool make);
void h5io_leave(H5Io* io);  // back to the root

void h5io_put(H5Io* io, const char* name, H5Kind kind, int rank, const hsize_t* dims, const void* data);
// Attributes of the group: numbers in a row, and text.
void h5io_put_attribute(H5Io* io, const char* name, H5Kind kind, int count, const void* data);
void h5io_put_label(H5Io* io, const char* name, const char* text);
// Size of an array of this kind and rank; all 0 if it is missing or something else.
void h5io_size(hsize_t* dims, H5Io* io, const char* name, H5Kind kind, int rank);
// Fills `data` with an array that must be of exactly this size.
void h5io_get(void* data, H5Io* io, const char* name, H5Kind kind, int rank, const hsize_t* dims);

void h5io_put_number(H5Io* io, const char* name, double value);
void h5io_put_integer(H5Io* io, const char* name, int64_t value);
double h5io_get_number(H5Io* io, const char* name);
int64_t h5io_get_integer(H5Io* io, const char* name, int64_t least, int64_t most);
