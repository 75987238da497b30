// Flat regions as triangles.
#pragma once
#include "base/arena.h"

// A region of the plane: its boundary as loops, each counter-clockwise where it goes around the region and clockwise where it
// goes around a hole. Loop l is corner[first[l]] .. corner[first[l + 1] - 1], names of points.
typedef struct Region {
    const double (*point)[2];
    int loops;
    const int *first, *corner;
} Region;

// Triangles, counter-clockwise, of the corners of the loops and of no other points: ears are cut off one by one, holes first
// being joined to what is around them by a bridge [meisters1975]. Loops that touch or cross give what triangles there are.
// Arena memory.
mn_status region_triangles(int (**triangle)[3], int* count, const Region* r, Arena* arena);
