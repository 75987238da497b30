// The simulation half of the public interface: opening, stepping, closing.
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "api/sim_private.h"
#include "base/timer.h"
#include "rigid/rigid_steer.h"

enum { MOST_THREADS = 1024 };

bool numbers_are_finite(const double* v, int count)
{
    for (int m = 0; m < count; m++)
        if (!isfinite(v[m])) return false;
    return true;
}

// ---- opening and closing ---------------------------------------------------------------------------------------------------

// Calls that compute use the simulation's threads and leave the caller's number as it was.
static int take_threads(const mn_sim* s)
{
    int before = omp_get_max_threads();
    if (s->threads > 0) omp_set_num_threads(s->threads);
    return before;
}

static mn_status open_scene(mn_sim* s, const mn_sim_options* o)
{
    SceneTerms terms = {.settings = o->settings, .allow_outside = o->allow_outside, .text = o->text};
    TRY(scene_load(&s->scene, o->scene ? o->scene : "scene", &terms));
    TRY(scene_build(&s->sim, &s->scene));
    return sim_start(&s->sim);
}

mn_status mn_sim_open_with(mn_sim** sim, const mn_sim_options* options)
{
    static const char call[] = "mn_sim_open_with";
    NEED(sim, call);
    *sim = NULL;
    NEED(options, call);
    if (!options->scene && !options->text) return mn_fail(MN_BAD_ARGUMENT, "%s: neither scene nor text is given", call);
    if (options->threads < 0 || options->threads > MOST_THREADS)
        return mn_fail(MN_BAD_ARGUMENT, "%s: %d threads: 1 to %d are possible, 0 leaves it open", call, options->threads,
                       MOST_THREADS);
    mn_sim* s = calloc(1, sizeof *s);
    if (!s) return mn_fail(MN_NO_MEMORY, "out of memory: opening a simulation");
    s->threads = options->threads, s->progress = options->progress, s->user = options->user;
    atomic_init(&s->cancelled, false);
    int threads = take_threads(s);
    mn_status status = open_scene(s, options);
    omp_set_num_threads(threads);
    if (status == MN_OK) *sim = s;
    else mn_sim_close(s);
    return status;
}

mn_status mn_sim_open_set(mn_sim** sim, const char* scene_path, const char* const* settings)
{
    return mn_sim_open_with(sim, &(mn_sim_options){.scene = scene_path, .settings = settings});
}

mn_status mn_sim_open(mn_sim** sim, const char* scene_path) { return mn_sim_open_set(sim, scene_path, NULL); }

void mn_sim_close(mn_sim* s)
{
    if (!s || s->stepping) return;
    if (s->moment) moment_set_apart(s->moment, false);
    moment_release(s->moment);
    sim_free(&s->sim);
    scene_free(&s->scene);
    free(s);
}

mn_status sim_changes(mn_sim* s, const char* call)
{
    if (s->stepping) return mn_fail(MN_BAD_ARGUMENT, "%s: called from the callback of a step", call);
    if (!s->moment) return MN_OK;
    TRY(moment_set_apart(s->moment, true));
    moment_release(s->moment);
    s->moment = NULL;
    return MN_OK;
}

// ---- stepping --------------------------------------------------------------------------------------------------------------

// A call that steps: where its clocks began and where it is to end.
typedef struct Stepping {
    double wall, from, to;  // s
} Stepping;

static bool tell(mn_sim* s, const Stepping* call)
{
    const Sim* sim = &s->sim;
    if (!s->progress) return true;
    double wall = timer_now() - call->wall, done = sim->world.time - call->from;
    mn_progress p = {.step = sim->world.step,
                     .time = sim->world.time,
                     .dt = sim->report.dt,
                     .iterations = sim->report.iterations,
                     .volume_correction = sim->report.volume_correction,
                     .ledger_error = sim_ledger_error(sim),
                     .liquids = sim->world.liquid_count,
                     .droplets = sim->world.spray.count,
                     .wall_seconds = wall,
                     .seconds_left = done > 0 ? fmax(wall*(call->to - sim->world.time)/done, 0) : -1};
    return s->progress(s->user, &p);
}

static mn_status step_and_tell(mn_sim* s, const Stepping* call, bool exactly)
{
    TRY(sim_changes(s, "a step"));
    Sim* sim = &s->sim;
    s->stepping = true;
    int threads = take_threads(s);
    mn_status status = exactly ? sim_step_towards(sim, call->to) : sim_step(sim, call->to - call->from);
    omp_set_num_threads(threads);
    RigidPartner* bodies = rigid_partner_of(&sim->world);
    if (status == MN_OK && bodies) rigid_pushes_given(bodies);
    bool go_on = status != MN_OK || tell(s, call);
    s->stepping = false;
    if (status != MN_OK) return status;
    if (atomic_exchange(&s->cancelled, false) || !go_on) return mn_fail(MN_STOPPED, "stopped at t = %.6g s", sim->world.time);
    return MN_OK;
}

mn_status mn_sim_step(mn_sim* sim, double limit)
{
    NEED(sim, "mn_sim_step");
    if (sim->stepping) return sim_changes(sim, "mn_sim_step");
    if (!(limit > 0)) return mn_fail(MN_BAD_ARGUMENT, "mn_sim_step: limit must be positive, got %g", limit);
    double now = sim->sim.world.time;
    return step_and_tell(sim, &(Stepping){timer_now(), now, now + limit}, false);
}

mn_status mn_sim_advance(mn_sim* sim, double time)
{
    NEED(sim, "mn_sim_advance");
    if (sim->stepping) return sim_changes(sim, "mn_sim_advance");
    if (!isfinite(time)) return mn_fail(MN_BAD_ARGUMENT, "mn_sim_advance: time must be a finite number, got %g", time);
    Stepping call = {timer_now(), sim->sim.world.time, time};
    while (sim->sim.world.time < time) TRY(step_and_tell(sim, &call, true));
    return MN_OK;
}

void mn_sim_cancel(mn_sim* sim)
{
    if (sim) atomic_store(&sim->cancelled, true);
}

// ---- what it is ------------------------------------------------------------------------------------------------------------

double mn_sim_time(const mn_sim* s) { return s ? s->sim.world.time : 0; }
long mn_sim_steps(const mn_sim* s) { return s ? s->sim.world.step : 0; }
int mn_sim_dimensions(const mn_sim* s) { return s ? s->sim.model.tank.dim : 0; }
int mn_sim_liquids(const mn_sim* s) { return s ? s->sim.world.liquid_count : 0; }
double mn_sim_ledger_error(const mn_sim* s) { return s ? sim_ledger_error(&s->sim) : 0; }
unsigned long long mn_sim_hash(mn_sim* s) { return s ? world_hash(&s->sim.world, &s->sim.model.tank) : 0; }

mn_status mn_sim_tank(const mn_sim* sim, double size[3], int cells[3], double* dx)
{
    NEED(sim, "mn_sim_tank");
    const Tank* t = &sim->sim.model.tank;
    for (int d = 0; d < 3; d++) {
        if (size) size[d] = d < t->dim ? t->n[d]*t->dx : 0;
        if (cells) cells[d] = t->n[d];
    }
    if (dx) *dx = t->dx;
    return MN_OK;
}

mn_status mn_sim_liquid(mn_sim* sim, int m, mn_liquid* liquid)
{
    static const char call[] = "mn_sim_liquid";
    NEED(sim, call);
    NEED(liquid, call);
    if (m < 0 || m >= sim->sim.world.liquid_count)
        return mn_fail(MN_BAD_ARGUMENT, "%s: there are %d liquids, asked for number %d", call, sim->sim.world.liquid_count, m);
    const Liquid* q = &sim->sim.world.liquid[m];
    Arena arena = {0};
    LiquidState state = liquid_state(q, &arena);
    arena_free(&arena);
    *liquid = (mn_liquid){.id = q->id,
                          .volume = state.volume,
                          .target_volume = q->target_volume,
                          .surface_area = state.area,
                          .kinetic_energy = state.kinetic_energy};
    for (int d = 0; d < 3; d++) liquid->center[d] = state.center[d], liquid->velocity[d] = state.velocity[d];
    return MN_OK;
}

const char* mn_sim_liquid_name(const mn_sim* s, int m)
{
    if (!s || m < 0 || m >= s->sim.world.liquid_count) return NULL;
    return scene_kind_name(&s->scene, s->sim.world.liquid[m].kind);
}
