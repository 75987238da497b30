// Scenes made of several files: include("other.lua", arguments...).
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "folder.h"
#include "scene/scene.h"

static const char BASE[] = "local cells, depth = ...\n"
                           "return scene {\n"
                           "  domain = { size = { 1, 1 }, cells = cells or 16 },\n"
                           "  frames = { rate = 10, count = 1 },\n"
                           "  liquids = { pool { depth = depth or 0.5 } },\n"
                           "  frame_acceleration = function(t) if t > 1 then return 'x' end return 0, 0 end,\n"
                           "}\n";

static mn_status load(Scene* s, const char* text)
{
    write_text("scene.lua", text);
    return scene_load(s, in("scene.lua"), NULL);
}

// The included file is the same scene with other numbers, and a change in it is a change of the scene (checkpoints know).
static void test_arguments(void** state)
{
    (void)state;
    Scene s, alone;
    write_text("base.lua", BASE);
    CHECK_OK(scene_load(&alone, in("base.lua"), NULL));
    assert_int_equal(alone.cells[0], 16);
    CHECK_OK(load(&s, "return include('base.lua', 32, 0.25)"));
    assert_int_equal(s.cells[0], 32);
    unsigned long long before = s.fingerprint;
    scene_free(&s);
    scene_free(&alone);
    write_text("base.lua", "-- changed\n");
    mn_status status = load(&s, "return include('base.lua', 32, 0.25)");
    assert_int_equal(status, MN_BAD_SCENE);
    char longer[2000];
    snprintf(longer, sizeof longer, "%s-- changed\n", BASE);
    write_text("base.lua", longer);
    CHECK_OK(load(&s, "return include('base.lua', 32, 0.25)"));
    assert_true(s.fingerprint != before);
    // functions of the included file live on, and say where they stand
    double v[3];
    CHECK_OK(scene_time_vector(v, &s, &s.frame_acceleration, 0.5));
    assert_int_equal(scene_time_vector(v, &s, &s.frame_acceleration, 2), MN_BAD_SCENE);
    assert_non_null(strstr(mn_last_error(), "/base.lua:6: frame_acceleration"));
    scene_free(&s);
}

static void bad(const char* text, const char* part)
{
    Scene s;
    mn_status status = load(&s, text);
    if (status != MN_OK && strstr(mn_last_error(), part) && !strchr(mn_last_error(), '\n')) return;
    print_error("status %d, message: %s\n    wanted: %s\n", status, status ? mn_last_error() : "(none)", part);
    fail();
}

// Messages name the file that is wrong, and the line in it.
static void test_messages(void** state)
{
    (void)state;
    write_text("base.lua", BASE);
    write_text("wrong.lua", "local x = 1\nreturn scene {\n  domain = { size = { 1, 1 },\n    cells = 2 },\n}\n");
    write_text("broken.lua", "return scene {\n  domain = = 3\n}\n");
    write_text("fails.lua", "\n\nerror('no such luck')\n");
    write_text("round.lua", "return include 'round.lua'");
    write_text("late.lua", "return function(t) return include 'base.lua' end");
    bad("\n\nreturn include('base.lua', -3)", "/base.lua:3: domain.cells: expected");
    bad("return include('base.lua', 16, 'deep')", "/base.lua:5: liquids[1].depth: expected");
    bad("return include 'wrong.lua'", "/wrong.lua:4: domain.cells: expected");
    bad("return include 'broken.lua'", "/broken.lua:2: ");
    bad("return include 'fails.lua'", "/fails.lua:3: no such luck");
    bad("return include 'round.lua'", "do they include each other?");
    bad("\nlocal s = include 'nothing.lua'\nreturn s", "/scene.lua:2: include: ");
    bad("return include 'nothing.lua'", "nothing.lua: No such file");
    bad("return include(3)", "include: expected the name of a file");
    bad("return include()", "got nothing");
    bad("return scene { domain = { size = { 1, 1 }, cells = 8 }, frames = { rate = 1, count = 1 }, liquids = { pool { depth = "
        "0.5 } },"
        " frame_acceleration = include 'late.lua' }",
        "include cannot be used in a function of time");
}

// Nothing but scenes, and none outside the scene's own folder.
static void test_stays_inside(void** state)
{
    (void)state;
    const char* names[] = {"/etc/passwd", "../x.lua", "a/../../x.lua", "/tmp/x.lua", "x.txt", ".lua", ".hidden.lua",
                           "a\\\\x.lua",  ""};
    for (size_t m = 0; m < sizeof names/sizeof *names; m++) {
        char text[200];
        snprintf(text, sizeof text, "return include \"%s\"", names[m]);
        bad(text, "expected the name of a .lua file in the scene's folder or below it");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments), cmocka_unit_test(test_messages),
                                       cmocka_unit_test(test_stays_inside)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
