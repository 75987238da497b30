#include "solve/viscous_build.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "solve/viscous_strains.h"

// ---- size and place ------------------------------------------------------------------------------------------------------

// Box of the cells with liquid, in cells of the window.
static bool wet_box(int lo[3], int hi[3], const ViscosityInput* in)
{
    const Window* w = in->w;
    const Spans* s = in->spans;
    for (int d = 0; d < 3; d++) lo[d] = INT_MAX, hi[d] = -1;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        if (j >= w->n[1] || k >= w->n[2]) continue;
        const int32_t* index = in->cells->index + window_at(w, 0, j, k);
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0, last = mini(s->span[q].i1, w->n[0]); i < last; i++) {
                if (index[i] == CELL_EMPTY) continue;
                lo[0] = mini(lo[0], i), hi[0] = maxi(hi[0], i);
                lo[1] = mini(lo[1], j), hi[1] = maxi(hi[1], j);
                lo[2] = mini(lo[2], k), hi[2] = maxi(hi[2], k);
            }
    }
    return hi[0] >= 0;
}

// One cell more than the wet box where the tank goes on, rounded up so that it can be halved.
static void place_grid(ViscousProblem* p, int n[3], const int lo[3], const int hi[3], int levels)
{
    const Window* w = p->in.w;
    int unit = 1 << (levels - 1);
    for (int d = 0; d < 3; d++) {
        p->lo[d] = 0, n[d] = 1, p->wall_hi[d] = INT_MAX;
        if (d >= w->dim) continue;
        p->lo[d] = maxi(lo[d] - 1, w->side[2*d] == SIDE_INSIDE ? lo[d] - 1 : 0);
        int end = mini(hi[d] + 2, w->side[2*d + 1] == SIDE_INSIDE ? hi[d] + 2 : w->n[d]);
        n[d] = (end - p->lo[d] + unit - 1)/unit*unit;
        if (w->side[2*d + 1] != SIDE_INSIDE) p->wall_hi[d] = w->n[d] - p->lo[d];
    }
}

// The window's spans within the grid.
static mn_status look_along_spans(ViscousProblem* p, Arena* arena)
{
    ViscousGrid* g = &p->grid;
    const Spans* from = p->in.spans;
    TRY(viscous_grid_look_everywhere(g, arena));
    Spans* to = &g->look;
    TRY_MEMORY(to->span = ARENA_NEW(arena, Span, from->first[from->rows]));
    int count = 0;
    to->covered = 0;
    for (int r = 0; r < to->rows; r++) {
        int j = r%to->rows_y + p->lo[1], k = r/to->rows_y + p->lo[2];
        if (j >= 0 && k >= 0 && j < from->rows_y && k < from->rows/from->rows_y)
            SPAN_LOOP(from, j + k*from->rows_y, q) {
                Span s = {maxi(from->span[q].i0 - p->lo[0], 0), mini(from->span[q].i1 - p->lo[0], g->n[0] + 1)};
                if (s.i0 >= s.i1) continue;
                to->span[count++] = s;
                to->covered += s.i1 - s.i0;
            }
        to->first[r + 1] = count;
    }
    return MN_OK;
}

// ---- which faces are known -----------------------------------------------------------------------------------------------

static void face_in_window(int out[3], const ViscousProblem* p, const int face[3])
{
    for (int d = 0; d < 3; d++) out[d] = face[d] + p->lo[d];
}

int viscous_state_by_tank(const ViscousProblem* p, int d, const int face[3])
{
    const Window* w = p->in.w;
    int state = FACE_IS_DRY;
    for (int o = 0; o < w->dim; o++)
        for (int high = 0; high < 2; high++) {
            Side side = w->side[2*o + high];
            if (side == SIDE_INSIDE) continue;
            int past =
                high ? face[o] - p->wall_hi[o] : -p->lo[o] - face[o];  // o == d: 0 on the side; else: 0 just past +y, 1 past -y
            if (past < (o != d && !high)) continue;
            bool on_open_side = o == d && past == 0 && side == SIDE_IS_OPEN;
            if (on_open_side) continue;
            bool held = side_is_closed(side) && (o == d || (side == SIDE_IS_WALL && !p->in.slip_walls));
            if (!held) return FACE_IS_PAST;
            state = FACE_IS_FIXED;
        }
    return state;
}

double viscous_solid_distance(const ViscousProblem* p, int d, const int face[3])
{
    assert(p->in.phi_solid);
    int at[3];
    face_in_window(at, p, face);
    return face_mean(p->in.phi_solid, p->in.w, d, window_at(p->in.w, at[0], at[1], at[2]));
}

static bool faces_exist(const ViscousProblem* p, int d, int j, int k)
{
    const Window* w = p->in.w;
    return (d == 1 || j < w->n[1]) && (w->dim == 2 || d == 2 || k < w->n[2]);
}

static void solid_states_row(ViscousProblem* p, int r)
{
    ViscousGrid* g = &p->grid;
    int j = r%g->look.rows_y, k = r/g->look.rows_y;
    for (int d = 0; d < g->dim; d++) {
        if (!faces_exist(p, d, j + p->lo[1], k + p->lo[2])) continue;
        int end = p->in.w->n[0] + (d == 0) - p->lo[0];
        SPAN_LOOP(&g->look, r, q)
            for (int i = g->look.span[q].i0; i < mini(g->look.span[q].i1, end); i++)
                if (viscous_solid_distance(p, d, (int[3]){i, j, k}) < 0) g->state[d][viscous_at(g, i, j, k)] = FACE_IS_FIXED;
    }
}

// Indices that belong to faces inside the tank only, whatever their component.
static bool between_sides(const ViscousProblem* p, int axis, int i)
{
    const Window* w = p->in.w;
    if (axis >= w->dim) return true;
    return (w->side[2*axis] == SIDE_INSIDE || i > -p->lo[axis]) && i < p->wall_hi[axis];
}

static void find_known_faces(ViscousProblem* p)
{
    ViscousGrid* g = &p->grid;
    bool solids = p->in.phi_solid && !p->in.slip_solids;
#pragma omp parallel for schedule(static) if (spans_parallel(&g->look))
    for (int r = 0; r < g->look.rows; r++)
        if (solids) solid_states_row(p, r);
    int deep = g->dim == 3;
    for (int k = deep ? -1 : 0; k <= (deep ? g->n[2] + 1 : 0); k++)
        for (int j = -1; j <= g->n[1] + 1; j++)
            for (int i = -1; i <= g->n[0] + 1; i++) {
                // from the low side on to the high one there is nothing to find in rows away from the sides
                if (i > -p->lo[0] && between_sides(p, 1, j) && between_sides(p, 2, k))
                    i = maxi(i, mini(p->wall_hi[0], g->n[0] + 2));
                if (i > g->n[0] + 1) break;
                for (int d = 0; d < g->dim; d++) {
                    int state = viscous_state_by_tank(p, d, (int[3]){i, j, k});
                    if (state != FACE_IS_DRY) g->state[d][viscous_at(g, i, j, k)] = (unsigned char)state;
                }
            }
}

// ---- strains -------------------------------------------------------------------------------------------------------------

static void build_normal(ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, double stiffness, const int at[3], int d)
{
    ViscousStrain s = viscous_normal_strain(g, h, p, stiffness, at, d);
    ptrdiff_t here = viscous_at(g, at[0], at[1], at[2]);
    double part = s.root*s.a.factor;
    g->normal[d][here] = part*part;
    if (p && p->walls.normal[d]) p->walls.normal[d][here] = s.root*s.a.known;
}

static void build_shear(ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, double stiffness, const int at[3], int d,
                        int o)
{
    ViscousStrain s = viscous_shear_strain(g, h, p, stiffness, at, d, o);
    ptrdiff_t here = viscous_at(g, at[0], at[1], at[2]);
    g->shear[d][o][here] = s.root*s.a.factor;
    g->shear[o][d][here] = s.root*s.b.factor;
    if (p && p->walls.shear[d][o]) p->walls.shear[d][o][here] = s.root*(s.a.known + s.b.known);
}

// Every half cell around the node is full: its depth tells at once, on the finest level, or they are looked at.
static bool is_full_around(const ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, const int at[3])
{
    int deep = g->dim == 3;
    if (p && !p->in.phi_solid) {
        ptrdiff_t node = window_at(p->in.w, at[0] + p->lo[0], at[1] + p->lo[1], at[2] + p->lo[2]);
        if (p->in.phi[node] < -2*p->in.w->dx) return true;  // they reach sqrt(3)/2 cells
    }
    for (int k = -deep; k <= deep; k++)
        for (int j = -1; j <= 1; j++) {
            const float* q = h->v + half_at(h, 2*at[0], 2*at[1] + j, deep ? 2*at[2] + k : 0);
            if (q[-1] != 1 || q[0] != 1 || q[1] != 1) return false;
        }
    return true;
}

// Deep inside: every half cell around is full, and no face that the strains here read is known.
static bool is_inside(const ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, const int at[3])
{
    if (!is_full_around(g, h, p, at)) return false;
    ptrdiff_t here = viscous_at(g, at[0], at[1], at[2]);
    for (int d = 0; d < g->dim; d++) {
        const unsigned char* state = g->state[d] + here;
        if (state[0] > FACE_IS_FREE || state[viscous_stride(g, d)] > FACE_IS_FREE) return false;
        for (int o = 0; o < g->dim; o++)
            if (o != d && state[-viscous_stride(g, o)] > FACE_IS_FREE) return false;
    }
    return true;
}

static void build_inside(ViscousGrid* g, double stiffness, double root, ptrdiff_t here)
{
    for (int d = 0; d < g->dim; d++) {
        g->mass[d][here] = 1;
        g->normal[d][here] = 2*stiffness;
        for (int o = 0; o < g->dim; o++)
            if (o != d) g->shear[d][o][here] = root;
    }
}

// p is NULL on coarser levels.
static void build_row(ViscousGrid* g, const HalfCells* h, const ViscousProblem* p, double stiffness, int r)
{
    int j = r%g->look.rows_y, k = r/g->look.rows_y;
    double root = sqrt(stiffness);
    SPAN_LOOP(&g->look, r, q)
        for (int i = g->look.span[q].i0; i < g->look.span[q].i1; i++) {
            int at[3] = {i, j, k};
            if (is_inside(g, h, p, at)) {
                build_inside(g, stiffness, root, viscous_at(g, i, j, k));
                continue;
            }
            for (int d = 0; d < g->dim; d++) {
                double mass = control_volume(h, at, (bool[3]){d == 0, d == 1, d == 2});
                g->mass[d][viscous_at(g, i, j, k)] = mass;
                build_normal(g, h, p, stiffness, at, d);
                for (int o = d + 1; o < g->dim; o++) build_shear(g, h, p, stiffness, at, d, o);
            }
        }
}

// Faces that are wet by their area but not by the fractions take part too.
static void mark_wet_faces_row(ViscousProblem* p, int r)
{
    ViscousGrid* g = &p->grid;
    int j = r%g->look.rows_y, k = r/g->look.rows_y;
    for (int d = 0; d < g->dim; d++) {
        if (!faces_exist(p, d, j + p->lo[1], k + p->lo[2])) continue;
        const double* area = p->in.cells->area[d] + window_at(p->in.w, p->lo[0], j + p->lo[1], k + p->lo[2]);
        unsigned char* state = g->state[d] + viscous_at(g, 0, j, k);
        int end = p->in.w->n[0] + (d == 0) - p->lo[0];
        SPAN_LOOP(&g->look, r, q)
            for (int i = g->look.span[q].i0; i < mini(g->look.span[q].i1, end); i++)
                if (state[i] == FACE_IS_DRY && area[i] > 0) state[i] = FACE_IS_FREE;
    }
}

static mn_status take_wall_strains(ViscousProblem* p, Arena* arena)
{
    const ViscousGrid* g = &p->grid;
    if (!p->in.phi_solid || !p->in.solid.velocity || p->in.slip_solids) return MN_OK;
    for (int d = 0; d < g->dim; d++) {
        TRY_MEMORY(p->walls.normal[d] = ARENA_ZERO(arena, double, g->count));
        p->walls.normal[d] += g->origin;
        for (int o = d + 1; o < g->dim; o++) {
            TRY_MEMORY(p->walls.shear[d][o] = ARENA_ZERO(arena, double, g->count));
            p->walls.shear[d][o] += g->origin;
        }
    }
    return MN_OK;
}

// The work of a traction, t.u at the middle of its patch, reads u from the faces around: that is how the force is shared out.
// What would go to faces that are not free goes to the others, so that none is lost.
static void share_traction(ViscousProblem* p, const CutCell* c, const double traction[3])
{
    const ViscousGrid* g = &p->grid;
    const Window* w = p->in.w;
    double scale = p->in.dt/(p->in.rho*window_cell_volume(w));
    for (int d = 0; d < g->dim; d++) {
        int low[3], cell[3] = {c->i - p->lo[0], c->j - p->lo[1], c->k - p->lo[2]};
        double f[3], weight[8], sum = 0;
        for (int o = 0; o < 3; o++) {
            double x = o >= g->dim ? 0 : cell[o] + c->center[o] - (o != d)*0.5;
            low[o] = (int)floor(x), f[o] = x - low[o];
        }
        for (int q = 0; q < 1 << g->dim; q++) {
            int at[3] = {low[0] + (q & 1), low[1] + (q >> 1 & 1), low[2] + (q >> 2)};
            weight[q] = 1;
            for (int o = 0; o < g->dim; o++) weight[q] *= q >> o & 1 ? f[o] : 1 - f[o];
            if (g->state[d][viscous_at(g, at[0], at[1], at[2])] != FACE_IS_FREE) weight[q] = 0;
            sum += weight[q];
        }
        for (int q = 0; q < 1 << g->dim && sum > 0; q++)
            p->force[d][viscous_at(g, low[0] + (q & 1), low[1] + (q >> 1 & 1), low[2] + (q >> 2))] +=
                scale*traction[d]*weight[q]/sum;
    }
}

mn_status viscous_take_forces(ViscousProblem* p, Arena* arena)
{
    for (int d = 0; d < p->grid.dim; d++) {
        if (p->force[d]) continue;
        TRY_MEMORY(p->force[d] = ARENA_ZERO(arena, double, p->grid.count));
        p->force[d] += p->grid.origin;
    }
    return MN_OK;
}

static mn_status take_traction(ViscousProblem* p, Arena* arena)
{
    if (!p->in.traction) return MN_OK;
    TRY(viscous_take_forces(p, arena));
    const CutCells* cells = p->in.cells;
    for (int m = 0; m < cells->count; m++)
        if (cells->cut[m].patch_area > 0) share_traction(p, &cells->cut[m], p->in.traction[m]);
    return MN_OK;
}

mn_status viscous_build(ViscousProblem* p, Arena* arena, const ViscosityInput* in, int levels)
{
    assert(levels >= 1 && in->phi && cutcells_is_valid(in->cells, in->spans, in->w));
    *p = (ViscousProblem){.in = *in, .stiffness = viscous_stiffness(in)};
    int lo[3], hi[3], n[3];
    p->empty = !wet_box(lo, hi, in);
    if (p->empty) return MN_OK;
    place_grid(p, n, lo, hi, levels);
    ViscousGrid* g = &p->grid;
    TRY(viscous_grid_init(g, arena, in->w->dim, n));
    TRY(half_cells_init(&p->half, arena, g->dim, n));
    TRY(look_along_spans(p, arena));
    TRY(take_wall_strains(p, arena));
    half_cells_fill(&p->half, in, p->lo);
    find_known_faces(p);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(&g->look))
    for (int r = 0; r < g->look.rows; r++) {
        build_row(g, &p->half, p, p->stiffness, r);
        mark_wet_faces_row(p, r);
    }
    TRY(viscous_grid_finish(g, arena));
    return take_traction(p, arena);
}

// ---- coarser levels ------------------------------------------------------------------------------------------------------

// A coarse face stands for the fine faces in its plane: fixed if half of them are, free if one is.
static int coarse_state(const ViscousGrid* fine, int d, int i, int j, int k)
{
    int count[4] = {0}, total = 0, deep = fine->dim == 3;
    for (int c = 0; c < 1 << fine->dim; c++) {
        if (c >> d & 1) continue;
        int q[3] = {2*i + (c & 1), 2*j + (c >> 1 & 1), deep ? 2*k + (c >> 2) : 0};
        for (int o = 0; o < fine->dim; o++) q[o] = clampi(q[o], -1, fine->n[o] + 1);
        count[fine->state[d][viscous_at(fine, q[0], q[1], q[2])]]++;
        total++;
    }
    if (2*count[FACE_IS_FIXED] >= total) return FACE_IS_FIXED;
    if (count[FACE_IS_FREE]) return FACE_IS_FREE;
    if (count[FACE_IS_FIXED]) return FACE_IS_FIXED;
    return count[FACE_IS_PAST] ? FACE_IS_PAST : FACE_IS_DRY;
}

mn_status viscous_coarsen(ViscousGrid* coarse, HalfCells* half, Arena* arena, const ViscousGrid* fine, const HalfCells* fine_half,
                          double stiffness)
{
    assert(stiffness > 0 && fine->n[0]%2 == 0 && fine->n[1]%2 == 0);
    int n[3];
    for (int d = 0; d < 3; d++) n[d] = fine->n[d]/2;
    TRY(viscous_grid_init(coarse, arena, fine->dim, n));
    TRY(half_cells_coarsen(half, arena, fine_half));
    TRY(viscous_grid_look_everywhere(coarse, arena));
    int deep = coarse->dim == 3;
    for (int d = 0; d < coarse->dim; d++)
        for (int k = deep ? -1 : 0; k <= (deep ? coarse->n[2] + 1 : 0); k++)
            for (int j = -1; j <= coarse->n[1] + 1; j++)
                for (int i = -1; i <= coarse->n[0] + 1; i++)
                    coarse->state[d][viscous_at(coarse, i, j, k)] = (unsigned char)coarse_state(fine, d, i, j, k);
#pragma omp parallel for schedule(static) if (spans_parallel(&coarse->look))
    for (int r = 0; r < coarse->look.rows; r++) build_row(coarse, half, NULL, stiffness, r);
    return viscous_grid_finish(coarse, arena);
}
