// What a scene holds, measured before it runs: sizes, speeds and openings, for `meniscus check` and for warnings.
#pragma once
#include "scene/scene.h"
#include "scene/thickness.h"
#include "step/sim.h"

// Parts thinner than this many cells are thin; thicker than MEASURED they are not measured any more.
enum { SURVEY_THIN = 2, SURVEY_THIN_BODY = 3, SURVEY_MEASURED = 8 };

// A liquid at the start. What mirrors show counts: a quarter of a drop between two mirrors is a whole drop here.
typedef struct LiquidSurvey {
    int images;              // 1, 2, 4 or 8: how many times the part in the box
    double volume;           // m^3 (2D: m^2) of the whole
    double radius;           // m, of the ball (disc) with that volume
    double center[3];        // m, of its volume, of the whole
    double low[3], high[3];  // m, in whole cells, of the whole
    double across;           // m: greatest thickness along the axis where that is least
} LiquidSurvey;

typedef struct SolidSurvey {
    double low[3], high[3];  // m, at the start; infinite for half-spaces and their like
    Thinnest thinnest;       // of what can come into the box; `at` in the rest frame
    double fastest;          // m/s over the run: of the corners of its bounds while in the box, plus that of a mesh's vertices
    bool comes_in;           // some of it is in the box at some time
    char failure[240];       // what a function of time says when it fails during the run; else empty
} SolidSurvey;

// A body in one liquid, by the law of Archimedes.
typedef struct Flotation {
    const Material* liquid;  // borrowed from the scene
    double under;            // part of its volume that is under the surface at rest; above 1: it sinks
    double weight;           // N (2D: N/m), less the buoyancy of all of it
    double tension;          // N (2D: N/m): the most that tension can carry, sigma times the longest edge of a level cut
} Flotation;

typedef struct BodySurvey {
    double edge;      // m (2D: a number): of the level cut whose edge is longest; 0: it need not be known
    Flotation in[2];  // the lightest and the heaviest liquid
    int liquids;      // of them; 0: nothing falls, 1: both are the same
} BodySurvey;

typedef struct SourceSurvey {
    double low[3], high[3];  // m, cut to the box
    double speed;            // m/s
    double opening;          // m^2 (2D: m): its largest section square to its velocity, within the box; 0 if it has none
    double across;           // m: width of the opening, as if it were round
} SourceSurvey;

typedef struct Survey {
    const Scene* scene;  // borrowed, as is sim
    const Sim* sim;
    LiquidSurvey* liquids;  // owned, as many as the scene has
    SolidSurvey* solids;
    BodySurvey* bodies;
    SourceSurvey* sources;
} Survey;

// sim: scene_build has made it from the scene, and its cut cells are built (sim_rebuild or sim_start); no step is made yet.
mn_status survey_make(Survey* out, const Scene* scene, const Sim* sim);  // MN_NO_MEMORY leaves it empty
void survey_free(Survey* survey);

double survey_duration(const Scene* scene);  // s, of the whole run
// for survey_make
void survey_solid(SolidSurvey* out, const Scene* scene, const SceneSolid* solid);
void survey_body(BodySurvey* out, const Scene* scene, const SceneBody* body);
// Two directions square to axis[0] (unit) and to each other; in 2D the first lies in the plane.
void survey_axes(double axis[3][3], int dim);
void survey_source(SourceSurvey* out, const Scene* scene, const SceneSource* source);
