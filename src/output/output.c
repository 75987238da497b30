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
#include "output/body_row.h"
#include "output/checkpoint.h"
#include "output/csv.h"
#include "output/files.h"
#include "output/formats.h"
#include "output/frame.h"
#include "output/framenames.h"
#include "output/ply.h"
#include "output/probes.h"
#include "output/run_json.h"
#include "output/runlock.h"
#include "output/table.h"

typedef struct TableSizes {
    long long table, liquids, probes, bodies;  // bytes
} TableSizes;

struct Output {
    char dir[PATH_ROOM];
    RunLock lock;
    const Scene* scene;  // borrowed
    RowFile table, liquids, probes, bodies;
    TableSizes before;  // the last output_step
    Columns row;        // under way
    Bytes text;         // rows under way
    Arena arena;        // of one call
    OutputOptions options;
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
    RunState run = {.settings = o->options.settings,
                    .frames_given = o->options.frames_given,
                    .threads_given = o->options.threads_given,
                    .status = status,
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

static void remove_files(const Output* o, const char* const* names)
{
    char path[PATH_ROOM];
    for (; *names; names++)
        if (path_join(path, o->dir, "%s", *names) == MN_OK) unlink(path);
}

// Checkpoints go first, on the disk too: one that outlives its frames or tables would be gone on from.
static mn_status clear_earlier_run(const Output* o)
{
    static const char* const checkpoints[] = {"checkpoint.h5", "checkpoint_previous.h5", "checkpoint_new.h5", NULL};
    static const char* const others[] = {"probes.csv", "bodies.csv", "movie.mp4", "plot.png", "strip.png", NULL};
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "run.json"));
    if (access(path, F_OK) != 0) return MN_OK;  // a directory without run.json is not ours to clear
    remove_files(o, checkpoints);
    TRY(directory_sync(o->dir));
    clear_frames(o, 0);
    remove_files(o, others);
    return MN_OK;
}

// What is done with each table: `name` has the columns of o->row, and `size` bytes at the checkpoint.
typedef mn_status TableVisit(Output* o, RowFile* file, const char* name, long long size);

static mn_status visit_tables(Output* o, const Sim* sim, TableVisit* visit, const TableSizes* size)
{
    table_columns(&o->row, sim, &(TableSums){0});
    TRY(visit(o, &o->table, "table.csv", size->table));
    liquid_columns(&o->row, &(LiquidRow){.name = ""});
    TRY(visit(o, &o->liquids, "liquids.csv", size->liquids));
    if (o->scene->probe_count > 0) {
        probe_columns(&o->row, o->scene, sim);
        TRY(visit(o, &o->probes, "probes.csv", size->probes));
    }
    if (body_row_count(sim) == 0) return MN_OK;
    body_columns(&o->row, sim, -1, 0);
    return visit(o, &o->bodies, "bodies.csv", size->bodies);
}

static void put_first_line(Output* o)
{
    bytes_clear(&o->text);
    csv_add_names(&o->text, &o->row);
}

static mn_status start_table(Output* o, RowFile* file, const char* name, long long size)
{
    (void)size;
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "%s", name));
    put_first_line(o);
    return rowfile_create(file, path, &o->text);
}

static mn_status check_table(Output* o, RowFile* file, const char* name, long long size)
{
    (void)file;
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "%s", name));
    put_first_line(o);
    return rowfile_fits(path, &o->text, size);
}

static mn_status reopen_table(Output* o, RowFile* file, const char* name, long long size)
{
    char path[PATH_ROOM];
    TRY(path_join(path, o->dir, "%s", name));
    return rowfile_reopen(file, path, size);
}

static mn_status start_run(Output* o, const Sim* sim)
{
    TRY(clear_earlier_run(o));
    TRY(visit_tables(o, sim, start_table, &(TableSizes){0}));
    return write_run_json(o, NULL, "running");
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
    o->options = *options;
    o->threads = options->threads > 0 ? options->threads : omp_get_max_threads();
    o->since = timer_now();
    o->table.fd = o->liquids.fd = o->probes.fd = o->bodies.fd = o->lock.fd = -1;
    time_t now = time(NULL);
    struct tm utc;
    strftime(o->started, sizeof o->started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    mn_status status = runlock_take(&o->lock, dir);
    if (status == MN_OK && !options->resume) status = start_run(o, sim);
    if (status == MN_OK) *out = o;
    else output_close(o);
    return status;
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
    for (int m = 0; m < s->rod_count; m++) {
        char name[80];
        snprintf(name, sizeof name, "rod_%s", s->rods[m].name);
        TRY(formats_write_series(o->dir, name, 0, last, s->frame_rate, s->formats));
    }
    return MN_OK;
}

mn_status output_resume(Output* o, Sim* sim, int* frame)
{
    CheckpointRun run = {.fingerprint = o->scene->fingerprint};
    TRY(checkpoint_read(sim, &run, o->dir));
    TableSizes size = {run.table_bytes, run.liquids_bytes, run.probes_bytes, run.bodies_bytes};
    TRY(visit_tables(o, sim, check_table, &size));  // all of them, before any is cut
    TRY(visit_tables(o, sim, reopen_table, &size));
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
    rowfile_close(&o->bodies);
    bytes_free(&o->text);
    columns_free(&o->row);
    arena_free(&o->arena);
    runlock_release(&o->lock);
    free(o);
}

// ---- while it runs -------------------------------------------------------------------------------------------------------

static mn_status add_row(Output* o, RowFile* file)
{
    bytes_clear(&o->text);
    csv_add_row(&o->text, &o->row);
    TRY(rowfile_check(file));
    return rowfile_add(file, &o->text);
}

static TableSizes table_sizes(const Output* o)
{
    return (TableSizes){o->table.size, o->liquids.size, o->probes.size, o->bodies.size};
}

mn_status output_step(Output* o, const Sim* sim)
{
    TableSums sums = table_sums(sim, &o->arena, wall_seconds(o));
    table_columns(&o->row, sim, &sums);
    o->before = table_sizes(o);
    TRY(add_row(o, &o->table));
    if (o->probes.fd < 0) return MN_OK;
    probe_columns(&o->row, o->scene, sim);
    mn_status status = add_row(o, &o->probes);
    if (status != MN_OK) output_undo_step(o);  // the two tables stay in step
    return status;
}

static void cut_back(RowFile* file, long long size)
{
    if (file->size > size) rowfile_cut(file, size);
}

void output_undo_step(Output* o)
{
    cut_back(&o->table, o->before.table);
    cut_back(&o->liquids, o->before.liquids);
    cut_back(&o->probes, o->before.probes);
    cut_back(&o->bodies, o->before.bodies);
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
        LiquidRow row = liquid_row(o->scene, sim, m, &o->arena, frame);
        liquid_columns(&o->row, &row);
        csv_add_row(&o->text, &o->row);
    }
    TRY(rowfile_check(&o->liquids));
    return rowfile_add(&o->liquids, &o->text);
}

static mn_status add_bodies(Output* o, const Sim* sim, int frame)
{
    if (o->bodies.fd < 0) return MN_OK;
    bytes_clear(&o->text);
    for (int b = 0; b < body_row_count(sim); b++) {
        body_columns(&o->row, sim, b, frame);
        csv_add_row(&o->text, &o->row);
    }
    TRY(rowfile_check(&o->bodies));
    return rowfile_add(&o->bodies, &o->text);
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
    long long liquids = o->liquids.size;
    TRY(add_liquids(o, sim, frame));
    status = add_bodies(o, sim, frame);
    if (status != MN_OK) cut_back(&o->liquids, liquids);  // the two tables stay in step
    TRY(status);
    o->frames = frame + 1;
    return MN_OK;
}

// Frames and pictures were written one by one; their names are not on the disk yet.
static mn_status sync_results(Output* o)
{
    char pictures[PATH_ROOM];
    TRY(path_join(pictures, o->dir, "pictures"));
    TRY(rowfile_sync(&o->table));
    TRY(rowfile_sync(&o->liquids));
    TRY(rowfile_sync(&o->probes));
    TRY(rowfile_sync(&o->bodies));
    if (access(pictures, F_OK) == 0) TRY(directory_sync(pictures));
    return directory_sync(o->dir);
}

mn_status output_checkpoint(Output* o, Sim* sim, int frame)
{
    TRY(sync_results(o));
    CheckpointRun run = {.fingerprint = o->scene->fingerprint,
                         .frame = frame,
                         .wall_seconds = wall_seconds(o),
                         .table_bytes = o->table.size,
                         .liquids_bytes = o->liquids.size,
                         .probes_bytes = o->probes.size,
                         .bodies_bytes = o->bodies.size};
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
