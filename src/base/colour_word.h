// Colours as people write them: "#rrggbb", two hexadecimal digits each for red, green and blue, as on a screen (sRGB).
// "opaque #rrggbb" is that of a liquid no light gets through, as of paint.
#pragma once
#include <stdbool.h>

typedef struct ColourWord {
    float shown[3];  // 0 to 1, as on a screen
    float light[3];  // 0 to 1, share of the light: what `shown` stands for
    bool opaque;
} ColourWord;

// false: it is no such word, and *colour stays as it is.
bool colour_word_read(ColourWord* colour, const char* word);
