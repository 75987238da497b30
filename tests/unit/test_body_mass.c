// Volume, centre of mass and inertia of shapes against their formulas, per unit of density.
#include "check.h"

#include "base/vec.h"
#include "moving_cube.h"
#include "scene/body_mass.h"
#include "scene/mesh.h"
#include "scene/mesh_sdf.h"

#define V(x, y, z)                                                                                                               \
    (const double[3]) { x, y, z }

static const double CLOSE = 1e-4;

static void check_center(const BodyMass* m, const double x[3], double size)
{
    for (int d = 0; d < 3; d++) CHECK_WITHIN(m->center[d], x[d], CLOSE*size);
}

// Principal moments along the axes, and nothing beside them.
static void check_inertia(const BodyMass* m, double xx, double yy, double zz)
{
    double diagonal[3] = {xx, yy, zz};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) CHECK_WITHIN(m->inertia[a][b], a == b ? diagonal[a] : 0, CLOSE*fmax(xx, fmax(yy, zz)));
}

// By the grid behind shapes without formulas; what has one agrees.
static BodyMass mass_of(Shape* shape, int dim)
{
    assert_non_null(shape);
    BodyMass m = body_mass_by_grid(shape, dim), f;
    if (body_mass_by_formula(&f, shape)) {
        double most = 0;
        for (int a = 0; a < 3; a++) most = fmax(most, f.inertia[a][a]);
        CHECK_CLOSE(m.volume, f.volume, CLOSE);
        check_center(&m, f.center, pow(f.volume, 1.0/dim));
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) CHECK_WITHIN(m.inertia[a][b], f.inertia[a][b], CLOSE*most);
    }
    shape_free(shape);
    return m;
}

// V = 4/3 pi R^3, I = 2/5 V R^2
static void test_ball(void** state)
{
    (void)state;
    double R = 0.013, volume = 4*PI*R*R*R/3;
    BodyMass m = mass_of(shape_sphere(3, V(0.1, 0.2, 0.3), R), 3);
    CHECK_CLOSE(m.volume, volume, CLOSE);
    check_center(&m, V(0.1, 0.2, 0.3), R);
    check_inertia(&m, 0.4*volume*R*R, 0.4*volume*R*R, 0.4*volume*R*R);
}

// I_x = V (b^2 + c^2)/12 for edges a, b, c; also lying askew, where I = R diag R^T
static void test_box(void** state)
{
    (void)state;
    double a = 0.03, b = 0.02, c = 0.007, volume = a*b*c;
    double I[3] = {volume*(b*b + c*c)/12, volume*(a*a + c*c)/12, volume*(a*a + b*b)/12};
    BodyMass m = mass_of(shape_box(3, V(0.01, 0, 0.02), V(0.04, 0.02, 0.027), 0), 3);
    CHECK_CLOSE(m.volume, volume, CLOSE);
    check_center(&m, V(0.025, 0.01, 0.0235), a);
    check_inertia(&m, I[0], I[1], I[2]);
    double angle = 0.6, co = cos(angle), si = sin(angle);
    Shape* box = shape_box(3, V(-a/2, -b/2, -c/2), V(a/2, b/2, c/2), 0);
    m = mass_of(shape_place(box, V(0, 0, 0), V(1, 1, 1), V(0, 0, 1), angle, 1), 3);
    CHECK_CLOSE(m.volume, volume, CLOSE);
    check_center(&m, V(1, 1, 1), a);
    CHECK_CLOSE(m.inertia[0][0], co*co*I[0] + si*si*I[1], CLOSE);
    CHECK_CLOSE(m.inertia[0][1], co*si*(I[0] - I[1]), CLOSE);
    CHECK_CLOSE(m.inertia[2][2], I[2], CLOSE);
}

// I_x = V (b^2 + c^2)/5 for half axes a, b, c
static void test_ellipsoid(void** state)
{
    (void)state;
    double a = 0.03, b = 0.02, c = 0.01, volume = 4*PI*a*b*c/3;
    BodyMass m = mass_of(shape_ellipsoid(3, V(0, 0, 0), V(a, b, c)), 3);
    CHECK_CLOSE(m.volume, volume, CLOSE);
    CHECK_CLOSE(m.inertia[0][0], volume*(b*b + c*c)/5, CLOSE);
    CHECK_CLOSE(m.inertia[1][1], volume*(a*a + c*c)/5, CLOSE);
    CHECK_CLOSE(m.inertia[2][2], volume*(a*a + b*b)/5, CLOSE);
}

// A cylinder of length L and two half balls whose own middle lies 3/8 R past its ends:
// I_across = V_c (3 R^2 + L^2)/12 + V_b (2/5 R^2 + L^2/4 + 3/8 L R).
static void test_capsule(void** state)
{
    (void)state;
    double R = 0.01, L = 0.03, Vc = PI*R*R*L, Vb = 4*PI*R*R*R/3;
    BodyMass m = mass_of(shape_capsule(3, V(0, -L/2, 0), V(0, L/2, 0), R), 3);
    double across = Vc*(3*R*R + L*L)/12 + Vb*(0.4*R*R + L*L/4 + 3*L*R/8),
           along = Vc*R*R/2 + 0.4*Vb*R*R;
    CHECK_CLOSE(m.volume, Vc + Vb, CLOSE);
    CHECK_CLOSE(m.inertia[0][0], across, CLOSE);
    CHECK_CLOSE(m.inertia[1][1], along, CLOSE);
    CHECK_CLOSE(m.inertia[2][2], across, CLOSE);
}

// V = 2 pi^2 R r^2; about its axis V (R^2 + 3/4 r^2), across V (R^2/2 + 5/8 r^2)
static void test_torus(void** state)
{
    (void)state;
    double R = 0.02, r = 0.006, volume = 2*PI*PI*R*r*r;
    BodyMass m = mass_of(shape_torus(3, V(0, 0, 0), V(0, 1, 0), R, r), 3);
    CHECK_CLOSE(m.volume, volume, CLOSE);
    CHECK_CLOSE(m.inertia[1][1], volume*(R*R + 0.75*r*r), CLOSE);
    CHECK_CLOSE(m.inertia[0][0], volume*(R*R/2 + 0.625*r*r), CLOSE);
}

// Disc: A R^2/2; rectangle: A (a^2 + b^2)/12; nothing turns about x and y.
static void test_flat_ones(void** state)
{
    (void)state;
    double R = 0.01, a = 0.03, b = 0.001;
    BodyMass m = mass_of(shape_sphere(2, V(0.2, 0.1, 0), R), 2);
    CHECK_CLOSE(m.volume, PI*R*R, CLOSE);
    check_center(&m, V(0.2, 0.1, 0), R);
    check_inertia(&m, 0, 0, PI*R*R*R*R/2);
    m = mass_of(shape_box(2, V(0, 0, 0), V(a, b, 0), 0), 2);
    CHECK_CLOSE(m.volume, a*b, CLOSE);
    check_center(&m, V(a/2, b/2, 0), b);
    check_inertia(&m, 0, 0, a*b*(a*a + b*b)/12);
}

// The formulas where they are moved, turned and scaled, in 2D and of what stands askew, against the grid.
static void test_placed(void** state)
{
    (void)state;
    Shape* part[] = {shape_cylinder(3, V(0, 0, 0), V(0.01, 0.02, 0.02), 0.01),
                     shape_capsule(3, V(0, 0, 0), V(0.02, 0.01, 0), 0.01),
                     shape_ellipsoid(3, V(0.1, 0, 0), V(0.01, 0.02, 0.015))};
    for (size_t m = 0; m < sizeof part/sizeof *part; m++)
        mass_of(shape_place(part[m], V(0.3, 0, 0), V(0.1, 0.2, 0), V(1, 2, 3), 0.7, 1.5), 3);
    Shape* flat[] = {shape_cylinder(2, V(0, 0, 0), V(0.01, 0.02, 0), 0.01), shape_capsule(2, V(0, 0, 0), V(0.02, 0.01, 0), 0.01),
                     shape_ellipsoid(2, V(0.1, 0, 0), V(0.01, 0.02, 0)), shape_torus(2, V(0, 0, 0), V(0, 0, 1), 0.02, 0.005)};
    for (size_t m = 0; m < sizeof flat/sizeof *flat; m++)
        mass_of(shape_place(flat[m], V(0.3, 0, 0), V(0.1, 0.2, 0), V(0, 0, 1), 0.7, 1.5), 2);
}

// Two halves of different length, joined: the centre is their weighted mean. What is cut out is not there.
static void test_combinations(void** state)
{
    (void)state;
    Shape* two[2] = {shape_box(3, V(0, 0, 0), V(1, 1, 1), 0), shape_box(3, V(1, 0, 0), V(2, 0.5, 1), 0)};
    BodyMass m = mass_of(shape_union(two, 2), 3);
    CHECK_CLOSE(m.volume, 1.5, CLOSE);
    check_center(&m, V((0.5 + 0.5*1.5)/1.5, (0.5 + 0.5*0.25)/1.5, 0.5), 2);
    Shape* shell[2] = {shape_sphere(3, V(0, 0, 0), 1), shape_sphere(3, V(0, 0, 0), 0.5)};
    m = mass_of(shape_difference(shell, 2), 3);
    CHECK_CLOSE(m.volume, 4*PI/3*(1 - 0.125), CLOSE);
    CHECK_CLOSE(m.inertia[0][0], 0.4*4*PI/3*(1 - pow(0.5, 5)), CLOSE);
    Shape* nothing[2] = {shape_sphere(3, V(0, 0, 0), 1), shape_sphere(3, V(0, 0, 0), 2)};
    m = mass_of(shape_difference(nothing, 2), 3);
    CHECK_TRUE(m.volume == 0);
}

// A cube of 4 as a mesh, from its triangles; and tabulated as a scene of 32 cells along it does: edges are as sharp as
// that table.
static void test_mesh_cube(void** state)
{
    (void)state;
    const char* path = "body_mass_cube.obj";
    cube_write_obj(path, NULL, 0);
    TriMesh mesh;
    MeshSdf* sdf;
    CHECK_OK(mesh_load(&mesh, path));
    CHECK_OK(meshsdf_create(&sdf, &mesh));
    mesh_free(&mesh);
    Shape* cube = shape_from_mesh(sdf);
    meshsdf_release(sdf);
    CHECK_OK(shape_prepare(cube, 0.125));
    BodyMass m = body_mass(cube, 3);
    CHECK_CLOSE(m.volume, 64, 1e-12);
    check_center(&m, V(0, 0, 0), 1e-8);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) CHECK_WITHIN(m.inertia[a][b], a == b ? 64*32/12.0 : 0, 1e-10);
    m = body_mass_by_grid(cube, 3);
    shape_free(cube);
    CHECK_CLOSE(m.volume, 64, 2e-3);
    check_center(&m, V(0, 0, 0), 4);
    CHECK_CLOSE(m.inertia[0][0], 64*32/12.0, 4e-3);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),         cmocka_unit_test(test_box),    cmocka_unit_test(test_ellipsoid),
        cmocka_unit_test(test_capsule),      cmocka_unit_test(test_torus),  cmocka_unit_test(test_flat_ones),
        cmocka_unit_test(test_combinations), cmocka_unit_test(test_placed), cmocka_unit_test(test_mesh_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
