#include "tension/tension.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/curvature.h"
#include "grid/interpolate.h"
#include "liquid/momentum.h"
#include "liquid/wetting.h"
#include "solve/surface_fit.h"
#include "tension/flow_pressure.h"
#include "tension/marangoni.h"
#include "tension/tension_split.h"

// Part of a step by which the implicit scheme looks ahead at ripples. Stable below 1/2 (docs/tension.md); with nothing drops at
// rest grow ripples to 2e-3 in ten times sqrt(rho R^3/sigma) (R = 20 dx, 5 capillary times), with a tenth they calm down.
static const double AHEAD = 0.25;

// The implicit scheme for one wave x' = v, v' = -omega^2 x, z = (omega dt)^2:
//     x_new = x + dt v,   v_new = v - dt omega^2 (x_new + theta dt (v_new - v)),
// that is, sigma kappa acts by the part 1/(1 + theta z), since the surface gives way to it within the step. Never more than
// z/(1 + theta z) <= 1/theta is what makes it stable (docs/tension.md). On a surface z = tau^2 (k dx)^3, tau^2 = sigma dt^2/(rho
// dx^3), is no local operator; F = 1/(1 + c (k dx)^4) is, and z F <= 1/theta for every k if theta tau^2 (k dx)^3 - c (k dx)^4 <=
// 1, whose maximum gives
//     c = (27/256 theta^4 tau^8)^(1/3).
// Long waves keep more of their frequency with F than with 1/(1 + theta z).
static double implicit_stiffness(const Liquid* q, double theta, double dt)
{
    assert(theta > 0 && theta <= 1 && q->material.sigma > 0 && dt > 0);
    double dx = q->w.dx, tau = dt*sqrt(q->material.sigma/(q->material.rho*dx*dx*dx));
    return cbrt(27/256.0*pow(theta, 4)*pow(tau, 8));
}

// Liquid at rest has sigma kappa - rho a.x constant on its surface: F leaves that alone, so that menisci and sessile drops are
// those of the explicit scheme.
static mn_status make_implicit(double* kappa, Liquid* q, StepContext* ctx, double theta)
{
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    SurfaceFit fit = {.phi = q->phi.v,
                      .phi_solid = liquid_solid(q),
                      .cells = &q->cells,
                      .spans = &q->spans,
                      .w = &q->w,
                      .stiffness = implicit_stiffness(q, theta, ctx->dt),
                      .u = u,
                      .ahead = AHEAD*ctx->dt};
    for (int d = 0; d < 3; d++) fit.rest[d] = q->material.rho/q->material.sigma*ctx->acceleration[d];
    return surface_fit(kappa, ctx->scratch, &fit);
}

mn_status tension_sharpen(double* kappa, Arena* arena, const double* phi, const Liquid* q, const Contact* contact)
{
    assert(kappa != phi && q->cells.index);
    // On a surface that meets walls or solids at an angle its own bend is not told from what the angle adds to kappa near the
    // line: a drop of 20 degrees and R = 12 dx spread 6 % too far. Sharpening all but some cells beside the line is no better:
    // kappa jumps there.
    if (contact && momentum_free_axes(q) != all_axes(q->w.dim)) return MN_OK;
    Sharpen s = {.phi_solid = liquid_solid(q), .walls_are_even = !contact};
    if (s.phi_solid) nodes_exchange(q->phi_solid.v, &q->w, SHARPEN_READS);
    return curvature_sharpen(kappa, arena, phi, &s, &q->spans, &q->w);
}

// A surface pulls on its liquid as a whole only by the lines on mirrors, with sigma there; where sigma varies, that is not all.
static SurfacePull surface_pull(const Liquid* q, const StepContext* ctx)
{
    SurfacePull pull = {.free = momentum_free_axes(q), .mirrored = ctx->model->functions.sigma ? 0 : momentum_mirror_axes(q)};
    for (int d = 0; d < q->w.dim; d++)
        if (pull.mirrored >> d & 1) pull.line[d] = -momentum_line(q, d)/window_face_area(&q->w);
    return pull;
}

mn_status tension_fit_edges(double* kappa, Arena* arena, const double* phi, const Edges* edges, const Liquid* q,
                            const StepContext* ctx)
{
    double rest[3];
    for (int d = 0; d < 3; d++) rest[d] = q->material.rho/q->material.sigma*ctx->acceleration[d];
    return edges_fit_curvature(kappa, arena, edges, phi, &q->w, rest);
}

void tension_pull_lines(double* kappa, const double* phi, const Edges* edges, const Liquid* q, const Contact* contact)
{
    contact_pull(kappa, phi, q->phi_backed.v, edges, &q->spans, &q->w, contact);
}

// The curvature of the surface as it is, without the pull at its lines unless it has cycled, and what that was seen on. Scratch
// memory, but for the edges. Ghosts of q->phi must be filled.
static mn_status find_curvature(TensionFound* f, Arena* of_edges, Liquid* q, StepContext* ctx, const Contact* contact)
{
    double* kappa = ARENA_NEW(ctx->scratch, double, q->w.count);
    TRY_MEMORY(kappa);
    f->kappa = kappa += q->w.origin;
    f->pressed = partners_press(ctx->model, ctx->world);
    TRY(flow_seen(&f->seen, ctx->scratch, q, ctx, contact));
    TRY(flow_edges(&f->edges, of_edges, f->seen, q, contact));
    curvature_nodes(kappa, f->seen, &q->spans, &q->w);
    TRY(tension_fit_edges(kappa, ctx->scratch, f->seen, &f->edges, q, ctx));
    if (tension_step(q, ctx)->cycles > 1) tension_pull_lines(kappa, f->seen, &f->edges, q, contact);
    if (ctx->tension->split) tension_split_curvature(kappa, q, ctx->tension->split), nodes_exchange(kappa, &q->w, SHARPEN_READS);
    if (!f->pressed) TRY(tension_sharpen(kappa, ctx->scratch, f->seen, q, contact));
    return curvature_smooth_thin(kappa, ctx->scratch, f->seen, &q->spans, &q->w);
}

// Has nothing moved since `f` was found? Ghosts of q->phi must be filled.
static bool is_of_surface(const TensionFound* f, const Liquid* q)
{
    return f->phi && memcmp(f->phi - q->w.origin, q->phi.block, sizeof(double)*q->w.count) == 0;
}

// Friction asks for the surface's pressure before the last solve of the step does, and nothing moves in between: that of the
// implicit scheme follows the velocity, but the curvature it is made from does not.
static mn_status curvature_again(TensionFound* out, Liquid* q, StepContext* ctx, const Contact* contact)
{
    TensionFound* f = &ctx->tension->found[q - ctx->world->liquid];
    if (is_of_surface(f, q) && f->pressed == partners_press(ctx->model, ctx->world)) {
        *out = *f;
        if (!f->seen) out->seen = q->phi.v;
        TRY_MEMORY(out->kappa = window_copy(ctx->scratch, f->kappa, &q->w));
        return MN_OK;
    }
    TRY(find_curvature(out, ctx->kept, q, ctx, contact));
    *f = *out;
    f->seen = NULL;
    if (out->seen != q->phi.v) TRY_MEMORY(f->seen = window_copy(ctx->kept, out->seen, &q->w));
    TRY_MEMORY(f->kappa = window_copy(ctx->kept, out->kappa, &q->w));
    TRY_MEMORY(f->phi = window_copy(ctx->kept, q->phi.v, &q->w));
    return MN_OK;
}

mn_status tension_curvature(double** out, Liquid* q, StepContext* ctx)
{
    assert(ctx->dt > 0 && q->cells.index);
    *out = NULL;
    if (!(q->material.sigma > 0)) return MN_OK;
    Wetting wet;
    const Contact* contact = wetting_of(&wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    levelset_exchange(q->phi.v, &q->w, contact, EVERY_LAYER);
    const TensionStep* step = tension_step(q, ctx);
    TensionFound f = {0};
    if (step->theta > 0 && q->material.mu > 0 && !q->whole) TRY(curvature_again(&f, q, ctx, contact));
    else TRY(find_curvature(&f, ctx->scratch, q, ctx, contact));
    double* kappa = f.kappa;
    if (step->theta > 0) TRY(make_implicit(kappa, q, ctx, step->theta));
    // after that, which smooths along the surface: a force on the line is none on what lies above it; cycles have pulled before
    if (!(step->cycles > 1)) tension_pull_lines(kappa, f.seen, &f.edges, q, contact);
    SurfacePull pull = surface_pull(q, ctx);
    double lambda[3];
    if (pull.free | pull.mirrored)
        TRY(curvature_make_neutral(kappa, lambda, ctx->scratch, q->phi.v, &q->cells, &q->spans, &q->w, &pull));
    *out = kappa;
    return MN_OK;
}

// The surface has a pressure for the solve that friction asks for, and the same one for the last of the step: nothing moves in
// between. (That of the implicit scheme follows the velocity, which does change.)
static mn_status surface_again(double** surface, Liquid* q, StepContext* ctx)
{
    TensionFound* f = &ctx->tension->found[q - ctx->world->liquid];
    Wetting wet;
    levelset_exchange(q->phi.v, &q->w, wetting_of(&wet, q, &ctx->world->solids, ctx->model->settings.wall_angle), EVERY_LAYER);
    if (is_of_surface(f, q)) {
        *surface = f->surface;
        return MN_OK;
    }
    TRY(tension_pressure(surface, q, ctx));
    if (!*surface) return MN_OK;
    TRY_MEMORY(f->phi = window_copy(ctx->kept, q->phi.v, &q->w));
    TRY_MEMORY(f->surface = window_copy(ctx->kept, *surface, &q->w));
    return MN_OK;
}

mn_status tension_surface(double** surface, Liquid* q, StepContext* ctx)
{
    const TensionStep* step = tension_step(q, ctx);
    *surface = NULL;
    if (!step->on_surface) return MN_OK;
    return q->material.mu > 0 && !(step->theta > 0) && !q->whole ? surface_again(surface, q, ctx)
                                                                 : tension_pressure(surface, q, ctx);
}

mn_status tension_pressure(double** surface, Liquid* q, StepContext* ctx)
{
    double* kappa;
    *surface = NULL;
    TRY(tension_curvature(&kappa, q, ctx));
    if (!kappa) return MN_OK;
    double* sigma;
    TRY(marangoni_sigma(&sigma, q, ctx));
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(static) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++)
                kappa[at] *= sigma ? sigma[at] : q->material.sigma;
    }
    nodes_exchange(kappa, &q->w, LINEAR_READS);
    *surface = kappa;
    return MN_OK;
}
