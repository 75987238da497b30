// Hinges between triangles, segments and bends of strands.
#include "thin/thin_elements.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"

// stiffness += k g g^T, n numbers each
static void add_dyad(double* stiffness, double k, const double* g, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) stiffness[n*i + j] += k*g[i]*g[j];
}

// ---- hinges ---------------------------------------------------------------------------------------------------------------

typedef struct HingeFrame {
    double e[3], length;  // v1 - v0
    double n1[3], n2[3];  // normals, as long as twice the areas: e x (v2 - v0), (v3 - v0) x e
} HingeFrame;

static void hinge_frame(HingeFrame* f, const double x[12])
{
    double to2[3], to3[3];
    vec_sub(f->e, x + 3, x);
    vec_sub(to2, x + 6, x);
    vec_sub(to3, x + 9, x);
    vec_cross(f->n1, f->e, to2);
    vec_cross(f->n2, to3, f->e);
    f->length = vec_norm(f->e);
}

static double frame_angle(const HingeFrame* f)
{
    double turn[3];
    vec_cross(turn, f->n1, f->n2);
    return atan2(vec_dot(turn, f->e)/f->length, vec_dot(f->n1, f->n2));
}

double thin_hinge_angle(const double x[12])
{
    HingeFrame f;
    hinge_frame(&f, x);
    return frame_angle(&f);
}

// How the angle changes with the places of the four vertices: wings move along their normals, the edge's ends take what is left
// so that a rigid motion changes nothing.
static void angle_gradient(double g[12], const HingeFrame* f, const double x[12])
{
    double a1 = 1/vec_dot(f->n1, f->n1), a2 = 1/vec_dot(f->n2, f->n2), from0[2], from1[2];
    for (int w = 0; w < 2; w++) {
        double r[3];
        vec_sub(r, x + 6 + 3*w, x);
        from0[w] = vec_dot(r, f->e)/f->length;
        vec_sub(r, x + 6 + 3*w, x + 3);
        from1[w] = vec_dot(r, f->e)/f->length;
    }
    for (int k = 0; k < 3; k++) {
        double wing1 = f->n1[k]*a1, wing2 = f->n2[k]*a2;
        g[k] = -from1[0]*wing1 - from1[1]*wing2;
        g[3 + k] = from0[0]*wing1 + from0[1]*wing2;
        g[6 + k] = -f->length*wing1;
        g[9 + k] = -f->length*wing2;
    }
}

// W = k/2 (theta - rest)^2; the difference is taken the short way round. A triangle without area has no normal: no energy.
double thin_hinge(double* gradient, double* stiffness, const ThinHinge* h, const double x[12])
{
    HingeFrame f;
    double g[12];
    hinge_frame(&f, x);
    double least = 1e-24*f.length*f.length*f.length*f.length;
    if (gradient) memset(gradient, 0, 12*sizeof *gradient);
    if (stiffness) memset(stiffness, 0, 144*sizeof *stiffness);
    if (!(vec_dot(f.n1, f.n1) > least && vec_dot(f.n2, f.n2) > least)) return 0;
    double off = remainder(frame_angle(&f) - h->rest, 2*PI);
    angle_gradient(g, &f, x);
    for (int m = 0; gradient && m < 12; m++) gradient[m] = h->stiffness*off*g[m];
    if (stiffness) add_dyad(stiffness, h->stiffness, g, 12);
    return 0.5*h->stiffness*off*off;
}

// ---- strands --------------------------------------------------------------------------------------------------------------

// W = EA/(2 l0) (l - l0)^2
double thin_segment(double* gradient, double* stiffness, const ThinSegment* s, const double x[6])
{
    assert(s->length > 0);
    double e[3], k = s->stiffness/s->length;
    vec_sub(e, x + 3, x);
    double length = vec_norm(e), over = length - s->length, across = over > 0 ? over/length : 0;
    for (int i = 0; i < 3; i++) {
        if (gradient) gradient[3 + i] = k*over*e[i]/length, gradient[i] = -gradient[3 + i];
        for (int j = 0; stiffness && j < 3; j++) {
            double along = e[i]*e[j]/(length*length), entry = k*(along + across*((i == j) - along));
            stiffness[6*i + j] = stiffness[6*(3 + i) + 3 + j] = entry;
            stiffness[6*i + 3 + j] = stiffness[6*(3 + i) + j] = -entry;
        }
    }
    return 0.5*k*over*over;
}

// out = m v for 3 x 3 m, and the matrix of a cross product: [a]x v = a x v
static void cross_matrix(double m[9], const double a[3])
{
    const double full[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    memcpy(m, full, sizeof full);
}

// The curvature of the strand at v1, summed over half of both segments [bergou2008]: kb = 2 e0 x e1/(l0 l1 + e0.e1), as long as
// 2 tan(angle/2), along the axis it turns about; l0 and l1 at rest. B = dkb/dx, 3 x 9.
static void curvature(double kb[3], double B[27], const ThinBend* b, const double x[9])
{
    double e0[3], e1[3], by_first[9], by_last[9];
    vec_sub(e0, x + 3, x);
    vec_sub(e1, x + 6, x + 3);
    double below = fmax(b->length[0]*b->length[1] + vec_dot(e0, e1), 0.05*b->length[0]*b->length[1]);
    vec_cross(kb, e0, e1);
    for (int k = 0; k < 3; k++) kb[k] *= 2/below;
    // d(e0 x e1)/dx_first = [e1]x, .../dx_last = [e0]x; d(e0.e1)/dx_first = -e1, .../dx_last = e0
    cross_matrix(by_first, e1);
    cross_matrix(by_last, e0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double first = (2*by_first[3*i + j] + kb[i]*e1[j])/below,
                   last = (2*by_last[3*i + j] - kb[i]*e0[j])/below;
            B[9*i + j] = first, B[9*i + 6 + j] = last, B[9*i + 3 + j] = -first - last;
        }
}

// W = EI/(l0 + l1) (|kb| - rest)^2, in 2D with the sign of kb. In space the direction in which a strand is bent at rest is not
// known to it: it may turn about itself freely.
double thin_bend(double* gradient, double* stiffness, const ThinBend* b, const double x[9])
{
    double kb[3], B[27], n[3] = {0, 0, 1}, k = 2*b->stiffness/(b->length[0] + b->length[1]);
    curvature(kb, B, b, x);
    double size = b->planar ? kb[2] : vec_norm(kb), off = size - b->rest;
    // along kb as it is, across it only what pulls: (1 - rest/|kb|) of it; straight at rest: the same all round
    double across = b->planar ? 0 : b->rest == 0 ? 1 : size > b->rest ? off/size : 0;
    if (!b->planar && size > 0)
        for (int i = 0; i < 3; i++) n[i] = kb[i]/size;
    double Q[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) Q[3*i + j] = (1 - across)*n[i]*n[j] + across*(i == j);
    for (int m = 0; gradient && m < 9; m++) gradient[m] = k*off*(n[0]*B[m] + n[1]*B[9 + m] + n[2]*B[18 + m]);
    for (int l = 0; stiffness && l < 9; l++)
        for (int m = 0; m < 9; m++) {
            double sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) sum += B[9*i + l]*Q[3*i + j]*B[9*j + m];
            stiffness[9*l + m] = k*sum;
        }
    return 0.5*k*off*off;
}
