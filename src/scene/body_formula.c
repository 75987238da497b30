// Volume, centre and moments of the shapes that have formulas for them.
#include <string.h>
#include "base/vec.h"
#include "scene/body_mass.h"
#include "scene/mesh.h"
#include "scene/shape_node.h"

// Moments about the axes of the tank; in 2D that about z counts.
static void set_moments(BodyMass* m, double x, double y, double z)
{
    m->inertia[0][0] = x, m->inertia[1][1] = y, m->inertia[2][2] = z;
}

// The same across an axis and another along it.
static void set_about(BodyMass* m, const double axis[3], double along, double across)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) m->inertia[a][b] = (a == b ? across : 0) + (along - across)*axis[a]*axis[b];
}

static bool solid_shape(BodyMass* m, const Shape* s)
{
    double a = s->half[0], b = s->half[1], c = s->half[2], R = s->radius, L = s->length, V;
    switch (s->kind) {
    case KIND_SPHERE:
        m->volume = V = 4*PI*R*R*R/3;
        set_moments(m, 0.4*V*R*R, 0.4*V*R*R, 0.4*V*R*R);
        return true;
    case KIND_BOX:
        m->volume = V = 8*a*b*c;
        set_moments(m, V*(b*b + c*c)/3, V*(a*a + c*c)/3, V*(a*a + b*b)/3);
        return R == 0;
    case KIND_ELLIPSOID:
        m->volume = V = 4*PI*a*b*c/3;
        set_moments(m, V*(b*b + c*c)/5, V*(a*a + c*c)/5, V*(a*a + b*b)/5);
        return true;
    case KIND_CYLINDER:
        m->volume = V = PI*R*R*L;
        set_about(m, s->axis, V*R*R/2, V*(3*R*R + L*L)/12);
        return true;
    case KIND_CAPSULE: {
        double ends = 4*PI*R*R*R/3;  // half balls, whose middles lie 3/8 R past the cylinder
        V = PI*R*R*L;
        m->volume = V + ends;
        set_about(m, s->axis, V*R*R/2 + 0.4*ends*R*R,
                  V*(3*R*R + L*L)/12 + ends*(0.4*R*R + L*L/4 + 3*L*R/8));
        return true;
    }
    case KIND_TORUS:
        m->volume = V = 2*PI*PI*R*L*L;
        set_about(m, s->axis, V*(R*R + 0.75*L*L), V*(R*R/2 + 0.625*L*L));
        return true;
    default:
        return false;
    }
}

static bool flat_shape(BodyMass* m, const Shape* s)
{
    double a = s->half[0], b = s->half[1], R = s->radius, L = s->length, A;
    switch (s->kind) {
    case KIND_SPHERE:
        m->volume = A = PI*R*R;
        set_moments(m, 0, 0, A*R*R/2);
        return true;
    case KIND_BOX:
        m->volume = A = 4*a*b;
        set_moments(m, 0, 0, A*(a*a + b*b)/3);
        return R == 0;
    case KIND_ELLIPSOID:
        m->volume = A = PI*a*b;
        set_moments(m, 0, 0, A*(a*a + b*b)/4);
        return true;
    case KIND_CYLINDER:
        m->volume = A = 2*R*L;
        set_moments(m, 0, 0, A*(4*R*R + L*L)/12);
        return true;
    case KIND_CAPSULE: {
        double ends = PI*R*R;  // half discs, whose middles lie 4 R/(3 pi) past the rectangle
        A = 2*R*L;
        m->volume = A + ends;
        set_moments(m, 0, 0, A*(4*R*R + L*L)/12 + ends*(R*R/2 + L*L/4 + 4*L*R/(3*PI)));
        return true;
    }
    case KIND_TORUS:
        m->volume = A = 4*PI*R*L;
        set_moments(m, 0, 0, A*(R*R + L*L));
        return true;
    default:
        return false;
    }
}

// A closed mesh as signed tetrahedra between its triangles p, q, r and a point, with D = p.(q x r):
//     int 1 = D/6,   int x = D/24 (p + q + r),   int x x^T = D/120 (s s^T + p p^T + q q^T + r r^T),  s = p + q + r.
static bool mesh_shape(BodyMass* m, const TriMesh* mesh, const double middle[3])
{
    BodyMoments sum = {.middle = {middle[0], middle[1], middle[2]}};
    for (int t = 0; t < mesh->triangle_count + mesh->cap_count; t++) {
        double x[4][3], across[3];
        for (int c = 0; c < 3; c++) vec_sub(x[c], mesh->vertices[mesh->triangles[t][c]], middle);
        for (int d = 0; d < 3; d++) x[3][d] = x[0][d] + x[1][d] + x[2][d];
        vec_cross(across, x[1], x[2]);
        double D = vec_dot(x[0], across);
        sum.volume += D/6;
        for (int a = 0; a < 3; a++) {
            sum.first[a] += D/24*x[3][a];
            for (int b = 0; b < 3; b++)
                for (int c = 0; c < 4; c++) sum.second[a][b] += D/120*x[c][a]*x[c][b];
        }
    }
    *m = body_mass_of_moments(&sum, 3);
    return m->volume > 0 && mesh->crowded_edges == 0;  // parts that share volume would count twice
}

// x -> center + axis + factor turn (x - center)
static void place(BodyMass* m, const Shape* s)
{
    double size = s->dim == 3 ? s->factor*s->factor*s->factor : s->factor*s->factor, from[3], turned[3][3] = {{0}};
    vec_sub(from, m->center, s->center);
    for (int d = 0; d < 3; d++) m->center[d] = s->center[d] + s->axis[d] + s->factor*vec_dot(s->turn[d], from);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++) turned[a][b] += s->turn[a][c]*m->inertia[c][d]*s->turn[b][d];
    m->volume *= size;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) m->inertia[a][b] = size*s->factor*s->factor*turned[a][b];
}

bool body_mass_by_formula(BodyMass* m, const Shape* s)
{
    if (s->kind == KIND_PLACE) {
        if (!body_mass_by_formula(m, s->parts[0])) return false;
        place(m, s);
        return true;
    }
    *m = (BodyMass){0};
    if (s->kind == KIND_MESH) {
        double low[3], high[3];
        meshsdf_bounds(low, high, s->sdf);
        for (int d = 0; d < 3; d++) low[d] = 0.5*(low[d] + high[d]);
        return mesh_shape(m, meshsdf_mesh(s->sdf), low);
    }
    bool segment = s->kind == KIND_CAPSULE || s->kind == KIND_CYLINDER;
    for (int d = 0; d < s->dim; d++) m->center[d] = s->center[d] + (segment ? 0.5*s->length*s->axis[d] : 0);
    return (s->dim == 3 ? solid_shape : flat_shape)(m, s);
}
