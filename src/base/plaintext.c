#include "base/plaintext.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PIECE = 7 };  // \u202e and the 0 after it

// Length of the UTF-8 character at `c`, and its number; 0 if the bytes are none. Only the shortest form of a character counts,
// and no halves of UTF-16 pairs.
static size_t decode(unsigned* number, const unsigned char* c)
{
    static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = c[0] < 0x80 ? 1 : c[0] >> 5 == 6 ? 2 : c[0] >> 4 == 14 ? 3 : c[0] >> 3 == 30 ? 4 : 0;
    if (length < 2) return *number = c[0], length;
    unsigned value = c[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (c[i] >> 6 != 2) return 0;  // also the 0 at the end of the text
        value = value << 6 | (c[i] & 0x3f);
    }
    bool good = value >= smallest[length] && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
    *number = value;
    return good ? length : 0;
}

// C0, DEL and C1; separators of lines; marks that turn the direction of writing.
static bool is_order(unsigned c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

// What is shown for the character at `c`; returns how many bytes of the text that takes up.
static size_t show(char piece[LONGEST_PIECE], const unsigned char* c)
{
    unsigned number = 0;
    size_t length = decode(&number, c);
    if (length == 0) snprintf(piece, LONGEST_PIECE, "\\x%02x", c[0]);
    else if (!is_order(number)) memcpy(piece, c, length), piece[length] = 0;
    else if (number == '\n' || number == '\t') snprintf(piece, LONGEST_PIECE, number == '\n' ? "\\n" : "\\t");
    else snprintf(piece, LONGEST_PIECE, number < 0x80 ? "\\x%02x" : "\\u%04x", number & 0xffff);
    return length > 0 ? length : 1;
}

void text_plain(char* out, size_t room, const char* text)
{
    size_t used = 0;
    for (const unsigned char* c = (const unsigned char*)text; *c;) {
        char piece[LONGEST_PIECE];
        c += show(piece, c);
        size_t length = strlen(piece);
        if (used + length >= room) break;
        memcpy(out + used, piece, length);
        used += length;
    }
    out[used] = 0;
}

char* text_plain_copy(const char* text)
{
    size_t room = (LONGEST_PIECE - 1)*strlen(text) + 1;  // every byte may become as long as that
    char* out = malloc(room);
    if (!out) return NULL;
    text_plain(out, room, text);
    char* fitted = realloc(out, strlen(out) + 1);
    return fitted ? fitted : out;
}
