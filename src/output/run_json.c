#include "output/run_json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "output/liquidlooks.h"

// Scene files may hold bytes that are not UTF-8, which JSON cannot: those become question marks.
static json_t* text(const char* s)
{
    json_t* value = json_string(s ? s : "");
    if (value) return value;
    char* copy = strdup(s);
    if (!copy) return NULL;
    for (char* c = copy; *c; c++)
        if ((unsigned char)*c > 127) *c = '?';
    value = json_string(copy);
    free(copy);
    return value;
}

// JSON has no infinity: "no limit" is null.
static json_t* number(double v) { return isfinite(v) ? json_real(v) : json_null(); }

static json_t* numbers(const double* v, int count)
{
    json_t* list = json_array();
    for (int m = 0; m < count; m++) json_array_append_new(list, number(v[m]));
    return list;
}

static void cpu_name(char out[128])
{
    snprintf(out, 128, "unknown");
    FILE* f = fopen("/proc/cpuinfo", "r");
    if (!f) return;
    char line[512];
    while (fgets(line, sizeof line, f)) {
        char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon[strcspn(colon, "\n")] = 0;
        snprintf(out, 128, "%.120s", colon[1] == ' ' ? colon + 2 : colon + 1);
        break;
    }
    fclose(f);
}

static json_t* machine(void)
{
    char cpu[128];
    cpu_name(cpu);
    json_t* o = json_object();
    json_object_set_new(o, "cpu", text(cpu));
    json_object_set_new(o, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    json_object_set_new(o, "memory_bytes", json_integer((json_int_t)sysconf(_SC_PHYS_PAGES)*sysconf(_SC_PAGESIZE)));
    return o;
}

// null: the scheme's own choice, or nothing to the scheme
static void add_tension(json_t* o, const SceneTension* t)
{
    bool split = t->kind == TENSION_IS_SPLIT;
    json_object_set_new(o, "tension", text(tension_names[t->kind]));
    json_object_set_new(o, "tension_theta", t->theta > 0 ? number(t->theta) : json_null());
    json_object_set_new(o, "tension_steps", t->steps > 0 ? number(t->steps) : json_null());
    json_object_set_new(o, "tension_variant", split ? text(split_names[t->variant]) : json_null());
    json_object_set_new(o, "tension_cycles", t->cycles > 0 ? json_integer(t->cycles) : json_null());
    json_object_set_new(o, "tension_band", t->band > 0 ? number(t->band) : json_null());
    json_t* changes = json_array();
    for (int c = 0; paper_change_names[c]; c++)
        if (t->changes >> c & 1) json_array_append_new(changes, text(paper_change_names[c]));
    json_object_set_new(o, "tension_changes", changes);
}

static json_t* merge_rule(const SceneMerge* m)
{
    json_t* o = json_object();
    json_object_set_new(o, "rule", text(merge_names[m->rule]));
    if (m->rule == SCENE_MERGE_BELOW) json_object_set_new(o, "thickness", number(m->value));
    if (m->rule == SCENE_MERGE_AFTER) json_object_set_new(o, "time", number(m->value));
    return o;
}

// Pairs with a rule of their own.
static json_t* merge_pairs(const Scene* s)
{
    json_t* list = json_array();
    for (int m = 0; m < s->merge_pair_count; m++) {
        const SceneMerge* pair = &s->merge_pairs[m];
        json_t *o = merge_rule(pair), *between = json_array();
        json_array_append_new(between, text(scene_kind_name(s, pair->a)));
        json_array_append_new(between, text(scene_kind_name(s, pair->b)));
        json_object_set_new(o, "between", between);
        json_array_append_new(list, o);
    }
    return list;
}

// The air of films under the keys of the scene; null where no film can be, or (h_min) where the grid decides.
static json_t* film(const Scene* s)
{
    const SceneFilm* f = &s->film;
    if (!scene_has_film(s)) return json_null();
    json_t* o = json_object();
    json_object_set_new(o, "viscosity", number(f->mu));
    json_object_set_new(o, "cells", number(f->cells));
    json_object_set_new(o, "h_min", f->h_min > 0 ? number(f->h_min) : json_null());
    json_object_set_new(o, "mean_free_path", number(f->mean_free_path));
    json_object_set_new(o, "hamaker", number(f->hamaker));
    json_object_set_new(o, "conductance", text(f->edge ? "edge" : "series"));
    json_object_set_new(o, "build", text(f->graph ? "graph" : "ridge"));
    json_object_set_new(o, "repeats", json_integer(f->repeats));
    return o;
}

static json_t* settings(const Scene* s)
{
    json_t* o = json_object();
    json_object_set_new(o, "cfl", number(s->cfl));
    json_object_set_new(o, "tolerance", number(s->tolerance));
    json_object_set_new(o, "max_dt", number(s->max_dt));
    json_object_set_new(o, "advection", text(advection_names[s->advection]));
    add_tension(o, &s->tension);
    json_object_set_new(o, "slip", json_boolean(s->slip));
    json_object_set_new(o, "unilateral", json_boolean(s->unilateral));
    json_object_set_new(o, "operator", text(operator_names[s->op]));
    json_object_set_new(o, "merge", text(merge_names[s->merge.rule]));
    json_object_set_new(o, "merge_rule", merge_rule(&s->merge));
    json_object_set_new(o, "merge_pairs", merge_pairs(s));
    json_object_set_new(o, "film", film(s));
    json_object_set_new(o, "spray_cells", number(s->spray_cells));
    json_object_set_new(o, "checkpoint_every", json_integer(s->checkpoint_every));
    return o;
}

// What the scene lets its user choose, as text, with what this run has.
static json_t* options(const SceneOptions* s)
{
    json_t* o = json_object();
    for (int i = 0; i < s->count; i++) json_object_set_new(o, s->option[i].name, text(s->option[i].value));
    return o;
}

// What was given on the command line, for a resume (output/runcommand.h).
static json_t* command(const RunState* run)
{
    json_t *o = json_object(), *set = json_array();
    for (const char* const* s = run->settings; s && *s; s++) json_array_append_new(set, text(*s));
    json_object_set_new(o, "set", set);
    json_object_set_new(o, "frames", run->frames_given > 0 ? json_integer(run->frames_given) : json_null());
    json_object_set_new(o, "threads", run->threads_given > 0 ? json_integer(run->threads_given) : json_null());
    return o;
}

static void add_once(json_t* list, const char* name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), name) == 0) return;
    json_array_append_new(list, text(name));
}

// What the liquids are, by name: pictures show honey as honey.
static json_t* materials(const Scene* s)
{
    json_t* list = json_array();
    for (int m = 0; m < s->liquid_count; m++) add_once(list, s->liquids[m].material.name);
    for (int m = 0; m < s->source_count; m++) add_once(list, s->sources[m].material.name);
    return list;
}

static json_t* named(const char* name, const Material* material)
{
    json_t* o = json_object();
    json_object_set_new(o, "name", text(name));
    json_object_set_new(o, "material", text(material->name));
    return o;
}

// By name, as liquids.csv has them.
static void add_liquids(json_t* o, const Scene* s)
{
    json_t *liquids = json_array(), *sources = json_array();
    for (int m = 0; m < s->liquid_count; m++) {
        json_t* liquid = named(s->liquids[m].name, &s->liquids[m].material);
        if (s->liquids[m].membrane.wanted) json_object_set_new(liquid, "surface", json_string("membrane"));
        json_array_append_new(liquids, liquid);
    }
    for (int m = 0; m < s->source_count; m++) {
        json_t* source = named(s->sources[m].name, &s->sources[m].material);
        bool told = !s->sources[m].rate_at.function;
        json_object_set_new(source, "rate", told ? number(s->sources[m].rate) : json_null());
        json_array_append_new(sources, source);
    }
    json_object_set_new(o, "liquids", liquids);
    json_object_set_new(o, "sources", sources);
}

// How they look in pictures, in the order of the attribute "look" of surfaces.
static json_t* looks(const Scene* s)
{
    json_t* list = json_array();
    for (int m = 0; m < liquidlooks_count(s); m++) json_array_append_new(list, text(liquidlooks_word(s, m)));
    return list;
}

// What liquids move, by name, as bodies.csv has them; each is one of the solids too.
static json_t* bodies(const Scene* s)
{
    json_t* list = json_array();
    for (int m = 0; m < s->body_count; m++) {
        const SceneBody* body = &s->bodies[m];
        json_t* o = json_object();
        json_object_set_new(o, "name", text(s->solids[body->solid].name));
        json_object_set_new(o, "mass", number(body->mass));
        json_object_set_new(o, "density", number(body->density));
        json_object_set_new(o, "volume", number(body->volume));
        json_object_set_new(o, "center", numbers(s->solids[body->solid].pivot, s->dim));
        json_array_append_new(list, o);
    }
    return list;
}

// Surfaces of no thickness, each a layer sheet_NAME of one file.
static json_t* sheets(const Scene* s)
{
    json_t* list = json_array();
    for (int m = 0; m < s->sheets.count; m++) {
        json_t* sheet = json_object();
        json_object_set_new(sheet, "name", text(s->sheets.sheet[m].name));
        if (s->sheets.sheet[m].look >= 0) json_object_set_new(sheet, "look", text(scene_solid_looks[s->sheets.sheet[m].look]));
        if (s->sheets.sheet[m].moving) json_object_set_new(sheet, "moving", json_true());
        json_array_append_new(list, sheet);
    }
    return list;
}

static void add_tank(json_t* o, const Scene* s)
{
    json_t *cells = json_array(), *sides = json_array(), *solids = json_array();
    for (int d = 0; d < s->dim; d++) json_array_append_new(cells, json_integer(s->cells[d]));
    for (int side = 0; side < 6; side++) json_array_append_new(sides, text(side_names[s->side[side]]));
    for (int m = 0; m < s->solid_count; m++) {
        json_t* solid = json_object();
        json_object_set_new(solid, "name", text(s->solids[m].name));
        if (s->solids[m].look >= 0) json_object_set_new(solid, "look", text(scene_solid_looks[s->solids[m].look]));
        json_object_set_new(solid, "moving", json_boolean(s->solids[m].moving));
        json_array_append_new(solids, solid);
    }
    json_object_set_new(o, "dim", json_integer(s->dim));
    json_object_set_new(o, "size", numbers(s->size, s->dim));
    json_object_set_new(o, "cells", cells);
    json_object_set_new(o, "dx", number(s->dx));
    json_object_set_new(o, "gravity", numbers(s->gravity, s->dim));
    json_object_set_new(o, "sides", sides);
    json_object_set_new(o, "materials", materials(s));
    json_object_set_new(o, "looks", looks(s));
    add_liquids(o, s);
    json_object_set_new(o, "solids", solids);
    if (s->sheets.count > 0) json_object_set_new(o, "sheets", sheets(s));
    json_object_set_new(o, "bodies", bodies(s));
    json_object_set_new(o, "frame_rate", number(s->frame_rate));
    json_object_set_new(o, "frame_count", json_integer(s->frame_count));
    json_t* formats = json_array();
    json_array_append_new(formats, text(format_names[0]));
    for (int f = 1; format_names[f]; f++)
        if (s->formats >> (f - 1) & 1) json_array_append_new(formats, text(format_names[f]));
    json_object_set_new(o, "formats", formats);
}

static json_t* warnings(const Warnings* all)
{
    json_t* list = json_array();
    for (int m = 0; all && m < all->count; m++) {
        json_t* o = json_object();
        json_object_set_new(o, "check", text(all->list[m].check));
        json_object_set_new(o, "about", text(all->list[m].about));
        json_object_set_new(o, "text", text(all->list[m].text));
        json_array_append_new(list, o);
    }
    return list;
}

static void add_progress(json_t* o, const Sim* sim, const RunState* run)
{
    json_t* stages = json_object();
    for (int stage = 0; stage < STAGE_COUNT && sim; stage++)
        json_object_set_new(stages, stage_name(stage), number(sim->times.seconds[stage]));
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    json_object_set_new(o, "threads", json_integer(run->threads));
    json_object_set_new(o, "tension", text(run->tension));
    json_object_set_new(o, "warnings", warnings(run->warnings));
    json_object_set_new(o, "frames", json_integer(run->frames));
    json_object_set_new(o, "steps", json_integer(sim ? sim->world.step : 0));
    json_object_set_new(o, "time", number(sim ? sim->world.time : 0));
    json_object_set_new(o, "wall_seconds", number(run->wall_seconds));
    json_object_set_new(o, "stage_seconds", stages);
    json_object_set_new(o, "peak_memory_bytes", json_integer((json_int_t)usage.ru_maxrss*1024));
    json_object_set_new(o, "status", text(run->status));
}

#ifdef __clang__
#define COMPILER "clang "
#else
#define COMPILER "gcc "
#endif

mn_status run_json_write(const char* path, const Scene* scene, const Sim* sim, const RunState* run)
{
    json_t* o = json_object();
    json_object_set_new(o, "program", text("meniscus"));
    json_object_set_new(o, "version", text(mn_version()));
    json_object_set_new(o, "title", text(scene->title));
    json_object_set_new(o, "scene", text(scene->path));
    json_object_set_new(o, "date", text(run->started));
    json_object_set_new(o, "machine", machine());
    json_object_set_new(o, "compiler", text(COMPILER __VERSION__));
    add_tank(o, scene);
    json_object_set_new(o, "settings", settings(scene));
    json_object_set_new(o, "options", options(&scene->options));
    json_object_set_new(o, "command", command(run));
    add_progress(o, sim, run);
    json_object_set_new(o, "scene_text", text(scene->text));
    json_t* included = json_object();
    for (int m = 1; m < scene->files->count; m++)
        json_object_set_new(included, scene->files->file[m].name, text(scene->files->file[m].text));
    json_object_set_new(o, "included", included);
    char* dump = o ? json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(o);
    if (!dump) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    Bytes b = {0};
    bytes_print(&b, "%s\n", dump);
    free(dump);
    mn_status status = file_replace(path, &b, true);
    bytes_free(&b);
    return status;
}
