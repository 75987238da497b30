#include "membrane/surface_forces.h"

#include <assert.h>
#include "base/vec.h"

// ---- tension -------------------------------------------------------------------------------------------------------------

double surface_tension_energy(const MembraneMesh* m, double sigma)
{
    double sum = 0;
    for (int e = 0; e < m->elements; e++) {
        double area[3];
        membrane_area_vector(area, m, e);
        sum += vec_norm(area);
    }
    return sigma*sum;
}

// 2D: each end is pulled along the segment.
static void pull_segment(double (*force)[3], const MembraneMesh* m, const int* corner, double sigma)
{
    double along[3];
    vec_sub(along, m->x + 3*corner[1], m->x + 3*corner[0]);
    double length = vec_norm(along);
    for (int d = 0; d < 2; d++)
        force[corner[0]][d] += sigma*along[d]/length, force[corner[1]][d] -= sigma*along[d]/length;
}

// 3D: dA/dx_i = (x_j - x_k) x n/2, with the edge opposite corner i.
static void pull_triangle(double (*force)[3], const MembraneMesh* m, int e, double sigma)
{
    const int* corner = membrane_element(m, e);
    double area[3], opposite[3], slope[3];
    membrane_area_vector(area, m, e);
    double norm = vec_norm(area);
    if (!(norm > 0)) return;
    for (int c = 0; c < 3; c++) {
        vec_sub(opposite, m->x + 3*corner[(c + 1)%3], m->x + 3*corner[(c + 2)%3]);
        vec_cross(slope, opposite, area);
        for (int d = 0; d < 3; d++) force[corner[c]][d] -= 0.5*sigma*slope[d]/norm;
    }
}

void surface_add_tension(double (*force)[3], const MembraneMesh* m, double sigma)
{
    for (int e = 0; e < m->elements; e++)
        if (m->dim == 3) pull_triangle(force, m, e, sigma);
        else pull_segment(force, m, membrane_element(m, e), sigma);
}

// Triangles with less than this doubled area, in squares of their longest edge, are slivers; the cotangents of theirs stay within
// 0 and MOST_COTANGENT. K is then no longer the force's own derivative there, but stays positive and of the size of others.
static const double SLIVER = 1e-3, MOST_COTANGENT = 50;

// The cotangent matrix is the Dirichlet form of linear elements: positive semidefinite for obtuse triangles, too.
int surface_stiffness(StiffEdge edge[3], const MembraneMesh* m, int element, double sigma)
{
    const int* corner = membrane_element(m, element);
    if (m->dim == 2) {
        double along[3];
        vec_sub(along, m->x + 3*corner[1], m->x + 3*corner[0]);
        edge[0] = (StiffEdge){corner[0], corner[1], sigma/vec_norm(along)};
        return 1;
    }
    double area[3], side[3][3], longest = 0;
    membrane_area_vector(area, m, element);
    for (int c = 0; c < 3; c++) {
        vec_sub(side[c], m->x + 3*corner[(c + 2)%3], m->x + 3*corner[(c + 1)%3]);
        longest = max2(longest, vec_dot(side[c], side[c]));
    }
    double doubled = 2*vec_norm(area);
    bool is_sliver = doubled < SLIVER*longest;
    for (int c = 0; c < 3; c++) {
        double product = -vec_dot(side[(c + 1)%3], side[(c + 2)%3]);
        double cotangent = is_sliver ? clamp(product/max2(doubled, 1e-300), 0, MOST_COTANGENT) : product/doubled;
        edge[c] = (StiffEdge){corner[(c + 1)%3], corner[(c + 2)%3], 0.5*sigma*cotangent};
    }
    return 3;
}

// ---- weight --------------------------------------------------------------------------------------------------------------

// s at the corners of an element.
static void heights(double s[3], const MembraneMesh* m, int e, const SurfaceWeight* g)
{
    for (int c = 0; c < m->dim; c++) {
        double from[3];
        vec_sub(from, m->x + 3*membrane_element(m, e)[c], g->origin);
        s[c] = vec_dot(g->acceleration, from);
    }
}

// The field s^2/(2 a.a) a has the divergence s: the volume integral of s is the flux of it through the surface.
double surface_weight_energy(const MembraneMesh* m, const SurfaceWeight* g)
{
    double square = vec_dot(g->acceleration, g->acceleration), sum = 0;
    if (!(square > 0)) return 0;
    for (int e = 0; e < m->elements; e++) {
        double area[3], s[3];
        membrane_area_vector(area, m, e);
        heights(s, m, e, g);
        double mean = m->dim == 3 ? (s[0]*s[0] + s[1]*s[1] + s[2]*s[2] + s[0]*s[1] + s[1]*s[2] + s[2]*s[0])/6
                                  : (s[0]*s[0] + s[0]*s[1] + s[1]*s[1])/3;
        sum += vec_dot(g->acceleration, area)*mean;
    }
    return -0.5*g->rho*sum/square;
}

// The mean over an element of s phi_i, phi_i being 1 at corner i and 0 at the others: (2 s_i + s_j + s_k)/12, 2D (2 s_i + s_j)/6.
void surface_add_weight(double (*force)[3], const MembraneMesh* m, const SurfaceWeight* g)
{
    for (int e = 0; e < m->elements; e++) {
        double area[3], s[3], sum = 0;
        membrane_area_vector(area, m, e);
        heights(s, m, e, g);
        for (int c = 0; c < m->dim; c++) sum += s[c];
        for (int c = 0; c < m->dim; c++) {
            double mean = (s[c] + sum)/(m->dim == 3 ? 12 : 6);
            for (int d = 0; d < m->dim; d++) force[membrane_element(m, e)[c]][d] += g->rho*area[d]*mean;
        }
    }
}

void surface_weight_level(SurfaceWeight* g, const MembraneMesh* m)
{
    double sum = 0, moment[3] = {0};
    for (int e = 0; e < m->elements; e++) {
        double area[3];
        membrane_area_vector(area, m, e);
        double size = vec_norm(area);
        sum += size;
        for (int c = 0; c < m->dim; c++)
            for (int d = 0; d < 3; d++) moment[d] += size*m->x[3*membrane_element(m, e)[c] + d]/m->dim;
    }
    assert(sum > 0);
    for (int d = 0; d < 3; d++) g->origin[d] = moment[d]/sum;
}
