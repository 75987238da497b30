// Viscous solves by hand: a liquid given by a distance, perhaps solids, in a tank of any sides, without advection and pressure.
#pragma once
#include <stdlib.h>
#include "check.h"
#include "base/vec.h"
#include "grid/cutcells.h"
#include "solve/viscosity.h"

typedef double (*SyrupShape)(const double x[3]);
typedef void (*SyrupField)(double u[3], const double x[3]);

typedef struct Syrup {
    Tank tank;
    Window w;
    Field phi, phi_solid, u[3];
    Arena kept, scratch;
    Spans spans;
    CutCells cells;
    ViscosityInput in;
    double tolerance;
    ViscosityReport report;  // of the last solve
} Syrup;

static inline void syrup_sample(Field* f, const Window* w, SyrupShape shape)
{
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                double x[3];
                window_position(x, w, i, j, k);
                f->v[window_at(w, i, j, k)] = shape(x);
            }
}

// The liquid fills {liquid < 0} without {solid < 0}; solid may be NULL. Sides: walls unless changed in s->tank before.
static inline void syrup_init(Syrup* s, Tank tank, SyrupShape liquid, SyrupShape solid)
{
    *s = (Syrup){.tank = tank, .w = window_whole(&tank), .tolerance = 1e-10};
    CHECK_OK(field_init(&s->phi, &s->w));
    CHECK_OK(field_init(&s->phi_solid, &s->w));
    for (int d = 0; d < 3; d++) CHECK_OK(field_init(&s->u[d], &s->w));
    syrup_sample(&s->phi, &s->w, liquid);
    if (solid) syrup_sample(&s->phi_solid, &s->w, solid);
    const double* phi_solid = solid ? s->phi_solid.v : NULL;
    CHECK_OK(spans_build(&s->spans, &s->kept, s->phi.v, &s->w, 5*s->w.dx, 2));
    CHECK_OK(cutcells_build(&s->cells, &s->kept, &s->spans, s->phi.v, phi_solid, &s->w));
    s->in = (ViscosityInput){
        .w = &s->w, .spans = &s->spans, .cells = &s->cells, .phi = s->phi.v, .phi_solid = phi_solid, .rho = 1, .mu = 1, .dt = 1};
}

static inline void syrup_free(Syrup* s)
{
    field_free(&s->phi);
    field_free(&s->phi_solid);
    for (int d = 0; d < 3; d++) field_free(&s->u[d]);
    arena_free(&s->kept);
    arena_free(&s->scratch);
}

static inline Tank syrup_tank(int dim, int nx, int ny, int nz, double dx)
{
    Tank t = {.dim = dim, .dx = dx, .n = {nx, ny, dim == 3 ? nz : 1}};
    for (int side = 0; side < 6; side++) t.side[side] = SIDE_IS_WALL;
    return t;
}

static inline void syrup_face_position(double x[3], const Syrup* s, int d, int i, int j, int k)
{
    window_position(x, &s->w, i + (d != 0)*0.5, j + (d != 1)*0.5, k + (d != 2)*0.5);
}

#define SYRUP_FACES(s, d, i, j, k)                                                                                               \
    for (int d = 0; d < (s)->w.dim; d++)                                                                                         \
        for (int k = 0; k < (s)->w.n[2] + (d == 2); k++)                                                                         \
            for (int j = 0; j < (s)->w.n[1] + (d == 1); j++)                                                                     \
                for (int i = 0; i < (s)->w.n[0] + (d == 0); i++)

static inline void syrup_set(Syrup* s, SyrupField field)
{
    SYRUP_FACES(s, d, i, j, k)
    {
        double x[3], v[3];
        syrup_face_position(x, s, d, i, j, k);
        field(v, x);
        s->u[d].v[window_at(&s->w, i, j, k)] = v[d];
    }
}

static inline void syrup_add(Syrup* s, const double change[3])
{
    SYRUP_FACES(s, d, i, j, k) s->u[d].v[window_at(&s->w, i, j, k)] += change[d];
}

static inline void syrup_solve(Syrup* s)
{
    double* u[3] = {s->u[0].v, s->u[1].v, s->u[2].v};
    CHECK_OK(viscosity_solve(u, NULL, NULL, &s->report, &s->in, &(SolveOptions){s->tolerance, 500}, &s->scratch));
    CHECK_TRUE(s->report.converged);
    arena_reset(&s->scratch);
}
