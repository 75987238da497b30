// Drops that will be flatter than the grid can hold when they have hit something. Each drop is followed as a ball in free
// flight, until it meets a wall, a solid, a sheet, a mirror or a shallow pool; spreading.h tells how thin it becomes there. In a
// deep pool it leaves no sheet, and where it first meets another drop nothing is said.
#include <string.h>
#include "base/vec.h"
#include "grid/sheetnormals.h"
#include "liquid/merge.h"
#include "scene/spreading.h"
#include "scene/warn.h"

static const char* const side_words[] = {"the left side", "the right side", "the floor", "the ceiling", "the back", "the front"};

// What a drop meets.
typedef struct Target {
    const char* name;  // NULL: nothing, or nothing to be judged
    double gap;        // m, from the ball to it
    double angle;      // rad, of contact with it
    bool rubs;
} Target;

// A drop on its way.
typedef struct Flight {
    const Warner* w;
    int number;  // of the liquid
    const SceneLiquid* liquid;
    const LiquidSurvey* drop;
    double at[3], time;
} Flight;

// A body that ends on all sides by itself and is about as long as it is wide.
static bool is_drop(const Survey* survey, int number)
{
    const LiquidSurvey* q = &survey->liquids[number];
    double low[3], high[3];
    bool compact = true;
    shape_bounds(low, high, survey->scene->liquids[number].shape);
    for (int d = 0; d < survey->scene->dim; d++)
        compact = compact && isfinite(high[d] - low[d]) && q->high[d] - q->low[d] < 3*q->radius;
    return compact;
}

static double angle_with(const SceneLiquid* q, const SceneAngle* a)
{
    return a->advancing < 0 ? q->material.contact_angle : a->advancing;
}

static void take_if_nearer(Target* best, const Target* other)
{
    if (other->gap < best->gap) *best = *other;
}

static void meet_sides(Target* best, const Flight* f)
{
    const Scene* s = f->w->scene;
    for (int side = 0; side < 2*s->dim; side++) {
        int d = side/2;
        double way = side & 1 ? s->size[d] - f->at[d] : f->at[d];
        bool own_image = s->side[side] == SIDE_MIRROR && way < 0.5*s->dx;
        if (s->side[side] == SIDE_OPEN || own_image) continue;
        bool wall = s->side[side] == SIDE_WALL;
        // a drop that meets its image has one surface, and nothing to rub on
        take_if_nearer(best, &(Target){side_words[side], way - f->drop->radius,
                                       wall ? angle_with(f->liquid, &s->wall_angle) : PI/2, wall && !s->slip});
    }
}

static void meet_solids(Target* best, const Flight* f)
{
    const Scene* s = f->w->scene;
    for (int m = 0; m < s->solid_count; m++) {
        const SceneSolid* from = &s->solids[m];
        Solid solid = f->w->sim->world.solids.solid[m];
        double position[3], rotation[3];
        if (from->moving && !from->changing && scene_time_vector(position, s, &from->position, f->time) == MN_OK &&
            scene_time_vector(rotation, s, &from->rotation, f->time) == MN_OK)
            solid.pose = pose_at(position, rotation);
        double gap = solids_distance(&(Solids){.solid = &solid, .count = 1}, f->at, NULL) - f->drop->radius;
        // on a film of air the drop has surface on both sides
        double angle = from->film ? PI : angle_with(f->liquid, &from->contact_angle);
        take_if_nearer(best, &(Target){from->name, gap, angle, !from->film && !s->slip});
    }
}

// Sheets where they are at the start; liquids meet them at the walls' angle.
static void meet_sheets(Target* best, const Flight* f)
{
    const Scene* s = f->w->scene;
    for (int m = 0; m < s->sheets.count; m++) {
        const SceneSheet* sheet = &s->sheets.sheet[m];
        double distance = INFINITY, weight[3];
        for (int e = sheet->first_element; e < sheet->first_element + sheet->elements; e++)
            distance = fmin(distance, sheet_nearest(weight, &s->sheets.surface, e, f->at));
        take_if_nearer(best, &(Target){sheet->name, distance - f->drop->radius, angle_with(f->liquid, &s->wall_angle), !s->slip});
    }
}

// How deep a pool is below a point on its surface, straight on along the flight.
static double depth_below(const Flight* f, int pool, const double direction[3])
{
    const Warner* w = f->w;
    double dx = w->scene->dx, depth = 0;
    for (; depth < 2*f->drop->radius; depth += dx) {
        double x[3];
        bool outside = false;
        for (int d = 0; d < 3; d++) {
            x[d] = f->at[d] + (f->drop->radius + depth + dx)*direction[d];
            outside = outside || (d < w->scene->dim && (x[d] < 0 || x[d] > w->scene->size[d]));
        }
        if (outside || shape_distance(w->scene->liquids[pool].shape, x) > 0 ||
            solids_distance(&w->sim->world.solids, x, NULL) < 0)
            break;
    }
    return depth;
}

// Pools stay where they are.
static void meet_pools(Target* best, const Flight* f, const double velocity[3])
{
    const Scene* s = f->w->scene;
    const Liquid* q = f->w->sim->world.liquid;
    double speed = vec_norm(velocity), direction[3];
    for (int d = 0; d < 3; d++) direction[d] = speed > 0 ? velocity[d]/speed : 0;
    for (int m = 0; m < s->liquid_count; m++) {
        if (is_drop(f->w->survey, m)) continue;
        double gap = shape_distance(s->liquids[m].shape, f->at) - f->drop->radius;
        bool merges = merge_policy(&f->w->sim->model.merge, &q[f->number], &q[m], 0).rule == MERGE_ON_TOUCH;
        bool shallow = merges && gap <= 0 && depth_below(f, m, direction) < f->drop->radius;
        // the pool's surface is there already, so that the disc on it costs none
        take_if_nearer(best, &(Target){shallow ? s->liquids[m].name : NULL, gap, 0, !s->slip});
    }
}

// When it first meets another drop, s; INFINITY: never. Both fall alike, so that one flies straight as seen from the other:
// |x + v t| = R + R' at the smaller root.
static double time_to_next_drop(const Flight* f)
{
    const Scene* s = f->w->scene;
    double first = INFINITY;
    for (int m = 0; m < s->liquid_count; m++) {
        const LiquidSurvey* other = &f->w->survey->liquids[m];
        if (m == f->number || !is_drop(f->w->survey, m)) continue;
        double x[3], v[3], reach = f->drop->radius + other->radius;
        vec_sub(x, other->center, f->drop->center);
        vec_sub(v, s->liquids[m].velocity, f->liquid->velocity);
        double a = vec_dot(v, v), b = vec_dot(x, v), c = vec_dot(x, x) - reach*reach, root = b*b - a*c;
        if (b < 0 && root > 0) first = fmin(first, fmax((-b - sqrt(root))/a, 0));
    }
    return first;
}

static bool is_in_box(const Flight* f)
{
    const Scene* s = f->w->scene;
    for (int d = 0; d < s->dim; d++)
        if (f->at[d] < -f->drop->radius || f->at[d] > s->size[d] + f->drop->radius) return false;
    return true;
}

// Flies until it meets something; *speed is that at which the gap closes. The target has no name if there is nothing to judge.
static Target fly(Flight* f, double* speed)
{
    const Scene* s = f->w->scene;
    double duration = survey_duration(s), end = fmin(duration, time_to_next_drop(f)), g = vec_norm(s->gravity);
    double start[3], velocity[3], before = INFINITY, step = 0;
    memcpy(start, f->at, sizeof start);
    for (f->time = 0; f->time <= end; f->time += step) {
        Target best = {.gap = INFINITY};
        for (int d = 0; d < 3; d++) {
            f->at[d] = start[d] + (f->liquid->velocity[d] + 0.5*s->gravity[d]*f->time)*f->time;
            velocity[d] = f->liquid->velocity[d] + s->gravity[d]*f->time;
        }
        if (!is_in_box(f)) break;
        meet_sides(&best, f);
        meet_solids(&best, f);
        meet_sheets(&best, f);
        meet_pools(&best, f, velocity);
        // one that starts in contact is told by how the gap changes in the first step
        if (f->time > 0 && best.gap <= 0) {
            *speed = (before - best.gap)/step;
            return best;
        }
        before = best.gap;
        step = fmin(0.05*f->drop->radius/(vec_norm(velocity) + sqrt(g*f->drop->radius) + 1e-30), duration/500);
    }
    return (Target){.gap = INFINITY};
}

static void judge_drop(Warner* w, int number)
{
    const double least_weber = 1, least_cells = 2;
    const Scene* s = w->scene;
    const SceneLiquid* q = &s->liquids[number];
    const LiquidSurvey* drop = &w->survey->liquids[number];
    Flight flight = {.w = w, .number = number, .liquid = q, .drop = drop};
    memcpy(flight.at, drop->center, sizeof flight.at);
    double speed = 0, width = 2*drop->radius;
    if (!is_drop(w->survey, number) || !(q->material.sigma > 0)) return;
    Target target = fly(&flight, &speed);
    double reynolds = q->material.rho*speed*width/q->material.mu;  // INFINITY without friction
    DropImpact impact = {.dim = s->dim,
                         .weber = q->material.rho*speed*speed*width/q->material.sigma,
                         .reynolds = target.rubs ? reynolds : INFINITY,
                         .angle = target.angle};
    if (!target.name || !(speed > 0) || impact.weber < least_weber) return;
    double sheet = spreading_sheet(&impact)*width/s->dx;
    if (sheet < least_cells)
        warn(w, q->name,
             "%s will hit %s at %.2g m/s (We = %.2g, Re = %.2g) and spread to %.1f times its width, a sheet of %.1f cells; "
             "below %g cells it goes too far and tears",
             q->name, target.name, speed, impact.weber, reynolds, spreading_widest(&impact), sheet, least_cells);
}

void warn_of_thin_sheets(Warner* w)
{
    for (int m = 0; m < w->scene->liquid_count; m++) judge_drop(w, m);
}
