// The linear problems of the solver benchmark. Each is a box of n^3 cells, dx = 1/n, with walls on all sides.
//
//   tank       half full, wavy surface; ghost-fluid weights on cell centres
//   drop       a ball of radius 0.3; the same weights
//   solid      our cut-cell operator: the wavy tank with a solid ball standing in it, through the surface
//   two_drops  our cut-cell operator: drops of radius 48/128 and 6/128, each a liquid with its own window
//   droplet    our cut-cell operator: a drop of radius 18/64, fewer than 30,000 unknowns at n = 64
//
// tank and drop are the free-surface problems the solver's targets were measured on, number for number.
#pragma once
#include "base/status.h"
#include "flat.h"

mn_status problem_make(FlatProblem* p, const char* name, int n);
