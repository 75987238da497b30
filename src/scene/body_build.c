#include "scene/body_build.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/budget.h"
#include "base/vec.h"
#include "liquid/solid.h"
#include "scene/body_form.h"
#include "scene/body_mass.h"
#include "scene/include.h"
#include "scene/source.h"

// Of a cell: bodies that share less with a wall, a solid or another body touch it.
static const double TOUCHING = 0.05;

static const SceneSolid* solid_of(const Scene* scene, int i) { return &scene->solids[scene->bodies[i].solid]; }

static mn_status fail_body(const Scene* scene, int i, const char* format, ...) __attribute__((format(printf, 3, 4)));
static mn_status fail_body(const Scene* scene, int i, const char* format, ...)
{
    char what[400];
    int line = solid_of(scene, i)->line;
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    char which[100];
    snprintf(which, sizeof which, "[%d]", i + 1);
    if (i >= scene->plan_count) snprintf(which, sizeof which, ".mjcf: body \"%s\"", solid_of(scene, i)->name);
    return mn_fail(MN_BAD_SCENE, "%s:%d: bodies%s: %s", scene_file_name(scene, line), source_line(line), which, what);
}

// ---------------------------------------------------------------- places

static mn_status check_finite(const Scene* scene, int i)
{
    double low[3], high[3];
    shape_bounds(low, high, solid_of(scene, i)->shape);
    for (int d = 0; d < scene->dim; d++)
        if (!isfinite(low[d]) || !isfinite(high[d]))
            return fail_body(scene, i, "expected a shape of finite size, got one without end along %c; only solids may be so",
                             'x' + d);
    return MN_OK;
}

// The part of the bounds that lies past one side of the box, if any of the shape itself does.
static bool sticks_out(const Scene* scene, const Shape* shape, int side)
{
    double low[3], high[3];
    int d = side/2;
    shape_bounds(low, high, shape);
    if (side & 1) low[d] = fmax(low[d], scene->size[d] + TOUCHING*scene->dx);
    else high[d] = fmin(high[d], -TOUCHING*scene->dx);
    return low[d] < high[d] && shape_reaches(shape, NULL, low, high, 0, scene->dx/4);
}

static mn_status check_in_box(const Scene* scene, int i)
{
    const Shape* shape = solid_of(scene, i)->shape;
    double low[3], high[3];
    shape_bounds(low, high, shape);
    for (int side = 0; side < 2*scene->dim; side++) {
        int d = side/2;
        if (sticks_out(scene, shape, side))
            return fail_body(scene, i, "expected a body wholly in the box, 0 to %g m along %c; it spans %g to %g", scene->size[d],
                             'x' + d, low[d], high[d]);
    }
    return budget_check(scene->path);
}

static mn_status fail_overlap(const Scene* scene, int i, int solid)
{
    const SceneSolid* other = &scene->solids[solid];
    return fail_body(scene, i, "overlaps %s \"%s\" (line %d); move them apart, or join them with union { ... }",
                     other->is_body ? "body" : "solid", other->name, source_line(other->line));
}

// Two shapes as they are written.
static bool share_volume(const Scene* scene, const Shape* a, const Shape* b)
{
    double low[3], high[3], from[3], to[3];
    shape_bounds(low, high, a);
    shape_bounds(from, to, b);
    for (int d = 0; d < scene->dim; d++) {
        low[d] = fmax(low[d], from[d]), high[d] = fmin(high[d], to[d]);
        if (!(low[d] < high[d])) return false;
    }
    return shape_reaches(a, b, low, high, TOUCHING*scene->dx, scene->dx/2);
}

// A body against a solid that is not where it is written at the start: points of the body's skin are asked.
static bool skin_is_in(const Scene* scene, const BodyPlan* plan, const SceneSolid* s, const Pose* pose)
{
    for (int m = 0; m < plan->skin_points; m++) {
        double y[3], rest[3];
        for (int d = 0; d < 3; d++) y[d] = plan->skin[3*m + d] - s->pivot[d] - pose->position[d];
        for (int d = 0; d < 3; d++)
            rest[d] = s->pivot[d] + pose->rotation[0][d]*y[0] + pose->rotation[1][d]*y[1] + pose->rotation[2][d]*y[2];
        if (shape_distance(s->shape, rest) < -TOUCHING*scene->dx) return true;
    }
    return false;
}

static mn_status check_apart(const Scene* scene, int i)
{
    for (int m = 0; m < scene->bodies[i].solid; m++) {
        const SceneSolid* other = &scene->solids[m];
        double position[3], rotation[3];
        if (other->of_file && solid_of(scene, i)->of_file) continue;  // joints have parts in each other
        TRY(scene_time_vector(position, scene, &other->position, 0));
        TRY(scene_time_vector(rotation, scene, &other->rotation, 0));
        bool as_written = vec_norm(position) == 0 && vec_norm(rotation) == 0;
        Pose pose = pose_at(position, rotation);
        bool overlap = as_written ? share_volume(scene, other->shape, solid_of(scene, i)->shape)
                                  : skin_is_in(scene, &scene->plans[i], other, &pose);
        TRY(budget_check(scene->path));
        if (overlap) return fail_overlap(scene, i, m);
    }
    return MN_OK;
}

// ---------------------------------------------------------------- plans

static mn_status weigh(Scene* scene, int i)
{
    SceneBody* body = &scene->bodies[i];
    SceneSolid* solid = &scene->solids[body->solid];
    BodyPlan* plan = &scene->plans[i];
    BodyMass m = body_mass(solid->shape, scene->dim);
    TRY(budget_check(scene->path));
    if (!(m.volume > 0)) return fail_body(scene, i, "the shape has no volume");
    body->volume = m.volume;
    if (body->density > 0) body->mass = body->density*m.volume;
    else body->density = body->mass/m.volume;
    if (!isnormal(body->mass) || !isnormal(body->density))
        return fail_body(scene, i, "expected a mass and a density that numbers can hold, got %g kg and %g kg/m^3", body->mass,
                         body->density);
    plan->mass = body->mass, plan->volume = m.volume;
    if (!solid->of_file) memcpy(solid->pivot, m.center, sizeof m.center);  // the file tells its own
    memcpy(plan->center, solid->pivot, sizeof plan->center);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) plan->inertia[a][b] = body->density*m.inertia[a][b];
    return MN_OK;
}

// m, of balls and of wires, that is, of what consists of capsules; 0: of anything else. Where these differ the thickest counts:
// a cherry is not to be treated as its stem is.
static double thickness_of(const BodyPlan* plan)
{
    double most = 0;
    for (int m = 0; m < plan->forms; m++) {
        if (plan->form[m].kind != FORM_BALL && plan->form[m].kind != FORM_CAPSULE) return 0;
        most = fmax(most, 2*plan->form[m].size[0]);
    }
    return most;
}

static mn_status plan_body(Scene* scene, int i)
{
    const SceneBody* body = &scene->bodies[i];
    const SceneSolid* solid = &scene->solids[body->solid];
    BodyPlan* plan = &scene->plans[i];
    double* skin;
    BodyForm* form;
    memcpy(plan->name, solid->name, sizeof plan->name);
    plan->solid = body->solid;
    plan->is_round = body_is_round(solid->shape);
    plan->fixed = body->fixed, plan->friction = body->friction;
    memcpy(plan->velocity, body->velocity, sizeof plan->velocity);
    memcpy(plan->spin, body->spin, sizeof plan->spin);
    TRY(weigh(scene, i));
    TRY(body_skin(&skin, &plan->skin_points, solid->shape, scene->dim, scene->dx));
    plan->skin = skin;
    if (plan->skin_points == 0)
        return fail_body(scene, i, "is too thin to be seen by cells of %g m; expected a quarter of one at least", scene->dx);
    TRY(body_forms(&form, &plan->forms, solid->shape, plan->skin, plan->skin_points));
    plan->form = form, plan->thickness = thickness_of(plan);
    return budget_check(scene->path);
}

// ---------------------------------------------------------------- what stands still

static Tank tank_of(const Scene* scene)
{
    return (Tank){.dim = scene->dim, .dx = scene->dx, .n = {scene->cells[0], scene->cells[1], scene->cells[2]}};
}

static mn_status add_still(Scene* scene, SceneSolid* s)
{
    double position[3], rotation[3];
    BodyForm* form;
    int forms;
    bool exact;
    Tank tank = tank_of(scene);
    s->meets_skin = s->moving;
    if (s->moving) return MN_OK;
    TRY(scene_time_vector(position, scene, &s->position, 0));
    TRY(scene_time_vector(rotation, scene, &s->rotation, 0));
    Pose pose = pose_at(position, rotation);
    TRY(body_still_forms(&form, &forms, &exact, s->shape, &tank, s->pivot, &pose));
    s->meets_skin = !exact;
    if (forms == 0) return MN_OK;
    BodyForm* more = realloc(scene->stills, ((size_t)scene->still_count + (size_t)forms)*sizeof *more);
    if (more) {
        memcpy(more + scene->still_count, form, (size_t)forms*sizeof *form);
        scene->stills = more, scene->still_count += forms;
    }
    free(form);
    return more ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
}

mn_status bodies_build(Scene* scene)
{
    if (scene->body_count == 0 && !scene->mjcf.path) return MN_OK;
    scene->plans = calloc((size_t)scene->body_count + 1, sizeof *scene->plans);
    if (!scene->plans) return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
    for (int i = 0; i < scene->body_count; i++) {
        TRY(check_finite(scene, i));
        TRY(check_in_box(scene, i));
        TRY(plan_body(scene, i));
        TRY(check_apart(scene, i));
    }
    for (int m = 0; m < scene->solid_count; m++)
        if (!scene->solids[m].is_body && !scene->solids[m].of_file) TRY(add_still(scene, &scene->solids[m]));
    return MN_OK;
}

void bodies_free(Scene* scene)
{
    for (int i = 0; scene->plans && i < scene->body_count; i++) {
        free((void*)scene->plans[i].form);
        free((void*)scene->plans[i].skin);
    }
    free(scene->plans);
    free(scene->bodies);
    free(scene->stills);
    scene->stills = NULL, scene->still_count = 0, scene->plans = NULL, scene->bodies = NULL, scene->body_count = 0;
}
