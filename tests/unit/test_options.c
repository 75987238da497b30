// Options of a scene: what the user may set from outside, and what is said when it does not fit.
#include "check.h"

#include <string.h>
#include "folder.h"
#include "scene/scene.h"

static const char scene_text[] =
    "local wide = option('cells', 16)\n"
    "local full, what = option('full', true), option('what', 'ball')\n"
    "return scene { title = what, domain = { size = { 1, 1 }, cells = wide }, frames = { rate = 1, count = full and 2 or 1 },\n"
    "  liquids = { sphere { center = { 0.5, 0.5 }, radius = 0.2 } } }\n";

static void write_scene(const char* text) { write_text("x.lua", text); }

static mn_status load(Scene* s, const char* one, const char* two)
{
    return scene_load(s, in("x.lua"), &(SceneTerms){.settings = (const char* const[]){one, two, NULL}});
}

static void says(mn_status got, mn_status wanted, const char* part)
{
    if (got == wanted && strstr(mn_last_error(), part)) return;
    print_error("status %d, wanted %d\n    message: %s\n    wanted:  %s\n", got, wanted, got ? mn_last_error() : "(none)", part);
    fail();
}

static void test_defaults_and_choices(void** state)
{
    (void)state;
    Scene a, b;
    write_scene(scene_text);
    CHECK_OK(scene_load(&a, in("x.lua"), NULL));
    assert_int_equal(a.cells[0], 16);
    assert_int_equal(a.frame_count, 2);
    assert_string_equal(a.title, "ball");
    assert_int_equal(a.options.count, 3);
    assert_string_equal(a.options.option[0].name, "cells");
    assert_string_equal(a.options.option[0].value, "16");
    CHECK_OK(load(&b, "cells=32", "full=false"));
    assert_int_equal(b.cells[0], 32);
    assert_int_equal(b.frame_count, 1);
    assert_true(a.fingerprint != b.fingerprint);  // a run goes on with the options it began with
    scene_free(&a);
    CHECK_OK(load(&a, "cells=32", "full=false"));
    assert_true(a.fingerprint == b.fingerprint);
    scene_free(&a);
    scene_free(&b);
    CHECK_OK(load(&a, "what=a = b", NULL));
    assert_string_equal(a.title, "a = b");
    scene_free(&a);
}

static void test_wrong_choices(void** state)
{
    (void)state;
    Scene s;
    write_scene(scene_text);
    says(load(&s, "cell=32", NULL), MN_BAD_ARGUMENT, "x.lua has no such option; did you mean 'cells'?");
    says(load(&s, "gravity=0", NULL), MN_BAD_ARGUMENT, "it has: cells, full, what");
    says(load(&s, "cells", NULL), MN_BAD_ARGUMENT, "--set 'cells': expected NAME=VALUE");
    says(load(&s, "=3", NULL), MN_BAD_ARGUMENT, "expected NAME=VALUE");
    says(load(&s, "cells=16", "cells=32"), MN_BAD_ARGUMENT, "--set 'cells=32': set twice");
    says(load(&s, "cells=many", NULL), MN_BAD_SCENE, "x.lua:1: option 'cells' is set to 'many'; expected a number");
    says(load(&s, "cells=inf", NULL), MN_BAD_SCENE, "expected a number");
    says(load(&s, "full=1", NULL), MN_BAD_SCENE, ":2: option 'full' is set to '1'; expected true or false");
    assert_null(s.text);
    write_scene("return scene { domain = { size = { 1, 1 }, cells = 16 }, frames = { rate = 1, count = 1 } }");
    says(load(&s, "cells=16", NULL), MN_BAD_ARGUMENT, "it has none");
}

static void test_wrong_questions(void** state)
{
    (void)state;
    Scene s;
    says(scene_load_text(&s, "x.lua", "\nlocal a = option('a')"), MN_BAD_SCENE, "x.lua:2: option: expected a name and a default");
    says(scene_load_text(&s, "x.lua", "option('a', {})"), MN_BAD_SCENE, "expected a name and a default");
    says(scene_load_text(&s, "x.lua", "option(3, 4)"), MN_BAD_SCENE, "expected a name and a default");
    says(scene_load_text(&s, "x.lua", "option('a=b', 4)"), MN_BAD_SCENE, "cannot be set");
    says(scene_load_text(&s, "x.lua",
                         "return scene { domain = { size = { 1, 1 }, cells = 16 }, frames = { rate = 1, count = 1 },\n"
                         "  liquids = { sphere { center = { 0.5, 0.5 }, radius = 0.2 } },\n"
                         "  frame_acceleration = function(t) return { option('a', 1), 0 } end }"),
         MN_BAD_SCENE, "x.lua:3: option cannot be used in a function of time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_defaults_and_choices, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_wrong_choices, make_folder, remove_folder),
        cmocka_unit_test(test_wrong_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
