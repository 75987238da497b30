// Scenes are programs: what they cannot reach, use up or do differently in another run.
#include "scene_text.h"

// No loop, however it is wrapped, no hoard and no recursion gets past the limits.
static void test_limits(void** state)
{
    (void)state;
    bad_text("\nwhile true do end", "dir/x.lua:2: the scene runs too long");
    bad_text("while true do pcall(function() while true do end end) end", "the scene runs too long");
    bad_text("pcall(function() while true do end end) return scene {}", "the scene runs too long");
    bad_text("local function f() pcall(f) return f() end f()", "the scene runs too long");
    bad_text("table.sort({ 3, 2, 1 }, function() while true do end end)", "the scene runs too long");
    bad_text("local t = {} while true do t[#t + 1] = { 1, 2, 3 } end", "dir/x.lua: the scene needs more than 64 MB of memory");
    bad_text("local t = {} while true do pcall(function() while true do t[#t + 1] = { 1, 2, 3 } end end) end",
             "more than 64 MB of memory");
    bad_text("local s = 'x' while true do s = s .. s end", "dir/x.lua: the scene makes a text of more than 1024 kB");
    bad_text("local s = 'x' while true do pcall(function() s = s .. s end) end", "a text of more than 1024 kB");
    bad_text("local s = ('x'):rep(1e12)", "string.rep: the result is too large");
    bad_text("local s = (''):rep(1e18)", "string.rep: the result is too large");
    bad_text("local function f() return 1 + f() end f()", "dir/x.lua");
    bad_text("return scene { title = string.format('%99999d', 3) }", "dir/x.lua:1:");
    char deep[5000] = "return ";
    memset(deep + 7, '(', 3000);
    deep[3007] = 0;
    bad_text(deep, "dir/x.lua: C stack overflow");
}

// What could reach outside, run code or differ between runs is not there.
static void test_nothing_dangerous(void** state)
{
    (void)state;
    const char* gone[] = {"io",        "os",    "load",           "loadstring",   "loadfile",     "dofile", "require", "package",
                          "coroutine", "debug", "collectgarbage", "setmetatable", "getmetatable", "rawset", "next",    "_G"};
    char text[200], part[100];
    for (size_t i = 0; i < sizeof gone/sizeof *gone; i++) {
        snprintf(text, sizeof text, "local x = 1\nlocal y = %s", gone[i]);
        snprintf(part, sizeof part, "dir/x.lua:2: '%s' is not available in scenes", gone[i]);
        bad_text(text, part);
    }
    bad_text("assert(string.find or string.match or string.gmatch or string.gsub or string.dump or table.move, 'none')", "none");
    bad_text("local s = ('x'):find('x')", "dir/x.lua:1:");
    bad_text("local s = string.format('%p', 'x')", "%p is not available");
    bad_text("local s = string.format('%s', {})", "string.format: argument 2 is a table");
    bad_text("error(tostring({}) .. tostring(error))", "tablefunction");
    bad_text("math.randomseed()", "dir/x.lua:1:");
    bad_text("math.random(2, 1)", "interval is empty");
}

// The same random numbers and the same order of pairs in every run; and what is left of Lua works.
static void test_same_in_every_run(void** state)
{
    (void)state;
    const char* text =
        "local s = '' for i = 1, 5 do s = s .. math.random(1000) .. ' ' end\n"
        "local t = { zeta = 1, alpha = 2, mid = 3, 10, 20 } for k, v in pairs(t) do s = s .. k .. '=' .. v .. ' ' end\n"
        "t.alpha = nil for k in pairs(t) do s = s .. k t.mid = nil end\n"
        "local ok, why = pcall(error, 'caught') assert(not ok and why == 'caught')\n"
        "table.sort(t) local u = table.pack(table.unpack(t)) s = s .. table.concat(u, '+') .. select('#', 1, 2) .. "
        "tonumber('0x10')\n"
        "for i, v in ipairs(u) do s = s .. i end\n"
        "error(s .. ('ab'):upper():rep(2, '-') .. tostring(1.5) .. type(s) .. string.format('%5.2f', 3.14159), 0)";
    char first[500];
    bad_text(text, "1=10 2=20 alpha=2 mid=3 zeta=1 12zeta");
    snprintf(first, sizeof first, "%s", mn_last_error());
    assert_non_null(strstr(first, "AB-AB1.5string 3.14"));
    for (int i = 0; i < 3; i++) {
        bad_text(text, "");
        assert_string_equal(mn_last_error(), first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_nothing_dangerous),
        cmocka_unit_test(test_same_in_every_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
