// Things that are not where they seem to be meant: outside the box, cut by its sides, too close to each other.
#include "base/vec.h"
#include "liquid/merge.h"
#include "scene/warn.h"

static const char* const side_words[] = {"left", "right", "bottom", "top", "back", "front"};

void warn_of_solids_outside(Warner* w)
{
    for (int m = 0; m < w->scene->solid_count; m++)
        if (!w->survey->solids[m].comes_in)
            warn(w, w->scene->solids[m].name, "%s lies outside the box%s", w->scene->solids[m].name,
                 w->scene->solids[m].moving ? " during the whole run" : "");
}

// ---------------------------------------------------------------- drops that a side cuts

// Unit normal of the shape at x, from its distances.
static void normal_at(double n[3], const Shape* shape, const double x[3], double dx, int dim)
{
    n[0] = n[1] = n[2] = 0;
    for (int d = 0; d < dim; d++) {
        double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
        a[d] -= 1e-3*dx, b[d] += 1e-3*dx;
        n[d] = shape_distance(shape, b) - shape_distance(shape, a);
    }
    double norm = vec_norm(n);
    for (int d = 0; d < dim; d++) n[d] /= norm > 0 ? norm : 1;
}

// Mean angle, through the liquid, at which the shape meets a side of the box, rad; NAN where they do not cross, or within
// solids only. On a lattice over the side: where the distance changes its sign from one point to the next, the shape's normal
// n there and the side's normal out of the box, m, give cos(angle) = -n m.
static double angle_at_side(const Warner* w, const Shape* shape, int side)
{
    const Scene* s = w->scene;
    enum { LATTICE = 128 };
    int d = side/2, along = d == 0 ? 1 : 0, across = d == 2 ? 1 : 2, count = 0;
    double sum = 0, h = s->size[along]/LATTICE;
    for (int j = 0; j <= (s->dim == 3 ? LATTICE : 0); j++)
        for (int i = 0; i < LATTICE; i++) {
            double x[3] = {0, 0, 0}, n[3];
            x[d] = side & 1 ? s->size[d] : 0;
            if (s->dim == 3) x[across] = j*s->size[across]/LATTICE;
            x[along] = i*h;
            double before = shape_distance(shape, x);
            x[along] += h;
            double after = shape_distance(shape, x);
            if ((before < 0) == (after < 0)) continue;
            x[along] -= h*after/(after - before);
            if (solids_distance(&w->sim->world.solids, x, NULL) < 0) continue;
            normal_at(n, shape, x, s->dx, s->dim);
            sum += acos(clamp(side & 1 ? -n[d] : n[d], -1, 1)), count++;
        }
    return count > 0 ? sum/count : NAN;
}

// A drop laid on a wall is written as a ball that sticks out of it, cut in the middle or at the angle of contact; another cut
// is a ball in the wrong place. A mirror cuts what is symmetric about it, in the middle.
static bool is_cut_on_purpose(const Scene* s, const SceneLiquid* q, int side, double angle)
{
    const double slack = 20*PI/180;
    double own = q->material.contact_angle;
    double low = s->wall_angle.advancing < 0 ? own : s->wall_angle.receding;
    double high = s->wall_angle.advancing < 0 ? own : s->wall_angle.advancing;
    if (fabs(angle - PI/2) < slack) return true;
    return s->side[side] == SIDE_WALL && angle > low - slack && angle < high + slack;
}

static void judge_cut(Warner* w, const SceneLiquid* q, int side)
{
    const Scene* s = w->scene;
    double low[3], high[3];
    int d = side/2;
    shape_bounds(low, high, q->shape);
    double out = side & 1 ? high[d] - s->size[d] : -low[d], angle;
    if (out < 0.5*s->dx || isnan(angle = angle_at_side(w, q->shape, side)) || is_cut_on_purpose(s, q, side, angle)) return;
    warn(w, q->name, "%s sticks out of the %s %s by %.3g m of its %.3g m and is cut off there, at %.0f degrees", q->name,
         side_words[side], s->side[side] == SIDE_MIRROR ? "mirror" : "side", out, high[d] - low[d], angle*180/PI);
}

void warn_of_cut_drops(Warner* w)
{
    for (int m = 0; m < w->scene->liquid_count; m++) {
        if (!shape_is_round(w->scene->liquids[m].shape)) continue;
        for (int side = 0; side < 2*w->scene->dim; side++) judge_cut(w, &w->scene->liquids[m], side);
    }
}

// ---------------------------------------------------------------- pools and gaps

// Least depth of the box's top below the surface of the shape; negative where some of the top is dry.
static double depth_of_top(const Scene* s, const Shape* shape)
{
    enum { LATTICE = 16 };
    double least = INFINITY;
    for (int k = 0; k <= (s->dim == 3 ? LATTICE : 0); k++)
        for (int i = 0; i <= LATTICE; i++) {
            double x[3] = {i*s->size[0]/LATTICE, s->size[1], s->dim == 3 ? k*s->size[2]/LATTICE : 0};
            least = fmin(least, -shape_distance(shape, x));
        }
    return least;
}

void warn_of_deep_pools(Warner* w)
{
    const Scene* s = w->scene;
    for (int m = 0; m < s->liquid_count; m++) {
        double low[3], high[3], over = depth_of_top(s, s->liquids[m].shape);
        shape_bounds(low, high, s->liquids[m].shape);
        if (over > 1e-6*s->dx && isinf(low[0]))
            warn(w, s->liquids[m].name, "%s is %.3g m deep, but the box is only %.3g m high: it is full", s->liquids[m].name,
                 s->size[1] + over, s->size[1]);
    }
}

// From the surface of liquid a to the shape of b, m.
static double gap_between(const Warner* w, int a, int b)
{
    const Liquid* p = &w->sim->world.liquid[a];
    double gap = INFINITY;
    for (int m = 0; m < p->cells.count; m++) {
        const CutCell* c = &p->cells.cut[m];
        if (c->patch_area == 0) continue;
        double x[3];
        window_position(x, &p->w, c->i + c->center[0], c->j + c->center[1], c->k + c->center[2]);
        gap = fmin(gap, shape_distance(w->scene->liquids[b].shape, x));
    }
    return gap;
}

// Gaps between liquids that the grid cannot see: nodes of one within 3 cells of the other. Where a film of air holds them apart,
// any gap will do.
void warn_of_gaps(Warner* w)
{
    const Liquid* q = w->sim->world.liquid;
    for (int a = 0; a < w->scene->liquid_count; a++)
        for (int b = a + 1; b < w->scene->liquid_count; b++) {
            if (merge_policy(&w->sim->model.merge, &q[a], &q[b], 0).rule != MERGE_ON_TOUCH) continue;
            const char *first = w->scene->liquids[a].name, *second = w->scene->liquids[b].name;
            double gap = gap_between(w, a, b)/w->scene->dx;
            if (gap < 3)
                warn(w, first, "%s and %s are %.2g cells apart: fewer than 3 cannot be told from touching", first, second, gap);
        }
}
