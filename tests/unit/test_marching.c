// Surfaces as meshes: closed, turned outwards, as large as what they bound.
#include "ball.h"
#include <stdlib.h>
#include <string.h>
#include "grid/marching.h"

typedef struct EdgeUse {
    int low, high, way;
} EdgeUse;

static int compare_edges(const void* a, const void* b)
{
    const EdgeUse *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    return (p->high > q->high) - (p->high < q->high);
}

// 3D: every edge belongs to two triangles that pass it in opposite ways.
static void check_closed_3d(const SurfaceMesh* m)
{
    int n = 3*m->face_count;
    EdgeUse* use = malloc(sizeof *use*(size_t)(n + 1));
    for (int f = 0; f < m->face_count; f++)
        for (int c = 0; c < 3; c++) {
            int a = m->face[3*f + c], b = m->face[3*f + (c + 1)%3];
            CHECK_TRUE(a != b && a >= 0 && a < m->vertex_count);
            use[3*f + c] = (EdgeUse){mini(a, b), maxi(a, b), a < b ? 1 : -1};
        }
    qsort(use, (size_t)n, sizeof *use, compare_edges);
    CHECK_TRUE(n%2 == 0);
    for (int e = 0; e + 1 < n; e += 2) {
        CHECK_TRUE(compare_edges(&use[e], &use[e + 1]) == 0);
        CHECK_TRUE(use[e].way + use[e + 1].way == 0);
        if (e + 2 < n) CHECK_TRUE(compare_edges(&use[e], &use[e + 2]) != 0);
    }
    free(use);
}

// 2D: one edge comes to every vertex and one leaves it.
static void check_closed_2d(const SurfaceMesh* m)
{
    int* ends = calloc((size_t)m->vertex_count + 1, 2*sizeof *ends);
    for (int f = 0; f < m->face_count; f++) ends[2*m->face[2*f]]++, ends[2*m->face[2*f + 1] + 1]++;
    for (int i = 0; i < 2*m->vertex_count; i++) CHECK_TRUE(ends[i] == 1);
    free(ends);
}

static void check_closed(const SurfaceMesh* m)
{
    CHECK_TRUE(m->face_count > 0);
    if (m->corners == 3) check_closed_3d(m);
    else check_closed_2d(m);
}

static SurfaceMesh mesh_of(const Ball* b, const double* solid)
{
    SurfaceMesh mesh = {0};
    double* u[3] = {b->u[0].v, b->u[1].v, b->u[2].v};
    CHECK_OK(marching_add(&mesh, &(MarchingInput){.w = &b->w, .phi = b->phi.v, .solid = solid, .u = u, .owner = 7}));
    return mesh;
}

typedef struct BallErrors {
    double area, volume, angle;  // relative, relative, degrees
} BallErrors;

static BallErrors ball_errors(int dim, int n)
{
    Ball b;
    ball_init(&b, dim, n, 0.3);
    SurfaceMesh mesh = mesh_of(&b, NULL);
    check_closed(&mesh);
    double r = b.radius, area = dim == 3 ? 4*PI*r*r : 2*PI*r, volume = dim == 3 ? 4*PI*r*r*r/3 : PI*r*r;
    BallErrors e = {fabs(surfacemesh_area(&mesh, 0)/area - 1), fabs(surfacemesh_volume(&mesh)/volume - 1), 0};
    CHECK_CLOSE(surfacemesh_volume(&mesh), b.cells.volume, 1e-12);
    CHECK_CLOSE(surfacemesh_area(&mesh, 0), b.cells.surface, 1e-12);
    for (int i = 0; i < mesh.vertex_count; i++) {
        double out[3];
        vec_sub(out, mesh.position[i], b.center);
        e.angle = fmax(e.angle, 180/PI*acos(clamp(vec_dot(out, mesh.normal[i])/vec_norm(out), -1, 1)));
        CHECK_TRUE(mesh.owner[i] == 7);
    }
    surfacemesh_free(&mesh);
    ball_free(&b);
    return e;
}

// Area and volume of a ball come out at second order, normals within a few degrees.
static void test_ball(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        BallErrors coarse = ball_errors(dim, 20), fine = ball_errors(dim, 40);
        print_message("%dD ball: area %.2g %.2g, volume %.2g %.2g, normals %.2g %.2g degrees\n", dim, coarse.area, fine.area,
                      coarse.volume, fine.volume, coarse.angle, fine.angle);
        CHECK_LESS(coarse.area, 0.01);
        CHECK_LESS(fine.area, coarse.area/3.3);
        CHECK_LESS(fine.volume, coarse.volume/3.3);
        CHECK_LESS(coarse.angle, 3);
        CHECK_LESS(fine.angle, 1.5);
    }
}

static void set_plane(Ball* b, double height, double slope)
{
    for (int k = 0; k < window_node_layers(&b->w); k++)
        for (int j = 0; j <= b->w.n[1]; j++)
            for (int i = 0; i <= b->w.n[0]; i++) {
                double x[3];
                window_position(x, &b->w, i, j, k);
                b->phi.v[window_at(&b->w, i, j, k)] = x[1] - height - slope*(x[0] - 0.5) - 0.5*slope*x[2];
            }
    CHECK_OK(spans_build(&b->spans, &b->arena, b->phi.v, &b->w, 4*b->w.dx, 2));
    CHECK_OK(cutcells_build(&b->cells, &b->arena, &b->spans, b->phi.v, NULL, &b->w));
}

// A pool fills its tank from wall to wall: the mesh with its wet sides holds the volume that the cut cells hold, also when the
// water stands exactly at a plane of nodes, and its sides have the area they must have.
static void test_pool(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int test = 0; test < 3; test++) {
            Ball b;
            ball_init(&b, dim, 12, 0.3);
            set_plane(&b, test == 0 ? 0.4 : 0.5, test == 2 ? 0.3 : 0);
            SurfaceMesh mesh = mesh_of(&b, NULL);
            check_closed(&mesh);
            CHECK_CLOSE(surfacemesh_volume(&mesh), b.cells.volume, 1e-12);
            double height = test == 0 ? 0.4 : 0.5, wet = dim == 3 ? 1 + 4*height : 1 + 2*height;
            if (test < 2) {
                CHECK_WITHIN(surfacemesh_area(&mesh, FACE_IS_FREE), 1, 1e-8);
                CHECK_WITHIN(surfacemesh_area(&mesh, FACE_IS_WET), wet, 1e-8);
            }
            for (int i = 0; i < mesh.vertex_count; i++) CHECK_CLOSE(vec_norm(mesh.normal[i]), 1, 1e-12);
            surfacemesh_free(&mesh);
            ball_free(&b);
        }
}

// A solid whose surface goes through the ball's centre, with this normal (need not be a unit vector).
static void set_solid(Ball* b, const double normal[3])
{
    double norm = vec_norm(normal);
    for (int k = 0; k < window_node_layers(&b->w); k++)
        for (int j = 0; j <= b->w.n[1]; j++)
            for (int i = 0; i <= b->w.n[0]; i++) {
                double x[3];
                window_position(x, &b->w, i, j, k);
                vec_sub(x, x, b->center);
                b->surface.v[window_at(&b->w, i, j, k)] = vec_dot(x, normal)/norm;
            }
}

// Length of the line that free and wet faces share, m (2D: number of points), and how far its vertices are from the sphere and
// the solid at most, m.
static double contact_line(const SurfaceMesh* m, const Ball* b, const double normal[3], double* off)
{
    double length = 0;
    *off = 0;
    unsigned char* kinds = calloc((size_t)m->vertex_count + 1, 1);
    for (int f = 0; f < m->face_count; f++)
        for (int c = 0; c < m->corners; c++) kinds[m->face[m->corners*f + c]] |= m->kind[f] == FACE_IS_WET ? 1 : 2;
    for (int i = 0; i < m->vertex_count; i++) {
        double out[3];
        if (kinds[i] != 3) continue;
        vec_sub(out, m->position[i], b->center);
        *off = fmax(*off, fmax(fabs(vec_norm(out) - b->radius), fabs(vec_dot(out, normal))/vec_norm(normal)));
        if (m->corners == 2) length++;
    }
    for (int f = 0; f < m->face_count && m->corners == 3; f++)
        for (int c = 0; c < 3 && m->kind[f] == FACE_IS_WET; c++) {
            int p = m->face[3*f + c], q = m->face[3*f + (c + 1)%3];
            double edge[3];
            vec_sub(edge, m->position[p], m->position[q]);
            if (kinds[p] == 3 && kinds[q] == 3) length += vec_norm(edge);
        }
    free(kinds);
    return length;
}

// A ball half sunk in a solid, straight or tilted: closed, the part against the solid is marked, what is left is half a ball, and
// both parts meet in a clean line: its vertices are on both surfaces, and it is as long as the great circle.
static void test_ball_on_solid(void** state)
{
    (void)state;
    static const double normals[3][3] = {{0, 1, 0}, {0.3, 0.9, 0}, {0.3, 0.9, 0.2}};
    for (int dim = 2; dim <= 3; dim++)
        for (int test = 0; test < dim; test++) {
            Ball b;
            ball_init(&b, dim, 32, 0.3);
            set_solid(&b, normals[test]);
            SurfaceMesh mesh = mesh_of(&b, b.surface.v);
            check_closed(&mesh);
            double r = b.radius, off, line = contact_line(&mesh, &b, normals[test], &off);
            print_message("%dD, solid %d: line %.4f of what it should be, off by %.3f dx\n", dim, test,
                          line/(dim == 3 ? 2*PI*r : 2), off/b.w.dx);
            CHECK_CLOSE(surfacemesh_area(&mesh, FACE_IS_WET), dim == 3 ? PI*r*r : 2*r, 0.01);
            CHECK_CLOSE(surfacemesh_area(&mesh, FACE_IS_FREE), dim == 3 ? 2*PI*r*r : PI*r, 0.01);
            CHECK_CLOSE(surfacemesh_volume(&mesh), dim == 3 ? 2*PI*r*r*r/3 : PI*r*r/2, 0.01);
            CHECK_CLOSE(line, dim == 3 ? 2*PI*r : 2, 0.01);
            CHECK_LESS(off, 0.05*b.w.dx);
            surfacemesh_free(&mesh);
            ball_free(&b);
        }
}

// Signed distance of a box of half sides `half`, turned about z and then about x.
typedef struct TurnedBox {
    int dim;
    double center[3], half[3];
} TurnedBox;

static double box_distance(const void* user, const double at[3])
{
    const TurnedBox* b = user;
    const double c = cos(0.4), s = sin(0.4);
    double x[3], y[3], outside = 0, inside = -INFINITY;
    vec_sub(x, at, b->center);
    y[0] = c*x[0] + s*x[1], y[1] = -s*x[0] + c*x[1], y[2] = 0;
    if (b->dim == 3) {
        double up = y[1];
        y[1] = c*up + s*x[2], y[2] = -s*up + c*x[2];
    }
    for (int d = 0; d < b->dim; d++) {
        double q = fabs(y[d]) - b->half[d];
        outside += fmax(q, 0)*fmax(q, 0);
        inside = fmax(inside, q);
    }
    return sqrt(outside) + fmin(inside, 0);
}

// A turned box whose exact distance is known keeps its edges and corners: volume and area are the box's, where the plain mesh
// (second figure) cuts them off.
static void test_sharp_edges(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball b;
        ball_init(&b, dim, 32, 0.3);
        TurnedBox box = {dim, {b.center[0], b.center[1], b.center[2]}, {0.31, 0.2, 0.23}};
        for (int k = 0; k < window_node_layers(&b.w); k++)
            for (int j = 0; j <= b.w.n[1]; j++)
                for (int i = 0; i <= b.w.n[0]; i++) {
                    double x[3];
                    window_position(x, &b.w, i, j, k);
                    b.phi.v[window_at(&b.w, i, j, k)] = box_distance(&box, x);
                }
        SurfaceMesh sharp = {0}, blunt = {0};
        CHECK_OK(marching_add(&sharp, &(MarchingInput){.w = &b.w, .phi = b.phi.v, .distance = box_distance, .user = &box}));
        CHECK_OK(marching_add(&blunt, &(MarchingInput){.w = &b.w, .phi = b.phi.v}));
        check_closed(&sharp);
        const double* h = box.half;
        double volume = dim == 3 ? 8*h[0]*h[1]*h[2] : 4*h[0]*h[1];
        double area = dim == 3 ? 8*(h[0]*h[1] + h[1]*h[2] + h[2]*h[0]) : 4*(h[0] + h[1]);
        print_message("%dD box: volume off by %.2g (%.2g), area by %.2g (%.2g)\n", dim, surfacemesh_volume(&sharp)/volume - 1,
                      surfacemesh_volume(&blunt)/volume - 1, surfacemesh_area(&sharp, 0)/area - 1,
                      surfacemesh_area(&blunt, 0)/area - 1);
        CHECK_CLOSE(surfacemesh_volume(&sharp), volume, 1e-3);
        CHECK_CLOSE(surfacemesh_area(&sharp, 0), area, 2e-3);
        surfacemesh_free(&sharp);
        surfacemesh_free(&blunt);
        ball_free(&b);
    }
}

static double noise(void) { return (double)rand()/RAND_MAX - 0.5; }

// The worst surface there is: random numbers on all nodes, zeros and ties among them, a solid as ragged. Closed all the same.
static void test_random(void** state)
{
    (void)state;
    srand(20);
    for (int test = 0; test < 24; test++) {
        Ball b;
        ball_init(&b, 2 + test%2, 9, 0.3);
        for (size_t i = 0; i < b.w.count; i++) {
            bool coarse = test%4 >= 2;  // few values: many exact zeros and undecided saddles
            b.phi.block[i] = coarse ? round(4*noise())*b.w.dx : noise()*b.w.dx;
            b.surface.block[i] = coarse ? round(4*noise())*b.w.dx : noise()*b.w.dx;
        }
        SurfaceMesh mesh = mesh_of(&b, test%8 >= 4 ? b.surface.v : NULL);
        check_closed(&mesh);
        SurfaceMesh again = mesh_of(&b, test%8 >= 4 ? b.surface.v : NULL);
        assert_int_equal(mesh.face_count, again.face_count);
        assert_memory_equal(mesh.position, again.position, sizeof *mesh.position*(size_t)mesh.vertex_count);
        assert_memory_equal(mesh.face, again.face, sizeof(int)*(size_t)(mesh.corners*mesh.face_count));
        CHECK_LESS(0, surfacemesh_volume(&mesh));
        surfacemesh_free(&again);
        surfacemesh_free(&mesh);
        ball_free(&b);
    }
}

// A full tank has no free surface, an empty one no surface at all.
static void test_full_and_empty(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball b;
        ball_init(&b, dim, 6, 0.3);
        field_fill(&b.phi, &b.w, -1);
        SurfaceMesh mesh = mesh_of(&b, NULL);
        check_closed(&mesh);
        CHECK_CLOSE(surfacemesh_volume(&mesh), 1, 1e-12);
        CHECK_CLOSE(surfacemesh_area(&mesh, FACE_IS_WET), dim == 3 ? 6 : 4, 1e-12);
        surfacemesh_free(&mesh);
        field_fill(&b.phi, &b.w, 1);
        mesh = mesh_of(&b, NULL);
        assert_int_equal(mesh.face_count, 0);
        surfacemesh_free(&mesh);
        ball_free(&b);
    }
}

// Vertices carry the velocity of the liquid there.
static void test_velocity(void** state)
{
    (void)state;
    Ball b;
    ball_init(&b, 3, 16, 0.3);
    for (int d = 0; d < 3; d++)
        for (int k = -GHOST; k <= 16 + GHOST; k++)
            for (int j = -GHOST; j <= 16 + GHOST; j++)
                for (int i = -GHOST; i <= 16 + GHOST; i++)
                    b.u[d].v[window_at(&b.w, i, j, k)] = (d + 1)*(d == 0 ? i : d == 1 ? j : k)*b.w.dx;
    SurfaceMesh mesh = mesh_of(&b, NULL);
    for (int i = 0; i < mesh.vertex_count; i++)
        for (int d = 0; d < 3; d++) CHECK_WITHIN(mesh.velocity[i][d], (d + 1)*mesh.position[i][d], 1e-12);
    surfacemesh_free(&mesh);
    ball_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),        cmocka_unit_test(test_pool),   cmocka_unit_test(test_ball_on_solid),
        cmocka_unit_test(test_sharp_edges), cmocka_unit_test(test_random), cmocka_unit_test(test_full_and_empty),
        cmocka_unit_test(test_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
