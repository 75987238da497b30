// Shapes as signed distances (m, < 0 inside): primitives, their combinations, and triangle meshes.
// For primitives, moves, rotations and uniform scales the value is the exact distance; for unions it is exact outside, for
// intersections and differences a bound with the right sign whose zero set is exact. A mesh that has been prepared answers
// from a table: exact to second order in the table's spacing near the surface, a coarser value with the right sign far away.
//
// In 2D the third coordinate is ignored and a shape is its cut with z = 0: a sphere is a disc, a torus about z is a ring.
#pragma once
#include <stdbool.h>
#include "base/status.h"

typedef struct Shape Shape;
typedef struct TriMesh TriMesh;
typedef struct MeshSdf MeshSdf;
typedef struct Formula Formula;
typedef struct MeshMotion MeshMotion;

double shape_distance(const Shape* shape, const double x[3]);
double shape_exact_distance(const Shape* shape, const double x[3]);  // meshes by their triangles, not by their table: slow
// Box that holds the shape, m; +-INFINITY for half-spaces and their like. In 2D low[2] = high[2] = 0. low > high: empty.
void shape_bounds(double low[3], double high[3], const Shape* shape);
void shape_free(Shape* shape);  // fine on NULL; frees parts too

// Tabulates the distances of every mesh in the shape for a grid of spacing dx (m). scene_load has done it for its own dx.
// Without it a mesh answers exactly but slowly. Afterwards shape_distance may be called from many threads.
mn_status shape_prepare(Shape* shape, double dx);

// The triangles of a shape that is a mesh, moved, rotated or scaled at most; NULL otherwise. Borrowed until shape_free.
// Its vertices are in the file's own frame: shape_mesh_point puts one where the shape has it.
const TriMesh* shape_mesh(const Shape* shape);
const MeshSdf* shape_sdf(const Shape* shape);  // its distances; NULL otherwise
void shape_mesh_point(double out[3], const Shape* shape, const double vertex[3]);
const TriMesh* shape_mesh_part(const Shape* shape, int number);  // any mesh in the shape, 0 .. ; NULL: there are no more
bool shape_is_round(const Shape* shape);  // a sphere, ellipsoid, capsule or torus, moved, rotated or scaled at most

// A mesh whose vertices move (mesh_motion.h), itself moved, rotated or scaled at most, has another form at each time.
enum { SHAPE_FORMS = 8 };
bool shape_changes(const Shape* shape);           // does any mesh in it move?
bool shape_is_changing(const Shape* shape);       // is it such a mesh, so that shape_at may be asked?
double shape_fastest_change(const Shape* shape);  // m/s, of any vertex over all samples; 0 if none moves
// The shape at time t (s), tabulated as the shape itself is. Borrowed: it lives while no more than SHAPE_FORMS - 1 other times
// are asked for after it. Not for two threads at once.
mn_status shape_at(const Shape** form, Shape* shape, double t);
// Between two forms: how far (m) the point of the surface nearest to x has come; the farthest any vertex has.
void shape_shift(double out[3], const Shape* now, const Shape* before, const double x[3]);
double shape_longest_shift(const Shape* now, const Shape* before);

// Is any point of the box [low, high] at least `depth` inside a (and also inside b, unless b is NULL)? Looks as closely as
// `resolution` (m); what is thinner than that may be missed. In 2D give low[2] = high[2] = 0. A spent budget (base/budget.h) ends
// the search: the answer then means nothing.
bool shape_reaches(const Shape* a, const Shape* b, const double low[3], const double high[3], double depth, double resolution);

// Constructors: NULL when memory is out. Lengths are m, angles rad; sizes must be positive and numbers finite, which the
// scene reader has checked. Those that take shapes own them from then on, also when they return NULL.
Shape* shape_box(int dim, const double low[3], const double high[3], double rounding);
Shape* shape_sphere(int dim, const double center[3], double radius);
Shape* shape_ellipsoid(int dim, const double center[3], const double radii[3]);
Shape* shape_capsule(int dim, const double from[3], const double to[3], double radius);
Shape* shape_cylinder(int dim, const double from[3], const double to[3], double radius);
Shape* shape_torus(int dim, const double center[3], const double axis[3], double radius,
                   double tube);  // tube < radius
Shape* shape_halfspace(int dim, const double point[3],
                       const double normal[3]);  // liquid is on the side normal points from
Shape* shape_union(Shape** parts, int count);    // count >= 1; the array itself stays the caller's
Shape* shape_intersection(Shape** parts, int count);
Shape* shape_difference(Shape** parts, int count);  // the first without all others
// x -> about + by + factor R (x - about), with R the rotation by `angle` about the direction `axis` (any length, not 0).
Shape* shape_place(Shape* part, const double about[3], const double by[3], const double axis[3], double angle, double factor);
Shape* shape_polygon(const double (*point)[2], int count);  // in 2D; count >= 3, sides that do not cross
// Of a function of the scene, by its handle. The shape is empty until shape_tabulate has asked `tabulate` for its table.
Shape* shape_from_function(int dim, int function, bool is_height);
typedef mn_status ShapeTabulator(Formula** out, void* user, int function, bool is_height);
mn_status shape_tabulate(Shape* shape, ShapeTabulator* tabulate, void* user);
Shape* shape_from_mesh(MeshSdf* sdf);                        // shares sdf: takes one reference of its own, see mesh_sdf.h
Shape* shape_from_motion(MeshSdf* sdf, MeshMotion* motion);  // also owns motion from then on
