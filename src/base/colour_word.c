#include "base/colour_word.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// IEC 61966-2-1: what a screen shows for a value of its scale, as a share of its white.
static float light_of(float shown) { return shown <= 0.04045f ? shown/12.92f : powf((shown + 0.055f)/1.055f, 2.4f); }

bool colour_word_read(ColourWord* colour, const char* word)
{
    static const char opaque[] = "opaque ";
    enum { DIGITS = 6 };
    bool is_opaque = strncmp(word, opaque, sizeof opaque - 1) == 0;
    if (is_opaque) word += sizeof opaque - 1;
    if (*word++ != '#' || strlen(word) != DIGITS) return false;
    for (int m = 0; m < DIGITS; m++)
        if (!isxdigit((unsigned char)word[m])) return false;
    unsigned long bits = strtoul(word, NULL, 16);
    for (int d = 0; d < 3; d++) {
        colour->shown[d] = (float)(bits >> 8*(2 - d) & 255)/255;
        colour->light[d] = light_of(colour->shown[d]);
    }
    colour->opaque = is_opaque;
    return true;
}
