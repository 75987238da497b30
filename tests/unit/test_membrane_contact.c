// The surface against solids and bodies: into contact, wanted lengths, how deep, and the rows of bodies in the solve.
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "membrane/body_rows.h"
#include "membrane/membrane_contact.h"
#include "membranes.h"

typedef struct Ball {
    double center[3], radius;
    int dim;
} Ball;

static double ball_distance(const void* user, const double x[3])
{
    const Ball* b = user;
    double r[3];
    vec_sub(r, x, b->center);
    if (b->dim == 2) r[2] = 0;
    return vec_norm(r) - b->radius;
}

// Half edges `radius` and a quarter of it.
static double box_distance(const void* user, const double x[3])
{
    const Ball* b = user;
    double out[3] = {0, 0, 0}, inside = -INFINITY;
    for (int d = 0; d < b->dim; d++) {
        double away = fabs(x[d] - b->center[d]) - (d == b->dim - 1 ? 0.25 : 1)*b->radius;
        out[d] = fmax(away, 0), inside = fmax(inside, away);
    }
    return inside > 0 ? vec_norm(out) : inside;
}

static Solid solid_of(const Ball* b, double (*distance)(const void*, const double*))
{
    return (Solid){.distance = distance,
                   .shape = b,
                   .moving = true,
                   .pivot = {b->center[0], b->center[1], b->center[2]},
                   .reach = 2*b->radius,
                   .pose = pose_at((double[3]){0, 0, 0}, (double[3]){0, 0, 0})};
}

// What is inside a ball lies on its skin afterwards, what is not stays; and it is told who touches what.
static void test_touch(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball ball = {{0.52, 0.51, 0}, 0.2, dim};
        ball.center[dim - 1] = 0.63;
        Solid solid = solid_of(&ball, ball_distance);
        Solids solids = {.solid = &solid, .count = 1};
        MembraneBodies b = {.solids = &solids};
        MembraneMesh m = pool_in_tank(dim, 0.5, 0.03);
        MembraneMesh before = {0};
        CHECK_OK(membrane_copy(&before, &m));
        TouchCount count = {0};
        membrane_touch(&m, &b, (Moved){0}, 0.05, &count);
        int touching = 0;
        for (int i = 0; i < m.vertices; i++) {
            double was = ball_distance(&ball, before.x + 3*i), is = ball_distance(&ball, m.x + 3*i);
            if (was < 0) CHECK_WITHIN(is, 5e-6, 1e-8), CHECK_TRUE(m.body[i] == 0), touching++;
            else CHECK_TRUE(membrane_is_free(&m, i) && memcmp(m.x + 3*i, before.x + 3*i, sizeof(double[3])) == 0);
        }
        CHECK_TRUE(touching > 5 && count.touching == touching && count.captured == touching);
        membrane_free(&m), membrane_free(&before);
    }
}

// A wire thinner than the way it goes in a step takes along the vertices it passed, turning or not.
static void test_nothing_passes_through(void** state)
{
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        Ball wire = {{0.5, 0.3, 0}, 0.01, 2};
        Solid solid = solid_of(&wire, ball_distance);  // it has come down to here from 0.7
        solid.velocity[1] = -0.4, solid.spin[2] = turns ? 0.5 : 0;
        Solids solids = {.solid = &solid, .count = 1};
        MembraneBodies b = {.solids = &solids};
        MembraneMesh m = pool_in_tank(2, 0.5, 0.004);
        double* start = malloc(sizeof *start*3*(size_t)m.vertices);
        assert_non_null(start);
        memcpy(start, m.x, sizeof *start*3*(size_t)m.vertices);
        TouchCount count = {0};
        membrane_touch(&m, &b, (Moved){start, 1}, 0.05, &count);
        // those under it, 0.02 wide, and no others
        CHECK_TRUE(count.touching >= 4 && count.touching <= 6);
        for (int i = 0; i < m.vertices; i++) {
            if (membrane_is_free(&m, i)) CHECK_TRUE(m.x[3*i + 1] == 0.5);
            else CHECK_LESS(m.x[3*i + 1], 0.3);  // below its middle: it pushes them
        }
        free(start);
        membrane_free(&m);
    }
}

// Edges of 0.4 radii on a thin wire, of the thickness' part on a plate, and of 0.15 of the others at its corners; growing away.
static void test_sizes(void** state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        Ball shape = {{0.5, 0.52, 0}, which ? 0.2 : 0.02, 2};
        Solid solid = solid_of(&shape, which ? box_distance : ball_distance);
        Solids solids = {.solid = &solid, .count = 1};
        MembraneBodies b = {.solids = &solids, .far_edge = 0.05};
        MembraneMesh m = pool_in_tank(2, 0.5, 0.004);
        membrane_touch(&m, &b, (Moved){0}, 0.05, NULL);
        CHECK_OK(membrane_touch_sizes(&m, &b, 0));
        double least = INFINITY, most = 0;
        for (int i = 0; i < m.vertices; i++) least = fmin(least, m.size[i]), most = fmax(most, m.size[i]);
        print_message("%s: edges from %.4f to %.4f\n", which ? "plate" : "wire", least, most);
        if (which == 0) CHECK_TRUE(least > 0.3*0.02 && least <= 0.4*0.02);
        else CHECK_TRUE(least >= 0.99*0.15*0.05 && least < 0.4*0.05);
        CHECK_WITHIN(most, 0.05, 1e-12);
        membrane_free(&m);
    }
}

// The chord of a circle is deepest in its middle, R - sqrt(R^2 - l^2/4); a triangle of a sphere at the middle of its circle.
static void test_deepest(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball ball = {{0.51, 0.49, dim == 3 ? 0.503 : 0}, 0.3, dim};
        Solid solid = solid_of(&ball, ball_distance);
        Solids solids = {.solid = &solid, .count = 1};
        MembraneBodies b = {.solids = &solids};
        MembraneMesh m = ball_in_tank(dim, 0.3, 0.1);
        double worst = 0;
        for (int e = 0; e < m.elements; e++) {
            double middle[3] = {0, 0, 0}, side[3][3], area[3], square = 1;
            const int* c = membrane_element(&m, e);
            membrane_area_vector(area, &m, e);
            for (int k = 0; k < dim; k++) {
                vec_sub(side[k], m.x + 3*c[(k + 1)%dim], m.x + 3*c[k]);
                square *= vec_norm(side[k]);
                for (int d = 0; d < 3; d++) middle[d] += m.x[3*c[k] + d]/dim;
            }
            // radius of the circle through the corners: abc/(4 A); 2D: half the length
            double circle = dim == 3 ? square/(4*vec_norm(area)) : 0.5*vec_norm(side[0]);
            worst = fmax(worst, 0.3 - sqrt(0.09 - circle*circle));
        }
        CHECK_WITHIN(membrane_deepest(&m, &b, 1e-5), worst, 2e-5);
        membrane_free(&m);
    }
}

// N y = b solved by the border of the factor is what a dense solve of the same matrix gives, with random masses and bodies:
// a turning box and a ball that does not turn.
static void test_rows(void** state)
{
    (void)state;
    srand(7);
    Arena arena = {0};
    MembraneMesh m = pool_in_tank(2, 0.5, 0.05);
    Ball shape[2] = {{{0.3, 0.56, 0}, 0.12, 2}, {{0.7, 0.6, 0}, 0.15, 2}};
    Solid solid[2] = {solid_of(&shape[0], box_distance), solid_of(&shape[1], ball_distance)};
    double jacobian[TWIST*3] = {0}, inertia[36] = {0}, impulse[6], v[6];
    jacobian[0] = jacobian[1*3 + 1] = jacobian[5*3 + 2] = 1;
    Follower follower[2] = {{0, 3, jacobian}, {3, 3, jacobian}};
    bool is_round[2] = {false, true};
    solid[0].body = 1, solid[1].body = 2;
    for (int c = 0; c < 6; c++) inertia[7*c] = 0.1 + 0.01*c, impulse[c] = 0.3*(c - 2);
    Solids solids = {.solid = solid, .count = 2};
    MembraneBodies b = {
        .solids = &solids, .nv = 6, .v = v, .follower = follower, .is_round = is_round, .inertia = inertia, .impulse = impulse};
    membrane_touch(&m, &b, (Moved){0}, 0.05, NULL);
    int n = m.vertices, all = n + 6;
    double(*normal)[3], (*hangs)[3] = calloc((size_t)n, sizeof *hangs), (*q)[3] = calloc((size_t)n, sizeof *q);
    double *own = calloc((size_t)n, sizeof *own), *dense = calloc((size_t)(all*all), sizeof *dense);
    double *right = calloc((size_t)all, sizeof *right), *w = calloc((size_t)n, sizeof *w),
           *J = calloc((size_t)(n*12), sizeof *J);
    assert_true(hangs && q && own && dense && right && w && J);
    CHECK_OK(membrane_normals(&normal, &m, &arena));
    for (int i = 0; i < n; i++) {
        own[i] = 0.02 + 0.01*(rand()%100)/100;
        for (int d = 0; d < 2; d++) hangs[i][d] = 0.05*(rand()%100)/100, q[i][d] = (rand()%200 - 100)/100.0;
        if (membrane_is_free(&m, i)) continue;
        const Ball* on = &shape[m.body[i]];
        normal[i][0] = normal[i][1] = 0;
        for (int d = 0; d < 2; d++) J[12*i + 6*d + 3*m.body[i] + d] = 1;
        if (m.body[i] == 0) J[12*i + 2] = -(m.x[3*i + 1] - on->center[1]), J[12*i + 6 + 2] = m.x[3*i] - on->center[0];
    }
    // dense: rows n_i for the free, J for the others, of diag(m + L) + K by elements
    Triplet* entry = calloc((size_t)(n + 9*m.elements), sizeof *entry);
    int count = 0;
    assert_non_null(entry);
    double sigma = 0.7, dt = 0.3;
    for (int i = 0; i < n; i++) {
        bool is_free = membrane_is_free(&m, i);
        double mass = is_free ? 0 : 1;
        for (int d = 0; d < 2 && is_free; d++) mass += (own[i] + hangs[i][d])*normal[i][d]*normal[i][d];
        dense[i*all + i] += mass, entry[count++] = (Triplet){i, i, mass};
        for (int c = 0; c < 6; c++)
            for (int k = 0; k < 6; k++)
                for (int d = 0; d < 2; d++)
                    dense[(n + c)*all + n + k] += J[12*i + 6*d + c]*(own[i] + hangs[i][d])*J[12*i + 6*d + k];
    }
    for (int c = 0; c < 6; c++) dense[(n + c)*all + n + c] += inertia[7*c];
    for (int e = 0; e < m.elements; e++) {
        StiffEdge edges[3], edge;
        if (element_is_carried(&m, e)) continue;
        surface_stiffness(edges, &m, e, sigma);
        edge = edges[0];
        double stiff = dt*dt*edge.weight;
        // (P_a - P_b)^T (P_a - P_b), P = how a vertex moves by all unknowns
        double* P[2] = {calloc((size_t)all, sizeof(double)), calloc((size_t)all, sizeof(double))};
        for (int d = 0; d < 2; d++) P[d][edge.a] += normal[edge.a][d], P[d][edge.b] -= normal[edge.b][d];
        for (int d = 0; d < 2; d++)
            for (int c = 0; c < 6; c++) P[d][n + c] = J[12*edge.a + 6*d + c] - J[12*edge.b + 6*d + c];
        for (int d = 0; d < 2; d++)
            for (int r = 0; r < all; r++)
                for (int k = 0; k < all && P[d][r] != 0; k++) dense[r*all + k] += stiff*P[d][r]*P[d][k];
        free(P[0]), free(P[1]);
        int a = edge.a > edge.b ? edge.a : edge.b, o = edge.a + edge.b - a;
        entry[count++] = (Triplet){a, a, stiff*vec_dot(normal[a], normal[a])};
        entry[count++] = (Triplet){o, o, stiff*vec_dot(normal[o], normal[o])};
        entry[count++] = (Triplet){a, o, -stiff*vec_dot(normal[a], normal[o])};
    }
    Factor* factor;
    CHECK_OK(factor_new(&factor, n, entry, count));
    int* none = calloc((size_t)n + 1, sizeof *none);
    Pushes push = {.start = none};
    RowsInput in = {.m = &m,
                    .bodies = &b,
                    .push = &push,
                    .normal = normal,
                    .own = own,
                    .hangs = hangs,
                    .factor = factor,
                    .sigma = sigma,
                    .dt = dt,
                    .unit = 1};
    BodyRows rows;
    double body[6] = {0};
    CHECK_OK(rows_build(&rows, &in, &arena));
    CHECK_OK(rows_factor(&rows));
    rows_right_side(body, &rows, &m, q);
    for (int i = 0; i < n; i++) right[i] = vec_dot(normal[i], q[i]);
    for (int c = 0; c < 6; c++) {
        right[n + c] = impulse[c];
        for (int i = 0; i < n; i++) right[n + c] += J[12*i + c]*q[i][0] + J[12*i + 6 + c]*q[i][1];
        CHECK_WITHIN(body[c], right[n + c], 1e-12);
    }
    CHECK_OK(factor_solve(factor, w, right));
    rows_solve(w, &rows, body);
    CHECK_TRUE(dense_cholesky(dense, all));
    dense_solve(right, dense, all);
    for (int i = 0; i < n; i++) CHECK_WITHIN(w[i], right[i], 1e-9);
    for (int c = 0; c < 6; c++) CHECK_WITHIN(rows.v[c], right[n + c], 1e-9);
    factor_free(factor);
    free(hangs), free(q), free(own), free(dense), free(right), free(w), free(J), free(entry), free(none);
    membrane_free(&m);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_touch), cmocka_unit_test(test_nothing_passes_through),
                                       cmocka_unit_test(test_sizes), cmocka_unit_test(test_deepest), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
