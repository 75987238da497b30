// Water at the body may leave it, and never enter: u.n >= u_body.n where it lies against it, on its own or through full
// tetrahedra of water that was stopped.
#include <stdlib.h>
#include <string.h>
#include "skin/skin_settle.h"

typedef struct Wet {
    double key;
    int tet;
} Wet;

static int wet_order(const void* p, const void* q)
{
    const Wet *a = p, *b = q;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->tet < b->tet ? -1 : a->tet > b->tet;
}

// Does the skin cut it?
static bool is_cut(const SkinWater* s, int tet)
{
    if (s->now.depth.slot[skin_coarse_of(s->lattice, tet)] < 0) return false;
    double phi[4];
    skin_depth_corners(phi, &s->now, tet);
    return min2(min2(phi[0], phi[1]), min2(phi[2], phi[3])) <= 0;
}

// Unit normal away from the body. Half way between two parts of it distances have no gradient to speak of: then the mean of the
// neighbours'. Zero: there is none.
static void normal_at(double n[3], const SkinWater* s, int tet)
{
    skin_depth_gradient(n, &s->now, tet);
    double size = vec_norm(n);
    if (size < 0.5) {
        n[0] = n[1] = n[2] = 0;
        for (int f = 0; f < 4; f++) {
            double g[3];
            int other = skin_next(s->lattice, tet, f);
            if (other < 0) continue;
            skin_depth_gradient(g, &s->now, other);
            for (int d = 0; d < 3; d++) n[d] += g[d];
        }
        size = vec_norm(n);
    }
    for (int d = 0; d < 3; d++) n[d] = size > 1e-3 ? n[d]/size : 0;
}

static void centroid(double x[3], const SkinWater* s, int tet)
{
    double corner[4][3];
    skin_corners(corner, &s->now, tet);
    for (int d = 0; d < 3; d++) x[d] = 0.25*(corner[0][d] + corner[1][d] + corner[2][d] + corner[3][d]);
}

// Is a neighbour nearer to the skin full of water that was stopped?
static bool is_backed(const SkinWater* s, const Wet* wet)
{
    for (int f = 0; f < 4; f++) {
        int other = skin_next(s->lattice, wet->tet, f);
        const SkinBlock* b = other < 0 ? NULL : skin_block_of(s, other);
        int path = other < 0 ? 0 : skin_path_of(s->lattice, other);
        if (!b || !b->stopped[path] || (double)b->w[path] < 0.99*(double)b->room[path]) continue;
        double key = skin_order_key(&s->now, other);
        if (key < wet->key || (key == wet->key && other < wet->tet)) return true;
    }
    return false;
}

static void stop(SkinWater* s, const Wet* wet)
{
    SkinBlock* b = skin_block_of(s, wet->tet);
    int f = skin_path_of(s->lattice, wet->tet);
    bool cut = is_cut(s, wet->tet);
    if (!cut && !is_backed(s, wet)) return;
    double n[3], x[3], body[3], before[3] = {b->u[f][0], b->u[f][1], b->u[f][2]}, away = 0;
    normal_at(n, s, wet->tet);
    centroid(x, s, wet->tet);
    s->body.velocity(body, s->body.self, x);
    if (b->room[f] == 0) {  // shut in
        memcpy(b->u[f], body, sizeof body);
        b->stopped[f] = true;
    } else {
        for (int d = 0; d < 3; d++) away += (b->u[f][d] - body[d])*n[d];
        if (away < 0) {
            for (int d = 0; d < 3; d++) b->u[f][d] -= away*n[d];
            b->stopped[f] = true, away = 0;
        }
        if (cut && s->options.slip < 1)
            for (int d = 0; d < 3; d++) {
                double along = b->u[f][d] - body[d] - away*n[d];
                b->u[f][d] += (s->options.slip - 1)*along;
            }
    }
    for (int d = 0; d < 3; d++) s->pushed[d] += (double)b->w[f]*(before[d] - b->u[f][d]);
}

mn_status skin_stop_at_body(SkinWater* s)
{
    const SkinLattice* l = s->lattice;
    size_t count = 0;
    for (int m = 0; m < s->active_count; m++)
        for (int f = 0; f < l->fine.fine; f++) count += s->block[s->active[m]]->w[f] > 0;
    Wet* list = malloc(sizeof *list*(count + 1));
    if (!list) return mn_fail(MN_NO_MEMORY, "out of memory: water on a skin");
    count = 0;
    for (int m = 0; m < s->active_count; m++) {
        SkinBlock* b = s->block[s->active[m]];
        memset(b->stopped, 0, sizeof *b->stopped*(size_t)l->fine.fine);
        for (int f = 0; f < l->fine.fine; f++) {
            int tet = b->coarse << 3*l->fine.level | f;
            if (b->w[f] > 0) list[count++] = (Wet){skin_order_key(&s->now, tet), tet};
        }
    }
    qsort(list, count, sizeof *list, wet_order);
    for (size_t m = 0; m < count; m++) stop(s, &list[m]);
    free(list);
    return MN_OK;
}
