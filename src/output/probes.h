// What the probes of a scene measure: pressure, velocity and surface height at points that stand still.
#pragma once
#include "base/columns.h"
#include "scene/scene.h"
#include "step/sim.h"

void probe_columns(Columns* row, const Scene* scene, const Sim* sim);  // of probes.csv; replaces what is in the row

// The liquid around a point (m), or NULL. x_cells: the point in cells of that liquid's window.
const Liquid* probe_liquid(double x_cells[3], const Sim* sim, const double at[3]);
double probe_pressure(const Sim* sim, const double at[3]);               // Pa above the air; 0 outside the liquids
void probe_velocity(double out[3], const Sim* sim, const double at[3]);  // m/s; NAN outside the liquids
double probe_height(const Sim* sim, const double at[3]);                 // m; NAN when no liquid is above or below
