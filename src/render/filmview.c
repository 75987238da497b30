#include "render/filmview.h"

static mn_status find(const float** values, const Layer* layer, const char* name, AttributeType type)
{
    const Attribute* a = layer_find(layer, name);
    if (!a || a->type != type || a->site != ON_POINTS) return mn_fail(MN_IO, "%s: has no %s", layer->name, name);
    *values = a->real;
    return MN_OK;
}

mn_status filmview_of(FilmView* film, const Layer* layer)
{
    *film = (FilmView){0};
    if (!layer || layer->points == 0) return MN_OK;
    FilmView view = {.count = layer->points, .x = layer->position};
    TRY(find(&view.normal, layer, "normal", ATTRIBUTE_VECTOR));
    TRY(find(&view.area, layer, "area", ATTRIBUTE_REAL));
    TRY(find(&view.thickness, layer, "thickness", ATTRIBUTE_REAL));
    TRY(find(&view.pressure, layer, "pressure", ATTRIBUTE_REAL));
    view.liquid[0] = layer_wholes(layer, "liquid_a", ON_POINTS), view.liquid[1] = layer_wholes(layer, "liquid_b", ON_POINTS);
    if (!view.liquid[0] || !view.liquid[1]) return mn_fail(MN_IO, "%s: has no liquid_a and liquid_b", layer->name);
    *film = view;
    return MN_OK;
}

FilmPoint filmview_at(const FilmView* film, int m)
{
    FilmPoint p = {.area = film->area[m],
                   .thickness = film->thickness[m],
                   .pressure = film->pressure[m],
                   .liquid = {film->liquid[0][m], film->liquid[1][m]}};
    for (int d = 0; d < 3; d++) p.x[d] = film->x[3*m + d], p.normal[d] = film->normal[3*m + d];
    return p;
}
