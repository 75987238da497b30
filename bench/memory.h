// Resident memory of this process, in bytes, as Linux counts it (/proc/self/status); 0 where that file is missing.
#pragma once
#include <stdio.h>
#include <string.h>

static inline double memory_status(const char* key)
{
    FILE* f = fopen("/proc/self/status", "r");
    if (!f) return 0;
    char line[256];
    double kilobytes = 0;
    while (fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), ": %lf", &kilobytes) == 1) break;
    fclose(f);
    return 1024*kilobytes;
}

static inline double memory_now(void) { return memory_status("VmRSS"); }
static inline double memory_peak(void) { return memory_status("VmHWM"); }
