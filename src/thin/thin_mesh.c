#include "thin/thin_mesh.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void thin_mesh_free(ThinMesh* t)
{
    free(t->triangle), free(t->hinge), free(t->segment), free(t->bend);
    free(t->mass), free(t->held), free(t->x), free(t->v);
    *t = (ThinMesh){.dim = t->dim};
}

// *array gets room for more of its kind; what is new is zero. It may have had room for more than it holds.
static mn_status grow(void* array, int count, int more, size_t bytes)
{
    assert(count >= 0 && more >= 0);
    void** at = array;
    void* larger = realloc(*at, bytes*(size_t)(count + more + (count + more == 0)));
    if (!larger) return mn_fail(MN_NO_MEMORY, "out of memory: a mesh of %d pieces", count + more);
    *at = larger;
    memset((char*)larger + bytes*(size_t)count, 0, bytes*(size_t)more);
    return MN_OK;
}

mn_status thin_add_vertices(ThinMesh* t, const double* x, int vertices)
{
    assert(t->dim == 2 || t->dim == 3);
    TRY(grow(&t->x, 3*t->vertices, 3*vertices, sizeof *t->x));
    TRY(grow(&t->v, 3*t->vertices, 3*vertices, sizeof *t->v));
    TRY(grow(&t->mass, t->vertices, vertices, sizeof *t->mass));
    TRY(grow(&t->held, t->vertices, vertices, sizeof *t->held));
    memcpy(t->x + 3*t->vertices, x, 3*sizeof *x*(size_t)vertices);
    for (int m = t->vertices; t->dim == 2 && m < t->vertices + vertices; m++) t->held[m] = HELD_Z, t->x[3*m + 2] = 0;
    t->vertices += vertices;
    return MN_OK;
}

static void gather(double* out, const double* x, const int* v, int count)
{
    for (int m = 0; m < count; m++) memcpy(out + 3*m, x + 3*v[m], 3*sizeof *x);
}

// ---- sheets -----------------------------------------------------------------------------------------------------------------

// At rest: edges in the plane of the triangle, the first along its first axis.
static mn_status rest_triangle(ThinTriangle* e, const ThinMesh* t, int number, const SheetMaterial* m)
{
    double x[9], a[3], b[3], n[3];
    gather(x, t->x, e->v, 3);
    vec_sub(a, x + 3, x);
    vec_sub(b, x + 6, x);
    vec_cross(n, a, b);
    double length = vec_norm(a), twice = vec_norm(n);
    if (!(twice > 1e-12*(vec_dot(a, a) + vec_dot(b, b))))
        return mn_fail(MN_BAD_MESH, "triangle %d of a sheet has no area", number);
    double along = vec_dot(a, b)/length, across = twice/length;
    // inverse of (length along; 0 across)
    e->rest[0][0] = 1/length, e->rest[0][1] = -along/(length*across);
    e->rest[1][0] = 0, e->rest[1][1] = 1/across;
    e->area = 0.5*twice;
    e->mu = m->young*m->thickness/(2*(1 + m->poisson));
    e->lambda = m->young*m->thickness*m->poisson/(1 - m->poisson*m->poisson);
    e->law = m->law;
    return MN_OK;
}

// An edge of a triangle, its ends in rising order, and the corner across.
typedef struct Edge {
    int low, high, across;
    bool rises;  // in the triangle's own order it goes from low to high: the triangle lies left of it
    int triangle;
} Edge;

static int by_ends(const void* a, const void* b)
{
    const Edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static double bending_stiffness(const SheetMaterial* m)
{
    return m->young*m->thickness*m->thickness*m->thickness/(12*(1 - m->poisson*m->poisson));
}

static mn_status add_hinge(ThinMesh* t, const Edge* a, const Edge* b, const SheetMaterial* m)
{
    if (a->rises == b->rises)
        return mn_fail(MN_BAD_MESH, "triangles %d and %d of a sheet share an edge but face opposite ways", a->triangle,
                       b->triangle);
    const Edge *left = a->rises ? a : b, *right = a->rises ? b : a;
    ThinHinge h = {.v = {a->low, a->high, left->across, right->across}};
    double x[12], e[3];
    gather(x, t->x, h.v, 4);
    vec_sub(e, x + 3, x);
    h.rest = thin_hinge_angle(x);
    h.stiffness = bending_stiffness(m)*vec_dot(e, e)/(t->triangle[a->triangle].area + t->triangle[b->triangle].area);
    t->hinge[t->hinges++] = h;
    return MN_OK;
}

static mn_status add_hinges(ThinMesh* t, const Edge* edge, int edges, const SheetMaterial* m)
{
    for (int k = 0; k < edges;) {
        int same = 1;
        while (k + same < edges && edge[k + same].low == edge[k].low && edge[k + same].high == edge[k].high) same++;
        if (same > 2)
            return mn_fail(MN_BAD_MESH, "triangle %d of a sheet: its edge belongs to %d triangles; at most 2 can be",
                           edge[k].triangle, same);
        if (same == 2) TRY(add_hinge(t, &edge[k], &edge[k + 1], m));
        k += same;
    }
    return MN_OK;
}

// Triangles first .. first + count - 1 of t, whose corners stand.
static mn_status finish_sheet(ThinMesh* t, int first, int count, const SheetMaterial* m)
{
    Edge* edge = malloc(3*sizeof *edge*(size_t)count);
    if (!edge) return mn_fail(MN_NO_MEMORY, "out of memory: a sheet of %d triangles", count);
    mn_status status = MN_OK;
    for (int k = 0; k < count && status == MN_OK; k++) {
        ThinTriangle* e = &t->triangle[first + k];
        status = rest_triangle(e, t, first + k, m);
        for (int c = 0; c < 3; c++) {
            int a = e->v[c], b = e->v[(c + 1)%3];
            edge[3*k + c] = (Edge){a < b ? a : b, a < b ? b : a, e->v[(c + 2)%3], a < b, first + k};
        }
    }
    if (status == MN_OK) {
        qsort(edge, 3*(size_t)count, sizeof *edge, by_ends);
        status = add_hinges(t, edge, 3*count, m);
    }
    free(edge);
    return status;
}

mn_status thin_add_sheet(ThinMesh* t, const double* x, int vertices, const int (*triangle)[3], int triangles,
                         const SheetMaterial* material)
{
    assert(t->dim == 3 && triangles > 0);
    int had[4] = {t->vertices, t->triangles, t->hinges, 0};
    TRY(grow(&t->triangle, t->triangles, triangles, sizeof *t->triangle));
    TRY(grow(&t->hinge, t->hinges, 3*triangles/2, sizeof *t->hinge));
    TRY(thin_add_vertices(t, x, vertices));
    for (int k = 0; k < triangles; k++) memcpy(t->triangle[t->triangles + k].v, triangle[k], sizeof triangle[k]);
    mn_status status = finish_sheet(t, t->triangles, triangles, material);
    if (status != MN_OK) {
        t->vertices = had[0], t->triangles = had[1], t->hinges = had[2];
        return status;
    }
    for (int k = t->triangles; k < t->triangles + triangles; k++)
        for (int c = 0; c < 3; c++)
            t->mass[t->triangle[k].v[c]] += material->density*material->thickness*t->triangle[k].area/3;
    t->triangles += triangles;
    return MN_OK;
}

// ---- strands ----------------------------------------------------------------------------------------------------------------

// What a strand has per length: mass (kg/m; 2D: kg/m^2), and its stiffness.
typedef struct StrandMaterial {
    double line_density, stretch, bend;
    double taut;  // strain where it is given
} StrandMaterial;

static double distance(const ThinMesh* t, int a, int b)
{
    double e[3];
    vec_sub(e, t->x + 3*a, t->x + 3*b);
    return vec_norm(e);
}

// kb of a bend as it is: with stiffness 1 and rest 0 its energy is kb^2/(l0 + l1).
static double bent_by(const ThinBend* b, const ThinMesh* t)
{
    double x[9], e0[3], e1[3], turn[3];
    gather(x, t->x, b->v, 3);
    vec_sub(e0, x + 3, x);
    vec_sub(e1, x + 6, x + 3);
    vec_cross(turn, e0, e1);
    double below = b->length[0]*b->length[1] + vec_dot(e0, e1);
    return 2*(b->planar ? turn[2] : vec_norm(turn))/below;
}

// Bent at rest by less than this, a strand is straight.
static const double STRAIGHT = 1e-9;

static mn_status add_strand(ThinMesh* t, const int* vertex, int vertices, const StrandMaterial* m)
{
    assert(vertices >= 2);
    for (int k = 0; k + 1 < vertices; k++)
        if (!(distance(t, vertex[k], vertex[k + 1]) > 0))
            return mn_fail(MN_BAD_MESH, "vertices %d and %d of a strand are in one place", k, k + 1);
    TRY(grow(&t->segment, t->segments, vertices - 1, sizeof *t->segment));
    TRY(grow(&t->bend, t->bends, vertices - 2, sizeof *t->bend));
    for (int k = 0; k + 1 < vertices; k++) {
        double length = distance(t, vertex[k], vertex[k + 1]);
        t->segment[t->segments++] = (ThinSegment){{vertex[k], vertex[k + 1]}, length/(1 + m->taut), m->stretch};
        for (int end = 0; end < 2; end++) t->mass[vertex[k + end]] += 0.5*m->line_density*length;
    }
    for (int k = 0; k + 2 < vertices; k++) {
        ThinBend b = {.v = {vertex[k], vertex[k + 1], vertex[k + 2]}, .stiffness = m->bend, .planar = t->dim == 2};
        for (int e = 0; e < 2; e++) b.length[e] = distance(t, b.v[e], b.v[e + 1]);
        b.rest = bent_by(&b, t);
        if (fabs(b.rest) < STRAIGHT) b.rest = 0;
        t->bend[t->bends++] = b;
    }
    return MN_OK;
}

mn_status thin_add_rod(ThinMesh* t, const int* vertex, int vertices, const RodMaterial* m)
{
    assert(t->dim == 3);
    double r = m->radius, section = PI*r*r;
    return add_strand(t, vertex, vertices,
                      &(StrandMaterial){m->density*section, m->young*section, m->young*PI*r*r*r*r/4, m->taut});
}

mn_status thin_add_chain(ThinMesh* t, const double* x, int vertices, const SheetMaterial* m)
{
    assert(t->dim == 2);
    int first = t->vertices, *vertex = malloc(sizeof *vertex*(size_t)vertices);
    if (!vertex) return mn_fail(MN_NO_MEMORY, "out of memory: a sheet of %d vertices", vertices);
    for (int k = 0; k < vertices; k++) vertex[k] = first + k;
    StrandMaterial strand = {m->density*m->thickness, m->young*m->thickness/(1 - m->poisson*m->poisson),
                             bending_stiffness(m), 0};
    mn_status status = thin_add_vertices(t, x, vertices);
    if (status == MN_OK) status = add_strand(t, vertex, vertices, &strand);
    if (status != MN_OK) t->vertices = first;
    free(vertex);
    return status;
}

// ---- what it has ------------------------------------------------------------------------------------------------------------

double thin_shortest(const ThinMesh* t)
{
    double least = INFINITY;
    for (int m = 0; m < t->segments; m++) least = fmin(least, t->segment[m].length);
    // of a triangle at rest the shortest height is area over half its longest edge; edges are longer
    for (int m = 0; m < t->triangles; m++) least = fmin(least, sqrt(t->triangle[m].area));
    return isfinite(least) ? least : 0;
}

static bool names_vertices(const int* v, int count, int vertices)
{
    for (int m = 0; m < count; m++)
        if (v[m] < 0 || v[m] >= vertices) return false;
    return true;
}

bool thin_mesh_is_valid(const ThinMesh* t)
{
    for (int m = 0; m < t->triangles; m++)
        if (!names_vertices(t->triangle[m].v, 3, t->vertices) || !(t->triangle[m].area > 0)) return false;
    for (int m = 0; m < t->hinges; m++)
        if (!names_vertices(t->hinge[m].v, 4, t->vertices)) return false;
    for (int m = 0; m < t->segments; m++)
        if (!names_vertices(t->segment[m].v, 2, t->vertices) || !(t->segment[m].length > 0)) return false;
    for (int m = 0; m < t->bends; m++)
        if (!names_vertices(t->bend[m].v, 3, t->vertices)) return false;
    for (int m = 0; m < t->vertices; m++)
        if (!(t->mass[m] > 0)) return false;
    for (int m = 0; m < 3*t->vertices; m++)
        if (!isfinite(t->x[m]) || !isfinite(t->v[m])) return false;
    return true;
}

double thin_strain_energy(const ThinMesh* t, const double* x)
{
    double sum = 0, at[12];
    for (int m = 0; m < t->triangles; m++)
        gather(at, x, t->triangle[m].v, 3), sum += thin_triangle(NULL, NULL, &t->triangle[m], at);
    for (int m = 0; m < t->hinges; m++) gather(at, x, t->hinge[m].v, 4), sum += thin_hinge(NULL, NULL, &t->hinge[m], at);
    for (int m = 0; m < t->segments; m++) gather(at, x, t->segment[m].v, 2), sum += thin_segment(NULL, NULL, &t->segment[m], at);
    for (int m = 0; m < t->bends; m++) gather(at, x, t->bend[m].v, 3), sum += thin_bend(NULL, NULL, &t->bend[m], at);
    return sum;
}

double thin_kinetic_energy(const ThinMesh* t)
{
    double sum = 0;
    for (int m = 0; m < t->vertices; m++) sum += 0.5*t->mass[m]*vec_dot(t->v + 3*m, t->v + 3*m);
    return sum;
}

double thin_height_energy(const ThinMesh* t, const double a[3])
{
    double sum = 0;
    for (int m = 0; m < t->vertices; m++) sum -= t->mass[m]*vec_dot(a, t->x + 3*m);
    return sum;
}
