// Which layers the files of a run hold, in the order of reports and pictures: the surface, the solids as run.json lists them,
// then whatever else there is, by name.
#pragma once
#include "output/runfiles.h"

typedef struct RunLayer {
    char name[LAYER_NAME];
    bool still;  // one file for all frames
    bool must;   // a frame without it is damaged: the surface and the solids
} RunLayer;

// Owns its list; all zeros is a valid empty one.
typedef struct RunLayers {
    RunLayer* layer;
    int count, room;
} RunLayers;

// Of frames first to last. MN_NO_MEMORY and MN_IO leave the list empty.
mn_status runlayers_list(RunLayers* layers, const RunFiles* run, int first, int last);
void runlayers_free(RunLayers* layers);

// As it lies in its file, of the part that was computed where a run has mirrors. Without a file and without `must`: no points.
mn_status runlayer_read(Layer* layer, const RunFiles* run, const RunLayer* from, int frame);
// Of the first of these frames that has it: tells kind and attributes.
mn_status runlayer_read_first(Layer* layer, const RunFiles* run, const RunLayer* from, int first, int last);
