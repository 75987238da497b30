// Hostile scenes and files: each ends with one line that says what is wrong, in the time and memory that docs/scenes.md names,
// also where the work is done outside Lua. Times are processor time, so that a busy machine changes nothing.
#include "results.h"
#include <sys/socket.h>
#include <sys/un.h>
#include "base/budget.h"
#include "base/plaintext.h"
#include "output/csv.h"
#include "output/plyfile.h"
#include "output/runfiles.h"
#include "scene_text.h"

// The limits of the sandbox, and as much again for what ends between two looks at the clock in the checked build.
enum { FILE_SECONDS = 5, CALL_SECONDS = 2, SLACK = 5 };

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

// The text fails with the words, within the time for a file.
static void ends(const char* text, const char* words)
{
    double start = processor_seconds();
    bad_text(text, words);
    CHECK_LESS(processor_seconds() - start, FILE_SECONDS + SLACK);
}

#define TOO_LONG "the scene runs too long"

// A table whose length Lua takes for 2^61: it looks for the end by doubling, and finds an entry wherever it looks.
#define ENDLESS                                                                                                                  \
    "local t = { 1, 2, 3, 4, [5] = 1, "                                                                                          \
    "[0x8] = 1, [0x10] = 1, [0x20] = 1, [0x40] = 1, [0x80] = 1, [0x100] = 1, [0x200] = 1, [0x400] = 1, "                         \
    "[0x800] = 1, [0x1000] = 1, [0x2000] = 1, [0x4000] = 1, [0x8000] = 1, [0x10000] = 1, [0x20000] = 1, "                        \
    "[0x40000] = 1, [0x80000] = 1, [0x100000] = 1, [0x200000] = 1, [0x400000] = 1, [0x800000] = 1, "                             \
    "[0x1000000] = 1, [0x2000000] = 1, [0x4000000] = 1, [0x8000000] = 1, [0x10000000] = 1, [0x20000000] = 1, "                   \
    "[0x40000000] = 1, [0x80000000] = 1, [0x100000000] = 1, [0x200000000] = 1, [0x400000000] = 1, "                              \
    "[0x800000000] = 1, [0x1000000000] = 1, [0x2000000000] = 1, [0x4000000000] = 1, [0x8000000000] = 1, "                        \
    "[0x10000000000] = 1, [0x20000000000] = 1, [0x40000000000] = 1, [0x80000000000] = 1, [0x100000000000] = 1, "                 \
    "[0x200000000000] = 1, [0x400000000000] = 1, [0x800000000000] = 1, [0x1000000000000] = 1, "                                  \
    "[0x2000000000000] = 1, [0x4000000000000] = 1, [0x8000000000000] = 1, [0x10000000000000] = 1, "                              \
    "[0x20000000000000] = 1, [0x40000000000000] = 1, [0x80000000000000] = 1, [0x100000000000000] = 1, "                          \
    "[0x200000000000000] = 1, [0x400000000000000] = 1, [0x800000000000000] = 1, [0x1000000000000000] = 1, "                      \
    "[0x2000000000000000] = 1 } assert(#t > 1e15) "

// Lua's library loops over what it takes for the length of a list: such lists are refused.
static void test_lists_without_end(void** state)
{
    (void)state;
    ends(ENDLESS "table.insert(t, 1, 1)", "dir/x.lua:1: table.insert: the list has holes");
    ends(ENDLESS "table.remove(t, 1)", "dir/x.lua:1: table.remove: the list has holes");
    ends(ENDLESS "table.sort(t)", "dir/x.lua:1: table.sort: the list has holes");
    ends(ENDLESS "table.sort(t, function() return true end)", "dir/x.lua:1: table.sort: the list has holes");
    ends(ENDLESS "table.unpack(t)", "dir/x.lua:1: ");
    ends(ENDLESS "table.concat(t, 1, 1 << 60)", "dir/x.lua:1: ");
    ends(ENDLESS "return scene { domain = t }", "dir/x.lua");
    ends(ENDLESS "return scene { domain = { size = t, cells = 4 } }", "dir/x.lua");
    ends(ENDLESS "return scene { domain = { size = { 1, 1 }, cells = 4 }, frames = { rate = 1, count = 1 }, liquids = t }",
         "dir/x.lua");
}

// What Lua's library does at one instruction of the scene counts as well as the scene's own instructions.
static void test_work_inside_the_library(void** state)
{
    (void)state;
    ends("local t = {} for i = 1, 1000000 do t[i] = i*7919 % 1000003 end for k = 1, 1000 do table.sort(t) end", TOO_LONG);
    ends("local t = {} for i = 1, 1000000 do t[i] = 1 end while true do table.insert(t, 1, 1) table.remove(t, 1) end", TOO_LONG);
    ends("local t = {} for i = 1, 500000 do t[i] = '' end while true do table.concat(t) end", TOO_LONG);
    ends("local t = {} for i = 1, 500000 do t[i] = '' end while true do select('#', table.unpack(t)) end", TOO_LONG);
    ends("local t = {} for i = 1, 200000 do t['k' .. i] = i end while true do pairs(t) end", TOO_LONG);
    ends("for i = 1, 200000 do _ENV['g' .. i] = i end while true do pcall(function() return zzzzzzzz end) end", TOO_LONG);
    ends("local t = {} for i = 1, 200000 do t[i] = i end while true do sphere(t) end", TOO_LONG);
    ends("local t = {} for i = 1, 500000 do t[i] = 1 end while true do mm(table.unpack(t)) end", TOO_LONG);
    ends("local s = ('1'):rep(1000000) while true do local x = tonumber(s) end", TOO_LONG);
    ends("local s = ('0'):rep(1000000) .. '7' while true do local x = s + 1 end", TOO_LONG);
    ends("local s = ('x'):rep(900000) while true do local x = s:upper() < s:reverse() end", TOO_LONG);
}

// Functions of Lua's library as the order of a sort run without any instruction of the scene.
static void test_sorts_by_library_functions(void** state)
{
    (void)state;
    ends("local s, t = ('x'):rep(1000000), {} for i = 1, 100000 do t[i] = s end table.sort(t, string.reverse)", TOO_LONG);
    ends("local t = {} for i = 1, 100000 do t[i] = 1000 end table.sort(t, string.rep)", "invalid order function");
    ends("local t = {} for i = 1, 100000 do t[i] = 3000000 end table.sort(t, string.rep)", "string.rep: the result is too large");
    ends("local s, t = ('0'):rep(1000000) .. '36', {} for i = 1, 99999 do t[i] = s end table.sort(t, tonumber)", TOO_LONG);
    ends("local s, t = ('x'):rep(1000000), {} for i = 1, 99999 do t[i] = s .. i%9 end table.sort(t)", "64 MB of memory");
    ends("local s, t = ('x'):rep(1000000), {} for i = 1, 99999 do t[i] = s end table.sort(t)", TOO_LONG);
}

// Memory that options and includes take outside Lua is the scene's too.
static void test_memory_outside_lua(void** state)
{
    (void)state;
    ends("local s = ('x'):rep(1000000) for i = 1, 1000 do option('o' .. i, s) end", "more than 64 MB of memory");
    ends("local s = ('x'):rep(1000000) pcall(function() for i = 1, 900 do option('o' .. i, s) end end)",
         "more than 64 MB of memory");
    ends("for i = 1, 1e9 do option('o' .. i, 1) end", "option: more than 1000 options");
    ends("local s = ('x'):rep(2e7)", "string.rep: the result is too large");
}

#define SMALL "domain = { size = { 1, 1 }, cells = 16 }, frames = { rate = 100, count = 1 }, "

// What is counted by the scene and looked at by us has a largest number.
static void test_numbers_of_things(void** state)
{
    (void)state;
    ends("local p = {} for i = 1, 99999 do p[i] = { kind = 'height', at = { 0.5, 0 } } end"
         " return scene { " SMALL "liquids = { pool { depth = 0.5 } }, probes = p }",
         "probes: has 99999 entries; at most 4096 are allowed");
    ends("local p = {} for i = 1, 30000 do p[i] = sphere { center = { math.random(), math.random() }, radius = 1e-5 } end"
         " return scene { " SMALL "liquids = p }",
         "liquids: has 30000 entries; at most 4096 are allowed");
}

// Whatever the checks after the script find to do, they end with their budget: here a search for the overlap of liquids of 90000
// parts each, which would take hours.
static void test_checks_have_a_budget(void** state)
{
    (void)state;
    const char* text = "local function cloud(x) local p = {} for i = 1, 45000 do"
                       " p[i] = sphere { center = { x + 1e-3*math.random(), 3 }, radius = 1e-3 } end return union(p) end"
                       " return scene { domain = { size = { 1, 1 }, cells = 2048 }, frames = { rate = 100, count = 1 },"
                       " liquids = { union { cloud(0), box { low = { 0, 0 }, high = { 0.5, 0.5 } } },"
                       " union { cloud(0), box { low = { 0, 0.5 }, high = { 0.5, 1 } } } } }";
    Budget before = budget_enter(2);
    double start = processor_seconds();
    bad_text(text, "takes more than 2 s to read");
    CHECK_LESS(processor_seconds() - start, 2 + SLACK);
    budget_leave(before);
}

// Functions of time have their own, shorter limits, in the run as in the check.
static void test_functions_of_time(void** state)
{
    (void)state;
    static const struct {
        const char *body, *says;
    } bad[] = {{ENDLESS "table.remove(t, 1)", "table.remove: the list has holes"},
               {"local s, q = ('x'):rep(1000000), {} for i = 1, 1000 do q[i] = s end table.sort(q, string.reverse)",
                "this function of time runs too long"},
               {"local s = '' while true do s = s .. 'xxxxxxxx' end", "this function of time runs too long"},
               {"local q = {} for i = 1, 1e9 do q[i] = ('x'):rep(1000000, i % 2 == 0 and '' or nil) end", "a.lua"}};
    for (size_t m = 0; m < sizeof bad/sizeof *bad; m++) {
        char text[4000];
        snprintf(text, sizeof text,
                 "return scene { " BOX POOL "solids = { box { low = { 0, 0 }, high = { mm(2), mm(2) },"
                 " position = function(time) if time > 0 then %s end return { 0, 0 } end } } }",
                 bad[m].body);
        write_text("a.lua", text);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 1);
        CHECK_MESSAGE(bad[m].says);
    }
}

// ---- meshes ------------------------------------------------------------------------------------------------------------------

#define TANK "domain = { size = { mm(40), mm(40), mm(40) }, cells = 16 }, frames = { rate = 100, count = 2 }, "
#define MESH_SCENE(mesh) "return scene { " TANK "liquids = { pool { depth = mm(5) } }, solids = { mesh { " mesh " } } }"

static const char cube[] = "v 0.01 0.01 0.01\nv 0.02 0.01 0.01\nv 0.02 0.02 0.01\nv 0.01 0.02 0.01\n"
                           "v 0.01 0.01 0.02\nv 0.02 0.01 0.02\nv 0.02 0.02 0.02\nv 0.01 0.02 0.02\n"
                           "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

// Triangles that all lie in one place leave a tree nothing to tell apart: every distance asks all of them.
static void test_mesh_in_one_place(void** state)
{
    (void)state;
    FILE* f = fopen(in("same.obj"), "w");
    assert_non_null(f);
    fputs("v 0.01 0.01 0.01\nv 0.03 0.01 0.02\nv 0.02 0.03 0.01\nv 0.02 0.02 0.03\n", f);
    for (int m = 0; m < 20000; m++) fputs("f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", f);
    fclose(f);
    write_text("a.lua", MESH_SCENE("file = 'same.obj'"));
    Scene s;
    Budget before = budget_enter(1);
    double start = processor_seconds();
    mn_status status = scene_load(&s, in("a.lua"), NULL);
    CHECK_LESS(processor_seconds() - start, 1 + SLACK);
    budget_leave(before);
    check_message(status, MN_BAD_MESH, "the distances to a mesh of 80000 triangles take too long");
}

// Coordinates whose differences and squares are no numbers any more, and samples that are no time apart.
static void test_numbers_of_meshes(void** state)
{
    (void)state;
    write_text("far.obj", "v 1e308 0 0\nv -1e308 0 0\nv 0 1e308 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n");
    write_text("a.lua", MESH_SCENE("file = 'far.obj'"));
    CHECK_CODE(COMMAND("check", in("a.lua")), 1);
    CHECK_MESSAGE("far.obj:1: expected a vertex");
    write_text("cube.obj", cube);
    char cache[32 + 2*8*12] = "POINTCACHE2";
    float rate = 1e-30f;
    memcpy(cache + 12, (int32_t[2]){1, 8}, 8);
    memcpy(cache + 24, &rate, 4);
    memcpy(cache + 28, (int32_t[1]){2}, 4);
    write_bytes("tiny.pc2", cache, sizeof cache);
    write_text("a.lua", MESH_SCENE("file = 'cube.obj', cache = 'tiny.pc2', cache_rate = 1e300"));
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o")), 1);
    CHECK_MESSAGE("tiny.pc2: its samples would be 0 s apart");
}

// ---- files that are none -----------------------------------------------------------------------------------------------------

static void make_socket(const char* path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr*)&address, sizeof address), 0);
    close(fd);
}

// Puts a FIFO, a socket, a folder or a link to a device without an end in the place of a file.
static const char* const impostors[] = {"a FIFO", "a socket", "a folder", "a device"};
static void put_impostor(const char* name, int which)
{
    char line[600];
    snprintf(line, sizeof line, "rm -rf '%s'", in(name));
    assert_int_equal(system(line), 0);
    if (which == 0) assert_int_equal(mkfifo(in(name), 0600), 0);
    if (which == 1) make_socket(in(name));
    if (which == 2) assert_int_equal(mkdir(in(name), 0700), 0);
    if (which == 3) assert_int_equal(symlink("/dev/zero", in(name)), 0);
}

static void refused(mn_status status, const char* name, int which, const char* expected)
{
    char words[200];
    snprintf(words, sizeof words, "%s: is %s; expected %s", name, impostors[which], expected);
    assert_int_not_equal(status, MN_OK);
    if (!strstr(mn_last_error(), words)) fail_msg("wanted \"%s\" in: %s", words, mn_last_error());
}

// None of them is waited for or read: scenes, includes, meshes, caches.
static void test_scenes_and_meshes_that_are_no_files(void** state)
{
    (void)state;
    const SceneTerms anywhere = {.allow_outside = true};  // /dev/zero lies outside
    for (int which = 0; which < 4; which++) {
        Scene s;
        put_impostor("x.lua", which);
        refused(scene_load(&s, in("x.lua"), &anywhere), "x.lua", which, "a scene");
        write_text("a.lua", "include('x.lua')");
        refused(scene_load(&s, in("a.lua"), &anywhere), "x.lua", which, "a scene");
        put_impostor("x.obj", which);
        write_text("a.lua", MESH_SCENE("file = 'x.obj'"));
        refused(scene_load(&s, in("a.lua"), &anywhere), "x.obj", which, "an OBJ or PLY file");
        put_impostor("x.pc2", which);
        write_text("cube.obj", cube);
        write_text("a.lua", MESH_SCENE("file = 'cube.obj', cache = 'x.pc2', cache_rate = 10"));
        refused(scene_load(&s, in("a.lua"), &anywhere), "x.pc2", which, "a PC2 vertex cache");
        put_impostor("walk_1.obj", which);
        write_text("a.lua", MESH_SCENE("file = 'walk_#.obj', cache_rate = 10"));
        refused(scene_load(&s, in("a.lua"), &anywhere), "walk_1.obj", which, "an OBJ or PLY file");
    }
}

// Nor are files of a run: frames, tables, run.json, checkpoints.
static void test_results_that_are_no_files(void** state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        PlyFile* ply;
        CsvTable table;
        RunFiles run;
        put_impostor("surface_0000.ply", which);
        refused(plyfile_read(&ply, in("surface_0000.ply")), "surface_0000.ply", which, "a file of a run");
        put_impostor("table.csv", which);
        refused(csv_read(&table, in("table.csv")), "table.csv", which, "a file of a run");
        put_impostor("run.json", which);
        refused(runfiles_open(&run, in(".")), "run.json", which, "a file of a run");
    }
}

// The same by the commands that read them, which would hang for ever.
static void test_commands_on_results_that_are_no_files(void** state)
{
    (void)state;
    static const struct {
        const char *name, *command, *option;
    } files[] = {{"checkpoint.h5", "run", "--resume"},
                 {"table.csv", "run", "--resume"},
                 {"table.csv", "plot", "--what=volume"},
                 {"run.json", "plot", "--what=volume"},
                 {"surface_0000.ply", "export", "--to=obj"}};
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    for (size_t m = 0; m < sizeof files/sizeof *files; m++) {
        char path[64];
        copy_folder("o", "whole");
        unlink(in("o/checkpoint_previous.h5"));
        snprintf(path, sizeof path, "o/%s", files[m].name);
        put_impostor(path, 0);
        bool runs = strcmp(files[m].command, "run") == 0;
        if (runs) CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", files[m].option), 1);
        else CHECK_CODE(COMMAND(files[m].command, in("o"), files[m].option), 1);
        CHECK_MESSAGE("is a FIFO; expected a ");
        CHECK_SAYS(err, files[m].name);
    }
}

// ---- outside the scene's folder ----------------------------------------------------------------------------------------------

// A scene reads below its own folder; what leads out of it, by .. or a link, needs the user's word.
static void test_outside(void** state)
{
    (void)state;
    static const char* const scenes[] = {MESH_SCENE("file = '../cube.obj'"),
                                         MESH_SCENE("file = 'link.obj'"),
                                         MESH_SCENE("file = 'linked/cube.obj'"),
                                         MESH_SCENE("file = 'walk_#.obj', cache_rate = 1"),
                                         MESH_SCENE("file = '../walk_#.obj', cache_rate = 1"),
                                         "return include('linked/b.lua')",
                                         "return include('../b.lua')"};
    assert_int_equal(mkdir(in("scenes"), 0700), 0);
    write_text("cube.obj", cube);
    write_text("walk_1.obj", cube);
    write_text("scenes/inside.obj", cube);
    write_text("b.lua", "return scene { " TANK "liquids = { pool { depth = mm(5) } } }");
    assert_int_equal(symlink("../cube.obj", in("scenes/link.obj")), 0);
    assert_int_equal(symlink("../cube.obj", in("scenes/walk_1.obj")), 0);
    assert_int_equal(symlink("..", in("scenes/linked")), 0);
    for (size_t m = 0; m < sizeof scenes/sizeof *scenes; m++) {
        write_text("scenes/a.lua", scenes[m]);
        CHECK_CODE(COMMAND("check", in("scenes/a.lua")), 1);
        CHECK_MESSAGE(m + 1 < sizeof scenes/sizeof *scenes ? "--allow-outside" : "in the scene's folder or below it");
        CHECK_CODE(COMMAND("check", in("scenes/a.lua"), "--allow-outside"), 0);
    }
    write_text("scenes/a.lua", MESH_SCENE("file = '../cube.obj'"));
    CHECK_CODE(COMMAND("run", in("scenes/a.lua"), "-o", in("o"), "--frames", "1", "--quiet", "--threads", "1"), 1);
    CHECK_MESSAGE("a.lua:1: solids[1].file: ../cube.obj lies outside the scene's folder; --allow-outside");
    CHECK_CODE(COMMAND("run", in("scenes/a.lua"), "-o", in("o"), "--frames", "1", "--quiet", "--threads", "1", "--allow-outside"),
               0);
    write_text("scenes/a.lua", MESH_SCENE("file = '../scenes/inside.obj'"));
    CHECK_CODE(COMMAND("check", in("scenes/a.lua")), 0);
    how.here = true;
    write_text("here.lua", MESH_SCENE("file = 'cube.obj'"));
    CHECK_CODE(COMMAND("check", "here.lua"), 0);
}

// ---- words -------------------------------------------------------------------------------------------------------------------

// An error may call itself by the name we give files; numbers of files that are none lead nowhere.
static void test_names_of_files_in_errors(void** state)
{
    (void)state;
    static const char* const numbers[] = {"-5", "-2000000000", "2000000000", "99999999999999999999", "1", "", "x", "0x7"};
    for (size_t m = 0; m < sizeof numbers/sizeof *numbers; m++) {
        char text[100];
        snprintf(text, sizeof text, "error('[scene%s]: hello', 0)", numbers[m]);
        bad_text(text, "dir/x.lua: hello");
    }
    bad_text("error('[scene1] hello', 0)", "dir/x.lua: [scene1] hello");
}

// A file that could not be included is no part of the scene, also when the scene goes on.
static void test_missing_include_caught(void** state)
{
    (void)state;
    Scene s;
    write_text("a.lua", "for i = 1, 100 do pcall(include, 'missing.lua') end return scene { " SMALL
                        "liquids = { pool { depth = 0.5 } } }");
    CHECK_OK(scene_load(&s, in("a.lua"), NULL));
    assert_int_equal(s.files->count, 1);
    scene_free(&s);
}

// No address of memory is to be had.
static void test_no_addresses(void** state)
{
    (void)state;
    ends("error(string.format('\\0%p', 'abc'):sub(2))", "%p is not available");
    ends("error(string.format('%d%%%-5p', 1, 'abc'))", "%p is not available");
}

// Nothing that a scene, or the name of a file, says can give orders to a terminal.
static void test_control_characters(void** state)
{
    (void)state;
    ends("error('\\27[31mred\\7\\n\\n fake: line', 0)", "dir/x.lua: \\x1b[31mred\\x07\\n\\n fake: line");
    ends("error('\\xc2\\x9b31m \\x80 \\xe2\\x80\\xae \\127', 0)", "dir/x.lua: \\u009b31m \\x80 \\u202e \\x7f");
    ends("option('a\\27', 1)", "has control characters");
    ends("option('a', '\\27')", "has control characters");
    ends("return scene { ['\\27[2J'] = 1 }", "\\x1b[2J: unknown key");
    write_text("a.lua", "return scene { title = '\\27]0;x\\7title', " SMALL "liquids = { pool { depth = 0.5 } } }");
    CHECK_CODE(COMMAND("check", in("a.lua")), 0);
    CHECK_SAYS(out, "\\x1b]0;x\\x07title\n");
    CHECK_CODE(COMMAND("check", in("\033[31mred.lua")), 1);
    CHECK_MESSAGE("\\x1b[31mred.lua: No such file");
    CHECK_CODE(COMMAND("check", "--\033[31mred"), 2);
    CHECK_MESSAGE("\\x1b[31mred");
}

// Letters of all the world stay as they are; what does not fit is cut between letters.
static void test_plain_text(void** state)
{
    (void)state;
    char text[16];
    text_plain(text, sizeof text, "Größe 水 ½");
    assert_string_equal(text, "Größe 水 ½");
    text_plain(text, 4, "水水");
    assert_string_equal(text, "水");
    text_plain(text, 3, "水");
    assert_string_equal(text, "");
    text_plain(text, sizeof text, "\xed\xa0\x80");  // half of a UTF-16 pair
    assert_string_equal(text, "\\xed\\xa0\\x80");
    text_plain(text, sizeof text, "\xc0\xaf\xf0\x9f");  // a long form, and a character cut short
    assert_string_equal(text, "\\xc0\\xaf\\xf0");
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_without_end),
        cmocka_unit_test(test_work_inside_the_library),
        cmocka_unit_test(test_sorts_by_library_functions),
        cmocka_unit_test(test_memory_outside_lua),
        cmocka_unit_test(test_numbers_of_things),
        cmocka_unit_test(test_checks_have_a_budget),
        IN_FOLDER(test_functions_of_time),
        IN_FOLDER(test_mesh_in_one_place),
        IN_FOLDER(test_numbers_of_meshes),
        IN_FOLDER(test_scenes_and_meshes_that_are_no_files),
        IN_FOLDER(test_results_that_are_no_files),
        IN_FOLDER(test_commands_on_results_that_are_no_files),
        IN_FOLDER(test_outside),
        cmocka_unit_test(test_names_of_files_in_errors),
        IN_FOLDER(test_missing_include_caught),
        cmocka_unit_test(test_no_addresses),
        IN_FOLDER(test_control_characters),
        cmocka_unit_test(test_plain_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
