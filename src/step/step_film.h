// Liquids held apart by films of air, within a step (paper: wang2023bouncing, algorithm 1; docs/film.md).
#pragma once
#include "film/film_solid.h"
#include "step/sim.h"

// Liquids that must not merge and have come nearer than the film's least thickness are moved apart; cut cells are rebuilt.
mn_status film_step_repair(Sim* sim, Arena* kept);
// Do liquids a and b become one now? place: where the film between them breaks, a node of the tank, if it does; else untouched.
bool film_step_merges(int place[3], const Sim* sim, int a, int b);
// How freely the nodes of liquid m may move to restore its volume (film_gap.h); NULL: all the same.
mn_status film_step_freedom(float** freedom, const Sim* sim, Arena* kept, int m);
// Mean velocities of the liquids that touch no wall and no solid, at the start of a step; NULL without films. Arena memory.
struct FreeMotion;
mn_status film_step_note_motion(struct FreeMotion** motion, Sim* sim, Arena* kept);
// Until the projection nothing but the box's acceleration changes the mean velocity of such a liquid; what advection, gap repair
// and friction on the grid added to it is taken away again.
mn_status film_step_keep_motion(Sim* sim, const struct FreeMotion* motion, const double acceleration[3], double dt);
// Steps 8 and 9 of a liquid step for all liquids: those that a film joins are solved together, the others each by itself.
// acceleration NULL: without tension, as in flow_project.
mn_status film_step_project(Sim* sim, Arena* kept, const double acceleration[3], double dt);
// The bodies there are now (film_bodies) and the film's pairs among them. Arena memory.
mn_status film_step_begin(Film* film, FilmBodies* bodies, const Sim* sim, int only, Arena* arena);
