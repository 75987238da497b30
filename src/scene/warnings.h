// What looks doubtful in a scene that is valid. `check` and `run` show it, run.json keeps it.
#pragma once
#include "scene/survey.h"

typedef struct Warning {
    const char* check;  // which one found it, as "thin solids"
    char about[64];     // the name of the liquid, solid, source or material; empty: of the scene itself
    char text[400];     // one line, a sentence without its full stop
} Warning;

// All zeros is a valid empty list.
typedef struct Warnings {
    Warning* list;  // owned
    int count, room;
} Warnings;

// Everything there is to warn of, in the order of the checks (warnings.c); most_per_check of a kind, then how many more there
// are. sim as for survey_make. On failure the list is empty.
mn_status scene_warnings(Warnings* out, const Scene* scene, const Sim* sim);
mn_status survey_warnings(Warnings* out, const Survey* survey);  // the same, of a survey that is made already
void warnings_free(Warnings* warnings);
