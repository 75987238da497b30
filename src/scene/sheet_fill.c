// Shapes that end at a sheet, as a cup's coffee does, are written with the sheet's own numbers. Behind it nothing is left of
// them.
#include <stdlib.h>
#include "scene/sheet_fill.h"

// Steps along the axes from the nodes deep in the liquid; past `most` nobody counts.
typedef struct Steps {
    const Window* w;
    const SheetCut* cut;  // no step goes through a sheet; NULL: there is none
    int most;
    unsigned char* count;  // by node, shifted
    ptrdiff_t* queue;
} Steps;

static bool is_in(const Window* w, ptrdiff_t at, int d, int step)
{
    ptrdiff_t from = at + w->origin;
    ptrdiff_t k = w->dim == 3 ? from/w->sz : 0, rest = w->dim == 3 ? from%w->sz : from,
              place[3] = {rest%w->sy, rest/w->sy, k};
    ptrdiff_t next = place[d] - w->ghost + step;
    return next >= 0 && next <= w->n[d];
}

static void count_steps(Steps* s, const double* phi, double deep)
{
    const Window* w = s->w;
    ptrdiff_t waiting = 0;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                s->count[at] = (unsigned char)(phi[at] < -deep ? 0 : s->most);
                if (s->count[at] == 0) s->queue[waiting++] = at;
            }
    for (ptrdiff_t m = 0; m < waiting; m++)
        for (int d = 0; d < w->dim; d++)
            for (int step = -1; step <= 1; step += 2) {
                ptrdiff_t at = s->queue[m], next = at + step*window_stride(w, d);
                if (!is_in(w, at, d, step) || s->count[at] + 1 >= s->count[next]) continue;
                if (s->cut && sheetcut_crosses(s->cut, step < 0 ? next : at, d)) continue;
                s->count[next] = (unsigned char)(s->count[at] + 1), s->queue[waiting++] = next;
            }
}

static mn_status steps_make(Steps* s, Arena* arena, const double* phi, const Window* w, const SheetCut* cut)
{
    *s = (Steps){.w = w, .cut = cut, .most = 3*(BAND + w->wider)};
    TRY_MEMORY(s->count = ARENA_NEW(arena, unsigned char, w->count));
    TRY_MEMORY(s->queue = ARENA_NEW(arena, ptrdiff_t, w->count));
    s->count += w->origin;
    count_steps(s, phi, 0.5*w->dx);
    return MN_OK;
}

// A way round the rim that is longer than the one through the sheet by this many steps is no way: there is no liquid on this
// side.
enum { DETOUR = 4 };

mn_status sheets_cut_shape(Liquid* q, Arena* arena, const SheetSurface* sheets)
{
    const Window* w = &q->w;
    SheetCut cut;
    Steps through, around;
    double shade = liquid_band(q) + SHEETS_SHADE*w->dx;
    TRY(sheetcut_build(&cut, arena, sheets, w, shade, shade));
    TRY(steps_make(&through, arena, q->phi.v, w, NULL));
    TRY(steps_make(&around, arena, q->phi.v, w, &cut));
    TRY(liquid_add_far(q));  // to the side that the liquid is on it goes on, as it was written
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (around.count[at] > through.count[at] + DETOUR) q->phi.v[at] = liquid_band(q);
            }
    nodes_exchange(q->phi.v, w, EVERY_LAYER);
    return MN_OK;
}
