#include "membrane/membrane_flow.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/extrapolate.h"
#include "grid/interpolate.h"

// Cells past the liquid that its velocity is known in, and spans reach.
enum { REACH = 6 };

void membrane_flow_free(MembraneFlow* f)
{
    membrane_free(&f->mesh);
    for (int d = 0; d < 3; d++) field_free(&f->u[d]);
    field_free(&f->p), field_free(&f->wet);
    *f = (MembraneFlow){0};
}

mn_status membrane_flow_init(MembraneFlow* f, const MembraneMesh* mesh, const Tank* tank)
{
    *f = (MembraneFlow){.mesh = *mesh, .w = window_whole(tank)};
    mn_status status = field_init(&f->p, &f->w);
    if (status == MN_OK) status = field_init(&f->wet, &f->w);
    for (int d = 0; d < tank->dim && status == MN_OK; d++) status = field_init(&f->u[d], &f->w);
    if (status != MN_OK) membrane_flow_free(f);
    return status;
}

static void velocity(double* u[3], MembraneFlow* f)
{
    for (int d = 0; d < 3; d++) u[d] = f->u[d].v;
}

// ---- where the liquid is ---------------------------------------------------------------------------------------------------

// The mean of the cells around a node, as far as there are any.
static double wet_part(const MembraneCells* c, const int node[3])
{
    const Window* w = c->w;
    double sum = 0;
    int count = 0;
    for (int corner = 0; corner < 1 << w->dim; corner++) {
        int cell[3] = {node[0] - (corner & 1), node[1] - (corner >> 1 & 1), node[2] - (corner >> 2)};
        bool inside = true;
        for (int d = 0; d < w->dim; d++) inside = inside && cell[d] >= 0 && cell[d] < w->n[d];
        if (!inside) continue;
        ptrdiff_t at = window_at(w, cell[0], cell[1], cell[2]);
        // what the surface passes through belongs to the liquid, however little is in it
        sum += fmax(c->volume[at], c->cut[at] >= 0 ? 1e-6 : 0), count++;
    }
    return sum/count;
}

void membrane_flow_find_wet(MembraneFlow* f, const MembraneCells* c)
{
    const Window* w = &f->w;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) f->wet.v[window_at(w, i, j, k)] = w->dx*(0.5 - wet_part(c, (int[3]){i, j, k}));
    nodes_exchange(f->wet.v, w, EVERY_LAYER);
}

// All cells with liquid or surface, and REACH more.
static mn_status find_spans(Spans* spans, const MembraneFlow* f, Arena* arena)
{
    return spans_build(spans, arena, f->wet.v, &f->w, f->w.dx*(0.5 - 1e-9), REACH + 1);
}

mn_status membrane_flow_rebuild(MembraneFlow* f, Arena* arena)
{
    MembraneCells cells;
    TRY(lanes_build(&cells, &f->mesh, &f->w, arena));
    membrane_flow_find_wet(f, &cells);
    double* u[3];
    velocity(u, f);
    faces_exchange(u, &f->w, EVERY_LAYER);
    return MN_OK;
}

void membrane_flow_take_velocity(MembraneFlow* f)
{
    double* u[3];
    velocity(u, f);
    faces_exchange(u, &f->w, EVERY_LAYER);
    for (int i = 0; i < f->mesh.vertices; i++) {
        double place[3] = {0}, out[3];
        for (int d = 0; d < f->mesh.dim; d++) place[d] = f->mesh.x[3*i + d]/f->w.dx - f->w.lo[d];
        face_velocity(out, u, &f->w, place);
        for (int d = 0; d < 3; d++) f->mesh.v[3*i + d] = f->mesh.flag[i] >> d & 1 ? 0 : out[d];
    }
}

// ---- the step --------------------------------------------------------------------------------------------------------------

// Along the surface vertices go with the liquid, across it with the membrane: v_i = n_i (n_i.v_i) + tau_i, x += dt v.
static mn_status move_vertices(MembraneFlow* f, double dt, Arena* arena)
{
    MembraneMesh* m = &f->mesh;
    double *u[3], (*normal)[3], (*tau)[3] = arena_take(arena, sizeof *tau*(size_t)(m->vertices + 1));
    TRY_MEMORY(tau);
    TRY(membrane_normals(&normal, m, arena));
    velocity(u, f);
    membrane_slide(tau, m, normal, u, &f->w);
    for (int i = 0; i < m->vertices; i++) {
        double* v = m->v + 3*i;
        double across = vec_dot(v, normal[i]);
        bool is_free = membrane_is_free(m, i);
        for (int d = 0; d < m->dim; d++) {
            if (is_free) v[d] = across*normal[i][d] + tau[i][d];
            m->x[3*i + d] += dt*v[d];
        }
    }
    return MN_OK;
}

static MembraneMaterial material_of(const MembraneFlow* f, const MembraneSettings* s)
{
    MembraneMaterial material = {.sigma = s->sigma, .thickness = s->thickness, .weight = {.rho = s->rho}};
    memcpy(material.weight.acceleration, s->gravity, sizeof s->gravity);
    surface_weight_level(&material.weight, &f->mesh);
    return material;
}

// A pull this small is none: a thousandth of what tension does to an edge of a cell's length.
static double least_pull(const MembraneFlow* f, const MembraneSettings* s, double dt)
{
    return 1e-3*s->sigma*dt*(f->w.dim == 3 ? f->w.dx : 1);
}

mn_status membrane_project(MembraneReport* report, MembraneFlow* f, const MembraneSettings* s, const MembraneCells* cells,
                           double dt, Arena* arena)
{
    MembraneMasses mass;
    Spans spans;
    MembraneMaterial material = material_of(f, s);
    TRY(masses_build(&mass, cells, &f->mesh, arena));
    membrane_flow_find_wet(f, cells);
    TRY(find_spans(&spans, f, arena));
    MembraneProblem problem = {cells, &mass, &spans, &material, dt, s->options, s->bodies};
    double* u[3];
    unsigned char* kind[3] = {NULL};
    velocity(u, f);
    for (int d = 0; d < f->w.dim; d++) {
        TRY_MEMORY(kind[d] = ARENA_ZERO(arena, unsigned char, f->w.count));
        kind[d] += f->w.origin;
    }
    double scale = f->p_dt > 0 ? dt/f->p_dt : 0;
    for (size_t q = 0; q < f->w.count; q++) f->p.block[q] *= scale;
    f->p_dt = dt;
    double(*held)[3] = arena_take(arena, sizeof *held*(size_t)(f->mesh.vertices + 1));
    TRY_MEMORY(held);
    if (s->bodies && s->bodies->nv > 0) TRY(s->bodies->begin(s->bodies->user, dt));
    TRY(membrane_solve(report, &f->mesh, u, kind, f->p.v, held, &problem, arena));
    if (s->bodies) {
        membrane_wrenches(&f->mesh, s->bodies, held, dt);
        report->released = membrane_release(&f->mesh, s->bodies, held, least_pull(f, s, dt), f->w.dx);
    }
    // u past the surface, for the next step
    return extrapolate_velocity(u, arena, kind, f->wet.v, (Skins){0}, &spans, &f->w, REACH);
}

// Remeshing cuts corners and the volume's correction lifts the surface: what that put into a body goes back out.
mn_status membrane_meet_bodies(TouchCount* count, MembraneFlow* f, const MembraneSettings* s, Moved moved, Arena* arena)
{
    if (s->bodies) {
        membrane_touch(&f->mesh, s->bodies, moved, f->w.dx, count);
        TRY(membrane_touch_sizes(&f->mesh, s->bodies, moved.dt));
    }
    if (s->remesh) TRY(s->remesh(&f->mesh, arena, s->user));
    if (s->bodies) membrane_touch(&f->mesh, s->bodies, (Moved){0}, f->w.dx, count);
    return MN_OK;
}

// Of open faces, past which the surface crosses itself: liquid lies twice in the same place, or less than none.
static const double CROSSING = 0.02;

static mn_status check_crossing(const MembraneCells* c)
{
    const Window* w = c->w;
    if (c->least > -CROSSING && c->most < 1 + CROSSING) return MN_OK;
    for (int d = 0; d < w->dim; d++)
        for (int k = 0; k < w->n[2]; k++)
            for (int j = 0; j < w->n[1]; j++)
                for (int i = 0; i < w->n[0]; i++) {
                    double open = c->open[d][window_at(w, i, j, k)], x[3];
                    if (open > -CROSSING && open < 1 + CROSSING) continue;
                    window_position(x, w, i, j, k);
                    return mn_fail(MN_STEP_FAILED,
                                   "the surface meets itself near (%.4g, %.4g, %.4g) m, as where it closes over a body that "
                                   "sinks; surfaces that are membranes do not join yet",
                                   x[0], x[1], x[2]);
                }
    return MN_OK;
}

mn_status membrane_carry(MembraneFlow* f, Advection advection, double dt, Arena* arena)
{
    double* u[3];
    velocity(u, f);
    TRY(move_vertices(f, dt, arena));
    Spans before;
    TRY(find_spans(&before, f, arena));
    return advect_velocity(u, arena, f->wet.v, &before, &f->w, f->w.dx, dt, advection);
}

mn_status membrane_step(MembraneStep* report, MembraneFlow* f, const MembraneSettings* s, double dt, Arena* arena)
{
    assert(dt > 0);
    *report = (MembraneStep){0};

    double* start = ARENA_NEW(arena, double, 3*f->mesh.vertices);
    TRY_MEMORY(start);
    memcpy(start, f->mesh.x, 3*sizeof *start*(size_t)f->mesh.vertices);

    // 1  the surface moves with the membrane, and along it with the liquid; bodies with their own velocities
    // 2  Du/Dt = 0: u* along the last divergence-free u
    TRY(membrane_carry(f, s->advection, dt, arena));
    if (s->bodies && s->bodies->move) TRY(s->bodies->move(s->bodies->user, dt));

    // 3  what went into a body lies on it; the mesh is put right
    TRY(membrane_meet_bodies(&report->contact, f, s, (Moved){start, dt}, arena));

    // 4  open faces and volumes of the cells that the surface passes through
    MembraneCells cells;
    TRY(lanes_build(&cells, &f->mesh, &f->w, arena));
    report->volume = cells.total, report->leak = cells.leak, report->least = cells.least, report->most = cells.most;
    TRY(check_crossing(&cells));

    // 5  pressure, tension and weight: liquid and membrane as one; then u past the surface
    return membrane_project(&report->solve, f, s, &cells, dt, arena);
}

// ---- measures --------------------------------------------------------------------------------------------------------------

double membrane_limit(const MembraneFlow* f, const MembraneSettings* s, double capillary)
{
    double dx = f->w.dx, vertex = 0, face = 0, g = vec_norm(s->gravity), dt = INFINITY;
    for (int i = 0; i < f->mesh.vertices; i++) vertex = fmax(vertex, vec_norm(f->mesh.v + 3*i));
    for (int d = 0; d < f->w.dim; d++)
        for (size_t q = 0; q < f->w.count; q++) face = fmax(face, fabs(f->u[d].block[q]));
    for (int b = 0; s->bodies && b < s->bodies->solids->count; b++) {
        const Solid* solid = &s->bodies->solids->solid[b];
        vertex = fmax(vertex, vec_norm(solid->velocity) + vec_norm(solid->spin)*solid->reach);
    }
    if (vertex > 0) dt = fmin(dt, 0.5*dx/vertex);
    if (face > 0) dt = fmin(dt, 0.9*dx/face);
    if (s->sigma > 0) dt = fmin(dt, capillary*sqrt(s->rho*dx*dx*dx/(2*PI*s->sigma)));
    return g > 0 ? fmin(dt, sqrt(dx/g)) : dt;
}

mn_status membrane_energy(MembraneEnergy* e, double momentum[3], const MembraneFlow* f, const MembraneSettings* s, Arena* arena)
{
    MembraneCells cells;
    *e = (MembraneEnergy){0};
    for (int d = 0; d < 3; d++) momentum[d] = 0;
    TRY(lanes_build(&cells, &f->mesh, &f->w, arena));
    double cell = s->rho*window_cell_volume(&f->w), *area = ARENA_NEW(arena, double, f->mesh.vertices);
    TRY_MEMORY(area);
    for (int d = 0; d < f->w.dim; d++)
        for (size_t q = 0; q < f->w.count; q++) {
            double mass = cell*(cells.dual[d] - f->w.origin)[q], u = f->u[d].block[q];
            e->kinetic += 0.5*mass*u*u, momentum[d] += mass*u;
        }
    membrane_vertex_areas(area, &f->mesh);
    for (int i = 0; i < f->mesh.vertices; i++) {
        const double* v = f->mesh.v + 3*i;
        double mass = s->rho*s->thickness*area[i];
        e->kinetic += 0.5*mass*vec_dot(v, v);
        for (int d = 0; d < 3; d++) momentum[d] += mass*v[d];
    }
    SurfaceWeight weight = {.rho = s->rho};  // heights from the tank's corner: levels of different times compare
    memcpy(weight.acceleration, s->gravity, sizeof s->gravity);
    e->tension = surface_tension_energy(&f->mesh, s->sigma), e->height = surface_weight_energy(&f->mesh, &weight);
    return MN_OK;
}
