#include "film/film_vdw.h"

#include "base/vec.h"

double film_attraction(double hamaker, double h) { return hamaker/(6*PI*h*h*h); }

void film_attract(Film* film, double hamaker)
{
    for (int c = 0; c < film->cells; c++) film->cell[c].pull = film_attraction(hamaker, film->cell[c].h);
}
