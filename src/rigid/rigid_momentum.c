#include "rigid/rigid_momentum.h"

#include <assert.h>
#include <math.h>
#include "base/dense.h"
#include "base/unionfind.h"
#include "base/vec.h"
#include "liquid/momentum.h"

struct FreeBodiesNote {
    double (*body)[3];  // momenta; those of liquids are noted on them
};

static void momentum_of_body(double out[3], const Rigid* r, int b)
{
    double twist[TWIST];
    rigid_twist(twist, r, b, r->v);
    for (int d = 0; d < 3; d++) out[d] = r->body[b].mass*twist[d];
}

mn_status free_bodies_note(FreeBodiesNote** note, const Rigid* r, StepContext* ctx)
{
    FreeBodiesNote* n = ARENA_ZERO(ctx->kept, FreeBodiesNote, 1);
    TRY_MEMORY(*note = n);
    TRY_MEMORY(n->body = arena_take_zero(ctx->kept, sizeof *n->body*(size_t)(r->bodies + 1)));
    for (int b = 0; b < r->bodies; b++) momentum_of_body(n->body[b], r, b);
    return MN_OK;
}

// ---- who hangs together ----------------------------------------------------------------------------------------------------

// Liquids, then bodies, as disjoint sets; of each set what it lacks.
typedef struct Sets {
    int* parent;
    bool* held;          // something else touches it
    bool* meets;         // a body and a liquid of it push each other
    double (*lacks)[4];  // kg m/s, and its mass
} Sets;

static bool touches_scripted(const Liquid* q, const Solids* solids)
{
    for (int m = 0; m < q->cells.count && liquid_solid(q); m++) {
        const CutCell* c = &q->cells.cut[m];
        double x[3];
        int which = 0;
        if (!(vec_norm(c->solid) > 0)) continue;
        window_position(x, &q->w, c->i + 0.5, c->j + 0.5, c->k + 0.5);
        solids_distance(solids, x, &which);
        if (solids->solid[which].body == 0) return true;
    }
    return false;
}

static int body_of(const StepContext* ctx, int solid)
{
    int body = ctx->world->solids.solid[solid].body - 1;
    assert(body >= 0);
    return body;
}

static mn_status find_sets(Sets* s, const Rigid* r, const BodyCell* cell, int cells, const Coupling* c, StepContext* ctx)
{
    int liquids = ctx->world->liquid_count, count = liquids + r->bodies;
    TRY_MEMORY(s->parent = ARENA_NEW(ctx->scratch, int, count));
    TRY_MEMORY(s->held = ARENA_ZERO(ctx->scratch, bool, count));
    TRY_MEMORY(s->meets = ARENA_ZERO(ctx->scratch, bool, count));
    TRY_MEMORY(s->lacks = arena_take_zero(ctx->scratch, sizeof *s->lacks*(size_t)count));
    for (int m = 0; m < count; m++) s->parent[m] = m;
    for (int m = 0; m < cells; m++) set_join(s->parent, cell[m].liquid, liquids + cell[m].body);
    for (int m = 0; m < c->skins; m++) set_join(s->parent, c->skin[m].liquid, liquids + body_of(ctx, c->skin[m].solid));
    for (int m = 0; m < liquids; m++) set_join(s->parent, m, set_find(c->pushes, m));
    for (int b = 1; b < r->bodies; b++)  // of one tree
        for (int a = 0; a < b; a++)
            if (r->body[a].follower.first == r->body[b].follower.first) set_join(s->parent, liquids + a, liquids + b);
    for (int m = 0; m < cells; m++) s->meets[set_find(s->parent, cell[m].liquid)] = true;
    for (int m = 0; m < c->skins; m++) s->meets[set_find(s->parent, c->skin[m].liquid)] = true;
    for (int b = 0; b < r->bodies; b++)
        if (r->engine->touching && r->engine->touching(r, b) > 0) s->held[set_find(s->parent, liquids + b)] = true;
    for (int m = 0; m < liquids; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        int root = set_find(s->parent, m);
        s->held[root] = s->held[root] || !s->meets[root] || !momentum_is_due(q) || c->leans[m] || !momentum_is_off_sides(q) ||
                        touches_scripted(q, &ctx->world->solids);
    }
    return MN_OK;
}

// What each set lacks of its momentum. Bodies that no liquid pushes have it by their own equations. spray: bodies x TWIST, N.
static mn_status find_lacks(Sets* s, const Rigid* r, const FreeBodiesNote* note, const double* spray, StepContext* ctx)
{
    int liquids = ctx->world->liquid_count;
    for (int m = 0; m < liquids + r->bodies; m++) {
        double now[3], mass;
        const double *before, *hit = NULL;
        int root = set_find(s->parent, m);
        if (s->held[root]) continue;
        if (m < liquids) {
            const Liquid* q = &ctx->world->liquid[m];
            TRY(momentum_total(now, q, ctx->scratch));
            before = q->due, mass = q->material.rho*q->cells.volume;
        } else {
            momentum_of_body(now, r, m - liquids);
            before = note->body[m - liquids], mass = r->body[m - liquids].mass;
            hit = spray + TWIST*(m - liquids);
        }
        for (int d = 0; d < 3; d++)
            s->lacks[root][d] += before[d] + ctx->dt*(mass*ctx->acceleration[d] + (hit ? hit[d] : 0)) - now[d];
        s->lacks[root][3] += mass;
    }
    return MN_OK;
}

// ---- giving it back --------------------------------------------------------------------------------------------------------

// Velocities that move every body of the free sets along with its set: what impulses m w at their centres of mass give. False:
// joints or fixed axes do not let all of them.
static bool shift_of_bodies(double* shift, const Sets* s, const Rigid* r, const double* factor, int liquids)
{
    for (int m = 0; m < r->nv; m++) shift[m] = 0;
    for (int b = 0; b < r->bodies; b++) {
        const double* lacks = s->lacks[set_find(s->parent, liquids + b)];
        double impulse[TWIST] = {0};
        for (int d = 0; d < 3 && lacks[3] > 0; d++) impulse[d] = r->body[b].mass*lacks[d]/lacks[3];
        wrenches_forces(shift, &r->body[b].follower, 1, impulse);
    }
    dense_solve(shift, factor, r->nv);
    for (int b = 0; b < r->bodies; b++) {
        const double* lacks = s->lacks[set_find(s->parent, liquids + b)];
        double twist[TWIST], off = 0, size = 0;
        rigid_twist(twist, r, b, shift);
        for (int d = 0; d < r->tank.dim && lacks[3] > 0; d++)
            off = fmax(off, fabs(twist[d] - lacks[d]/lacks[3])), size = fmax(size, fabs(lacks[d]/lacks[3]));
        if (off > 1e-6*size) return false;
    }
    return true;
}

mn_status free_bodies_settle(Rigid* r, const FreeBodiesNote* note, const BodyCell* cell, int cells, const double* factor,
                             const double* spray, const Coupling* c, StepContext* ctx)
{
    Sets s;
    int liquids = ctx->world->liquid_count;
    assert(note && (cells > 0 || c->skins > 0));
    TRY(find_sets(&s, r, cell, cells, c, ctx));
    TRY(find_lacks(&s, r, note, spray, ctx));
    double *shift = ARENA_NEW(ctx->scratch, double, r->nv), rest[3] = {0, 0, 0};
    TRY_MEMORY(shift);
    if (!shift_of_bodies(shift, &s, r, factor, liquids)) return MN_OK;
    for (int m = 0; m < r->nv; m++) r->v[m] += shift[m];
    for (int m = 0; m < liquids; m++) {
        const double* lacks = s.lacks[set_find(s.parent, m)];
        if (!(lacks[3] > 0)) continue;
        double to[3];
        for (int d = 0; d < 3; d++) to[d] = lacks[d]/lacks[3];
        momentum_calm(&ctx->world->liquid[m], rest, to, 1);
    }
    return MN_OK;
}
