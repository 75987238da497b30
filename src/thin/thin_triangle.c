// Triangles of sheets. F = [f1 f2], 3 x 2, maps rest directions to space: F = [x1 - x0, x2 - x0] R, R = ThinTriangle.rest.
// A law gives energy W per rest area, P = dW/dF and K = d2W/dF2 with its negative part left out; F, P and K are stored as
// (f1, f2), six numbers.
#include "thin/thin_elements.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "thin/thin_psd.h"

typedef struct Response {
    double energy, P[6], K[36];
} Response;

static void deformation(double F[6], const ThinTriangle* t, const double x[9])
{
    for (int k = 0; k < 3; k++) {
        double e1 = x[3 + k] - x[k], e2 = x[6 + k] - x[k];
        F[k] = e1*t->rest[0][0] + e2*t->rest[1][0];
        F[3 + k] = e1*t->rest[0][1] + e2*t->rest[1][1];
    }
}

double thin_triangle_spread(const ThinTriangle* t, const double x[9])
{
    double F[6], n[3];
    deformation(F, t, x);
    vec_cross(n, F, F + 3);
    return vec_norm(n);
}

// The part of the symmetric matrix (a b; b c) whose eigenvalues are positive.
static void positive_part(double* a, double* b, double* c)
{
    double mean = 0.5*(*a + *c), half = 0.5*(*a - *c), radius = sqrt(half*half + *b * *b);
    double high = mean + radius, low = mean - radius;
    if (low >= 0) return;
    if (high <= 0) {
        *a = *b = *c = 0;
        return;
    }
    // high times the projector on its own direction, (S - low)/(high - low)
    double factor = high/(high - low);
    *a = factor*(*a - low), *c = factor*(*c - low), *b *= factor;
}

// W = mu E:E + lambda/2 tr(E)^2 with Green's strain E = (F^T F - 1)/2 and the stress S = 2 mu E + lambda tr(E) 1:
//     P = F S,    K = S (x) 1 + L^T C L,   rows of L: f1.df1, f2.df2, f1.df2 + f2.df1
// Of S only the pulling part is kept in K: what is compressed buckles, and is left to inertia and bending.
static void respond_stvk(Response* r, const double F[6], double mu, double lambda)
{
    const double *f1 = F, *f2 = F + 3;
    double E11 = 0.5*(vec_dot(f1, f1) - 1), E22 = 0.5*(vec_dot(f2, f2) - 1), E12 = 0.5*vec_dot(f1, f2), trace = E11 + E22;
    double S11 = 2*mu*E11 + lambda*trace, S22 = 2*mu*E22 + lambda*trace, S12 = 2*mu*E12;
    r->energy = mu*(E11*E11 + E22*E22 + 2*E12*E12) + 0.5*lambda*trace*trace;
    for (int k = 0; k < 3; k++) r->P[k] = S11*f1[k] + S12*f2[k], r->P[3 + k] = S12*f1[k] + S22*f2[k];
    positive_part(&S11, &S12, &S22);
    double stiff = 2*mu + lambda;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double same = i == j;
            r->K[6*i + j] = stiff*f1[i]*f1[j] + mu*f2[i]*f2[j] + same*S11;
            r->K[6*(3 + i) + 3 + j] = stiff*f2[i]*f2[j] + mu*f1[i]*f1[j] + same*S22;
            r->K[6*i + 3 + j] = lambda*f1[i]*f2[j] + mu*f2[i]*f1[j] + same*S12;
            r->K[6*(3 + j) + i] = r->K[6*i + 3 + j];
        }
}

// W = mu/2 (tr C - 2 - 2 ln J) + lambda/2 (ln J)^2, C = F^T F, J^2 = det C. With G = F C^-1 and the normal n:
//     P = mu F + s G,   s = lambda ln J - mu
//     K[dF] = mu dF + lambda (G:dF) G + s (n n^T dF C^-1 - G dF^T G)
static void respond_neo_hookean(Response* r, const double F[6], double mu, double lambda)
{
    const double *f1 = F, *f2 = F + 3;
    double C11 = vec_dot(f1, f1), C22 = vec_dot(f2, f2), C12 = vec_dot(f1, f2), det = C11*C22 - C12*C12;
    double n[3], G[6], ln_J = 0.5*log(det), s = lambda*ln_J - mu;
    double I11 = C22/det, I22 = C11/det, I12 = -C12/det;  // C^-1
    vec_cross(n, f1, f2);
    for (int k = 0; k < 3; k++) {
        n[k] /= sqrt(det);
        G[k] = I11*f1[k] + I12*f2[k], G[3 + k] = I12*f1[k] + I22*f2[k];
    }
    r->energy = 0.5*mu*(C11 + C22 - 2 - 2*ln_J) + 0.5*lambda*ln_J*ln_J;
    for (int m = 0; m < 6; m++) r->P[m] = mu*F[m] + s*G[m];
    const double inverse[2][2] = {{I11, I12}, {I12, I22}};
    // (G dF^T G)_ia for dF = e_j in column b: G_ib G_ja
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    r->K[6*(3*a + i) + 3*b + j] = mu*(a == b && i == j) + lambda*G[3*a + i]*G[3*b + j] +
                                                        s*(n[i]*n[j]*inverse[a][b] - G[3*b + i]*G[3*a + j]);
    psd_clamp(r->K, 6);
}

// A spring of rest length 1 along f.
static double respond_thread(double P[3], double K[9], const double f[3], double stiffness)
{
    double length = vec_norm(f), over = length - 1, across = over > 0 ? over/length : 0;
    for (int i = 0; i < 3; i++) {
        P[i] = stiffness*over*f[i]/length;
        for (int j = 0; j < 3; j++) {
            double along = f[i]*f[j]/(length*length);
            K[3*i + j] = stiffness*(along + across*((i == j) - along));
        }
    }
    return 0.5*stiffness*over*over;
}

// W = k/2 ((|f1| - 1)^2 + (|f2| - 1)^2) + mu/2 (f1.f2)^2, k = Y h/(1 - nu^2) = 2 mu + lambda.
static void respond_baraff_witkin(Response* r, const double F[6], double mu, double lambda)
{
    double K1[9], K2[9], shear = vec_dot(F, F + 3);
    const double *f1 = F, *f2 = F + 3;
    r->energy = respond_thread(r->P, K1, f1, 2*mu + lambda) + respond_thread(r->P + 3, K2, f2, 2*mu + lambda) +
                0.5*mu*shear*shear;
    for (int k = 0; k < 3; k++) r->P[k] += mu*shear*f2[k], r->P[3 + k] += mu*shear*f1[k];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            r->K[6*i + j] = K1[3*i + j] + mu*f2[i]*f2[j];
            r->K[6*(3 + i) + 3 + j] = K2[3*i + j] + mu*f1[i]*f1[j];
            r->K[6*i + 3 + j] = r->K[6*(3 + j) + i] = mu*f2[i]*f1[j];
        }
}

double thin_triangle(double* gradient, double* stiffness, const ThinTriangle* t, const double x[9])
{
    assert(t->area > 0 && t->mu > 0);
    Response r = {0};
    double F[6];
    deformation(F, t, x);
    switch (t->law) {
    case THIN_STVK:
        respond_stvk(&r, F, t->mu, t->lambda);
        break;
    case THIN_NEO_HOOKEAN:
        respond_neo_hookean(&r, F, t->mu, t->lambda);
        break;
    case THIN_BARAFF_WITKIN:
        respond_baraff_witkin(&r, F, t->mu, t->lambda);
        break;
    }
    // dF_a/dx_v = b[v][a] 1
    const double b[3][2] = {{-t->rest[0][0] - t->rest[1][0], -t->rest[0][1] - t->rest[1][1]},
                            {t->rest[0][0], t->rest[0][1]},
                            {t->rest[1][0], t->rest[1][1]}};
    for (int v = 0; gradient && v < 3; v++)
        for (int k = 0; k < 3; k++) gradient[3*v + k] = t->area*(b[v][0]*r.P[k] + b[v][1]*r.P[3 + k]);
    for (int v = 0; stiffness && v < 3; v++)
        for (int w = 0; w < 3; w++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    double sum = 0;
                    for (int a = 0; a < 2; a++)
                        for (int c = 0; c < 2; c++) sum += b[v][a]*b[w][c]*r.K[6*(3*a + i) + 3*c + j];
                    stiffness[9*(3*v + i) + 3*w + j] = t->area*sum;
                }
    return t->area*r.energy;
}
