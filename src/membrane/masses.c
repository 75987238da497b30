#include "membrane/masses.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"

// The face whose dual cell a piece lies in; -1: it is one of a wall, which does not move.
static ptrdiff_t piece_face(const Piece* p, const Window* w, int axis)
{
    int index = p->cell[axis] + p->upper[axis];
    if (lanes_is_wall(w, axis, index)) return -1;
    return window_at(w, p->cell[0], p->cell[1], p->cell[2]) + p->upper[axis]*window_stride(w, axis);
}

static mn_status take_fields(double* out[3], const Window* w, Arena* arena)
{
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(out[d] = ARENA_ZERO(arena, double, w->count));
        out[d] += w->origin;
    }
    return MN_OK;
}

static void project_pieces(MembraneMasses* mass, const MembraneCells* c)
{
    for (int q = 0; q < c->pieces.count; q++)
        for (int d = 0; d < c->w->dim; d++) {
            const Piece* p = &c->pieces.piece[q];
            ptrdiff_t at = piece_face(p, c->w, d);
            if (at >= 0) mass->projected[d][at] += fabs(p->area[d]);
        }
}

static void share_out(MembraneMasses* mass, const MembraneCells* c, int d)
{
    const Window* w = c->w;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                double P = mass->projected[d][at], open = c->open[d][at], liquid = fmax(c->dual[d][at], 0);
                if (lanes_is_wall(w, d, d == 0 ? i : d == 1 ? j : k) || !(P > 0 || open > 0)) continue;
                double beta = P/(P + open);
                mass->beta[d][at] = beta, mass->carried[d][at] = beta*liquid;
                mass->face[d][at] = fmax((1 - beta)*liquid, LEAST_MASS*open);
            }
}

mn_status masses_build(MembraneMasses* mass, const MembraneCells* c, const MembraneMesh* m, Arena* arena)
{
    *mass = (MembraneMasses){0};
    TRY(take_fields(mass->projected, c->w, arena));
    TRY(take_fields(mass->beta, c->w, arena));
    TRY(take_fields(mass->face, c->w, arena));
    TRY(take_fields(mass->carried, c->w, arena));
    TRY_MEMORY(mass->vertex = arena_take_zero(arena, sizeof *mass->vertex*(size_t)m->vertices));
    project_pieces(mass, c);
    for (int d = 0; d < c->w->dim; d++) share_out(mass, c, d);
    for (int q = 0; q < c->pieces.count; q++) {
        const Piece* p = &c->pieces.piece[q];
        for (int d = 0; d < c->w->dim; d++) {
            ptrdiff_t at = piece_face(p, c->w, d);
            if (at < 0 || !(mass->projected[d][at] > 0)) continue;
            double hangs = fabs(p->area[d])/mass->projected[d][at]*mass->carried[d][at];
            for (int corner = 0; corner < m->dim; corner++)
                mass->vertex[membrane_element(m, p->element)[corner]][d] += p->share[corner]*hangs;
        }
    }
    return MN_OK;
}

void masses_spread(double* const out[3], const MembraneMasses* mass, const MembraneCells* c, const MembraneMesh* m,
                   const double* v)
{
    for (int d = 0; d < c->w->dim; d++) memset(out[d] - c->w->origin, 0, sizeof **out*c->w->count);
    for (int q = 0; q < c->pieces.count; q++) {
        const Piece* p = &c->pieces.piece[q];
        for (int d = 0; d < c->w->dim; d++) {
            ptrdiff_t at = piece_face(p, c->w, d);
            if (at < 0 || !(mass->projected[d][at] > 0)) continue;
            double velocity = 0;
            for (int corner = 0; corner < m->dim; corner++)
                velocity += p->share[corner]*v[3*membrane_element(m, p->element)[corner] + d];
            out[d][at] += fabs(p->area[d])/mass->projected[d][at]*velocity;
        }
    }
}

void masses_gather(double (*out)[3], const MembraneMasses* mass, const MembraneCells* c, const MembraneMesh* m,
                   double* const u[3])
{
    for (int q = 0; q < c->pieces.count; q++) {
        const Piece* p = &c->pieces.piece[q];
        for (int d = 0; d < c->w->dim; d++) {
            ptrdiff_t at = piece_face(p, c->w, d);
            if (at < 0 || !(mass->projected[d][at] > 0)) continue;
            double push = fabs(p->area[d])/mass->projected[d][at]*mass->carried[d][at]*u[d][at];
            for (int corner = 0; corner < m->dim; corner++)
                out[membrane_element(m, p->element)[corner]][d] += p->share[corner]*push;
        }
    }
}
