#include "solve/viscous_strains.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

// Least distance, in cells, from a free face to the solid it sticks to, and least fraction of a strain it sticks by.
static const double LEAST_DISTANCE = 0.05;

void viscous_face_position(double x[3], const ViscousProblem* p, int d, const double face[3])
{
    double cells[3];
    for (int o = 0; o < 3; o++) cells[o] = face[o] + p->lo[o] + (o != d)*0.5;
    window_position(x, p->in.w, cells[0], cells[1], cells[2]);
}

bool viscous_face_exists(const Window* w, int d, const int face[3])
{
    bool exists = true;
    for (int o = 0; o < w->dim; o++) exists = exists && face[o] >= 0 && face[o] < w->n[o] + (o == d);
    return exists;
}

bool viscous_is_in_solid(const ViscousProblem* p, int d, const int face[3])
{
    assert(d >= 0 && d < p->grid.dim);
    return p->in.phi_solid && p->grid.state[d][viscous_at(&p->grid, face[0], face[1], face[2])] == FACE_IS_FIXED &&
           viscous_state_by_tank(p, d, face) != FACE_IS_FIXED;
}

double viscous_fixed_velocity(const ViscousProblem* p, int d, const int face[3])
{
    if (!p->in.solid.velocity || !viscous_is_in_solid(p, d, face)) return 0;
    double x[3], v[3];
    viscous_face_position(x, p, d, (double[3]){face[0], face[1], face[2]});
    p->in.solid.velocity(v, p->in.solid.user, x);
    return v[d];
}

static inline ViscousSlope slope_plain(const ViscousGrid* g, int d, int o, ptrdiff_t high, bool* low_fixed, bool* high_fixed)
{
    int a = g->state[d][high - viscous_stride(g, o)], b = g->state[d][high];
    *low_fixed = a == FACE_IS_FIXED, *high_fixed = b == FACE_IS_FIXED;
    return (ViscousSlope){.factor = *low_fixed && *high_fixed ? 0 : 1,
                          .cut = *low_fixed != *high_fixed,
                          .past = a == FACE_IS_PAST || b == FACE_IS_PAST};
}

// Skin points that a slope reads, weight per unit of the slope: those of fixed faces that are in solids.
static int skin_of_slope(SkinPoint out[2], const ViscousProblem* p, int d, int o, const int high[3], const ViscousSlope* slope)
{
    int points = 0;
    for (int side = 0; side < 2; side++) {
        int face[3] = {high[0], high[1], high[2]};
        face[o] -= !side;
        if (!viscous_is_in_solid(p, d, face)) continue;
        // the skin is at 1/factor from the free face; between two fixed ones the slope is that of the solids' motion
        double at[3] = {face[0], face[1], face[2]}, back = slope->cut ? 1 - 1/slope->factor : 0;
        at[o] += side ? -back : back;
        out[points] = (SkinPoint){.d = d, .weight = (side ? 1 : -1)*(slope->cut ? slope->factor : 1)};
        viscous_face_position(out[points++].x, p, d, at);
    }
    return points;
}

static double known_slope(const ViscousProblem* p, int d, int o, const int high[3], const ViscousSlope* slope)
{
    SkinPoint point[2];
    double known = 0;
    int points = p->in.phi_solid && p->in.solid.velocity ? skin_of_slope(point, p, d, o, high, slope) : 0;
    for (int m = 0; m < points; m++) {
        double v[3];
        p->in.solid.velocity(v, p->in.solid.user, point[m].x);
        known += point[m].weight*v[d];
    }
    return known;
}

// On the finest level the wall is where it is: half a cell from the last face along a wall of the tank, on a face across it,
// and for solids where the distance, linear between the two faces, is zero. The wall's own velocity is taken there.
static inline ViscousSlope slope_near_walls(const ViscousProblem* p, int d, int o, const int high[3])
{
    const ViscousGrid* g = &p->grid;
    bool low_fixed, high_fixed;
    ViscousSlope out = slope_plain(g, d, o, viscous_at(g, high[0], high[1], high[2]), &low_fixed, &high_fixed);
    if (out.past || (!low_fixed && !high_fixed)) return out;
    int low[3] = {high[0], high[1], high[2]};
    low[o]--;
    if (out.cut) {
        const int* fixed = low_fixed ? low : high;
        if (viscous_state_by_tank(p, d, fixed) == FACE_IS_FIXED) {
            out.factor = o == d ? 1 : 2;
            return out;
        }
        double a = viscous_solid_distance(p, d, low_fixed ? high : low), b = viscous_solid_distance(p, d, fixed);
        out.factor = 1/clamp(a/(a - b), LEAST_DISTANCE, 1);
    }
    out.known = known_slope(p, d, o, high, &out);
    return out;
}

// On coarser levels only the fraction tells how near a wall is.
static ViscousSlope slope_coarse(const ViscousGrid* g, int d, int o, ptrdiff_t high, double wet)
{
    bool low_fixed, high_fixed;
    ViscousSlope out = slope_plain(g, d, o, high, &low_fixed, &high_fixed);
    if (out.cut) out.factor = 1/clamp(wet, 0.25, 1);
    return out;
}

ViscousStrain viscous_normal_strain(const ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, double stiffness,
                                    const int at[3], int d)
{
    double wet = control_volume(h, at, (bool[3]){0});
    if (wet == 0) return (ViscousStrain){.root = 0};
    int high[3] = {at[0], at[1], at[2]};
    high[d]++;
    ptrdiff_t here = viscous_at(g, at[0], at[1], at[2]);
    ViscousSlope s = p ? slope_near_walls(p, d, d, high) : slope_coarse(g, d, d, here + viscous_stride(g, d), wet);
    if (s.past) return (ViscousStrain){.root = 0};
    if (s.cut) wet = max2(wet, LEAST_DISTANCE);
    return (ViscousStrain){.a = s, .root = sqrt(2*stiffness*wet)};
}

ViscousStrain viscous_shear_strain(const ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, double stiffness,
                                   const int at[3], int d, int o)
{
    double wet = control_volume(h, at, (bool[3]){d == 0 || o == 0, d == 1 || o == 1, d == 2 || o == 2});
    if (wet == 0) return (ViscousStrain){.root = 0};
    ptrdiff_t here = viscous_at(g, at[0], at[1], at[2]);
    ViscousSlope a = p ? slope_near_walls(p, d, o, at) : slope_coarse(g, d, o, here, wet);
    ViscousSlope b = p ? slope_near_walls(p, o, d, at) : slope_coarse(g, o, d, here, wet);
    if (a.past || b.past) return (ViscousStrain){.root = 0};
    if (a.cut || b.cut) wet = max2(wet, LEAST_DISTANCE);
    return (ViscousStrain){.a = a, .b = b, .root = sqrt(stiffness*wet)};
}

bool viscous_reads_fixed(const ViscousGrid* g, const int place[3], int d, int o)
{
    ptrdiff_t at = viscous_at(g, place[0], place[1], place[2]), along = viscous_stride(g, d), across = viscous_stride(g, o);
    if (d == o) return g->state[d][at] == FACE_IS_FIXED || g->state[d][at + along] == FACE_IS_FIXED;
    return g->state[d][at] == FACE_IS_FIXED || g->state[d][at - across] == FACE_IS_FIXED || g->state[o][at] == FACE_IS_FIXED ||
           g->state[o][at - along] == FACE_IS_FIXED;
}

int viscous_skin_points(SkinPoint out[SKIN_POINTS_MOST], const ViscousProblem* p, const int at[3], int d, int o)
{
    assert(d <= o && o < p->grid.dim);
    const ViscousGrid* g = &p->grid;
    if (!viscous_reads_fixed(g, at, d, o)) return 0;
    ViscousStrain s = d == o ? viscous_normal_strain(g, &p->half, p, p->stiffness, at, d)
                             : viscous_shear_strain(g, &p->half, p, p->stiffness, at, d, o);
    if (s.root == 0) return 0;
    int high[3] = {at[0], at[1], at[2]};
    high[d] += d == o;
    int points = skin_of_slope(out, p, d, o, high, &s.a);
    if (d != o) points += skin_of_slope(out + points, p, o, d, at, &s.b);
    for (int m = 0; m < points; m++) out[m].weight *= s.root;
    return points;
}
