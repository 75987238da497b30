#include "output/checkpoint.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "output/checkpoint_state.h"

// ---- the block in front --------------------------------------------------------------------------------------------------

// FNV-1a: each step is invertible, so a single changed byte always changes the result.
static unsigned long long checksum(const char* data, size_t size)
{
    unsigned long long hash = 14695981039346656037ull;
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)data[i])*1099511628211ull;
    return hash;
}

static const char magic[] = "meniscus checkpoint\n";

// The first H5IO_BLOCK bytes of the file, where HDF5 leaves room for them: readable by people, and enough to know whether the
// rest is whole before any library looks at it.
static void seal(char block[H5IO_BLOCK], int format, unsigned long long bytes, unsigned long long sum)
{
    memset(block, 0, H5IO_BLOCK);
    snprintf(block, H5IO_BLOCK, "%sformat %d\nbytes %llu\nfnv1a %016llx\n", magic, format, bytes, sum);
}

void checkpoint_seal(Bytes* file)
{
    seal(file->data, CHECKPOINT_FORMAT, file->size, checksum(file->data + H5IO_BLOCK, file->size - H5IO_BLOCK));
}

static mn_status check_seal(const Bytes* file, const char* path)
{
    char head[H5IO_BLOCK + 1] = "", expected[H5IO_BLOCK];
    memcpy(head, file->data ? file->data : "", file->size < H5IO_BLOCK ? file->size : H5IO_BLOCK);
    if (file->size == 0) return mn_fail(MN_BAD_CHECKPOINT, "%s: is empty", path);
    if (strncmp(head, magic, strlen(magic)) != 0) return mn_fail(MN_BAD_CHECKPOINT, "%s: is not a checkpoint of meniscus", path);
    int format = 0;
    unsigned long long bytes = 0, sum = 0;
    if (sscanf(head + strlen(magic), "format %d\nbytes %llu\nfnv1a %llx", &format, &bytes, &sum) != 3)
        return mn_fail(MN_BAD_CHECKPOINT, "%s: is damaged: its first lines cannot be read", path);
    if (format != CHECKPOINT_FORMAT)
        return mn_fail(MN_BAD_CHECKPOINT, "%s: has format %d; this version reads format %d", path, format, CHECKPOINT_FORMAT);
    if (file->size < bytes) return mn_fail(MN_BAD_CHECKPOINT, "%s: is cut short: %zu of %llu bytes", path, file->size, bytes);
    seal(expected, format, bytes, sum);
    if (file->size != bytes || bytes < H5IO_BLOCK || memcmp(head, expected, H5IO_BLOCK) != 0 ||
        checksum(file->data + H5IO_BLOCK, file->size - H5IO_BLOCK) != sum)
        return mn_fail(MN_BAD_CHECKPOINT, "%s: is damaged: its checksum does not fit", path);
    return MN_OK;
}

// ---- writing -------------------------------------------------------------------------------------------------------------

enum { TABLES = 4 };

static mn_status put_together(Bytes* out, Sim* sim, const CheckpointRun* run, const char* path)
{
    H5Io io;
    if (h5io_create(&io, H5IO_BLOCK)) {
        h5io_put_integer(&io, "format", CHECKPOINT_FORMAT);
        h5io_put_integer(&io, "fingerprint", (int64_t)run->fingerprint);
        h5io_put_integer(&io, "frame", run->frame);
        h5io_put_number(&io, "wall_seconds", run->wall_seconds);
        int64_t bytes[TABLES] = {run->table_bytes, run->liquids_bytes, run->probes_bytes, run->bodies_bytes};
        h5io_put(&io, "file_bytes", H5IO_INT, 1, (hsize_t[1]){TABLES}, bytes);
        state_put(&io, sim);
    }
    h5io_finish(out, &io);
    // everything happens in memory, so memory is what can go wrong
    if (io.wrong[0] || out->failed) {
        bytes_free(out);
        return mn_fail(MN_NO_MEMORY, "%s: %s", path, io.wrong[0] ? io.wrong : "out of memory");
    }
    checkpoint_seal(out);
    return MN_OK;
}

// Gives the present checkpoint its second name while it keeps the first, so that there is one at every moment. A disk
// without links gets a rename instead.
static void keep_previous(const char* path, const char* previous)
{
    if (access(path, F_OK) != 0) return;
    unlink(previous);
    if (link(path, previous) != 0) rename(path, previous);
}

mn_status checkpoint_bytes(Bytes* out, Sim* sim, const CheckpointRun* run, const char* name)
{
    *out = (Bytes){0};
    StateVisitor finite = state_finite_visitor();  // what is not a number is not worth going on from
    TRY(world_visit(&sim->world, &sim->model.tank, &finite));
    return put_together(out, sim, run, name);
}

mn_status checkpoint_write(const char* dir, Sim* sim, const CheckpointRun* run)
{
    char path[PATH_ROOM], fresh[PATH_ROOM], previous[PATH_ROOM];
    TRY(path_join(path, dir, "checkpoint.h5"));
    TRY(path_join(fresh, dir, "checkpoint_new.h5"));
    TRY(path_join(previous, dir, "checkpoint_previous.h5"));
    Bytes file;
    TRY(checkpoint_bytes(&file, sim, run, path));
    mn_status status = file_replace(fresh, &file, true);
    bytes_free(&file);
    if (status != MN_OK) return status;
    keep_previous(path, previous);
    if (rename(fresh, path) != 0) {
        int error = errno;
        unlink(fresh);
        return mn_fail(MN_IO, "%s: cannot be written: %s", path, strerror(error));
    }
    return directory_sync(dir);
}

// ---- reading -------------------------------------------------------------------------------------------------------------

static void get_run(CheckpointRun* run, H5Io* io, unsigned long long fingerprint)
{
    h5io_get_integer(io, "format", CHECKPOINT_FORMAT, CHECKPOINT_FORMAT);
    run->fingerprint = (unsigned long long)h5io_get_integer(io, "fingerprint", INT64_MIN, INT64_MAX);
    if (!io->wrong[0] && run->fingerprint != fingerprint)
        h5io_fail(io, "belongs to another scene, or the scene was changed since");
    run->frame = (int)h5io_get_integer(io, "frame", -1, INT_MAX - 1);
    run->wall_seconds = h5io_get_number(io, "wall_seconds");
    int64_t bytes[TABLES] = {0};
    h5io_get(bytes, io, "file_bytes", H5IO_INT, 1, (hsize_t[1]){TABLES});
    for (int m = 0; m < TABLES; m++)
        if (bytes[m] < 0) h5io_fail(io, "holds a file of negative size");
    run->table_bytes = bytes[0], run->liquids_bytes = bytes[1], run->probes_bytes = bytes[2], run->bodies_bytes = bytes[3];
}

mn_status checkpoint_from_bytes(Sim* sim, CheckpointRun* run, const Bytes* file, const char* name)
{
    H5Io io;
    mn_status status = MN_OK;
    CheckpointRun found = {0};
    TRY(check_seal(file, name));
    if (h5io_open(&io, file)) {
        get_run(&found, &io, run->fingerprint);
        if (!io.wrong[0]) status = state_get(sim, &io);
    }
    h5io_close(&io);
    if (io.wrong[0]) return mn_fail(MN_BAD_CHECKPOINT, "%s: %s", name, io.wrong);
    TRY(status);
    *run = found;
    return MN_OK;
}

mn_status checkpoint_read_file(Sim* sim, CheckpointRun* run, const char* path)
{
    Bytes file;
    mn_status status = file_read(&file, path);
    if (status == MN_IO) status = MN_BAD_CHECKPOINT;
    if (status == MN_OK) status = checkpoint_from_bytes(sim, run, &file, path);
    bytes_free(&file);
    return status;
}

mn_status checkpoint_read(Sim* sim, CheckpointRun* run, const char* dir)
{
    char path[PATH_ROOM], previous[PATH_ROOM];
    TRY(path_join(path, dir, "checkpoint.h5"));
    TRY(path_join(previous, dir, "checkpoint_previous.h5"));
    bool has = access(path, F_OK) == 0, had = access(previous, F_OK) == 0;
    if (!has && !had) return mn_fail(MN_BAD_CHECKPOINT, "%s: there is no checkpoint to go on from", dir);
    mn_status status = MN_OK;
    char first[1024] = "";
    if (has) {
        status = checkpoint_read_file(sim, run, path);
        if (status != MN_BAD_CHECKPOINT || !had) return status;
        snprintf(first, sizeof first, "%s", mn_last_error());
    }
    status = checkpoint_read_file(sim, run, previous);
    if (status == MN_BAD_CHECKPOINT && has) return mn_fail(status, "%s (and checkpoint_previous.h5 is of no use either)", first);
    return status;
}
