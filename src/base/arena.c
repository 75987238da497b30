#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/pages.h"

enum { ALIGN = 64 };

struct ArenaChunk {
    ArenaChunk* older;
    char* data;
    size_t size, used;
};

// Chunks come straight from the system and go straight back: malloc would keep freed ones for later, and the memory of a run
// would be that of all sizes the arena ever had.
static ArenaChunk* chunk_new(size_t size)
{
    ArenaChunk* c = malloc(sizeof *c);
    if (!c) return NULL;
    size = (size + ALIGN - 1)/ALIGN*ALIGN;
    void* data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) {
        free(c);
        return NULL;
    }
    pages_prefer_large(data, size);
    *c = (ArenaChunk){.data = data, .size = size};
    return c;
}

static void chunk_free(ArenaChunk* c)
{
    munmap(c->data, c->size);
    free(c);
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
        chunk_free(a->chunks);
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
