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

void buoyancy_add(Buoyancy* sum, const Pressure* p, const CutCell* cut, const double center[3], const double a[3])
{
    const Window* w = p->in.w;
    double Q[3][3], x[3], arm[3], force[3] = {0, 0, 0}, torque[3], area[TWIST];
    pressure_skin_moments(Q, p, cut);
    pressure_wrench(area, p, cut, center);
    window_position(x, w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
    vec_sub(arm, x, center);
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) force[e] += p->in.rho*window_cell_volume(w)*a[d]*Q[d][e];
    vec_cross(torque, arm, force);
    double share = depth_share(p, cut);
    for (int d = 0; d < 3; d++) sum->wrench[d] += share*force[d], sum->wrench[3 + d] += share*torque[d];
    // int (x - center).n dA over the skin, n into the body, is -dim times the volume inside
    for (int d = 0; d < w->dim; d++) sum->volume -= (arm[d]/w->dx*area[d] + Q[d][d])*window_cell_volume(w)/w->dim;
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
