// Van der Waals attraction across air films (film/film_vdw.h).
#include "film/film_vdw.h"
#include "base/vec.h"
#include "check.h"
#include "film/film_assemble.h"
#include "liquid/merge.h"

// 5e-20 J across 20 nm: 5e-20/(6 pi 8e-24) = 331.6 Pa, about what tension holds a drop of 0.16 mm together with; and the
// thickness at which a drop of 0.17 mm of tetradecane gives in is 20 nm (docs/validation/targets.md, rupture).
static void test_numbers(void** state)
{
    (void)state;
    CHECK_CLOSE(film_attraction(5e-20, 20e-9), 331.57, 1e-4);
    CHECK_CLOSE(film_attraction(5e-20, 40e-9)*8, film_attraction(5e-20, 20e-9), 1e-12);
    CHECK_CLOSE(film_rupture_thickness(5e-20, 26.56e-3, 0.17e-3), 20e-9, 0.03);
    // there the attraction is tension's 2 sigma/R
    double h = film_rupture_thickness(5e-20, 26.56e-3, 0.17e-3);
    CHECK_CLOSE(film_attraction(5e-20, h), 2*26.56e-3/0.17e-3, 1e-12);
    // Without tension, or next to none, nothing resists; but across more than 100 nm nothing pulls either. (Drops two cells apart
    // became one at once, with a bridge of a third of their volume: random scene 460.)
    CHECK_CLOSE(film_rupture_thickness(5e-20, 0, 1e-3), 100e-9, 1e-12);
    CHECK_CLOSE(film_rupture_thickness(5e-20, 1e-9, 1e-3), 100e-9, 1e-12);
}

// A film open to the air at its ends, thinner in one place than in another, between sides that do not move: air that does not
// flow has one pressure, that of the air around, and the liquids feel minus the attraction of each place.
static void test_air_at_rest(void** state)
{
    (void)state;
    enum { N = 32 };
    const double dx = 1e-3/N, hamaker = 5e-20;
    Arena arena = {0};
    Film film = {.settings = {.mu = 18.6e-6, .h_max = 4*dx, .h_min = 1e-9}, .tank = {.dim = 2, .dx = dx, .n = {N, N, 1}}};
    AirCell cell[N];
    AirEdge edge[N + 1] = {{0}};
    for (int i = 0; i < N; i++)
        cell[i] = (AirCell){.x = {(i + 0.5)*dx, 0.5e-3},
                            .h = (30 + 10*sin(0.7*i))*1e-9,
                            .area = dx,
                            .pair = {0, 1},
                            .grid = film_grid_number(&film.tank, i, N/2, 0)};
    for (int i = 0; i <= N; i++) {
        edge[i] = (AirEdge){.a = i < N ? i : N - 1, .b = i > 0 && i < N ? i - 1 : -1, .length = 1, .distance = dx};
        edge[i].h = cell[edge[i].a].h;
    }
    film.cell = cell, film.cells = N, film.edge = edge, film.edges = N + 1;
    film_attract(&film, hamaker);
    Border border;
    CHECK_OK(film_assemble(&border, &film, NULL, 0, NULL, NULL, film_scale(&film.tank, 1000, 1e-9), &arena));
    Factor* factor;
    CHECK_OK(factor_new(&factor, border.count, border.block, border.block_entries));
    CHECK_OK(factor_solve(factor, border.d, border.d));
    for (int i = 0; i < N; i++) CHECK_CLOSE(border.d[i], -film_attraction(hamaker, cell[i].h), 1e-9);
    factor_free(factor);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_air_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
