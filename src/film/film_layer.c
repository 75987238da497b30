#include "film/film_record.h"

static void show_piece(Layer* layer, int i, const FilmPiece* f, Attribute* normal, Attribute* const number[3],
                       Attribute* const side[2])
{
    const double value[3] = {f->area, f->thickness, f->pressure};
    for (int d = 0; d < 3; d++) {
        layer->position[3*i + d] = (float)f->x[d];
        normal->real[3*i + d] = (float)f->normal[d];
        number[d]->real[i] = (float)value[d];
    }
    for (int s = 0; s < 2; s++) side[s]->whole[i] = f->liquid[s];
}

mn_status film_record_show(Layers* layers, const FilmRecord* film)
{
    if (film->count == 0) return MN_OK;
    Layer* layer = layers_add(layers, "film", LAYER_POINTS, film->count, 0);
    TRY_MEMORY(layer);
    Attribute* normal = layer_attribute(layer, "normal", ATTRIBUTE_VECTOR, ON_POINTS);             // from liquid_a to liquid_b
    Attribute* const number[3] = {layer_attribute(layer, "area", ATTRIBUTE_REAL, ON_POINTS),       // m^2 (2D: m)
                                  layer_attribute(layer, "thickness", ATTRIBUTE_REAL, ON_POINTS),  // m
                                  layer_attribute(layer, "pressure", ATTRIBUTE_REAL, ON_POINTS)};  // Pa above the air
    Attribute* const side[2] = {layer_attribute(layer, "liquid_a", ATTRIBUTE_WHOLE, ON_POINTS),    // ids; 0: a solid
                                layer_attribute(layer, "liquid_b", ATTRIBUTE_WHOLE, ON_POINTS)};
    if (!normal || !number[0] || !number[1] || !number[2] || !side[0] || !side[1]) return MN_NO_MEMORY;
    for (int i = 0; i < film->count; i++) show_piece(layer, i, &film->piece[i], normal, number, side);
    return MN_OK;
}
