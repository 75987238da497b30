#include "output/filmfile.h"

#include <math.h>
#include "output/files.h"
#include "output/plyfile.h"

enum { FLOATS = 9, COLUMNS = 11 };
static const char* const names[COLUMNS] = {"x",    "y",         "z",        "nx",       "ny",      "nz",
                                           "area", "thickness", "pressure", "liquid_a", "liquid_b"};

mn_status filmfile_write(const char* path, const FilmRecord* film)
{
    Bytes b = {0};
    bytes_print(&b, "ply\nformat binary_little_endian 1.0\ncomment meniscus, SI units, y up\nelement vertex %d\n", film->count);
    for (int m = 0; m < COLUMNS; m++) bytes_print(&b, "property %s %s\n", m < FLOATS ? "float" : "int", names[m]);
    bytes_print(&b, "end_header\n");
    for (int m = 0; m < film->count; m++) {
        const FilmPiece* f = &film->piece[m];
        float v[FLOATS];
        for (int d = 0; d < 3; d++) v[d] = (float)f->x[d], v[3 + d] = (float)f->normal[d];
        v[6] = (float)f->area, v[7] = (float)f->thickness, v[8] = (float)f->pressure;
        int32_t id[2] = {f->liquid[0], f->liquid[1]};
        bytes_add(&b, v, sizeof v);
        bytes_add(&b, id, sizeof id);
    }
    mn_status status = file_replace(path, &b, false);
    bytes_free(&b);
    return status;
}

static mn_status take_pieces(FilmRecord* film, const PlyFile* ply, const char* path)
{
    const PlyElement* e = plyfile_element(ply, "vertex");
    int column[COLUMNS];
    if (!e || e->count > INT32_MAX) return mn_fail(MN_IO, "%s: is no film of a run", path);
    for (int c = 0; c < COLUMNS; c++)
        if ((column[c] = ply_column(e, names[c])) < 0) return mn_fail(MN_IO, "%s: has no %s", path, names[c]);
    TRY(film_record_resize(film, (int)e->count));
    for (int m = 0; m < film->count; m++) {
        const double* v = e->value + (size_t)m*(size_t)e->columns;
        FilmPiece* f = &film->piece[m];
        for (int c = 0; c < COLUMNS; c++)
            if (!isfinite(v[column[c]])) return mn_fail(MN_IO, "%s: holds a value that is not a number", path);
        for (int d = 0; d < 3; d++) f->x[d] = v[column[d]], f->normal[d] = v[column[3 + d]];
        f->area = v[column[6]], f->thickness = v[column[7]], f->pressure = v[column[8]];
        for (int s = 0; s < 2; s++) f->liquid[s] = (int)v[column[9 + s]];
    }
    return MN_OK;
}

mn_status filmfile_read(FilmRecord* film, const char* path)
{
    *film = (FilmRecord){0};
    PlyFile* ply;
    mn_status status = plyfile_read(&ply, path);
    if (status == MN_OK) status = take_pieces(film, ply, path);
    plyfile_free(ply);
    if (status != MN_OK) film_record_free(film);
    return status;
}
