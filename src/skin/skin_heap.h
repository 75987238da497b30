// Tetrahedra by how far out they are, the nearest to the skin on top; equal ones by number. A binary heap.
#pragma once
#include "base/status.h"

typedef struct SkinHeapItem {
    double key;
    int tet;
} SkinHeapItem;

// All zeros is a valid empty heap. Owns `item`.
typedef struct SkinHeap {
    SkinHeapItem* item;
    int count, room;
} SkinHeap;

void skin_heap_free(SkinHeap* h);
mn_status skin_heap_push(SkinHeap* h, double key, int tet);
SkinHeapItem skin_heap_pop(SkinHeap* h);  // there is one
