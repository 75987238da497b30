// The table `elastic` of a sheet: what it is made of, and where it is pinned.
#pragma once
#include "scene/read.h"

// Before the form is read, whose mesh depends on it: what it is made of. n: the sheet.
mn_status elastic_read(SceneSheet* sheet, const Node* n);
// After it, in the form's own coordinates: which vertices the shapes of `pins` hold.
mn_status elastic_read_pins(SceneSheets* s, SceneSheet* sheet, const Node* n);
