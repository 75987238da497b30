#include "output/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/vec.h"
#include "output/files.h"
#include "output/framenames.h"
#include "output/labframe.h"
#include "output/obj.h"
#include "output/ply.h"
#include "output/usda.h"
#include "output/vdb.h"
#include "output/vtkhdf.h"
#include "output/runlayers.h"

// ---- one frame -------------------------------------------------------------------------------------------------------------

mn_status formats_write_layer(const char* dir, int frame, const Layer* layer, unsigned formats)
{
    char path[PATH_ROOM];
    if (formats & OUTPUT_PLY) {
        TRY(framename_path(path, dir, layer->name, frame, ".ply"));
        TRY(ply_write_plain(path, layer));
    }
    if (layer->kind == LAYER_POINTS) return MN_OK;
    if (formats & OUTPUT_OBJ) {
        TRY(framename_path(path, dir, layer->name, frame, ".obj"));
        TRY(obj_write(path, layer));
    }
    if (formats & OUTPUT_VTKHDF) {
        TRY(framename_path(path, dir, layer->name, frame, ".hdf"));
        TRY(vtkhdf_write_mesh(path, layer));
    }
    return MN_OK;
}

mn_status formats_write_volume(const char* dir, int frame, const Sim* sim, unsigned formats)
{
    if (!(formats & (OUTPUT_VTKHDF | OUTPUT_VDB))) return MN_OK;
    char path[PATH_ROOM];
    Volume volume;
    TRY(volume_make(&volume, sim));
    mn_status status = MN_OK;
    if (formats & OUTPUT_VTKHDF) {
        status = framename_path(path, dir, "volume", frame, ".hdf");
        if (status == MN_OK) status = vtkhdf_write_volume(path, &volume);
    }
    if (status == MN_OK && formats & OUTPUT_VDB) {
        status = framename_path(path, dir, "volume", frame, ".vdb");
        if (status == MN_OK) status = vdb_write(path, &volume);
    }
    volume_free(&volume);
    return status;
}

mn_status formats_write_series(const char* dir, const char* name, int first, int last, double rate, unsigned formats)
{
    return formats & OUTPUT_VTKHDF ? vtkhdf_write_series(dir, name, first, last, rate) : MN_OK;
}

// ---- clearing --------------------------------------------------------------------------------------------------------------

static bool is_series(const char* name)
{
    size_t length = strlen(name), tail = strlen(".hdf.series");
    char layer[LAYER_NAME];
    if (length <= tail || length - tail >= sizeof layer || strcmp(name + length - tail, ".hdf.series") != 0) return false;
    snprintf(layer, sizeof layer, "%.*s", (int)(length - tail), name);
    return framename_is_ours(layer) || strcmp(layer, "volume") == 0;
}

void formats_clear(const char* dir, int first)
{
    static const char* const suffixes[] = {".ply", ".obj", ".hdf"};
    char prefix[LAYER_NAME + 1];
    for (int m = 0; frame_words[m]; m++)
        for (size_t s = 0; s < sizeof suffixes/sizeof *suffixes; s++) {
            snprintf(prefix, sizeof prefix, "%s_", frame_words[m]);
            directory_clear(dir, prefix, suffixes[s], first);
        }
    directory_clear(dir, "volume_", ".hdf", first);
    directory_clear(dir, "volume_", ".vdb", first);
    DIR* d = first > 0 ? NULL : opendir(dir);
    if (!d) return;
    for (struct dirent* entry; (entry = readdir(d));)
        if (is_series(entry->d_name) || strcmp(entry->d_name, "run.usda") == 0) unlinkat(dirfd(d), entry->d_name, 0);
    closedir(d);
}

// ---- a run that is there ---------------------------------------------------------------------------------------------------

typedef struct Export {
    const RunFiles* run;
    const char* to;
    const ExportOptions* options;
    double (*place)[3];  // of the box in the laboratory, per frame; NULL: not asked for
} Export;

// A layer that moves has a file per frame; one that stands still in the box has one file (frame < 0), read for every frame in the
// laboratory.
static mn_status export_layer(const Export* e, const RunLayer* from, int frame)
{
    Layer layer;
    TRY(runlayer_read(&layer, e->run, from, frame));
    for (int i = 0; i < layer.points && e->place; i++)
        for (int d = 0; d < e->run->dim; d++)
            layer.position[3*(ptrdiff_t)i + d] = (float)(layer.position[3*(ptrdiff_t)i + d] + e->place[frame][d]);
    mn_status status = formats_write_layer(e->to, frame, &layer, e->options->formats);
    layer_free(&layer);
    return status;
}

static mn_status export_series(const Export* e, const RunLayer* from)
{
    const ExportOptions* o = e->options;
    Layer sample;
    TRY(runlayer_read_first(&sample, e->run, from, o->first, o->last));
    LayerKind kind = sample.kind;
    layer_free(&sample);
    if (kind == LAYER_POINTS && !(o->formats & OUTPUT_PLY)) return MN_OK;
    if (from->still && !e->place) return export_layer(e, from, -1);
    for (int frame = o->first; frame <= o->last; frame++) TRY(export_layer(e, from, frame));
    return formats_write_series(e->to, from->name, o->first, o->last, e->run->frame_rate, o->formats);
}

static mn_status export_all(const Export* e)
{
    const ExportOptions* o = e->options;
    RunLayers layers;
    TRY(runlayers_list(&layers, e->run, o->first, o->last));
    mn_status status = MN_OK;
    for (int m = 0; m < layers.count && status == MN_OK && o->formats & (OUTPUT_OBJ | OUTPUT_VTKHDF | OUTPUT_PLY); m++)
        status = export_series(e, &layers.layer[m]);
    if (status == MN_OK && o->formats & OUTPUT_USDA)
        status = usda_write(e->to, &(UsdaRun){e->run, &layers, o->first, o->last, e->place});
    runlayers_free(&layers);
    return status;
}

static mn_status export_run(const RunFiles* run, const char* to, const ExportOptions* o)
{
    Export e = {.run = run, .to = to, .options = o};
    if (o->lab) TRY(labframe_read(&e.place, run));
    mn_status status = export_all(&e);
    free(e.place);
    return status;
}

// Plain PLY files have the names of a run's own: they must not take their place.
static mn_status check_apart(const char* dir, const char* to)
{
    struct stat a, b;
    bool same = !to || (stat(dir, &a) == 0 && stat(to, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino);
    return same ? mn_fail(MN_BAD_ARGUMENT, "%s: has PLY files of its own: say with -o where plain ones are to go", dir) : MN_OK;
}

mn_status formats_export(const char* dir, const ExportOptions* options)
{
    RunFiles run;
    ExportOptions o = *options;
    if (o.formats & OUTPUT_VDB)
        return mn_fail(MN_UNSUPPORTED,
                       "%s: the frames of a run hold surfaces, not volumes: write output = { formats = { \"vdb\" } } "
                       "in the scene and run it again",
                       dir);
    if (o.formats & OUTPUT_PLY) TRY(check_apart(dir, o.to));
    TRY(runfiles_open(&run, dir));
    const char* to = o.to ? o.to : dir;
    o.last = o.last < 0 ? run.frames - 1 : o.last;
    mn_status status = MN_OK;
    if (o.first > o.last || o.last >= run.frames)
        status = mn_fail(MN_BAD_ARGUMENT, "%s: has frames 0 to %d, asked for %d to %d", dir, run.frames - 1, o.first, o.last);
    else if (run.dim == 2 && o.formats & OUTPUT_USDA)
        status = mn_fail(MN_UNSUPPORTED, "%s: usda is for runs in three dimensions", dir);
    else if (!(run.frame_rate > 0)) status = mn_fail(MN_IO, "%s/run.json: \"frame_rate\" must be positive", dir);
    if (status == MN_OK && o.to) status = directory_make(to);
    if (status == MN_OK) status = export_run(&run, to, &o);
    runfiles_close(&run);
    return status;
}
