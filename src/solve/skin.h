// Pieces of skin: where a liquid lies against something that may let go of it. A cell has one piece per face of it on a wall of
// the tank and one for the solids that cut it. Whoever else holds liquid (bodies, sheets) adds pieces with an owner of his own:
// the pressure and letting go (liquid/letting_go.h) ask a piece for its area, place and hold, and never who it belongs to.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"

struct PressureInput;

typedef enum SkinOwner { SKIN_OF_WALL, SKIN_OF_SOLID } SkinOwner;

typedef struct Skin {
    ptrdiff_t at;  // the cell it belongs to
    int cell[3];
    SkinOwner owner;
    int axis, high;    // the face of the cell that it is; axis -1: it lies inside the cell
    double area[3];    // out of the liquid, in face areas
    double normal[3];  // of unit length, out of the owner into the liquid
    double place[3];   // a point of it, cells
    double depth;      // cells: how far the cell's centre lies in front of it; < 0: behind it
    bool is_dry;       // air has come in between, and the operator sees the piece all the same (ghost fluid)
    double held;       // Pa, >= 0: what adhesion bears
    int opened;        // the round in which it let go; 0: it has not
    double speed;      // m/s: how fast liquid leaves it, if it has let go; by letting_go_part
    int next;          // the next piece of the same cell; -1: none
} Skin;

// Arena memory. All zeros: nothing lets go.
typedef struct SkinList {
    Skin* skin;
    int count;
    int* first;  // per cell: its first piece; -1: none. Origin shifted like a Field's v
} SkinList;

// All pieces between walls or solids and the cells with liquid, closed, in the order of the rows; `held` is left 0.
mn_status skins_find(SkinList* out, Arena* arena, const struct PressureInput* in);

#define FOR_SKINS_OF(list, at, s)                                                                                                \
    for (Skin* s = (list)->first[at] < 0 ? NULL : &(list)->skin[(list)->first[at]]; s;                                           \
         s = s->next < 0 ? NULL : &(list)->skin[s->next])

// The piece on a face of a cell, or, axis -1, inside it, if it has let go; else NULL.
static inline const Skin* skin_open(const SkinList* list, ptrdiff_t at, int axis, int high)
{
    if (!list || !list->first) return NULL;
    FOR_SKINS_OF(list, at, s)
    if (s->opened && s->axis == axis && (axis < 0 || s->high == high)) return s;
    return NULL;
}
