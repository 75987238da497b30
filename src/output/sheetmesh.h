// Sheets of no thickness as meshes, and the surface of a liquid beside them.
#pragma once
#include "grid/marching.h"
#include "liquid/liquid.h"
#include "scene/sheets.h"

// One sheet of a scene, where all of them are now (surface: of the same elements). Normals are smooth, but not across edges
// sharper than 40 degrees.
mn_status sheetmesh_make(SurfaceMesh* mesh, const SceneSheet* sheet, const SheetSurface* surface);
// Adds the surface of a liquid beside sheets: of each side its own, and wet faces where it ends at a sheet. Pieces of the two
// sides meet without sharing vertices; in cells with a rim in them the surface is that of what no sheet hides.
mn_status sidemesh_add(SurfaceMesh* mesh, const Liquid* q);
