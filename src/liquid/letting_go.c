#include "liquid/letting_go.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "grid/cutcells.h"
#include "grid/interpolate.h"
#include "liquid/held_faces.h"
#include "liquid/wetting.h"

// Cells. With no gap at all surface and skin would coincide, and rounding would decide which of them a node sees.
static const double GAP = 0.02;
// A film of less than a cell has no node off the skin: a gap takes all of it, and its volume comes back elsewhere. So it goes
// only if it leaves by more than noise, this many cells per step, and in one step at most this part of a liquid does, the
// fastest first: the rest of the surface has to take it up (liquid_is_out_of_hand).
static const double FILM_LEAVES = 0.004;
static const double MOST_TAKEN = 0.05;
// Errors of the pressure beside a surface are parts of rho g dx.
static const double NOISE = 0.02;

// ---- what skin bears -----------------------------------------------------------------------------------------------------

// A pull of less than sigma/dx a surface bears by its curvature: air comes in as its line lets it, by the contact angle.
static double adhesion(double sigma, ContactAngle a, double dx)
{
    double angle = a.receding > 0 ? fmin(a.receding, a.advancing) : a.advancing;
    return sigma*(1 + fmax(cos(angle), 0))/dx;
}

mn_status letting_go_skins(SkinList* out, Arena* arena, const Liquid* q, const StepContext* ctx, const PressureInput* in)
{
    Wetting wet;
    wetting_of(&wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    double noise = NOISE*q->material.rho*q->w.dx*vec_norm(ctx->acceleration);
    TRY(skins_find(out, arena, in));
    for (int m = 0; m < out->count; m++) {
        Skin* s = &out->skin[m];
        double x[3];
        window_position(x, &q->w, s->place[0], s->place[1], s->place[2]);
        s->held = noise;
        // what air has come in behind does not hold any more
        if (!s->is_dry)
            s->held += adhesion(q->material.sigma, s->owner == SKIN_OF_WALL ? wet.walls : wetting_of_solid(&wet, x), q->w.dx);
    }
    return MN_OK;
}

// ---- which pieces let go -------------------------------------------------------------------------------------------------

// Nodes from `a` to `b` of the window, `out` of them around a cell.
static void nodes_around(int a[3], int b[3], const Window* w, const int cell[3], int out)
{
    for (int d = 0; d < 3; d++) {
        bool flat = d == 2 && w->dim == 2;
        a[d] = flat ? 0 : maxi(cell[d] - out, 0), b[d] = flat ? 0 : mini(cell[d] + 1 + out, w->n[d]);
    }
}

#define FOR_AROUND(a, b)                                                                                                         \
    for (int k = (a)[2]; k <= (b)[2]; k++)                                                                                       \
        for (int j = (a)[1]; j <= (b)[1]; j++)                                                                                   \
            for (int i = (a)[0]; i <= (b)[0]; i++)

// The point of the solids' skin next to a node, in cells; false: it is more than `most` cells away.
static bool solid_foot(double foot[3], double n[3], const double* phi_solid, const Window* w, const int node[3], double most)
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
    double away = phi_solid[at]/w->dx;
    if (fabs(away) > most) return false;
    node_normal(n, phi_solid, w, at);
    for (int d = 0; d < 3; d++) foot[d] = node[d] - away*n[d];
    return true;
}

// Is the skin dry at this node of it (wall), or next to it (solid)?
static bool dry_beside(const Liquid* q, const Skin* s, const int node[3])
{
    ptrdiff_t at = window_at(&q->w, node[0], node[1], node[2]);
    if (s->owner == SKIN_OF_WALL) {
        if (node[s->axis] != s->cell[s->axis] + s->high) return false;
        return q->phi.v[at] > 0 && !(liquid_solid(q) && q->phi_solid.v[at] < 0);
    }
    double foot[3], n[3];
    return solid_foot(foot, n, q->phi_solid.v, &q->w, node, 1) && node_value(q->phi.v, &q->w, foot) > 0;
}

// Has a piece of this cell that looks the same way let go in an earlier round?
static bool opened_beside(const SkinList* skins, const Skin* s, ptrdiff_t at, int round)
{
    FOR_SKINS_OF(skins, at, other)
    if (other->opened > 0 && other->opened < round && vec_dot(other->normal, s->normal) > 0.5) return true;
    return false;
}

// Can air come in between liquid and skin: is there some beside the piece, or has a piece beside it opened?
static bool air_comes_in(const SkinList* skins, const Skin* s, const Liquid* q, int round)
{
    const Window* w = &q->w;
    int a[3], b[3];
    nodes_around(a, b, w, s->cell, 1);
    FOR_AROUND(a, b)
    if (dry_beside(q, s, (int[3]){i, j, k})) return true;
    for (int d = 0; d < w->dim; d++) b[d] = mini(s->cell[d] + 1, w->n[d] - 1);
    FOR_AROUND(a, b)
    if (opened_beside(skins, s, window_at(w, i, j, k), round)) return true;
    return false;
}

// Skin beside an ordinary line is dry, too, and where there is tension the pressure there is that of the surface, and no pull:
// only what faces the skin has left it.
static bool pulls_too_hard(const Liquid* q, const Skin* s)
{
    if (s->is_dry && q->material.sigma > 0 && !solid_has_parted(q->phi.v, &q->w, s->place, s->normal)) return false;
    return q->p.v[s->at] < -s->held;
}

int letting_go_open(Pressure* p, const Liquid* q, int round)
{
    enum { MOST_ROUNDS = 6 };
    assert(round > 0);
    SkinList* skins = p->in.skins;
    if (!skins || round > MOST_ROUNDS) return 0;
    int count = 0;
    for (int m = 0; m < skins->count; m++) {
        Skin* s = &skins->skin[m];
        if (s->opened || !pressure_is_unknown(p, s->at) || !pulls_too_hard(q, s)) continue;
        if (!air_comes_in(skins, s, q, round)) continue;
        s->opened = round;
        count++;
    }
    return count;
}

// ---- walls have velocities of their own ----------------------------------------------------------------------------------

static void hold_back_face(double* const u[3], const Window* w, const Skin* s)
{
    double* v = &u[s->axis][s->at + s->high*window_stride(w, s->axis)];
    *v = s->high ? fmin(*v, 0) : fmax(*v, 0);
}

void letting_go_hold_back(Liquid* q, const Pressure* p)
{
    const SkinList* skins = p->in.skins;
    double* u[3];
    for (int d = 0; d < 3; d++) u[d] = q->u[d].v;
    for (int m = 0; m < skins->count; m++) {
        const Skin* s = &skins->skin[m];
        if (s->owner == SKIN_OF_WALL && pressure_is_unknown(p, s->at)) hold_back_face(u, &q->w, s);
    }
    faces_exchange(u, &q->w, EVERY_LAYER);
}

// ---- the surface follows -------------------------------------------------------------------------------------------------

// How far (cells) a node lies in front of a piece of skin; < 0: right behind it.
static double in_front(const Liquid* q, const Skin* s, const int node[3])
{
    double foot[3] = {node[0], node[1], node[2]}, n[3], away[3] = {0, 0, 0}, height;
    if (s->owner == SKIN_OF_WALL) {
        height = fabs(node[s->axis] - s->place[s->axis]);
        foot[s->axis] = s->place[s->axis];
    } else {
        height = q->phi_solid.v[window_at(&q->w, node[0], node[1], node[2])]/q->w.dx;
        solid_foot(foot, n, q->phi_solid.v, &q->w, node, INFINITY);
    }
    for (int d = 0; d < q->w.dim; d++) away[d] = foot[d] - clamp(foot[d], s->cell[d], s->cell[d] + 1);
    double aside = vec_norm(away);
    return aside > 0 ? hypot(aside, height) : height;
}

enum { REACH = 4 };  // cells in which phi is told of the new surface; redistancing tells the rest

// phi around a piece, to be put back.
typedef struct Patch {
    int a[3], b[3];  // nodes
    double phi[(2*REACH + 2)*(2*REACH + 2)*(2*REACH + 2)];
} Patch;

static void part_piece(Liquid* q, const Skin* s, Patch* before)
{
    nodes_around(before->a, before->b, &q->w, s->cell, REACH);
    double* keep = before->phi;
    FOR_AROUND(before->a, before->b)
    {
        double* phi = &q->phi.v[window_at(&q->w, i, j, k)];
        *keep++ = *phi;
        *phi = fmax(*phi, (GAP - in_front(q, s, (int[3]){i, j, k}))*q->w.dx);
    }
}

static void put_back(Liquid* q, const Patch* before)
{
    const double* keep = before->phi;
    FOR_AROUND(before->a, before->b) q->phi.v[window_at(&q->w, i, j, k)] = *keep++;
}

// Liquid in the cells around a piece that its gap changes, in cells.
static double volume_around(const Liquid* q, const Skin* s)
{
    const Window* w = &q->w;
    int a[3], b[3];
    double sum = 0;
    nodes_around(a, b, w, s->cell, 1);
    for (int d = 0; d < w->dim; d++) b[d] = mini(s->cell[d] + 1, w->n[d] - 1);
    FOR_AROUND(a, b) sum += cutcells_one(q->phi.v, liquid_solid(q), w, window_at(w, i, j, k));
    return sum;
}

// How fast (m/s) liquid leaves a piece.
static double leaving_speed(const Liquid* q, const Skin* s, const Solids* solids)
{
    double v[3], own[3] = {0, 0, 0}, x[3];
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    face_velocity(v, u, &q->w, s->place);
    window_position(x, &q->w, s->place[0], s->place[1], s->place[2]);
    if (s->owner == SKIN_OF_SOLID) solids_velocity(own, solids, x);
    return vec_dot(v, s->normal) - vec_dot(own, s->normal);
}

static int by_speed(const void* a, const void* b)
{
    const Skin *s = *(Skin*const*)a, *t = *(Skin*const*)b;
    if (s->speed != t->speed) return s->speed > t->speed ? -1 : 1;
    return (s > t) - (s < t);  // both of one list
}

// The gap of a piece; false: it would take a film that stays. *room (cells): what gaps may still take of films.
static bool makes_gap(Liquid* q, const Skin* s, double* room, double dt)
{
    Patch before;
    double volume = volume_around(q, s);
    part_piece(q, s, &before);
    double taken = volume - volume_around(q, s);
    if (taken <= 2*GAP*vec_norm(s->area)) return true;
    if (taken > *room || s->speed*dt < FILM_LEAVES*q->w.dx) {
        put_back(q, &before);
        return false;
    }
    *room -= taken;
    return true;
}

mn_status letting_go_part(int* parted, Liquid* q, Arena* arena, const SkinList* skins, const Solids* solids, double dt)
{
    Skin** leaving = ARENA_NEW(arena, Skin*, skins->count);
    TRY_MEMORY(leaving);
    int count = 0;
    *parted = 0;
    if (liquid_solid(q)) nodes_exchange(q->phi_solid.v, &q->w, HELD_FACES_READ);
    for (int m = 0; m < skins->count; m++) {
        Skin* s = &skins->skin[m];
        if (!s->opened) continue;
        s->speed = leaving_speed(q, s, solids);
        if (s->speed > 0) leaving[count++] = s;
    }
    if (count > 0) qsort(leaving, (size_t)count, sizeof *leaving, by_speed);
    double room = MOST_TAKEN*q->cells.volume/window_cell_volume(&q->w);
    for (int m = 0; m < count; m++) *parted += makes_gap(q, leaving[m], &room, dt);
    return MN_OK;
}

// What phi is at a node of a solid behind skin that liquid is leaving; NaN: it is not.
static double air_behind(const double* phi, double* const u[3], const Liquid* q, const Solids* solids, const int node[3],
                         double depth)
{
    const Window* w = &q->w;
    const double* solid = q->phi_backed.v;
    double foot[3], n[3], v[3], own[3], x[3], inside = -solid[window_at(w, node[0], node[1], node[2])];
    if (!(inside > 0) || !solid_foot(foot, n, solid, w, node, depth/w->dx)) return NAN;
    if (!solid_has_parted(phi, w, foot, n)) return NAN;
    window_position(x, w, foot[0], foot[1], foot[2]);
    solids_velocity(own, solids, x);
    face_velocity(v, u, w, foot);
    return vec_dot(v, n) > vec_dot(own, n) ? fmin(node_value(phi, w, foot) + inside, liquid_band(q)) : NAN;
}

mn_status letting_go_behind(double** behind, Arena* arena, double* phi, const Liquid* q, const Solids* solids, double depth)
{
    const Spans* s = &q->spans;
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    int count = 0;
    double* out = window_copy(arena, phi, &q->w);
    TRY_MEMORY(out);
    nodes_exchange(q->phi_backed.v, &q->w, EXTEND_SOLID_READS);
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                double* here = &out[window_at(&q->w, i, j, k)];
                *here = air_behind(phi, u, q, solids, (int[3]){i, j, k}, depth);
                count += !isnan(*here);
            }
    }
    *behind = count > 0 ? out : NULL;
    return MN_OK;
}
