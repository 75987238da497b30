// A folder per test, and files in it.
#pragma once
#include "check.h"
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char base[64];

static inline int make_folder(void** state)
{
    (void)state;
    snprintf(base, sizeof base, "/tmp/meniscus_test_XXXXXX");
    return mkdtemp(base) ? 0 : -1;
}

// In memory where the system has such a place, for tests that write thousands of files.
static inline int make_folder_in_memory(void** state)
{
    snprintf(base, sizeof base, "/dev/shm/meniscus_test_XXXXXX");
    return mkdtemp(base) ? 0 : make_folder(state);
}

static inline int remove_folder(void** state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -r '%s'", base);
    return system(line);
}

// Path in the test's folder; the last 16 stay valid.
static inline const char* in(const char* name)
{
    static char path[16][512];
    static int turn;
    turn = (turn + 1)%16;
    snprintf(path[turn], sizeof path[turn], "%s/%.400s", base, name);
    return path[turn];
}

static inline bool exists(const char* name) { return access(in(name), F_OK) == 0; }

static inline void write_bytes(const char* name, const char* data, size_t size)
{
    FILE* f = fopen(in(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}

static inline void write_text(const char* name, const char* text) { write_bytes(name, text, strlen(text)); }

// The whole file, 0 after its last byte; caller frees.
static inline char* contents(const char* name, size_t* size)
{
    FILE* f = fopen(in(name), "rb");
    if (!f) fail_msg("%s is missing", name);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char* data = calloc(*size + 1, 1);
    assert_int_equal(fread(data, 1, *size, f), *size);
    fclose(f);
    return data;
}

static inline void copy_folder(const char* to, const char* from)
{
    char line[1200];
    snprintf(line, sizeof line, "rm -rf '%s' && cp -r '%s' '%s'", in(to), in(from), in(to));
    assert_int_equal(system(line), 0);
}

// Made if it is not there.
static inline void empty_folder(const char* folder)
{
    mkdir(in(folder), 0777);
    DIR* d = opendir(in(folder));
    assert_non_null(d);
    for (struct dirent* entry; (entry = readdir(d));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlinkat(dirfd(d), entry->d_name, 0);
    closedir(d);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
#define IN_MEMORY(test) cmocka_unit_test_setup_teardown(test, make_folder_in_memory, remove_folder)
