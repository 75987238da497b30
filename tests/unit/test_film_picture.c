// Air films in the files of a run and in its pictures.
#include "film/film_record.h"
#include "output/ply.h"
#include "render/filmview.h"
#include "render/picture.h"

#include "results.h"

// Two drops that fly at each other, in 2D or 3D.
static void write_drops(const char* name, bool solid)
{
    char text[1200];
    const char* zero = solid ? ", 0" : "";
    const char *size = solid ? "{ mm(1.2), mm(0.6), mm(0.6) }" : "{ mm(1.2), mm(0.6) }", *z = solid ? ", mm(0.3)" : "";
    snprintf(
        text, sizeof text,
        "local t = material { rho = 762, sigma = 26.56e-3, mu = 0 }\n"
        "return scene { domain = { size = %s, cells = %d }, gravity = { 0, 0%s }, merge = 'hold',\n"
        "  liquids = { sphere { center = { mm(0.41), mm(0.3)%s }, radius = mm(0.17), velocity = { 0.243, 0%s }, material = t },\n"
        "              sphere { center = { mm(0.79), mm(0.3)%s }, radius = mm(0.17), velocity = { -0.243, 0%s }, material = t } "
        "},\n"
        "  frames = { rate = 10000, count = 3, checkpoint_every = 1 } }\n",
        size, solid ? 32 : 48, zero, z, zero, z, zero);
    write_text(name, text);
}

// Pixels in the colours of films: far more red than blue, which nothing else in these pictures is.
static int warm_pixels(const char* name)
{
    Picture p;
    assert_int_equal(picture_read_png(&p, in(name)), MN_OK);
    int count = 0;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++) count += picture_get(&p, x, y)[0] > picture_get(&p, x, y)[2] + 0.25f;
    picture_free(&p);
    return count;
}

// A frame's film: it lies half way between the drops, across their line, and its pressure is what table.csv tells.
static void test_film_of_a_frame(void** state)
{
    (void)state;
    write_drops("a.lua", false);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    assert_false(exists("o/film_0000.ply"));
    Layer layer;
    FilmView film;
    CHECK_OK(ply_read(&layer, "film", in("o/film_0003.ply")));
    CHECK_OK(filmview_of(&film, &layer));
    assert_true(film.count > 10);
    double most = 0, least = INFINITY, area = 0;
    for (int m = 0; m < film.count; m++) {
        FilmPoint f = filmview_at(&film, m);
        CHECK_WITHIN(f.x[0], 0.6e-3, 0.1*0.025e-3);
        CHECK_WITHIN(f.normal[0], 1, 0.02);
        assert_true(f.liquid[0] == 1 && f.liquid[1] == 2);
        most = fmax(most, f.pressure), least = fmin(least, f.thickness), area += f.area;
    }
    size_t n;
    char* table = contents("o/table.csv", &n);
    double wanted[3];
    static const char* const names[] = {"film_pressure", "film_thickness", "film_area"};
    for (int m = 0; m < 3; m++) {
        const char* c = table + n - 1;
        while (c[-1] != '\n') c--;
        for (int k = column(table, names[m]); k > 0; k--) c = strchr(c, ',') + 1;
        wanted[m] = atof(c);
    }
    free(table);
    CHECK_WITHIN(most, wanted[0], 1e-6*wanted[0]);
    CHECK_WITHIN(least, wanted[1], 1e-6*wanted[1]);
    CHECK_WITHIN(area, wanted[2], 1e-6*wanted[2]);
    layer_free(&layer);
}

// A resumed run leaves the same films, and a new run in the folder none of the old ones.
static void test_films_of_resumed_run(void** state)
{
    (void)state;
    write_drops("a.lua", false);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "2", "--quiet", "--frames", "2"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "2", "--quiet", "--resume"), 0);
    check_same_results("whole", "parts");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--quiet", "--frames", "1"), 0);
    assert_false(exists("parts/film_0002.ply"));
}

static void test_damaged_film(void** state)
{
    (void)state;
    FilmPiece piece = {.normal = {1, 0, 0}, .area = 1e-8, .thickness = 1e-6, .pressure = 100, .liquid = {1, 2}};
    Layers layers = {0};
    Layer back;
    FilmView view;
    CHECK_OK(film_record_show(&layers, &(FilmRecord){.piece = &piece, .count = 1}));
    CHECK_OK(ply_write(in("film.ply"), layers_find(&layers, "film")));
    layers_free(&layers);
    size_t n;
    char* data = contents("film.ply", &n);
    write_bytes("short.ply", data, n - 3);
    char* name = strstr(data, "thickness");
    memcpy(name, "thinness!", 9);
    write_bytes("other.ply", data, n);
    free(data);
    assert_int_equal(ply_read(&back, "film", in("short.ply")), MN_IO);
    assert_non_null(strstr(mn_last_error(), "short.ply"));
    CHECK_OK(ply_read(&back, "film", in("other.ply")));
    assert_int_equal(filmview_of(&view, &back), MN_IO);
    assert_non_null(strstr(mn_last_error(), "has no thickness"));
    assert_int_equal(view.count, 0);
    layer_free(&back);
}

// 2D: a coloured band; --film off leaves it out.
static void test_band_in_2d(void** state)
{
    (void)state;
    write_drops("a.lua", false);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("render", in("o"), "--frames", "3", "--size", "320x240", "--quiet"), 0);
    int pressure = warm_pixels("o/pictures/frame_0003.png");
    CHECK_CODE(COMMAND("render", in("o"), "--frames", "3", "--size", "320x240", "--film", "thickness", "--quiet"), 0);
    int thickness = warm_pixels("o/pictures/frame_0003.png");
    CHECK_CODE(COMMAND("render", in("o"), "--frames", "3", "--size", "320x240", "--film", "off", "--quiet"), 0);
    int off = warm_pixels("o/pictures/frame_0003.png");
    printf("   warm pixels: pressure %d, thickness %d, off %d\n", pressure, thickness, off);
    assert_true(pressure > 40 && thickness > 40 && off == 0);
    CHECK_CODE(COMMAND("render", in("o"), "--film", "colour"), 2);
    CHECK_MESSAGE("film must be pressure, thickness or off");
}

// 3D: an inset with the film face on.
static void test_inset_in_3d(void** state)
{
    (void)state;
    write_drops("a.lua", true);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    const char* how_seen[] = {"pressure", "off"};
    int warm[2];
    for (int m = 0; m < 2; m++) {
        CHECK_CODE(COMMAND("render", in("o"), "--frames", "3", "--size", "320x240", "--samples", "1", "--style", "clay", "--film",
                           how_seen[m], "--quiet"),
                   0);
        warm[m] = warm_pixels("o/pictures/frame_0003.png");
    }
    printf("   warm pixels: with inset %d, without %d\n", warm[0], warm[1]);
    assert_true(warm[0] > warm[1] + 60);
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_film_of_a_frame), IN_FOLDER(test_films_of_resumed_run), IN_FOLDER(test_damaged_film),
        IN_FOLDER(test_band_in_2d),      IN_FOLDER(test_inset_in_3d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
