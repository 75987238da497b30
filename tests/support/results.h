// Small scenes to run, and what their runs leave behind.
#pragma once
#include "command.h"
#include <dirent.h>
#include <jansson.h>

// Parts of scenes that only have to be there.
#define BOX "domain = { size = { mm(16), mm(16) }, cells = 16 }, frames = { rate = 500, count = 1 }, "
#define POOL "liquids = { pool { depth = mm(4) } }, "

// A drop and a pool that merge within four frames.
static const char splash[] =
    "return scene { title = 'Tiny splash', domain = { size = { mm(16), mm(16) }, cells = 32 },\n"
    "  liquids = { pool { depth = mm(4) }, sphere { center = { mm(8), mm(10) }, radius = mm(2.5), velocity = { 0, -1 } } },\n"
    "  probes = { { name = 'floor', kind = 'pressure', at = { mm(8), 0 } }, { name = 'top', kind = 'height', at = { mm(8), 0 } } "
    "},\n"
    "  frames = { rate = 500, count = 4, checkpoint_every = 1 } }\n";

// The same with many small steps, so that a signal arrives while it runs.
static const char slow_splash[] =
    "return scene { title = 'Slow splash', domain = { size = { mm(16), mm(16) }, cells = 16 },\n"
    "  liquids = { pool { depth = mm(4) }, sphere { center = { mm(8), mm(10.5) }, radius = mm(4), velocity = { 0, -1 } } },\n"
    "  probes = { { name = 'floor', kind = 'pressure', at = { mm(8), 0 } } }, numerics = { max_dt = 2e-5 },\n"
    "  frames = { rate = 500, count = 4, checkpoint_every = 100 } }\n";

// Few steps, three frames of everything: tables, probes, surfaces, a solid that moves, series.
static const char some_of_all[] =
    "return scene { title = 'Some of all', domain = { size = { mm(16), mm(16) }, cells = 16 }, output = { formats = { 'vtkhdf' } "
    "},\n"
    "  liquids = { pool { depth = mm(4) }, sphere { center = { mm(8), mm(10.5) }, radius = mm(3), velocity = { 0, -1 } } },\n"
    "  solids = { sphere { name = 'ball', center = { mm(3), mm(3) }, radius = mm(2), position = function(t) return t, 0 end } "
    "},\n"
    "  probes = { { name = 'floor', kind = 'pressure', at = { mm(8), 0 } } },\n"
    "  frames = { rate = 500, count = 3, checkpoint_every = 1 } }\n";

// Index of a column in the first row of a table; -1 if there is none.
static inline int column(const char* table, const char* name)
{
    int index = 0;
    size_t length = strlen(name);
    for (const char* c = table;; c++) {
        if (strncmp(c, name, length) == 0 && (c[length] == ',' || c[length] == '\n')) return index;
        c += strcspn(c, ",\n");
        if (*c != ',') return -1;
        index++;
    }
}

// Cuts the column out of every row, in place.
static inline void drop_column(char* table, int index)
{
    char* to = table;
    int at = 0;
    for (const char* c = table; *c; c++) {
        if (at != index || *c == '\n') *to++ = *c;
        if (*c == ',') at++;
        if (*c == '\n') at = 0;
    }
    *to = 0;
}

static inline double column_sum(const char* table, const char* name)
{
    int index = column(table, name);
    assert_true(index >= 0);
    double sum = 0;
    for (const char* row = strchr(table, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        const char* c = row + 1;
        for (int m = 0; m < index; m++) c = strchr(c, ',') + 1;
        sum += atof(c);
    }
    return sum;
}

static inline bool same_every_time(const char* name)
{
    return name[0] != '.' && strcmp(name, "run.json") != 0 && strncmp(name, "checkpoint", 10) != 0;
}

static inline int count_results(const char* folder)
{
    DIR* d = opendir(in(folder));
    assert_non_null(d);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(d));) count += same_every_time(entry->d_name);
    closedir(d);
    return count;
}

// Every file but run.json and the checkpoints is the same to the byte; of table.csv all but wall_time.
static inline void check_same_results(const char* a, const char* b)
{
    assert_int_equal(count_results(a), count_results(b));
    DIR* d = opendir(in(a));
    for (struct dirent* entry; (entry = readdir(d));) {
        if (!same_every_time(entry->d_name)) continue;
        char one[300], two[300];
        snprintf(one, sizeof one, "%s/%.200s", a, entry->d_name);
        snprintf(two, sizeof two, "%s/%.200s", b, entry->d_name);
        size_t n, m;
        char *x = contents(one, &n), *y = contents(two, &m);
        if (strcmp(entry->d_name, "table.csv") == 0) {
            drop_column(x, column(x, "wall_time")), drop_column(y, column(y, "wall_time"));
            n = strlen(x), m = strlen(y);
        }
        if (n != m || memcmp(x, y, n) != 0) fail_msg("%s differs between %s and %s", entry->d_name, a, b);
        free(x), free(y);
    }
    closedir(d);
}

// No file is half-written: nothing temporary, tables end with whole rows, meshes and run.json are whole.
static inline void check_nothing_half_written(const char* folder)
{
    DIR* d = opendir(in(folder));
    if (!d) return;
    for (struct dirent* entry; (entry = readdir(d));) {
        const char* name = entry->d_name;
        if (name[0] == '.' && strlen(name) < 3) continue;
        if (strstr(name, ".tmp") || strstr(name, "_new")) fail_msg("%s/%s is left over", folder, name);
        char path[300];
        snprintf(path, sizeof path, "%s/%.200s", folder, name);
        size_t size;
        char* data = contents(path, &size);
        if (strstr(name, ".csv")) {
            if (size == 0 || data[size - 1] != '\n') fail_msg("%s: the last row is not whole", path);
        } else if (size == 0) {
            fail_msg("%s is empty", path);
        } else if (strcmp(name, "run.json") == 0) {
            json_t* o = json_loads(data, 0, NULL);
            if (!o) fail_msg("%s cannot be read", path);
            json_decref(o);
        }
        free(data);
    }
    closedir(d);
}

// A text of run.json, in a static buffer.
static inline const char* run_json(const char* folder, const char* key)
{
    static char value[4096];
    char path[300];
    snprintf(path, sizeof path, "%.200s/run.json", folder);
    size_t size;
    char* data = contents(path, &size);
    json_t* o = json_loads(data, 0, NULL);
    assert_non_null(o);
    const json_t* v = json_object_get(o, key);
    if (json_is_string(v)) snprintf(value, sizeof value, "%s", json_string_value(v));
    else snprintf(value, sizeof value, "%lld", (long long)json_integer_value(v));
    json_decref(o);
    free(data);
    return value;
}
