// Scratch memory of one step: taken piece by piece, given back all at once. Pieces are 64-byte aligned.
#pragma once
#include <stddef.h>
#include "base/status.h"

typedef struct ArenaChunk ArenaChunk;

// All zeros is a valid empty arena.
typedef struct Arena {
    ArenaChunk* chunks;  // owned, newest first
    size_t peak;         // most bytes in use at once so far
    size_t used;
} Arena;

void* arena_take(Arena* a, size_t bytes);       // uninitialised; NULL with mn_last_error set when memory is out
void* arena_take_zero(Arena* a, size_t bytes);  // zeros
void arena_reset(Arena* a);                     // keeps one chunk as large as the last step needed
void arena_free(Arena* a);

#define ARENA_NEW(arena, type, count) ((type*)arena_take(arena, sizeof(type)*(size_t)(count)))
#define ARENA_ZERO(arena, type, count) ((type*)arena_take_zero(arena, sizeof(type)*(size_t)(count)))
// for functions that return mn_status
#define TRY_MEMORY(pointer)                                                                                                      \
    do {                                                                                                                         \
        if (!(pointer)) return MN_NO_MEMORY;                                                                                     \
    } while (0)
