#include "membrane/wall_lanes.h"

#include <math.h>
#include "base/vec.h"
#include "membrane/boundary.h"
#include "membrane/clip.h"

// A low side and its lines: wall across `wall`, rows on it along `row`, side by side along `line`, which is also the direction of
// the edge of the tank that the rows begin on. In 2D the tank itself is the low side across z of a tank of one layer.
typedef struct WallAxes {
    int wall, row, line;
} WallAxes;

// e_a x e_b = +- the third axis.
static int turn(int a, int b) { return (b - a + 3)%3 == 1 ? 1 : -1; }

static void in_cells(double out[3], const double x[3], const Window* w)
{
    for (int d = 0; d < 3; d++) out[d] = d < w->dim ? x[d]/w->dx - w->lo[d] : 0;
}

// On a low side of the window that is one of the tank. Vertices on walls keep their coordinate to the last bit.
static bool is_on_low_side(const MembraneMesh* m, int vertex, const Window* w, int axis)
{
    return side_is_closed(w->side[2*axis]) && m->flag[vertex] >> axis & 1 && m->x[3*vertex + axis] == m->low[axis];
}

static bool is_on_wall(const MembraneMesh* m, const int edge[2], const Window* w, int axis)
{
    return is_on_low_side(m, edge[0], w, axis) && is_on_low_side(m, edge[1], w, axis);
}

// Per cell of a line: what ends there takes off the length that is wet beyond, and off that within the cell.
typedef struct LineSums {
    double *area, *length;
} LineSums;

static void add_end(LineSums* s, const Window* w, int line, double place, double normal)
{
    int cell = clampi((int)floor(place), 0, w->n[line] - 1);
    s->area[cell] += normal;
    s->length[cell] -= normal*(cell + 1 - place);
}

// The wet lengths of the cells along the tank's edge where the sides across `wall` and `row` meet, in cells. Lines on the wall
// run with the liquid to their right, seen from outside: where one ends on the side across `row`, the air is along n_wall x
// n_row.
static mn_status wet_edge(double* wet, const WallAxes* a, const SurfaceBoundary* lines, const MembraneMesh* m, const Window* w,
                          Arena* arena)
{
    LineSums s = {ARENA_ZERO(arena, double, w->n[a->line]), ARENA_ZERO(arena, double, w->n[a->line])};
    TRY_MEMORY(s.area && s.length);
    for (int q = 0; q < lines->count; q++)
        for (int end = 0; end < 2; end++) {
            if ((w->dim == 3 && !is_on_wall(m, lines->edge[q], w, a->wall)) || !is_on_low_side(m, lines->edge[q][end], w, a->row))
                continue;
            double place[3];
            in_cells(place, m->x + 3*lines->edge[q][end], w);
            add_end(&s, w, a->line, place[a->line], (end == 1 ? 1 : -1)*turn(a->wall, a->row));
        }
    double now = m->corner_is_wet ? 1 : 0;
    for (int k = 0; k < w->n[a->line]; k++) {
        wet[k] = now + s.length[k];
        now -= s.area[k];
    }
    return MN_OK;
}

// ---- 3D: rows on a wall --------------------------------------------------------------------------------------------------

typedef struct WallSums {
    const WallAxes* a;
    const Window* w;
    double normal;          // along the rows, of the line at hand, in cells
    double *area, *wetted;  // per face of the wall, [row index + n_row line index]
} WallSums;

static void add_line(void* user, const int cell[3], double share, const double center[3])
{
    WallSums* s = user;
    int at = cell[s->a->row] + s->w->n[s->a->row]*cell[s->a->line];
    s->area[at] += share*s->normal;
    s->wetted[at] -= share*s->normal*(cell[s->a->row] + 1 - center[s->a->row]);
}

// In the plane of the wall, with its normal n_w out of the tank, a line a -> b has the normal (a - b) x n_w out of the liquid.
static double normal_along_row(const double a[3], const double b[3], const WallAxes* axes)
{
    double back[3], out[3], normal[3] = {0};
    normal[axes->wall] = -1;
    vec_sub(back, a, b);
    vec_cross(out, back, normal);
    return out[axes->row];
}

static mn_status wet_wall(double* start, const WallAxes* a, const SurfaceBoundary* lines, const MembraneMesh* m, const Window* w,
                          Arena* arena)
{
    int rows = w->n[a->line], length = w->n[a->row];
    double* wet = ARENA_NEW(arena, double, rows);
    WallSums s = {
        .a = a, .w = w, .area = ARENA_ZERO(arena, double, rows* length), .wetted = ARENA_ZERO(arena, double, rows* length)};
    TRY_MEMORY(wet && s.area && s.wetted);
    TRY(wet_edge(wet, a, lines, m, w, arena));
    for (int q = 0; q < lines->count; q++) {
        if (!is_on_wall(m, lines->edge[q], w, a->wall)) continue;
        double from[3], to[3];
        in_cells(from, m->x + 3*lines->edge[q][0], w), in_cells(to, m->x + 3*lines->edge[q][1], w);
        s.normal = normal_along_row(from, to, a);
        clip_line(from, to, w, add_line, &s);
    }
    // the rows run along the lower of the two axes of the wall: start is [row index + n_row line index], as the sums are
    for (int line = 0; line < rows; line++) {
        double now = wet[line];
        for (int k = 0; k < length; k++) {
            int at = k + length*line;
            start[at] = now + s.wetted[at];
            now -= s.area[at];
        }
    }
    return MN_OK;
}

mn_status wall_starts(WallStarts* s, const MembraneMesh* m, const Window* w, Arena* arena)
{
    SurfaceBoundary lines;
    TRY(boundary_find(&lines, m, arena));
    for (int d = 0; d < w->dim; d++) {
        int row = d == 0 ? 1 : 0, line = d == 2 ? 1 : 2;
        TRY_MEMORY(s->start[d] = ARENA_ZERO(arena, double, w->n[row]*w->n[line]));
        // in 2D the points in which the surface ends on the side across d lie along the other axis
        WallAxes a = w->dim == 2 ? (WallAxes){.wall = 2, .row = d, .line = row} : (WallAxes){.wall = d, .row = row, .line = line};
        if (w->dim == 2) TRY(wet_edge(s->start[d], &a, &lines, m, w, arena));
        else TRY(wet_wall(s->start[d], &a, &lines, m, w, arena));
    }
    return MN_OK;
}
