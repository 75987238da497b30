// Surfaces as OBJ and PLY, read back with our own readers.
#include "tank_files.h"
#include "output/obj.h"
#include "output/ply.h"
#include "scene/mesh.h"

static void test_obj(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w, scene_3d);
    SurfaceMesh mesh = surface_of(&w.sim);
    Layers layers = {0};
    TriMesh back;
    CHECK_OK(obj_write(in("a.obj"), surface_layer(&layers, &w.sim)));
    CHECK_OK(mesh_read(&back, in("a.obj")));
    assert_int_equal(back.vertex_count, mesh.vertex_count);
    assert_int_equal(back.triangle_count, mesh.face_count);
    for (int i = 0; i < mesh.vertex_count; i++)
        for (int d = 0; d < 3; d++) CHECK_CLOSE(back.vertices[i][d], mesh.position[i][d], 1e-7);
    int next = 0;  // free faces come first, each kind in its order
    for (int kind = 0; kind < 2; kind++)
        for (int f = 0; f < mesh.face_count; f++) {
            if (mesh.kind[f] != kind) continue;
            for (int c = 0; c < 3; c++) assert_int_equal(back.triangles[next][c], mesh.face[3*f + c]);
            next++;
        }
    assert_int_equal(next, mesh.face_count);
    mesh_free(&back);
    layers_free(&layers);
    surfacemesh_free(&mesh);
    tank_run_free(&w);
}

static void check_same_layer(const Layer* a, const Layer* b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->points, b->points);
    assert_int_equal(a->elements, b->elements);
    assert_int_equal(a->attributes, b->attributes);
    assert_memory_equal(a->position, b->position, 12*(size_t)a->points);
    assert_memory_equal(a->element, b->element, 4*(size_t)a->kind*(size_t)a->elements);
    for (int m = 0; m < a->attributes; m++) {
        const Attribute *p = &a->attribute[m], *q = &b->attribute[m];
        assert_string_equal(p->name, q->name);
        assert_true(p->type == q->type && p->site == q->site);
        size_t bytes = 4*(size_t)attribute_lanes(p->type)*(size_t)(p->site == ON_POINTS ? a->points : a->elements);
        assert_memory_equal(p->whole ? (void*)p->whole : (void*)p->real, q->whole ? (void*)q->whole : (void*)q->real, bytes);
    }
}

static void test_ply(void** state)
{
    (void)state;
    const char* scenes[2] = {scene_2d, scene_3d};
    for (int s = 0; s < 2; s++) {
        TankRun w;
        tank_run_make(&w, scenes[s]);
        Layers layers = {0};
        Layer *mesh = surface_layer(&layers, &w.sim), back;
        CHECK_OK(ply_write(in("a.ply"), mesh));
        CHECK_OK(ply_read(&back, "surface", in("a.ply")));
        check_same_layer(&back, mesh);
        layer_free(&back);
        layers_free(&layers);
        tank_run_free(&w);
    }
}

// Any layer comes back as it was: points, curves and meshes with attributes of all types on points and elements.
static void test_any_layer(void** state)
{
    (void)state;
    for (LayerKind kind = LAYER_POINTS; kind <= LAYER_TRIANGLES; kind++) {
        Layer layer, back;
        CHECK_OK(layer_init(&layer, "rod_1", kind, 4, kind == LAYER_POINTS ? 0 : 2));
        for (int i = 0; i < 12; i++) layer.position[i] = 0.1f*(float)i;
        for (int c = 0; c < (int)kind*layer.elements; c++) layer.element[c] = c%4;
        for (int site = ON_POINTS; site <= (kind == LAYER_POINTS ? ON_POINTS : ON_ELEMENTS); site++) {
            const char* const names[3] = {site ? "bend" : "radius", site ? "force" : "velocity", site ? "kind" : "sheet"};
            int count = site == ON_POINTS ? 4 : 2;
            Attribute* real = layer_attribute(&layer, names[0], ATTRIBUTE_REAL, (AttributeSite)site);
            Attribute* vector = layer_attribute(&layer, names[1], ATTRIBUTE_VECTOR, (AttributeSite)site);
            Attribute* whole = layer_attribute(&layer, names[2], ATTRIBUTE_WHOLE, (AttributeSite)site);
            for (int i = 0; i < count; i++) real->real[i] = 1.5f*(float)i, whole->whole[i] = -7*i;
            for (int i = 0; i < 3*count; i++) vector->real[i] = (float)i - 2;
        }
        CHECK_OK(ply_write(in("a.ply"), &layer));
        CHECK_OK(ply_read(&back, "rod_1", in("a.ply")));
        assert_true(layer_is_valid(&back));
        check_same_layer(&back, &layer);
        layer_free(&back);
        layer_free(&layer);
    }
}

// The bounds of the tables are those of the surface that files hold, also where it ends in a tip that is thinner than a cell:
// other programs are tested against the tables.
static void test_bounds_are_those_of_the_mesh(void** state)
{
    (void)state;
    const char* scenes[2] = {
        scene_3d, "return scene { domain = { size = { mm(12, 10, 8) }, cells = 24 }, frames = { rate = 100, count = 1 },"
                  "  liquids = { ellipsoid { center = { mm(6.1, 5.2, 4.1) }, radii = { mm(1, 3.7, 1) } } } }"};
    for (int s = 0; s < 2; s++) {
        TankRun w;
        tank_run_make(&w, scenes[s]);
        for (int m = 0; m < w.sim.world.liquid_count; m++) {
            SurfaceMesh mesh = {.corners = 3};
            const Liquid* q = &w.sim.world.liquid[m];
            CHECK_OK(
                marching_add(&mesh, &(MarchingInput){.w = &q->w, .phi = q->phi.v, .solid = liquid_solid(q), .owner = q->id}));
            LiquidState is = liquid_state(q, &w.sim.scratch);
            for (int d = 0; d < 3; d++) {
                double low = INFINITY, high = -INFINITY;
                for (int i = 0; i < mesh.vertex_count; i++)
                    low = fmin(low, mesh.position[i][d]), high = fmax(high, mesh.position[i][d]);
                CHECK_WITHIN(is.low[d], low, 1e-6*q->w.dx);
                CHECK_WITHIN(is.high[d], high, 1e-6*q->w.dx);
            }
            surfacemesh_free(&mesh);
        }
        tank_run_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_obj),
        IN_FOLDER(test_ply),
        IN_FOLDER(test_any_layer),
        cmocka_unit_test(test_bounds_are_those_of_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
