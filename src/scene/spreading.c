// The energy before the impact, of motion and surface, is that of a flat disc of width b D at rest and what friction has taken
// [pasandidehfard1996]. With volume, the disc is h = 2 D/(3 b^2) thick. Its surface has a top, an underside that costs
// -sigma cos(angle), and a rim of pi b D h, which matters for slow drops [ukiwe2005]. Friction acts in a layer of 2 D/sqrt(Re) on
// the wall for 8 D/(3 V). In units of pi sigma D^2/12:
//     We + 12 = 3 b^2 (1 - cos(angle)) + 8/b + 4 b^2 We/sqrt(Re).
// In 2D the same terms are those of a strip, h = pi D/(4 b), per depth and in units of sigma D:
//     pi We/8 + pi = b (1 - cos(angle)) + pi/(2 b) + 4 b We/(3 sqrt(Re)).
#include "scene/spreading.h"

#include <math.h>
#include "base/vec.h"

// c b^3 - a b + 8 = 0: convex, so Newton comes down to the largest root from above, where b^2 = a/c. None: the drop stays whole.
static double widest_disc(double a, double c)
{
    double b = sqrt(a/c);
    for (int i = 0; i < 60; i++) {
        double value = c*b*b*b - a*b + 8, slope = 3*c*b*b - a;
        if (!(slope > 0)) return 1;
        double next = b - value/slope;
        if (!(next < b*(1 - 1e-12))) break;
        b = next;
    }
    return fmax(b, 1);
}

// c b^2 - a b + pi/2 = 0, the larger root.
static double widest_strip(double a, double c)
{
    double root = a*a - 2*PI*c;
    return root > 0 ? fmax((a + sqrt(root))/(2*c), 1) : 1;
}

double spreading_widest(const DropImpact* p)
{
    double wet = 1 - cos(p->angle), friction = p->weber/sqrt(p->reynolds);
    if (p->dim == 3) return widest_disc(p->weber + 12, fmax(3*wet + 4*friction, 1e-9));
    return widest_strip(PI*p->weber/8 + PI, fmax(wet + 4*friction/3, 1e-9));
}

double spreading_sheet(const DropImpact* p)
{
    double b = spreading_widest(p);
    return p->dim == 3 ? 2/(3*b*b) : PI/(4*b);
}
