#include "liquid/spray.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void spray_free(Spray* s)
{
    free(s->drop);
    *s = (Spray){0};
}

// Room for as many droplets.
static mn_status reserve(Spray* s, int count)
{
    if (count <= s->capacity) return MN_OK;
    Droplet* more = realloc(s->drop, sizeof *more*(size_t)count);
    if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: %d droplets of spray", count);
    s->drop = more, s->capacity = count;
    return MN_OK;
}

mn_status spray_add(Spray* s, const Droplet* drop)
{
    assert(drop->volume > 0 && drop->material.rho > 0);
    if (s->count == s->capacity) TRY(reserve(s, maxi(16, 2*s->capacity)));
    s->drop[s->count++] = *drop;
    return MN_OK;
}

mn_status spray_visit(Spray* s, StateVisitor* v)
{
    static const StateColumn column[] = {STATE_MEMBER(STATE_REAL, Droplet, x, 3), STATE_MEMBER(STATE_REAL, Droplet, v, 3),
                                         STATE_MEMBER(STATE_REAL, Droplet, volume, 1),
                                         STATE_MEMBER(STATE_REAL, Droplet, material, sizeof(LiquidMaterial)/sizeof(double)),
                                         STATE_MEMBER(STATE_INT, Droplet, kind, 1)};
    int count = s->count;
    TRY(state_rows(v, "spray", &count));
    TRY(reserve(s, count));
    s->count = count;
    return v->table(v, &(StateTable){"spray", s->drop, s->count, sizeof *s->drop, column, 5});
}

bool spray_is_valid(const Spray* s)
{
    if (s->count < 0 || s->count > s->capacity) return false;
    for (int m = 0; m < s->count; m++) {
        const Droplet* p = &s->drop[m];
        if (!(p->volume > 0) || !(p->material.rho > 0) || p->kind < 0 || !isfinite(vec_norm(p->x))) return false;
    }
    return true;
}

double spray_volume(const Spray* s)
{
    double sum = 0;
    for (int m = 0; m < s->count; m++) sum += s->drop[m].volume;
    return sum;
}

double droplet_radius(const Droplet* drop, int dim)
{
    return dim == 3 ? cbrt(3*drop->volume/(4*PI)) : sqrt(drop->volume/PI);
}

void spray_remove(Spray* s, int m)
{
    assert(m >= 0 && m < s->count);
    memmove(&s->drop[m], &s->drop[m + 1], sizeof *s->drop*(size_t)(s->count - m - 1));
    s->count--;
}

// 1/kg: how easily a body gives way at an arm from its centre along n, 1/mass + (r x n).I^-1 (r x n).
static double gives_way(const Solid* s, const double arm[3], const double n[3])
{
    double turn[3], own[3] = {0, 0, 0}, sum = 1/s->mass;
    vec_cross(turn, arm, n);
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 3; k++) own[d] += s->pose.rotation[k][d]*turn[k];
    for (int d = 0; d < 3; d++) sum += own[d]*vec_dot(s->inverse_inertia[d], own);
    return sum;
}

// A droplet on a body: along the normal n the two go on together, as after any inelastic impact, however light the body is,
//
//     m (v' - v) = - J n,    J = (v - v_skin).n/(1/m + 1/M),    J n on the body;
//
// along the skin it slides. (Droplets that took the velocity of the skin gave the body their weight, too, whether they could go
// along or not: one between two discs wound them up to 120 rad/s, and a hundred times the energy of the pool.)
static void hit_body(Droplet* p, Solid* s, const double n[3], const double skin[3])
{
    double arm[3], given[3], turn[3], mass = p->volume*p->material.rho, closing = 0;
    for (int d = 0; d < 3; d++) arm[d] = p->x[d] - s->pivot[d] - s->pose.position[d], closing += (p->v[d] - skin[d])*n[d];
    if (!(closing < 0)) return;
    double impulse = closing/(1/mass + gives_way(s, arm, n));
    for (int d = 0; d < 3; d++) given[d] = impulse*n[d], p->v[d] -= given[d]/mass;
    vec_cross(turn, arm, given);
    for (int d = 0; d < 3; d++) s->hit[d] += given[d], s->hit[3 + d] += turn[d];
}

// A droplet in or at a solid, by `inside`, is put on its skin and stops there.
static void meet_solid(Droplet* p, Solids* solids, int which, double inside, const Tank* tank)
{
    double n[3], skin[3];
    Solid* s = &solids->solid[which];
    solids_normal(n, solids, p->x, tank->dx, tank->dim);
    for (int d = 0; d < 3; d++) p->x[d] += n[d]*inside;
    solids_velocity(skin, solids, p->x);
    if (s->body > 0) hit_body(p, s, n, skin);
    else memcpy(p->v, skin, sizeof p->v);
}

// Walls and solids: the droplet stops against them. Returns false if it left through an open side.
static bool droplet_stays(Droplet* p, const Tank* tank, Solids* solids)
{
    double r = fmin(droplet_radius(p, tank->dim), 0.5*tank->dx);
    bool stuck = false;
    for (int d = 0; d < tank->dim; d++) {
        double length = tank->n[d]*tank->dx;
        for (int side = 0; side < 2; side++) {
            double past = side == 0 ? -p->x[d] : p->x[d] - length;
            if (tank->side[2*d + side] == SIDE_IS_OPEN) {
                if (past > 0) return false;
            } else if (past + r > 0) {
                p->x[d] = side == 0 ? r : length - r;
                stuck = true;
            }
        }
    }
    int which = -1;
    double inside = r - solids_distance(solids, p->x, &which);
    if (inside > 0) {
        meet_solid(p, solids, which, inside, tank);
    } else if (stuck) {
        p->v[0] = p->v[1] = p->v[2] = 0;
    }
    return true;
}

SprayFlight spray_move(Spray* s, const Tank* tank, Solids* solids, const double acceleration[3], double dt)
{
    assert(dt > 0);
    SprayFlight out = {0};
    for (int m = 0; m < s->count;) {
        Droplet* p = &s->drop[m];
        double from[3] = {p->x[0], p->x[1], p->x[2]};
        for (int d = 0; d < tank->dim; d++) {
            p->x[d] += dt*(p->v[d] + 0.5*dt*acceleration[d]);
            p->v[d] += dt*acceleration[d];
        }
        bool stays = droplet_stays(p, tank, solids);
        for (int d = 0; d < 3; d++) out.way[d] += p->volume*p->material.rho*(p->x[d] - from[d]);
        if (stays) {
            m++;
            continue;
        }
        out.left += p->volume;
        spray_remove(s, m);
    }
    return out;
}

bool droplet_joins(const Droplet* p, int kind, const MergeTable* merge, double time)
{
    return p->kind == kind || merge_policy_of_kinds(merge, p->kind, kind, time).rule != MERGE_HOLD;
}

// q goes into p. Kind and material are those of the larger one, but for the density: mass and volume add.
static void join(Droplet* p, const Droplet* q)
{
    double mp = p->volume*p->material.rho, mq = q->volume*q->material.rho;
    for (int d = 0; d < 3; d++) {
        p->x[d] = (mp*p->x[d] + mq*q->x[d])/(mp + mq);
        p->v[d] = (mp*p->v[d] + mq*q->v[d])/(mp + mq);
    }
    if (q->volume > p->volume) p->kind = q->kind, p->material = q->material;
    p->volume += q->volume;
    p->material.rho = (mp + mq)/p->volume;
}

void spray_join(Spray* s, int dim, const MergeTable* merge, double time)
{
    for (int a = 0; a < s->count; a++)
        for (int b = a + 1; b < s->count;) {
            Droplet *p = &s->drop[a], *q = &s->drop[b];
            double gap[3];
            vec_sub(gap, p->x, q->x);
            if (vec_norm(gap) > droplet_radius(p, dim) + droplet_radius(q, dim) || !droplet_joins(p, q->kind, merge, time)) {
                b++;
                continue;
            }
            join(p, q);
            spray_remove(s, b);
        }
}
