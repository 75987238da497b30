#include "flat_poisson.h"

#include <stdlib.h>
#include <string.h>
#include "liquid/liquid.h"

// ---- where Poisson's storage matters -------------------------------------------------------------------------------------

static bool is_unknown(const Poisson* system, ptrdiff_t at) { return system->unknown[at]; }

static void read_row(FlatRow* row, const Poisson* system, ptrdiff_t at)
{
    for (int d = 0; d < 3; d++) row->link[d] = system->link[d][at];
    row->excess = system->excess[at];
    row->b = system->b[at];
}

static mn_status fill_system(Poisson* system, const Flat* f, const Window* w, const Spans* spans, Arena* arena)
{
    *system = (Poisson){.w = w, .spans = spans};
    TRY_MEMORY(system->unknown = ARENA_ZERO(arena, unsigned char, w->count));
    TRY_MEMORY(system->excess = ARENA_NEW(arena, double, w->count));
    TRY_MEMORY(system->b = ARENA_NEW(arena, double, w->count));
    system->unknown += w->origin, system->excess += w->origin, system->b += w->origin;
    for (int d = 0; d < 3; d++) {
        TRY_MEMORY(system->link[d] = ARENA_NEW(arena, double, w->count));
        system->link[d] += w->origin;
        for (int r = 0; r < spans->rows; r++)
            SPAN_LOOP(spans, r, q)
                for (int i = spans->span[q].i0; i < spans->span[q].i1; i++)
                    system->link[d][window_at(w, i, r%spans->rows_y, r/spans->rows_y)] = 0;
    }
    for (long l = 0; l < f->count; l++) {
        const FlatRow* row = &f->row[l];
        ptrdiff_t at = flat_at(row, w);
        system->unknown[at] = 1, system->excess[at] = row->excess, system->b[at] = row->b;
        for (int d = 0; d < 3; d++) system->link[d][at] = row->low[d] >= 0 ? row->link[d] : 0;
    }
    return MN_OK;
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
                read_row(row, system, at);
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

mn_status poisson_from_flat(FlatSystem* s, const Flat* f, Arena* arena)
{
    Tank tank = {.dim = 3, .dx = 1.0/f->tank[0], .n = {f->tank[0], f->tank[1], f->tank[2]}};
    for (int side = 0; side < 6; side++) tank.side[side] = SIDE_IS_WALL;
    int lo[3], n[3];
    for (int d = 0; d < 3; d++) lo[d] = f->lo[d] - MARGIN, n[d] = f->hi[d] - f->lo[d] + 1 + 2*MARGIN;
    s->w = window_make(&tank, lo, n);
    TRY(build_spans(&s->spans, f, &s->w, arena));
    return fill_system(&s->system, f, &s->w, &s->spans, arena);
}
