// What the fuzzers share. Each fuzz_*.c feeds one reader with whatever bytes it is given and throws the result away: a reader may
// refuse them, but must not crash, hang or lose memory. libFuzzer calls these functions in `scripts/fuzz`, replay.c in tests.
#pragma once
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A folder of this process; gone when it ends.
static char fuzz_dir[] = "/tmp/meniscus_fuzz_XXXXXX";

static inline void fuzz_remove_folder(void)
{
    char line[64];
    snprintf(line, sizeof line, "rm -rf '%s'", fuzz_dir);
    if (system(line) != 0) perror(fuzz_dir);
}

// The bytes as a file of that name in the folder; its path.
static inline const char* fuzz_file(const char* name, const void* data, size_t size)
{
    static char path[128];
    if (strchr(fuzz_dir, 'X') && strcmp(fuzz_dir + strlen(fuzz_dir) - 6, "XXXXXX") == 0) {
        if (!mkdtemp(fuzz_dir)) abort();
        atexit(fuzz_remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", fuzz_dir, name);
    FILE* f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) abort();
    return path;
}

// The bytes with a 0 after them; caller frees.
static inline char* fuzz_text(const uint8_t* data, size_t size)
{
    char* text = malloc(size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = 0;
    return text;
}
