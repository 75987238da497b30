#include "film/film_vdw.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

double film_attraction(double hamaker, double h)
{
    assert(hamaker >= 0 && h > 0);
    return hamaker/(6*PI*h*h*h);
}

double film_rupture_thickness(double hamaker, double sigma, double radius)
{
    assert(hamaker >= 0 && radius >= 0);
    return sigma > 0 ? cbrt(hamaker*radius/(12*PI*sigma)) : INFINITY;
}

void film_attract(Film* film, double hamaker)
{
    for (int c = 0; c < film->cells; c++) film->cell[c].pull = film_attraction(hamaker, film->cell[c].h);
}
