// A power cut on paper. The calls by which a program changes files are noted while it runs (the linker's --wrap leads them here),
// and the disk as it may be after a cut between any two of them is put together from the notes:
// - bytes that no fsync of their file has followed may be there, missing, cut, or zeros;
// - names that no fsync of their directory has followed (made, renamed, linked, removed) may be as before or as after, each by
//   itself, but a rename is never half done.
// fsync itself does nothing here: a real disk would only make tests slow.
#pragma once
#include "folder.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>

typedef enum DiskDeed {
    DISK_MAKE,  // name becomes file
    DISK_WRITE,
    DISK_SIZE,  // cut to `at` bytes
    DISK_SYNC,
    DISK_RENAME,  // name to other
    DISK_LINK,    // file of name gets other as well
    DISK_REMOVE,
    DISK_SYNC_NAMES
} DiskDeed;

enum { DISK_NAME = 64, DISK_EVENTS = 4096, DISK_FILES = 512, DISK_FDS = 256, NO_FILE = -1, THE_FOLDER = -2 };

typedef struct DiskEvent {
    DiskDeed deed;
    int file;
    char name[DISK_NAME], other[DISK_NAME];
    long at;
    size_t size;
    char* data;  // owned
} DiskEvent;

typedef struct DiskEntry {
    char name[DISK_NAME];  // empty: free
    int file;
} DiskEntry;

static struct {
    bool on;
    char folder[512];  // only what is directly in it is noted
    DiskEvent event[DISK_EVENTS];
    int events;
    int files;
    DiskEntry entry[DISK_FILES];  // as the program sees them
    int of_fd[DISK_FDS];          // file, THE_FOLDER or NO_FILE
    bool parent_synced;           // the folder that holds the folder
} disk;

// ---- names --------------------------------------------------------------------------------------------------------------

static inline DiskEntry* disk_find(DiskEntry* entry, const char* name)
{
    for (int m = 0; m < DISK_FILES; m++)
        if (entry[m].name[0] && strcmp(entry[m].name, name) == 0) return &entry[m];
    return NULL;
}

static inline void disk_set_name(char to[DISK_NAME], const char* name)
{
    assert_true(strlen(name) < DISK_NAME);
    strcpy(to, name);
}

static inline void disk_put(DiskEntry* entry, const char* name, int file)
{
    DiskEntry* e = disk_find(entry, name);
    int free_one = 0;
    while (!e && free_one < DISK_FILES - 1 && entry[free_one].name[0]) free_one++;
    if (!e) e = &entry[free_one];
    disk_set_name(e->name, name);
    e->file = file;
}

static inline void disk_change_names(DiskEntry* entry, const DiskEvent* e)
{
    DiskEntry* from = disk_find(entry, e->name);
    if (e->deed == DISK_MAKE) disk_put(entry, e->name, e->file);
    if (!from || (e->deed != DISK_RENAME && e->deed != DISK_LINK && e->deed != DISK_REMOVE)) return;
    int file = from->file;
    if (e->deed != DISK_LINK) from->name[0] = 0;
    if (e->deed != DISK_REMOVE) disk_put(entry, e->other, file);
}

// The name in the folder that is watched, or NULL.
static inline const char* disk_name(const char* path)
{
    size_t length = strlen(disk.folder);
    if (!disk.on || strncmp(path, disk.folder, length) != 0 || path[length] != '/' || strchr(path + length + 1, '/')) return NULL;
    return path + length + 1;
}

// ---- noting -------------------------------------------------------------------------------------------------------------

static inline DiskEvent* disk_note(DiskDeed deed, int file, const char* name, const char* other)
{
    assert_true(disk.events < DISK_EVENTS);
    DiskEvent* e = &disk.event[disk.events++];
    *e = (DiskEvent){.deed = deed, .file = file};
    disk_set_name(e->name, name ? name : "");
    disk_set_name(e->other, other ? other : "");
    disk_change_names(disk.entry, e);
    return e;
}

static inline void disk_note_bytes(int file, long at, const void* data, size_t size)
{
    DiskEvent* e = disk_note(DISK_WRITE, file, NULL, NULL);
    e->at = at, e->size = size, e->data = malloc(size + 1);
    memcpy(e->data, data, size);
}

static inline int disk_of_fd(int fd) { return disk.on && fd >= 0 && fd < DISK_FDS ? disk.of_fd[fd] : NO_FILE; }

int __real_open(const char* path, int flags, ...);
ssize_t __real_write(int fd, const void* data, size_t size);
ssize_t __real_pwrite(int fd, const void* data, size_t size, off_t at);
int __real_ftruncate(int fd, off_t size);
int __real_rename(const char* from, const char* to);
int __real_link(const char* from, const char* to);
int __real_unlink(const char* path);
int __real_unlinkat(int folder, const char* path, int flags);
int __real_close(int fd);

int __wrap_open(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int fd = __real_open(path, flags, flags & O_CREAT ? va_arg(rest, unsigned) : 0);
    va_end(rest);
    const char* name = disk_name(path);
    if (fd < 0 || fd >= DISK_FDS || !disk.on) return fd;
    disk.of_fd[fd] = strcmp(path, disk.folder) == 0 ? THE_FOLDER : NO_FILE;
    if (strncmp(path, disk.folder, strlen(path)) == 0 && disk.folder[strlen(path)] == '/') disk.parent_synced = true;
    if (!name || (flags & O_ACCMODE) == O_RDONLY) return fd;
    DiskEntry* there = disk_find(disk.entry, name);
    if (!there) disk_note(DISK_MAKE, disk.files++, name, NULL);
    else if (flags & O_TRUNC) disk_note(DISK_SIZE, there->file, NULL, NULL);
    disk.of_fd[fd] = disk_find(disk.entry, name)->file;
    return fd;
}

ssize_t __wrap_write(int fd, const void* data, size_t size)
{
    long at = disk_of_fd(fd) >= 0 ? (long)lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t done = __real_write(fd, data, size);
    if (disk_of_fd(fd) >= 0 && done > 0) disk_note_bytes(disk_of_fd(fd), at, data, (size_t)done);
    return done;
}

ssize_t __wrap_pwrite(int fd, const void* data, size_t size, off_t at)
{
    ssize_t done = __real_pwrite(fd, data, size, at);
    if (disk_of_fd(fd) >= 0 && done > 0) disk_note_bytes(disk_of_fd(fd), (long)at, data, (size_t)done);
    return done;
}

int __wrap_ftruncate(int fd, off_t size)
{
    int code = __real_ftruncate(fd, size);
    if (disk_of_fd(fd) >= 0 && code == 0) disk_note(DISK_SIZE, disk_of_fd(fd), NULL, NULL)->at = (long)size;
    return code;
}

int __wrap_fsync(int fd)
{
    if (disk_of_fd(fd) >= 0) disk_note(DISK_SYNC, disk_of_fd(fd), NULL, NULL);
    if (disk_of_fd(fd) == THE_FOLDER) disk_note(DISK_SYNC_NAMES, NO_FILE, NULL, NULL);
    return 0;
}

int __wrap_rename(const char* from, const char* to)
{
    int code = __real_rename(from, to);
    if (code == 0 && disk_name(from) && disk_name(to)) disk_note(DISK_RENAME, NO_FILE, disk_name(from), disk_name(to));
    return code;
}

int __wrap_link(const char* from, const char* to)
{
    int code = __real_link(from, to);
    if (code == 0 && disk_name(from) && disk_name(to)) disk_note(DISK_LINK, NO_FILE, disk_name(from), disk_name(to));
    return code;
}

int __wrap_unlink(const char* path)
{
    int code = __real_unlink(path);
    if (code == 0 && disk_name(path)) disk_note(DISK_REMOVE, NO_FILE, disk_name(path), NULL);
    return code;
}

// The only folder that the program removes files from in this way is the one that is watched.
int __wrap_unlinkat(int folder, const char* path, int flags)
{
    int code = __real_unlinkat(folder, path, flags);
    if (code == 0 && disk.on) disk_note(DISK_REMOVE, NO_FILE, path, NULL);
    return code;
}

int __wrap_close(int fd)
{
    if (fd >= 0 && fd < DISK_FDS) disk.of_fd[fd] = NO_FILE;
    return __real_close(fd);
}

// Begins with what is in the folder, all of it safe. Returns the number of events that tell of it.
static inline int disklog_start(const char* folder)
{
    for (int m = 0; m < disk.events; m++) free(disk.event[m].data);
    memset(&disk, 0, sizeof disk);
    for (int m = 0; m < DISK_FDS; m++) disk.of_fd[m] = NO_FILE;
    snprintf(disk.folder, sizeof disk.folder, "%s", in(folder));
    DIR* d = opendir(disk.folder);
    for (struct dirent* entry; d && (entry = readdir(d));) {
        if (entry->d_name[0] == '.') continue;
        char path[400];
        snprintf(path, sizeof path, "%.100s/%.200s", folder, entry->d_name);
        size_t size;
        char* data = contents(path, &size);
        int file = disk.files++;
        disk_note(DISK_MAKE, file, entry->d_name, NULL);
        disk_note_bytes(file, 0, data, size);
        disk_note(DISK_SYNC, file, NULL, NULL);
        free(data);
    }
    if (d) closedir(d);
    disk_note(DISK_SYNC_NAMES, NO_FILE, NULL, NULL);
    disk.on = true;
    return disk.events;
}

static inline void disklog_stop(void) { disk.on = false; }

// ---- after the cut ------------------------------------------------------------------------------------------------------

typedef enum DiskBytes { BYTES_LOST, BYTES_THERE, BYTES_CUT, BYTES_ZERO, BYTES_WAYS } DiskBytes;  // that were not synced
typedef enum DiskNames { NAMES_LOST, NAMES_THERE, NAMES_FIRST, NAMES_SOME, NAMES_WAYS } DiskNames;

typedef struct DiskFile {
    char* data;
    size_t size;
} DiskFile;

static inline void file_resize(DiskFile* f, size_t size)
{
    f->data = realloc(f->data, size + 1);
    if (size > f->size) memset(f->data + f->size, 0, size - f->size);
    f->size = size;
}

// The file after the first `count` events.
static inline DiskFile disk_file_after(int file, int count, DiskBytes bytes)
{
    DiskFile now = {0}, safe = {0};
    for (int m = 0; m < count; m++) {
        const DiskEvent* e = &disk.event[m];
        if (e->file != file) continue;
        if (e->deed == DISK_SIZE) file_resize(&now, (size_t)e->at);
        if (e->deed == DISK_WRITE) {
            if ((size_t)e->at + e->size > now.size) file_resize(&now, (size_t)e->at + e->size);
            memcpy(now.data + e->at, e->data, e->size);
        }
        if (e->deed != DISK_SYNC) continue;
        file_resize(&safe, now.size);
        if (now.size > 0) memcpy(safe.data, now.data, now.size);
    }
    size_t synced = safe.size < now.size ? safe.size : now.size;
    if (bytes == BYTES_CUT) file_resize(&now, (synced + now.size)/2);
    if (bytes == BYTES_ZERO && now.size > synced) memset(now.data + synced, 0, now.size - synced);
    free(bytes == BYTES_LOST ? now.data : safe.data);
    return bytes == BYTES_LOST ? safe : now;
}

// Which name survives is decided by `seed`.
static inline void disk_names_after(DiskEntry* entry, int count, DiskNames names, unsigned seed)
{
    memset(entry, 0, DISK_FILES*sizeof *entry);
    int safe = 0;
    for (int m = 0; m < count; m++)
        if (disk.event[m].deed == DISK_SYNC_NAMES) safe = m;
    int first = safe + (int)(seed >> 16)%(count - safe + 1);
    for (int m = 0; m < count; m++) {
        seed = seed*1103515245u + 12345u;
        bool there =
            m < safe || names == NAMES_THERE || (names == NAMES_FIRST && m < first) || (names == NAMES_SOME && seed >> 16 & 1);
        if (there) disk_change_names(entry, &disk.event[m]);
    }
}

// Puts the disk after the first `count` events into `folder`, which is emptied before. Returns a number for what is in it.
static inline uint64_t disklog_cut(const char* folder, int count, DiskBytes bytes, DiskNames names, unsigned seed)
{
    static DiskEntry entry[DISK_FILES];
    char path[300];
    empty_folder(folder);
    disk_names_after(entry, count, names, seed);
    uint64_t sum = 0;
    for (int m = 0; m < DISK_FILES; m++) {
        if (!entry[m].name[0]) continue;
        DiskFile file = disk_file_after(entry[m].file, count, bytes);
        snprintf(path, sizeof path, "%.100s/%.63s", folder, entry[m].name);
        write_bytes(path, file.data ? file.data : "", file.size);
        uint64_t hash = 14695981039346656037ull;
        for (const char* c = entry[m].name; *c; c++) hash = (hash ^ (unsigned char)*c)*1099511628211ull;
        for (size_t i = 0; i < file.size; i++) hash = (hash ^ (unsigned char)file.data[i])*1099511628211ull;
        sum += hash;  // in any order
        free(file.data);
    }
    return sum;
}
