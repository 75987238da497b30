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
    TriMesh back;
    CHECK_OK(obj_write(in("a.obj"), &mesh));
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
    surfacemesh_free(&mesh);
    tank_run_free(&w);
}

static void test_ply(void** state)
{
    (void)state;
    const char* scenes[2] = {scene_2d, scene_3d};
    for (int s = 0; s < 2; s++) {
        TankRun w;
        tank_run_make(&w, scenes[s]);
        SurfaceMesh mesh = surface_of(&w.sim), back;
        CHECK_OK(ply_write_mesh(in("a.ply"), &mesh));
        CHECK_OK(ply_read_mesh(&back, in("a.ply"), mesh.corners));
        assert_int_equal(back.vertex_count, mesh.vertex_count);
        assert_int_equal(back.face_count, mesh.face_count);
        assert_memory_equal(back.face, mesh.face, sizeof *mesh.face*(size_t)(mesh.corners*mesh.face_count));
        assert_memory_equal(back.kind, mesh.kind, (size_t)mesh.face_count);
        assert_memory_equal(back.owner, mesh.owner, sizeof *mesh.owner*(size_t)mesh.vertex_count);
        for (int i = 0; i < mesh.vertex_count; i++)
            for (int d = 0; d < 3; d++) {
                assert_true((float)back.position[i][d] == (float)mesh.position[i][d]);
                assert_true((float)back.velocity[i][d] == (float)mesh.velocity[i][d]);
                assert_true((float)back.normal[i][d] == (float)mesh.normal[i][d]);
            }
        surfacemesh_free(&back);
        assert_int_equal(ply_read_mesh(&back, in("a.ply"), 5 - mesh.corners), MN_IO);
        surfacemesh_free(&mesh);
        tank_run_free(&w);
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
        cmocka_unit_test(test_bounds_are_those_of_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
