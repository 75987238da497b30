// Insets of 3D pictures: the air film between two liquids seen face on, coloured by its pressure or thickness.
#pragma once
#include "render/filmlook.h"

// On display values, at the upper left; nothing where there is no film to show, or the picture is too small for it.
mn_status filminset_draw(Picture* picture, const RunFiles* run, const FilmView* film, const FilmLook* look);
