// The films of a step as they are kept for files and pictures: one entry per air cell.
#pragma once
#include "base/layers.h"
#include "film/film.h"

typedef struct FilmPiece {
    double x[3];       // m, centroid on the ridge
    double normal[3];  // unit, across the film, from liquid[0] to liquid[1]
    double area;       // m^2 (2D: m)
    double thickness;  // m
    double pressure;   // Pa above the air around
    int liquid[2];     // ids; 0: a solid
} FilmPiece;

// All zeros is a valid empty one. Owns its pieces.
typedef struct FilmRecord {
    FilmPiece* piece;
    int count, room;
} FilmRecord;

void film_record_free(FilmRecord* r);
// Room for `count` pieces, which the caller fills. MN_NO_MEMORY leaves the record as it was.
mn_status film_record_resize(FilmRecord* r, int count);
// The film after film_solve.
mn_status film_record_take(FilmRecord* r, const Film* film);
// As a layer of a frame: points, one per air cell (docs/output.md); none without a film.
mn_status film_record_show(Layers* layers, const FilmRecord* film);
