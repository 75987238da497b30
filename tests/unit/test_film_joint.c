// Where three liquids meet, so do their films: in a joint. A film ends there, and all have one pressure (docs/film.md).
#include "flat_film.h"
#include "base/unionfind.h"
#include "film/film_piece.h"

// A square of side 4, cut along x + y = 5 so that the corner (4, 4) is lost: area 16 - 9/2, and sides that keep the numbers they
// had.
static void test_square_is_clipped(void** state)
{
    (void)state;
    Piece p = {.count = 4, .polygon = true};
    const double corner[4][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    double farther[5], center[3], moment = 16*2 - 4.5*3;  // centroid of the lost triangle: (3, 3)
    for (int m = 0; m < 4; m++) {
        p.corner[m] =
            (PieceCorner){.x = {corner[m][0], corner[m][1], 7}, .edge = {10 + m, 20 + m}, .wall = m == 1 ? 3 : -1, .third = -1};
        farther[m] = 5 - corner[m][0] - corner[m][1];
    }
    film_piece_clip(&p, farther, 2);
    assert_int_equal(p.count, 5);
    CHECK_CLOSE(film_piece_area(center, &p), 11.5, 1e-14);
    CHECK_CLOSE(center[0], moment/11.5, 1e-14);
    CHECK_CLOSE(center[1], moment/11.5, 1e-14);
    CHECK_CLOSE(center[2], 7, 1e-14);
    const int edge[5] = {10, 11, -1, 12, 13}, wall[5] = {-1, 3, -1, -1, -1};
    for (int m = 0; m < 5; m++) {
        assert_int_equal(p.corner[m].third, edge[m] < 0 ? 2 : -1);
        assert_int_equal(p.corner[m].wall, wall[m]);
        if (edge[m] >= 0) assert_int_equal(p.corner[m].edge[0], edge[m]);
    }
    // what is left, by a third body nearer all over
    for (int m = 0; m < 5; m++) farther[m] = -1;
    film_piece_clip(&p, farther, 3);
    assert_int_equal(p.count, 0);
}

// A piece between (0, 0) and (3, 0), lost before x = 1.
static void test_segment_is_clipped(void** state)
{
    (void)state;
    Piece p = {.corner = {{.x = {0, 0, 0}, .wall = 0, .third = -1}, {.x = {3, 0, 0}, .wall = -1, .third = -1}}, .count = 2};
    double center[3];
    film_piece_clip(&p, (double[2]){-0.5, 1}, 4);
    CHECK_CLOSE(film_piece_area(center, &p), 2, 1e-14);
    CHECK_CLOSE(center[0], 2, 1e-14);
    assert_int_equal(p.corner[0].third, 4);
    assert_int_equal(p.corner[0].wall, -1);
    assert_int_equal(p.corner[1].third, -1);
}

// ---- three liquids around a line ------------------------------------------------------------------------------------------

enum { CELLS = 12 };

// The line through x (cells), along `axis`; first and second lie across it (2D: the axis is z). Ridges leave it at 0, 120, 240
// degrees from `first`.
typedef struct Star {
    int dim;
    double x[3], first[3], second[3], axis[3];
} Star;

static Star star_at(int dim, const double x[3], double turn, double tilt, double lean)
{
    double c = cos(turn), s = sin(turn), ct = cos(tilt), st = sin(tilt), cl = cos(lean), sl = sin(lean);
    if (dim == 2) ct = cl = 1, st = sl = 0;
    Star out = {.dim = dim, .x = {x[0], x[1], dim == 3 ? x[2] : 0}, .axis = {st*cl, st*sl, ct}};
    double u[3] = {ct*cl, ct*sl, -st}, v[3] = {-sl, cl, 0};
    for (int d = 0; d < 3; d++) out.first[d] = c*u[d] + s*v[d], out.second[d] = c*v[d] - s*u[d];
    return out;
}

static void star_direction(double n[3], const Star* s, double angle)
{
    for (int d = 0; d < 3; d++) n[d] = cos(angle)*s->first[d] + sin(angle)*s->second[d];
}

// One of the liquids of a star: a half space (a film that gets thinner along its way out, and distances are linear), or a third
// of the space half a film away from the planes that bound it.
typedef struct StarLiquid {
    Star star;
    int m;
    bool sector;
    double half, dx;  // m
} StarLiquid;

static double star_distance(const void* user, const double x[3])
{
    const StarLiquid* q = user;
    double n[3], r[3], most = -INFINITY;
    for (int d = 0; d < 3; d++) r[d] = d < q->star.dim ? x[d] - q->star.x[d]*q->dx : 0;
    if (!q->sector) return star_direction(n, &q->star, PI/3 + q->m*2*PI/3), q->half - vec_dot(n, r);
    for (int side = 0; side < 2; side++) {  // normals out of the third between 120 m and 120 (m + 1) degrees
        star_direction(n, &q->star, q->m*2*PI/3 + (side ? 2*PI/3 + PI/2 : -PI/2));
        most = fmax(most, vec_dot(n, r));
    }
    return most + q->half;
}

static void star_film(Gap* g, const Star* star, bool sector, double half)
{
    gap_init(g, star->dim, (int[3]){CELLS, CELLS, CELLS}, SIDE/CELLS);
    g->tank.wider = g->film.tank.wider = 4;
    g->film.settings.h_max = 2*CELLS*g->tank.dx;
    for (int m = 0; m < 3; m++) {
        StarLiquid q = {*star, m, sector, half*g->tank.dx, g->tank.dx};
        gap_add(g, star_distance, &q, 1000, (double[3]){0, 0, 0});
    }
    CHECK_OK(film_bodies_init(&g->film.bodies, g->liquid, 3, &g->arena));
    CHECK_OK(film_ridge_build(&g->film, &g->arena));
}

// Length (2D) or area (3D), in cells, of the half plane that leaves the line of a star at an angle and lies in the box.
static double sheet_area(const Star* s, double angle)
{
    const double far = 3*CELLS;
    double n[3], center[3];
    Piece p = {.count = s->dim == 3 ? 4 : 2, .polygon = s->dim == 3};
    star_direction(n, s, angle);
    const double out[4] = {0, far, far, 0}, along[4] = {-far, -far, far, far};
    for (int m = 0; m < p.count; m++)
        for (int d = 0; d < 3; d++) p.corner[m].x[d] = s->x[d] + out[m]*n[d] + (s->dim == 3 ? along[m]*s->axis[d] : 0);
    for (int d = 0; d < s->dim && p.count > 0; d++)
        for (int high = 0; high < 2 && p.count > 0; high++) {
            double inside[PIECE_MOST];
            for (int m = 0; m < p.count; m++) inside[m] = high ? CELLS - p.corner[m].x[d] : p.corner[m].x[d];
            film_piece_clip(&p, inside, 0);
        }
    return p.count > 0 ? film_piece_area(center, &p) : 0;
}

static double film_area(const Gap* g, int a, int b)
{
    double sum = 0, dx = g->tank.dx;
    for (int c = 0; c < g->film.cells; c++)
        if (g->film.cell[c].pair[0] == a && g->film.cell[c].pair[1] == b) sum += g->film.cell[c].area;
    return sum/(g->tank.dim == 3 ? dx*dx : dx);
}

static Star star_number(int dim, int m)
{
    return star_at(dim, (double[3]){6.03 + 0.11*m, 5.92 - 0.07*m, 6.21}, 0.13 + 0.41*m, 0.5*m, 0.3 + 0.7*m);
}

// Distances that are linear are clipped exactly: each film has the area of its half plane in the box, no more and no less, at any
// orientation.
static void test_areas(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 6; m++) {
            Star star = star_number(dim, m);
            Gap g;
            star_film(&g, &star, false, 0.3);
            // the ridge between liquids m and m + 1 leaves at 120 (m + 1) degrees
            double found[3] = {film_area(&g, 0, 1), film_area(&g, 1, 2), film_area(&g, 0, 2)}, worst = 0;
            for (int q = 0; q < 3; q++) worst = fmax(worst, fabs(found[q]/sheet_area(&star, (q + 1)*2*PI/3) - 1));
            print_message("%dD, three half spaces, way %d: films of %.4f, %.4f, %.4f faces, off by %.1e\n", dim, m, found[0],
                          found[1], found[2], worst);
            CHECK_LESS(worst, 1e-9);
            gap_free(&g);
        }
}

// Films of one thickness between thirds of the space. Their distances have edges where the joint is, by which a film may end up
// to a fifth of a cell off it: from the corner at s to that at s - 1, the third's distance less the pair's falls from 0.87 s to
// 1.73 (s - 1).
static void test_areas_of_thirds(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 6; m++) {
            Star star = star_number(dim, m);
            Gap g;
            star_film(&g, &star, true, 1e-3);
            double joint = dim == 3 ? CELLS : 1;  // no more than its length in the box
            double found[3] = {film_area(&g, 0, 1), film_area(&g, 1, 2), film_area(&g, 0, 2)}, worst = 0;
            for (int q = 0; q < 3; q++) worst = fmax(worst, fabs(found[q] - sheet_area(&star, (q + 1)*2*PI/3))/joint);
            print_message("%dD, three thirds, way %d: films end within %.3f cells of the joint\n", dim, m, worst);
            CHECK_LESS(worst, 0.2);
            gap_free(&g);
        }
}

// All films hang together and none of them leaks, also where the joint lies on a node or along an edge of the grid and rounding
// decides which cells its ends lie in.
static void test_joint_is_closed(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 12; m++) {
            double off = m%3 == 0 ? 0 : 1e-12*m;
            Star star =
                m < 6 ? star_number(dim, m) : star_at(dim, (double[3]){6 + off, 6 - 2*off, 6}, m%2*PI/2 + off, 0, 0);
            Gap g;
            star_film(&g, &star, true, 1e-3);
            int* parent = ARENA_NEW(&g.arena, int, g.film.cells);
            for (int c = 0; c < g.film.cells; c++) parent[c] = c;
            for (int e = 0; e < g.film.edges; e++) {
                const AirEdge* edge = &g.film.edge[e];
                CHECK_TRUE(edge->b >= 0 || edge->closed);
                if (edge->b >= 0) set_join(parent, edge->a, edge->b);
            }
            for (int c = 0; c < g.film.cells; c++) assert_int_equal(set_find(parent, c), 0);
            gap_free(&g);
        }
}

// Three films meet, closed all around: what presses on one liquid presses on all. The joint lies anywhere, on a node, on an edge
// of the grid.
static void test_joint_has_one_pressure(void** state)
{
    (void)state;
    for (int m = 0; m < 6; m++) {
        // liquid 1, which is pressed, lies above; pi/6 puts one film along the grid
        double turn = m < 3 ? 0.4*m - 0.3 : m%2*PI/6;
        Star star = star_at(2, (double[3]){m < 3 ? 6.03 + 0.2*m : m == 5 ? 6.4 : 6, m < 3 ? 5.92 : 6, 0}, turn - PI/2, 0, 0);
        Gap g;
        star_film(&g, &star, true, 1e-3);
        CHECK_OK(film_link_patches(&g.film, &g.arena));
        flat_solve(&g);
        print_message("joint %d: %d air cells, off by %.1e Pa of %g; %d iterations\n", m, g.film.cells, flat_error(&g, P_EXT),
                      P_EXT, g.report.iterations);
        CHECK_LESS(flat_error(&g, P_EXT), 1e-9*P_EXT);
        gap_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square_is_clipped),
        cmocka_unit_test(test_segment_is_clipped),
        cmocka_unit_test(test_areas),
        cmocka_unit_test(test_areas_of_thirds),
        cmocka_unit_test(test_joint_is_closed),
        cmocka_unit_test(test_joint_has_one_pressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
