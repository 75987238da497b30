// Which edges of solids contact lines are seen to rest on.
#include "check.h"
#include "base/vec.h"
#include "grid/contact.h"

// How many points of edges hold the surface of a ball of liquid around a ball of R = 2.7 cells, which is as good as an edge to
// the grid. The film between the two is `thin` cells thick at its thinnest and `thick` on the other side.
static int edges_under_film(int dim, double thin, double thick, double turn)
{
    enum { N = 20 };
    Tank tank = {.dim = dim, .dx = 1, .n = {N, N, dim == 3 ? N : 1}};
    for (int s = 0; s < 6; s++) tank.side[s] = SIDE_IS_WALL;
    Window w = window_whole(&tank);
    Field phi, phi_s;
    Arena arena = {0};
    Spans spans;
    Edges edges, again;
    CHECK_OK(field_init(&phi, &w));
    CHECK_OK(field_init(&phi_s, &w));
    double radius = 2.7, off = 0.5*(thick - thin), middle[3] = {10.13, 9.71, dim == 3 ? 10.37 : 0};
    double wet[3] = {middle[0] + off*cos(turn), middle[1] + off*sin(turn), middle[2]};
    for (int k = 0; k < window_node_layers(&w); k++)
        for (int j = 0; j <= N; j++)
            for (int i = 0; i <= N; i++) {
                double x[3] = {i, j, k}, r[3];
                ptrdiff_t at = window_at(&w, i, j, k);
                vec_sub(r, x, middle), phi_s.v[at] = vec_norm(r) - radius;
                vec_sub(r, x, wet), phi.v[at] = clamp(vec_norm(r) - radius - 0.5*(thin + thick), -5, 5);
            }
    nodes_exchange(phi.v, &w, EVERY_LAYER);
    nodes_exchange(phi_s.v, &w, EVERY_LAYER);
    CHECK_OK(spans_build(&spans, &arena, phi.v, &w, 5, 2));
    Contact contact = {.cosine = cos(11*PI/180), .slack = 1 - cos(11*PI/180)};
    EdgeCells known = {0};
    CHECK_OK(edgecells_forget(&known, &w));
    CHECK_OK(edges_find(&edges, &arena, phi.v, phi_s.v, &known, &spans, &w, &contact));
    CHECK_OK(edges_find(&again, &arena, phi.v, phi_s.v, &known, &spans, &w, &contact));
    CHECK_TRUE(again.count == edges.count);  // what is known of the solid by then changes nothing
    edgecells_free(&known);
    field_free(&phi), field_free(&phi_s), arena_free(&arena);
    return edges.count;
}

// Liquid that covers a ball all round has no line, however thin it is. (Where it was thinner than 0.75 cells faces of the ball
// were taken to be dry.)
static void test_film_is_no_line(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 16; m++) {
            double turn = 2*PI*m/16;
            for (double thin = 0.05; thin < 0.6; thin += 0.2) {
                int count = edges_under_film(dim, thin, thin + 7, turn);
                if (count > 0) fail_msg("%dD, %g cells towards %.2f: held at %d points", dim, thin, turn + PI, count);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_film_is_no_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
