// The thickness of a body at a point of its surface is the way of the ray that goes in there against the normal, to where it
// comes out. Where the two sides are parallel (to PARALLEL) that is what everybody means: plates, shells, rods, the middle of
// a lens. Where they lean towards each other the way shrinks to nothing at every edge, also that of a brick seen from its
// bevel. There the body counts as thin only if no ball of about the thickness asked about fits in nearby, within REACH of its
// radii: so edges of more than 29 degrees and blunt tips are no thin parts, blades and foils are.
#include "scene/thickness.h"

#include <string.h>
#include "base/vec.h"
#include "scene/mesh_sdf.h"
#include "scene/mesh_tree.h"

static const double PARALLEL = 0.985;  // cosine of 10 degrees
static const double REACH = 4;         // radii: 1/sin(29 degrees/2)
static const double FITS = 0.8;        // of the thickness asked about: the ball that shows a taper to be thick enough
static const double NUDGE = 0.02;      // cells: gaps and parts thinner than that do not count

typedef struct Search {
    const Shape* shape;
    const MeshTree* tree;  // NULL: asked by distances. A mesh is looked at in its own frame and unit
    int dim;
    double low[3], high[3], dx, enough, most;
    Thinnest parallel, taper;  // found so far, where the sides are parallel and where they lean
} Search;

// Where a ray comes out of the body.
typedef struct Exit {
    double way;        // INFINITY: not within `most`
    double normal[3];  // unit, outward
} Exit;

static void along(double out[3], const double from[3], const double direction[3], double way)
{
    for (int d = 0; d < 3; d++) out[d] = from[d] + way*direction[d];
}

static bool to_unit(double v[3])
{
    double norm = vec_norm(v);
    if (!(norm > 1e-6)) return false;
    for (int d = 0; d < 3; d++) v[d] /= norm;
    return true;
}

// ---------------------------------------------------------------- bodies known by their distances

static double distance_at(const Search* s, const double x[3]) { return shape_exact_distance(s->shape, x); }

static void gradient_at(double out[3], const Search* s, const double x[3])
{
    double h = 1e-3*NUDGE*s->dx;
    out[0] = out[1] = out[2] = 0;
    for (int d = 0; d < s->dim; d++) {
        double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
        a[d] -= h, b[d] += h;
        out[d] = (distance_at(s, b) - distance_at(s, a))/(2*h);
    }
}

// Steps as long as the distance allows, which never claims more than the truth. Between the parts of a union it is 0 inside the
// body too: a nudge leads over such seams.
static Exit exit_by_distance(const Search* s, const double from[3], const double direction[3], double most)
{
    double nudge = NUDGE*s->dx, inside = 0, way = 0.5*nudge, x[3];
    for (;;) {
        along(x, from, direction, way);
        double distance = distance_at(s, x);
        if (distance > 0) break;
        inside = way;
        way += fmax(-distance, nudge);
        if (inside > most) return (Exit){INFINITY, {0}};
    }
    for (int i = 0; i < 20; i++) {
        double middle = 0.5*(inside + way);
        along(x, from, direction, middle);
        if (distance_at(s, x) > 0) way = middle;
        else inside = middle;
    }
    Exit out = {way, {0}};
    along(x, from, direction, way);
    gradient_at(out.normal, s, x);
    to_unit(out.normal);
    return out;
}

// ---------------------------------------------------------------- meshes

// Parts of a mesh may overlap: leaving one of them is not yet leaving the body.
static Exit exit_by_triangles(const Search* s, const double from[3], const double direction[3], double most)
{
    double least = 1e-6*s->dx, x[3];
    for (;;) {
        int triangle;
        double way = meshtree_exit(s->tree, from, direction, least, most, &triangle);
        if (triangle < 0) return (Exit){INFINITY, {0}};
        along(x, from, direction, way + NUDGE*s->dx);
        least = way + 1e-6*s->dx;
        if (meshtree_winding(s->tree, x) > 0.5) continue;
        Exit out = {way, {0}};
        meshtree_normal(out.normal, s->tree, triangle);
        return out;
    }
}

// ---------------------------------------------------------------- judging a point of the surface

static Exit exit_of(const Search* s, const double from[3], const double direction[3], double most)
{
    return s->tree ? exit_by_triangles(s, from, direction, most) : exit_by_distance(s, from, direction, most);
}

// Radius of the largest ball about x within the body, up to `most`, by rays to all sides: distances are too short inside unions.
static double room_at(const Search* s, const double x[3], double most)
{
    double room = most;
    for (int k = s->dim == 3 ? -1 : 0; k <= (s->dim == 3 ? 1 : 0); k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                double direction[3] = {i, j, k};
                if (to_unit(direction)) room = fmin(room, exit_of(s, x, direction, room).way);
            }
    return room;
}

static bool is_inside(const Search* s, const double x[3])
{
    return s->tree ? meshtree_winding(s->tree, x) > 0.5 : distance_at(s, x) < 0;
}

// Moves x along the line n to the middle between where that leaves the body: walls bend away from a straight ridge.
static void center_along(double x[3], const Search* s, const double n[3])
{
    double back[3] = {-n[0], -n[1], -n[2]};
    double ahead = exit_of(s, x, n, s->enough).way, behind = exit_of(s, x, back, s->enough).way;
    if (isfinite(ahead) && isfinite(behind)) along(x, x, n, 0.5*(ahead - behind));
}

// Thickness near p where the two sides, with outward normals n and other->normal, lean towards each other: that of the largest
// ball found on the way to where they part, along -(n + n'), as long as p is within its REACH.
static double thickness_of_taper(const Search* s, const double p[3], const double n[3], const Exit* other)
{
    double ridge[3], center[3], x[3], widest = 0, way = 0;
    for (int d = 0; d < 3; d++) ridge[d] = -(n[d] + other->normal[d]);
    if (!to_unit(ridge)) return other->way;
    along(center, p, n, -0.5*other->way);
    while (way < REACH*s->enough) {
        along(x, center, ridge, way);
        if (!is_inside(s, x)) break;
        center_along(x, s, n);
        double room = room_at(s, x, 0.5*s->enough), off[3];
        vec_sub(off, x, p);
        if (vec_norm(off) <= REACH*room) widest = fmax(widest, room);
        if (widest >= 0.5*FITS*s->enough) return INFINITY;
        way += fmax(0.5*room, 0.1*s->dx);
    }
    return 2*widest;
}

static void keep_thinner(Thinnest* best, double thickness, const double p[3])
{
    if (!(thickness < best->thickness)) return;
    best->thickness = thickness;
    memcpy(best->at, p, sizeof best->at);
}

// p lies on the surface, n is its outward unit normal.
static void judge(Search* s, const double p[3], const double n[3])
{
    double inward[3] = {-n[0], -n[1], -n[2]}, before[3];
    Exit other = exit_of(s, p, inward, s->most);
    bool parallel = vec_dot(n, other.normal) < -PARALLEL;
    if (!(other.way < (parallel ? s->parallel.thickness : fmin(s->enough, s->taper.thickness)))) return;
    along(before, p, n, NUDGE*s->dx);
    if (is_inside(s, before)) return;  // where parts of the body meet
    if (parallel) keep_thinner(&s->parallel, other.way, p);
    else keep_thinner(&s->taper, thickness_of_taper(s, p, n, &other), p);
}

// Where walls are thin their rims are too, and less surely measured.
static Thinnest thinner_of_both(const Search* s)
{
    return s->parallel.thickness < s->enough || !(s->taper.thickness < s->parallel.thickness) ? s->parallel : s->taper;
}

// ---------------------------------------------------------------- all points of the surface

// From x onto the surface, if that is near, and judges the body there.
static void judge_near(Search* s, const double start[3])
{
    double x[3] = {start[0], start[1], start[2]}, n[3], inside[3];
    for (int i = 0; i < 4; i++) {
        double distance = distance_at(s, x);
        gradient_at(n, s, x);
        if (!to_unit(n)) return;
        if (fabs(distance) > 1e-9*s->dx) along(x, x, n, -distance);
    }
    for (int d = 0; d < s->dim; d++)
        if (x[d] < s->low[d] || x[d] > s->high[d]) return;
    gradient_at(n, s, x);
    along(inside, x, n, -0.5*NUDGE*s->dx);
    if (fabs(distance_at(s, x)) > 1e-3*s->dx || !to_unit(n) || distance_at(s, inside) > 0) return;
    judge(s, x, n);
}

// Halves the box down to one cell as long as the surface may pass through it: distances never claim more than the truth.
static void look_through(Search* s, const double low[3], const double high[3])
{
    double middle[3], half[3];
    int longest = 0;
    for (int d = 0; d < 3; d++) {
        middle[d] = (low[d] + high[d])/2, half[d] = (high[d] - low[d])/2;
        if (half[d] > half[longest]) longest = d;
    }
    if (fabs(distance_at(s, middle)) > vec_norm(half)) return;
    if (2*half[longest] <= s->dx) {
        judge_near(s, middle);
        return;
    }
    double cut[3] = {high[0], high[1], high[2]};
    cut[longest] = middle[longest];
    look_through(s, low, cut);
    memcpy(cut, low, sizeof cut);
    cut[longest] = middle[longest];
    look_through(s, cut, high);
}

// Points of a triangle about a cell apart. A wide one needs few: what is thin behind a part of it is met from its other side too.
static void judge_triangle(Search* s, int triangle)
{
    enum { MOST_PARTS = 8 };
    double n[3], side[3], longest = 0, (*corner)[3] = s->tree->corners[triangle];
    for (int c = 0; c < 3; c++) {
        vec_sub(side, corner[(c + 1)%3], corner[c]);
        longest = fmax(longest, vec_norm(side));
    }
    int parts = (int)fmin(ceil(longest/s->dx), MOST_PARTS);
    meshtree_normal(n, s->tree, triangle);
    for (int i = 0; i < parts; i++)
        for (int j = 0; i + j < parts; j++) {
            double a = (i + 1.0/3)/parts, b = (j + 1.0/3)/parts, p[3];
            bool seen = true;
            for (int d = 0; d < 3; d++) {
                p[d] = (1 - a - b)*corner[0][d] + a*corner[1][d] + b*corner[2][d];
                seen = seen && p[d] >= s->low[d] && p[d] <= s->high[d];
            }
            if (seen) judge(s, p, n);
        }
}

// A box in the frame of the mesh that holds [low, high] of the shape's; returns how long a unit of the mesh is.
static double box_of_mesh(double low[3], double high[3], const Shape* shape)
{
    double origin[3], axis[3][3], from[3], to[3];
    shape_mesh_point(origin, shape, (double[3]){0, 0, 0});
    for (int e = 0; e < 3; e++) {
        shape_mesh_point(axis[e], shape, (double[3]){e == 0, e == 1, e == 2});
        vec_sub(axis[e], axis[e], origin);
    }
    double factor2 = vec_dot(axis[0], axis[0]);
    for (int e = 0; e < 3; e++) {
        from[e] = to[e] = -vec_dot(axis[e], origin)/factor2;
        for (int d = 0; d < 3; d++) {
            from[e] += fmin(axis[e][d]*low[d], axis[e][d]*high[d])/factor2;
            to[e] += fmax(axis[e][d]*low[d], axis[e][d]*high[d])/factor2;
        }
    }
    memcpy(low, from, sizeof from);
    memcpy(high, to, sizeof to);
    return sqrt(factor2);
}

static Thinnest thinnest_of_mesh(Search* s, const MeshSdf* sdf)
{
    double factor = box_of_mesh(s->low, s->high, s->shape), at[3];
    s->tree = meshsdf_tree(sdf);
    s->dx /= factor, s->enough /= factor, s->most /= factor;
    for (int t = 0; t < s->tree->triangle_count; t++) judge_triangle(s, t);
    Thinnest best = thinner_of_both(s);
    memcpy(at, best.at, sizeof at);
    shape_mesh_point(best.at, s->shape, at);
    best.thickness *= factor;
    return best;
}

Thinnest shape_thinnest(const Shape* shape, const double low[3], const double high[3], double dx, double enough, double most)
{
    Search s = {.shape = shape,
                .dim = low[2] < high[2] ? 3 : 2,
                .dx = dx,
                .enough = enough,
                .most = most,
                .parallel = {INFINITY, {0, 0, 0}},
                .taper = {INFINITY, {0, 0, 0}}};
    memcpy(s.low, low, sizeof s.low);
    memcpy(s.high, high, sizeof s.high);
    const MeshSdf* sdf = shape_sdf(shape);
    if (sdf) return thinnest_of_mesh(&s, sdf);
    for (int d = 0; d < s.dim; d++)
        if (!(low[d] < high[d])) return s.parallel;
    look_through(&s, low, high);
    return thinner_of_both(&s);
}
