#include "render/looks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/colour_word.h"

// Index of refraction: CRC Handbook of Chemistry and Physics (water, ethanol, tetradecane); silicone oils 1.40; honey with 18
// % of water 1.49. Real water of this size is colourless: its tint is scaled to the tank (across it red fades to 45 %, green
// to 84 %, blue to 90 %), which is what the eye takes for water; other clear liquids have less, but tetradecane, whose drops
// are a sixth of their tanks, is straw, or they would not be seen. Mercury reflects three quarters of visible light. Tea, coffee,
// ink and what else is drunk absorb as much in a tank as they do in a glass or a cup, and bend light as water does, with a tenth
// of sugar (cola, juice; 1.348) or of alcohol (wine, beer; 1.341, 1.336).
static const LiquidLook liquids[] = {
    {"water", LOOK_CLEAR, 1.333f, {0.80f, 0.17f, 0.105f}, {0}, {0.62f, 0.79f, 0.91f}, {0.07f, 0.33f, 0.56f}},
    {"milk", LOOK_MATTE, 1.35f, {0}, {0.88f, 0.87f, 0.82f}, {0.94f, 0.93f, 0.88f}, {0.47f, 0.45f, 0.38f}},
    {"ethanol", LOOK_CLEAR, 1.361f, {0.40f, 0.12f, 0.09f}, {0}, {0.78f, 0.86f, 0.92f}, {0.20f, 0.38f, 0.52f}},
    {"silicone_oil_20cSt", LOOK_CLEAR, 1.40f, {0.22f, 0.14f, 0.14f}, {0}, {0.84f, 0.88f, 0.86f}, {0.28f, 0.41f, 0.38f}},
    {"tetradecane", LOOK_CLEAR, 1.429f, {0.30f, 0.45f, 1.80f}, {0}, {0.88f, 0.88f, 0.80f}, {0.40f, 0.40f, 0.26f}},
    {"mercury", LOOK_MIRROR, 0, {0}, {0.74f, 0.74f, 0.73f}, {0.76f, 0.78f, 0.80f}, {0.30f, 0.32f, 0.35f}},
    {"honey", LOOK_CLEAR, 1.49f, {0.9f, 3.6f, 14.0f}, {0}, {0.96f, 0.76f, 0.36f}, {0.58f, 0.34f, 0.05f}},
    {"oil", LOOK_CLEAR, 1.47f, {0.15f, 0.35f, 2.2f}, {0}, {0.95f, 0.90f, 0.62f}, {0.53f, 0.45f, 0.12f}},
    {"tea", LOOK_CLEAR, 1.333f, {0.6f, 3.4f, 13.0f}, {0}, {0.86f, 0.58f, 0.30f}, {0.46f, 0.22f, 0.05f}},
    {"coffee", LOOK_CLEAR, 1.333f, {9.0f, 19.0f, 38.0f}, {0}, {0.44f, 0.30f, 0.20f}, {0.20f, 0.11f, 0.06f}},
    {"cola", LOOK_CLEAR, 1.348f, {4.0f, 13.0f, 32.0f}, {0}, {0.50f, 0.29f, 0.17f}, {0.24f, 0.10f, 0.04f}},
    {"beer", LOOK_CLEAR, 1.336f, {0.25f, 1.3f, 7.5f}, {0}, {0.95f, 0.76f, 0.36f}, {0.58f, 0.38f, 0.05f}},
    {"wine", LOOK_CLEAR, 1.341f, {1.6f, 17.0f, 11.0f}, {0}, {0.58f, 0.16f, 0.26f}, {0.30f, 0.03f, 0.09f}},
    {"juice", LOOK_MATTE, 1.348f, {0}, {0.88f, 0.42f, 0.05f}, {0.96f, 0.70f, 0.26f}, {0.60f, 0.34f, 0.03f}},
    {"blood", LOOK_MATTE, 1.348f, {0}, {0.30f, 0.010f, 0.012f}, {0.62f, 0.10f, 0.10f}, {0.32f, 0.02f, 0.03f}},
    {"ink", LOOK_CLEAR, 1.333f, {60.0f, 48.0f, 20.0f}, {0}, {0.18f, 0.20f, 0.36f}, {0.05f, 0.06f, 0.16f}},
    // water with a dye
    {"red", LOOK_CLEAR, 1.333f, {0.25f, 3.2f, 3.6f}, {0}, {0.93f, 0.62f, 0.60f}, {0.62f, 0.13f, 0.14f}},
    {"yellow", LOOK_CLEAR, 1.333f, {0.12f, 0.5f, 4.5f}, {0}, {0.97f, 0.90f, 0.58f}, {0.62f, 0.49f, 0.05f}},
    {"green", LOOK_CLEAR, 1.333f, {3.0f, 0.45f, 2.6f}, {0}, {0.66f, 0.86f, 0.66f}, {0.12f, 0.43f, 0.17f}},
    {"blue", LOOK_CLEAR, 1.333f, {3.4f, 1.5f, 0.25f}, {0}, {0.58f, 0.66f, 0.92f}, {0.10f, 0.18f, 0.58f}},
};
enum { LIQUIDS = sizeof liquids/sizeof *liquids, DYES = 4 };

static const SolidLook solids[] = {
    {"brown", LOOK_MATTE, {0.62f, 0.36f, 0.20f}, {0.66f, 0.60f, 0.54f}, {0.36f, 0.31f, 0.27f}},
    {"glass", LOOK_CLEAR, {1, 1, 1}, {0.80f, 0.86f, 0.85f}, {0.38f, 0.48f, 0.47f}},
    {"steel", LOOK_MIRROR, {0.56f, 0.57f, 0.58f}, {0.70f, 0.72f, 0.74f}, {0.30f, 0.33f, 0.36f}},
    {"white", LOOK_MATTE, {0.80f, 0.80f, 0.78f}, {0.93f, 0.93f, 0.92f}, {0.45f, 0.45f, 0.45f}},
    {"grey", LOOK_MATTE, {0.32f, 0.33f, 0.34f}, {0.68f, 0.69f, 0.70f}, {0.32f, 0.33f, 0.35f}},
    {"black", LOOK_MATTE, {0.03f, 0.03f, 0.035f}, {0.30f, 0.30f, 0.32f}, {0.10f, 0.10f, 0.11f}},
    {"red", LOOK_MATTE, {0.62f, 0.07f, 0.06f}, {0.85f, 0.45f, 0.41f}, {0.50f, 0.13f, 0.11f}},
    {"orange", LOOK_MATTE, {0.85f, 0.28f, 0.04f}, {0.95f, 0.64f, 0.35f}, {0.60f, 0.29f, 0.04f}},
    {"yellow", LOOK_MATTE, {0.80f, 0.58f, 0.08f}, {0.95f, 0.84f, 0.45f}, {0.52f, 0.42f, 0.06f}},
    {"green", LOOK_MATTE, {0.12f, 0.38f, 0.14f}, {0.56f, 0.76f, 0.54f}, {0.16f, 0.38f, 0.17f}},
    {"blue", LOOK_MATTE, {0.07f, 0.18f, 0.52f}, {0.48f, 0.58f, 0.84f}, {0.13f, 0.20f, 0.48f}},
    {"wood", LOOK_MATTE, {0.60f, 0.42f, 0.24f}, {0.86f, 0.72f, 0.52f}, {0.45f, 0.32f, 0.17f}},
    {"ice", LOOK_MATTE, {0.72f, 0.82f, 0.88f}, {0.87f, 0.94f, 0.98f}, {0.38f, 0.54f, 0.66f}},  // frosted
};
enum { SOLIDS = sizeof solids/sizeof *solids };

static const LiquidLook* known_liquid(const char* name)
{
    for (int i = 0; i < LIQUIDS; i++)
        if (!strcmp(name, liquids[i].material)) return &liquids[i];
    return NULL;
}

// Water with a dye of this colour: it is what is left of white light after a quarter of the tank's longest side. Opaque: paint.
static LiquidLook look_of_colour(const ColourWord* c, const char* word)
{
    const float way = 0.25f, darkest = 1e-3f;
    LiquidLook look = {.sort = c->opaque ? LOOK_MATTE : LOOK_CLEAR, .index = 1.333f};
    snprintf(look.material, sizeof look.material, "%s", word);
    for (int d = 0; d < 3; d++) {
        look.absorption[d] = c->opaque ? 0 : -logf(fmaxf(c->light[d], darkest))/way;
        look.albedo[d] = c->opaque ? 0.9f*c->light[d] : 0;  // nothing gives back all light
        look.fill[d] = c->opaque ? c->shown[d] : 0.35f + 0.65f*c->shown[d];
        look.line[d] = 0.5f*c->shown[d];
    }
    return look;
}

LiquidLook look_of_liquid(const char* material)
{
    ColourWord colour;
    if (colour_word_read(&colour, material)) return look_of_colour(&colour, material);
    const LiquidLook* known = known_liquid(material);
    return known ? *known : *known_liquid(strstr(material, "oil") ? "oil" : "water");
}

static bool is_own(const LiquidLook* look, const char* word) { return strcmp(look->material, word) == 0; }

static bool is_taken(const LiquidLooks* l, const LiquidLook* look)
{
    for (int m = 0; m < l->count; m++)
        if (is_own(&l->look[m], look->material)) return true;
    return false;
}

LiquidLooks looks_of_liquids(char (*name)[64], int count)
{
    LiquidLooks l = {.count = count < 1 ? 1 : count > MAX_LOOKS ? MAX_LOOKS : count};
    if (count < 1) l.look[0] = look_of_liquid("water");
    for (int m = 0; m < l.count && count > 0; m++) {
        LiquidLook look = look_of_liquid(name[m]);
        if (is_own(&look, name[m])) l.look[m] = look;
    }
    for (int m = 0; m < l.count; m++) {
        if (l.look[m].material[0]) continue;
        LiquidLook look = look_of_liquid(name[m]);
        for (int dye = 0; dye < DYES && is_taken(&l, &look); dye++) look = liquids[LIQUIDS - DYES + dye];
        l.look[m] = look;
    }
    return l;
}

const SolidLook* look_of_solid(const char* word, const char* name)
{
    if (!word[0]) word = strncmp(name, "glass", 5) == 0 ? "glass" : "brown";
    for (int i = 0; i < SOLIDS; i++)
        if (!strcmp(word, solids[i].word)) return &solids[i];
    return &solids[0];
}

int look_number(const SolidLook* look) { return (int)(look - solids); }
const SolidLook* look_numbered(int number) { return &solids[number]; }
