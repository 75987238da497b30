#include "step/tension_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tension/tension.h"
#include "tension/tension_split.h"

static const Liquid* stiffest(const Sim* sim)
{
    const Liquid* q = NULL;
    for (int m = 0; m < sim->world.liquid_count; m++)
        if (sim->world.liquid[m].material.sigma > 0 && !sim->world.liquid[m].meshed &&
            (!q || tension_time(&sim->world.liquid[m]) < tension_time(q)))
            q = &sim->world.liquid[m];
    return q;
}

static bool membranes(const Sim* sim)
{
    for (int m = 0; m < sim->world.liquid_count; m++)
        if (sim->world.liquid[m].meshed) return true;
    return false;
}

const char* tension_pick(const Sim* sim, double limit)
{
    static const char* const names[] = {[TENSION_AUTO] = "auto",
                                        [TENSION_EXPLICIT] = "explicit",
                                        [TENSION_IMPLICIT] = "implicit",
                                        [TENSION_CSF] = "csf",
                                        [TENSION_SPLIT] = "split"};
    const Liquid* q = stiffest(sim);
    if (!q) return "none";
    if (sim->model.settings.tension.scheme != TENSION_AUTO) return names[sim->model.settings.tension.scheme];
    double dt = sim_choose_dt(sim, limit);
    TensionWay way = tension_decide(q, &sim->model, &sim->world, dt).way;
    return way == TENSION_FITTED ? "implicit" : way == TENSION_IN_CYCLES ? "split" : "explicit";
}

// What is particular about the scheme in a step of `steps` capillary times of the stiffest liquid.
static void describe(char* out, size_t size, const Sim* sim, const Liquid* q, const char* pick, double dt)
{
    const TensionSettings* t = &sim->model.settings.tension;
    out[0] = 0;
    if (t->scheme == TENSION_AUTO && strcmp(pick, "explicit") == 0)
        snprintf(out, size, ", within the %g that are stable", EXPLICIT_STEPS);
    else if (t->scheme == TENSION_AUTO && strcmp(pick, "implicit") == 0)
        snprintf(out, size, ", more than the %g where explicit is stable", EXPLICIT_STEPS);
    else if (strcmp(pick, "split") == 0) {
        int n = tension_decide(q, &sim->model, &sim->world, dt).cycles;
        snprintf(out, size, ", in %d cycle%s%s", n, n == 1 ? "" : "s",
                 t->variant == SPLIT_PAPER ? " as [cohen2004] prints them" : "");
    } else if (t->scheme == TENSION_CSF) snprintf(out, size, "; a band force, to compare with: waves are slow by 10 to 20 %%");
}

void tension_explain(char* out, size_t size, const Sim* sim, double limit)
{
    const Liquid* q = stiffest(sim);
    if (!q) {
        snprintf(out, size, "%s",
                 membranes(sim) ? "that of the liquids' own meshes, at every step" : "no liquid has surface tension");
        return;
    }
    Sim without = *sim;  // the step that the flow alone would allow; nothing of it is freed
    without.model.settings.tension = (TensionSettings){.scheme = TENSION_IMPLICIT, .most_steps = 1e30};
    double time = tension_time(q), flow = sim_choose_dt(&without, limit), dt = sim_choose_dt(sim, limit);
    const char* pick = tension_pick(sim, limit);
    bool is_auto = sim->model.settings.tension.scheme == TENSION_AUTO;
    char particular[100];
    describe(particular, sizeof particular, sim, q, pick, dt);
    snprintf(
        out, size,
        "%s%s%s: the flow allows steps of %.2g s, which are %.2g capillary times of %.2g s; the first step takes %.2g of them%s",
        is_auto ? "auto picks " : "", pick, is_auto ? "" : ", as the scene asks", flow, flow/time, time, dt/time, particular);
}
