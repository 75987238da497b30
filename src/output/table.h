// Rows of table.csv and liquids.csv. Columns and units: docs/output.md.
#pragma once
#include "output/files.h"
#include "step/sim.h"

void table_header(Bytes* out);
void table_row(Bytes* out, const Sim* sim, Arena* arena, double wall_time);
void liquids_header(Bytes* out);
void liquids_rows(Bytes* out, const Sim* sim, Arena* arena, int frame);  // one row per liquid
