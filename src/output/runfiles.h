// The directory a run leaves behind, read back for pictures, strips and exports: run.json and the files of one frame.
#pragma once
#include <stdbool.h>
#include "film/film_record.h"
#include "output/drawmesh.h"

typedef struct RunSolid {
    char name[64];
    char look[16];  // empty if not told
    bool moving;
} RunSolid;

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
    int frames;         // surface_0000.ply .. there are this many in a row
    char material[64];  // of the first liquid or source; "water" if not told
    RunSolid* solids;
    int solid_count;
} RunFiles;

mn_status runfiles_open(RunFiles* run, const char* dir);  // on failure run is left empty
void runfiles_close(RunFiles* run);
double runfiles_time(const RunFiles* run, int frame);  // s

typedef struct FrameFiles {
    int index;
    DrawMesh surface;
    DrawSpray spray;
    FilmRecord film;
    DrawMesh* solids;
    int solid_count;
} FrameFiles;

mn_status framefiles_load(FrameFiles* frame, const RunFiles* run, int index);  // on failure frame is left empty
void framefiles_free(FrameFiles* frame);

// The air films of a frame alone; empty where the run wrote none.
mn_status runfiles_load_film(FilmRecord* film, const RunFiles* run, int index);

// What the camera and the colours must hold over a whole run: looked up in a few frames spread over it.
typedef struct RunExtent {
    double low[3], high[3];  // m, box of all liquid, spray and solids; low > high if there is nothing
    double speed;            // m/s, that 99 % of the surface never passes
} RunExtent;

mn_status runfiles_extent(RunExtent* extent, const RunFiles* run, int first, int last);
