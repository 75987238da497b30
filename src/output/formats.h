// The files of a frame in the formats of other programs, besides the PLY files that every run writes (docs/output.md).
#pragma once
#include "base/layers.h"
#include "scene/scene.h"
#include "step/sim.h"

// All files are written to temporary names and renamed; MN_IO names the file. `formats` is a sum of OUTPUT_...

// NAME_0000.obj, .hdf of a layer of triangles or edges, plain .ply of any (OUTPUT_PLY; never into a run's own directory);
// frame < 0: NAME.obj, .hdf, .ply, of something that stands still. Points are in PLY and USD files only.
mn_status formats_write_layer(const char* dir, int frame, const Layer* layer, unsigned formats);
// volume_0000.hdf, .vdb
mn_status formats_write_volume(const char* dir, int frame, const Sim* sim, unsigned formats);
// NAME.hdf.series, of a layer that has a file per frame
mn_status formats_write_series(const char* dir, const char* name, int first, int last, double rate, unsigned formats);
// Deletes what these functions write, of frames >= first; with first = 0 also what belongs to no frame.
void formats_clear(const char* dir, int first);

typedef struct ExportOptions {
    const char* to;  // directory; NULL: that of the run
    unsigned formats;
    int first, last;  // frames; last < 0: to the end
    bool lab;         // places in the laboratory, through which the box moves; velocities stay those in the box
} ExportOptions;

// The frames of a run that is there, in other formats: meshes as OBJ, VTKHDF or one USD file. Volumes are not among a run's
// frames: OUTPUT_VDB is MN_UNSUPPORTED.
mn_status formats_export(const char* run_dir, const ExportOptions* options);
