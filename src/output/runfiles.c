#include "output/runfiles.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "output/files.h"
#include "output/framenames.h"
#include "output/jsonfile.h"
#include "output/mirror.h"
#include "output/orient.h"
#include "output/runlayers.h"

static double number_or(const json_t* object, const char* key, double otherwise)
{
    const json_t* v = json_object_get(object, key);
    return json_is_number(v) ? json_number_value(v) : otherwise;
}

static mn_status take_size(RunFiles* run, const json_t* root, const char* path)
{
    const json_t* size = json_object_get(root, "size");
    if (json_array_size(size) < (size_t)run->dim) return mn_fail(MN_IO, "%s: \"size\" must be a list of lengths", path);
    for (int d = 0; d < run->dim; d++) {
        run->size[d] = json_number_value(json_array_get(size, (size_t)d));
        if (!(run->size[d] > 0 && run->size[d] < 1e6)) return mn_fail(MN_IO, "%s: \"size\" must be positive", path);
    }
    return MN_OK;
}

static const char* const sort_words[] = {[RUN_SOLID] = "solid", [RUN_SHEET] = "sheet", [RUN_ROD] = "rod"};

static mn_status take_list(RunFiles* run, const json_t* list, RunSort sort, const char* path)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t* item = json_array_get(list, i);
        const char* name = json_string_value(json_object_get(item, "name"));
        if (!name || !name[0] || strchr(name, '/')) return mn_fail(MN_IO, "%s: a %s has no usable name", path, sort_words[sort]);
        RunSolid* solid = &run->solids[run->solid_count++];
        snprintf(solid->name, sizeof solid->name, "%s", name);
        const char* look = json_string_value(json_object_get(item, "look"));
        snprintf(solid->look, sizeof solid->look, "%s", look ? look : "");
        solid->moving = json_is_true(json_object_get(item, "moving")), solid->sort = sort;
    }
    return MN_OK;
}

static mn_status take_solids(RunFiles* run, const json_t* root, const char* path)
{
    const json_t *solids = json_object_get(root, "solids"), *sheets = json_object_get(root, "sheets"),
                 *rods = json_object_get(root, "rods");
    size_t count = json_array_size(solids) + json_array_size(sheets) + json_array_size(rods);
    run->solids = calloc(count + 1, sizeof *run->solids);
    if (!run->solids) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    TRY(take_list(run, solids, RUN_SOLID, path));
    TRY(take_list(run, sheets, RUN_SHEET, path));
    return take_list(run, rods, RUN_ROD, path);
}

void runsolid_layer(char layer[LAYER_NAME], const RunSolid* solid)
{
    snprintf(layer, LAYER_NAME, "%s_%s", sort_words[solid->sort], solid->name);
}

// Runs of liquids that all look the same have no "looks".
static mn_status take_looks(RunFiles* run, const json_t* root, const char* path)
{
    const json_t* list = json_object_get(root, "looks");
    size_t count = json_array_size(list);
    const char* material = json_string_value(json_array_get(json_object_get(root, "materials"), 0));
    run->looks = calloc(count + 1, sizeof *run->looks);
    if (!run->looks) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    run->look_count = count > 0 ? (int)count : 1;
    snprintf(run->looks[0], sizeof run->looks[0], "%s", material ? material : "water");
    for (size_t i = 0; i < count; i++) {
        const char* word = json_string_value(json_array_get(list, i));
        snprintf(run->looks[i], sizeof run->looks[i], "%s", word ? word : "water");
    }
    return MN_OK;
}

static mn_status take_all(RunFiles* run, const json_t* root, const char* path)
{
    double dim = number_or(root, "dim", 0);
    if (dim != 2 && dim != 3) return mn_fail(MN_IO, "%s: \"dim\" must be 2 or 3", path);
    run->dim = (int)dim;
    TRY(take_size(run, root, path));
    run->dx = number_or(root, "dx", 0);
    run->frame_rate = number_or(root, "frame_rate", 0);
    const char* title = json_string_value(json_object_get(root, "title"));
    snprintf(run->title, sizeof run->title, "%s", title ? title : "");
    TRY(take_looks(run, root, path));
    const json_t* sides = json_object_get(root, "sides");
    bool is_mirror[6];
    for (size_t s = 0; s < 6; s++) {
        const char* side = json_string_value(json_array_get(sides, s));
        run->wall[s] = !side || strcmp(side, "open") != 0;
        is_mirror[s] = side && strcmp(side, "mirror") == 0;
    }
    mirror_tank(run, is_mirror);
    return take_solids(run, root, path);
}

// The frames that are there, counted on disk: a run that is still going on or was stopped can be rendered too.
static mn_status count_frames(RunFiles* run)
{
    char path[PATH_ROOM];
    for (run->frames = 0;; run->frames++) {
        snprintf(path, sizeof path, "%s/surface_%04d.ply", run->dir, run->frames);
        if (access(path, R_OK) != 0) break;
    }
    if (run->frames > 0) return MN_OK;
    return mn_fail(MN_IO, "%s: there is no surface_0000.ply; is this the directory of a run?", run->dir);
}

mn_status runfiles_open(RunFiles* run, const char* dir)
{
    *run = (RunFiles){.dir = strdup(dir)};
    if (!run->dir) return mn_fail(MN_NO_MEMORY, "out of memory");
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/run.json", dir);
    json_t* root;
    mn_status status = jsonfile_read(&root, path);
    if (status == MN_OK) status = take_all(run, root, path);
    json_decref(root);
    if (status == MN_OK) status = count_frames(run);
    if (status != MN_OK) runfiles_close(run);
    return status;
}

void runfiles_close(RunFiles* run)
{
    free(run->dir);
    free(run->solids);
    free(run->looks);
    *run = (RunFiles){0};
}

double runfiles_time(const RunFiles* run, int frame) { return run->frame_rate > 0 ? frame/run->frame_rate : 0; }

// ---- frames ----------------------------------------------------------------------------------------------------------------

// What pictures ask of bodies, there or not.
static mn_status complete_body(Layer* layer)
{
    static const struct {
        const char* name;
        AttributeType type;
        AttributeSite site;
    } asked[] = {{"normal", ATTRIBUTE_VECTOR, ON_POINTS},
                 {"velocity", ATTRIBUTE_VECTOR, ON_POINTS},
                 {"liquid", ATTRIBUTE_WHOLE, ON_POINTS},
                 {"kind", ATTRIBUTE_WHOLE, ON_ELEMENTS}};
    for (size_t m = 0; m < sizeof asked/sizeof *asked; m++) {
        const Attribute* there = layer_find(layer, asked[m].name);
        if (there && (there->type != asked[m].type || there->site != asked[m].site))
            return mn_fail(MN_IO, "%s: %s is not what runs write", layer->name, asked[m].name);
        if (!layer_attribute(layer, asked[m].name, asked[m].type, asked[m].site)) return MN_NO_MEMORY;
    }
    return MN_OK;
}

// A place or radius beyond this many lengths of the tank is no place of a run: the rays of a picture would lose their way, and
// the library that traces them would end the program.
static const double FARTHEST = 1e5;

static mn_status check_places(const Layer* layer, const RunFiles* run, const RunLayer* from, int index)
{
    const float *radius = layer_reals(layer, "radius"), *p = layer->position;
    double most = 0;
    for (int d = 0; d < run->dim; d++) most = fmax(most, FARTHEST*run->size[d]);
    for (int i = 0; i < layer->points; i++, p += 3) {
        double far = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
        if (far <= most && (!radius || radius[i] <= most)) continue;
        char path[PATH_ROOM];
        TRY(framename_path(path, run->dir, from->name, from->still ? -1 : index, ".ply"));
        if (far <= most)
            return mn_fail(MN_IO, "%s: point %d has a radius of %.3g m, in a tank of %.3g m", path, i, radius[i],
                           most/FARTHEST);
        return mn_fail(MN_IO, "%s: point %d is at (%.3g, %.3g, %.3g) m, far outside the tank of %.3g m", path, i, p[0], p[1],
                       p[2], most/FARTHEST);
    }
    return MN_OK;
}

static mn_status load_layer(Layer* layer, const RunFiles* run, const RunLayer* from, int index)
{
    TRY(runlayer_read(layer, run, from, index));
    mn_status status = check_places(layer, run, from, index);
    if (status == MN_OK && layer->kind == (LayerKind)run->dim) status = complete_body(layer);
    if (status == MN_OK && layer->kind == LAYER_TRIANGLES) status = orient_layer(layer);
    if (status == MN_OK) status = mirror_layer(layer, run);
    if (status != MN_OK) layer_free(layer);
    return status;
}

mn_status runfiles_load_layer(Layer* layer, const RunFiles* run, const char* name, int index)
{
    RunLayer from = {0};
    snprintf(from.name, sizeof from.name, "%s", name);
    return load_layer(layer, run, &from, index);
}

static mn_status load_all(FrameFiles* frame, const RunFiles* run, const RunLayers* list)
{
    for (int m = 0; m < list->count; m++) {
        Layer layer;
        TRY(load_layer(&layer, run, &list->layer[m], frame->index));
        if (!layers_take(&frame->layers, &layer)) return MN_NO_MEMORY;
    }
    return MN_OK;
}

mn_status framefiles_load(FrameFiles* frame, const RunFiles* run, int index)
{
    *frame = (FrameFiles){.index = index};
    RunLayers list;
    TRY(runlayers_list(&list, run, index, index));
    mn_status status = load_all(frame, run, &list);
    runlayers_free(&list);
    if (status != MN_OK) framefiles_free(frame);
    return status;
}

void framefiles_free(FrameFiles* frame)
{
    layers_free(&frame->layers);
    *frame = (FrameFiles){0};
}

const Layer* framefiles_surface(const FrameFiles* frame) { return layers_find(&frame->layers, "surface"); }

// ---- extent ----------------------------------------------------------------------------------------------------------------

static void extent_add(RunExtent* e, const float* p, double radius)
{
    for (int d = 0; d < 3; d++) {
        e->low[d] = fmin(e->low[d], p[d] - radius);
        e->high[d] = fmax(e->high[d], p[d] + radius);
    }
}

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// The speed that 1 % of the vertices pass: the largest of all may be a single stray vertex.
static double high_speed(const Layer* layer)
{
    const float* velocity = layer_reals(layer, "velocity");
    int n = layer->points;
    float* speed = n > 0 ? malloc((size_t)n*sizeof *speed) : NULL;
    if (!speed) return 0;
    for (int i = 0; i < n; i++) {
        const float* v = velocity + 3*i;
        speed[i] = sqrtf(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]);
    }
    qsort(speed, (size_t)n, sizeof *speed, compare_floats);
    double high = speed[(int)(0.99*(n - 1))];
    free(speed);
    return high;
}

// Points without a radius tell of something between bodies and are no body themselves.
static void extent_add_layer(RunExtent* e, const Layer* layer)
{
    const float* radius = layer_reals(layer, "radius");
    for (int i = 0; i < layer->points && (radius || layer->kind != LAYER_POINTS); i++)
        extent_add(e, layer->position + 3*i, radius ? radius[i] : 0);
}

static void extent_add_frame(RunExtent* e, const FrameFiles* f)
{
    for (int m = 0; m < f->layers.count; m++) extent_add_layer(e, f->layers.layer[m]);
    e->speed = fmax(e->speed, high_speed(framefiles_surface(f)));
}

mn_status runfiles_extent(RunExtent* extent, const RunFiles* run, int first, int last)
{
    enum { LOOKS = 9 };
    *extent = (RunExtent){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    int before = -1;
    for (int look = 0; look < LOOKS; look++) {
        int index = first + (int)((long)(last - first)*look/(LOOKS - 1));
        if (index == before) continue;
        before = index;
        FrameFiles frame;
        TRY(framefiles_load(&frame, run, index));
        extent_add_frame(extent, &frame);
        framefiles_free(&frame);
    }
    return MN_OK;
}
