#include "scene/read_mjcf.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "liquid/solid.h"
#include "rigid/rigid_mujoco.h"
#include "scene/form_shape.h"
#include "scene/include.h"
#include "scene/material.h"
#include "scene/mjcf_names.h"
#include "scene/read_body.h"
#include "scene/read_scene.h"
#include "scene/read_shape.h"
#include "scene/source.h"

const char* const mjcf_keys[] = {"mjcf",   "at",       "rotation",      "up",   "unit_length", "unit_mass", "drives",
                                 "speeds", "controls", "contact_angle", "look", NULL};

static mn_status no_memory(const Scene* scene) { return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path); }

void scene_mjcf_free(SceneMjcf* m)
{
    free(m->path), free(m->drives), free(m->controls), free(m->control_of), free(m->solid);
    *m = (SceneMjcf){0};
}

// ---------------------------------------------------------------- functions of time by name

static int by_name(const void* a, const void* b)
{
    const SceneDrive *p = a, *q = b;
    return strcmp(p->name, q->name);
}

// The entry that lua_next has left on the stack: a name and a number or a function of time. Takes the value off.
static mn_status add_drive(SceneDrive** list, int* count, const Node* n, bool is_velocity)
{
    lua_State* L = n->reader->L;
    size_t length = 0;
    const char* name = lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &length) : "";
    int type = lua_type(L, -1);
    if (length == 0 || length >= sizeof(*list)->name)
        return node_fail(n, NULL, "expected names of the file, as in { hip = function(t) ... end }");
    if (type != LUA_TFUNCTION && (type != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1))))
        return node_fail(n, name, "expected a number or a function of time");
    SceneDrive* more = realloc(*list, ((size_t)*count + 1)*sizeof *more);
    if (!more) return no_memory(n->reader->scene);
    *list = more;
    SceneDrive* d = &more[(*count)++];
    *d = (SceneDrive){.is_velocity = is_velocity, .value = {.is_number = true}};
    memcpy(d->name, name, length + 1);
    if (type == LUA_TFUNCTION) return function_keep(&d->value.function, n, d->name);
    d->value.constant[0] = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return MN_OK;
}

static mn_status read_functions(SceneDrive** list, int* count, const Node* n, const char* key, bool is_velocity)
{
    lua_State* L = n->reader->L;
    Node table;
    bool present;
    int before = *count;
    TRY(node_open(&table, &present, n, key, "a table, { name = function(t) ... end }"));
    if (!present) return MN_OK;
    for (lua_pushnil(L); lua_next(L, table.table);) {
        if (lua_type(L, -2) == LUA_TLIGHTUSERDATA) lua_pop(L, 1);
        else TRY(add_drive(list, count, &table, is_velocity));
    }
    // Lua's order is not the same in every run
    if (*count > before) qsort(*list + before, (size_t)(*count - before), sizeof **list, by_name);
    node_close(&table);
    return MN_OK;
}

static mn_status find_controls(SceneMjcf* m, const MjcfBodies* f, const Node* n)
{
    m->control_of = malloc(((size_t)f->actuators + 1)*sizeof *m->control_of);
    if (!m->control_of) return no_memory(n->reader->scene);
    for (int u = 0; u < f->actuators; u++) m->control_of[u] = -1;
    for (int c = 0; c < m->control_count; c++) {
        int u = 0;
        while (u < f->actuators && strcmp(f->actuator[u], m->controls[c].name) != 0) u++;
        if (u == f->actuators)
            return node_fail(n, "controls", "%s has no actuator \"%s\"", path_base(m->path), m->controls[c].name);
        m->control_of[u] = c;
    }
    return MN_OK;
}

static mn_status fail_at(const Scene* scene, const char* key, const char* name, const char* what, double value)
{
    int line = scene->mjcf.line;
    return mn_fail(MN_BAD_SCENE, "%s:%d: bodies.%s.%s: %s, got %g", scene_file_name(scene, line), source_line(line), key, name,
                   what, value);
}

// A joint that had to jump to where its function begins would hit the liquid like an explosion.
mn_status mjcf_try_functions(const Scene* scene)
{
    const SceneMjcf* m = &scene->mjcf;
    const double most = 0.02;
    double value[3];
    for (int c = 0; c < m->control_count; c++) TRY(scene_time_vector(value, scene, &m->controls[c].value, 0));
    for (int c = 0; c < m->drive_count; c++) {
        const SceneDrive* d = &m->drives[c];
        TRY(scene_time_vector(value, scene, &d->value, 0));
        if (!d->is_velocity && fabs(value[0]) > most)
            return fail_at(scene, "drives", d->name, "expected 0 at t = 0, where the file has the joint (let it grow from there)",
                           value[0]);
    }
    return MN_OK;
}

// ---------------------------------------------------------------- what the file holds

// Files of frames go by names: what they cannot hold becomes _.
static void name_solid(Scene* scene, int solid, const char* name, int number)
{
    SceneSolid* s = &scene->solids[solid];
    if (name[0]) snprintf(s->name, sizeof s->name, "%s", name);
    else snprintf(s->name, sizeof s->name, "body%d", number);
    for (char* c = s->name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(" _-.+", *c)) *c = '_';
}

static mn_status add_part(Scene* scene, const MjcfBody* part, const SceneSolid* like, int number)
{
    SceneMjcf* m = &scene->mjcf;
    if (part->forms == 0) return MN_OK;
    if (part->moves) TRY(body_add(scene));
    else TRY(solid_add(scene));
    int at = scene->solid_count - 1;
    SceneSolid* s = &scene->solids[at];
    s->line = like->line, s->look = like->look, s->contact_angle = like->contact_angle;
    s->of_file = true;
    name_solid(scene, at, part->moves ? part->name : "fixed parts", number);
    m->solid[number] = at;
    TRY(shape_of_forms(&s->shape, part->form, part->forms, scene->dim));
    if (!part->moves) return MN_OK;
    if (!(part->mass > 0)) return mn_fail(MN_BAD_SCENE, "body \"%s\" has no mass", s->name);
    SceneBody* body = &scene->bodies[scene->body_count - 1];
    body->mass = part->mass;
    memcpy(s->pivot, part->center, sizeof s->pivot);
    return MN_OK;
}

static mn_status add_parts(Scene* scene, const MjcfBodies* f, const SceneSolid* like, const Node* n)
{
    char what[600];
    SceneMjcf* m = &scene->mjcf;
    int first = scene->solid_count;
    m->solid = malloc(((size_t)f->bodies + 1)*sizeof *m->solid);
    if (!m->solid) return no_memory(scene);
    for (int b = 0; b < f->bodies; b++) {
        m->solid[b] = -1;
        mn_status status = add_part(scene, &f->body[b], like, b);
        snprintf(what, sizeof what, "%s", status == MN_OK ? "" : mn_last_error());
        if (status != MN_OK)
            return node_fail_as(status, n, "mjcf", "body \"%s\" of %s: %s", f->body[b].name, path_base(m->path), what);
    }
    for (int s = first; s < scene->solid_count; s++) TRY(body_check_name(scene, n, s));
    return MN_OK;
}

// ---------------------------------------------------------------- the entry

// Files that public tools make have z up, in 3D; in 2D they lie in the plane.
static mn_status read_place(SceneMjcf* m, const Node* n, int dim)
{
    static const char* const ups[] = {"y", "z", NULL};
    int up = dim == 3;
    double turn[3] = {0, 0, 0};
    TRY(node_vector(m->origin, n, "at", "point in metres", OPTIONAL));
    TRY(node_rotation(turn, n, "rotation", "rotation vector in radians", OPTIONAL));
    TRY(node_choice(&up, n, "up", ups));
    Pose pose = pose_at((double[3]){0, 0, 0}, turn);
    for (int d = 0; d < 3; d++) {
        m->rotation[d][0] = pose.rotation[d][0];
        // x stays, y goes to -z, z goes to y
        m->rotation[d][1] = up ? -pose.rotation[d][2] : pose.rotation[d][1];
        m->rotation[d][2] = up ? pose.rotation[d][1] : pose.rotation[d][2];
    }
    m->unit_length = m->unit_mass = 1;
    TRY(node_number(&m->unit_length, n, "unit_length", POSITIVE, "length in metres of 1 in the file", OPTIONAL));
    return node_number(&m->unit_mass, n, "unit_mass", POSITIVE, "mass in kg of 1 in the file", OPTIONAL);
}

static mn_status read_file(Scene* scene, const Node* n)
{
    char path[SCENE_PATH_ROOM];
    bool present;
    TRY(path_read(path, &present, n, "mjcf", "an MJCF file"));
    mn_status status = mjcf_check_names(scene, path);
    if (status != MN_OK) return file_failed(status, n, "mjcf");
    scene->mjcf.path = strdup(path);
    return scene->mjcf.path ? MN_OK : no_memory(scene);
}

mn_status mjcf_read_entry(Scene* scene, const Node* n)
{
    SceneMjcf* m = &scene->mjcf;
    SceneSolid like = {.look = -1, .line = n->line};
    if (m->path) return node_fail_as(MN_UNSUPPORTED, n, "mjcf", "a scene has one MJCF file; include the other one in it");
    m->line = n->line;
    TRY(read_file(scene, n));
    TRY(read_place(m, n, scene->dim));
    TRY(angle_read(&like.contact_angle, n));
    TRY(node_choice(&like.look, n, "look", scene_solid_looks));
    TRY(read_functions(&m->drives, &m->drive_count, n, "drives", false));
    TRY(read_functions(&m->drives, &m->drive_count, n, "speeds", true));
    TRY(read_functions(&m->controls, &m->control_count, n, "controls", false));
    MjcfOptions o = {.file = m->path, .unit_length = m->unit_length, .unit_mass = m->unit_mass};
    memcpy(o.origin, m->origin, sizeof o.origin), memcpy(o.rotation, m->rotation, sizeof o.rotation);
    MjcfBodies f;
    mn_status status = mjcf_read(&f, scene->dim, &o);
    if (status != MN_OK) return file_failed(status, n, "mjcf");
    status = add_parts(scene, &f, &like, n);
    if (status == MN_OK) status = find_controls(m, &f, n);
    mjcf_free(&f);
    return status;
}
