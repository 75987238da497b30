// Solids that a liquid never wets: a film of air lies between, as between two liquids (docs/film.md).
//
// To the film a solid is a body like another: a distance and a velocity. So that the films of a drop on a plate are found and
// solved by the same code, the bodies are the liquids and, after them, for each liquid the solids that keep it off, on that
// liquid's window and without a surface of their own: only the liquid's side has links.
#pragma once
#include "film/film_gap.h"

typedef struct FilmBodies {
    Liquid* body;  // the liquids as they are, borrowed, then the solids as each of them sees them
    int count;
    int liquids;
} FilmBodies;

// Arena memory. Without solids of this kind, the liquids alone. The liquids need their spans. only: the one liquid that asks for
// solids; -1: all do.
mn_status film_bodies(FilmBodies* b, const Liquid* liquid, int liquids, const Solids* solids, double reach, int only,
                      Arena* arena);
// Does a solid lie near this liquid (within `reach`, m, at some node of its spans)?
static inline bool film_sees_solid(const FilmBodies* b, int m)
{
    return b->liquids + m < b->count && b->body[b->liquids + m].phi.v;
}

// The liquid retreats from the solid, by all of what is missing to a gap of `least` (m). As film_repair_gap.
void film_repair_solid(GapRepair* repair, Liquid* q, const Liquid* solid, double least);
// The axes along which the solid beside a place (m) can push, a bit each: those its normal has a part in.
unsigned film_pushed_axes(const Liquid* solid, const double x[3]);
// A new liquid's shape less what lies in solids that keep it off.
void film_cut_shape(Liquid* q, const Solids* solids, double h_min);
