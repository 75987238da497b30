// What a film lies between: a liquid, or the solids that keep a liquid off. A film reads distance and velocity of both; a liquid
// has pieces of surface besides, on which the film presses.
#pragma once
#include "liquid/liquid.h"

typedef struct FilmBody {
    const Liquid* liquid;  // borrowed; NULL: solids
    int solids;            // of a liquid: place of the solids beside it among the bodies; -1: none is near
    int id;                // of the liquid; 0: solids
    const Window* w;       // of phi and u; solids have that of the liquid they lie beside
    const double* phi;     // m, on nodes, < 0 inside
    double* u[3];          // m/s, on faces; only read
} FilmBody;

static inline bool film_body_is_solid(const FilmBody* b) { return !b->liquid; }

// The liquids in the order of the world, then, for each of them that has any near, the solids that keep it off (film_solid.h).
typedef struct FilmBodies {
    FilmBody* body;
    int count, liquids;
} FilmBodies;

// The liquids alone, with room for the solids beside each. Arena memory; the liquids must stay where they are.
mn_status film_bodies_init(FilmBodies* b, const Liquid* liquid, int liquids, Arena* arena);

// ---- reading bodies at a point of the tank given in cells -----------------------------------------------------------------

// The point in cells from the window's corner; false if it lies outside the window.
bool film_to_window(double out[3], const Window* w, const double x[3]);
bool film_windows_meet(const Window* a, const Window* b);
// Slope of the distance to a body's surface, over the cell around a point.
void film_slope(double slope[3], const FilmBody* q, const double in_window[3]);
// Distance to a body's surface: phi/|grad phi|, m, the slope held between 0.7 and FILM_STEEPEST.
#define FILM_STEEPEST 1.4
double film_distance(const FilmBody* q, const double in_window[3]);
// Mean velocity of the two bodies of a pair, m/s. Of an air cell (`own`) on a solid it is the solid's: all is told relative to it
// then, and its side, which has no links, pushes nothing into the film.
void film_velocity(double out[3], const FilmBodies* bodies, const int pair[2], const double x[3], bool own);
