// Films on solids that another partner moves: bodies (docs/film.md, Films on bodies).
//
// What the film presses on the liquid's pieces of surface it presses on the skin across, with the opposite sign, and what skin
// gives way makes room for air. With D the pieces' areas and moments about the solid's pivot, out of the liquid into the solid,
// and `change` of the solid's twist against the one that the film's rows were written for,
//
//     film:    F s + B^T p + (rho dx/dt) D change = d          solid:   force = dx^(dim-1) D^T s
//
// So the solid, too, sees the liquids' pressures through the film: s = F^-1 (d - B^T p - ...) is what SkinPush tells
// (liquid/coupling.h).
#pragma once
#include "film/film_assemble.h"
#include "liquid/coupling.h"

// Arena memory. Without such solids push.solids is 0.
typedef struct FilmSkin {
    SkinPush push;
    int* place;             // per air cell: of its solid among those of `push`; -1: none
    double (*area)[TWIST];  // D, per air cell: in faces, and faces times m
    double* flow;           // F^-1 D: per solid and k, per air cell
    double* base;           // F^-1 d: per air cell, Pa
} FilmSkin;

// Once the film's links stand. The cluster is told of the push.
mn_status film_skin_begin(FilmSkin* skin, const Film* film, Cluster* own, Arena* arena);
// After border_begin, each time the film's rows have changed.
mn_status film_skin_load(FilmSkin* skin, const Film* film, const Border* border, FilmScale scale, Arena* arena);
// Pressures of the film, Pa, for skin that moves as the solve says; before: for skin that moves as it did.
void film_skin_give_way(double* p, const FilmSkin* skin, int cells, FilmScale scale);
// What skin gives way to air cell c by, in faces times m/s.
double film_skin_room(const FilmSkin* skin, int c);
// J: what the film gives to the motion of such solids in a step, added to gain, per air cell.
void film_skin_gain(double* gain, const FilmSkin* skin, const Film* film, double dt);
