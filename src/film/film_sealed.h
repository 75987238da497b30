// Liquids and films that touch no known pressure: a tank full to the brim, air and liquid alike held by walls.
//
// The constant is then in the null space of the coupled system, and its right-hand sides must add up to zero: as much air is
// pushed into the films as leaves the liquids. Pushing liquids apart to make a gap as wide as its air (film_solve.c) asks for
// room that is not there. What does not add up is taken from the films, evenly over their area: they keep the gap they have.
#pragma once
#include "film/film_assemble.h"

// After film_assemble, before the border is hooked into the group, whose right-hand sides are in place. inflow: what was asked
// for (m^3/s, per air cell), corrected like the border's right-hand side; area[c]: of air cell c, m^2.
mn_status film_balance_sealed(Border* border, double* inflow, const Film* film, const PoissonGroup* group, const FilmLink* link,
                              int links, const double* area, FilmScale scale, Arena* arena);
