// Air cells and edges from the level sets of the bodies: the ridge {phi_j = phi_k} of every pair that comes within h_max.
#pragma once
#include "film/film.h"

// Fills film->cell, ->edge and ->order. The liquids need phi (good to h_max past the surface), u (extended as far as h_max/2) and
// spans. film->settings, ->tank and ->bodies must be set.
mn_status film_ridge_build(Film* film, Arena* arena);
// Through an edge, along the film: from a to b, less what points along the edge itself. A unit vector, or zero.
void film_edge_direction(double m[3], const double from[3], const double to[3], const double along[3]);
// film->order, for air cells that were made in another way.
mn_status film_ridge_order(Film* film, Arena* arena);
