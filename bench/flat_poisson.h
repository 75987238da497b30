// Between the flat form of a system and the library's. The only place of the benchmarks that knows how Poisson stores its rows.
#pragma once
#include "flat.h"
#include "solve/poisson.h"

// Rows, weights and right-hand side of a built system; lo and hi are left to flat_bounds. MN_NO_MEMORY leaves f without rows.
mn_status flat_from_poisson(Flat* f, const Poisson* system, const Tank* tank, Arena* arena);

// The window a liquid of these cells would have, the spans of the cells and the system on them; arena memory.
typedef struct FlatSystem {
    Window w;
    Spans spans;
    Poisson system;
} FlatSystem;
mn_status poisson_from_flat(FlatSystem* s, const Flat* f, Arena* arena);
// The right-hand side once more: a solve uses it up.
void poisson_refill(FlatSystem* s, const Flat* f);

static inline ptrdiff_t flat_at(const FlatRow* row, const Window* w)
{
    return window_at(w, row->cell[0] - w->lo[0], row->cell[1] - w->lo[1], row->cell[2] - w->lo[2]);
}
