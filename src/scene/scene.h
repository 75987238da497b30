// A scene as plain data: what a Lua file says, in SI units, checked. Nothing here knows the grid.
//
// Ownership: scene_load fills a Scene, scene_free empties it. Strings and arrays belong to the Scene. Functions of time stay
// in the Lua state the Scene keeps (behind `lua`); scene_free ends it.
#pragma once
#include <stdbool.h>
#include "base/status.h"
#include "scene/options.h"
#include "scene/print.h"
#include "scene/shape.h"
#include "scene/sheets.h"
#include "scene/timevector.h"

typedef struct Material {
    char name[64];
    double rho;            // kg/m^3
    double sigma;          // N/m against air
    double mu;             // Pa s
    double contact_angle;  // radians, 90 degrees unless told
    bool sigma_varies;     // sigma is the largest value of the scene's function of the place
} Material;

// Angle between the surface and a solid or wall, through the liquid, radians.
typedef struct SceneAngle {
    double advancing, receding;  // the same unless the scene gives both; advancing < 0: the liquid's own
} SceneAngle;

// A surface that is a mesh, and what becomes of it where the mesh cannot follow.
typedef enum SceneSurface { SURFACE_IS_LEVELSET, SURFACE_IS_MEMBRANE } SceneSurface;
typedef enum SceneTopology { TOPOLOGY_IS_LEVELSET, TOPOLOGY_IS_STOP } SceneTopology;
extern const char* const surface_names[];   // by SceneSurface; NULL-ended
extern const char* const topology_names[];  // by SceneTopology; NULL-ended
typedef struct SceneMembrane {
    bool wanted;
    double thickness, edge;  // m
    double steps;            // longest step, in sqrt(rho dx^3/(2 pi sigma))
    SceneTopology topology;
} SceneMembrane;

enum { LOOK_ROOM = 32 };

typedef struct SceneLiquid {
    char name[64];
    Shape* shape;           // owned
    double velocity[3];     // m/s at the start
    double spin[3];         // rad/s about the shape's centre of volume at the start
    int velocity_function;  // handle: velocity is a function of the place, and `velocity` 0; 0: it is not
    Material material;
    SceneMembrane membrane;
    char look[LOOK_ROOM];  // of pictures: in scene_liquid_looks, or a colour; empty: as the material's name tells
    int line;              // of the scene file, for messages
} SceneLiquid;

typedef struct SceneSolid {
    char name[64];
    Shape* shape;  // owned, in its own frame at rest
    bool moving;
    bool changing;        // the shape is a mesh whose vertices move: shape_at gives it at a time
    TimeVector position;  // m, added to the rest frame; {0,0,0} if not given
    TimeVector rotation;  // rotation vector, rad (axis times angle), about `pivot`
    double pivot[3];      // m, in the rest frame
    SceneAngle contact_angle;
    bool film;        // liquids never touch it: an air film keeps them off
    bool is_body;     // liquids move it: see SceneBody
    bool meets_skin;  // bodies meet it point by point: it moves, or is none of the forms that contacts know
    bool of_file;     // of the MJCF file, whose parts may overlap
    int look;         // of pictures, in scene_solid_looks; -1: not told
    int line;
} SceneSolid;

// A solid that liquids move, and that floats, sinks and is carried. In 2D a slab one metre deep.
typedef struct SceneBody {
    int solid;             // of Scene.solids, which has its name, shape, contact angle and look
    double mass, density;  // kg (2D: kg/m), kg/m^3; the scene gives one, the other follows
    double volume;         // m^3 (2D: m^2)
    double velocity[3];    // m/s at the start, of its centre of mass
    double spin[3];        // rad/s at the start
    unsigned fixed;        // FIXED_... (rigid/body_plan.h)
    double friction;       // where it touches walls, solids and other bodies; of two bodies the larger holds
} SceneBody;

// A joint or an actuator of an MJCF file that goes as a function of time tells.
typedef struct SceneDrive {
    char name[64];
    TimeVector value;  // rad or m; rad/s or m/s; what the actuator takes
    bool is_velocity;
} SceneDrive;

// An MJCF file (docs/mujoco.md). Its bodies come after those that are written in the scene.
typedef struct SceneMjcf {
    char* path;                     // owned, as are the arrays; NULL: there is none
    double unit_length, unit_mass;  // m, kg
    double origin[3], rotation[3][3];
    SceneDrive* drives;
    int drive_count;
    SceneDrive* controls;
    int control_count;
    int* control_of;  // per actuator of the file: of controls, -1: none
    int* solid;       // per body of the file, the world first: of Scene.solids, -1: none
    int line;
} SceneMjcf;
extern const char* const scene_solid_looks[];   // NULL-ended
extern const char* const scene_liquid_looks[];  // NULL-ended

// Adds liquid: the inside of `shape` is kept full of liquid that moves with `velocity`, at the given rate.
typedef struct SceneSource {
    char name[64];
    Shape* shape;        // owned
    double velocity[3];  // m/s
    double rate;         // m^3/s (2D: m^2/s per metre of depth, i.e. m^3/s for a slab 1 m thick)
    double start, stop;  // s
    // functions of time in place of `rate` and `velocity`, which then are those of the start, and where it is
    TimeVector rate_at, velocity_at, position;
    Material material;
    char look[LOOK_ROOM];  // as of a liquid
    int line;
} SceneSource;

typedef enum ProbeKind { PROBE_PRESSURE, PROBE_VELOCITY, PROBE_HEIGHT } ProbeKind;
typedef struct SceneProbe {
    char name[64];
    ProbeKind kind;
    int points;    // of a line from `at` to `to`, while it is read; 1 after that
    double to[3];  // m
    double at[3];  // m; height: the topmost surface on the vertical line through it
} SceneProbe;

typedef enum SideKind { SIDE_WALL, SIDE_OPEN, SIDE_MIRROR } SideKind;
extern const char* const side_names[];  // by SideKind; NULL-ended
// When two liquids that meet become one (liquid/merge.h).
typedef enum SceneMergeRule {
    SCENE_MERGE_TOUCH,
    SCENE_MERGE_HOLD,
    SCENE_MERGE_BELOW,
    SCENE_MERGE_VDW,
    SCENE_MERGE_AFTER
} SceneMergeRule;
extern const char* const merge_names[];  // by SceneMergeRule; NULL-ended
typedef struct SceneMerge {
    SceneMergeRule rule;
    double value;  // m (below) or s (after)
    int a, b;      // the liquids it is for; sources come after the liquids
} SceneMerge;

// The air between liquids that do not merge on touch.
typedef struct SceneFilm {
    double mu;              // Pa s
    double cells;           // thickness up to which it counts
    double h_min;           // m; 0: the larger of 0.1 um and 0.002 cells
    double mean_free_path;  // m
    double hamaker;         // J
    bool graph;             // air cells as in the paper
    bool edge;              // conductance by the thickness at the edge, as in the paper
    int repeats;
} SceneFilm;
typedef enum AdvectionKind { ADVECTION_AUTO, ADVECTION_MACCORMACK, ADVECTION_SEMILAGRANGIAN, ADVECTION_CUBIC } AdvectionKind;
typedef enum TensionKind {
    TENSION_IS_AUTO,
    TENSION_IS_EXPLICIT,
    TENSION_IS_IMPLICIT,
    TENSION_IS_SPLIT,
    TENSION_IS_CSF
} TensionKind;
extern const char* const advection_names[];  // by AdvectionKind; NULL-ended
extern const char* const tension_names[];    // by TensionKind; NULL-ended
typedef enum SplitKind { SPLIT_IS_FROZEN, SPLIT_IS_PAPER } SplitKind;
typedef enum PaperChange { PAPER_BALANCE = 1, PAPER_PROVISIONAL = 2, PAPER_MEAN = 4 } PaperChange;
extern const char* const split_names[];         // by SplitKind; NULL-ended
extern const char* const paper_change_names[];  // one per bit of PaperChange; NULL-ended

// How surface tension acts; zeros: the scheme's own choice.
typedef struct SceneTension {
    TensionKind kind;
    double theta;       // implicit, csf
    double steps;       // longest step in capillary times
    SplitKind variant;  // of split
    int cycles;         // of split, in every step
    double band;        // csf, split as printed: cells the force is spread over
    unsigned changes;   // PaperChange of split as printed, added up
} SceneTension;

typedef enum OperatorKind { OPERATOR_AUTO, OPERATOR_CUT, OPERATOR_GHOST } OperatorKind;
extern const char* const operator_names[];  // by OperatorKind; NULL-ended
// Files of a frame besides PLY, which every run writes.
typedef enum OutputFormat { OUTPUT_OBJ = 1, OUTPUT_USDA = 2, OUTPUT_VTKHDF = 4, OUTPUT_VDB = 8, OUTPUT_PLY = 16 } OutputFormat;
extern const char* const format_names[];  // "ply", then one per bit; NULL-ended

// What a run draws of its frames as it goes, as `meniscus render` would.
typedef struct ScenePictures {
    bool wanted;
    int width, height;  // pixels
    int samples;        // per pixel, in 3D
    int style;          // of scene_picture_styles
    int every;          // frames
} ScenePictures;
extern const char* const scene_picture_styles[];  // NULL-ended

// The files a scene is made of: its own (borrowed from Scene), then those it includes in the order in which it asks for them
// (owned). Lua holds on to this, so that it stays where it is when a Scene is moved.
typedef struct SceneFile {
    char *name, *text;
} SceneFile;
typedef struct SceneFiles {
    SceneFile* file;
    int count;
} SceneFiles;

typedef struct Scene {
    char* path;          // as given to scene_load
    bool allow_outside;  // it may include and name files outside its folder
    char* title;
    char* text;            // the file's bytes, kept for run.json and for the checkpoint's fingerprint
    SceneOptions options;  // what the scene lets its user choose, and what was chosen
    SceneFiles* files;
    unsigned long long fingerprint;  // FNV-1a of the text, of the options set, of included files and of the meshes it names
    int dim;                         // 2 or 3
    int cells[3];                    // cells per axis; cells[2] = 1 in 2D
    double dx;                       // m
    double size[3];                  // m, = cells*dx
    SideKind side[6];                // -x +x -y +y -z +z
    SceneAngle wall_angle;
    double gravity[3];              // m/s^2
    TimeVector frame_acceleration;  // m/s^2 of the box itself; the liquid feels its opposite
    TimeVector frame_position;      // m, of the box in the laboratory; a function gives the acceleration too
    SceneLiquid* liquids;
    int liquid_count;
    SceneSolid* solids;  // those that the scene moves or not, then those of the bodies
    int solid_count;
    SceneSheets sheets;
    SceneBody* bodies;  // those that are written in the scene, then those of the MJCF file that have a form
    int body_count;
    struct BodyPlan* plans;  // owned, as are their forms and skins: of the bodies (body_build.h)
    int plan_count;          // those written in the scene, for the engine that moves them
    SceneMjcf mjcf;
    struct BodyForm* stills;  // owned: solids that stand still, for contacts with bodies; none where there are no bodies
    int still_count;
    SceneSource* sources;
    int source_count;
    SceneProbe* probes;
    int probe_count;
    double frame_rate;  // frames per second of simulated time
    int frame_count;
    int checkpoint_every;  // frames
    ScenePictures pictures;
    unsigned formats;  // OUTPUT_... added up
    // numerics, all with good defaults
    double cfl;               // 1.5
    double tolerance;         // of the pressure solve, relative: 1e-6
    double max_dt;            // s, INFINITY unless told
    AdvectionKind advection;  // cubic if a liquid or source has sigma > 0, else MacCormack
    SceneTension tension;
    bool slip;        // along walls and solids
    bool unilateral;  // walls and solids let go of liquid they would have to pull; true unless told
    OperatorKind op;
    int sigma_function;  // handle of the function of the place that sigma is; 0: the materials' numbers
    SceneMerge merge;    // of all pairs but those named
    SceneMerge* merge_pairs;
    int merge_pair_count;
    SceneFilm film;
    double spray_cells;    // a fragment smaller than this many cells of volume becomes spray: 8 (3D), 4 (2D)
    ScenePrints* prints;   // what it has printed; owned
    struct SceneLua* lua;  // keeps functions of time alive; private to scene/
} Scene;

// Name of the liquid or source that a liquid of the simulation comes from (Liquid.kind): sources come after the liquids.
const char* scene_kind_name(const Scene* scene, int kind);
// Do any liquids stay apart, or off a solid, by an air film?
bool scene_has_film(const Scene* scene);

// sigma (N/m) at a place, by the scene's function; it must give one positive number. Limits and threads as scene_time_vector.
mn_status scene_sigma(double* sigma, const Scene* scene, const double x[3]);

// What the one who loads a scene lets it do.
typedef struct SceneTerms {
    const char* const* settings;  // "name=value" for the scene's options, NULL-ended; NULL is none
    bool allow_outside;           // includes, meshes and caches may lie outside the scene's folder
    const char* text;             // the scene, in place of what is in the file; NULL: read it
} SceneTerms;

// Reads and checks a scene. On failure the message names file, line and key; *scene is left empty. All of it, meshes and their
// tables included, takes at most SCENE_SECONDS of processor time, and a second more for each MB of meshes.
mn_status scene_load(Scene* scene, const char* path, const SceneTerms* terms);  // terms NULL: all zeros
mn_status scene_load_text(Scene* scene, const char* name, const char* text);    // for tests and the API
enum { SCENE_SECONDS = 30 };
void scene_free(Scene* scene);

// Value at time t (s). Runs under the same limits as the file itself; a function that fails, runs too long or returns
// something that is not 3 (2D: 2 or 3; a rotation: 1) finite numbers gives MN_BAD_SCENE with the line of the function.
// Not for two threads at once: the Lua state behind it is one.
mn_status scene_time_vector(double value[3], const Scene* scene, const TimeVector* v, double t);
// A source at a time; rates below 0 are refused.
typedef struct SceneSourceNow {
    double rate, velocity[3], position[3];
} SceneSourceNow;
mn_status scene_source_at(SceneSourceNow* now, const Scene* scene, const SceneSource* source, double t);
static inline bool scene_source_varies(const SceneSource* s)
{
    return s->rate_at.function || s->velocity_at.function || s->position.function;
}
// Acceleration of the box (m/s^2): as the scene says, or from the position it gives.
mn_status scene_frame_acceleration(double a[3], const Scene* scene, double t);
