// Air cells as the paper builds them (wang2023bouncing, 5.3), for comparison: groups of pieces of surface that face each other.
#pragma once
#include "film/film.h"

// Fills film->cell, ->edge, ->order and ->air, as film_ridge_build and film_link_patches together do. The liquids need cut cells
// too.
mn_status film_graph_build(Film* film, Arena* arena);
