#include "skin/skin_water.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "skin/skin_samples.h"

// A tetrahedron at rest holds so many quanta: ten million full ones are 1e16, nine hundred times less than an int64_t can count.
#define QUANTA_OF_TET 0x1p30

SkinOptions skin_options(void)
{
    return (SkinOptions){.request = SKIN_BY_CONTENT,
                         .samples = 11,
                         .crumb = 0.02,
                         .slip = 1,
                         .jitter = 0.5,
                         .drops_per_tet = 4,
                         .adhesion_reach = 1};
}

static mn_status no_memory(void) { return mn_fail(MN_NO_MEMORY, "out of memory: water on a skin"); }

void skin_water_free(SkinWater* s)
{
    if (s->block)
        for (int t = 0; t < s->lattice->tets; t++) free(s->block[t]);
    free(s->block), free(s->active);
    skin_drops_free(&s->drops);
    skin_pose_free(&s->now), skin_pose_free(&s->before);
    *s = (SkinWater){0};
}

static mn_status begin(SkinWater* s)
{
    const SkinLattice* l = s->lattice;
    TRY(skin_pose_init(&s->now, l));
    TRY(skin_pose_init(&s->before, l));
    s->block = calloc((size_t)l->tets, sizeof *s->block);
    if (!s->block) return no_memory();
    TRY(skin_pose_set(&s->now, (const double(*)[3])l->rest));
    TRY(skin_pose_measure(&s->now, s->body.distance, s->body.self));
    TRY(skin_pose_set(&s->before, (const double(*)[3])l->rest));
    return skin_pose_measure(&s->before, s->body.distance, s->body.self);
}

mn_status skin_water_init(SkinWater* s, const SkinLattice* l, const SkinBody* body, const SkinOptions* o)
{
    assert(o->samples >= 4 && o->samples <= SKIN_SAMPLES_MOST && (!o->still_points || o->samples == 11) && o->drops_per_tet >= 1);
    *s = (SkinWater){.lattice = l, .body = *body, .options = *o, .quantum = skin_fine_volume(l)/QUANTA_OF_TET};
    skin_fixed_samples(s->still, 11);
    mn_status status = begin(s);
    if (status != MN_OK) skin_water_free(s);
    return status;
}

// ---------------------------------------------------------------- blocks

int64_t skin_room(const SkinWater* s, const SkinPose* p, int tet)
{
    int coarse = skin_coarse_of(s->lattice, tet);
    if (p->broken[coarse]) return 0;
    double open = 1, phi[4];
    if (p->depth.slot[coarse] >= 0) {
        skin_depth_corners(phi, p, tet);
        open = skin_open_fraction(phi);
        if (open < 1e-3) open = 0;
    } else if (skin_order_key(p, tet) < 0) {
        open = 0;
    }
    if (s->hair) open = max2(open - skin_hair_fraction(s->hair, p, tet), 0);
    return (int64_t)(open*skin_volume_of(p, tet)/s->quantum);
}

static void fill_room(const SkinWater* s, SkinBlock* b)
{
    const SkinLattice* l = s->lattice;
    for (int f = 0; f < l->fine.fine; f++) {
        int tet = b->coarse << 3*l->fine.level | f;
        b->room[f] = skin_room(s, &s->now, tet), b->room_before[f] = skin_room(s, &s->before, tet);
    }
}

mn_status skin_block_make(SkinBlock** out, SkinWater* s, int coarse)
{
    *out = s->block[coarse];
    if (*out) return MN_OK;
    size_t n = (size_t)s->lattice->fine.fine, bytes = n*(6*sizeof(int64_t) + 6*sizeof(double) + sizeof(bool));
    SkinBlock* b = calloc(1, sizeof *b + bytes);
    if (!b) return no_memory();
    b->coarse = coarse;
    b->w = (int64_t*)(b + 1);
    b->room = b->w + n, b->room_before = b->room + n;
    b->next_w = b->room_before + n, b->asked = b->next_w + n, b->given = b->asked + n;
    b->u = (double(*)[3])(b->given + n);
    b->next_p = b->u + n;
    b->stopped = (bool*)(b->next_p + n);
    fill_room(s, b);
    *out = s->block[coarse] = b;
    return MN_OK;
}

mn_status skin_list_active(SkinWater* s)
{
    int count = 0;
    for (int t = 0; t < s->lattice->tets; t++) count += s->block[t] != NULL;
    if (count > s->active_room) {
        int* active = realloc(s->active, sizeof *active*(size_t)(count + count/4));
        if (!active) return no_memory();
        s->active = active, s->active_room = count + count/4;
    }
    s->active_count = 0;
    for (int t = 0; t < s->lattice->tets; t++)
        if (s->block[t]) s->active[s->active_count++] = t;
    return MN_OK;
}

void skin_drop_dry_blocks(SkinWater* s)
{
    enum { PATIENCE = 3 };
    for (int m = 0; m < s->active_count; m++) {
        SkinBlock* b = s->block[s->active[m]];
        bool wet = false;
        for (int f = 0; f < s->lattice->fine.fine && !wet; f++) wet = b->w[f] > 0;
        b->dry_steps = wet ? 0 : b->dry_steps + 1;
        if (b->dry_steps < PATIENCE) continue;
        s->block[b->coarse] = NULL;
        free(b);
    }
}

void skin_add(SkinBlock* b, int path, int64_t w, const double u[3])
{
    assert(w >= 0);
    if (w == 0) return;
    double share = (double)w/((double)b->w[path] + (double)w);
    for (int d = 0; d < 3; d++) b->u[path][d] += share*(u[d] - b->u[path][d]);
    b->w[path] += w;
}

mn_status skin_water_pour(SkinWater* s, int tet, int64_t w, const double u[3])
{
    SkinBlock* b;
    TRY(skin_block_make(&b, s, skin_coarse_of(s->lattice, tet)));
    skin_add(b, skin_path_of(s->lattice, tet), w, u);
    s->ledger.source += w;
    return MN_OK;
}

mn_status skin_water_move(SkinWater* s, const double (*x)[3])
{
    SkinPose old = s->before;
    s->before = s->now, s->now = old;
    TRY(skin_pose_set(&s->now, x));
    if (!s->body.keeps_form) TRY(skin_pose_measure(&s->now, s->body.distance, s->body.self));
    TRY(skin_list_active(s));
#pragma omp parallel for schedule(dynamic)
    for (int m = 0; m < s->active_count; m++) fill_room(s, s->block[s->active[m]]);
    return MN_OK;
}

// ---------------------------------------------------------------- books

int64_t skin_water_held(const SkinWater* s)
{
    int64_t sum = 0;
    for (int t = 0; t < s->lattice->tets; t++)
        for (int f = 0; s->block[t] && f < s->lattice->fine.fine; f++) sum += s->block[t]->w[f];
    return sum;
}

int64_t skin_water_lost(const SkinWater* s)
{
    const SkinLedger* g = &s->ledger;
    return g->source + g->from_liquid - g->to_liquid - g->out - skin_water_held(s) - skin_drops_held(&s->drops);
}

void skin_water_momentum(double p[3], const SkinWater* s)
{
    p[0] = p[1] = p[2] = 0;
    for (int t = 0; t < s->lattice->tets; t++)
        for (int f = 0; s->block[t] && f < s->lattice->fine.fine; f++)
            for (int d = 0; d < 3; d++) p[d] += (double)s->block[t]->w[f]*s->block[t]->u[f][d];
    for (int m = 0; m < s->drops.count; m++)
        for (int d = 0; d < 3; d++) p[d] += (double)s->drops.drop[m].w*s->drops.drop[m].v[d];
}

bool skin_water_is_valid(const SkinWater* s)
{
    for (int t = 0; t < s->lattice->tets; t++) {
        const SkinBlock* b = s->block[t];
        if (!b) continue;
        if (b->coarse != t) return false;
        for (int f = 0; f < s->lattice->fine.fine; f++)
            if (b->w[f] < 0 || b->room[f] < 0 || !isfinite(vec_norm(b->u[f])) || (b->w[f] == 0 && vec_norm(b->u[f]) != 0))
                return false;
    }
    for (int m = 0; m < s->drops.count; m++) {
        const SkinDrop* d = &s->drops.drop[m];
        if (d->w <= 0 || !isfinite(vec_norm(d->x)) || !isfinite(vec_norm(d->v))) return false;
        if (m > 0 && d->id <= s->drops.drop[m - 1].id) return false;
    }
    return skin_water_lost(s) == 0;
}

// ---------------------------------------------------------------- state

// Wet tetrahedra as a list: number, water, velocity. The walk makes the blocks again; which dry ones there were changes nothing.
typedef struct WetRow {
    int tet;
    int64_t w;
    double u[3];
} WetRow;

static int wet_count(const SkinWater* s)
{
    int count = 0;
    for (int t = 0; t < s->lattice->tets; t++)
        for (int f = 0; s->block[t] && f < s->lattice->fine.fine; f++) count += s->block[t]->w[f] > 0;
    return count;
}

static void wet_rows(WetRow* row, const SkinWater* s)
{
    for (int t = 0; t < s->lattice->tets; t++)
        for (int f = 0; s->block[t] && f < s->lattice->fine.fine; f++) {
            const SkinBlock* b = s->block[t];
            if (b->w[f] == 0) continue;
            *row = (WetRow){.tet = t << 3*s->lattice->fine.level | f, .w = b->w[f]};
            memcpy((row++)->u, b->u[f], sizeof row->u);
        }
}

static mn_status wet_back(SkinWater* s, const WetRow* row, int rows)
{
    for (int t = 0; t < s->lattice->tets; t++) free(s->block[t]), s->block[t] = NULL;
    for (int m = 0; m < rows; m++) {
        if (row[m].tet < 0 || row[m].tet >= skin_fine_count(s->lattice) || row[m].w <= 0)
            return mn_fail(MN_IO, "water on a skin: there is no tetrahedron %d", row[m].tet);
        SkinBlock* b;
        int f = skin_path_of(s->lattice, row[m].tet);
        TRY(skin_block_make(&b, s, skin_coarse_of(s->lattice, row[m].tet)));
        b->w[f] = row[m].w;
        memcpy(b->u[f], row[m].u, sizeof b->u[f]);
    }
    return skin_list_active(s);
}

static mn_status visit_wet(SkinWater* s, StateVisitor* v)
{
    static const StateColumn column[] = {STATE_MEMBER(STATE_INT, WetRow, tet, 1), STATE_MEMBER(STATE_INT64, WetRow, w, 1),
                                         STATE_MEMBER(STATE_REAL, WetRow, u, 3)};
    int rows = wet_count(s);
    TRY(state_rows(v, "wet", &rows));
    WetRow* row = calloc((size_t)rows + 1, sizeof *row);
    if (!row) return no_memory();
    if (!v->brings) wet_rows(row, s);
    mn_status status = v->table(v, &(StateTable){"wet", row, rows, sizeof *row, column, 3});
    if (status == MN_OK && v->brings) status = wet_back(s, row, rows);
    free(row);
    return status;
}

mn_status skin_water_visit(SkinWater* s, StateVisitor* v)
{
    int64_t* books[] = {&s->ledger.source, &s->ledger.out, &s->ledger.from_liquid, &s->ledger.to_liquid};
    static const char* const names[] = {"source", "out", "from_liquid", "to_liquid"};
    for (int m = 0; m < 4; m++) TRY(v->integers(v, names[m], books[m], 1));
    TRY(state_long(v, "step", &s->step));
    const size_t n[3] = {(size_t)s->lattice->nodes, 3, 1};
    TRY(v->block(v, "nodes", &s->now.x[0][0], 2, n));
    if (v->brings) {
        TRY(skin_pose_set(&s->now, (const double(*)[3])s->now.x));
        if (!s->body.keeps_form) TRY(skin_pose_measure(&s->now, s->body.distance, s->body.self));
    }
    TRY(visit_wet(s, v));
    return skin_drops_visit(&s->drops, v);
}
