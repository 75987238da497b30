#include "film/film_vdw.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

double film_attraction(double hamaker, double h)
{
    assert(hamaker >= 0 && h > 0);
    return hamaker/(6*PI*h*h*h);
}

// m. Light takes so long across thicker films that the molecules' fields fall out of step: attraction fades faster than 1/h^3
// from about here on [israelachvili2011].
static const double REACH = 100e-9;

double film_rupture_thickness(double hamaker, double sigma, double radius)
{
    assert(hamaker >= 0 && radius >= 0);
    return sigma > 0 ? fmin(cbrt(hamaker*radius/(12*PI*sigma)), REACH) : REACH;
}

void film_attract(Film* film, double hamaker)
{
    for (int c = 0; c < film->cells; c++) film->cell[c].pull = film_attraction(hamaker, film->cell[c].h);
}
