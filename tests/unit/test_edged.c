// Reading phi where it has edges, and where it is taken to be a sheet.
#include "ball.h"
#include "dice.h"
#include "grid/advect.h"
#include "grid/interpolate.h"
#include "grid/levelset.h"

enum { CELLS = 20 };

typedef double (*Phi)(const void* user, const double x[3]);  // cells, of a place in cells

static void fill(Ball* b, Phi phi, const void* user)
{
    for (int k = 0; k < window_node_layers(&b->w); k++)
        for (int j = 0; j <= CELLS; j++)
            for (int i = 0; i <= CELLS; i++) b->phi.v[window_at(&b->w, i, j, k)] = phi(user, (double[3]){i, j, k})*b->w.dx;
}

// Nodes at random, as rough as can be: valleys beside ridges everywhere.
static double rough(const void* user, const double x[3])
{
    (void)x;
    return dice_number((Dice*)(uintptr_t)user, -1, 1);
}

static void init_rough(Ball* b, int dim)
{
    Dice dice = dice_for(457, dim);
    ball_init(b, dim, CELLS, 0.3);
    fill(b, rough, &dice);
    nodes_exchange(b->phi.v, &b->w, EVERY_LAYER);
}

static double read_at(const Ball* b, const double x[3]) { return interpolate_edged(b->phi.v, &b->w, b->w.dim, x)/b->w.dx; }

// What is read on a node is its value to the last bit, and beside it, on every side, next to it: no slope between nodes is more
// than those of chords and the dips below them, 2 and 4 per cell here, the same along every axis.
static void test_nodes_are_read(void** state)
{
    (void)state;
    const double beside = 1e-6;
    for (int dim = 2; dim <= 3; dim++) {
        Ball b;
        init_rough(&b, dim);
        double most = 0;
        for (int k = 0; k < window_node_layers(&b.w); k++)
            for (int j = 0; j <= CELLS; j++)
                for (int i = 0; i <= CELLS; i++) {
                    double own = b.phi.v[window_at(&b.w, i, j, k)]/b.w.dx;
                    assert_true(read_at(&b, (double[3]){i, j, k}) == own);
                    for (int c = 0; c < 1 << dim; c++) {
                        double x[3] = {i, j, k};
                        for (int d = 0; d < dim; d++) x[d] += c >> d & 1 ? beside : -beside;
                        most = fmax(most, fabs(read_at(&b, x) - own));
                    }
                }
        print_message("%dD, %.0e cells beside nodes of a rough phi: off by up to %.1e\n", dim, beside, most);
        CHECK_LESS(most, 6*dim*beside);
        ball_free(&b);
    }
}

// -phi is read as the opposite of phi to the last bit, and the image of phi in a mirror as phi is at the place's image but for
// the rounding of one sum of two products per line; at places whose fraction and its complement are both exact. No branch hangs
// on rounding.
static void test_mirrored(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball b, image;
        Dice dice = dice_for(15, dim);
        init_rough(&b, dim);
        ball_init(&image, dim, CELLS, 0.3);
        for (int axis = -1; axis < dim; axis++) {  // -1: the opposite
            for (int k = 0; k < window_node_layers(&b.w); k++)
                for (int j = 0; j <= CELLS; j++)
                    for (int i = 0; i <= CELLS; i++) {
                        int at[3] = {i, j, k};
                        if (axis >= 0) at[axis] = CELLS - at[axis];
                        double phi = b.phi.v[window_at(&b.w, i, j, k)];
                        image.phi.v[window_at(&b.w, at[0], at[1], at[2])] = axis < 0 ? -phi : phi;
                    }
            nodes_exchange(image.phi.v, &b.w, EVERY_LAYER);
            for (int m = 0; m < 2000; m++) {
                double x[3] = {0}, y[3] = {0};
                for (int d = 0; d < dim; d++) {
                    x[d] = dice_whole(&dice, 0, 64*CELLS)/64.0;
                    y[d] = d == axis ? CELLS - x[d] : x[d];
                }
                double value = read_at(&b, x);
                if (axis < 0) assert_true(read_at(&image, y) == -value);
                else CHECK_WITHIN(read_at(&image, y), value, 1e-14);
            }
        }
        ball_free(&b);
        ball_free(&image);
    }
}

typedef struct Flat {
    double n[3], at[3];  // unit; cells
} Flat;

static Flat flat_at_random(Dice* dice, int dim)
{
    Flat f = {.n = {0}};
    for (int d = 0; d < dim; d++) f.n[d] = dice_number(dice, -1, 1), f.at[d] = CELLS/2 + dice_number(dice, -1, 1);
    double norm = vec_norm(f.n);
    for (int d = 0; d < dim; d++) f.n[d] /= norm;
    return f;
}

static double from_middle(const Flat* f, const double x[3])
{
    double way[3];
    vec_sub(way, x, f->at);
    return vec_dot(f->n, way);
}

// A sheet 2 cells thick across n; a thread of as much along n; a drop.
static double sheet(const void* user, const double x[3]) { return fabs(from_middle(user, x)) - 1; }

static double thread(const void* user, const double x[3])
{
    const Flat* f = user;
    double way[3], moment[3];
    vec_sub(way, x, f->at);
    vec_cross(moment, way, f->n);
    return vec_norm(moment) - 1;
}

static double drop(const void* user, const double x[3])
{
    double way[3];
    vec_sub(way, x, ((const Flat*)user)->at);
    return vec_norm(way) - 1;
}

// An edge between two straight slopes is read exactly, wherever it lies and however it is inclined.
static void test_sheets_are_exact(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball b;
        Dice dice = dice_for(1, dim);
        double worst = 0;
        ball_init(&b, dim, CELLS, 0.3);
        for (int m = 0; m < 50; m++) {
            Flat f = flat_at_random(&dice, dim);
            fill(&b, sheet, &f);
            for (int p = 0; p < 200; p++) {
                double x[3] = {0};
                for (int d = 0; d < dim; d++) x[d] = dice_number(&dice, 4, CELLS - 4);
                worst = fmax(worst, fabs(read_at(&b, x) - sheet(&f, x)));
            }
        }
        print_message("%dD sheets at all angles: off by up to %.1e cells\n", dim, worst);
        CHECK_LESS(worst, 1e-12);
        ball_free(&b);
    }
}

static double wave(const void* user, const double x[3])
{
    double k = *(const double*)user;
    return sin(k*x[0] + 1)*cos(k*x[1]) + cos(k*(x[0] - x[1]) + k*x[2]);
}

static double wave_error(int dim, double k)
{
    Ball b;
    Dice dice = dice_for(2, dim);
    double sum = 0;
    ball_init(&b, dim, CELLS, 0.3);
    fill(&b, wave, &k);
    for (int p = 0; p < 4000; p++) {
        double x[3] = {0};
        for (int d = 0; d < dim; d++) x[d] = dice_number(&dice, 4, CELLS - 4);
        sum += fabs(read_at(&b, x) - wave(&k, x));
    }
    ball_free(&b);
    return sum/4000;
}

// Third order where phi is smooth; inflections, where bends change sign between nodes, included.
static void test_smooth_is_third_order(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double a = wave_error(dim, 0.1), b = wave_error(dim, 0.05);
        print_message("%dD waves of 63 and 126 cells: off by %.1e and %.1e, order %.2f\n", dim, a, b, log2(a/b));
        CHECK_LESS(2.8, log2(a/b));
    }
}

// A step in which nothing moves changes no bit of phi, however crumpled it is.
static void test_step_of_no_length(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int way = 0; way < 2; way++) {
            Ball b;
            init_rough(&b, dim);
            Dice dice = dice_for(3, dim);
            double *u[3] = {b.u[0].v, b.u[1].v, b.u[2].v}, band = 5*b.w.dx, most = 0, cells = way ? 1e-6 : 0;
            for (size_t i = 0; i < b.w.count; i++)
                for (int d = 0; d < dim; d++) b.u[d].block[i] = cells*dice_number(&dice, -1, 1)*b.w.dx;
            CHECK_OK(spans_build(&b.spans, &b.arena, b.phi.v, &b.w, band, 3));
            double* before = window_copy(&b.arena, b.phi.v, &b.w);
            assert_non_null(before);
            CHECK_OK(advect_levelset(b.phi.v, &b.arena, u, &b.spans, &b.w, band, 1, ADVECT_CUBIC));
            for (int k = 0; k < window_node_layers(&b.w); k++)
                for (int j = 0; j <= CELLS; j++)
                    for (int i = 0; i <= CELLS; i++) {
                        ptrdiff_t at = window_at(&b.w, i, j, k);
                        most = fmax(most, fabs(b.phi.v[at] - before[at])/b.w.dx);
                    }
            print_message("%dD, rough phi carried by %.0e cells: changes by up to %.1e\n", dim, cells, most);
            assert_true(way ? most < 6*dim*cells : most == 0);
            ball_free(&b);
        }
}

typedef struct Marked {
    int missed, others;  // nodes beside the middle of a sheet that are not marked; nodes that are
} Marked;

// Of the nodes away from the sides of the box.
static Marked count_middles(Ball* b, Phi phi, const Flat* f)
{
    Marked out = {0};
    unsigned char* middle;
    int dim = b->w.dim, side = 4;
    fill(b, phi, f);
    nodes_exchange(b->phi.v, &b->w, EVERY_LAYER);
    CHECK_OK(spans_build(&b->spans, &b->arena, b->phi.v, &b->w, 5*b->w.dx, 3));
    CHECK_OK(levelset_middles(&middle, &b->arena, b->phi.v, NULL, &b->spans, &b->w));
    for (int k = dim == 3 ? side : 0; k <= (dim == 3 ? CELLS - side : 0); k++)
        for (int j = side; j <= CELLS - side; j++)
            for (int i = side; i <= CELLS - side; i++) {
                bool is = middle[window_at(&b->w, i, j, k)];
                if (fabs(from_middle(f, (double[3]){i, j, k})) < 0.2) out.missed += !is;
                out.others += is;
            }
    arena_reset(&b->arena);
    return out;
}

// Sheets at all angles have a middle. Threads and drops, which come to a point instead of an edge, have none: read as edges they
// are made deeper than they are, and a thread that is too thin for the grid lives on instead of breaking.
static void test_middles_are_of_sheets(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball b;
        Dice dice = dice_for(4, dim);
        int missed = 0, threads = 0, drops = 0;
        ball_init(&b, dim, CELLS, 0.3);
        for (int m = 0; m < 300; m++) {
            Flat f = flat_at_random(&dice, dim);
            missed += count_middles(&b, sheet, &f).missed;
            drops += count_middles(&b, drop, &f).others;
            if (dim == 3) threads += count_middles(&b, thread, &f).others;
        }
        print_message("%dD: nodes missed in sheets %d, found in threads %d, in drops %d\n", dim, missed, threads, drops);
        assert_int_equal(missed, 0);
        assert_int_equal(threads, 0);
        assert_int_equal(drops, 0);
        ball_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_are_read),    cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_sheets_are_exact),  cmocka_unit_test(test_smooth_is_third_order),
        cmocka_unit_test(test_step_of_no_length), cmocka_unit_test(test_middles_are_of_sheets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
