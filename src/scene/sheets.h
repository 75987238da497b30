// The sheets of a scene: surfaces of no thickness that liquid never passes, all in one mesh of segments (2D) or triangles (3D).
#pragma once
#include <stdbool.h>
#include "base/status.h"
#include "grid/sheetcut.h"
#include "scene/timevector.h"

// What an elastic sheet is made of.
typedef struct SceneElastic {
    double young, poisson, thickness, density;  // Pa, -, m, kg/m^3
    int law;                                    // ThinLaw
    double damping, stiffness_damping;          // 1/s, s
    double friction;
    double spacing;  // m, of built-in forms: about as long are the edges of their mesh
    int pinned;      // vertices
} SceneElastic;

typedef struct SceneSheet {
    char name[64];
    int look;  // of pictures, in scene_solid_looks; -1: not told
    int line;
    int first_vertex, vertices, first_element, elements;  // its part of the mesh
    TimeVector position, rotation;                        // m, rad; as of solids
    double pivot[3];                                      // m, in the rest frame
    bool moving;                                          // by a script
    bool is_elastic;
    SceneElastic elastic;
    double start_position[3], start_rotation[3];  // at the start
} SceneSheet;

// All zeros is a valid empty one. Owns its arrays.
typedef struct SceneSheets {
    SceneSheet* sheet;
    int count;
    double* x;     // m, 3 per vertex, at the start
    int* element;  // dim vertices each
    int vertex_room, element_room, held_room;
    unsigned char* held;   // per vertex: an elastic sheet is pinned there
    double moved[3];       // cells, all of them, off the nodes of the grid
    double time;           // s, of the places that are being checked
    SheetSurface surface;  // of all of them: its arrays are x and element
} SceneSheets;

// Is it somewhere else in every frame?
static inline bool sheet_changes(const SceneSheet* sheet) { return sheet->moving || sheet->is_elastic; }
static inline bool sheets_any_elastic(const SceneSheets* s)
{
    for (int m = 0; m < s->count; m++)
        if (s->sheet[m].is_elastic) return true;
    return false;
}

void sheets_free(SceneSheets* s);
// The sheet an element belongs to.
int sheets_owner(const SceneSheets* s, int element);

// Growing the mesh by the sheet that is being read, the last one. Vertices are numbered from its first one.
mn_status sheet_add_vertex(SceneSheets* s, const double x[3]);
mn_status sheet_add_element(SceneSheets* s, int a, int b, int c);  // 2D: c is not looked at

// ---- forms (sheet_forms.c): lengths in m, angles in rad. Curved ones are made of pieces of at most `piece`.
// Part of a circle, counterclockwise from one angle to another; all of it where they are 2 pi apart.
mn_status sheet_add_arc(SceneSheets* s, const double center[3], double radius, double from, double to, double piece);
mn_status sheet_add_curve(SceneSheets* s, const double (*point)[3], int points, bool closed);
mn_status sheet_add_rectangle(SceneSheets* s, const double corner[3], const double along[3], const double across[3]);
mn_status sheet_add_disc(SceneSheets* s, const double center[3], const double normal[3], double radius, double piece);
// The mantle of a cylinder; with a bottom at `from` it is a cup. In 2D of a cup: its bottom and two sides.
mn_status sheet_add_tube(SceneSheets* s, const double from[3], const double to[3], double radius, bool bottom, double piece);
// The part of a sphere within an angle of an axis; pi: all of it.
mn_status sheet_add_dome(SceneSheets* s, const double center[3], const double axis[3], double radius, double angle, double piece);

// Two directions at right angles to `axis` and to each other, so that u x v is along it. Lengths 1.
void sheet_directions(double u[3], double v[3], const double axis[3]);

// ---- forms of elastic sheets (sheet_elastic.c): edges about `spacing` long, triangles with nearly equal sides -----------------
mn_status sheet_add_fine_rectangle(SceneSheets* s, const double corner[3], const double along[3], const double across[3],
                                   double spacing);
mn_status sheet_add_fine_disc(SceneSheets* s, const double center[3], const double normal[3], double radius, double spacing);
// The chain of segments of the last sheet is made again of shorter ones.
mn_status sheet_refine_chain(SceneSheets* s, double spacing);

// What `check` tells of a sheet. m (2D: area is a length, and the rim has points instead of a length).
typedef struct SheetMeasure {
    double low[3], high[3], area, rim;
    int rim_ends;  // 2D
} SheetMeasure;
void sheet_measure(SheetMeasure* m, const SceneSheets* s, int sheet);
