// Conjugate gradients for the change of the velocity, preconditioned by the diagonal where friction is slight, else by symmetric
// Gauss-Seidel or, for stiff liquids, multigrid.
#include "solve/viscosity.h"

#include <assert.h>
#include <math.h>
#include "base/global.h"
#include "base/vec.h"
#include "solve/viscous_bodies.h"
#include "solve/viscous_strains.h"
#include "solve/viscous_multigrid.h"

// Residuals this far below |diagonal u| are rounding.
static const double ROUNDING = 1e-14;
// nu dt/dx^2 from which coarser levels pay. Below, one pass of Gauss-Seidel carries the change far enough.
static const double STIFF = 2;
// nu dt/dx^2 up to which dividing by the diagonal is as good as Gauss-Seidel, and a fifth of the work.
static const double SLIGHT = 0.2;

typedef struct Workspace {
    ViscousMultigrid mg;  // the finest level holds r in b, A p in t and, unless `slight`, z in x
    bool slight;          // z = r/diagonal; then z.r is the square of the norm, and z need not be stored
    double* p[3];
    double* u[3];  // the velocity, zero on faces that are not free
    double *row_a, *row_b, *row_c;
    ViscousBodies bodies;
} Workspace;

// Levels until a coarsest one of about eight cells across the liquid's smaller extents, or as far as waves of viscosity reach.
static int level_count(const ViscosityInput* in, double stiffness)
{
    if (stiffness < STIFF) return 1;
    int smallest = in->w->n[0], levels = 1;
    for (int d = 1; d < in->w->dim; d++) smallest = mini(smallest, in->w->n[d]);
    // diffusion reaches sqrt(nu dt) = sqrt(stiffness) cells; on the level where that is a cell it is done
    for (; levels < VISCOUS_LEVELS_MOST && smallest >= 8 && stiffness > 0.5; levels++) smallest /= 2, stiffness *= 0.25;
    return levels;
}

// ---- sums over free faces, row by row --------------------------------------------------------------------------------------

#define FOR_FACES(g, r, d, at)                                                                                                   \
    for (int d = 0; d < (g)->dim; d++)                                                                                           \
        SPAN_LOOP(&(g)->spans, r, q_)                                                                                            \
            for (ptrdiff_t at = viscous_row_at(g, r) + (g)->spans.span[q_].i0,                                                   \
                           end_ = at + (g)->spans.span[q_].i1 - (g)->spans.span[q_].i0;                                          \
                 at < end_; at++)

// Force of the walls' own motion on a free face.
static double wall_force(const ViscousProblem* p, int d, ptrdiff_t at)
{
    const ViscousGrid* g = &p->grid;
    const WallStrains* w = &p->walls;
    if (!w->normal[0]) return 0;
    ptrdiff_t s = viscous_stride(g, d);
    double force = sqrt(g->normal[d][at])*w->normal[d][at] - sqrt(g->normal[d][at - s])*w->normal[d][at - s];
    for (int o = 0; o < g->dim; o++) {
        if (o == d) continue;
        ptrdiff_t t = viscous_stride(g, o);
        const double* e = w->shear[mini(d, o)][maxi(d, o)] + at;
        const double* a = g->shear[d][o] + at;
        force += a[t]*e[t] - a[0]*e[0];
    }
    return force;
}

// r = b - A u with b = V u* + forces of walls and of the surface; sums of r^2/D, b^2/D and D u^2 of one row.
static void start_row(Workspace* s, const ViscousProblem* p, int r)
{
    ViscousGrid* g = &s->mg.level[0];
    double rr = 0, bb = 0, uu = 0;
    FOR_FACES(g, r, d, at)
    {
        double inverse = g->inverse[d][at], u = s->u[d][at];
        if (inverse == 0) continue;
        double b = g->mass[d][at]*u + wall_force(p, d, at) + (p->force[d] ? p->force[d][at] : 0);
        double residual = b - viscous_product(g, s->u, g->dim, d, at);
        g->b[d][at] = residual;
        rr += residual*residual*inverse, bb += b*b*inverse, uu += u*u/inverse;
    }
    s->row_a[r] = rr, s->row_b[r] = bb, s->row_c[r] = uu;
}

// q = A p; p.q of one row.
static inline double apply_row(Workspace* s, const int dim, int r)
{
    ViscousGrid* g = &s->mg.level[0];
    double sum = 0;
    FOR_FACES(g, r, d, at)
    {
        g->t[d][at] = viscous_product(g, s->p, dim, d, at);
        sum += s->p[d][at]*g->t[d][at];
    }
    return sum;
}

static double apply(Workspace* s)
{
    ViscousGrid* g = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (g->parallel)
    for (int r = 0; r < g->spans.rows; r++) s->row_a[r] = g->dim == 3 ? apply_row(s, 3, r) : apply_row(s, 2, r);
    double sum = global_sum(s->row_a, g->spans.rows);
    return s->bodies.in ? sum - viscous_bodies_product(g->t, &s->bodies, g, s->p) : sum;
}

// z by Gauss-Seidel or multigrid; returns z.r
static double smooth(Workspace* s)
{
    ViscousGrid* g = &s->mg.level[0];
    viscous_multigrid_cycle(&s->mg);
#pragma omp parallel for schedule(static) if (g->parallel)
    for (int r = 0; r < g->spans.rows; r++) {
        double sum = 0;
        FOR_FACES(g, r, d, at) sum += g->x[d][at]*g->b[d][at];
        s->row_a[r] = sum;
    }
    return global_sum(s->row_a, g->spans.rows);
}

// p = z + beta p
static void new_direction(Workspace* s, double beta)
{
    ViscousGrid* g = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (g->parallel)
    for (int r = 0; r < g->spans.rows; r++) {
        if (s->slight) FOR_FACES(g, r, d, at) s->p[d][at] = g->inverse[d][at]*g->b[d][at] + beta*s->p[d][at];
        else FOR_FACES(g, r, d, at) s->p[d][at] = g->x[d][at] + beta*s->p[d][at];
    }
}

// u += alpha p, r -= alpha q; returns sum r^2/D.
static double advance(Workspace* s, double alpha)
{
    ViscousGrid* g = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (g->parallel)
    for (int r = 0; r < g->spans.rows; r++) {
        double sum = 0;
        FOR_FACES(g, r, d, at)
        {
            s->u[d][at] += alpha*s->p[d][at];
            double residual = g->b[d][at] -= alpha*g->t[d][at];
            sum += residual*residual*g->inverse[d][at];
        }
        s->row_a[r] = sum;
    }
    return global_sum(s->row_a, g->spans.rows);
}

// ---- in and out ------------------------------------------------------------------------------------------------------------

static mn_status take_vectors(Workspace* s, Arena* arena)
{
    const ViscousGrid* g = &s->mg.level[0];
    for (int d = 0; d < g->dim; d++) {
        TRY_MEMORY(s->p[d] = ARENA_ZERO(arena, double, g->count));
        TRY_MEMORY(s->u[d] = ARENA_ZERO(arena, double, g->count));
        s->p[d] += g->origin, s->u[d] += g->origin;
    }
    TRY_MEMORY(s->row_a = ARENA_NEW(arena, double, g->spans.rows));
    TRY_MEMORY(s->row_b = ARENA_NEW(arena, double, g->spans.rows));
    TRY_MEMORY(s->row_c = ARENA_NEW(arena, double, g->spans.rows));
    return MN_OK;
}

static ptrdiff_t window_row(const ViscousProblem* p, int r)
{
    const Spans* look = &p->grid.look;
    return window_at(p->in.w, p->lo[0], p->lo[1] + r%look->rows_y, p->lo[2] + r/look->rows_y);
}

static void read_velocity(Workspace* s, const ViscousProblem* p, double* const u[3])
{
    const ViscousGrid* g = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (g->parallel)
    for (int r = 0; r < g->spans.rows; r++) {
        ptrdiff_t shift = window_row(p, r) - viscous_row_at(g, r);
        FOR_FACES(g, r, d, at)
        if (g->state[d][at] == FACE_IS_FREE) s->u[d][at] = u[d][at + shift];
    }
}

// A fixed face may be wet in part. That part, V cells thick, takes the solid's velocity as fast as viscosity crosses it:
//     (u - u*)/dt = nu (u_solid - u)/(V dx)^2.
// Taking it at once, as a thick liquid would, puts a step of solid faces around a solid in water: the added mass of a disc of
// 16 cells was 1.7 % off instead of 0.1 %.
static double fixed_velocity(const Workspace* s, const ViscousProblem* p, int d, const int face[3], double u)
{
    double solid, wet = p->grid.mass[d][viscous_at(&p->grid, face[0], face[1], face[2])];
    if (!viscous_bodies_velocity(&solid, &s->bodies, p, d, face)) solid = viscous_fixed_velocity(p, d, face);
    if (wet == 0) return solid;
    double part = viscous_stuck_part(p, wet);
    return (1 - part)*u + part*solid;
}

// Free faces take the solution, fixed ones the velocity of what they are in.
static void write_row(double* const u[3], double* const mass[3], const Workspace* s, const ViscousProblem* p, int r)
{
    assert(r < s->mg.level[0].look.rows);
    const ViscousGrid* g = &s->mg.level[0];
    int j = r%g->look.rows_y, k = r/g->look.rows_y;
    ptrdiff_t from = viscous_at(g, 0, j, k), to = window_row(p, r);
    for (int d = 0; d < g->dim; d++)
        SPAN_LOOP(&g->look, r, q)
            for (int i = g->look.span[q].i0; i < g->look.span[q].i1; i++) {
                int face[3] = {i, j, k}, in_window[3] = {i + p->lo[0], j + p->lo[1], k + p->lo[2]};
                int state = g->state[d][from + i];
                if ((state != FACE_IS_FREE && state != FACE_IS_FIXED) || !viscous_face_exists(p->in.w, d, in_window)) continue;
                u[d][to + i] = state == FACE_IS_FREE ? s->u[d][from + i] : fixed_velocity(s, p, d, face, u[d][to + i]);
                if (mass) mass[d][to + i] = state == FACE_IS_FREE ? g->mass[d][from + i] : 0;
            }
}

// ---- the iteration -----------------------------------------------------------------------------------------------------------

// Norms weigh each residual by 1/diagonal, so that slivers count as much as they can move.
static void iterate(Workspace* s, ViscosityReport* report, const ViscousProblem* p, const SolveOptions* options)
{
    ViscousGrid* g = &s->mg.level[0];
#pragma omp parallel for schedule(static) if (g->parallel)
    for (int r = 0; r < g->spans.rows; r++) start_row(s, p, r);
    double norm = sqrt(global_sum(s->row_a, g->spans.rows)), norm_b = sqrt(global_sum(s->row_b, g->spans.rows));
    double rounding = ROUNDING*sqrt(global_sum(s->row_c, g->spans.rows)), scale = fmin(norm, norm_b);
    // relative to the viscous forces at the start, so that a fast drop does not hide slow stirring in it
    double enough = fmax(options->tolerance*scale, rounding), zr_old = 0;
    while (norm > enough && report->iterations < options->max_iterations) {
        double zr = s->slight ? norm*norm : smooth(s);
        new_direction(s, report->iterations > 0 ? zr/zr_old : 0);
        double pq = apply(s);
        if (!(pq > 0)) break;  // a NaN came in, or nothing is left
        norm = sqrt(advance(s, zr/pq));
        zr_old = zr;
        report->iterations++;
    }
    report->residual = scale > 0 ? norm/scale : 0;
    report->converged = norm <= enough;
}

mn_status viscosity_solve(double* const u[3], double* const mass[3], ViscosityReport* report, const ViscosityInput* in,
                          const SolveOptions* options, Arena* arena)
{
    assert(options->tolerance < 1 && spans_is_valid(in->spans, in->w));
    assert(in->rho > 0 && in->mu >= 0 && in->dt > 0);
    *report = (ViscosityReport){.converged = true};
    ViscousProblem p;
    int levels = level_count(in, viscous_stiffness(in));
    TRY(viscous_build(&p, arena, in, levels));
    if (p.empty) return MN_OK;
    Workspace s = {.slight = p.stiffness < SLIGHT};
    if (s.slight) s.mg = (ViscousMultigrid){.levels = 1, .level = {p.grid}};
    else TRY(viscous_multigrid_init(&s.mg, arena, &p.grid, &p.half, p.stiffness, levels));
    TRY(take_vectors(&s, arena));
    report->unknowns = p.grid.unknowns;
    read_velocity(&s, &p, u);
    TRY(viscous_bodies_build(&s.bodies, &p, u, arena));
    if (s.bodies.in) viscous_bodies_follow(&s.bodies, &p, s.u), viscous_bodies_push(&s.bodies, &p);
    iterate(&s, report, &p, options);
    if (s.bodies.in) viscous_bodies_follow(&s.bodies, &p, s.u), viscous_bodies_end(&s.bodies, &p, s.u);
#pragma omp parallel for schedule(static) if (s.mg.level[0].parallel)
    for (int r = 0; r < p.grid.look.rows; r++) write_row(u, mass, &s, &p, r);
    return MN_OK;
}
