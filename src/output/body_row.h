// Rows of bodies.csv as columns. Names and units: docs/output.md.
#pragma once
#include "base/columns.h"
#include "scene/scene.h"
#include "step/sim.h"

// Body b of the simulation in a frame; replaces what is in the row. b = -1: zeros, for the names.
void body_columns(Columns* row, const Sim* sim, int b, int frame);
int body_row_count(const Sim* sim);  // bodies there are

// A rotation as axis times angle (rad, 0 to pi) and as a quaternion (w, x, y, z), w >= 0.
void rotation_vector(double out[3], const double rotation[3][3]);
void rotation_quaternion(double out[4], const double rotation[3][3]);
