// One solve for the pressure of several liquids and of the air films between them.
#pragma once
#include "film/film_assemble.h"
#include "liquid/partner.h"

// The film's share of the solve of a cluster of liquids (liquid/coupling.h), once its ridge and links stand; arena memory but for
// what film_system_end frees. The film touches no liquid of another cluster (film_part.h). Where the film would lose much of its
// thickness in the step (paper: it would go from no resistance to overlap), the solve is repeated with the thickness at its end,
// backward Euler in h; film->cell[].h then holds that.
typedef struct FilmSystem FilmSystem;
mn_status film_system_begin(FilmSystem** system, Film* film, Coupling* c, int cluster, Arena* arena);
mn_status film_system_load(PoissonOperator* op, FilmSystem* system);
mn_status film_system_judge(PartnerVerdict* verdict, FilmSystem* system);
void film_system_answer(FilmSystem* system);
void film_system_end(FilmSystem* system);

// The same alone, where nobody else takes part.
// pressure[m] is liquid m's problem, built with its velocity (NULL: the liquid takes no part; no film touches it). Solves for
// liquid[m].p and film->p and leaves the film's pressure in pressure[m]->change, so that pressure_update knows it.
// All liquids must have been built with one dt. Where the film would lose much of its thickness in the step (paper: it would go
// from no resistance to overlap), the solve is repeated with the thickness at its end, backward Euler in h; film->cell[].h then
// holds that.
mn_status film_solve(Film* film, SolveReport* report, const Liquid* liquid, Pressure* const* pressure, int count,
                     const SolveOptions* options, Arena* arena);

// Adds what liquid m pushes into the film (m^3/s, per air cell) beyond the flow through its links, by the velocities its problem
// was built with.
void film_add_sideways(double* inflow, const Film* film, const Liquid* q, const Pressure* p, int m);

// Force of its films on liquid m, N (2D: N/m), after film_solve: pressure over the pieces of its surface. of_solids: those on
// solids too.
void film_force(double out[3], const Film* film, const Liquid* q, int m, bool of_solids);
