// A box that floats in the middle of a tank and heaves or rolls a little, by linear potential theory; 2D, rho = g = 1.
//
// Its half width is a, its draft T; the tank is 2 W wide and filled H deep. For a unit velocity of the body the potential is,
// below it (h = H - T, z from the floor) and beside it,
//     phi = P(x, z) + sum A_n f_n(x) cos(n pi z/h),      P = (z^2 - x^2)/(2 h),   roll: x z^2/(2 h) - x^3/(6 h)
//     phi = sum B_m X_m(x) Z_m(z),      Z_0 = cosh(k_0 z)/cosh(k_0 H), Z_m = cos(k_m z),
//     w^2 = k_0 tanh(k_0 H) = -k_m tan(k_m H)
// with phi_x = 0 at the wall. Potentials are matched below the box's side, and velocities over the whole depth (the method of
// matched eigenfunctions [newman1977; mei1989]). The added mass is m(w) = int phi n dS; the body swings freely at the roots of
//     D(w^2) = K - w^2 (M + m(w)) = 0
// and, released at rest on level water, as sum r_j cos(w_j t) with r_j = (K/w_j^2)/(-D'(w_j^2)).
#pragma once
#include <assert.h>
#include <math.h>
#include <string.h>

enum { TANK_TERMS = 16, TANK_POINTS = 600, TANK_MODES = 12 };

typedef struct TankBody {
    bool rolls;                 // about its middle, held in place; otherwise it heaves
    double a, T, W, H;          // m
    double middle;              // m, height of the box's middle over the level
    double inertia, stiffness;  // M and K
    int modes;
    double rate[TANK_MODES], part[TANK_MODES];  // w_j, r_j
} TankBody;

// k_m of the free surface, by bisection: m = 0 by k tanh(k H) = w^2, else k tan(k H) = -w^2 with (m - 1/2) pi < k H < m pi.
static inline double tank_wave(double w2, double H, int m)
{
    const double pi = 3.14159265358979323846;
    double low = m == 0 ? 0 : (m - 0.5)*pi/H + 1e-12, high = m == 0 ? w2 + 1/H + sqrt(w2/H) : m*pi/H;
    for (int n = 0; n < 80; n++) {
        double k = 0.5*(low + high), off = m == 0 ? k*tanh(k*H) - w2 : k*tan(k*H) + w2;
        if (off < 0) low = k;
        else high = k;
    }
    return 0.5*(low + high);
}

// Gauss' elimination with pivots; x in: the right-hand side.
static inline void tank_solve(double A[TANK_TERMS][TANK_TERMS], double x[TANK_TERMS])
{
    for (int k = 0; k < TANK_TERMS; k++) {
        int best = k;
        for (int i = k + 1; i < TANK_TERMS; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        for (int j = 0; j < TANK_TERMS; j++) {
            double t = A[k][j];
            A[k][j] = A[best][j], A[best][j] = t;
        }
        double t = x[k];
        x[k] = x[best], x[best] = t;
        for (int i = k + 1; i < TANK_TERMS; i++) {
            double f = A[i][k]/A[k][k];
            for (int j = k; j < TANK_TERMS; j++) A[i][j] -= f*A[k][j];
            x[i] -= f*x[k];
        }
    }
    for (int k = TANK_TERMS - 1; k >= 0; k--) {
        for (int j = k + 1; j < TANK_TERMS; j++) x[k] -= A[k][j]*x[j];
        x[k] /= A[k][k];
    }
}

static inline double tank_added(const TankBody* t, double w2)
{
    const double pi = 3.14159265358979323846;
    double h = t->H - t->T, a = t->a, k[TANK_TERMS], X[TANK_TERMS], slope[TANK_TERMS], norm[TANK_TERMS] = {0};
    double C[TANK_TERMS][TANK_TERMS] = {{0}}, PZ[TANK_TERMS] = {0}, Pc[TANK_TERMS] = {0}, side[TANK_TERMS] = {0};
    for (int m = 0; m < TANK_TERMS; m++) {
        k[m] = tank_wave(w2, t->H, m);
        double gap = k[m]*(t->W - a);
        X[m] = m == 0 ? cos(gap) : 1, slope[m] = m == 0 ? k[0]*sin(gap) : -k[m]*tanh(gap);
    }
    for (int part = 0; part < 2; part++)  // below the box, beside it
        for (int p = 0; p < TANK_POINTS; p++) {
            double dz = (part ? t->T : h)/TANK_POINTS, z = (part ? h : 0) + (p + 0.5)*dz;
            double P = t->rolls ? a*z*z/(2*h) - a*a*a/(6*h) : (z*z - a*a)/(2*h);
            double flow = t->rolls ? (z*z - a*a)/(2*h) : -a/h;
            for (int m = 0; m < TANK_TERMS; m++) {
                double Z = m == 0 ? cosh(k[0]*z)/cosh(k[0]*t->H) : cos(k[m]*z);
                norm[m] += dz*Z*Z;
                if (part) side[m] += t->rolls ? dz*Z*(z - t->H - t->middle) : 0;
                else {
                    PZ[m] += dz*flow*Z, Pc[m] += dz*P*cos(m*pi*z/h);
                    for (int n = 0; n < TANK_TERMS; n++) C[n][m] += dz*cos(n*pi*z/h)*Z;
                }
            }
        }
    // A_n = (sum X C B - Pc)/nu; velocities: slope norm B = PZ - side + sum (c/nu) C (...)
    double c[TANK_TERMS], A[TANK_TERMS][TANK_TERMS], B[TANK_TERMS];
    for (int n = 0; n < TANK_TERMS; n++) {
        double q = n*pi/h, nu = n == 0 ? h : 0.5*h;
        c[n] = (n == 0 ? (t->rolls ? 1/a : 0) : t->rolls ? q/tanh(q*a) : q*tanh(q*a))/nu;
    }
    for (int m = 0; m < TANK_TERMS; m++) {
        B[m] = PZ[m] - side[m];
        for (int n = 0; n < TANK_TERMS; n++) B[m] -= c[n]*C[n][m]*Pc[n];
        for (int l = 0; l < TANK_TERMS; l++) {
            A[m][l] = m == l ? slope[m]*norm[m] : 0;
            for (int n = 0; n < TANK_TERMS; n++) A[m][l] -= c[n]*C[n][m]*C[n][l]*X[l];
        }
    }
    tank_solve(A, B);
    double sum = t->rolls ? a*a*a*h/6 - pow(a, 5)/(30*h) : (h*h*a - a*a*a/3)/(2*h);
    for (int n = 0; n < TANK_TERMS; n++) {
        double q = n*pi/h, An = -Pc[n], sign = n%2 ? -1 : 1;
        for (int m = 0; m < TANK_TERMS; m++) An += C[n][m]*X[m]*B[m];
        An /= n == 0 ? h : 0.5*h;
        if (t->rolls) sum += n == 0 ? An*a*a/3 : sign*An*(a/(q*tanh(q*a)) - 1/(q*q));
        else sum += n == 0 ? An*a : sign*An*tanh(q*a)/q;
    }
    for (int m = 0; m < TANK_TERMS && t->rolls; m++) sum += B[m]*X[m]*side[m];
    return 2*sum;
}

static inline double tank_balance(const TankBody* t, double w2) { return t->stiffness - w2*(t->inertia + tank_added(t, w2)); }

// Fills rates and parts of the modes with w^2 up to `most`.
static inline void tank_body_solve(TankBody* t, double most)
{
    double step = 0.01, before = tank_balance(t, step);
    t->modes = 0;
    for (double w2 = 2*step; w2 < most && t->modes < TANK_MODES; w2 += step) {
        double now = tank_balance(t, w2), low = w2 - step, high = w2;
        if (before > 0 && now <= 0) {  // the other way round it is a resonance of the water
            for (int n = 0; n < 40; n++) {
                double middle = 0.5*(low + high);
                if (tank_balance(t, middle) > 0) low = middle;
                else high = middle;
            }
            double e = 1e-4*low, slope = (tank_balance(t, low + e) - tank_balance(t, low - e))/(2*e);
            t->part[t->modes] = t->stiffness/low/-slope, t->rate[t->modes++] = sqrt(low);
        }
        before = now;
    }
}

// Of the place it was released at, at time s.
static inline double tank_body_place(const TankBody* t, double s)
{
    double sum = 0;
    for (int m = 0; m < t->modes; m++) sum += t->part[m]*cos(t->rate[m]*s);
    return sum;
}

// Time of the n-th turn, n >= 1: where it stands still.
static inline double tank_body_turn(const TankBody* t, int n)
{
    double h = 1e-3, s = h;
    for (int found = 0; s < 100; s += h) {
        double before = tank_body_place(t, s) - tank_body_place(t, s - h),
               after = tank_body_place(t, s + h) - tank_body_place(t, s);
        if (before*after < 0 && ++found == n) return s + h*(before + after)/(2*(before - after));
    }
    return NAN;
}
