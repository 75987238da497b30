// Liquids that have come closer to each other than the film may get, or overlap, are moved apart.
#pragma once
#include "film/film.h"

// Nodes this near both surfaces (cells) are looked at: all corners of the cells either surface passes through.
#define FILM_REPAIR_REACH 2.0

typedef struct GapRepair {
    double deepest;  // m, most that was missing at any node
    long nodes;      // that were moved
} GapRepair;

// Both liquids retreat by half of what is missing. Their phi changes within the spans: cut cells have to be rebuilt.
void film_repair_gap(GapRepair* repair, Liquid* a, Liquid* b, double h_min);

// The narrowest place between two liquids: gap (m; below zero where they overlap) and where, as a node of the tank. INFINITY when
// they are not near each other.
double film_least_gap(int place[3], const Liquid* a, const Liquid* b);
// Is it `least` (m) or more, to rounding? For asserts.
bool film_gap_is_open(const Liquid* a, const Liquid* b, double least);

// How freely the surface near each node may move to restore the volume: 0 within `near` (m) of another body that a film keeps
// apart, 1 from h_max on. NULL where nobody is near, or hardly any surface would be free. Arena memory, window layout.
mn_status film_freedom(float** freedom, const Film* film, int m, Arena* arena);
