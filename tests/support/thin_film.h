// How a thin drop spreads, by the lubrication equation with slip: half of a drop that is its own mirror image, 0 < x < R(t), per
// metre of depth,
//     h_t + q_x = 0,   q = -(h^3/3 + slip h^2) p_x/mu,   p = -sigma (h_x/sqrt(1 + h_x^2))_x,
//     h = 0 and h_x = -tan(theta) at x = R,   h_x = 0 at x = 0
// ([hocking1983]; the law of Cox and Voinov, theta_cap^3 - theta^3 = 9 Ca ln(L/slip), is what is left of it where ln(L/slip) is
// large, and leaves the length L open: from R to 2 R theta/(3 e^2), of which only the order counts then.) rho = sigma = 1.
//
// Volumes between faces y = x/R, closer towards the line, implicit Euler in time; each step by Newton's method with differences.
#pragma once
#include <assert.h>
#include <math.h>
#include <string.h>

enum { FILM_CELLS = 120, FILM_UNKNOWNS = FILM_CELLS + 1 };

typedef struct ThinFilm {
    double theta, mu, slip;
    double y[FILM_CELLS + 1], middle[FILM_CELLS];  // faces and middles, of R
    double h[FILM_CELLS], R;
    double dt;
} ThinFilm;

// A cap of half base R and half area `area`, as a parabola: the shape that the film has is there at once.
static inline void film_init(ThinFilm* f, double theta, double mu, double slip, double R, double area)
{
    *f = (ThinFilm){.theta = theta, .mu = mu, .slip = slip, .R = R, .dt = 1e-4};
    double sum = 0;
    for (int m = 0; m <= FILM_CELLS; m++) f->y[m] = 1 - pow(1 - m/(double)FILM_CELLS, 2.5);
    for (int m = 0; m < FILM_CELLS; m++) {
        double y = f->middle[m] = 0.5*(f->y[m] + f->y[m + 1]);
        f->h[m] = 1 - y*y, sum += f->h[m]*R*(f->y[m + 1] - f->y[m]);
    }
    for (int m = 0; m < FILM_CELLS; m++) f->h[m] *= area/sum;
}

// What is left of the equations of a step to the unknowns z: h, and R after them.
static inline void film_rest(double* rest, const ThinFilm* f, const double* z)
{
    double R = z[FILM_CELLS], speed = (R - f->R)/f->dt, sine[FILM_CELLS + 1], p[FILM_CELLS], flux[FILM_CELLS + 1];
    sine[0] = 0, sine[FILM_CELLS] = -sin(f->theta), flux[0] = flux[FILM_CELLS] = 0;
    for (int m = 1; m < FILM_CELLS; m++) {
        double slope = (z[m] - z[m - 1])/((f->middle[m] - f->middle[m - 1])*R);
        sine[m] = slope/sqrt(1 + slope*slope);
    }
    for (int m = 0; m < FILM_CELLS; m++) p[m] = -(sine[m + 1] - sine[m])/((f->y[m + 1] - f->y[m])*R);
    for (int m = 1; m < FILM_CELLS; m++) {
        double width = f->middle[m] - f->middle[m - 1], part = (f->y[m] - f->middle[m - 1])/width;
        double h = fmax(z[m - 1] + part*(z[m] - z[m - 1]), 0);
        // faces move with y times the speed of the line
        flux[m] = -h*h*(h/3 + f->slip)/f->mu*(p[m] - p[m - 1])/(width*R) - f->y[m]*speed*h;
    }
    for (int m = 0; m < FILM_CELLS; m++)
        rest[m] = (R*z[m] - f->R*f->h[m])/f->dt + (flux[m + 1] - flux[m])/(f->y[m + 1] - f->y[m]);
    rest[FILM_CELLS] = z[FILM_CELLS - 1] - tan(f->theta)*R*(1 - f->middle[FILM_CELLS - 1]);
}

// Gauss with pivots; x: the right side, and then the answer.
static inline void film_eliminate(double (*a)[FILM_UNKNOWNS], double* x)
{
    for (int p = 0; p < FILM_UNKNOWNS; p++) {
        int best = p;
        for (int m = p + 1; m < FILM_UNKNOWNS; m++)
            if (fabs(a[m][p]) > fabs(a[best][p])) best = m;
        double row[FILM_UNKNOWNS], value = x[p];
        memcpy(row, a[p], sizeof row), memcpy(a[p], a[best], sizeof row), memcpy(a[best], row, sizeof row);
        x[p] = x[best], x[best] = value;
        for (int m = p + 1; m < FILM_UNKNOWNS; m++) {
            double times = a[m][p]/a[p][p];
            if (times == 0) continue;
            for (int c = p; c < FILM_UNKNOWNS; c++) a[m][c] -= times*a[p][c];
            x[m] -= times*x[p];
        }
    }
    for (int p = FILM_UNKNOWNS - 1; p >= 0; p--) {
        for (int c = p + 1; c < FILM_UNKNOWNS; c++) x[p] -= a[p][c]*x[c];
        x[p] /= a[p][p];
    }
}

static inline double film_largest(const double* rest)
{
    double most = 0;
    for (int m = 0; m < FILM_UNKNOWNS; m++) most = fmax(most, fabs(rest[m]));
    return most;
}

// One step of f->dt; false: Newton's method does not come to an end, nothing has changed.
static inline bool film_step(ThinFilm* f)
{
    static double a[FILM_UNKNOWNS][FILM_UNKNOWNS];
    double z[FILM_UNKNOWNS], rest[FILM_UNKNOWNS], moved[FILM_UNKNOWNS];
    memcpy(z, f->h, sizeof f->h), z[FILM_CELLS] = f->R;
    film_rest(rest, f, z);
    for (int turn = 0; turn < 15 && film_largest(rest) > 1e-8; turn++) {
        for (int c = 0; c < FILM_UNKNOWNS; c++) {
            double old = z[c];
            z[c] += 1e-7;
            film_rest(moved, f, z);
            z[c] = old;
            for (int m = 0; m < FILM_UNKNOWNS; m++) a[m][c] = (moved[m] - rest[m])/1e-7;
        }
        film_eliminate(a, rest);
        for (int m = 0; m < FILM_UNKNOWNS; m++) z[m] -= rest[m];
        film_rest(rest, f, z);
    }
    if (!(film_largest(rest) < 1e-6)) return false;
    memcpy(f->h, z, sizeof f->h), f->R = z[FILM_CELLS];
    return true;
}

// Goes on for `time`; returns R.
static inline double film_advance(ThinFilm* f, double time)
{
    double longest = 0.1;
    while (time > 1e-12) {
        f->dt = fmin(fmin(1.15*f->dt, longest), time);
        if (film_step(f)) time -= f->dt;
        else f->dt *= 0.3;
        assert(f->dt > 1e-9);
    }
    return f->R;
}
