#include "output/output.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/timer.h"
#include "output/checkpoint.h"
#include "output/csv.h"
#include "output/files.h"
#include "output/formats.h"
#include "output/frame.h"
#include "output/framenames.h"
#include "output/ply.h"
#include "output/probes.h"
#include "output/run_json.h"
#include "output/table.h"

struct Output {
    char dir[PATH_ROOM];
    const Scene* scene;  // borrowed
    RowFile table, liquids, probes;
    Columns row;  // under way
    Bytes text;   // rows under way
    Arena arena;  // of one call
    char started[32];
    char tension[300];  // what output_tell_tension was told
    const Warnings* warnings;
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
                    .tension = o->tension,
                    .warnings = o->warnings};
    return run_json_write(path, o->scene, sim, &run);
}

void output_tell_warnings(Output* o, const Warnings* warnings) { o->warnings = warnings; }

mn_status output_tell_tension(Output* o, const Sim* sim, const char* line)
{
    snprintf(o->tension, sizeof o->tension, "%s", line);
    return write_run_json(o, sim, "running");
}

// ---- opening -------------------------------------------------------------------------------------------------------------

// Frames after `first` would mix two runs in one movie. Only names that runs give are touched.
static void clear_frames(const Output* o, int first)
{
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

// A table with the names of o->row as its first line.
static mn_status start_table(Output* o, RowFile* file, const char* name)
{
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "%s", name));
    bytes_clear(&o->text);
    csv_add_names(&o->text, &o->row);
    return rowfile_create(file, path, &o->text);
}

static mn_status start_tables(Output* o, const Sim* sim)
{
    table_columns(&o->row, sim, &(TableSums){0});
    TRY(start_table(o, &o->table, "table.csv"));
    liquid_columns(&o->row, &(LiquidRow){0});
    TRY(start_table(o, &o->liquids, "liquids.csv"));
    if (o->scene->probe_count == 0) return MN_OK;
    probe_columns(&o->row, o->scene, sim);
    return start_table(o, &o->probes, "probes.csv");
}

mn_status output_open(Output** out, const char* dir, const Scene* scene, const Sim* sim, const OutputOptions* options)
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
        status = start_tables(o, sim);
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
    columns_free(&o->row);
    arena_free(&o->arena);
    free(o);
}

// ---- while it runs -------------------------------------------------------------------------------------------------------

static mn_status add_row(Output* o, RowFile* file)
{
    bytes_clear(&o->text);
    csv_add_row(&o->text, &o->row);
    return rowfile_add(file, &o->text);
}

mn_status output_step(Output* o, const Sim* sim)
{
    TableSums sums = table_sums(sim, &o->arena, wall_seconds(o));
    table_columns(&o->row, sim, &sums);
    long long before = o->table.size;
    TRY(add_row(o, &o->table));
    if (o->probes.fd < 0) return MN_OK;
    probe_columns(&o->row, o->scene, sim);
    mn_status status = add_row(o, &o->probes);
    if (status != MN_OK) rowfile_cut(&o->table, before);  // the two tables stay in step
    return status;
}

static mn_status write_layer(const Output* o, const Layer* layer, int frame)
{
    char path[PATH_ROOM];
    int number = layer->still ? -1 : frame;
    assert(framename_is_ours(layer->name));  // or it would neither be read back nor cleared away
    TRY(framename_path(path, o->dir, layer->name, number, ".ply"));
    TRY(formats_write_layer(o->dir, number, layer, o->scene->formats));
    return ply_write(path, layer);
}

// The surface is the last file: where it is, the others of the frame are too.
static mn_status write_layers(const Output* o, const Layers* layers, const Sim* sim, int frame)
{
    for (int m = 0; m < layers->count - 1; m++) TRY(write_layer(o, layers->layer[m], frame));
    TRY(formats_write_volume(o->dir, frame, sim, o->scene->formats));
    return write_layer(o, layers->layer[layers->count - 1], frame);
}

static mn_status add_liquids(Output* o, const Sim* sim, int frame)
{
    bytes_clear(&o->text);
    for (int m = 0; m < sim->world.liquid_count; m++) {
        LiquidRow row = liquid_row(sim, m, &o->arena, frame);
        liquid_columns(&o->row, &row);
        csv_add_row(&o->text, &o->row);
    }
    return rowfile_add(&o->liquids, &o->text);
}

mn_status output_frame(Output* o, const Sim* sim, int frame)
{
    Layers layers = {0};
    mn_status status = frame_show(&layers, o->scene, sim, !o->static_solids);
    if (status == MN_OK) status = write_layers(o, &layers, sim, frame);
    layers_free(&layers);
    TRY(status);
    o->static_solids = true;
    TRY(write_series(o, frame));
    TRY(add_liquids(o, sim, frame));
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
