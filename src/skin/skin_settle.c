#include "skin/skin_settle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "skin/skin_heap.h"
#include "skin/skin_samples.h"

static mn_status no_memory(void) { return mn_fail(MN_NO_MEMORY, "out of memory: water on a skin"); }

static int64_t room_of(const SkinWater* s, int tet)
{
    const SkinBlock* b = skin_block_of(s, tet);
    return b ? b->room[skin_path_of(s->lattice, tet)] : skin_room(s, &s->now, tet);
}

static int64_t excess_of(const SkinWater* s, int tet) { return skin_w(s, tet) - room_of(s, tet); }

// w quanta go from one tetrahedron to another, with the momentum they have.
static mn_status hand_over(SkinWater* s, int from, int to, int64_t w)
{
    SkinBlock *a = skin_block_of(s, from), *b;
    int f = skin_path_of(s->lattice, from);
    assert(a && w >= 0 && w <= a->w[f]);
    TRY(skin_block_make(&b, s, skin_coarse_of(s->lattice, to)));
    skin_add(b, skin_path_of(s->lattice, to), w, a->u[f]);
    a->w[f] -= w;
    if (a->w[f] == 0) a->u[f][0] = a->u[f][1] = a->u[f][2] = 0;
    return MN_OK;
}

// Tetrahedra with more than fits, in the order of their numbers; how many. Owned by the caller.
static mn_status find_overfull(int** list, int64_t** excess, int* count, const SkinWater* s)
{
    const SkinLattice* l = s->lattice;
    int room = 1024;
    *count = 0;
    *list = malloc(sizeof **list*(size_t)room), *excess = malloc(sizeof **excess*(size_t)room);
    for (int m = 0; m < s->active_count; m++) {
        const SkinBlock* b = s->block[s->active[m]];
        for (int f = 0; f < l->fine.fine; f++) {
            if (b->w[f] <= b->room[f] || s->now.broken[b->coarse]) continue;
            if (*list && *excess && *count == room) {
                room *= 2;
                int* more = realloc(*list, sizeof *more*(size_t)room);
                int64_t* also = more ? realloc(*excess, sizeof *also*(size_t)room) : NULL;
                if (more) *list = more;
                if (!also) return no_memory();
                *excess = also;
            }
            if (!*list || !*excess) return no_memory();
            (*excess)[*count] = b->w[f] - b->room[f];
            (*list)[(*count)++] = b->coarse << 3*l->fine.level | f;
        }
    }
    return *list && *excess ? MN_OK : no_memory();
}

static bool is_open(const SkinWater* s, int tet)
{
    return tet >= 0 && !s->now.broken[skin_coarse_of(s->lattice, tet)] && room_of(s, tet) > 0;
}

static bool at_rim(const SkinWater* s, int tet)
{
    for (int f = 0; f < 4; f++)
        if (skin_next(s->lattice, tet, f) < 0) return true;
    return false;
}

static mn_status smear_all(SkinWater* s, const int* list, const int64_t* excess, int count)
{
    for (int m = 0; m < count; m++) {
        int open[4], n = 0, tet = list[m];
        if (at_rim(s, tet)) continue;
        for (int f = 0; f < 4; f++) {
            int other = skin_next(s->lattice, tet, f);
            if (is_open(s, other)) open[n++] = other;
        }
        s->overfull += n > 0 ? excess[m] : 0;
        for (int k = 0; k < n; k++) TRY(hand_over(s, tet, open[k], excess[m]/n + (k < excess[m]%n)));
    }
    return MN_OK;
}

mn_status skin_smear(SkinWater* s)
{
    int *list = NULL, count = 0;
    int64_t* excess = NULL;
    mn_status status = find_overfull(&list, &excess, &count, s);
    if (status == MN_OK) status = smear_all(s, list, excess, count);
    free(list), free(excess);
    return status == MN_OK ? skin_list_active(s) : status;
}

// ---------------------------------------------------------------- pushing out

// Is a farther out than b? By distance from the skin, then by number.
static bool is_farther(double key_a, int a, double key_b, int b) { return key_a > key_b || (key_a == key_b && a > b); }

enum { SEARCH_MOST = 4096 };

// The nearest open tetrahedron, by faces, that is farther out: for those between two parts of the body, from which every
// neighbour is nearer to the skin. -1: there is none among the first SEARCH_MOST.
static int look_afar(const SkinWater* s, int tet)
{
    int queue[SEARCH_MOST], count = 1;
    double key = skin_order_key(&s->now, tet);
    queue[0] = tet;
    // seen ones are told by a small hash table of numbers
    enum { TABLE = 4*SEARCH_MOST };
    int table[TABLE];
    memset(table, -1, sizeof table);
    table[(unsigned)tet%TABLE] = tet;
    for (int m = 0; m < count; m++)
        for (int f = 0; f < 4; f++) {
            int other = skin_next(s->lattice, queue[m], f);
            if (!is_open(s, other)) continue;
            if (is_farther(skin_order_key(&s->now, other), other, key, tet)) return other;
            unsigned slot = (unsigned)other%TABLE;
            while (table[slot] >= 0 && table[slot] != other) slot = (slot + 1)%TABLE;
            if (table[slot] == other || count == SEARCH_MOST) continue;
            table[slot] = other, queue[count++] = other;
        }
    return -1;
}

// Out of the lattice: a drop at a random place of a face at its end.
static mn_status drop_at_rim(SkinWater* s, int tet, int64_t w)
{
    double x[4][3], at[3] = {0}, part[3], edge = s->lattice->spacing/(1 << s->lattice->fine.level);
    skin_corners(x, &s->now, tet);
    int face = 0;
    while (skin_next(s->lattice, tet, face) >= 0) face++;
    uint64_t dice = skin_hash((uint64_t)tet, (uint64_t)s->step, SKIN_RIM);
    double r = sqrt(skin_uniform(&dice)), t = skin_uniform(&dice), out = 0.1 + 0.9*skin_uniform(&dice);
    part[0] = 1 - r, part[1] = r*(1 - t), part[2] = r*t;
    double away[3] = {0};
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 3; d++) {
            const double* corner = x[skin_face_corner[face][k]];
            at[d] += part[k]*corner[d], away[d] += (corner[d] - x[face][d])/3;
        }
    double size = vec_norm(away);
    for (int d = 0; d < 3; d++) at[d] += out*edge*away[d]/size;
    SkinBlock* b = skin_block_of(s, tet);
    int f = skin_path_of(s->lattice, tet);
    TRY(skin_drops_emit(s, tet, at, b->u[f], w, 63));
    b->w[f] -= w;
    if (b->w[f] == 0) b->u[f][0] = b->u[f][1] = b->u[f][2] = 0;
    return MN_OK;
}

// What is too much goes in equal parts to neighbours with room.
static mn_status fill_neighbours(SkinWater* s, int tet)
{
    for (int go = 0; go < 4 && excess_of(s, tet) > 0; go++) {
        int with_room[4], n = 0;
        int64_t excess = excess_of(s, tet);
        for (int f = 0; f < 4; f++) {
            int other = skin_next(s->lattice, tet, f);
            if (is_open(s, other) && excess_of(s, other) < 0) with_room[n++] = other;
        }
        if (n == 0) return MN_OK;
        for (int k = 0; k < n; k++) {
            int64_t part = excess/n + (k < excess%n), left = -excess_of(s, with_room[k]);
            TRY(hand_over(s, tet, with_room[k], part < left ? part : left));
        }
    }
    return MN_OK;
}

static mn_status push_one(SkinWater* s, SkinHeap* heap, SkinHeapItem item)
{
    int tet = item.tet;
    TRY(fill_neighbours(s, tet));
    int64_t excess = excess_of(s, tet);
    if (excess <= 0) return MN_OK;
    int farther[4], n = 0;
    for (int f = 0; f < 4; f++) {
        int other = skin_next(s->lattice, tet, f);
        if (is_open(s, other) && is_farther(skin_order_key(&s->now, other), other, item.key, tet)) farther[n++] = other;
    }
    if (n == 0 && at_rim(s, tet)) return drop_at_rim(s, tet, excess);
    if (n == 0) {
        int other = look_afar(s, tet);
        if (other < 0) {
            s->trapped += excess;
            return MN_OK;
        }
        farther[n++] = other;
    }
    for (int k = 0; k < n; k++) {
        TRY(hand_over(s, tet, farther[k], excess/n + (k < excess%n)));
        if (excess_of(s, farther[k]) > 0) TRY(skin_heap_push(heap, skin_order_key(&s->now, farther[k]), farther[k]));
    }
    return MN_OK;
}

// Nearest to the skin first: water only goes to larger keys after the filling, so the work ends.
mn_status skin_push_out(SkinWater* s)
{
    int *list = NULL, count = 0;
    int64_t* excess = NULL;
    SkinHeap heap = {0};
    s->trapped = 0, s->visits = 0;
    mn_status status = find_overfull(&list, &excess, &count, s);
    for (int m = 0; m < count && status == MN_OK; m++) {
        s->overfull += excess[m];
        status = skin_heap_push(&heap, skin_order_key(&s->now, list[m]), list[m]);
    }
    while (status == MN_OK && heap.count > 0) {
        SkinHeapItem item = skin_heap_pop(&heap);
        s->visits++;
        if (excess_of(s, item.tet) > 0) status = push_one(s, &heap, item);
    }
    skin_heap_free(&heap);
    free(list), free(excess);
    return status == MN_OK ? skin_list_active(s) : status;
}
