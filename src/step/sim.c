#include "step/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "step/flow.h"
#include "step/step_liquid.h"
#include "step/tension.h"

Model model_in_tank(int dim, const int n[3], double dx)
{
    Model model = {.tank = {.dim = dim, .dx = dx, .n = {n[0], n[1], dim == 3 ? n[2] : 1}},
                   .settings = {.gravity = {0, -9.81, 0},
                                .cfl = 1.5,
                                .tolerance = 1e-6,
                                .max_dt = INFINITY,
                                .op = PRESSURE_AUTO,
                                .spray_cells = dim == 3 ? 8 : 4}};
    for (int s = 0; s < 6; s++) model.tank.side[s] = SIDE_IS_WALL;
    return model;
}

void sim_free(Sim* sim)
{
    for (int m = 0; m < sim->world.liquid_count; m++) liquid_free(&sim->world.liquid[m]);
    free(sim->world.liquid);
    free(sim->model.source);
    merge_table_free(&sim->model.merge);
    film_record_free(&sim->world.film);
    film_air_free(&sim->world.air);
    solids_free(&sim->world.solids);
    spray_free(&sim->world.spray);
    for (int a = 0; a < 2; a++) arena_free(&sim->kept[a]);
    arena_free(&sim->scratch);
    arena_free(&sim->before);
    *sim = (Sim){0};
}

mn_status world_add_liquid(World* world, Liquid* q)
{
    if (world->liquid_count == world->liquid_capacity) {
        int capacity = maxi(8, 2*world->liquid_capacity);
        Liquid* more = realloc(world->liquid, sizeof *more*(size_t)capacity);
        if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: %d liquids", capacity);
        world->liquid = more, world->liquid_capacity = capacity;
    }
    if (q->id == 0) q->id = ++world->next_id;
    world->liquid[world->liquid_count++] = *q;
    return MN_OK;
}

void world_remove_liquid(World* world, int m)
{
    liquid_free(&world->liquid[m]);
    memmove(&world->liquid[m], &world->liquid[m + 1], sizeof *world->liquid*(size_t)(world->liquid_count - m - 1));
    world->liquid_count--;
}

bool has_film(const Model* model, const World* world)
{
    return merge_needs_film(&model->merge) || solids_keep_off(&world->solids);
}

double sim_volume(const Sim* sim)
{
    double sum = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) sum += sim->world.liquid[m].cells.volume;
    return sum;
}

double sim_ledger_error(const Sim* sim)
{
    if (!(sim->world.ledger.input > 0)) return 0;
    return (sim_volume(sim) + spray_volume(&sim->world.spray) + sim->world.ledger.outflow - sim->world.ledger.input) /
           sim->world.ledger.input;
}

// Liquids as many as a visitor brings.
static mn_status visit_liquids(World* world, const Tank* tank, StateVisitor* v)
{
    enum { LIQUIDS_MOST = 1000000 };
    int count = world->liquid_count;
    TRY(state_rows(v, "liquid_count", &count));
    if (count < 0 || count > LIQUIDS_MOST) return mn_fail(MN_BAD_CHECKPOINT, "holds liquid_count = %d", count);
    while (world->liquid_count > count) world_remove_liquid(world, world->liquid_count - 1);
    while (world->liquid_count < count) TRY(world_add_liquid(world, &(Liquid){.id = -1}));
    for (int m = 0; m < count; m++) {
        char name[32];
        snprintf(name, sizeof name, "liquid_%06d", m);
        TRY(state_enter(v, name));
        TRY(liquid_visit(&world->liquid[m], tank, v));
        state_leave(v);
    }
    return MN_OK;
}

mn_status world_visit(World* world, const Tank* tank, StateVisitor* v)
{
    TRY(state_reals(v, "time", &world->time, 1));
    TRY(state_long(v, "step", &world->step));
    TRY(state_ints(v, "next_id", &world->next_id, 1));
    TRY(state_reals(v, "ledger_input", &world->ledger.input, 1));
    TRY(state_reals(v, "ledger_outflow", &world->ledger.outflow, 1));
    TRY(spray_visit(&world->spray, v));
    TRY(solids_visit(&world->solids, v));
    TRY(film_air_visit(&world->air, v));
    return visit_liquids(world, tank, v);
}

uint64_t world_hash(World* world, const Tank* tank)
{
    StateHash hash = state_hash_begin();
    world_visit(world, tank, &hash.visitor);  // reads only: cannot fail
    return hash.value;
}

mn_status sim_rebuild(Sim* sim)
{
    arena_reset(&sim->kept[sim->kept_now]);
    for (int m = 0; m < sim->world.liquid_count; m++)
        TRY(liquid_rebuild(&sim->world.liquid[m], &sim->kept[sim->kept_now], &sim->world.solids));
    return MN_OK;
}

mn_status sim_start(Sim* sim)
{
    Arena* kept = &sim->kept[sim->kept_now];
    StepContext ctx = sim_context(sim);
    for (int m = 0; m < sim->world.liquid_count; m++) {
        Liquid* q = &sim->world.liquid[m];
        TRY(flow_rebuild_surface(q, &ctx, kept, 4*(BAND + sim->model.tank.wider)));
        q->target_volume = q->cells.volume;
        sim->world.ledger.input += q->cells.volume;
    }
    stage_start(&sim->times);
    for (int m = 0; m < sim->world.liquid_count; m++) TRY(flow_project(&sim->world.liquid[m], &ctx, NULL, 1e-3));
    return MN_OK;
}

// ---- one step, with second thoughts --------------------------------------------------------------------------------------

enum { RETRIES = 4 };

// How long a step is.
typedef struct StepLength {
    double dt, free;  // s; free: as long as flow and tension allow
    bool by_film;     // a film has made it shorter
} StepLength;

// A film must not close by much more than half within a step (docs/film.md; its feedback on the step's own solve then converges).
// Thinner than the cushion h_c = (24 mu dt dx/rho)^(1/3) it hands on all pressure and stops closing by itself; films at rest
// never limit the step.
static double limit_by_films(const Sim* sim, double dt)
{
    const double part = 0.5, least = 1.0/16;
    if (sim->world.air.count == 0) return dt;
    double rho = INFINITY;
    for (int m = 0; m < sim->world.liquid_count; m++) rho = fmin(rho, sim->world.liquid[m].material.rho);
    double cushion = cbrt(24*sim->model.settings.film.mu*dt*sim->model.tank.dx/rho);
    return clamp(part*film_air_closing_time(&sim->world.air, cushion), least*dt, dt);
}

// The step that flow and tension allow.
static double free_dt(const Sim* sim)
{
    double cells = sim->model.settings.cfl*sim->model.tank.dx, speed = 0, size = 0;
    for (int d = 0; d < sim->model.tank.dim; d++) size = fmax(size, sim->model.tank.n[d]*sim->model.tank.dx);
    for (int m = 0; m < sim->world.liquid_count; m++) speed = fmax(speed, liquid_max_speed(&sim->world.liquid[m]));
    speed = fmax(speed, solids_max_speed(&sim->world.solids, size));
    for (int m = 0; m < sim->model.source_count; m++) speed = fmax(speed, vec_norm(sim->model.source[m].velocity));
    double a[3];
    if (flow_acceleration(a, &sim->model, sim->world.time) != MN_OK) a[0] = a[1] = a[2] = 0;
    // cells = speed dt + a dt^2, solved for dt: what gravity adds within the step counts too
    double g = vec_norm(a), dt = g > 0       ? 2*cells/(speed + sqrt(speed*speed + 4*g*cells))
                                 : speed > 0 ? cells/speed
                                             : INFINITY;
    return fmin(fmin(dt, sim->model.settings.max_dt), tension_limit(&sim->model, &sim->world));
}

// Films come before `limit`, the time that is left: else their least step would get shorter and shorter towards its end.
static StepLength choose_length(const Sim* sim, double limit)
{
    StepLength s = {.free = free_dt(sim)};
    if (!isfinite(s.free)) s.free = limit;
    double dt = limit_by_films(sim, s.free);
    s.by_film = dt < fmin(s.free, limit);
    // two equal steps rather than a long one and a sliver
    s.dt = dt >= limit ? limit : dt > 0.5*limit ? 0.5*limit : dt;
    return s;
}

double sim_choose_dt(const Sim* sim, double limit) { return choose_length(sim, limit).dt; }

// Back to the state before the step: what does not survive a step is rebuilt from what does.
static mn_status restore(Sim* sim, StateCopy* before)
{
    arena_reset(&sim->scratch);
    TRY(world_visit(&sim->world, &sim->model.tank, state_copy_restorer(before)));
    return sim_rebuild(sim);
}

// A step is as long as the velocity at its start allows; where a neck breaks or liquids collide within it, what comes out may be
// many times as fast. Then the step was too long for what happened in it: surface and velocity would part (a thread that broke
// within 9 capillary times came out at 8 cells per step). It may be longer than asked for by this factor.
static const double LONGER_THAN_ASKED = 2;

// What a finished step must satisfy to be kept.
static mn_status check_step(Sim* sim)
{
    double speed = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) {
        const Liquid* q = &sim->world.liquid[m];
        double fastest = liquid_max_speed(q);
        if (!isfinite(fastest)) return mn_fail(MN_STEP_FAILED, "liquid %d: velocity is not a number", q->id);
        speed = fmax(speed, fastest);
    }
    sim->report.max_speed = speed;
    double most = LONGER_THAN_ASKED*sim->model.settings.cfl, cells = sim->report.dt*speed/sim->model.tank.dx;
    if (cells > most && sim->report.retries < RETRIES)
        return mn_fail(MN_STEP_FAILED, "the liquid came to %.3g cells per step; at most %g are kept", cells, most);
    return MN_OK;
}

mn_status sim_advance(Sim* sim, double time)
{
    while (sim->world.time < time) TRY(sim_step_towards(sim, time));
    return MN_OK;
}

mn_status sim_step_towards(Sim* sim, double time)
{
    double rest = time - sim->world.time;
    TRY(sim_step(sim, rest));
    // a step that used all of the rest ends on the mark, not a rounding error beside it
    if (sim->report.dt == rest) sim->world.time = time;
    return MN_OK;
}

// The liquids' parts are rebuilt in the arena that the state before the step does not use.
static mn_status take_step(Sim* sim, double dt)
{
    StepContext ctx = sim_context(sim);
    ctx.kept = &sim->kept[1 - sim->kept_now];
    TRY(step_liquid(&ctx, dt));
    sim->kept_now = 1 - sim->kept_now;
    return MN_OK;
}

mn_status sim_step(Sim* sim, double limit)
{
    stage_start(&sim->times);
    arena_reset(&sim->before);
    StateCopy* before = state_copy_begin(&sim->before);
    TRY_MEMORY(before);
    TRY(world_visit(&sim->world, &sim->model.tank, state_copy_saver(before)));
    stage_end(&sim->times, STAGE_SAVE_STATE);
    StepLength length = choose_length(sim, limit);
    double dt = length.dt;
    sim->report.free_dt = length.free, sim->report.film_limits = length.by_film, sim->report.retries = 0;
    for (;;) {
        mn_status status = dt > 0 && isfinite(dt) ? take_step(sim, dt) : mn_fail(MN_STEP_FAILED, "the time step is %g s", dt);
        if (status == MN_OK) status = check_step(sim);
        if (status == MN_OK) break;
        bool hopeless = status == MN_NO_MEMORY || status == MN_BAD_SCENE || sim->report.retries == RETRIES;
        TRY(restore(sim, before));
        if (status == MN_NO_MEMORY || status == MN_BAD_SCENE) return status;
        if (hopeless)
            return mn_fail_context(MN_STEP_FAILED, "step %ld at t = %.6g s failed even with dt = %.3g s: ", sim->world.step + 1,
                                   sim->world.time, dt);
        sim->report.retries++;
        dt *= 0.5;
    }
    return MN_OK;
}
