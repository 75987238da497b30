#include "skin/skin_hair.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"

mn_status skin_hair_init(SkinHair* h, const SkinLattice* l, double diameter, double viscosity)
{
    assert(diameter > 0 && viscosity > 0);
    *h = (SkinHair){.lattice = l, .diameter = diameter, .drag_scale = 1, .viscosity = viscosity};
    h->tuft = calloc((size_t)l->tets, sizeof *h->tuft);
    return h->tuft ? MN_OK : mn_fail(MN_NO_MEMORY, "out of memory: fur");
}

void skin_hair_free(SkinHair* h)
{
    for (int t = 0; h->tuft && t < h->lattice->tets; t++) free(h->tuft[t]);
    free(h->tuft);
    *h = (SkinHair){0};
}

static mn_status add_piece(SkinHair* h, int tet, double length, const double t[3])
{
    SkinTuft** block = &h->tuft[skin_coarse_of(h->lattice, tet)];
    if (!*block) *block = calloc((size_t)h->lattice->fine.fine, sizeof **block);
    if (!*block) return mn_fail(MN_NO_MEMORY, "out of memory: fur");
    SkinTuft* tuft = &(*block)[skin_path_of(h->lattice, tet)];
    tuft->fraction += (float)(PI*h->diameter*h->diameter/4*length/skin_fine_volume(h->lattice));
    for (int d = 0; d < 3; d++) {
        tuft->along[d] += (float)(length*t[d]*t[d]);
        tuft->along[3 + d] += (float)(length*t[d]*t[(d + 1)%3]);
    }
    return MN_OK;
}

// Strands are cut into pieces far shorter than a fine edge, each of which counts where its middle is.
mn_status skin_hair_add(SkinHair* h, const SkinPose* rest, const double (*point)[3], int points)
{
    enum { PIECES_PER_EDGE = 8 };
    double edge = h->lattice->spacing/(1 << h->lattice->fine.level), b[4];
    int guess = -1;
    for (int m = 0; m + 1 < points; m++) {
        double way[3], x[3], length;
        vec_sub(way, point[m + 1], point[m]);
        length = vec_norm(way);
        if (!(length > 0)) continue;
        int pieces = (int)ceil(length*PIECES_PER_EDGE/edge);
        const double t[3] = {way[0]/length, way[1]/length, way[2]/length};
        for (int k = 0; k < pieces; k++) {
            for (int d = 0; d < 3; d++) x[d] = point[m][d] + (k + 0.5)/pieces*way[d];
            int tet = skin_locate(b, rest, x, guess);
            if (tet < 0) continue;
            guess = skin_coarse_of(h->lattice, tet);
            TRY(add_piece(h, tet, length/pieces, t));
        }
    }
    return MN_OK;
}

static const SkinTuft* tuft_of(const SkinHair* h, int tet)
{
    const SkinTuft* block = h->tuft[skin_coarse_of(h->lattice, tet)];
    return block ? &block[skin_path_of(h->lattice, tet)] : NULL;
}

double skin_hair_fraction(const SkinHair* h, const SkinPose* p, int tet)
{
    const SkinTuft* tuft = tuft_of(h, tet);
    double volume = skin_volume_of(p, tet);
    if (!tuft || !(volume > 0)) return 0;
    return min2(tuft->fraction*skin_fine_volume(h->lattice)/volume, SKIN_HAIR_MOST);
}

// Permeabilities of a bed of parallel fibres of diameter d [drummond1984]:
//     k_along  = d^2/(16 psi) (-ln psi - 1.476 + 2 psi - psi^2/2)
//     k_across = d^2/(32 psi) (-ln psi - 1.476 + 2 psi - 1.774 psi^2 + 4.078 psi^3)
// Darcy's law per mass of water: it slows down at the rate nu (1 - psi)/k.
void skin_hair_rates(double* along, double* across, const SkinHair* h, double psi)
{
    assert(psi > 0 && psi <= SKIN_HAIR_MOST);
    double d2 = h->diameter*h->diameter, common = -log(psi) - 1.476 + 2*psi;
    // beyond its range, at much hair, the first formula goes below 0; by then the water stands
    double k_along = max2(d2/(16*psi)*(common - psi*psi/2), 1e-3*d2);
    double k_across = max2(d2/(32*psi)*(common - 1.774*psi*psi + 4.078*psi*psi*psi), 1e-3*d2);
    *along = h->drag_scale*h->viscosity*(1 - psi)/k_along;
    *across = h->drag_scale*h->viscosity*(1 - psi)/k_across;
}

// F = [x1 - x0, x2 - x0, x3 - x0] [X1 - X0, ...]^-1 of the coarse tetrahedron turns a direction at rest into the one of now.
static void carry_direction(double t[3], const SkinPose* p, int coarse)
{
    const SkinLattice* l = p->lattice;
    const int* node = l->node[coarse];
    double rest[3][3], now[3][3], cross[3], out[3] = {0};
    for (int k = 0; k < 3; k++) {
        vec_sub(rest[k], l->rest[node[k + 1]], l->rest[node[0]]);
        vec_sub(now[k], p->x[node[k + 1]], p->x[node[0]]);
    }
    vec_cross(cross, rest[1], rest[2]);
    double det = vec_dot(rest[0], cross);
    for (int k = 0; k < 3; k++) {
        vec_cross(cross, rest[(k + 1)%3], rest[(k + 2)%3]);
        double part = vec_dot(cross, t)/det;
        for (int d = 0; d < 3; d++) out[d] += part*now[k][d];
    }
    double size = vec_norm(out);
    for (int d = 0; d < 3; d++) t[d] = size > 0 ? out[d]/size : 0;
}

// The direction of most hair, of unit length, at rest, and how much of it has that direction: 1 all, 0 as much any other way.
static double direction(double t[3], const SkinTuft* tuft)
{
    const float* s = tuft->along;
    double a[9] = {s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]}, v[9];
    dense_diagonalise(a, v, 3);
    int best = a[0] > a[4] ? (a[0] > a[8] ? 0 : 2) : a[4] > a[8] ? 1 : 2;
    double all = a[0] + a[4] + a[8];
    for (int d = 0; d < 3; d++) t[d] = v[3*d + best];
    return all > 0 ? clamp((3*a[4*best]/all - 1)/2, 0, 1) : 0;
}

// u' = a - rate (u - held) has the solution held + a/rate + (u0 - held - a/rate) e^(-rate t).
static double slowed(double u, double held, double a, double rate, double dt)
{
    double steady = held + a/rate;
    return steady + (u - steady)*exp(-rate*dt);
}

void skin_hair_drag(double u[3], const SkinHair* h, const SkinPose* p, int tet, const double held[3],
                    const double acceleration[3], double dt)
{
    double psi = skin_hair_fraction(h, p, tet), along, across, t[3];
    if (!(psi > 0)) {
        for (int d = 0; d < 3; d++) u[d] += dt*acceleration[d];
        return;
    }
    skin_hair_rates(&along, &across, h, psi);
    double order = direction(t, tuft_of(h, tet)), mean = (along + 2*across)/3;
    along = mean + order*(along - mean), across = mean + order*(across - mean);
    carry_direction(t, p, skin_coarse_of(h->lattice, tet));
    double u_t = vec_dot(u, t), held_t = vec_dot(held, t), a_t = vec_dot(acceleration, t);
    double new_t = slowed(u_t, held_t, a_t, along, dt);
    for (int d = 0; d < 3; d++) {
        double across_d = slowed(u[d] - u_t*t[d], held[d] - held_t*t[d], acceleration[d] - a_t*t[d], across, dt);
        u[d] = across_d + new_t*t[d];
    }
}
