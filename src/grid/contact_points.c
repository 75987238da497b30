// Where the contact line is, and the angle the surface makes there.
#include <assert.h>
#include <math.h>
#include "grid/contact_line.h"
#include "grid/interpolate.h"

// Fills a point from a line whose skin is on the contact line; false if the surface above it cannot be measured.
static bool measure_point(ContactPoint* out, Line* l, const Contact* contact)
{
    if (line_measure(l) == NO_LINE) return false;
    double cosine = l->cosine, sine = sqrt(1 - cosine*cosine);
    window_position(out->x, l->w, l->skin[0], l->skin[1], l->skin[2]);
    for (int d = 0; d < 3; d++) out->N[d] = l->N[d], out->n[d] = cosine*l->N[d] + sine*l->T[d];
    out->cosine = cosine;
    Wanted wanted = line_wanted(l, contact);
    out->wanted = clamp(cosine, wanted.low, wanted.high);
    return true;
}

// Mean of the points where the edges of a face across `axis` cross the surface; false if none does.
static bool face_crossing(double line[3], const double* phi, const Window* w, const int node[3], int axis)
{
    assert(axis >= 0 && axis < w->dim && (node[axis] == 0 || node[axis] == w->n[axis]));
    int count = 0;
    double sum[3] = {0};
    for (int e = 0; e < w->dim; e++) {
        if (e == axis) continue;
        for (int f = 0; f < w->dim - 1; f++) {
            // 3D: the edge along e at the low and high end of the other direction
            int a[3] = {node[0], node[1], node[2]};
            if (w->dim == 3) a[3 - axis - e] += f;
            else if (f > 0) break;
            ptrdiff_t at = window_at(w, a[0], a[1], a[2]);
            double low = phi[at], high = phi[at + window_stride(w, e)];
            if ((low < 0) == (high < 0)) continue;
            for (int d = 0; d < 3; d++) sum[d] += a[d] + (d == e ? low/(low - high) : 0);
            count++;
        }
    }
    for (int d = 0; d < 3; d++) line[d] = count > 0 ? sum[d]/count : 0;
    return count > 0;
}

// Unit normal N of the solid in a cell that both the surface and the skin cross; false in other cells.
static bool cell_is_crossed(double N[3], const double* phi, const double* phi_s, const Window* w, const int cell[3])
{
    int corners = w->dim == 3 ? 8 : 4, wet = 0, open = 0;
    ptrdiff_t at = window_at(w, cell[0], cell[1], cell[2]);
    double g[3] = {0};
    for (int c = 0; c < corners; c++) {
        ptrdiff_t node = at + window_corner(w, c);
        double n[3];
        wet += phi[node] < 0, open += phi_s[node] >= 0;
        node_normal(n, phi_s, w, node);
        for (int d = 0; d < 3; d++) g[d] += n[d];
    }
    double norm = vec_norm(g);
    for (int d = 0; d < 3; d++) N[d] = g[d]/norm;
    return wet > 0 && wet < corners && open > 0 && open < corners && norm > 0;
}

// Less than this slope along the skin, an angle of 6 degrees, and Newton's method has no direction to go in.
static const double LEAST_SLOPE = 0.1;

// Contact line in such a cell: Newton's method from its centre, along the normal of the solid to the skin and along the skin to
// the surface, at most a cell at a time. It must end in the cell.
static bool cell_crossing(Line* l, const double* phi_s, const int cell[3])
{
    const Window* w = l->w;
    double *line = l->skin, *N = l->N;
    if (!cell_is_crossed(N, l->phi, phi_s, w, cell)) return false;
    for (int d = 0; d < 3; d++) line[d] = d < w->dim ? cell[d] + 0.5 : 0;
    for (int step = 0; step < 4; step++) {
        double down = node_value(phi_s, w, line)/w->dx, T[3], n[3];
        for (int d = 0; d < w->dim; d++) line[d] -= down*N[d];
        double f = w->dim == 3 ? interpolate_cubic(n, l->phi, w, 3, line) : interpolate_cubic(n, l->phi, w, 2, line),
               across = vec_dot(n, N);
        for (int d = 0; d < 3; d++) T[d] = n[d] - across*N[d];
        double square = vec_dot(T, T);
        if (!(square > LEAST_SLOPE*LEAST_SLOPE*w->dx*w->dx)) return false;
        for (int d = 0; d < w->dim; d++) line[d] -= clamp(f/square, -1/w->dx, 1/w->dx)*T[d];
    }
    for (int d = 0; d < w->dim; d++)
        if (!(line[d] >= cell[d] && line[d] < cell[d] + 1)) return false;
    return true;
}

typedef struct LineTask {
    const double *phi, *phi_s;
    const Spans* spans;
    const Window* w;
    const Contact* contact;
} LineTask;

// Points on the wall faces whose low corner a node is; `past`: along how many axes the node has no cell.
static int points_on_walls(ContactPoint* out, const LineTask* t, const int at[3], int past)
{
    const Window* w = t->w;
    int count = 0;
    for (int d = 0; d < w->dim; d++) {
        Line l = {.phi = t->phi, .w = w, .wall = 1 + d};
        bool low = at[d] == 0 && w->side[2*d] == SIDE_IS_WALL, high = at[d] == w->n[d] && w->side[2*d + 1] == SIDE_IS_WALL;
        if ((!low && !high) || past - (at[d] == w->n[d]) > 0 || !face_crossing(l.skin, t->phi, w, at, d)) continue;
        if (t->phi_s && node_value(t->phi_s, w, l.skin) < 0) continue;  // covered by a solid
        l.N[d] = low ? 1 : -1;
        count += measure_point(&out[count], &l, t->contact);
    }
    return count;
}

// The surface crosses a face or a cell only if it is within a diagonal, sqrt(3) cells, of its low corner; level sets that are not
// quite distances have room up to this many cells.
static const double CROSSED = 3;

// Points of one row of nodes and the cells and faces they belong to. Counts them when out is NULL.
static int points_row(ContactPoint* out, const LineTask* t, int r)
{
    const Window* w = t->w;
    int j = r%t->spans->rows_y, k = r/t->spans->rows_y, count = 0;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0; i < t->spans->span[q].i1; i++) {
            int at[3] = {i, j, k}, past = 0, found = 0;
            if (!(fabs(t->phi[window_at(w, i, j, k)]) < CROSSED*w->dx)) continue;
            for (int d = 0; d < w->dim; d++) past += at[d] == w->n[d];
            ContactPoint point[4];
            found = points_on_walls(point, t, at, past);
            Line l = {.phi = t->phi, .w = w};
            if (t->phi_s && past == 0 && cell_crossing(&l, t->phi_s, at)) found += measure_point(&point[found], &l, t->contact);
            for (int m = 0; out && m < found; m++) out[count + m] = point[m];
            count += found;
        }
    return count;
}

mn_status contact_points(ContactPoint** point, int* count, Arena* arena, const double* phi, const double* phi_s,
                         const Spans* spans, const Window* w, const Contact* contact)
{
    assert(phi && spans->rows_y == w->n[1] + 1);
    LineTask t = {phi, phi_s, spans, w, contact};
    int* first = ARENA_NEW(arena, int, spans->rows + 1);
    TRY_MEMORY(first);
    first[0] = 0;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) first[r + 1] = points_row(NULL, &t, r);
    for (int r = 0; r < spans->rows; r++) first[r + 1] += first[r];
    *count = first[spans->rows];
    TRY_MEMORY(*point = ARENA_NEW(arena, ContactPoint, *count + 1));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) points_row(*point + first[r], &t, r);
    return MN_OK;
}

double contact_line_length(const ContactPoint* p, const Window* w)
{
    double e[3], size;
    if (w->dim == 2) return 1;
    vec_cross(e, p->n, p->N);
    size = vec_norm(e);
    return w->dx*size/fmax(fabs(e[0]) + fabs(e[1]) + fabs(e[2]), size);
}
