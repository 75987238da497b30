#include "skin/skin_deform.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/vec.h"
#include "skin/skin_pose.h"

// Springs of marks regarding those of edges: kappa = 10 over the mean area.
#define PULL 10.0
#define HEALTHY 0.2  // of the volume at rest: repair brings tetrahedra back to that
enum { REPAIR_SWEEPS = 20 };

static mn_status no_memory(void) { return mn_fail(MN_NO_MEMORY, "out of memory: the lattice around a skin"); }

void skin_deform_free(SkinDeform* d)
{
    free(d->mark), free(d->edge), free(d->inside), free(d->turn), free(d->right);
    factor_free(d->factor);
    *d = (SkinDeform){0};
}

// The unit quaternion q whose rotation makes tr(R^T m) greatest is the eigenvector of the greatest eigenvalue of a symmetric 4 x
// 4 matrix made of m [horn1987]. It is a rotation, and no reflection, for every m.
void skin_best_turn(double r[9], const double m[9])
{
    double xx = m[0], xy = m[3], xz = m[6], yx = m[1], yy = m[4], yz = m[7], zx = m[2], zy = m[5],
           zz = m[8];  // S_ij = sum b_i a_j
    double n[16] = {xx + yy + zz, yz - zy, zx - xz,      xy - yx, yz - zy, xx - yy - zz, xy + yx, zx + xz,
                    zx - xz,      xy + yx, yy - xx - zz, yz + zy, xy - yx, zx + xz,      yz + zy, zz - xx - yy};
    double v[16];
    dense_diagonalise(n, v, 4);
    int best = 0;
    for (int k = 1; k < 4; k++)
        if (n[5*k] > n[5*best]) best = k;
    double w = v[best], x = v[4 + best], y = v[8 + best], z = v[12 + best], s = w*w + x*x + y*y + z*z;
    w /= sqrt(s), x /= sqrt(s), y /= sqrt(s), z /= sqrt(s);
    const double turn[9] = {1 - 2*(y*y + z*z), 2*(x*y - w*z),     2*(x*z + w*y),
                            2*(x*y + w*z),     1 - 2*(x*x + z*z), 2*(y*z - w*x),
                            2*(x*z - w*y),     2*(y*z + w*x),     1 - 2*(x*x + y*y)};
    memcpy(r, turn, sizeof turn);
}

static void apply(double out[3], const double r[9], const double x[3])
{
    double y[3];
    for (int i = 0; i < 3; i++) y[i] = r[3*i]*x[0] + r[3*i + 1]*x[1] + r[3*i + 2]*x[2];
    memcpy(out, y, sizeof y);
}

// ---------------------------------------------------------------- once

static int pair_order(const void* p, const void* q)
{
    const int *a = p, *b = q;
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : a[1] < b[1] ? -1 : a[1] > b[1];
}

static mn_status find_edges(SkinDeform* d)
{
    const SkinLattice* l = d->lattice;
    d->edge = malloc(sizeof *d->edge*6*(size_t)l->tets);
    if (!d->edge) return no_memory();
    int count = 0;
    for (int t = 0; t < l->tets; t++)
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++) {
                int a = l->node[t][i], b = l->node[t][j];
                d->edge[count][0] = mini(a, b), d->edge[count++][1] = maxi(a, b);
            }
    qsort(d->edge, (size_t)count, sizeof *d->edge, pair_order);
    for (int m = 0; m < count; m++)
        if (m == 0 || memcmp(d->edge[m], d->edge[m - 1], sizeof *d->edge) != 0) {
            int a = d->edge[m][0], b = d->edge[m][1];  // the list is packed behind the reading
            d->edge[d->edges][0] = a, d->edge[d->edges++][1] = b;
        }
    return MN_OK;
}

static mn_status bind_marks(SkinDeform* d, const double (*mark)[3], const double* area, int marks)
{
    const SkinLattice* l = d->lattice;
    SkinPose rest;
    TRY(skin_pose_init(&rest, l));
    mn_status status = skin_pose_set(&rest, (const double(*)[3])l->rest);
    d->mark = calloc((size_t)marks, sizeof *d->mark);
    if (status == MN_OK && !d->mark) status = no_memory();
    double total = 0, b[4];
    for (int m = 0; m < marks; m++) total += area[m];
    for (int m = 0; m < marks && status == MN_OK; m++) {
        int tet = skin_locate(b, &rest, mark[m], -1);
        if (tet < 0) {
            status = mn_fail(MN_BAD_SCENE, "the lattice around a skin does not reach the skin at (%g, %g, %g) m", mark[m][0],
                             mark[m][1], mark[m][2]);
            break;
        }
        int coarse = skin_coarse_of(l, tet);
        memcpy(d->mark[m].node, l->node[coarse], sizeof d->mark[m].node);
        skin_pose_bary(d->mark[m].bary, &rest, coarse, mark[m]);
        d->mark[m].pull = PULL*area[m]*marks/total;
    }
    d->marks = marks;
    skin_pose_free(&rest);
    return status;
}

// Energy: edges sum |x_i - x_j - (R_i + R_j)/2 (X_i - X_j)|^2, marks sum pull |sum_a b_a x_a - s|^2. Its matrix for the places,
// with the rotations held, is the same for good.
static mn_status factorise(SkinDeform* d)
{
    size_t most = 3*(size_t)d->edges + 10*(size_t)d->marks;
    Triplet* entry = malloc(sizeof *entry*most);
    if (!entry) return no_memory();
    int count = 0;
    for (int e = 0; e < d->edges; e++) {
        int a = d->edge[e][0], b = d->edge[e][1];
        entry[count++] = (Triplet){a, a, 1};
        entry[count++] = (Triplet){b, b, 1};
        entry[count++] = (Triplet){maxi(a, b), mini(a, b), -1};
    }
    for (int m = 0; m < d->marks; m++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j <= i; j++) {
                const SkinMark* s = &d->mark[m];
                int a = s->node[i], b = s->node[j];
                entry[count++] = (Triplet){maxi(a, b), mini(a, b), s->pull*s->bary[i]*s->bary[j]};
            }
    mn_status status = factor_new(&d->factor, d->lattice->nodes, entry, count);
    free(entry);
    return status;
}

static mn_status prepare(SkinDeform* d, const double (*mark)[3], const double* area, int marks, SkinDistance distance,
                         const void* body)
{
    const SkinLattice* l = d->lattice;
    d->inside = calloc((size_t)l->nodes, sizeof *d->inside);
    d->turn = calloc((size_t)l->nodes, sizeof *d->turn);
    d->right = calloc(3*(size_t)l->nodes, sizeof *d->right);
    if (!d->inside || !d->turn || !d->right) return no_memory();
    for (int m = 0; m < l->nodes; m++) d->inside[m] = distance(body, l->rest[m]) < 0;
    TRY(find_edges(d));
    TRY(bind_marks(d, mark, area, marks));
    return factorise(d);
}

mn_status skin_deform_init(SkinDeform* d, const SkinLattice* l, const double (*mark)[3], const double* area, int marks,
                           SkinDistance distance, const void* body)
{
    assert(marks > 0);
    *d = (SkinDeform){.lattice = l};
    mn_status status = prepare(d, mark, area, marks, distance, body);
    if (status != MN_OK) skin_deform_free(d);
    return status;
}

// ---------------------------------------------------------------- each time

static void mark_place(double s[3], const SkinMark* m, const double (*x)[3])
{
    for (int k = 0; k < 3; k++)
        s[k] = m->bary[0]*x[m->node[0]][k] + m->bary[1]*x[m->node[1]][k] + m->bary[2]*x[m->node[2]][k] +
               m->bary[3]*x[m->node[3]][k];
}

// x -> R (x - from) + to, the best motion of the marks from where the lattice holds them to their new places.
static void carry(double (*x)[3], const SkinDeform* d, const double (*mark)[3])
{
    double from[3] = {0}, to[3] = {0}, cross[9] = {0}, turn[9], weight = 0, s[3];
    for (int m = 0; m < d->marks; m++) {
        mark_place(s, &d->mark[m], (const double(*)[3])x);
        weight += d->mark[m].pull;
        for (int k = 0; k < 3; k++) from[k] += d->mark[m].pull*s[k], to[k] += d->mark[m].pull*mark[m][k];
    }
    for (int k = 0; k < 3; k++) from[k] /= weight, to[k] /= weight;
    for (int m = 0; m < d->marks; m++) {
        mark_place(s, &d->mark[m], (const double(*)[3])x);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) cross[3*i + j] += d->mark[m].pull*(mark[m][i] - to[i])*(s[j] - from[j]);
    }
    skin_best_turn(turn, cross);
    for (int m = 0; m < d->lattice->nodes; m++) {
        double arm[3];
        vec_sub(arm, x[m], from);
        apply(arm, turn, arm);
        for (int k = 0; k < 3; k++) x[m][k] = arm[k] + to[k];
    }
}

// Every node's surroundings turn as they best fit: R_i from sum over its edges (x_i - x_j)(X_i - X_j)^T.
static void fit_turns(SkinDeform* d, const double (*x)[3])
{
    const SkinLattice* l = d->lattice;
    memset(d->turn, 0, sizeof *d->turn*(size_t)l->nodes);
    for (int e = 0; e < d->edges; e++) {
        int a = d->edge[e][0], b = d->edge[e][1];
        double now[3], rest[3];
        vec_sub(now, x[a], x[b]), vec_sub(rest, l->rest[a], l->rest[b]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) d->turn[a][3*i + j] += now[i]*rest[j], d->turn[b][3*i + j] += now[i]*rest[j];
    }
#pragma omp parallel for
    for (int m = 0; m < l->nodes; m++) {
        double cross[9];
        memcpy(cross, d->turn[m], sizeof cross);
        skin_best_turn(d->turn[m], cross);
    }
}

static mn_status solve_places(double (*x)[3], SkinDeform* d, const double (*mark)[3])
{
    const SkinLattice* l = d->lattice;
    size_t n = (size_t)l->nodes;
    memset(d->right, 0, sizeof *d->right*3*n);
    for (int e = 0; e < d->edges; e++) {
        int a = d->edge[e][0], b = d->edge[e][1];
        double rest[3], mean[9], turned[3];
        vec_sub(rest, l->rest[a], l->rest[b]);
        for (int m = 0; m < 9; m++) mean[m] = 0.5*(d->turn[a][m] + d->turn[b][m]);
        apply(turned, mean, rest);
        for (int k = 0; k < 3; k++)
            d->right[(size_t)k*n + (size_t)a] += turned[k], d->right[(size_t)k*n + (size_t)b] -= turned[k];
    }
    for (int m = 0; m < d->marks; m++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                d->right[(size_t)k*n + (size_t)d->mark[m].node[i]] += d->mark[m].pull*d->mark[m].bary[i]*mark[m][k];
    for (int k = 0; k < 3; k++) {
        double* axis = d->right + (size_t)k*n;
        TRY(factor_solve(d->factor, axis, axis));
        for (size_t m = 0; m < n; m++) x[m][k] = axis[m];
    }
    return MN_OK;
}

// ---------------------------------------------------------------- repair

static double volume_and_slopes(double slope[4][3], const double (*x)[3], const int node[4])
{
    double e[3][3];
    for (int k = 0; k < 3; k++) vec_sub(e[k], x[node[k + 1]], x[node[0]]);
    for (int k = 0; k < 3; k++) vec_cross(slope[k + 1], e[(k + 1)%3], e[(k + 2)%3]);
    double six = vec_dot(e[0], slope[1]);
    for (int d = 0; d < 3; d++) slope[0][d] = -(slope[1][d] + slope[2][d] + slope[3][d]);
    for (int k = 0; k < 4; k++)
        for (int d = 0; d < 3; d++) slope[k][d] /= 6;
    return six/6;
}

// One tetrahedron to HEALTHY of its volume by the shortest way, nodes inside the body held [mueller2007].
static bool heal(double (*x)[3], const SkinDeform* d, int t, double rest)
{
    const int* node = d->lattice->node[t];
    double slope[4][3], sum = 0, volume = volume_and_slopes(slope, (const double(*)[3])x, node);
    if (volume >= HEALTHY*rest) return true;
    for (int k = 0; k < 4; k++) sum += d->inside[node[k]] ? 0 : vec_dot(slope[k], slope[k]);
    if (!(sum > 0)) return false;
    // flat ones have hardly any slope: no step is longer than half an edge
    double step = min2((HEALTHY*rest - volume)/sum, 0.5*d->lattice->spacing/sqrt(sum));
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++) x[node[k]][c] += d->inside[node[k]] ? 0 : step*slope[k][c];
    return false;
}

static int count_broken(const SkinDeform* d, const double (*x)[3], double rest, double part)
{
    int count = 0;
    double slope[4][3];
    for (int t = 0; t < d->lattice->tets; t++) count += !(volume_and_slopes(slope, x, d->lattice->node[t]) > part*rest);
    return count;
}

static void repair(double (*x)[3], SkinDeformReport* report, const SkinDeform* d)
{
    double rest = pow(d->lattice->spacing, 3)/12;
    int before = count_broken(d, (const double(*)[3])x, rest, SKIN_BROKEN);
    *report = (SkinDeformReport){0};
    if (before == 0) return;
    for (int sweep = 0; sweep < REPAIR_SWEEPS; sweep++) {
        bool well = true;
        for (int t = 0; t < d->lattice->tets; t++) well &= heal(x, d, t, rest);
        if (well) break;
    }
    report->broken = count_broken(d, (const double(*)[3])x, rest, SKIN_BROKEN);
    report->repaired = maxi(before - report->broken, 0);
}

mn_status skin_deform_follow(double (*x)[3], SkinDeformReport* report, SkinDeform* d, const double (*mark)[3], int rounds)
{
    carry(x, d, mark);
    for (int round = 0; round < rounds; round++) {
        fit_turns(d, (const double(*)[3])x);
        TRY(solve_places(x, d, mark));
    }
    repair(x, report, d);
    return MN_OK;
}
