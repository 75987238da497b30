// Elastic sheets in scenes: what is read, what every wrong one says, their meshes, and the same bytes from any number of threads.
#include <omp.h>
#include "scene_text.h"

#include "base/vec.h"
#include "scene/scene_sim.h"
#include "thin/sheet_partner.h"

#define CURVE "curve { points = { { 0.31, 0.5 }, { 1.71, 0.5 } }, elastic = "
#define STUFF "young = 1e6, thickness = 1e-3, density = 1000"
#define POOL "pool { depth = 0.1 }"

static void bad(const char* sheets, mn_status status, const char* part) { bad_list("sheets", BOX2, sheets, status, part); }

static void test_wrong_values(void** state)
{
    (void)state;
    bad(CURVE "3 }", MN_BAD_SCENE, "sheets[1].elastic: expected a table");
    bad(CURVE "{ thickness = 1e-3, density = 1000 } }", MN_BAD_SCENE, "elastic.young: missing");
    bad(CURVE "{ young = 0/0, thickness = 1e-3, density = 1000 } }", MN_BAD_SCENE, "elastic.young: ");
    bad(CURVE "{ young = 1/0, thickness = 1e-3, density = 1000 } }", MN_BAD_SCENE, "elastic.young: ");
    bad(CURVE "{ young = 1e6, thickness = -1, density = 1000 } }", MN_BAD_SCENE, "elastic.thickness: ");
    bad(CURVE "{ young = 1e6, thickness = 0.5, density = 1000 } }", MN_BAD_SCENE, "elastic.thickness: expected a cell");
    bad(CURVE "{ " STUFF ", poisson = 0.5 } }", MN_BAD_SCENE, "elastic.poisson: expected 0 to 0.49, got 0.5");
    bad(CURVE "{ " STUFF ", law = \"hooke\" } }", MN_BAD_SCENE, "elastic.law: ");
    bad(CURVE "{ " STUFF ", yung = 1 } }", MN_BAD_SCENE, "elastic.yung: unknown key");
    bad(CURVE "{ " STUFF ", pins = { sphere { center = { 1, 0.9 }, radius = 0.1 } } } }", MN_BAD_SCENE,
        "elastic.pins[1]: holds no vertex of the sheet");
    bad(CURVE "{ " STUFF " }, position = function(t) return { t, 0 } end }", MN_UNSUPPORTED, "moves by forces");
    bad("arc { center = { 1, 0.5 }, radius = 0.2, elastic = { " STUFF " } }", MN_UNSUPPORTED,
        "closed curves are not elastic yet");
    bad(CURVE "{ " STUFF " } }, curve { points = { { 0.31, 0.9 }, { 1.71, 0.9 } }, elastic = { " STUFF ", friction = 1 } }",
        MN_UNSUPPORTED, "one damping and one friction in common");
}

// Meshes of built-in forms have the form's area, and edges of about a cell.
static void test_meshes(void** state)
{
    (void)state;
    static const struct {
        const char* sheet;
        double area;
    } form[] = {{"rectangle { corner = { 0.11, 0.5, 0.12 }, along = { 0, 0, 0.7 }, across = { 0.8, 0, 0 }, elastic = { " STUFF
                 " } }",
                 0.56},
                {"disc { center = { 0.5, 0.51, 0.5 }, radius = 0.4, elastic = { " STUFF " } }", PI*0.16}};
    for (int m = 0; m < 2; m++) {
        Scene s;
        char text[400];
        SheetMeasure size;
        snprintf(text, sizeof text, "sheets = { %s }", form[m].sheet);
        CHECK_OK(load_parts(&s, BOX3, POOL, text));
        sheet_measure(&size, &s.sheets, 0);
        CHECK_CLOSE(size.area, form[m].area, 0.01);
        for (int e = 0; e < s.sheets.surface.elements; e++)
            for (int c = 0; c < 3; c++) {
                double edge[3];
                const int* v = s.sheets.surface.element + 3*e;
                vec_sub(edge, s.sheets.x + 3*v[c], s.sheets.x + 3*v[(c + 1)%3]);
                CHECK_LESS(vec_norm(edge), 1.5*s.dx);
                CHECK_LESS(0.4*s.dx, vec_norm(edge));
            }
        scene_free(&s);
    }
}

static uint64_t run(int threads, double* lowest)
{
    Scene s;
    Sim sim;
    int had = omp_get_max_threads();
    omp_set_num_threads(threads);
    CHECK_OK(
        load_parts(&s, BOX2, "sphere { center = { 1.02, 0.65 }, radius = 0.12 }",
                   "sheets = { " CURVE "{ " STUFF ", pins = { sphere { center = { 0.31, 0.5 }, radius = 0.01 },"
                   " sphere { center = { 1.71, 0.5 }, radius = 0.01 } } } }, curve { points = { { 0.7, 0.2 }, { 1.3, 0.2 } },"
                   " name = \"below\" } }"));
    CHECK_OK(scene_build(&sim, &s));
    CHECK_OK(sim_start(&sim));
    for (int n = 0; n < 12; n++) CHECK_OK(sim_step(&sim, 0.02));
    uint64_t hash = world_hash(&sim.world, &sim.model.tank);
    const SheetPartner* p = sheet_partner_of(&sim.world);
    *lowest = INFINITY;
    for (int v = 0; v < p->mesh.vertices; v++)
        if (p->elastic[v]) *lowest = fmin(*lowest, p->mesh.x[3*v + 1]);
    assert_int_equal(p->elastic[p->mesh.vertices - 1], 0);
    sim_free(&sim), scene_free(&s);
    omp_set_num_threads(had);
    return hash;
}

// A drop pushes a sheet down towards another one that stands still.
static void test_threads(void** state)
{
    (void)state;
    double lowest[2];
    uint64_t one = run(1, &lowest[0]), two = run(2, &lowest[1]);
    print_message("lowest %.3f m\n", lowest[0]);
    assert_true(one == two);
    CHECK_LESS(lowest[0], 0.49);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_values), cmocka_unit_test(test_meshes),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
