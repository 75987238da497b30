// The checks behind scene_warnings. Each looks at one kind of doubt and adds a warning for every thing it finds.
#pragma once
#include "scene/warnings.h"

typedef struct Warner {
    Warnings* out;
    const Survey* survey;
    const Scene* scene;
    const Sim* sim;
    const char* check;  // the one at work
    int found;          // by it
    bool out_of_memory;
} Warner;

// about: whom it concerns; the text names it where that helps to read it.
void warn(Warner* w, const char* about, const char* format, ...) __attribute__((format(printf, 3, 4)));

void warn_of_box(Warner* w);
void warn_of_gravity(Warner* w);
void warn_of_materials(Warner* w);
void warn_of_sizes(Warner* w);
void warn_of_speeds(Warner* w);
void warn_of_resolution(Warner* w);
void warn_of_heavy_drops(Warner* w);

void warn_of_solids_outside(Warner* w);
void warn_of_cut_drops(Warner* w);
void warn_of_deep_pools(Warner* w);
void warn_of_gaps(Warner* w);

void warn_of_thin_solids(Warner* w);
void warn_of_thin_bodies(Warner* w);
void warn_of_body_angles(Warner* w);
void warn_of_meshes(Warner* w);
void warn_of_motions(Warner* w);
void warn_of_angles(Warner* w);

void warn_of_rates(Warner* w);
void warn_of_thin_sheets(Warner* w);
