// Pieces of sheets and rods: forces are the slopes of their energies, stiffness is their second derivative where nothing gives
// way, and never negative.
#include <string.h>
#include "base/vec.h"
#include "check.h"
#include "dice.h"
#include "thin/thin_elements.h"
#include "thin/thin_psd.h"

enum { KINDS = 7, MOST = 12 };

// One of each: triangles by three laws, hinge, segment, bend in space, bend in the plane.
typedef struct Piece {
    int kind;
    ThinTriangle triangle;
    ThinHinge hinge;
    ThinSegment segment;
    ThinBend bend;
} Piece;

static const int NUMBERS[KINDS] = {9, 9, 9, 12, 6, 9, 9};

static double energy(double* gradient, double* stiffness, const Piece* p, const double* x)
{
    if (p->kind < 3) return thin_triangle(gradient, stiffness, &p->triangle, x);
    if (p->kind == 3) return thin_hinge(gradient, stiffness, &p->hinge, x);
    if (p->kind == 4) return thin_segment(gradient, stiffness, &p->segment, x);
    return thin_bend(gradient, stiffness, &p->bend, x);
}

// A piece about 1 large, somewhere near rest, and stretched by `stretch`.
static void make(Piece* p, double* x, int kind, Dice* d, double stretch, double shake)
{
    static const double triangle[9] = {0, 0, 0, 1, 0, 0, 0.3, 0.8, 0}, hinge[12] = {0, 0, 0, 1, 0, 0, 0.4, 0.7, 0, 0.6, -0.9, 0};
    static const double segment[6] = {0, 0, 0, 1, 0, 0}, bend[9] = {0, 0, 0, 1, 0, 0, 1.8, 0, 0};
    const double* rest = kind < 3 ? triangle : kind == 3 ? hinge : kind == 4 ? segment : bend;
    *p = (Piece){
        .kind = kind,
        .triangle = {.rest = {{1, -0.3/0.8}, {0, 1/0.8}}, .area = 0.4, .mu = 2, .lambda = 1.1, .law = (ThinLaw)(kind%3)},
        .hinge = {.rest = 0.2, .stiffness = 1.7},
        .segment = {.length = 1, .stiffness = 3},
        .bend = {.length = {1, 0.8}, .stiffness = 1.3, .planar = kind == 6}};
    for (int m = 0; m < NUMBERS[kind]; m++) {
        x[m] = stretch*rest[m] + dice_number(d, -shake, shake);
        if (kind == 6 && m%3 == 2) x[m] = 0;
    }
}

static void test_forces_are_slopes(void** state)
{
    (void)state;
    Dice d = dice_for(1, 1);
    for (int kind = 0; kind < KINDS; kind++)
        for (int go = 0; go < 40; go++) {
            Piece p;
            double x[MOST], g[MOST], worst = 0, size = 0;
            make(&p, x, kind, &d, dice_number(&d, 0.8, 1.3), 0.25);
            if (kind >= 5) p.bend.rest = go%2*0.3;
            energy(g, NULL, &p, x);
            for (int m = 0; m < NUMBERS[kind]; m++) {
                double h = 1e-5, at = x[m];
                x[m] = at + h;
                double high = energy(NULL, NULL, &p, x);
                x[m] = at - h;
                double low = energy(NULL, NULL, &p, x);
                x[m] = at;
                worst = fmax(worst, fabs((high - low)/(2*h) - g[m])), size = fmax(size, fabs(g[m]));
            }
            if (worst > 1e-7*size + 1e-9) print_message("kind %d: off by %g of %g\n", kind, worst, size);
            CHECK_LESS(worst, 1e-7*size + 1e-9);
        }
}

// Second derivatives by differences of the forces. Everything is pulled, hinges and bends are where they rest: there nothing is
// left out.
static void test_stiffness(void** state)
{
    (void)state;
    Dice d = dice_for(2, 1);
    for (int kind = 0; kind < KINDS; kind++)
        for (int go = 0; go < 20; go++) {
            Piece p;
            double x[MOST], K[MOST*MOST], high[MOST], low[MOST], worst = 0, size = 0;
            int n = NUMBERS[kind];
            make(&p, x, kind, &d, 1.4, kind < 5 ? 0.05 : 0);
            if (kind == 2) make(&p, x, kind, &d, 1.4, 0);  // threads that are sheared resist less across
            if (kind == 3) p.hinge.rest = thin_hinge_angle(x);
            energy(NULL, K, &p, x);
            for (int m = 0; m < n; m++) {
                double h = 1e-5, at = x[m];
                if (kind == 6 && m%3 == 2) continue;
                x[m] = at + h;
                energy(high, NULL, &p, x);
                x[m] = at - h;
                energy(low, NULL, &p, x);
                x[m] = at;
                for (int l = 0; l < n; l++)
                    worst = fmax(worst, fabs((high[l] - low[l])/(2*h) - K[n*l + m])), size = fmax(size, fabs(K[n*l + m]));
            }
            if (worst > 2e-7*size) print_message("kind %d: off by %g of %g\n", kind, worst, size);
            CHECK_LESS(worst, 2e-7*size);
        }
}

// Whatever is squeezed or folded: no direction has a negative stiffness, and none is left out that a rigid shift would need.
static void test_stiffness_is_never_negative(void** state)
{
    (void)state;
    Dice d = dice_for(3, 1);
    for (int kind = 0; kind < KINDS; kind++)
        for (int go = 0; go < 60; go++) {
            Piece p;
            double x[MOST], K[MOST*MOST], clamped[MOST*MOST], size = 0, off = 0;
            int n = NUMBERS[kind];
            make(&p, x, kind, &d, dice_number(&d, 0.5, 1.2), 0.3);
            energy(NULL, K, &p, x);
            memcpy(clamped, K, sizeof K);
            psd_clamp(clamped, n);
            for (int m = 0; m < n*n; m++) off = fmax(off, fabs(clamped[m] - K[m])), size = fmax(size, fabs(K[m]));
            CHECK_LESS(off, 1e-10*size);
            for (int m = 0; m < n; m++) {
                double sum = 0;
                for (int c = 0; c < n/3; c++) sum += K[n*m + 3*c];
                CHECK_LESS(fabs(sum), 1e-10*size);
            }
        }
}

// Turned and moved as a whole, nothing is strained: no energy, no force.
static void test_rigid_motion(void** state)
{
    (void)state;
    double c = cos(0.7), s = sin(0.7);
    for (int kind = 0; kind < 6; kind++) {
        Piece p;
        Dice d = dice_for(4, 1);
        double x[MOST], turned[MOST], g[MOST];
        make(&p, x, kind, &d, 1, 0);
        p.hinge.rest = 0;
        for (int m = 0; m < NUMBERS[kind]; m += 3) {
            turned[m] = c*x[m] - s*x[m + 2] + 3, turned[m + 1] = x[m + 1] - 1, turned[m + 2] = s*x[m] + c*x[m + 2];
        }
        CHECK_WITHIN(energy(g, NULL, &p, turned), 0, 1e-15);
        for (int m = 0; m < NUMBERS[kind]; m++) CHECK_WITHIN(g[m], 0, 1e-14);
    }
}

// Laws of the plane agree with Hooke's for small strains: pulled by e along one side, held along the other, a sheet resists with
// Y/(1 - nu^2) e; sheared by e, with the shear modulus times e. (Threads know no Poisson's ratio: lambda = 0 for them here.)
static void test_small_strains(void** state)
{
    (void)state;
    const double e = 1e-5, mu = 2;
    for (int law = 0; law < 3; law++) {
        double lambda = law == THIN_BARAFF_WITKIN ? 0 : 1.1;
        ThinTriangle t = {.rest = {{1, 0}, {0, 1}}, .area = 0.5, .mu = mu, .lambda = lambda, .law = (ThinLaw)law};
        double pulled[9] = {0, 0, 0, 1 + e, 0, 0, 0, 1, 0}, sheared[9] = {0, 0, 0, 1, 0, 0, e, 1, 0}, g[9];
        thin_triangle(g, NULL, &t, pulled);
        CHECK_CLOSE(g[3], 0.5*(2*mu + lambda)*e, 1e-4);
        CHECK_CLOSE(g[7] + 1, 0.5*lambda*e + 1, 1e-9);
        thin_triangle(g, NULL, &t, sheared);
        CHECK_CLOSE(g[6], 0.5*mu*e, 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forces_are_slopes), cmocka_unit_test(test_stiffness),
                                       cmocka_unit_test(test_stiffness_is_never_negative), cmocka_unit_test(test_rigid_motion),
                                       cmocka_unit_test(test_small_strains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
