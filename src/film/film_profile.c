#include "film/film_profile.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "film/film_valid.h"

// ---- slopes --------------------------------------------------------------------------------------------------------------

// Minimises sum (slope.d - dh)^2 with a little weight on |slope|^2, which settles the direction across the film, where there are
// no neighbours.
typedef struct Squares {
    double matrix[6];  // xx yy zz xy xz yz
    double right[3];
} Squares;

static void add_neighbour(AirFit* fit, Squares* s, const double d[3], double from, double to)
{
    const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int m = 0; m < 6; m++) s->matrix[m] += d[row[m]]*d[column[m]];
    for (int m = 0; m < 3; m++) s->right[m] += d[m]*(to - from);
    fit->low = fmin(fit->low, to), fit->high = fmax(fit->high, to);
}

// The side of the tank that is a mirror and has x on it: its axis and place (m); -1: none.
static int mirror_at(double* plane, const Tank* t, const double x[3])
{
    for (int d = 0; d < t->dim; d++)
        for (int high = 0; high < 2; high++) {
            *plane = high ? t->n[d]*t->dx : 0;
            if (t->side[2*d + high] == SIDE_IS_MIRROR && fabs(x[d] - *plane) < 1e-9*t->dx) return d;
        }
    return -1;
}

// The way to the image of a cell behind the mirror it ends on; false: there is none.
static bool image_across(double across[3], const Film* film, const AirEdge* e)
{
    double plane;
    int axis = e->closed ? mirror_at(&plane, &film->tank, e->x) : -1;
    for (int d = 0; d < 3; d++) across[d] = d == axis ? 2*(plane - film->cell[e->a].x[d]) : 0;
    return axis >= 0;
}

static void solve_squares(double slope[3], const Squares* s, double dx)
{
    double e = 1e-3*dx*dx, xx = s->matrix[0] + e, yy = s->matrix[1] + e, zz = s->matrix[2] + e;
    double xy = s->matrix[3], xz = s->matrix[4], yz = s->matrix[5];
    double cofactor[6] = {yy*zz - yz*yz, xx*zz - xz*xz, xx*yy - xy*xy,
                          xz*yz - xy*zz, xy*yz - xz*yy, xy*xz - yz*xx};
    double det = xx*cofactor[0] + xy*cofactor[3] + xz*cofactor[4];
    const double* r = s->right;
    slope[0] = (cofactor[0]*r[0] + cofactor[3]*r[1] + cofactor[4]*r[2])/det;
    slope[1] = (cofactor[3]*r[0] + cofactor[1]*r[1] + cofactor[5]*r[2])/det;
    slope[2] = (cofactor[4]*r[0] + cofactor[5]*r[1] + cofactor[2]*r[2])/det;
}

// The way from the middle of an edge's first cell to that of its second, m.
static void way_along(double d[3], const Film* film, const AirEdge* e) { vec_sub(d, film->cell[e->b].x, film->cell[e->a].x); }

static void turn(double back[3], const double d[3])
{
    for (int n = 0; n < 3; n++) back[n] = -d[n];
}

// Does the edge join films of different pairs? Thickness does not go on from one to the other.
static bool in_joint(const Film* film, const AirEdge* e)
{
    const int *p = film->cell[e->a].pair, *q = film->cell[e->b].pair;
    return p[0] != q[0] || p[1] != q[1];
}

mn_status film_profile_fit(AirFit** fit, const Film* film, const double* value, Arena* arena)
{
    Squares* squares = ARENA_ZERO(arena, Squares, film->cells);
    AirFit* f = ARENA_ZERO(arena, AirFit, film->cells);
    TRY_MEMORY(squares);
    TRY_MEMORY(f);
    assert(film->cells == 0 || value);
    for (int c = 0; c < film->cells; c++) f[c].low = f[c].high = value[c];
    for (int m = 0; m < film->edges; m++) {
        const AirEdge* e = &film->edge[m];
        double d[3], back[3];
        if (e->b < 0) {
            if (image_across(d, film, e)) add_neighbour(&f[e->a], &squares[e->a], d, value[e->a], value[e->a]);
            continue;
        }
        if (in_joint(film, e)) continue;
        way_along(d, film, e), turn(back, d);
        add_neighbour(&f[e->a], &squares[e->a], d, value[e->a], value[e->b]);
        add_neighbour(&f[e->b], &squares[e->b], back, value[e->b], value[e->a]);
    }
    for (int c = 0; c < film->cells; c++) solve_squares(f[c].slope, &squares[c], film->tank.dx);
    *fit = f;
    return MN_OK;
}

static double linear_cube(const Film* film, const AirEdge* e)
{
    double a = film->cell[e->a].h, b = e->b >= 0 ? film->cell[e->b].h : e->h;
    assert(a > 0 && b > 0);
    return 2*a*a*b*b/(a + b);
}

// On a mirror a cell has a way to its image.
static double linear_way(const Film* film, const AirEdge* e)
{
    double plane;
    if (!e->closed) return e->length*linear_cube(film, e)/e->distance;
    return mirror_at(&plane, &film->tank, e->x) >= 0 ? e->length*pow(film->cell[e->a].h, 3)/(2*e->distance) : 0;
}

// The part of its slope that a cell may keep: half way to its neighbours the film may be half as thick as the thinnest of them
// (between two cells beside the thinnest place of a parabola it is thinner than both), no less.
static double kept(const AirFit* f, double h, const double d[3])
{
    double change = 0.5*vec_dot(f->slope, d), up = f->high - h, down = h - 0.5*f->low;
    return change > up ? up/change : change < -down ? -down/change : 1;
}

// ---- means over cells ----------------------------------------------------------------------------------------------------

// One way out of a cell: to the next one, to its image behind a side of the tank, or to the rim.
typedef struct Way {
    double length, distance;  // m: across it, and to where the film is thicker by `rise`, m
    double rise;
} Way;

static Way way_out(const Film* film, const AirEdge* e, int from)
{
    if (e->b >= 0) return (Way){e->length, e->distance, film->cell[from == e->a ? e->b : e->a].h - film->cell[from].h};
    if (e->closed) return (Way){e->length, 2*e->distance, 0};
    return (Way){e->length, 2*e->distance, 2*(e->h - film->cell[from].h)};
}

// Mean of (h/h(r))^2 over the part of a cell towards a side of it, with h(r) = h + slope r + bend r^2 on the way, r = 0 .. 1, and
// the part as wide as r in 3D.
static double mean_towards(double h, double slope, double bend, int dim)
{
    static const double PLACE[5] = {0.0469100770306680, 0.2307653449471585, 0.5, 0.7692346550528415, 0.9530899229693320};
    static const double WEIGHT[5] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
                                     0.1184634425280945};
    double sum = 0;
    for (int m = 0; m < 5; m++) {
        double r = PLACE[m], there = h + r*(slope + bend*r);
        sum += WEIGHT[m]*(dim == 3 ? 2*r : 1)*h*h/(there*there);
    }
    return sum;
}

// What a cell's thickness does within it: h + slope.x + c x^2. The slopes towards its sides cancel each other, so that c is in
// the mean of what it rises by.
typedef struct Bend {
    double rise, square, weight;  // sums over ways out of length times distance, times rise, distance^2 and 1
    double part;                  // of slopes and c that may be kept
} Bend;

// Least of h + slope r + bend r^2.
static double least_towards(double h, double slope, double bend)
{
    double r = bend > 0 ? clamp(-slope/(2*bend), 0, 1) : slope + bend < 0 ? 1 : 0;
    return h + r*(slope + bend*r);
}

enum { GATHER_BEND, LIMIT_BEND, TAKE_MEAN };

// Where a profile leads to less than half of the thinnest neighbour, as beside rims, it is no profile: the less is made of it the
// more it does.
static void visit_way(AirFit* fit, Bend* b, Way w, double h, int pass, int dim)
{
    double weight = w.length*w.distance, square = w.distance*w.distance;
    if (pass == GATHER_BEND) {
        b->rise += weight*w.rise, b->square += weight*square, b->weight += weight, b->part = 1;
        return;
    }
    double c = b->rise/b->square, slope = 0.5*(w.rise - c*square), bend = 0.25*c*square, room = h - 0.5*fit->low;
    double fall = h - least_towards(h, slope, bend);
    if (pass == LIMIT_BEND) b->part = fall > room ? fmin(b->part, room/fall) : b->part;
    else fit->mean += weight/b->weight*(1 + b->part*(mean_towards(h, b->part*slope, b->part*bend, dim) - 1));
}

static mn_status find_means(AirFit* fit, const Film* film, Arena* arena)
{
    Bend* bend = ARENA_ZERO(arena, Bend, film->cells);
    TRY_MEMORY(bend);
    for (int pass = GATHER_BEND; pass <= TAKE_MEAN; pass++)
        for (int m = 0; m < film->edges; m++) {
            const AirEdge* e = &film->edge[m];
            if (e->b >= 0 && in_joint(film, e)) continue;
            visit_way(&fit[e->a], &bend[e->a], way_out(film, e, e->a), film->cell[e->a].h, pass, film->tank.dim);
            if (e->b >= 0) visit_way(&fit[e->b], &bend[e->b], way_out(film, e, e->b), film->cell[e->b].h, pass, film->tank.dim);
        }
    return MN_OK;
}

mn_status film_profile_thickness(AirFit** fit, const Film* film, Arena* arena)
{
    double *h = ARENA_NEW(arena, double, film->cells), *part = ARENA_NEW(arena, double, film->cells);
    TRY_MEMORY(h);
    TRY_MEMORY(part);
    for (int c = 0; c < film->cells; c++) h[c] = film->cell[c].h, part[c] = 1;
    TRY(film_profile_fit(fit, film, h, arena));
    TRY(find_means(*fit, film, arena));
    for (int m = 0; m < film->edges; m++) {
        const AirEdge* e = &film->edge[m];
        if (e->b < 0 || in_joint(film, e)) continue;
        double d[3], back[3];
        way_along(d, film, e), turn(back, d);
        part[e->a] = fmin(part[e->a], kept(&(*fit)[e->a], h[e->a], d));
        part[e->b] = fmin(part[e->b], kept(&(*fit)[e->b], h[e->b], back));
    }
    for (int c = 0; c < film->cells; c++)
        for (int d = 0; d < 3; d++) (*fit)[c].slope[d] *= part[c];
    for (int m = 0; m < film->edges; m++) {
        const AirEdge* e = &film->edge[m];
        (*fit)[e->a].ways += linear_way(film, e);
        if (e->b >= 0) (*fit)[e->b].ways += linear_way(film, e);
    }
    assert(film_profile_is_valid(*fit, film));
    return MN_OK;
}

// ---- resistance ----------------------------------------------------------------------------------------------------------

// Gauss's rule of three points on intervals that shrink fourfold towards the thin end, where all the resistance is.
double film_profile_resistance(double a, double slope_a, double b, double slope_b)
{
    enum { INTERVALS = 7 };
    static const double PLACE[3] = {0.1127016653792583, 0.5, 0.8872983346207417}, WEIGHT[3] = {5. / 18, 8. / 18, 5. / 18};
    assert(a > 0 && b > 0);
    if (a > b) return film_profile_resistance(b, -slope_b, a, -slope_a);
    double rise = b - a, p = clamp(slope_a, 0, 3*rise), q = clamp(slope_b, 0, 3*rise);  // monotone: [fritsch1980]
    double sum = 0, from = 0, to = ldexp(1, -2*(INTERVALS - 1));
    for (int n = 0; n < INTERVALS; n++, from = to, to *= 4)
        for (int m = 0; m < 3; m++) {
            double s = from + (to - from)*PLACE[m];
            double h = a + s*(p + s*(3*rise - 2*p - q + s*(p + q - 2*rise)));
            sum += (to - from)*WEIGHT[m]/(h*h*h);
        }
    return sum;
}

// Part of the air through an edge that comes through its thin cell: none while that cell has other ways out of a third of this
// one's, and the less the steeper the film rises from it (slope along the way, rise).
static double part_through(const Film* film, const AirFit* fit, const AirEdge* e, double slope, double rise)
{
    int thin = film->cell[e->a].h < film->cell[e->b].h ? e->a : e->b;
    return clamp(4*linear_way(film, e)/fit[thin].ways - 3, 0, 1)*(rise > 0 ? clamp(1 - slope/rise, 0, 1) : 1);
}

// By how much more the means of 1/h^2 over two cells differ than those in their middles. Of cells about as thick as each other
// the quotient tells nothing; next to nothing flows between such cells in a neck, and elsewhere means and middles are as good as
// equal.
static double fall_of_means(double a, double mean_a, double b, double mean_b)
{
    const double alike = 0.05;
    double apart = fabs(b - a)/(a + b);
    if (apart < alike) return 1;
    double quotient = (mean_a/(a*a) - mean_b/(b*b))/(1/(a*a) - 1/(b*b));
    return 1 + fmin(apart/alike - 1, 1)*(clamp(quotient, 0.5, 2) - 1);
}

double film_profile_cube(const Film* film, const AirFit* fit, const AirEdge* e)
{
    double pressed = 1/linear_cube(film, e), way[3];
    if (e->b < 0 || in_joint(film, e)) return 1/pressed;
    double a = film->cell[e->a].h, b = film->cell[e->b].h;
    pressed *= fall_of_means(a, fit[e->a].mean, b, fit[e->b].mean);
    way_along(way, film, e);
    double slope_a = vec_dot(fit[e->a].slope, way), slope_b = vec_dot(fit[e->b].slope, way);
    double through = part_through(film, fit, e, a < b ? slope_a : -slope_b, fabs(b - a));
    return 1/(pressed + through*(film_profile_resistance(a, slope_a, b, slope_b) - pressed));
}
