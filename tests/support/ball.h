// A disc or ball in a unit box, with everything a pressure solve on it needs.
#pragma once
#include "check.h"
#include "base/vec.h"
#include "grid/cutcells.h"
#include "solve/pressure.h"

typedef struct Ball {
    Tank tank;
    Window w;
    Field phi, surface, divergence, p, u[3];
    Arena arena;
    Spans spans;
    CutCells cells;
    double center[3], radius;
} Ball;

static inline void ball_init(Ball* b, int dim, int n, double radius)
{
    *b = (Ball){.tank = {.dim = dim, .dx = 1.0/n, .n = {n, n, dim == 3 ? n : 1}}, .radius = radius};
    for (int s = 0; s < 6; s++) b->tank.side[s] = SIDE_IS_WALL;
    b->w = window_whole(&b->tank);
    double center[3] = {0.503, 0.497, dim == 3 ? 0.511 : 0};
    Field* fields[7] = {&b->phi, &b->surface, &b->divergence, &b->p, &b->u[0], &b->u[1], &b->u[2]};
    for (int f = 0; f < 7; f++) CHECK_OK(field_init(fields[f], &b->w));
    for (int d = 0; d < 3; d++) b->center[d] = center[d];
    for (int k = 0; k < window_node_layers(&b->w); k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++) {
                double x[3];
                window_position(x, &b->w, i, j, k);
                vec_sub(x, x, center);
                b->phi.v[window_at(&b->w, i, j, k)] = vec_norm(x) - radius;
            }
    CHECK_OK(spans_build(&b->spans, &b->arena, b->phi.v, &b->w, 4*b->w.dx, 2));
    CHECK_OK(cutcells_build(&b->cells, &b->arena, &b->spans, b->phi.v, NULL, &b->w));
}

static inline PressureInput ball_input(Ball* b, PressureKind kind)
{
    return (PressureInput){.kind = kind,
                           .w = &b->w,
                           .spans = &b->spans,
                           .cells = &b->cells,
                           .phi = b->phi.v,
                           .surface = b->surface.v,
                           .divergence = b->divergence.v,
                           .rho = 1,
                           .dt = 1};
}

static inline void ball_free(Ball* b)
{
    Field* fields[7] = {&b->phi, &b->surface, &b->divergence, &b->p, &b->u[0], &b->u[1], &b->u[2]};
    for (int f = 0; f < 7; f++) field_free(fields[f]);
    arena_free(&b->arena);
}
