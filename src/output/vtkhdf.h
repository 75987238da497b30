// VTKHDF files for ParaView: HDF5 in VTK's layout, named .hdf, and a .hdf.series that gives them their times (docs/output.md).
// Version 1.0 of the layout, which ParaView 5.11 reads: it knows ImageData and UnstructuredGrid, not PolyData.
#pragma once
#include "base/layers.h"
#include "output/volume.h"

// Written to a temporary name and renamed. MN_IO names the file.
mn_status vtkhdf_write_volume(const char* path, const Volume* volume);  // ImageData: phi, u, p on points
mn_status vtkhdf_write_mesh(const char* path, const Layer* mesh);       // UnstructuredGrid: triangles or edges, with attributes
// dir/NAME.hdf.series: NAME_0000.hdf to `last`, frame n at n/rate seconds.
mn_status vtkhdf_write_series(const char* dir, const char* name, int first, int last, double rate);
