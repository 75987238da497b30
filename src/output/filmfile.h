// The air films of a frame as a PLY file of points, one per air cell (docs/output.md).
#pragma once
#include "film/film_record.h"

mn_status filmfile_write(const char* path, const FilmRecord* film);
// What filmfile_write has written, back again. MN_IO names the file and leaves the record empty.
mn_status filmfile_read(FilmRecord* film, const char* path);
