// Solids that a liquid never wets: a film of air lies between, as between two liquids (docs/film.md).
//
// To the film solids are a body like another, with a distance and a velocity, but without a surface of their own: only the
// liquid's side has links. Each liquid has its own view of them, on its own window.
#pragma once
#include "film/film_gap.h"

// Adds the solids beside every liquid that has one within `reach` (m) of some node of its spans. only: the one liquid that asks
// for them; -1: all do. Arena memory.
mn_status film_bodies_add_solids(FilmBodies* b, const Solids* solids, double reach, int only, Arena* arena);

// The liquid retreats from the solid, by all of what is missing to a gap of `least` (m). As film_repair_gap.
void film_repair_solid(GapRepair* repair, Liquid* q, const FilmBody* solid, double least);
// The axes along which solids beside a place (m) can push, a bit each: those their normal has a part in.
unsigned film_pushed_axes(const FilmBody* solid, const double x[3]);
// A new liquid's shape less what lies in solids that keep it off.
void film_cut_shape(Liquid* q, const Solids* solids, double h_min);
