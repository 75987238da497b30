#include "output/runlock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HOLDER = 256 };

static void tell_who_holds(const RunLock* lock)
{
    char host[128] = "", since[32], text[HOLDER];
    gethostname(host, sizeof host - 1);
    time_t now = time(NULL);
    struct tm utc;
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    int size = snprintf(text, sizeof text, "process %ld on %s since %s\n", (long)getpid(), host, since);
    // on a full disk the lock holds all the same, without its words
    if (ftruncate(lock->fd, 0) == 0 && pwrite(lock->fd, text, (size_t)size, 0) < 0) return;
}

// The words of the one that holds it, in one printable line.
static void read_who_holds(char text[HOLDER], const RunLock* lock)
{
    ssize_t got = pread(lock->fd, text, HOLDER - 1, 0);
    text[got > 0 ? got : 0] = 0;
    text[strcspn(text, "\n")] = 0;
    for (char* c = text; *c; c++)
        if (!isprint((unsigned char)*c)) *c = '?';
    if (!text[0]) snprintf(text, HOLDER, "another process");
}

// A run that ends removes the file: who waited for that one holds a lock on a file that is gone.
static bool is_still_there(const RunLock* lock)
{
    struct stat held, there;
    return fstat(lock->fd, &held) == 0 && stat(lock->path, &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

static mn_status take_once(RunLock* lock, const char* dir)
{
    lock->fd = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (lock->fd < 0) return mn_fail(MN_IO, "%s: cannot be opened: %s", lock->path, strerror(errno));
    if (flock(lock->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return MN_OK;
    char holder[HOLDER];
    read_who_holds(holder, lock);
    close(lock->fd);
    lock->fd = -1;
    return mn_fail(MN_IO, "%s: a run is under way here: %s; wait for its end or choose another directory", dir, holder);
}

mn_status runlock_take(RunLock* lock, const char* dir)
{
    lock->fd = -1;
    TRY(path_join(lock->path, dir, "run.lock"));
    for (;;) {
        TRY(take_once(lock, dir));
        if (is_still_there(lock)) break;
        close(lock->fd);
    }
    tell_who_holds(lock);
    return MN_OK;
}

void runlock_release(RunLock* lock)
{
    if (lock->fd < 0) return;
    unlink(lock->path);  // while it is held, so that no other's file is removed
    close(lock->fd);
    lock->fd = -1;
}
