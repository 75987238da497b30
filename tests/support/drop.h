// Liquids that surface tension moves: drops in a mode of oscillation, waves in a tank, liquid cylinders. Numbers are pure: rho =
// sigma = R = 1 (waves: wavelength 1), so that mu is the Ohnesorge number and times are in sqrt(rho R^3/sigma).
#pragma once
#include <complex.h>
#include "basin.h"
#include "oscillation.h"
#include "grid/interpolate.h"
#include "tension/tension.h"

// The schemes every program here goes through.
typedef struct Scheme {
    const char* name;
    TensionScheme scheme;
    double longest;  // step in capillary times that it can take at all
} Scheme;

static const Scheme SCHEMES[] = {
    {"explicit", TENSION_EXPLICIT, 2}, {"implicit", TENSION_IMPLICIT, INFINITY}, {"split", TENSION_SPLIT, 32}};
// Fast tests go through SCHEME_COUNT of them: split has tests of its own, test_tension_schemes.c.
enum { SCHEME_COUNT = 2, ALL_SCHEMES = sizeof SCHEMES/sizeof SCHEMES[0] };

static inline void scheme_use(Sim* sim, const Scheme* scheme, double steps)
{
    sim->model.settings.tension = (TensionSettings){.scheme = scheme->scheme, .most_steps = steps};
    sim->model.settings.max_dt = steps*tension_time(&sim->world.liquid[0]);
}

// ---- drops ---------------------------------------------------------------------------------------------------------------

typedef struct Drop {
    int dim;
    double cells;  // R/dx
    int mode;      // r = 1 + amplitude cos(n theta) in 2D, 1 + amplitude P_n(cos theta) about x in 3D
    double amplitude;
    double mu;
    double speed;        // along x
    double box, length;  // sides, and that along x; 0: 4, and as the others
    double shift;        // of the centre against the grid, cells
    double center[3];    // set by drop_start
} Drop;

static inline double legendre(int n, double x)
{
    double before = 1, now = x;
    if (n == 0) return 1;
    for (int m = 1; m < n; m++) {
        double next = ((2*m + 1)*x*now - m*before)/(m + 1);
        before = now, now = next;
    }
    return now;
}

// The radius is made smaller by amplitude^2/4 (2D) or amplitude^2/(2 n + 1) (3D), which keeps the volume to second order.
static inline double drop_shape(const void* user, const double x[3])
{
    const Drop* d = user;
    double r[3];
    vec_sub(r, x, d->center);
    if (d->dim == 2) r[2] = 0;
    double s = vec_norm(r), e = d->amplitude;
    if (s < 1e-12) return -1;
    if (d->dim == 2) return s - (1 - 0.25*e*e + e*cos(d->mode*atan2(r[1], r[0])));
    return s - (1 - e*e/(2*d->mode + 1) + e*legendre(d->mode, r[0]/s));
}

static inline void drop_start(Sim* sim, Drop* d, const Scheme* scheme, double steps)
{
    double box = d->box > 0 ? d->box : 4, length = d->length > 0 ? d->length : box;
    int n = (int)ceil(box*d->cells), nx = (int)ceil(length*d->cells);
    basin_init(sim, d->dim, nx, n, n, 1/d->cells);
    sim->model.settings.gravity[1] = 0;
    sim->model.settings.cfl = 1;
    sim->model.settings.tolerance = 1e-8;
    sim->model.settings.advection = ADVECT_CUBIC;
    sim->model.settings.slip = true;
    double half = 0.5*box*d->cells;  // from the low sides
    double shift = d->shift > 0 ? d->shift : 0.37;
    for (int axis = 0; axis < 3; axis++) d->center[axis] = axis < d->dim ? (floor(half) + shift*(axis + 1))/d->cells : 0;
    basin_add(sim, drop_shape, d, (double[3]){d->speed, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = d->mu, .contact_angle = PI/2};
    scheme_use(sim, scheme, steps);
    CHECK_OK(sim_start(sim));
}

// omega of mode n, rho = sigma = R = 1. 2D: [rayleigh1879] of a jet whose shape does not change along it; 3D: [lamb1932] art.
// 275.
static inline double drop_omega(int dim, int n) { return dim == 2 ? sqrt(n*(n*n - 1.0)) : sqrt(n*(n - 1.0)*(n + 2.0)); }

// Rate of decay of mode n over nu/R^2 for small viscosity: mean dissipation of the potential flow over twice its energy.
// 3D, [lamb1932] art. 355: (n - 1)(2 n + 1). 2D, u = grad(r^n cos n theta): the Hessian has the square 2 n^2 (n - 1)^2 r^(2n-4)
// at every angle, so 2 mu int D:D = 4 pi mu n^2 (n - 1), half of it in the mean over a period; the kinetic energy at its
// greatest, which is all there is, is rho pi n/2. The rate is 2 pi mu n^2 (n - 1)/(rho pi n) = 2 n (n - 1) nu.
static inline double drop_damping(int dim, int n) { return dim == 2 ? 2.0*n*(n - 1) : (n - 1.0)*(2*n + 1); }

// lambda - (what the linear equations of a viscous drop ask of it) for motion as exp(lambda t), rho = sigma = R = 1 ([lamb1932]
// art. 355; [chandrasekhar1961], section 98): u = grad(a r^n Y) + curl curl(r chi Y) with chi = b I(m r), m^2 = lambda/nu, no
// shear on the surface and -p + 2 nu u_r' + s u_r/lambda = 0 there, s = (n - 1)(n + 2) in 3D, n^2 - 1 in 2D (chi is then the
// stream function). Zero at a mode.
static inline double complex drop_mode_residual(int dim, int n, double nu, double complex lambda)
{
    double complex m = csqrt(lambda/nu), next = 0;
    double order = dim == 2 ? n : n + 0.5;
    for (int q = 200; q >= 0; q--) next = 1/(2*(order + q)/m + next);  // I_order(m)/I_(order - 1)(m), continued fraction
    // chi and its derivatives at r = 1, chi(1) = 1
    double complex d1 = m/next - (dim == 2 ? n : n + 1), d2 = m*m + (dim == 2 ? n*n : n*(n + 1)) - (dim - 1)*d1;
    // radial velocity and tangential one, per a and per b, and their slopes
    double complex radial[2] = {n, dim == 2 ? n : n*(n + 1)}, slope[2] = {n*(n - 1), radial[1]*(d1 - 1)};
    double complex along[2] = {1, dim == 2 ? d1/n : 1 + d1}, along_slope[2] = {n - 1, dim == 2 ? d2/n : d1 - 1 + d2};
    double stiffness = dim == 2 ? n*n - 1 : (n - 1)*(n + 2);
    double complex shear[2], normal[2];
    for (int q = 0; q < 2; q++) {
        shear[q] = along_slope[q] - along[q] + radial[q];
        normal[q] = (q == 0 ? lambda : 0) + 2*nu*slope[q] + stiffness*radial[q]/lambda;
    }
    return shear[0]*normal[1] - shear[1]*normal[0];
}

// Rate of decay of mode n over nu for any viscosity (nu is the Ohnesorge number): below drop_damping by the order of sqrt(nu),
// 4.6 % for mode 2 in 2D at nu = 0.01. By the secant rule from the limit of small nu.
static inline double drop_decay(int dim, int n, double nu)
{
    double complex a = -drop_damping(dim, n)*nu + I*drop_omega(dim, n), b = a*(1 + 1e-3*I);
    double complex fa = drop_mode_residual(dim, n, nu, a), fb = drop_mode_residual(dim, n, nu, b);
    for (int sweep = 0; sweep < 40 && cabs(b - a) > 1e-12; sweep++) {
        double complex c = b - fb*(b - a)/(fb - fa);
        a = b, fa = fb, b = c, fb = drop_mode_residual(dim, n, nu, b);
    }
    return -creal(b)/nu;
}

// Distance from `from` (m) to the surface along the unit vector `along`, near `guess`, on the cubic interpolant of phi.
static inline double surface_along(const Liquid* q, const double from[3], const double along[3], double guess)
{
    double s = guess/q->w.dx;
    for (int sweep = 0; sweep < 20; sweep++) {
        double x[3] = {0}, g[3] = {0};
        for (int d = 0; d < q->w.dim; d++) x[d] = from[d]/q->w.dx - q->w.lo[d] + s*along[d];
        double phi = interpolate_cubic(g, q->phi.v, &q->w, q->w.dim, x)/q->w.dx, slope = 0;
        for (int d = 0; d < q->w.dim; d++) slope += g[d]/q->w.dx*along[d];
        double step = phi/(fabs(slope) > 0.2 ? slope : 1);
        s -= fmin(fmax(step, -2), 2);
        if (fabs(step) < 1e-10) break;
    }
    return s*q->w.dx;
}

enum { DROP_ANGLES = 64, DROP_LATITUDES = 12, DROP_LONGITUDES = 24 };

// Nodes and weights of Gauss and Legendre's rule on -1 .. 1.
static inline void gauss_legendre(double* x, double* weight, int count)
{
    for (int m = 0; m < count; m++) {
        double z = cos(PI*(m + 0.75)/(count + 0.5)), slope = 1;
        for (int sweep = 0; sweep < 50; sweep++) {
            slope = count*(z*legendre(count, z) - legendre(count - 1, z))/(z*z - 1);
            z -= legendre(count, z)/slope;
        }
        x[m] = z, weight[m] = 2/((1 - z*z)*slope*slope);
    }
}

// The surface's distance from `center` projected on mode n: (1/pi) int r cos(n theta), or (2 n + 1)/2 int r P_n(mu) dmu, the mean
// over the angle about x. Mode 0 is the mean radius.
static inline double drop_mode_about(const Liquid* q, const double center[3], int n)
{
    double sum = 0;
    if (q->w.dim == 2) {
        for (int m = 0; m < DROP_ANGLES; m++) {
            double theta = 2*PI*m/DROP_ANGLES, along[3] = {cos(theta), sin(theta), 0};
            sum += surface_along(q, center, along, 1)*cos(n*theta);
        }
        return (n == 0 ? 1 : 2)*sum/DROP_ANGLES;
    }
    double mu[DROP_LATITUDES], weight[DROP_LATITUDES];
    gauss_legendre(mu, weight, DROP_LATITUDES);
    for (int m = 0; m < DROP_LATITUDES; m++)
        for (int l = 0; l < DROP_LONGITUDES; l++) {
            double s = sqrt(1 - mu[m]*mu[m]), a = 2*PI*(l + 0.5*(m%2))/DROP_LONGITUDES;
            double along[3] = {mu[m], s*cos(a), s*sin(a)};
            sum += weight[m]*surface_along(q, center, along, 1)*legendre(n, mu[m])/DROP_LONGITUDES;
        }
    return 0.5*(2*n + 1)*sum;
}

static inline LiquidState drop_state(Sim* sim)
{
    LiquidState state = liquid_state(&sim->world.liquid[0], &sim->scratch);
    arena_reset(&sim->scratch);
    return state;
}

// About the centre of volume.
static inline double drop_mode(Sim* sim, int n) { return drop_mode_about(&sim->world.liquid[0], drop_state(sim).center, n); }

// The mode's amplitude after every step until `time`. False: a step failed, or the liquid became faster than `fastest`.
static inline bool drop_try(Signal* a, Sim* sim, int mode, double time, double fastest)
{
    if (a->count == 0) signal_add(a, sim->world.time, drop_mode(sim, mode));
    while (sim->world.time < time) {
        if (sim_step(sim, INFINITY) != MN_OK || !(sim->report.max_speed < fastest)) return false;
        signal_add(a, sim->world.time, drop_mode(sim, mode));
    }
    return true;
}

static inline void drop_run(Signal* a, Sim* sim, int mode, double time) { CHECK_TRUE(drop_try(a, sim, mode, time, INFINITY)); }

// Mean pressure of the cells more than `depth` cells inside, over sigma/R or 2 sigma/R, less 1.
static inline double drop_pressure_error(const Sim* sim, double depth)
{
    const Liquid* q = &sim->world.liquid[0];
    const Window* w = &q->w;
    double sum = 0;
    long cells = 0;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (q->phi.v[at] < -depth*w->dx) sum += q->p.v[at], cells++;
            }
    assert_true(cells > 0);
    return sum/(double)cells/(w->dim - 1) - 1;
}

// ---- waves ---------------------------------------------------------------------------------------------------------------

// Half a wavelength of a standing wave between two walls, which are its mirrors: depth + amplitude cos(k x), k = pi/width.
typedef struct Wave {
    double cells;                    // per wavelength
    double width, depth, amplitude;  // m
    double gravity;
    LiquidMaterial material;
} Wave;

static inline double wave_shape(const void* user, const double x[3])
{
    const Wave* s = user;
    double k = PI/s->width, slope = s->amplitude*k*sin(k*x[0]);
    return (x[1] - s->depth - s->amplitude*cos(k*x[0]))/sqrt(1 + slope*slope);
}

static inline double wave_omega(const Wave* s)
{
    double k = PI/s->width;
    return sqrt((s->gravity*k + s->material.sigma*k*k*k/s->material.rho)*tanh(k*s->depth));
}

static inline void wave_start(Sim* sim, const Wave* s, const Scheme* scheme, double steps)
{
    int n = (int)lround(0.5*s->cells);
    double dx = s->width/n;
    basin_init(sim, 2, n, (int)ceil((s->depth + s->amplitude)/dx) + 8, 1, dx);
    sim->model.settings.gravity[1] = -s->gravity;
    sim->model.settings.cfl = 1;
    sim->model.settings.tolerance = 1e-8;
    sim->model.settings.advection = ADVECT_CUBIC;
    sim->model.settings.slip = true;
    basin_add(sim, wave_shape, s, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = s->material;
    scheme_use(sim, scheme, steps);
    CHECK_OK(sim_start(sim));
}

// (2/W) sum of the wet depth of the columns of cells times cos(k x).
static inline double wave_mode(const Liquid* q, double width)
{
    const Window* w = &q->w;
    double sum = 0;
    for (int i = 0; i < w->n[0]; i++) {
        double height = 0;
        for (int j = 0; j < w->n[1]; j++) {
            ptrdiff_t at = window_at(w, i, j, 0);
            if (q->phi.v[at] < liquid_band(q)) height += cutcells_fraction(&q->cells, at);
        }
        sum += height*cos(PI*(w->lo[0] + i + 0.5)*w->dx/width);
    }
    return 2*sum*w->dx*w->dx/width;
}

static inline void wave_run(Signal* a, Sim* sim, double width, double time)
{
    if (a->count == 0) signal_add(a, sim->world.time, wave_mode(&sim->world.liquid[0], width));
    while (sim->world.time < time) {
        CHECK_OK(sim_step(sim, INFINITY));
        signal_add(a, sim->world.time, wave_mode(&sim->world.liquid[0], width));
    }
}

// ---- cylinders -----------------------------------------------------------------------------------------------------------

// A liquid cylinder of radius 1 along x between two walls: 1 + amplitude cos(k x). The cells along x set dx.
typedef struct Jet {
    int cells;   // along x
    double k;    // 1/R
    int halves;  // half wavelengths between the walls
    double amplitude;
    double mu;
    double center;  // of the cross-section, in y and z
} Jet;

static inline double jet_shape(const void* user, const double x[3])
{
    const Jet* s = user;
    double r = hypot(x[1] - s->center, x[2] - s->center), e = s->amplitude, slope = e*s->k*sin(s->k*x[0]);
    return (r - (1 - 0.25*e*e + e*cos(s->k*x[0])))/sqrt(1 + slope*slope);
}

static inline void jet_start(Sim* sim, Jet* s, const Scheme* scheme, double steps)
{
    double dx = s->halves*PI/s->k/s->cells;
    int n = (int)ceil(4/dx);
    basin_init(sim, 3, s->cells, n, n, dx);
    sim->model.settings.gravity[1] = 0;
    sim->model.settings.cfl = 1;
    sim->model.settings.tolerance = 1e-8;
    sim->model.settings.advection = ADVECT_CUBIC;
    sim->model.settings.slip = true;
    s->center = (n/2 + 0.37)*dx;
    basin_add(sim, jet_shape, s, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = s->mu, .contact_angle = PI/2};
    scheme_use(sim, scheme, steps);
    CHECK_OK(sim_start(sim));
}

// Radius of the circle with the wet area of slice i of the tank, all liquids together.
static inline double jet_radius(const Sim* sim, int i)
{
    double area = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) {
        const Liquid* q = &sim->world.liquid[m];
        const Window* w = &q->w;
        int at_x = i - w->lo[0];
        if (at_x < 0 || at_x >= w->n[0]) continue;
        for (int k = 0; k < w->n[2]; k++)
            for (int j = 0; j < w->n[1]; j++) {
                ptrdiff_t at = window_at(w, at_x, j, k);
                if (q->phi.v[at] < liquid_band(q)) area += cutcells_fraction(&q->cells, at)*w->dx*w->dx;
            }
    }
    return sqrt(area/PI);
}

// The radius projected on cos(k x).
static inline double jet_mode(const Sim* sim, const Jet* s)
{
    double sum = 0;
    for (int i = 0; i < s->cells; i++) sum += jet_radius(sim, i)*cos(s->k*(i + 0.5)*sim->model.tank.dx);
    return 2*sum/s->cells;
}

// I_n(x) by its series.
static inline double bessel_i(int n, double x)
{
    double term = 1, sum = 0;
    for (int m = 1; m <= n; m++) term *= 0.5*x/m;
    for (int m = 0; m < 60; m++) {
        sum += term;
        term *= 0.25*x*x/((m + 1.0)*(m + 1.0 + n));
    }
    return sum;
}

// Growth rate squared of a cylinder, x = k R, in sigma/(rho R^3) [rayleigh1879]; negative: it oscillates.
static inline double jet_growth_squared(double x) { return x*(1 - x*x)*bessel_i(1, x)/bessel_i(0, x); }
