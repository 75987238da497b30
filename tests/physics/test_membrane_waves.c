// Drops and pools whose surface is a membrane, against linear theory: the modes of a drop [rayleigh1879] [lamb1932], and standing
// waves under gravity and tension in a tank. dx = rho = sigma = 1. The membrane's own mass, of a layer of thickness h, slows
// waves:
// on a drop of radius R by sqrt(1 + n h/R), on a pool of depth H by sqrt(1 + h k tanh kH).
#include "membrane/membrane_flow.h"
#include "membrane_shapes.h"

static const double H = 0.05;  // thickness of the membrane, cells

static Tank tank_of(int dim, int nx, int ny, int nz)
{
    Tank t = {.dim = dim, .dx = 1, .n = {nx, ny, dim == 3 ? nz : 1}};
    for (int s = 0; s < 6; s++) t.side[s] = SIDE_IS_WALL;
    return t;
}

static double capillary_step(double sigma) { return sqrt(1/(2*PI*sigma)); }

// Moves all vertices along their normals by one distance, until the volume is the mesh's own again.
static mn_status keep_volume(MembraneMesh* m, Arena* arena, void* user)
{
    (void)user;
    for (int turn = 0; turn < 3; turn++) {
        double(*normal)[3], *g = ARENA_NEW(arena, double, 3*m->vertices), area = 0;
        TRY_MEMORY(g);
        TRY(membrane_normals(&normal, m, arena));
        membrane_volume_gradient(g, m);
        for (int i = 0; i < m->vertices; i++) area += vec_norm(g + 3*i);
        double shift = (m->target_volume - membrane_volume(m))/area;
        for (int i = 0; i < m->vertices; i++)
            for (int d = 0; d < m->dim; d++) m->x[3*i + d] += shift*normal[i][d];
    }
    return MN_OK;
}

static MembraneSettings settings(double sigma, double g)
{
    return (MembraneSettings){.remesh = keep_volume,
                              .rho = 1,
                              .sigma = sigma,
                              .thickness = H,
                              .gravity = {0, -g, 0},
                              .advection = ADVECT_SEMILAGRANGIAN,
                              .options = {.tolerance = 1e-8, .max_iterations = 100}};
}

// ---- a run that swings -----------------------------------------------------------------------------------------------------

typedef struct Swing {
    double half_period;  // s: of the amplitude, from its first to its second passage through zero
    double kept;         // amplitude after a period, of the first
    double energy;       // of the wave after a period, of the first
    double volume;       // largest relative change
    double gain;         // of energy above the least there was before, of the energy of the wave
    int iterations;
    double least, most;  // open faces
} Swing;

// x += dt v, then v -= dt w^2 x with the new x, keeps v^2 + w^2 x^2 + w^2 dt x v: the energy at x itself swings by w dt/2 of the
// wave's
// within a half period, and back. With x half a step ahead only terms of the order (w dt)^2 are left of that. And the books know
// the
// velocity of a face only as the mean of the liquid's and the membrane's there, whose shares change as the surface passes through
// its cell: 0.0035 of the wave's energy on a drop of 16 cells, which comes and goes. After a whole period there must be less
// than at
// first.
static double most_gain(double w, double dt) { return w*w*dt*dt + 0.005; }

typedef double (*Amplitude)(const MembraneFlow* f);

// Motion at x, tension and height half a step ahead.
static double total_energy(const MembraneFlow* f, const MembraneSettings* s, double dt, Arena* arena)
{
    MembraneEnergy e;
    MembraneMesh ahead = f->mesh;
    SurfaceWeight weight = {.rho = s->rho};
    double momentum[3];
    CHECK_OK(membrane_energy(&e, momentum, f, s, arena));
    memcpy(weight.acceleration, s->gravity, sizeof s->gravity);
    ahead.x = ARENA_NEW(arena, double, 3*f->mesh.vertices);
    assert_non_null(ahead.x);
    for (int q = 0; q < 3*f->mesh.vertices; q++) ahead.x[q] = f->mesh.x[q] + 0.5*dt*f->mesh.v[q];
    return e.kinetic + surface_tension_energy(&ahead, s->sigma) + surface_weight_energy(&ahead, &weight);
}

// From rest until the amplitude has passed through zero twice and is at its largest again.
static Swing swing(MembraneFlow* f, const MembraneSettings* s, double dt, Amplitude amplitude, double at_rest)
{
    Arena arena = {0};
    Swing out = {0};
    CHECK_OK(membrane_flow_rebuild(f, &arena));
    f->mesh.target_volume = membrane_volume(&f->mesh);
    double first = amplitude(f), last = first, time = 0, crossed[2] = {0}, lowest, peak = 0;
    lowest = total_energy(f, s, dt, &arena);
    double wave = lowest - at_rest;
    int crossings = 0;
    for (int step = 0; step < 2000; step++) {
        MembraneStep report;
        arena_reset(&arena);
        CHECK_OK(membrane_step(&report, f, s, dt, &arena));
        CHECK_TRUE(report.solve.solve.converged);
        CHECK_LESS(report.leak, 1e-12);
        double now = amplitude(f), energy = total_energy(f, s, dt, &arena);
        out.volume = fmax(out.volume, fabs(report.volume/f->mesh.target_volume - 1));
        out.gain = fmax(out.gain, (energy - lowest)/wave), lowest = fmin(lowest, energy);
        if (report.solve.solve.iterations > out.iterations) out.iterations = report.solve.solve.iterations;
        time += dt;
        if (now*last < 0 && crossings < 2) crossed[crossings++] = time - dt*now/(now - last);
        if (crossings == 2) {
            if (fabs(now) > peak) peak = fabs(now), out.energy = (energy - at_rest)/wave;
            if (now*last > 0 && fabs(now) < fabs(last)) break;
        }
        last = now;
    }
    out.half_period = crossed[1] - crossed[0], out.kept = peak/fabs(first);
    arena_free(&arena);
    return out;
}

// ---- drops -----------------------------------------------------------------------------------------------------------------

typedef struct Mode2 {
    double center[3], radius, amplitude;
    int dim;
} Mode2;

// r = R (1 + a P_2), P_2 = cos 2 theta in 2D, Legendre's about the x axis in 3D; scaled so that the volume is the sphere's to
// a^2.
static void mode2(double out[3], const void* user, const double u[3])
{
    const Mode2* m = user;
    double p2 = m->dim == 3 ? 0.5*(3*u[0]*u[0] - 1) : u[0]*u[0] - u[1]*u[1];
    for (int d = 0; d < 3; d++) out[d] = m->center[d] + m->radius*(1 + m->amplitude*p2)*u[d];
}

// Width along x less that along y, about the drop's middle.
static double drop_amplitude(const MembraneFlow* f)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < f->mesh.vertices; i++)
        for (int d = 0; d < 2; d++) low[d] = fmin(low[d], f->mesh.x[3*i + d]), high[d] = fmax(high[d], f->mesh.x[3*i + d]);
    return (high[0] - low[0]) - (high[1] - low[1]);
}

static Swing drop_swing(int dim, double radius, int size, double steps)
{
    int n = (int)(2.6*radius);
    Mode2 shape = {{0.5*n + 0.13, 0.5*n - 0.21, dim == 3 ? 0.5*n + 0.07 : 0}, radius, 0.01, dim};
    Tank tank = tank_of(dim, n, n, n);
    MembraneMesh m;
    MembraneFlow f;
    MembraneSettings s = settings(1, 0);
    shape_round(&m, dim, size);
    Mode2 round = shape;
    round.amplitude = 0;
    shape_map(&m, mode2, &round);
    double rest = surface_tension_energy(&m, 1), volume = membrane_volume(&m);
    for (int i = 0; i < m.vertices; i++)
        for (int d = 0; d < 3; d++) m.x[3*i + d] = (m.x[3*i + d] - shape.center[d])/radius;
    shape_map(&m, mode2, &shape);
    shape_in_tank(&m, (double[3]){n, n, n}, false);
    rest *= pow(membrane_volume(&m)/volume, (dim - 1.0)/dim);  // of the round drop with as much liquid
    CHECK_OK(membrane_flow_init(&f, &m, &tank));
    Swing out = swing(&f, &s, steps*capillary_step(1), drop_amplitude, rest);
    membrane_flow_free(&f);
    return out;
}

// 2D: w^2 = sigma n (n^2 - 1)/(rho R^3); 3D: w^2 = sigma n (n - 1)(n + 2)/(rho R^3); both over 1 + n h/R.
static double drop_frequency(int dim, double radius)
{
    double n = 2, free = dim == 2 ? n*(n*n - 1) : n*(n - 1)*(n + 2);
    return sqrt(free/(radius*radius*radius*(1 + n*H/radius)));
}

static void check_drop(int dim, double radius, int size, double within, double kept)
{
    Swing s = drop_swing(dim, radius, size, 1);
    double w = PI/s.half_period/drop_frequency(dim, radius);
    print_message("%dD drop of %g cells: frequency %.4f of the formula's, amplitude %.4f and energy %.4f after a period, volume "
                  "%.1e, gain %.1e, "
                  "%d iterations\n",
                  dim, radius, w, s.kept, s.energy, s.volume, s.gain, s.iterations);
    CHECK_WITHIN(w, 1, within);
    CHECK_LESS(kept, s.kept);
    CHECK_LESS(s.energy, 1);
    CHECK_LESS(s.iterations, 30);
    CHECK_LESS(s.volume, 1e-12);
    CHECK_LESS(s.gain, most_gain(drop_frequency(dim, radius), capillary_step(1)));
}

static void test_drop_2d(void** state)
{
    (void)state;
    check_drop(2, 8, 84, 0.02, 0.9);
    check_drop(2, 16, 168, 0.01, 0.9);
}

static void test_drop_3d(void** state)
{
    (void)state;
    check_drop(3, 8, 4, 0.01, 0.9);
}

// ---- pools -----------------------------------------------------------------------------------------------------------------

typedef struct Pool {
    double level, amplitude, k;
} Pool;

static double pool_height(const void* user, double x, double z)
{
    (void)z;
    const Pool* p = user;
    return p->level + p->amplitude*cos(p->k*x);
}

static double pool_amplitude(const MembraneFlow* f)
{
    double low = 0, high = 0, middle = 0.5*f->w.n[0];
    for (int i = 0; i < f->mesh.vertices; i++) {
        const double* x = f->mesh.x + 3*i;
        if (x[2] != 0) continue;
        if (x[0] == 0) low = x[1];
        if (fabs(x[0] - middle) < 0.3) high = x[1];
    }
    return low - high;
}

// The tank holds one whole wave, cos kx with k = 2 pi/width.
static void check_wave(int dim, double level, double g)
{
    int width = 32, depth = 16;
    Pool p = {depth + level, 0.4, 2*PI/width};
    Tank tank = tank_of(dim, width, depth + 10, 6);
    MembraneSettings s = settings(1, g);
    MembraneFlow f;
    MembraneMesh m;
    Pool flat = p;
    flat.amplitude = 0;
    shape_pool(&m, dim, width, 6, 56, 10, pool_height, &flat);
    SurfaceWeight weight = {.rho = 1, .acceleration = {0, -g, 0}};
    double rest = surface_tension_energy(&m, 1) + surface_weight_energy(&m, &weight);
    membrane_free(&m);
    shape_pool(&m, dim, width, 6, 56, 10, pool_height, &p);
    shape_in_tank(&m, (double[3]){tank.n[0], tank.n[1], tank.n[2]}, true);
    CHECK_OK(membrane_flow_init(&f, &m, &tank));
    Swing out = swing(&f, &s, 2*capillary_step(1), pool_amplitude, rest);
    membrane_flow_free(&f);
    double tanh_kh = tanh(p.k*p.level), square = (g*p.k + p.k*p.k*p.k)*tanh_kh/(1 + H*p.k*tanh_kh);
    double w = PI/out.half_period/sqrt(square);
    print_message("%dD wave, level %.2f, g = %g: frequency %.4f of the formula's, amplitude %.4f and energy %.4f after a period, "
                  "volume %.1e, gain "
                  "%.1e, %d iterations\n",
                  dim, level, g, w, out.kept, out.energy, out.volume, out.gain, out.iterations);
    CHECK_WITHIN(w, 1, 0.01);
    CHECK_LESS(0.85, out.kept);
    CHECK_LESS(out.energy, 1);
    CHECK_LESS(out.iterations, 30);
    CHECK_LESS(out.volume, 1e-12);
    CHECK_LESS(out.gain, most_gain(sqrt(square), 2*capillary_step(1)));
}

// The level must not matter: gravity on faces would be off by 4 % at one of them.
static void test_waves(void** state)
{
    (void)state;
    for (int which = 0; which < 2; which++) check_wave(2, which ? 0.9 : 0.37, 0.04), check_wave(2, which ? 0.9 : 0.37, 0.2);
    for (int which = 0; which < 2; which++) check_wave(3, which ? 0.9 : 0.37, 0.04);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drop_2d), cmocka_unit_test(test_waves),
                                       cmocka_unit_test(test_drop_3d)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
