// Sheets of a scene that move: where they are at any time.
#pragma once
#include "base/arena.h"
#include "liquid/solid.h"
#include "scene/scene.h"

// Of sheet m, from its place at the start: x(t) = R (x(0) - pivot) + pivot + position, about the place (m) that its pivot has at
// the start.
mn_status sheet_pose(Pose* pose, const Scene* scene, int m, double t);
void sheet_pivot(double pivot[3], const SceneSheets* s, int m);
// The m-th of the sheets that move, as a number among all; -1: there are no more.
int sheets_moving(const SceneSheets* s, int m);
// Sheets that move are read where their functions are zero: to where they start. Once, before anything is checked.
mn_status sheets_start(Scene* scene);
// Looks at them in other places than at their start, several times in the run: `check` is called with all at that time.
mn_status sheets_look_ahead(Scene* scene, mn_status (*check)(Scene* scene, void* user), void* user);
// m/s of any vertex of a sheet, seen at several times in the run; 0: it stands still.
mn_status sheet_fastest(double* speed, const Scene* scene, int m);
