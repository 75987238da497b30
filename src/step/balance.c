#include "step/balance.h"

#include <math.h>
#include "base/vec.h"
#include "liquid/energy.h"
#include "liquid/sheet_motion.h"
#include "liquid/sides.h"
#include "liquid/sources.h"
#include "liquid/wetting.h"

static mn_status measure(Energy* out, StepContext* ctx) { return world_energy(out, ctx->model, ctx->world, ctx->scratch); }

mn_status balance_begin(StepContext* ctx)
{
    ctx->report->energy = (EnergyBalance){0};
    return measure(&ctx->report->energy.before, ctx);
}

// Surface and velocity move one after the other, so that what falls is half a step too high for its speed: a liquid that falls
// freely has M g^2 dt^2/2 more after every step (the lag of docs/liquid.md). That is no gain: half a step on, as fast as it is
// now, it has lost it, and so it has when something stops it.
static double lag(const Energy* e, const StepContext* ctx)
{
    return 0.5*ctx->dt*vec_dot(ctx->model->settings.gravity, e->momentum);
}

// The difference of two measurements stands in `work` or `friction` while the stage runs: minus what was there before it.
static mn_status note(double* sum, double sign, StepContext* ctx)
{
    Energy now;
    TRY(measure(&now, ctx));
    *sum += sign*(energy_sum(&now) - lag(&now, ctx));
    return MN_OK;
}

mn_status balance_before_sources(StepContext* ctx)
{
    return ctx->model->source_count > 0 ? note(&ctx->report->energy.work, -1, ctx) : MN_OK;
}

mn_status balance_after_sources(StepContext* ctx)
{
    return ctx->model->source_count > 0 ? note(&ctx->report->energy.work, 1, ctx) : MN_OK;
}

mn_status balance_before_topology(StepContext* ctx) { return note(&ctx->report->energy.topology, -1, ctx); }

mn_status balance_after_topology(StepContext* ctx)
{
    const StepReport* r = ctx->report;
    bool happened = r->splits + r->merges + r->sprayed + r->rejoined > 0 || ctx->world->spray.count > 0;
    if (happened) return note(&ctx->report->energy.topology, 1, ctx);
    ctx->report->energy.topology = 0;
    return MN_OK;
}

// The box pushes with a - g on what moves: over the step dt (a - g).(momentum before + after)/2, as far as liquid gets at the
// mean velocity. Gravity's part is in the potential.
static double work_of_box(const double momentum[3], const StepContext* ctx)
{
    double sum = 0;
    for (int d = 0; d < ctx->model->tank.dim; d++)
        sum += 0.5*ctx->dt*momentum[d]*(ctx->acceleration[d] - ctx->model->settings.gravity[d]);
    return sum;
}

void balance_spray(StepContext* ctx, const SprayFlight* flight)
{
    double push[3];
    vec_sub(push, ctx->acceleration, ctx->model->settings.gravity);
    ctx->report->energy.work += vec_dot(push, flight->way);
}

mn_status balance_frame(StepContext* ctx)
{
    Energy now;
    if (!ctx->model->functions.acceleration) return MN_OK;
    TRY(measure(&now, ctx));
    ctx->report->energy.work += work_of_box(now.momentum, ctx);
    return MN_OK;
}

static bool any_friction(const World* world)
{
    for (int m = 0; m < world->liquid_count; m++)
        if (world->liquid[m].material.mu > 0) return true;
    return false;
}

mn_status balance_before_friction(StepContext* ctx)
{
    return any_friction(ctx->world) ? note(&ctx->report->energy.friction, 1, ctx) : MN_OK;
}

// Still walls can only take; what friction brings comes from those that a script moves. Bodies have energy of their own.
mn_status balance_after_friction(StepContext* ctx)
{
    EnergyBalance* e = &ctx->report->energy;
    if (!any_friction(ctx->world)) return MN_OK;
    TRY(note(&e->friction, -1, ctx));
    if (e->friction < 0 && solids_any_scripted(&ctx->world->solids)) e->work -= e->friction, e->friction = 0;
    return MN_OK;
}

// A solid's skin with velocity v pushes the liquid with its pressure: - p n.v per area and time, n out of the liquid. The
// pressure in cells that it cuts is known roughly, and a solid that starts to move has the liquid around it moving at once: its
// added mass, about rho L^dim for a wetted size of L, at its speed.
static void add_solid_work(EnergyBalance* e, const Liquid* q, const StepContext* ctx)
{
    double power = 0, wet = 0, fastest = 0;
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* c = &q->cells.cut[m];
        double x[3], v[3], area = vec_norm(c->solid);
        if (!(area > 0)) continue;
        window_position(x, &q->w, c->i + 0.5, c->j + 0.5, c->k + 0.5);
        solids_scripted_velocity(v, &ctx->world->solids, x);  // what bodies get and give is in their own energy
        power -= q->p.v[c->at]*vec_dot(c->solid, v);
        if (!(vec_norm(v) > 0)) continue;
        wet += area*window_face_area(&q->w), fastest = fmax(fastest, vec_norm(v));
    }
    e->work += power*window_face_area(&q->w)*ctx->dt;
    e->driven += 0.5*q->material.rho*fastest*fastest*(q->w.dim == 3 ? pow(wet, 1.5) : wet*wet);
}

// How fast the skin beside x moves by a script, m/s: of solids, or of sheets where one side of them is looked at; the distance to
// it, m.
static double skin_velocity(double v[3], const Liquid* q, const Solids* solids, const double x[3])
{
    if (q->side) return sheets_scripted_velocity(v, solids, q->side->cut, &q->w, x);
    solids_scripted_velocity(v, solids, x);
    return fabs(solids_distance(solids, x, NULL));
}

// A solid with velocity v draws the surface along where it ends on its skin: with nu out of the surface at its rim, and a line
// that keeps its angle, sigma (A - cos(angle) A_wet) changes by oint sigma nu.v dl (as Wilhelmy's balance measures). With n =
// c N + s T, T along the skin: nu = c T - s N = (c n - N)/s.
static mn_status line_work_seen(double* work, const Liquid* q, StepContext* ctx)
{
    static const Contact upright = {0};
    const double on_skin = 0.1*q->w.dx, least_sine = 1e-3;
    Wetting wet;
    const Contact* contact = wetting_of(&wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    ContactPoint* point;
    int count;
    if (!liquid_solid(q)) return MN_OK;
    TRY(contact_points(&point, &count, ctx->scratch, q->phi.v, q->phi_solid.v, &q->spans, &q->w, contact ? contact : &upright));
    for (int m = 0; m < count; m++) {
        const ContactPoint* p = &point[m];
        double v[3], sine = sqrt(fmax(1 - p->cosine*p->cosine, 0));
        if (!(sine > least_sine) || !(skin_velocity(v, q, &ctx->world->solids, p->x) < on_skin)) continue;
        double along = (p->cosine*vec_dot(p->n, v) - vec_dot(p->N, v))/sine;
        *work += ctx->dt*q->material.sigma*contact_line_length(p, &q->w)*along;
    }
    return MN_OK;
}

static mn_status line_work(double* work, const Liquid* q, StepContext* ctx)
{
    *work = 0;
    if (!(q->material.sigma > 0) || !solids_any_scripted(&ctx->world->solids)) return MN_OK;
    if (q->sheet) {
        Sides s;
        TRY(sides_cut(&s, ctx->scratch, q));
        for (int m = 0; m < 2; m++) TRY(line_work_seen(work, &s.view[m], ctx));
    } else TRY(line_work_seen(work, q, ctx));
    arena_reset(ctx->scratch);
    return MN_OK;
}

// J/m^3: of the liquid of a cell, its height and its motion.
static double energy_density(const Liquid* q, const Model* model, const int cell[3])
{
    double x[3], square = 0;
    ptrdiff_t at = window_at(&q->w, cell[0], cell[1], cell[2]);
    window_position(x, &q->w, cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5);
    for (int d = 0; d < q->w.dim; d++) {
        double low = q->u[d].v[at], high = q->u[d].v[at + window_stride(&q->w, d)];
        square += 0.5*(low*low + high*high);
    }
    if (q->w.dim == 2) x[2] = 0;
    return q->material.rho*(energy_of_height(model, x) + 0.5*square);
}

// A source of volume at pressure p does work p per volume, and what it brings has its height and its motion.
static mn_status source_work(double* work, const Liquid* q, StepContext* ctx)
{
    double *divergence, power = 0;
    *work = 0;
    TRY(sources_divergence(&divergence, ctx, q, ctx->scratch));
    if (!divergence) return MN_OK;
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        if (j >= q->w.n[1] || k >= q->w.n[2]) continue;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < mini(s->span[m].i1, q->w.n[0]); i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                double fraction = cutcells_fraction(&q->cells, at);
                if (fraction > 0 && divergence[at] != 0)
                    power += (q->p.v[at] + energy_density(q, ctx->model, (int[3]){i, j, k}))*divergence[at]*fraction;
            }
    }
    *work = power*window_cell_volume(&q->w)*ctx->dt;
    arena_reset(ctx->scratch);
    return MN_OK;
}

mn_status balance_pressure(StepContext* ctx)
{
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        double of_sources, of_lines;
        if (ctx->world->solids.any_moving) add_solid_work(&ctx->report->energy, q, ctx);
        TRY(line_work(&of_lines, q, ctx));
        TRY(source_work(&of_sources, q, ctx));
        ctx->report->energy.work += of_lines + of_sources;
    }
    return MN_OK;
}

// ---- what a step may gain ------------------------------------------------------------------------------------------------

// Healthy steps of all shipped scenes stay below a tenth of the kinetic energy (the most, 8 %, where a drop hits a solid) and
// 1e-4 of the surface's; steps that run away win as much as there was, or more. Work is known to a quarter.
static const double OF_KINETIC = 0.15, OF_SURFACE = 1e-3, OF_WORK = 0.25;
// Cells in a step that is as long as flow and tension allow: what would make the liquid move by less is no matter.
static const double LEAST_MOTION = 1e-3;

typedef struct Scales {
    double surface;  // J, free surfaces and, by their size, wetted ones
    double mass;     // kg
    double skin;     // kg, what cut cells at solids hold more or less than is known
} Scales;

// The polygon of a solid on the grid loses its corners and bulges, by some hundredths of a cell per cut cell, others as it moves:
// a log that turns changed the level of its pool, and the potential energy by as much as moved. And how high liquid stands in a
// cell that surface and skin both cut is known no better: water that hardly swings in a bowl was calmed to rest.
static const double OF_CUT_CELL = 0.01;

static double skin_of(const Liquid* q, const Solids* solids)
{
    int count = solids->moving_sheets ? q->on_sheets : 0;
    for (int m = 0; m < q->cells.count && liquid_solid(q); m++) count += vec_norm(q->cells.cut[m].solid) > 0;
    return OF_CUT_CELL*sqrt(count)*q->material.rho*window_cell_volume(&q->w);
}

static Scales scales_of(const StepContext* ctx)
{
    Scales s = {0};
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        s.surface += q->material.sigma*q->cells.surface;
        s.mass += q->material.rho*q->target_volume;
        s.skin += skin_of(q, &ctx->world->solids);
    }
    s.surface += fabs(ctx->report->energy.before.surface - s.surface);
    return s;
}

// What is accounted for. What moving solids can give the liquid at once they give once, not in every step: `granted` is what they
// have given of late.
static double accounted(const StepContext* ctx, const Scales* s, double granted)
{
    const EnergyBalance* e = &ctx->report->energy;
    double least = LEAST_MOTION*ctx->model->tank.dx/ctx->report->free_dt;
    return fmax(e->driven - granted, 0) + OF_WORK*fabs(e->work) + 0.5*s->mass*least*least;
}

// Of each liquid the part of its height and surface that restoring its volume may have changed. What skins take more or less goes
// to the surface, about twice as high as the liquid's middle.
static double doubt(const StepContext* ctx, const Scales* s)
{
    double potential = ctx->report->energy.before.potential, top = s->mass > 0 ? 2*potential/s->mass : 0;
    return OF_SURFACE*s->surface + ctx->report->volume_energy + s->skin*top;
}

// What a step may gain without second thoughts. Where a part becomes a ball of spray, or a ball a liquid, its surface is another
// at once, and liquids that merge get one density: this does not depend on the step's length.
static double slack(const EnergyBalance* e, double behind)
{
    // from rest nothing moves before the step: what weight brings in it counts, too
    double moves = e->before.kinetic + e->before.stored_motion + fabs(behind);
    return OF_KINETIC*moves + e->doubt + fmax(e->topology, 0);
}

// What a liquid had is forgotten while the fastest crosses the tank: the part of that in this step.
static double forgets(const StepContext* ctx)
{
    const Tank* tank = &ctx->model->tank;
    double size = 0, speed = 0;
    for (int d = 0; d < tank->dim; d++) size = fmax(size, tank->n[d]*tank->dx);
    for (int m = 0; m < ctx->world->liquid_count; m++) speed = fmax(speed, liquid_max_speed(&ctx->world->liquid[m]));
    return fmin(ctx->dt*speed/size, 1);
}

mn_status balance_end(StepContext* ctx)
{
    EnergyBalance* e = &ctx->report->energy;
    EnergyBooks* books = &ctx->world->energy;
    Scales s = scales_of(ctx);
    e->work += partners_work(ctx->world);
    TRY(measure(&e->after, ctx));
    if (ctx->model->functions.acceleration) e->work += work_of_box(e->after.momentum, ctx);
    // both of this step's length: what a step of the leapfrog keeps depends on its own dt, not on that of the one before
    double behind = lag(&e->after, ctx) - lag(&e->before, ctx);
    e->gain = energy_sum(&e->after) - energy_sum(&e->before) - e->work - behind;
    books->lag += behind;
    double kept = 1 - forgets(ctx);
    books->driven *= kept;
    e->excess = e->gain < 0 ? e->gain : fmax(e->gain - accounted(ctx, &s, books->driven), 0);
    if (isnan(e->gain)) e->excess = e->gain;
    e->doubt = doubt(ctx, &s), e->slack = slack(e, behind);
    books->driven = fmax(books->driven, e->driven);
    books->work += e->work, books->gain += e->gain, books->excess += e->excess;
    books->least = fmin(books->least, books->excess);
    books->recent = kept*books->recent + fabs(e->work);
    double honest = e->before.kinetic + e->before.stored_motion + s.surface + books->recent - (books->excess - books->least);
    books->most = fmax(kept*books->most, honest);
    return MN_OK;
}

mn_status balance_after_calm(StepContext* ctx)
{
    EnergyBalance* e = &ctx->report->energy;
    EnergyBooks* books = &ctx->world->energy;
    double had = energy_sum(&e->after), behind = lag(&e->after, ctx);
    TRY(measure(&e->after, ctx));
    double less = behind - lag(&e->after, ctx);
    books->lag -= less;
    e->taken = had - energy_sum(&e->after) - less;
    e->gain -= e->taken, e->excess -= e->taken;
    books->gain -= e->taken, books->excess -= e->taken, books->taken += e->taken;
    books->least = fmin(books->least, books->excess);
    return MN_OK;
}
