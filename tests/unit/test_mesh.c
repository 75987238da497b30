// Meshes: readers, repairs, and the signed distance of a mesh against the sphere it stands for.
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/vec.h"
#include "scene/mesh.h"
#include "scene/mesh_sdf.h"
#include "scene/shape.h"

#define V(x, y, z)                                                                                                               \
    (const double[3]) { x, y, z }

// ---------------------------------------------------------------- an icosphere

static int midpoint(TriMesh* m, int (*made)[3], int* count, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < *count; i++)
        if (made[i][0] == low && made[i][1] == high) return made[i][2];
    double* x = m->vertices[m->vertex_count];
    for (int d = 0; d < 3; d++) x[d] = m->vertices[a][d] + m->vertices[b][d];
    double l = vec_norm(x);
    for (int d = 0; d < 3; d++) x[d] /= l;
    made[*count][0] = low, made[*count][1] = high, made[*count][2] = m->vertex_count;
    (*count)++;
    return m->vertex_count++;
}

// 20*4^level triangles with corners on the unit sphere. The flat faces lie up to sagitta = s^2/6 or so inside it.
static TriMesh icosphere(int level)
{
    static const int faces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    double g = (1 + sqrt(5))/2, l = sqrt(1 + g*g);
    double v[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                       {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    int most = 20 << 2*level;
    TriMesh m = {.vertices = malloc((size_t)most*sizeof *m.vertices), .triangles = malloc((size_t)most*sizeof *m.triangles)};
    for (int i = 0; i < 12; i++)
        for (int d = 0; d < 3; d++) m.vertices[i][d] = v[i][d]/l;
    m.vertex_count = 12;
    memcpy(m.triangles, faces, sizeof faces);
    m.triangle_count = 20;
    for (int k = 0; k < level; k++) {
        int count = 0, n = m.triangle_count;
        int(*made)[3] = malloc((size_t)n*2*sizeof *made), (*next)[3] = malloc((size_t)most*sizeof *next);
        for (int t = 0; t < n; t++) {
            int a = m.triangles[t][0], b = m.triangles[t][1], c = m.triangles[t][2];
            int ab = midpoint(&m, made, &count, a, b), bc = midpoint(&m, made, &count, b, c),
                ca = midpoint(&m, made, &count, c, a);
            int four[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
            memcpy(next[4*t], four, sizeof four);
        }
        free(made);
        free(m.triangles);
        m.triangles = next;
        m.triangle_count = 4*n;
    }
    return m;
}

// Largest |distance - (|x| - 1)| over scattered points of a cube, and how far from the sphere a wrong sign was seen.
static double sphere_error(const MeshSdf* sdf, bool exact, double* sign_margin)
{
    unsigned seed = 3;
    double worst = 0;
    *sign_margin = 0;
    for (int i = 0; i < 20000; i++) {
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = 2.7*rand_r(&seed)/RAND_MAX - 1.35;
        double truth = vec_norm(x) - 1, value = exact ? meshsdf_exact(sdf, x) : meshsdf_distance(sdf, x);
        worst = fmax(worst, fabs(value - truth));
        if ((value < 0) != (truth < 0)) *sign_margin = fmax(*sign_margin, fabs(truth));
    }
    return worst;
}

static MeshSdf* sdf_of(TriMesh* m)
{
    MeshSdf* sdf;
    CHECK_OK(mesh_check(m, "sphere"));
    CHECK_OK(meshsdf_create(&sdf, m));
    return sdf;
}

// The distance to an icosphere is that to the sphere but for its flat faces: sides of length s stand s^2/8 inside it.
static void test_icosphere_is_a_sphere(void** state)
{
    (void)state;
    TriMesh m = icosphere(3);
    MeshSdf* sdf = sdf_of(&m);
    const TriMesh* kept = meshsdf_mesh(sdf);
    assert_int_equal(kept->triangle_count, 1280);
    assert_int_equal(kept->holes + kept->flipped + kept->dropped + kept->crowded_edges, 0);
    char text[120];
    mesh_describe(text, sizeof text, kept);
    assert_string_equal(text, "1280 triangles, closed");
    double margin;
    CHECK_LESS(sphere_error(sdf, true, &margin), 0.006);
    CHECK_LESS(margin, 0.006);
    CHECK_WITHIN(meshsdf_winding(sdf, V(0.1, 0.2, 0)), 1, 0.02);
    CHECK_WITHIN(meshsdf_winding(sdf, V(1.1, 0.9, 0)), 0, 0.02);
    CHECK_WITHIN(meshsdf_exact(sdf, V(0, 3, 4)), 4, 0.006);
    meshsdf_release(sdf);
}

// The table adds an error of second order near the surface, and gives a lower bound beyond its end.
static void test_table(void** state)
{
    (void)state;
    TriMesh m = icosphere(3);
    MeshSdf* sdf = sdf_of(&m);
    double near[2], margin;
    for (int pass = 0; pass < 2; pass++) {
        double h = 0.1/(1 << pass);
        CHECK_OK(meshsdf_prepare(sdf, h));
        CHECK_LESS(sphere_error(sdf, false, &margin),
                   3.5*h);  // far away, worst at the middle, where corners of a block are that far
        CHECK_LESS(margin, 0.01);
        near[pass] = 0;
        unsigned seed = 5;
        for (int i = 0; i < 4000; i++) {
            double x[3], r = 1 + 2*h*(2.0*rand_r(&seed)/RAND_MAX - 1);
            for (int d = 0; d < 3; d++) x[d] = 2.0*rand_r(&seed)/RAND_MAX - 1;
            double l = vec_norm(x);
            if (l < 0.1) continue;
            for (int d = 0; d < 3; d++) x[d] *= r/l;
            near[pass] = fmax(near[pass], fabs(meshsdf_distance(sdf, x) - meshsdf_exact(sdf, x)));
        }
    }
    CHECK_LESS(near[0], 0.25*0.1*0.1 + 0.01);  // h^2/8 per axis for curvature 1, and the kinks of the flat faces
    CHECK_LESS(near[1], 0.6*near[0]);
    CHECK_LESS(meshsdf_distance(sdf, V(0, 30, 40)), 49.0 + 0.01);
    CHECK_LESS(48, meshsdf_distance(sdf, V(0, 30, 40)));
    meshsdf_release(sdf);
}

// A hole is closed by a flat cap, which for a hole of angle 0.2 lies 1 - cos 0.2 = 0.02 inside the sphere.
static void test_hole(void** state)
{
    (void)state;
    TriMesh m = icosphere(4);
    int kept = 0;
    for (int t = 0; t < m.triangle_count; t++) {
        double up = 0;
        for (int c = 0; c < 3; c++) up += m.vertices[m.triangles[t][c]][1]/3;
        if (up < cos(0.2)) memmove(m.triangles[kept++], m.triangles[t], sizeof *m.triangles);
    }
    assert_true(kept < m.triangle_count - 20);
    m.triangle_count = kept;
    MeshSdf* sdf = sdf_of(&m);
    assert_int_equal(meshsdf_mesh(sdf)->holes, 1);
    assert_true(meshsdf_mesh(sdf)->boundary_edges > 8);
    char text[120];
    mesh_describe(text, sizeof text, meshsdf_mesh(sdf));
    assert_non_null(strstr(text, "1 hole ("));
    double margin;
    CHECK_LESS(sphere_error(sdf, true, &margin), 0.04);
    CHECK_LESS(margin, 0.04);
    CHECK_OK(meshsdf_prepare(sdf, 0.05));
    sphere_error(sdf, false, &margin);
    CHECK_LESS(margin, 0.04);
    meshsdf_release(sdf);
}

// Every tenth face turned round: they are found, turned back, and the distance is as before.
static void test_flipped_faces(void** state)
{
    (void)state;
    for (int inside_out = 0; inside_out < 2; inside_out++) {
        TriMesh m = icosphere(3);
        for (int t = 0; t < m.triangle_count; t++) {
            if ((t%10 == 0) == (inside_out == 1)) continue;
            int swap = m.triangles[t][1];
            m.triangles[t][1] = m.triangles[t][2], m.triangles[t][2] = swap;
        }
        MeshSdf* sdf = sdf_of(&m);
        assert_int_equal(meshsdf_mesh(sdf)->flipped, inside_out ? 1152 : 128);
        double margin;
        CHECK_LESS(sphere_error(sdf, true, &margin), 0.006);
        CHECK_LESS(margin, 0.006);
        meshsdf_release(sdf);
    }
}

// Faces that share no vertices (as some programs write them) still make a closed surface.
static void test_split_vertices(void** state)
{
    (void)state;
    TriMesh m = icosphere(2), split = {0};
    split.vertices = malloc((size_t)m.triangle_count*3*sizeof *split.vertices);
    split.triangles = malloc((size_t)m.triangle_count*sizeof *split.triangles);
    split.triangle_count = m.triangle_count;
    for (int t = 0; t < m.triangle_count; t++) {
        for (int c = 0; c < 3; c++) {
            memcpy(split.vertices[split.vertex_count], m.vertices[m.triangles[t][c]], sizeof *m.vertices);
            split.triangles[t][c] = split.vertex_count++;
        }
    }
    CHECK_OK(mesh_check(&split, "split"));
    assert_int_equal(split.holes, 0);
    mesh_free(&m);
    mesh_free(&split);
}

// ---------------------------------------------------------------- files

static const char cube_obj[] = "# a cube, with everything a file may hold\r\n"
                               "mtllib x.mtl\r\no cube\r\n"
                               "v 0 0 0\r\nv 1 0 0 1.0\r\nv 1 1 0\r\nv 0 1 0\r\nv 0 0 1\r\nv 1 0 1\r\nv 1 1 1\r\nv 0 1 1\r\n"
                               "vn 0 0 1\r\nvt 0 0\r\ns off\r\n"
                               "f 1/1/1 4/1/1 3/1/1 2/1/1\r\n"
                               "f 5//1 6//1 7//1 8//1 # top\r\n"
                               "f 1 2 6 5\r\nf 2 3 7 6\r\nf -6 -5 -1 \\\r\n-2\r\nf 4 1 5 8";

static const char cube_ply_head[] = "comment made by hand\nobj_info x\nelement vertex 8\nproperty float x\nproperty float y\n"
                                    "property uchar red\nproperty double z\nelement face 6\nproperty list uchar int "
                                    "vertex_indices\nproperty short tag\nend_header\n";

static const int quads[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
static const int cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

static size_t put(char* out, size_t at, const void* value, size_t size, bool big)
{
    for (size_t i = 0; i < size; i++) out[at + i] = ((const char*)value)[big ? size - 1 - i : i];
    return at + size;
}

// The cube as PLY: 0 text, 1 little endian, 2 big endian. Returns its size.
static size_t cube_ply(char out[2000], int kind)
{
    static const char* const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    size_t n = (size_t)sprintf(out, "ply\nformat %s 1.0\n%s", formats[kind], cube_ply_head);
    bool big = kind == 2;
    for (int i = 0; i < 8; i++) {
        float x = (float)cube[i][0], y = (float)cube[i][1];
        double z = cube[i][2];
        if (kind == 0) n += (size_t)sprintf(out + n, "%g %g 255 %g\n", x, y, z);
        else n = put(out, put(out, put(out, put(out, n, &x, 4, big), &y, 4, big), "\xff", 1, big), &z, 8, big);
    }
    for (int i = 0; i < 6; i++) {
        short tag = -7;
        if (kind == 0) n += (size_t)sprintf(out + n, "4 %d %d %d %d -7\n", quads[i][0], quads[i][1], quads[i][2], quads[i][3]);
        if (kind == 0) continue;
        n = put(out, n, "\4", 1, big);
        for (int c = 0; c < 4; c++) n = put(out, n, &quads[i][c], 4, big);
        n = put(out, n, &tag, 2, big);
    }
    out[n] = 0;
    return n;
}

static void check_cube(TriMesh* m)
{
    assert_int_equal(m->vertex_count, 8);
    assert_int_equal(m->triangle_count, 12);
    MeshSdf* sdf = sdf_of(m);
    assert_int_equal(meshsdf_mesh(sdf)->holes + meshsdf_mesh(sdf)->flipped, 0);
    CHECK_WITHIN(meshsdf_exact(sdf, V(0.5, 0.5, 0.4)), -0.4, 1e-12);
    CHECK_WITHIN(meshsdf_exact(sdf, V(2, 3, 0.5)), sqrt(5), 1e-12);
    CHECK_WITHIN(meshsdf_exact(sdf, V(2, 2, 2)), sqrt(3), 1e-12);
    meshsdf_release(sdf);
}

static void test_obj(void** state)
{
    (void)state;
    TriMesh m;
    CHECK_OK(mesh_read_obj(&m, "cube.obj", cube_obj, sizeof cube_obj - 1));
    check_cube(&m);
}

static void test_ply(void** state)
{
    (void)state;
    char bytes[2000];
    for (int kind = 0; kind < 3; kind++) {
        TriMesh m;
        size_t size = cube_ply(bytes, kind);
        CHECK_OK(mesh_read_ply(&m, "cube.ply", bytes, size));
        check_cube(&m);
    }
}

static void check_bad_obj(const char* text, const char* part)
{
    TriMesh m;
    mn_status status = mesh_read_obj(&m, "bad.obj", text, strlen(text));
    if (status == MN_OK) status = mesh_check(&m, "bad.obj");
    mesh_free(&m);
    assert_int_equal(status, MN_BAD_MESH);
    if (!strstr(mn_last_error(), "bad.obj") || !strstr(mn_last_error(), part)) {
        print_error("message: %s\n    lacks: %s\n", mn_last_error(), part);
        fail();
    }
}

static void check_bad_ply(const char* text, const char* part)
{
    TriMesh m;
    assert_int_equal(mesh_read_ply(&m, "bad.ply", text, strlen(text)), MN_BAD_MESH);
    assert_int_equal(m.vertex_count, 0);
    if (!strstr(mn_last_error(), "bad.ply") || !strstr(mn_last_error(), part)) {
        print_error("message: %s\n    lacks: %s\n", mn_last_error(), part);
        fail();
    }
}

static void test_bad_files(void** state)
{
    (void)state;
    check_bad_obj("", "no faces");
    check_bad_obj("v 0 0 0\nv 1 0 0\n", "no faces");
    check_bad_obj("v 0 0 0\nv 1 0\n", "bad.obj:2: expected a vertex");
    check_bad_obj("v 0 nan 0\n", "bad.obj:1: expected a vertex, v x y z, of finite numbers");
    check_bad_obj("v 0 1e999 0\n", "finite");
    check_bad_obj("v 0 0 0\nf 1 1 9\n", "names vertex 8");
    check_bad_obj("v 0 0 0\nf 1 2 -3\n", "bad.obj:2: a face names vertex -3, with 1 vertices so far");
    check_bad_obj("v 0 0 0\nf 0 1 1\n", "names vertex 0");
    check_bad_obj("v 0 0 0\nf 1 1\n", "bad.obj:2: a face of 2 corners");
    check_bad_obj("v 0 0 0\nf 1 a 1\n", "bad.obj:2: expected a face");
    check_bad_obj("v 0 0 0\nf 1 1 99999999999999999999\n", "names vertex");
    check_bad_obj("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\n", "no usable faces: all 2 triangles have no area");
    check_bad_ply("", "does not begin with ply");
    check_bad_ply("ply\nformat ascii 1.0\nelement vertex 3\n", "ends inside its header");
    check_bad_ply("ply\nformat middle 1.0\nend_header\n", "unknown format");
    check_bad_ply("ply\nelement vertex 0\nend_header\n", "no format");
    check_bad_ply("ply\nformat ascii 1.0\nelement vertex 999999999999\nproperty float x\nend_header\n",
                  "more entries than the file has bytes");
    check_bad_ply("ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "count");
    check_bad_ply("ply\nformat ascii 1.0\nproperty float x\nend_header\n", "before any element");
    check_bad_ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
                  "without x, y and z");
    const char* head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                       "element face 1\nproperty list uchar int vertex_index\nend_header\n";
    char text[1000];
    const struct {
        const char *data, *part;
    } cases[] = {
        {"0 0 0 1 0 0 0 1", "ends before its last value"},   {"0 0 0 1 0 0 0 nan 0 3 0 1 2", "not a finite number"},
        {"0 0 0 1 0 0 0 1 0 3 0 1 7", "names vertex 7"},     {"0 0 0 1 0 0 0 1 0 3 0 1 -1", "impossible vertex"},
        {"0 0 0 1 0 0 0 1 0 99 0 1 2", "impossible length"}, {"0 0 0 1 0 0 0 1 0 2 0 1", "fewer than three"},
        {"0 0 0 1 0 0 0 x 0 2 0 1", "expected a number"},
    };
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s", head, cases[i].data);
        check_bad_ply(text, cases[i].part);
    }
    TriMesh m;
    assert_int_equal(mesh_load(&m, "/no/such/mesh.obj"), MN_IO);
    assert_non_null(strstr(mn_last_error(), "/no/such/mesh.obj"));
    assert_int_equal(mesh_load(&m, "mesh.stl"), MN_BAD_MESH);
}

// Whatever bytes arrive, the readers answer with a mesh or an error, never with a crash (the sanitizers watch).
static void test_damaged_files(void** state)
{
    (void)state;
    unsigned seed = 11;
    for (int kind = 0; kind < 4; kind++) {
        char good[2000];
        size_t size = kind < 3 ? cube_ply(good, kind) : sizeof cube_obj - 1;
        if (kind == 3) memcpy(good, cube_obj, sizeof cube_obj);
        for (int i = 0; i < 3000; i++) {
            size_t n = i%2 ? size : (size_t)rand_r(&seed)%(size + 1);
            char* bytes = malloc(n + 1);  // of exactly this size, so that reading past it is seen
            memcpy(bytes, good, n);
            bytes[n] = 0;
            for (int k = 0; k < i%5 && n > 0; k++) bytes[(size_t)rand_r(&seed)%n] = (char)rand_r(&seed);
            TriMesh m;
            mn_status status = (kind < 3 ? mesh_read_ply : mesh_read_obj)(&m, "damaged", bytes, n);
            if (status == MN_OK) (void)mesh_check(&m, "damaged");
            mesh_free(&m);
            free(bytes);
        }
    }
}

// A million triangles without area are refused within a blink.
static void test_million_empty_triangles(void** state)
{
    (void)state;
    TriMesh m = {0};
    int n = 1000000;
    m.vertices = calloc(3, sizeof *m.vertices);
    m.triangles = calloc((size_t)n, sizeof *m.triangles);
    m.vertex_count = 3, m.triangle_count = n;
    m.vertices[1][0] = 1, m.vertices[2][0] = 2;
    for (int t = 0; t < n; t++)
        for (int c = 0; c < 3; c++) m.triangles[t][c] = (t + c)%3;
    clock_t start = clock();
    assert_int_equal(mesh_check(&m, "flat.obj"), MN_BAD_MESH);
    CHECK_LESS((double)(clock() - start)/CLOCKS_PER_SEC, 2);
    assert_string_equal(mn_last_error(), "flat.obj: the mesh has no usable faces: all 1000000 triangles have no area");
    mesh_free(&m);
}

// A mesh is a shape like any other: it can be scaled, moved and cut, and gives its triangles back in place.
static void test_mesh_as_shape(void** state)
{
    (void)state;
    TriMesh m = icosphere(3);
    MeshSdf* sdf = sdf_of(&m);
    Shape* s = shape_place(shape_from_mesh(sdf), V(0, 0, 0), V(1, 2, 3), V(0, 1, 0), 0.3, 0.5);
    meshsdf_release(sdf);
    CHECK_OK(shape_prepare(s, 0.05));
    CHECK_WITHIN(shape_distance(s, V(1, 2, 3)), -0.5, 0.18);
    CHECK_WITHIN(shape_distance(s, V(1, 2.6, 3)), 0.1, 0.01);
    double low[3], high[3], x[3];
    shape_bounds(low, high, s);
    CHECK_WITHIN(low[1], 1.5, 1e-6 + 0.01);
    assert_int_equal(shape_mesh(s)->triangle_count, 1280);
    shape_mesh_point(x, s, shape_mesh(s)->vertices[5]);
    for (int d = 0; d < 3; d++) x[d] -= (double[]){1, 2, 3}[d];
    CHECK_WITHIN(vec_norm(x), 0.5, 1e-12);
    shape_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_icosphere_is_a_sphere),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_hole),
        cmocka_unit_test(test_flipped_faces),
        cmocka_unit_test(test_split_vertices),
        cmocka_unit_test(test_obj),
        cmocka_unit_test(test_ply),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_million_empty_triangles),
        cmocka_unit_test(test_mesh_as_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
