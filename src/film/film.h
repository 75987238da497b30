// The film of air between two liquids that nearly touch, as one layer of cells (paper: wang2023bouncing; method: docs/film.md).
//
// Air in a gap of thickness h moves by pressure and is dragged by both sides. It has no inertia, and its pressure is the same
// across the gap. Per length of a line across the film, with m the unit vector through it,
//     q = -h^3/(12 mu) grad p.m + h (u_up + u_down)/2.m                                  (m^2/s)
// and what the two liquids push into a piece of film must leave through its sides. Air cells are pieces of the ridge, the
// surface that lies as far from one liquid as from the other: the part of it in one grid cell. Pressure is in Pa above the
// air around; in 2D areas are lengths times 1 m.
#pragma once
#include <stdint.h>
#include "film/film_body.h"

typedef enum FilmConduct {
    FILM_SERIES,  // exact resistance for a thickness that changes linearly from cell to cell
    FILM_EDGE     // the paper's: thickness at the edge
} FilmConduct;

typedef enum FilmBuild {
    FILM_RIDGE,  // pieces of the ridge, one per grid cell (film_ridge.h)
    FILM_GRAPH   // the paper's: groups of pieces of surface (film_graph.h)
} FilmBuild;

typedef struct FilmSettings {
    double mu;              // Pa s, of air
    double h_max;           // m: thicker gaps are open air
    double h_min;           // m: thinner ones count as this thick
    double mean_free_path;  // m, of air: gas slips along both sides by this length; 0: no slip
    FilmConduct conduct;
    FilmBuild build;
    int repeats;  // times a step is solved again with the thickness it leads to, where a film closes fast
} FilmSettings;

typedef struct AirCell {
    double x[3];   // m, centroid of the piece of ridge
    double h;      // m, thickness there as its air has it, at least h_min
    double gap;    // m, between the level sets; below zero where they overlap
    double area;   // m^2, of the ridge
    double pull;   // Pa, by which its two sides attract each other;  by film_attract
    double u[3];   // m/s, mean of the two bodies' velocities there; on solids, theirs
    int64_t grid;  // number of the grid cell it lies in, film_grid_number
    int pair[2];   // the bodies on its sides; pair[0] < pair[1], and pair[0] is a liquid
    int skin;      // the solid that it lies on, of the world, from 1, if another partner moves that; 0: no such
} AirCell;

typedef struct AirEdge {
    int a, b;         // air cells; b = -1: the rim, where the film ends in open air, or a side of the tank
    bool closed;      // a side of the tank: no air passes, but it closes up the cell (add_edge)
    double x[3];      // m, middle
    double m[3];      // unit vector through the edge along the film, from a to b
    double length;    // m (2D: 1)
    double distance;  // m, between the centroids of a and b; at the rim from a's to the edge
    double h;         // m, thickness at x, at least h_min
    double u[3];      // m/s, mean of the two liquids' velocities at x
} AirEdge;

typedef struct AirKey {
    int64_t grid;
    int cell;
} AirKey;

// Rebuilt every step; arena memory.
typedef struct Film {
    FilmSettings settings;
    Tank tank;
    FilmBodies bodies;           // what it lies between
    const Solids* solids;        // of the world; borrowed. NULL: none that another partner moves
    const unsigned char* apart;  // per pair of bodies, [a*count + b]: a film keeps them apart; NULL: all of them. Borrowed.
    AirCell* cell;
    int cells;
    AirEdge* edge;
    int edges;
    AirKey* order;  // the air cells by grid cell; made by film_ridge_order
    int** air;      // per liquid, per cut cell: the air cell its piece of surface borders, -1: open air;  by film_link_patches
    int lost;       // pieces of surface within h_max/2 of another liquid that found no air cell (nearer the rim that is no fault)
    double* p;      // Pa, per air cell: what presses on the liquids, the air's pressure less the pull;  by film_solve
    double* h_end;  // m, per air cell: thickness at the end of the step;  by film_solve
    double* closing;    // m/s, per air cell: how fast it gets thinner, < 0: thicker;  by film_solve
    double free_dt;     // s: a gap is not opened within less than this time, however short the step is
    double* most_gain;  // J, per liquid: what its films may add to kinetic energy in a step; NULL: no bound
    int repeats;        // times the thickness was put back into the solve;  by film_solve
    double seconds;     // wall clock spent on assembly and factorisation;  by film_solve
} Film;

// Thickness floors of distances between cells, in grid cells: pieces of ridge can be slivers.
#define FILM_DISTANCE_FLOOR 0.1
#define FILM_RIM_FLOOR 0.25

static inline int64_t film_grid_number(const Tank* t, int i, int j, int k)
{
    return i + (int64_t)t->n[0]*(j + (int64_t)t->n[1]*k);
}

// Is there a film between bodies a and b, should they come near each other?
bool film_keeps_apart(const Film* film, int a, int b);
// Does this cell's film lie on solids? They are always pair[1].
static inline bool film_on_solid(const Film* film, const AirCell* c)
{
    return film_body_is_solid(&film->bodies.body[c->pair[1]]);
}

// ---- air cells by place -----------------------------------------------------------------------------------------------------

// The air cell nearest to x (m) that has body a on one side and, unless b is -1, b on the other, no more than `around` grid cells
// away from that of x; -1: none. Needs film->order.
int film_air_near(const Film* film, const double x[3], int around, int a, int b);
