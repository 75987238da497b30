// Where a solid is and how fast, over the whole run, from its functions of time.
#include <stdio.h>
#include <string.h>
#include "base/vec.h"
#include "scene/survey.h"

enum { TIMES = 256 };  // of the run that are looked at
// Half-spaces reach as many box lengths as this for the purpose of turning them.
static const double FAR = 1e6;

// Corners of a box, the first by the lowest bit of its number.
typedef struct Corners {
    double x[8][3];
} Corners;

static Corners corners_of(const double low[3], const double high[3])
{
    Corners c;
    for (int m = 0; m < 8; m++)
        for (int d = 0; d < 3; d++) c.x[m][d] = m >> d & 1 ? high[d] : low[d];
    return c;
}

static void bounds_of(double low[3], double high[3], const Corners* c)
{
    for (int d = 0; d < 3; d++) {
        low[d] = INFINITY, high[d] = -INFINITY;
        for (int m = 0; m < 8; m++) low[d] = fmin(low[d], c->x[m][d]), high[d] = fmax(high[d], c->x[m][d]);
    }
}

// From the rest frame to the tank: x = R (x - pivot) + pivot + position.
static Corners placed(const Corners* rest, const Pose* pose, const double pivot[3])
{
    Corners c;
    for (int m = 0; m < 8; m++) {
        double y[3];
        vec_sub(y, rest->x[m], pivot);
        for (int d = 0; d < 3; d++) c.x[m][d] = vec_dot(pose->rotation[d], y) + pivot[d] + pose->position[d];
    }
    return c;
}

// And back.
static Corners at_rest(const Corners* tank, const Pose* pose, const double pivot[3])
{
    Corners c;
    for (int m = 0; m < 8; m++) {
        double y[3];
        for (int d = 0; d < 3; d++) y[d] = tank->x[m][d] - pivot[d] - pose->position[d];
        for (int d = 0; d < 3; d++) {
            c.x[m][d] = pivot[d];
            for (int e = 0; e < 3; e++) c.x[m][d] += pose->rotation[e][d]*y[e];
        }
    }
    return c;
}

static double farthest_way(const Corners* a, const Corners* b)
{
    double farthest = 0;
    for (int m = 0; m < 8; m++) {
        double way[3];
        vec_sub(way, a->x[m], b->x[m]);
        farthest = fmax(farthest, vec_norm(way));
    }
    return farthest;
}

static mn_status pose_then(Pose* pose, const Scene* scene, const SceneSolid* s, double t)
{
    double position[3], rotation[3];
    TRY(scene_time_vector(position, scene, &s->position, t));
    TRY(scene_time_vector(rotation, scene, &s->rotation, t));
    *pose = pose_at(position, rotation);
    return MN_OK;
}

static double largest_size(const Scene* scene) { return fmax(scene->size[0], fmax(scene->size[1], scene->size[2])); }

// The walk of a solid through the run.
typedef struct Walk {
    Corners rest, tank;      // its own bounds, without infinities; those of the box
    double low[3], high[3];  // of the box, in the frame of the solid, over all times
} Walk;

// Where it is at time t, and how fast.
static mn_status look_at(SolidSurvey* out, Walk* w, const Scene* scene, const SceneSolid* s, double t)
{
    double step = 1e-6, low[3], high[3];
    Pose now, soon;
    TRY(pose_then(&now, scene, s, t));
    Corners here = placed(&w->rest, &now, s->pivot), seen = at_rest(&w->tank, &now, s->pivot);
    bounds_of(low, high, &here);
    if (t == 0) memcpy(out->low, low, sizeof low), memcpy(out->high, high, sizeof high);
    bool meets = true;
    for (int d = 0; d < scene->dim; d++) meets = meets && low[d] < scene->size[d] && high[d] > 0;
    out->comes_in = out->comes_in || meets;
    bounds_of(low, high, &seen);
    for (int d = 0; d < 3; d++) w->low[d] = fmin(w->low[d], low[d]), w->high[d] = fmax(w->high[d], high[d]);
    if (!s->moving || !meets) return MN_OK;
    // the part that is in the box: a half-space has no farthest corner
    for (int d = 0; d < 3; d++)
        low[d] = clamp(low[d], w->rest.x[0][d], w->rest.x[7][d]), high[d] = clamp(high[d], w->rest.x[0][d], w->rest.x[7][d]);
    Corners part = corners_of(low, high);
    TRY(pose_then(&soon, scene, s, t + step));
    Corners before = placed(&part, &now, s->pivot), after = placed(&part, &soon, s->pivot);
    out->fastest = fmax(out->fastest, farthest_way(&before, &after)/step);
    return MN_OK;
}

// Does a solid that stands still, and whose bounds meet the box, come within half a cell of it? Bounds of tilted and combined
// shapes are wider than these.
static bool really_comes_in(const Scene* scene, const SceneSolid* s)
{
    double none[3] = {0, 0, 0}, size[3] = {scene->size[0], scene->size[1], scene->dim == 3 ? scene->size[2] : 0}, dx = scene->dx;
    return shape_reaches(s->shape, NULL, none, size, -0.5*dx, 0.5*dx);
}

void survey_solid(SolidSurvey* out, const Scene* scene, const SceneSolid* s)
{
    double low[3], high[3], far = FAR*largest_size(scene), depth = scene->dim == 3 ? scene->size[2] : 0;
    *out = (SolidSurvey){.thinnest = {INFINITY, {0}}};
    shape_bounds(low, high, s->shape);
    for (int d = 0; d < 3; d++) low[d] = fmax(low[d], -far), high[d] = fmin(high[d], far);
    Walk walk = {.rest = corners_of(low, high),
                 .tank = corners_of((double[3]){0, 0, 0}, (double[3]){scene->size[0], scene->size[1], depth}),
                 .low = {INFINITY, INFINITY, INFINITY},
                 .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int m = 0; m <= (s->moving ? TIMES : 0) && !out->failure[0]; m++) {
        double t = m*survey_duration(scene)/TIMES;
        if (look_at(out, &walk, scene, s, t) != MN_OK)
            snprintf(out->failure, sizeof out->failure, "at t = %.3g s: %.200s", t, mn_last_error());
    }
    for (int d = 0; d < scene->dim; d++) {
        if (out->low[d] < -0.1*far) out->low[d] = -INFINITY;
        if (out->high[d] > 0.1*far) out->high[d] = INFINITY;
        // a vertex that moves may leave the bounds it has at rest
        if (s->changing) out->comes_in = true;
        else low[d] = fmax(low[d], walk.low[d]), high[d] = fmin(high[d], walk.high[d]);
    }
    out->fastest += shape_fastest_change(s->shape);
    bool still =
        !s->moving && !s->position.function && vec_norm(s->position.constant) == 0 && vec_norm(s->rotation.constant) == 0;
    if (still && out->comes_in) out->comes_in = really_comes_in(scene, s);
    if (!out->comes_in) return;
    double enough = (s->is_body ? SURVEY_THIN_BODY : SURVEY_THIN)*scene->dx;
    out->thinnest = shape_thinnest(s->shape, low, high, scene->dx, enough, SURVEY_MEASURED*scene->dx);
}
