// `meniscus check`: what a scene will cost, which physics rules it, and what looks doubtful, without running it.
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include "base/vec.h"
#include "cli/cli.h"
#include "membrane/membrane_partner.h"
#include "scene/scene_sim.h"
#include "scene/sheet_moves.h"
#include "thin/rod_partner.h"
#include "scene/warnings.h"
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
    int solids = s->solid_count - s->body_count;
    printf("  contents    %d liquid%s, %d solid%s, ", s->liquid_count, s->liquid_count == 1 ? "" : "s", solids,
           solids == 1 ? "" : "s");
    if (s->rod_count > 0) printf("%d rod%s or web%s, ", s->rod_count, s->rod_count == 1 ? "" : "s", s->rod_count == 1 ? "" : "s");
    if (s->body_count > 0) printf("%d bod%s, ", s->body_count, s->body_count == 1 ? "y" : "ies");
    if (s->sheets.count > 0) printf("%d sheet%s, ", s->sheets.count, s->sheets.count == 1 ? "" : "s");
    printf("%d source%s, %d probe%s\n", s->source_count, s->source_count == 1 ? "" : "s", s->probe_count,
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

// The numbers of one liquid; length scale: radius of the ball (disc) of the same volume. What mirrors show counts.
static void report_mesh(const Scene* s, const SceneMembrane* from, const MembraneMesh* mesh)
{
    printf("              its surface is a mesh of %d %s and %d vertices, a membrane of %.3g m (%.3g cells)\n", mesh->elements,
           s->dim == 3 ? "triangles" : "segments", mesh->vertices, from->thickness, from->thickness/s->dx);
}

static void report_liquid(const Scene* s, const SceneLiquid* from, const Liquid* q, const LiquidSurvey* whole)
{
    double g = largest_gravity(s), dx = s->dx, radius = whole->radius, speed = vec_norm(from->velocity);
    const Material* m = &from->material;
    char part[60] = "";
    if (whole->images > 1) snprintf(part, sizeof part, " with its images, 1/%d of it in the box", whole->images);
    printf("  %-11s %s: volume %.6g m^%d%s, %.3g cells, radius of its ball %.3g m (%.1f cells)\n", from->name, m->name,
           whole->volume, s->dim, part, whole->volume/window_cell_volume(&q->w), radius, radius/dx);
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
}

static void print_bounds(const Scene* s, const double low[3], const double high[3])
{
    for (int d = 0; d < s->dim; d++) printf("%s%c %.3g to %.3g", d ? ", " : "", 'x' + d, low[d], high[d]);
    printf(" m\n");
}

static void report_thinnest(const Scene* s, const SolidSurvey* solid)
{
    if (isfinite(solid->thinnest.thickness)) printf("              thinnest part %.2g cells", solid->thinnest.thickness/s->dx);
    else printf("              thicker than %d cells", SURVEY_MEASURED);
}

static void report_solid(const Scene* s, const SceneSolid* from, const SolidSurvey* solid)
{
    printf("  %-11s solid%s: ", from->name, from->moving ? ", at the start" : "");
    print_bounds(s, solid->low, solid->high);
    report_thinnest(s, solid);
    if (from->moving) printf(", fastest %.3g m/s\n", solid->fastest);
    else printf(", stands still\n");
}

static void report_sheet(const Scene* s, int m)
{
    SheetMeasure sheet;
    sheet_measure(&sheet, &s->sheets, m);
    double speed;
    bool moving = s->sheets.sheet[m].moving;
    printf("  %-11s sheet%s: ", s->sheets.sheet[m].name, moving ? ", at the start" : "");
    print_bounds(s, sheet.low, sheet.high);
    printf("              %d %s, ", s->sheets.sheet[m].elements, s->dim == 3 ? "triangles" : "segments");
    if (s->dim == 3) printf("%.4g m^2, rim %.4g m", sheet.area, sheet.rim);
    else printf("%.4g m long, %d end%s", sheet.area, sheet.rim_ends, sheet.rim_ends == 1 ? "" : "s");
    if (sheet.rim_ends == 0) printf(" (closed)");
    const double* moved = s->sheets.moved;
    if (vec_norm(moved) > 0) printf("; moved by %.2g cells, off the nodes of the grid", vec_norm(moved));
    if (moving && sheet_fastest(&speed, s, m) == MN_OK) printf("; fastest %.3g m/s", speed);
    printf("\n");
}

static void report_flotation(const Scene* s, const Flotation* f)
{
    const char* unit = s->dim == 3 ? "N" : "N/m";
    printf("              ");
    if (f->under < 1) {
        printf("floats in %s of %.4g kg/m^3, %.3g %% of it under the surface\n", f->liquid->name, f->liquid->rho, 100*f->under);
        return;
    }
    printf("sinks in %s of %.4g kg/m^3: weighs %.3g %s there; ", f->liquid->name, f->liquid->rho, f->weight, unit);
    if (f->tension >= f->weight) printf("tension could carry up to %.3g %s\n", f->tension, unit);
    else printf("tension can carry %.3g %s at most\n", f->tension, unit);
}

static void report_body(const Scene* s, const SceneBody* from, const Survey* survey, const BodySurvey* body)
{
    const SolidSurvey* solid = &survey->solids[from->solid];
    printf("  %-11s body: ", s->solids[from->solid].name);
    print_bounds(s, solid->low, solid->high);
    printf("              mass %.4g %s, density %.4g kg/m^3, displaces %.4g m^%d when covered\n", from->mass,
           s->dim == 3 ? "kg" : "kg/m", from->density, from->volume, s->dim);
    for (int m = 0; m < body->liquids; m++) report_flotation(s, &body->in[m]);
    report_thinnest(s, solid);
    printf("\n");
}

static void report_rod(const Scene* s, const RodPartner* p, int m)
{
    const RodPart* part = &p->rods.part[m];
    const SceneRod* from = &s->rods[m];
    double mass = 0, length = 0, area = PI*part->radius*part->radius;
    for (int v = part->first_vertex; v < part->first_vertex + part->vertices; v++)
        mass += p->rods.mesh.mass[v], length += p->rods.length[v];
    printf("  %-11s %s: %d vertices, %d pieces of %.3g m at most, %.4g m long, radius %.3g m (%.2g cells)\n", part->name,
           from->is_web ? "web" : "rod", part->vertices, part->segments, from->piece, length, part->radius, part->radius/s->dx);
    printf("              mass %.4g kg, stretching stiffness %.3g N, bending stiffness %.3g N m^2\n", mass, from->young*area,
           0.25*from->young*area*part->radius*part->radius);
    for (int q = 0; q < s->liquid_count; q++) {
        const Material* liquid = &s->liquids[q].material;
        double angle = from->contact_angle >= 0 ? from->contact_angle : liquid->contact_angle;
        double carries = 4*PI*part->radius*liquid->sigma*cos(angle), g = largest_gravity(s);
        if (carries > 0 && g > 0)
            printf("              a thread of it level across can carry a drop of %s of radius %.3g m, 4 pi r sigma cos(angle)\n",
                   s->liquids[q].name, cbrt(0.75*carries/(PI*liquid->rho*g)));
    }
}

static void report_source(const Scene* s, const SceneSource* from, const SourceSurvey* source)
{
    printf("  %-11s source of %s: ", from->name, from->material.name);
    print_bounds(s, source->low, source->high);
    printf("              %.4g m^%d/s", from->rate, s->dim);
    if (source->opening > 0)
        printf("; %.3g m/s through an opening of %.3g %s (%.1f cells across) is %.4g", source->speed, source->opening,
               s->dim == 3 ? "m^2" : "m", source->across/s->dx, source->speed*source->opening);
    printf("\n");
}

// Steps of the whole run. The flow's speed is not known yet: at least that of the start, at most that of a fall through the box.
static void report_steps(const Scene* s, const Sim* sim)
{
    double frame = 1/s->frame_rate, g = largest_gravity(s), speed = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) speed = fmax(speed, vec_norm(s->liquids[m].velocity));
    for (int m = 0; m < s->body_count; m++) speed = fmax(speed, vec_norm(s->bodies[m].velocity));
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

static void report_contents(const Scene* s, const Sim* sim, const Survey* survey)
{
    for (int m = 0; m < s->liquid_count; m++) {
        const MembraneMesh* mesh = membrane_mesh_of(&sim->world, &sim->world.liquid[m]);
        report_liquid(s, &s->liquids[m], &sim->world.liquid[m], &survey->liquids[m]);
        if (mesh) report_mesh(s, &s->liquids[m].membrane, mesh);
    }
    for (int m = 0; m < s->solid_count; m++)
        if (!s->solids[m].is_body) report_solid(s, &s->solids[m], &survey->solids[m]);
    for (int m = 0; m < s->sheets.count; m++) report_sheet(s, m);
    for (int m = 0; m < s->rod_count; m++) report_rod(s, rod_partner_of(&sim->world), m);
    for (int m = 0; m < s->body_count; m++) report_body(s, &s->bodies[m], survey, &survey->bodies[m]);
    for (int m = 0; m < s->source_count; m++) report_source(s, &s->sources[m], &survey->sources[m]);
}

static void report_warnings(const Warnings* warnings)
{
    for (int m = 0; m < warnings->count; m++) printf("  warning: %s\n", warnings->list[m].text);
    if (warnings->count == 0) puts("  no warnings");
    else printf("  %d warning%s\n", warnings->count, warnings->count == 1 ? "" : "s");
}

static mn_status report(const Scene* scene, const Sim* sim)
{
    Survey survey;
    Warnings warnings;
    TRY(survey_make(&survey, scene, sim));
    mn_status status = survey_warnings(&warnings, &survey);
    if (status == MN_OK) {
        double cells = 0;
        for (int m = 0; m < sim->world.liquid_count; m++) cells += (double)sim->world.liquid[m].w.count;
        report_domain(scene);
        report_options(&scene->options);
        report_contents(scene, sim, &survey);
        report_steps(scene, sim);
        printf("  memory      about %.0f MB\n", (cells*BYTES_PER_CELL + BYTES_OF_PROGRAM)/1e6);
        report_warnings(&warnings);
    }
    warnings_free(&warnings);
    survey_free(&survey);
    return status;
}

static mn_status check_scene(const char* path, const SceneTerms* terms)
{
    Scene scene;
    TRY(scene_load(&scene, path, terms));
    Sim sim;
    mn_status status = scene_build(&sim, &scene);
    if (status == MN_OK) status = sim_rebuild(&sim);
    if (status == MN_OK) status = report(&scene, &sim);
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
