// Forces of a surface that is a mesh against differences of its energies.
#include "membrane/surface_forces.h"
#include "membrane_shapes.h"

static double ripple(const void* user, double x, double z)
{
    (void)user;
    return 1.3 + 0.2*sin(3*x) + 0.1*cos(5*z + x);
}

static void wavy(double out[3], const void* user, const double u[3])
{
    (void)user;
    double r = 1 + 0.1*sin(3*u[0] + 2*u[1]) + 0.07*cos(4*u[1] - u[2]);
    for (int d = 0; d < 3; d++) out[d] = r*u[d];
}

typedef struct Forces {
    double sigma;
    SurfaceWeight weight;
} Forces;

static double energy(const MembraneMesh* m, const Forces* f)
{
    return surface_tension_energy(m, f->sigma) + surface_weight_energy(m, &f->weight);
}

// f = -dE/dx for every vertex and axis, by central differences whose error is of the size of step^2. Coordinates across walls are
// fixed in the model, and boundary vertices of pools only move along them: those components are left out.
static double gradient_error(MembraneMesh* m, const Forces* f, const double tank[3])
{
    double(*force)[3] = calloc((size_t)m->vertices, sizeof *force), worst = 0, largest = 0, step = 1e-5;
    surface_add_tension(force, m, f->sigma);
    surface_add_weight(force, m, &f->weight);
    for (int i = 0; i < m->vertices; i++)
        for (int d = 0; d < m->dim; d++) {
            double kept = m->x[3*i + d];
            if (tank && d != 1 && (kept == 0 || kept == tank[d])) continue;
            m->x[3*i + d] = kept + step;
            double more = energy(m, f);
            m->x[3*i + d] = kept - step;
            double less = energy(m, f);
            m->x[3*i + d] = kept;
            worst = fmax(worst, fabs(force[i][d] + (more - less)/(2*step)));
            largest = fmax(largest, fabs(force[i][d]));
        }
    free(force);
    return worst/largest;
}

static void test_forces_are_gradients(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int pool = 0; pool < 2; pool++)
            for (int which = 0; which < 3; which++) {
                Forces f = {.sigma = which == 1 ? 0 : 0.7};
                if (which > 0)
                    f.weight = (SurfaceWeight){.rho = 1.3, .acceleration = {pool ? 0 : 0.4, -9, 0}, .origin = {0, 1.3, 0}};
                MembraneMesh m;
                double tank[3] = {2, 3, 1.5};
                if (pool) shape_pool(&m, dim, tank[0], tank[2], 9, 7, ripple, NULL);
                else shape_round(&m, dim, dim == 3 ? 1 : 17), shape_map(&m, wavy, NULL);
                double error = gradient_error(&m, &f, pool ? tank : NULL);
                print_message("%dD %s, %s: %.1e\n", dim, pool ? "pool" : "drop",
                              which == 0   ? "tension"
                              : which == 1 ? "weight"
                                           : "both",
                              error);
                CHECK_LESS(error, 1e-7);
                membrane_free(&m);
            }
}

// f = -K x exactly, K 1 = 0, and x K x >= 0 for any x, with obtuse triangles, too.
static void test_stiffness(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        MembraneMesh m;
        shape_round(&m, dim, dim == 3 ? 2 : 23), shape_map(&m, wavy, NULL);
        for (int i = 0; i < m.vertices; i++) m.x[3*i + 0] *= 3;
        double(*force)[3] = calloc((size_t)m.vertices, sizeof *force), worst = 0, least = 0;
        surface_add_tension(force, &m, 0.7);
        StiffEdge edge[3];
        for (int e = 0; e < m.elements; e++)
            for (int q = 0, count = surface_stiffness(edge, &m, e, 0.7); q < count; q++)
                for (int d = 0; d < dim; d++) {
                    double pull = edge[q].weight*(m.x[3*edge[q].a + d] - m.x[3*edge[q].b + d]);
                    force[edge[q].a][d] += pull, force[edge[q].b][d] -= pull;
                }
        for (int i = 0; i < m.vertices; i++) worst = fmax(worst, vec_norm(force[i]));
        CHECK_LESS(worst, 1e-13);
        srand(7);
        for (int tries = 0; tries < 20; tries++) {
            double sum = 0, *y = malloc(sizeof *y*(size_t)m.vertices);
            for (int i = 0; i < m.vertices; i++) y[i] = rand()/(double)RAND_MAX - 0.5;
            for (int e = 0; e < m.elements; e++)
                for (int q = 0, count = surface_stiffness(edge, &m, e, 0.7); q < count; q++)
                    sum += edge[q].weight*(y[edge[q].a] - y[edge[q].b])*(y[edge[q].a] - y[edge[q].b]);
            least = fmin(least, sum);
            free(y);
        }
        CHECK_TRUE(least >= 0);
        free(force);
        membrane_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forces_are_gradients), cmocka_unit_test(test_stiffness)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
