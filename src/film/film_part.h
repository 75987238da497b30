// Films of liquids that share none are solved apart (liquid/coupling.h): each cluster of liquids has its part of the air, a film
// by itself.
#pragma once
#include "film/film.h"
#include "liquid/coupling.h"

// Arena memory.
typedef struct FilmPart {
    Film film;         // its air cells and edges in the order of the whole film's, with numbers of their own; without `order`
    int *cell, *edge;  // per air cell and edge: its number in the whole film
} FilmPart;

// Joins liquids whose air hangs together: on the two sides of an air cell, along edges, through joints. owner: per air cell, one
// of those liquids; -1: no liquid feels this cell. Arena memory.
mn_status film_join_liquids(int** owner, Coupling* c, const Film* film, Arena* arena);
// Once the clusters stand: the part of each, and room in the whole film for what the solve finds.
mn_status film_split(FilmPart** part, Film* film, const int* owner, const Coupling* c, Arena* arena);
// After the solve: thickness, pressure and closing of a part's air into the whole film.
void film_part_return(Film* film, const FilmPart* part);
