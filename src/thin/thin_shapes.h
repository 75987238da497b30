// Sheets of simple outline, meshed by triangles with three equal sides, as nearly as the outline allows: bending is then the same
// in all directions (docs/thin.md).
#pragma once
#include "thin/thin_mesh.h"

// A mesh in arrays of its own. All zeros is a valid empty one.
typedef struct SheetShape {
    double* x;  // m, 3 per vertex
    int (*triangle)[3];
    int vertices, triangles;
} SheetShape;

// A rectangle with a corner at `corner` and edges along `a` and `b`, which are perpendicular; edges of triangles are about
// `spacing` long. Its normal is along a x b. MN_NO_MEMORY leaves it empty.
mn_status sheet_rectangle(SheetShape* s, const double corner[3], const double a[3], const double b[3], double spacing);
void sheet_shape_free(SheetShape* s);
