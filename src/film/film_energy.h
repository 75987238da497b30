// What a film gives to the energy of its liquids.
//
// A film of air is passive: it takes energy from the liquids or hands it on. So is the film of the solve, but for its sources,
// flows that are known before: what is pushed in to open a gap, what moves sideways past its links, and the velocities that the
// air has by itself. They are right only as far as level sets and velocities are, and their work is energy from nowhere.
#pragma once
#include "film/film_assemble.h"

// What the film adds to its liquids' kinetic energy in a step, J, per air cell: its impulse dt p times the mean of the velocities
// before and after, through all links. rho: per part.
void film_gain(double* gain, const Film* film, const FilmLink* link, int links, const PoissonGroup* group, const double* rho,
               double dt);
// The work that its sources do in the step against its pressure, J, per air cell; without that of solids, which is honest.
void film_source_work(double* work, const Film* film, const FilmLink* link, int links, const double* inflow, double dt);
// How strong the sources of each air cell may be: where the films of a liquid, all together, bring more than the liquid may get
// (film->most_gain), weaker by that. Gives whether any is below 1. room: for 3 numbers per liquid.
bool film_shares(double* share, const Film* film, const double* gain, const double* work, double* room);
// Sources at `share` of their strength, per air cell; at 0 the film is passive. Solids move on as they did.
void film_calm(Film* film, double* inflow, const double* share);

// J (2D: J/m): what solids that move by a script do on liquid m through the films between them in a step. A film has no mass: the
// force of a solid on it is that of the film on the liquid, - p A over the pieces of its surface, and its way is the solid's.
double film_solid_work(const Film* film, const Liquid* q, int m, const Solids* solids, double dt);
