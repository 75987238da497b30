// The shape of a solid as a mesh in its present pose.
#pragma once
#include "grid/marching.h"
#include "liquid/solid.h"
#include "scene/shape.h"

// A shape read from a mesh file keeps its triangles; any other is polygonised at the tank's dx, within the tank. The mesh is
// empty when nothing of the solid is in the tank.
mn_status solidmesh_make(SurfaceMesh* mesh, const Solid* solid, const Shape* shape, const Tank* tank);
