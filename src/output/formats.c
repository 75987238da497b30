#include "output/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/vec.h"
#include "output/files.h"
#include "output/labframe.h"
#include "output/obj.h"
#include "output/ply.h"
#include "output/usda.h"
#include "output/vdb.h"
#include "output/vtkhdf.h"
#include "output/runfiles.h"

// ---- one frame -------------------------------------------------------------------------------------------------------------

static mn_status frame_path(char path[PATH_ROOM], const char* dir, const char* name, int frame, const char* suffix)
{
    if (frame < 0) return path_join(path, dir, "%s%s", name, suffix);
    return path_join(path, dir, "%s_%04d%s", name, frame, suffix);
}

mn_status formats_write_mesh(const char* dir, const char* name, int frame, const SurfaceMesh* mesh, unsigned formats)
{
    char path[PATH_ROOM];
    if (formats & OUTPUT_OBJ) {
        TRY(frame_path(path, dir, name, frame, ".obj"));
        TRY(obj_write(path, mesh));
    }
    if (formats & OUTPUT_VTKHDF) {
        TRY(frame_path(path, dir, name, frame, ".hdf"));
        TRY(vtkhdf_write_surface(path, mesh));
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
        status = frame_path(path, dir, "volume", frame, ".hdf");
        if (status == MN_OK) status = vtkhdf_write_volume(path, &volume);
    }
    if (status == MN_OK && formats & OUTPUT_VDB) {
        status = frame_path(path, dir, "volume", frame, ".vdb");
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
    bool ours = strncmp(name, "surface.", 8) == 0 || strncmp(name, "volume.", 7) == 0 || strncmp(name, "solid_", 6) == 0;
    return ours && length > tail && strcmp(name + length - tail, ".hdf.series") == 0;
}

void formats_clear(const char* dir, int first)
{
    static const char* const names[][2] = {{"surface_", ".obj"}, {"surface_", ".hdf"}, {"solid_", ".obj"},
                                           {"solid_", ".hdf"},   {"volume_", ".hdf"},  {"volume_", ".vdb"}};
    for (size_t m = 0; m < sizeof names/sizeof *names; m++) directory_clear(dir, names[m][0], names[m][1], first);
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

// A mesh that moves has a file per frame; one that stands still in the box has one file (frame < 0), read for every frame in the
// laboratory.
static mn_status export_mesh(const Export* e, const char* name, bool moving, int frame)
{
    char path[PATH_ROOM];
    SurfaceMesh mesh;
    TRY(frame_path(path, e->run->dir, name, moving ? frame : -1, ".ply"));
    TRY(ply_read_mesh(&mesh, path, e->run->dim));
    for (int i = 0; i < mesh.vertex_count && e->place; i++)
        for (int d = 0; d < e->run->dim; d++) mesh.position[i][d] += e->place[frame][d];
    mn_status status = formats_write_mesh(e->to, name, frame, &mesh, e->options->formats);
    surfacemesh_free(&mesh);
    return status;
}

static mn_status export_series(const Export* e, const char* name, bool moving)
{
    const ExportOptions* o = e->options;
    if (!moving && !e->place) return export_mesh(e, name, false, -1);
    for (int frame = o->first; frame <= o->last; frame++) TRY(export_mesh(e, name, moving, frame));
    return formats_write_series(e->to, name, o->first, o->last, e->run->frame_rate, o->formats);
}

static mn_status export_all(const Export* e)
{
    const ExportOptions* o = e->options;
    if (o->formats & (OUTPUT_OBJ | OUTPUT_VTKHDF)) {
        TRY(export_series(e, "surface", true));
        for (int m = 0; m < e->run->solid_count; m++) {
            char name[80];
            snprintf(name, sizeof name, "solid_%s", e->run->solids[m].name);
            TRY(export_series(e, name, e->run->solids[m].moving));
        }
    }
    return o->formats & OUTPUT_USDA ? usda_write(e->to, e->run, o->first, o->last, e->place) : MN_OK;
}

static mn_status export_run(const RunFiles* run, const char* to, const ExportOptions* o)
{
    Export e = {.run = run, .to = to, .options = o};
    if (o->lab) TRY(labframe_read(&e.place, run));
    mn_status status = export_all(&e);
    free(e.place);
    return status;
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
