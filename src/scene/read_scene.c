#include "scene/read_scene.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/plaintext.h"
#include "base/vec.h"
#include "scene/language.h"
#include "scene/material.h"
#include "scene/read_body.h"
#include "scene/read_domain.h"
#include "scene/read_look.h"
#include "scene/read_membrane.h"
#include "scene/read_merge.h"
#include "scene/read_pictures.h"
#include "scene/read_probe.h"
#include "scene/read_shape.h"
#include "scene/read_sheet.h"
#include "scene/sandbox.h"
#include "scene/source.h"

// ---------------------------------------------------------------- functions of time

mn_status function_keep(int* handle, const Node* n, const char* key)
{
    struct SceneLua* lua = n->reader->scene->lua;
    lua_State* L = n->reader->L;
    TimeFunction* grown = realloc(lua->functions, (size_t)(lua->function_count + 1)*sizeof *grown);
    if (!grown) return mn_fail(MN_NO_MEMORY, "no memory to read %s", n->reader->scene->path);
    lua->functions = grown;
    TimeFunction* f = &grown[lua->function_count];
    snprintf(f->path, sizeof f->path, "%.120s%s%.30s", n->path, n->path[0] ? "." : "", key);
    lua_Debug info;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &info);
    f->line = info.linedefined > 0 ? source_place(sandbox_file(info.short_src), info.linedefined) : n->line;
    f->reference = luaL_ref(L, LUA_REGISTRYINDEX);
    *handle = ++lua->function_count;
    return MN_OK;
}

mn_status function_read(int* handle, const Node* n, const char* key)
{
    lua_pushstring(n->reader->L, key);
    lua_rawget(n->reader->L, n->table);
    return function_keep(handle, n, key);
}

mn_status time_vector_read(TimeVector* v, const Node* n, const char* key, const char* what, bool turns)
{
    lua_State* L = n->reader->L;
    v->turns = turns;
    lua_pushstring(L, key);
    if (lua_rawget(L, n->table) == LUA_TFUNCTION) return function_keep(&v->function, n, key);
    lua_pop(L, 1);
    return (turns ? node_rotation : node_vector)(v->constant, n, key, what, OPTIONAL);
}

// ---------------------------------------------------------------- things in the box

// Only a solid can follow a mesh that moves.
static mn_status read_still_shape(Shape** shape, const Node* n, const char* const* extra)
{
    TRY(shape_read(shape, n, extra));
    if (!shape_changes(*shape)) return MN_OK;
    return node_fail_as(MN_UNSUPPORTED, n, NULL, "a mesh that moves (cache, or # in the file's name) can only be a solid");
}

static mn_status read_liquid(Scene* scene, const Node* n, int i)
{
    static const char* const extra[] = {"name", "material", "velocity", "spin", "look", "surface", "membrane", NULL};
    SceneLiquid* q = &scene->liquids[i];
    snprintf(q->name, sizeof q->name, "liquid%d", i + 1);
    q->material = preset_find("water")->material;
    q->line = n->line;
    TRY(read_still_shape(&q->shape, n, extra));
    TRY(node_name(q->name, n, "name"));
    TRY(material_read(&q->material, n, "material"));
    TRY(membrane_read(&q->membrane, n));
    TRY(liquid_look_read(q->look, n));
    if (node_is_function(n, "velocity")) {
        TRY(function_read(&q->velocity_function, n, "velocity"));
        if (node_has(n, "spin")) return node_fail(n, "spin", "not beside a velocity that is a function of the place");
    } else TRY(node_vector(q->velocity, n, "velocity", "velocity in m/s, or a function of the place", OPTIONAL));
    return node_rotation(q->spin, n, "spin", "rate of turning in rad/s", OPTIONAL);
}

static mn_status read_solid(Scene* scene, const Node* n, int i)
{
    static const char* const extra[] = {"name", "position", "rotation", "pivot", "contact_angle", "film", "look", NULL};
    SceneSolid* s = &scene->solids[i];
    snprintf(s->name, sizeof s->name, "solid%d", i + 1);
    s->line = n->line;
    s->look = -1;
    TRY(shape_read(&s->shape, n, extra));
    TRY(node_name(s->name, n, "name"));
    TRY(node_choice(&s->look, n, "look", scene_solid_looks));
    TRY(time_vector_read(&s->position, n, "position", "position in metres, or a function of time", false));
    TRY(time_vector_read(&s->rotation, n, "rotation", "rotation vector in radians, or a function of time", true));
    TRY(node_vector(s->pivot, n, "pivot", "point in metres", OPTIONAL));
    s->changing = shape_is_changing(s->shape);
    if (shape_changes(s->shape) && !s->changing)
        return node_fail_as(MN_UNSUPPORTED, n, NULL,
                            "a mesh that moves can be moved, rotated and scaled, but not joined with others");
    s->moving = s->position.function || s->rotation.function || s->changing;
    TRY(angle_read(&s->contact_angle, n));
    TRY(node_flag(&s->film, n, "film"));
    if (s->film && s->contact_angle.advancing >= 0)
        return node_fail(n, "contact_angle", "no liquid touches a solid with film = true");
    return MN_OK;
}

static mn_status read_source(Scene* scene, const Node* n, int i)
{
    static const char* const extra[] = {"name", "material", "velocity", "rate", "start", "stop", "position", "look", NULL};
    SceneSource* s = &scene->sources[i];
    snprintf(s->name, sizeof s->name, "source%d", i + 1);
    s->material = preset_find("water")->material;
    s->stop = INFINITY;
    s->line = n->line;
    TRY(read_still_shape(&s->shape, n, extra));
    TRY(node_name(s->name, n, "name"));
    TRY(material_read(&s->material, n, "material"));
    TRY(liquid_look_read(s->look, n));
    TRY(time_vector_read(&s->velocity_at, n, "velocity", "velocity in m/s, or a function of time", false));
    memcpy(s->velocity, s->velocity_at.constant, sizeof s->velocity);
    TRY(time_vector_read(&s->position, n, "position", "shift in metres, or a function of time", false));
    if (node_is_function(n, "rate")) {
        TRY(function_read(&s->rate_at.function, n, "rate"));
        s->rate_at.is_number = true;
    } else TRY(node_number(&s->rate, n, "rate", POSITIVE, "volume per time in m^3/s", REQUIRED));
    TRY(node_number(&s->start, n, "start", NOT_NEGATIVE, "time in seconds", OPTIONAL));
    TRY(node_number(&s->stop, n, "stop", POSITIVE, "time in seconds", OPTIONAL));
    if (!(s->stop > s->start)) return node_fail(n, "stop", "expected a time after start, %g, got %g", s->start, s->stop);
    return MN_OK;
}

// Reads the list n.key, entry by entry, into an array of zeroed entries that the scene owns from the start.
static mn_status read_list(void** array, int* count, size_t size, const Node* n, const char* key, const char* expected,
                           mn_status (*read)(Scene* scene, const Node* n, int i))
{
    char message[128], got[96];
    Node list;
    bool present;
    snprintf(message, sizeof message, "a list, { %s, ... }", expected);
    TRY(node_open(&list, &present, n, key, message));
    if (!present) return MN_OK;
    if (table_kind(n->reader->L, list.table)) {
        describe_value(got, n->reader->L, list.table);
        return node_fail(n, key, "expected %s, got %s; put it in braces", message, got);
    }
    TRY(node_check_keys(&list, NULL, NULL, true));
    int entries;
    TRY(node_count(&entries, &list, MAX_THINGS));
    *array = calloc((size_t)maxi(entries, 1), size);
    if (!*array) return mn_fail(MN_NO_MEMORY, "no memory to read %s", n->reader->scene->path);
    for (int i = 0; i < entries; i++) {
        Node entry;
        TRY(node_open_entry(&entry, &list, i + 1, expected));
        *count = i + 1;
        TRY(read(n->reader->scene, &entry, i));
        node_close(&entry);
    }
    node_close(&list);
    return MN_OK;
}

// ---------------------------------------------------------------- the whole

static mn_status read_title(Scene* scene, const Node* n)
{
    lua_State* L = n->reader->L;
    lua_pushstring(L, "title");
    int type = lua_rawget(L, n->table);
    const char* slash = strrchr(scene->path, '/');
    const char* title = type == LUA_TSTRING ? lua_tostring(L, -1) : slash ? slash + 1 : scene->path;
    char got[96];
    if (type != LUA_TNIL && type != LUA_TSTRING) {
        return node_fail(n, "title", "expected text, got %s", describe_value(got, L, -1));
    }
    scene->title = text_plain_copy(title);
    lua_pop(L, 1);
    return scene->title ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
}

// A function for sigma must be everyone's.
static mn_status check_sigma(const Scene* s, const Node* n)
{
    if (!s->sigma_function) return MN_OK;
    for (int i = 0; i < s->liquid_count + s->source_count; i++) {
        bool source = i >= s->liquid_count;
        const Material* m = source ? &s->sources[i - s->liquid_count].material : &s->liquids[i].material;
        char key[40];
        snprintf(key, sizeof key, "%s[%d].material", source ? "sources" : "liquids", (source ? i - s->liquid_count : i) + 1);
        if (!m->sigma_varies)
            return node_fail(n, key, "sigma is a function of the place in another liquid; then all must have that function");
    }
    return MN_OK;
}

mn_status scene_read(lua_State* L, void* context)
{
    static const char* const keys[] = {
        "title",   "domain", "gravity", "frame_acceleration", "frame_position", "liquids",     "solids",   "bodies",
        "sources", "probes", "frames",  "numerics",           "merge",          "spray_cells", "pictures", "output",
        "film",    "sheets", NULL};
    Reader* reader = context;
    Scene* s = reader->scene;
    Node n = node_root(reader, 1);
    (void)L;
    TRY(node_check_keys(&n, keys, NULL, false));
    TRY(read_title(s, &n));
    TRY(domain_read(s, &n));
    TRY(frames_read(s, &n));
    TRY(output_read(s, &n));
    TRY(numerics_read(s, &n));
    TRY(pictures_read(s, &n));
    s->gravity[1] = -9.81;
    TRY(node_vector(s->gravity, &n, "gravity", "acceleration in m/s^2", OPTIONAL));
    TRY(time_vector_read(&s->frame_acceleration, &n, "frame_acceleration", "acceleration in m/s^2, or a function of time",
                         false));
    TRY(time_vector_read(&s->frame_position, &n, "frame_position", "function of time that gives a place in metres", false));
    const TimeVector* a = &s->frame_acceleration;
    bool accelerates = a->function || a->constant[0] != 0 || a->constant[1] != 0 || a->constant[2] != 0;
    if (s->frame_position.function && accelerates)
        return node_fail(&n, "frame_position", "the acceleration follows from it; leave frame_acceleration out");
    const char* shape = "sphere { ... }";
    TRY(read_list((void**)&s->liquids, &s->liquid_count, sizeof *s->liquids, &n, "liquids", shape, read_liquid));
    TRY(read_list((void**)&s->solids, &s->solid_count, sizeof *s->solids, &n, "solids", shape, read_solid));
    s->sheets.surface.dim = s->dim;
    TRY(read_list((void**)&s->sheets.sheet, &s->sheets.count, sizeof *s->sheets.sheet, &n, "sheets", "cup { ... }", sheet_read));
    TRY(bodies_read(s, &n));
    TRY(read_list((void**)&s->sources, &s->source_count, sizeof *s->sources, &n, "sources", shape, read_source));
    TRY(read_list((void**)&s->probes, &s->probe_count, sizeof *s->probes, &n, "probes", "{ kind = ..., at = ... }", probe_read));
    TRY(probes_spread(s));
    if (s->liquid_count == 0 && s->source_count == 0) {
        return node_fail(&n, NULL, "no liquid: give at least one entry in liquids or sources");
    }
    TRY(check_sigma(s, &n));
    TRY(merge_read(s, &n));
    TRY(film_read(s, &n));
    TRY(membranes_check_company(s, &n));
    return sheets_check_company(s, &n);
}
