// Seconds per step of the scenes of [wang2023bouncing], Table 2, while a film is in contact; which part of it is the film's; and
// the paper's figure over ours. Grids and radii are the paper's. Drops start a third of a cell before contact, so that few steps
// are enough.
// usage: bench_film [--viscous] [SCENE[=CELLS]...]   scenes: binary_1 binary_2 trinary bath21 promenading pinch; default all,
// with the cells of the paper along x. Liquids have no viscosity, as in the paper; --viscous gives them that of scenes/film/.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "film/film_partner.h"
#include "base/timer.h"
#include "scene/scene_sim.h"

enum { WARM_UP = 2, STEPS = 24 };
static const double CONTACT = 20;  // Pa, film pressure above which drops count as in contact (docs/film.md)

// The Lua text of a scene gets these in front: cells along x, dx, and the start gap of a third of a cell.
typedef struct FilmScene {
    const char* name;
    int cells;           // along x
    double paper;        // s per step: time per frame over iterations per frame of Table 2
    double width;        // m, along x
    double mu;           // Pa s, of the scene in scenes/film/
    const char* liquid;  // rho and sigma
    const char* body;    // the rest of the scene
} FilmScene;

#define TETRADECANE "rho = 762, sigma = 26.56e-3"
#define SILICONE_OIL "rho = 949, sigma = 20.6e-3"
#define BINARY(radius, speed)                                                                                                    \
    "local R, V = mm(" radius "), " speed "\n"                                                                                   \
    "local function drop(side) return sphere { center = { mm(1) + side*(R + gap/2), mm(0.5), mm(0.5) }, radius = R,\n"           \
    "  velocity = { -side*V, 0, 0 }, material = liquid } end\n"                                                                  \
    "local size, gravity, shake, liquids = { mm(2), mm(1), mm(1) }, 0, nil, { drop(-1), drop(1) }\n"
// Drops of one radius on a bath, at the given places along x.
#define BATH(size, depth, radius, speed, shake, places)                                                                          \
    "local size, gravity, shake = " size ", -9.8, " shake "\n"                                                                   \
    "local liquids = { pool { depth = mm(" depth "), material = liquid } }\n"                                                    \
    "for _, x in ipairs(" places ") do liquids[#liquids + 1] = sphere { center = { mm(x), mm(" depth " + " radius                \
    ") + gap, size[3]/2 },\n"                                                                                                    \
    "  radius = mm(" radius "), velocity = { 0, -" speed ", 0 }, material = liquid } end\n"
#define SHAKEN(f, peak) "function(t) return 0, " peak "*math.sin(2*math.pi*" f "*t), 0 end"

static const FilmScene SCENES[] = {
    {"binary_1", 256, 12.2, 2e-3, 2.1e-3, TETRADECANE, BINARY("0.1706", "0.243")},
    {"binary_2", 256, 12.2, 2e-3, 2.1e-3, TETRADECANE, BINARY("0.1676", "0.496")},
    {"trinary", 128, 5.6, 2e-3, 2.1e-3, TETRADECANE,
     "local R, V = mm(0.1706), 0.5\n"
     "local function drop(angle) local c, s, reach = math.cos(angle), math.sin(angle), (2*R + gap)/math.sqrt(3)\n"
     "  return sphere { center = { mm(1) + reach*c, mm(1) + reach*s, mm(1) }, radius = R, velocity = { -V*c, -V*s, 0 }, material "
     "= liquid } end\n"
     "local size, gravity, shake = { mm(2), mm(2), mm(2) }, 0, nil\n"
     "local liquids = { drop(math.rad(90)), drop(math.rad(210)), drop(math.rad(330)) }\n"},
    {"bath21", 256, 41, 5e-3, 949*20e-6, SILICONE_OIL,
     BATH("{ mm(5), mm(5), mm(5) }", "2", "0.39", "0.2", SHAKEN("50", "35.28"), "{ 2.5 }")},
    {"promenading", 256, 48, 15e-3, 949*20e-6, SILICONE_OIL,
     BATH("{ mm(15), math.floor(mm(15)*170/256/dx + 0.5)*dx, mm(15) }", "4.9", "0.8", "0.2", SHAKEN("80", "4.41"),
          "{ 5.5, 9.5 }")},
    {"pinch", 256, 23, 120e-3, 0, "rho = 949, sigma = 1.3333",
     BATH("{ mm(120), mm(60), mm(120) }", "20", "10", "0.5", "nil", "{ 60 }")},
};
enum { SCENE_COUNT = sizeof SCENES/sizeof SCENES[0] };

static mn_status load(Scene* scene, const FilmScene* f, int cells, bool viscous)
{
    char text[4096];
    snprintf(text, sizeof text,
             "local liquid = material { %s, mu = %.17g }\n"
             "local dx = %.17g\n"
             "local gap = dx/3\n"
             "%s"
             "return scene { title = '%s', domain = { size = size, cells = %d, sides = { top = 'open' } }, gravity = { 0, "
             "gravity, 0 },\n"
             "  frame_acceleration = shake, liquids = liquids, merge = 'hold', numerics = { tension_steps = 1 },\n"
             "  frames = { rate = 1000, count = 1 } }\n",
             f->liquid, viscous ? f->mu : 0, f->width/cells, f->body, f->name, cells);
    return scene_load_text(scene, f->name, text);
}

// Steps on the clock, and what they did.
typedef struct Tally {
    double seconds, film, most_pressure;
    int iterations, contact, cells;  // cells: of the film, most
} Tally;

static mn_status time_steps(Tally* t, Sim* sim)
{
    for (int s = 0; s < WARM_UP; s++) TRY(sim_step(sim, INFINITY));
    sim->times = (StageTimes){0};
    double before = timer_now();
    for (int s = 0; s < STEPS; s++) {
        TRY(sim_step(sim, INFINITY));
        const FilmReport* f = &film_of(&sim->world)->report;
        t->film += f->seconds;
        t->iterations += sim->report.iterations;
        t->contact += f->most_pressure > CONTACT;
        t->cells = f->cells > t->cells ? f->cells : t->cells;
        t->most_pressure = fmax(t->most_pressure, f->most_pressure);
    }
    t->seconds = timer_now() - before;
    return MN_OK;
}

static void print_row(const FilmScene* f, const Sim* sim, const Tally* t, bool viscous)
{
    const int* n = sim->model.tank.n;
    double each = t->seconds/STEPS;
    printf("| %s%s | %dx%dx%d | %d | %.4f | %ld | %.1f | %d | %d of %d | %.1f %% | %.0f %% | ", f->name,
           viscous ? ", viscous" : "", n[0], n[1], n[2], omp_get_max_threads(), each, sim->report.unknowns,
           (double)t->iterations/STEPS, t->cells, t->contact, STEPS, 100*t->film/t->seconds,
           100*sim->times.seconds[STAGE_SOLVE]/t->seconds);
    if (n[0] == f->cells) printf("%g | %.1f |\n", f->paper, f->paper/each);
    else printf("other grid | |\n");
    fflush(stdout);
    fprintf(stderr, "  %s, s per step:", f->name);
    for (int s = 0; s < STAGE_COUNT; s++) fprintf(stderr, " %s %.4f", stage_name((Stage)s), sim->times.seconds[s]/STEPS);
    fprintf(stderr, "; film up to %.0f Pa\n", t->most_pressure);
}

static mn_status run(const FilmScene* f, int cells, bool viscous)
{
    Scene scene = {0};
    Sim sim = {0};
    Tally t = {0};
    mn_status status = load(&scene, f, cells, viscous);
    if (status == MN_OK) status = scene_build(&sim, &scene);
    if (status == MN_OK) status = sim_start(&sim);
    if (status == MN_OK) status = time_steps(&t, &sim);
    if (status == MN_OK && t.contact == 0) status = mn_fail(MN_STEP_FAILED, "%s: no contact in %d steps", f->name, STEPS);
    if (status == MN_OK) print_row(f, &sim, &t, viscous);
    sim_free(&sim);
    scene_free(&scene);
    return status;
}

// SCENE or SCENE=CELLS.
static const FilmScene* find_scene(int* cells, const char* word)
{
    size_t length = strcspn(word, "=");
    for (int m = 0; m < SCENE_COUNT; m++) {
        if (strlen(SCENES[m].name) != length || strncmp(SCENES[m].name, word, length) != 0) continue;
        *cells = word[length] == '=' ? atoi(word + length + 1) : SCENES[m].cells;
        return *cells >= 16 ? &SCENES[m] : NULL;
    }
    return NULL;
}

int main(int argc, char** argv)
{
    bool viscous = argc > 1 && !strcmp(argv[1], "--viscous");
    int first = viscous ? 2 : 1;
    printf("| scene | cells | threads | seconds per step | unknowns | iterations | air cells | steps in contact | film without "
           "iteration | "
           "solve | paper, s | paper/ours |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int m = 0; m < (argc > first ? argc - first : SCENE_COUNT); m++) {
        int cells;
        const FilmScene* f = find_scene(&cells, argc > first ? argv[first + m] : SCENES[m].name);
        if (!f)
            return fprintf(stderr, "bench_film: '%s' is no SCENE or SCENE=CELLS with at least 16 cells\n", argv[first + m]), 2;
        if (run(f, cells, viscous) != MN_OK) return fprintf(stderr, "bench_film: %s\n", mn_last_error()), 1;
    }
    return 0;
}
