#include "output/runfiles.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "output/filmfile.h"
#include "output/files.h"
#include "output/mirror.h"

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

static mn_status take_solids(RunFiles* run, const json_t* root, const char* path)
{
    const json_t* list = json_object_get(root, "solids");
    size_t count = json_array_size(list);
    run->solids = calloc(count + 1, sizeof *run->solids);
    if (!run->solids) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    for (size_t i = 0; i < count; i++) {
        const json_t* item = json_array_get(list, i);
        const char* name = json_string_value(json_object_get(item, "name"));
        if (!name || !name[0] || strchr(name, '/')) return mn_fail(MN_IO, "%s: a solid has no usable name", path);
        RunSolid* solid = &run->solids[run->solid_count++];
        snprintf(solid->name, sizeof solid->name, "%s", name);
        const char* look = json_string_value(json_object_get(item, "look"));
        snprintf(solid->look, sizeof solid->look, "%s", look ? look : "");
        solid->moving = json_is_true(json_object_get(item, "moving"));
    }
    return MN_OK;
}

static mn_status take_all(RunFiles* run, const json_t* root, const char* path)
{
    run->dim = (int)number_or(root, "dim", 0);
    if (run->dim != 2 && run->dim != 3) return mn_fail(MN_IO, "%s: \"dim\" must be 2 or 3", path);
    TRY(take_size(run, root, path));
    run->dx = number_or(root, "dx", 0);
    run->frame_rate = number_or(root, "frame_rate", 0);
    const char* title = json_string_value(json_object_get(root, "title"));
    snprintf(run->title, sizeof run->title, "%s", title ? title : "");
    const char* material = json_string_value(json_array_get(json_object_get(root, "materials"), 0));
    snprintf(run->material, sizeof run->material, "%s", material ? material : "water");
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
    json_error_t error;
    json_t* root = json_load_file(path, 0, &error);
    mn_status status;
    if (!root) status = mn_fail(MN_IO, "%s: %s", path, error.text);
    else status = take_all(run, root, path);
    json_decref(root);
    if (status == MN_OK) status = count_frames(run);
    if (status != MN_OK) runfiles_close(run);
    return status;
}

void runfiles_close(RunFiles* run)
{
    free(run->dir);
    free(run->solids);
    *run = (RunFiles){0};
}

double runfiles_time(const RunFiles* run, int frame) { return run->frame_rate > 0 ? frame/run->frame_rate : 0; }

static mn_status load_solids(FrameFiles* frame, const RunFiles* run, int corners)
{
    char path[PATH_ROOM];
    for (int i = 0; i < run->solid_count; i++) {
        const RunSolid* solid = &run->solids[i];
        if (solid->moving) snprintf(path, sizeof path, "%s/solid_%s_%04d.ply", run->dir, solid->name, frame->index);
        else snprintf(path, sizeof path, "%s/solid_%s.ply", run->dir, solid->name);
        DrawMesh* mesh = &frame->solids[i];
        TRY(drawmesh_read(mesh, path, corners));
        frame->solid_count = i + 1;
        if (corners == 3) TRY(drawmesh_orient(mesh));
        TRY(mirror_mesh(mesh, run));
    }
    return MN_OK;
}

mn_status runfiles_load_film(FilmRecord* film, const RunFiles* run, int index)
{
    char path[PATH_ROOM];
    *film = (FilmRecord){0};
    snprintf(path, sizeof path, "%s/film_%04d.ply", run->dir, index);
    if (access(path, F_OK) != 0) return MN_OK;
    TRY(filmfile_read(film, path));
    mn_status status = mirror_film(film, run);
    if (status != MN_OK) film_record_free(film);
    return status;
}

static mn_status load_all(FrameFiles* frame, const RunFiles* run)
{
    char path[PATH_ROOM];
    int corners = run->dim == 3 ? 3 : 2;
    snprintf(path, sizeof path, "%s/surface_%04d.ply", run->dir, frame->index);
    TRY(drawmesh_read(&frame->surface, path, corners));
    if (corners == 3) TRY(drawmesh_orient(&frame->surface));
    TRY(mirror_mesh(&frame->surface, run));
    snprintf(path, sizeof path, "%s/spray_%04d.ply", run->dir, frame->index);
    if (access(path, F_OK) == 0) TRY(drawspray_read(&frame->spray, path));
    TRY(mirror_spray(&frame->spray, run));
    TRY(runfiles_load_film(&frame->film, run, frame->index));
    frame->solids = calloc((size_t)run->solid_count + 1, sizeof *frame->solids);
    if (!frame->solids) return mn_fail(MN_NO_MEMORY, "out of memory");
    return load_solids(frame, run, corners);
}

mn_status framefiles_load(FrameFiles* frame, const RunFiles* run, int index)
{
    *frame = (FrameFiles){.index = index};
    mn_status status = load_all(frame, run);
    if (status != MN_OK) framefiles_free(frame);
    return status;
}

void framefiles_free(FrameFiles* frame)
{
    drawmesh_free(&frame->surface);
    drawspray_free(&frame->spray);
    film_record_free(&frame->film);
    for (int i = 0; i < frame->solid_count; i++) drawmesh_free(&frame->solids[i]);
    free(frame->solids);
    *frame = (FrameFiles){0};
}

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
static double high_speed(const DrawMesh* m)
{
    int n = m->vertex_count;
    float* speed = n > 0 ? malloc((size_t)n*sizeof *speed) : NULL;
    if (!speed) return 0;
    for (int i = 0; i < n; i++) {
        const float* v = m->velocity + 3*i;
        speed[i] = sqrtf(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]);
    }
    qsort(speed, (size_t)n, sizeof *speed, compare_floats);
    double high = speed[(int)(0.99*(n - 1))];
    free(speed);
    return high;
}

static void extent_add_frame(RunExtent* e, const FrameFiles* f)
{
    for (int i = 0; i < f->surface.vertex_count; i++) extent_add(e, f->surface.position + 3*i, 0);
    for (int i = 0; i < f->spray.count; i++) extent_add(e, f->spray.drop + 4*i, f->spray.drop[4*i + 3]);
    for (int s = 0; s < f->solid_count; s++)
        for (int i = 0; i < f->solids[s].vertex_count; i++) extent_add(e, f->solids[s].position + 3*i, 0);
    e->speed = fmax(e->speed, high_speed(&f->surface));
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
