// Speeds inside a liquid of which only the surface is on file.
#pragma once
#include "render/drawmesh.h"

// Points of the surface with their share of it. Owns the arrays.
typedef struct SpeedField {
    int dim, count;
    float* point;     // 3 per sample, in the mesh's units
    float* velocity;  // 3 per sample, m/s
    float* share;     // length (2D) or area (3D) of the surface a sample stands for
    float soft;       // length below which distances do not matter
} SpeedField;

mn_status speedfield_init(SpeedField* field, const DrawMesh* mesh, int most_samples);
void speedfield_free(SpeedField* field);

// The mean of the surface velocities weighted by share/distance^(dim + 1): at the surface its own value, inside a smooth
// transition. Not the computed field: that one is not in the surface files.
double speedfield_at(const SpeedField* field, const float point[3]);
