// The lattice follows the skin: rigidly where the skin moves rigidly, and as rigidly as it can where it bends.
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "check.h"
#include "dice.h"
#include "skin/skin_deform.h"
#include "skin/skin_pose.h"

// A capsule along x from -length to length.
typedef struct Capsule {
    double length, radius;
} Capsule;

static double capsule_distance(const void* body, const double x[3])
{
    const Capsule* c = body;
    double along = clamp(x[0], -c->length, c->length), arm[3] = {x[0] - along, x[1], x[2]};
    return vec_norm(arm) - c->radius;
}

enum { ALONG = 60, AROUND = 24, MARKS = ALONG*AROUND };

// Points of its skin, evenly over its round side, and on the caps where the side has ended.
static void capsule_marks(double mark[MARKS][3], double area[MARKS], const Capsule* c)
{
    for (int i = 0; i < ALONG; i++)
        for (int j = 0; j < AROUND; j++) {
            double s = (2*(i + 0.5)/ALONG - 1)*(c->length + c->radius), angle = 2*PI*(j + 0.5*(i%2))/AROUND;
            double axis = clamp(s, -c->length, c->length), end = s - axis, r = sqrt(c->radius*c->radius - end*end);
            double* x = mark[i*AROUND + j];
            x[0] = s, x[1] = r*cos(angle), x[2] = r*sin(angle);
            area[i*AROUND + j] = r;
        }
}

typedef struct Following {
    Capsule body;
    SkinLattice lattice;
    SkinDeform deform;
    double mark[MARKS][3], area[MARKS], now[MARKS][3];
    double (*x)[3];
} Following;

static Following* begin(void)
{
    Following* f = calloc(1, sizeof *f);
    f->body = (Capsule){.length = 0.3, .radius = 0.1};
    SkinLatticeOptions o = {
        .spacing = 0.01, .level = 2, .inner = 0.02, .outer = 0.05, .low = {-0.4, -0.1, -0.1}, .high = {0.4, 0.1, 0.1}};
    CHECK_OK(skin_lattice_init(&f->lattice, &o, capsule_distance, &f->body));
    capsule_marks(f->mark, f->area, &f->body);
    CHECK_OK(skin_deform_init(&f->deform, &f->lattice, (const double(*)[3])f->mark, f->area, MARKS, capsule_distance, &f->body));
    f->x = malloc(sizeof *f->x*(size_t)f->lattice.nodes);
    memcpy(f->x, f->lattice.rest, sizeof *f->x*(size_t)f->lattice.nodes);
    return f;
}

static void end(Following* f)
{
    free(f->x);
    skin_deform_free(&f->deform), skin_lattice_free(&f->lattice);
    free(f);
}

// Rotation about an axis of unit length, row by row.
static void rotation(double r[9], const double axis[3], double angle)
{
    double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[3*i + j] = (i == j ? c : 0) + (1 - c)*axis[i]*axis[j];
    r[1] -= s*axis[2], r[2] += s*axis[1], r[3] += s*axis[2], r[5] -= s*axis[0], r[6] -= s*axis[1], r[7] += s*axis[0];
}

static void move(double out[3], const double r[9], const double x[3], const double by[3])
{
    for (int i = 0; i < 3; i++) out[i] = r[3*i]*x[0] + r[3*i + 1]*x[1] + r[3*i + 2]*x[2] + by[i];
}

static void test_best_turn(void** state)
{
    (void)state;
    Dice dice = dice_for(5, 0);
    for (int go = 0; go < 200; go++) {
        double axis[3], r[9], m[9], got[9], stretch[3];
        for (int d = 0; d < 3; d++) axis[d] = dice_number(&dice, -1, 1), stretch[d] = dice_number(&dice, 0.5, 2);
        double size = vec_norm(axis);
        for (int d = 0; d < 3; d++) axis[d] /= size;
        rotation(r, axis, dice_number(&dice, 0, PI));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) m[3*i + j] = r[3*i + j]*stretch[j];
        skin_best_turn(got, m);
        for (int k = 0; k < 9; k++) CHECK_WITHIN(got[k], r[k], 1e-11);
    }
}

// By 170 degrees in one go, and away.
static void test_rigid_motion(void** state)
{
    (void)state;
    Following* f = begin();
    double r[9], axis[3] = {2/7.0, 3/7.0, 6/7.0}, by[3] = {0.7, -0.3, 0.2}, expected[3], worst = 0;
    rotation(r, axis, 170*PI/180);
    for (int m = 0; m < MARKS; m++) move(f->now[m], r, f->mark[m], by);
    SkinDeformReport report;
    CHECK_OK(skin_deform_follow(f->x, &report, &f->deform, (const double(*)[3])f->now, 4));
    for (int m = 0; m < f->lattice.nodes; m++) {
        move(expected, r, f->lattice.rest[m], by);
        vec_sub(expected, expected, f->x[m]);
        worst = fmax(worst, vec_norm(expected));
    }
    CHECK_LESS(worst, 1e-8*0.8);  // of the body's size
    assert_int_equal(report.broken + report.repaired, 0);
    end(f);
}

// Bent to an arc: the marks lie on the skin to a part of a fine edge, no tetrahedron breaks, and volumes stay what bending makes
// them, 1 + y/R on the outside.
static void test_bending(void** state)
{
    (void)state;
    Following* f = begin();
    const double radius = 0.5;  // m, of the axis, after ten frames
    SkinDeformReport report;
    for (int frame = 1; frame <= 10; frame++) {
        double bend = 0.1*frame/radius;
        for (int m = 0; m < MARKS; m++) {
            const double* x = f->mark[m];
            double angle = x[0]*bend, out = 1/bend + x[1];
            f->now[m][0] = out*sin(angle), f->now[m][1] = out*cos(angle) - 1/bend, f->now[m][2] = x[2];
        }
        CHECK_OK(skin_deform_follow(f->x, &report, &f->deform, (const double(*)[3])f->now, 4));
        assert_int_equal(report.broken, 0);
    }
    double off = 0, least = 1, most = 1, rest = pow(f->lattice.spacing, 3)/12;
    for (int m = 0; m < MARKS; m++) {
        double gap[3];
        for (int d = 0; d < 3; d++) {
            gap[d] = -f->now[m][d];
            for (int k = 0; k < 4; k++) gap[d] += f->deform.mark[m].bary[k]*f->x[f->deform.mark[m].node[k]][d];
        }
        off += vec_dot(gap, gap)/MARKS;
    }
    SkinPose p;
    CHECK_OK(skin_pose_init(&p, &f->lattice));
    CHECK_OK(skin_pose_set(&p, (const double(*)[3])f->x));
    for (int t = 0; t < f->lattice.tets; t++) least = fmin(least, p.volume[t]/rest), most = fmax(most, p.volume[t]/rest);
    print_message("bent: marks off by %.2g fine edges, volumes %.2f to %.2f of rest\n", sqrt(off)/0.01, least, most);
    CHECK_LESS(sqrt(off), 0.1*0.01);
    CHECK_LESS(0.5, least);
    CHECK_LESS(most, 1.6);
    skin_pose_free(&p);
    end(f);
}

// Folded far too sharply for the lattice: what breaks is repaired or counted, and is not found by points.
static void test_folding(void** state)
{
    (void)state;
    Following* f = begin();
    SkinDeformReport report;
    for (int m = 0; m < MARKS; m++) {
        const double* x = f->mark[m];
        f->now[m][0] = fabs(x[0]), f->now[m][1] = x[1] + 0.12*(x[0] > 0 ? 1 : -1), f->now[m][2] = x[2];
    }
    CHECK_OK(skin_deform_follow(f->x, &report, &f->deform, (const double(*)[3])f->now, 4));
    SkinPose p;
    CHECK_OK(skin_pose_init(&p, &f->lattice));
    CHECK_OK(skin_pose_set(&p, (const double(*)[3])f->x));
    print_message("folded: %d of %d tetrahedra repaired, %d broken\n", report.repaired, f->lattice.tets, report.broken);
    assert_int_equal(p.broken_count, report.broken);
    CHECK_TRUE(report.repaired + report.broken > 0);
    double b[4], middle[3];
    for (int t = 0; t < f->lattice.tets; t++) {
        for (int d = 0; d < 3; d++)
            middle[d] = 0.25*(f->x[f->lattice.node[t][0]][d] + f->x[f->lattice.node[t][1]][d] + f->x[f->lattice.node[t][2]][d] +
                                f->x[f->lattice.node[t][3]][d]);
        int tet = skin_locate(b, &p, middle, t);
        CHECK_TRUE(tet < 0 || !p.broken[skin_coarse_of(&f->lattice, tet)]);
    }
    skin_pose_free(&p);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_best_turn), cmocka_unit_test(test_rigid_motion),
                                       cmocka_unit_test(test_bending), cmocka_unit_test(test_folding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
