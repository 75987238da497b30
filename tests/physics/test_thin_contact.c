// Sheets and rods that keep off each other and off walls: distances, how far pieces may go, weight that is carried, friction.
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "check.h"
#include "dice.h"
#include "thin/thin_shapes.h"
#include "thin/thin_step.h"

// ---- distances --------------------------------------------------------------------------------------------------------------

// The least distance over a fine lattice of points of both pieces is no less than the distance, and close to it.
static double distance_by_search(PairKind kind, const double* x)
{
    enum { N = 60 };
    double least = INFINITY;
    for (int a = 0; a <= N; a++)
        for (int b = 0; b <= N; b++) {
            double s = (double)a/N, t = (double)b/N, r[3];
            if (kind == PAIR_POINT_TRIANGLE && s + t > 1) continue;
            for (int k = 0; k < 3; k++) {
                if (kind == PAIR_POINT_TRIANGLE) r[k] = x[k] - (1 - s - t)*x[3 + k] - s*x[6 + k] - t*x[9 + k];
                else if (kind == PAIR_EDGE_EDGE) r[k] = (1 - s)*x[k] + s*x[3 + k] - (1 - t)*x[6 + k] - t*x[9 + k];
                else r[k] = x[k] - (1 - s)*x[3 + k] - s*x[6 + k];
            }
            least = fmin(least, vec_norm(r));
        }
    return least;
}

static void test_distances(void** state)
{
    (void)state;
    Dice d = dice_for(1, 1);
    for (int kind = 0; kind < 3; kind++)
        for (int go = 0; go < 200; go++) {
            double x[12], w[4], sum = 0;
            for (int m = 0; m < 12; m++) x[m] = dice_number(&d, -1, 1);
            if (go%5 == 0 && kind == PAIR_EDGE_EDGE)  // parallel
                for (int k = 0; k < 3; k++) x[9 + k] = x[6 + k] + 0.7*(x[3 + k] - x[k]);
            double is = pair_distance(w, (PairKind)kind, x), about = distance_by_search((PairKind)kind, x);
            for (int v = 0; v < pair_vertices((PairKind)kind); v++) sum += w[v];
            CHECK_WITHIN(sum, 0, 1e-14);
            CHECK_LESS(is, about + 1e-12);
            CHECK_LESS(about - is, 0.05);
        }
}

// The slope of the barrier is its force, and its stiffness is not negative.
static void test_barrier(void** state)
{
    (void)state;
    Dice d = dice_for(2, 1);
    ContactSettings c = {.distance = 1, .stiffness = 2};
    for (int go = 0; go < 100; go++) {
        ContactPair p = {.kind = (PairKind)(go%3)};
        double x[12], g[12];
        int n = 3*pair_vertices(p.kind);
        for (int m = 0; m < 12; m++) x[m] = dice_number(&d, -0.7, 0.7);
        contact_barrier(g, NULL, &p, x, &c);
        for (int m = 0; m < n; m++) {
            double h = 1e-6, at = x[m];
            x[m] = at + h;
            double high = contact_barrier(NULL, NULL, &p, x, &c);
            x[m] = at - h;
            double low = contact_barrier(NULL, NULL, &p, x, &c);
            x[m] = at;
            CHECK_WITHIN((high - low)/(2*h), g[m], 1e-4*(1 + fabs(g[m])));
        }
    }
}

// Whatever way two pieces are sent: they stop before they meet, and go on to the end if they do not come near each other. The
// distance is looked at in 500 places of the way.
static void test_no_way_through(void** state)
{
    (void)state;
    Dice d = dice_for(3, 1);
    int stopped = 0;
    for (int go = 0; go < 300; go++) {
        PairKind kind = (PairKind)(go%3);
        double x[12], way[12], at[12], w[4], least = INFINITY, beyond = INFINITY;
        for (int m = 0; m < 12; m++) x[m] = dice_number(&d, -1, 1), way[m] = dice_number(&d, -3, 3);
        double start = pair_distance(w, kind, x), part = pair_free_part(kind, x, way);
        for (int k = 0; k <= 500; k++) {
            for (int m = 0; m < 12; m++) at[m] = x[m] + k/500.0*part*way[m];
            least = fmin(least, pair_distance(w, kind, at));
        }
        for (int k = 0; k <= 500; k++) {
            for (int m = 0; m < 12; m++) at[m] = x[m] + k/500.0*way[m];
            beyond = fmin(beyond, pair_distance(w, kind, at));
        }
        CHECK_LESS(0.0999*start, least);
        if (start > 0.3 && beyond > 0.3*start) CHECK_CLOSE(part, 1, 1e-12);
        stopped += part < 1;
    }
    print_message("%d of 300 pairs stopped on the way\n", stopped);
    CHECK_TRUE(stopped > 20);
}

// ---- weight and friction -------------------------------------------------------------------------------------------------

static const SheetMaterial CLOTH = {.density = 500, .young = 1e5, .poisson = 0.3, .thickness = 1e-3};

// Its vertices at x = corner + along a + along b; adds it to t.
static void add_square(ThinMesh* t, const double corner[3], double size, double spacing)
{
    SheetShape s;
    CHECK_OK(sheet_rectangle(&s, corner, (double[3]){0, 0, size}, (double[3]){size, 0, 0}, spacing));
    int(*triangle)[3] = malloc(sizeof *triangle*(size_t)s.triangles);
    for (int m = 0; m < s.triangles; m++)
        for (int c = 0; c < 3; c++) triangle[m][c] = s.triangle[m][c] + t->vertices;
    CHECK_OK(thin_add_sheet(t, s.x, s.vertices, (const int(*)[3])triangle, s.triangles, &CLOTH));
    free(triangle);
    sheet_shape_free(&s);
}

static double total_mass(const ThinMesh* t)
{
    double sum = 0;
    for (int m = 0; m < t->vertices; m++) sum += t->mass[m];
    return sum;
}

// Two cloths fall on a floor, one on the other, and come to rest there: neither passes through the other or the floor, and the
// floor bears their weight.
static void test_cloths_on_a_floor(void** state)
{
    (void)state;
    ThinMesh t = {.dim = 3};
    add_square(&t, (double[3]){0, 0.01, 0}, 0.1, 0.02);
    int lower = t.vertices;
    add_square(&t, (double[3]){0.03, 0.02, 0.02}, 0.1, 0.02);
    ThinPlane floor_plane = {{0, 1, 0}, 0};
    ContactSettings c = {.distance = 2e-3, .stiffness = 3*total_mass(&t)/t.vertices, .plane = &floor_plane, .planes = 1};
    ThinForces f = {.a = {0, -9.81, 0}, .damp_mass = 10, .contact = &c};
    ThinSolver* s;
    ThinReport report = {0};
    double least = INFINITY, dt = 2e-3, carried = 0;
    CHECK_OK(thin_solver_new(&s, &t));
    int most = 0, sum = 0, steps = 250;
    for (int m = 0; m < steps; m++) {
        CHECK_OK(thin_step(&report, &t, s, &f, dt));
        CHECK_TRUE(report.converged);
        least = fmin(least, report.least), most = report.iterations > most ? report.iterations : most, sum += report.iterations;
    }
    for (int v = 0; v < t.vertices; v++) {
        double g[3];
        contact_planes(g, NULL, t.x + 3*v, &c);
        carried -= g[1]/(dt*dt);
    }
    double weight = 9.81*total_mass(&t), lowest[2] = {INFINITY, INFINITY};
    for (int v = 0; v < t.vertices; v++) lowest[v >= lower] = fmin(lowest[v >= lower], t.x[3*v + 1]);
    print_message("two cloths: least distance %.3g m, floor bears %.5f of their weight; %.1f iterations, %d at most\n", least,
                  carried/weight, (double)sum/steps, most);
    CHECK_LESS(0, least);
    CHECK_CLOSE(carried, weight, 1e-3);
    thin_solver_free(s);
    thin_mesh_free(&t);
}

// On a slope of tan(angle) = 0.4 a cloth slides with a friction of 0.3, by g (sin - 0.3 cos), and stays with one of 0.5.
static void test_angle_of_repose(void** state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        ThinMesh t = {.dim = 3};
        add_square(&t, (double[3]){0, 1.2e-3, 0}, 0.1, 0.025);
        ThinPlane floor_plane = {{0, 1, 0}, 0};
        double angle = atan(0.4), mu = m == 0 ? 0.3 : 0.5, dt = 1e-3, v[3] = {0};
        ContactSettings c = {.distance = 2e-3,
                             .stiffness = 3*total_mass(&t)/t.vertices,
                             .friction = mu,
                             .creep = 1e-4,
                             .plane = &floor_plane,
                             .planes = 1};
        ThinForces f = {.a = {9.81*sin(angle), -9.81*cos(angle), 0}, .contact = &c};
        ThinSolver* s;
        ThinReport report;
        CHECK_OK(thin_solver_new(&s, &t));
        double before = 0, at = 0;
        const int steps = 300;
        for (int k = 0; k < steps; k++) {
            CHECK_OK(thin_step(&report, &t, s, &f, dt));
            if (k == steps/2) before = t.v[0], at = t.x[0];
        }
        for (int k = 0; k < t.vertices; k++) v[0] += t.v[3*k]/t.vertices;
        double theory = 9.81*(sin(angle) - mu*cos(angle)), is = (t.v[0] - before)/(dt*(steps/2 - 1));
        print_message("slope of 0.4, friction %.1f: acceleration %.4f m/s^2, theory %.4f; slid %.2g m later on\n", mu, is,
                      fmax(theory, 0), t.x[0] - at);
        if (m == 0) CHECK_CLOSE(is, theory, 0.02);
        else CHECK_LESS(fabs(v[0]), 1.01e-4);  // it creeps
        thin_solver_free(s);
        thin_mesh_free(&t);
    }
}

// A strip folded into random shapes by random pushes, in 3D, and a chain in 2D: nothing ever passes through itself.
static void test_crumpled(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        ThinMesh t = {.dim = dim};
        Dice d = dice_for(7, (uint64_t)dim);
        if (dim == 3) add_square(&t, (double[3]){0, 0, 0}, 0.1, 0.02);
        else {
            double x[3*41] = {0};
            for (int k = 0; k <= 40; k++) x[3*k] = 0.005*k;
            CHECK_OK(thin_add_chain(&t, x, 41, &CLOTH));
        }
        ContactSettings c = {.distance = 1.5e-3, .stiffness = 3*total_mass(&t)/t.vertices, .friction = 0.2, .creep = 1e-3};
        double* force = calloc(3*(size_t)t.vertices, sizeof *force);
        ThinForces f = {.force = force, .damp_mass = 1, .contact = &c};
        ThinSolver* s;
        ThinReport report;
        double least = INFINITY;
        int contacts = 0, slow = 0;
        CHECK_OK(thin_solver_new(&s, &t));
        for (int k = 0; k < 150; k++) {
            double middle[3] = {0, 0, 0};
            for (int v = 0; v < t.vertices; v++)
                for (int a = 0; a < 3; a++) middle[a] += t.x[3*v + a]/t.vertices;
            for (int m = 0; m < 3*t.vertices; m++)  // towards the middle, and anywhere
                force[m] = t.mass[m/3]*(400*(middle[m%3] - t.x[m]) + (m%3 < dim ? dice_number(&d, -8, 8) : 0));
            CHECK_OK(thin_step(&report, &t, s, &f, 4e-3));
            least = fmin(least, report.least), contacts += report.contacts, slow += !report.converged;
        }
        print_message("%dD: least distance %.3g m, %d contacts in 150 steps, %d steps did not converge\n", dim, least, contacts,
                      slow);
        CHECK_LESS(0, least);
        CHECK_TRUE(contacts > 100);
        free(force);
        thin_solver_free(s);
        thin_mesh_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_distances),       cmocka_unit_test(test_barrier),
                                       cmocka_unit_test(test_no_way_through),  cmocka_unit_test(test_cloths_on_a_floor),
                                       cmocka_unit_test(test_angle_of_repose), cmocka_unit_test(test_crumpled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
