#include "skin/skin_forces.h"

#include <assert.h>

// alpha max(0, 1 - phi/reach) towards the body [lee2019]: an acceleration, for a force would need a mass that is not in the
// model.
static void adhesion_at(double a[3], const SkinWater* s, int tet)
{
    double phi = skin_order_key(&s->now, tet), part = clamp(1 - phi/s->options.adhesion_reach, 0, 1);
    a[0] = a[1] = a[2] = 0;
    if (!(part > 0)) return;
    skin_depth_gradient(a, &s->now, tet);
    double size = vec_norm(a);
    for (int d = 0; d < 3; d++) a[d] = size > 1e-3 ? -s->options.adhesion*part*a[d]/size : 0;
}

// Velocity of a tetrahedron of the lattice, from where its centroid was.
static void lattice_velocity(double u[3], const SkinWater* s, int tet, double dt)
{
    double now[4][3], before[4][3];
    skin_corners(now, &s->now, tet), skin_corners(before, &s->before, tet);
    for (int d = 0; d < 3; d++) {
        u[d] = 0;
        for (int k = 0; k < 4; k++) u[d] += 0.25*(now[k][d] - before[k][d])/dt;
    }
}

static void act_on_block(const SkinWater* s, SkinBlock* b, const double acceleration[3], double dt)
{
    const SkinLattice* l = s->lattice;
    bool hairy = s->hair && s->hair->tuft[b->coarse], sticky = s->options.adhesion > 0;
    for (int d = 0; d < 3; d++) b->pushed[d] = 0;
    for (int f = 0; f < l->fine.fine; f++) {
        if (b->w[f] == 0) continue;
        int tet = b->coarse << 3*l->fine.level | f;
        double total[3] = {acceleration[0], acceleration[1], acceleration[2]}, own[3] = {0}, held[3], *u = b->u[f];
        const double before[3] = {u[0], u[1], u[2]};
        if (sticky) adhesion_at(own, s, tet);
        for (int d = 0; d < 3; d++) total[d] += own[d];
        if (hairy) {
            lattice_velocity(held, s, tet, dt);
            skin_hair_drag(u, s->hair, &s->now, tet, held, total, dt);
        } else {
            for (int d = 0; d < 3; d++) u[d] += dt*total[d];
        }
        for (int d = 0; d < 3; d++) b->pushed[d] += (double)b->w[f]*(before[d] + dt*acceleration[d] - u[d]);
    }
}

void skin_act(SkinWater* s, const double acceleration[3], double dt)
{
    assert(dt > 0);
#pragma omp parallel for schedule(dynamic)
    for (int m = 0; m < s->active_count; m++) act_on_block(s, s->block[s->active[m]], acceleration, dt);
    if (!s->hair && !(s->options.adhesion > 0)) return;
    for (int m = 0; m < s->active_count; m++)
        for (int d = 0; d < 3; d++) s->pushed[d] += s->block[s->active[m]]->pushed[d];
}
