#include "skin/skin_samples.h"

#include <math.h>
#include <string.h>

// splitmix64's mixer
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30))*0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27))*0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t skin_hash(uint64_t id, uint64_t step, SkinPurpose purpose)
{
    return mix(mix(id*4 + (uint64_t)purpose + 0x9e3779b97f4a7c15u) + step*0xd1342543de82ef95u);
}

double skin_uniform(uint64_t* state)
{
    *state += 0x9e3779b97f4a7c15u;
    return (double)(mix(*state) >> 11)*0x1p-53;
}

SkinShift skin_shift(int tet, long step, SkinPurpose purpose)
{
    uint64_t state = skin_hash((uint64_t)tet, (uint64_t)step, purpose);
    SkinShift s;
    for (int d = 0; d < 3; d++) s.shift[d] = skin_uniform(&state);
    return s;
}

// The cube is folded into the tetrahedron b1 + b2 + b3 < 1 [rocchini2000]; evenly filled, it fills that evenly.
void skin_moving_sample(double b[4], const SkinShift* shift, int k)
{
    static const double step[3] = {0.8191725134, 0.6710436067, 0.5497004779};  // powers of the root of x^4 = x + 1, inverted
    double p[3];
    for (int d = 0; d < 3; d++) p[d] = shift->shift[d] + k*step[d], p[d] -= floor(p[d]);
    double s = p[0], t = p[1], u = p[2];
    if (s + t > 1) s = 1 - s, t = 1 - t;
    if (t + u > 1) {
        double old = u;
        u = 1 - s - t, t = 1 - old;
    } else if (s + t + u > 1) {
        double old = u;
        u = s + t + u - 1, s = 1 - t - old;
    }
    b[1] = s, b[2] = t, b[3] = u, b[0] = 1 - s - t - u;
}

// Orbits of the symmetric group: the centroid; (a, a, a, 1 - 3a); (a, a, 1/2 - a, 1/2 - a); (a, a, c, 1 - 2a - c).
static int add_orbit(double b[][4], int n, int kind, double a, double c)
{
    const double values[4] = {a, kind == 2 ? 0.5 - a : a,
                              kind == 2   ? 0.5 - a
                              : kind == 3 ? c
                                          : a,
                              kind == 2   ? a
                              : kind == 3 ? 1 - 2*a - c
                                          : 1 - 3*a};
    int first = n;
    for (int code = 0; code < 256; code++) {  // which value each coordinate takes; every permutation, told apart by its values
        int at[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        if ((1 << at[0] | 1 << at[1] | 1 << at[2] | 1 << at[3]) != 15) continue;
        double one[4] = {values[at[0]], values[at[1]], values[at[2]], values[at[3]]};
        int m = first;
        while (m < n && memcmp(b[m], one, sizeof one) != 0) m++;
        if (m == n) memcpy(b[n++], one, sizeof one);
    }
    return n;
}

int skin_fixed_samples(double b[][4], int count)
{
    static const struct {
        int count, degree, orbits;
        struct {
            int kind;
            double a, c;
        } orbit[3];
    } set[] = {{4, 2, 1, {{1, 0.1381966011250105, 0}}},
               {5, 2, 2, {{0, 0.25, 0}, {1, 0.125, 0}}},
               {8, 3, 2, {{1, 0.112956794512511, 0}, {1, 0.3288616499302029, 0}}},
               {10, 3, 2, {{1, 0.1124196979627238, 0}, {2, 0.0930180870843277, 0}}},
               {11, 3, 3, {{0, 0.25, 0}, {1, 0.1079785899284388, 0}, {2, 0.0814478176867150, 0}}},
               {20, 4, 3, {{1, 0.3104537659999911, 0}, {1, 0.0777009918900560, 0}, {3, 0.0829542312820168, 0.3669637333327109}}}};
    for (int m = 0; m < (int)(sizeof set/sizeof *set); m++) {
        if (set[m].count != count) continue;
        int n = 0;
        for (int o = 0; o < set[m].orbits; o++) n = add_orbit(b, n, set[m].orbit[o].kind, set[m].orbit[o].a, set[m].orbit[o].c);
        return n == count ? set[m].degree : 0;
    }
    return 0;
}
