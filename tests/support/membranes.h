// Surfaces of liquids as meshes, for tests of src/membrane/.
#pragma once
#include "base/vec.h"
#include "check.h"
#include "dice.h"
#include "membrane/makers.h"

// An empty mesh in the tank [0, 1]^dim.
static inline MembraneMesh unit_tank(int dim)
{
    MembraneMesh m = {.dim = dim};
    for (int d = 0; d < dim; d++) m.high[d] = 1;
    return m;
}

static inline MembraneMesh ball_in_tank(int dim, double radius, double edge)
{
    MembraneMesh m = unit_tank(dim);
    CHECK_OK(membrane_add_ball(&m, (double[]){0.51, 0.49, 0.503}, radius, edge));
    return m;
}

static inline MembraneMesh pool_in_tank(int dim, double level, double edge)
{
    MembraneMesh m = unit_tank(dim);
    CHECK_OK(membrane_add_pool(&m, level, edge));
    return m;
}

// A smooth displacement of a few random waves, each of `amplitude` (m): vertices keep to their walls.
typedef struct Waves {
    double direction[6][3], phase[6], push[6][3];
} Waves;

static inline Waves random_waves(Dice* d, double wavenumber)
{
    Waves w;
    for (int k = 0; k < 6; k++) {
        w.phase[k] = dice_number(d, 0, 2*PI);
        for (int c = 0; c < 3; c++) {
            w.direction[k][c] = wavenumber*dice_number(d, -1, 1);
            w.push[k][c] = dice_number(d, -1, 1)/6;
        }
    }
    return w;
}

static inline void waves_at(double out[3], const Waves* w, const double x[3])
{
    for (int c = 0; c < 3; c++) out[c] = 0;
    for (int k = 0; k < 6; k++) {
        double s = sin(vec_dot(w->direction[k], x) + w->phase[k]);
        for (int c = 0; c < 3; c++) out[c] += w->push[k][c]*s;
    }
}

static inline void displace(MembraneMesh* m, const Waves* w, double amplitude)
{
    for (int i = 0; i < m->vertices; i++) {
        double push[3];
        waves_at(push, w, m->x + 3*i);
        for (int d = 0; d < m->dim; d++)
            if (!(m->flag[i] >> d & 1)) m->x[3*i + d] += amplitude*push[d];
    }
}

static inline void check_valid(const MembraneMesh* m)
{
    const char* fault = membrane_find_fault(m);
    if (fault) print_error("the surface is not valid: %s\n", fault);
    CHECK_TRUE(fault == NULL);
}
