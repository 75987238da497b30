// Cut cells: closure, complement, and second-order volumes and areas of discs and spheres.
#include "check.h"
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/cutcells.h"

static uint64_t random_state = 12345;
static double uniform(void)  // -1..1, xorshift64*
{
    random_state ^= random_state >> 12, random_state ^= random_state << 25, random_state ^= random_state >> 27;
    return (double)((random_state*2685821657736338717ull) >> 11)/4503599627370496.0 - 1;
}

static void cell_faces(double face[6], const double phi[8])
{
    static const int corner[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        double v[4];
        for (int c = 0; c < 4; c++) v[c] = phi[corner[f][c]];
        face[f] = cut_square(v, NULL);
    }
}

static double closure_error(const double face[6], const double patch[3])
{
    double worst = 0;
    for (int d = 0; d < 3; d++) worst = fmax(worst, fabs(face[2*d + 1] - face[2*d] + patch[d]));
    return worst;
}

// The faces and the patch of any cell form a closed surface (divergence theorem for a constant field), and the wet parts of
// phi and -phi fill the cell.
static void test_random_cells_close(void** state)
{
    (void)state;
    double worst_closure = 0, worst_volume = 0;
    for (int trial = 0; trial < 200000; trial++) {
        double phi[8], dry[8], face[6], dry_face[6];
        for (int c = 0; c < 8; c++) {
            phi[c] = uniform();
            // some values tiny, but not snapped to equal ones: a tie of the decider counts as separate for both signs
            if (trial%4 == 0 && c%2 == 0) phi[c] *= 1e-5;
            if (fabs(phi[c]) < CUT_SNAP) phi[c] = copysign(CUT_SNAP*(1 + fabs(uniform())), phi[c]);
            dry[c] = -phi[c];
        }
        CellCut wet_cell, dry_cell;
        cell_faces(face, phi), cell_faces(dry_face, dry);
        cut_cell_3d(&wet_cell, phi, NULL, face);
        cut_cell_3d(&dry_cell, dry, NULL, dry_face);
        worst_closure = fmax(worst_closure, closure_error(face, wet_cell.patch));
        worst_volume = fmax(worst_volume, fabs(wet_cell.volume + dry_cell.volume - 1));
    }
    CHECK_LESS(worst_closure, 1e-13);
    CHECK_LESS(worst_volume, 1e-13);
}

static void test_random_squares_close(void** state)
{
    (void)state;
    double worst_closure = 0, worst_volume = 0;
    for (int trial = 0; trial < 200000; trial++) {
        double phi[4], dry[4];
        for (int c = 0; c < 4; c++) phi[c] = cut_snap(uniform()), dry[c] = -phi[c];
        CellCut a, b;
        cut_cell_2d(&a, phi, NULL), cut_cell_2d(&b, dry, NULL);
        double face[6] = {cut_edge((double[2]){phi[0], phi[2]}, NULL),
                          cut_edge((double[2]){phi[1], phi[3]}, NULL),
                          cut_edge((double[2]){phi[0], phi[1]}, NULL),
                          cut_edge((double[2]){phi[2], phi[3]}, NULL),
                          0,
                          0};
        worst_closure = fmax(worst_closure, closure_error(face, a.patch));
        worst_volume = fmax(worst_volume, fabs(a.volume + b.volume - 1));
    }
    CHECK_LESS(worst_closure, 1e-13);
    CHECK_LESS(worst_volume, 1e-13);
}

// A plane solid clips exactly: a cell wet below y = a, solid left of x = s, is wet by a (1 - s).
static void test_solid_clips_plane_exactly(void** state)
{
    (void)state;
    for (int trial = 0; trial < 1000; trial++) {
        double a = 0.5 + 0.49*uniform(), s = 0.5 + 0.49*uniform(), phi[8], solid[8], face[6] = {0};
        for (int c = 0; c < 8; c++) phi[c] = (c >> 1 & 1) - a, solid[c] = (c & 1) - s;
        CellCut cut;
        cut_cell_3d(&cut, phi, solid, face);
        CHECK_WITHIN(cut.volume, a*(1 - s), 1e-14);
        CHECK_WITHIN(cut.patch[1], 1 - s, 1e-14);
        cut_cell_2d(&cut, phi, solid);
        CHECK_WITHIN(cut.volume, a*(1 - s), 1e-14);
        CHECK_WITHIN(cut.patch[1], 1 - s, 1e-14);
        CHECK_WITHIN(cut.center[0], 0.5*(1 + s), 1e-14);
    }
}

typedef struct BallErrors {
    double volume, area, closure;
} BallErrors;

// Relative errors of a ball of radius 0.3 in a unit box of n cells per axis.
static BallErrors ball_errors(int dim, int n)
{
    Tank tank = {.dim = dim, .dx = 1.0/n, .n = {n, n, dim == 3 ? n : 1}};
    for (int s = 0; s < 6; s++) tank.side[s] = SIDE_IS_WALL;
    Window w = window_whole(&tank);
    Field phi = {0};
    CHECK_OK(field_init(&phi, &w));
    double center[3] = {0.503, 0.497, dim == 3 ? 0.511 : 0}, radius = 0.3;
    for (int k = 0; k < window_node_layers(&w); k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++) {
                double x[3];
                window_position(x, &w, i, j, k);
                vec_sub(x, x, center);
                phi.v[window_at(&w, i, j, k)] = vec_norm(x) - radius;
            }
    Arena arena = {0};
    Spans spans;
    CutCells cells;
    CHECK_OK(spans_build(&spans, &arena, phi.v, &w, 4*w.dx, 2));
    CHECK_OK(cutcells_build(&cells, &arena, &spans, phi.v, NULL, &w));
    BallErrors e = {0};
    double volume = dim == 3 ? 4*PI/3*pow(radius, 3) : PI*radius*radius;
    double area = dim == 3 ? 4*PI*radius*radius : 2*PI*radius;
    e.volume = fabs(cells.volume/volume - 1);
    e.area = fabs(cells.surface/area - 1);
    for (int q = 0; q < cells.count; q++) {
        double face[6] = {0};
        for (int d = 0; d < dim; d++) {
            face[2*d] = cells.area[d][cells.cut[q].at];
            face[2*d + 1] = cells.area[d][cells.cut[q].at + window_stride(&w, d)];
        }
        e.closure = fmax(e.closure, closure_error(face, cells.cut[q].patch));
    }
    CHECK_WITHIN(cutcells_volume(&spans, phi.v, NULL, &w, NULL, &arena), cells.volume, 0);
    arena_free(&arena);
    field_free(&phi);
    return e;
}

// Volume and area of a disc and a ball (pi r^2, 4 pi r^3/3, ...) converge at second order: error ratio 4 +- 0.3 per halving.
static void check_ball(int dim, int coarse)
{
    BallErrors a = ball_errors(dim, coarse), b = ball_errors(dim, 2*coarse);
    CHECK_WITHIN(a.volume/b.volume, 4, 0.3);
    CHECK_WITHIN(a.area/b.area, 4, 0.3);
    CHECK_LESS(fmax(a.closure, b.closure), 1e-13);
}

static void test_disc_second_order(void** state)
{
    (void)state;
    check_ball(2, 64);
    check_ball(2, 128);
}

static void test_sphere_second_order(void** state)
{
    (void)state;
    check_ball(3, 24);
}

// The volume while the surface is moved (`before`: cells of where it was) is that of the cells that are built there. In many
// cells a surface that runs along a skin lies behind it first, without a patch, and in front of it then.
static void check_moved_surface(int dim, int n)
{
    Tank tank = {.dim = dim, .dx = 1.0/n, .n = {n, n, dim == 3 ? n : 1}};
    for (int s = 0; s < 6; s++) tank.side[s] = SIDE_IS_WALL;
    Window w = window_whole(&tank);
    Field phi = {0}, solid = {0};
    CHECK_OK(field_init(&phi, &w));
    CHECK_OK(field_init(&solid, &w));
    Arena arena = {0};
    double worst = 0;
    for (int round = 0; round < 40; round++) {
        double center[3], x[3], radius = 0.25 + 0.05*uniform();
        for (int d = 0; d < 3; d++) center[d] = d < dim ? 0.5 + 0.1*uniform() : 0;
        for (int k = 0; k < window_node_layers(&w); k++)
            for (int j = 0; j <= n; j++)
                for (int i = 0; i <= n; i++) {
                    ptrdiff_t at = window_at(&w, i, j, k);
                    window_position(x, &w, i, j, k);
                    vec_sub(x, x, center);
                    solid.v[at] = vec_norm(x) - radius;
                    phi.v[at] = -solid.v[at] - w.dx*(0.2 + 0.5*uniform());  // liquid around the solid, off its skin
                }
        Spans spans;
        CutCells before, after;
        CHECK_OK(spans_build(&spans, &arena, phi.v, &w, 4*w.dx, 2));
        CHECK_OK(cutcells_build(&before, &arena, &spans, phi.v, solid.v, &w));
        for (ptrdiff_t at = -w.origin; at < (ptrdiff_t)w.count - w.origin; at++) phi.v[at] -= 0.3*w.dx;
        double moved = cutcells_volume(&spans, phi.v, solid.v, &w, &before, &arena);
        CHECK_OK(cutcells_build(&after, &arena, &spans, phi.v, solid.v, &w));
        worst = fmax(worst, fabs(moved - after.volume)/after.volume);
        arena_reset(&arena);
    }
    print_message("%dD: volumes of surfaces that moved past a skin, with and without what was known: %.1e apart\n", dim, worst);
    CHECK_LESS(worst, 1e-13);
    arena_free(&arena);
    field_free(&phi);
    field_free(&solid);
}

static void test_moved_surface(void** state)
{
    (void)state;
    check_moved_surface(2, 24);
    check_moved_surface(3, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_cells_close),        cmocka_unit_test(test_random_squares_close),
        cmocka_unit_test(test_solid_clips_plane_exactly), cmocka_unit_test(test_disc_second_order),
        cmocka_unit_test(test_sphere_second_order),       cmocka_unit_test(test_moved_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
