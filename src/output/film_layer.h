// The air films of the last step as a layer of a frame.
#pragma once
#include "base/layers.h"
#include "film/film_record.h"

// Points, one per air cell (docs/output.md); no layer without a film.
mn_status film_show(Layers* layers, const FilmRecord* film);
