// What a Poisson problem promises its solver, checked cell by cell.
#include "solve/poisson.h"

#include <math.h>

// The list entry of special cell i of a row, NULL if there is none.
static const SpecialCell* special_at(const Poisson* f, int row, int i)
{
    int low = f->first[row], high = f->first[row + 1];
    while (low < high) {
        int middle = low + (high - low)/2;
        if (f->special[middle].i < i) low = middle + 1;
        else high = middle;
    }
    return low < f->first[row + 1] && f->special[low].i == i ? &f->special[low] : NULL;
}

// The weight that the cell at (i,j,k) gives its face `side`; 0 past the window and where there is no unknown.
static double link_of(const Poisson* f, const int cell[3], int side)
{
    const Window* w = f->w;
    for (int d = 0; d < w->dim; d++)
        if (cell[d] < 0 || cell[d] >= w->n[d]) return 0;
    int kind = f->kind[window_at(w, cell[0], cell[1], cell[2])];
    if (kind == CELL_IS_NONE) return 0;
    if (kind == CELL_IS_REGULAR) return 1;
    const SpecialCell* c = special_at(f, cell[1] + cell[2]*w->n[1], cell[0]);
    return c ? c->link[side] : NAN;
}

static bool links_agree(const Poisson* f, const int cell[3])
{
    for (int side = 0; side < 2*f->w->dim; side++) {
        int beside[3] = {cell[0], cell[1], cell[2]};
        beside[side/2] += side & 1 ? 1 : -1;
        double own = link_of(f, cell, side), other = link_of(f, beside, side ^ 1);
        if (!(own >= 0) || own != other) return false;
    }
    return true;
}

static bool special_is_valid(const Poisson* f, const SpecialCell* c)
{
    for (int side = 0; side < 6; side++)
        if (!(c->link[side] >= 0) || !isfinite(c->link[side]) || (side >= 2*f->w->dim && c->link[side] != 0)) return false;
    return c->excess >= 0 && isfinite(c->excess);
}

// Unknown cells of one row of cells against its list. Cells of the list may have left the system: alone, without any link.
static bool row_is_valid(const Poisson* f, int r)
{
    const Window* w = f->w;
    int cell[3] = {0, r%w->n[1], r/w->n[1]};
    const unsigned char* kind = f->kind + window_at(w, 0, cell[1], cell[2]);
    for (int m = f->first[r], last = -1; m < f->first[r + 1]; last = f->special[m++].i) {
        int i = f->special[m].i;
        if (i <= last || i >= w->n[0] || kind[i] == CELL_IS_REGULAR || !special_is_valid(f, &f->special[m])) return false;
    }
    SPAN_LOOP(f->spans, cell[1] + cell[2]*f->spans->rows_y, q)
        for (cell[0] = f->spans->span[q].i0; cell[0] < f->spans->span[q].i1 && cell[0] < w->n[0]; cell[0]++)
            if (kind[cell[0]] != CELL_IS_NONE && !links_agree(f, cell)) return false;
    return true;
}

bool poisson_is_valid(const Poisson* f)
{
    if (!f || !window_is_valid(f->w) || !spans_is_valid(f->spans, f->w) || !f->kind || !f->first || !f->b) return false;
    int rows = f->w->n[1]*f->w->n[2];
    if (f->first[0] != 0) return false;
    for (int r = 0; r < rows; r++)
        if (f->first[r] > f->first[r + 1] || !row_is_valid(f, r)) return false;
    return true;
}

static bool operator_is_valid(const PoissonOperator* op, const PoissonGroup* group)
{
    if (op->count > 0 && (!op->part || !op->cell || !op->apply || (op->rank > 0 && !op->column))) return false;
    for (int m = 0; m < op->count; m++) {
        if (op->part[m] < 0 || op->part[m] >= group->count) return false;
        if (group->part[op->part[m]].problem->kind[op->cell[m]] == CELL_IS_NONE) return false;
        bool sorted =
            m == 0 || op->part[m - 1] < op->part[m] || (op->part[m - 1] == op->part[m] && op->cell[m - 1] < op->cell[m]);
        if (!sorted || (op->diagonal && !(op->diagonal[m] >= 0))) return false;
    }
    return true;
}

bool poisson_group_is_valid(const PoissonGroup* group)
{
    for (int q = 0; q < group->count; q++)
        if (!(group->part[q].weight > 0) || !poisson_is_valid(group->part[q].problem)) return false;
    for (int o = 0; o < group->ops; o++)
        if (!operator_is_valid(&group->op[o], group)) return false;
    return true;
}
