// Remeshing keeps the mesh fit, the volume, and the momentum.
#include <stdlib.h>
#include "membrane/remesh.h"
#include "membranes.h"

static void set_velocities(MembraneMesh* m, const Waves* w, double speed)
{
    for (int i = 0; i < m->vertices; i++) {
        double u[3];
        waves_at(u, w, m->x + 3*i);
        for (int d = 0; d < m->dim; d++) m->v[3*i + d] = m->flag[i] >> d & 1 ? 0 : speed*u[d];
    }
}

// Per areal density: sum of vertex areas times velocities.
static void momentum_of(double p[3], const MembraneMesh* m)
{
    double* area = malloc(sizeof *area*(size_t)m->vertices);
    membrane_vertex_areas(area, m);
    p[0] = p[1] = p[2] = 0;
    for (int i = 0; i < m->vertices; i++)
        for (int d = 0; d < 3; d++) p[d] += area[i]*m->v[3*i + d];
    free(area);
}

// Moves every vertex with a smooth flow for a while, remeshing after each step as a run does.
static RemeshCount stir(MembraneMesh* m, Dice* dice, int steps, double amplitude)
{
    RemeshCount count = {0};
    for (int s = 0; s < steps; s++) {
        Waves w = random_waves(dice, 8);
        displace(m, &w, amplitude);
        for (int i = 0; i < m->vertices; i++)
            for (int d = 0; d < m->dim; d++)
                if (!(m->flag[i] >> d & 1)) m->x[3*i + d] = clamp(m->x[3*i + d], 0.02, 0.98);
        CHECK_OK(membrane_remesh(m, 2, &count));
        check_valid(m);
    }
    return count;
}

// After a deformation by half of the radius angles lie between 25 and 120 degrees, and lengths near those wanted.
static void test_angles_after_deformation(void** state)
{
    (void)state;
    Dice dice = dice_for(17, 3);
    double lowest = 180, highest = 0;
    for (int go = 0; go < 10; go++) {
        MembraneMesh m = go%2 ? pool_in_tank(3, 0.5, 0.06) : ball_in_tank(3, 0.3, 0.06);
        Waves w = random_waves(&dice, 7);
        displace(&m, &w, 0.2);
        CHECK_OK(membrane_remesh(&m, 8, NULL));
        check_valid(&m);
        double least, most;
        membrane_angles(&least, &most, &m);
        lowest = fmin(lowest, least), highest = fmax(highest, most);
        membrane_free(&m);
    }
    print_message("angles from %.1f to %.1f degrees\n", lowest, highest);
    CHECK_LESS(25, lowest);
    CHECK_LESS(highest, 120);
}

// Thousands of operations change the volume by less than 4e-4 of it, and the offset restores it to 1e-10.
static void test_volume_over_3000_operations(void** state)
{
    (void)state;
    MembraneMesh m = ball_in_tank(3, 0.2, 0.025);
    RemeshCount count = {0};
    double change = 0;
    // a ball that is drawn out and pressed flat in turn, each time by a map that keeps volumes
    for (int s = 0; count.splits + count.flips + count.collapses < 3000; s++) {
        double by = s%40 < 10 || s%40 >= 30 ? 1.06 : 1/1.06;
        for (int i = 0; i < m.vertices; i++) {
            double* x = m.x + 3*i;
            x[0] = 0.5 + (x[0] - 0.5)*by, x[1] = 0.5 + (x[1] - 0.5)/sqrt(by), x[2] = 0.5 + (x[2] - 0.5)/sqrt(by);
        }
        double before = membrane_volume(&m);
        CHECK_OK(membrane_remesh(&m, 3, &count));
        change += membrane_volume(&m) - before;
        CHECK_LESS(s, 400);
    }
    check_valid(&m);
    print_message("%d splits, %d flips, %d collapses, %d moves: volume changed by %.2g\n", count.splits, count.flips,
                  count.collapses, count.moves, change/m.target_volume);
    CHECK_LESS(fabs(change)/m.target_volume, 4e-4);
    double by = membrane_restore_volume(&m, 0.004);
    CHECK_LESS(fabs(by), 0.004);
    CHECK_CLOSE(membrane_volume(&m), m.target_volume, 1e-10);
    membrane_free(&m);
}

// Moving vertices along the surface, and collapses, keep the volume to rounding.
static void test_smoothing_keeps_volume(void** state)
{
    (void)state;
    Dice dice = dice_for(17, 4);
    for (int go = 0; go < 4; go++) {
        int dim = 2 + go%2;
        MembraneMesh m = go < 2 ? ball_in_tank(dim, 0.3, 0.05) : pool_in_tank(dim, 0.5, 0.05);
        Waves w = random_waves(&dice, 5);
        displace(&m, &w, 0.05);
        for (int i = 0; i < m.vertices; i++) m.size[i] *= 1.3;  // nothing to split
        for (int i = 0; i < m.vertices; i++)
            for (int d = 0; d < dim; d++)
                if (!(m.flag[i] >> d & 1)) m.x[3*i + d] += dice_number(&dice, -0.1, 0.1)*0.05;
        double before = membrane_volume(&m);
        RemeshCount count = {0};
        CHECK_OK(membrane_remesh(&m, 1, &count));
        CHECK_LESS(0, count.moves);
        if (count.flips + count.splits == 0) CHECK_CLOSE(membrane_volume(&m), before, 1e-13);
        else CHECK_CLOSE(membrane_volume(&m), before, 1e-4);
        membrane_free(&m);
    }
}

// A surface that moves as one goes on so to rounding. The mean velocity of any other, remeshed after it was deformed by much at
// once, changes by less than 2 % of the mean speed.
static void test_momentum(void** state)
{
    (void)state;
    Dice dice = dice_for(17, 5);
    for (int go = 0; go < 8; go++) {
        int dim = 2 + go%2;
        MembraneMesh m = ball_in_tank(dim, 0.3, 0.05);
        Waves w = random_waves(&dice, 6), flow = random_waves(&dice, 6);
        displace(&m, &w, 0.25);
        bool as_one = go < 4;
        set_velocities(&m, &flow, 1);
        for (int k = 0; k < 3*m.vertices && as_one; k++) m.v[k] = k%3 < dim ? 0.7 + k%3 : 0;
        double p[3], q[3], area = membrane_area(&m), size = 0;
        momentum_of(p, &m);
        for (int i = 0; i < m.vertices; i++) size += vec_norm(m.v + 3*i)/m.vertices;
        RemeshCount count = {0};
        CHECK_OK(membrane_remesh(&m, 3, &count));
        CHECK_LESS(10, count.splits + count.flips + count.collapses + count.moves);
        momentum_of(q, &m);
        for (int i = 0; i < m.vertices && as_one; i++)
            for (int d = 0; d < dim; d++) CHECK_WITHIN(m.v[3*i + d], 0.7 + d, 1e-12);
        for (int d = 0; d < dim; d++) CHECK_WITHIN(q[d]/membrane_area(&m), p[d]/area, as_one ? 1e-12 : 2e-2*size);
        membrane_free(&m);
    }
}

// 200 random deformations, balls and pools, 2D and 3D: the mesh stays valid.
static void test_200_deformations(void** state)
{
    (void)state;
    Dice dice = dice_for(17, 6);
    RemeshCount all = {0};
    for (int go = 0; go < 20; go++) {
        int dim = 2 + go%2;
        MembraneMesh m = go%4 < 2 ? ball_in_tank(dim, 0.3, 0.07) : pool_in_tank(dim, 0.5, 0.08);
        RemeshCount c = stir(&m, &dice, 10, 0.06);
        all.splits += c.splits, all.flips += c.flips, all.collapses += c.collapses;
        membrane_free(&m);
    }
    print_message("%d splits, %d flips, %d collapses\n", all.splits, all.flips, all.collapses);
}

static double fine_in_the_middle(const void* user, const double x[3])
{
    (void)user;
    double r[3] = {x[0] - 0.5, x[1] - 0.5, 0};
    return vec_norm(r) < 0.1 ? 0.02 : 0.08;
}

// Wanted lengths that differ: edges follow them, and grow slowly from the fine part out.
static void test_graded(void** state)
{
    (void)state;
    MembraneMesh m = pool_in_tank(3, 0.5, 0.08);
    for (int go = 0; go < 8; go++) {
        CHECK_OK(membrane_set_sizes(&m, fine_in_the_middle, NULL, 1.3));
        CHECK_OK(membrane_remesh(&m, 3, NULL));
    }
    check_valid(&m);
    CHECK_CLOSE(membrane_volume(&m), 0.5, 1e-12);
    double fine = 0, least, most;
    int count = 0;
    for (int k = 0; k < 3*m.elements; k++) {
        int a = m.element[k], b = m.element[k - k%3 + (k + 1)%3];
        if (fine_in_the_middle(NULL, m.x + 3*a) > 0.05) continue;
        double e[3];
        vec_sub(e, m.x + 3*a, m.x + 3*b);
        fine += vec_norm(e), count++;
    }
    membrane_angles(&least, &most, &m);
    print_message("%d vertices, edges in the middle %.4f, angles %.1f to %.1f\n", m.vertices, fine/count, least, most);
    CHECK_WITHIN(fine/count, 0.02, 0.006);
    CHECK_LESS(25, least);
    CHECK_LESS(m.vertices, 900);  // 2900 if all were fine
    membrane_free(&m);
}

// Vertices in contact stay in their places, and stay in contact.
static void test_contact(void** state)
{
    (void)state;
    Dice dice = dice_for(17, 8);
    MembraneMesh m = ball_in_tank(3, 0.3, 0.05);
    for (int i = 0; i < m.vertices; i++)
        if (m.x[3*i + 2] < 0.35) m.flag[i] |= MEMBRANE_CONTACT, m.body[i] = 4;
    Waves w = random_waves(&dice, 6);
    displace(&m, &w, 0.1);
    CHECK_OK(membrane_remesh(&m, 3, NULL));
    check_valid(&m);
    int in_contact = 0;
    for (int i = 0; i < m.vertices; i++) in_contact += m.body[i] == 4;
    CHECK_LESS(30, in_contact);
    membrane_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_angles_after_deformation),
                                       cmocka_unit_test(test_volume_over_3000_operations),
                                       cmocka_unit_test(test_smoothing_keeps_volume),
                                       cmocka_unit_test(test_momentum),
                                       cmocka_unit_test(test_200_deformations),
                                       cmocka_unit_test(test_graded),
                                       cmocka_unit_test(test_contact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
