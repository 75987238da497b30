#include "membrane/membrane_solve.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"
#include "grid/past_surface.h"
#include "membrane/body_rows.h"
#include "membrane/membrane_contact.h"
#include "membrane/membrane_poisson.h"
#include "membrane/push.h"
#include "solve/factor.h"

// ---- directions of the vertices --------------------------------------------------------------------------------------------

mn_status membrane_normals(double (**normal)[3], const MembraneMesh* m, Arena* arena)
{
    TRY_MEMORY(*normal = arena_take(arena, sizeof **normal*(size_t)(m->vertices + 1)));
    membrane_volume_gradient(&(*normal)[0][0], m);
    for (int i = 0; i < m->vertices; i++) {
        double* n = (*normal)[i];
        double norm = vec_norm(n);
        for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
    }
    return MN_OK;
}

void membrane_slide(double (*tau)[3], const MembraneMesh* m, double (*normal)[3], double* const u[3], const Window* w)
{
    for (int i = 0; i < m->vertices; i++) {
        double place[3] = {0};
        for (int d = 0; d < m->dim; d++) place[d] = m->x[3*i + d]/w->dx - w->lo[d];
        face_velocity(tau[i], u, w, place);
        for (int d = 0; d < 3; d++)
            if (m->flag[i] >> d & 1) tau[i][d] = 0;
        double along = vec_dot(tau[i], normal[i]);
        for (int d = 0; d < 3; d++) tau[i][d] -= along*normal[i][d];
    }
}

// ---- the membrane's own equations ------------------------------------------------------------------------------------------

// Masses in full cells, forces as velocities: all divided by rho dx^dim.
typedef struct Membrane {
    int vertices;
    double (*normal)[3], (*tau)[3];  // on contacts: 0, and the velocity of a solid that moves by a script
    double* own;                     // m_i: of the membrane itself
    double* inertia;                 // m_i + sum_d L_id n_id^2
    double (*force)[3];              // m/s: dt (tension + weight)
    double (*q)[3];                  // right-hand side before it is projected on n_i
    double* r;
    Pushes push;
    Factor* factor;  // of N, without bodies; owned
    double* work;    // per vertex
    BodyRows rows;
    double* body;  // nv
} Membrane;

// y_i += dt^2 K x, for vectors.
static void add_stiffness(double (*y)[3], const MembraneMesh* m, double sigma, double factor, double (*x)[3])
{
    StiffEdge edge[3];
    for (int e = 0; e < m->elements; e++) {
        if (element_is_carried(m, e)) continue;
        for (int q = 0, count = surface_stiffness(edge, m, e, sigma); q < count; q++)
            for (int d = 0; d < m->dim; d++) {
                double pull = factor*edge[q].weight*(x[edge[q].a][d] - x[edge[q].b][d]);
                y[edge[q].a][d] += pull, y[edge[q].b][d] -= pull;
            }
    }
}

static mn_status take_skin(Membrane* s, const MembraneMesh* m, Arena* arena)
{
    s->vertices = m->vertices;
    size_t vectors = sizeof *s->q*(size_t)m->vertices;
    s->tau = arena_take_zero(arena, vectors), s->force = arena_take_zero(arena, vectors), s->q = arena_take_zero(arena, vectors);
    s->own = ARENA_NEW(arena, double, m->vertices), s->inertia = ARENA_NEW(arena, double, m->vertices);
    s->r = ARENA_NEW(arena, double, m->vertices), s->work = ARENA_NEW(arena, double, m->vertices);
    TRY_MEMORY(s->tau && s->force && s->q && s->own && s->inertia && s->r && s->work);
    return membrane_normals(&s->normal, m, arena);
}

// Vertices in contact have no unknown of their own.
static void hold_contacts(Membrane* s, const MembraneMesh* m, const MembraneBodies* bodies)
{
    for (int i = 0; i < m->vertices; i++) {
        if (membrane_is_free(m, i)) continue;
        assert(bodies);
        for (int d = 0; d < 3; d++) s->normal[i][d] = s->tau[i][d] = 0;
        if (bodies_carrier(bodies, m, i) < 0) membrane_touch_velocity(s->tau[i], m, bodies, i);
    }
}

// q of the page above, and r = n.q.
static mn_status find_right_side(Membrane* s, const MembraneMesh* m, double* const u[3], const MembraneProblem* in, Arena* arena)
{
    const MembraneMaterial* material = in->material;
    const Window* w = in->cells->w;
    double unit = material->weight.rho*window_cell_volume(w), *moved[3];
    double(*delta)[3] = arena_take(arena, sizeof *delta*(size_t)m->vertices);
    TRY_MEMORY(delta);
    surface_add_tension(s->force, m, material->sigma);
    surface_add_weight(s->force, m, &material->weight);
    for (int d = 0; d < m->dim; d++) {
        TRY_MEMORY(moved[d] = ARENA_NEW(arena, double, w->count));
        moved[d] += w->origin;
    }
    masses_spread(moved, in->mass, in->cells, m, m->v);
    for (int d = 0; d < m->dim; d++)
        for (ptrdiff_t at = -w->origin, end = (ptrdiff_t)w->count - w->origin; at < end; at++)
            moved[d][at] = in->mass->projected[d][at] > 0 ? u[d][at] - moved[d][at] : 0;
    masses_gather(s->q, in->mass, in->cells, m, moved);
    for (int i = 0; i < m->vertices; i++)
        for (int d = 0; d < 3; d++) {
            delta[i][d] = m->v[3*i + d] - s->tau[i][d];
            s->force[i][d] *= in->dt/unit;
            s->q[i][d] += (s->own[i] + in->mass->vertex[i][d])*delta[i][d] + s->force[i][d];
        }
    add_stiffness(s->q, m, material->sigma, in->dt*in->dt/unit, delta);
    for (int i = 0; i < m->vertices; i++) s->r[i] = vec_dot(s->normal[i], s->q[i]);
    return MN_OK;
}

static mn_status factor_skin(Membrane* s, const MembraneMesh* m, const MembraneProblem* in, Arena* arena)
{
    double unit = in->material->weight.rho*window_cell_volume(in->cells->w), square = in->dt*in->dt/unit;
    int count = 0;
    Triplet* entry = ARENA_NEW(arena, Triplet, m->vertices + 9*m->elements);
    TRY_MEMORY(entry);
    for (int i = 0; i < m->vertices; i++) entry[count++] = (Triplet){i, i, s->inertia[i]};
    StiffEdge edge[3];
    for (int e = 0; e < m->elements; e++) {
        if (element_is_carried(m, e)) continue;
        for (int q = 0, edges = surface_stiffness(edge, m, e, in->material->sigma); q < edges; q++) {
            int a = edge[q].a > edge[q].b ? edge[q].a : edge[q].b, b = edge[q].a + edge[q].b - a;
            double stiff = square*edge[q].weight;
            entry[count++] = (Triplet){a, a, stiff*vec_dot(s->normal[a], s->normal[a])};
            entry[count++] = (Triplet){b, b, stiff*vec_dot(s->normal[b], s->normal[b])};
            entry[count++] = (Triplet){a, b, -stiff*vec_dot(s->normal[a], s->normal[b])};
        }
    }
    return factor_new(&s->factor, m->vertices, entry, count);
}

static mn_status find_inertia(Membrane* s, const MembraneMesh* m, const MembraneProblem* in)
{
    double per_area = in->material->thickness/window_cell_volume(in->cells->w);
    membrane_vertex_areas(s->own, m);
    for (int i = 0; i < m->vertices; i++) {
        s->own[i] *= per_area, s->inertia[i] = s->own[i];
        for (int d = 0; d < 3; d++) s->inertia[i] += in->mass->vertex[i][d]*s->normal[i][d]*s->normal[i][d];
        if (!membrane_is_free(m, i)) s->inertia[i] = 1;  // no unknown: a row of its own, with nothing in it
        if (!(s->inertia[i] > 0))
            return mn_fail(MN_STEP_FAILED, "vertex %d of the surface has no mass: its elements have no area", i);
    }
    return MN_OK;
}

// ---- eliminated --------------------------------------------------------------------------------------------------------------

static void push_by_pressures(double* out, const Membrane* s, const double* pressure)
{
    for (int i = 0; i < s->vertices; i++) {
        double sum = 0;
        for (int q = s->push.start[i]; q < s->push.start[i + 1]; q++)
            sum += s->push.entry[q].normal*pressure[s->push.entry[q].cell];
        out[i] = sum;
    }
}

static void flow_by_normals(double* out, const Membrane* s, const double* w)
{
    for (int i = 0; i < s->vertices; i++)
        for (int q = s->push.start[i]; q < s->push.start[i + 1]; q++)
            out[s->push.entry[q].cell] += s->push.entry[q].normal*w[i];
}

typedef struct MembraneOperator {
    Membrane* s;
    const int* place;  // of the operator's cells among those with pieces
    int count;
    double* cell;  // one per cell with pieces
    int cells;
} MembraneOperator;

// N^-1 (work, body): in the right-hand sides of vertices and bodies, out w, and the bodies' velocities in rows.v.
static mn_status solve_skin(Membrane* s)
{
    TRY(factor_solve(s->factor, s->work, s->work));
    rows_solve(s->work, &s->rows, s->body);
    return MN_OK;
}

static void apply_skin(double* out, const double* in, void* user)
{
    MembraneOperator* o = user;
    memset(o->cell, 0, sizeof *o->cell*(size_t)o->cells);
    for (int q = 0; q < o->count; q++) o->cell[o->place[q]] = in[q];
    push_by_pressures(o->s->work, o->s, o->cell);
    for (int c = 0; c < o->s->rows.nv; c++) o->s->body[c] = 0;
    rows_push(o->s->body, &o->s->rows, o->cell);
    if (solve_skin(o->s) != MN_OK) memset(o->s->work, 0xff, sizeof *o->s->work*(size_t)o->s->vertices);
    memset(o->cell, 0, sizeof *o->cell*(size_t)o->cells);
    flow_by_normals(o->cell, o->s, o->s->work);
    rows_flow(o->cell, &o->s->rows, o->s->rows.v);
    for (int q = 0; q < o->count; q++) out[q] = o->cell[o->place[q]];
}

// Row sums of |F^T M^-1 F| with the masses alone: what the preconditioner knows of the membrane.
static void find_diagonal(double* diagonal, const Membrane* s)
{
    for (int i = 0; i < s->vertices; i++) {
        double sum = 0;
        for (int q = s->push.start[i]; q < s->push.start[i + 1]; q++) sum += fabs(s->push.entry[q].normal);
        for (int q = s->push.start[i]; q < s->push.start[i + 1]; q++)
            diagonal[s->push.entry[q].cell] += fabs(s->push.entry[q].normal)*sum/s->inertia[i];
    }
}

// The operator on those cells with pieces that are unknown.
static mn_status load_skin(PoissonOperator* op, Membrane* s, const MembraneProblem* in, const bool* unknown, Arena* arena)
{
    const MembraneCells* c = in->cells;
    MembraneOperator* o = ARENA_NEW(arena, MembraneOperator, 1);
    int *place = ARENA_NEW(arena, int, c->cells + 1), *part = ARENA_ZERO(arena, int, c->cells + 1);
    ptrdiff_t* cell = ARENA_NEW(arena, ptrdiff_t, c->cells + 1);
    double *diagonal = ARENA_ZERO(arena, double, c->cells + 1), *listed = ARENA_NEW(arena, double, c->cells + 1);
    double* field = ARENA_ZERO(arena, double, c->cells + 1);
    TRY_MEMORY(o && place && part && cell && diagonal && listed && field);
    find_diagonal(diagonal, s);
    int count = 0;
    for (int q = 0; q < c->cells; q++)
        if (unknown[q]) place[count] = q, cell[count] = c->cell[q], listed[count++] = diagonal[q];
    *o = (MembraneOperator){.s = s, .place = place, .count = count, .cell = field, .cells = c->cells};
    *op = (PoissonOperator){.count = count, .part = part, .cell = cell, .apply = apply_skin, .user = o, .diagonal = listed};
    return MN_OK;
}

// b -= rho dx (B^T tau + F^T N^-1 r), with the bodies' inertia and impulses as they are now.
static mn_status load_source(double* b, Membrane* s, const PoissonOperator* op, const MembraneMesh* m, const MembraneProblem* in)
{
    const MembraneOperator* o = op->user;
    double* field = o->cell;
    memset(field, 0, sizeof *field*(size_t)o->cells);
    memcpy(s->work, s->r, sizeof *s->work*(size_t)s->vertices);
    for (int c = 0; c < s->rows.nv; c++) s->body[c] = 0;
    rows_right_side(s->body, &s->rows, m, s->q);
    TRY(solve_skin(s));
    flow_by_normals(field, s, s->work);
    rows_flow(field, &s->rows, s->rows.v);
    for (int i = 0; i < s->vertices; i++)
        for (int q = s->push.start[i]; q < s->push.start[i + 1]; q++)
            field[s->push.entry[q].cell] += vec_dot(s->push.entry[q].area, s->tau[i]);
    double scale = in->material->weight.rho*in->cells->w->dx;
    for (int q = 0; q < o->count; q++) b[op->cell[q]] -= scale*field[o->place[q]];
    return MN_OK;
}

// ---- back --------------------------------------------------------------------------------------------------------------------

// y = N^-1 (r + F p), in work and rows.v.
static mn_status find_velocities(Membrane* s, const double* pressure, const MembraneMesh* m)
{
    push_by_pressures(s->work, s, pressure);
    for (int i = 0; i < m->vertices; i++) s->work[i] += s->r[i];
    for (int c = 0; c < s->rows.nv; c++) s->body[c] = 0;
    rows_right_side(s->body, &s->rows, m, s->q);
    rows_push(s->body, &s->rows, pressure);
    return solve_skin(s);
}

static mn_status pressures_of(double** pressure, const double* p, const MembraneProblem* in, Arena* arena)
{
    const MembraneCells* c = in->cells;
    TRY_MEMORY(*pressure = ARENA_NEW(arena, double, c->cells + 1));
    for (int q = 0; q < c->cells; q++) (*pressure)[q] = p[c->cell[q]]/(in->material->weight.rho*c->w->dx);
    return MN_OK;
}

// v = n w + tau + J v_r. What v gains beyond the forces there is given along the surface to free vertices, and by solids and
// bodies to those that touch them.
static mn_status move_skin(MembraneReport* report, MembraneMesh* m, double (*held)[3], Membrane* s, const double* pressure,
                           const MembraneProblem* in, Arena* arena)
{
    double unit = in->material->weight.rho*window_cell_volume(in->cells->w);
    double(*change)[3] = arena_take(arena, sizeof *change*(size_t)m->vertices);
    double(*stretch)[3] = arena_take_zero(arena, sizeof *stretch*(size_t)m->vertices);
    TRY_MEMORY(change && stretch);
    for (int i = 0; i < m->vertices; i++)
        for (int d = 0; d < 3; d++) change[i][d] = s->work[i]*s->normal[i][d];
    rows_carry(change, &s->rows, m);
    add_stiffness(stretch, m, in->material->sigma, in->dt*in->dt/unit, change);
    for (int i = 0; i < m->vertices; i++) {
        // (m + L + dt^2 K) (n w + J v_r) = q + B p along n; across it the difference is given
        for (int d = 0; d < 3; d++) {
            double pushed = s->q[i][d], inertia = s->own[i] + in->mass->vertex[i][d];
            for (int q = s->push.start[i]; q < s->push.start[i + 1]; q++)
                pushed += s->push.entry[q].area[d]*pressure[s->push.entry[q].cell];
            double other = unit*(inertia*change[i][d] + stretch[i][d] - pushed);
            if (held) held[i][d] = membrane_is_free(m, i) ? 0 : other;
            *(membrane_is_free(m, i) ? &report->given[d] : &report->held[d]) += other;
            report->force[d] += unit*s->force[i][d]/in->dt;
            report->gained[d] += unit*(inertia*(s->tau[i][d] + change[i][d]) - s->own[i]*m->v[3*i + d]);
            m->v[3*i + d] = s->tau[i][d] + change[i][d];
        }
    }
    return MN_OK;
}

// u = u** + alpha (p_low - p_high)/(M rho dx), then with the membrane's own where that carries the liquid.
static mn_status move_faces(MembraneReport* report, double* const u[3], unsigned char* const kind[3], const MembraneMesh* m,
                            const double* p, const MembraneProblem* in, Arena* arena)
{
    const MembraneCells* c = in->cells;
    const Window* w = c->w;
    double scale = 1/(in->material->weight.rho*w->dx), unit = in->material->weight.rho*window_cell_volume(w), *moved[3];
    for (int d = 0; d < m->dim; d++) {
        TRY_MEMORY(moved[d] = ARENA_NEW(arena, double, w->count));
        moved[d] += w->origin;
    }
    masses_spread(moved, in->mass, c, m, m->v);
    for (int d = 0; d < w->dim; d++)
        for (int k = 0; k < w->n[2]; k++)
            for (int j = 0; j < w->n[1]; j++)
                for (int i = 0; i < w->n[0]; i++) {
                    ptrdiff_t at = window_at(w, i, j, k);
                    double mass = in->mass->face[d][at], beta = in->mass->beta[d][at], before = u[d][at];
                    if (!(mass > 0 || beta > 0)) continue;
                    double push = c->open[d][at]*(p[at - window_stride(w, d)] - p[at]);
                    double face = mass > 0 ? before + scale*push/mass : 0;
                    u[d][at] = (1 - beta)*face + beta*moved[d][at], kind[d][at] = FACE_KEPT;
                    report->gained[d] += unit*(scale*push - in->mass->carried[d][at]*before);
                }
    return MN_OK;
}

// ---- all of it ---------------------------------------------------------------------------------------------------------------

// Contacts between bodies that act follow from the velocities, which follow from them; one that flickers is left as it is.
enum { MOST_ROUNDS = 6 };

// Pressures and velocities, once more for each set of contacts between bodies.
static mn_status solve_rounds(MembraneReport* report, double** pressure, Membrane* s, Poisson* system, const bool* unknown,
                              double* p, const MembraneMesh* m, const MembraneProblem* in, Arena* arena)
{
    const Window* w = in->cells->w;
    double *b = system->b, *source = ARENA_NEW(arena, double, w->count);
    PoissonOperator op;
    TRY_MEMORY(source);
    memcpy(source, b - w->origin, sizeof *source*w->count);
    TRY(load_skin(&op, s, in, unknown, arena));
    PoissonPart part = {.problem = system, .p = p, .weight = 1};
    bool changed = s->rows.nv > 0;
    if (changed) TRY(in->bodies->contacts(&changed, in->bodies->user, NULL));
    for (changed = true; changed && report->rounds < MOST_ROUNDS; report->rounds++) {
        TRY(rows_factor(&s->rows));
        memcpy(b - w->origin, source, sizeof *source*w->count);
        TRY(load_source(b, s, &op, m, in));
        TRY(poisson_solve_group(&report->solve, &(PoissonGroup){&part, 1, &op, 1}, &in->options, arena));
        TRY(pressures_of(pressure, p, in, arena));
        TRY(find_velocities(s, *pressure, m));
        changed = false;
        if (s->rows.nv > 0) TRY(in->bodies->contacts(&changed, in->bodies->user, s->rows.v));
    }
    return MN_OK;
}

static mn_status solve_with(Membrane* s, MembraneReport* report, MembraneMesh* m, double* const u[3],
                            unsigned char* const kind[3], double* p, double (*held)[3], const MembraneProblem* in, Arena* arena)
{
    Poisson system;
    bool* unknown;
    double* pressure = NULL;
    TRY(membrane_poisson(&system, &unknown, u, in, arena));
    TRY(pushes_build(&s->push, in->cells, m, s->normal, unknown, arena));
    TRY(find_right_side(s, m, u, in, arena));
    TRY(factor_skin(s, m, in, arena));
    RowsInput rows = {.m = m,
                      .bodies = in->bodies,
                      .push = &s->push,
                      .normal = s->normal,
                      .own = s->own,
                      .hangs = in->mass->vertex,
                      .factor = s->factor,
                      .sigma = in->material->sigma,
                      .dt = in->dt,
                      .unit = in->material->weight.rho*window_cell_volume(in->cells->w),
                      .cells = in->cells->cells};
    TRY(rows_build(&s->rows, &rows, arena));
    TRY_MEMORY(s->body = ARENA_ZERO(arena, double, s->rows.nv + 1));
    TRY(solve_rounds(report, &pressure, s, &system, unknown, p, m, in, arena));
    TRY(move_skin(report, m, held, s, pressure, in, arena));
    for (int c = 0; c < s->rows.nv; c++) in->bodies->v[c] = s->rows.v[c];
    return move_faces(report, u, kind, m, p, in, arena);
}

mn_status membrane_solve(MembraneReport* report, MembraneMesh* m, double* const u[3], unsigned char* const kind[3], double* p,
                         double (*held)[3], const MembraneProblem* in, Arena* arena)
{
    assert(in->dt > 0 && in->material->weight.rho > 0 && in->material->thickness > 0 && m->dim == in->cells->w->dim);
    *report = (MembraneReport){0};
    Membrane s = {0};
    TRY(take_skin(&s, m, arena));
    faces_exchange(u, in->cells->w, LINEAR_READS);
    membrane_slide(s.tau, m, s.normal, u, in->cells->w);
    hold_contacts(&s, m, in->bodies);
    TRY(find_inertia(&s, m, in));
    mn_status status = solve_with(&s, report, m, u, kind, p, held, in, arena);
    factor_free(s.factor);
    return status;
}
