#include "output/runlayers.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "output/framenames.h"
#include "output/ply.h"

void runlayers_free(RunLayers* l)
{
    free(l->layer);
    *l = (RunLayers){0};
}

static mn_status add(RunLayers* l, const RunLayer* new)
{
    for (int m = 0; m < l->count; m++)
        if (!strcmp(l->layer[m].name, new->name)) return MN_OK;
    if (l->count == l->room) {
        int room = l->room ? 2*l->room : 16;
        RunLayer* more = realloc(l->layer, sizeof *more*(size_t)room);
        if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: the layers of a run");
        l->layer = more, l->room = room;
    }
    l->layer[l->count++] = *new;
    return MN_OK;
}

static mn_status add_told(RunLayers* l, const RunFiles* run)
{
    TRY(add(l, &(RunLayer){.name = "surface", .must = true}));
    for (int m = 0; m < run->solid_count; m++) {
        RunLayer solid = {.still = !run->solids[m].moving, .must = true};
        runsolid_layer(solid.name, &run->solids[m]);
        TRY(add(l, &solid));
    }
    return MN_OK;
}

// The number before ".ply", or -1.
static int frame_of(const char* file)
{
    const char* end = strrchr(file, '.');
    const char* bar = strrchr(file, '_');
    int frame, used = 0;
    if (!end || !bar || bar > end || sscanf(bar + 1, "%d%n", &frame, &used) != 1 || bar + 1 + used != end) return -1;
    return frame;
}

static mn_status add_found(RunLayers* l, const RunFiles* run, int first, int last)
{
    DIR* d = opendir(run->dir);
    if (!d) return mn_fail(MN_IO, "%s: %s", run->dir, strerror(errno));
    mn_status status = MN_OK;
    for (struct dirent* entry; status == MN_OK && (entry = readdir(d));) {
        RunLayer found = {0};
        int frame = frame_of(entry->d_name);
        // a solid that run.json does not tell of is left over from another run
        if (frame < first || frame > last || !strncmp(entry->d_name, "solid_", 6)) continue;
        if (framename_parse(found.name, entry->d_name, frame)) status = add(l, &found);
    }
    closedir(d);
    return status;
}

static int by_name(const void* a, const void* b) { return strcmp(((const RunLayer*)a)->name, ((const RunLayer*)b)->name); }

mn_status runlayers_list(RunLayers* l, const RunFiles* run, int first, int last)
{
    *l = (RunLayers){0};
    mn_status status = add_told(l, run);
    int told = l->count;
    if (status == MN_OK) status = add_found(l, run, first, last);
    if (status == MN_OK) qsort(l->layer + told, (size_t)(l->count - told), sizeof *l->layer, by_name);
    else runlayers_free(l);
    return status;
}

mn_status runlayer_read(Layer* layer, const RunFiles* run, const RunLayer* from, int frame)
{
    char path[PATH_ROOM];
    *layer = (Layer){.kind = LAYER_POINTS};
    TRY(framename_path(path, run->dir, from->name, from->still ? -1 : frame, ".ply"));
    if (!from->must && access(path, F_OK) != 0) return MN_OK;
    TRY(ply_read(layer, from->name, path));
    layer->still = from->still;
    if (!from->must || layer->kind == (LayerKind)run->dim) return MN_OK;
    layer_free(layer);
    return mn_fail(MN_IO, "%s: is no mesh of a run", path);
}

mn_status runlayer_read_first(Layer* layer, const RunFiles* run, const RunLayer* from, int first, int last)
{
    *layer = (Layer){.kind = LAYER_POINTS};
    for (int frame = first; frame <= last && layer->points == 0; frame++) {
        layer_free(layer);
        TRY(runlayer_read(layer, run, from, frame));
        if (from->must) break;
    }
    return MN_OK;
}
