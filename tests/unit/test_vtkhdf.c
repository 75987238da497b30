// VTKHDF files, read back with the library of HDF5.
#include "tank_files.h"
#include "output/files.h"
#include "output/h5io.h"
#include "output/vtkhdf.h"

static void open_hdf(H5Io* io, Bytes* file, const char* name, const char* type)
{
    CHECK_OK(file_read(file, in(name)));
    assert_true(h5io_open(io, file));
    h5io_enter(io, "VTKHDF", false);
    assert_string_equal(io->wrong, "");
    char text[32] = "";
    hid_t attribute = H5Aopen(io->group, "Type", H5P_DEFAULT), kind = H5Aget_type(attribute);
    assert_true(H5Tget_size(kind) < sizeof text && H5Aread(attribute, kind, text) >= 0);
    assert_string_equal(text, type);
    H5Tclose(kind);
    H5Aclose(attribute);
}

static void read_attribute(void* out, const H5Io* io, const char* name, hid_t type)
{
    hid_t attribute = H5Aopen(io->group, name, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Aread(attribute, type, out) >= 0);
    H5Aclose(attribute);
}

static void close_hdf(H5Io* io, Bytes* file)
{
    if (io->wrong[0]) fail_msg("%s", io->wrong);
    h5io_close(io);
    bytes_free(file);
}

static void test_vtkhdf_volume(void** state)
{
    (void)state;
    const char* scenes[2] = {scene_2d, scene_3d};
    for (int s = 0; s < 2; s++) {
        TankRun w;
        tank_run_make(&w, scenes[s]);
        Volume v;
        CHECK_OK(sim_step(&w.sim, 1e-4));
        CHECK_OK(volume_make(&v, &w.sim));
        CHECK_OK(vtkhdf_write_volume(in("v.hdf"), &v));
        H5Io io;
        Bytes file;
        int64_t extent[6];
        double spacing[3];
        open_hdf(&io, &file, "v.hdf", "ImageData");
        read_attribute(extent, &io, "WholeExtent", H5T_NATIVE_INT64);
        read_attribute(spacing, &io, "Spacing", H5T_NATIVE_DOUBLE);
        for (int d = 0; d < 3; d++) {
            assert_int_equal(extent[2*d], 0);
            assert_int_equal(extent[2*d + 1], w.scene.cells[d]);  // 2D: a slab of one cell
            CHECK_CLOSE(spacing[d], v.dx, 1e-15);
        }
        size_t nodes = (size_t)v.nodes[0]*(size_t)v.nodes[1]*(size_t)v.nodes[2];
        size_t all = v.dim == 2 ? 2*nodes : nodes;
        float *phi = malloc(all*4), *u = malloc(all*12), *p = malloc(all*4);
        hsize_t at[4] = {v.dim == 2 ? 2 : (hsize_t)v.nodes[2], (hsize_t)v.nodes[1], (hsize_t)v.nodes[0], 3};
        h5io_enter(&io, "VTKHDF/PointData", false);
        h5io_get(phi, &io, "phi", H5IO_FLOAT, 3, at);
        h5io_get(u, &io, "u", H5IO_FLOAT, 4, at);
        h5io_get(p, &io, "p", H5IO_FLOAT, 3, at);
        close_hdf(&io, &file);
        assert_memory_equal(phi, v.phi, nodes*4);
        assert_memory_equal(u, v.u, nodes*12);
        assert_memory_equal(p, v.p, nodes*4);
        if (v.dim == 2) assert_memory_equal(u + 3*nodes, v.u, nodes*12);
        // far from the solids the pool is 3 mm deep, and its pressure is rho g depth
        int i = v.nodes[0] - 2, k = v.nodes[2]/2;
        for (int j = 4; j <= 8; j++) CHECK_WITHIN(phi[volume_node(&v, i, j, k)], j*v.dx - 3e-3, 1e-5);
        for (int j = 1; j < 5 && v.dim == 2; j++)
            CHECK_CLOSE(p[volume_node(&v, i, j, k)], 998.2*9.81*(3e-3 - j*v.dx), 0.01);
        free(phi), free(u), free(p);
        volume_free(&v);
        tank_run_free(&w);
    }
}

static void test_vtkhdf_surface(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w, scene_3d);
    SurfaceMesh mesh = surface_of(&w.sim);
    Layers layers = {0};
    const Layer* layer = surface_layer(&layers, &w.sim);
    CHECK_OK(vtkhdf_write_mesh(in("s.hdf"), layer));
    H5Io io;
    Bytes file;
    hsize_t vertices = (hsize_t)mesh.vertex_count, faces = (hsize_t)mesh.face_count, ends = 3*faces;
    float* x = malloc(12*vertices);
    int64_t *corner = malloc(8*ends), *offset = malloc(8*(faces + 1)), count;
    unsigned char* type = malloc(faces);
    open_hdf(&io, &file, "s.hdf", "UnstructuredGrid");
    count = h5io_get_integer(&io, "NumberOfPoints", 0, INT64_MAX);
    assert_int_equal(count, mesh.vertex_count);
    h5io_get(x, &io, "Points", H5IO_FLOAT, 2, (hsize_t[2]){vertices, 3});
    h5io_get(corner, &io, "Connectivity", H5IO_INT, 1, &ends);
    h5io_get(offset, &io, "Offsets", H5IO_INT, 1, (hsize_t[1]){faces + 1});
    h5io_get(type, &io, "Types", H5IO_BYTE, 1, &faces);
    for (hsize_t i = 0; i < 3*vertices; i++) assert_true(x[i] == (float)mesh.position[i/3][i%3]);
    for (hsize_t i = 0; i < ends; i++) assert_int_equal(corner[i], mesh.face[i]);
    for (hsize_t f = 0; f < faces; f++) assert_true(offset[f] == 3*(int64_t)f && type[f] == 5);
    assert_int_equal(offset[faces], ends);
    h5io_enter(&io, "VTKHDF/PointData", false);
    h5io_get(x, &io, "velocity", H5IO_FLOAT, 2, (hsize_t[2]){vertices, 3});
    for (hsize_t i = 0; i < 3*vertices; i++) assert_true(x[i] == (float)mesh.velocity[i/3][i%3]);
    h5io_enter(&io, "VTKHDF/CellData", false);
    h5io_get(type, &io, "kind", H5IO_BYTE, 1, &faces);
    assert_memory_equal(type, mesh.kind, faces);
    close_hdf(&io, &file);
    free(x), free(corner), free(offset), free(type);
    surfacemesh_free(&mesh);
    mesh = (SurfaceMesh){.corners = 3};  // a tank that has run dry
    layer = frame_add_mesh(&layers, "dry", &mesh);
    CHECK_OK(vtkhdf_write_mesh(in("s.hdf"), layer));
    open_hdf(&io, &file, "s.hdf", "UnstructuredGrid");
    assert_int_equal(h5io_get_integer(&io, "NumberOfCells", -1, INT64_MAX), 0);
    close_hdf(&io, &file);
    layers_free(&layers);
    tank_run_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_vtkhdf_volume),
        IN_FOLDER(test_vtkhdf_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
