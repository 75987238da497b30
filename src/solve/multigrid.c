#include "solve/multigrid.h"

#include <assert.h>
#include <omp.h>
#include <string.h>
#include "base/vec.h"

// ---- building the coarse levels ------------------------------------------------------------------------------------------

// A coarse face gathers the fine faces on it: areas add and the distance doubles, hence half their sum (rediscretisation;
// the Galerkin sum without the half costs 30 to 100 % more iterations).
static const float COARSE_WEIGHT = 0.5f;

// A coarse cell that holds little more than a sliver beside a solid has weak links, but linear interpolation still carries its
// value far into its neighbours and theirs back to it: it would over-correct by a factor of ten. Links that are open at all
// are therefore kept at a tenth of a regular one (33 iterations become 11 with a ball in a tank of 128^3).
static float coarse_link(float sum, float regular)
{
    assert(sum >= 0);
    float link = COARSE_WEIGHT*sum, least = 0.1f*regular;
    return link > 0 && link < least ? least : link;
}

// The links to known values: a coarse cell full of unknowns has its centre further from the surface than its outer fine cells
// (half their sum fits a surface half a fine cell away), one that is only partly filled has it nearer, or past it. The factor
// between is linear in the filled fraction; its ends were chosen by counting iterations (docs/solver.md).
static float coarse_excess_factor(float filled) { return 2 - 1.5f*filled; }

// First of the two fine cells that coarse cell I covers along an axis; either may lie past the end of the box.
static inline int first_fine(const Level* c, int axis, int I) { return 2*I - c->before[axis]; }

// An odd number of cells leaves one without a partner: the first or the last. Whichever it is, the cycle is not that of the
// mirror image, and nor is the pressure, to within the tolerance. So it is the one on the side away from most of the unknowns, in
// a scene as in its image. sum: of the unknowns' places from the middle, in half cells.
static void sum_places(long sum[3], const Level* f)
{
    for (int d = 0; d < 3; d++) sum[d] = 0;
    for (int r = 0; r < f->rows; r++)
        SPAN_LOOP(f, r, q) {
            int i0 = f->span[q].i0, i1 = f->span[q].i1;
            sum[0] += (long)(i1 - i0)*(i0 + i1 - f->n[0]);
            sum[1] += (long)(i1 - i0)*(2*(r%f->n[1]) + 1 - f->n[1]);
            sum[2] += (long)(i1 - i0)*(2*(r/f->n[1]) + 1 - f->n[2]);
        }
}

static void choose_partners(int before[3], const Level* f)
{
    long sum[3];
    sum_places(sum, f);
    for (int d = 0; d < 3; d++) before[d] = d < f->dim && f->n[d] > 1 && f->n[d]%2 == 1 && sum[d] > 0;
}

// Unknowns that lie evenly around the middle of an odd number of cells cannot be halved without preferring a side.
static bool halving_prefers_a_side(const Level* f)
{
    long sum[3];
    sum_places(sum, f);
    for (int d = 0; d < f->dim; d++)
        if (f->n[d] > 1 && f->n[d]%2 == 1 && sum[d] == 0) return true;
    return false;
}

// Coarse cell (I,J,K) covers the fine cells from first_fine on, two per axis (2D: K = k = 0). It is regular when all of them are:
// then so is every fine link on its faces. Fine cells past the ends of the box are none.
static void coarsen_kinds(Level* c, const Level* f, int r)
{
    int J = first_fine(c, 1, r%c->n[1]), K = f->dim == 3 ? first_fine(c, 2, r/c->n[1]) : 0;
    unsigned char* restrict out = c->kind + level_row(c, r);
    const unsigned char* a = f->kind + level_at(f, 0, J, K);
    const unsigned char *b = a + f->sy, *d = f->dim == 3 ? a + f->sz : a, *e = f->dim == 3 ? b + f->sz : b;
    for (int I = 0; I < c->n[0]; I++) {
        int i = first_fine(c, 0, I);
        unsigned char all = a[i] & a[i + 1] & b[i] & b[i + 1] & d[i] & d[i + 1] & e[i] & e[i + 1];
        unsigned char any = a[i] | a[i + 1] | b[i] | b[i + 1] | d[i] | d[i + 1] | e[i] | e[i + 1];
        _Static_assert(CELL_IS_REGULAR == 1 && CELL_IS_SPECIAL == 2 && CELL_IS_NONE == 0, "one bit per kind");
        out[I] = all == CELL_IS_REGULAR ? CELL_IS_REGULAR : any ? CELL_IS_SPECIAL : CELL_IS_NONE;
    }
}

static int count_special(const Level* l, int r)
{
    const unsigned char* kind = l->kind + level_row(l, r);
    int count = 0;
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1; i++) count += kind[i] == CELL_IS_SPECIAL;
    return count;
}

// A place in the list of special cells of one fine row, moving along with i.
typedef struct FineRow {
    const unsigned char* kind;
    const LevelCell *next, *last;
    int step[2];  // 0: the low, 1: the high row of the pair along y and z
} FineRow;

static int fine_rows(FineRow row[4], const Level* c, const Level* f, int J, int K)
{
    int count = 0;
    for (int dk = 0; dk < (f->dim == 3 ? 2 : 1); dk++)
        for (int dj = 0; dj < 2; dj++) {
            int j = first_fine(c, 1, J) + dj, k = f->dim == 3 ? first_fine(c, 2, K) + dk : 0;
            if (j < 0 || j >= f->n[1] || k < 0 || k >= f->n[2]) continue;
            int r = j + k*f->n[1];
            row[count++] = (FineRow){
                f->kind + level_row(f, r), f->special + f->first_special[r], f->special + f->first_special[r + 1], {dj, dk}};
        }
    return count;
}

// Adds what one fine cell, the low or the high one of its pair along x, gives to its coarse cell: its links on the outer side and
// its excess. Returns 1 if there is one.
static int add_fine_cell(LevelCell* out, FineRow* row, const Level* f, int i, int high)
{
    if (i < 0 || i >= f->n[0] || row->kind[i] == CELL_IS_NONE) return 0;
    int face[3] = {high, 2 + row->step[0], 4 + row->step[1]};
    if (row->kind[i] == CELL_IS_REGULAR) {
        for (int d = 0; d < f->dim; d++) out->link[face[d]] += f->weight;
        return 1;
    }
    while (row->next < row->last && row->next->i < i) row->next++;
    assert(row->next < row->last && row->next->i == i);
    for (int d = 0; d < f->dim; d++) out->link[face[d]] += row->next->link[face[d]];
    out->excess += row->next->excess;
    return 1;
}

static void fill_special(Level* c, const Level* f, int r)
{
    LevelCell* out = c->special + c->first_special[r];
    if (c->first_special[r] == c->first_special[r + 1]) return;
    FineRow row[4];
    int rows = fine_rows(row, c, f, r%c->n[1], r/c->n[1]);
    const unsigned char* kind = c->kind + level_row(c, r);
    SPAN_LOOP(c, r, q)
        for (int I = c->span[q].i0; I < c->span[q].i1; I++) {
            if (kind[I] != CELL_IS_SPECIAL) continue;
            *out = (LevelCell){.i = I};
            int children = 0;
            for (int m = 0; m < rows; m++)
                for (int di = 0; di < 2; di++) children += add_fine_cell(out, &row[m], f, first_fine(c, 0, I) + di, di);
            out->excess *= coarse_excess_factor((float)children/(f->dim == 3 ? 8 : 4));
            out->diagonal = out->excess;
            for (int s = 0; s < 6; s++) {
                out->link[s] = coarse_link(out->link[s], c->weight);
                out->diagonal += out->link[s];
            }
            // a cell that nothing links (sealed and alone) stays at zero
            out->inverse = out->diagonal > 0 ? 1/out->diagonal : 0;
            out++;
        }
}

static mn_status coarsen(Level* c, Level* f, Arena* arena)
{
    int n[3] = {(f->n[0] + 1)/2, (f->n[1] + 1)/2, f->dim == 3 ? (f->n[2] + 1)/2 : 1};
    level_shape(c, f->dim, n, f->wall);
    choose_partners(c->before, f);
    c->weight = f->weight*COARSE_WEIGHT*(f->dim == 3 ? 4 : 2);
    TRY_MEMORY(c->kind = ARENA_ZERO(arena, unsigned char, c->count));
    c->kind += c->origin;
#pragma omp parallel for schedule(static) if (f->threads > 1)
    for (int r = 0; r < c->rows; r++) coarsen_kinds(c, f, r);
    TRY(level_find_runs(c, arena));
    TRY_MEMORY(c->first_special = ARENA_NEW(arena, int, c->rows + 1));
    int total = 0;
    for (int r = 0; r < c->rows; r++) c->first_special[r] = total, total += count_special(c, r);
    c->first_special[c->rows] = total;
    TRY_MEMORY(c->special = ARENA_NEW(arena, LevelCell, total));
#pragma omp parallel for schedule(static) if (f->threads > 1)
    for (int r = 0; r < c->rows; r++) fill_special(c, f, r);
    TRY(level_take_arrays(c, arena));
    size_t slice = (size_t)c->n[0]*(size_t)(f->dim == 3 ? c->n[1] : 1);
    TRY_MEMORY(f->gathered = ARENA_NEW(arena, float, slice*(size_t)f->slices));
    return MN_OK;
}

// Unknowns of the coarsest level, at most; up to some times as many where halving once more would spoil a symmetry.
enum { FEW = 32 };

mn_status multigrid_coarsen(Multigrid* m, Arena* arena)
{
    assert(m->level[0].first_special && m->level[0].x && m->level[0].unknowns > 0);
    m->count = 1;
    while (m->count < MULTIGRID_LEVELS) {
        Level* f = &m->level[m->count - 1];
        if (f->unknowns <= FEW || (f->n[0] == 1 && f->n[1] == 1 && f->n[2] == 1)) break;
        if (f->unknowns <= (f->dim == 3 ? 12*FEW : 3*FEW) && halving_prefers_a_side(f)) break;
        TRY(coarsen(&m->level[m->count], f, arena));
        m->count++;
    }
    return MN_OK;
}

// ---- transfers -----------------------------------------------------------------------------------------------------------

// P interpolates linearly: per axis a fine cell takes 3/4 of the coarse cell it lies in and 1/4 of the one next to it on its
// side. Past a wall of the tank that neighbour is the mirror image, so the fine cell takes all from its own; past any other
// end of the box it is zero. Restriction is the transpose.
typedef struct Parents {
    int own, beside;  // beside = own at a wall, -1 where there is nothing
} Parents;

static Parents parents_of(const Level* c, int axis, int fine)
{
    fine += c->before[axis];
    assert(fine >= 0 && fine/2 < c->n[axis]);
    Parents p = {fine/2, fine & 1 ? fine/2 + 1 : fine/2 - 1};
    if (p.beside < 0) p.beside = c->wall[2*axis] ? p.own : -1;
    else if (p.beside >= c->n[axis]) p.beside = c->wall[2*axis + 1] ? p.own : -1;
    return p;
}

static int slice_axis(const Level* l) { return l->dim == 3 ? 2 : 1; }
static float* gathered_row(const Level* f, const Level* c, int slice, int J)
{
    return f->gathered + ((ptrdiff_t)slice*(c->dim == 3 ? c->n[1] : 1) + J)*c->n[0];
}

// Columns of row J of the gathered slice that the coarse cells above and below will read.
static Span columns_read(const Level* c, int slice, int J)
{
    Parents p = parents_of(c, slice_axis(c), slice);
    Span s = {c->n[0], 0};
    for (int m = 0; m < 2; m++) {
        int S = m == 0 ? p.own : p.beside, r = S*c->slice_rows + J;
        if (S < 0) continue;
        s.i0 = mini(s.i0, c->reach[r].i0), s.i1 = maxi(s.i1, c->reach[r].i1);
    }
    return s;
}

// Restricts the residual of a fine row along x; returns the columns of coarse_line it wrote. `line` has spare places at each end.
enum { SPARE = 3 };
static Span restrict_along_row(float* restrict coarse_line, float* restrict line, const Level* c, const Level* f, int r)
{
    int n = f->n[0], before = c->before[0], begin = level_row_begin(f, r), end = level_row_end(f, r);
    memset(line + begin - SPARE, 0, sizeof *line*(size_t)(end - begin + 2*SPARE));
    level_residual(line, f, r);
    if (begin == 0 && f->wall[0] && before == 0) line[-1] = line[0];
    if (end == n && f->wall[1] && (n + before)%2 == 0) line[n] = line[n - 1];
    Span s = {maxi((begin + before - 1) >> 1, 0), mini((end + before)/2 + 1, c->n[0])};
    const float* pair = line - before;
    for (int I = s.i0; I < s.i1; I++)
        coarse_line[I] = 0.25f*(pair[2*I - 1] + pair[2*I + 2]) + 0.75f*(pair[2*I] + pair[2*I + 1]);
    return s;
}

static void add_line(float* restrict to, const float* restrict line, float weight, Span a, Span b)
{
    for (int I = maxi(a.i0, b.i0); I < mini(a.i1, b.i1); I++) to[I] += weight*line[I];
}

// The residual of one fine slice, restricted within the slice.
static void gather_slice(Level* f, const Level* c, int slice)
{
    float line_memory[f->n[0] + 2*SPARE], coarse_line[c->n[0] + 1];
    int coarse_rows = c->slice_rows;
    for (int J = 0; J < coarse_rows; J++) {
        Span s = columns_read(c, slice, J);
        if (s.i0 < s.i1) memset(gathered_row(f, c, slice, J) + s.i0, 0, sizeof(float)*(size_t)(s.i1 - s.i0));
    }
    for (int m = 0; m < f->slice_rows; m++) {
        int r = slice*f->slice_rows + m;
        if (level_row_is_empty(f, r)) continue;
        Span s = restrict_along_row(coarse_line, line_memory + SPARE, c, f, r);
        if (f->dim == 2) {
            add_line(gathered_row(f, c, slice, 0), coarse_line, 1, s, columns_read(c, slice, 0));
            continue;
        }
        Parents p = parents_of(c, 1, m);
        add_line(gathered_row(f, c, slice, p.own), coarse_line, 0.75f, s, columns_read(c, slice, p.own));
        if (p.beside >= 0) add_line(gathered_row(f, c, slice, p.beside), coarse_line, 0.25f, s, columns_read(c, slice, p.beside));
    }
}

// The gathered rows that feed a coarse row, with their weights; returns their number.
static int feeding_rows(const float* from[4], float weight[4], const Level* c, const Level* f, int r)
{
    int S = r/c->slice_rows, J = r%c->slice_rows, count = 0;
    int first = first_fine(c, slice_axis(c), S);
    for (int s = maxi(first - 1, 0); s <= mini(first + 2, f->slices - 1); s++) {
        Parents p = parents_of(c, slice_axis(c), s);
        from[count] = gathered_row(f, c, s, J);
        assert(count < 4);
        weight[count++] = (p.own == S ? 0.75f : 0) + (p.beside == S ? 0.25f : 0);
    }
    return count;
}

// y of a coarse row: the gathered fine slices combined across the slices.
static void finish_restriction(Level* c, const Level* f, int r)
{
    if (level_row_is_empty(c, r)) return;
    const float* from[4];
    float weight[4];
    int count = feeding_rows(from, weight, c, f, r);
    float* restrict y = c->y + level_row(c, r);
    SPAN_LOOP(c, r, q) {
        int I0 = c->span[q].i0, I1 = c->span[q].i1;
        memset(y + I0, 0, sizeof *y*(size_t)(I1 - I0));
        for (int m = 0; m < count; m++) {
            const float* restrict g = from[m];
            float w = weight[m]/level_diagonal(c);
            for (int I = I0; I < I1; I++) y[I] += w*g[I];
        }
    }
    for (int m = c->first_special[r]; m < c->first_special[r + 1]; m++)
        y[c->special[m].i] *= level_diagonal(c)*c->special[m].inverse;
}

// fine.x += P coarse.x on one row.
static void prolong_row(Level* f, const Level* c, int r)
{
    static const float w[4] = {0.5625f, 0.1875f, 0.1875f, 0.0625f};
    if (level_row_is_empty(f, r)) return;
    int j = r%f->n[1], k = r/f->n[1], count = 0;
    Parents pj = parents_of(c, 1, j), pk = f->dim == 3 ? parents_of(c, 2, k) : (Parents){0, -1};
    const float* from[4];
    float weight[4];
    for (int m = 0; m < (f->dim == 3 ? 4 : 2); m++) {
        int J = m & 1 ? pj.beside : pj.own, K = m & 2 ? pk.beside : pk.own;
        if (J < 0 || K < 0) continue;
        from[count] = c->x + level_at(c, 0, J, K);
        weight[count++] = f->dim == 3 ? w[m] : m ? 0.25f : 0.75f;
    }
    float line_memory[c->n[0] + 2], *line = line_memory + 1;
    float* restrict x = f->x + level_row(f, r);
    int before = c->before[0], A = maxi((level_row_begin(f, r) + before)/2 - 1, 0),
        E = mini((level_row_end(f, r) - 1 + before)/2 + 2, c->n[0]);
    line[-1] = line[c->n[0]] = 0;
    for (int I = A; I < E; I++) line[I] = weight[0]*from[0][I];
    for (int m = 1; m < count; m++)
        for (int I = A; I < E; I++) line[I] += weight[m]*from[m][I];
    if (A == 0 && c->wall[0]) line[-1] = line[0];
    if (E == c->n[0] && c->wall[1]) line[c->n[0]] = line[c->n[0] - 1];
    SPAN_LOOP(f, r, q) {
        int i = f->span[q].i0, i1 = f->span[q].i1, I0 = (i + before)/2;
        if ((i + before) & 1) x[i] += 0.75f*line[I0] + 0.25f*line[I0 + 1], i++, I0++;
        int pairs = (i1 - i)/2;
        for (int I = 0; I < pairs; I++) {
            x[i + 2*I] += 0.75f*line[I0 + I] + 0.25f*line[I0 + I - 1];
            x[i + 2*I + 1] += 0.75f*line[I0 + I] + 0.25f*line[I0 + I + 1];
        }
        i += 2*pairs;
        if (i < i1) x[i] += 0.75f*line[I0 + pairs] + 0.25f*line[I0 + pairs - 1];
    }
}

// ---- the cycle -----------------------------------------------------------------------------------------------------------

// The stages of a level follow each other through the slices, one slice apart, so that a slice is read from memory once and
// the other stages find it in the cache. Where two threads' slabs meet, the later stages wait for the neighbour.
#define FOR_ROWS(l, slice, r) for (int r = (slice)*(l)->slice_rows; r < ((slice) + 1)*(l)->slice_rows; r++)

// x = smoothed from zero, then the residual of x restricted to the coarse level's y.
static void go_down(Level* l, Level* c)
{
    SLAB_REGION(l)
    {
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            for (int s = s0; s < s1; s++) {
                FOR_ROWS(l, s, r) level_smooth_from_zero(l, r);
                if (s - 1 > s0) gather_slice(l, c, s - 1);
            }
        }
#pragma omp barrier
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            if (s0 < s1) gather_slice(l, c, s0);
            if (s0 < s1 - 1) gather_slice(l, c, s1 - 1);
        }
#pragma omp barrier
        OWN_SLABS(l, t)
        for (int S = (l->slab[t] + 1)/2; S < (l->slab[t + 1] + 1)/2; S++) FOR_ROWS(c, S, r) finish_restriction(c, l, r);
    }
}

static void second_sweep(Level* l, int slice, const RowSums* sums)
{
    FOR_ROWS(l, slice, r)
    {
        level_sweep_second(l, r);
        if (sums) sums->product[r] = level_product(l, r);
    }
}

static void sum_curvature(const Level* l, int slice, const RowSums* sums)
{
    FOR_ROWS(l, slice, r) sums->curvature[r] = level_curvature(l, r);
}

// x += the coarse correction, then smoothed.
static void go_up(Level* l, const Level* c, const RowSums* sums)
{
    SLAB_REGION(l)
    {
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            for (int s = s0; s < s1; s++) {
                FOR_ROWS(l, s, r) prolong_row(l, c, r);
                if (s - 1 > s0) FOR_ROWS(l, s - 1, r) level_sweep_first(l, r);
                if (s - 2 > s0 + 1) second_sweep(l, s - 2, sums);
                if (sums && s - 3 > s0 + 2) sum_curvature(l, s - 3, sums);
            }
        }
#pragma omp barrier
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            if (s0 < s1) FOR_ROWS(l, s0, r) level_sweep_first(l, r);
            if (s0 < s1 - 1) FOR_ROWS(l, s1 - 1, r) level_sweep_first(l, r);
        }
#pragma omp barrier
        OWN_SLABS(l, t)
        {
            int s0 = l->slab[t], s1 = l->slab[t + 1];
            for (int s = s0; s < s1; s++)
                if (!(s > s0 + 1 && s < s1 - 2)) second_sweep(l, s, sums);
        }
        if (sums) {
#pragma omp barrier
            OWN_SLABS(l, t)
            {
                int s0 = l->slab[t], s1 = l->slab[t + 1];
                for (int s = s0; s < s1; s++)
                    if (!(s > s0 + 2 && s < s1 - 3)) sum_curvature(l, s, sums);
            }
        }
    }
}

static void solve_coarsest(Level* l, const RowSums* sums)
{
    int pairs = l->unknowns <= FEW ? 12 : 24;
    for (int r = 0; r < l->rows; r++) level_smooth_from_zero(l, r);
    for (int m = 0; m < pairs; m++) {
        for (int r = 0; r < l->rows; r++) level_sweep_first(l, r);
        for (int s = 0; s < l->slices; s++) second_sweep(l, s, m == pairs - 1 ? sums : NULL);
    }
    if (sums)
        for (int s = 0; s < l->slices; s++) sum_curvature(l, s, sums);
}

static void cycle(Multigrid* m, int depth, const RowSums* sums)
{
    assert(depth < m->count);
    Level* l = &m->level[depth];
    if (depth == m->count - 1) {
        solve_coarsest(l, sums);
        return;
    }
    go_down(l, &m->level[depth + 1]);
    cycle(m, depth + 1, NULL);
    go_up(l, &m->level[depth + 1], sums);
}

void multigrid_cycle(Multigrid* m, const RowSums* sums) { cycle(m, 0, sums); }
