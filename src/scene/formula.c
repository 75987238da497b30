#include "scene/formula.h"

#include <math.h>
#include <stdlib.h>
#include "base/budget.h"
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"
#include "grid/levelset.h"

// Cells around the tank that the table covers too, so that a shape goes on past the walls as its formula says.
enum { AROUND = BAND + 3 };
// More nodes than this take more memory than a scene should.
static const double MOST_NODES = 2e8;

struct Formula {
    Window w;
    Field phi;  // m, on nodes
    double shift;
    double low[3], high[3];
};

static Window lattice(const FormulaGrid* g)
{
    Tank tank = {.dim = g->dim, .dx = g->dx, .n = {1, 1, 1}};
    for (int d = 0; d < g->dim; d++) tank.n[d] = g->cells[d] + 2*AROUND;
    for (int s = 0; s < 6; s++) tank.side[s] = SIDE_IS_OPEN;
    return window_whole(&tank);
}

static void node_place(double x[3], const Formula* f, int i, int j, int k)
{
    window_position(x, &f->w, i, j, k);
    for (int d = 0; d < f->w.dim; d++) x[d] -= f->shift;
}

static mn_status sample(Formula* f, FormulaValue value, void* user)
{
    const Window* w = &f->w;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                double x[3];
                node_place(x, f, i, j, k);
                TRY(value(&f->phi.v[window_at(w, i, j, k)], user, x));
                if (i == 0 && budget_is_spent()) return budget_check("a shape by formula");
            }
    return MN_OK;
}

// |grad f| on a node from the steepest of the differences along each axis, so that a node on a crease has a slope too.
static double slope(const Formula* f, const double* value, int i, int j, int k)
{
    const Window* w = &f->w;
    int at[3] = {i, j, k};
    ptrdiff_t here = window_at(w, i, j, k);
    double sum = 0;
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        double up = at[d] < w->n[d] ? fabs(value[here + s] - value[here]) : 0;
        double down = at[d] > 0 ? fabs(value[here] - value[here - s]) : 0;
        double both = at[d] > 0 && at[d] < w->n[d] ? fabs(value[here + s] - value[here - s])/2 : fmax(up, down);
        double steepest = both > 0.5*fmax(up, down) ? both : fmax(up, down);
        sum += steepest*steepest;
    }
    return sqrt(sum)/w->dx;
}

// f/|grad f|: the distance to first order, whatever the units of f; cut off at the band.
static mn_status scale(Formula* f, double band)
{
    const Window* w = &f->w;
    Field scaled;
    TRY(field_init(&scaled, w));
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                double value = f->phi.v[at], steep = slope(f, f->phi.v, i, j, k);
                bool near = fabs(value) < band*steep;
                scaled.v[at] = near ? value/steep : copysign(band, value);
            }
    field_free(&f->phi);
    f->phi = scaled;
    return MN_OK;
}

static mn_status relax(Formula* f, double band)
{
    Arena arena = {0};
    Spans spans;
    nodes_exchange(f->phi.v, &f->w, REDISTANCE_READS);
    mn_status status = spans_build(&spans, &arena, f->phi.v, &f->w, band, 3);
    if (status == MN_OK) status = levelset_redistance(f->phi.v, &arena, &spans, &f->w, band, 4*BAND, false);
    arena_free(&arena);
    return status;
}

static void find_bounds(Formula* f)
{
    const Window* w = &f->w;
    for (int d = 0; d < 3; d++) f->low[d] = INFINITY, f->high[d] = -INFINITY;
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                int at[3] = {i, j, k};
                double x[3];
                if (!(f->phi.v[window_at(w, i, j, k)] < 0)) continue;
                node_place(x, f, i, j, k);
                for (int d = 0; d < w->dim; d++) {
                    // what reaches the end of the table goes on
                    f->low[d] = fmin(f->low[d], at[d] == 0 ? -INFINITY : x[d] - w->dx);
                    f->high[d] = fmax(f->high[d], at[d] == w->n[d] ? INFINITY : x[d] + w->dx);
                }
            }
    if (w->dim == 2 && f->low[0] <= f->high[0]) f->low[2] = f->high[2] = 0;
}

mn_status formula_make(Formula** out, const FormulaGrid* grid, FormulaValue value, void* user)
{
    double nodes = 1, band = BAND*grid->dx;
    for (int d = 0; d < grid->dim; d++) nodes *= grid->cells[d] + 2*AROUND + 1;
    *out = NULL;
    if (nodes > MOST_NODES) return mn_fail(MN_UNSUPPORTED, "a shape by formula would take a table of %.3g numbers", nodes);
    Formula* f = calloc(1, sizeof *f);
    if (!f) return mn_fail(MN_NO_MEMORY, "no memory for a shape by formula");
    f->w = lattice(grid), f->shift = AROUND*grid->dx;
    mn_status status = field_init(&f->phi, &f->w);
    if (status == MN_OK) status = sample(f, value, user);
    if (status == MN_OK) status = scale(f, band);
    if (status == MN_OK) status = relax(f, band);
    if (status == MN_OK) {
        find_bounds(f);
        *out = f;
    } else formula_free(f);
    return status;
}

void formula_free(Formula* f)
{
    if (!f) return;
    field_free(&f->phi);
    free(f);
}

double formula_distance(const Formula* f, const double x[3])
{
    double at[3] = {0, 0, 0};
    for (int d = 0; d < f->w.dim; d++) at[d] = clamp((x[d] + f->shift)/f->w.dx, 0, f->w.n[d] - 1e-9);
    return interpolate_at(f->phi.v, &f->w, at[0], at[1], at[2]);
}

void formula_bounds(double low[3], double high[3], const Formula* f)
{
    for (int d = 0; d < 3; d++) low[d] = f->low[d], high[d] = f->high[d];
}

// ---- polygons --------------------------------------------------------------------------------------------------------------

static double side_distance2(const double a[2], const double b[2], const double x[3])
{
    double along[2] = {b[0] - a[0], b[1] - a[1]}, off[2] = {x[0] - a[0], x[1] - a[1]};
    double t = clamp((off[0]*along[0] + off[1]*along[1])/(along[0]*along[0] + along[1]*along[1]), 0, 1);
    double dx = off[0] - t*along[0], dy = off[1] - t*along[1];
    return dx*dx + dy*dy;
}

double polygon_distance(const double (*point)[2], int count, const double x[3])
{
    double nearest = INFINITY;
    bool inside = false;
    for (int m = 0, before = count - 1; m < count; before = m++) {
        const double *a = point[before], *b = point[m];
        nearest = fmin(nearest, side_distance2(a, b, x));
        // a ray along +x crosses the side if its ends lie on the two sides of the ray, one of them counted with it
        if ((a[1] > x[1]) == (b[1] > x[1])) continue;
        if (x[0] < a[0] + (x[1] - a[1])/(b[1] - a[1])*(b[0] - a[0])) inside = !inside;
    }
    return inside ? -sqrt(nearest) : sqrt(nearest);
}

// Twice the area of a, b, c, > 0 counterclockwise.
static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0])*(c[1] - a[1]) - (b[1] - a[1])*(c[0] - a[0]);
}

static bool between(const double a[2], const double b[2], const double p[2])
{
    return turn(a, b, p) == 0 && fmin(a[0], b[0]) <= p[0] && p[0] <= fmax(a[0], b[0]) && fmin(a[1], b[1]) <= p[1] &&
           p[1] <= fmax(a[1], b[1]);
}

static bool sides_meet(const double a[2], const double b[2], const double c[2], const double d[2])
{
    double ca = turn(c, d, a), cb = turn(c, d, b), ac = turn(a, b, c), ad = turn(a, b, d);
    if (((ca > 0) != (cb > 0)) && ((ac > 0) != (ad > 0)) && ca != 0 && cb != 0 && ac != 0 && ad != 0) return true;
    return between(a, b, c) || between(a, b, d) || between(c, d, a) || between(c, d, b);
}

bool polygon_crosses(int sides[2], const double (*point)[2], int count)
{
    for (int m = 0; m < count; m++)
        for (int k = m + 2; k < count; k++) {
            if (m == 0 && k == count - 1) continue;  // neighbours
            if (!sides_meet(point[m], point[m + 1], point[k], point[(k + 1)%count])) continue;
            sides[0] = m, sides[1] = k;
            return true;
        }
    return false;
}
