#include "render/filmlook.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "render/font.h"

static const double MICRO = 1e-6;

void filmlook_middle(double middle[3], double normal[3], const FilmView* film, const int liquid[2])
{
    double area = 0, norm;
    for (int d = 0; d < 3; d++) middle[d] = normal[d] = 0;
    for (int m = 0; m < film->count; m++) {
        FilmPoint f = filmview_at(film, m);
        if (f.liquid[0] != liquid[0] || f.liquid[1] != liquid[1]) continue;
        area += f.area;
        for (int d = 0; d < 3; d++) middle[d] += f.area*f.x[d], normal[d] += f.area*f.normal[d];
    }
    norm = vec_norm(normal);
    for (int d = 0; d < 3 && area > 0; d++) middle[d] /= area, normal[d] = norm > 0 ? normal[d]/norm : d == 1;
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The pressure that 2 % of the pieces pass: where a film of a cell or two opens or closes, single ones are far off.
static double high_pressure(const FilmView* film)
{
    double* p = film->count > 0 ? malloc(sizeof *p*(size_t)film->count) : NULL;
    if (!p) return 0;
    for (int m = 0; m < film->count; m++) p[m] = film->pressure[m];
    qsort(p, (size_t)film->count, sizeof *p, compare_doubles);
    double high = p[(int)(0.98*(film->count - 1))];
    free(p);
    return high;
}

static void look_at(FilmLook* look, const FilmView* film)
{
    ColourScale* s = &look->scale;
    if (film->count == 0) return;
    s->on = true;
    if (!look->thickness) s->high = fmax(s->high, high_pressure(film));
    double middle[3], normal[3], apart[3];
    FilmPoint before = {0};
    for (int m = 0; m < film->count; m++) {
        FilmPoint f = filmview_at(film, m);
        if (look->thickness) s->low = fmin(s->low, f.thickness/MICRO), s->high = fmax(s->high, f.thickness/MICRO);
        if (m == 0 || f.liquid[0] != before.liquid[0] || f.liquid[1] != before.liquid[1])
            filmlook_middle(middle, normal, film, f.liquid);
        vec_sub(apart, f.x, middle);
        look->reach = fmax(look->reach, vec_norm(apart));
        before = f;
    }
}

static FilmLook begin(const char* what)
{
    FilmLook look = {.scale = {.film = true, .unit = "Pa"}, .thickness = !strcmp(what, "thickness")};
    if (look.thickness) look.scale.unit = "\u00B5m", look.scale.low = INFINITY, look.scale.log = true;
    return look;
}

// Round ends, and never nothing between them.
static void finish(FilmLook* look)
{
    ColourScale* s = &look->scale;
    if (!s->on) return;
    s->high = label_round_up(fmax(s->high, 1e-9));
    if (look->thickness) s->low = fmin(label_round_down(s->low), 0.5*s->high);
}

FilmLook filmlook_of_frame(const FilmView* film, const char* what)
{
    FilmLook look = begin(what);
    if (strcmp(what, "off")) look_at(&look, film);
    finish(&look);
    return look;
}

mn_status filmlook_of_run(FilmLook* look, const RunFiles* run, const char* what)
{
    *look = begin(what);
    if (!strcmp(what, "off")) return MN_OK;
    for (int frame = 0; frame < run->frames; frame++) {
        Layer layer;
        FilmView film;
        TRY(runfiles_load_layer(&layer, run, "film", frame));
        mn_status status = filmview_of(&film, &layer);
        if (status == MN_OK) look_at(look, &film);
        layer_free(&layer);
        TRY(status);
    }
    finish(look);
    return MN_OK;
}

double filmlook_part(const FilmLook* look, const FilmPoint* f)
{
    return clamp(colourscale_part(&look->scale, look->thickness ? f->thickness/MICRO : f->pressure), 0, 1);
}

void filmlook_bar(const LabelPen* pen, double x, double y, double width, const FilmLook* look)
{
    static const char name[] = "air film ";
    char low[32], high[48];
    label_scale_ends(low, high, &look->scale);
    label_text(pen, name, x, y, -1);
    x += font_width(name, pen->height) + 0.8*pen->height + font_width(low, pen->height) + 0.7*pen->height;
    label_colour_bar(pen, x, y, width, &look->scale);
}
