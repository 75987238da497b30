#include "output/h5io.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void h5io_fail(H5Io* io, const char* format, ...)
{
    if (io->wrong[0]) return;
    va_list args;
    va_start(args, format);
    vsnprintf(io->wrong, sizeof io->wrong, format, args);
    va_end(args);
}

static hid_t type_of(H5Kind kind)
{
    const hid_t type[] = {H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_IEEE_F32LE, H5T_STD_U8LE};
    return type[kind];
}

static hid_t memory_type_of(H5Kind kind)
{
    const hid_t type[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT64, H5T_NATIVE_FLOAT, H5T_NATIVE_UCHAR};
    return type[kind];
}

// ---- files ---------------------------------------------------------------------------------------------------------------

// Debian's HDF5 is for one thread at a time, and simulations may run in several: a file takes the library for itself.
static pthread_mutex_t library = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void take_library(H5Io* io)
{
    pthread_mutex_lock(&library);
    io->open = true;
}

// The library must not print: errors go up as values.
static hid_t memory_access(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0) H5Pset_fapl_core(access, (size_t)4 << 20, 0);
    return access;
}

bool h5io_create(H5Io* io, size_t block)
{
    *io = (H5Io){.file = -1, .group = -1, .block = block};
    take_library(io);
    hid_t access = memory_access(), create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(create, block);
    io->file = H5Fcreate("meniscus file in memory", H5F_ACC_TRUNC, create, access);
    H5Pclose(access);
    H5Pclose(create);
    if (io->file < 0) h5io_fail(io, "cannot be made");
    h5io_leave(io);
    return !io->wrong[0];
}

void h5io_finish(Bytes* out, H5Io* io)
{
    *out = (Bytes){0};
    ssize_t size = -1;
    if (!io->wrong[0] && H5Fflush(io->file, H5F_SCOPE_LOCAL) >= 0) size = H5Fget_file_image(io->file, NULL, 0);
    if (size <= 0) {
        h5io_fail(io, "cannot be put together");
    } else {
        static const char zeros[H5IO_BLOCK];
        char* image = malloc((size_t)size);
        out->failed = !image;
        if (image && H5Fget_file_image(io->file, image, (size_t)size) != size) h5io_fail(io, "cannot be put together");
        // some versions of the library give the image with the user block, some without
        bool whole = image && memcmp(image, "\211HDF\r\n\032\n", 8) != 0;
        if (image && !whole) bytes_add(out, zeros, io->block);
        if (image) bytes_add(out, image, (size_t)size);
        if (whole && !out->failed) memset(out->data, 0, io->block);
        free(image);
    }
    h5io_close(io);
}

bool h5io_open(H5Io* io, const Bytes* bytes)
{
    *io = (H5Io){.file = -1, .group = -1};
    take_library(io);
    hid_t access = memory_access();
    H5Pset_file_image(access, bytes->data, bytes->size);
    io->file = H5Fopen("meniscus file in memory", H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (io->file < 0) h5io_fail(io, "is not an HDF5 file");
    h5io_leave(io);
    return !io->wrong[0];
}

void h5io_close(H5Io* io)
{
    if (io->group >= 0) H5Gclose(io->group);
    if (io->file >= 0) H5Fclose(io->file);
    io->group = io->file = -1;
    if (io->open) pthread_mutex_unlock(&library);
    io->open = false;
}

void h5io_enter(H5Io* io, const char* group, bool make)
{
    if (io->wrong[0]) return;
    hid_t opened =
        make ? H5Gcreate2(io->file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : H5Gopen2(io->file, group, H5P_DEFAULT);
    if (opened < 0) {
        h5io_fail(io, make ? "cannot hold %s" : "has no %s", group);
        return;
    }
    if (io->group >= 0) H5Gclose(io->group);
    io->group = opened;
}

void h5io_leave(H5Io* io) { h5io_enter(io, "/", false); }

// ---- arrays --------------------------------------------------------------------------------------------------------------

// Large arrays are stored in slabs of about a million numbers, sorted by byte and deflated: most of a field is constant.
static hid_t storage(int rank, const hsize_t* dims)
{
    hid_t p = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(p, false);  // equal runs give equal files
    hsize_t chunk[H5IO_RANK_MAX], count = 1;
    for (int d = 0; d < rank; d++) chunk[d] = dims[d], count *= dims[d];
    if (count < 1024 || !(H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)) return p;
    for (int d = 0; d < rank && count > 1 << 20; d++) {
        hsize_t rest = count/chunk[d];
        chunk[d] = rest >= 1 << 20 ? 1 : (1 << 20)/rest;
        count = rest*chunk[d];
    }
    H5Pset_chunk(p, rank, chunk);
    H5Pset_shuffle(p);
    H5Pset_deflate(p, 1);
    return p;
}

void h5io_put(H5Io* io, const char* name, H5Kind kind, int rank, const hsize_t* dims, const void* data)
{
    if (io->wrong[0]) return;
    hid_t space = H5Screate_simple(rank, dims, NULL), create = storage(rank, dims);
    hid_t set = H5Dcreate2(io->group, name, type_of(kind), space, H5P_DEFAULT, create, H5P_DEFAULT);
    hsize_t count = 1;
    for (int d = 0; d < rank; d++) count *= dims[d];
    if (set < 0 || (count > 0 && H5Dwrite(set, memory_type_of(kind), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
        h5io_fail(io, "cannot hold %s", name);
    if (set >= 0) H5Dclose(set);
    H5Pclose(create);
    H5Sclose(space);
}

static void put_attribute(H5Io* io, const char* name, hid_t type, hid_t memory_type, hid_t space, const void* data)
{
    if (io->wrong[0]) return;
    hid_t attribute = H5Acreate2(io->group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, memory_type, data) < 0) h5io_fail(io, "cannot hold %s", name);
    if (attribute >= 0) H5Aclose(attribute);
}

void h5io_put_attribute(H5Io* io, const char* name, H5Kind kind, int count, const void* data)
{
    hid_t space = H5Screate_simple(1, (hsize_t[1]){(hsize_t)count}, NULL);
    put_attribute(io, name, type_of(kind), memory_type_of(kind), space, data);
    H5Sclose(space);
}

void h5io_put_label(H5Io* io, const char* name, const char* text)
{
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    put_attribute(io, name, type, type, space, text);
    H5Tclose(type);
    H5Sclose(space);
}

// Opens an array after testing its type and rank; -1 and io->wrong otherwise.
static hid_t open_array(hsize_t* dims, H5Io* io, const char* name, H5Kind kind, int rank)
{
    if (io->wrong[0]) return -1;
    hid_t set = H5Dopen2(io->group, name, H5P_DEFAULT);
    if (set < 0) {
        h5io_fail(io, "has no %s", name);
        return -1;
    }
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    bool fits = type >= 0 && H5Tequal(type, type_of(kind)) > 0;
    if (!fits) h5io_fail(io, "holds %s as another type of number", name);
    if (fits && (space < 0 || H5Sget_simple_extent_ndims(space) != rank)) {
        h5io_fail(io, "holds %s with other dimensions", name);
        fits = false;
    }
    if (fits) H5Sget_simple_extent_dims(space, dims, NULL);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (fits) return set;
    H5Dclose(set);
    return -1;
}

void h5io_size(hsize_t* dims, H5Io* io, const char* name, H5Kind kind, int rank)
{
    for (int d = 0; d < rank; d++) dims[d] = 0;
    hid_t set = open_array(dims, io, name, kind, rank);
    if (set >= 0) H5Dclose(set);
}

void h5io_get(void* data, H5Io* io, const char* name, H5Kind kind, int rank, const hsize_t* dims)
{
    hsize_t found[H5IO_RANK_MAX], count = 1;
    hid_t set = open_array(found, io, name, kind, rank);
    if (set < 0) return;
    bool fits = true;
    for (int d = 0; d < rank; d++) fits = fits && found[d] == dims[d], count *= dims[d];
    if (!fits) h5io_fail(io, "holds %s with another size", name);
    else if (count > 0 && H5Dread(set, memory_type_of(kind), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        h5io_fail(io, "holds a %s that cannot be read", name);
    H5Dclose(set);
}

// ---- single numbers ------------------------------------------------------------------------------------------------------

static const hsize_t one = 1;

void h5io_put_number(H5Io* io, const char* name, double value) { h5io_put(io, name, H5IO_DOUBLE, 1, &one, &value); }
void h5io_put_integer(H5Io* io, const char* name, int64_t value) { h5io_put(io, name, H5IO_INT, 1, &one, &value); }

double h5io_get_number(H5Io* io, const char* name)
{
    double value = 0;
    h5io_get(&value, io, name, H5IO_DOUBLE, 1, &one);
    return value;
}

int64_t h5io_get_integer(H5Io* io, const char* name, int64_t least, int64_t most)
{
    int64_t value = least;
    h5io_get(&value, io, name, H5IO_INT, 1, &one);
    if (value >= least && value <= most) return value;
    h5io_fail(io, "holds %s = %lld", name, (long long)value);
    return least;
}
