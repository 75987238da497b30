// mn_run: frames, steps, files and checkpoints around the step.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "base/timer.h"
#include "output/output.h"
#include "render/render.h"
#include "scene/scene_sim.h"
#include "step/tension_report.h"

enum { MOST_THREADS = 1024 };

typedef struct Run {
    const mn_run_options* options;
    Scene scene;
    Sim sim;
    Output* output;
    bool begun;            // the directory is this run's: a resume that is refused leaves what it found
    int frame, frames;     // last frame written, frames in all
    double started;        // wall clock
    double time_at_start;  // simulated, for the estimate of the time left
} Run;

static double frame_time(const Run* r, int frame) { return frame/r->scene.frame_rate; }

static bool tell_progress(Run* r, bool frame_done)
{
    if (!r->options->progress) return true;
    Sim* sim = &r->sim;
    double wall = timer_now() - r->started, done = sim->world.time - r->time_at_start;
    mn_progress p = {.frame = r->frame,
                     .frames = r->frames,
                     .frame_done = frame_done,
                     .step = sim->world.step,
                     .time = sim->world.time,
                     .dt = sim->report.dt,
                     .iterations = sim->report.iterations,
                     .volume_correction = sim->report.volume_correction,
                     .ledger_error = sim_ledger_error(sim),
                     .liquids = sim->world.liquid_count,
                     .droplets = sim->world.spray.count,
                     .wall_seconds = wall,
                     .hash = r->options->hash && frame_done ? world_hash(&sim->world, &sim->model.tank) : 0,
                     .seconds_left = done > 0 ? wall*(frame_time(r, r->frames) - sim->world.time)/done : -1};
    return r->options->progress(r->options->user, &p);
}

// A step that cannot be made ends the run with the state before it saved.
static mn_status save_and_fail(Run* r, mn_status status)
{
    char* why = strdup(mn_last_error());
    if (output_checkpoint(r->output, &r->sim, r->frame) == MN_OK)
        mn_fail(status, "%s (the state before it is saved: --resume goes on from there)", why ? why : "a step failed");
    else mn_fail(status, "%s", why ? why : "a step failed");
    free(why);
    return status;
}

// Files first, then the picture that is made from them.
static mn_status write_frame(Run* r)
{
    const ScenePictures* p = &r->scene.pictures;
    TRY(output_frame(r->output, &r->sim, r->frame));
    if (!p->wanted || r->frame%p->every != 0) return MN_OK;
    RenderOptions o;
    render_defaults(&o);
    o.first = o.last = r->frame;
    o.width = p->width, o.height = p->height, o.samples = p->samples, o.style = scene_picture_styles[p->style];
    o.threads = omp_get_max_threads();
    o.whole_tank = true;
    return render_run(r->options->directory, &o);
}

static mn_status run_frame(Run* r)
{
    double end = frame_time(r, r->frame + 1);
    while (r->sim.world.time < end) {
        mn_status status = sim_step_towards(&r->sim, end);
        if (status != MN_OK) return save_and_fail(r, status);
        TRY(output_step(r->output, &r->sim));
        bool done = r->sim.world.time >= end;
        if (done) {
            r->frame++;
            TRY(write_frame(r));
        }
        if (!tell_progress(r, done)) {
            TRY(output_checkpoint(r->output, &r->sim, r->frame));
            return mn_fail(MN_STOPPED, "stopped at t = %.6g s; --resume goes on from there", r->sim.world.time);
        }
    }
    if (r->frame%r->scene.checkpoint_every == 0 || r->frame == r->frames) TRY(output_checkpoint(r->output, &r->sim, r->frame));
    return MN_OK;
}

// Which scheme surface tension acts by, to whoever watches and into run.json.
static mn_status tell_tension(Run* r)
{
    char explained[300], line[340];
    tension_explain(explained, sizeof explained, &r->sim, 1/r->scene.frame_rate);
    snprintf(line, sizeof line, "surface tension: %s", explained);
    if (r->options->tell) r->options->tell(r->options->user, line);
    return output_tell_tension(r->output, &r->sim, explained);
}

static mn_status run_all(Run* r)
{
    const mn_run_options* o = r->options;
    TRY(scene_load(&r->scene, o->scene, &(SceneTerms){o->settings, o->allow_outside}));
    r->frames = o->frames > 0 ? o->frames : r->scene.frame_count;
    if (o->threads > MOST_THREADS)
        return mn_fail(MN_BAD_ARGUMENT, "%d threads: at most %d are possible", o->threads, MOST_THREADS);
    int threads = o->threads > 0 ? o->threads : omp_get_num_procs();
    omp_set_num_threads(threads);
    TRY(scene_build(&r->sim, &r->scene));
    TRY(output_open(&r->output, o->directory, &r->scene, &r->sim, &(OutputOptions){.threads = threads, .resume = o->resume}));
    r->begun = !o->resume;
    if (o->resume) {
        TRY(output_resume(r->output, &r->sim, &r->frame));
        r->begun = true;
    } else {
        TRY(sim_start(&r->sim));
        TRY(write_frame(r));
    }
    TRY(tell_tension(r));
    r->time_at_start = r->sim.world.time;
    while (r->frame < r->frames) TRY(run_frame(r));
    return MN_OK;
}

mn_status mn_run(const mn_run_options* options)
{
    Run r = {.options = options, .started = timer_now()};
    mn_status status = run_all(&r);
    if (r.output) {
        // the message of a failure must survive the closing of the files
        char* why = status == MN_OK ? NULL : strdup(mn_last_error());
        char failed[1200];
        snprintf(failed, sizeof failed, "failed: %s", why ? why : "out of memory");
        const char* text = status == MN_OK ? "finished" : status == MN_STOPPED ? "stopped" : failed;
        mn_status closed = r.begun ? output_finish(r.output, &r.sim, text) : MN_OK;
        if (status == MN_OK) status = closed;
        else if (why) mn_fail(status, "%s", why);
        output_close(r.output);
        free(why);
    }
    sim_free(&r.sim);
    scene_free(&r.scene);
    return status;
}
