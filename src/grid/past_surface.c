#include "grid/past_surface.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/extrapolate.h"

// In cut cells dry faces are kept in longer steps only, capillary times: in shorter ones eddies past the surface would fade too
// slowly (a sloshing tank of 64 cells grew by 13 % per period).
static const double KEPT_FROM = 2;
// Part of a face, with ghost fluid. Lines on curved walls were thrown about by faces that are open by less; with cut cells the
// patch in the cell takes it.
static const double CORNER_OPEN = 0.25;

// With tension, pressure moves every face next to an unknown cell, also those past the surface, each with the little mass between
// the cell's centre and the surface. Nothing holds eddies among them and among faces with little liquid: tension acts on what
// moves the surface, and in a liquid without friction the differences of curvature from link to link would drive them for ever
// (drop at rest, R = 20 dx: from 1e-3 to 1e-2 in 20 times sqrt(rho R^3/sigma)). So they fade to what the liquid
// behind continues to. A wave of 32 cells keeps 0.996 of its height per period. Beside films, where pressure does not move the
// faces past the surface, those with little liquid are no better held: drops on lines of flight tilted against the grid rose to
// 1.3 of their energy (docs/film_results.md).
static const double SETTLING = 0.1;       // part per capillary time
static const double MOST_SETTLING = 0.5;  // with all of it in one step a drop at rest grew waves at 10 capillary times

// What friction does to eddies of two cells by itself, k = pi/dx, need not be done once more.
static double settling(const SurfaceCase* c)
{
    double k = PI/c->dx, friction = c->viscosity*k*k*c->t_s;
    return fmin(fmax(SETTLING - friction, 0)*c->dt/c->t_s, MOST_SETTLING);
}

PastSurface past_surface_rule(const SurfaceCase* c)
{
    PastSurface rule = {.least_open = c->has_patches ? 0 : CORNER_OPEN, .holds_at_walls = c->lines_on_walls};
    if (!c->has_tension) return rule;
    assert(c->t_s > 0 && c->dt > 0 && c->dx > 0 && c->viscosity >= 0);
    bool is_long = c->dt > KEPT_FROM*c->t_s;
    // Dry faces beside unknown cells carry the flow through the patches from step to step, as those of the ghost fluid do; made
    // anew from the wet faces each time, they cost up to 0.5 % of a wave's energy per call. Where a partner presses on a patch,
    // the pressure past it is not the surface's own.
    rule.keeps_dry = c->has_patches && is_long && !c->is_pressed;
    if (c->is_pressed || !c->has_patches || is_long) rule.settling = settling(c);
    return rule;
}

PastSurface past_surface_anew(const PastSurface* rule)
{
    return (PastSurface){.least_open = rule->least_open, .holds_at_walls = rule->holds_at_walls};
}

mn_status past_surface_fill(double* const u[3], Arena* arena, unsigned char* const kind[3], const PastSurface* rule,
                            const int* pressed, const SurfaceView* s)
{
    Skins skins = {s->phi_solid, rule->holds_at_walls};
    if (rule->settling > 0) TRY(extrapolate_settle(u, arena, kind, s->phi, s->spans, s->w, rule->settling));
    TRY(extrapolate_velocity(u, arena, kind, s->phi, skins, s->spans, s->w, ALL_LAYERS));
    if (!pressed) return MN_OK;
    TRY(extrapolate_balance(u, arena, kind, s->cells, pressed, s->w));
    return extrapolate_velocity(u, arena, kind, s->phi, skins, s->spans, s->w, ALL_LAYERS);
}
