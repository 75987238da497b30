// Cutting a surface along the grid: closed cells, and volumes that are the mesh's own.
#include "membrane/lanes.h"
#include "membrane_shapes.h"

static double random_in(double low, double high) { return low + (high - low)*rand()/(double)RAND_MAX; }

static Tank tank_of(int dim, int nx, int ny, int nz, double dx)
{
    Tank t = {.dim = dim, .dx = dx, .n = {nx, ny, dim == 3 ? nz : 1}};
    for (int s = 0; s < 6; s++) t.side[s] = SIDE_IS_WALL;
    return t;
}

// Volume of the liquid inside a closed mesh, or below one whose boundary lies on upright walls, over a floor at y = 0: the flux
// of (0, y, 0).
static double mesh_volume(const MembraneMesh* m)
{
    double sum = 0;
    for (int e = 0; e < m->elements; e++) {
        double area[3], y = 0;
        membrane_area_vector(area, m, e);
        for (int c = 0; c < m->dim; c++) y += m->x[3*membrane_element(m, e)[c] + 1]/m->dim;
        sum += area[1]*y;
    }
    return sum;
}

// Largest sum of the area vectors around a cell, in faces.
static double closure(const MembraneCells* c)
{
    const Window* w = c->w;
    double worst = 0, (*sum)[3] = calloc((size_t)c->cells + 1, sizeof *sum);
    for (int q = 0; q < c->pieces.count; q++) {
        const Piece* p = &c->pieces.piece[q];
        for (int d = 0; d < 3; d++) sum[c->cut[window_at(w, p->cell[0], p->cell[1], p->cell[2])]][d] += p->area[d];
    }
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++)
                for (int d = 0; d < w->dim; d++) {
                    ptrdiff_t at = window_at(w, i, j, k);
                    double open = c->open[d][at + window_stride(w, d)] - c->open[d][at];
                    worst = fmax(worst, fabs(open + (c->cut[at] >= 0 ? sum[c->cut[at]][d] : 0)));
                }
    free(sum);
    return worst;
}

typedef struct Worst {
    double closure, leak, volume, low, high;
} Worst;

static void check_mesh(Worst* worst, const MembraneMesh* m, const Tank* tank)
{
    Arena arena = {0};
    MembraneCells c;
    Window w = window_whole(tank);
    CHECK_OK(lanes_build(&c, m, &w, &arena));
    worst->closure = fmax(worst->closure, closure(&c)), worst->leak = fmax(worst->leak, c.leak);
    double volume = mesh_volume(m);
    worst->volume = fmax(worst->volume, fabs(c.total/volume - 1));
    worst->low = fmin(worst->low, c.least), worst->high = fmax(worst->high, c.most - 1);
    arena_free(&arena);
}

static void check_worst(const Worst* worst, const char* what)
{
    print_message("%s: closure %.1e, volumes over axes %.1e, total against the mesh %.1e, open from %.1e to 1 + %.1e\n", what,
                  worst->closure, worst->leak, worst->volume, worst->low, worst->high);
    CHECK_LESS(worst->closure, 1e-14);
    CHECK_LESS(worst->leak, 1e-13);
    CHECK_LESS(worst->volume, 1e-13);
    CHECK_LESS(-worst->low, 1e-13);
    CHECK_LESS(worst->high, 1e-13);
}

typedef struct Waves {
    double center[3], radius, amplitude[3], wave[3][3], phase[3];
} Waves;

static Waves random_waves(double radius)
{
    Waves w = {.radius = radius};
    for (int q = 0; q < 3; q++) {
        w.amplitude[q] = random_in(0, 0.08), w.phase[q] = random_in(0, 2*PI);
        for (int d = 0; d < 3; d++) w.wave[q][d] = random_in(-5, 5);
    }
    return w;
}

static double wave_sum(const Waves* w, const double x[3])
{
    double sum = 0;
    for (int q = 0; q < 3; q++) sum += w->amplitude[q]*sin(vec_dot(w->wave[q], x) + w->phase[q]);
    return sum;
}

static void wavy(double out[3], const void* user, const double u[3])
{
    const Waves* w = user;
    for (int d = 0; d < 3; d++) out[d] = w->center[d] + w->radius*(1 + wave_sum(w, u))*u[d];
}

static void test_wavy_drops(void** state)
{
    (void)state;
    srand(1);
    for (int dim = 2; dim <= 3; dim++) {
        Worst worst = {0};
        for (int tries = 0; tries < 50; tries++) {
            const double dx = 0.1;
            Tank tank = tank_of(dim, 16, 15, 17, dx);
            Waves waves = random_waves(random_in(3, 5)*dx);
            for (int d = 0; d < dim; d++) waves.center[d] = random_in(7, 8)*dx;
            MembraneMesh m;
            shape_round(&m, dim, dim == 3 ? 3 : 60);
            shape_map(&m, wavy, &waves);
            shape_in_tank(&m, (double[3]){tank.n[0]*tank.dx, tank.n[1]*tank.dx, tank.n[2]*tank.dx}, false);
            check_mesh(&worst, &m, &tank);
            membrane_free(&m);
        }
        check_worst(&worst, dim == 3 ? "50 wavy spheres" : "50 wavy circles");
    }
}

// Vertices on planes of the grid, on quarters of cells, and a rounding error off them.
static void test_drops_on_planes(void** state)
{
    (void)state;
    srand(2);
    for (int dim = 2; dim <= 3; dim++) {
        Worst worst = {0};
        for (int tries = 0; tries < 12; tries++) {
            Tank tank = tank_of(dim, 20, 20, 20, 1);
            Waves waves = {.center = {10, 10, 10}, .radius = 6};
            double parts = tries%2 ? 2 : 4;
            MembraneMesh m;
            shape_round(&m, dim, dim == 3 ? 3 : 60);
            shape_map(&m, wavy, &waves);
            for (int i = 0; i < m.vertices; i++)
                for (int d = 0; d < dim; d++)
                    m.x[3*i + d] = round(parts*m.x[3*i + d])/parts + (tries%3 == 2 ? random_in(-1e-15, 1e-15) : 0);
            shape_in_tank(&m, (double[3]){tank.n[0]*tank.dx, tank.n[1]*tank.dx, tank.n[2]*tank.dx}, false);
            check_mesh(&worst, &m, &tank);
            membrane_free(&m);
        }
        check_worst(&worst, dim == 3 ? "spheres on planes" : "circles on planes");
    }
}

static double pool_height(const void* user, double x, double z)
{
    const Waves* w = user;
    return w->center[1] + wave_sum(w, (double[3]){x, 0, z});
}

// Pools on four walls (2D: two), waved, and level: within cells, in a plane of the grid, and off that by rounding.
static void test_pools(void** state)
{
    (void)state;
    srand(3);
    for (int dim = 2; dim <= 3; dim++) {
        Worst worst = {0};
        for (int tries = 0; tries < 30; tries++) {
            Tank tank = tank_of(dim, 8, 9, 6, 1);
            Waves waves = {0};
            if (tries < 20) {
                waves = random_waves(1);
                for (int q = 0; q < 3; q++) waves.amplitude[q] *= 4;
            }
            waves.center[1] = tries < 20 ? random_in(4, 5) : tries%2 ? 4 : 4.37;
            MembraneMesh m;
            shape_pool(&m, dim, 8, 6, 13, 11, pool_height, &waves);
            if (tries > 25)
                for (int i = 0; i < m.vertices; i++) m.x[3*i + 1] += random_in(-1e-15, 1e-15);
            shape_in_tank(&m, (double[3]){tank.n[0]*tank.dx, tank.n[1]*tank.dx, tank.n[2]*tank.dx}, true);
            check_mesh(&worst, &m, &tank);
            membrane_free(&m);
        }
        check_worst(&worst, dim == 3 ? "pools" : "pools in 2D");
    }
}

// Halves of round drops on every wall, and quarters in an edge of the tank.
static void cap(double out[3], const void* user, const double u[3])
{
    const double* at = user;
    for (int d = 0; d < 3; d++) out[d] = at[d] + 4*u[d];
}

// The half of a round mesh with coordinate >= 0 along axis d; vertices near the plane are put on it.
static void keep_half(MembraneMesh* m, int axis, int sign)
{
    int kept = 0;
    for (int e = 0; e < m->elements; e++) {
        bool inside = true;
        for (int c = 0; c < m->dim; c++) inside = inside && sign*m->x[3*membrane_element(m, e)[c] + axis] > -1e-9;
        if (inside) memmove(m->element + m->dim*kept++, membrane_element(m, e), sizeof *m->element*(size_t)m->dim);
    }
    m->elements = kept;
    for (int i = 0; i < m->vertices; i++)
        if (fabs(m->x[3*i + axis]) < 1e-9) m->x[3*i + axis] = 0;
}

static void test_drops_on_walls(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Worst worst = {0};
        for (int axis = 0; axis < dim; axis++)
            for (int sign = -1; sign <= 1; sign += 2)
                for (int corner = 0; corner < 2; corner++) {
                    Tank tank = tank_of(dim, 12, 12, 12, 1);
                    double at[3] = {6.1, 5.9, dim == 3 ? 6.05 : 0};
                    MembraneMesh m;
                    if (dim == 3) shape_sphere_in_octants(&m, 3);
                    else shape_circle(&m, 64);
                    at[axis] = sign > 0 ? 0 : 12;
                    keep_half(&m, axis, sign);
                    int other = (axis + 1)%dim;
                    if (corner) keep_half(&m, other, 1), at[other] = 0;
                    shape_map(&m, cap, at);
                    bool is_wet = dim == 2 && at[0] == 0 && at[1] == 0;
                    shape_in_tank(&m, (double[3]){12, 12, 12}, is_wet);
                    Arena arena = {0};
                    MembraneCells c;
                    Window w = window_whole(&tank);
                    CHECK_OK(lanes_build(&c, &m, &w, &arena));
                    worst.closure = fmax(worst.closure, closure(&c)), worst.leak = fmax(worst.leak, c.leak);
                    worst.low = fmin(worst.low, c.least), worst.high = fmax(worst.high, c.most - 1);
                    // the flux of x - at over dim: what lies on the walls through `at` adds nothing
                    double volume = 0;
                    for (int e = 0; e < m.elements; e++) {
                        double area[3], from[3];
                        membrane_area_vector(area, &m, e);
                        vec_sub(from, m.x + 3*membrane_element(&m, e)[0], at);
                        volume += vec_dot(area, from)/dim;
                    }
                    worst.volume = fmax(worst.volume, fabs(c.total/volume - 1));
                    arena_free(&arena);
                    membrane_free(&m);
                }
        check_worst(&worst, dim == 3 ? "half and quarter spheres on walls" : "half and quarter circles on walls");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wavy_drops), cmocka_unit_test(test_drops_on_planes),
                                       cmocka_unit_test(test_pools), cmocka_unit_test(test_drops_on_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
