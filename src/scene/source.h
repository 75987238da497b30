// Where in a scene's text a key stands. Lua forgets the lines of table fields, so we look for them in the text: from the line
// of the constructor call, inside its braces. Only messages depend on it; when nothing is found they name the call's line.
#pragma once
#include <stddef.h>

// A place in the files of a scene as one number, 0 where it is not known. Files count from 0, the scene's own.
enum { SOURCE_LINES = 1 << 20 };  // more than a file can have
static inline int source_place(int file, int line) { return line > 0 ? file*SOURCE_LINES + line : 0; }
static inline int source_file(int place) { return place/SOURCE_LINES; }
static inline int source_line(int place) { return place%SOURCE_LINES; }

// Position just after the `{` that belongs to `word` (as in `word {`, `word ({` or `word = {`), looking from the start of
// `line` (1 is the first). 0 when there is none.
size_t source_block_at_line(const char* text, int line, const char* word);
// The same for a key directly inside the block that starts at `block`; 0 when there is none.
size_t source_block_of_key(const char* text, size_t block, const char* key);
// Line of `key =` directly inside the block; 0 when there is none.
int source_key_line(const char* text, size_t block, const char* key);
int source_line_of(const char* text, size_t position);
