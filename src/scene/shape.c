#include "scene/shape_node.h"

#include <stdlib.h>
#include <string.h>
#include "base/budget.h"
#include "base/vec.h"

// ---------------------------------------------------------------- distances of the primitives

static double box_distance(const Shape* s, const double p[3])
{
    double outside = 0, inside = -INFINITY;
    for (int d = 0; d < s->dim; d++) {
        double q = fabs(p[d]) - s->half[d];
        if (q > 0) outside += q*q;
        inside = fmax(inside, q);
    }
    return (inside > 0 ? sqrt(outside) : inside) - s->radius;
}

// The nearest point x of the ellipsoid satisfies y = x + t grad, so x_i = r_i^2 y_i/(t + r_i^2), and lies on it:
//     F(t) = sum (r_i y_i/(t + r_i^2))^2 - 1 = 0,   the root with t > -r_k^2, r_k the smallest radius [eberly2013].
// With s = t + r_k^2 > 0 nothing cancels. F is convex and falls, and every s_i = r_i y_i - (r_i^2 - r_k^2) has F >= 0
// (its own term alone is 1), so Newton from the largest of them climbs to the root and never passes it.
static double ellipsoid_distance(const Shape* shape, const double p[3])
{
    const double* r = shape->half;
    double y[3] = {0, 0, 0}, gap[3] = {0, 0, 0}, level = 0, s = 0, at_pole = 0;
    int k = 0;
    for (int d = 1; d < shape->dim; d++)
        if (r[d] < r[k]) k = d;
    for (int d = 0; d < shape->dim; d++) {
        y[d] = fabs(p[d]);
        gap[d] = (r[d] - r[k])*(r[d] + r[k]);
        if (y[d] < 1e-12*r[d]) y[d] = 0;  // on a plane of symmetry; also keeps Newton's climb short
        level += y[d]*y[d]/(r[d]*r[d]);
        s = fmax(s, r[d]*y[d] - gap[d]);
    }
    // Seen from the plane of symmetry across the smallest axis, and near the middle, the root sits at the pole s = 0 and
    // the nearest point leaves that plane.
    for (int d = 0; d < shape->dim; d++) {
        if (y[d] == 0) continue;
        double q = gap[d] > 0 ? r[d]*y[d]/gap[d] : INFINITY;
        at_pole += q*q;
    }
    double distance2 = 0;
    if (at_pole < 1) {
        distance2 = r[k]*r[k]*(1 - at_pole);
        for (int d = 0; d < shape->dim; d++) {
            if (y[d] == 0) continue;
            double out = y[d] - r[d]*r[d]*y[d]/gap[d];
            distance2 += out*out;
        }
        return -sqrt(distance2);
    }
    for (int i = 0; i < 100; i++) {
        double f = -1, slope = 0;
        for (int d = 0; d < shape->dim; d++) {
            if (y[d] == 0) continue;
            double q = r[d]*y[d]/(s + gap[d]);
            f += q*q;
            slope -= 2*q*q/(s + gap[d]);
        }
        if (f <= 0 || slope == 0) break;
        double next = s - f/slope;
        if (!(next > s)) break;
        s = next;
    }
    for (int d = 0; d < shape->dim; d++) {
        if (y[d] == 0) continue;
        double x = r[d]*r[d]*y[d]/(s + gap[d]);
        distance2 += (y[d] - x)*(y[d] - x);
    }
    return level < 1 ? -sqrt(distance2) : sqrt(distance2);
}

// Splits p, relative to a point on an axis, into its part along the axis and its distance from it.
static void along_and_off(double* along, double* off, const double p[3], const double axis[3])
{
    *along = vec_dot(p, axis);
    double q[3];
    for (int d = 0; d < 3; d++) q[d] = p[d] - *along*axis[d];
    *off = vec_norm(q);
}

static double cylinder_distance(const Shape* s, const double p[3])
{
    double along, off;
    along_and_off(&along, &off, p, s->axis);
    double a = off - s->radius, b = fabs(along - s->length/2) - s->length/2;
    if (a <= 0 && b <= 0) return fmax(a, b);
    return hypot(fmax(a, 0), fmax(b, 0));
}

static double capsule_distance(const Shape* s, const double p[3])
{
    double along = clamp(vec_dot(p, s->axis), 0, s->length), q[3];
    for (int d = 0; d < 3; d++) q[d] = p[d] - along*s->axis[d];
    return vec_norm(q) - s->radius;
}

static double torus_distance(const Shape* s, const double p[3])
{
    double along, off;
    along_and_off(&along, &off, p, s->axis);
    return hypot(off - s->radius, along) - s->length;
}

// x in the frame of the part.
void shape_place_inverse(double local[3], const Shape* s, const double x[3])
{
    double q[3];
    for (int d = 0; d < 3; d++) q[d] = x[d] - s->center[d] - s->axis[d];
    for (int d = 0; d < 3; d++) {
        local[d] = s->center[d] + (s->turn[0][d]*q[0] + s->turn[1][d]*q[1] + s->turn[2][d]*q[2])/s->factor;
    }
}

// How a mesh answers: meshsdf_distance or meshsdf_exact.
typedef double MeshDistance(const MeshSdf* sdf, const double x[3]);

static double distance_by(const Shape* s, const double x[3], MeshDistance* of_mesh);

static double place_distance(const Shape* s, const double x[3], MeshDistance* of_mesh)
{
    double local[3];
    shape_place_inverse(local, s, x);
    return s->factor*distance_by(s->parts[0], local, of_mesh);
}

static double distance_by(const Shape* s, const double x[3], MeshDistance* of_mesh)
{
    double p[3], value;
    vec_sub(p, x, s->center);
    if (s->dim == 2) p[2] = 0;
    switch (s->kind) {
    case KIND_BOX:
        return box_distance(s, p);
    case KIND_SPHERE:
        return vec_norm(p) - s->radius;
    case KIND_ELLIPSOID:
        return ellipsoid_distance(s, p);
    case KIND_CAPSULE:
        return capsule_distance(s, p);
    case KIND_CYLINDER:
        return cylinder_distance(s, p);
    case KIND_TORUS:
        return torus_distance(s, p);
    case KIND_HALFSPACE:
        return vec_dot(p, s->axis);
    case KIND_PLACE:
        return place_distance(s, x, of_mesh);
    case KIND_MESH:
        return of_mesh(s->sdf, x);
    case KIND_FORMULA:
        return s->formula ? formula_distance(s->formula, x) : INFINITY;
    case KIND_POLYGON:
        return polygon_distance((const double(*)[2])s->point, s->points, x);
    case KIND_UNION:
        value = INFINITY;
        for (int i = 0; i < s->count; i++) value = fmin(value, distance_by(s->parts[i], x, of_mesh));
        return value;
    case KIND_INTERSECTION:
        value = -INFINITY;
        for (int i = 0; i < s->count; i++) value = fmax(value, distance_by(s->parts[i], x, of_mesh));
        return value;
    case KIND_DIFFERENCE:
        value = distance_by(s->parts[0], x, of_mesh);
        for (int i = 1; i < s->count; i++) value = fmax(value, -distance_by(s->parts[i], x, of_mesh));
        return value;
    }
    return INFINITY;
}

double shape_distance(const Shape* s, const double x[3]) { return distance_by(s, x, meshsdf_distance); }
double shape_exact_distance(const Shape* s, const double x[3]) { return distance_by(s, x, meshsdf_exact); }

// ---------------------------------------------------------------- search

// Halves the box as long as it may hold a point that deep: distances never claim more than the truth, so a box whose
// middle is farther from such a point than its own half diagonal holds none.
bool shape_reaches(const Shape* a, const Shape* b, const double low[3], const double high[3], double depth, double resolution)
{
    double middle[3], half[3];
    int longest = 0;
    for (int d = 0; d < 3; d++) {
        if (low[d] > high[d]) return false;
        middle[d] = (low[d] + high[d])/2, half[d] = (high[d] - low[d])/2;
        if (half[d] > half[longest]) longest = d;
    }
    double value = shape_distance(a, middle);
    if (b) value = fmax(value, shape_distance(b, middle));
    if (value < -depth) return true;
    if (value > vec_norm(half) - depth || 2*half[longest] <= resolution || budget_is_spent()) return false;
    double cut[3] = {high[0], high[1], high[2]};
    cut[longest] = middle[longest];
    if (shape_reaches(a, b, low, cut, depth, resolution)) return true;
    memcpy(cut, low, sizeof cut);
    cut[longest] = middle[longest];
    return shape_reaches(a, b, cut, high, depth, resolution);
}

// ---------------------------------------------------------------- construction

static Shape* create(Kind kind, int dim, const double center[3])
{
    Shape* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->kind = kind, s->dim = dim, s->factor = 1;
    if (center) memcpy(s->center, center, (size_t)dim*sizeof *center);
    return s;
}

static void set_axis(Shape* s, const double direction[3])
{
    double length = vec_norm(direction);
    for (int d = 0; d < 3; d++) s->axis[d] = direction[d]/length;
}

void shape_free(Shape* s)
{
    if (!s) return;
    for (int i = 0; i < s->count; i++) shape_free(s->parts[i]);
    meshsdf_release(s->sdf);
    formula_free(s->formula);
    free(s->point);
    motion_free(s->motion);
    for (int i = 0; s->forms && i < SHAPE_FORMS; i++) shape_free(s->forms->form[i]);
    free(s->forms);
    free(s->parts);
    free(s);
}

Shape* shape_box(int dim, const double low[3], const double high[3], double rounding)
{
    Shape* s = create(KIND_BOX, dim, NULL);
    if (!s) return NULL;
    s->radius = rounding;
    for (int d = 0; d < dim; d++) {
        s->center[d] = (low[d] + high[d])/2;
        s->half[d] = (high[d] - low[d])/2 - rounding;
    }
    return s;
}

Shape* shape_sphere(int dim, const double center[3], double radius)
{
    Shape* s = create(KIND_SPHERE, dim, center);
    if (s) s->radius = radius;
    return s;
}

Shape* shape_ellipsoid(int dim, const double center[3], const double radii[3])
{
    Shape* s = create(KIND_ELLIPSOID, dim, center);
    if (s) memcpy(s->half, radii, (size_t)dim*sizeof *radii);
    return s;
}

static Shape* segment(Kind kind, int dim, const double from[3], const double to[3], double radius)
{
    Shape* s = create(kind, dim, from);
    if (!s) return NULL;
    double along[3];
    vec_sub(along, to, from);
    if (dim == 2) along[2] = 0;
    s->length = vec_norm(along);
    s->radius = radius;
    set_axis(s, along);
    return s;
}

Shape* shape_capsule(int dim, const double from[3], const double to[3], double radius)
{
    return segment(KIND_CAPSULE, dim, from, to, radius);
}

Shape* shape_cylinder(int dim, const double from[3], const double to[3], double radius)
{
    return segment(KIND_CYLINDER, dim, from, to, radius);
}

Shape* shape_torus(int dim, const double center[3], const double axis[3], double radius, double tube)
{
    Shape* s = create(KIND_TORUS, dim, center);
    if (!s) return NULL;
    s->radius = radius, s->length = tube;
    set_axis(s, axis);
    return s;
}

Shape* shape_halfspace(int dim, const double point[3], const double normal[3])
{
    Shape* s = create(KIND_HALFSPACE, dim, point);
    if (s) set_axis(s, normal);
    return s;
}

Shape* shape_combine(Kind kind, Shape** parts, int count)
{
    Shape* s = create(kind, parts[0]->dim, NULL);
    if (s) s->parts = malloc((size_t)count*sizeof *parts);
    if (!s || !s->parts) {
        for (int i = 0; i < count; i++) shape_free(parts[i]);
        free(s);
        return NULL;
    }
    memcpy(s->parts, parts, (size_t)count*sizeof *parts);
    s->count = count;
    return s;
}

Shape* shape_union(Shape** parts, int count) { return shape_combine(KIND_UNION, parts, count); }
Shape* shape_intersection(Shape** parts, int count) { return shape_combine(KIND_INTERSECTION, parts, count); }
Shape* shape_difference(Shape** parts, int count) { return shape_combine(KIND_DIFFERENCE, parts, count); }

// Rodrigues: R = cos I + sin [a]x + (1 - cos) a a^T
Shape* shape_place(Shape* part, const double about[3], const double by[3], const double axis[3], double angle, double factor)
{
    Shape* s = shape_combine(KIND_PLACE, &part, 1);
    if (!s) return NULL;
    double a[3], c = cos(angle), n = sin(angle), length = vec_norm(axis);
    for (int d = 0; d < 3; d++) a[d] = axis[d]/length;
    double cross[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) s->turn[i][j] = (i == j ? c : 0) + n*cross[i][j] + (1 - c)*a[i]*a[j];
    }
    memcpy(s->center, about, sizeof s->center);
    memcpy(s->axis, by, sizeof s->axis);
    s->factor = factor;
    return s;
}

Shape* shape_from_mesh(MeshSdf* sdf)
{
    Shape* s = create(KIND_MESH, 3, NULL);
    if (!s) return NULL;
    s->sdf = meshsdf_retain(sdf);
    return s;
}

Shape* shape_from_motion(MeshSdf* sdf, MeshMotion* motion)
{
    Shape* s = shape_from_mesh(sdf);
    if (s) s->motion = motion;
    else motion_free(motion);
    return s;
}

Shape* shape_from_function(int dim, int function, bool is_height)
{
    Shape* s = create(KIND_FORMULA, dim, NULL);
    if (s) s->function = function, s->is_height = is_height;
    return s;
}

Shape* shape_polygon(const double (*point)[2], int count)
{
    Shape* s = create(KIND_POLYGON, 2, NULL);
    if (s) s->point = malloc((size_t)count*sizeof *s->point);
    if (!s || !s->point) {
        free(s);
        return NULL;
    }
    memcpy(s->point, point, (size_t)count*sizeof *point);
    s->points = count;
    return s;
}

mn_status shape_tabulate(Shape* s, ShapeTabulator* tabulate, void* user)
{
    if (s->kind == KIND_FORMULA && !s->formula) TRY(tabulate(&s->formula, user, s->function, s->is_height));
    for (int i = 0; i < s->count; i++) TRY(shape_tabulate(s->parts[i], tabulate, user));
    return MN_OK;
}
