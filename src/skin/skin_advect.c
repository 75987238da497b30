// [lee2019] with other rules where its own lose slow or thin water; docs/skin.md tells which and why.
#include "skin/skin_advect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "skin/skin_trace.h"

#define SHARES 0x1p20  // requests are counted in parts of what the source holds, 2^-20

// A parcel on its way: w quanta out of tetrahedron `from` into `to`, or, NOWHERE, into the air at x.
typedef struct Parcel {
    int from, to;
    int64_t w;
    double x[3];
    double u[3];
} Parcel;

// What is known of an active block while water is carried.
typedef struct Carrying {
    int* source;     // per tetrahedron and sample: where it comes from; NOWHERE
    double* quanta;  // per tetrahedron: those that one of its samples stands for
    Parcel* parcel;  // what goes forward, in the order of the tetrahedra
    int parcels, parcel_room;
    bool failed;  // memory was out
} Carrying;

// ---------------------------------------------------------------- asking

// What a sample that stands for so many quanta asks of its source: a part of it, in SHARES, or quanta.
static double request(const SkinWater* s, double quanta, const SkinBlock* source, int path)
{
    if (s->options.request == SKIN_BY_VOLUME) return floor(quanta);
    return floor(SHARES*min2(quanta/(double)source->room_before[path], 1e3) + 0.5);
}

static void ask_of(const SkinWater* s, Carrying* c, const SkinBlock* b, int f, double dt)
{
    const SkinLattice* l = s->lattice;
    int n = s->options.samples, tet = b->coarse << 3*l->fine.level | f, open = 0, *from = c->source + f*n;
    const double way[3] = {-dt*b->u[f][0], -dt*b->u[f][1], -dt*b->u[f][2]};
    Sampler q;
    sampler_begin(&q, s, &s->now, &s->before, tet, way, SKIN_BACKWARD);
    for (int k = 0; k < n; k++) {
        double x[3];
        from[k] = b->room[f] > 0 ? sampler_find(&q, k, x) : NOWHERE;
        open += from[k] != CLOSED;
    }
    c->quanta[f] = (double)b->room[f]/maxi(open, 1);
    for (int k = 0; k < n; k++) {
        SkinBlock* source = from[k] < 0 ? NULL : skin_block_of(s, from[k]);
        int path = from[k] < 0 ? 0 : skin_path_of(l, from[k]);
        if (!source || source->w[path] == 0 || source->room_before[path] == 0) {
            from[k] = NOWHERE;
            continue;
        }
        int64_t share = (int64_t)request(s, c->quanta[f], source, path);
#pragma omp atomic
        source->asked[path] += share;
    }
}

static void ask(const SkinWater* s, Carrying* c, const SkinBlock* b, double dt)
{
    for (int f = 0; f < s->lattice->fine.fine; f++)
        if (b->w[f] > 0) ask_of(s, c, b, f, dt);
}

// Quanta granted to one sample; all grants of a source together are at most what it holds, since each is rounded down.
static int64_t grant(const SkinWater* s, double quanta, const SkinBlock* source, int path)
{
    __extension__ typedef __int128 Wide;
    int64_t share = (int64_t)request(s, quanta, source, path), asked = source->asked[path], w = source->w[path];
    if (s->options.request == SKIN_BY_VOLUME && asked <= w) return share;
    if (s->options.request == SKIN_BY_CONTENT && asked < (int64_t)SHARES) asked = (int64_t)SHARES;
    return (int64_t)((Wide)w*share/asked);
}

static void take_granted(const SkinWater* s, const Carrying* c, SkinBlock* b)
{
    int n = s->options.samples;
    for (int f = 0; f < s->lattice->fine.fine; f++) {
        if (b->w[f] == 0) continue;
        for (int k = 0; k < n; k++) {
            int from = c->source[f*n + k];
            if (from < 0) continue;
            SkinBlock* source = skin_block_of(s, from);
            int path = skin_path_of(s->lattice, from);
            int64_t g = grant(s, c->quanta[f], source, path);
            b->next_w[f] += g;
            for (int d = 0; d < 3; d++) b->next_p[f][d] += (double)g*source->u[path][d];
#pragma omp atomic
            source->given[path] += g;
        }
    }
}

// ---------------------------------------------------------------- going on

static void send(Carrying* c, int from, int to, int64_t w, const double x[3], const double u[3])
{
    if (w == 0 || c->failed) return;
    if (c->parcels == c->parcel_room) {
        int room = c->parcel_room ? 2*c->parcel_room : 256;
        Parcel* more = realloc(c->parcel, sizeof *more*(size_t)room);
        if (!more) {
            c->failed = true;
            return;
        }
        c->parcel = more, c->parcel_room = room;
    }
    Parcel* p = &c->parcel[c->parcels++];
    *p = (Parcel){.from = from, .to = to, .w = w};
    memcpy(p->x, x, sizeof p->x), memcpy(p->u, u, sizeof p->u);
}

// Where a sample of a tetrahedron lands: a tetrahedron with room; NOWHERE: in the air; itself, where there is no way.
static int landing(const SkinWater* s, const Sampler* q, int tet, int k, double x[3])
{
    int to = sampler_find(q, k, x);
    for (int go = 0; go < 2; go++) {
        if (to == CLOSED) return CLOSED;
        if (to < 0) return s->body.distance(s->body.self, x) < 0 ? tet : NOWHERE;
        const SkinBlock* b = skin_block_of(s, to);
        if ((b ? b->room[skin_path_of(s->lattice, to)] : skin_room(s, &s->now, to)) > 0) return to;
        double own[4];
        skin_put_outside(x, &s->now, q->coarse);
        to = skin_locate(own, &s->now, x, q->coarse);
    }
    return tet;
}

static bool was_asking(const SkinWater* s, int tet) { return tet >= 0 && skin_w(s, tet) > 0; }

// What is left of tetrahedron tet, `rest`, goes with points of its own to those who could not ask, because they were dry or are
// air; if there are none, to all points alike. (To give the silent ones no more than their points stand for, and the others the
// rest, held isolated water back by 2 % more and put 0.2 % more where there was no room.)
static void send_rest(const SkinWater* s, Carrying* c, int tet, int64_t rest, const double u[3], double dt)
{
    const double way[3] = {dt*u[0], dt*u[1], dt*u[2]};
    Sampler q;
    sampler_begin(&q, s, &s->before, &s->now, tet, way, SKIN_FORWARD);
    int to[SKIN_SAMPLES_MOST], open = 0, silent = 0;
    double x[SKIN_SAMPLES_MOST][3];
    for (int k = 0; k < s->options.samples; k++) {
        int at = landing(s, &q, tet, k, x[open]);
        if (at == CLOSED) continue;
        to[open++] = at;
        silent += !was_asking(s, at);
    }
    int64_t first = 0;
    if (silent > 0 && s->options.request != SKIN_ONLY_FORWARD) {
        first = rest/silent;
        rest -= first*silent;
    }
    for (int k = 0; k < open; k++)
        send(c, tet, to[k], rest/open + (k < rest%open) + (was_asking(s, to[k]) ? 0 : first), x[k], u);
}

static void go_on(const SkinWater* s, Carrying* c, SkinBlock* b, double dt)
{
    const SkinLattice* l = s->lattice;
    bool broken = s->now.broken[b->coarse] || s->before.broken[b->coarse];
    for (int f = 0; f < l->fine.fine; f++) {
        int64_t rest = b->w[f] - b->given[f];
        assert(rest >= 0);
        if (rest == 0) continue;
        int tet = b->coarse << 3*l->fine.level | f;
        if (broken) send(c, tet, tet, rest, b->u[f], b->u[f]);  // held until it can be found again
        else send_rest(s, c, tet, rest, b->u[f], dt);
    }
}

// ---------------------------------------------------------------- arriving

// Parcels by the block they go to, each block's in the order in which they were sent; `first` has active blocks + 1 places.
static mn_status sort_parcels(Parcel*** sorted, int** first, const SkinWater* s, const Carrying* list, int senders)
{
    int* count = calloc((size_t)s->lattice->tets + 1, sizeof *count);
    size_t all = 0;
    for (int m = 0; m < senders; m++) all += (size_t)list[m].parcels;
    *sorted = malloc(sizeof **sorted*(all + 1));
    *first = count;
    if (!count || !*sorted) return mn_fail(MN_NO_MEMORY, "out of memory: water on a skin");
    for (int m = 0; m < senders; m++)
        for (int k = 0; k < list[m].parcels; k++)
            if (list[m].parcel[k].to >= 0) count[skin_coarse_of(s->lattice, list[m].parcel[k].to) + 1]++;
    for (int t = 0; t < s->lattice->tets; t++) count[t + 1] += count[t];
    for (int m = 0; m < senders; m++)
        for (int k = 0; k < list[m].parcels; k++)
            if (list[m].parcel[k].to >= 0)
                (*sorted)[count[skin_coarse_of(s->lattice, list[m].parcel[k].to)]++] = &list[m].parcel[k];
    for (int t = s->lattice->tets; t > 0; t--) count[t] = count[t - 1];
    count[0] = 0;
    return MN_OK;
}

static void arrive(const SkinWater* s, SkinBlock* b, Parcel* const* parcel, int parcels)
{
    for (int m = 0; m < parcels; m++) {
        const Parcel* p = parcel[m];
        int f = skin_path_of(s->lattice, p->to);
        b->next_w[f] += p->w;
        for (int d = 0; d < 3; d++) b->next_p[f][d] += (double)p->w*p->u[d];
    }
}

static void finish(const SkinWater* s, SkinBlock* b)
{
    for (int f = 0; f < s->lattice->fine.fine; f++) {
        b->w[f] = b->next_w[f];
        for (int d = 0; d < 3; d++) b->u[f][d] = b->w[f] > 0 ? b->next_p[f][d]/(double)b->w[f] : 0;
        b->next_w[f] = b->asked[f] = b->given[f] = 0;
        b->next_p[f][0] = b->next_p[f][1] = b->next_p[f][2] = 0;
    }
}

static mn_status deliver(SkinWater* s, Carrying* list, int senders)
{
    for (int m = 0; m < senders; m++) {
        if (list[m].failed) return mn_fail(MN_NO_MEMORY, "out of memory: water on a skin");
        for (int k = 0; k < list[m].parcels; k++) {
            SkinBlock* made;
            int to = list[m].parcel[k].to;
            if (to >= 0) TRY(skin_block_make(&made, s, skin_coarse_of(s->lattice, to)));
        }
    }
    TRY(skin_list_active(s));
    Parcel** sorted;
    int* first;
    mn_status status = sort_parcels(&sorted, &first, s, list, senders);
    if (status == MN_OK) {
#pragma omp parallel for schedule(dynamic)
        for (int m = 0; m < s->active_count; m++) {
            int t = s->active[m];
            arrive(s, s->block[t], sorted + first[t], first[t + 1] - first[t]);
            finish(s, s->block[t]);
        }
    }
    free(sorted), free(first);
    return status;
}

// Points of one tetrahedron that leave the lattice make at most drops_per_tet drops, fewer where there is little water:
// neighbours among its points join.
static mn_status emit(SkinWater* s, const Carrying* c)
{
    for (int m = 0; m < c->parcels;) {
        int last = m, count = 0;
        for (; last < c->parcels && c->parcel[last].from == c->parcel[m].from; last++) count += c->parcel[last].to < 0;
        int64_t w = 0;
        for (int k = m; k < last; k++) w += c->parcel[k].to < 0 ? c->parcel[k].w : 0;
        int drops = clampi((int)ceil((double)w*s->options.drops_per_tet*s->quantum/skin_fine_volume(s->lattice)), 1,
                           s->options.drops_per_tet);
        int group = (count + drops - 1)/drops, which = 0;
        w = 0;
        double x[3] = {0};
        for (int k = m, in = 0; k < last; k++) {
            const Parcel* p = &c->parcel[k];
            if (p->to >= 0) continue;
            for (int d = 0; d < 3; d++) x[d] += (double)p->w*p->x[d];
            w += p->w, in++, count--;
            if (in < group && count > 0) continue;
            for (int d = 0; d < 3; d++) x[d] /= (double)w;
            TRY(skin_drops_emit(s, p->from, x, p->u, w, which++));
            w = 0, in = 0, x[0] = x[1] = x[2] = 0;
        }
        m = last;
    }
    return MN_OK;
}

static mn_status carry(SkinWater* s, Carrying* list, double dt)
{
    int senders = s->active_count, n = s->options.samples, fine = s->lattice->fine.fine;
    for (int m = 0; m < senders; m++) {
        list[m].source = malloc(sizeof *list[m].source*(size_t)(fine*n));
        list[m].quanta = malloc(sizeof *list[m].quanta*(size_t)fine);
        if (!list[m].source || !list[m].quanta) return mn_fail(MN_NO_MEMORY, "out of memory: water on a skin");
    }
    if (s->options.request != SKIN_ONLY_FORWARD) {
#pragma omp parallel for schedule(dynamic)
        for (int m = 0; m < senders; m++) ask(s, &list[m], s->block[s->active[m]], dt);
#pragma omp parallel for schedule(dynamic)
        for (int m = 0; m < senders; m++) take_granted(s, &list[m], s->block[s->active[m]]);
    }
#pragma omp parallel for schedule(dynamic)
    for (int m = 0; m < senders; m++) go_on(s, &list[m], s->block[s->active[m]], dt);
    TRY(deliver(s, list, senders));
    for (int m = 0; m < senders; m++) TRY(emit(s, &list[m]));
    return MN_OK;
}

mn_status skin_advect(SkinWater* s, double dt)
{
    assert(dt > 0);
    TRY(skin_list_active(s));
    int senders = s->active_count;
    Carrying* list = calloc((size_t)senders + 1, sizeof *list);
    if (!list) return mn_fail(MN_NO_MEMORY, "out of memory: water on a skin");
    mn_status status = carry(s, list, dt);
    for (int m = 0; m < senders; m++) free(list[m].source), free(list[m].quanta), free(list[m].parcel);
    free(list);
    return status;
}
