#include "thin/sheet_tension.h"

#include <math.h>
#include "base/vec.h"
#include "liquid/momentum.h"
#include "liquid/wetting.h"

// A point of a line on an elastic sheet.
typedef struct LinePull {
    int vertex[3];  // of the mesh; -1: not elastic
    double weight[3], force[3], length;
} LinePull;

typedef struct LinePulls {
    LinePull* pull;
    int count;
    double length, force[3];  // of all
    bool elsewhere;           // some end on what is not elastic
} LinePulls;

static const double ON_SHEET = 0.1;     // cells
static const double LEAST_SINE = 1e-3;  // of the angle: a surface that touches the sheet has no line there

// -sigma nu, nu = (c n - N)/s with c and s the cosine and sine between the normals of surface and sheet.
static bool pull_at(LinePull* out, const SheetCoupling* s, const Liquid* view, const ContactPoint* p)
{
    double sine = sqrt(fmax(1 - p->cosine*p->cosine, 0));
    double distance = sheetcut_shares(out->vertex, out->weight, view->side->cut, &view->w, p->x);
    if (!(sine > LEAST_SINE) || !(distance < ON_SHEET*view->w.dx)) return false;
    bool any = false;
    for (int e = 0; e < s->mesh->dim; e++) {
        if (!s->elastic[out->vertex[e]]) out->vertex[e] = -1;
        any = any || out->vertex[e] >= 0;
    }
    out->length = contact_line_length(p, &view->w);
    for (int d = 0; d < 3; d++) out->force[d] = -view->material.sigma*out->length*(p->cosine*p->n[d] - p->N[d])/sine;
    return any;
}

static mn_status find_pulls(LinePulls* out, const SheetCoupling* s, const Liquid* q, SidedProblem* sided, StepContext* ctx)
{
    Wetting wet;
    static const Contact upright = {0};
    const Contact* contact = wetting_of(&wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    ContactPoint* point[2];
    int count[2];
    *out = (LinePulls){0};
    for (int m = 0; m < 2; m++) {
        const Liquid* view = &sided->sides.view[m];
        TRY(contact_points(&point[m], &count[m], s->arena, view->phi.v, view->phi_solid.v, &view->spans, &view->w,
                           contact ? contact : &upright));
    }
    TRY_MEMORY(out->pull = ARENA_NEW(s->arena, LinePull, count[0] + count[1]));
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < count[m]; k++) {
            LinePull* own = &out->pull[out->count];
            if (!pull_at(own, s, &sided->sides.view[m], &point[m][k])) {
                out->elsewhere = true;
                continue;
            }
            out->length += own->length, out->count++;
            for (int d = 0; d < 3; d++) out->force[d] += own->force[d];
        }
    return MN_OK;
}

// Force of the surface on the liquid, N: each link of both sides counts once.
static mn_status surface_force(double force[3], const SheetCoupling* s, SidedProblem* sided)
{
    for (int m = 0; m < 2; m++) {
        const Liquid* view = &sided->sides.view[m];
        double* const u[3] = {view->u[0].v, view->u[1].v, view->u[2].v};
        SurfaceLink* link;
        int count;
        TRY(pressure_surface_links(&link, &count, s->arena, &sided->p[m], u));
        for (int k = 0; k < count; k++) {
            const SurfaceLink* l = &link[k];
            bool counts = l->axis >= 0 ? sheetside_counts_face(view->side, &view->w, l->face, l->axis)
                                       : sheetside_counts_cell(view->side, &view->w, l->cell);
            for (int d = 0; d < 3 && counts; d++) force[d] -= s->face*l->area[d]*l->known/l->weight;
        }
    }
    return MN_OK;
}

static mn_status add_liquid(double* force, const SheetCoupling* s, const Liquid* q, SidedProblem* sided, StepContext* ctx)
{
    LinePulls lines;
    double on_liquid[3] = {0, 0, 0};
    TRY(find_pulls(&lines, s, q, sided, ctx));
    if (!(lines.length > 0)) return MN_OK;
    bool is_known = !lines.elsewhere && momentum_is_off_sides(q);
    if (is_known) TRY(surface_force(on_liquid, s, sided));
    for (int m = 0; m < lines.count; m++) {
        const LinePull* own = &lines.pull[m];
        for (int e = 0; e < s->mesh->dim; e++)
            for (int d = 0; d < s->mesh->dim && own->vertex[e] >= 0; d++) {
                double rest = is_known ? -on_liquid[d] - lines.force[d] : 0;
                force[3*own->vertex[e] + d] += own->weight[e]*(own->force[d] + rest*own->length/lines.length);
            }
    }
    return MN_OK;
}

mn_status sheet_tension_add(double* force, const SheetCoupling* s, StepContext* ctx)
{
    for (int m = 0; m < s->c->liquids; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        if (s->c->of[m] == s->cluster && q->material.sigma > 0) TRY(add_liquid(force, s, q, s->c->sided[m], ctx));
    }
    return MN_OK;
}
