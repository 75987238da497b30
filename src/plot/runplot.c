#include "plot/runplot.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "output/jsonfile.h"

static const struct {
    const char* word;
    int what;
} words[] = {{"energy", RUNPLOT_ENERGY},   {"volume", RUNPLOT_VOLUME},         {"centroid", RUNPLOT_CENTROID},
             {"liquids", RUNPLOT_LIQUIDS}, {"iterations", RUNPLOT_ITERATIONS}, {"stages", RUNPLOT_STAGES},
             {"all", RUNPLOT_ALL}};

mn_status runplot_words(int* what, const char* list)
{
    for (const char* at = list;; at++) {
        size_t length = strcspn(at, ",");
        int found = 0;
        for (size_t w = 0; w < sizeof words/sizeof *words; w++)
            if (strlen(words[w].word) == length && !strncmp(words[w].word, at, length)) found = words[w].what;
        if (!found)
            return mn_fail(MN_BAD_ARGUMENT, "'%.*s': expected energy, volume, centroid, liquids, iterations, stages or all",
                           (int)length, at);
        *what |= found;
        at += length;
        if (!*at) return MN_OK;
    }
}

// The last `parts` names of a path.
static const char* path_end(const char* path, int parts)
{
    const char* at = path + strlen(path);
    while (at > path && parts > 0) {
        at--;
        if (*at == '/' && at[1] && at[1] != '/') parts--;
    }
    return *at == '/' && parts == 0 ? at + 1 : at;
}

static bool same_name(const char* a, const char* b)
{
    size_t n = strlen(a), m = strlen(b);
    while (n > 0 && a[n - 1] == '/') n--;
    while (m > 0 && b[m - 1] == '/') m--;
    return n == m && !strncmp(a, b, n);
}

void runplot_name(char name[PLOT_TEXT], const char* const* dir, int count, int which)
{
    int parts = 1;
    for (int i = 0; i < count; i++)
        while (i != which && parts < 8 && same_name(path_end(dir[i], parts), path_end(dir[which], parts))) parts++;
    const char* from = path_end(dir[which], parts);
    int length = (int)strlen(from);
    while (length > 1 && from[length - 1] == '/') length--;
    snprintf(name, PLOT_TEXT, "%.*s", length < 60 ? length : 60, from);
}

// ---- one run, as far as it is read ----------------------------------------------------------------------------------------

typedef struct RunData {
    char name[PLOT_TEXT];
    CsvTable table;
    int frames;                      // in liquids.csv
    double *frame_time, *centre[3];  // s, m; of all liquids together
    json_t* json;
    char json_path[PATH_ROOM];
    int dim;
    double dx;  // m
} RunData;

static void rundata_free(RunData* r)
{
    csv_free(&r->table);
    free(r->frame_time);
    for (int d = 0; d < 3; d++) free(r->centre[d]);
    json_decref(r->json);
    *r = (RunData){0};
}

static mn_status read_json(RunData* r, const char* dir)
{
    TRY(path_join(r->json_path, dir, "run.json"));
    TRY(jsonfile_read(&r->json, r->json_path));
    double dim = json_number_value(json_object_get(r->json, "dim"));
    r->dim = dim == 3 ? 3 : 2;
    r->dx = json_number_value(json_object_get(r->json, "dx"));
    if (dim != r->dim) return mn_fail(MN_IO, "%s: \"dim\" must be 2 or 3", r->json_path);
    return MN_OK;
}

// sum V c / sum V over the rows of each frame, which follow each other.
static mn_status find_centres(RunData* r, const CsvTable* t)
{
    const double *frame, *time, *volume, *c[3];
    TRY(csv_column(&frame, t, "frame"));
    TRY(csv_column(&time, t, "t"));
    TRY(csv_column(&volume, t, "volume"));
    TRY(csv_column(&c[0], t, "cx"));
    TRY(csv_column(&c[1], t, "cy"));
    TRY(csv_column(&c[2], t, "cz"));
    if (t->rows == 0) return mn_fail(MN_IO, "%s: there are no rows yet", t->path);
    r->frame_time = calloc((size_t)t->rows, sizeof(double));
    for (int d = 0; d < 3; d++) r->centre[d] = calloc((size_t)t->rows, sizeof(double));
    if (!r->frame_time || !r->centre[0] || !r->centre[1] || !r->centre[2])
        return mn_fail(MN_NO_MEMORY, "%s: out of memory", t->path);
    for (int i = 0; i < t->rows;) {
        double sum[3] = {0}, total = 0;
        int first = i;
        for (; i < t->rows && frame[i] == frame[first]; i++) {
            total += volume[i];
            for (int d = 0; d < 3; d++) sum[d] += volume[i]*c[d][i];
        }
        r->frame_time[r->frames] = time[first];
        for (int d = 0; d < 3; d++) r->centre[d][r->frames] = total > 0 ? sum[d]/total : NAN;
        r->frames++;
    }
    return MN_OK;
}

static mn_status rundata_read(RunData* r, const char* dir, int what)
{
    char path[PATH_ROOM];
    TRY(read_json(r, dir));
    if (what & ~(RUNPLOT_CENTROID | RUNPLOT_STAGES)) {
        TRY(path_join(path, dir, "table.csv"));
        TRY(csv_read(&r->table, path));
        if (r->table.rows == 0) return mn_fail(MN_IO, "%s: there are no rows yet", path);
    }
    if (!(what & RUNPLOT_CENTROID)) return MN_OK;
    CsvTable liquids;
    TRY(path_join(path, dir, "liquids.csv"));
    TRY(csv_read(&liquids, path));
    mn_status status = find_centres(r, &liquids);
    csv_free(&liquids);
    return status;
}

// ---- panels ----------------------------------------------------------------------------------------------------------------

static const PlotAxis time_axis = {.label = "time", .unit = "s"};

// One thing of a run's table.csv as a curve.
typedef struct Curve {
    const char *name, *label;
    PlotStyle style;
    bool absolute, may_lack;
} Curve;

static bool all_zero(const double* v, int count)
{
    for (int i = 0; i < count; i++)
        if (v[i] != 0) return false;
    return true;
}

// In a panel of one run things differ by colour; with more runs the run has the colour, the thing the style, and a black entry
// of the legend tells which.
static mn_status add_column(PlotPanel* p, const RunData* run, int which, int runs, const Curve* c, int thing)
{
    const double *t, *v = csv_find(&run->table, c->name);
    TRY(csv_column(&t, &run->table, "t"));
    if (!v && c->may_lack) return MN_OK;
    TRY(csv_column(&v, &run->table, c->name));
    int count = run->table.rows;
    if (c->may_lack && all_zero(v, count)) return MN_OK;
    double* positive = malloc(sizeof *positive*(size_t)count);
    if (!positive) return mn_fail(MN_NO_MEMORY, "%s: out of memory", run->table.path);
    for (int i = 0; i < count; i++) positive[i] = c->absolute ? fabs(v[i]) : v[i];
    PlotSeries s = {.style = c->style, .colour = runs > 1 ? which : thing, .count = count, .x = t, .y = positive};
    if (runs == 1) snprintf(s.label, sizeof s.label, "%s", c->label);
    plot_add_series(p, &s);
    free(positive);
    return MN_OK;
}

static mn_status add_columns(PlotPanel* p, const RunData* run, int runs, const Curve* column, int columns)
{
    for (int c = 0; c < columns; c++) {
        int before = p ? p->series_count : 0;
        for (int r = 0; r < runs; r++) TRY(add_column(p, &run[r], r, runs, &column[c], c));
        if (!p || runs == 1 || !column[c].label[0] || p->series_count == before) continue;
        PlotSeries key = {.style = column[c].style, .colour = PLOT_INK};
        snprintf(key.label, sizeof key.label, "%s", column[c].label);
        plot_add_series(p, &key);
    }
    return MN_OK;
}

static mn_status add_energy(PlotFigure* f, const RunData* run, int runs)
{
    PlotPanel like = {.title = "Kinetic energy", .x = time_axis, .y = {.label = "kinetic energy"}};
    snprintf(like.y.unit, sizeof like.y.unit, "%s", run[0].dim == 2 ? "J/m" : "J");
    static const Curve kinetic = {"kinetic_energy", "", PLOT_LINE, false, false};
    return add_columns(plot_add_panel(f, &like), run, runs, &kinetic, 1);
}

static mn_status add_volume(PlotFigure* f, const RunData* run, int runs)
{
    PlotPanel like = {.title = "Volume error", .x = time_axis, .y = {.label = "relative error", .log = true}};
    static const Curve errors[] = {{"volume_correction", "of a liquid, before it is put right", PLOT_LINE, true, false},
                                   {"ledger_error", "of all together, after", PLOT_DOTS, true, false}};
    return add_columns(plot_add_panel(f, &like), run, runs, errors, 2);
}

static mn_status add_centroid(PlotFigure* f, const RunData* run, int runs)
{
    int dim = 2;
    double dx = 0;
    for (int r = 0; r < runs; r++) dim = run[r].dim == 3 ? 3 : dim, dx = fmax(dx, run[r].dx);
    for (int d = 0; d < dim; d++) {
        PlotPanel like = {.x = time_axis, .y = {.unit = "m", .least_range = dx}};  // less than a cell is no news
        snprintf(like.title, sizeof like.title, "Centre of volume, %c", "xyz"[d]);
        snprintf(like.y.label, sizeof like.y.label, "%c", "xyz"[d]);
        PlotPanel* p = plot_add_panel(f, &like);
        for (int r = 0; r < runs; r++)
            if (d < run[r].dim)
                plot_add_series(
                    p, &(PlotSeries){.colour = r, .count = run[r].frames, .x = run[r].frame_time, .y = run[r].centre[d]});
    }
    return MN_OK;
}

static mn_status add_liquids(PlotFigure* f, const RunData* run, int runs)
{
    PlotPanel like = {.title = "Number of liquids", .x = time_axis, .y = {.label = "number", .whole = true}};
    static const Curve counts[] = {{"liquids", "liquids", PLOT_STEPS, false, false},
                                   {"droplets", "droplets of spray", PLOT_DASHES, false, true}};
    return add_columns(plot_add_panel(f, &like), run, runs, counts, 2);
}

static mn_status add_iterations(PlotFigure* f, const RunData* run, int runs)
{
    PlotPanel like = {.title = "Iterations of the pressure solve", .x = time_axis, .y = {.label = "iterations", .whole = true}};
    static const Curve iterations = {"iterations", "", PLOT_LINE, false, false};
    return add_columns(plot_add_panel(f, &like), run, runs, &iterations, 1);
}

// The stages of all runs, in the order they are met, without those that took no time anywhere.
static mn_status add_stages(PlotFigure* f, const RunData* run, int runs)
{
    PlotPanel* p =
        plot_add_panel(f, &(PlotPanel){.title = "Time per stage", .x = {.label = "time per stage of all steps", .unit = "s"}});
    json_t* all = json_object();
    mn_status status = all && p ? MN_OK : mn_fail(MN_NO_MEMORY, "out of memory");
    const char* key;
    json_t* value;
    for (int r = 0; r < runs && status == MN_OK; r++) {
        json_t* stages = json_object_get(run[r].json, "stage_seconds");
        if (json_object_size(stages) == 0)
            status = mn_fail(MN_IO, "%s: \"stage_seconds\" is missing or empty; has the run made a step?", run[r].json_path);
        json_object_foreach(stages, key, value)
        {
            if (!json_is_number(value))
                status = mn_fail(MN_IO, "%s: \"stage_seconds\": \"%s\" must be a number", run[r].json_path, key);
            else if (json_number_value(value) > 0) json_object_set_new(all, key, json_true());
        }
    }
    json_object_foreach(all, key, value) plot_add_name(p, key);
    size_t stages = json_object_size(all);
    double* seconds = status == MN_OK ? malloc(sizeof *seconds*(stages + 1)) : NULL;
    for (int r = 0; r < runs && seconds; r++) {
        int i = 0;
        json_object_foreach(all, key, value) seconds[i++] =
            json_number_value(json_object_get(json_object_get(run[r].json, "stage_seconds"), key));
        plot_add_series(p, &(PlotSeries){.style = PLOT_BARS, .colour = r, .count = i, .y = seconds});
    }
    if (status == MN_OK && !seconds) status = mn_fail(MN_NO_MEMORY, "out of memory");
    free(seconds);
    json_decref(all);
    return status;
}

// A run knows its stages from its first checkpoint on. One that is younger can be drawn all the same, unless stages are asked
// for.
static bool stages_are_known(const RunData* run, int runs)
{
    for (int r = 0; r < runs; r++)
        if (json_object_size(json_object_get(run[r].json, "stage_seconds")) == 0) return false;
    return true;
}

static mn_status add_panels(PlotFigure* f, const RunData* run, int runs, int what)
{
    if (what & RUNPLOT_ENERGY) TRY(add_energy(f, run, runs));
    if (what & RUNPLOT_VOLUME) TRY(add_volume(f, run, runs));
    if (what & RUNPLOT_CENTROID) TRY(add_centroid(f, run, runs));
    if (what & RUNPLOT_LIQUIDS) TRY(add_liquids(f, run, runs));
    if (what & RUNPLOT_ITERATIONS) TRY(add_iterations(f, run, runs));
    if (what == RUNPLOT_ALL && !stages_are_known(run, runs)) return MN_OK;
    if (what & RUNPLOT_STAGES) TRY(add_stages(f, run, runs));
    return MN_OK;
}

mn_status runplot_add(PlotFigure* f, const char* const* dir, int count, int what)
{
    if (count < 1 || count > RUNPLOT_MAX_RUNS)
        return mn_fail(MN_BAD_ARGUMENT, "between 1 and %d runs fit a plot", RUNPLOT_MAX_RUNS);
    RunData* run = calloc((size_t)count, sizeof *run);
    mn_status status = run ? MN_OK : mn_fail(MN_NO_MEMORY, "out of memory");
    for (int r = 0; r < count && status == MN_OK; r++) {
        status = rundata_read(&run[r], dir[r], what);
        runplot_name(run[r].name, dir, count, r);
    }
    const char* title = status == MN_OK ? json_string_value(json_object_get(run[0].json, "title")) : NULL;
    if (count == 1) snprintf(f->title, sizeof f->title, "%.180s", title && title[0] ? title : run ? run[0].name : "");
    for (int r = 0; r < count && count > 1 && status == MN_OK; r++) {
        PlotSeries key = {.colour = r};
        snprintf(key.label, sizeof key.label, "%s", run[r].name);
        plot_add_legend(f, &key);
    }
    if (status == MN_OK) status = add_panels(f, run, count, what);
    for (int r = 0; r < count && run; r++) rundata_free(&run[r]);
    free(run);
    return status;
}
