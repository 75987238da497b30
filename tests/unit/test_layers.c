// Layers of a frame and columns of a table: the two lists that everybody fills who has something to show or to tell.
#include "check.h"
#include <string.h>
#include "base/columns.h"
#include "base/layers.h"

// A triangle with a velocity on its points and a kind on itself.
static Layer* add_triangle(Layers* l, const char* name)
{
    Layer* layer = layers_add(l, name, LAYER_TRIANGLES, 3, 1);
    assert_non_null(layer);
    for (int c = 0; c < 3; c++) layer->element[c] = c, layer->position[3*c + c] = 1;
    Attribute* velocity = layer_attribute(layer, "velocity", ATTRIBUTE_VECTOR, ON_POINTS);
    Attribute* kind = layer_attribute(layer, "kind", ATTRIBUTE_WHOLE, ON_ELEMENTS);
    assert_true(velocity && kind);
    for (int i = 0; i < 9; i++) velocity->real[i] = (float)i;
    kind->whole[0] = 7;
    return layer;
}

// Layers stay where they are while others are added, and are found by name.
static void test_layers_are_found_by_name(void** state)
{
    (void)state;
    Layers l = {0};
    Layer* first = add_triangle(&l, "surface");
    for (int m = 0; m < 20; m++) {
        char name[24];
        snprintf(name, sizeof name, "solid_%d", m);
        add_triangle(&l, name);
    }
    assert_ptr_equal(layers_find(&l, "surface"), first);
    assert_string_equal(layers_find(&l, "solid_13")->name, "solid_13");
    assert_null(layers_find(&l, "spray"));
    assert_true(layers_is_valid(&l));
    layers_free(&l);
    assert_int_equal(l.count, 0);
}

// An attribute is made once, with zeros; the second call finds it with its values.
static void test_attributes_are_made_once(void** state)
{
    (void)state;
    Layers l = {0};
    Layer* layer = layers_add(&l, "drops", LAYER_POINTS, 4, 0);
    Attribute* radius = layer_attribute(layer, "radius", ATTRIBUTE_REAL, ON_POINTS);
    assert_true(radius->real[0] == 0 && radius->real[3] == 0);
    radius->real[2] = 0.5f;
    assert_ptr_equal(layer_attribute(layer, "radius", ATTRIBUTE_REAL, ON_POINTS), radius);
    CHECK_CLOSE(layer_reals(layer, "radius")[2], 0.5, 0);
    assert_null(layer_reals(layer, "thickness"));
    assert_null(layer_wholes(layer, "radius", ON_POINTS));
    char name[24];
    for (int m = 1; m < LAYER_ATTRIBUTES; m++) {
        snprintf(name, sizeof name, "a%d", m);
        assert_non_null(layer_attribute(layer, name, ATTRIBUTE_WHOLE, ON_POINTS));
    }
    assert_null(layer_attribute(layer, "more", ATTRIBUTE_WHOLE, ON_POINTS));
    layers_free(&l);
}

// A layer that grows keeps what it has, and what is new is zero; one that shrinks and grows again has zeros there too.
static void test_layer_resize(void** state)
{
    (void)state;
    Layers l = {0};
    Layer* layer = add_triangle(&l, "surface");
    CHECK_OK(layer_resize(layer, 6, 2));
    const float* v = layer_reals(layer, "velocity");
    assert_true(v[8] == 8 && v[9] == 0 && v[17] == 0);
    assert_true(layer->position[8] == 1 && layer->position[9] == 0 && layer->element[5] == 0);
    assert_true(layer_wholes(layer, "kind", ON_ELEMENTS)[0] == 7 && layer_wholes(layer, "kind", ON_ELEMENTS)[1] == 0);
    CHECK_OK(layer_resize(layer, 1, 0));
    CHECK_OK(layer_resize(layer, 3, 1));
    v = layer_reals(layer, "velocity");
    assert_true(v[2] == 2 && v[3] == 0 && v[8] == 0 && layer->element[2] == 0);
    assert_true(layers_is_valid(&l));
    layers_free(&l);
}

// Each fault that the check must see, planted alone.
static void test_faults_are_seen(void** state)
{
    (void)state;
    Layers l = {0};
    Layer *a = add_triangle(&l, "a"), *b = add_triangle(&l, "b");
    a->element[1] = 3;
    assert_false(layers_is_valid(&l));
    a->element[1] = -1;
    assert_false(layers_is_valid(&l));
    a->element[1] = 1;
    a->position[4] = NAN;
    assert_false(layers_is_valid(&l));
    a->position[4] = 1;
    strcpy(b->name, "a");
    assert_false(layers_is_valid(&l));
    strcpy(b->name, "b");
    strcpy(b->attribute[1].name, "velocity");
    assert_false(layers_is_valid(&l));
    strcpy(b->attribute[1].name, "kind");
    b->kind = LAYER_POINTS;
    assert_false(layers_is_valid(&l));
    b->kind = LAYER_TRIANGLES;
    assert_true(layers_is_valid(&l));
    layers_free(&l);
}

// Columns keep their order, their names and whether they are integers.
static void test_columns(void** state)
{
    (void)state;
    Columns c = {0};
    for (int row = 0; row < 2; row++) {
        columns_clear(&c);
        columns_whole(&c, "step", 1L << 60 | 1);
        columns_real(&c, "probe.x", 0.1);
        columns_rough(&c, "wall_time", 3);
        for (int m = 0; m < 40; m++) {
            char name[24];
            snprintf(name, sizeof name, "more_%d", m);
            columns_whole(&c, name, m);
        }
    }
    assert_int_equal(c.count, 43);
    assert_true(columns_is_valid(&c));
    assert_true(columns_find(&c, "step")->whole == (1L << 60 | 1) && c.column[0].form == COLUMN_WHOLE);
    assert_true(columns_find(&c, "probe.x")->real == 0.1 && c.column[1].form == COLUMN_REAL);
    assert_null(columns_find(&c, "none"));
    columns_whole(&c, "step", 0);
    assert_false(columns_is_valid(&c));
    columns_clear(&c);
    columns_whole(&c, "a,b", 0);
    assert_false(columns_is_valid(&c));
    columns_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers_are_found_by_name),
        cmocka_unit_test(test_attributes_are_made_once),
        cmocka_unit_test(test_layer_resize),
        cmocka_unit_test(test_faults_are_seen),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
