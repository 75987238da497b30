// A disk that fails on purpose: the calls by which a program changes files (the linker's --wrap leads them here) are counted, and
// one of them, or all from it on, returns an error instead of doing its work.
#pragma once
#include "folder.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

typedef struct DiskFault {
    long at;      // the call that fails, counted from 0; < 0: none
    int error;    // errno of it
    bool stays;   // do all later ones fail too, as on a disk that is full?
    bool partly;  // does a write that fails leave its first half?
} DiskFault;

static struct {
    bool on;
    DiskFault fault;
    long calls;
    int failed;
} faulty;

static inline void diskfault_start(DiskFault fault)
{
    faulty.on = true, faulty.fault = fault, faulty.calls = 0, faulty.failed = 0;
}
static inline void diskfault_stop(void) { faulty.on = false; }

static inline bool fault_strikes(void)
{
    if (!faulty.on) return false;
    long call = faulty.calls++;
    if (faulty.fault.at < 0 || (faulty.fault.stays ? call < faulty.fault.at : call != faulty.fault.at)) return false;
    faulty.failed++;
    errno = faulty.fault.error;
    return true;
}

int __real_open(const char* path, int flags, ...);
ssize_t __real_write(int fd, const void* data, size_t size);
ssize_t __real_pwrite(int fd, const void* data, size_t size, off_t at);
int __real_fsync(int fd);
int __real_ftruncate(int fd, off_t size);
int __real_rename(const char* from, const char* to);
int __real_link(const char* from, const char* to);

int __wrap_open(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    return writes && fault_strikes() ? -1 : __real_open(path, flags, mode);
}

// Not to the terminal: messages must get out.
ssize_t __wrap_write(int fd, const void* data, size_t size)
{
    if (fd <= STDERR_FILENO || !fault_strikes()) return __real_write(fd, data, size);
    int error = errno;
    if (faulty.fault.partly && size > 1 && __real_write(fd, data, size/2) > 0) return (ssize_t)(size/2);
    errno = error;
    return -1;
}

ssize_t __wrap_pwrite(int fd, const void* data, size_t size, off_t at)
{
    return fault_strikes() ? -1 : __real_pwrite(fd, data, size, at);
}

int __wrap_fsync(int fd)
{
    (void)fd;
    return fault_strikes() ? -1 : 0;
}

// A full disk lets files be cut.
int __wrap_ftruncate(int fd, off_t size)
{
    return faulty.fault.error != ENOSPC && fault_strikes() ? -1 : __real_ftruncate(fd, size);
}

int __wrap_rename(const char* from, const char* to) { return fault_strikes() ? -1 : __real_rename(from, to); }

int __wrap_link(const char* from, const char* to) { return fault_strikes() ? -1 : __real_link(from, to); }
