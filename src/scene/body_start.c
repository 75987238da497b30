#include "scene/body_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rigid/rigid_free.h"
#include "rigid/rigid_mujoco.h"
#include "rigid/rigid_partner.h"
#include "rigid/rigid_thin.h"
#include "scene/include.h"
#include "scene/source.h"

// What moves without MuJoCo meets nothing but the walls of the box.
static mn_status check_lone_body(const Scene* scene)
{
    const char* other = scene->body_count > 1 ? "other bodies" : scene->solid_count > 1 ? "solids" : NULL;
    int line = scene->solids[scene->bodies[0].solid].line;
    if (!other) return MN_OK;
    return mn_fail(MN_UNSUPPORTED,
                   "%s:%d: bodies: a body that may meet %s needs MuJoCo, which is not in this build: install libmujoco-dev and "
                   "build again",
                   scene_file_name(scene, line), source_line(line), other);
}

// ---------------------------------------------------------------- the file

static mn_status drive_at(double* value, void* user, int which, double t)
{
    const Scene* scene = user;
    double v[3];
    TRY(scene_time_vector(v, scene, &scene->mjcf.drives[which].value, t));
    *value = v[0];
    return MN_OK;
}

static mn_status control_at(double* value, void* user, int which, double t)
{
    const Scene* scene = user;
    int control = scene->mjcf.control_of[which];
    double v[3] = {0, 0, 0};
    if (control >= 0) TRY(scene_time_vector(v, scene, &scene->mjcf.controls[control].value, t));
    *value = v[0];
    return MN_OK;
}

// MuJoCo's words, at the line of the scene.
static mn_status fail_start(const Scene* scene, mn_status status)
{
    char what[1024];
    int line = scene->mjcf.line;
    if (!scene->mjcf.path) return status;
    snprintf(what, sizeof what, "%s", mn_last_error());
    return mn_fail(status, "%s:%d: bodies: %s", scene_file_name(scene, line), source_line(line), what);
}

// What the scene knows of the file's bodies and the engine does not: names that are fit for tables and files,
// which are thin, and their skins.
static void tell_of_file(Rigid* rigid, const Tank* tank, const Scene* scene)
{
    for (int b = scene->plan_count; b < rigid->bodies; b++) {
        RigidBody* body = &rigid->body[b];
        if (body->solid >= 0) memcpy(body->name, scene->solids[body->solid].name, sizeof body->name);
        for (int m = scene->plan_count; m < scene->body_count; m++)
            if (scene->plans[m].solid == body->solid) {
                rigid_thicken(body, &scene->plans[m], tank);
                body->skin = scene->plans[m].skin, body->skin_points = scene->plans[m].skin_points;
            }
    }
}

static mn_status start_mujoco(Rigid* rigid, const Tank* tank, const Scene* scene)
{
    const SceneMjcf* m = &scene->mjcf;
    MjcfOptions o = {.file = m->path,
                     .unit_length = m->unit_length,
                     .unit_mass = m->unit_mass,
                     .solid = m->solid,
                     .still = scene->stills,
                     .stills = scene->still_count,
                     .drives = m->drive_count,
                     .driven = drive_at,
                     .control = control_at,
                     .user = (void*)scene};
    memcpy(o.origin, m->origin, sizeof o.origin), memcpy(o.rotation, m->rotation, sizeof o.rotation);
    MjcfDrive* drive = calloc((size_t)m->drive_count + 1, sizeof *drive);
    if (!drive) return mn_fail(MN_NO_MEMORY, "no memory for bodies of MuJoCo");
    for (int k = 0; k < m->drive_count; k++) drive[k] = (MjcfDrive){m->drives[k].name, m->drives[k].is_velocity};
    o.drive = drive;
    mn_status status = rigid_mujoco_start(rigid, tank, scene->plans, scene->plan_count, &o);
    free(drive);
    if (status != MN_OK) return fail_start(scene, status);
    tell_of_file(rigid, tank, scene);
    return MN_OK;
}

mn_status bodies_start(Sim* sim, const Scene* scene)
{
    Rigid rigid;
    const Tank* tank = &sim->model.tank;
    if (scene->body_count == 0 && !scene->mjcf.path) return MN_OK;
    if (rigid_mujoco_is_there()) {
        TRY(start_mujoco(&rigid, tank, scene));
    } else {
        TRY(check_lone_body(scene));
        TRY(rigid_free_start(&rigid, tank, scene->plans, scene->body_count));
    }
    return rigid_partner_add(&sim->world, &rigid);
}
