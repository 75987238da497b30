// Sheets of no thickness, read and checked.
#pragma once
#include "scene/read.h"

// Entry i of `sheets`, which is the last of scene->sheets so far, and its part of the mesh.
mn_status sheet_read(Scene* scene, const Node* n, int i);
// What else is in the scene and what has not been made to go with sheets; n: the scene itself.
mn_status sheets_check_company(const Scene* scene, const Node* n);
// Moves all sheets of a scene, by an eighth of a cell at most, where nodes of the grid lie on them.
mn_status sheets_nudge(Scene* scene, Arena* arena);
// Each lies in the box and has two sides; none touches another or itself; where two face each other across a gap, the gap is on
// the same side of both (sheets are turned round for that).
mn_status sheets_check(Scene* scene);
