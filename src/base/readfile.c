#include "base/readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* kind_of(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO";
    if (S_ISSOCK(mode)) return "a socket";
    return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "no file on disk";
}

// Some devices do something when they are opened, hence the look before; what is opened is looked at again, and O_NONBLOCK keeps
// a FIFO that has come in between from holding us.
mn_status file_open(int* fd, const char* path, int flags, const char* expected)
{
    struct stat info;
    *fd = -1;
    if (stat(path, &info) != 0) return mn_fail(MN_IO, "%s: %s", path, strerror(errno));
    if (S_ISREG(info.st_mode)) {
        *fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (*fd < 0 || fstat(*fd, &info) != 0) {
            int error = errno;
            if (*fd >= 0) close(*fd);
            *fd = -1;
            return mn_fail(MN_IO, "%s: %s", path, strerror(error));
        }
    }
    if (S_ISREG(info.st_mode)) return MN_OK;
    if (*fd >= 0) close(*fd);
    *fd = -1;
    return mn_fail(MN_IO, "%s: is %s; expected %s", path, kind_of(info.st_mode), expected);
}

mn_status file_is_plain(const char* path, const char* expected)
{
    int fd;
    TRY(file_open(&fd, path, O_RDONLY, expected));
    close(fd);
    return MN_OK;
}

// Up to `room` bytes; how many there were, or -1 with errno.
static ssize_t read_up_to(int fd, char* out, size_t room)
{
    size_t size = 0;
    while (size < room) {
        ssize_t got = read(fd, out + size, room - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        size += (size_t)got;
    }
    return (ssize_t)size;
}

// As many bytes as it had when it was opened: one that grows under our hands has no end either.
static mn_status read_open_file(char** bytes, size_t* size, int fd, const char* path, size_t most)
{
    struct stat info;
    if (fstat(fd, &info) != 0) return mn_fail(MN_IO, "%s: %s", path, strerror(errno));
    if ((uintmax_t)info.st_size > most) return mn_fail(MN_IO, "%s: larger than %zu bytes", path, most);
    *bytes = malloc((size_t)info.st_size + 1);
    if (!*bytes) return mn_fail(MN_NO_MEMORY, "no memory to read %s", path);
    ssize_t got = read_up_to(fd, *bytes, (size_t)info.st_size);
    if (got >= 0) {
        (*bytes)[got] = 0;
        *size = (size_t)got;
        return MN_OK;
    }
    int error = errno;
    free(*bytes);
    *bytes = NULL;
    return mn_fail(MN_IO, "%s: %s", path, strerror(error));
}

mn_status file_read_all(char** bytes, size_t* size, const char* path, size_t most, const char* expected)
{
    int fd;
    *bytes = NULL, *size = 0;
    TRY(file_open(&fd, path, O_RDONLY, expected));
    mn_status status = read_open_file(bytes, size, fd, path, most);
    close(fd);
    return status;
}

bool path_is_below(const char* path, const char* folder)
{
    char *to = realpath(path, NULL), *from = realpath(folder[0] ? folder : ".", NULL);
    size_t length = from ? strlen(from) : 0;
    if (length == 1) length = 0;  // the root: all is below it
    bool below = !to || (from && strncmp(to, from, length) == 0 && (to[length] == '/' || to[length] == 0));
    free(to);
    free(from);
    return below;
}
