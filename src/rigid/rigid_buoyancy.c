#include "rigid/rigid_buoyancy.h"

#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"

// 0 at the surface, 1 from two cells under it on.
static double depth_share(const Pressure* p, const CutCell* cut)
{
    const Window* w = p->in.w;
    double phi = node_value(p->in.phi, w, (double[3]){cut->i + 0.5, cut->j + 0.5, w->dim == 3 ? cut->k + 0.5 : 0});
    double t = clamp((-phi/w->dx - 0.5)/1.5, 0, 1);
    return t*t*(3 - 2*t);
}

// Volume between a piece of skin on the grid, which is flat, and the skin itself, m^3 (2D: m^2), > 0: the grid's body is smaller.
// A flat piece whose corners lie on a curved skin is deepest in its middle, and 2/3 of that in the mean (a parabola's segment; in
// 3D 3/4 of a triangle's depth, 2/3 of a square's; of an edge that it cuts off, 0.5 to 0.7).
static double behind_chord(const Pressure* p, const CutCell* cut, const double Q[3][3], const double area[3], const Solid* solid)
{
    const Window* w = p->in.w;
    double size = vec_norm(area), x[3];
    if (!(size > 1e-6)) return 0;
    window_position(x, w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
    for (int d = 0; d < w->dim; d++)
        for (int e = 0; e < w->dim; e++) x[d] += w->dx*Q[d][e]*area[e]/(size*size);
    return -2.0/3*clamp(solid_distance_to(solid, x), -0.5*w->dx, 0.5*w->dx)*size*window_face_area(w);
}

void buoyancy_add(Buoyancy* sum, const Pressure* p, const CutCell* cut, const double area[TWIST], const double Q[3][3],
                  const double center[3], const Solid* solid, const double a[3])
{
    const Window* w = p->in.w;
    double x[3], arm[3], force[3] = {0, 0, 0}, torque[3];
    window_position(x, w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
    vec_sub(arm, x, center);
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) force[e] += p->in.rho*window_cell_volume(w)*a[d]*Q[d][e];
    double more = behind_chord(p, cut, Q, area, solid);
    for (int d = 0; d < 3; d++) force[d] -= p->in.rho*a[d]*more;
    vec_cross(torque, arm, force);
    double share = depth_share(p, cut);
    for (int d = 0; d < 3; d++) sum->wrench[d] += share*force[d], sum->wrench[3 + d] += share*torque[d];
    // int (x - center).n dA over the skin, n into the body, is -dim times the volume inside
    for (int d = 0; d < w->dim; d++) sum->volume -= (arm[d]/w->dx*area[d] + Q[d][d])*window_cell_volume(w)/w->dim;
    sum->volume += share*more;
    sum->density += p->in.rho, sum->cells++;
}

void buoyancy_end(double wrench[TWIST], const Buoyancy* sum, const RigidBody* body, bool covered, const double a[3])
{
    for (int k = 0; k < (body->is_round ? 3 : TWIST); k++) wrench[k] += sum->wrench[k];
    // a skin of which a part is not seen (it touches a side, or liquid is about to leave it) has no volume
    const double most = 0.2;
    double seen = body->volume/(1 - body->volume_excess), missing = sum->volume - seen;
    if (!covered || sum->cells == 0 || !(body->volume > 0) || !(fabs(missing) < most*seen)) return;
    for (int d = 0; d < 3; d++) wrench[d] += sum->density/sum->cells*a[d]*missing;
}
