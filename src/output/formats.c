#include "output/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/vec.h"
#include "output/files.h"
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

static mn_status export_mesh(const RunFiles* run, const char* to, const char* name, int frame, unsigned formats)
{
    char path[PATH_ROOM];
    SurfaceMesh mesh;
    TRY(frame_path(path, run->dir, name, frame, ".ply"));
    TRY(ply_read_mesh(&mesh, path, run->dim));
    mn_status status = formats_write_mesh(to, name, frame, &mesh, formats);
    surfacemesh_free(&mesh);
    return status;
}

static mn_status export_sequence(const RunFiles* run, const char* to, const char* name, const ExportOptions* o)
{
    for (int frame = o->first; frame <= o->last; frame++) TRY(export_mesh(run, to, name, frame, o->formats));
    return formats_write_series(to, name, o->first, o->last, run->frame_rate, o->formats);
}

static mn_status export_all(const RunFiles* run, const char* to, const ExportOptions* o)
{
    if (o->formats & (OUTPUT_OBJ | OUTPUT_VTKHDF)) {
        TRY(export_sequence(run, to, "surface", o));
        for (int m = 0; m < run->solid_count; m++) {
            char name[80];
            snprintf(name, sizeof name, "solid_%s", run->solids[m].name);
            if (run->solids[m].moving) TRY(export_sequence(run, to, name, o));
            else TRY(export_mesh(run, to, name, -1, o->formats));
        }
    }
    return o->formats & OUTPUT_USDA ? usda_write(to, run, o->first, o->last) : MN_OK;
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
    if (status == MN_OK) status = export_all(&run, to, &o);
    runfiles_close(&run);
    return status;
}
