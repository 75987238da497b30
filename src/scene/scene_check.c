// What is wrong with a scene that only its shapes can tell.
#include <stdio.h>
#include <string.h>
#include "base/budget.h"
#include "base/vec.h"
#include "scene/include.h"
#include "scene/read_scene.h"
#include "scene/source.h"

// The part of the box that the shape's own bounds leave; false when nothing is left.
static bool clip_to_box(double low[3], double high[3], const Scene* scene, const Shape* shape)
{
    shape_bounds(low, high, shape);
    bool some = true;
    for (int d = 0; d < scene->dim; d++) {
        low[d] = fmax(low[d], 0), high[d] = fmin(high[d], scene->size[d]);
        some &= low[d] < high[d];
    }
    return some;
}

// A drop may be smaller than a cell (it becomes spray), so the search follows the smaller of the two.
static double search_resolution(const Scene* scene, const double low[3], const double high[3])
{
    double size = 0;
    for (int d = 0; d < scene->dim; d++) size = fmax(size, high[d] - low[d]);
    return fmin(scene->dx/2, size/16);
}

static mn_status check_inside(const Scene* scene, const Shape* shape, int line, const char* path)
{
    double low[3], high[3], from[3], to[3];
    bool meets = clip_to_box(low, high, scene, shape);
    if (meets && shape_reaches(shape, NULL, low, high, 0, search_resolution(scene, low, high))) return MN_OK;
    TRY(budget_check(scene->path));
    shape_bounds(from, to, shape);
    char extent[160] = "", box[100] = "";
    for (int d = 0; d < scene->dim; d++) {
        size_t used = strlen(extent), written = strlen(box);
        snprintf(extent + used, sizeof extent - used, "%s%c from %g to %g", d ? ", " : "", 'x' + d, from[d], to[d]);
        snprintf(box + written, sizeof box - written, "%s%g", d ? " by " : "", scene->size[d]);
    }
    return mn_fail(MN_BAD_SCENE, "%s:%d: %s: lies outside the box: the shape spans %s; the box is %s m",
                   scene_file_name(scene, line), source_line(line), path, extent, box);
}

// Sharing less than a twentieth of a cell is how two shapes that touch are written; the grid does not see it.
static mn_status check_apart(const Scene* scene, int i, int j)
{
    const SceneLiquid *a = &scene->liquids[i], *b = &scene->liquids[j];
    double low[3], high[3], low_b[3], high_b[3];
    if (!clip_to_box(low, high, scene, a->shape) || !clip_to_box(low_b, high_b, scene, b->shape)) return MN_OK;
    for (int d = 0; d < scene->dim; d++) {
        low[d] = fmax(low[d], low_b[d]), high[d] = fmin(high[d], high_b[d]);
        if (low[d] >= high[d]) return MN_OK;
    }
    if (!shape_reaches(a->shape, b->shape, low, high, 0.05*scene->dx, scene->dx/2)) return budget_check(scene->path);
    return mn_fail(MN_BAD_SCENE,
                   "%s:%d: liquids[%d]: overlaps liquids[%d] (line %d); join them with union { ... } or move them apart",
                   scene_file_name(scene, b->line), source_line(b->line), j + 1, i + 1, source_line(a->line));
}

mn_status scene_check_places(const Scene* scene)
{
    char path[40];
    for (int i = 0; i < scene->liquid_count; i++) {
        snprintf(path, sizeof path, "liquids[%d]", i + 1);
        TRY(check_inside(scene, scene->liquids[i].shape, scene->liquids[i].line, path));
    }
    for (int i = 0; i < scene->source_count; i++) {
        snprintf(path, sizeof path, "sources[%d]", i + 1);
        if (scene->sources[i].position.function) continue;  // it may come in later
        TRY(check_inside(scene, scene->sources[i].shape, scene->sources[i].line, path));
    }
    for (int j = 1; j < scene->liquid_count; j++) {
        TRY(budget_check(scene->path));
        for (int i = 0; i < j; i++) TRY(check_apart(scene, i, j));
    }
    return MN_OK;
}
