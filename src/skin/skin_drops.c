#include "skin/skin_drops.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "skin/skin_samples.h"
#include "skin/skin_water.h"

void skin_drops_free(SkinDrops* d)
{
    free(d->drop);
    *d = (SkinDrops){0};
}

static mn_status make_room(SkinDrops* d, int count)
{
    if (count <= d->room) return MN_OK;
    int room = maxi(count, 2*d->room);
    SkinDrop* more = realloc(d->drop, sizeof *more*(size_t)room);
    if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: %d drops from a skin", count);
    d->drop = more, d->room = room;
    return MN_OK;
}

mn_status skin_drops_add(SkinDrops* d, const double x[3], const double v[3], int64_t w)
{
    assert(w > 0);
    TRY(make_room(d, d->count + 1));
    SkinDrop* one = &d->drop[d->count++];
    *one = (SkinDrop){.w = w, .id = d->next_id++};
    memcpy(one->x, x, sizeof one->x), memcpy(one->v, v, sizeof one->v);
    return MN_OK;
}

mn_status skin_drops_visit(SkinDrops* d, StateVisitor* v)
{
    static const StateColumn column[] = {STATE_MEMBER(STATE_REAL, SkinDrop, x, 3), STATE_MEMBER(STATE_REAL, SkinDrop, v, 3),
                                         STATE_MEMBER(STATE_INT64, SkinDrop, w, 1), STATE_MEMBER(STATE_INT64, SkinDrop, id, 1)};
    int count = d->count;
    TRY(state_rows(v, "drops", &count));
    TRY(make_room(d, count));
    d->count = count;
    TRY(v->integers(v, "next_drop", &d->next_id, 1));
    return v->table(v, &(StateTable){"drops", d->drop, d->count, sizeof *d->drop, column, 4});
}

int64_t skin_drops_held(const SkinDrops* d)
{
    int64_t sum = 0;
    for (int m = 0; m < d->count; m++) sum += d->drop[m].w;
    return sum;
}

double skin_drop_radius(const SkinWater* s, int64_t w) { return cbrt(3*(double)w*s->quantum/(4*PI)); }

// In the body, or in water of the skin?
static bool is_taken(const SkinWater* s, const double x[3], int guess)
{
    double b[4], phi[4];
    int tet = skin_locate(b, &s->now, x, guess);
    if (tet < 0) return s->body.distance(s->body.self, x) < 0;
    skin_depth_corners(phi, &s->now, tet);
    return b[0]*phi[0] + b[1]*phi[1] + b[2]*phi[2] + b[3]*phi[3] < 0 || skin_w(s, tet) > 0;
}

mn_status skin_drops_emit(SkinWater* s, int tet, const double x[3], const double v[3], int64_t w, int which)
{
    uint64_t dice = skin_hash((uint64_t)tet*64 + (uint64_t)which, (uint64_t)s->step, SKIN_JITTER);
    double xi[3], size;
    do {
        for (int d = 0; d < 3; d++) xi[d] = 2*skin_uniform(&dice) - 1;
        size = vec_norm(xi);
    } while (size > 1);
    double reach = s->options.jitter*s->lattice->spacing/(1 << s->lattice->fine.level), at[3];
    for (int go = 0; go < 5; go++, reach *= 0.5) {
        if (go == 4) reach = 0;
        for (int d = 0; d < 3; d++) at[d] = x[d] + reach*xi[d];
        if (!is_taken(s, at, skin_coarse_of(s->lattice, tet))) break;
    }
    return skin_drops_add(&s->drops, at, v, w);
}

// Out of the unit normal of the body at x, from central differences of its distance.
static void body_normal(double n[3], const SkinWater* s, const double x[3])
{
    double h = 0.5*s->lattice->spacing/(1 << s->lattice->fine.level);
    for (int d = 0; d < 3; d++) {
        double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        low[d] -= h, high[d] += h;
        n[d] = s->body.distance(s->body.self, high) - s->body.distance(s->body.self, low);
    }
    double size = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = size > 0 ? n[d]/size : 0;
}

static void meet_body(SkinWater* s, SkinDrop* p)
{
    double depth = s->body.distance(s->body.self, p->x);
    if (depth >= 0) return;
    double n[3], u[3], into = 0;
    body_normal(n, s, p->x);
    s->body.velocity(u, s->body.self, p->x);
    for (int d = 0; d < 3; d++) p->x[d] -= depth*n[d], into += (p->v[d] - u[d])*n[d];
    if (into >= 0) return;
    for (int d = 0; d < 3; d++) p->v[d] -= into*n[d], s->pushed[d] += (double)p->w*into*n[d];
}

void skin_drops_fly(SkinWater* s, const double acceleration[3], double dt)
{
    for (int m = 0; m < s->drops.count; m++) {
        SkinDrop* p = &s->drops.drop[m];
        for (int d = 0; d < 3; d++) {
            p->x[d] += dt*(p->v[d] + 0.5*dt*acceleration[d]);
            p->v[d] += dt*acceleration[d];
        }
        meet_body(s, p);
    }
}

mn_status skin_drops_absorb(SkinWater* s)
{
    SkinDrops* list = &s->drops;
    double b[4];
    int kept = 0;
    for (int m = 0; m < list->count; m++) {
        const SkinDrop p = list->drop[m];
        int tet = skin_locate(b, &s->now, p.x, -1);
        bool joins = tet >= 0 && skin_w(s, tet) > 0;
        if (tet >= 0 && !joins) {  // it touches the skin
            double phi[4];
            skin_depth_corners(phi, &s->now, tet);
            joins = b[0]*phi[0] + b[1]*phi[1] + b[2]*phi[2] + b[3]*phi[3] < skin_drop_radius(s, p.w) &&
                    skin_room(s, &s->now, tet) > 0;
        }
        if (!joins) {
            list->drop[kept++] = p;
            continue;
        }
        SkinBlock* block;
        TRY(skin_block_make(&block, s, skin_coarse_of(s->lattice, tet)));
        skin_add(block, skin_path_of(s->lattice, tet), p.w, p.v);
    }
    list->count = kept;
    return skin_list_active(s);
}
