#include "liquid/absorb.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "liquid/liquid_volume.h"
#include "liquid/momentum.h"
#include "liquid/sides.h"

static void place_in(double at[3], const Droplet* p, const Window* w)
{
    for (int d = 0; d < 3; d++) at[d] = d < w->dim ? p->x[d]/w->dx - w->lo[d] : 0;
}

bool droplet_is_in(const Droplet* p, const Liquid* q)
{
    double at[3];
    place_in(at, p, &q->w);
    for (int d = 0; d < q->w.dim; d++)
        if (!(at[d] >= 0 && at[d] <= q->w.n[d])) return false;
    return (q->sheet ? sides_phi_at(q, at) : node_value(q->phi.v, &q->w, at)) <= 0;
}

// ---- the place ------------------------------------------------------------------------------------------------------------

// Cells around a droplet, beside its own size on either side, that share what it brings. Chosen: a bump of less than two cells
// is one that the grid can carry.
static const double REACH = 2;

bool landing_find(Landing* out, const Liquid* q, const Droplet* p)
{
    double from[3], nearest = INFINITY;
    place_in(from, p, &q->w);
    *out = (Landing){{from[0], from[1], from[2]}, REACH + 2*droplet_radius(p, q->w.dim)/q->w.dx};
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* c = &q->cells.cut[m];
        if (!(c->patch_area > 0)) continue;
        double there[3] = {c->i + c->center[0], c->j + c->center[1], q->w.dim == 3 ? c->k + c->center[2] : 0}, away[3];
        vec_sub(away, there, from);
        double square = vec_dot(away, away);
        if (!(square < nearest)) continue;
        nearest = square;
        for (int d = 0; d < 3; d++) out->at[d] = there[d];
    }
    return nearest < INFINITY;
}

// 1 at the place, 0 from `reach` on.
static double nearness(const Landing* l, double x, double y, double z)
{
    double away[3] = {x - l->at[0], y - l->at[1], z - l->at[2]};
    double left = 1 - vec_dot(away, away)/(l->reach*l->reach);
    return left > 0 ? left*left : 0;
}

// Grid points a <= i <= b that may be within reach; `last`: of the window.
static void landing_box(int a[3], int b[3], const Landing* l, const int last[3], int dim)
{
    for (int d = 0; d < 3; d++) {
        a[d] = d < dim ? maxi((int)floor(l->at[d] - l->reach), 0) : 0;
        b[d] = d < dim ? mini((int)ceil(l->at[d] + l->reach), last[d]) : 0;
    }
}

// The liquid that a droplet on this side of sheets falls on: what that side sees of it, or without sheets the whole. Its cut
// cells are arena memory.
static mn_status see_side(Liquid** seen, Sides* s, Arena* arena, Liquid* q, int view)
{
    *seen = q;
    if (!q->sheet) return MN_OK;
    TRY(sides_cut(s, arena, q));
    *seen = &s->view[view];
    return MN_OK;
}

// ---- momentum -------------------------------------------------------------------------------------------------------------

// kg, and kg m/s: of the faces of one component around a landing, each by its nearness. A face stands for half of what is wet on
// either side of it.
typedef struct Around {
    double mass, momentum;
} Around;

// Through faces that are dry, or walls, nothing flows: the projection would forget what they get.
static bool flows_through(const Liquid* q, int axis, const int face[3], ptrdiff_t f)
{
    const Window* w = &q->w;
    if (!(q->phi.v[f] < liquid_band(q)) || !(q->cells.area[axis][f] > 0)) return false;
    return !(face[axis] == 0 && side_is_closed(w->side[2*axis])) &&
           !(face[axis] == w->n[axis] && side_is_closed(w->side[2*axis + 1]));
}

// Sums over these faces; each gets `faster` (m/s) times its nearness.
static Around faces_around(Liquid* q, const Landing* l, int axis, double faster)
{
    const Window* w = &q->w;
    ptrdiff_t s = window_stride(w, axis);
    Around sum = {0};
    int a[3], b[3], last[3];
    for (int d = 0; d < 3; d++) last[d] = d == axis ? w->n[d] : w->n[d] - 1;
    landing_box(a, b, l, last, w->dim);
    for (int k = a[2]; k <= b[2]; k++)
        for (int j = a[1]; j <= b[1]; j++)
            for (int i = a[0]; i <= b[0]; i++) {
                int face[3] = {i, j, k};
                ptrdiff_t f = window_at(w, i, j, k);
                double near = nearness(l, i + (axis == 0 ? 0 : 0.5), j + (axis == 1 ? 0 : 0.5),
                                       w->dim == 2 ? 0 : k + (axis == 2 ? 0 : 0.5));
                if (!(near > 0) || !flows_through(q, axis, face, f)) continue;
                double wet = (face[axis] < w->n[axis] ? cutcells_fraction(&q->cells, f) : 0) +
                             (face[axis] > 0 ? cutcells_fraction(&q->cells, f - s) : 0);
                double mass = near*0.5*wet*window_cell_volume(w)*q->material.rho;
                q->u[axis].v[f] += near*faster;
                sum.mass += mass, sum.momentum += mass*q->u[axis].v[f];
            }
    return sum;
}

static void push(Liquid* q, const Landing* l, int axis, double momentum)
{
    double mass = faces_around(q, l, axis, 0).mass;
    if (mass > 0) faces_around(q, l, axis, momentum/mass);
}

// The liquid of the droplets moves with what was there, u; it should move with v. So m (v - u) goes to what is around each, and
// what is `missing` (kg m/s, of all) after that is shared by their mass.
//
// The impact is inelastic: with weights k_f of faces of mass M_f, u_f += m (v - u) k_f/sum k M changes the energy by
//
//     - m (v - u)^2/2 (1 - m sum k^2 M/(sum k M)^2),
//
// less than nothing where the liquid around weighs more than the droplet, which is part of it by now.
static mn_status give_momentum(Liquid* q, const Landing* l, const Droplet* drop, int count, const double more[3], Arena* scratch)
{
    double mass = 0;
    for (int m = 0; m < count; m++) mass += droplet_mass(&drop[m]);
    for (int axis = 0; axis < q->w.dim; axis++) {
        double missing = more[axis];
        double* give = ARENA_NEW(scratch, double, count);
        TRY_MEMORY(give);
        for (int m = 0; m < count; m++) {
            Around a = faces_around(q, &l[m], axis, 0);
            give[m] = a.mass > 0 ? droplet_mass(&drop[m])*(drop[m].v[axis] - a.momentum/a.mass) : 0;
            missing -= give[m];
        }
        for (int m = 0; m < count; m++) push(q, &l[m], axis, give[m] + missing*droplet_mass(&drop[m])/mass);
    }
    arena_reset(scratch);
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    faces_exchange(u, &q->w, EVERY_LAYER);
    return MN_OK;
}

// ---- volume ---------------------------------------------------------------------------------------------------------------

// Cells by which the surface swells at once.
static const double SWELLS_BY = 0.5;

// Height (cells) of the bump that a droplet is, at its middle, on a flat surface: int (1 - s^2)^2 is 16/15 reach along a line and
// pi/3 reach^2 on a plane.
static double bump(const Landing* l, const Droplet* p, const Window* w)
{
    double cells = p->volume/window_cell_volume(w);
    return cells/(w->dim == 3 ? PI/3*l->reach*l->reach : 16.0/15*l->reach);
}

// How much of a shift each node within reach of a droplet takes: as high as the bumps are there, 1 at most. share 0 clears it.
static void add_share(float* of_node, const Window* w, const Landing* l, double share)
{
    int a[3], b[3], last[3] = {w->n[0], w->n[1], window_node_layers(w) - 1};
    landing_box(a, b, l, last, w->dim);
    for (int k = a[2]; k <= b[2]; k++)
        for (int j = a[1]; j <= b[1]; j++)
            for (int i = a[0]; i <= b[0]; i++) {
                float* at = of_node + window_at(w, i, j, k);
                *at = share > 0 ? (float)fmin((double)*at + share*nearness(l, i, j, k), 1) : 0;
            }
}

static void share_swelling(float* of_node, const Window* w, const Landing* l, const Droplet* drop, int count)
{
    double highest = 0;
    for (int m = 0; m < count; m++) highest = fmax(highest, bump(&l[m], &drop[m], w)), add_share(of_node, w, &l[m], 0);
    for (int m = 0; m < count; m++) add_share(of_node, w, &l[m], bump(&l[m], &drop[m], w)/highest);
}

// The surface moves out around the landings until there is `brought` (m^3) more, bit by bit: a drop may take up one of its own
// size. In a narrow channel the surface leaves the place where it was, so that they reach further every time. What else is off
// the target, and what is not reached because the volume jumps, is left to the end of the step.
static mn_status swell(Liquid* q, int view, Landing* l, const Droplet* drop, int count, double brought, const Solids* solids,
                       Arena* kept, Arena* scratch)
{
    enum { ROUNDS = 100 };
    double target = q->target_volume, goal = q->cells.volume + brought;
    float* of_node = ARENA_ZERO(kept, float, q->w.count);
    TRY_MEMORY(of_node);
    of_node += q->w.origin;
    bool more = true;
    for (int round = 0; round < ROUNDS && more && q->cells.surface > 0; round++) {
        Sides s;
        Liquid* seen;
        TRY(see_side(&seen, &s, kept, q, view));
        double left, other = q->cells.volume - seen->cells.volume;
        if (!(seen->cells.surface > 0)) break;
        share_swelling(of_node, &q->w, l, drop, count);
        q->target_volume = fmin(goal, q->cells.volume + SWELLS_BY*q->w.dx*liquid_movable_area(seen, of_node));
        more = q->target_volume < goal;
        seen->target_volume = q->target_volume - other;
        TRY(liquid_approach_volume(&left, seen, scratch, of_node));
        if (seen != q) sides_close(q, &s);
        arena_reset(scratch);
        TRY(liquid_rebuild(q, kept, solids));
        for (int m = 0; m < count; m++) l[m].reach += SWELLS_BY;
    }
    q->target_volume = target;
    return MN_OK;
}

// ---- all of it ------------------------------------------------------------------------------------------------------------

LiquidMaterial liquid_with_droplets(const Liquid* q, const Droplet* drop, int count)
{
    LiquidMaterial out = q->material;
    double volume = q->target_volume;
    for (int m = 0; m < count; m++) {
        out = material_mixed(&out, volume, &drop[m].material, drop[m].volume);
        volume += drop[m].volume;
    }
    return out;
}

// Droplets that are all on one side of sheets.
static mn_status absorb(Liquid* q, int view, const Droplet* drop, int count, const Solids* solids, Arena* kept, Arena* scratch)
{
    Sides s;
    Liquid* seen;
    double wanted[3], is[3], due[3] = {q->due[0], q->due[1], q->due[2]}, brought = 0;
    bool lands = true, is_due = momentum_is_due(q);
    Landing* landing = ARENA_NEW(kept, Landing, count);
    TRY_MEMORY(landing);
    TRY(momentum_total(wanted, q, scratch));
    arena_reset(scratch);
    TRY(see_side(&seen, &s, kept, q, view));
    for (int m = 0; m < count; m++) {
        lands = lands && landing_find(&landing[m], seen, &drop[m]);
        brought += drop[m].volume;
        for (int d = 0; d < 3; d++) {
            double more = droplet_mass(&drop[m])*drop[m].v[d];
            wanted[d] += more, due[d] += more;
        }
    }
    q->material = liquid_with_droplets(q, drop, count);
    q->target_volume += brought;
    if (is_due) momentum_set_due(q, due);
    if (lands) TRY(swell(q, view, landing, drop, count, brought, solids, kept, scratch));
    TRY(momentum_total(is, q, scratch));
    arena_reset(scratch);
    for (int d = 0; d < 3; d++) wanted[d] -= is[d];
    TRY(see_side(&seen, &s, kept, q, view));
    TRY(give_momentum(seen, landing, drop, count, wanted, scratch));
    if (seen != q) sides_close(q, &s);
    return MN_OK;
}

mn_status liquid_absorb(Liquid* q, const Droplet* drop, int count, const Solids* solids, Arena* kept, Arena* scratch)
{
    assert(q->cells.index && count > 0 && kept != scratch);
    if (!q->sheet) return absorb(q, 0, drop, count, solids, kept, scratch);
    for (int view = 0; view < 2; view++) {
        Droplet* here = ARENA_NEW(kept, Droplet, count);
        TRY_MEMORY(here);
        int found = 0;
        for (int m = 0; m < count; m++) {
            double at[3];
            place_in(at, &drop[m], &q->w);
            if (sides_view_at(q, at) == view) here[found++] = drop[m];
        }
        if (found > 0) TRY(absorb(q, view, here, found, solids, kept, scratch));
    }
    return MN_OK;
}

static void carry(Liquid* q, Droplet* p)
{
    const Window* w = &q->w;
    double at[3], n[3] = {0, 0, 0};
    Landing l;
    if (!landing_find(&l, q, p)) return;
    place_in(at, p, w);
    for (int d = 0; d < w->dim; d++) {
        double low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
        low[d] -= 0.5, high[d] += 0.5;
        n[d] = node_value(q->phi.v, w, high) - node_value(q->phi.v, w, low);
    }
    double size = vec_norm(n), depth = -node_value(q->phi.v, w, at);
    if (!(size > 0) || !(depth >= 0)) return;
    Around around[3];
    double closing = 0;  // m/s along n
    for (int d = 0; d < 3; d++) n[d] /= size, p->x[d] += n[d]*fmin(depth, w->dx);
    for (int d = 0; d < w->dim; d++) {
        around[d] = faces_around(q, &l, d, 0);
        if (around[d].mass > 0) closing += n[d]*(p->v[d] - around[d].momentum/around[d].mass);
    }
    if (!(closing < 0)) return;
    // m (v' - v) = -J n, sum M (u' - u) = J n, with (v' - u').n = 0
    double gives_way = 1/droplet_mass(p);
    for (int d = 0; d < w->dim; d++)
        if (around[d].mass > 0) gives_way += n[d]*n[d]/around[d].mass;
    double impulse = closing/gives_way;
    for (int d = 0; d < w->dim; d++) {
        if (!(around[d].mass > 0)) continue;
        p->v[d] -= impulse*n[d]/droplet_mass(p);
        push(q, &l, d, impulse*n[d]);
        q->due[d] += impulse*n[d];
    }
}

mn_status liquid_carry(Liquid* q, Droplet* p, Arena* arena)
{
    assert(q->cells.index);
    Sides s;
    Liquid* seen;
    double at[3];
    place_in(at, p, &q->w);
    TRY(see_side(&seen, &s, arena, q, q->sheet ? sides_view_at(q, at) : 0));
    carry(seen, p);
    if (seen == q) return MN_OK;
    sides_close(q, &s);
    for (int d = 0; d < 3; d++) q->due[d] = seen->due[d];
    return MN_OK;
}
