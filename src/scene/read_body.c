#include "scene/read_body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rigid/body_plan.h"
#include "scene/material.h"
#include "scene/read_mjcf.h"
#include "scene/read_shape.h"

// A way of moving that `fixed` may name.
typedef struct Way {
    const char* word;
    unsigned bits;
} Way;
static const Way ways_2d[] = {{"x", FIXED_X}, {"y", FIXED_Y}, {"turn", FIXED_TURN_Z}};
static const Way ways_3d[] = {{"x", FIXED_X},           {"y", FIXED_Y},
                              {"z", FIXED_Z},           {"turn", FIXED_TURN_X | FIXED_TURN_Y | FIXED_TURN_Z},
                              {"turn_x", FIXED_TURN_X}, {"turn_y", FIXED_TURN_Y},
                              {"turn_z", FIXED_TURN_Z}};
enum { WAYS_2D = 3, WAYS_3D = 7 };

// Of wet stone, wood and plastic on each other, in between.
static const double FRICTION = 0.3;

mn_status solid_add(Scene* scene)
{
    SceneSolid* more = realloc(scene->solids, ((size_t)scene->solid_count + 1)*sizeof *more);
    if (!more) return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
    scene->solids = more;
    more[scene->solid_count++] = (SceneSolid){.look = -1};
    return MN_OK;
}

mn_status body_add(Scene* scene)
{
    TRY(solid_add(scene));
    SceneSolid* solid = &scene->solids[scene->solid_count - 1];
    solid->moving = solid->is_body = true;
    SceneBody* more = realloc(scene->bodies, ((size_t)scene->body_count + 1)*sizeof *more);
    if (!more) return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
    scene->bodies = more;
    more[scene->body_count++] = (SceneBody){.solid = scene->solid_count - 1};
    return MN_OK;
}

static mn_status read_fixed(unsigned* fixed, const Node* n)
{
    int dim = n->reader->scene->dim, count, choice = 0, most = dim == 2 ? WAYS_2D : WAYS_3D;
    const Way* way = dim == 2 ? ways_2d : ways_3d;
    const char* words[WAYS_3D + 1] = {NULL};
    Node list;
    bool present;
    for (int m = 0; m < most; m++) words[m] = way[m].word;
    TRY(node_open(&list, &present, n, "fixed", "a list, { \"x\", \"turn\", ... }"));
    if (!present) return MN_OK;
    TRY(node_check_keys(&list, NULL, NULL, true));
    TRY(node_count(&count, &list, MAX_LIST));
    for (int i = 1; i <= count; i++) {
        TRY(node_choice_entry(&choice, &list, i, words));
        *fixed |= way[choice].bits;
    }
    node_close(&list);
    return MN_OK;
}

// Zero unless the way is free.
static mn_status check_free(const Node* n, const char* key, const double v[3], unsigned fixed)
{
    for (int d = 0; d < 3; d++)
        if (v[d] != 0 && fixed >> d & 1) return node_fail(n, key, "expected 0 where `fixed` holds the body, got %g", v[d]);
    return MN_OK;
}

static mn_status read_mass(SceneBody* body, const Node* n)
{
    bool has_mass = node_has(n, "mass"), has_density = node_has(n, "density");
    const char* flat = n->reader->scene->dim == 2 ? " per metre of depth" : "";
    char what[60];
    if (has_mass && has_density) return node_fail(n, "mass", "give density or mass, not both");
    if (!has_mass && !has_density) return node_fail(n, "density", "missing; expected density in kg/m^3, or mass in kg%s", flat);
    snprintf(what, sizeof what, "mass in kg%s", flat);
    TRY(node_number(&body->mass, n, "mass", POSITIVE, what, OPTIONAL));
    return node_number(&body->density, n, "density", POSITIVE, "density in kg/m^3", OPTIONAL);
}

mn_status body_check_name(const Scene* scene, const Node* n, int solid)
{
    const SceneSolid* s = &scene->solids[solid];
    for (const SceneSolid* other = scene->solids; other < s; other++)
        if (strcmp(other->name, s->name) == 0)
            return node_fail(n, "name", "a %s is called \"%s\" already", other->is_body ? "body" : "solid", s->name);
    return MN_OK;
}

static mn_status read_body(Scene* scene, const Node* n, int i)
{
    static const char* const extra[] = {"name",  "density", "mass", "contact_angle", "velocity", "spin",
                                        "fixed", "film",    "look", "friction",      NULL};
    TRY(body_add(scene));
    SceneBody* body = &scene->bodies[i];
    SceneSolid* s = &scene->solids[body->solid];
    snprintf(s->name, sizeof s->name, "body%d", i + 1);
    s->line = n->line;
    TRY(shape_read(&s->shape, n, extra));
    if (shape_changes(s->shape))
        return node_fail_as(MN_UNSUPPORTED, n, NULL,
                            "a mesh that moves (cache, or # in the file's name) cannot be a body: bodies are rigid");
    TRY(node_name(s->name, n, "name"));
    TRY(body_check_name(scene, n, body->solid));
    TRY(node_choice(&s->look, n, "look", scene_solid_looks));
    TRY(angle_read(&s->contact_angle, n));
    TRY(node_flag(&s->film, n, "film"));
    if (s->film && s->contact_angle.advancing >= 0)
        return node_fail(n, "contact_angle", "no liquid touches a body with film = true");
    TRY(read_mass(body, n));
    TRY(node_vector(body->velocity, n, "velocity", "velocity in m/s", OPTIONAL));
    TRY(node_rotation(body->spin, n, "spin", "rate of turning in rad/s", OPTIONAL));
    TRY(read_fixed(&body->fixed, n));
    body->friction = FRICTION;
    TRY(node_number(&body->friction, n, "friction", NOT_NEGATIVE, "coefficient of friction", OPTIONAL));
    TRY(check_free(n, "velocity", body->velocity, body->fixed));
    return check_free(n, "spin", body->spin, body->fixed >> 3);
}

static bool is_mjcf(const Node* n) { return !table_kind(n->reader->L, n->table) && node_has(n, "mjcf"); }

// Those that are written in the scene come first, as the engine has them.
static mn_status read_entries(Scene* scene, const Node* list, int count, bool of_files)
{
    for (int i = 1; i <= count; i++) {
        Node entry;
        TRY(node_open_entry(&entry, list, i, "sphere { ... } or { mjcf = ... }"));
        bool of_file = is_mjcf(&entry);
        if (of_file && of_files) TRY(node_check_keys(&entry, mjcf_keys, NULL, false));
        if (of_file && of_files) TRY(mjcf_read_entry(scene, &entry));
        if (!of_file && !of_files) TRY(read_body(scene, &entry, scene->body_count));
        node_close(&entry);
    }
    return MN_OK;
}

static mn_status check_tension(const Scene* scene, const Node* root)
{
    if (scene->body_count == 0 || scene->tension.kind != TENSION_IS_SPLIT) return MN_OK;
    return node_fail_as(MN_UNSUPPORTED, root, "bodies",
                        "split tension does not see bodies; use numerics.tension = \"auto\", \"implicit\" or \"explicit\"");
}

mn_status bodies_read(Scene* scene, const Node* root)
{
    const char* expected = "a list, { sphere { ... }, ... }";
    char got[96];
    Node list;
    bool present;
    int count;
    TRY(node_open(&list, &present, root, "bodies", expected));
    if (!present) return MN_OK;
    if (table_kind(root->reader->L, list.table)) {
        describe_value(got, root->reader->L, list.table);
        return node_fail(root, "bodies", "expected %s, got %s; put it in braces", expected, got);
    }
    TRY(node_check_keys(&list, node_has(&list, "mjcf") ? mjcf_keys : NULL, NULL, true));
    TRY(node_count(&count, &list, MAX_THINGS));
    TRY(read_entries(scene, &list, count, false));
    scene->plan_count = scene->body_count;
    if (node_has(&list, "mjcf")) TRY(mjcf_read_entry(scene, &list));
    TRY(read_entries(scene, &list, count, true));
    node_close(&list);
    return check_tension(scene, root);
}
