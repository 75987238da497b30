#include "grid/contact.h"

#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"

// What the contact asks for at a place: cosines from low (advancing) to high (receding).
typedef struct Wanted {
    double low, high;
} Wanted;

static double snapped(double cosine) { return fabs(cosine) < 1e-12 ? 0 : clamp(cosine, -1, 1); }  // cos(pi/2) is 6e-17

static Wanted wanted_at(const Contact* c, const Window* w, const double cells[3], const double N[3])
{
    if (!c) return (Wanted){0, 0};
    double x[3], cosine = c->cosine, slack = c->at ? 0 : c->slack;
    if (c->at) {
        window_position(x, w, cells[0], cells[1], cells[2]);
        cosine = c->at(c->user, &slack, x, N);
    }
    return (Wanted){snapped(cosine), slack > 0 ? snapped(cosine + slack) : snapped(cosine)};
}

// Beyond this many cells from the surface phi may be clamped to its band: nothing to continue there.
static const double CONTACT_REACH = 4.5;

bool contact_is_low(double cosine) { return cosine > 0.7072; }

// How far off n.N may be measured on a line at rest, on walls in 2D and else; and the slope along the wall, over the sine of the
// wanted angle, up to which it is believed.
static const double DOUBT = 0.004, DOUBT_ROUGH = 0.015, STEEPEST = 2;

// d phi/dN = cos(theta) holds on the contact line only. At another point of the wall, phi away from the surface, the normal is
// that of a foot further along the surface. In the plane across the line the surface is a circle to second order, of curvature
// k1; its centre lies -R cos(theta) above the wall, and with rho the distance from the centre along the wall
//     phi(t) = sqrt(rho^2 + (t + R cos(theta))^2) - R
// at the height t. rho follows from phi at one height, and then phi below the wall is known (`continued`). With the slope
// cos(theta) everywhere instead, the curvature at the line is wrong by 0.4/R at any resolution.
//
// This finds k1 (per cell) on the liquid's side alone: the turn of the normal between two points of the surface, 2 arm apart,
// around `height` cells above the line. False where there is no surface like that.
static inline bool normal_turn(double* k1, double T[3], double* cosine, const double* phi, const Window* w, const double skin[3],
                               const double N[3], double height, double arm, const int dim)
{
    double x[3] = {0}, g[3], turn = 0, along = 0, across = 0, reach = CONTACT_REACH*w->dx;
    T[2] = 0;
    for (int d = 0; d < dim; d++) x[d] = skin[d] + height*N[d];
    // along the wall to the surface: two steps of Newton's method
    for (int step = 0; step < 3; step++) {
        double f = interpolate_cubic(g, phi, w, dim, x);
        across = vec_dot(g, N);
        for (int d = 0; d < dim; d++) T[d] = g[d] - across*N[d];
        along = vec_norm(T);
        if (!(along > 0.15*w->dx) || !(fabs(f) < reach)) return false;  // almost parallel to the wall: no direction along it
        if (step == 2 && !(fabs(f) < 0.5*w->dx)) return false;          // it does not come as high
        double move = step < 2 ? clamp(f/along, -6, 6) : 0;
        for (int d = 0; d < dim; d++) T[d] /= along, x[d] -= move*T[d];
    }
    double norm = hypot(across, along), tangent[3] = {0};
    for (int d = 0; d < dim; d++) tangent[d] = (along*N[d] - across*T[d])/norm;
    for (int m = -1; m <= 1; m += 2) {
        double y[3] = {0};
        for (int d = 0; d < dim; d++) y[d] = x[d] + arm*m*tangent[d];
        double f = interpolate_cubic(g, phi, w, dim, y), slope = vec_norm(g);
        if (!(fabs(f) < 2*w->dx) || !(slope > 0.3*w->dx)) return false;
        turn += m*vec_dot(g, tangent)/slope;
    }
    *k1 = clamp(0.5*turn/arm, -0.3, 0.3);
    *cosine = clamp(across/norm - *k1*height, -1, 1);  // n.N falls by k1 per cell down to the line: that of a circle
    return true;
}

// Also the direction T along the wall and out of the liquid, and cos(theta) as the surface has it. Taken high enough that the
// cubics read no node past the wall; a cap lower than that is measured lower.
static inline bool is_aligned(const double N[3]) { return max2(fabs(N[0]), max2(fabs(N[1]), fabs(N[2]))) > 0.999; }

typedef enum Sight { NO_LINE, LINE_SEEN_LOW, LINE_SEEN } Sight;

static inline Sight measure_line(double* k1, double T[3], double* cosine, const double* phi, const Window* w,
                                 const double skin[3], const double N[3], const int dim)
{
    bool aligned = is_aligned(N);  // else the cubics reach further down
    if (!aligned && normal_turn(k1, T, cosine, phi, w, skin, N, 3.75, 1.5, dim)) return LINE_SEEN;
    if (normal_turn(k1, T, cosine, phi, w, skin, N, 2.75, aligned ? 1.5 : 0.75, dim)) return aligned ? LINE_SEEN : LINE_SEEN_LOW;
    return normal_turn(k1, T, cosine, phi, w, skin, N, 1.5, 0.75, dim) ? LINE_SEEN_LOW : NO_LINE;
}

static inline double line_curvature(const double* phi, const Window* w, const double skin[3], const double N[3], const int dim)
{
    double k1, T[3], cosine;
    return measure_line(&k1, T, &cosine, phi, w, skin, N, dim) ? k1 : 0;
}

// The slope d phi/dN that turns the surface to the wanted angle on the line; *k1 as above. It is the direction of grad phi that
// makes the angle, n.N = cos(theta), so with the slope S along the wall, which the continuation cannot change, d phi/dN = S
// cot(theta). S is sin(theta) only where the surface has come to its angle: with cos(theta) throughout, a wedge of 33 degrees
// that should have 20 felt a third of the force sigma (cos 20 - cos 33). S is measured from above, where it is smooth: taken from
// the two lowest nodes the line trembled, and stood still at 22 degrees. Where it is within DOUBT of what it should be,
// cos(theta) it is: a line at rest is left alone.
static inline double line_slope(double* k1, double wanted, const double* phi, const Window* w, const double skin[3],
                                const double N[3], const int dim)
{
    double T[3], there;
    Sight sight = measure_line(k1, T, &there, phi, w, skin, N, dim);
    if (sight == NO_LINE) *k1 = 0;
    if (sight != LINE_SEEN || !contact_is_low(wanted)) return wanted;
    double off = there - wanted, doubt = is_aligned(N) && dim == 2 ? DOUBT : DOUBT_ROUGH;
    double sure = wanted + copysign(max2(fabs(off) - doubt, 0), off);
    return wanted*min2(sqrt((1 - sure*sure)/max2(1 - wanted*wanted, 1e-12)), STEEPEST);
}

// phi (m) at the depth s below the wall from phi = f at the height t above it; s, t in cells. (1 + k1 phi)^2 = 1 + k1 B below.
static inline double continued(double f, double t, double s, double k1, double cosine, double dx)
{
    f /= dx;
    double B = f*(2 + k1*f) - (t + s)*(k1*(t - s) + 2*cosine);
    return B/(1 + sqrt(max2(1 + k1*B, 0.05)))*dx;
}

// The cosine for which `continued` goes from f at the height t to f0 on the skin.
static inline double cosine_through(double f0, double f, double t, double k1, double dx)
{
    f0 /= dx, f /= dx;
    return 0.5*((f*(2 + k1*f) - f0*(2 + k1*f0))/t - k1*t);
}

// ---- walls of the tank ---------------------------------------------------------------------------------------------------

// Ghosts of a column of nodes that ends on a wall at `cells`; `in` is the stride into the tank, as is N.
static void fill_column(double* wall, ptrdiff_t in, const double* phi, const Window* w, const double cells[3], const double N[3],
                        int n, const Contact* contact)
{
    double reach = CONTACT_REACH*w->dx, k1 = 0;
    if (!(fabs(wall[0]) < reach)) return;
    Wanted wanted = wanted_at(contact, w, cells, N);
    if (wanted.low == 0 && wanted.high == 0) return;  // as reflected
    double cosine = wanted.low;
    if (n > 7)
        cosine =
            w->dim == 3 ? line_slope(&k1, wanted.low, phi, w, cells, N, 3) : line_slope(&k1, wanted.low, phi, w, cells, N, 2);
    if (wanted.low < wanted.high) cosine = clamp(cosine_through(wall[0], wall[in], 1, k1, w->dx), wanted.low, wanted.high);
    for (int m = 1; m <= GHOST; m++) {
        double image = wall[mini(m, n)*in];
        wall[-m*in] = fabs(image) < reach ? continued(image, m, m, k1, cosine, w->dx) : image;
    }
}

static void contact_axis(double* phi, const Window* w, int axis, const Contact* contact)
{
    int a[3], b[3], n = w->n[axis];
    for (int d = 0; d < 3; d++) {
        bool flat = w->dim == 2 && d == 2;
        a[d] = flat ? 0 : -GHOST;
        b[d] = flat ? 1 : w->n[d] + 1 + GHOST;
    }
    a[axis] = 0, b[axis] = 1;
    Side side[2] = {w->side[2*axis], w->side[2*axis + 1]};
    if (side[0] != SIDE_IS_WALL && side[1] != SIDE_IS_WALL) return;
    ptrdiff_t s = window_stride(w, axis);
#pragma omp parallel for collapse(2) schedule(static) if (w->count > 200000)
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++)
            for (int i = a[0]; i < b[0]; i++)
                for (int high = 0; high < 2; high++) {
                    if (side[high] != SIDE_IS_WALL) continue;
                    double* wall = phi + window_at(w, i, j, k) + (high ? n*s : 0);
                    double cells[3] = {i, j, k}, N[3] = {0, 0, 0};
                    cells[axis] = high ? n : 0;
                    N[axis] = high ? -1 : 1;
                    fill_column(wall, high ? -s : s, phi, w, cells, N, n, contact);
                }
}

void nodes_contact(double* phi, const Window* w, const Contact* contact)
{
    nodes_reflect(phi, w);
    if (contact && (contact->at || contact->slack > 0 || fabs(contact->cosine) >= 1e-12))
        for (int axis = 0; axis < w->dim; axis++) contact_axis(phi, w, axis, contact);
}

// A node on the wall `side` of `axis`.
static double held_value(const double* phi, const double* held, const Window* w, const int node[3], int axis, bool high,
                         const Contact* contact)
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]), in = high ? -window_stride(w, axis) : window_stride(w, axis);
    double reach = CONTACT_REACH*w->dx, cells[3] = {node[0], node[1], node[2]}, N[3] = {0, 0, 0};
    if (!(fabs(held[at]) < reach && fabs(phi[at]) < reach && fabs(phi[at + in]) < reach)) return phi[at];
    N[axis] = high ? -1 : 1;
    Wanted wanted = wanted_at(contact, w, cells, N);
    if (!(wanted.low < wanted.high)) return phi[at];
    double k1 = 0;
    if (w->n[axis] > 7) k1 = w->dim == 3 ? line_curvature(phi, w, cells, N, 3) : line_curvature(phi, w, cells, N, 2);
    double cosine = cosine_through(held[at], phi[at + in], 1, k1, w->dx);
    if (cosine >= wanted.low && cosine <= wanted.high) return held[at];
    return continued(phi[at + in], 1, 0, k1, clamp(cosine, wanted.low, wanted.high), w->dx);
}

mn_status contact_hold(double* phi, Arena* arena, const double* held, const Window* w, const Contact* contact)
{
    if (!contact || (!contact->at && !(contact->slack > 0))) return MN_OK;
    double* old = window_copy(arena, phi, w);
    TRY_MEMORY(old);
    for (int side = 0; side < 2*w->dim; side++) {
        if (w->side[side] != SIDE_IS_WALL) continue;
        int axis = side/2, a[3] = {0, 0, 0}, b[3] = {w->n[0] + 1, w->n[1] + 1, window_node_layers(w)};
        a[axis] = side & 1 ? w->n[axis] : 0, b[axis] = a[axis] + 1;
        for (int k = a[2]; k < b[2]; k++)
            for (int j = a[1]; j < b[1]; j++)
                for (int i = a[0]; i < b[0]; i++)
                    phi[window_at(w, i, j, k)] = held_value(old, held, w, (int[3]){i, j, k}, axis, side & 1, contact);
    }
    nodes_contact(phi, w, contact);
    return MN_OK;
}

// ---- solids --------------------------------------------------------------------------------------------------------------

// Unit normal of a sampled distance at a node.
static void node_normal(double n[3], const double* phi, const Window* w, ptrdiff_t at)
{
    node_gradient(n, phi, w, at);
    double norm = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
}

// A node right under the skin would mirror itself, so it looks FIRST cells out at least.
static const double FIRST = 1;

// The same with hysteresis: the angle is that between the line as it was held and the surface LEVER cells above it, where the
// cubic does not read the nodes that are set here.
static const double LEVER = 1.5;

static inline double value_inside(const double* phi, const double* held, const Window* w, const double N[3], const double skin[3],
                                  double depth, double now, const Contact* contact, const int dim)
{
    double t = max2(depth, FIRST), x[3] = {0};
    for (int d = 0; d < dim; d++) x[d] = skin[d] + t*N[d];
    double f = node_value(phi, w, x);
    if (!(fabs(f) < CONTACT_REACH*w->dx)) return depth > 0 ? f : now;
    Wanted wanted = wanted_at(contact, w, skin, N);
    bool holds = wanted.low < wanted.high;
    if (!holds && !(depth > 0)) return now;
    double k1, cosine = line_slope(&k1, wanted.low, phi, w, skin, N, dim);
    if (holds) {
        double y[3] = {0};
        for (int d = 0; d < dim; d++) y[d] = skin[d] + LEVER*N[d];
        double above = interpolate_cubic(NULL, phi, w, dim, y), on_skin = interpolate_cubic(NULL, held, w, dim, skin);
        cosine = clamp(cosine_through(on_skin, above, LEVER, k1, w->dx), wanted.low, wanted.high);
        if (depth < LEVER) return continued(above, LEVER, depth, k1, cosine, w->dx);
    }
    return continued(interpolate_cubic(NULL, phi, w, dim, x), t, depth, k1, cosine, w->dx);
}

static inline void extend_row(double* out, const double* phi, const double* held, const double* phi_s, const Spans* spans,
                              const Window* w, int r, double depth, bool hold, const Contact* contact, const int dim)
{
    int j = r%spans->rows_y, k = r/spans->rows_y;
    double outside = hold ? w->dx : 0;  // with hysteresis the nodes next to the skin belong to the line, too
    SPAN_LOOP(spans, r, q)
        for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            double inside = -phi_s[at], N[3], skin[3] = {i, j, k};
            if (!(inside > -outside) || inside > depth || (inside <= 0 && !(fabs(phi[at]) < CONTACT_REACH*w->dx))) continue;
            node_normal(N, phi_s, w, at);
            for (int d = 0; d < dim; d++) skin[d] += inside/w->dx*N[d];
            out[at] = value_inside(phi, held, w, N, skin, inside/w->dx, phi[at], contact, dim);
        }
}

mn_status contact_extend(double* phi, Arena* arena, const double* phi_s, const Spans* spans, const Window* w, double depth,
                         const Contact* contact, const double* held)
{
    double* old = window_copy(arena, phi, w);
    TRY_MEMORY(old);
    bool hold = held != NULL;
    if (!held) TRY_MEMORY(held = window_copy(arena, phi, w));
    // the cubics near the skin read some nodes inside: a second pass settles them
    for (int pass = 0; pass < 3; pass++) {
        window_copy_to(old, phi, w);
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++)
            if (w->dim == 3) extend_row(phi, old, held, phi_s, spans, w, r, depth, hold, contact, 3);
            else extend_row(phi, old, held, phi_s, spans, w, r, depth, hold, contact, 2);
        nodes_contact(phi, w, contact);
    }
    return MN_OK;
}

// ---- the angle there is ----------------------------------------------------------------------------------------------------

// Fills a point of the contact line at `line` (cells); false if the surface above it cannot be measured.
static bool measure_point(ContactPoint* out, const double* phi, const Window* w, const double line[3], const double N[3],
                          const Contact* contact)
{
    double k1, T[3], cosine;
    bool found =
        w->dim == 3 ? measure_line(&k1, T, &cosine, phi, w, line, N, 3) : measure_line(&k1, T, &cosine, phi, w, line, N, 2);
    if (!found) return false;
    double sine = sqrt(1 - cosine*cosine);
    window_position(out->x, w, line[0], line[1], line[2]);
    for (int d = 0; d < 3; d++) out->N[d] = N[d], out->n[d] = cosine*N[d] + sine*T[d];
    out->cosine = cosine;
    Wanted wanted = wanted_at(contact, w, line, N);
    out->wanted = clamp(cosine, wanted.low, wanted.high);
    return true;
}

// Mean of the points where the edges of a face across `axis` cross the surface; false if none does.
static bool face_crossing(double line[3], const double* phi, const Window* w, const int node[3], int axis)
{
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

// Contact line in a cell that both the surface and the skin of a solid cross: Newton's method from its centre, along the normal
// of the solid to the skin and along the skin to the surface. It must end in the cell.
static bool cell_crossing(double line[3], double N[3], const double* phi, const double* phi_s, const Window* w, const int cell[3])
{
    int corners = w->dim == 3 ? 8 : 4, wet = 0, open = 0;
    ptrdiff_t at = window_at(w, cell[0], cell[1], cell[2]);
    double g[3] = {0};
    for (int c = 0; c < corners; c++) {
        ptrdiff_t node = at + (c & 1) + (c >> 1 & 1)*w->sy + (c >> 2)*w->sz;
        double n[3];
        wet += phi[node] < 0, open += phi_s[node] >= 0;
        node_normal(n, phi_s, w, node);
        for (int d = 0; d < 3; d++) g[d] += n[d];
    }
    double norm = vec_norm(g);
    if (wet == 0 || wet == corners || open == 0 || open == corners || !(norm > 0)) return false;
    for (int d = 0; d < 3; d++) N[d] = g[d]/norm, line[d] = d < w->dim ? cell[d] + 0.5 : 0;
    for (int step = 0; step < 4; step++) {
        double down = node_value(phi_s, w, line)/w->dx, T[3], n[3];
        for (int d = 0; d < w->dim; d++) line[d] -= down*N[d];
        double f = w->dim == 3 ? interpolate_cubic(n, phi, w, 3, line) : interpolate_cubic(n, phi, w, 2, line),
               across = vec_dot(n, N);
        for (int d = 0; d < 3; d++) T[d] = n[d] - across*N[d];
        double square = vec_dot(T, T);
        if (!(square > 0.01*w->dx*w->dx)) return false;
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

// Points of one row of nodes and the cells and faces they belong to. Counts them when out is NULL.
static int points_row(ContactPoint* out, const LineTask* t, int r)
{
    const Window* w = t->w;
    int j = r%t->spans->rows_y, k = r/t->spans->rows_y, count = 0;
    ContactPoint point;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0; i < t->spans->span[q].i1; i++) {
            int at[3] = {i, j, k}, past = 0;
            if (!(fabs(t->phi[window_at(w, i, j, k)]) < 3*w->dx)) continue;
            double line[3], N[3] = {0};
            for (int d = 0; d < w->dim; d++) past += at[d] == w->n[d];
            for (int d = 0; d < w->dim; d++) {
                bool low = at[d] == 0 && w->side[2*d] == SIDE_IS_WALL,
                     high = at[d] == w->n[d] && w->side[2*d + 1] == SIDE_IS_WALL;
                if ((!low && !high) || past - (at[d] == w->n[d]) > 0 || !face_crossing(line, t->phi, w, at, d)) continue;
                if (t->phi_s && node_value(t->phi_s, w, line) < 0) continue;  // covered by a solid
                for (int e = 0; e < 3; e++) N[e] = e == d ? (low ? 1 : -1) : 0;
                if (!measure_point(&point, t->phi, w, line, N, t->contact)) continue;
                if (out) out[count] = point;
                count++;
            }
            if (!t->phi_s || past > 0 || !cell_crossing(line, N, t->phi, t->phi_s, w, at)) continue;
            if (!measure_point(&point, t->phi, w, line, N, t->contact)) continue;
            if (out) out[count] = point;
            count++;
        }
    return count;
}

mn_status contact_points(ContactPoint** point, int* count, Arena* arena, const double* phi, const double* phi_s,
                         const Spans* spans, const Window* w, const Contact* contact)
{
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
