// Molecules of two liquids attract each other across the air between them (van der Waals): the surfaces of a film of thickness h
// are drawn together by
//     Pi = A/(6 pi h^3)        (Pa; A: Hamaker constant of liquid, air, liquid, J)
// as if the liquids' surfaces felt p_air - Pi. It outdoes tension in films of some tens of nanometres, which then break
// (film_rupture_thickness); thicker ones do not feel it.
#pragma once
#include "film/film.h"

double film_attraction(double hamaker, double h);
// It outdoes tension, 2 sigma/R at the most, in a film thinner than (A R/(12 pi sigma))^(1/3), m, but no further than it reaches,
// 100 nm, however little tension there is. R (m): radius of the smaller liquid.
double film_rupture_thickness(double hamaker, double sigma, double radius);
// Gives every air cell its pull, of the thickness it has now: explicit in the step, as only so the system stays definite.
void film_attract(Film* film, double hamaker);
