// Runs of random scenes, each in a process of its own, and what must be true of them: they end, no step is longer than asked for,
// and nothing gets faster than what moves it.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "output/csv.h"
#include "random_scene.h"

// Of one scene, in seconds of the processor; a busy machine does not change it. More than this is slow, and where no other limit
// is set too slow.
enum { SECONDS_PER_SCENE = 120 };
// Speeds above the sum of what moves the liquid by this factor are a runaway.
static const double MOST_OVER_SCALE = 10;
// Energy out of nowhere since any moment of the run, relative to the most that has moved, been in surfaces or been done as work
// in it. A single step that gains too much is refused by the program itself (docs/energy.md); this finds slow growth.
static const double MOST_GAIN = 1;
// Of the potential energy: where next to nothing moves, as in a pool at rest, the books know no better.
static const double ROUNDING = 1e-9;

typedef struct RandomResult {
    int code;  // exit code of the command, or -(signal)
    long steps, retries;
    double cells;    // of the step in which the liquid was fastest for its length
    double speed;    // m/s, fastest
    double scale;    // m/s, what the scene's own motion accounts for
    double gain;     // largest, relative
    double seconds;  // of the processor
    double cfl;
    char message[400];
} RandomResult;

typedef struct RandomOptions {
    const char* folder;  // holds scene.lua and the run's files
    int frames;
    unsigned without;  // of Ingredient
    bool bodies;       // up to three that the liquid carries, besides
    int seconds;       // of the processor that a scene may take; 0: SECONDS_PER_SCENE
} RandomOptions;

static inline int random_limit(const RandomOptions* o) { return o->seconds > 0 ? o->seconds : SECONDS_PER_SCENE; }

// ---- the run --------------------------------------------------------------------------------------------------------------

static inline void become_run(const RandomOptions* o, const char* scene, const char* said)
{
    rlim_t seconds = (rlim_t)random_limit(o);
    struct rlimit limit = {seconds, seconds + 5}, none = {0, 0};
    setrlimit(RLIMIT_CPU, &limit);
    setrlimit(RLIMIT_CORE, &none);
    int to = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666), from = open("/dev/null", O_RDONLY);
    dup2(from, 0), dup2(to, 1), dup2(to, 2);
    char frames[16];
    snprintf(frames, sizeof frames, "%d", o->frames);
    execl(MN_COMMAND, "meniscus", "run", scene, "-o", o->folder, "--threads", "1", "--frames", frames, "--quiet", (char*)NULL);
    _exit(127);
}

// The last line that the command said: what went wrong.
static inline void read_message(RandomResult* r, const char* said)
{
    char line[1000];
    FILE* f = fopen(said, "r");
    if (!f) return;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "meniscus: ", 10) == 0 || strstr(line, "ERROR: ") || strstr(line, "runtime error") ||
            strstr(line, "Assertion"))
            snprintf(r->message, sizeof r->message, "%.399s", line);
    }
    fclose(f);
}

static inline double column_or(const CsvTable* t, const char* name, int row, double otherwise)
{
    const double* c = csv_find(t, name);
    return c ? c[row] : otherwise;
}

static inline void read_table(RandomResult* r, const char* path, double dx)
{
    CsvTable t;
    double energy = 0, least = INFINITY, rise = 0, lowest = INFINITY, highest = -INFINITY;
    if (csv_read(&t, path) != MN_OK) return;
    r->steps = t.rows;
    for (int m = 0; m < t.rows; m++) {
        double speed = column_or(&t, "max_speed", m, 0), dt = column_or(&t, "dt", m, 0);
        r->speed = fmax(r->speed, speed);
        r->cells = fmax(r->cells, speed*dt/dx);
        r->retries += (long)column_or(&t, "retries", m, 0);
        double gain = column_or(&t, "energy_gain", m, NAN);
        least = fmin(least, gain);
        energy = fmax(energy, column_or(&t, "kinetic_energy", m, 0) + fabs(column_or(&t, "surface_energy", m, 0)) +
                                  fabs(column_or(&t, "work", m, 0)) + ROUNDING*column_or(&t, "potential_energy", m, 0));
        if (!(gain - least <= rise)) rise = gain - least;  // also NaN
        double stored = column_or(&t, "stored_energy", m, 0);
        lowest = fmin(lowest, stored), highest = fmax(highest, stored);
    }
    energy += fmax(highest - lowest, 0);  // of bodies: what they have turned from height into motion
    r->gain = rise > 0 ? rise/energy : isnan(rise) ? rise : 0;
    csv_free(&t);
}

// Leaves scene.lua, said.txt and the files of the run in the folder, which must exist.
static inline RandomResult random_run(uint64_t seed, const RandomOptions* o)
{
    RandomScene s;
    char scene[PATH_ROOM], said[PATH_ROOM], table[PATH_ROOM];
    snprintf(scene, sizeof scene, "%.400s/scene.lua", o->folder);
    snprintf(said, sizeof said, "%.400s/said.txt", o->folder);
    snprintf(table, sizeof table, "%.400s/table.csv", o->folder);
    random_scene_make(&s, seed, o->without | (o->bodies ? 0u : (unsigned)INGREDIENT_BODIES));
    FILE* f = fopen(scene, "w");
    if (!f || fputs(s.text, f) < 0 || fclose(f) != 0) abort();
    unlink(table);  // of another scene
    RandomResult r = {.cfl = s.cfl, .scale = random_scene_speed(&s)};
    pid_t child = fork();
    if (child == 0) become_run(o, scene, said);
    int status = 0;
    struct rusage used = {0};
    while (wait4(child, &status, 0, &used) < 0) {}
    r.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    r.seconds = (double)used.ru_utime.tv_sec + 1e-6*(double)used.ru_utime.tv_usec;
    read_message(&r, said);
    if (r.code == -SIGXCPU || r.code == -SIGKILL) snprintf(r.message, sizeof r.message, "took longer than %d s", random_limit(o));
    read_table(&r, table, s.dx);
    random_scene_free(&s);
    return r;
}

// ---- the verdict ----------------------------------------------------------------------------------------------------------

// NULL: all is well.
static inline const char* random_fault(const RandomResult* r)
{
    if (r->code != 0) return "failed";
    if (!(r->gain <= MOST_GAIN)) return "won energy";
    if (!(r->speed <= MOST_OVER_SCALE*r->scale)) return "ran away";
    if (!(r->cells <= r->cfl*(1 + 1e-9))) return "step too long";
    return NULL;
}

static inline void random_print(uint64_t seed, const RandomResult* r)
{
    const char* fault = random_fault(r);
    printf("%6llu  %-13s exit %3d  %5ld steps  %3ld retries  %7.3g of %.3g cells  %8.3g m/s = %7.3g scales  gain %.2g  %5.1f s  "
           "%s\n",
           (unsigned long long)seed, fault ? fault : "ok", r->code, r->steps, r->retries, r->cells, r->cfl, r->speed,
           r->speed/r->scale, r->gain, r->seconds, r->message);
    fflush(stdout);
}

// Runs so many scenes in the folder and gives how many are at fault.
static inline int random_run_all(uint64_t first, int count, const RandomOptions* o)
{
    int faults = 0, slow = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        RandomResult r = random_run(seed, o);
        random_print(seed, &r);
        faults += random_fault(&r) != NULL, slow += r.seconds > SECONDS_PER_SCENE;
    }
    printf("%d of %d took longer than %d s of the processor\n", slow, count, SECONDS_PER_SCENE);
    return faults;
}
