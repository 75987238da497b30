#include "flat_poisson.h"

#include <stdlib.h>
#include <string.h>
#include "liquid/liquid.h"

// ---- where Poisson's storage matters -------------------------------------------------------------------------------------

static bool is_unknown(const Poisson* system, ptrdiff_t at) { return system->kind[at] != CELL_IS_NONE; }

// Special cells come in the order of the cells; `next` is the place in their list.
static void read_row(FlatRow* row, const Poisson* system, ptrdiff_t at, const SpecialCell** next)
{
    bool special = system->kind[at] == CELL_IS_SPECIAL;
    for (int d = 0; d < 3; d++) row->link[d] = special ? (*next)->link[2*d] : 1;
    row->excess = special ? (*next)->excess : 0;
    row->b = system->b[at];
    *next += special;
}

// Links of a row through all six faces; those to higher cells are stored with them.
static void links_of(double link[6], const Flat* f, long l, const int* high)
{
    for (int d = 0; d < 3; d++) {
        link[2*d] = f->row[l].low[d] >= 0 ? f->row[l].link[d] : 0;
        link[2*d + 1] = high[3*l + d] >= 0 ? f->row[high[3*l + d]].link[d] : 0;
    }
}

static mn_status fill_system(Poisson* system, const Flat* f, const Window* w, const Spans* spans, Arena* arena, Arena* scratch)
{
    int rows = w->n[1]*w->n[2], *high = ARENA_NEW(scratch, int, 3*f->count);
    TRY_MEMORY(high);
    memset(high, 0xff, 3*(size_t)f->count*sizeof *high);  // -1
    for (long l = 0; l < f->count; l++)
        for (int d = 0; d < 3; d++)
            if (f->row[l].low[d] >= 0) high[3*f->row[l].low[d] + d] = (int)l;
    *system = (Poisson){.w = w, .spans = spans};
    system->kind = ARENA_ZERO(arena, unsigned char, w->count);
    system->b = ARENA_NEW(arena, double, w->count);
    system->first = ARENA_ZERO(arena, int, rows + 1);
    if (!system->kind || !system->b || !system->first) return MN_NO_MEMORY;
    system->kind += w->origin, system->b += w->origin;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) system->special = ARENA_NEW(arena, SpecialCell, count);
        if (pass == 1 && !system->special) return MN_NO_MEMORY;
        count = 0;
        for (long l = 0; l < f->count; l++) {
            const FlatRow* row = &f->row[l];
            double link[6];
            links_of(link, f, l, high);
            bool regular = row->excess == 0;
            for (int s = 0; s < 6; s++) regular = regular && link[s] == 1;
            system->kind[flat_at(row, w)] = regular ? CELL_IS_REGULAR : CELL_IS_SPECIAL;
            if (regular) continue;
            int r = row->cell[1] - w->lo[1] + (row->cell[2] - w->lo[2])*w->n[1];
            if (pass == 0) system->first[r + 1]++;
            else {
                SpecialCell* out = &system->special[count];
                *out = (SpecialCell){.i = row->cell[0] - w->lo[0], .excess = row->excess};
                memcpy(out->link, link, sizeof link);
            }
            count++;
        }
        if (pass == 0)
            for (int r = 0; r < rows; r++) system->first[r + 1] += system->first[r];
    }
    return MN_OK;
}

void poisson_refill(FlatSystem* s, const Flat* f)
{
    for (long l = 0; l < f->count; l++) s->system.b[flat_at(&f->row[l], &s->w)] = f->row[l].b;
}

// ---- the rest is geometry ------------------------------------------------------------------------------------------------

mn_status flat_from_poisson(Flat* f, const Poisson* system, const Tank* tank, Arena* arena)
{
    const Window* w = system->w;
    const Spans* spans = system->spans;
    *f = (Flat){.tank = {tank->n[0], tank->n[1], tank->n[2]}};
    int* row_at = ARENA_NEW(arena, int, w->count);
    TRY_MEMORY(row_at);
    memset(row_at, 0xff, w->count*sizeof *row_at);  // -1
    row_at += w->origin;
    const SpecialCell* next = system->special;
    TRY_MEMORY(f->row = malloc((size_t)spans->covered*sizeof *f->row));
    for (int r = 0; r < spans->rows; r++) {
        int j = r%spans->rows_y, k = r/spans->rows_y;
        if (j >= w->n[1] || k >= w->n[2]) continue;
        SPAN_LOOP(spans, r, q)
            for (int i = spans->span[q].i0; i < spans->span[q].i1 && i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (!is_unknown(system, at)) continue;
                FlatRow* row = &f->row[f->count];
                *row = (FlatRow){.cell = {w->lo[0] + i, w->lo[1] + j, w->lo[2] + k}};
                read_row(row, system, at, &next);
                for (int d = 0; d < 3; d++) row->low[d] = row->link[d] > 0 ? row_at[at - window_stride(w, d)] : -1;
                row_at[at] = (int)f->count++;
            }
    }
    return MN_OK;
}

// Spans as a step would make them, from a "level set" that is negative on the unknown cells.
static mn_status build_spans(Spans* spans, const Flat* f, const Window* w, Arena* arena)
{
    Field wet = {0};
    TRY(field_init(&wet, w));
    field_fill(&wet, w, 1);
    for (long l = 0; l < f->count; l++) wet.v[flat_at(&f->row[l], w)] = -1;
    mn_status status = spans_build(spans, arena, wet.v, w, 0, SPAN_GROW);
    field_free(&wet);
    return status;
}

// The window keeps this many cells beside the unknowns. A step has MARGIN, for its level set; the solver needs none of it.
enum { BESIDE = 2 };

mn_status poisson_from_flat(FlatSystem* s, const Flat* f, Arena* arena)
{
    Tank tank = {.dim = 3, .dx = 1.0/f->tank[0], .n = {f->tank[0], f->tank[1], f->tank[2]}};
    for (int side = 0; side < 6; side++) tank.side[side] = SIDE_IS_WALL;
    int lo[3], n[3];
    for (int d = 0; d < 3; d++) lo[d] = f->lo[d] - BESIDE, n[d] = f->hi[d] - f->lo[d] + 1 + 2*BESIDE;
    s->w = window_make(&tank, lo, n);
    TRY(build_spans(&s->spans, f, &s->w, arena));
    Arena scratch = {0};
    mn_status status = fill_system(&s->system, f, &s->w, &s->spans, arena, &scratch);
    arena_free(&scratch);
    return status;
}
