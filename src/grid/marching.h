// The surface of a level set as a mesh. The mesh is closed: where the liquid ends at a side of the window, the wet part of that
// side belongs to it.
#pragma once
#include "base/status.h"
#include "grid/surfacemesh.h"
#include "grid/window.h"

typedef struct MarchingInput {
    const Window* w;
    const double* phi;    // m, nodes, < 0 inside; ghosts are not read
    const double* solid;  // m, nodes, < 0 inside solids, right where phi is near or below 0; may be NULL
    double* const* u;     // m/s, faces with ghosts filled; NULL: velocities are zero
    int owner;
    const unsigned char* cells;  // shifted: the cells that are looked at; NULL: all
    // The exact signed distance (m) that phi has at its nodes, where it is known at every place x (m): the mesh then has the
    // sharp edges of the shape. May be NULL; not together with `solid`.
    double (*distance)(const void* user, const double x[3]);
    const void* user;
} MarchingInput;

// Adds the surface of {phi < 0} without {solid < 0}. Its faces against air and against the solid meet in a line of edges that
// lies on both surfaces. Same input, same bytes. MN_NO_MEMORY leaves the mesh as it was.
mn_status marching_add(SurfaceMesh* mesh, const MarchingInput* in);
