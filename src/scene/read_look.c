// How pictures show what is in a scene: the words for it.
#include "scene/read_look.h"

#include <stdio.h>
#include <string.h>
#include "base/colour_word.h"

// What the renderer knows (src/render/looks.c).
const char* const scene_liquid_looks[] = {"water",       "milk",    "ethanol", "silicone_oil_20cSt",
                                          "tetradecane", "mercury", "honey",   "oil",
                                          "red",         "yellow",  "green",   "blue",
                                          "tea",         "coffee",  "cola",    "beer",
                                          "wine",        "juice",   "blood",   "ink",
                                          NULL};
const char* const scene_solid_looks[] = {"brown",  "glass",  "steel", "white", "grey", "black", "red",
                                         "orange", "yellow", "green", "blue",  "wood", "ice",   NULL};

static bool is_liquid_look(const char* word)
{
    ColourWord colour;
    for (const char* const* known = scene_liquid_looks; *known; known++)
        if (strcmp(word, *known) == 0) return true;
    return colour_word_read(&colour, word);
}

mn_status liquid_look_read(char out[LOOK_ROOM], const Node* n)
{
    char expected[400] = "a colour as \"#b5651d\" or \"opaque #b5651d\", or";
    for (int m = 0; scene_liquid_looks[m]; m++) {
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s \"%s\"", m ? "," : "", scene_liquid_looks[m]);
    }
    return node_word(out, LOOK_ROOM, n, "look", is_liquid_look, expected);
}
