#include "output/framenames.h"

#include <stdio.h>
#include <string.h>

const char* const frame_words[] = {"surface", "spray", "film", "solid", "sheet", "rod", NULL};

bool framename_is_ours(const char* layer)
{
    for (int m = 0; frame_words[m]; m++) {
        size_t length = strlen(frame_words[m]);
        if (!strncmp(layer, frame_words[m], length) && (!layer[length] || layer[length] == '_')) return true;
    }
    return false;
}

mn_status framename_path(char path[PATH_ROOM], const char* dir, const char* layer, int frame, const char* suffix)
{
    if (frame < 0) return path_join(path, dir, "%s%s", layer, suffix);
    return path_join(path, dir, "%s_%04d%s", layer, frame, suffix);
}

bool framename_parse(char layer[LAYER_NAME], const char* file, int frame)
{
    char tail[24];
    size_t length = strlen(file), cut = (size_t)snprintf(tail, sizeof tail, "_%04d.ply", frame);
    if (length <= cut || length - cut >= LAYER_NAME || strcmp(file + length - cut, tail) != 0) return false;
    snprintf(layer, LAYER_NAME, "%.*s", (int)(length - cut), file);
    return framename_is_ours(layer);
}
