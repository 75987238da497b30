// Which air cell every piece of a liquid's surface borders.
#pragma once
#include "film/film.h"

// Fills film->air and ->lost from film->cell and ->order. The liquids need their cut cells.
mn_status film_link_patches(Film* film, Arena* arena);
