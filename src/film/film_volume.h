// The air in the films as state. Level sets know the gap between two liquids to some hundredths of a cell; films are thinner than
// that. So every air cell keeps its thickness as its volume has it, h = V/area, and loses what flows out of it:
//     d(h area)/dt = -(outflow through its edges),
// which is the film's row of the coupled system read the other way. The gap of the level sets follows h by way of the pressure:
// what is missing is pushed into the film within a few steps, so that the liquids flow to where the air is (docs/film.md).
#pragma once
#include "film/film.h"

// What is left of an air cell between two steps.
typedef struct AirPiece {
    double x[3];       // m, where it has gone with its liquids
    double h;          // m
    double slope[3];   // of log h along the film, 1/m
    double low, high;  // m, least and largest h among its neighbours and itself
    double closing;    // m/s, how fast it got thinner in the last step
    int id[2];         // of the liquids on its sides, smaller first; 0: solids
    int64_t grid;      // number of the grid cell of x; pieces are sorted by it
} AirPiece;

// Survives a step; owns piece. All zeros is no film.
typedef struct FilmAir {
    AirPiece* piece;
    int count, capacity;
} FilmAir;

void film_air_free(FilmAir* air);
mn_status film_air_reserve(FilmAir* air, int count);  // room for as many; MN_NO_MEMORY leaves it as it was
mn_status film_air_visit(FilmAir* air, StateVisitor* v);
// Puts the pieces in order, by x in this tank.
void film_air_sort(FilmAir* air, const Tank* tank);

// Gives every air cell the thickness that its air takes, where the level sets agree with it to their accuracy. The cells come
// with the gap of the level sets in h.
void film_air_read(Film* film, const FilmAir* air);
// After film_solve: the air of the end of the step, carried along for dt (s).
mn_status film_air_write(FilmAir* air, const Film* film, double dt, Arena* arena);
// Least time (s) in which a film closes as fast as it did in the last step; one thinner than `thin` (m) counts as that thick.
// INFINITY: none does.
double film_air_closing_time(const FilmAir* air, double thin);
// The thinnest film between two liquids: thickness (m) and the node of the tank nearest to it; INFINITY without any.
double film_air_thinnest(int place[3], const FilmAir* air, const Tank* tank, int id_a, int id_b);
