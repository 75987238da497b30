#include "tension/marangoni.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

// Nodes that a cut cell or the pressure on its surface may read, in cells from the surface.
static const double NEAR = 3;

mn_status marangoni_sigma(double** out, Liquid* q, StepContext* ctx)
{
    assert(spans_is_valid(&q->spans, &q->w));
    *out = NULL;
    if (!ctx->model->functions.sigma || !(q->material.sigma > 0)) return MN_OK;
    double* sigma = ARENA_NEW(ctx->scratch, double, q->w.count);
    TRY_MEMORY(sigma);
    sigma += q->w.origin;
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {  // not in parallel: a scene's functions are for one thread
        int j = r%s->rows_y, k = r/s->rows_y;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                sigma[at] = q->material.sigma;
                if (fabs(q->phi.v[at]) > NEAR*q->w.dx) continue;
                double x[3];
                window_position(x, &q->w, i, j, k);
                TRY(ctx->model->functions.sigma(&sigma[at], ctx->model->functions.user, x));
            }
    }
    *out = sigma;
    return MN_OK;
}

// grad sigma in the middle of a cell, from its corners, N/m^2.
static void gradient(double out[3], const double* sigma, const Window* w, ptrdiff_t at)
{
    int corners = 1 << w->dim;
    for (int d = 0; d < 3; d++) out[d] = 0;
    for (int d = 0; d < w->dim; d++)
        for (int c = 0; c < corners; c++) {
            ptrdiff_t node = at;
            for (int o = 0; o < w->dim; o++)
                if (c >> o & 1) node += window_stride(w, o);
            out[d] += (c >> d & 1 ? 2 : -2)*sigma[node]/(corners*w->dx);
        }
}

mn_status marangoni_traction(double (**out)[3], Liquid* q, StepContext* ctx)
{
    assert(q->cells.index);
    *out = NULL;
    double* sigma;
    TRY(marangoni_sigma(&sigma, q, ctx));
    if (!sigma) return MN_OK;
    double(*traction)[3] = arena_take_zero(ctx->scratch, (size_t)q->cells.count*sizeof *traction);
    TRY_MEMORY(traction);
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* c = &q->cells.cut[m];
        double area = vec_norm(c->patch), g[3];
        if (c->patch_area == 0 || area == 0) continue;
        gradient(g, sigma, &q->w, c->at);
        double along = vec_dot(g, c->patch)/(area*area);
        for (int d = 0; d < 3; d++) traction[m][d] = (g[d] - along*c->patch[d])*c->patch_area*window_face_area(&q->w);
    }
    *out = traction;
    return MN_OK;
}
