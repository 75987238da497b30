// Runs of a part between mirrors: what reads a run's files finds the whole, and profiles of films are drawn from it.
#include "base/vec.h"
#include "output/runfiles.h"
#include "results.h"

// A drop in the corner of a box with mirrors, in 2D (half a disc on the right side) or 3D (a quarter of a ball).
static void write_part(const char* name, bool solid)
{
    write_text(name, solid ? "return scene { domain = { size = { mm(6), mm(12), mm(6) }, cells = 12,\n"
                             "    sides = { left = 'mirror', front = 'mirror', right = 'open' } },\n"
                             "  gravity = { 0, 0, 0 }, frames = { rate = 1e5, count = 1 },\n"
                             "  liquids = { sphere { center = { 0, mm(6), mm(6) }, radius = mm(4), velocity = { 0, 1, 0 } } } }\n"
                           : "return scene { domain = { size = { mm(6), mm(12) }, cells = 24, sides = { right = 'mirror' } },\n"
                             "  gravity = { 0, 0 }, frames = { rate = 1e5, count = 1 },\n"
                             "  liquids = { sphere { center = { mm(6), mm(6) }, radius = mm(4) } } }\n");
}

// Of triangles: volume by the divergence theorem. Of edges with the liquid on the left: area.
static double enclosed(const Layer* m)
{
    double sum = 0;
    for (int f = 0; f < m->elements; f++) {
        const int* c = m->element + (int)m->kind*f;
        const float *a = m->position + 3*c[0], *b = m->position + 3*c[1];
        if (m->kind == LAYER_EDGES) {
            sum += 0.5*((double)a[0]*b[1] - (double)a[1]*b[0]);
            continue;
        }
        const float* d = m->position + 3*c[2];
        sum += ((double)a[0]*((double)b[1]*d[2] - (double)b[2]*d[1]) +
                (double)a[1]*((double)b[2]*d[0] - (double)b[0]*d[2]) +
                (double)a[2]*((double)b[0]*d[1] - (double)b[1]*d[0])) /
               6;
    }
    return sum;
}

// Two halves are a disc, four quarters a ball, closed (walls on the mirrors are gone) and in the middle of a tank twice as wide.
static void test_whole_from_parts(void** state)
{
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        write_part("part.lua", solid);
        CHECK_CODE(COMMAND("run", in("part.lua"), "-o", in("part"), "--threads", "1", "--quiet"), 0);
        RunFiles run;
        FrameFiles frame;
        CHECK_OK(runfiles_open(&run, in("part")));
        CHECK_CLOSE(run.size[0], 12e-3, 1e-12);
        assert_true(run.wall[0] == run.wall[1]);
        assert_true(run.wall[0] == !solid);
        if (solid) CHECK_CLOSE(run.size[2], 12e-3, 1e-12);
        CHECK_OK(framefiles_load(&frame, &run, 0));
        double r = 4e-3, wanted = solid ? 4*PI*r*r*r/3 : PI*r*r, got = enclosed(framefiles_surface(&frame));
        print_message("%dD: %.4f of the whole\n", run.dim, got/wanted);
        CHECK_CLOSE(got, wanted, solid ? 0.06 : 0.01);
        const Layer* m = framefiles_surface(&frame);
        const float *normal = layer_reals(m, "normal"), *velocity = layer_reals(m, "velocity");
        for (int c = 0; c < (int)m->kind*m->elements; c++) {
            int i = m->element[c];
            const float *x = m->position + 3*i, *n = normal + 3*i;
            double from[3] = {x[0] - 6e-3, x[1] - 6e-3, solid ? x[2] - 6e-3 : 0};
            CHECK_WITHIN(vec_norm(from), r, 0.2e-3);
            CHECK_LESS(0.95*r, n[0]*from[0] + n[1]*from[1] + n[2]*from[2]);  // normals point out of the whole
            if (solid) CHECK_CLOSE(velocity[3*i + 1], 1, 1e-3);
        }
        framefiles_free(&frame);
        runfiles_close(&run);
    }
}

// A half drop falls onto a bath: the profile of the whole film is symmetric, and what is wrong is said.
static void test_film_profile(void** state)
{
    (void)state;
    write_text("bath.lua",
               "local oil = material { rho = 1000, sigma = 1.66e-3, mu = 0.002 }\n"
               "return scene { domain = { size = { mm(0.5), mm(0.8) }, cells = 20, sides = { left = 'mirror' } },\n"
               "  liquids = { pool { depth = mm(0.3), material = oil },\n"
               "    sphere { center = { 0, mm(0.5) }, radius = mm(0.15), velocity = { 0, -0.05 }, material = oil } },\n"
               "  merge = 'hold', frames = { rate = 1000, count = 3 } }\n");
    CHECK_CODE(COMMAND("run", in("bath.lua"), "-o", in("bath"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("plot", in("bath"), "--film", "1:3", "--out", in("film.png")), 0);
    assert_true(exists("film.png"));
    size_t n;
    char* text = contents("film.csv", &n);
    assert_non_null(strstr(text, "frame,time,along,thickness,pressure\n"));
    double along = 0, most = 0;
    int rows = 0, frame;
    for (const char* line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        double t, x, h, p;
        assert_int_equal(sscanf(line, "%d,%lf,%lf,%lf,%lf", &frame, &t, &x, &h, &p), 5);
        if (frame == 3) along += x, most = fmax(most, p), rows++;
    }
    print_message("%d places along the film, up to %.1f Pa\n", rows, most);
    assert_true(rows >= 6);
    CHECK_WITHIN(along/rows, 0, 1e-9);
    CHECK_LESS(0.1, most);
    free(text);
    CHECK_CODE(COMMAND("plot", in("bath"), "--film", "x"), 2);
    CHECK_CODE(COMMAND("plot", in("bath"), "--film", "3:1"), 2);
    CHECK_CODE(COMMAND("plot", in("bath"), "--film", "0:0"), 2);
    CHECK_CODE(COMMAND("plot", in("bath"), "--film", "1:3", "--what", "energy"), 2);
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {IN_FOLDER(test_whole_from_parts), IN_FOLDER(test_film_profile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
