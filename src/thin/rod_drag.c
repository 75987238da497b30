#include "thin/rod_drag.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

// Across, with Re = 2 b U rho/mu, force per length c U:
//     slow:  c = 4 pi mu/ln(7.4/Re)                                    [lamb1932], a cylinder alone in a flow;
//     fast:  c = C rho b U,  C = 1 + (8 pi/ln(7.4) - 1) Re^(-2/3),     after [white1991], whose factor is 10: with this one the
//            two meet at Re = 1. From there to Re = 100 it lies 10 to 26 % above what was measured.
// Lamb's logarithm is that of the distance mu/(rho U), from where on the flow knows nothing of the cylinder. Where U was taken
// nearer than that, the distance from the axis counts: ln(reach/b), 1 at least. Along it a slow flow has half the drag; a fast
// one that of the layer at its skin, which grows with Re^(1/3) here.
RodDrag rod_drag(double radius, double speed, double rho, double mu, double reach)
{
    assert(radius > 0 && rho > 0 && mu >= 0 && speed >= 0 && reach > 0);
    static const double OUTER = 7.4;
    if (!(mu > 0)) return (RodDrag){.across = rho*radius*speed};
    double Re = 2*radius*speed*rho/mu, lonely = Re > 0 ? log(OUTER/fmin(Re, 1)) : INFINITY;
    double slow = 4*PI*mu/fmin(lonely, fmax(log(reach/radius), 1));
    double fast = Re > 0 ? (1 + (8*PI/log(OUTER) - 1)*pow(Re, -2.0/3))*rho*radius*speed : 0;
    return (RodDrag){.across = fmax(slow, fast), .along = 0.5*slow*fmax(cbrt(Re), 1)};
}
