#include "output/runcommand.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "output/files.h"

void runcommand_free(RunCommand* c)
{
    for (char** s = c->settings; s && *s; s++) free(*s);
    free(c->settings);
    *c = (RunCommand){0};
}

// 0 for anything but a whole number of at least 1.
static int count_of(const json_t* object, const char* key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value >= 1 && value <= INT_MAX/2 ? (int)value : 0;
}

static mn_status take_settings(RunCommand* c, const json_t* list, const char* path)
{
    size_t count = json_array_size(list);
    c->settings = calloc(count + 1, sizeof *c->settings);
    for (size_t m = 0, used = 0; m < count && c->settings; m++) {
        const char* text = json_string_value(json_array_get(list, m));
        if (text && !(c->settings[used++] = strdup(text))) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    }
    return c->settings ? MN_OK : mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
}

mn_status runcommand_read(RunCommand* c, bool* told, const char* dir)
{
    *c = (RunCommand){0};
    char path[PATH_ROOM];
    TRY(path_join(path, dir, "run.json"));
    Bytes bytes;
    mn_status status = file_read(&bytes, path);
    json_t* root = status == MN_OK ? json_loadb(bytes.data, bytes.size, 0, NULL) : NULL;
    if (status == MN_OK) bytes_free(&bytes);
    const json_t* given = json_object_get(root, "command");
    *told = json_is_object(given);
    status = *told ? take_settings(c, json_object_get(given, "set"), path) : MN_OK;
    c->frames = count_of(given, "frames");
    c->threads = count_of(given, "threads");
    c->frames_done = count_of(root, "frames");
    json_decref(root);
    if (status != MN_OK) runcommand_free(c);
    return status;
}

// What the run began with for the name in "name=value"; NULL: nothing.
static const char* setting_of(const RunCommand* c, const char* setting)
{
    size_t length = strcspn(setting, "=");
    for (char** s = c->settings; s && *s; s++)
        if (strncmp(*s, setting, length) == 0 && (*s)[length] == '=') return *s;
    return NULL;
}

mn_status runcommand_agrees(const RunCommand* c, const char* const* settings, const char* dir)
{
    for (; settings && *settings; settings++) {
        const char* before = setting_of(c, *settings);
        if (before && strcmp(before, *settings) == 0) continue;
        if (before)
            return mn_fail(MN_BAD_ARGUMENT, "--set %s: the run in %s began with %s, and goes on with it", *settings, dir, before);
        return mn_fail(MN_BAD_ARGUMENT, "--set %s: the run in %s began without it, and goes on without it", *settings, dir);
    }
    return MN_OK;
}
