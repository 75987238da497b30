#include "output/output.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/timer.h"
#include "output/checkpoint.h"
#include "output/filmfile.h"
#include "output/files.h"
#include "output/formats.h"
#include "output/ply.h"
#include "output/probes.h"
#include "output/run_json.h"
#include "output/solidmesh.h"
#include "output/table.h"

struct Output {
    char dir[PATH_ROOM];
    const Scene* scene;  // borrowed
    RowFile table, liquids, probes;
    Bytes text;   // rows under way
    Arena arena;  // of one call
    char started[32];
    char tension[300];  // what output_tell_tension was told
    int threads;
    int frames;          // written so far
    bool static_solids;  // written
    double wall_before;  // s, of the sessions before this one
    double since;
};

static double wall_seconds(const Output* o) { return o->wall_before + timer_now() - o->since; }

static mn_status write_run_json(Output* o, const Sim* sim, const char* status)
{
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "run.json"));
    RunState run = {.status = status,
                    .started = o->started,
                    .threads = o->threads,
                    .frames = o->frames,
                    .wall_seconds = wall_seconds(o),
                    .tension = o->tension};
    return run_json_write(path, o->scene, sim, &run);
}

mn_status output_tell_tension(Output* o, const Sim* sim, const char* line)
{
    snprintf(o->tension, sizeof o->tension, "%s", line);
    return write_run_json(o, sim, "running");
}

// ---- opening -------------------------------------------------------------------------------------------------------------

// Frames after `first` would mix two runs in one film. Only names that runs give are touched.
static void clear_frames(const Output* o, int first)
{
    directory_clear(o->dir, "surface_", ".ply", first);
    directory_clear(o->dir, "spray_", ".ply", first);
    directory_clear(o->dir, "film_", ".ply", first);
    directory_clear(o->dir, "solid_", ".ply", first);
    formats_clear(o->dir, first);
    char pictures[PATH_ROOM];
    if (path_join(pictures, o->dir, "pictures") == MN_OK) directory_clear(pictures, "frame_", ".png", first);
}

static void clear_earlier_run(const Output* o)
{
    static const char* const names[] = {
        "checkpoint.h5", "checkpoint_previous.h5", "checkpoint_new.h5", "probes.csv", "movie.mp4", "plot.png", "strip.png"};
    char path[PATH_ROOM];
    // a directory without run.json is not ours to clear
    if (path_join(path, o->dir, "run.json") != MN_OK || access(path, F_OK) != 0) return;
    clear_frames(o, 0);
    for (size_t m = 0; m < sizeof names/sizeof *names; m++)
        if (path_join(path, o->dir, "%s", names[m]) == MN_OK) unlink(path);
}

static mn_status start_tables(Output* o)
{
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "table.csv"));
    table_header(&o->text);
    TRY(rowfile_create(&o->table, path, &o->text));
    bytes_clear(&o->text);
    TRY(path_join(path, o->dir, "liquids.csv"));
    liquids_header(&o->text);
    TRY(rowfile_create(&o->liquids, path, &o->text));
    bytes_clear(&o->text);
    if (o->scene->probe_count == 0) return MN_OK;
    TRY(path_join(path, o->dir, "probes.csv"));
    probes_header(&o->text, o->scene);
    TRY(rowfile_create(&o->probes, path, &o->text));
    bytes_clear(&o->text);
    return MN_OK;
}

mn_status output_open(Output** out, const char* dir, const Scene* scene, const OutputOptions* options)
{
    *out = NULL;
    if (options->resume && access(dir, F_OK) != 0) return mn_fail(MN_BAD_CHECKPOINT, "%s: there is no run to go on with", dir);
    TRY(directory_make(dir));
    Output* o = calloc(1, sizeof *o);
    if (!o) return mn_fail(MN_NO_MEMORY, "%s: out of memory", dir);
    snprintf(o->dir, sizeof o->dir, "%s", dir);
    o->scene = scene;
    o->threads = options->threads > 0 ? options->threads : omp_get_max_threads();
    o->since = timer_now();
    o->table.fd = o->liquids.fd = o->probes.fd = -1;
    time_t now = time(NULL);
    struct tm utc;
    strftime(o->started, sizeof o->started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    mn_status status = MN_OK;
    if (!options->resume) {
        clear_earlier_run(o);
        status = start_tables(o);
        if (status == MN_OK) status = write_run_json(o, NULL, "running");
    }
    if (status == MN_OK) *out = o;
    else output_close(o);
    return status;
}

static mn_status reopen_tables(Output* o, const CheckpointRun* run)
{
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "table.csv"));
    TRY(rowfile_reopen(&o->table, path, run->table_bytes));
    TRY(path_join(path, o->dir, "liquids.csv"));
    TRY(rowfile_reopen(&o->liquids, path, run->liquids_bytes));
    if (o->scene->probe_count == 0) return MN_OK;
    TRY(path_join(path, o->dir, "probes.csv"));
    return rowfile_reopen(&o->probes, path, run->probes_bytes);
}

// The files that list the frames so far, after the frames themselves: what is listed is there.
static mn_status write_series(const Output* o, int last)
{
    const Scene* s = o->scene;
    TRY(formats_write_series(o->dir, "surface", 0, last, s->frame_rate, s->formats));
    TRY(formats_write_series(o->dir, "volume", 0, last, s->frame_rate, s->formats));
    for (int m = 0; m < s->solid_count; m++) {
        char name[80];
        snprintf(name, sizeof name, "solid_%s", s->solids[m].name);
        if (s->solids[m].moving) TRY(formats_write_series(o->dir, name, 0, last, s->frame_rate, s->formats));
    }
    return MN_OK;
}

mn_status output_resume(Output* o, Sim* sim, int* frame)
{
    CheckpointRun run = {.fingerprint = o->scene->fingerprint};
    TRY(checkpoint_read(sim, &run, o->dir));
    TRY(reopen_tables(o, &run));
    clear_frames(o, run.frame + 1);
    o->wall_before = run.wall_seconds;
    o->frames = run.frame + 1;
    *frame = run.frame;
    TRY(write_series(o, run.frame));
    return write_run_json(o, sim, "running");
}

void output_close(Output* o)
{
    if (!o) return;
    rowfile_close(&o->table);
    rowfile_close(&o->liquids);
    rowfile_close(&o->probes);
    bytes_free(&o->text);
    arena_free(&o->arena);
    free(o);
}

// ---- while it runs -------------------------------------------------------------------------------------------------------

mn_status output_step(Output* o, const Sim* sim)
{
    bytes_clear(&o->text);
    table_row(&o->text, sim, &o->arena, wall_seconds(o));
    long long before = o->table.size;
    TRY(rowfile_add(&o->table, &o->text));
    if (o->probes.fd < 0) return MN_OK;
    bytes_clear(&o->text);
    probes_row(&o->text, o->scene, sim);
    mn_status status = rowfile_add(&o->probes, &o->text);
    if (status != MN_OK) rowfile_cut(&o->table, before);  // the two tables stay in step
    return status;
}

static mn_status write_surface(Output* o, const Sim* sim, int frame)
{
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "surface_%04d.ply", frame));
    SurfaceMesh mesh = {.corners = sim->model.tank.dim};
    mn_status status = MN_OK;
    for (int m = 0; m < sim->world.liquid_count && status == MN_OK; m++) {
        const Liquid* q = &sim->world.liquid[m];
        double* const u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
        status =
            marching_add(&mesh, &(MarchingInput){.w = &q->w, .phi = q->phi.v, .solid = liquid_solid(q), .u = u, .owner = q->id});
    }
    if (status == MN_OK) status = formats_write_mesh(o->dir, "surface", frame, &mesh, o->scene->formats);
    if (status == MN_OK) status = ply_write_mesh(path, &mesh);
    surfacemesh_free(&mesh);
    return status;
}

static mn_status write_solid(Output* o, const Sim* sim, int m, int frame)
{
    const SceneSolid* s = &o->scene->solids[m];
    char path[PATH_ROOM], name[80];
    if (s->moving) TRY(path_join(path, o->dir, "solid_%s_%04d.ply", s->name, frame));
    else TRY(path_join(path, o->dir, "solid_%s.ply", s->name));
    SurfaceMesh mesh;
    const Solid* solid = &sim->world.solids.solid[m];
    TRY(solidmesh_make(&mesh, solid, solid->form ? solid->pose.shape : s->shape, &sim->model.tank));
    snprintf(name, sizeof name, "solid_%s", s->name);
    mn_status status = formats_write_mesh(o->dir, name, s->moving ? frame : -1, &mesh, o->scene->formats);
    if (status == MN_OK) status = ply_write_mesh(path, &mesh);
    surfacemesh_free(&mesh);
    return status;
}

mn_status output_frame(Output* o, const Sim* sim, int frame)
{
    char path[PATH_ROOM];
    for (int m = 0; m < o->scene->solid_count && m < sim->world.solids.count; m++)
        if (o->scene->solids[m].moving || !o->static_solids) TRY(write_solid(o, sim, m, frame));
    o->static_solids = true;
    TRY(path_join(path, o->dir, "spray_%04d.ply", frame));
    if (sim->world.spray.count > 0) TRY(ply_write_spray(path, &sim->world.spray, sim->model.tank.dim));
    TRY(path_join(path, o->dir, "film_%04d.ply", frame));
    if (sim->world.film.count > 0) TRY(filmfile_write(path, &sim->world.film));
    TRY(formats_write_volume(o->dir, frame, sim, o->scene->formats));
    // the surface is the last file: where it is, the others of the frame are too
    TRY(write_surface(o, sim, frame));
    TRY(write_series(o, frame));
    bytes_clear(&o->text);
    liquids_rows(&o->text, sim, &o->arena, frame);
    TRY(rowfile_add(&o->liquids, &o->text));
    o->frames = frame + 1;
    return MN_OK;
}

mn_status output_checkpoint(Output* o, Sim* sim, int frame)
{
    CheckpointRun run = {.fingerprint = o->scene->fingerprint,
                         .frame = frame,
                         .wall_seconds = wall_seconds(o),
                         .table_bytes = o->table.size,
                         .liquids_bytes = o->liquids.size,
                         .probes_bytes = o->probes.size};
    TRY(checkpoint_write(o->dir, sim, &run));
    return write_run_json(o, sim, "running");
}

// A USD file holds all frames property by property, so it can only be written when they are there.
static mn_status write_usda(const Output* o)
{
    if (!(o->scene->formats & OUTPUT_USDA) || o->frames == 0) return MN_OK;
    return formats_export(o->dir, &(ExportOptions){.formats = OUTPUT_USDA, .last = o->frames - 1});
}

mn_status output_finish(Output* o, const Sim* sim, const char* status)
{
    TRY(write_run_json(o, sim, status));
    return write_usda(o);
}
