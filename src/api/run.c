// mn_run: frames, steps, files and checkpoints around the step.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "base/timer.h"
#include "output/output.h"
#include "output/runcommand.h"
#include "render/render.h"
#include "scene/scene_sim.h"
#include "scene/warnings.h"
#include "step/tension_report.h"

enum { MOST_THREADS = 1024 };

typedef struct Run {
    const mn_run_options* options;
    RunCommand begun_with;        // of a resume: what the run began with
    const char* const* settings;  // of this run; borrowed
    int frames_given, threads_given;
    Scene scene;
    Sim sim;
    Output* output;
    Warnings warnings;
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

// Rows of the step and, where it ends one, the frame.
static mn_status write_step(Run* r, bool frame_done)
{
    TRY(output_step(r->output, &r->sim));
    if (!frame_done) return MN_OK;
    r->frame++;
    return write_frame(r);
}

// A step that cannot be written (the disk is full, a table was changed by somebody else) is taken back, so that what is saved
// fits what is in the tables: a run that goes on makes the step again.
static mn_status undo_and_fail(Run* r, mn_status status, int frame)
{
    char* why = strdup(mn_last_error());
    r->frame = frame;
    output_undo_step(r->output);
    bool undone = sim_undo_step(&r->sim) == MN_OK;
    mn_fail(status, "%s", why ? why : "a step could not be written");
    free(why);
    return undone ? save_and_fail(r, status) : status;
}

static void tell_news(const Run* r)
{
    const char* line;
    for (int from = 0; (from = partners_news(&line, &r->sim.world, from)) > 0;)
        if (r->options->tell) r->options->tell(r->options->user, line);
}

static mn_status run_frame(Run* r)
{
    double end = frame_time(r, r->frame + 1);
    while (r->sim.world.time < end) {
        mn_status status = sim_step_towards(&r->sim, end);
        if (status != MN_OK) return save_and_fail(r, status);
        tell_news(r);
        bool done = r->sim.world.time >= end;
        int frame = r->frame;
        status = write_step(r, done);
        if (status != MN_OK) return undo_and_fail(r, status, frame);
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

// What happened to steps on the way.
static void tell_undone(const Run* r)
{
    const Undone* u = &r->sim.undone;
    long sum = u->too_far + u->gained + u->failed;
    char line[400];
    if (sum + u->calmed == 0 || !r->options->tell) return;
    int n =
        snprintf(line, sizeof line,
                 "%ld attempts at a step were taken back and made shorter: %ld went further than cfl allows, %ld gained energy "
                 "from nowhere, %ld failed",
                 sum, u->too_far, u->gained, u->failed);
    if (u->calmed > 0)
        snprintf(line + n, sizeof line - (size_t)n,
                 "; %ld steps were calmed, which took energy from nowhere off their motion: see energy_taken in table.csv",
                 u->calmed);
    r->options->tell(r->options->user, line);
}

// What a resumed run takes over from its beginning, to whoever watches.
static void tell_command(const Run* r)
{
    char line[1000] = "going on with";
    size_t start = strlen(line);
    for (const char* const* s = r->settings; s && *s; s++)
        snprintf(line + strlen(line), sizeof line - strlen(line), " --set %s", *s);
    if (r->frames_given > 0) snprintf(line + strlen(line), sizeof line - strlen(line), " --frames %d", r->frames_given);
    if (r->threads_given > 0) snprintf(line + strlen(line), sizeof line - strlen(line), " --threads %d", r->threads_given);
    int before = r->begun_with.threads;
    if (before > 0 && before != r->threads_given)
        snprintf(line + strlen(line), sizeof line - strlen(line), " (it began with --threads %d)", before);
    if (r->options->tell && line[start]) r->options->tell(r->options->user, line);
}

// A resume goes on with what the run began with. Other frames and threads may be asked for; other settings are another run. The
// number of frames holds until they are made: a run that has them goes on to the scene's own number.
static mn_status take_command(Run* r)
{
    const mn_run_options* o = r->options;
    r->settings = o->settings, r->frames_given = o->frames, r->threads_given = o->threads;
    if (!o->resume) return MN_OK;
    bool told;
    RunCommand* begun = &r->begun_with;
    TRY(runcommand_read(begun, &told, o->directory));
    if (!told) return MN_OK;
    TRY(runcommand_agrees(begun, o->settings, o->directory));
    r->settings = (const char* const*)begun->settings;
    if (o->frames <= 0 && begun->frames_done <= begun->frames) r->frames_given = begun->frames;
    if (o->threads <= 0) r->threads_given = begun->threads;
    return MN_OK;
}

// What the scene has printed.
static void tell_prints(const Run* r)
{
    const ScenePrints* p = r->scene.prints;
    char line[PRINTED_LINE + 20];
    if (!r->options->tell) return;
    for (int m = 0; m < p->count; m++) {
        snprintf(line, sizeof line, "scene: %s", p->line[m]);
        r->options->tell(r->options->user, line);
    }
    snprintf(line, sizeof line, "scene: and %ld lines more", p->missed);
    if (p->missed > 0) r->options->tell(r->options->user, line);
}

// What is doubtful about the scene, the same way.
static void tell_warnings(Run* r)
{
    for (int m = 0; m < r->warnings.count; m++) {
        char line[420];
        snprintf(line, sizeof line, "warning: %s", r->warnings.list[m].text);
        if (r->options->tell) r->options->tell(r->options->user, line);
    }
    output_tell_warnings(r->output, &r->warnings);
}

static mn_status run_all(Run* r)
{
    const mn_run_options* o = r->options;
    TRY(take_command(r));
    TRY(scene_load(&r->scene, o->scene, &(SceneTerms){.settings = r->settings, .allow_outside = o->allow_outside}));
    r->frames = r->frames_given > 0 ? r->frames_given : r->scene.frame_count;
    if (r->threads_given > MOST_THREADS)
        return mn_fail(MN_BAD_ARGUMENT, "%d threads: at most %d are possible", r->threads_given, MOST_THREADS);
    int threads = r->threads_given > 0 ? r->threads_given : omp_get_num_procs();
    omp_set_num_threads(threads);
    TRY(scene_build(&r->sim, &r->scene));
    OutputOptions output = {.threads = threads,
                            .resume = o->resume,
                            .settings = r->settings,
                            .frames_given = r->frames_given,
                            .threads_given = r->threads_given};
    TRY(output_open(&r->output, o->directory, &r->scene, &r->sim, &output));
    r->begun = !o->resume;
    if (o->resume) {
        TRY(sim_rebuild(&r->sim));  // warnings are about the start
        TRY(scene_warnings(&r->warnings, &r->scene, &r->sim));
        TRY(output_resume(r->output, &r->sim, &r->frame));
        r->begun = true;
        tell_command(r);
    } else {
        TRY(sim_start(&r->sim));
        TRY(scene_warnings(&r->warnings, &r->scene, &r->sim));
        TRY(write_frame(r));
    }
    tell_prints(r);
    tell_warnings(r);
    TRY(tell_tension(r));
    r->time_at_start = r->sim.world.time;
    while (r->frame < r->frames) TRY(run_frame(r));
    return MN_OK;
}

mn_status mn_run(const mn_run_options* options)
{
    if (!options || !options->scene || !options->directory)
        return mn_fail(MN_BAD_ARGUMENT, "mn_run: options, scene and directory are needed");
    Run r = {.options = options, .started = timer_now()};
    mn_status status = run_all(&r);
    tell_undone(&r);
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
    warnings_free(&r.warnings);
    sim_free(&r.sim);
    scene_free(&r.scene);
    runcommand_free(&r.begun_with);
    return status;
}
