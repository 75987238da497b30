#include "output/files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/readfile.h"

// ---- bytes ---------------------------------------------------------------------------------------------------------------

void bytes_free(Bytes* b)
{
    free(b->data);
    *b = (Bytes){0};
}

void bytes_clear(Bytes* b)
{
    b->size = 0;
    b->failed = false;
}

static bool make_room(Bytes* b, size_t more)
{
    if (b->failed) return false;
    if (b->room - b->size > more) return true;
    size_t room = b->size + more + 1 > 2*b->room ? b->size + more + 1 : 2*b->room;
    char* data = realloc(b->data, room);
    b->failed = !data;
    if (data) b->data = data, b->room = room;
    return data != NULL;
}

void bytes_add(Bytes* b, const void* data, size_t size)
{
    if (size == 0 || !make_room(b, size)) return;
    memcpy(b->data + b->size, data, size);
    b->size += size;
    b->data[b->size] = 0;
}

void bytes_print(Bytes* b, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    int needed = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (needed <= 0 || !make_room(b, (size_t)needed)) return;
    va_start(args, format);
    vsnprintf(b->data + b->size, (size_t)needed + 1, format, args);
    va_end(args);
    b->size += (size_t)needed;
}

// ---- whole files ---------------------------------------------------------------------------------------------------------

mn_status path_join(char out[PATH_ROOM], const char* dir, const char* format, ...)
{
    int used = snprintf(out, PATH_ROOM, "%s/", dir);
    if (used > 0 && used < PATH_ROOM) {
        va_list args;
        va_start(args, format);
        used += vsnprintf(out + used, (size_t)(PATH_ROOM - used), format, args);
        va_end(args);
    }
    return used > 0 && used + 8 < PATH_ROOM ? MN_OK : mn_fail(MN_BAD_ARGUMENT, "%.200s...: the path is too long", dir);
}

// 0, or errno.
static int write_all(int fd, const char* data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(fd, data, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return done < 0 ? errno : EIO;
        data += done, size -= (size_t)done;
    }
    return 0;
}

mn_status file_replace(const char* path, const Bytes* bytes, bool durable)
{
    if (bytes->failed) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    char temporary[PATH_ROOM + 8];
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return mn_fail(MN_IO, "%s: cannot be written: %s", path, strerror(errno));
    int error = write_all(fd, bytes->data, bytes->size);
    if (!error && durable && fsync(fd) != 0) error = errno;
    if (close(fd) != 0 && !error) error = errno;  // some disks tell only now that they are full
    if (!error && rename(temporary, path) != 0) error = errno;
    if (!error) return MN_OK;
    unlink(temporary);
    return mn_fail(MN_IO, "%s: cannot be written: %s", path, strerror(error));
}

mn_status file_read(Bytes* bytes, const char* path)
{
    *bytes = (Bytes){0};
    TRY(file_read_all(&bytes->data, &bytes->size, path, SIZE_MAX/2, "a file of a run"));
    bytes->room = bytes->size + 1;
    return MN_OK;
}

// ---- directories ---------------------------------------------------------------------------------------------------------

// 0, or errno. Not every kind of disk can sync a directory; that is no reason to stop a run.
static int sync_names(const char* dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno == EACCES ? 0 : errno;
    int error = fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    close(fd);
    return error;
}

mn_status directory_sync(const char* dir)
{
    int error = sync_names(dir);
    return error ? mn_fail(MN_IO, "%s: cannot be written: %s", dir, strerror(error)) : MN_OK;
}

// A directory that was not there, and its name in its parent. 0, or errno.
static int make_one(const char* dir)
{
    if (mkdir(dir, 0777) != 0) return errno == EEXIST ? 0 : errno;
    char parent[PATH_ROOM];
    const char* slash = strrchr(dir, '/');
    snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - dir) + (slash == dir) : 1, slash ? dir : ".");
    return sync_names(parent);
}

static int make_parents(const char* dir)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s", dir);
    for (char* c = path + 1;; c++) {
        if (*c != '/' && *c != 0) continue;
        char kept = *c;
        *c = 0;
        int error = make_one(path);
        *c = kept;
        if (error || kept == 0) return error;
    }
}

mn_status directory_make(const char* dir)
{
    if (!dir[0] || strlen(dir) > PATH_ROOM - 256) return mn_fail(MN_BAD_ARGUMENT, "the output directory has no usable name");
    int error = make_parents(dir);
    struct stat info;
    if (!error && stat(dir, &info) != 0) error = errno;
    if (!error && !S_ISDIR(info.st_mode)) error = ENOTDIR;
    if (error) return mn_fail(MN_IO, "%s: cannot be made a directory: %s", dir, strerror(error));
    char probe[PATH_ROOM];
    TRY(path_join(probe, dir, ".meniscus_%ld.tmp", (long)getpid()));
    int fd = open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return mn_fail(MN_IO, "%s: no files can be made in it: %s", dir, strerror(errno));
    close(fd);
    unlink(probe);
    return MN_OK;
}

// Number before the suffix in PREFIX...NNNN.SUFFIX, or -1 if the name is not of that form.
static int frame_of_name(const char* name, const char* prefix, const char* suffix)
{
    size_t n = strlen(name), p = strlen(prefix), s = strlen(suffix);
    if (n < p + 4 + s || strncmp(name, prefix, p) != 0 || strcmp(name + n - s, suffix) != 0) return -1;
    size_t digits = n - s;
    while (digits > p && isdigit((unsigned char)name[digits - 1])) digits--;
    size_t count = n - s - digits;
    if (count < 4 || count > 9 || name[digits - 1] != '_') return -1;
    return atoi(name + digits);
}

void directory_clear(const char* dir, const char* prefix, const char* suffix, int first)
{
    DIR* d = opendir(dir);
    if (!d) return;
    for (struct dirent* entry; (entry = readdir(d));)
        if (frame_of_name(entry->d_name, prefix, suffix) >= first) unlinkat(dirfd(d), entry->d_name, 0);
    closedir(d);
}

// ---- rows ----------------------------------------------------------------------------------------------------------------

// Which file of the disk is open; 0, or errno.
static int note_file(RowFile* f, struct stat* info)
{
    if (f->fd < 0 || fstat(f->fd, info) != 0) return errno;
    f->device = (unsigned long long)info->st_dev, f->number = (unsigned long long)info->st_ino;
    return 0;
}

mn_status rowfile_create(RowFile* f, const char* path, const Bytes* header)
{
    *f = (RowFile){.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666)};
    snprintf(f->path, sizeof f->path, "%s", path);
    struct stat info;
    int error = note_file(f, &info);
    mn_status status = error ? mn_fail(MN_IO, "%s: cannot be written: %s", path, strerror(error)) : rowfile_add(f, header);
    if (status == MN_OK) return MN_OK;
    if (f->fd >= 0) unlink(path);  // a table without its first line is no table
    rowfile_close(f);
    return status;
}

mn_status rowfile_fits(const char* path, const Bytes* header, long long size)
{
    int fd;
    struct stat info = {0};
    TRY(file_open(&fd, path, O_RDONLY, "a table of a run"));
    char* start = malloc(header->size + 1);
    bool memory = start && !header->failed;
    ssize_t got = memory && fstat(fd, &info) == 0 ? pread(fd, start, header->size, 0) : -1;
    int error = got < 0 ? errno : 0;
    bool same = memory && (size_t)got == header->size && memcmp(start, header->data, header->size) == 0;
    close(fd);
    free(start);
    if (!memory) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    if (error) return mn_fail(MN_BAD_CHECKPOINT, "%s: cannot be continued: %s", path, strerror(error));
    if (info.st_size < size)
        return mn_fail(MN_BAD_CHECKPOINT, "%s: has %lld bytes, but had %lld when the checkpoint was written", path,
                       (long long)info.st_size, size);
    return same ? MN_OK : mn_fail(MN_BAD_CHECKPOINT, "%s: has other columns than this version would go on with", path);
}

mn_status rowfile_reopen(RowFile* f, const char* path, long long size)
{
    *f = (RowFile){.size = size};
    snprintf(f->path, sizeof f->path, "%s", path);
    TRY(file_open(&f->fd, path, O_WRONLY, "a table of a run"));
    struct stat info;
    int error = note_file(f, &info);
    if (!error && (ftruncate(f->fd, size) != 0 || lseek(f->fd, size, SEEK_SET) != size)) error = errno;
    if (!error) return MN_OK;
    rowfile_close(f);
    return mn_fail(MN_IO, "%s: cannot be continued: %s", path, strerror(error));
}

void rowfile_cut(RowFile* f, long long size)
{
    // making a file shorter needs no room; should it fail all the same, the error that led here is the one to tell
    if (f->fd >= 0 && ftruncate(f->fd, size) == 0 && lseek(f->fd, size, SEEK_SET) == size) f->size = size;
}

mn_status rowfile_check(const RowFile* f)
{
    struct stat info;
    if (stat(f->path, &info) != 0)
        return mn_fail(MN_IO, "%s: is gone: %s; was it moved while the run goes on?", f->path, strerror(errno));
    if ((unsigned long long)info.st_dev != f->device || (unsigned long long)info.st_ino != f->number)
        return mn_fail(MN_IO, "%s: was replaced by another program while the run goes on", f->path);
    if (info.st_size != f->size)
        return mn_fail(MN_IO, "%s: was changed by another program while the run goes on: it has %lld bytes instead of %lld",
                       f->path, (long long)info.st_size, f->size);
    return MN_OK;
}

mn_status rowfile_add(RowFile* f, const Bytes* rows)
{
    if (rows->failed) return mn_fail(MN_NO_MEMORY, "%s: out of memory", f->path);
    int error = write_all(f->fd, rows->data, rows->size);
    if (!error) {
        f->size += (long long)rows->size;
        return MN_OK;
    }
    rowfile_cut(f, f->size);  // the part of a row that fitted
    return mn_fail(MN_IO, "%s: cannot be written: %s", f->path, strerror(error));
}

mn_status rowfile_sync(RowFile* f)
{
    if (f->fd < 0 || fsync(f->fd) == 0) return MN_OK;
    return mn_fail(MN_IO, "%s: cannot be written: %s", f->path, strerror(errno));
}

void rowfile_close(RowFile* f)
{
    if (f->fd >= 0) close(f->fd);
    f->fd = -1;
}
