// Pictures of a run: reads what `meniscus run` left in a directory and writes PNG files.
#pragma once
#include <stdbool.h>
#include "base/status.h"

// render_defaults fills in something good for every entry.
typedef struct RenderOptions {
    int first, last;    // frames; last < 0: to the end
    int every;          // each how many frames
    int width, height;  // pixels
    int samples;        // per pixel, of 3D pictures
    int threads;        // 0: all processors
    const char* style;  // "water", "clay", "wire" or "section"
    const char* floor;  // of 3D pictures: "checker" or "sand"
    const char* light;  // of 3D pictures: "sky" or "room"
    const char* color;  // NULL, "speed" (3D in style water becomes clay) or "pressure" (becomes section)
    const char* film;   // air films, where the run has any: "pressure", "thickness" or "off"
    bool whole_tank;    // for a run under way: camera and colours do not look at the frames
    bool motion_blur;   // 3D: shutter open for half the time between two frames
    double azimuth;     // degrees; the camera's way round the tank, 0 looks along -z
    double elevation;   // degrees above the floor
    double zoom;        // 1 fits the tank
    bool quiet;         // for the command: no line of progress
    void (*progress)(void* user, int frame, int count);  // after each picture: its frame, pictures done
    void* user;
} RenderOptions;

void render_defaults(RenderOptions* options);
mn_status render_check(const RenderOptions* options);  // MN_BAD_ARGUMENT with one line that says which entry is wrong

// Writes DIR/pictures/frame_0000.png ... for the frames asked for.
mn_status render_run(const char* dir, const RenderOptions* options);

// One PNG with columns x rows moments, spread evenly over the frames asked for; each is options->width wide before it is
// set, with its time.
mn_status render_contact_sheet(const char* dir, const char* out_png, int columns, int rows, const RenderOptions* options);

// Can movies be made? MN_UNSUPPORTED if the program ffmpeg is not on the PATH: to ask before hours of pictures.
mn_status render_movie_possible(void);
// Makes DIR/movie.mp4 of the frames asked for, which are in DIR/pictures already, with the program ffmpeg. MN_UNSUPPORTED
// without it.
mn_status render_movie(const char* dir, const RenderOptions* options);
