#include "scene/mjcf_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/readfile.h"
#include "scene/include.h"
#include "scene/read_shape.h"

enum { MOST_BYTES = 16 << 20, MOST_DEPTH = 8 };

const char* path_base(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The value of the next attribute of this name, from `text` on; NULL: there are no more. XML allows blanks around the =.
static const char* next_value(const char* text, const char* name, size_t* length)
{
    size_t size = strlen(name);
    for (const char* at = text; (at = strstr(at, name)); at++) {
        const char* c = at + size;
        if (at == text || !isspace((unsigned char)at[-1])) continue;
        c += strspn(c, " \t\r\n");
        if (*c++ != '=') continue;
        c += strspn(c, " \t\r\n");
        if (*c != '"' && *c != '\'') continue;
        const char* end = strchr(c + 1, *c);
        *length = end ? (size_t)(end - c - 1) : 0;
        if (end) return c + 1;
    }
    return NULL;
}

// Entities (&) could hide anything.
static bool leads_outside(const char* value, size_t length)
{
    if (length > 0 && (value[0] == '/' || value[0] == '~')) return true;
    for (size_t m = 0; m < length; m++)
        if (strchr("&:\\", value[m]) || (value[m] == '.' && m + 1 < length && value[m + 1] == '.')) return true;
    return false;
}

static mn_status check_file(Scene* scene, const char* main, const char* path, int depth);

static mn_status check_value(Scene* scene, const char* main, const char* value, size_t length, int depth)
{
    char path[SCENE_PATH_ROOM];
    bool is_model = length > 4 && strncmp(value + length - 4, ".xml", 4) == 0;
    if (!scene->allow_outside && leads_outside(value, length))
        return mn_fail(MN_BAD_SCENE, "%s names a file outside its folder, \"%.*s\"", path_base(main), (int)length, value);
    if (!is_model || depth == MOST_DEPTH) return MN_OK;
    snprintf(path, sizeof path, "%.*s%.*s", (int)(path_base(main) - main), main, (int)length, value);
    if (!scene_may_read(scene, path))
        return mn_fail(MN_BAD_SCENE, "%s names a file outside its folder, \"%.*s\"", path_base(main), (int)length, value);
    return check_file(scene, main, path, depth + 1);
}

static mn_status check_file(Scene* scene, const char* main, const char* path, int depth)
{
    static const char* const names[] = {"file", "meshdir", "texturedir", "assetdir", NULL};
    char* bytes;
    size_t size, length;
    mn_status status = file_read_all(&bytes, &size, path, MOST_BYTES, "an MJCF file");
    if (status != MN_OK) return status;
    fingerprint_add(&scene->fingerprint, bytes, size);
    for (int m = 0; names[m]; m++)
        for (const char* at = bytes; status == MN_OK && (at = next_value(at, names[m], &length)); at += length)
            status = check_value(scene, main, at, length, depth);
    free(bytes);
    return status;
}

mn_status mjcf_check_names(Scene* scene, const char* path) { return check_file(scene, path, path, 0); }
