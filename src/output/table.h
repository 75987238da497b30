// Rows of table.csv and liquids.csv as columns. Names and units: docs/output.md.
#pragma once
#include "base/columns.h"
#include "scene/scene.h"
#include "step/sim.h"

// What a row of table.csv holds beside what the simulation has at hand.
typedef struct TableSums {
    Energy energy;
    double surface_area;  // m^2 (2D: m)
    double wall_time;     // s
} TableSums;

TableSums table_sums(const Sim* sim, Arena* arena, double wall_time);
void table_columns(Columns* row, const Sim* sim, const TableSums* sums);  // replaces what is in the row

// One liquid in liquids.csv.
typedef struct LiquidRow {
    int frame, id;
    const char* name;      // of the liquid or source of the scene; borrowed from it
    double time;           // s
    double target_volume;  // m^3 (2D: m^2)
    LiquidState state;
    double place[3];  // m, of the box in the laboratory
} LiquidRow;

LiquidRow liquid_row(const Scene* scene, const Sim* sim, int m, Arena* arena, int frame);
void liquid_columns(Columns* row, const LiquidRow* liquid);  // replaces what is in the row
