// Sheets off the nodes of the grid. A node on a sheet, or a hair's breadth before it, is on one side by rounding alone, and the
// piece of a cell between the two has neither room nor faces: water in a cup on the planes of the grid started at 0.1 m/s at its
// rim; 0.02 cells away from them it lies still.
#include <math.h>
#include "base/budget.h"
#include "scene/read_sheet.h"
#include "scene/scene_sim.h"

static const double CLEAR = 0.002;                       // cells: this far from all nodes is far enough
static const double STEP[3] = {0.0211, 0.0173, 0.0137};  // cells: in no direction that sheets are likely to lie in
enum { TRIES = 5 };

// m, of the node that is nearest to a sheet, rims apart.
static mn_status nearest_node(double* out, Arena* arena, const SheetSurface* s, const Window* w)
{
    SheetCut cut;
    TRY(sheetcut_build(&cut, arena, s, w, 0, w->dx));
    *out = w->dx;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (cut.node[at] & SHEET_SHADOW) *out = fmin(*out, fabs(cut.psi[at]));
            }
    arena_reset(arena);
    return MN_OK;
}

// The sheets are `from` steps away from where they were written, and will be `to`.
static void move(SceneSheets* s, double dx, int from, int to)
{
    for (int v = 0; v < s->surface.vertices; v++)
        for (int d = 0; d < s->surface.dim; d++) s->x[3*(ptrdiff_t)v + d] += (to - from)*STEP[d]*dx;
}

mn_status sheets_nudge(Scene* scene, Arena* arena)
{
    SceneSheets* s = &scene->sheets;
    Tank tank = scene_tank(scene);
    Window w = window_whole(&tank);
    double most = -1;
    int best = 0, at = 0;
    for (int m = 0; m < TRIES && most < CLEAR*w.dx; m++) {
        double near;
        TRY(budget_check(scene->path));
        move(s, w.dx, at, m), at = m;
        TRY(nearest_node(&near, arena, &s->surface, &w));
        if (near > most) most = near, best = m;
    }
    move(s, w.dx, at, best);
    for (int d = 0; d < scene->dim; d++) s->moved[d] = best*STEP[d];
    return MN_OK;
}
