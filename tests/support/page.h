// A page of docs/validation/ that a validation program writes while it prints.
#pragma once
#include "check.h"

static FILE* page;
static int page_misses;

// A mark for a number in a table that must be less than a limit. A program with misses fails when all its tables are written.
static inline const char* page_mark(double value, double limit)
{
    if (value < limit) return "";
    page_misses++;
    return " **missed**";
}

static inline void page_open(const char* name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/../docs/validation/%s", MN_SCENES, name);
    page = fopen(path, "w");
    assert_non_null(page);
}

static inline void page_close(void)
{
    fclose(page);
    page = NULL;
}

// Where a plot of that name goes. Not kept: the next call writes over it.
static inline const char* page_picture(const char* name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/../docs/validation/%s", MN_SCENES, name);
    return path;
}

#define SAY(...)                                                                                                                 \
    do {                                                                                                                         \
        printf(__VA_ARGS__);                                                                                                     \
        fflush(stdout);                                                                                                          \
        if (page) fprintf(page, __VA_ARGS__), fflush(page);                                                                      \
    } while (0)
