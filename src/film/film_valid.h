// Does what the stages of the film build hang together? Walks for asserts; each takes as long as the film is large.
//
// Numbers that are not finite come from the world, not from a mistake of ours: the step looks for them and is undone. So the
// walks ask whether a number is out of its range, which a NaN never is.
#pragma once
#include "film/film_part.h"
#include "film/film_solve.h"
#include "film/film_volume.h"

// Liquids first, each with its surface; then solids, each on the window of the one liquid that knows it.
bool film_bodies_is_valid(const FilmBodies* bodies);
// Bodies; air cells between two of them that are kept apart, in the grid cell they say, at least h_min thick, of no negative area
// or pull; edges between air cells with a body in common, and to rims and sides of the tank; pieces of surface that border air of
// their own liquid; the order by grid cell, if there is one.
bool film_is_valid(const Film* film);
// After the solve: as film_is_valid, and the air of every cell has at the end a thickness of h_min or more.
bool film_solution_is_valid(const Film* film);
// Every air cell and edge of the film in one part, in order, each part a film by itself.
bool film_parts_is_valid(const FilmPart* part, int parts, const Film* film);
// Means and slopes of the thickness of its air cells (film_profile_thickness).
bool film_profile_is_valid(const AirFit* fit, const Film* film);
// The lower triangle of a block with a diagonal that is not negative and nothing positive beside it, and entries that are not
// positive: what links and edges make, and what leaves the whole matrix definite.
bool film_border_is_valid(const Border* border, const Film* film, int parts);
// Links of unknown cells of the cluster's liquids to the film's air cells.
bool film_links_is_valid(const FilmLink* link, int links, const Film* film, const PoissonGroup* group);
// What survives a step: sorted by the grid cells of the pieces' places, thickness above zero and between those of neighbours, ids
// in order.
bool film_air_is_valid(const FilmAir* air, const Tank* tank);
