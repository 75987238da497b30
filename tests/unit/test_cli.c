// The command as people use it: words, reports and lists. Every test runs the built program and looks at what it says and
// returns.
#include "rigid/rigid_mujoco.h"
#include "results.h"

// ---- words -------------------------------------------------------------------------------------------------------------------

// --help goes to stdout and tells the usage; --version is "meniscus 1.2.3"; both for the command and for each of its parts.
static void test_help_and_version(void** state)
{
    (void)state;
    static const char* const parts[] = {"run", "check", "list", "render", "plot"};
    CHECK_CODE(COMMAND("--help"), 0);
    for (int m = 0; m < 5; m++) CHECK_SAYS(out, parts[m]);
    assert_string_equal(err, "");
    CHECK_CODE(COMMAND("--version"), 0);
    char version[64];
    int a, b, c;
    snprintf(version, sizeof version, "%.60s", out);
    assert_int_equal(sscanf(version, "meniscus %d.%d.%d", &a, &b, &c), 3);
    for (int m = 0; m < 5; m++) {
        CHECK_CODE(COMMAND(parts[m], "--help"), 0);
        char usage[64];
        snprintf(usage, sizeof usage, "usage: meniscus %s", parts[m]);
        CHECK_SAYS(out, usage);
        assert_string_equal(err, "");
        CHECK_CODE(COMMAND(parts[m], "--version"), 0);
        assert_string_equal(out, version);
    }
    CHECK_CODE(COMMAND("run", "scene.lua", "--help"), 0);
    CHECK_SAYS(out, "usage: meniscus run");
}

// A wrong word is named, ends with exit code 2 and leaves nothing behind.
static void test_wrong_words(void** state)
{
    (void)state;
    static const struct {
        const char* words[5];
        const char* named;
    } wrong[] = {
        {{"frob"}, "'frob'"},
        {{"--frob"}, "'--frob'"},
        {{"run"}, "scene"},
        {{"run", "--frob", "a.lua"}, "'--frob'"},
        {{"run", "a.lua", "-x"}, "'-x'"},
        {{"run", "a.lua", "--frames"}, "'--frames'"},
        {{"run", "a.lua", "--frames", "0"}, "'0'"},
        {{"run", "a.lua", "--frames", "-3"}, "'-3'"},
        {{"run", "a.lua", "--frames", "3x"}, "'3x'"},
        {{"run", "a.lua", "--frames", "99999999999999999999"}, "'99999999999999999999'"},
        {{"run", "a.lua", "--threads", "none"}, "'none'"},
        {{"run", "a.lua", "-o"}, "'-o'"},
        {{"run", "a.lua", "b.lua"}, "one scene file"},
        {{"check"}, "scene"},
        {{"check", "a.lua", "b.lua"}, "one scene file"},
        {{"check", "--frob"}, "'--frob'"},
        {{"check", "a.lua", "--set"}, "'--set'"},
        {{"list", "--frob"}, "'--frob'"},
        {{"plot"}, "directory"},
        {{"plot", "a", "--frob"}, "'--frob'"},
        {{"plot", "a", "--what"}, "'--what'"},
        {{"plot", "a", "--what", "energy,heat"}, "'heat'"},
        {{"plot", "a", "--size", "12"}, "'12'"},
        {{"plot", "a", "--size", "1000x1000000"}, "'1000x1000000'"},
        {{"plot", "a", "--out", "a.gif"}, "a.gif"},
        {{"plot", "a", "--strip", "here"}, "'here'"},
        {{"plot", "a", "--strip=5mm", "--what", "energy"}, "--strip"},
    };
    write_text("a.lua", splash);
    write_text("b.lua", splash);
    for (size_t m = 0; m < sizeof wrong/sizeof *wrong; m++) {
        char* argv[8] = {"meniscus"};
        for (int w = 0; w < 5 && wrong[m].words[w]; w++) argv[w + 1] = (char*)wrong[m].words[w];
        how.here = true;
        CHECK_CODE(run_words(argv), 2);
        CHECK_MESSAGE(wrong[m].named);
        assert_false(exists("out"));
    }
    char* none[] = {"meniscus", NULL};
    CHECK_CODE(run_words(none), 2);
    CHECK_SAYS(err, "usage: meniscus COMMAND");
}

// A run says before its first step which scheme tension acts by, and why; check says the same, and run.json keeps it.
static void test_tension_is_told(void** state)
{
    (void)state;
    static const char drop[] =
        "return scene { title = 'Drop', domain = { size = { mm(8), mm(8) }, cells = 32 }, gravity = { 0, 0 },\n"
        "  liquids = { ellipsoid { center = { mm(4, 4) }, radii = { mm(2, 1.5) }%s } }, numerics = { %s },\n"
        "  frames = { rate = 1000, count = 1 } }\n";
    static const struct {
        const char *material, *numerics, *told;
    } cases[] = {{"", "", "auto picks split: the flow allows steps of"},
                 {"", "max_dt = 1e-5", "auto picks explicit: the flow allows steps of"},
                 {"", "tension = 'explicit'", "surface tension: explicit, as the scene asks: the flow"},
                 {"", "tension = 'split'",
                  "split, as the scene asks: the flow allows steps of 0.001 s, which are 7.7 capillary times of "
                  "0.00013 s; the first step takes 7.7 of them, in 4 cycles"},
                 {"", "tension = 'split', tension_cycles = 3, max_dt = 1e-4", "the first step takes 0.77 of them, in 3 cycles"},
                 {"", "tension = 'split', tension_variant = 'paper', tension_changes = { 'balance', 'provisional' }",
                  "in 9 cycles as [cohen2004] prints them"},
                 {"", "tension = 'csf', tension_band = 2.5", "csf, as the scene asks: the flow"},
                 {", material = water { sigma = 0 }", "", "no liquid has surface tension"}};
    for (size_t m = 0; m < sizeof cases/sizeof *cases; m++) {
        char scene[1000];
        snprintf(scene, sizeof scene, drop, cases[m].material, cases[m].numerics);
        write_text("a.lua", scene);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o")), 0);
        CHECK_SAYS(err, cases[m].told);
        size_t n;
        char* json = contents("o/run.json", &n);
        CHECK_SAYS(json, strncmp(cases[m].told, "surface", 7) == 0 ? cases[m].told + 17 : cases[m].told);
        if (strstr(cases[m].numerics, "paper")) CHECK_SAYS(json, "\"tension_variant\": \"paper\"");
        if (strstr(cases[m].numerics, "band")) CHECK_SAYS(json, "\"tension_band\": 2.5");
        free(json);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--quiet"), 0);
        assert_string_equal(err, "");
        CHECK_CODE(COMMAND("check", in("a.lua")), 0);
        CHECK_SAYS(out, "steps       about ");
        CHECK_SAYS(out, strstr(cases[m].told, "no liquid") ? "no liquid has"
                                                           : "capillary time sqrt(rho dx^3/(4 pi sigma)) = 0.000131 s");
    }
}

// More threads than any machine has are refused, or cut to what there is; they do not end in the words of libgomp.
static void test_absurd_number_of_threads(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    int code = COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1000000000", "--quiet");
    if (code == 0) return;
    CHECK_MESSAGE("threads");
    assert_false(exists("o"));
}

// ---- check and list ----------------------------------------------------------------------------------------------------------

static double number_after(const char* words)
{
    const char* at = strstr(out, words);
    if (!at) fail_msg("no \"%s\" in: %s", words, out);
    return atof(at + strlen(words));
}

// A water drop of R = 1 mm at 1 m/s (rho = 998.2, sigma = 0.0728, mu = 1.002e-3): Bond rho g R^2/sigma = 0.1345,
// Weber 2 rho u^2 R/sigma = 27.42, Ohnesorge mu/sqrt(rho sigma R) = 3.717e-3, capillary length sqrt(sigma/(rho g)) = 2.727 mm.
// With dx = 0.125 mm: capillary step sqrt(rho dx^3/(4 pi sigma)) = 4.616e-5 s; advective 1.5 dx/sqrt(u^2 + 2 g 4 mm) = 1.806e-4
// s.
static void test_check_numbers(void** state)
{
    (void)state;
    write_text("a.lua",
               "return scene { title = 'One drop', domain = { size = { mm(4), mm(4), mm(4) }, cells = 32 }, frames = { rate = "
               "500, count = 3 },"
               " liquids = { sphere { center = { mm(2, 2, 2) }, radius = mm(1), velocity = { 0, -1, 0 }, material = water } } }");
    CHECK_CODE(COMMAND("check", in("a.lua")), 0);
    assert_string_equal(err, "");
    static const char* const words[] = {"One drop",
                                        "0.004 x 0.004 x 0.004 m, 32 x 32 x 32 cells of 0.000125 m",
                                        "3 at 500 per second: 0.006 s",
                                        "1 liquid, 0 solids, 0 sources, 0 probes",
                                        "liquid1",
                                        "memory"};
    for (size_t m = 0; m < sizeof words/sizeof *words; m++) CHECK_SAYS(out, words[m]);
    CHECK_CLOSE(number_after("volume "), 4.18879e-9, 0.02);  // 8 cells in radius
    CHECK_CLOSE(number_after("Bond "), 0.1345, 0.02);
    CHECK_CLOSE(number_after("Weber "), 27.42, 0.01);
    CHECK_CLOSE(number_after("Ohnesorge "), 3.717e-3, 0.01);
    CHECK_CLOSE(number_after("capillary length "), 2.727e-3, 0.003);
    CHECK_CLOSE(number_after("sqrt(rho dx^3/(4 pi sigma)) = "), 4.616e-5, 0.003);
    CHECK_CLOSE(number_after("advective step cfl dx/|u| = "), 1.806e-4, 0.003);
    assert_null(strstr(out, "apart"));
    assert_null(strstr(out, "Forgot"));
    assert_false(exists("out"));
}

// Two liquids one cell apart are told from two that are four apart.
static void test_check_warns_of_gaps(void** state)
{
    (void)state;
    static const char format[] = "return scene {" BOX "liquids = { pool { depth = mm(4), name = 'bath' },"
                                 " sphere { center = { mm(8), mm(%d) }, radius = mm(3), name = 'drop' } } }";
    char scene[512];
    snprintf(scene, sizeof scene, format, 8);  // 1 mm between, cells of 1 mm
    write_text("a.lua", scene);
    CHECK_CODE(COMMAND("check", in("a.lua")), 0);
    CHECK_SAYS(out, "warning: bath and drop are ");
    CHECK_CLOSE(number_after("bath and drop are "), 1, 0.1);
    snprintf(scene, sizeof scene, format, 11);
    write_text("a.lua", scene);
    CHECK_CODE(COMMAND("check", in("a.lua")), 0);
    assert_null(strstr(out, "bath and drop"));
    write_text("a.lua", "return scene {" BOX "liquids = { sphere { center = { mm(8), mm(8) }, radius = mm(2) } } }");
    CHECK_CODE(COMMAND("check", in("a.lua")), 0);
    CHECK_SAYS(out, "warning: liquid1: only ");
}

// A box of 3 m, where 3 mm or 3 cm were meant, looks wrong.
static void test_check_warns_of_scale(void** state)
{
    (void)state;
    static const struct {
        const char* size;
        bool warned;
    } boxes[] = {{"{ 3, 3 }", true}, {"{ 16, 16 }", true}, {"{ um(2), um(2) }", true}, {"{ 0.3, 0.3 }", false}};
    for (int m = 0; m < 4; m++) {
        char scene[512];
        snprintf(scene, sizeof scene,
                 "local size = %s; return scene { domain = { size = size, cells = 16 }, frames = { rate = 500, count = 1 },"
                 " liquids = { pool { depth = size[2]/2 } } }",
                 boxes[m].size);
        write_text("a.lua", scene);
        CHECK_CODE(COMMAND("check", in("a.lua")), 0);
        bool warned = strstr(out, "warning: the domain is ") != NULL;
        if (warned != boxes[m].warned) fail_msg("a box of %s: %s", boxes[m].size, warned ? "warned of" : "not warned of");
    }
}

// A plate of less than two cells leaks, wherever it lies between the nodes and whatever its contact angle; one of two holds.
static void test_check_warns_of_thin_solids(void** state)
{
    (void)state;
    static const char format[] = "return scene {" BOX POOL "solids = { box { low = { mm(4), mm(2) }, high = { mm(%g), mm(14) },"
                                 " contact_angle = degrees(%d), name = 'plate' } } }";
    static const struct {
        double right;
        int angle;
        const char* warning;
    } cases[] = {{5, 60, "plate is 1.0 cells thick at (0.00"},
                 {5.4, 60, "plate is 1.4 cells thick at (0.00"},
                 {5, 90, "plate is 1.0 cells thick at (0.00"},
                 {6, 60, NULL},
                 {16, 60, NULL}};
    for (size_t m = 0; m < sizeof cases/sizeof cases[0]; m++) {
        char scene[400];
        snprintf(scene, sizeof scene, format, cases[m].right, cases[m].angle);
        write_text("a.lua", scene);
        CHECK_CODE(COMMAND("check", in("a.lua")), 0);
        if (cases[m].warning) CHECK_SAYS(out, cases[m].warning);
        else assert_null(strstr(out, "cells thick"));
    }
    // a half-space has no other side
    write_text("a.lua", "return scene {" BOX POOL "solids = { halfspace { point = { mm(4), 0 }, normal = { 2, 1 },"
                        " contact_angle = degrees(60) } } }");
    CHECK_CODE(COMMAND("check", in("a.lua")), 0);
    assert_null(strstr(out, "cells thick"));
}

// A line per solid and per source: bounds, thinnest part, fastest speed (2 pi mm at 1 Hz with 1 mm is 6.283 mm/s), and the rate
// beside speed times opening.
static void test_check_lists_solids_and_sources(void** state)
{
    (void)state;
    write_text(
        "a.lua",
        "return scene {" BOX POOL "solids = {"
        " box { low = { mm(2, 8) }, high = { mm(5, 14) }, name = 'wall' },"
        " box { low = { mm(8, 8) }, high = { mm(12, 14) }, name = 'paddle',"
        "       position = function(t) return { mm(1)*math.sin(2*math.pi*t), 0 } end } },"
        "sources = { box { low = { mm(6, 14) }, high = { mm(7, 16) }, velocity = { 0, -0.5 }, rate = 5e-4, name = 'tap' } } }");
    CHECK_CODE(COMMAND("check", in("a.lua")), 0);
    CHECK_SAYS(out,
               "wall        solid: x 0.002 to 0.005, y 0.008 to 0.014 m\n              thinnest part 3 cells, stands still\n");
    CHECK_SAYS(out, "paddle      solid, at the start: x 0.008 to 0.012, y 0.008 to 0.014 m\n              thinnest part 4 cells");
    CHECK_CLOSE(number_after("fastest "), 6.283e-3, 1e-3);
    CHECK_SAYS(out,
               "tap         source of water: x 0.006 to 0.007, y 0.014 to 0.016 m\n              0.0005 m^2/s; 0.5 m/s through");
    CHECK_CLOSE(number_after("an opening of "), 1e-3, 5e-3);
    CHECK_CLOSE(number_after("cells across) is "), 5e-4, 5e-3);
}

// A run repeats what check warns of, one line each before it starts, and run.json keeps it; --quiet is quiet.
static void test_run_repeats_warnings(void** state)
{
    (void)state;
    write_text("a.lua", "return scene {" BOX POOL "solids = { box { low = { mm(4), mm(2) }, high = { mm(5), mm(14) },"
                        " name = 'plate' } } }");
    CHECK_CODE(COMMAND("check", in("a.lua")), 0);
    const char* found = strstr(out, "warning: plate is 1.0 cells");
    assert_non_null(found);
    char line[400];
    snprintf(line, sizeof line, "%.*s\n", (int)strcspn(found, "\n"), found);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--frames", "1"), 0);
    if (strncmp(err, line, strlen(line)) != 0) fail_msg("expected \"%s\" first in: %s", line, err);
    size_t n;
    char* json = contents("o/run.json", &n);
    CHECK_SAYS(json, "\"check\": \"thin solid\"");
    CHECK_SAYS(json, "\"about\": \"plate\"");
    CHECK_SAYS(json, "\"text\": \"plate is 1.0 cells");
    free(json);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--frames", "2", "--resume"), 0);
    CHECK_SAYS(err, line);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--frames", "1", "--quiet"), 0);
    assert_string_equal(err, "");
}

// `out` has a line with the path and title of this scene.
static void check_is_listed(const char* folder, const char* name)
{
    char path[512], text[4096] = "", title[256] = "";
    snprintf(path, sizeof path, "%s/%.200s ", folder, name);
    CHECK_SAYS(out, path);
    const char* rest = strstr(out, path) + strlen(path);
    path[strlen(path) - 1] = 0;
    FILE* f = fopen(path, "r");
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    const char* at = strstr(text, "title ");
    assert_non_null(at);
    sscanf(strchr(at, '"'), "\"%255[^\"]", title);
    assert_true(title[0] != 0);
    rest += strspn(rest, " ");
    if (!rigid_mujoco_is_there() && strncmp(rest, "(not with this build", 20) == 0) return;
    if (strncmp(rest, title, strlen(title)) != 0 || rest[strlen(title)] != '\n')
        fail_msg("%s: no title \"%s\" in: %s", path, title, out);
}

// Returns the number of scenes in the folder and the folders in it.
static int check_folder_is_listed(const char* folder)
{
    DIR* d = opendir(folder);
    assert_non_null(d);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(d));) {
        const char* dot = strrchr(entry->d_name, '.');
        char inner[512];
        snprintf(inner, sizeof inner, "%.200s/%.200s", folder, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') count += check_folder_is_listed(inner);
        if (!dot || strcmp(dot, ".lua") != 0) continue;
        count++;
        check_is_listed(folder, entry->d_name);
    }
    closedir(d);
    return count;
}

// list has a line with path and title for each scene that ships, also in folders such as scenes/film.
static void test_list(void** state)
{
    (void)state;
    CHECK_CODE(COMMAND("list"), 0);
    assert_string_equal(err, "");
    int count = check_folder_is_listed(MN_SCENES);
    assert_true(count >= 8);
    assert_int_equal(count_lines(out), count);
}

// MENISCUS_SCENES is another folder; a broken scene in it is told, the others are listed all the same.
static void test_list_of_another_folder(void** state)
{
    (void)state;
    write_text("good.lua", splash);
    write_text("broken.lua", "return scene {");
    setenv("MENISCUS_SCENES", base, 1);
    int code = COMMAND("list");
    setenv("MENISCUS_SCENES", in("nowhere"), 1);
    char listed[ROOM], said[ROOM];
    memcpy(listed, out, ROOM), memcpy(said, err, ROOM);
    int none = COMMAND("list");
    unsetenv("MENISCUS_SCENES");
    assert_int_equal(code, 1);
    CHECK_SAYS(listed, "Tiny splash\n");
    CHECK_SAYS(said, "broken.lua:1: ");
    CHECK_CODE(none, 1);
    CHECK_MESSAGE("nowhere");
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_help_and_version),
        IN_FOLDER(test_wrong_words),
        IN_FOLDER(test_tension_is_told),
        IN_FOLDER(test_absurd_number_of_threads),
        IN_FOLDER(test_check_numbers),
        IN_FOLDER(test_check_warns_of_gaps),
        IN_FOLDER(test_check_warns_of_scale),
        IN_FOLDER(test_check_warns_of_thin_solids),
        IN_FOLDER(test_check_lists_solids_and_sources),
        IN_FOLDER(test_run_repeats_warnings),
        IN_FOLDER(test_list),
        IN_FOLDER(test_list_of_another_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
