#include "liquid/solid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"
#include "liquid/sheet_motion.h"

void solids_free(Solids* s)
{
    free(s->solid), free(s->ball_block);
    ballboxes_free(&s->boxes);
    moving_sheets_free(s->moving_sheets);
    *s = (Solids){0};
}

mn_status solids_visit(Solids* s, StateVisitor* v)
{
    static const StateColumn column[] = {
        STATE_MEMBER(STATE_REAL, Solid, pose.position, 3),   STATE_MEMBER(STATE_REAL, Solid, pose.rotation, 9),
        STATE_MEMBER(STATE_POINTER, Solid, pose.shape, 1),   STATE_MEMBER(STATE_REAL, Solid, pose.time, 1),
        STATE_MEMBER(STATE_POINTER, Solid, shape_before, 1), STATE_MEMBER(STATE_REAL, Solid, time_before, 1),
        STATE_MEMBER(STATE_REAL, Solid, velocity, 3),        STATE_MEMBER(STATE_REAL, Solid, spin, 3)};
    int count = s->count;
    TRY(state_rows(v, "solids", &count));
    if (count != s->count) return mn_fail(MN_BAD_CHECKPOINT, "holds %d solids, but there are %d", count, s->count);
    TRY(v->table(v, &(StateTable){"solids", s->solid, s->count, sizeof *s->solid, column, 8}));
    if (v->brings && s->moves > 0) solids_moved(s);
    return s->moving_sheets ? moving_sheets_visit(s->moving_sheets, v) : MN_OK;
}

// Are the columns of a rotation unit vectors at right angles to each other?
static bool is_rotation(const double r[3][3])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++) {
            double dot = r[0][a]*r[0][b] + r[1][a]*r[1][b] + r[2][a]*r[2][b];
            if (!(fabs(dot - (a == b)) < 1e-6)) return false;
        }
    return true;
}

bool solids_is_valid(const Solids* s)
{
    bool any_moving = false;
    for (int m = 0; m < s->count; m++) {
        const Solid* solid = &s->solid[m];
        if (!solid->distance || !is_rotation(solid->pose.rotation)) return false;
        if (solid->form && !solid->moving) return false;
        any_moving = any_moving || solid->moving;
    }
    return any_moving == s->any_moving && solids_balls_agree(s);
}

static void to_rest(double out[3], const Solid* s, const double x[3])
{
    double y[3];
    for (int d = 0; d < 3; d++) y[d] = x[d] - s->pose.position[d] - s->pivot[d];
    for (int d = 0; d < 3; d++)
        out[d] = s->pivot[d] + s->pose.rotation[0][d]*y[0] + s->pose.rotation[1][d]*y[1] + s->pose.rotation[2][d]*y[2];
}

static double distance_in_rest(const Solid* s, const double rest[3])
{
    return s->distance(s->pose.shape ? s->pose.shape : s->shape, rest) - s->thicker;
}

// Velocity (m/s) of the surface of a solid that changes its form, on top of its rigid motion.
static void form_velocity(double out[3], const Solid* s, const double x[3])
{
    double rest[3], shift[3];
    to_rest(rest, s, x);
    s->form->shift(shift, s->pose.shape, s->shape_before, rest);
    for (int d = 0; d < 3; d++) out[d] = vec_dot(s->pose.rotation[d], shift)/(s->pose.time - s->time_before);
}

double solid_distance_to(const Solid* s, const double x[3])
{
    double rest[3];
    to_rest(rest, s, x);
    return distance_in_rest(s, rest);
}

bool solids_wetted(const Solids* s)
{
    for (int m = 0; m < s->count; m++)
        if (!s->solid[m].keeps_off) return true;
    return false;
}

bool solids_keep_off(const Solids* s)
{
    for (int m = 0; m < s->count; m++)
        if (s->solid[m].keeps_off) return true;
    return false;
}

// From the distance, by differences over a tenth of a cell.
static void normal_of(double n[3], double (*distance)(const void* of, const double x[3]), const void* of, const double x[3],
                      double dx, int dim)
{
    double h = 0.05*dx;
    n[0] = n[1] = n[2] = 0;
    for (int d = 0; d < dim; d++) {
        double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
        a[d] -= h, b[d] += h;
        n[d] = distance(of, b) - distance(of, a);
    }
    double norm = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
}

static double to_nearest(const void* solids, const double x[3]) { return solids_distance(solids, x, NULL); }
static double to_one(const void* solid, const double x[3]) { return solid_distance_to(solid, x); }

void solids_normal(double n[3], const Solids* s, const double x[3], double dx, int dim)
{
    normal_of(n, to_nearest, s, x, dx, dim);
}

void solid_normal_at(double n[3], const Solid* s, const double x[3], double dx, int dim) { normal_of(n, to_one, s, x, dx, dim); }

void solid_velocity_at(double out[3], const Solid* solid, const double x[3])
{
    out[0] = out[1] = out[2] = 0;
    if (!solid->moving) return;
    double arm[3], turn[3];
    for (int d = 0; d < 3; d++) arm[d] = x[d] - solid->pivot[d] - solid->pose.position[d];
    vec_cross(turn, solid->spin, arm);
    for (int d = 0; d < 3; d++) out[d] = solid->velocity[d] + turn[d];
    if (!solid->form) return;
    double own[3];
    form_velocity(own, solid, x);
    for (int d = 0; d < 3; d++) out[d] += own[d];
}

// Of the nearest solid; bodies: also where that is one.
static void nearest_velocity(double out[3], const Solids* s, const double x[3], bool bodies)
{
    int which = 0;
    out[0] = out[1] = out[2] = 0;
    if (!s->any_moving || (!bodies && !solids_any_scripted(s))) return;
    solids_distance(s, x, &which);
    if (bodies || s->solid[which].body == 0) solid_velocity_at(out, &s->solid[which], x);
}

void solids_velocity(double out[3], const void* user, const double x[3]) { nearest_velocity(out, user, x, true); }

void solids_scripted_velocity(double out[3], const void* user, const double x[3]) { nearest_velocity(out, user, x, false); }

bool solids_have_bodies(const Solids* s)
{
    for (int m = 0; m < s->count; m++)
        if (s->solid[m].body > 0) return true;
    return false;
}

bool solids_any_scripted(const Solids* s)
{
    if (s->moving_sheets && s->moving_sheets->count > 0) return true;
    for (int m = 0; m < s->count; m++)
        if (s->solid[m].moving && s->solid[m].body == 0) return true;
    return false;
}

int solids_body(const void* user, const double x[3])
{
    const Solids* s = user;
    int which = -1;
    solids_wetted_distance(s, x, &which);
    return which < 0 ? -1 : s->solid[which].body - 1;
}

double solids_max_speed(const Solids* s, double reach)
{
    double most = 0;
    for (int m = 0; m < s->count; m++) {
        const Solid* solid = &s->solid[m];
        if (!solid->moving) continue;
        double own = 0;
        if (solid->form)
            own = fabs(solid->form->longest_shift(solid->pose.shape, solid->shape_before) /
                       (solid->pose.time - solid->time_before));
        double radius = solid->reach > 0 ? fmin(solid->reach, reach) : reach;
        most = fmax(most, vec_norm(solid->velocity) + vec_norm(solid->spin)*radius + own);
    }
    if (s->moving_sheets) most = fmax(most, moving_sheets_max_speed(s->moving_sheets));
    return most;
}

// Rodrigues' formula.
Pose pose_at(const double position[3], const double v[3])
{
    Pose p = {0};
    memcpy(p.position, position, sizeof p.position);
    double angle = vec_norm(v), a[3] = {1, 0, 0};
    if (angle > 0)
        for (int d = 0; d < 3; d++) a[d] = v[d]/angle;
    double c = cos(angle), s = sin(angle), t = 1 - c;
    double r[3][3] = {{c + t*a[0]*a[0], t*a[0]*a[1] - s*a[2], t*a[0]*a[2] + s*a[1]},
                      {t*a[0]*a[1] + s*a[2], c + t*a[1]*a[1], t*a[1]*a[2] - s*a[0]},
                      {t*a[0]*a[2] - s*a[1], t*a[1]*a[2] + s*a[0], c + t*a[2]*a[2]}};
    memcpy(p.rotation, r, sizeof r);
    return p;
}

void pose_velocity(double velocity[3], double spin[3], const Pose* from, const Pose* to, double dt)
{
    assert(dt > 0);
    // rotation from the old pose to the new one, as a vector: R = next old^T; axis from its skew part
    double r[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            r[a][b] = 0;
            for (int c = 0; c < 3; c++) r[a][b] += to->rotation[a][c]*from->rotation[b][c];
        }
    double skew[3] = {0.5*(r[2][1] - r[1][2]), 0.5*(r[0][2] - r[2][0]), 0.5*(r[1][0] - r[0][1])};
    double sine = vec_norm(skew), cosine = 0.5*(r[0][0] + r[1][1] + r[2][2] - 1), angle = atan2(sine, cosine);
    for (int d = 0; d < 3; d++) {
        velocity[d] = (to->position[d] - from->position[d])/dt;
        spin[d] = sine > 1e-12 ? skew[d]/sine*angle/dt : 0;
    }
}

void solid_move(Solid* s, const Pose* next, double dt)
{
    pose_velocity(s->velocity, s->spin, &s->pose, next, dt);
    s->shape_before = s->pose.shape, s->time_before = s->pose.time;
    s->pose = *next;
}

// Unit normal of the sampled distance at a node.
static void sampled_normal(double n[3], const double* phi_s, const Window* w, ptrdiff_t at)
{
    node_gradient(n, phi_s, w, at);
    double norm = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
}

// phi at the mirror image of a node inside a solid; deep nodes look no further than 1.5 cells out of the solid, so that a thick
// solid carries the value next to it inwards.
static void extend_row(double* out, const double* phi, const double* phi_s, const Spans* spans, const Window* w, int r,
                       double depth)
{
    int j = r%spans->rows_y, k = r/spans->rows_y;
    SPAN_LOOP(spans, r, q)
        for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            double inside = -phi_s[at];
            if (!(inside > 0) || inside > depth) continue;
            double n[3];
            sampled_normal(n, phi_s, w, at);
            double cells = (inside + fmin(inside, 1.5*w->dx))/w->dx;
            double image[3] = {i + cells*n[0], j + cells*n[1], k + cells*n[2]};
            out[at] = node_value(phi, w, image);
        }
}

mn_status solids_extend_levelset(double* phi, Arena* arena, double* phi_s, const Spans* spans, const Window* w, double depth)
{
    assert(phi != phi_s && depth > 0 && spans_is_valid(spans, w));
    double* old = ARENA_NEW(arena, double, w->count);
    TRY_MEMORY(old);
    old += w->origin;
    nodes_exchange(phi_s, w, EXTEND_SOLID_READS);
    // images of nodes close to the solid's skin read other nodes inside it: a second pass settles them
    for (int pass = 0; pass < 2; pass++) {
        window_copy_to(old, phi, w);
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++) extend_row(phi, old, phi_s, spans, w, r, depth);
        nodes_exchange(phi, w, pass == 0 ? LINEAR_READS : EVERY_LAYER);
    }
    return MN_OK;
}

bool solid_has_parted(const double* phi, const Window* w, const double foot[3], const double n[3])
{
    double above[3], arm = 0.5, facing = -0.9;  // cells; n.N of the surface: cos 154
    for (int d = 0; d < 3; d++) above[d] = foot[d] + arm*n[d];
    double on = node_value(phi, w, foot);
    return on > 0 && node_value(phi, w, above) - on < facing*arm*w->dx;
}
