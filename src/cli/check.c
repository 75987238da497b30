// `meniscus check`: what a scene will cost, which physics rules it, and what looks doubtful, without running it.
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/vec.h"
#include "cli/cli.h"
#include "scene/scene_sim.h"
#include "tension/tension.h"
#include "step/tension_report.h"

static const char usage[] = "usage: meniscus check SCENE.lua [--set NAME=VALUE] [--allow-outside]\n"
                            "\n"
                            "Reads a scene and reports sizes, cells, memory, dimensionless numbers, time steps and warnings.\n"
                            "\n"
                            "  --set NAME=VALUE   an option of the scene; may be given again\n"
                            "  --allow-outside    the scene may read files outside its folder\n";

// Peak resident bytes per cell of the liquids' windows, and of the program itself, as measured on drop_into_bath
// (docs/performance.md): 5 fields and their copy for undoing a step, cut cells of two steps, scratch of the largest stage.
enum { BYTES_PER_CELL = 1050, BYTES_OF_PROGRAM = 35000000 };

static int warnings;
static void warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
static void warn(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("  warning: ", stdout);
    vprintf(format, args);
    fputc('\n', stdout);
    va_end(args);
    warnings++;
}

static void report_domain(const Scene* s)
{
    printf("%s\n", s->title);
    if (s->dim == 3)
        printf("  domain      %g x %g x %g m, %d x %d x %d cells of %g m\n", s->size[0], s->size[1], s->size[2], s->cells[0],
               s->cells[1], s->cells[2], s->dx);
    else
        printf("  domain      %g x %g m, %d x %d cells of %g m (2D, per metre of depth)\n", s->size[0], s->size[1], s->cells[0],
               s->cells[1], s->dx);
    printf("  frames      %d at %g per second: %g s\n", s->frame_count, s->frame_rate, s->frame_count/s->frame_rate);
    printf("  contents    %d liquid%s, %d solid%s, %d source%s, %d probe%s\n", s->liquid_count, s->liquid_count == 1 ? "" : "s",
           s->solid_count, s->solid_count == 1 ? "" : "s", s->source_count, s->source_count == 1 ? "" : "s", s->probe_count,
           s->probe_count == 1 ? "" : "s");
}

static void report_options(const SceneOptions* options)
{
    for (int m = 0; m < options->count; m++)
        printf("  %-11s %s = %s\n", m == 0 ? "options" : "", options->option[m].name, options->option[m].value);
}

static double largest_gravity(const Scene* s)
{
    double a[3] = {0, 0, 0};
    if (scene_frame_acceleration(a, s, 0) != MN_OK) a[0] = a[1] = a[2] = 0;
    for (int d = 0; d < 3; d++) a[d] = s->gravity[d] - a[d];
    return vec_norm(a);
}

// The numbers of one liquid; length scale: radius of the ball (disc) of the same volume.
static void report_liquid(const Scene* s, const SceneLiquid* from, const Liquid* q)
{
    double g = largest_gravity(s), volume = q->cells.volume, dx = s->dx;
    const Material* m = &from->material;
    double radius = s->dim == 3 ? cbrt(3*volume/(4*PI)) : sqrt(volume/PI), speed = vec_norm(from->velocity);
    printf("  %-11s %s: volume %.6g m^%d, %.3g cells, radius of its ball %.3g m (%.1f cells)\n", from->name, m->name, volume,
           s->dim, volume/window_cell_volume(&q->w), radius, radius/dx);
    if (m->sigma > 0) {
        double capillary = g > 0 ? sqrt(m->sigma/(m->rho*g)) : INFINITY;
        printf("              Bond %.3g, Weber %.3g, Ohnesorge %.3g; capillary length %.3g m (%.1f cells)\n",
               m->rho*g*radius*radius/m->sigma, m->rho*speed*speed*2*radius/m->sigma,
               m->mu/sqrt(m->rho*m->sigma*radius), capillary, capillary/dx);
        printf("              capillary time sqrt(rho dx^3/(4 pi sigma)) = %.3g s\n", tension_time(q));
    }
    double fall = sqrt(speed*speed + 2*g*s->size[1]);
    if (fall > 0)
        printf("              advective step cfl dx/|u| = %.3g s at |u| = %.3g m/s (start, plus a fall of the box)\n",
               s->cfl*dx/fall, fall);
    if (radius < 4*dx) warn("%s: only %.1f cells in radius; at least 4 are needed to move well", from->name, radius/dx);
}

// Steps of the whole run. The flow's speed is not known yet: at least that of the start, at most that of a fall through the box.
static void report_steps(const Scene* s, const Sim* sim)
{
    double frame = 1/s->frame_rate, g = largest_gravity(s), speed = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) speed = fmax(speed, vec_norm(s->liquids[m].velocity));
    for (int m = 0; m < s->source_count; m++) speed = fmax(speed, vec_norm(s->sources[m].velocity));
    double fall = sqrt(speed*speed + 2*g*s->size[1]);
    double longest = fmin(fmin(s->max_dt, frame), tension_limit(&sim->model, &sim->world)), shortest = longest;
    if (speed > 0) longest = fmin(longest, s->cfl*s->dx/speed);
    if (fall > 0) shortest = fmin(shortest, s->cfl*s->dx/fall);
    printf("  steps       about %.0f to %.0f\n", s->frame_count*ceil(frame/longest), s->frame_count*ceil(frame/shortest));
    char line[300];
    tension_explain(line, sizeof line, sim, frame);
    printf("  tension     %s\n", line);
}

// Gaps between liquids that the grid cannot see: nodes of one within 3 cells of the other. Where a film of air holds them apart,
// any gap will do.
static void report_gaps(const Scene* s, const Sim* sim)
{
    for (int a = 0; a < sim->world.liquid_count; a++)
        for (int b = a + 1; b < sim->world.liquid_count; b++) {
            const Liquid* p = &sim->world.liquid[a];
            if (merge_policy(&sim->model.merge, p, &sim->world.liquid[b], 0).rule != MERGE_ON_TOUCH) continue;
            double gap = INFINITY;
            for (int m = 0; m < p->cells.count; m++) {
                const CutCell* c = &p->cells.cut[m];
                if (c->patch_area == 0) continue;
                double x[3];
                window_position(x, &p->w, c->i + c->center[0], c->j + c->center[1], c->k + c->center[2]);
                gap = fmin(gap, shape_distance(s->liquids[b].shape, x));
            }
            if (gap < 3*s->dx)
                warn("%s and %s are %.2g cells apart: fewer than 3 cannot be told from touching", s->liquids[a].name,
                     s->liquids[b].name, gap/s->dx);
        }
}

// Wedges of less than 30 degrees are thinner than a cell for some cells from the contact line.
static void report_angles(const Scene* s)
{
    const double least = 30*PI/180, most = 170*PI/180;
    bool tension = false,
         doubtful = s->wall_angle.receding >= 0 && (s->wall_angle.receding < least || s->wall_angle.advancing > most);
    for (int m = 0; m < s->liquid_count; m++) {
        const Material* q = &s->liquids[m].material;
        tension = tension || q->sigma > 0;
        doubtful = doubtful || q->contact_angle < least || q->contact_angle > most;
    }
    for (int m = 0; m < s->solid_count; m++) {
        const SceneAngle* a = &s->solids[m].contact_angle;
        doubtful = doubtful || (a->receding >= 0 && (a->receding < least || a->advancing > most));
    }
    if (tension && doubtful)
        warn("contact angles below 30 or above 170 degrees: the wedge at the contact line is thinner than the grid can hold");
}

static double depth_at(Solid* solid, const double x[3])
{
    int which;
    return -solids_distance(&(Solids){.solid = solid, .count = 1}, x, &which);
}

// Depth of the deepest point of a solid, m: half its thickness. From the deepest node on uphill, in ever shorter steps, until it
// is `enough`: a half-space has no deepest point.
static double deepest(const Scene* s, Solid* solid, double enough)
{
    double most = 0, best[3] = {0};
    for (int k = 0; k <= (s->dim == 3 ? s->cells[2] : 0); k++)
        for (int j = 0; j <= s->cells[1]; j++)
            for (int i = 0; i <= s->cells[0]; i++) {
                double x[3] = {i*s->dx, j*s->dx, k*s->dx}, depth = depth_at(solid, x);
                if (depth > most) most = depth, memcpy(best, x, sizeof best);
            }
    for (double step = 0.5*s->dx; step > 0.01*s->dx && most < enough;) {
        bool better = false;
        for (int side = 0; side < 2*s->dim; side++) {
            double x[3] = {best[0], best[1], best[2]};
            x[side/2] += side & 1 ? step : -step;
            double depth = depth_at(solid, x);
            if (depth > most + 1e-9*s->dx) most = depth, better = true, memcpy(best, x, sizeof best);
        }
        if (!better) step *= 0.5;
    }
    return most;
}

// The surface goes on into a solid from the liquid's side and through thin ones, but a node must lie in either half
// (docs/contact.md, limits).
static const double THICK_ENOUGH = 2;  // cells

static void report_thin_solids(const Scene* s, const Sim* sim)
{
    for (int m = 0; m < s->solid_count; m++) {
        const SceneAngle* a = &s->solids[m].contact_angle;
        if (a->advancing < 0 || (a->advancing == a->receding && fabs(a->advancing - 0.5*PI) < 1e-12)) continue;
        double cells = 2*deepest(s, &sim->world.solids.solid[m], 0.5*THICK_ENOUGH*s->dx)/s->dx;
        if (cells > 0 && cells < THICK_ENOUGH - 0.05)
            warn("%s is %.1f cells thick; contact angles are held by solids of %g cells and more, 6 if both their sides are wet",
                 s->solids[m].name, cells, THICK_ENOUGH);
    }
}

static void report_doubts(const Scene* s)
{
    double largest = 0;
    for (int d = 0; d < s->dim; d++) largest = fmax(largest, s->size[d]);
    if (largest > 1)
        warn("the domain is %g m large; meniscus is made for millimetres to decimetres. Forgot mm() or cm()?", largest);
    if (largest < 1e-5)
        warn("the domain is %g m large; below ten micrometres a liquid is not a continuum for this program", largest);
    report_angles(s);
    double gravity = largest_gravity(s);
    if (gravity > 0 && (gravity < 1 || gravity > 50)) warn("gravity is %g m/s^2", gravity);
}

static mn_status check_scene(const char* path, const SceneTerms* terms)
{
    Scene scene;
    TRY(scene_load(&scene, path, terms));
    Sim sim;
    mn_status status = scene_build(&sim, &scene);
    if (status == MN_OK) status = sim_rebuild(&sim);
    if (status == MN_OK) {
        report_domain(&scene);
        report_options(&scene.options);
        double cells = 0;
        for (int m = 0; m < sim.world.liquid_count; m++) {
            report_liquid(&scene, &scene.liquids[m], &sim.world.liquid[m]);
            cells += (double)sim.world.liquid[m].w.count;
        }
        report_steps(&scene, &sim);
        printf("  memory      about %.0f MB\n", (cells*BYTES_PER_CELL + BYTES_OF_PROGRAM)/1e6);
        report_gaps(&scene, &sim);
        report_thin_solids(&scene, &sim);
        report_doubts(&scene);
        if (warnings == 0) puts("  no warnings");
        else printf("  %d warning%s\n", warnings, warnings == 1 ? "" : "s");
    }
    sim_free(&sim);
    scene_free(&scene);
    return status;
}

int check_command(int argc, char** argv)
{
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'}, {"allow-outside", no_argument, NULL, 'a'}, {"help", no_argument, NULL, 'h'}, {0}};
    CliSettings settings = {0};
    SceneTerms terms = {.settings = settings.setting};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) switch (c) {
        case 's':
            if (!cli_add_setting(&settings, optarg)) return 2;
            break;
        case 'a':
            terms.allow_outside = true;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            return cli_usage_error(usage, "check: unknown or incomplete option '%s'", argv[optind - 1]);
        }
    if (optind != argc - 1) return cli_usage_error(usage, "check: expected one scene file, got %d", argc - optind);
    return check_scene(argv[optind], &terms) == MN_OK ? 0 : cli_fail();
}
