#include "skin/skin_pose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static mn_status no_memory(void) { return mn_fail(MN_NO_MEMORY, "out of memory: the lattice around a skin"); }

void skin_pose_free(SkinPose* p)
{
    free(p->x), free(p->inverse), free(p->volume), free(p->broken);
    free(p->buckets.start), free(p->buckets.tet);
    free(p->depth.slot), free(p->depth.node), free(p->depth.coarse);
    *p = (SkinPose){0};
}

mn_status skin_pose_init(SkinPose* p, const SkinLattice* l)
{
    size_t tets = (size_t)l->tets, nodes = (size_t)l->nodes;
    *p = (SkinPose){.lattice = l};
    p->x = calloc(nodes, sizeof *p->x);
    p->inverse = calloc(tets, sizeof *p->inverse);
    p->volume = calloc(tets, sizeof *p->volume);
    p->broken = calloc(tets, sizeof *p->broken);
    p->depth.slot = malloc(sizeof *p->depth.slot*tets);
    p->depth.coarse = calloc(nodes, sizeof *p->depth.coarse);
    if (!p->x || !p->inverse || !p->volume || !p->broken || !p->depth.slot || !p->depth.coarse) {
        skin_pose_free(p);
        return no_memory();
    }
    memset(p->depth.slot, -1, sizeof *p->depth.slot*tets);
    return MN_OK;
}

// Rows of the inverse of [x1 - x0, x2 - x0, x3 - x0] are cross products over the determinant, six times the volume.
static void invert(SkinPose* p, int t)
{
    const int* node = p->lattice->node[t];
    const double* x0 = p->x[node[0]];
    double e[3][3], row[3], h = p->lattice->spacing;
    for (int k = 0; k < 3; k++) vec_sub(e[k], p->x[node[k + 1]], x0);
    vec_cross(row, e[1], e[2]);
    double det = vec_dot(e[0], row);
    p->volume[t] = det/6;
    p->broken[t] = !(det/6 > SKIN_BROKEN*h*h*h/12);
    for (int k = 0; k < 3; k++) {
        double* out = p->inverse[t] + 4*k;
        vec_cross(row, e[(k + 1)%3], e[(k + 2)%3]);
        for (int d = 0; d < 3; d++) out[d] = p->broken[t] ? 0 : row[d]/det;
        out[3] = -vec_dot(out, x0);
    }
}

// ---------------------------------------------------------------- buckets

static void bucket_range(int lo[3], int hi[3], const SkinPose* p, int t)
{
    const SkinBuckets* b = &p->buckets;
    for (int d = 0; d < 3; d++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 4; k++) {
            double x = p->x[p->lattice->node[t][k]][d];
            low = min2(low, x), high = max2(high, x);
        }
        lo[d] = clampi((int)floor((low - b->low[d])/b->cell), 0, b->n[d] - 1);
        hi[d] = clampi((int)floor((high - b->low[d])/b->cell), 0, b->n[d] - 1);
    }
}

// Does a plane of the tetrahedron keep the whole cell out? Coordinate b_f is least or most at a corner of the cell; it misses
// when the most is below 0.
static bool bucket_misses(const SkinPose* p, int t, const int at[3])
{
    const SkinBuckets* b = &p->buckets;
    double middle[3], value[4], half = 0.5*b->cell, spread[4] = {0};
    for (int d = 0; d < 3; d++) middle[d] = b->low[d] + (at[d] + 0.5)*b->cell;
    skin_pose_bary(value, p, t, middle);
    for (int d = 0; d < 3; d++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            double slope = p->inverse[t][4*k + d];
            spread[k + 1] += fabs(slope)*half, sum += slope;
        }
        spread[0] += fabs(sum)*half;
    }
    for (int f = 0; f < 4; f++)
        if (value[f] + spread[f] < -1e-9) return true;
    return false;
}

// Calls for every cell that a tetrahedron may reach into: counts, or notes it.
static void enter_tet(SkinPose* p, int t, bool count)
{
    SkinBuckets* b = &p->buckets;
    int lo[3], hi[3], at[3];
    bucket_range(lo, hi, p, t);
    for (at[2] = lo[2]; at[2] <= hi[2]; at[2]++)
        for (at[1] = lo[1]; at[1] <= hi[1]; at[1]++)
            for (at[0] = lo[0]; at[0] <= hi[0]; at[0]++) {
                if (bucket_misses(p, t, at)) continue;
                int cell = (at[2]*b->n[1] + at[1])*b->n[0] + at[0];
                if (count) b->start[cell + 1]++;
                else b->tet[b->start[cell]++] = t;
            }
}

static mn_status size_buckets(SkinPose* p)
{
    SkinBuckets* b = &p->buckets;
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int d = 0; d < 3; d++) b->low[d] = INFINITY;
    for (int m = 0; m < p->lattice->nodes; m++)
        for (int d = 0; d < 3; d++) b->low[d] = min2(b->low[d], p->x[m][d]), high[d] = max2(high[d], p->x[m][d]);
    size_t cells;
    for (b->cell = 0.5*p->lattice->spacing;; b->cell *= 1.5) {
        double total = 1;
        for (int d = 0; d < 3; d++) total *= floor((high[d] - b->low[d])/b->cell) + 1;
        if (!(total < 2e7)) continue;
        for (int d = 0; d < 3; d++) b->n[d] = (int)floor((high[d] - b->low[d])/b->cell) + 1;
        cells = (size_t)total;
        break;
    }
    if (cells + 1 > b->cell_room) {
        int* start = realloc(b->start, sizeof *start*(cells + 1));
        if (!start) return no_memory();
        b->start = start, b->cell_room = cells + 1;
    }
    memset(b->start, 0, sizeof *b->start*(cells + 1));
    return MN_OK;
}

static mn_status fill_buckets(SkinPose* p)
{
    SkinBuckets* b = &p->buckets;
    TRY(size_buckets(p));
    int cells = b->n[0]*b->n[1]*b->n[2];
    for (int t = 0; t < p->lattice->tets; t++)
        if (!p->broken[t]) enter_tet(p, t, true);
    for (int c = 0; c < cells; c++) b->start[c + 1] += b->start[c];
    size_t all = (size_t)b->start[cells];
    if (all > b->tet_room) {
        int* tet = realloc(b->tet, sizeof *tet*all);
        if (!tet) return no_memory();
        b->tet = tet, b->tet_room = all;
    }
    for (int t = 0; t < p->lattice->tets; t++)
        if (!p->broken[t]) enter_tet(p, t, false);
    for (int c = cells; c > 0; c--) b->start[c] = b->start[c - 1];
    b->start[0] = 0;
    return MN_OK;
}

mn_status skin_pose_set(SkinPose* p, const double (*x)[3])
{
    for (int m = 0; m < p->lattice->nodes; m++)
        if (!isfinite(vec_norm(x[m]))) return mn_fail(MN_STEP_FAILED, "a node of the lattice around a skin is at no place");
    memmove(p->x, x, sizeof *p->x*(size_t)p->lattice->nodes);
    p->broken_count = 0;
#pragma omp parallel for
    for (int t = 0; t < p->lattice->tets; t++) invert(p, t);
    for (int t = 0; t < p->lattice->tets; t++) p->broken_count += p->broken[t];
    return fill_buckets(p);
}

// ---------------------------------------------------------------- points

// A point on a face may come out a little outside on both sides.
#define ON_FACE 1e-12

static double least(const double b[4]) { return min2(min2(b[0], b[1]), min2(b[2], b[3])); }

// Distance to the body at a point of a fine tetrahedron with coordinates b.
static double depth_at(const SkinPose* p, int tet, const double b[4])
{
    double phi[4];
    skin_depth_corners(phi, p, tet);
    return b[0]*phi[0] + b[1]*phi[1] + b[2]*phi[2] + b[3]*phi[3];
}

int skin_locate(double b[4], const SkinPose* p, const double x[3], int guess)
{
    const SkinTemplate* fine = &p->lattice->fine;
    const SkinBuckets* box = &p->buckets;
    if (guess >= 0 && !p->broken[guess]) {
        skin_pose_bary(b, p, guess, x);
        if (least(b) >= -ON_FACE) return guess << 3*fine->level | skin_descend(b, fine);
    }
    int at[3];
    for (int d = 0; d < 3; d++) {
        double place = floor((x[d] - box->low[d])/box->cell);
        if (!(place >= 0 && place < box->n[d])) return -1;
        at[d] = (int)place;
    }
    int cell = (at[2]*box->n[1] + at[1])*box->n[0] + at[0], found = -1;
    double best = INFINITY, own[4];
    for (int m = box->start[cell]; m < box->start[cell + 1]; m++) {
        int t = box->tet[m];
        skin_pose_bary(own, p, t, x);
        if (least(own) < -ON_FACE) continue;
        int tet = t << 3*fine->level | skin_descend(own, fine);
        double depth = depth_at(p, tet, own);
        if (found >= 0 && !(depth < best)) continue;
        best = depth, found = tet;
        memcpy(b, own, sizeof own);
    }
    return found;
}

void skin_corners(double x[4][3], const SkinPose* p, int tet)
{
    const SkinTemplate* fine = &p->lattice->fine;
    const int* node = p->lattice->node[skin_coarse_of(p->lattice, tet)];
    const uint16_t* corner = fine->corner[skin_path_of(p->lattice, tet)];
    double unit = 1.0/(1 << fine->level);
    for (int k = 0; k < 4; k++) {
        const uint8_t* b = fine->bary[corner[k]];
        for (int d = 0; d < 3; d++)
            x[k][d] =
                unit*(b[0]*p->x[node[0]][d] + b[1]*p->x[node[1]][d] + b[2]*p->x[node[2]][d] + b[3]*p->x[node[3]][d]);
    }
}
