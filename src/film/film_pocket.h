// Pockets: thick air that thin films and walls shut in, as under two drops side by side on a floor. The grid resolves such air; it
// is no film, and like all resolved air it is at the pressure of the open air, though a film's rows lead to it. What drags through
// a film as thick as that is known only roughly, and shut in, each error of it would become a pressure that moves the liquids.
#pragma once
#include "film/film.h"

// Per air cell how far it belongs to a pocket, from 0 (a film, or thick air that reaches the rim) to 1. Arena memory.
mn_status film_pockets(double** share, const Film* film, Arena* arena);
