// Functions of time in scenes: motions of solids and of the frame.
#include "scene_text.h"
#include "base/vec.h"

static void bad_function(const char* function, const char* part)
{
    char top[500];
    snprintf(top, sizeof top, "frame_acceleration = %s", function);
    bad_top(top, part);
}

static void test_bad_functions(void** state)
{
    (void)state;
    bad_function("function(t) while true do end end", "dir/x.lua:3: this function of time runs too long");
    bad_function("function(t) while true do pcall(function() while true do end end) end end",
                 "this function of time runs too long");
    bad_function("function(t)\n return t.x end", "dir/x.lua:4: attempt to index a number value");
    bad_function("function(t) return 1 end",
                 "dir/x.lua:3: frame_acceleration: at t = 0 the function must return three finite numbers");
    bad_function("function(t) return { 1, 2, 0/0 } end", "must return three finite numbers");
    bad_function("function(t) return 1, 2, 3, 4 end", "must return three finite numbers");
    bad_function("function(t) return '1', 2, 3 end", "must return three finite numbers");
    bad_function("function(t) return math.random(), 2, 3 end", "math.random cannot be used in a function of time");
    bad_function("\"up\"", "frame_acceleration: expected three numbers");
    bad_top("solids = { sphere { center = { 0, 0, 0 }, radius = 1, position = function(t) return undefined_thing end } }",
            "unknown name 'undefined_thing'");
}

// A box that swings by A sin(w t) is accelerated by -A w^2 sin(w t). Both at once are refused.
static void test_frame_position(void** state)
{
    (void)state;
    Scene s;
    double a[3];
    const double amplitude = 0.36e-3, w = 2*PI*50;
    CHECK_OK(load_parts(&s, BOX2, "pool { depth = 0.1 }",
                        "frame_position = function(t) return 0, 0.36e-3*math.sin(2*math.pi*50*t) end"));
    for (int m = 0; m < 20; m++) {
        double t = 1.3e-3*m;
        CHECK_OK(scene_frame_acceleration(a, &s, t));
        CHECK_WITHIN(a[1], -amplitude*w*w*sin(w*t), 1e-6*amplitude*w*w);
        CHECK_WITHIN(a[0], 0, 0);
    }
    scene_free(&s);
    bad_top("frame_position = function(t) return 0, t, 0 end, frame_acceleration = { 0, 1, 0 }", "leave frame_acceleration out");
}

// A function that goes wrong later fails then, and the next call works again.
static void test_function_fails_later(void** state)
{
    (void)state;
    Scene s;
    double v[3];
    CHECK_OK(load_parts(&s, BOX3, BALL3,
                        "solids = { sphere { center = { 0, 0, 0 }, radius = 0.1,\n position = function(t) if t > 1 then while "
                        "true do end end return { t, 2*t, 3*t } end } }"));
    assert_true(s.solids[0].moving);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(scene_time_vector(v, &s, &s.solids[0].position, 0.5));
        CHECK_CLOSE(v[2], 1.5, 1e-15);
        check_message(scene_time_vector(v, &s, &s.solids[0].position, 2), MN_BAD_SCENE,
                      "dir/x.lua:4: this function of time runs too long");
    }
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_functions),
        cmocka_unit_test(test_frame_position),
        cmocka_unit_test(test_function_fails_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
