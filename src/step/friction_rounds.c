#include "step/friction_rounds.h"

#include <assert.h>
#include <math.h>
#include "base/global.h"
#include "base/vec.h"

// Of the first round's |missed|: less does not show in the drag (0.5 % at nu dt/a^2 = 0.1).
static const double ENOUGH = 0.03;

mn_status friction_rounds_begin(FrictionRounds* f, int liquids, Arena* arena)
{
    assert(liquids >= 0);
    *f = (FrictionRounds){0};
    TRY_MEMORY(f->guess = ARENA_ZERO(arena, double*, liquids));
    TRY_MEMORY(f->found = ARENA_ZERO(arena, double*, liquids));
    TRY_MEMORY(f->missed = ARENA_ZERO(arena, double*, liquids));
    return MN_OK;
}

#define FOR_UNKNOWNS(p, r, at)                                                                                                   \
    SPAN_LOOP((p)->in.spans, r, q_)                                                                                              \
        for (ptrdiff_t at = row_at((p)->in.w, (p)->in.spans, r) + (p)->in.spans->span[q_].i0,                                    \
                       end_ = at + (p)->in.spans->span[q_].i1 - (p)->in.spans->span[q_].i0;                                      \
             at < end_; at++)                                                                                                    \
            if ((p)->system.kind[at] != CELL_IS_NONE)

static ptrdiff_t row_at(const Window* w, const Spans* s, int r) { return window_at(w, 0, r%s->rows_y, r/s->rows_y); }

// Scalar products with what the last friction missed, m = found - guess, and with its change since the round before, d.
typedef struct Products {
    double mm, md, dd;
} Products;

static mn_status add_products(Products* sum, const FrictionRounds* f, int m, const Pressure* p, const double* found, Arena* arena)
{
    const Spans* s = p->in.spans;
    double *mm = ARENA_ZERO(arena, double, s->rows), *md = ARENA_ZERO(arena, double, s->rows),
           *dd = ARENA_ZERO(arena, double, s->rows);
    TRY_MEMORY(mm && md && dd);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) FOR_UNKNOWNS(p, r, at)
        {
            double missed = found[at] - f->guess[m][at], change = f->missed[m] ? missed - f->missed[m][at] : 0;
            mm[r] += missed*missed, md[r] += missed*change, dd[r] += change*change;
        }
    sum->mm += global_sum(mm, s->rows), sum->md += global_sum(md, s->rows), sum->dd += global_sum(dd, s->rows);
    return MN_OK;
}

// Memory for what the next round reads of this one.
static mn_status take_memory(double** field, const Pressure* p, Arena* arena)
{
    if (*field) return MN_OK;
    TRY_MEMORY(*field = ARENA_ZERO(arena, double, p->in.w->count));
    *field += p->in.w->origin;
    return MN_OK;
}

// pressure: in: found; out: the next guess.
static mn_status go_on(FrictionRounds* f, int m, const Pressure* p, double* pressure, double part, Arena* arena)
{
    TRY(take_memory(&f->guess[m], p, arena));
    TRY(take_memory(&f->found[m], p, arena));
    if (f->round > 0) TRY(take_memory(&f->missed[m], p, arena));
    const Spans* s = p->in.spans;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) FOR_UNKNOWNS(p, r, at)
        {
            double found = pressure[at];
            if (f->round > 0) f->missed[m][at] = found - f->guess[m][at];
            pressure[at] -= part*(found - f->found[m][at]);
            f->found[m][at] = found, f->guess[m][at] = pressure[at];
        }
    return MN_OK;
}

mn_status friction_rounds_next(bool* agree, FrictionRounds* f, const Coupling* c, Liquid* liquid, Arena* arena)
{
    Products sum = {0};
    *agree = false;
    for (int m = 0; m < c->liquids && f->round > 0; m++)
        if (f->guess[m]) TRY(add_products(&sum, f, m, c->pressure[m], liquid[m].p.v, c->arena));
    double missed = sqrt(sum.mm);
    if (f->round == 1) f->first = missed;
    if (f->round > 0 && missed <= (f->round == 1 ? 0 : ENOUGH*f->first)) {
        *agree = true;
        return MN_OK;
    }
    double part = sum.dd > 0 ? sum.md/sum.dd : 0;
    for (int m = 0; m < c->liquids; m++)
        if (c->joined[m]) TRY(go_on(f, m, c->pressure[m], liquid[m].p.v, part, arena));
    f->round++;
    return MN_OK;
}
