#include "scene/read_elastic.h"

#include <math.h>
#include <stdio.h>
#include "scene/read_shape.h"
#include "scene/shape.h"
#include "thin/thin_elements.h"

static const char* const laws[] = {
    [THIN_STVK] = "stvk", [THIN_NEO_HOOKEAN] = "neo-hookean", [THIN_BARAFF_WITKIN] = "baraff-witkin", NULL};

// Built-in forms have edges of this many cells: what moves past the grid must be no rougher than it.
static const double SPACING = 1;

static mn_status open_elastic(Node* child, bool* present, const Node* n)
{
    return node_open(child, present, n, "elastic", "a table, { young = ..., thickness = ..., density = ... }");
}

mn_status elastic_read(SceneSheet* sheet, const Node* n)
{
    static const char* const keys[] = {"young",    "poisson", "thickness", "density", "law", "damping", "stiffness_damping",
                                       "friction", "spacing", "pins",      NULL};
    SceneElastic* e = &sheet->elastic;
    Node own;
    TRY(open_elastic(&own, &sheet->is_elastic, n));
    if (!sheet->is_elastic) return MN_OK;
    *e = (SceneElastic){.poisson = 0.3, .law = THIN_STVK, .friction = 0, .spacing = SPACING*n->reader->scene->dx};
    TRY(node_check_keys(&own, keys, NULL, false));
    TRY(node_number(&e->young, &own, "young", POSITIVE, "Young's modulus in Pa", REQUIRED));
    TRY(node_number(&e->poisson, &own, "poisson", NOT_NEGATIVE, "Poisson's ratio", OPTIONAL));
    if (e->poisson > 0.49) return node_fail(&own, "poisson", "expected 0 to 0.49, got %g", e->poisson);
    TRY(node_number(&e->thickness, &own, "thickness", POSITIVE, "thickness in metres", REQUIRED));
    TRY(node_number(&e->density, &own, "density", POSITIVE, "density in kg/m^3", REQUIRED));
    TRY(node_choice(&e->law, &own, "law", laws));
    TRY(node_number(&e->damping, &own, "damping", NOT_NEGATIVE, "rate in 1/s", OPTIONAL));
    TRY(node_number(&e->stiffness_damping, &own, "stiffness_damping", NOT_NEGATIVE, "time in seconds", OPTIONAL));
    TRY(node_number(&e->friction, &own, "friction", NOT_NEGATIVE, "coefficient of friction", OPTIONAL));
    TRY(node_number(&e->spacing, &own, "spacing", POSITIVE, "length in metres", OPTIONAL));
    if (e->thickness > n->reader->scene->dx)
        return node_fail(&own, "thickness", "expected a cell, %g m, at most: a sheet is thin beside what flows around it; got %g",
                         n->reader->scene->dx, e->thickness);
    node_close(&own);
    return MN_OK;
}

static mn_status read_pin(SceneSheets* s, SceneSheet* sheet, const Node* pin)
{
    Shape* shape = NULL;
    int count = 0;
    mn_status status = shape_read(&shape, pin, NULL);
    if (status == MN_OK) status = shape_prepare(shape, pin->reader->scene->dx);
    for (int v = sheet->first_vertex; v < sheet->first_vertex + sheet->vertices && status == MN_OK; v++)
        if (shape_distance(shape, s->x + 3*(ptrdiff_t)v) <= 0) s->held[v] = 1, count++;
    shape_free(shape);
    TRY(status);
    if (count == 0) return node_fail(pin, NULL, "holds no vertex of the sheet: all of them are outside");
    sheet->elastic.pinned += count;
    return MN_OK;
}

mn_status elastic_read_pins(SceneSheets* s, SceneSheet* sheet, const Node* n)
{
    Node own, list;
    bool present;
    int count;
    if (!sheet->is_elastic) return MN_OK;
    TRY(open_elastic(&own, &present, n));
    TRY(node_open(&list, &present, &own, "pins", "a list of shapes, { sphere { ... }, box { ... } }"));
    if (present) {
        TRY(node_check_keys(&list, NULL, NULL, true));
        TRY(node_count(&count, &list, MAX_THINGS));
        for (int m = 0; m < count; m++) {
            Node pin;
            TRY(node_open_entry(&pin, &list, m + 1, "a shape"));
            TRY(read_pin(s, sheet, &pin));
            node_close(&pin);
        }
        node_close(&list);
    }
    node_close(&own);
    return MN_OK;
}
