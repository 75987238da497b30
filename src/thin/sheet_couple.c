#include "thin/sheet_couple.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/interpolate.h"

// ---- pieces of cells beside sheets ------------------------------------------------------------------------------------------

// Does a solid, which stands still, lie nearer to the cell's centre than the sheet?
static bool is_beside_solid(const Liquid* view, const double x[3], double distance)
{
    double at[3];
    for (int d = 0; d < 3; d++) at[d] = d < view->w.dim ? x[d]/view->w.dx - view->w.lo[d] : 0;
    return view->side->solid && node_value(view->side->solid, &view->w, at) < distance;
}

// What a cut cell of one side shares with elastic vertices; false: nothing.
static bool find_piece(SheetPiece* out, const SheetCoupling* s, int liquid, int side, const CutCell* cut)
{
    const SidedProblem* sided = s->c->sided[liquid];
    const Liquid* view = &sided->sides.view[side];
    const Pressure* p = &sided->p[side];
    double x[3];
    if (!pressure_is_unknown(p, cut->at) || !pressure_sheet_area(out->area, &p->in, cut)) return false;
    window_position(x, &view->w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
    double distance = sheetcut_shares(out->vertex, out->weight, view->side->cut, &view->w, x);
    if (!isfinite(distance) || is_beside_solid(view, x, distance)) return false;
    sheetcut_nearest(out->away, view->side->cut, &view->w, x);
    vec_sub(out->away, out->away, x);
    out->liquid = liquid, out->cell = cut->at, out->far = pressure_sides_far(&sided->joined, side, cut->at);
    bool any = false;
    for (int e = 0; e < view->w.dim; e++) {
        if (!s->elastic[out->vertex[e]]) out->vertex[e] = -1;
        any = any || out->vertex[e] >= 0;
    }
    return any;
}

static mn_status find_pieces(SheetCoupling* s, Arena* arena)
{
    int room = 0;
    for (int m = 0; m < s->c->liquids; m++)
        for (int side = 0; side < 2 && s->c->of[m] == s->cluster; side++) room += s->c->sided[m]->sides.view[side].cells.count;
    TRY_MEMORY(s->piece = ARENA_NEW(arena, SheetPiece, room));
    for (int m = 0; m < s->c->liquids; m++)
        for (int side = 0; side < 2 && s->c->of[m] == s->cluster; side++) {
            const CutCells* cells = &s->c->sided[m]->sides.view[side].cells;
            for (int q = 0; q < cells->count; q++) s->pieces += find_piece(&s->piece[s->pieces], s, m, side, &cells->cut[q]);
        }
    return MN_OK;
}

// For all coordinates k of the elastic vertices of a piece: `at`, their place among all coordinates.
#define FOR_COORDINATES(s, q, e, k, at)                                                                                          \
    for (int e = 0; e < (s)->mesh->dim; e++)                                                                                     \
        for (int k = 0, at = 3*(q)->vertex[e]; (q)->vertex[e] >= 0 && k < (s)->mesh->dim; k++, at++)

// m^2 (2D: m): what one of them takes of the piece's pressure and flow.
static double share_of(const SheetCoupling* s, const SheetPiece* q, int e, int k) { return s->face*q->area[k]*q->weight[e]; }

// What liquid between the centres of cells and the sheets weighs and how much of it moves along, per coordinate.
static void weigh_between(SheetCoupling* s, const StepContext* ctx)
{
    for (int m = 0; m < s->pieces; m++) {
        const SheetPiece* q = &s->piece[m];
        double rho = ctx->world->liquid[q->liquid].material.rho, height = vec_dot(ctx->acceleration, q->away);
        FOR_COORDINATES(s, q, e, k, at)
        {
            s->weight[at] += share_of(s, q, e, k)*rho*height;
            s->entrained[at] += share_of(s, q, e, k)*rho*q->away[k];
        }
    }
    for (int m = 0; m < 3*s->mesh->vertices; m++) s->entrained[m] = fmax(s->entrained[m], 0);
}

mn_status sheet_coupling_begin(SheetCoupling* s, const ThinMesh* mesh, const unsigned char* elastic, Coupling* c, int cluster,
                               StepContext* ctx, Arena* arena)
{
    const Cluster* own = &c->cluster[cluster];
    const PressureInput* in = &c->sided[own->first]->p[0].in;
    *s = (SheetCoupling){.mesh = mesh,
                         .elastic = elastic,
                         .c = c,
                         .cluster = cluster,
                         .rho = in->rho,
                         .face = window_face_area(in->w),
                         .arena = arena};
    TRY_MEMORY(s->first_far = ARENA_NEW(arena, int, own->group.count));
    for (int m = 0; m < c->liquids; m++)
        if (c->of[m] == cluster) s->first_far[c->part[m]] = s->fars, s->fars += c->sided[m]->joined.border.count;
    TRY_MEMORY(s->entrained = ARENA_ZERO(arena, double, 9*mesh->vertices));
    s->weight = s->entrained + 3*mesh->vertices, s->impulse = s->weight + 3*mesh->vertices;
    TRY(find_pieces(s, arena));
    weigh_between(s, ctx);
    return MN_OK;
}

// ---- the border -------------------------------------------------------------------------------------------------------------

static mn_status take_room(SheetCoupling* s, const ThinLinear* linear)
{
    int entries = s->pieces*s->mesh->dim*s->mesh->dim, blocks = entries + (linear->matrix ? linear->matrix->count : 0);
    for (int m = 0; m < s->c->liquids; m++) {
        if (s->c->of[m] != s->cluster) continue;
        entries += s->c->sided[m]->joined.border.entries, blocks += s->c->sided[m]->joined.border.block_entries;
    }
    s->border = (Border){.count = s->fars + linear->unknowns, .mixes = true};
    TRY_MEMORY(s->border.entry = ARENA_NEW(s->arena, BorderEntry, entries));
    TRY_MEMORY(s->border.block = ARENA_NEW(s->arena, Triplet, blocks));
    TRY_MEMORY(s->border.d = ARENA_ZERO(s->arena, double, s->border.count));
    TRY_MEMORY(s->solution = ARENA_ZERO(s->arena, double, s->border.count));
    return MN_OK;
}

// The pieces beside the grid of one liquid's own, in rows of the whole matrix.
static void add_own(SheetCoupling* s, int liquid)
{
    const Border* own = &s->c->sided[liquid]->joined.border;
    int part = s->c->part[liquid], first = s->first_far[part];
    double weight = s->c->cluster[s->cluster].weight[part];
    Border* b = &s->border;
    for (int m = 0; m < own->entries; m++) {
        BorderEntry e = own->entry[m];
        b->entry[b->entries++] =
            (BorderEntry){.cell = e.cell, .unknown = first + e.unknown, .value = weight*e.value, .part = part};
    }
    for (int m = 0; m < own->block_entries; m++) {
        Triplet e = own->block[m];
        b->block[b->block_entries++] = (Triplet){.row = first + e.row, .column = first + e.column, .value = weight*e.value};
    }
    for (int m = 0; m < own->count; m++) b->d[first + m] = weight*own->d[m];
}

// Flow out of a piece by the velocity of the vertices around it: rho dx/dt S.v in a row of its liquid, times that liquid's weight
// in the whole matrix, which leaves the first liquid's rho.
static void add_piece(SheetCoupling* s, const SheetPiece* q, const int* unknown, double scale)
{
    Border* b = &s->border;
    int part = s->c->part[q->liquid];
    FOR_COORDINATES(s, q, e, k, at)
    {
        double value = scale*share_of(s, q, e, k);
        if (unknown[at] < 0 || value == 0) continue;
        int column = s->fars + unknown[at];
        if (q->far < 0) b->entry[b->entries++] = (BorderEntry){.cell = q->cell, .unknown = column, .value = value, .part = part};
        else b->block[b->block_entries++] = (Triplet){.row = column, .column = s->first_far[part] + q->far, .value = value};
    }
}

// -N and -f: minus what is in the rows of the sheets, times rho dx^(2-dim)/dt^2, which makes the whole symmetric.
static void add_sheets(SheetCoupling* s, const ThinLinear* linear, const double* moved, double dt, double scale)
{
    Border* b = &s->border;
    const Sparse* a = linear->matrix;
    double* d = b->d + s->fars;
    const double* v = s->mesh->v;
    for (int j = 0; j < a->n; j++)
        for (int m = a->start[j]; m < a->start[j + 1]; m++)
            b->block[b->block_entries++] =
                (Triplet){.row = s->fars + a->row[m], .column = s->fars + j, .value = -scale*a->value[m]};
    // f = right/dt + A ((x - x_0)/dt - v*) + dt weight, A without the entrained masses: those go on with v* by themselves
    for (int m = 0; m < 3*s->mesh->vertices; m++) {
        int row = linear->unknown[m];
        if (row < 0) continue;
        s->solution[s->fars + row] = (moved ? moved[m]/dt : 0) - v[m];
        b->block[b->block_entries - a->count + a->start[row]].value -= scale*s->entrained[m];  // the diagonal comes first
    }
    sparse_multiply(d, a, s->solution + s->fars);
    for (int m = 0; m < 3*s->mesh->vertices; m++) {
        int row = linear->unknown[m];
        if (row >= 0) d[row] = -scale*(linear->right[row]/dt + d[row] + dt*s->weight[m]);
    }
}

mn_status sheet_coupling_load(SheetCoupling* s, PoissonOperator* op, const ThinLinear* linear, const double* moved, double dt)
{
    const Cluster* own = &s->c->cluster[s->cluster];
    double dx = own->group.part[0].problem->w->dx;
    sheet_coupling_end(s);
    TRY(take_room(s, linear));
    for (int m = 0; m < s->c->liquids; m++)
        if (s->c->of[m] == s->cluster) add_own(s, m);
    for (int m = 0; m < s->pieces; m++) add_piece(s, &s->piece[m], linear->unknown, s->rho*dx/(dt*s->face));
    if (linear->unknowns > 0) add_sheets(s, linear, moved, dt, s->rho*dx/(dt*dt*s->face));
    return border_begin(&s->border, op, &own->group, s->arena);
}

mn_status sheet_coupling_answer(SheetCoupling* s, double* change, const StepContext* ctx, const ThinLinear* linear)
{
    const Cluster* own = &s->c->cluster[s->cluster];
    TRY(border_solution(&s->border, s->solution, &own->group));
    for (int m = 0; m < s->c->liquids; m++) {
        if (s->c->of[m] != s->cluster) continue;
        PressureSides* joined = &s->c->sided[m]->joined;
        memcpy(joined->far_p, s->solution + s->first_far[s->c->part[m]], sizeof *joined->far_p*(size_t)joined->border.count);
    }
    for (int m = 0; m < 3*s->mesh->vertices; m++)
        change[m] = linear->unknown[m] < 0 ? 0 : s->solution[s->fars + linear->unknown[m]], s->impulse[m] = 0;
    for (int m = 0; m < s->pieces; m++) {
        const SheetPiece* q = &s->piece[m];
        const PoissonPart* part = &own->group.part[s->c->part[q->liquid]];
        double p = q->far < 0 ? part->p[q->cell] : s->c->sided[q->liquid]->joined.far_p[q->far];
        FOR_COORDINATES(s, q, e, k, at) s->impulse[at] += ctx->dt*share_of(s, q, e, k)*p;
    }
    return MN_OK;
}

void sheet_coupling_end(SheetCoupling* s) { border_end(&s->border); }
