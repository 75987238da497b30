// The liquid step, in the order of docs/liquid.md: surface and velocity ride on the last divergence-free velocity, the
// topology and the volume are put right, then forces act and the pressure makes the velocity divergence-free again.
#include "step/step_liquid.h"

#include <math.h>
#include "step/flow.h"
#include "step/sources.h"
#include "step/step_film.h"
#include "step/tension.h"
#include "step/tension_band.h"
#include "step/tension_split.h"
#include "step/topology_step.h"

enum { REDISTANCE_SWEEPS = 3 };

mn_status step_liquid(Sim* sim, double dt)
{
    Arena* kept = &sim->kept[1 - sim->kept_now];
    arena_reset(kept);
    sim->report.dt = dt;

    // 1  what flows out through open sides in this step leaves the books now
    flow_book_outflow(sim, dt);

    // 2  D phi/Dt = 0 and Du/Dt = 0 with the extended u of the last step, or the mean one of the cycles of tension
    double acceleration[3];
    TRY(flow_acceleration(acceleration, sim, sim->time + 0.5*dt));
    struct FreeMotion* motion;
    TRY(film_step_note_motion(&motion, sim, kept));
    sim->split = NULL;
    TensionScheme scheme = sim->settings.tension.scheme;
    if (scheme == TENSION_SPLIT || scheme == TENSION_AUTO) TRY(tension_split_carry(&sim->split, sim, kept, acceleration, dt));
    else
        for (int m = 0; m < sim->liquid_count; m++) TRY(flow_advect(&sim->liquid[m], sim, NULL, dt));
    sim->ledger.outflow += spray_move(&sim->spray, &sim->tank, &sim->solids, acceleration, dt);
    stage_end(&sim->times, STAGE_ADVECT);

    // 3  solids go to their new place
    TRY(flow_move_solids(sim, dt));
    stage_end(&sim->times, STAGE_SOLIDS);

    // 4  distances again, the surface held in place; windows follow; spans, cut cells
    for (int m = 0; m < sim->liquid_count; m++) TRY(flow_rebuild_surface(&sim->liquid[m], sim, kept, REDISTANCE_SWEEPS));
    stage_end(&sim->times, STAGE_REDISTANCE);

    // 5  sources add liquid; parts that came apart become liquids or spray; what touches merges
    TRY(sources_act(sim, kept, dt));
    TRY(topology_update(sim, kept));
    stage_end(&sim->times, STAGE_TOPOLOGY);

    // 6  liquids that stay apart leave room for the air between them; every liquid gets its own volume back, where it is free
    TRY(film_step_repair(sim, kept));
    sim->report.volume_correction = 0;
    for (int m = 0; m < sim->liquid_count; m++) {
        double error;
        float* freedom;
        TRY(film_step_freedom(&freedom, sim, kept, m));
        TRY(liquid_restore_volume(&sim->liquid[m], &sim->scratch, freedom, &error));
        sim->report.volume_correction = fmax(sim->report.volume_correction, fabs(error));
        arena_reset(&sim->scratch);
        // spans too, so that the state at the end of a step follows from what a checkpoint saves and nothing else
        TRY(liquid_rebuild(&sim->liquid[m], kept, &sim->solids));
    }
    stage_end(&sim->times, STAGE_VOLUME);

    // 7  u* = u + dt (g - a), then rho (u** - u*) = dt div(2 mu D(u**))
    // 8  div(dt/rho grad p) = div u**, then u = u** - dt/rho grad p
    // 9  u past the surface and into solids, for the next step
    sim->report.iterations = 0, sim->report.residual = 0, sim->report.unknowns = 0, sim->report.viscous_iterations = 0;
    for (int m = 0; m < sim->liquid_count; m++) {
        flow_add_acceleration(&sim->liquid[m], acceleration, dt);
        TRY(tension_paper_push(&sim->liquid[m], sim));
        if (sim->settings.tension.scheme == TENSION_CSF) TRY(tension_band_act(&sim->liquid[m], sim, dt));
        TRY(flow_add_viscosity(&sim->liquid[m], sim, acceleration, dt));
    }
    TRY(film_step_keep_motion(sim, motion, acceleration, dt));
    TRY(film_step_project(sim, kept, acceleration, dt));
    sim->split = NULL;
    sim->kept_now = 1 - sim->kept_now;
    sim->time += dt;
    sim->step++;
    return MN_OK;
}
