#include "thin/thin_shapes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"

void sheet_shape_free(SheetShape* s)
{
    free(s->x), free(s->triangle);
    *s = (SheetShape){0};
}

// Rows of points along a. Even rows have a point at every step, 0 to n; odd ones lie half a step aside and have one more at each
// end, so that the ends are straight.
typedef struct Rows {
    int n, rows;
} Rows;

static int row_start(const Rows* r, int row) { return row*(r->n + 1) + row/2; }  // odd rows before it have a point more
static int row_points(const Rows* r, int row) { return r->n + 1 + row%2; }

// Along a, 0 to 1.
static double row_place(const Rows* r, int row, int point)
{
    if (row%2 == 0) return (double)point/r->n;
    return clamp((point - 0.5)/r->n, 0, 1);
}

// Between an even row and the odd one beside it: triangles that stand on the even row, and those that hang from the odd one. Odd
// above even they are counterclockwise, else they are turned round.
static void add_band(SheetShape* s, const Rows* r, int even, int odd)
{
    int e = row_start(r, even), o = row_start(r, odd);
    bool up = odd > even;
    for (int m = 0; m < 2*r->n + 1; m++) {
        int k = m/2, *t = s->triangle[s->triangles++];
        if (m%2 == 0) t[0] = e + k, t[1] = o + k + 1, t[2] = o + k;
        else t[0] = e + k, t[1] = e + k + 1, t[2] = o + k + 1;
        if (up) continue;
        int turned = t[1];
        t[1] = t[2], t[2] = turned;
    }
}

mn_status sheet_rectangle(SheetShape* s, const double corner[3], const double a[3], const double b[3], double spacing)
{
    double length = vec_norm(a), width = vec_norm(b);
    assert(length > 0 && width > 0 && spacing > 0);
    assert(fabs(vec_dot(a, b)) <= 1e-9*length*width);
    Rows r = {.n = maxi(1, (int)lround(length/spacing))};
    r.rows = 1 + maxi(1, (int)lround(width/(0.5*sqrt(3)*length/r.n)));
    *s = (SheetShape){.vertices = row_start(&r, r.rows)};
    s->x = malloc(3*sizeof *s->x*(size_t)s->vertices);
    s->triangle = malloc(sizeof *s->triangle*(size_t)((r.rows - 1)*(2*r.n + 1)));
    if (!s->x || !s->triangle) return sheet_shape_free(s), mn_fail(MN_NO_MEMORY, "out of memory: a sheet of %d rows", r.rows);
    for (int row = 0; row < r.rows; row++)
        for (int p = 0; p < row_points(&r, row); p++) {
            double along = row_place(&r, row, p), across = (double)row/(r.rows - 1), *x = s->x + 3*(row_start(&r, row) + p);
            for (int k = 0; k < 3; k++) x[k] = corner[k] + along*a[k] + across*b[k];
        }
    for (int row = 0; row + 1 < r.rows; row++) add_band(s, &r, row%2 == 0 ? row : row + 1, row%2 == 0 ? row + 1 : row);
    return MN_OK;
}
