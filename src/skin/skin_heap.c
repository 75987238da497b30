#include "skin/skin_heap.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

void skin_heap_free(SkinHeap* h)
{
    free(h->item);
    *h = (SkinHeap){0};
}

static bool before(SkinHeapItem a, SkinHeapItem b) { return a.key < b.key || (a.key == b.key && a.tet < b.tet); }

mn_status skin_heap_push(SkinHeap* h, double key, int tet)
{
    if (h->count == h->room) {
        int room = h->room ? 2*h->room : 1024;
        SkinHeapItem* more = realloc(h->item, sizeof *more*(size_t)room);
        if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: water on a skin");
        h->item = more, h->room = room;
    }
    int at = h->count++;
    SkinHeapItem one = {key, tet};
    for (; at > 0 && before(one, h->item[(at - 1)/2]); at = (at - 1)/2) h->item[at] = h->item[(at - 1)/2];
    h->item[at] = one;
    return MN_OK;
}

SkinHeapItem skin_heap_pop(SkinHeap* h)
{
    assert(h->count > 0);
    SkinHeapItem top = h->item[0], last = h->item[--h->count];
    int at = 0;
    for (int child; (child = 2*at + 1) < h->count; at = child) {
        if (child + 1 < h->count && before(h->item[child + 1], h->item[child])) child++;
        if (!before(h->item[child], last)) break;
        h->item[at] = h->item[child];
    }
    if (h->count > 0) h->item[at] = last;
    return top;
}
