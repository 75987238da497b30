// The links between unknown cells and the surface, one by one: for who changes the pressure there.
#include "base/vec.h"
#include "grid/interpolate.h"
#include "solve/pressure_private.h"

static bool has_patch(const Pressure* p, ptrdiff_t at)
{
    int32_t index = p->in.cells->index[at];
    return index >= 0 && p->in.cells->cut[index].patch_area > 0;
}

int pressure_patch_towards(const Pressure* p, ptrdiff_t at, ptrdiff_t beside)
{
    if (p->cell[at] == CELL_IS_ORPHAN) return -1;
    if (has_patch(p, beside)) return p->in.cells->index[beside];
    return has_patch(p, at) ? p->in.cells->index[at] : -1;
}

// The links of unknown cell (i,j,k) to the surface; returns their number. `out` may be NULL.
static int links_of_cell(SurfaceLink* out, const Pressure* p, double* const u[3], const int cell[3], ptrdiff_t at)
{
    const Window* w = p->in.w;
    int count = 0;
    for (int d = 0; d < w->dim; d++)
        for (int step = -1; step <= 1; step += 2) {
            if (!pressure_has_neighbour(w, cell, d, step)) continue;
            ptrdiff_t s = window_stride(w, d), face = step < 0 ? at : at + s, beside = at + step*s;
            double area = pressure_is_unknown(p, beside) ? 0 : pressure_face_area(&p->in, d, face);
            if (!(area > 0)) continue;
            if (out) {
                double theta = pressure_surface_distance(p, at, beside), weight = area/theta;
                out[count] = (SurfaceLink){.cell = at,
                                           .patch = pressure_patch_towards(p, at, beside),
                                           .weight = weight,
                                           .x = {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5},
                                           .axis = d,
                                           .face = face};
                out[count].x[d] += step*theta;
                out[count].known = weight*pressure_outside_face(p, cell[0], cell[1], cell[2], d, step, theta);
                out[count].area[d] = step*area, out[count].outflow = step*area*u[d][face];
            }
            count++;
        }
    if (p->in.kind != PRESSURE_CUT || !has_patch(p, at)) return count;
    if (out) {
        const CutCell* cut = &p->in.cells->cut[p->in.cells->index[at]];
        double foot[3], v[3], x[3] = {cut->i + cut->center[0], cut->j + cut->center[1], cut->k + cut->center[2]};
        double weight = pressure_patch_weight(p, cut, foot);
        face_velocity(v, u, w, x);
        int patch = p->cell[at] == CELL_IS_ORPHAN ? -1 : p->in.cells->index[at];
        out[count] = (SurfaceLink){.cell = at, .patch = patch, .weight = weight, .x = {foot[0], foot[1], foot[2]}, .axis = -1};
        out[count].known = weight*pressure_outside(&p->in, foot);
        for (int d = 0; d < 3; d++) out[count].area[d] = cut->patch[d];
        out[count].outflow = vec_dot(cut->patch, v);
    }
    return count + 1;
}

mn_status pressure_surface_links(SurfaceLink** link, int* count, Arena* arena, const Pressure* p, double* const u[3])
{
    const Window* w = p->in.w;
    const Poisson* f = &p->system;
    *count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) TRY_MEMORY(*link = ARENA_NEW(arena, SurfaceLink, *count));
        *count = 0;
        for (int r = 0; r < w->n[1]*w->n[2]; r++)
            for (int m = f->first[r]; m < f->first[r + 1]; m++) {
                if (!(f->special[m].excess > 0)) continue;
                int cell[3] = {f->special[m].i, r%w->n[1], r/w->n[1]};
                *count += links_of_cell(pass ? *link + *count : NULL, p, u, cell, window_at(w, cell[0], cell[1], cell[2]));
            }
    }
    return MN_OK;
}
