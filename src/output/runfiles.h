// The directory a run leaves behind, read back for pictures, strips and exports: run.json and the files of one frame.
#pragma once
#include <stdbool.h>
#include "base/layers.h"

// What it is: its layer's name begins with "solid", "sheet" (of no thickness) or "rod" (thinner than a cell).
typedef enum RunSort { RUN_SOLID, RUN_SHEET, RUN_ROD } RunSort;

typedef struct RunSolid {
    char name[64];
    char look[16];  // empty if not told
    bool moving;
    RunSort sort;
} RunSolid;
void runsolid_layer(char layer[LAYER_NAME], const RunSolid* solid);  // the name of its layer

typedef enum RunMirror { MIRROR_NONE, MIRROR_LOW, MIRROR_HIGH } RunMirror;

// A run of a part between mirrors is read as the whole (output/mirror.h): size, wall and all that a frame holds are the whole's.
typedef struct RunFiles {
    char* dir;
    char title[256];
    int dim;
    double size[3];     // m, of the tank
    double dx;          // m, 0 if not told
    double frame_rate;  // 1/s
    bool wall[6];       // -x +x -y +y -z +z; false: open
    RunMirror mirror[3];
    int frames;  // surface_0000.ply .. there are this many in a row
    char (
        *looks)[64];  // of liquids: the word of each number that the attribute "look" has; the first material where none is told
    int look_count;   // at least 1
    RunSolid* solids;
    int solid_count;
} RunFiles;

mn_status runfiles_open(RunFiles* run, const char* dir);  // on failure run is left empty
void runfiles_close(RunFiles* run);
double runfiles_time(const RunFiles* run, int frame);  // s

// What a frame shows: the surface first, then the solids as run.json lists them, then all other layers by name. Triangles turn
// outwards; meshes of bodies have "normal", "velocity", "liquid" and "kind", zeros if the file has none.
// MN_IO names a file with a point far outside the tank.
typedef struct FrameFiles {
    int index;
    Layers layers;
} FrameFiles;

mn_status framefiles_load(FrameFiles* frame, const RunFiles* run, int index);  // on failure frame is left empty
void framefiles_free(FrameFiles* frame);
const Layer* framefiles_surface(const FrameFiles* frame);  // of a frame that is loaded there is one
// One layer of a frame alone; without points where the run wrote none. MN_IO leaves it empty.
mn_status runfiles_load_layer(Layer* layer, const RunFiles* run, const char* name, int index);

// What the camera and the colours must hold over a whole run: looked up in a few frames spread over it.
typedef struct RunExtent {
    double low[3], high[3];  // m, box of all layers but points without a radius; low > high if there is nothing
    double speed;            // m/s, that 99 % of the surface never passes
} RunExtent;

mn_status runfiles_extent(RunExtent* extent, const RunFiles* run, int first, int last);
