// The inside of a Shape: one node of a tree of primitives, combinations and meshes. For the files of shape.h alone.
#pragma once
#include "scene/formula.h"
#include "scene/mesh_motion.h"
#include "scene/mesh_sdf.h"
#include "scene/shape.h"

typedef enum Kind {
    KIND_BOX,
    KIND_SPHERE,
    KIND_ELLIPSOID,
    KIND_CAPSULE,
    KIND_CYLINDER,
    KIND_TORUS,
    KIND_HALFSPACE,
    KIND_UNION,
    KIND_INTERSECTION,
    KIND_DIFFERENCE,
    KIND_PLACE,
    KIND_MESH,
    KIND_FORMULA,
    KIND_POLYGON
} Kind;

// One node of the tree; owns its parts.
struct Shape {
    Kind kind;
    int dim;
    double center[3];   // box, sphere, ellipsoid, torus; a point on the plane; one end of a segment; place: `about`
    double axis[3];     // unit: torus axis, outward normal, direction of the segment; place: `by`
    double half[3];     // box half sizes (without the rounding), ellipsoid radii
    double radius;      // sphere, capsule, cylinder, torus ring, box rounding
    double length;      // of the segment; torus: radius of the tube
    double turn[3][3];  // place: rotation from part to here
    double factor;      // place: scale from part to here
    MeshSdf* sdf;
    MeshMotion* motion;   // of a mesh that moves, or NULL
    double spacing;       // m, of the tables; 0: not prepared
    struct Forms* forms;  // asked for so far, of the outermost shape
    Formula* formula;     // NULL until it is tabulated
    int function;         // of the scene, that the formula is
    bool is_height;       // it is the height of a surface over (x, z), the shape what lies below
    double (*point)[2];   // corners of a polygon, m; owned
    int points;
    Shape** parts;
    int count;
};

// The forms of a mesh that moves, at the last times asked for.
struct Forms {
    Shape* form[SHAPE_FORMS];
    double time[SHAPE_FORMS];
    int next;
};

// Owns the parts from now on, also if it fails (NULL: no memory).
Shape* shape_combine(Kind kind, Shape** parts, int count);
// A point x as the part of a KIND_PLACE sees it.
void shape_place_inverse(double local[3], const Shape* s, const double x[3]);
