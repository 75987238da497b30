// Drops that have left the tetrahedra of a skin: balls that fly freely and hold a whole number of quanta.
#pragma once
#include <stdint.h>
#include "base/state.h"

typedef struct SkinDrop {
    double x[3], v[3];  // m, m/s
    int64_t w;          // quanta
    int64_t id;         // its own for good: no drop's fate depends on its place in a list
} SkinDrop;

// All zeros is a valid empty list. Owns `drop`.
typedef struct SkinDrops {
    SkinDrop* drop;
    int count, room;
    int64_t next_id;
} SkinDrops;

struct SkinWater;

void skin_drops_free(SkinDrops* d);
mn_status skin_drops_add(SkinDrops* d, const double x[3], const double v[3], int64_t w);
mn_status skin_drops_visit(SkinDrops* d, StateVisitor* v);
int64_t skin_drops_held(const SkinDrops* d);
double skin_drop_radius(const struct SkinWater* s, int64_t w);  // m

// Water that leaves fine tetrahedron `tet` at x becomes a drop: off by a random way within `jitter` edges, unless that ends in
// the body or in water; then by half of it, and so on.
mn_status skin_drops_emit(struct SkinWater* s, int tet, const double x[3], const double v[3], int64_t w, int which);
// All fly freely for dt. One that ends in the body is put on its surface and loses the part of its velocity that goes into it;
// the body takes that momentum.
void skin_drops_fly(struct SkinWater* s, const double acceleration[3], double dt);
// Those in a tetrahedron with water become part of it, in the order of their ids; so do those that touch the body.
mn_status skin_drops_absorb(struct SkinWater* s);
