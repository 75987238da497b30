#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

struct ArenaChunk {
    ArenaChunk* older;
    char* data;
    size_t size, used;
};

static ArenaChunk* chunk_new(size_t size)
{
    ArenaChunk* c = malloc(sizeof *c);
    if (!c) return NULL;
    size = (size + ALIGN - 1)/ALIGN*ALIGN;
    *c = (ArenaChunk){.data = aligned_alloc(ALIGN, size), .size = size};
    if (c->data) return c;
    free(c);
    return NULL;
}

void* arena_take(Arena* a, size_t bytes)
{
    bytes = (bytes + ALIGN - 1)/ALIGN*ALIGN;
    if (bytes == 0) bytes = ALIGN;
    ArenaChunk* c = a->chunks;
    if (!c || c->size - c->used < bytes) {
        size_t wanted = c ? 2*c->size : (size_t)1 << 20;
        c = chunk_new(wanted > bytes ? wanted : bytes);
        if (!c && wanted > bytes) c = chunk_new(bytes);
        if (!c) {
            mn_fail(MN_NO_MEMORY, "out of memory: %zu bytes of scratch", bytes);
            return NULL;
        }
        c->older = a->chunks;
        a->chunks = c;
    }
    void* piece = c->data + c->used;
    c->used += bytes;
    a->used += bytes;
    if (a->used > a->peak) a->peak = a->used;
    return piece;
}

void* arena_take_zero(Arena* a, size_t bytes)
{
    void* piece = arena_take(a, bytes);
    if (piece) memset(piece, 0, bytes);
    return piece;
}

static void drop_chunks(Arena* a)
{
    while (a->chunks) {
        ArenaChunk* older = a->chunks->older;
        free(a->chunks->data);
        free(a->chunks);
        a->chunks = older;
    }
}

void arena_reset(Arena* a)
{
    if (a->chunks && a->chunks->older) {
        drop_chunks(a);
        a->chunks = chunk_new(a->peak + a->peak/8);  // NULL is fine: the next take tries again
    } else if (a->chunks) {
        a->chunks->used = 0;
    }
    a->used = 0;
}

void arena_free(Arena* a)
{
    drop_chunks(a);
    *a = (Arena){0};
}
