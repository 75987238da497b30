// The command as people use it: every test runs the built program and looks at what it says, returns and leaves behind.
#include "moving_cube.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_PER_COMMAND = 100, ROOM = 1 << 16 };

// ---- a folder per test -----------------------------------------------------------------------------------------------------

static char base[64];

static int make_folder(void** state)
{
    (void)state;
    snprintf(base, sizeof base, "/tmp/meniscus_cli_XXXXXX");
    return mkdtemp(base) ? 0 : -1;
}

static int remove_folder(void** state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -r '%s'", base);
    return system(line);
}

// Path in the test's folder; the last 16 stay valid.
static const char* in(const char* name)
{
    static char path[16][512];
    static int turn;
    turn = (turn + 1)%16;
    snprintf(path[turn], sizeof path[turn], "%s/%.400s", base, name);
    return path[turn];
}

static bool exists(const char* name) { return access(in(name), F_OK) == 0; }

static void write_bytes(const char* name, const char* data, size_t size)
{
    FILE* f = fopen(in(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}

static void write_text(const char* name, const char* text) { write_bytes(name, text, strlen(text)); }

// The whole file, 0 after its last byte; caller frees.
static char* contents(const char* name, size_t* size)
{
    FILE* f = fopen(in(name), "rb");
    if (!f) fail_msg("%s is missing", name);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char* data = calloc(*size + 1, 1);
    assert_int_equal(fread(data, 1, *size, f), *size);
    fclose(f);
    return data;
}

static void copy_folder(const char* to, const char* from)
{
    char line[1200];
    snprintf(line, sizeof line, "rm -rf '%s' && cp -r '%s' '%s'", in(to), in(from), in(to));
    assert_int_equal(system(line), 0);
}

// ---- running the command -----------------------------------------------------------------------------------------------------

// What the last command printed.
static char out[ROOM], err[ROOM];

// How the next command is started; put back to zeros by it.
static struct {
    long file_limit;       // bytes per file, as on a disk that is full; 0: none
    int send, after_line;  // signal sent after this many lines of stderr
    bool terminal;         // stderr is one
    bool here;             // run in the test's folder
    bool deaf;             // stdout takes nothing: a file on a full disk
} how;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

static void become_command(char** argv, int to_out, int to_err)
{
    dup2(how.deaf ? open("/dev/full", O_WRONLY) : to_out, 1);
    dup2(to_err, 2);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    if (how.file_limit > 0) {
        struct rlimit limit = {(rlim_t)how.file_limit, (rlim_t)how.file_limit};
        signal(SIGXFSZ, SIG_IGN);  // survives exec: writing then fails with an error, as it does on a full disk
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (how.here && chdir(base) != 0) _exit(126);
    execv(MN_COMMAND, argv);
    _exit(127);
}

static int count_lines(const char* text)
{
    int count = 0;
    for (const char* c = text; *c; c++) count += *c == '\n';
    return count;
}

// Reads both pipes to their ends; false when time is up.
static bool listen_to(pid_t child, int from_out, int from_err)
{
    struct pollfd pipes[2] = {{.fd = from_out, .events = POLLIN}, {.fd = from_err, .events = POLLIN}};
    char* text[2] = {out, err};
    size_t used[2] = {0, 0};
    double end = now() + SECONDS_PER_COMMAND;
    while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
        if (now() > end) return false;
        if (poll(pipes, 2, 200) <= 0) continue;
        for (int p = 0; p < 2; p++) {
            if (pipes[p].fd < 0 || !pipes[p].revents) continue;
            char block[4096];
            ssize_t got = read(pipes[p].fd, block, sizeof block);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) {  // the end; a terminal says EIO
                pipes[p].fd = -1;
                continue;
            }
            size_t kept = used[p] + (size_t)got < ROOM ? (size_t)got : ROOM - 1 - used[p];
            memcpy(text[p] + used[p], block, kept);
            used[p] += kept;
            text[p][used[p]] = 0;
            if (how.send && count_lines(err) >= how.after_line) {
                kill(child, how.send);
                how.send = 0;
            }
        }
    }
    return true;
}

// Runs the command with these words and returns its exit code, or -(signal) when one ended it.
static int run_words(char** argv)
{
    out[0] = err[0] = 0;
    int a[2], b[2];
    assert_int_equal(pipe(a), 0);
    if (how.terminal) {
        b[0] = posix_openpt(O_RDWR | O_NOCTTY);
        assert_true(b[0] >= 0 && grantpt(b[0]) == 0 && unlockpt(b[0]) == 0);
        b[1] = open(ptsname(b[0]), O_RDWR | O_NOCTTY);
    } else {
        assert_int_equal(pipe(b), 0);
    }
    for (int m = 0; m < 2; m++) fcntl(a[m], F_SETFD, FD_CLOEXEC), fcntl(b[m], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) become_command(argv, a[1], b[1]);
    close(a[1]), close(b[1]);
    bool done = listen_to(child, a[0], b[0]);
    if (!done) kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    close(a[0]), close(b[0]);
    memset(&how, 0, sizeof how);
    if (!done) fail_msg("still running after %d s; it said: %s%s", SECONDS_PER_COMMAND, out, err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int command(const char* first, ...)
{
    char* argv[24] = {"meniscus"};
    int count = 1;
    va_list words;
    va_start(words, first);
    for (const char* word = first; word && count < 23; word = va_arg(words, const char*)) argv[count++] = (char*)word;
    va_end(words);
    return run_words(argv);
}
#define COMMAND(...) command(__VA_ARGS__, (char*)NULL)

static void check_code_(int got, int expected, int line)
{
    if (got == expected) return;
    print_error("exit code: got %d, expected %d\n  stdout: %s\n  stderr: %s\n", got, expected, out, err);
    _fail(__FILE__, line);
}
#define CHECK_CODE(call, expected) check_code_(call, expected, __LINE__)

static void check_says_(const char* text, const char* needle, int line)
{
    if (strstr(text, needle)) return;
    print_error("expected \"%s\" in: %s\n", needle, text);
    _fail(__FILE__, line);
}
#define CHECK_SAYS(text, needle) check_says_(text, needle, __LINE__)

// Nothing on stdout; one line "meniscus: ..." on stderr that holds the words; only a usage text may follow.
static void check_message_(const char* words, int line)
{
    const char* rest = strchr(err, '\n');
    bool single = rest && (!rest[1] || strncmp(rest + 1, "usage:", 6) == 0);
    bool again = strstr(err, "\nmeniscus: ") != NULL;
    if (strncmp(err, "meniscus: ", 10) != 0 || !single || again || out[0] != 0) {
        print_error("expected one line \"meniscus: ...\"\n  stdout: %s\n  stderr: %s\n", out, err);
        _fail(__FILE__, line);
    }
    check_says_(err, words, line);
}
#define CHECK_MESSAGE(words) check_message_(words, __LINE__)

// ---- results -----------------------------------------------------------------------------------------------------------------

// A drop and a pool that merge within four frames.
static const char splash[] =
    "return scene { title = 'Tiny splash', domain = { size = { mm(16), mm(16) }, cells = 32 },\n"
    "  liquids = { pool { depth = mm(4) }, sphere { center = { mm(8), mm(10) }, radius = mm(2.5), velocity = { 0, -1 } } },\n"
    "  probes = { { name = 'floor', kind = 'pressure', at = { mm(8), 0 } }, { name = 'top', kind = 'height', at = { mm(8), 0 } } "
    "},\n"
    "  frames = { rate = 500, count = 4, checkpoint_every = 1 } }\n";

// The same with many small steps, so that a signal arrives while it runs.
static const char slow_splash[] =
    "return scene { title = 'Slow splash', domain = { size = { mm(16), mm(16) }, cells = 16 },\n"
    "  liquids = { pool { depth = mm(4) }, sphere { center = { mm(8), mm(10.5) }, radius = mm(4), velocity = { 0, -1 } } },\n"
    "  probes = { { name = 'floor', kind = 'pressure', at = { mm(8), 0 } } }, numerics = { max_dt = 2e-5 },\n"
    "  frames = { rate = 500, count = 4, checkpoint_every = 100 } }\n";

// Index of a column in the first row of a table; -1 if there is none.
static int column(const char* table, const char* name)
{
    int index = 0;
    size_t length = strlen(name);
    for (const char* c = table;; c++) {
        if (strncmp(c, name, length) == 0 && (c[length] == ',' || c[length] == '\n')) return index;
        c += strcspn(c, ",\n");
        if (*c != ',') return -1;
        index++;
    }
}

// Cuts the column out of every row, in place.
static void drop_column(char* table, int index)
{
    char* to = table;
    int at = 0;
    for (const char* c = table; *c; c++) {
        if (at != index || *c == '\n') *to++ = *c;
        if (*c == ',') at++;
        if (*c == '\n') at = 0;
    }
    *to = 0;
}

static double column_sum(const char* table, const char* name)
{
    int index = column(table, name);
    assert_true(index >= 0);
    double sum = 0;
    for (const char* row = strchr(table, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        const char* c = row + 1;
        for (int m = 0; m < index; m++) c = strchr(c, ',') + 1;
        sum += atof(c);
    }
    return sum;
}

static bool same_every_time(const char* name)
{
    return name[0] != '.' && strcmp(name, "run.json") != 0 && strncmp(name, "checkpoint", 10) != 0;
}

static int count_results(const char* folder)
{
    DIR* d = opendir(in(folder));
    assert_non_null(d);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(d));) count += same_every_time(entry->d_name);
    closedir(d);
    return count;
}

// Every file but run.json and the checkpoints is the same to the byte; of table.csv all but wall_time.
static void check_same_results(const char* a, const char* b)
{
    assert_int_equal(count_results(a), count_results(b));
    DIR* d = opendir(in(a));
    for (struct dirent* entry; (entry = readdir(d));) {
        if (!same_every_time(entry->d_name)) continue;
        char one[300], two[300];
        snprintf(one, sizeof one, "%s/%.200s", a, entry->d_name);
        snprintf(two, sizeof two, "%s/%.200s", b, entry->d_name);
        size_t n, m;
        char *x = contents(one, &n), *y = contents(two, &m);
        if (strcmp(entry->d_name, "table.csv") == 0) {
            drop_column(x, column(x, "wall_time")), drop_column(y, column(y, "wall_time"));
            n = strlen(x), m = strlen(y);
        }
        if (n != m || memcmp(x, y, n) != 0) fail_msg("%s differs between %s and %s", entry->d_name, a, b);
        free(x), free(y);
    }
    closedir(d);
}

// No file is half-written: nothing temporary, tables end with whole rows, meshes and run.json are whole.
static void check_nothing_half_written(const char* folder)
{
    DIR* d = opendir(in(folder));
    if (!d) return;
    for (struct dirent* entry; (entry = readdir(d));) {
        const char* name = entry->d_name;
        if (name[0] == '.' && strlen(name) < 3) continue;
        if (strstr(name, ".tmp") || strstr(name, "_new")) fail_msg("%s/%s is left over", folder, name);
        char path[300];
        snprintf(path, sizeof path, "%s/%.200s", folder, name);
        size_t size;
        char* data = contents(path, &size);
        if (strstr(name, ".csv")) {
            if (size == 0 || data[size - 1] != '\n') fail_msg("%s: the last row is not whole", path);
        } else if (size == 0) {
            fail_msg("%s is empty", path);
        } else if (strcmp(name, "run.json") == 0) {
            json_t* o = json_loads(data, 0, NULL);
            if (!o) fail_msg("%s cannot be read", path);
            json_decref(o);
        }
        free(data);
    }
    closedir(d);
}

// A text of run.json, in a static buffer.
static const char* run_json(const char* folder, const char* key)
{
    static char value[4096];
    char path[300];
    snprintf(path, sizeof path, "%.200s/run.json", folder);
    size_t size;
    char* data = contents(path, &size);
    json_t* o = json_loads(data, 0, NULL);
    assert_non_null(o);
    const json_t* v = json_object_get(o, key);
    if (json_is_string(v)) snprintf(value, sizeof value, "%s", json_string_value(v));
    else snprintf(value, sizeof value, "%lld", (long long)json_integer_value(v));
    json_decref(o);
    free(data);
    return value;
}

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
    CHECK_CODE(COMMAND("check", "--frob"), 1);  // read as a file name
    CHECK_MESSAGE("--frob");
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
    } cases[] = {{"", "", "auto picks implicit: the flow allows steps of"},
                 {"", "max_dt = 1e-5", "auto picks explicit: the flow allows steps of"},
                 {"", "tension = 'explicit'", "surface tension: explicit: the flow"},
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
        free(json);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--quiet"), 0);
        assert_string_equal(err, "");
        CHECK_CODE(COMMAND("check", in("a.lua")), 0);
        CHECK_SAYS(out, "steps       about ");
        CHECK_SAYS(out, m == 3 ? "no liquid has" : "capillary time sqrt(rho dx^3/(4 pi sigma)) = 0.000131 s");
    }
}

// The messages of render look like those of the other parts.
static void test_wrong_words_to_render(void** state)
{
    (void)state;
    CHECK_CODE(COMMAND("render", in("nowhere")), 1);
    CHECK_MESSAGE("nowhere");
    CHECK_CODE(COMMAND("render", "--frob"), 2);
    CHECK_MESSAGE("--frob");
    CHECK_CODE(COMMAND("render", in("nowhere"), "--size", "3"), 2);
    CHECK_MESSAGE("--size");
    CHECK_CODE(COMMAND("render"), 2);
    CHECK_MESSAGE("directory");
}

// Curves of one run and of two, as PNG and as SVG, and a strip; without --out the file lands in the run's folder, and its name is
// told.
static void test_plot(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("one"), "--quiet"), 0);
    copy_folder("two", "one");
    CHECK_CODE(COMMAND("plot", in("one")), 0);
    CHECK_SAYS(out, "one/plot.png");
    assert_string_equal(err, "");
    assert_true(exists("one/plot.png"));
    CHECK_CODE(COMMAND("plot", in("one"), in("two"), "--what", "energy,stages", "--out", in("both.svg"), "--size", "700x500"), 0);
    size_t n;
    char* svg = contents("both.svg", &n);
    CHECK_SAYS(svg, "width=\"700\"");
    CHECK_SAYS(svg, ">one<");
    CHECK_SAYS(svg, ">two<");
    CHECK_SAYS(svg, "Kinetic energy");
    assert_null(strstr(svg, "Volume error"));
    free(svg);
    CHECK_CODE(COMMAND("plot", in("one"), "--strip", "8mm"), 0);
    assert_true(exists("one/strip.png"));
    // a new run in the folder leaves no plot of the old one
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("one"), "--frames", "1", "--quiet"), 0);
    assert_false(exists("one/plot.png") || exists("one/strip.png"));
}

// A scene that asks for pictures gets them while it runs, the frames it names; stopping and going on makes no difference.
static void test_pictures_of_a_run(void** state)
{
    (void)state;
    char scene[2000];
    snprintf(scene, sizeof scene, "%.*s, pictures = { width = 120, height = 90, every = 2, style = 'section' } }\n",
             (int)(strrchr(splash, '}') - splash), splash);
    write_text("a.lua", scene);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--quiet", "--frames", "2"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--quiet", "--resume"), 0);
    for (int frame = 0; frame <= 4; frame++) {
        char whole[64], parts[64];
        snprintf(whole, sizeof whole, "whole/pictures/frame_%04d.png", frame);
        snprintf(parts, sizeof parts, "parts/pictures/frame_%04d.png", frame);
        assert_int_equal(exists(whole), frame%2 == 0);
        if (frame%2 != 0) continue;
        size_t n, m;
        char *a = contents(whole, &n), *b = contents(parts, &m);
        assert_true(n == m && memcmp(a, b, n) == 0);
        assert_int_equal((unsigned char)a[19], 120);  // width and height, in a PNG's first chunk
        assert_int_equal((unsigned char)a[23], 90);
        free(a), free(b);
    }
}

// What is missing or damaged is named, exit code 1, and no plot is left behind.
static void test_plot_of_damaged_run(void** state)
{
    (void)state;
    static const struct {
        const char *file, *text, *what, *named;
    } damage[] = {{"run.json", NULL, "all", "run.json"},
                  {"run.json", "{\"dim\": 2}", "stages", "stage_seconds"},
                  {"run.json", "{\"dim\": 2", "energy", "run.json"},
                  {"table.csv", NULL, "energy", "table.csv"},
                  {"table.csv", "", "energy", "table.csv"},
                  {"table.csv", "t,kinetic_energy\n", "energy", "no rows"},
                  {"table.csv", "t,energy\n0,1\n", "energy", "'kinetic_energy'"},
                  {"table.csv", "t,kinetic_energy\n0,1\n1", "energy", "cut short"},
                  {"liquids.csv", NULL, "centroid", "liquids.csv"},
                  {"liquids.csv", "frame,t\n1,soon\n", "centroid", "'soon'"}};
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("good"), "--quiet", "--frames", "1"), 0);
    for (size_t m = 0; m < sizeof damage/sizeof *damage; m++) {
        char path[300];
        copy_folder("bad", "good");
        snprintf(path, sizeof path, "bad/%s", damage[m].file);
        if (damage[m].text) write_text(path, damage[m].text);
        else unlink(in(path));
        CHECK_CODE(COMMAND("plot", in("good"), in("bad"), "--what", damage[m].what, "--out", in("p.png")), 1);
        CHECK_MESSAGE(damage[m].named);
        assert_false(exists("p.png"));
    }
    copy_folder("bad", "good");
    unlink(in("bad/surface_0000.ply"));
    CHECK_CODE(COMMAND("plot", in("bad"), "--strip", "8mm"), 1);
    CHECK_MESSAGE("surface_0000.ply");
    CHECK_CODE(COMMAND("plot", in("good"), "--strip", "100"), 1);
    CHECK_MESSAGE("meniscus render");
    CHECK_CODE(COMMAND("plot", in("nowhere")), 1);
    CHECK_MESSAGE("nowhere/run.json");
    CHECK_CODE(COMMAND("plot", in("good"), "--size", "60x60"), 2);
    CHECK_MESSAGE("60 x 60");
    how.file_limit = 2000;
    CHECK_CODE(COMMAND("plot", in("good"), "--out", in("p.svg")), 1);
    CHECK_MESSAGE("p.svg");
    how.file_limit = 2000;
    CHECK_CODE(COMMAND("plot", in("good"), "--out", in("p.png")), 1);
    CHECK_MESSAGE("p.png");
    assert_false(exists("p.png") || exists("p.svg") || exists("p.svg.tmp") || exists("bad/strip.png") || exists("good/plot.png"));
    check_nothing_half_written("good");
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

// ---- run ---------------------------------------------------------------------------------------------------------------------

// A run leaves the tables with the columns that scripts rely on, a surface per frame and a run.json that says it is finished.
static void test_run_leaves_files(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("deep/o"), "--threads", "1"), 0);
    static const char* const names[] = {"table.csv",        "liquids.csv",      "probes.csv",
                                        "run.json",         "checkpoint.h5",    "checkpoint_previous.h5",
                                        "surface_0000.ply", "surface_0001.ply", "surface_0002.ply",
                                        "surface_0003.ply", "surface_0004.ply"};
    char path[64];
    for (size_t m = 0; m < sizeof names/sizeof *names; m++) {
        snprintf(path, sizeof path, "deep/o/%s", names[m]);
        if (!exists(path)) fail_msg("%s is missing", path);
    }
    assert_false(exists("deep/o/surface_0005.ply"));
    check_nothing_half_written("deep/o");
    size_t size;
    char* table = contents("deep/o/table.csv", &size);
    static const char columns[] = "step,t,dt,liquids,volume,spray_volume,outflow,ledger_error,volume_correction,kinetic_energy,"
                                  "surface_area,max_speed,iterations,residual,wall_time";
    assert_memory_equal(table, columns, strlen(columns));
    assert_true(table[strlen(columns)] == ',' || table[strlen(columns)] == '\n');
    CHECK_CLOSE(column_sum(table, "dt"), 0.008, 1e-12);  // four frames of 2 ms
    assert_true(column_sum(table, "merges") == 1);
    char steps[32];
    snprintf(steps, sizeof steps, "%d", count_lines(table) - 1);
    assert_string_equal(run_json("deep/o", "steps"), steps);
    char* liquids = contents("deep/o/liquids.csv", &size);
    static const char liquid_columns[] = "frame,t,id,volume,target_volume,cx,cy,cz,vx,vy,vz,xmin,ymin,zmin,xmax,ymax,zmax,area\n";
    assert_memory_equal(liquids, liquid_columns, strlen(liquid_columns));
    char* probes = contents("deep/o/probes.csv", &size);
    assert_memory_equal(probes, "step,t,floor,top\n1,", 19);
    assert_int_equal(count_lines(probes), count_lines(table));
    assert_string_equal(run_json("deep/o", "status"), "finished");
    assert_string_equal(run_json("deep/o", "title"), "Tiny splash");
    assert_string_equal(run_json("deep/o", "frames"), "5");
    free(table), free(liquids), free(probes);
}

// Not on a terminal: a plain line per frame, on stderr. On one: the same line rewritten. --quiet: not a byte.
static void test_progress(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1"), 0);
    assert_string_equal(out, "");
    assert_int_equal(count_lines(err), 5);
    assert_null(strchr(err, '\r'));
    assert_null(strchr(err, '\033'));
    assert_memory_equal(err, "surface tension: ", 17);
    const char* line = strchr(err, '\n') + 1;
    for (int frame = 1; frame <= 4; frame++, line = strchr(line, '\n') + 1) {
        char start[32];
        snprintf(start, sizeof start, "frame %d/4  t ", frame);
        assert_memory_equal(line, start, strlen(start));
    }
    static const char* const words[] = {" dt ", " iterations", "volume error ", " left "};
    for (int m = 0; m < 4; m++) CHECK_SAYS(err, words[m]);
    how.terminal = true;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1"), 0);
    assert_int_equal(count_lines(err), 2);
    CHECK_SAYS(err, "\r\033[Kframe 4/4");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    assert_string_equal(out, "");
    assert_string_equal(err, "");
}

// --frames counts instead of the scene; a shorter run in the same folder leaves none of the longer one's frames.
// Without -o the results go to out/NAME.
static void test_frames_and_folder(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    how.here = true;
    CHECK_CODE(COMMAND("run", "a.lua", "--frames", "2", "--threads", "1"), 0);
    CHECK_SAYS(err, "frame 2/2");
    assert_true(exists("out/a/surface_0002.ply"));
    assert_false(exists("out/a/surface_0003.ply"));
    how.here = true;
    CHECK_CODE(COMMAND("run", "a.lua", "--frames", "1", "--threads", "1", "--quiet"), 0);
    assert_true(exists("out/a/surface_0001.ply"));
    assert_false(exists("out/a/surface_0002.ply"));
    assert_string_equal(run_json("out/a", "frames"), "2");
}

// The same bytes from one thread and from two, through a split by a blade, spray, and merging with the pool.
static void test_same_bytes_from_one_and_two_threads(void** state)
{
    (void)state;
    write_text("a.lua", "return scene { domain = { size = { mm(16), mm(16) }, cells = 32 }, frames = { rate = 500, count = 5 },\n"
                        "  liquids = { pool { depth = mm(2) }, sphere { center = { mm(8), mm(11.5) }, radius = mm(2), velocity = "
                        "{ 0, -1.5 } } },\n"
                        "  solids = { box { low = { mm(7.5), mm(6) }, high = { mm(8.5), mm(8.5) }, name = 'blade' } },\n"
                        "  probes = { { name = 'v', kind = 'velocity', at = { mm(8), mm(2) } } } }");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("one"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("two"), "--threads", "2", "--quiet"), 0);
    size_t size;
    char* table = contents("one/table.csv", &size);
    assert_true(count_lines(table) > 15);
    assert_true(column_sum(table, "splits") >= 1);
    assert_true(column_sum(table, "merges") >= 1);
    free(table);
    check_same_results("one", "two");
}

// ---- Ctrl-C and --resume -----------------------------------------------------------------------------------------------------

// Ctrl-C ends with 130 and a word about --resume; the resumed run leaves the bytes of one that was never stopped.
static void test_interrupted_and_resumed(void** state)
{
    (void)state;
    write_text("a.lua", slow_splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    how.send = SIGINT, how.after_line = 1;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1"), 130);
    CHECK_SAYS(err, "\nmeniscus: stopped at t = ");
    CHECK_SAYS(err, "--resume");
    assert_string_equal(run_json("parts", "status"), "stopped");
    check_nothing_half_written("parts");
    assert_false(exists("parts/surface_0004.ply"));
    how.send = SIGTERM, how.after_line = 1;  // a second stop, by the other signal
    int code = COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--resume");
    assert_true(code == 130 || code == 0);  // it may have been in its last frame
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--resume", "--quiet"), 0);
    assert_string_equal(err, "");
    assert_string_equal(run_json("parts", "status"), "finished");
    check_same_results("whole", "parts");
}

// A run that was killed without warning goes on from its last checkpoint, again with the same bytes.
static void test_killed_and_resumed(void** state)
{
    (void)state;
    char scene[1024];
    snprintf(scene, sizeof scene, "%s", slow_splash);
    memcpy(strstr(scene, "100 } }"), "1   ", 4);  // a checkpoint after every frame
    write_text("a.lua", scene);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    how.send = SIGKILL, how.after_line = 3;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1"), -SIGKILL);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--resume", "--quiet"), 0);
    check_same_results("whole", "parts");
}

// Resuming a finished run changes nothing; with more frames it goes on as one long run.
static void test_finished_and_resumed(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--quiet", "--frames", "2"), 0);
    copy_folder("twice", "parts");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("twice"), "--threads", "1", "--quiet", "--frames", "2", "--resume"), 0);
    assert_string_equal(run_json("twice", "status"), "finished");
    check_same_results("parts", "twice");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("twice"), "--threads", "1", "--quiet", "--resume"), 0);
    check_same_results("whole", "twice");
}

// A resume that cannot be is refused: another scene, a folder without a checkpoint, no folder.
static void test_resume_refused(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    write_text("b.lua", slow_splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    copy_folder("before", "o");
    CHECK_CODE(COMMAND("run", in("b.lua"), "-o", in("o"), "--resume"), 1);
    CHECK_MESSAGE("checkpoint.h5: belongs to another scene");
    check_same_results("before", "o");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("nowhere"), "--resume"), 1);
    CHECK_MESSAGE("nowhere");
    assert_false(exists("nowhere"));
    assert_int_equal(mkdir(in("mine"), 0777), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("mine"), "--resume"), 1);
    CHECK_MESSAGE("mine: there is no checkpoint to go on from");
}

// What a refused resume finds, it leaves: run.json still tells of the run that made the folder, and no folder becomes a run.
static void test_refused_resume_writes_nothing(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    write_text("b.lua", slow_splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    assert_int_equal(mkdir(in("mine"), 0777), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("mine"), "--resume"), 1);
    CHECK_CODE(COMMAND("run", in("b.lua"), "-o", in("o"), "--resume"), 1);
    assert_string_equal(run_json("o", "title"), "Tiny splash");
    assert_string_equal(run_json("o", "status"), "finished");
    assert_int_equal(rmdir(in("mine")), 0);  // only works while it is empty
}

// A table that was cut by hand does not fit the checkpoint; put back, the run goes on.
static void test_resume_with_cut_table(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "2"), 0);
    static const char* const names[] = {"o/table.csv", "o/liquids.csv", "o/probes.csv"};
    for (int m = 0; m < 3; m++) {
        size_t size;
        char* data = contents(names[m], &size);
        write_bytes(names[m], data, size - 10);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume"), 1);
        CHECK_MESSAGE("bytes, but had ");
        CHECK_SAYS(err, names[m]);
        write_bytes(names[m], data, size);
        free(data);
    }
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume", "--quiet"), 0);
    check_same_results("whole", "o");
}

// A checkpoint cut anywhere is refused with a message; with one before it, that is used and the results are the same.
static void test_truncated_checkpoints(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("three"), "--threads", "1", "--quiet", "--frames", "3"), 0);
    size_t size;
    char* good = contents("three/checkpoint.h5", &size);
    copy_folder("alone", "three");
    assert_int_equal(unlink(in("alone/checkpoint_previous.h5")), 0);
    unsigned seed = 12345;
    for (int m = 0; m < 20; m++) {
        seed = seed*1103515245u + 12345u;
        size_t cut = m == 0 ? 0 : m == 1 ? 512 : m == 2 ? size - 1 : (seed >> 8)%size;
        write_bytes("alone/checkpoint.h5", good, cut);
        int code = COMMAND("run", in("a.lua"), "-o", in("alone"), "--threads", "1", "--resume");
        if (code != 1) fail_msg("cut at %zu of %zu bytes: exit code %d: %s", cut, size, code, err);
        CHECK_MESSAGE("checkpoint.h5: is ");
        if (m%5 > 0) continue;
        copy_folder("pair", "three");
        write_bytes("pair/checkpoint.h5", good, cut);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("pair"), "--threads", "1", "--resume", "--quiet"), 0);
        check_same_results("whole", "pair");
    }
    // and changed bytes
    for (int m = 0; m < 5; m++) {
        size_t at = (size_t)(m + 1)*size/6;
        good[at] ^= 16;
        write_bytes("alone/checkpoint.h5", good, size);
        good[at] ^= 16;
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("alone"), "--threads", "1", "--resume"), 1);
        CHECK_MESSAGE("checkpoint.h5: is damaged");
    }
    write_bytes("alone/checkpoint.h5", good, size);  // all of that has harmed nothing
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("alone"), "--threads", "1", "--resume", "--quiet"), 0);
    check_same_results("whole", "alone");
    free(good);
}

// ---- bad input ---------------------------------------------------------------------------------------------------------------

#define BOX "domain = { size = { mm(16), mm(16) }, cells = 16 }, frames = { rate = 500, count = 1 }, "
#define POOL "liquids = { pool { depth = mm(4) } }, "

// Whatever is wrong with a scene, run and check say so in one line with file and line, and nothing is written.
static void test_bad_scenes(void** state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "bad.lua:1: the file is empty"},
        {"\n\n", "bad.lua"},
        {"return 3", "returns no scene"},
        {"return scene {\n  domain = {\n  size = = 3 } }", "bad.lua:3: "},
        {"\033Lua", "bad.lua"},
        {"return scene {" BOX "\n\n  liqids = { pool { depth = mm(4) } } }",
         "bad.lua:3: liqids: unknown key; did you mean 'liquids'?"},
        {"return scene {" BOX "liquids = {\n  sphere { center = { mm(8), mm(8) }, raduis = mm(2) } } }",
         "bad.lua:2: liquids[1].raduis: unknown key; did you mean 'radius'?"},
        {"return scene {" BOX POOL "title = {} }", "title: expected"},
        {"return scene {" BOX "liquids = { sphere { center = 'here', radius = mm(2) } } }", "liquids[1].center: expected"},
        {"return scene {" BOX "liquids = { sphere { center = { mm(8), mm(8) },\n radius = -mm(2) } } }",
         "bad.lua:2: liquids[1].radius: expected a positive length"},
        {"return scene { domain = { size = { mm(16), -mm(16) }, cells = 16 }, frames = { rate = 500, count = 1 }," POOL "}",
         "domain.size"},
        {"return scene {" BOX "liquids = { sphere { center = { mm(8), mm(8) }, radius = 0/0 } } }", "liquids[1].radius"},
        {"return scene {" BOX POOL "gravity = { 0, 0/0 } }", "gravity"},
        {"return scene {" BOX "liquids = { sphere { center = { 1/0, mm(8) }, radius = mm(1) } } }", "liquids[1].center"},
        {"return scene {" BOX POOL "frame_acceleration = function(t) return 0/0, 0 end }", "frame_acceleration"},
        {"return scene { domain = { size = { mm(16), mm(16) }, dx = mm(40) }, frames = { rate = 500, count = 1 }," POOL "}",
         "domain.dx: a cell of 0.04 m is larger than the box"},
        {"return scene { domain = { size = { mm(16), mm(16) }, cells = 1000000 }, frames = { rate = 500, count = 1 }," POOL "}",
         "domain.cells"},
        {"return scene {" BOX "liquids = { sphere { center = { mm(80), mm(8) }, radius = mm(2) } } }",
         "liquids[1]: lies outside the box"},
        {"return scene {" BOX "liquids = { pool { depth = mm(4) },\n sphere { center = { mm(8), mm(5) }, radius = mm(2) } } }",
         "bad.lua:2: liquids[2]: overlaps liquids[1] (line 1)"},
        {"return scene {" BOX "liquids = { sphere { center = { mm(8), mm(8) }, radius = mm(2) } },"
         " solids = { sphere { center = { mm(8), mm(8) }, radius = mm(4) } } }",
         "no volume"},
        {"return scene {" BOX "}", "bad.lua"},
        {"\nwhile true do end", "bad.lua:2: the scene runs too long"},
        {"while true do pcall(function() while true do end end) end", "the scene runs too long"},
        {"local t = {} while true do t[#t + 1] = string.rep('x', 1000000) end", "more than 64 MB"},
        {"local function f() return f() + 1 end return f()", "bad.lua"},
        {"return scene {" BOX POOL "frame_acceleration = function(t) while true do end end }", "too long"},
        {"os.execute('true')", "os"},
    };
    for (size_t m = 0; m < sizeof bad/sizeof *bad; m++) {
        write_text("bad.lua", bad[m].text);
        CHECK_CODE(COMMAND("check", in("bad.lua")), 1);
        CHECK_MESSAGE(bad[m].says);
        CHECK_CODE(COMMAND("run", in("bad.lua"), "-o", in("o"), "--threads", "1"), 1);
        CHECK_MESSAGE(bad[m].says);
        assert_false(exists("o"));
    }
    static const char* const names[] = {"nowhere.lua", "nowhere/a.lua", "."};
    for (int m = 0; m < 3; m++) {
        CHECK_CODE(COMMAND("run", in(names[m]), "-o", in("o")), 1);
        CHECK_MESSAGE(names[m]);
        assert_false(exists("o"));
    }
}

// A bad scene must not cost the run that is already in the folder.
static void test_bad_scene_spares_earlier_run(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    copy_folder("before", "o");
    write_text("bad.lua", "return scene {");
    CHECK_CODE(COMMAND("run", in("bad.lua"), "-o", in("o")), 1);
    check_same_results("before", "o");
    assert_true(exists("o/checkpoint.h5"));
}

// A source that lies in a solid is a mistake in the scene: check tells it, and run tells it before it writes anything.
static void test_source_in_solid(void** state)
{
    (void)state;
    write_text("bad.lua", "return scene {" BOX "sources = { sphere { center = { mm(8), mm(8) }, radius = mm(2), rate = 1e-4 } },"
                          " solids = { sphere { center = { mm(8), mm(8) }, radius = mm(5) } } }");
    CHECK_CODE(COMMAND("run", in("bad.lua"), "-o", in("o"), "--threads", "1"), 1);
    CHECK_MESSAGE("no free room");
    assert_false(exists("o"));
    CHECK_CODE(COMMAND("check", in("bad.lua")), 1);
    CHECK_MESSAGE("no free room");
}

// A step that cannot be made ends the run with a checkpoint, a message, and run.json says "failed: " and why (docs/output.md).
static void test_failed_step(void** state)
{
    (void)state;
    write_text("full.lua", "return scene {" BOX "liquids = { pool { depth = mm(15) } },"
                           " sources = { sphere { center = { mm(8), mm(8) }, radius = mm(2), rate = 0.1 } } }");
    CHECK_CODE(COMMAND("run", in("full.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 1);
    CHECK_MESSAGE("failed even with dt = ");
    CHECK_SAYS(err, "--resume");
    assert_true(exists("o/checkpoint.h5"));
    check_nothing_half_written("o");
    assert_memory_equal(run_json("o", "status"), "failed: ", 8);
}

// The six sides of a cube of 4 mm as 12 triangles, some of them left out or turned round, and triangles without area after them.
static void write_cube(const char* name, unsigned without, unsigned turned, int empty, const char* more)
{
    static const int corner[12][3] = {{1, 3, 2}, {2, 3, 4}, {5, 6, 7}, {6, 8, 7}, {1, 2, 5}, {2, 6, 5},
                                      {3, 7, 4}, {4, 7, 8}, {1, 5, 3}, {3, 5, 7}, {2, 4, 6}, {4, 8, 6}};
    FILE* f = fopen(in(name), "w");
    assert_non_null(f);
    for (int m = 0; m < 8; m++) fprintf(f, "v %d %d %d\n", m & 1 ? 6 : 2, m & 2 ? 6 : 2, m & 4 ? 6 : 2);
    for (int m = 0; m < 12; m++) {
        if (without >> m & 1) continue;
        const int* c = corner[m];
        if (turned >> m & 1) fprintf(f, "f %d %d %d\n", c[0], c[2], c[1]);
        else fprintf(f, "f %d %d %d\n", c[0], c[1], c[2]);
    }
    for (int m = 0; m < empty; m++) fprintf(f, "f %d %d %d\n", 1 + m%8, 1 + m%8, 1 + (m + 1)%8);
    fputs(more, f);
    fclose(f);
}

// A liquid in the shape of a mesh with a hole, turned faces or faces without area has the volume of the whole cube. That is 64 mm^3
// less what the grid takes off the edges: at most half of each of the 12*8 cells along them, 6 mm^3.
// What is no body at all is refused, with the name of the file.
static void test_meshes(void** state)
{
    (void)state;
    static const struct {
        unsigned without, turned;
        int empty;
        const char *more, *says;  // says NULL: must be repaired
    } cubes[] = {{0, 0, 0, "", NULL},
                 {1, 0, 0, "", NULL},
                 {0, 0x10, 0, "", NULL},
                 {0, 0xfff, 0, "", NULL},
                 {0, 0, 1000, "", NULL},
                 {4, 0x21, 50, "", NULL},
                 {0, 0, 1000000, "", NULL},
                 {0xfff, 0, 0, "", "cube.obj"},
                 {0xfff, 0, 1000, "", "cube.obj"},
                 {0, 0, 0, "f 1 2 99\n", "cube.obj"},
                 {0, 0, 0, "v nan 0 0\nf 1 2 9\n", "cube.obj"},
                 {0, 0, 0, "f 1 x 3\n", "cube.obj"}};
    write_text("a.lua",
               "return scene { domain = { size = { mm(8), mm(8), mm(8) }, cells = 16 }, frames = { rate = 1000, count = 1 },"
               " liquids = { mesh { file = 'cube.obj', scale = 1e-3, name = 'cube' } } }");
    double whole = 0;
    for (size_t m = 0; m < sizeof cubes/sizeof *cubes; m++) {
        write_cube("cube.obj", cubes[m].without, cubes[m].turned, cubes[m].empty, cubes[m].more);
        int code = COMMAND("check", in("a.lua"));
        if (cubes[m].says) {
            CHECK_CODE(code, 1);
            CHECK_MESSAGE(cubes[m].says);
            CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o")), 1);
            CHECK_MESSAGE(cubes[m].says);
            assert_false(exists("o"));
            continue;
        }
        CHECK_CODE(code, 0);
        double volume = 0;
        const char* at = strstr(out, "volume ");
        assert_non_null(at);
        sscanf(at, "volume %lf", &volume);
        if (m == 0) whole = volume;
        CHECK_WITHIN(volume, 61e-9, 3.01e-9);
        CHECK_CLOSE(volume, whole, 0.01);
    }
    write_text("cube.obj", "");
    CHECK_CODE(COMMAND("check", in("a.lua")), 1);
    CHECK_MESSAGE("cube.obj");
    unlink(in("cube.obj"));
    CHECK_CODE(COMMAND("check", in("a.lua")), 1);
    CHECK_MESSAGE("cube.obj: No such file");
}

// A mesh is part of the scene: with another one the checkpoint belongs to another scene.
static void test_resume_with_changed_mesh(void** state)
{
    (void)state;
    write_text("a.lua", "return scene { domain = { size = { mm(8), mm(8), mm(8) }, cells = 8 },"
                        " frames = { rate = 5000, count = 2, checkpoint_every = 1 }, liquids = { pool { depth = mm(1) } },"
                        " solids = { mesh { file = 'cube.obj', scale = 1e-3 } } }");
    write_cube("cube.obj", 0, 0, 0, "");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    write_cube("cube.obj", 0, 0, 0, "v 4 9 4\nf 1 9 2\n");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume"), 1);
    CHECK_MESSAGE("checkpoint.h5: belongs to another scene");
}

// Results cannot go below a file, onto a file, or into an unwritable folder.
static void test_folder_not_writable(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    write_text("file", "mine");
    static const char* const names[] = {"file/below/it", "file"};
    for (int m = 0; m < 2; m++) {
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in(names[m])), 1);
        CHECK_MESSAGE(names[m]);
    }
    size_t size;
    char* text = contents("file", &size);
    assert_string_equal(text, "mine");
    free(text);
    if (getuid() == 0) return;  // to whom every folder is writable
    assert_int_equal(mkdir(in("locked"), 0555), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("locked")), 1);
    CHECK_MESSAGE("locked");
}

// Runs on a disk where no file can be larger than `limit`: one message that names the file, and nothing half-written.
static void check_full_disk(long limit)
{
    char folder[32];
    snprintf(folder, sizeof folder, "o%ld", limit);
    how.file_limit = limit;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in(folder), "--threads", "1", "--quiet"), 1);
    CHECK_MESSAGE("cannot be written: ");
    CHECK_SAYS(err, in(folder));
    check_nothing_half_written(folder);
}

// A full disk, whichever file meets it first: run.json, table.csv, a surface, a checkpoint.
static void test_full_disk(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    static const long limits[] = {400, 1000, 2000, 3000, 6400, 20000};
    for (size_t m = 0; m < sizeof limits/sizeof *limits; m++) check_full_disk(limits[m]);
}

// A disk without room for the first line of a table leaves no empty table.
static void test_full_disk_from_the_start(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    check_full_disk(100);
}

// The disk fills up, is cleared, and the run goes on from the checkpoint before as if nothing had happened.
static void test_full_disk_then_resumed(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    static const long limits[] = {2500, 5000, 20000};
    for (int m = 0; m < 3; m++) {
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "2"), 0);
        how.file_limit = limits[m];
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--resume"), 1);
        CHECK_MESSAGE("cannot be written: ");
        check_nothing_half_written("o");
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--resume"), 0);
        check_same_results("whole", "o");
    }
}

// A report that could not be written is no success.
static void test_report_to_a_full_disk(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    how.deaf = true;
    CHECK_CODE(COMMAND("check", in("a.lua")), 1);
    CHECK_MESSAGE("No space left on device");
    how.deaf = true;
    CHECK_CODE(COMMAND("list"), 1);
    CHECK_MESSAGE("No space left on device");
}

// ---- files for other programs ------------------------------------------------------------------------------------------------

static const char cloth[] = "return scene { domain = { size = { mm(10), mm(8), mm(8) }, cells = 20 }, frames = { rate = 400, "
                            "count = 3, checkpoint_every = 1 },\n"
                            "  liquids = { pool { depth = mm(3) } }, output = { formats = { 'obj', 'usda', 'vtkhdf', 'vdb' } },\n"
                            "  solids = { mesh { file = 'cube.obj', cache = 'cube.pc2', scale = 5e-4, cache_rate = 400, position "
                            "= { mm(4.3, 3.2, 4.1) } } } }\n";

static void swing(double to[3], const double x[3], double t)
{
    to[0] = x[0] + 1.5*sin(200*t) + 0.2*x[1]*sin(300*t), to[1] = x[1], to[2] = x[2];
}

// All formats and a mesh that moves: the same bytes from any number of threads, at any hour, and from a run that was resumed.
static void test_formats_same_bytes(void** state)
{
    (void)state;
    write_text("a.lua", cloth);
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), swing, 5, 400);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("one"), "--threads", "1", "--quiet"), 0);
    sleep(1);  // files that keep the time of day would differ now
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("two"), "--threads", "2", "--quiet"), 0);
    check_same_results("one", "two");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--quiet", "--frames", "2"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--quiet", "--resume"), 0);
    check_same_results("one", "parts");
    cube_write_pc2(in("cube.pc2"), swing, 6, 400);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--quiet", "--resume"), 1);
    CHECK_MESSAGE("belongs to another scene");
    how.file_limit = 150000;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("full"), "--threads", "1", "--quiet"), 1);
    CHECK_MESSAGE("cannot be written: ");
    check_nothing_half_written("full");
}

static void test_export(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("export", in("o"), "--to", "obj,vtkhdf", "--frames", "1:2", "-o", in("p")), 0);
    assert_true(exists("p/surface_0001.obj") && exists("p/surface_0002.hdf") && exists("p/surface.hdf.series"));
    assert_false(exists("p/surface_0000.obj") || exists("p/surface_0003.obj") || exists("o/surface_0001.obj"));
    CHECK_CODE(COMMAND("export", in("o"), "--to", "obj"), 0);
    assert_true(exists("o/surface_0000.obj") && exists("o/surface_0004.obj"));
    CHECK_CODE(COMMAND("export", in("o"), "--to", "vdb"), 1);
    CHECK_MESSAGE("hold surfaces, not volumes");
    CHECK_CODE(COMMAND("export", in("o"), "--to", "usda"), 1);
    CHECK_MESSAGE("three dimensions");
    CHECK_CODE(COMMAND("export", in("o"), "--to", "obj", "--frames", "2:9"), 1);
    CHECK_MESSAGE("has frames 0 to 4, asked for 2 to 9");
    CHECK_CODE(COMMAND("export", in("nowhere"), "--to", "obj"), 1);
    CHECK_MESSAGE("nowhere/run.json");
    how.file_limit = 200;
    CHECK_CODE(COMMAND("export", in("o"), "--to", "obj", "-o", in("full")), 1);
    CHECK_MESSAGE("full/surface_0000.obj: cannot be written: ");
    static const char* const wrong[][4] = {{"--to", "stl"}, {"--frames", "x", "--to", "obj"}, {"--frames", "1"}, {"--nonsense"}};
    for (int m = 0; m < 4; m++) {
        CHECK_CODE(COMMAND("export", in("o"), wrong[m][0], wrong[m][1], wrong[m][2], wrong[m][3]), 2);
        CHECK_MESSAGE("export: ");
    }
    CHECK_CODE(COMMAND("export", "--to", "obj"), 2);
    CHECK_CODE(COMMAND("export", "--help"), 0);
    CHECK_SAYS(out, "usage: meniscus export");
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
// With dx = 0.125 mm: capillary step sqrt(rho dx^3/(4 pi sigma)) = 4.616e-5 s; advective 1.5 dx/sqrt(u^2 + 2 g 4 mm) = 1.806e-4 s.
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

// list has a line with path and title for each scene that ships.
static void test_list(void** state)
{
    (void)state;
    CHECK_CODE(COMMAND("list"), 0);
    assert_string_equal(err, "");
    DIR* d = opendir(MN_SCENES);
    assert_non_null(d);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(d));) {
        const char* dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".lua") != 0) continue;
        count++;
        char path[512], text[4096] = "";
        snprintf(path, sizeof path, "/%.200s ", entry->d_name);
        CHECK_SAYS(out, path);
        const char* rest = strstr(out, path) + strlen(path);
        snprintf(path, sizeof path, "%s/%.200s", MN_SCENES, entry->d_name);
        FILE* f = fopen(path, "r");
        assert_true(fread(text, 1, sizeof text - 1, f) > 0);
        fclose(f);
        char title[256] = "";
        const char* at = strstr(text, "title ");
        assert_non_null(at);
        sscanf(strchr(at, '"'), "\"%255[^\"]", title);
        assert_true(title[0] != 0);
        rest += strspn(rest, " ");
        if (strncmp(rest, title, strlen(title)) != 0 || rest[strlen(title)] != '\n')
            fail_msg("%s: no title \"%s\" in: %s", path, title, out);
    }
    closedir(d);
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

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    unsetenv("MENISCUS_SCENES");
    setenv("OMP_WAIT_POLICY", "passive", 1);  // tests share the processors with other tests
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_help_and_version),
        IN_FOLDER(test_wrong_words),
        IN_FOLDER(test_tension_is_told),
        IN_FOLDER(test_wrong_words_to_render),
        IN_FOLDER(test_plot),
        IN_FOLDER(test_pictures_of_a_run),
        IN_FOLDER(test_plot_of_damaged_run),
        IN_FOLDER(test_absurd_number_of_threads),
        IN_FOLDER(test_run_leaves_files),
        IN_FOLDER(test_progress),
        IN_FOLDER(test_frames_and_folder),
        IN_FOLDER(test_same_bytes_from_one_and_two_threads),
        IN_FOLDER(test_interrupted_and_resumed),
        IN_FOLDER(test_killed_and_resumed),
        IN_FOLDER(test_finished_and_resumed),
        IN_FOLDER(test_resume_refused),
        IN_FOLDER(test_refused_resume_writes_nothing),
        IN_FOLDER(test_resume_with_cut_table),
        IN_FOLDER(test_truncated_checkpoints),
        IN_FOLDER(test_bad_scenes),
        IN_FOLDER(test_bad_scene_spares_earlier_run),
        IN_FOLDER(test_source_in_solid),
        IN_FOLDER(test_failed_step),
        IN_FOLDER(test_meshes),
        IN_FOLDER(test_resume_with_changed_mesh),
        IN_FOLDER(test_folder_not_writable),
        IN_FOLDER(test_full_disk),
        IN_FOLDER(test_full_disk_from_the_start),
        IN_FOLDER(test_full_disk_then_resumed),
        IN_FOLDER(test_report_to_a_full_disk),
        IN_FOLDER(test_formats_same_bytes),
        IN_FOLDER(test_export),
        IN_FOLDER(test_check_numbers),
        IN_FOLDER(test_check_warns_of_gaps),
        IN_FOLDER(test_check_warns_of_scale),
        IN_FOLDER(test_list),
        IN_FOLDER(test_list_of_another_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
