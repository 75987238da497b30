// How liquids and solids look: by the name of the material, and by the word a scene gives a solid (`look`).
#pragma once
#include "base/v3.h"

typedef enum LookSort {
    LOOK_CLEAR,   // light crosses it
    LOOK_MATTE,   // light comes back from it in all directions
    LOOK_MIRROR,  // light comes back as from a metal
} LookSort;

typedef struct LiquidLook {
    char material[64];
    LookSort sort;
    float index;             // of refraction, at 20 C for yellow light; matte: of its smooth skin
    float absorption[3];     // clear: red, green, blue, per longest side of the tank
    float albedo[3];         // matte and mirror: share of red, green, blue that comes back
    float fill[3], line[3];  // of 2D pictures, as displayed
} LiquidLook;

typedef struct SolidLook {
    const char* word;
    LookSort sort;
    float albedo[3];
    float fill[3], line[3];
} SolidLook;

// A name or a colour (base/colour_word.h). Names we do not know look like water, or like oil if the word is in the name.
LiquidLook look_of_liquid(const char* material);

enum { MAX_LOOKS = 16 };
// The looks of a run's liquids, by number.
typedef struct LiquidLooks {
    LiquidLook look[MAX_LOOKS];
    int count;
} LiquidLooks;

// `count` words, each a look's, a material's or a colour. Of names we do not know, the first looks like water and the others
// like water with a dye that no other liquid has, so that they can be told apart.
LiquidLooks looks_of_liquids(char (*name)[64], int count);
// Never NULL; numbers that are not there are the first.
static inline const LiquidLook* looks_get(const LiquidLooks* l, int number)
{
    return &l->look[number >= 0 && number < l->count ? number : 0];
}
// Never NULL. Without a word (""), solids whose name begins with `glass` are glass and all others brown.
const SolidLook* look_of_solid(const char* word, const char* name);
// By the number that is kept with each face of a joined mesh.
int look_number(const SolidLook* look);
const SolidLook* look_numbered(int number);
