// Text that others have written (scenes, names of files and meshes), made fit to be shown: on a terminal some characters are
// orders, not letters.
#pragma once
#include <stddef.h>

// Copies `text` as one line of UTF-8 that moves no cursor, changes no colour and does not turn the direction of writing. What
// could, and bytes that are no UTF-8, are shown as \n, \t, \x1b or \u202e. What does not fit is left out, by whole characters.
// Text that is plain already stays as it is. room is at least 1.
void text_plain(char* out, size_t room, const char* text);
char* text_plain_copy(const char* text);  // from malloc; NULL without memory
