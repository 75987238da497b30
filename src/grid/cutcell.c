#include "grid/cutcell.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"

// ---- faces -----------------------------------------------------------------------------------------------------------------

// {phi < 0} and {solid >= 0} are intervals of [0,1]; from low to high they overlap. Returns the length of that.
static double wet_interval(double* low, double* high, const double phi[2], const double* solid)
{
    *low = 0, *high = 1;
    if (phi[0] >= 0 && phi[1] >= 0) return 0;
    if ((phi[0] < 0) != (phi[1] < 0)) {
        double cut = phi[0]/(phi[0] - phi[1]);
        if (phi[0] < 0) *high = cut;
        else *low = cut;
    }
    if (!solid) return *high - *low;
    if (solid[0] < 0 && solid[1] < 0) return 0;
    if ((solid[0] < 0) != (solid[1] < 0)) {
        double cut = solid[0]/(solid[0] - solid[1]);
        if (solid[0] < 0) *low = fmax(*low, cut);
        else *high = fmin(*high, cut);
    }
    return fmax(*high - *low, 0);
}

double cut_edge(const double phi[2], const double* solid)
{
    double low, high;
    return wet_interval(&low, &high, phi, solid);
}

double cut_edge_middle(const double phi[2], const double* solid)
{
    double low, high;
    return wet_interval(&low, &high, phi, solid) > 0 ? 0.5*(low + high) : 0.5;
}

enum { POLYGON_MAX = 16 };
typedef struct Polygon {
    int n;
    double x[POLYGON_MAX], y[POLYGON_MAX];
} Polygon;

static double polygon_area(const Polygon* p)
{
    double twice = 0;
    for (int a = 0; a < p->n; a++) {
        int b = a + 1 < p->n ? a + 1 : 0;
        twice += p->x[a]*p->y[b] - p->x[b]*p->y[a];
    }
    return 0.5*twice;
}

static void polygon_add(Polygon* p, double x, double y)
{
    assert(p->n < POLYGON_MAX);
    p->x[p->n] = x;
    p->y[p->n++] = y;
}

// Wet polygons of a square with cyclic corners (0,0) (1,0) (1,1) (0,1): marching squares. A square with two opposite wet
// corners is joined through the middle when the saddle value of the bilinear interpolant is wet (asymptotic decider):
// with a, c wet, saddle = (ac - bd)/(a + c - b - d) < 0 <=> ac - bd > 0.
static int square_polygons(Polygon out[2], const double v[4])
{
    static const double cx[4] = {0, 1, 1, 0}, cy[4] = {0, 0, 1, 1};
    bool wet[4];
    int count = 0;
    for (int c = 0; c < 4; c++) count += wet[c] = v[c] < 0;
    out[0].n = out[1].n = 0;
    if (count == 0) return 0;
    bool diagonal = count == 2 && wet[0] == wet[2];
    bool joined = !diagonal || (wet[0] ? v[0]*v[2] - v[1]*v[3] > 0 : v[1]*v[3] - v[0]*v[2] > 0);
    // the corner before the walk's start is dry when separate pieces are wanted, so that a piece is walked in one go
    int start = 0;
    if (!joined) start = wet[0] ? 3 : 0;
    int piece = 0;
    for (int m = 0; m < 4; m++) {
        int c = (start + m) & 3, d = (c + 1) & 3;
        if (wet[c]) polygon_add(&out[piece], cx[c], cy[c]);
        if (wet[c] == wet[d]) continue;
        // from the corner with the smaller position, so that every walk computes the same point
        bool forward = cx[c] + cy[c] < cx[d] + cy[d];
        int a = forward ? c : d, b = forward ? d : c;
        double t = v[a]/(v[a] - v[b]);
        polygon_add(&out[piece], cx[a] + t*(cx[b] - cx[a]), cy[a] + t*(cy[b] - cy[a]));
        if (!joined && wet[c]) piece++;
    }
    return joined ? 1 : 2;
}

// Keeps the part of a polygon outside the solid, whose bilinear value is taken linear along the polygon's edges.
static void polygon_clip(Polygon* p, const double solid[4])
{
    Polygon in = *p;
    double s[POLYGON_MAX];
    for (int a = 0; a < in.n; a++) {
        double x = in.x[a], y = in.y[a];
        s[a] = (1 - x)*(1 - y)*solid[0] + x*(1 - y)*solid[1] + x*y*solid[2] + (1 - x)*y*solid[3];
    }
    p->n = 0;
    for (int a = 0; a < in.n; a++) {
        int b = a + 1 < in.n ? a + 1 : 0;
        if (s[a] >= 0) polygon_add(p, in.x[a], in.y[a]);
        if ((s[a] >= 0) == (s[b] >= 0)) continue;
        double t = s[a]/(s[a] - s[b]);
        polygon_add(p, in.x[a] + t*(in.x[b] - in.x[a]), in.y[a] + t*(in.y[b] - in.y[a]));
    }
}

// The whole square without the solid: what polygon_clip makes of it, whose values are known on corners.
static void clip_square(Polygon* p, const double solid[4])
{
    static const double cx[4] = {0, 1, 1, 0}, cy[4] = {0, 0, 1, 1};
    p->n = 0;
    for (int a = 0; a < 4; a++) {
        int b = (a + 1) & 3;
        if (solid[a] >= 0) polygon_add(p, cx[a], cy[a]);
        if ((solid[a] >= 0) == (solid[b] >= 0)) continue;
        double t = solid[a]/(solid[a] - solid[b]);
        polygon_add(p, cx[a] + t*(cx[b] - cx[a]), cy[a] + t*(cy[b] - cy[a]));
    }
}

static int wet_polygons(Polygon piece[2], const double phi[4], const double* solid)
{
    if (solid && phi[0] < 0 && phi[1] < 0 && phi[2] < 0 && phi[3] < 0) {
        clip_square(&piece[0], solid);
        return 1;
    }
    int pieces = square_polygons(piece, phi);
    for (int m = 0; m < pieces && solid; m++) polygon_clip(&piece[m], solid);
    return pieces;
}

double cut_square(const double phi[4], const double* solid)
{
    Polygon piece[2];
    int pieces = wet_polygons(piece, phi, solid);
    double area = 0;
    for (int m = 0; m < pieces; m++) area += polygon_area(&piece[m]);
    return fmax(area, 0);
}

// int x dA and int y dA of a polygon, triangle by triangle from the square's corner.
static void polygon_moments(double moment[2], const Polygon* p)
{
    for (int a = 0; a < p->n; a++) {
        int b = a + 1 < p->n ? a + 1 : 0;
        double twice = p->x[a]*p->y[b] - p->x[b]*p->y[a];
        moment[0] += twice*(p->x[a] + p->x[b])/6, moment[1] += twice*(p->y[a] + p->y[b])/6;
    }
}

void cut_square_middle(double middle[2], const double phi[4], const double* solid)
{
    Polygon piece[2];
    int pieces = wet_polygons(piece, phi, solid);
    double area = 0, moment[2] = {0, 0};
    for (int m = 0; m < pieces; m++) area += polygon_area(&piece[m]), polygon_moments(moment, &piece[m]);
    for (int d = 0; d < 2; d++) middle[d] = area > CUT_SNAP ? clamp(moment[d]/area, 0, 1) : 0.5;
}

// ---- loops -----------------------------------------------------------------------------------------------------------------

// Corners of the six faces, counter-clockwise seen from outside the cell: -x +x -y +y -z +z.
static const unsigned char face_corner[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

// Edge between two neighbouring corners: 4*axis + index of the other two coordinates.
static int edge_between(int a, int b)
{
    assert((a ^ b) == 1 || (a ^ b) == 2 || (a ^ b) == 4);
    int low = a & b, axis = (a ^ b) >> 1;  // 1, 2, 4 -> 0, 1, 2
    if (axis == 0) return low >> 1;
    if (axis == 1) return 4 + (low & 1) + (low >> 2)*2;
    return 8 + low;
}

static void edge_corners(int* a, int* b, int edge)
{
    int axis = edge/4, m = edge%4;
    *a = axis == 0 ? m << 1 : axis == 1 ? (m & 1) + (m >> 1)*4 : m;
    *b = *a + (1 << axis);
}

void cut_point(double out[3], int edge, const double* phi)
{
    assert(edge >= 0 && edge < 12);
    int a, b;
    edge_corners(&a, &b, edge);
    double t = phi[a]/(phi[a] - phi[b]);
    out[0] = a & 1, out[1] = a >> 1 & 1, out[2] = a >> 2;
    out[edge/4] = t;
}

// Directed surface segments of one face: from where a counter-clockwise walk enters the liquid back to where it left, i.e. with
// the liquid on the right seen from outside; this is the direction in which the surface patch, oriented out of the liquid,
// passes the face.
static int face_segments(signed char from[2], signed char to[2], const double v[4], const unsigned char corner[4])
{
    int enter[2], leave[2], enters = 0, leaves = 0;
    for (int m = 0; m < 4; m++) {
        int d = (m + 1) & 3;
        if ((v[m] < 0) == (v[d] < 0)) continue;
        int edge = edge_between(corner[m], corner[d]);
        if (v[m] < 0) leave[leaves++] = edge;
        else enter[enters++] = edge;
    }
    if (enters == 0) return 0;
    if (enters == 1) {
        from[0] = (signed char)enter[0], to[0] = (signed char)leave[0];
        return 1;
    }
    // four crossings; leave[m] and enter[m] alternate along the walk
    bool first_wet = v[0] < 0;
    bool joined = first_wet ? v[0]*v[2] - v[1]*v[3] > 0 : v[1]*v[3] - v[0]*v[2] > 0;
    // corner 0 wet: the walk meets leave0, enter0, leave1, enter1; dry: enter0, leave0, enter1, leave1.
    // Joined pieces cut off the dry corners (leave then enter), separate ones the wet corners (enter then leave).
    for (int m = 0; m < 2; m++) {
        from[m] = (signed char)enter[m];
        if (first_wet) to[m] = (signed char)leave[joined ? m : 1 - m];
        else to[m] = (signed char)leave[joined ? 1 - m : m];
    }
    return 2;
}

void cut_loops_3d(signed char next[12], const double phi[8])
{
    memset(next, -1, 12);
    for (int f = 0; f < 6; f++) {
        const unsigned char* corner = face_corner[f];
        double v[4] = {phi[corner[0]], phi[corner[1]], phi[corner[2]], phi[corner[3]]};
        signed char from[2], to[2];
        int segments = face_segments(from, to, v, corner);
        for (int m = 0; m < segments; m++) next[from[m]] = to[m];
    }
}

int cut_segments_2d(signed char segment[2][2], const double phi[4])
{
    static const unsigned char corner[4] = {0, 1, 3, 2};
    double v[4] = {phi[0], phi[1], phi[3], phi[2]};
    signed char from[2], to[2];
    int segments = face_segments(from, to, v, corner);
    for (int m = 0; m < segments; m++) segment[m][0] = from[m], segment[m][1] = to[m];
    return segments;
}

// ---- patches and volumes -------------------------------------------------------------------------------------------------

typedef struct PatchSum {
    double area[3], moment[3], scalar;
    double volume;  // sum of det(a,b,c) with the cell centre as origin; 6 times the cone volume
} PatchSum;

static void patch_add_triangle(PatchSum* sum, const double a[3], const double b[3], const double c[3])
{
    double ab[3], ac[3], s[3];
    vec_sub(ab, b, a), vec_sub(ac, c, a);
    vec_cross(s, ab, ac);
    double area = 0.5*vec_norm(s);
    for (int d = 0; d < 3; d++) {
        sum->area[d] += 0.5*s[d];
        sum->moment[d] += area*(a[d] + b[d] + c[d])/3;
    }
    sum->scalar += area;
    double from_center[3] = {a[0] - 0.5, a[1] - 0.5, a[2] - 0.5};
    sum->volume += vec_dot(from_center, s);
}

static double trilinear(const double v[8], const double x[3])
{
    double low = (1 - x[1])*((1 - x[0])*v[0] + x[0]*v[1]) + x[1]*((1 - x[0])*v[2] + x[0]*v[3]);
    double high = (1 - x[1])*((1 - x[0])*v[4] + x[0]*v[5]) + x[1]*((1 - x[0])*v[6] + x[0]*v[7]);
    return (1 - x[2])*low + x[2]*high;
}

// Adds the part of a triangle outside the solid (linear along the triangle's edges).
static void patch_add_clipped(PatchSum* sum, const double* corner[3], const double* solid)
{
    if (!solid) {
        patch_add_triangle(sum, corner[0], corner[1], corner[2]);
        return;
    }
    double s[3], out[4][3];
    int n = 0;
    for (int a = 0; a < 3; a++) s[a] = trilinear(solid, corner[a]);
    for (int a = 0; a < 3; a++) {
        int b = (a + 1)%3;
        if (s[a] >= 0) memcpy(out[n++], corner[a], sizeof out[0]);
        if ((s[a] >= 0) == (s[b] >= 0)) continue;
        double t = s[a]/(s[a] - s[b]);
        for (int d = 0; d < 3; d++) out[n][d] = corner[a][d] + t*(corner[b][d] - corner[a][d]);
        n++;
    }
    for (int m = 2; m < n; m++) patch_add_triangle(sum, out[0], out[m - 1], out[m]);
}

// The patch of a cell: every loop as a fan around its vertex mean (a triangle as itself).
static void patch_sum(PatchSum* sum, const double phi[8], const double* solid)
{
    signed char next[12];
    cut_loops_3d(next, phi);
    for (int e = 0; e < 12; e++) {
        if (next[e] < 0) continue;
        double v[CUT_LOOP_MAX][3], mean[3] = {0, 0, 0};
        int n = 0;
        for (int q = e; next[q] >= 0;) {
            cut_point(v[n], q, phi);
            for (int d = 0; d < 3; d++) mean[d] += v[n][d];
            n++;
            int after = next[q];
            next[q] = -1;  // consumed
            q = after;
        }
        for (int d = 0; d < 3; d++) mean[d] /= n;
        if (n == 3) {
            patch_add_clipped(sum, (const double* [3]){v[0], v[1], v[2]}, solid);
            continue;
        }
        for (int m = 0; m < n; m++) patch_add_clipped(sum, (const double* [3]){mean, v[m], v[(m + 1)%n]}, solid);
    }
}

static void patch_store(CellCut* out, const PatchSum* sum)
{
    for (int d = 0; d < 3; d++) {
        out->patch[d] = sum->area[d];
        out->center[d] = sum->scalar > 0 ? sum->moment[d]/sum->scalar : 0.5;
    }
    out->patch_area = sum->scalar;
}

typedef struct Corner {
    double phi, solid, x[3];
} Corner;

// A piece of a tetrahedron: convex, as tetrahedra. Clipping one by a plane leaves at most three.
typedef struct Tet {
    Corner at[4];
} Tet;

static Corner corner_between(const Corner* a, const Corner* b, double s)
{
    Corner c = {.phi = a->phi + s*(b->phi - a->phi), .solid = a->solid + s*(b->solid - a->solid)};
    for (int d = 0; d < 3; d++) c.x[d] = a->x[d] + s*(b->x[d] - a->x[d]);
    return c;
}

// Part of `in` where value < 0; value is phi or -solid.
static int tet_clip(Tet out[3], const Tet* in, bool by_solid)
{
    double v[4];
    int keep[4], drop[4], k = 0, d = 0;
    for (int a = 0; a < 4; a++) {
        v[a] = by_solid ? -in->at[a].solid : in->at[a].phi;
        if (v[a] < 0) keep[k++] = a;
        else drop[d++] = a;
    }
    if (k == 0) return 0;
    if (k == 4) {
        out[0] = *in;
        return 1;
    }
#define CUT(a, b) corner_between(&in->at[a], &in->at[b], v[a]/(v[a] - v[b]))
    if (k == 1) {
        out[0].at[0] = in->at[keep[0]];
        for (int m = 0; m < 3; m++) out[0].at[m + 1] = CUT(keep[0], drop[m]);
        return 1;
    }
    // two or three corners kept: the rest is a wedge with triangles (p0,p1,p2) and (q0,q1,q2), split into three tetrahedra
    Corner p[3], q[3];
    if (k == 3) {
        for (int m = 0; m < 3; m++) p[m] = in->at[keep[m]], q[m] = CUT(keep[m], drop[0]);
    } else {
        p[0] = in->at[keep[0]], q[0] = in->at[keep[1]];
        for (int c = 0; c < 2; c++) p[c + 1] = CUT(keep[0], drop[c]), q[c + 1] = CUT(keep[1], drop[c]);
    }
#undef CUT
    out[0] = (Tet){{p[0], p[1], p[2], q[2]}};
    out[1] = (Tet){{p[0], p[1], q[1], q[2]}};
    out[2] = (Tet){{p[0], q[0], q[1], q[2]}};
    return 3;
}

static double tet_volume(const Tet* t)
{
    double a[3], b[3], c[3], n[3];
    vec_sub(a, t->at[1].x, t->at[0].x), vec_sub(b, t->at[2].x, t->at[0].x), vec_sub(c, t->at[3].x, t->at[0].x);
    vec_cross(n, b, c);
    return fabs(vec_dot(a, n))/6;
}

// Wet volume of a cell with a solid in it: both functions linear on the six tetrahedra around the diagonal 0-7.
static double volume_with_solid(const double phi[8], const double solid[8])
{
    static const unsigned char path[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    double volume = 0;
    for (int t = 0; t < 6; t++) {
        int corner[4] = {0, path[t][0], path[t][1], 7}, in_liquid = 0, in_room = 0;
        for (int a = 0; a < 4; a++) in_liquid += phi[corner[a]]<0, in_room += solid[corner[a]]> 0;
        if (in_liquid == 0 || in_room == 0) continue;
        if (in_liquid == 4 && in_room == 4) {
            volume += 1.0/6;
            continue;
        }
        Tet tet, wet[3], open[3];
        for (int a = 0; a < 4; a++) {
            int c = corner[a];
            tet.at[a] = (Corner){phi[c], solid[c], {c & 1, c >> 1 & 1, c >> 2}};
        }
        int pieces = in_liquid == 4 ? 1 : tet_clip(wet, &tet, false);
        for (int m = 0; m < pieces; m++) {
            int parts = tet_clip(open, in_liquid == 4 ? &tet : &wet[m], true);
            for (int q = 0; q < parts; q++) volume += tet_volume(&open[q]);
        }
    }
    return volume;
}

void cut_cell_3d(CellCut* out, const double phi[8], const double* solid, const double face[6])
{
    PatchSum sum = {0};
    patch_sum(&sum, phi, solid);
    patch_store(out, &sum);
    if (solid) {
        out->volume = volume_with_solid(phi, solid);
        return;
    }
    // divergence theorem, origin at the cell centre: V = 1/3 (sum of face area times 1/2, plus the patch's x.S)
    double faces = 0;
    for (int f = 0; f < 6; f++) faces += face[f];
    out->volume = (faces + sum.volume)/6;
}

void cut_cell_2d(CellCut* out, const double phi[4], const double* solid)
{
    double cyclic[4] = {phi[0], phi[1], phi[3], phi[2]}, cyclic_solid[4];
    if (solid) cyclic_solid[0] = solid[0], cyclic_solid[1] = solid[1], cyclic_solid[2] = solid[3], cyclic_solid[3] = solid[2];
    Polygon piece[2];
    int pieces = square_polygons(piece, cyclic);
    *out = (CellCut){.center = {0.5, 0.5, 0}};
    for (int m = 0; m < pieces; m++) {
        if (solid) polygon_clip(&piece[m], cyclic_solid);
        out->volume += polygon_area(&piece[m]);
    }
    signed char segment[2][2];
    int segments = cut_segments_2d(segment, phi);
    double moment[2] = {0, 0};
    for (int m = 0; m < segments; m++) {
        double a[3], b[3], low = 0, high = 1;
        cut_point(a, segment[m][0], phi);
        cut_point(b, segment[m][1], phi);
        if (solid) {
            // part of the segment outside the solid
            double s[2] = {
                trilinear((const double[8]){solid[0], solid[1], solid[2], solid[3]}, (const double[3]){a[0], a[1], 0}),
                trilinear((const double[8]){solid[0], solid[1], solid[2], solid[3]}, (const double[3]){b[0], b[1], 0})};
            if (s[0] < 0 && s[1] < 0) continue;
            if (s[0] < 0) low = s[0]/(s[0] - s[1]);
            else if (s[1] < 0) high = s[0]/(s[0] - s[1]);
        }
        double p[2] = {a[0] + low*(b[0] - a[0]), a[1] + low*(b[1] - a[1])};
        double q[2] = {a[0] + high*(b[0] - a[0]), a[1] + high*(b[1] - a[1])};
        double length = hypot(q[0] - p[0], q[1] - p[1]);
        // the segment runs with the liquid on its right, so its left normal points out of the liquid
        out->patch[0] -= q[1] - p[1];
        out->patch[1] += q[0] - p[0];
        out->patch_area += length;
        for (int d = 0; d < 2; d++) moment[d] += length*0.5*(p[d] + q[d]);
    }
    if (out->patch_area > 0)
        for (int d = 0; d < 2; d++) out->center[d] = moment[d]/out->patch_area;
}
