#include "skin/skin_trace.h"

#include <string.h>

void skin_put_outside(double x[3], const SkinPose* p, int guess)
{
    double fine_edge = p->lattice->spacing/(1 << p->lattice->fine.level), b[4], phi[4], g[3];
    for (int go = 0; go < 3; go++) {
        int tet = skin_locate(b, p, x, guess);
        if (tet < 0) return;
        skin_depth_corners(phi, p, tet);
        double depth = b[0]*phi[0] + b[1]*phi[1] + b[2]*phi[2] + b[3]*phi[3];
        if (depth >= 0) return;
        skin_depth_gradient(g, p, tet);
        double square = vec_dot(g, g);
        if (!(square > 1e-6)) return;
        for (int d = 0; d < 3; d++) x[d] += (1e-3*fine_edge - depth)*g[d]/square;
        guess = skin_coarse_of(p->lattice, tet);
    }
}

static double weigh(const double b[4], const double phi[4])
{
    return b[0]*phi[0] + b[1]*phi[1] + b[2]*phi[2] + b[3]*phi[3];
}

// Where no sample is outside the body they all move towards the outermost corner, half as far again as it takes.
static void sample_of(double b[4], const Sampler* q, int k)
{
    if (q->still) memcpy(b, q->still[k], sizeof q->still[k]);
    else skin_moving_sample(b, &q->shift, k);
    if (!q->take_all) return;
    int best = 0;
    for (int c = 1; c < 4; c++)
        if (q->phi[c] > q->phi[best]) best = c;
    double depth = weigh(b, q->phi);
    if (!(q->phi[best] > 0)) return;
    double part = 0.5*q->phi[best]/(q->phi[best] - depth);
    for (int c = 0; c < 4; c++) b[c] *= part;
    b[best] += 1 - part;
}

static bool is_closed(const Sampler* q, const double b[4]) { return q->near_skin && !q->take_all && weigh(b, q->phi) < 0; }

// Points that are still are those of a fixed set: with these slow water stands (docs/skin.md).
void sampler_begin(Sampler* q, const SkinWater* s, const SkinPose* of, const SkinPose* onto, int tet, const double way[3],
                   SkinPurpose purpose)
{
    double edge = of->lattice->spacing/(1 << of->lattice->fine.level), b[4];
    *q = (Sampler){.of = of, .onto = onto, .coarse = skin_coarse_of(of->lattice, tet), .count = s->options.samples};
    if (s->options.still_points) q->still = s->still;
    q->shift = skin_shift(tet, s->step, purpose);
    skin_corners(q->x, of, tet);
    skin_depth_corners(q->phi, of, tet);
    q->near_skin = 0.25*(q->phi[0] + q->phi[1] + q->phi[2] + q->phi[3]) < 2*vec_norm(way) + 2*edge;
    q->within = !onto->broken[q->coarse];
    for (int k = 0; k < 4; k++) {
        for (int d = 0; d < 3; d++) q->x[k][d] += way[d];
        if (q->within) skin_pose_bary(q->bary[k], onto, q->coarse, q->x[k]);
        for (int c = 0; c < 4 && q->within; c++) q->within = q->bary[k][c] >= 0;
    }
    int open = 0;
    for (int k = 0; k < q->count; k++) sample_of(b, q, k), open += !is_closed(q, b);
    q->take_all = open == 0;
}

static int find_point(double own[4], const Sampler* q, const double b[4], const double x[3])
{
    const SkinLattice* l = q->onto->lattice;
    if (!q->within) return skin_locate(own, q->onto, x, q->coarse);
    for (int c = 0; c < 4; c++)
        own[c] = b[0]*q->bary[0][c] + b[1]*q->bary[1][c] + b[2]*q->bary[2][c] + b[3]*q->bary[3][c];
    return q->coarse << 3*l->fine.level | skin_descend(own, &l->fine);
}

int sampler_find(const Sampler* q, int k, double x[3])
{
    double b[4], own[4], phi[4];
    sample_of(b, q, k);
    if (is_closed(q, b)) return CLOSED;
    for (int d = 0; d < 3; d++) x[d] = b[0]*q->x[0][d] + b[1]*q->x[1][d] + b[2]*q->x[2][d] + b[3]*q->x[3][d];
    int tet = find_point(own, q, b, x);
    if (!q->near_skin || tet < 0) return tet;
    skin_depth_corners(phi, q->onto, tet);
    if (weigh(own, phi) >= 0) return tet;
    skin_put_outside(x, q->onto, q->coarse);
    return skin_locate(own, q->onto, x, q->coarse);
}
