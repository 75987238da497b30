#include "scene/scene.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/budget.h"
#include "base/vec.h"
#include "scene/body_build.h"
#include "scene/include.h"
#include "scene/formula.h"
#include "scene/language.h"
#include "scene/place_function.h"
#include "scene/read_mjcf.h"
#include "scene/read_scene.h"
#include "scene/read_shape.h"
#include "scene/read_sheet.h"
#include "scene/source.h"

// ---------------------------------------------------------------- reading

static void fnv1a(unsigned long long* hash, const char* text)
{
    for (; *text; text++) *hash = (*hash ^ (unsigned char)*text)*0x100000001b3ull;
}

// Of the file and of what was set; included files and meshes join it as they are read.
static unsigned long long fingerprint(const Scene* s)
{
    unsigned long long hash = 0xcbf29ce484222325ull;
    fnv1a(&hash, s->text);
    for (int i = 0; i < s->options.count; i++) {
        if (!s->options.option[i].given) continue;
        fnv1a(&hash, s->options.option[i].name);
        fnv1a(&hash, "=");
        fnv1a(&hash, s->options.option[i].value);
    }
    return hash;
}

// A formula at a place of the tank, for its table.
typedef struct SceneFormula {
    const Scene* scene;
    int function;
    bool is_height;
} SceneFormula;

static mn_status formula_value(double* value, void* user, const double x[3])
{
    const SceneFormula* f = user;
    double over[2] = {x[0], x[2]}, height;
    int dim = f->scene->dim;
    if (!f->is_height) return scene_function_at(value, 1, f->scene, f->function, x, dim, "one finite number, < 0 inside");
    TRY(scene_function_at(&height, 1, f->scene, f->function, over, dim - 1, "a height in metres"));
    *value = x[1] - height;
    return MN_OK;
}

static mn_status tabulate(Formula** out, void* user, int function, bool is_height)
{
    const Scene* s = user;
    FormulaGrid grid = {.dim = s->dim, .cells = {s->cells[0], s->cells[1], s->cells[2]}, .dx = s->dx};
    SceneFormula formula = {s, function, is_height};
    return formula_make(out, &grid, formula_value, &formula);
}

static mn_status prepare_shapes(Scene* s)
{
    for (int i = 0; i < s->liquid_count; i++) TRY(shape_tabulate(s->liquids[i].shape, tabulate, s));
    for (int i = 0; i < s->solid_count; i++) TRY(shape_tabulate(s->solids[i].shape, tabulate, s));
    for (int i = 0; i < s->source_count; i++) TRY(shape_tabulate(s->sources[i].shape, tabulate, s));
    for (int i = 0; i < s->liquid_count; i++) TRY(shape_prepare(s->liquids[i].shape, s->dx));
    for (int i = 0; i < s->solid_count; i++) TRY(shape_prepare(s->solids[i].shape, s->dx));
    for (int i = 0; i < s->source_count; i++) TRY(shape_prepare(s->sources[i].shape, s->dx));
    return MN_OK;
}

// The largest sigma on a lattice over the box: what steps and implicit tension are made for.
static mn_status find_largest_sigma(Scene* s)
{
    enum { LATTICE = 16 };
    double most = 0;
    if (!s->sigma_function) return MN_OK;
    for (int k = 0; k <= (s->dim == 3 ? LATTICE : 0); k++)
        for (int j = 0; j <= LATTICE; j++)
            for (int i = 0; i <= LATTICE; i++) {
                double sigma,
                    x[3] = {i*s->size[0]/LATTICE, j*s->size[1]/LATTICE, s->dim == 3 ? k*s->size[2]/LATTICE : 0};
                TRY(scene_sigma(&sigma, s, x));
                most = fmax(most, sigma);
            }
    for (int i = 0; i < s->liquid_count; i++) s->liquids[i].material.sigma = most;
    for (int i = 0; i < s->source_count; i++) s->sources[i].material.sigma = most;
    return MN_OK;
}

// Of its start, for the checks and as what the scene shows of it.
static mn_status find_start_of_source(SceneSource* q, const Scene* s)
{
    SceneSourceNow now;
    TRY(scene_source_at(&now, s, q, q->start));
    q->rate = now.rate;
    memcpy(q->velocity, now.velocity, sizeof q->velocity);
    return MN_OK;
}

// A function that is wrong should be told now, not after an hour: every one is called once.
static mn_status try_functions(const Scene* s)
{
    double value[3];
    TRY(scene_time_vector(value, s, &s->frame_acceleration, 0));
    TRY(scene_time_vector(value, s, &s->frame_position, 0));
    for (int i = 0; i < s->solid_count; i++) {
        TRY(scene_time_vector(value, s, &s->solids[i].position, 0));
        TRY(scene_time_vector(value, s, &s->solids[i].rotation, 0));
    }
    for (int i = 0; i < s->sheets.count; i++) {
        TRY(scene_time_vector(value, s, &s->sheets.sheet[i].position, 0));
        TRY(scene_time_vector(value, s, &s->sheets.sheet[i].rotation, 0));
    }
    for (int i = 0; i < s->source_count; i++) TRY(find_start_of_source(&s->sources[i], s));
    return mjcf_try_functions(s);
}

// Runs the file and leaves the table of its scene on the Lua stack.
static mn_status evaluate(Scene* scene, Reader* reader)
{
    Sandbox* box;
    TRY(scene_files_init(scene));
    TRY(sandbox_open(&box, scene->path));
    scene->lua = calloc(1, sizeof *scene->lua);
    if (!scene->lua) {
        sandbox_close(box);
        return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
    }
    scene->lua->box = box;
    TRY(sandbox_guard(box, 0, language_open, NULL));
    TRY(sandbox_guard(box, 0, options_open, &scene->options));
    TRY(sandbox_guard(box, 0, include_open, scene));
    TRY_MEMORY(scene->prints = calloc(1, sizeof *scene->prints));
    TRY(sandbox_guard(box, 0, print_open, scene->prints));
    sandbox_name_files(box, scene_file_by_number, scene->files);
    TRY(sandbox_run(box, scene->text, strlen(scene->text)));
    TRY(options_check(&scene->options, scene->path));
    for (int m = 1; m < scene->files->count; m++) fnv1a(&scene->fingerprint, scene->files->file[m].text);
    lua_State* L = reader->L = sandbox_state(box);
    const char* kind = table_kind(L, -1);
    if (!kind || strcmp(kind, "scene") != 0) {
        bool blank = strspn(scene->text, " \t\r\n") == strlen(scene->text);
        return mn_fail(MN_BAD_SCENE, "%s:1: %s; a scene file ends with: return scene { ... }", scene->path,
                       blank ? "the file is empty" : "the file returns no scene");
    }
    return MN_OK;
}

static mn_status load(Scene* scene, Reader* reader)
{
    TRY(evaluate(scene, reader));
    TRY(sandbox_guard(scene->lua->box, 1, scene_read, reader));
    TRY(try_functions(scene));
    TRY(find_largest_sigma(scene));
    TRY(prepare_shapes(scene));
    TRY(scene_check_places(scene));
    TRY(sheets_check(scene));
    TRY(bodies_build(scene));
    scene->prints->closed = true;
    return budget_check(scene->path);
}

static mn_status load_text(Scene* scene, const char* name, const char* text, const SceneTerms* terms)
{
    memset(scene, 0, sizeof *scene);
    scene->path = strdup(name);
    scene->text = strdup(text);
    scene->allow_outside = terms->allow_outside;
    mn_status status = options_set(&scene->options, terms->settings);
    if (status != MN_OK) {
        // the message is there
    } else if (!scene->path || !scene->text) {
        status = mn_fail(MN_NO_MEMORY, "no memory to read %s", name);
    } else if (strlen(text) > SCENE_MAX_FILE) {
        status = mn_fail(MN_BAD_SCENE, "%s: larger than %d bytes", name, SCENE_MAX_FILE);
    } else {
        Reader reader = {.scene = scene};
        scene->fingerprint = fingerprint(scene);
        Budget before = budget_enter(SCENE_SECONDS);
        status = load(scene, &reader);
        budget_leave(before);
        meshcache_free(&reader);
    }
    if (status != MN_OK) scene_free(scene);
    return status;
}

mn_status scene_load_text(Scene* scene, const char* name, const char* text)
{
    return load_text(scene, name, text, &(SceneTerms){0});
}

mn_status scene_load(Scene* scene, const char* path, const SceneTerms* terms)
{
    char* text;
    memset(scene, 0, sizeof *scene);
    if (terms && terms->text) return load_text(scene, path, terms->text, terms);
    TRY(scene_read_text(&text, path));
    mn_status status = load_text(scene, path, text, terms ? terms : &(SceneTerms){0});
    free(text);
    return status;
}

const char* scene_kind_name(const Scene* s, int kind)
{
    assert(kind >= 0 && kind < s->liquid_count + s->source_count);
    return kind < s->liquid_count ? s->liquids[kind].name : s->sources[kind - s->liquid_count].name;
}

void scene_free(Scene* s)
{
    for (int i = 0; i < s->liquid_count; i++) shape_free(s->liquids[i].shape);
    for (int i = 0; i < s->solid_count; i++) shape_free(s->solids[i].shape);
    for (int i = 0; i < s->source_count; i++) shape_free(s->sources[i].shape);
    sheets_free(&s->sheets);
    bodies_free(s);
    scene_mjcf_free(&s->mjcf);
    free(s->liquids);
    free(s->solids);
    free(s->sources);
    free(s->probes);
    free(s->merge_pairs);
    if (s->lua) {
        sandbox_close(s->lua->box);
        free(s->lua->functions);
        free(s->lua);
    }
    free(s->prints);
    options_free(&s->options);
    scene_files_free(s);
    free(s->path);
    free(s->title);
    free(s->text);
    memset(s, 0, sizeof *s);
}

// ---------------------------------------------------------------- functions of time

// Numbers among the results, which start at stack index `first`: either given one by one or in one table.
static int collect_numbers(double v[3], lua_State* L, int first)
{
    bool table = lua_type(L, first) == LUA_TTABLE;
    lua_Unsigned length = table ? lua_rawlen(L, first) : (lua_Unsigned)(lua_gettop(L) - first + 1);
    if (length > 3 || (table && lua_gettop(L) > first)) return 0;
    int count = (int)length;
    for (int d = 0; d < count; d++) {
        if (table) lua_rawgeti(L, first, d + 1);
        else lua_pushvalue(L, first + d);
        bool good = lua_type(L, -1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1));
        v[d] = good ? lua_tonumber(L, -1) : 0;
        lua_pop(L, 1);
        if (!good) return 0;
    }
    return count;
}

mn_status scene_time_vector(double value[3], const Scene* scene, const TimeVector* v, double t)
{
    memcpy(value, v->constant, sizeof v->constant);
    if (!v->function) return MN_OK;
    Sandbox* box = scene->lua->box;
    lua_State* L = sandbox_state(box);
    const TimeFunction* f = &scene->lua->functions[v->function - 1];
    int top = lua_gettop(L);
    double numbers[3] = {0, 0, 0};
    if (!lua_checkstack(L, 8)) return mn_fail(MN_NO_MEMORY, "no memory to call a function of %s", scene->path);
    lua_rawgeti(L, LUA_REGISTRYINDEX, f->reference);
    lua_pushnumber(L, t);
    mn_status status = sandbox_call(box, 1, LUA_MULTRET);
    if (status != MN_OK) return status;
    int count = collect_numbers(numbers, L, top + 1);
    lua_settop(L, top);
    if (v->is_number) count = count == 1;
    else if (v->turns && scene->dim == 2 && count == 1) numbers[2] = numbers[0], numbers[0] = 0;
    else if (v->turns && scene->dim == 2) count = 0;
    else if (count < scene->dim || (scene->dim == 2 && numbers[2] != 0)) count = 0;
    if (count == 0) {
        return mn_fail(MN_BAD_SCENE, "%s:%d: %s: at t = %g the function must return %s", scene_file_name(scene, f->line),
                       source_line(f->line), f->path, t,
                       v->is_number                  ? "one finite number"
                       : v->turns && scene->dim == 2 ? "one finite number, an angle in radians"
                       : scene->dim == 2             ? "two finite numbers, as in { x, y }"
                                                     : "three finite numbers, as in { x, y, z }");
    }
    memcpy(value, numbers, sizeof numbers);
    return MN_OK;
}

mn_status scene_frame_acceleration(double a[3], const Scene* scene, double t)
{
    if (!scene->frame_position.function) return scene_time_vector(a, scene, &scene->frame_acceleration, t);
    // Second difference. For a shake of angular frequency w it is off by (w h)^2/12, which is 3e-5 at 300 Hz, and by rounding,
    // 4e-16 x/h^2, which is 4e-9 m/s^2 for a box that is 1 mm away.
    const double h = 1e-5;
    double x[3][3];
    for (int m = 0; m < 3; m++) TRY(scene_time_vector(x[m], scene, &scene->frame_position, t + (m - 1)*h));
    for (int d = 0; d < 3; d++) a[d] = (x[0][d] - 2*x[1][d] + x[2][d])/(h*h);
    return MN_OK;
}

mn_status scene_source_at(SceneSourceNow* now, const Scene* scene, const SceneSource* q, double t)
{
    double rate[3] = {q->rate, 0, 0};
    if (q->rate_at.function) TRY(scene_time_vector(rate, scene, &q->rate_at, t));
    if (rate[0] < 0)
        return mn_fail(MN_BAD_SCENE, "%s:%d: source \"%s\": its rate is %g m^%d/s at t = %g s; expected 0 or more",
                       scene_file_name(scene, q->line), source_line(q->line), q->name, rate[0], scene->dim, t);
    now->rate = rate[0];
    TRY(scene_time_vector(now->velocity, scene, &q->velocity_at, t));
    return scene_time_vector(now->position, scene, &q->position, t);
}

mn_status scene_sigma(double* sigma, const Scene* scene, const double x[3])
{
    const TimeFunction* f = &scene->lua->functions[scene->sigma_function - 1];
    TRY(scene_function_at(sigma, 1, scene, scene->sigma_function, x, scene->dim, "a positive number, in N/m"));
    if (*sigma > 0) return MN_OK;
    return mn_fail(MN_BAD_SCENE, "%s:%d: %s: at (%g, %g, %g) the function must return a positive number, in N/m",
                   scene_file_name(scene, f->line), source_line(f->line), f->path, x[0], x[1], x[2]);
}
