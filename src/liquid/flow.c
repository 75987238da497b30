#include "liquid/flow.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/extrapolate.h"
#include "grid/interpolate.h"
#include "grid/levelset.h"
#include "liquid/held_faces.h"
#include "liquid/held_lines.h"
#include "liquid/letting_go.h"
#include "liquid/sheet_motion.h"
#include "liquid/sides.h"
#include "liquid/wetting.h"

mn_status flow_acceleration(double out[3], const Model* model, double t)
{
    double box[3] = {0, 0, 0};
    if (model->functions.acceleration) TRY(model->functions.acceleration(box, model->functions.user, t));
    for (int d = 0; d < 3; d++) out[d] = d < model->tank.dim ? model->settings.gravity[d] - box[d] : 0;
    return MN_OK;
}

// Cells into a solid to which phi goes on.
static const double SOLID_DEPTH = 4;

// ---- open sides ----------------------------------------------------------------------------------------------------------

// Volume flux (m^3/s) of a liquid out through the open sides.
static double outflow_rate(const Liquid* q)
{
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    double sum = 0;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                int at[3] = {i, j, k};
                for (int d = 0; d < w->dim; d++) {
                    bool low = at[d] == 0 && w->side[2*d] == SIDE_IS_OPEN;
                    bool high = at[d] == w->n[d] && w->side[2*d + 1] == SIDE_IS_OPEN;
                    if (!low && !high) continue;
                    bool is_face = true;
                    for (int e = 0; e < 3; e++) is_face = is_face && (e == d || at[e] < w->n[e]);
                    if (!is_face) continue;
                    ptrdiff_t f = window_at(w, i, j, k);
                    sum += q->cells.area[d][f]*fmax(high ? q->u[d].v[f] : -q->u[d].v[f], 0);
                }
            }
    }
    return sum*window_face_area(w);
}

void flow_book_outflow(StepContext* ctx, double dt)
{
    assert(dt > 0);
    bool any = false;
    for (int side = 0; side < 2*ctx->model->tank.dim; side++) any = any || ctx->model->tank.side[side] == SIDE_IS_OPEN;
    if (!any) return;
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        Liquid* q = &ctx->world->liquid[m];
        double out = fmin(dt*outflow_rate(q), q->target_volume);
        q->target_volume -= out;
        ctx->world->ledger.outflow += out;
    }
}

// ---- motion --------------------------------------------------------------------------------------------------------------

Advection flow_advection(const Liquid* q, const StepContext* ctx)
{
    if (ctx->model->settings.advection != ADVECT_AUTO) return ctx->model->settings.advection;
    return q->material.sigma > 0 ? ADVECT_CUBIC : ADVECT_MACCORMACK;
}

mn_status flow_edges(Edges* edges, Arena* arena, const double* phi, const Liquid* q, const Contact* contact)
{
    double* solid = liquid_whole(q)->phi_solid.v;  // rims of sheets are no edges of solids
    *edges = (Edges){0};
    if (!contact || !solid) return MN_OK;
    nodes_exchange(solid, &q->w, EDGE_READS);
    return edges_find(edges, arena, phi, solid, q->edge_cells, &q->spans, &q->w, contact);
}

// contact NULL: 90 degrees. Without tension there is none, and a level surface goes on behind sheets as it comes.
static mn_status extend_at_angle(double* phi, Arena* arena, const Liquid* q, const Contact* contact, const Holding* holding)
{
    double *solid = q->phi_backed.v, depth = SOLID_DEPTH*q->w.dx;
    if (q->side && !(q->material.sigma > 0)) {
        TRY(sides_continue(phi, arena, q));
        if (!(solid = liquid_whole(q)->phi_backed.v)) return MN_OK;
    }
    if (!contact) return solids_extend_levelset(phi, arena, solid, &q->spans, &q->w, depth);
    nodes_exchange(solid, &q->w, CONTACT_READS);
    return contact_extend(phi, arena, solid, &q->spans, &q->w, depth, contact, holding);
}

// phi into the solids: at the contact angle, but behind skin that liquid leaves as air. Ghosts of phi must be filled; they are
// filled again.
static mn_status extend_into_solids(double* phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact,
                                    const Holding* holding)
{
    if (!solids_wetted(&ctx->world->solids) && !q->side) return MN_OK;
    assert(q->phi_backed.v);  // spans were rebuilt since the solids came
    double* behind = NULL;
    if (ctx->model->settings.unilateral)
        TRY(letting_go_behind(&behind, arena, phi, q, &ctx->world->solids, SOLID_DEPTH*q->w.dx));
    TRY(extend_at_angle(phi, arena, q, contact, holding));
    if (!behind) return MN_OK;
    const Spans* s = &q->spans;
    bool changes = false;
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) {
                if (isnan(behind[at]) || phi[at] == behind[at]) continue;
                phi[at] = behind[at], changes = true;
            }
    }
    if (changes) levelset_exchange(phi, &q->w, contact, EVERY_LAYER);
    return MN_OK;
}

// Lines that rest on edges have been held and stay as they are, but at the start. Ghosts as above.
static mn_status extend_beside_edges(double* phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact)
{
    Edges edges;
    TRY(flow_edges(&edges, arena, phi, q, contact));
    return extend_into_solids(phi, arena, q, ctx, contact, &(Holding){.edges = &edges, .at_start = ctx->starts});
}

// Nodes behind thin walls get the values of `from`.
static void copy_behind(Liquid* q, const double* from)
{
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++)
                if (backed_is_behind(&q->phi_backed, at)) q->phi.v[at] = from[at];
    }
    nodes_exchange(q->phi.v, &q->w, EVERY_LAYER);
}

mn_status flow_seen(const double** phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact)
{
    assert(!q->phi_backed.side || q->phi_backed.v);
    *phi = q->phi.v;
    if (!backed_hides(&q->phi_backed)) return MN_OK;
    double* seen = window_copy(arena, q->phi.v, &q->w);
    TRY_MEMORY(seen);
    TRY(extend_beside_edges(seen, arena, q, ctx, contact));
    *phi = seen;
    return MN_OK;
}

// What lies behind thin walls goes on from this side, for a while; `copy_behind` puts *air back.
static mn_status see_through(double** air, Arena* arena, Liquid* q, const StepContext* ctx, const Contact* contact)
{
    const double* seen;
    *air = NULL;
    if (!backed_hides(&q->phi_backed)) return MN_OK;
    TRY_MEMORY(*air = window_copy(arena, q->phi.v, &q->w));
    levelset_exchange(q->phi.v, &q->w, contact, EVERY_LAYER);
    TRY(flow_seen(&seen, arena, q, ctx, contact));
    copy_behind(q, seen);
    return MN_OK;
}

// Cells that lines are led in this step: what does not get less with its length could not be cured by a shorter one. Nor does a
// line come to its angle faster than tension could bring it there: on a coarse grid, where tension means nothing, steps are short
// against the capillary time, and lines that were led in each of them climbed walls to the lid.
static double furthest_led(const Liquid* q, const StepContext* ctx)
{
    double whole = fmax(ctx->report->free_dt, liquid_capillary_time(q));
    return whole > ctx->dt ? FURTHEST_LED*ctx->dt/whole : FURTHEST_LED;
}

// with_skins: `before` gone along with skins that move (held_lines.h); NULL: they rest. Ghosts of phi must be filled.
static mn_status wet_from(double* phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact,
                          const double* before, const double* with_skins, bool sticks)
{
    assert(phi != before && (!sticks || contact));  // only a contact angle can hold a line
    Edges edges;
    double led = furthest_led(q, ctx);
    if (sticks) TRY(contact_hold(phi, arena, before, &q->w, contact, led));
    TRY(flow_edges(&edges, arena, before, q, contact));
    Holding holding = {.before = sticks || edges.count > 0 ? before : NULL,
                       .with_skins = with_skins,
                       .edges = &edges,
                       .on_faces = sticks,
                       .led = led};
    return extend_into_solids(phi, arena, q, ctx, contact, &holding);
}

mn_status flow_wet(double* phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact,
                   const double* before, bool sticks)
{
    levelset_exchange(phi, &q->w, contact, EVERY_LAYER);
    return wet_from(phi, arena, q, ctx, contact, before, NULL, sticks);
}

// Where lines can be held, the surface before it moves and the edges that they rest on; else *before is NULL.
static mn_status note_lines(double** before, Edges* edges, Liquid* q, const StepContext* ctx, const Wetting* wet,
                            const Contact* contact)
{
    *before = NULL, *edges = (Edges){0};
    if (!contact || (!wet->hysteresis && !liquid_solid(q))) return MN_OK;
    TRY(flow_edges(edges, ctx->scratch, q->phi.v, q, contact));
    if (wet->hysteresis || edges->count > 0) TRY_MEMORY(*before = window_copy(ctx->scratch, q->phi.v, &q->w));
    return MN_OK;
}

// After it has moved.
static mn_status hold_lines(Liquid* q, const StepContext* ctx, const Wetting* wet, const Contact* contact, const double* before,
                            const Edges* edges)
{
    double* with_skins;
    if (wet->hysteresis) {
        TRY(held_with_skins(&with_skins, ctx->scratch, before, q, ctx));
        return wet_from(q->phi.v, ctx->scratch, q, ctx, contact, before, with_skins, true);
    }
    return extend_into_solids(q->phi.v, ctx->scratch, q, ctx, contact,
                              &(Holding){.before = before, .edges = edges, .edges_only = true});
}

static mn_status advect(Liquid* q, StepContext* ctx, double* const carrier[3], double dt)
{
    assert(dt > 0 && (!carrier || carrier[0] != q->u[0].v));
    double *u[3], *before, *air;
    Wetting wet;
    Edges edges;
    const Contact* contact = wetting_of(&wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    TRY(see_through(&air, ctx->scratch, q, ctx, contact));
    Advection scheme = flow_advection(q, ctx);
    flow_velocity(u, q);
    levelset_exchange(q->phi.v, &q->w, contact, EVERY_LAYER);
    TRY(note_lines(&before, &edges, q, ctx, &wet, contact));
    double reach = 1.5*q->w.dx;  // faces whose velocity the projection or the patches will use
    // the level set first: the velocity below overwrites the field both ride on
    TRY(advect_levelset_contact(q->phi.v, ctx->scratch, carrier ? carrier : u, &q->spans, &q->w, liquid_band(q), dt, scheme,
                                contact, liquid_solid(q)));
    if (before) TRY(hold_lines(q, ctx, &wet, contact, before, &edges));
    if (contact) TRY(contact_touch(q->phi.v, ctx->scratch, u, &q->w, contact, furthest_led(q, ctx)));
    if (air) copy_behind(q, air);
    arena_reset(ctx->scratch);
    TRY(advect_velocity_by(u, ctx->scratch, carrier, q->phi.v, &q->spans, &q->w, reach, dt, scheme));
    arena_reset(ctx->scratch);
    return MN_OK;
}

mn_status flow_advect(Liquid* q, StepContext* ctx, double* const carrier[3], double dt)
{
    if (q->meshed) return MN_OK;
    if (!q->sheet) return advect(q, ctx, carrier, dt);
    assert(!carrier);  // beside sheets there are no cycles of tension
    Sides s;
    TRY(sides_open(&s, ctx->kept, q));
    for (int m = 0; m < 2; m++) TRY(advect(&s.view[m], ctx, NULL, dt));
    sides_close(q, &s);
    return MN_OK;
}

static mn_status move_sheets(MovingSheets* sheets, StepContext* ctx, double dt)
{
    assert(ctx->model->functions.sheet_pose || sheets->count == 0);
    for (int m = 0; m < sheets->count; m++) {
        Pose now, then;
        TRY(ctx->model->functions.sheet_pose(&now, ctx->model->functions.user, m, ctx->world->time + dt));
        TRY(ctx->model->functions.sheet_pose(&then, ctx->model->functions.user, m, ctx->world->time + 2*dt));
        sheet_mover_move(&sheets->mover[m], &now, &then, dt);
    }
    moving_sheets_place(sheets);
    return MN_OK;
}

mn_status flow_move_solids(StepContext* ctx, double dt)
{
    for (int m = 0; m < ctx->world->solids.count; m++) {
        if (!ctx->world->solids.solid[m].moving || ctx->world->solids.solid[m].body > 0) continue;
        assert(ctx->model->functions.pose);
        Pose next;
        TRY(ctx->model->functions.pose(&next, ctx->model->functions.user, m, ctx->world->time + dt));
        solid_move(&ctx->world->solids.solid[m], &next, dt);
    }
    if (ctx->world->solids.any_moving) solids_moved(&ctx->world->solids);
    return ctx->world->solids.moving_sheets ? move_sheets(ctx->world->solids.moving_sheets, ctx, dt) : MN_OK;
}

// Distances again, and past walls and in solids phi as the contact asks for.
static mn_status redistance(Liquid* q, StepContext* ctx, int sweeps)
{
    Wetting wet;
    const Contact* contact = wetting_of(&wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    // a line that is held has been continued where it was held, and every other time it would move a little
    bool done = contact && wet.hysteresis && !ctx->world->solids.any_moving && !ctx->starts;
    double* air;
    if (q->side && ctx->starts) TRY(sides_continue(q->phi.v, ctx->scratch, q));
    if (!done) {
        levelset_exchange(q->phi.v, &q->w, contact, EVERY_LAYER);
        TRY(extend_beside_edges(q->phi.v, ctx->scratch, q, ctx, contact));
    } else TRY(see_through(&air, ctx->scratch, q, ctx, contact));
    arena_reset(ctx->scratch);
    if (flow_advection(q, ctx) == ADVECT_CUBIC || contact)  // the pair that keeps curvature (docs/curvature.md)
        TRY(levelset_redistance_direct(q->phi.v, ctx->scratch, &q->spans, &q->w, liquid_band(q), sweeps, contact));
    else TRY(levelset_redistance(q->phi.v, ctx->scratch, &q->spans, &q->w, liquid_band(q), sweeps, false));
    arena_reset(ctx->scratch);
    // once more: the distances reach across thin solids and spoil what lies
    // inside
    if ((contact && !wet.hysteresis) || q->side) TRY(extend_beside_edges(q->phi.v, ctx->scratch, q, ctx, contact));
    arena_reset(ctx->scratch);
    solid_cut_behind(q->phi.v, &q->phi_backed, q->phi_solid.v, &q->spans, &q->w);
    return MN_OK;
}

mn_status flow_rebuild_surface(Liquid* q, StepContext* ctx, Arena* kept, int sweeps)
{
    assert(sweeps > 0 && kept != ctx->scratch);
    if (q->meshed) return MN_OK;
    if (q->sheet && ctx->world->solids.moving_sheets) TRY(sides_follow(q, ctx->scratch, ctx->world->solids.sheets));
    TRY(liquid_refit_window(q, &ctx->model->tank));
    TRY(liquid_rebuild_spans(q, kept, &ctx->world->solids));
    if (q->sheet) {
        Sides s;
        TRY(sides_open(&s, kept, q));
        for (int m = 0; m < 2; m++) TRY(redistance(&s.view[m], ctx, sweeps));
        sides_close(q, &s);
    } else TRY(redistance(q, ctx, sweeps));
    return liquid_rebuild(q, kept, &ctx->world->solids);
}

void flow_add_acceleration(Liquid* q, const double acceleration[3], double dt)
{
    assert(isfinite(dt) && dt >= 0);
    if (q->meshed) return;
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < q->w.dim; d++) {
            if (acceleration[d] == 0) continue;
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    q->u[d].v[row + i] += dt*acceleration[d];
                    if (q->sheet) q->u_far[d].v[row + i] += dt*acceleration[d];
                }
        }
    }
}

// ---- walls ---------------------------------------------------------------------------------------------------------------

void flow_hold_walls(Liquid* q, bool lets_go)
{
    const Window* w = &q->w;
    for (int d = 0; d < w->dim; d++)
        for (int side = 0; side < 2; side++) {
            Side kind = w->side[2*d + side];
            if (!side_is_closed(kind)) continue;
            int a[3] = {0, 0, 0}, b[3] = {w->n[0], w->n[1], w->n[2]};
            a[d] = side == 0 ? 0 : w->n[d];
            b[d] = a[d] + 1;
            for (int k = a[2]; k < b[2]; k++)
                for (int j = a[1]; j < b[1]; j++)
                    for (int i = a[0]; i < b[0]; i++) {
                        double* u = &q->u[d].v[window_at(w, i, j, k)];
                        if (lets_go && kind == SIDE_IS_WALL) *u = side == 0 ? fmax(*u, 0) : fmin(*u, 0);
                        else *u = 0;
                    }
        }
    double* u[3];
    flow_velocity(u, q);
    faces_exchange(u, w, EVERY_LAYER);
}

SolidMotion flow_skin_motion(const Liquid* q, const Solids* solids)
{
    return q->side && solids->moving_sheets ? (SolidMotion){sides_velocity, q} : (SolidMotion){solids_velocity, solids};
}

mn_status flow_constrain(Liquid* q, StepContext* ctx)
{
    if (!liquid_solid(q)) return MN_OK;
    HeldFaces held;
    double* u[3];
    flow_velocity(u, q);
    nodes_exchange(q->phi_solid.v, &q->w, HELD_FACES_READ);
    const double* phi = ctx->model->settings.unilateral ? q->phi.v : NULL;
    TRY(held_faces_find(&held, ctx->scratch, q->phi_solid.v, &q->spans, &q->w));
    held_faces_set(u, &held, phi, flow_skin_motion(q, &ctx->world->solids), &q->w);
    return MN_OK;
}
