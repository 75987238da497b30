// Sharp lines of a marched surface: where liquid, air and solid meet, and the edges of shapes whose exact distance is known.
#include "grid/marching_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "grid/interpolate.h"

static bool vertex_at_solid(const March* m, int vertex)
{
    double x[3];
    march_place_in_cells(x, m, vertex);
    if (m->w->dim == 2) x[2] = 0;
    return march_at_solid(m, x);
}

// A node field, in cells, and its gradient at a point in or near a cell: multilinear in it, so that differences across are exact,
// and carried on linearly.
static double value_in_cell(double gradient[3], const March* m, const double* field, const int cell[3], const double x[3])
{
    const double width = 1 - 1e-9;  // off the high side, where interpolation would read a ghost
    double y[3] = {0, 0, 0}, beyond = 0;
    for (int d = 0; d < m->w->dim; d++) y[d] = clamp(x[d], cell[d], cell[d] + width);
    for (int d = 0; d < m->w->dim; d++) {
        double low[3] = {y[0], y[1], y[2]}, high[3] = {y[0], y[1], y[2]};
        low[d] = cell[d], high[d] = cell[d] + width;
        gradient[d] = m->scale*(node_value(field, m->w, high) - node_value(field, m->w, low))/width;
        beyond += gradient[d]*(x[d] - y[d]);
    }
    return m->scale*node_value(field, m->w, y) + beyond;
}

// Moves x (cells) to the nearest point in or just outside the cell where both surfaces meet, phi = solid = 0: Newton's steps of
// least length, x -= J^T (J J^T)^-1 (phi, solid). False where the surfaces are nearly parallel or meet elsewhere.
// n: outward normal of the free surface there.
static bool find_contact_line(double x[3], double n[3], const March* m, const int cell[3])
{
    const int rounds = 5;
    const double least_sine2 = 0.03, near = 0.02, margin = 0.25;
    double p = 1, q = 1;
    for (int r = 0; r <= rounds; r++) {
        double g[3] = {0, 0, 0};
        n[0] = n[1] = n[2] = 0;
        p = value_in_cell(n, m, m->in->phi, cell, x), q = value_in_cell(g, m, m->in->solid, cell, x);
        double pp = vec_dot(n, n), pq = vec_dot(n, g), qq = vec_dot(g, g), det = pp*qq - pq*pq;
        if (!(det > least_sine2*pp*qq)) return false;
        if (r == rounds) break;
        double a = (qq*p - pq*q)/det, b = (pp*q - pq*p)/det;
        for (int d = 0; d < m->w->dim; d++)
            x[d] = clamp(x[d] - a*n[d] - b*g[d], fmax(0, cell[d] - margin), fmin(m->w->n[d], cell[d] + 1 + margin));
    }
    return fabs(p) < near && fabs(q) < near;
}

// Normals of an exact shape that differ by more than 30 degrees belong to different sides of an edge.
static const double least_cosine = 0.866;

bool march_vertices_differ(const March* m, int a, int b)
{
    if (m->in->distance) return vec_dot(m->mesh->normal[a], m->mesh->normal[b]) < least_cosine;
    return vertex_at_solid(m, a) != vertex_at_solid(m, b);
}

bool march_loop_is_mixed(const March* m, const int* loop, int n)
{
    if (!m->in->solid && !m->in->distance) return false;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (march_vertices_differ(m, loop[a], loop[b])) return true;
    return false;
}

// The point x (cells) nearest to the tangent planes at the loop's vertices, sum (n_i.(x - x_i))^2 + pull |x - middle|^2, which is
// on their common edge or corner [kobbelt2001]; the pull decides where along an edge. False if it is not on the shape or far from
// the cell.
static bool find_edge(double x[3], double normal[3], const March* m, const int cell[3], const int* loop, int n)
{
    const double pull = 1e-3, margin = 0.5, near = 0.05;
    double a[3][4] = {{pull, 0, 0, 0}, {0, pull, 0, 0}, {0, 0, pull, 0}};
    normal[0] = normal[1] = normal[2] = 0;
    for (int c = 0; c < n; c++) {
        const double* out = m->mesh->normal[loop[c]];
        double place[3];
        march_place_in_cells(place, m, loop[c]);
        double offset = 0;
        for (int d = 0; d < m->w->dim; d++) offset += out[d]*(place[d] - x[d]);
        for (int d = 0; d < m->w->dim; d++) {
            normal[d] += out[d];
            for (int e = 0; e < m->w->dim; e++) a[d][e] += out[d]*out[e];
            a[d][3] += out[d]*offset;
        }
    }
    for (int p = 0; p < 3; p++)  // positive definite: no pivoting
        for (int r = 0; r < 3; r++)
            for (int c = 3; c >= p && r != p; c--) a[r][c] -= a[r][p]/a[p][p]*a[p][c];
    for (int d = 0; d < m->w->dim; d++) {
        x[d] += a[d][3]/a[d][d];
        if (x[d] < cell[d] - margin || x[d] > cell[d] + 1 + margin || x[d] < 0 || x[d] > m->w->n[d]) return false;
    }
    double position[3];
    window_position(position, m->w, x[0], x[1], x[2]);
    return fabs(m->in->distance(m->in->user, position)) < near*m->w->dx;
}

bool march_find_corner(double x[3], double normal[3], const March* m, const int cell[3], const int* loop, int n)
{
    assert(n >= 2);
    if (m->in->distance) return find_edge(x, normal, m, cell, loop, n);
    return find_contact_line(x, normal, m, cell);
}

void march_keep_crossing(March* m, int corner, int a, int b)
{
    assert(a != b && corner != a && corner != b);
    if (m->crossings == m->crossing_room) {
        int room = maxi(256, 2*m->crossing_room);
        Crossing* more = realloc(m->crossing, sizeof *more*(size_t)room);
        if (!more) {
            m->failed = true;
            return;
        }
        m->crossing = more, m->crossing_room = room;
    }
    m->crossing[m->crossings++] = (Crossing){corner, a, b};
}

static int compare_sides(const void* one, const void* other)
{
    const Crossing *p = one, *q = other;
    int low[2] = {mini(p->a, p->b), mini(q->a, q->b)}, high[2] = {maxi(p->a, p->b), maxi(q->a, q->b)};
    if (low[0] != low[1]) return low[0] < low[1] ? -1 : 1;
    if (high[0] != high[1]) return high[0] < high[1] ? -1 : 1;
    return (p->corner > q->corner) - (p->corner < q->corner);
}

typedef struct Flip {
    Crossing one;
    int other;  // corner on the far side of one.a to one.b
} Flip;

static int compare_flips(const void* one, const void* other)
{
    const Flip *p = one, *q = other;
    int low[2] = {mini(p->one.corner, p->other), mini(q->one.corner, q->other)};
    int high[2] = {maxi(p->one.corner, p->other), maxi(q->one.corner, q->other)};
    if (low[0] != low[1]) return low[0] < low[1] ? -1 : 1;
    if (high[0] != high[1]) return high[0] < high[1] ? -1 : 1;
    return compare_sides(&p->one, &q->one);
}

static void add_crossing(March* m, const Crossing* c) { march_add_surface_face(m, (int[3]){c->corner, c->a, c->b}); }

// Two triangles on both sides of a -> b become two that share the edge along the line, from corner to corner.
static void add_flipped(March* m, const Flip* f)
{
    march_add_surface_face(m, (int[3]){f->one.corner, f->one.a, f->other});
    march_add_surface_face(m, (int[3]){f->one.corner, f->other, f->one.b});
}

// Flips the edges that cross a sharp line as [kobbelt2001] does along sharp features. Where two cells share
// two of them only the plain triangles are left: an edge between the same corners twice would not be a surface.
void march_join_corners(March* m)
{
    Crossing* c = m->crossing;
    if (m->crossings == 0) return;
    qsort(c, (size_t)m->crossings, sizeof *c, compare_sides);
    Flip* flip = malloc(sizeof *flip*(size_t)(m->crossings/2 + 1));
    int flips = 0;
    m->failed = m->failed || !flip;
    for (int i = 0; i < m->crossings && !m->failed; i++) {
        bool pair = i + 1 < m->crossings && c[i].a == c[i + 1].b && c[i].b == c[i + 1].a && c[i].corner != c[i + 1].corner;
        if (pair) flip[flips++] = (Flip){c[i], c[i + 1].corner}, i++;
        else add_crossing(m, &c[i]);
    }
    if (!m->failed) qsort(flip, (size_t)flips, sizeof *flip, compare_flips);
    for (int i = 0; i < flips && !m->failed; i++) {
        const Flip* f = &flip[i];
        bool again = false;
        for (int o = i - 1; o <= i + 1; o += 2)
            again = again || (o >= 0 && o < flips && mini(flip[o].one.corner, flip[o].other) == mini(f->one.corner, f->other) &&
                              maxi(flip[o].one.corner, flip[o].other) == maxi(f->one.corner, f->other));
        if (!again) {
            add_flipped(m, f);
        } else {
            add_crossing(m, &f->one);
            add_crossing(m, &(Crossing){f->other, f->one.b, f->one.a});
        }
    }
    free(flip);
}
