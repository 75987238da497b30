#include "solve/pressure_sides.h"

#include <assert.h>
#include <string.h>
#include "base/vec.h"

static const int SIGN[2] = {1, -1};

// Is a cell's piece on this side an unknown of the border? Only of cells that are cut through.
static bool is_far(const PressureSides* s, int side, ptrdiff_t at)
{
    const SheetCut* cut = s->side[0]->in.side->cut;
    const Window* w = s->system.w;
    return s->far[at] >= 0 && sheetside_of_center(cut, w, at) != SIGN[side];
}

// ---- which unknowns there are -------------------------------------------------------------------------------------------

static int32_t* number_far(int* count, Arena* arena, const PressureSides* s)
{
    const Pressure* plus = s->side[0];
    const SheetCut* cut = plus->in.side->cut;
    int32_t* far = ARENA_NEW(arena, int32_t, plus->in.w->count);
    if (!far) return NULL;
    memset(far, -1, sizeof *far*plus->in.w->count);
    far += plus->in.w->origin;
    *count = 0;
    for (int side = 0; side < 2; side++)
        for (int m = 0; m < s->side[side]->in.cells->count; m++) {
            const CutCell* c = &s->side[side]->in.cells->cut[m];
            if (!pressure_is_unknown(s->side[side], c->at)) continue;
            if (sheetside_cell(cut, 1, plus->in.w, c->at) != SHEET_CELL_SPLIT) continue;
            if (sheetside_of_center(cut, plus->in.w, c->at) != SIGN[side]) far[c->at] = (*count)++;
        }
    return far;
}

// ---- rows ---------------------------------------------------------------------------------------------------------------

// The row of a cell in the problem of one side. *next: the special cell of that problem's row of cells to look at next.
static SpecialCell row_of(double* b, const PressureSides* s, int side, ptrdiff_t at, int i, int* next)
{
    const Poisson* f = &s->side[side]->system;
    *b = f->b[at];
    if (f->kind[at] == CELL_IS_SPECIAL) {
        while (f->special[*next].i < i) (*next)++;
        assert(f->special[*next].i == i);
        return f->special[*next];
    }
    SpecialCell whole = {.i = i};
    for (int d = 0; d < f->w->dim; d++) whole.link[2*d] = whole.link[2*d + 1] = 1;
    return whole;
}

static ptrdiff_t neighbour(const Window* w, ptrdiff_t at, int link)
{
    return at + (link%2 == 0 ? -1 : 1)*window_stride(w, link/2);
}

// Room for what a far piece, or a cell beside one, brings.
static void add_block(Border* b, int row, int column, double value)
{
    b->block[b->block_entries++] = (Triplet){.row = row, .column = column, .value = value};
}

// Row of a far piece.
static void add_far(PressureSides* s, int side, ptrdiff_t at, const SpecialCell* row, double b)
{
    int own = s->far[at];
    double sum = row->excess;
    for (int link = 0; link < 2*s->system.w->dim; link++) {
        if (row->link[link] == 0) continue;
        ptrdiff_t to = neighbour(s->system.w, at, link);
        sum += row->link[link];
        if (is_far(s, side, to) && s->far[to] < own) add_block(&s->border, own, s->far[to], -row->link[link]);
    }
    // what no face opens to is a crumb of rounding in a corner of its cell, and its pressure moves nothing
    bool is_shut = !(sum > 0);
    add_block(&s->border, own, own, is_shut ? 1 : sum);
    s->border.d[own] = is_shut ? 0 : b;
}

// The row of one side becomes part of the grid's row of the cell.
static void add_near(SpecialCell* out, PressureSides* s, int side, ptrdiff_t at, const SpecialCell* row)
{
    out->excess += row->excess;
    for (int link = 0; link < 2*s->system.w->dim; link++) {
        if (row->link[link] == 0) continue;
        ptrdiff_t to = neighbour(s->system.w, at, link);
        if (!is_far(s, side, to)) {
            out->link[link] += row->link[link];
            continue;
        }
        out->excess += row->link[link];
        s->border.entry[s->border.entries++] = (BorderEntry){.cell = at, .unknown = s->far[to], .value = -row->link[link]};
    }
}

static bool is_regular(const SpecialCell* c, int dim)
{
    for (int link = 0; link < 2*dim; link++)
        if (c->link[link] != 1) return false;
    return c->excess == 0;
}

// Rows of all cells of row r.
static void join_row(PressureSides* s, int r)
{
    Poisson* f = &s->system;
    const Window* w = f->w;
    int j = r%w->n[1], k = r/w->n[1], next[2];
    ptrdiff_t row = window_at(w, 0, j, k);
    for (int side = 0; side < 2; side++) next[side] = s->side[side]->system.first[r];
    SPAN_LOOP(f->spans, j + k*f->spans->rows_y, q)
        for (int i = f->spans->span[q].i0; i < mini(f->spans->span[q].i1, w->n[0]); i++) {
            ptrdiff_t at = row + i;
            SpecialCell whole = {.i = i};
            bool any = false;
            double sum = 0;
            for (int side = 0; side < 2; side++) {
                if (!pressure_is_unknown(s->side[side], at)) continue;
                double b;
                SpecialCell own = row_of(&b, s, side, at, i, &next[side]);
                if (is_far(s, side, at)) add_far(s, side, at, &own, b);
                else add_near(&whole, s, side, at, &own), any = true, sum += b;
            }
            f->kind[at] = CELL_IS_NONE;
            if (!any) continue;
            f->b[at] = sum;
            f->kind[at] = is_regular(&whole, w->dim) ? CELL_IS_REGULAR : CELL_IS_SPECIAL;
            if (f->kind[at] == CELL_IS_SPECIAL) f->special[f->first[r + 1]++] = whole;
        }
}

static mn_status take_arrays(PressureSides* s, Arena* arena)
{
    const Pressure* plus = s->side[0];
    const Window* w = plus->in.w;
    Poisson* f = &s->system;
    int rows = w->n[1]*w->n[2], specials = 0;
    for (int side = 0; side < 2; side++) specials += s->side[side]->system.first[rows];
    *f = (Poisson){.w = w, .spans = plus->in.spans};
    TRY_MEMORY(s->far = number_far(&s->border.count, arena, s));
    int around = (2*w->dim + 1)*s->border.count;
    TRY_MEMORY(f->kind = ARENA_ZERO(arena, unsigned char, w->count));
    TRY_MEMORY(f->b = ARENA_NEW(arena, double, w->count));
    TRY_MEMORY(f->first = ARENA_ZERO(arena, int, rows + 1));
    // of both sides, and regular cells beside far pieces
    TRY_MEMORY(f->special = ARENA_NEW(arena, SpecialCell, specials + around));
    TRY_MEMORY(s->border.entry = ARENA_NEW(arena, BorderEntry, around));
    TRY_MEMORY(s->border.block = ARENA_NEW(arena, Triplet, around));
    TRY_MEMORY(s->border.d = ARENA_ZERO(arena, double, s->border.count));
    TRY_MEMORY(s->far_p = ARENA_ZERO(arena, double, s->border.count));
    f->kind += w->origin, f->b += w->origin;
    return MN_OK;
}

mn_status pressure_sides_join(PressureSides* s, Arena* arena, Pressure* plus, Pressure* minus)
{
    assert(window_same(plus->in.w, minus->in.w) && plus->in.spans->span == minus->in.spans->span);
    assert(plus->in.side->sign == 1 && minus->in.side->sign == -1);
    *s = (PressureSides){.side = {plus, minus}};
    TRY(take_arrays(s, arena));
    for (int r = 0; r < plus->in.w->n[1]*plus->in.w->n[2]; r++) {
        s->system.first[r + 1] = s->system.first[r];
        join_row(s, r);
    }
    assert(poisson_is_valid(&s->system));
    return MN_OK;
}

mn_status pressure_sides_solve(double* p, SolveReport* report, PressureSides* s, const SolveOptions* options, Arena* arena)
{
    PoissonPart part = {.problem = &s->system, .p = p, .weight = 1};
    PoissonOperator op;
    PoissonGroup group = {.part = &part, .count = 1, .op = &op};
    mn_status status = border_begin(&s->border, &op, &group, arena);
    group.ops = op.count > 0;
    if (status == MN_OK) status = poisson_solve_group(report, &group, options, arena);
    if (status == MN_OK && s->border.count > 0) status = border_solution(&s->border, s->far_p, &group);
    border_end(&s->border);
    return status;
}

int pressure_sides_far(const PressureSides* s, int side, ptrdiff_t at) { return is_far(s, side, at) ? s->far[at] : -1; }

double* pressure_sides_seen(Arena* arena, const PressureSides* s, int side, const double* p)
{
    double* seen = window_copy(arena, p, s->system.w);
    if (!seen) return NULL;
    const CutCells* cells = s->side[side]->in.cells;
    for (int m = 0; m < cells->count; m++)
        if (is_far(s, side, cells->cut[m].at)) seen[cells->cut[m].at] = s->far_p[s->far[cells->cut[m].at]];
    return seen;
}
