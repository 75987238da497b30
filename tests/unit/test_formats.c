// Files for other programs, read back: OBJ with our own reader, HDF5 with its library, VDB and USD with small readers here.
#include "basin.h"
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>
#include "output/files.h"
#include "output/formats.h"
#include "output/h5io.h"
#include "output/obj.h"
#include "output/output.h"
#include "output/ply.h"
#include "output/vdb.h"
#include "output/vtkhdf.h"
#include "scene/mesh.h"
#include "scene/scene_sim.h"

static char dir[64];

static int make_directory(void** state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/meniscus_test_XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_directory(void** state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", dir);
    return system(command);
}

static const char* in_dir(const char* name)
{
    static char path[4][PATH_ROOM];
    static int turn;
    turn = (turn + 1)%4;
    snprintf(path[turn], PATH_ROOM, "%s/%s", dir, name);
    return path[turn];
}

static bool exists(const char* name) { return access(in_dir(name), F_OK) == 0; }

// ---- a tank with two liquids and two solids --------------------------------------------------------------------------------

static const char scene_3d[] =
    "return scene { title = 'Files', domain = { size = { mm(12), mm(10), mm(8) }, cells = 24 }, frames = { rate = 400, count = 2 "
    "},"
    "  liquids = { pool { depth = mm(3) }, sphere { center = { mm(6, 7, 4) }, radius = mm(1.5), velocity = { 0, -0.5, 0 } } },"
    "  solids = { sphere { name = 'still one', center = { mm(2, 3, 4) }, radius = mm(1.2) },"
    "             box { name = 'mover', center = { mm(9, 3, 4) }, size = { mm(2, 2, 2) }, position = function(t) return -t, 0, 0 "
    "end } },"
    "  output = { formats = { 'obj', 'usda', 'vtkhdf', 'vdb' } } }";
static const char scene_2d[] =
    "return scene { domain = { size = { mm(12), mm(10) }, cells = 24 }, frames = { rate = 400, count = 2 },"
    "  liquids = { pool { depth = mm(3) } }, output = { formats = { 'ply', 'obj', 'vtkhdf' } } }";

typedef struct World {
    Scene scene;
    Sim sim;
} World;

// The simulation keeps the address of the scene.
static void world_make(World* w, const char* text)
{
    CHECK_OK(scene_load_text(&w->scene, "test.lua", text));
    CHECK_OK(scene_build(&w->sim, &w->scene));
    CHECK_OK(sim_start(&w->sim));
}

static void world_free(World* w)
{
    sim_free(&w->sim);
    scene_free(&w->scene);
}

static SurfaceMesh surface_of(const Sim* sim)
{
    SurfaceMesh mesh = {.corners = sim->tank.dim};
    for (int m = 0; m < sim->liquid_count; m++) {
        const Liquid* q = &sim->liquid[m];
        double* const u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
        CHECK_OK(
            marching_add(&mesh, &(MarchingInput){.w = &q->w, .phi = q->phi.v, .solid = liquid_solid(q), .u = u, .owner = q->id}));
    }
    assert_true(mesh.vertex_count > 100 || mesh.corners == 2);
    return mesh;
}

// ---- meshes ----------------------------------------------------------------------------------------------------------------

static void test_obj(void** state)
{
    (void)state;
    World w;
    world_make(&w, scene_3d);
    SurfaceMesh mesh = surface_of(&w.sim);
    TriMesh back;
    CHECK_OK(obj_write(in_dir("a.obj"), &mesh));
    CHECK_OK(mesh_read(&back, in_dir("a.obj")));
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
    world_free(&w);
}

// The bounds of the tables are those of the surface that files hold, also where it ends in a tip that is thinner than a cell:
// other programs are tested against the tables.
static void test_bounds_are_those_of_the_mesh(void** state)
{
    (void)state;
    const char* scenes[2] = {scene_3d,
                             "return scene { domain = { size = { mm(12, 10, 8) }, cells = 24 }, frames = { rate = 100, count = 1 },"
                             "  liquids = { ellipsoid { center = { mm(6.1, 5.2, 4.1) }, radii = { mm(1, 3.7, 1) } } } }"};
    for (int s = 0; s < 2; s++) {
        World w;
        world_make(&w, scenes[s]);
        for (int m = 0; m < w.sim.liquid_count; m++) {
            SurfaceMesh mesh = {.corners = 3};
            const Liquid* q = &w.sim.liquid[m];
            CHECK_OK(marching_add(&mesh, &(MarchingInput){.w = &q->w, .phi = q->phi.v, .solid = liquid_solid(q), .owner = q->id}));
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
        world_free(&w);
    }
}

static void test_ply(void** state)
{
    (void)state;
    const char* scenes[2] = {scene_2d, scene_3d};
    for (int s = 0; s < 2; s++) {
        World w;
        world_make(&w, scenes[s]);
        SurfaceMesh mesh = surface_of(&w.sim), back;
        CHECK_OK(ply_write_mesh(in_dir("a.ply"), &mesh));
        CHECK_OK(ply_read_mesh(&back, in_dir("a.ply"), mesh.corners));
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
        assert_int_equal(ply_read_mesh(&back, in_dir("a.ply"), 5 - mesh.corners), MN_IO);
        surfacemesh_free(&mesh);
        world_free(&w);
    }
}

// ---- HDF5 ------------------------------------------------------------------------------------------------------------------

static void open_hdf(H5Io* io, Bytes* file, const char* name, const char* type)
{
    CHECK_OK(file_read(file, in_dir(name)));
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
        World w;
        world_make(&w, scenes[s]);
        Volume v;
        CHECK_OK(sim_step(&w.sim, 1e-4));
        CHECK_OK(volume_make(&v, &w.sim));
        CHECK_OK(vtkhdf_write_volume(in_dir("v.hdf"), &v));
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
        world_free(&w);
    }
}

static void test_vtkhdf_surface(void** state)
{
    (void)state;
    World w;
    world_make(&w, scene_3d);
    SurfaceMesh mesh = surface_of(&w.sim);
    CHECK_OK(vtkhdf_write_surface(in_dir("s.hdf"), &mesh));
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
    CHECK_OK(vtkhdf_write_surface(in_dir("s.hdf"), &mesh));
    open_hdf(&io, &file, "s.hdf", "UnstructuredGrid");
    assert_int_equal(h5io_get_integer(&io, "NumberOfCells", -1, INT64_MAX), 0);
    close_hdf(&io, &file);
    world_free(&w);
}

// ---- VDB -------------------------------------------------------------------------------------------------------------------

typedef struct Reader {
    const char* data;
    size_t size, at;
} Reader;

static void take(void* out, Reader* r, size_t size)
{
    if (size > r->size - r->at) fail_msg("the file ends at %zu, asked for %zu more at %zu", r->size, size, r->at);
    memcpy(out, r->data + r->at, size);
    r->at += size;
}

static uint32_t take_word(Reader* r)
{
    uint32_t v;
    take(&v, r, 4);
    return v;
}

static void take_text(char out[64], Reader* r)
{
    uint32_t length = take_word(r);
    assert_true(length < 64);
    take(out, r, length);
    out[length] = 0;
}

static void take_values(float* out, Reader* r, size_t count)
{
    char how;
    int64_t length;
    take(&how, r, 1);
    assert_int_equal(how, 6);
    take(&length, r, 8);
    if (length < 0) {
        assert_int_equal(-length, count*4);
        take(out, r, count*4);
        return;
    }
    uLongf size = count*4;
    assert_true((size_t)length <= r->size - r->at);
    assert_int_equal(uncompress((Bytef*)out, &size, (const Bytef*)r->data + r->at, (uLong)length), Z_OK);
    assert_int_equal(size, count*4);
    r->at += (size_t)length;
}

// The values of a grid in a box around the tank, filled from tiles and leaves.
typedef struct Dense {
    int low, n[3], components;
    float* value;
    char* active;
    int (*leaf)[3];
    int leaves;
} Dense;

static void dense_fill(Dense* g, const int origin[3], int size, const float* value)
{
    for (int i = maxi(origin[0], g->low); i < mini(origin[0] + size, g->low + g->n[0]); i++)
        for (int j = maxi(origin[1], g->low); j < mini(origin[1] + size, g->low + g->n[1]); j++)
            for (int k = maxi(origin[2], g->low); k < mini(origin[2] + size, g->low + g->n[2]); k++)
                memcpy(g->value + g->components*(((i - g->low)*g->n[1] + j - g->low)*g->n[2] + k - g->low), value,
                       4*(size_t)g->components);
}

static void read_node(Dense* g, Reader* r, const int origin[3], int level)
{
    static const int log2_children[3] = {3, 4, 5}, log2_voxels[3] = {3, 7, 12};
    if (level == 0) {
        r->at += 64;  // the mask comes again with the values
        memcpy(g->leaf[g->leaves++], origin, sizeof *g->leaf);
        return;
    }
    int side = log2_children[level], count = 1 << 3*side, step = 1 << log2_voxels[level - 1];
    uint64_t *child = malloc((size_t)count/8), *active = malloc((size_t)count/8);
    float* tile = malloc((size_t)count*4*(size_t)g->components);
    take(child, r, (size_t)count/8);
    take(active, r, (size_t)count/8);
    take_values(tile, r, (size_t)(count*g->components));
    for (int m = 0; m < count; m++) {
        int at[3] = {origin[0] + (m >> 2*side)*step, origin[1] + (m >> side & ((1 << side) - 1))*step,
                     origin[2] + (m & ((1 << side) - 1))*step};
        assert_false(active[m/64] >> m%64 & 1);
        if (child[m/64] >> m%64 & 1) read_node(g, r, at, level - 1);
        else dense_fill(g, at, step, tile + m*g->components);
    }
    free(child), free(active), free(tile);
}

static void read_leaves(Dense* g, Reader* r)
{
    float value[3*512];
    for (int l = 0; l < g->leaves; l++) {
        uint64_t mask[8];
        take(mask, r, sizeof mask);
        take_values(value, r, (size_t)(512*g->components));
        for (int m = 0; m < 512; m++) {
            int at[3] = {g->leaf[l][0] + (m >> 6), g->leaf[l][1] + (m >> 3 & 7), g->leaf[l][2] + (m & 7)};
            dense_fill(g, at, 1, value + m*g->components);
            bool in = true;
            for (int d = 0; d < 3; d++) in = in && at[d] >= g->low && at[d] < g->low + g->n[d];
            if (in)
                g->active[((at[0] - g->low)*g->n[1] + at[1] - g->low)*g->n[2] + at[2] - g->low] = mask[m/64] >> m%64 & 1;
            else assert_false(mask[m/64] >> m%64 & 1);
        }
    }
}

static void dense_free(Dense* g) { free(g->value), free(g->active), free(g->leaf); }

static Dense read_grid(Reader* r, const Volume* v, const char* name, const char* type, int components)
{
    char text[64];
    int64_t place[3];
    double map[15];
    Dense g = {.low = -8, .components = components};
    take_text(text, r), assert_string_equal(text, name);
    take_text(text, r), assert_string_equal(text, type);
    take_text(text, r), assert_string_equal(text, "");
    take(place, r, sizeof place);
    assert_int_equal(place[0], r->at);
    assert_int_equal(take_word(r), 1);  // zip
    for (uint32_t count = take_word(r); count > 0; count--)
        for (int part = 0; part < 3; part++) take_text(text, r);
    take_text(text, r), assert_string_equal(text, "UniformScaleMap");
    take(map, r, sizeof map);
    for (int d = 0; d < 3; d++) CHECK_CLOSE(map[d], v->dx, 1e-15);
    assert_int_equal(take_word(r), 1);
    float background[3];
    take(background, r, 4*(size_t)components);
    size_t count = 1;
    for (int d = 0; d < 3; d++) g.n[d] = v->cells[d] + 17, count *= (size_t)g.n[d];
    g.value = malloc(count*4*(size_t)components), g.active = calloc(count, 1), g.leaf = malloc(sizeof *g.leaf*1000);
    dense_fill(&g, (int[3]){-8, -8, -8}, 1000, background);
    assert_int_equal(take_word(r), 0);  // tiles of the root
    for (uint32_t children = take_word(r); children > 0; children--) {
        int32_t key[3];
        take(key, r, sizeof key);
        read_node(&g, r, key, 2);
    }
    assert_int_equal(place[1], r->at);
    read_leaves(&g, r);
    assert_int_equal(place[2], r->at);
    return g;
}

// The level set of the file is that of the simulation in the tank, and positive outside it; inside the liquid it is minus
// its background, also where the file only has a tile. Velocities are those of the nodes.
static void test_vdb(void** state)
{
    (void)state;
    World w;
    world_make(&w, scene_3d);
    Volume v;
    CHECK_OK(volume_make(&v, &w.sim));
    CHECK_OK(vdb_write(in_dir("v.vdb"), &v));
    Bytes file;
    CHECK_OK(file_read(&file, in_dir("v.vdb")));
    Reader r = {file.data, file.size, 0};
    int64_t magic;
    char text[64], has_places;
    take(&magic, &r, 8), assert_int_equal(magic, 0x56444220);
    assert_int_equal(take_word(&r), 224);
    r.at += 8;
    take(&has_places, &r, 1), assert_int_equal(has_places, 1);
    take(text, &r, 36);
    assert_true(text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-');
    assert_int_equal(take_word(&r), 1);
    for (int part = 0; part < 3; part++) take_text(text, &r);
    assert_int_equal(take_word(&r), 2);
    Dense phi = read_grid(&r, &v, "surface", "Tree_float_5_4_3", 1), u = read_grid(&r, &v, "velocity", "Tree_vec3s_5_4_3", 3);
    assert_int_equal(r.at, r.size);
    float background = (float)(3*v.dx);
    int active = 0, inside = 0;
    for (int i = -8; i < v.cells[0] + 9; i++)
        for (int j = -8; j < v.cells[1] + 9; j++)
            for (int k = -8; k < v.cells[2] + 9; k++) {
                int m = ((i + 8)*phi.n[1] + j + 8)*phi.n[2] + k + 8;
                bool in = i > 0 && i < v.cells[0] && j > 0 && j < v.cells[1] && k > 0 && k < v.cells[2];
                int deep = mini(mini(mini(i, v.cells[0] - i), mini(j, v.cells[1] - j)),
                                mini(k, v.cells[2] - k));  // cells from the walls
                if (in) {
                    size_t node = volume_node(&v, i, j, k);
                    float expected = (float)clamp(fmax(v.phi[node], -deep*v.dx), -background, background);
                    CHECK_WITHIN(phi.value[m], expected, 1e-9);
                    if (phi.active[m])
                        for (int d = 0; d < 3; d++) assert_true(u.value[3*m + d] == v.u[node][d]);
                    inside += phi.value[m] == -background;
                } else {
                    assert_true(phi.value[m] >= 0);
                }
                assert_int_equal(phi.active[m], fabsf(phi.value[m]) < background);
                active += phi.active[m];
            }
    assert_true(active > 1000);
    print_message("%d active voxels, %d inside, %d leaves, %zu bytes\n", active, inside, phi.leaves, file.size);
    dense_free(&phi), dense_free(&u);
    bytes_free(&file);
    volume_free(&v);
    world_free(&w);
}

// A pool so deep that whole nodes lie inside it: they are tiles of minus the background.
static void test_vdb_inside_is_negative(void** state)
{
    (void)state;
    World w;
    world_make(&w, "return scene { domain = { size = { mm(40), mm(40), mm(40) }, cells = 40 }, frames = { rate = 1, count = 1 },"
                   " liquids = { pool { depth = mm(35) } } }");
    Volume v;
    CHECK_OK(volume_make(&v, &w.sim));
    CHECK_OK(vdb_write(in_dir("v.vdb"), &v));
    Bytes file;
    CHECK_OK(file_read(&file, in_dir("v.vdb")));
    Reader r = {file.data, file.size, 0};
    char text[64];
    r.at = 8 + 12 + 1 + 36 + 4;
    for (int part = 0; part < 3; part++) take_text(text, &r);
    take_word(&r);
    Dense phi = read_grid(&r, &v, "surface", "Tree_float_5_4_3", 1);
    assert_true(phi.leaves < 7*7*7 - 20);
    for (int j = 4; j < 31; j++) CHECK_CLOSE(phi.value[((20 + 8)*phi.n[1] + j + 8)*phi.n[2] + 20 + 8], -3e-3, 1e-6);
    dense_free(&phi);
    bytes_free(&file);
    volume_free(&v);
    world_free(&w);
}

// ---- a whole run -----------------------------------------------------------------------------------------------------------

static void write_run(World* w, int frames)
{
    Output* out;
    CHECK_OK(output_open(&out, dir, &w->scene, &(OutputOptions){.threads = 1}));
    for (int frame = 0; frame < frames; frame++) {
        CHECK_OK(sim_advance(&w->sim, frame/w->scene.frame_rate));
        Droplet drop = {.x = {11e-3, 9e-3, 7e-3}, .v = {0, 0.1, 0}, .volume = 1e-11, .material = w->sim.liquid[0].material};
        if (frame == 1) CHECK_OK(spray_add(&w->sim.spray, &drop));
        CHECK_OK(output_frame(out, &w->sim, frame));
    }
    CHECK_OK(output_finish(out, &w->sim, "finished"));
    output_close(out);
}

static void check_series(const char* name, const char* file, int frames, double rate)
{
    json_t* root = json_load_file(in_dir(name), 0, NULL);
    if (!root) fail_msg("%s cannot be read", name);
    const json_t* list = json_object_get(root, "files");
    assert_int_equal(json_array_size(list), frames);
    for (int frame = 0; frame < frames; frame++) {
        const json_t* entry = json_array_get(list, (size_t)frame);
        char expected[64];
        snprintf(expected, sizeof expected, file, frame);
        assert_string_equal(json_string_value(json_object_get(entry, "name")), expected);
        assert_true(exists(expected));
        assert_true(json_number_value(json_object_get(entry, "time")) == frame/rate);
    }
    json_decref(root);
}

// Numbers within [...] after each "FRAME: " of an attribute of a prim.
static long count_numbers(const char* text, const char* prim, const char* attribute, int frame)
{
    char key[64];
    const char* at = strstr(text, prim);
    assert_non_null(at);
    at = strstr(at, attribute);
    assert_non_null(at);
    snprintf(key, sizeof key, "\n            %d: [", frame);
    at = strstr(at, key);
    assert_non_null(at);
    at += strlen(key);
    long count = 0;
    while (*at != ']') {
        char* after;
        strtod(at, &after);
        if (after != at) count++;
        at = after != at ? after : at + 1;
    }
    return count;
}

static void test_run(void** state)
{
    (void)state;
    World w;
    world_make(&w, scene_3d);
    write_run(&w, 3);
    check_series("surface.hdf.series", "surface_%04d.hdf", 3, 400);
    check_series("volume.hdf.series", "volume_%04d.hdf", 3, 400);
    check_series("solid_mover.hdf.series", "solid_mover_%04d.hdf", 3, 400);
    assert_false(exists("solid_still one.hdf.series"));
    static const char* const names[] = {"solid_still one.obj", "solid_still one.hdf", "solid_mover_0002.obj",
                                        "surface_0002.obj",    "volume_0000.vdb",     "volume_0002.vdb"};
    for (size_t m = 0; m < sizeof names/sizeof *names; m++)
        if (!exists(names[m])) fail_msg("%s is missing", names[m]);
    Bytes usda;
    CHECK_OK(file_read(&usda, in_dir("run.usda")));
    assert_memory_equal(usda.data, "#usda 1.0\n", 10);
    assert_non_null(strstr(usda.data, "timeCodesPerSecond = 400\n"));
    assert_non_null(strstr(usda.data, "endTimeCode = 2\n"));
    assert_non_null(strstr(usda.data, "def Mesh \"solid_still_one\""));
    int depth = 0;
    for (const char* c = usda.data; *c; c++) depth += (*c == '{') - (*c == '}');
    assert_int_equal(depth, 0);
    for (int frame = 0; frame < 3; frame++) {
        char name[32];
        SurfaceMesh mesh;
        snprintf(name, sizeof name, "surface_%04d.ply", frame);
        CHECK_OK(ply_read_mesh(&mesh, in_dir(name), 3));
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "points.timeSamples", frame), 3*mesh.vertex_count);
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "velocities.timeSamples", frame), 3*mesh.vertex_count);
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "faceVertexIndices.timeSamples", frame), 3*mesh.face_count);
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "faceVertexCounts.timeSamples", frame), mesh.face_count);
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "extent.timeSamples", frame), 6);
        surfacemesh_free(&mesh);
    }
    assert_int_equal(count_numbers(usda.data, "Points \"spray\"", "points.timeSamples", 0), 0);
    assert_int_equal(count_numbers(usda.data, "Points \"spray\"", "points.timeSamples", 1), 3);
    assert_int_equal(count_numbers(usda.data, "Points \"spray\"", "widths.timeSamples", 2), w.sim.spray.count);
    bytes_free(&usda);

    // a run without formats in the same place takes all of it away
    w.scene.formats = 0;
    Output* out;
    CHECK_OK(output_open(&out, dir, &w.scene, &(OutputOptions){.threads = 1}));
    output_close(out);
    static const char* const gone[] = {"surface.hdf.series",   "volume.hdf.series", "solid_mover.hdf.series",
                                       "solid_mover_0002.obj", "surface_0002.obj",  "surface_0002.hdf",
                                       "volume_0000.vdb",      "volume_0002.hdf",   "run.usda"};
    for (size_t m = 0; m < sizeof gone/sizeof *gone; m++)
        if (exists(gone[m])) fail_msg("%s is left over", gone[m]);
    world_free(&w);
}

// What `export` makes of the PLY files is what the run itself writes.
static void test_export(void** state)
{
    (void)state;
    World w;
    world_make(&w, scene_3d);
    write_run(&w, 2);
    char other[PATH_ROOM];
    snprintf(other, sizeof other, "%s/other", dir);
    CHECK_OK(formats_export(dir, &(ExportOptions){.to = other, .formats = OUTPUT_OBJ | OUTPUT_USDA | OUTPUT_VTKHDF, .last = -1}));
    static const char* const names[] = {"surface_0001.obj",    "surface_0001.hdf",   "solid_mover_0001.hdf",
                                        "solid_still one.hdf", "surface.hdf.series", "run.usda"};
    for (size_t m = 0; m < sizeof names/sizeof *names; m++) {
        Bytes a, b;
        char path[2*PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", other, names[m]);
        CHECK_OK(file_read(&a, in_dir(names[m])));
        CHECK_OK(file_read(&b, path));
        if (a.size != b.size || memcmp(a.data, b.data, a.size) != 0) fail_msg("%s differs", names[m]);
        bytes_free(&a), bytes_free(&b);
    }
    assert_int_equal(formats_export(dir, &(ExportOptions){.formats = OUTPUT_VDB, .last = -1}), MN_UNSUPPORTED);
    assert_int_equal(formats_export(dir, &(ExportOptions){.formats = OUTPUT_OBJ, .first = 1, .last = 7}), MN_BAD_ARGUMENT);
    assert_int_equal(formats_export("/nowhere", &(ExportOptions){.formats = OUTPUT_OBJ, .last = -1}), MN_IO);
    world_free(&w);
}

static void test_2d(void** state)
{
    (void)state;
    World w;
    world_make(&w, scene_2d);
    write_run(&w, 2);
    assert_true(exists("surface_0001.obj") && exists("surface_0001.hdf") && exists("volume_0001.hdf"));
    assert_int_equal(formats_export(dir, &(ExportOptions){.formats = OUTPUT_USDA, .last = -1}), MN_UNSUPPORTED);
    Scene scene;
    static const char* const bad[][2] = {{"'vdb'", "\"vdb\" needs a domain of three dimensions"},
                                         {"'usda'", "\"usda\" needs a domain of three dimensions"},
                                         {"'obj', 'odj'", "output.formats[2]: expected \"ply\" or \"obj\""},
                                         {"7", "output.formats[1]: expected"}};
    for (int m = 0; m < 4; m++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return scene { domain = { size = { mm(12), mm(10) }, cells = 24 }, frames = { rate = 400, count = 2 },"
                 "  liquids = { pool { depth = mm(3) } },\n output = { formats = { %s } } }",
                 bad[m][0]);
        assert_true(scene_load_text(&scene, "test.lua", text) != MN_OK);
        if (!strstr(mn_last_error(), bad[m][1]) || !strstr(mn_last_error(), "test.lua:2: "))
            fail_msg("said: %s", mn_last_error());
    }
    world_free(&w);
}

// ---- a full disk -----------------------------------------------------------------------------------------------------------

static void test_full_disk(void** state)
{
    (void)state;
    World w;
    world_make(&w, scene_3d);
    write_run(&w, 1);
    SurfaceMesh mesh = surface_of(&w.sim);
    Volume v;
    CHECK_OK(volume_make(&v, &w.sim));
    struct rlimit usual, small;
    getrlimit(RLIMIT_FSIZE, &usual);
    small = (struct rlimit){600, usual.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    static const char* const names[6] = {"x.obj", "x.hdf", "y.hdf", "x.vdb", "x.hdf.series", "run.usda"};
    mn_status status[6];
    char said[6][300];
    unlink(in_dir("run.usda"));
    for (int m = 0; m < 6; m++) {
        if (m == 0) status[m] = obj_write(in_dir(names[m]), &mesh);
        if (m == 1) status[m] = vtkhdf_write_surface(in_dir(names[m]), &mesh);
        if (m == 2) status[m] = vtkhdf_write_volume(in_dir(names[m]), &v);
        if (m == 3) status[m] = vdb_write(in_dir(names[m]), &v);
        if (m == 4) status[m] = vtkhdf_write_series(dir, "x", 0, 100, 400);
        if (m == 5) status[m] = formats_export(dir, &(ExportOptions){.formats = OUTPUT_USDA, .last = -1});
        snprintf(said[m], sizeof said[m], "%.299s", mn_last_error());
    }
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, SIG_DFL);
    for (int m = 0; m < 6; m++) {
        char expected[PATH_ROOM], temporary[64];
        snprintf(expected, sizeof expected, "%s: cannot be written: File too large", in_dir(names[m]));
        snprintf(temporary, sizeof temporary, "%s.tmp", names[m]);
        if (status[m] != MN_IO || strcmp(said[m], expected) != 0)
            fail_msg("%s: status %d, said: %s", names[m], status[m], said[m]);
        assert_false(exists(names[m]) || exists(temporary));
    }
    surfacemesh_free(&mesh);
    volume_free(&v);
    world_free(&w);
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(test_obj),
        IN_DIRECTORY(test_ply),
        cmocka_unit_test(test_bounds_are_those_of_the_mesh),
        IN_DIRECTORY(test_vtkhdf_volume),
        IN_DIRECTORY(test_vtkhdf_surface),
        IN_DIRECTORY(test_vdb),
        IN_DIRECTORY(test_vdb_inside_is_negative),
        IN_DIRECTORY(test_run),
        IN_DIRECTORY(test_export),
        IN_DIRECTORY(test_2d),
        IN_DIRECTORY(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
