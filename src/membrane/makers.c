#include "membrane/makers.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"

// ---- balls ------------------------------------------------------------------------------------------------------------------

static mn_status add_disc(MembraneMesh* m, const double center[3], double radius, double edge)
{
    int count = maxi(6, (int)lround(2*PI*radius/edge)), first = m->vertices;
    for (int k = 0; k < count; k++) {
        double angle = 2*PI*k/count, x[3] = {center[0] + radius*cos(angle), center[1] + radius*sin(angle), 0};
        TRY(membrane_add_vertex(m, x, edge));
    }
    for (int k = 0; k < count; k++) TRY(membrane_add_element(m, (int[]){first + k, first + (k + 1)%count}));
    return MN_OK;
}

static const int ICOSAHEDRON[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                       {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                       {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};

static void icosahedron_corner(double x[3], int k)
{
    static const double t = 1.6180339887498949;  // (1 + sqrt 5)/2
    double small = k%2 ? 1 : -1, large = k%4 < 2 ? t : -t, out[3] = {0, 0, 0};
    int axis = k/4;  // the axis of the short side: x, y, z for 0-3, 4-7, 8-11
    out[axis] = small, out[(axis + 1)%3] = large;
    double length = sqrt(1 + t*t);
    for (int d = 0; d < 3; d++) x[d] = out[d]/length;
}

// Grid points of the icosahedron's faces, each made once: corners, then points of edges, then of faces.
typedef struct Ball {
    MembraneMesh* m;
    const double* center;
    double radius, edge;
    int divisions, first;
    int edge_first[12][12];  // number of the point after the lower corner on an edge; -1: not made yet
} Ball;

// A point of a face by its weights (whole numbers that add up to `divisions`), pushed out to the sphere.
static mn_status add_point(Ball* b, const int corner[3], const int weight[3])
{
    double x[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++) {
        double y[3];
        icosahedron_corner(y, corner[c]);
        for (int d = 0; d < 3; d++) x[d] += y[d]*weight[c];
    }
    double scale = b->radius/vec_norm(x);
    for (int d = 0; d < 3; d++) x[d] = b->center[d] + scale*x[d];
    return membrane_add_vertex(b->m, x, b->edge);
}

// The point of an edge, `step` of its divisions from corner p on.
static int edge_point(const Ball* b, int p, int q, int step)
{
    return p < q ? b->edge_first[p][q] + step - 1 : b->edge_first[q][p] + b->divisions - step - 1;
}

static mn_status add_edges(Ball* b)
{
    for (int k = 0; k < 144; k++) b->edge_first[k/12][k%12] = -1;
    for (int f = 0; f < 20; f++)
        for (int c = 0; c < 3; c++) {
            int p = mini(ICOSAHEDRON[f][c], ICOSAHEDRON[f][(c + 1)%3]),
                q = maxi(ICOSAHEDRON[f][c], ICOSAHEDRON[f][(c + 1)%3]);
            if (b->edge_first[p][q] >= 0) continue;
            b->edge_first[p][q] = b->m->vertices;
            for (int s = 1; s < b->divisions; s++) TRY(add_point(b, (int[]){p, q, q}, (int[]){b->divisions - s, s, 0}));
        }
    return MN_OK;
}

// Number of the point i rows down from corner 0 and j along the row, of a face whose inner points begin at `inner`.
static int face_point(const Ball* b, const int* f, int inner, int i, int j)
{
    int n = b->divisions;
    if (i == 0) return b->first + f[0];
    if (i == n && j == 0) return b->first + f[1];
    if (i == n && j == n) return b->first + f[2];
    if (j == 0) return edge_point(b, f[0], f[1], i);
    if (j == i) return edge_point(b, f[0], f[2], i);
    if (i == n) return edge_point(b, f[1], f[2], j);
    return inner + (i - 1)*(i - 2)/2 + j - 1;
}

static mn_status add_face(Ball* b, const int* f)
{
    int n = b->divisions, inner = b->m->vertices;
    for (int i = 2; i < n; i++)
        for (int j = 1; j < i; j++) TRY(add_point(b, f, (int[]){n - i, i - j, j}));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            int top = face_point(b, f, inner, i, j), left = face_point(b, f, inner, i + 1, j),
                right = face_point(b, f, inner, i + 1, j + 1);
            TRY(membrane_add_element(b->m, (int[]){top, left, right}));
            if (j < i) TRY(membrane_add_element(b->m, (int[]){top, right, face_point(b, f, inner, i, j + 1)}));
        }
    return MN_OK;
}

static mn_status add_ball_3d(MembraneMesh* m, const double center[3], double radius, double edge)
{
    static const double ICOSAHEDRON_EDGE = 1.1;  // of the unit sphere, between chord (1.05) and arc (1.11)
    Ball b = {m, center, radius, edge, maxi(1, (int)lround(ICOSAHEDRON_EDGE*radius/edge)), m->vertices, {{0}}};
    for (int k = 0; k < 12; k++) TRY(add_point(&b, (int[]){k, k, k}, (int[]){1, 0, 0}));
    TRY(add_edges(&b));
    for (int f = 0; f < 20; f++) TRY(add_face(&b, ICOSAHEDRON[f]));
    return MN_OK;
}

mn_status membrane_add_ball(MembraneMesh* m, const double center[3], double radius, double edge)
{
    assert(radius > 0 && edge > 0);
    double before = membrane_volume(m);
    TRY(m->dim == 3 ? add_ball_3d(m, center, radius, edge) : add_disc(m, center, radius, edge));
    m->target_volume += membrane_volume(m) - before;
    return MN_OK;
}

// ---- pools ------------------------------------------------------------------------------------------------------------------

static double between(double low, double high, int k, int count) { return k == count ? high : low + (high - low)*k/count; }

// Rows of triangles as near to equilateral as fits: every second row is shifted by half an edge, with a half triangle at each
// end.
static mn_status add_pool_3d(MembraneMesh* m, double level, double edge)
{
    int across = maxi(2, (int)lround((m->high[0] - m->low[0])/edge)),
        rows = maxi(2, (int)lround((m->high[1] - m->low[1])/(edge*0.5*sqrt(3.0))));
    // an even row has across + 1 vertices, an odd one across + 2: its ends and the middles between those of an even row
    for (int r = 0; r <= rows; r++)
        for (int k = 0; k <= across + r%2; k++) {
            double x = r%2 == 0        ? between(m->low[0], m->high[0], k, across)
                       : k == 0          ? m->low[0]
                       : k == across + 1 ? m->high[0]
                                         : m->low[0] + (m->high[0] - m->low[0])*(k - 0.5)/across;
            TRY(membrane_add_vertex(m, (double[]){x, between(m->low[1], m->high[1], r, rows), level}, edge));
        }
    for (int r = 0; r < rows; r++) {
        int pair = 2*across + 3, even = (r + 1)/2*pair, odd = r/2*pair + across + 1;
        bool up = r%2 == 0;  // the even row is below
        for (int k = 0; k <= across; k++) {
            int e = even + k, o = odd + k;
            TRY(membrane_add_element(m, up ? (int[]){e, o + 1, o} : (int[]){e, o, o + 1}));
            if (k < across) TRY(membrane_add_element(m, up ? (int[]){e, e + 1, o + 1} : (int[]){e, o + 1, e + 1}));
        }
    }
    return MN_OK;
}

// The liquid is to the left of a segment, so the surface runs from right to left.
static mn_status add_pool_2d(MembraneMesh* m, double level, double edge)
{
    int across = maxi(2, (int)lround((m->high[0] - m->low[0])/edge));
    for (int k = 0; k <= across; k++)
        TRY(membrane_add_vertex(m, (double[]){between(m->low[0], m->high[0], k, across), level, 0}, edge));
    for (int k = 0; k < across; k++) TRY(membrane_add_element(m, (int[]){k + 1, k}));
    return MN_OK;
}

mn_status membrane_add_pool(MembraneMesh* m, double level, double edge)
{
    assert(m->elements == 0 && edge > 0 && level > m->low[m->dim - 1] && level < m->high[m->dim - 1]);
    TRY(m->dim == 3 ? add_pool_3d(m, level, edge) : add_pool_2d(m, level, edge));
    m->corner_is_wet = true;
    m->target_volume += membrane_volume(m);
    return MN_OK;
}
