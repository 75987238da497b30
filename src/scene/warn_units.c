// Numbers of the wrong order: most are a forgotten mm(), mN_per_m() or g_per_cm3(). The bounds are wide, so that unusual liquids
// and tanks pass: densities of 50 to 25,000 kg/m^3, tanks of 10 um to 1 m, all the liquids there are.
#include <string.h>
#include "base/vec.h"
#include "scene/material.h"
#include "scene/warn.h"

static double largest_size(const Scene* s) { return fmax(s->size[0], fmax(s->size[1], s->dim == 3 ? s->size[2] : 0)); }

void warn_of_box(Warner* w)
{
    double largest = largest_size(w->scene);
    if (largest > 1)
        warn(w, "", "the domain is %g m large; meniscus is made for millimetres to decimetres. Forgot mm() or cm()?", largest);
    if (largest < 1e-5)
        warn(w, "", "the domain is %g m large; below ten micrometres a liquid is not a continuum for this program", largest);
}

void warn_of_gravity(Warner* w)
{
    double g = vec_norm(w->scene->gravity);
    if (g > 0 && (g < 1 || g > 50)) warn(w, "", "gravity is %g m/s^2; on Earth it is 9.81, in metres and seconds", g);
}

// ---------------------------------------------------------------- materials

static void judge_density(Warner* w, const Material* m)
{
    // the lightest liquid, hydrogen, has 71 kg/m^3, the heaviest, osmium, 20,000
    if (m->rho < 50)
        warn(w, m->name, "a density of %g kg/m^3 is less than that of any liquid. If g/cm^3 are meant: g_per_cm3(%g)", m->rho,
             m->rho);
    if (m->rho > 25000) warn(w, m->name, "a density of %g kg/m^3 is more than that of any liquid", m->rho);
}

static void judge_sigma(Warner* w, const Material* m)
{
    // metals near 2000 K have 2.5 N/m; liquids near their critical point have next to none
    if (m->sigma > 5)
        warn(w, m->name, "a surface tension of %g N/m is more than that of any liquid. If mN/m are meant: mN_per_m(%g)", m->sigma,
             m->sigma);
    if (m->sigma > 0 && m->sigma < 1e-5)
        warn(w, m->name, "a surface tension of %g N/m hardly acts; water has 0.073, sigma = 0 is none at all", m->sigma);
}

static void judge_viscosity(Warner* w, const Material* m)
{
    // hydrogen has 1.3e-5 Pa s, water 1e-3, honey 10, peanut butter 250
    if (m->mu > 1000)
        warn(w, m->name, "a viscosity of %g Pa s is that of a solid, nearly. If mPa s are meant: mPa_s(%g)", m->mu, m->mu);
    if (m->mu > 0 && m->mu < 1e-5)
        warn(w, m->name, "a viscosity of %g Pa s is less than that of any liquid. Is it the kinematic one, in m^2/s? mu = rho nu",
             m->mu);
}

// A liquid of the list that is 50 times what the list says has numbers in other units; 0 is meant.
static void judge_against_preset(Warner* w, const Material* m)
{
    const Preset* preset = preset_find(m->name);
    if (!preset) return;
    const struct {
        const char *what, *unit;
        double is, ought;
    } value[] = {{"density", "kg/m^3", m->rho, preset->material.rho},
                 {"surface tension", "N/m", m->sigma, preset->material.sigma},
                 {"viscosity", "Pa s", m->mu, preset->material.mu}};
    for (int v = 0; v < 3; v++)
        if (value[v].is > 0 && (value[v].is > 50*value[v].ought || value[v].is < value[v].ought/50))
            warn(w, m->name, "%s has a %s of %g %s here; it is %g. Another unit?", m->name, value[v].what, value[v].is,
                 value[v].unit, value[v].ought);
}

static void judge_material(Warner* w, const Material* m)
{
    judge_density(w, m);
    judge_sigma(w, m);
    judge_viscosity(w, m);
    judge_against_preset(w, m);
}

static const Material* material_number(const Scene* s, int m)
{
    return m < s->liquid_count ? &s->liquids[m].material : &s->sources[m - s->liquid_count].material;
}

static bool same_numbers(const Material* a, const Material* b)
{
    return a->rho == b->rho && a->sigma == b->sigma && a->mu == b->mu && strcmp(a->name, b->name) == 0;
}

// Lighter than foam, or heavier than any metal.
static void judge_body(Warner* w, const SceneBody* body)
{
    const char* name = w->scene->solids[body->solid].name;
    if (body->density < 10 || body->density > 25000)
        warn(w, name, "%s has a density of %.4g kg/m^3; water has 998. Another unit?", name, body->density);
}

// Each material once, however many liquids are of it.
void warn_of_materials(Warner* w)
{
    const Scene* s = w->scene;
    for (int m = 0; m < s->liquid_count + s->source_count; m++) {
        bool first = true;
        for (int n = 0; n < m && first; n++) first = !same_numbers(material_number(s, m), material_number(s, n));
        if (first) judge_material(w, material_number(s, m));
    }
    for (int m = 0; m < s->body_count; m++) judge_body(w, &s->bodies[m]);
}

// ---------------------------------------------------------------- sizes and speeds

// Drops do not fit into boxes smaller than themselves. Other things may reach far past the walls on purpose.
static void judge_size(Warner* w, const char* name, const Shape* shape, bool is_liquid)
{
    double low[3], high[3], largest = 0, box = largest_size(w->scene);
    shape_bounds(low, high, shape);
    for (int d = 0; d < w->scene->dim; d++)
        if (isfinite(high[d] - low[d])) largest = fmax(largest, high[d] - low[d]);
    if (largest > (is_liquid && shape_is_round(shape) ? 3 : 100)*box)
        warn(w, name, "%s is %.3g m wide in a box of %.3g m. Forgot mm() or cm()?", name, largest, box);
}

void warn_of_sizes(Warner* w)
{
    const Scene* s = w->scene;
    for (int m = 0; m < s->liquid_count; m++) judge_size(w, s->liquids[m].name, s->liquids[m].shape, true);
    for (int m = 0; m < s->solid_count; m++) judge_size(w, s->solids[m].name, s->solids[m].shape, false);
    for (int m = 0; m < s->source_count; m++) judge_size(w, s->sources[m].name, s->sources[m].shape, true);
}

static void judge_speed(Warner* w, const char* name, double speed)
{
    const double most = 100;  // m/s: water at a fourteenth of its speed of sound, and nothing small goes as fast
    if (speed > most)
        warn(w, name, "%s moves at %.3g m/s; liquids that fast are not incompressible. Forgot mm_per_s() or cm_per_s()?", name,
             speed);
}

void warn_of_speeds(Warner* w)
{
    const Scene* s = w->scene;
    for (int m = 0; m < s->liquid_count; m++) judge_speed(w, s->liquids[m].name, vec_norm(s->liquids[m].velocity));
    for (int m = 0; m < s->solid_count; m++) judge_speed(w, s->solids[m].name, w->survey->solids[m].fastest);
    for (int m = 0; m < s->source_count; m++) judge_speed(w, s->sources[m].name, w->survey->sources[m].speed);
}

// ---------------------------------------------------------------- against cells and the capillary length

void warn_of_resolution(Warner* w)
{
    const double least_radius = 4, least_across = 4, slack = 0.05;  // cells
    const Scene* s = w->scene;
    for (int m = 0; m < s->liquid_count; m++) {
        const LiquidSurvey* q = &w->survey->liquids[m];
        const char* name = s->liquids[m].name;
        if (q->radius < (least_radius - slack)*s->dx)
            warn(w, name, "%s: only %.1f cells in radius; at least %g are needed to move well", name, q->radius/s->dx,
                 least_radius);
        else if (q->across < (least_across - slack)*s->dx)
            warn(w, name, "%s is only %.1f cells thick; at least %g are needed to move well", name, q->across/s->dx,
                 least_across);
    }
    for (int m = 0; m < s->source_count; m++) {
        const SourceSurvey* q = &w->survey->sources[m];
        if (q->speed > 0 && q->across < (least_across - slack)*s->dx)
            warn(w, s->sources[m].name, "the opening of %s is %.1f cells across; a jet needs at least %g", s->sources[m].name,
                 q->across/s->dx, least_across);
    }
}

// Tension holds drops of a few capillary lengths, sqrt(sigma/(rho g)), together. Ten of them in radius is a falling pond.
void warn_of_heavy_drops(Warner* w)
{
    const double most = 10;
    const Scene* s = w->scene;
    double g = vec_norm(s->gravity);
    for (int m = 0; m < s->liquid_count; m++) {
        const SceneLiquid* q = &s->liquids[m];
        if (!shape_is_round(q->shape) || !(q->material.sigma > 0) || !(g > 0)) continue;
        double length = sqrt(q->material.sigma/(q->material.rho*g)), radius = w->survey->liquids[m].radius;
        if (radius > most*length)
            warn(w, q->name, "%s has a radius of %.3g m, %.0f capillary lengths: no drop is that large", q->name, radius,
                 radius/length);
    }
}
