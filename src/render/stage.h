// One frame of a 3D run made ready for rays: shapes, materials, floor, tank, light and camera. The stage has its own units:
// the tank's longest side is 1, its bottom lies on the floor y = 0, and x = z = 0 is its middle.
#pragma once
#include "render/camera.h"
#include "render/colourscale.h"
#include "render/light.h"
#include "render/roles.h"

typedef enum StageStyle { STAGE_WATER, STAGE_CLAY, STAGE_WIRE, STAGE_SECTION } StageStyle;

typedef enum StageFloor { FLOOR_CHECKER, FLOOR_SAND } StageFloor;

// Of the faces of the liquid, beside the 0 and 1 of the files: against a clear solid.
enum { WET_GLASS = 2 };

typedef struct StageMap {
    double scale;      // stage units per metre
    double origin[3];  // m, what becomes (0, 0, 0)
} StageMap;

// Irradiance of the key light that reached the floor through or off water: a square of texels, by caustic_build.
typedef struct FloorLight {
    int n;               // texels per side; 0: none
    float low[2], side;  // of the square in x and z
    V3* texel;
} FloorLight;

// Values on the plane of the section, by section_build.
typedef struct SectionSheet {
    RayScene *solid_rays, *liquid_rays;  // of matte solids only, of liquid only; NULL: none
    int axis;                            // the plane is across x (0) or z (2), through the middle of the tank
    float front;                         // +1 or -1: the side of the camera
    int n[2];                            // samples across and up
    float* value;                        // what the colours tell, over the tank
} SectionSheet;

typedef struct Stage {
    StageStyle style;
    RayScene* rays;
    StageMap map;
    DrawMesh liquid;  // in stage units, only the faces light can cross
    int liquid_object, spray_object;
    int* drop_look;   // per drop of spray: number of its look
    DrawMesh solids;  // all bodies that are not clear; `look` is that of solids
    int solid_object;
    DrawMesh glass;        // those that are clear; none unless the style is water
    RayScene* glass_rays;  // of glass only; NULL: none
    float* wet_normal;     // unit or longer, out of the water, 3 per vertex of liquid on glass; by glass_find_wet
    float* liquid_speed;   // m/s per vertex of liquid
    V3 tank_low, tank_high;
    bool wall[6];
    float tile;         // stage units, side of a floor tile
    LiquidLooks looks;  // of the liquids, by number
    StageFloor ground;
    V3 content_low, content_high;  // box of the liquid and spray of this frame
    StudioLight light;
    FloorLight floor;
    SectionSheet section;
    Camera camera;
    bool color_surface;   // colour matte liquid by speed
    ColourScale colours;  // of matte liquid and of the section
    float bias;           // rays start this far from the surface they leave
} Stage;

typedef struct StageLook {
    StageStyle style;
    StageFloor ground;
    StudioSurroundings surroundings;
    CameraView view;
    int width, height;
    bool color_surface;
    ColourScale colours;
    double shutter;  // s the shutter is open; 0: no motion blur
} StageLook;

StageMap stage_map(const RunFiles* run);
double stage_floor_tile(const RunFiles* run);  // m, side of a tile of the floor: a round length
mn_status stage_init(Stage* stage, const RunFiles* run, const RunExtent* extent, const FrameFiles* frame,
                     const StageLook* look);  // on failure stage is left empty
void stage_free(Stage* stage);                // fine on an empty stage
