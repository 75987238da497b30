// Sheets and rods by themselves, against the theory of beams, chains and springs.
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "check.h"
#include "thin/thin_shapes.h"
#include "thin/thin_step.h"

static void run(ThinMesh* t, const ThinForces* f, double dt, int steps, ThinReport* report)
{
    ThinSolver* s;
    CHECK_OK(thin_solver_new(&s, t));
    for (int m = 0; m < steps; m++) {
        CHECK_OK(thin_step(report, t, s, f, dt));
        CHECK_TRUE(report->converged);
    }
    thin_solver_free(s);
}

// To where forces balance: through steps of a fifth of the time in which it would fall by its length, 1, in thick air, to ones so
// long that inertia does not matter.
static void settle(ThinMesh* t, const double a[3], ThinReport* report)
{
    double time = sqrt(1/fmax(vec_norm(a), 1e-6));
    ThinForces f = {.a = {a[0], a[1], a[2]}, .damp_mass = 3/time};
    run(t, &f, 0.2*time, 60, report);
    f.damp_mass = 0;
    run(t, &f, 100*time, 3, report);
}

// A strand of n pieces from 0 along x, of length 1.
static void straight(ThinMesh* t, int n, const RodMaterial* m)
{
    double* x = calloc(3*(size_t)(n + 1), sizeof *x);
    int* vertex = malloc(sizeof *vertex*(size_t)(n + 1));
    for (int k = 0; k <= n; k++) x[3*k] = (double)k/n, vertex[k] = k;
    CHECK_OK(thin_add_vertices(t, x, n + 1));
    CHECK_OK(thin_add_rod(t, vertex, n + 1, m));
    free(x), free(vertex);
}

// ---- bending --------------------------------------------------------------------------------------------------------------

// A rod of length 1 whose first piece of n is held is clamped in the middle of that: bends between pieces stand for half of both.
static double free_length(int n) { return 1 - 0.5/n; }

// The elastica of a heavy rod of length L, clamped level at s = 0: theta'' = - w (1 - s) cos(theta), theta the slope downwards, s
// in L, w = weight per length L^3/EI; theta(0) = theta'(1) = 0, by shooting for theta'(0). How far its end hangs down, and how
// far out it is from the beginning of the held piece.
static void heavy_elastica(double* down, double* out, double load, double L)
{
    enum { N = 4000 };
    double w = load*L*L*L, low = 0, high = w;
    for (int go = 0; go < 200; go++) {
        double bend = 0.5*(low + high), theta = 0, slope = bend, h = 1.0/N;
        *down = *out = 0;
        for (int k = 0; k < N; k++) {
            // midpoint rule; theta' falls from bend to 0: the weight of what hangs further out turns the rod down
            double s = k*h, mid = theta + 0.5*h*slope, mid_slope = slope - 0.5*h*w*(1 - s)*cos(theta);
            *down += h*sin(mid), *out += h*cos(mid);
            theta += h*mid_slope;
            slope -= h*w*(1 - s - 0.5*h)*cos(mid);
        }
        if (slope > 0) high = bend;
        else low = bend;
    }
    *down *= L, *out = 1 - L + L * *out;
}

// A rod clamped at one end bends under its weight. w L^4/(8 EI) for small loads, and the elastica at large ones.
static void test_heavy_rod(void** state)
{
    (void)state;
    static const double load[] = {0.01, 1, 5, 20};
    enum { PIECES = 40 };
    for (int m = 0; m < 4; m++) {
        ThinMesh t = {.dim = 3};
        RodMaterial wire = {.density = 1000, .young = 1e9, .radius = 1e-3};
        double EI = wire.young*PI*pow(wire.radius, 4)/4, weight = wire.density*PI*wire.radius*wire.radius, down, out;
        straight(&t, PIECES, &wire);
        t.held[0] = t.held[1] = HELD;
        ThinReport report;
        settle(&t, (double[3]){0, -load[m]*EI/weight, 0}, &report);
        heavy_elastica(&down, &out, load[m], free_length(PIECES));
        const double* end = t.x + 3*PIECES;
        print_message("rod, w L^3/EI = %g: end %.5f down, %.5f out; elastica %.5f, %.5f; %d iterations\n", load[m], -end[1],
                      end[0], down, out, report.iterations);
        if (load[m] < 0.1) CHECK_CLOSE(down, load[m]*pow(free_length(PIECES), 4)/8, 1e-3);
        CHECK_CLOSE(-end[1], down, 0.003);
        CHECK_WITHIN(end[0], out, 0.003);
        thin_mesh_free(&t);
    }
}

// The same for a sheet in 2D, a metre deep, of material that does not contract aside and of one that does.
static void test_heavy_chain(void** state)
{
    (void)state;
    enum { PIECES = 40 };
    for (int m = 0; m < 2; m++) {
        ThinMesh t = {.dim = 2};
        SheetMaterial paper = {.density = 800, .young = 1e9, .poisson = 0.4*m, .thickness = 1e-3};
        double EI = paper.young*1e-9/(12*(1 - paper.poisson*paper.poisson)), weight = paper.density*paper.thickness,
               down, out;
        double x[3*(PIECES + 1)] = {0};
        for (int k = 0; k <= PIECES; k++) x[3*k] = (double)k/PIECES;
        CHECK_OK(thin_add_chain(&t, x, PIECES + 1, &paper));
        t.held[0] = t.held[1] = HELD;
        ThinReport report;
        settle(&t, (double[3]){0, -5*EI/weight, 0}, &report);
        heavy_elastica(&down, &out, 5, free_length(PIECES));
        CHECK_CLOSE(-t.x[3*PIECES + 1], down, 0.003);
        CHECK_WITHIN(t.x[3*PIECES], out, 0.003);
        CHECK_CLOSE(report.reaction[1], -5*EI/weight*weight, 1e-6);
        thin_mesh_free(&t);
    }
}

// A rectangle of this material, 1 along x and `width` along z, normal along y.
static void make_sheet(ThinMesh* t, double width, double spacing, const SheetMaterial* m)
{
    SheetShape s;
    CHECK_OK(sheet_rectangle(&s, (double[3]){0, 0, 0}, (double[3]){0, 0, width}, (double[3]){1, 0, 0}, spacing));
    CHECK_OK(thin_add_sheet(t, s.x, s.vertices, (const int(*)[3])s.triangle, s.triangles, m));
    sheet_shape_free(&s);
}

// The end of a strip 0.1 wide, clamped along its first row of triangles, under its weight: how far down and out, relative to the
// elastica.
static void heavy_strip(double off[2], double load, double spacing)
{
    ThinMesh t = {.dim = 3};
    SheetMaterial paper = {.density = 800, .young = 1e9, .poisson = 1.0/3, .thickness = 0.02};
    double EI = paper.young*pow(paper.thickness, 3)/12, weight = paper.density*paper.thickness, down, out, y = 0, x = 0,
           row = 0;
    make_sheet(&t, 0.1, spacing, &paper);
    for (int k = 0; k < t.vertices; k++)
        if (t.x[3*k] < spacing) t.held[k] = HELD, row = fmax(row, t.x[3*k]);
    // rows lie across: the last one is the free end
    int last = t.vertices;
    while (last > 0 && t.x[3*(last - 1)] > 1 - 1e-9) last--;
    ThinReport report;
    settle(&t, (double[3]){0, -load*EI/weight, 0}, &report);
    for (int k = last; k < t.vertices; k++) x += t.x[3*k]/(t.vertices - last), y -= t.x[3*k + 1]/(t.vertices - last);
    heavy_elastica(&down, &out, load, 1 - 0.5*row);
    print_message("sheet, w L^3/EI = %g, %3.0f triangles along: end %.5f down, %.5f out; elastica %.5f, %.5f\n", load,
                  1/spacing, y, x, down, out);
    off[0] = y/down - 1, off[1] = x - out;
    thin_mesh_free(&t);
}

// A narrow strip is a beam of EI = Y h^3/12 per width: while W^2/(R h) is small it bends across as it likes. Hinges between
// triangles with equal sides resist as a plate with a Poisson's ratio of 1/3, whatever the material's is: one of 1/3 must agree.
// Within about its width of the clamp it cannot bend across and is stiffer by 1/(1 - nu^2): some 3 % here.
static void test_heavy_sheet(void** state)
{
    (void)state;
    double coarse[2], fine[2], far[2];
    heavy_strip(coarse, 0.1, 1.0/40);
    heavy_strip(fine, 0.1, 1.0/80);
    CHECK_LESS(fabs(coarse[0]), 0.04);
    CHECK_LESS(fabs(fine[0]), 0.03);
    heavy_strip(far, 5, 1.0/40);
    CHECK_LESS(fabs(far[0]), 0.03);
    CHECK_LESS(fabs(far[1]), 0.03);
}

// Rolled on a cylinder in any direction a sheet has the energy D/(2 R^2) per area: hinges of triangles with equal sides know no
// direction. Each hinge stands for a third of both its triangles.
static void test_rolled_sheet(void** state)
{
    (void)state;
    for (int m = 0; m < 4; m++) {
        ThinMesh t = {.dim = 3};
        SheetMaterial paper = {.density = 800, .young = 1e9, .poisson = 0.3, .thickness = 1e-3};
        double D = paper.young*1e-9/(12*(1 - 0.09)), R = 2, turn = m*PI/9, c = cos(turn), s = sin(turn), sum = 0,
               area = 0;
        make_sheet(&t, 1, 1.0/30, &paper);
        for (int k = 0; k < t.vertices; k++) {
            double* x = t.x + 3*k;
            double along = c*x[0] + s*x[2], across = c*x[2] - s*x[0];
            x[0] = R*sin(along/R), x[1] = R*cos(along/R), x[2] = across;
        }
        for (int k = 0; k < t.hinges; k++) {
            double x[12];
            for (int l = 0; l < 12; l++) x[l] = t.x[3*t.hinge[k].v[l/3] + l%3];
            sum += thin_hinge(NULL, NULL, &t.hinge[k], x);
        }
        // both areas are those of an equilateral triangle nearly everywhere
        for (int k = 0; k < t.triangles; k++) area += t.triangle[k].area;
        area *= (double)t.hinges/(1.5*t.triangles);
        print_message("rolled at %2.0f degrees: energy %.4f of D/(2 R^2) per area\n", 180*turn/PI,
                      sum/(0.5*D/(R*R)*area));
        CHECK_CLOSE(sum, 0.5*D/(R*R)*area, 0.03);
        thin_mesh_free(&t);
    }
}

// ---- stretching --------------------------------------------------------------------------------------------------------------

// A strip that is pulled by 0.1 % bears Y h W e, whatever the law, when its sides are free to come in.
static void test_pulled_strip(void** state)
{
    (void)state;
    for (int law = 0; law < 3; law++) {
        ThinMesh t = {.dim = 3};
        SheetMaterial rubber = {.density = 1000,
                                .young = 1e6,
                                .poisson = law == THIN_BARAFF_WITKIN ? 0 : 0.4,
                                .thickness = 1e-3,
                                .law = (ThinLaw)law};
        const double width = 0.1, strain = 1e-3;
        make_sheet(&t, width, 0.025, &rubber);
        for (int k = 0; k < t.vertices; k++) {
            double* x = t.x + 3*k;
            t.held[k] = HELD_Y;
            if (x[0] < 1e-9) t.held[k] = HELD_X | HELD_Y | (fabs(x[2]) < 1e-9 ? HELD_Z : 0);
            if (x[0] > 1 - 1e-9) t.held[k] = HELD_X | HELD_Y, x[0] += strain;
        }
        ThinReport report;
        // forces at both ends cancel in the sum: one end is asked for by its energy, F e/2 per length
        settle(&t, (double[3]){0, 0, 0}, &report);
        double energy = thin_strain_energy(&t, t.x), theory = 0.5*rubber.young*rubber.thickness*width*strain*strain;
        print_message("strip, law %d: energy %.5g J, theory %.5g J\n", law, energy, theory);
        CHECK_CLOSE(energy, theory, 0.003);
        thin_mesh_free(&t);
    }
}

// A thread hung between two points at one height, as long as it is and hardly stretched, is a catenary: for a span of a and a
// length of 1, 2 c sinh(a/2c) = 1 and the sag is c (cosh(a/2c) - 1).
static void test_catenary(void** state)
{
    (void)state;
    enum { PIECES = 64 };
    const double span = 0.7;
    ThinMesh t = {.dim = 3};
    RodMaterial thread = {.density = 1000, .young = 1e9, .radius = 1e-4};
    straight(&t, PIECES, &thread);
    for (int k = 0; k < t.bends; k++) t.bend[k].stiffness *= 1e-4;
    // folded to begin with: two straight halves
    double h = sqrt(0.25 - 0.25*span*span);
    for (int k = 0; k <= PIECES; k++) {
        double s = (double)k/PIECES;
        t.x[3*k] = span*s, t.x[3*k + 1] = -h*(1 - fabs(2*s - 1));
    }
    t.held[0] = t.held[PIECES] = HELD;
    ThinReport report;
    run(&t, &(ThinForces){.a = {0, -9.81, 0}, .damp_mass = 5}, 0.02, 400, &report);
    double low = 0.01, high = 10;
    for (int go = 0; go < 100; go++) {
        double c = 0.5*(low + high);
        if (2*c*sinh(span/(2*c)) > 1) low = c;
        else high = c;
    }
    double sag = low*(cosh(span/(2*low)) - 1), weight = thread.density*PI*1e-8*9.81;
    print_message("catenary: sag %.5f, theory %.5f; ends bear %.6g of the weight\n", -t.x[3*(PIECES/2) + 1], sag,
                  -report.reaction[1]/weight);
    CHECK_CLOSE(-t.x[3*(PIECES/2) + 1], sag, 2e-3);
    CHECK_CLOSE(-report.reaction[1], weight, 1e-4);
    thin_mesh_free(&t);
}

// ---- motion --------------------------------------------------------------------------------------------------------------

// What nothing holds falls as a whole, v = a t to rounding, and is not strained by it.
static void test_free_fall(void** state)
{
    (void)state;
    ThinMesh t = {.dim = 3};
    SheetMaterial paper = {.density = 800, .young = 1e9, .poisson = 0.3, .thickness = 1e-3};
    make_sheet(&t, 0.5, 0.1, &paper);
    ThinReport report;
    run(&t, &(ThinForces){.a = {1, -9.81, 0.3}}, 0.01, 10, &report);
    for (int k = 0; k < t.vertices; k++) {
        CHECK_CLOSE(t.v[3*k], 0.1, 1e-9);
        CHECK_CLOSE(t.v[3*k + 1], -0.981, 1e-9);
    }
    thin_mesh_free(&t);
}

// A bob on a spring, k = EA/L, swings with 2 pi sqrt(m/k); steps of a 400th of it damp by dt omega^2/2 and slow it by less.
static void test_spring(void** state)
{
    (void)state;
    ThinMesh t = {.dim = 3};
    RodMaterial wire = {.density = 1000, .young = 1e7, .radius = 1e-3};
    straight(&t, 1, &wire);
    t.held[0] = HELD, t.held[1] = HELD_Y | HELD_Z;
    double k = wire.young*PI*1e-6, period = 2*PI*sqrt(t.mass[1]/k), dt = period/400, last = 0, first = 0;
    t.x[3] = 1.01;
    ThinReport report;
    ThinSolver* s;
    CHECK_OK(thin_solver_new(&s, &t));
    int crossings = 0;
    for (int m = 0; m < 1300; m++) {
        double before = t.x[3] - 1;
        CHECK_OK(thin_step(&report, &t, s, &(ThinForces){0}, dt));
        double after = t.x[3] - 1;
        if ((before < 0) == (after < 0)) continue;
        last = (m + before/(before - after))*dt;
        if (crossings++ == 0) first = last;
    }
    thin_solver_free(s);
    print_message("spring: period %.5f of theory\n", 2*(last - first)/(crossings - 1)/period);
    CHECK_CLOSE(2*(last - first)/(crossings - 1), period, 1e-3);
    thin_mesh_free(&t);
}

// Held vertices go where they are told; a sheet with two triangles that fold over each other is refused with their numbers.
static void test_bad_sheets(void** state)
{
    (void)state;
    ThinMesh t = {.dim = 3};
    SheetMaterial paper = {.density = 800, .young = 1e9, .thickness = 1e-3};
    double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0};
    static const int flat[1][3] = {{0, 1, 3}}, turned[2][3] = {{0, 1, 2}, {0, 1, 3}};
    assert_int_equal(thin_add_sheet(&t, x, 4, flat, 1, &paper), MN_BAD_MESH);
    x[10] = 1;
    assert_int_equal(thin_add_sheet(&t, x, 4, turned, 2, &paper), MN_BAD_MESH);
    assert_non_null(strstr(mn_last_error(), "triangles 0 and 1"));
    assert_int_equal(t.vertices + t.triangles + t.hinges, 0);
    thin_mesh_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heavy_rod),    cmocka_unit_test(test_heavy_chain),  cmocka_unit_test(test_heavy_sheet),
        cmocka_unit_test(test_rolled_sheet), cmocka_unit_test(test_pulled_strip), cmocka_unit_test(test_catenary),
        cmocka_unit_test(test_free_fall),    cmocka_unit_test(test_spring),       cmocka_unit_test(test_bad_sheets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
