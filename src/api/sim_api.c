// The simulation half of the public interface: a scene and its simulation behind one handle.
#include <math.h>
#include <stdlib.h>
#include "base/status.h"
#include "scene/scene_sim.h"

struct mn_sim {
    Scene scene;
    Sim sim;
};

mn_status mn_sim_open(mn_sim** out, const char* scene_path) { return mn_sim_open_set(out, scene_path, NULL); }

mn_status mn_sim_open_set(mn_sim** out, const char* scene_path, const char* const* settings)
{
    return mn_sim_open_with(out, &(mn_sim_options){.scene = scene_path, .settings = settings});
}

mn_status mn_sim_open_with(mn_sim** out, const mn_sim_options* o)
{
    *out = NULL;
    mn_sim* s = calloc(1, sizeof *s);
    if (!s) return mn_fail(MN_NO_MEMORY, "out of memory: opening %s", o->scene);
    mn_status status = scene_load(&s->scene, o->scene, &(SceneTerms){o->settings, o->allow_outside});
    if (status == MN_OK) status = scene_build(&s->sim, &s->scene);
    if (status == MN_OK) status = sim_start(&s->sim);
    if (status != MN_OK) {
        mn_sim_close(s);
        return status;
    }
    *out = s;
    return MN_OK;
}

void mn_sim_close(mn_sim* s)
{
    if (!s) return;
    sim_free(&s->sim);
    scene_free(&s->scene);
    free(s);
}

mn_status mn_sim_step(mn_sim* s, double limit)
{
    if (!(limit > 0)) return mn_fail(MN_BAD_ARGUMENT, "mn_sim_step: limit must be positive, got %g", limit);
    return sim_step(&s->sim, limit);
}

mn_status mn_sim_advance(mn_sim* s, double time)
{
    if (!isfinite(time)) return mn_fail(MN_BAD_ARGUMENT, "mn_sim_advance: time must be a finite number, got %g", time);
    return sim_advance(&s->sim, time);
}

double mn_sim_time(const mn_sim* s) { return s->sim.world.time; }
int mn_sim_dimensions(const mn_sim* s) { return s->sim.model.tank.dim; }
int mn_sim_liquids(const mn_sim* s) { return s->sim.world.liquid_count; }
double mn_sim_ledger_error(const mn_sim* s) { return sim_ledger_error(&s->sim); }

mn_status mn_sim_liquid(mn_sim* s, int m, mn_liquid* out)
{
    if (m < 0 || m >= s->sim.world.liquid_count)
        return mn_fail(MN_BAD_ARGUMENT, "mn_sim_liquid: there are %d liquids, asked for number %d", s->sim.world.liquid_count, m);
    const Liquid* q = &s->sim.world.liquid[m];
    LiquidState state = liquid_state(q, &s->sim.scratch);
    arena_reset(&s->sim.scratch);
    *out = (mn_liquid){.id = q->id,
                       .volume = state.volume,
                       .target_volume = q->target_volume,
                       .surface_area = state.area,
                       .kinetic_energy = state.kinetic_energy};
    for (int d = 0; d < 3; d++) out->center[d] = state.center[d], out->velocity[d] = state.velocity[d];
    return MN_OK;
}
