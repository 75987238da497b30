// The distance to the body on the nodes of a lattice, and what follows from it: fractions, gradients, order.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "skin/skin_pose.h"

static double from_coarse(const SkinPose* p, int coarse, const uint8_t b[4])
{
    const int* node = p->lattice->node[coarse];
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += b[k]*p->depth.coarse[node[k]];
    return sum/(1 << p->lattice->fine.level);
}

void skin_depth_corners(double phi[4], const SkinPose* p, int tet)
{
    const SkinTemplate* fine = &p->lattice->fine;
    int coarse = skin_coarse_of(p->lattice, tet), slot = p->depth.slot[coarse];
    const uint16_t* corner = fine->corner[skin_path_of(p->lattice, tet)];
    for (int k = 0; k < 4; k++)
        phi[k] = slot >= 0 ? p->depth.node[(size_t)slot*(size_t)fine->nodes + corner[k]]
                           : from_coarse(p, coarse, fine->bary[corner[k]]);
}

double skin_order_key(const SkinPose* p, int tet)
{
    double phi[4];
    skin_depth_corners(phi, p, tet);
    return 0.25*(phi[0] + phi[1] + phi[2] + phi[3]);
}

// phi is linear: phi(x) = phi_0 + g.(x - x_0), so that e_k.g = phi_k - phi_0 along the three edges from corner 0. Cramer's rule.
void skin_depth_gradient(double g[3], const SkinPose* p, int tet)
{
    double x[4][3], phi[4], e[3][3], cross[3];
    skin_corners(x, p, tet);
    skin_depth_corners(phi, p, tet);
    for (int k = 0; k < 3; k++) vec_sub(e[k], x[k + 1], x[0]);
    vec_cross(cross, e[1], e[2]);
    double det = vec_dot(e[0], cross);
    g[0] = g[1] = g[2] = 0;
    if (!(det > 0)) return;
    for (int k = 0; k < 3; k++) {
        vec_cross(cross, e[(k + 1)%3], e[(k + 2)%3]);
        for (int d = 0; d < 3; d++) g[d] += (phi[k + 1] - phi[0])*cross[d]/det;
    }
}

// The plane phi = 0 cuts edges from corner x to corner y at phi_x/(phi_x - phi_y). One corner alone on its side cuts off the
// product of its three. Two and two: the wedge on the side of a and b, made of three tetrahedra.
double skin_open_fraction(const double phi[4])
{
    int out[4], in[4], outs = 0, ins = 0;
    for (int k = 0; k < 4; k++)
        if (phi[k] > 0) out[outs++] = k;
        else in[ins++] = k;
    if (ins == 0) return 1;
    if (outs == 0) return 0;
    if (ins == 1 || outs == 1) {
        int one = ins == 1 ? in[0] : out[0];
        double part = 1;
        for (int k = 0; k < 4; k++)
            if (k != one) part *= phi[one]/(phi[one] - phi[k]);
        return ins == 1 ? 1 - part : part;
    }
    double a = phi[out[0]], b = phi[out[1]], c = phi[in[0]], d = phi[in[1]];
    double ac = a/(a - c), ad = a/(a - d), bc = b/(b - c), bd = b/(b - d);
    return ac*ad + ad*bc*(1 - ac) + bc*bd*(1 - ad);
}

// ---------------------------------------------------------------- asking for distances

// Distances at all fine nodes of one coarse tetrahedron.
static void measure_block(const SkinPose* p, SkinDistance distance, const void* body, int coarse, double* phi)
{
    const SkinTemplate* fine = &p->lattice->fine;
    const int* node = p->lattice->node[coarse];
    double unit = 1.0/(1 << fine->level);
    for (int m = 0; m < fine->nodes; m++) {
        double x[3] = {0};
        for (int k = 0; k < 4; k++)
            for (int d = 0; d < 3; d++) x[d] += unit*fine->bary[m][k]*p->x[node[k]][d];
        phi[m] = distance(body, x);
    }
}

// The farthest corner from the centroid, m.
static double tet_reach(const SkinPose* p, int t, double middle[3])
{
    const int* node = p->lattice->node[t];
    double reach = 0;
    for (int d = 0; d < 3; d++) middle[d] = 0.25*(p->x[node[0]][d] + p->x[node[1]][d] + p->x[node[2]][d] + p->x[node[3]][d]);
    for (int k = 0; k < 4; k++) {
        double arm[3];
        vec_sub(arm, p->x[node[k]], middle);
        reach = max2(reach, vec_norm(arm));
    }
    return reach;
}

mn_status skin_pose_measure(SkinPose* p, SkinDistance distance, const void* body)
{
    const SkinLattice* l = p->lattice;
    SkinDepth* q = &p->depth;
    double a = l->spacing/(1 << l->fine.level);
#pragma omp parallel for schedule(dynamic, 64)
    for (int m = 0; m < l->nodes; m++) q->coarse[m] = distance(body, p->x[m]);
#pragma omp parallel for schedule(dynamic, 64)
    for (int t = 0; t < l->tets; t++) {
        double middle[3], reach = tet_reach(p, t, middle);
        q->slot[t] = fabs(distance(body, middle)) <= reach + a ? 0 : -1;
    }
    q->slots = 0;
    for (int t = 0; t < l->tets; t++)
        if (q->slot[t] == 0) q->slot[t] = q->slots++;
    if (q->slots > q->room) {
        double* node = realloc(q->node, sizeof *node*(size_t)q->slots*(size_t)l->fine.nodes);
        if (!node) return mn_fail(MN_NO_MEMORY, "out of memory: the lattice around a skin");
        q->node = node, q->room = q->slots;
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (int t = 0; t < l->tets; t++)
        if (q->slot[t] >= 0) measure_block(p, distance, body, t, q->node + (size_t)q->slot[t]*(size_t)l->fine.nodes);
    return MN_OK;
}
