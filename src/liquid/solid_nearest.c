// Which solid is nearest: the ball around each tells how near it can be at most, so that of many solids few are asked.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "liquid/solid.h"

// Balls are that much larger than they need be, so that rounding leaves no solid out.
static const double ROOM = 1 + 1e-9;

static void add_ball(Balls* b, const Solid* s, int m)
{
    int n = b->count++;
    b->of[n] = m;
    b->x[n] = s->pose.position[0] + s->pivot[0];
    b->y[n] = s->pose.position[1] + s->pivot[1];
    b->z[n] = s->pose.position[2] + s->pivot[2];
    b->reach[n] = s->reach > 0 ? ROOM*s->reach : INFINITY;
}

// Room for `count` balls behind `block`; returns what is behind them.
static double* take_balls(Balls* b, double* block, int count)
{
    *b = (Balls){.x = block, .y = block + count, .z = block + 2*count, .reach = block + 3*count};
    b->of = (int*)(block + 4*count);
    return block + 5*count;
}

void solids_moved(Solids* s)
{
    s->moves++;
    if (s->count == 0) return;
    if (s->all.count != s->count) {
        free(s->ball_block);
        s->ball_block = malloc(sizeof(double)*15*(size_t)s->count);
    }
    s->all = s->wet_movers = s->wet_still = (Balls){0}, s->boxes.ready = false;
    if (!s->ball_block) return;  // then every solid is asked
    double* block = take_balls(&s->all, s->ball_block, s->count);
    block = take_balls(&s->wet_movers, block, s->count);
    take_balls(&s->wet_still, block, s->count);
    for (int m = 0; m < s->count; m++) {
        const Solid* own = &s->solid[m];
        add_ball(&s->all, own, m);
        if (!own->keeps_off) add_ball(own->moving ? &s->wet_movers : &s->wet_still, own, m);
    }
    ballboxes_build(&s->boxes, s);
}

bool solids_balls_agree(const Solids* s)
{
    for (int n = 0; n < s->all.count; n++) {
        const Solid* own = &s->solid[s->all.of[n]];
        if (s->all.x[n] != own->pose.position[0] + own->pivot[0] || s->all.y[n] != own->pose.position[1] + own->pivot[1] ||
            s->all.z[n] != own->pose.position[2] + own->pivot[2])
            return false;
    }
    return s->all.count == 0 || s->all.count == s->count;
}

// Balls looked at in one go.
enum { SOME = 64 };

// How near to x, at most, the balls from first on are, less `half`, m; returns which of them is the nearest.
static int ball_gaps(double gap[SOME], const Balls* b, int first, int count, const double x[3], double half)
{
    // pointers by themselves, or the compiler takes `gap` for one of them and loads them number by number
    const double *bx = b->x + first, *by = b->y + first, *bz = b->z + first, *reach = b->reach + first;
    double least = INFINITY;
    int nearest = 0;
#pragma omp simd reduction(min : least)
    for (int n = 0; n < count; n++) {
        double dx = x[0] - bx[n], dy = x[1] - by[n], dz = x[2] - bz[n];
        double here = sqrt(dx*dx + dy*dy + dz*dz) - reach[n] - half;
        gap[n] = here, least = here < least ? here : least;
    }
    while (nearest < count - 1 && gap[nearest] != least) nearest++;
    return nearest;
}

typedef enum SolidsAsked { ALL_SOLIDS, WETTED, KEEPING_OFF } SolidsAsked;

static bool is_asked(const Solid* s, SolidsAsked asked) { return asked == ALL_SOLIDS || s->keeps_off == (asked == KEEPING_OFF); }

// Of solids at the same distance the first is the nearest.
static void ask(double* nearest, int* which, const Solids* s, int m, const double x[3], SolidsAsked asked)
{
    if (!is_asked(&s->solid[m], asked)) return;
    double distance = solid_distance_to(&s->solid[m], x);
    if (!(distance < *nearest || (distance == *nearest && *which > m))) return;
    *nearest = distance, *which = m;
}

// Of some of the balls, by their numbers: the one whose ball is nearest first, as above.
static void ask_some(double* nearest, int* found, const Solids* s, const int* ball, int count, const double x[3],
                     SolidsAsked asked)
{
    assert(count > 0 && count <= SOME);
    double gap[SOME], least = INFINITY;
    int first = 0;
    for (int n = 0; n < count; n++) {
        double from[3] = {x[0] - s->all.x[ball[n]], x[1] - s->all.y[ball[n]], x[2] - s->all.z[ball[n]]};
        gap[n] = vec_norm(from) - s->all.reach[ball[n]];
        if (gap[n] < least) least = gap[n], first = n;
    }
    if (least > *nearest) return;
    ask(nearest, found, s, s->all.of[ball[first]], x, asked);
    for (int n = 0; n < count; n++)
        if (n != first && gap[n] <= *nearest) ask(nearest, found, s, s->all.of[ball[n]], x, asked);
}

static double nearest_of(const Solids* s, const double x[3], SolidsAsked asked, double within, int* which)
{
    assert(solids_balls_agree(s));
    double nearest = within, gap[SOME];
    int found = -1, some;
    const int* ball = ballboxes_at(&some, &s->boxes, x);
    if (ball && some <= SOME) {
        ask_some(&nearest, &found, s, ball, some, x, asked);
        if (found >= 0 && which) *which = found;
        return found < 0 ? INFINITY : nearest;
    }
    if (s->all.count == 0)
        for (int m = 0; m < s->count; m++) ask(&nearest, &found, s, m, x, asked);
    for (int from = 0; from < s->all.count; from += SOME) {
        int count = mini(s->all.count - from, SOME), first = ball_gaps(gap, &s->all, from, count, x, 0);
        if (gap[first] > nearest) continue;
        ask(&nearest, &found, s, s->all.of[from + first], x, asked);
        for (int n = 0; n < count; n++)
            if (n != first && gap[n] <= nearest) ask(&nearest, &found, s, s->all.of[from + n], x, asked);
    }
    if (found < 0) return INFINITY;
    if (which) *which = found;
    return nearest;
}

double solids_distance_within(const Solids* s, const double x[3], double within, int* which)
{
    return nearest_of(s, x, ALL_SOLIDS, within, which);
}

double solids_distance(const Solids* s, const double x[3], int* which) { return nearest_of(s, x, ALL_SOLIDS, INFINITY, which); }

double solids_wetted_distance(const Solids* s, const double x[3], int* which)
{
    return nearest_of(s, x, WETTED, INFINITY, which);
}

double solids_kept_off(const Solids* s, const double x[3], int* which) { return nearest_of(s, x, KEEPING_OFF, INFINITY, which); }

int solids_within(int* out, const Solids* s, const double x[3], double within)
{
    assert(solids_balls_agree(s));
    int found = 0;
    double gap[SOME];
    if (s->all.count == 0)
        for (int m = 0; m < s->count; m++)
            if (!s->solid[m].keeps_off) out[found++] = m;
    for (int from = 0; from < s->all.count; from += SOME) {
        int count = mini(s->all.count - from, SOME);
        ball_gaps(gap, &s->all, from, count, x, 0);
        for (int n = 0; n < count; n++)
            if (gap[n] < within && is_asked(&s->solid[s->all.of[from + n]], WETTED)) out[found++] = s->all.of[from + n];
    }
    return found;
}

double solids_room_beside(const Solids* s, int axis, double at)
{
    double room = s->all.count == s->count ? INFINITY : -INFINITY;
    const double* middle = axis == 0 ? s->all.x : axis == 1 ? s->all.y : s->all.z;
    for (int n = 0; n < s->all.count; n++) room = min2(room, fabs(middle[n] - at) - s->all.reach[n]);
    return room;
}

// ---- on the nodes ------------------------------------------------------------------------------------------------------------

// The nearest of those that move, or stand still, and of what is `nearest` already.
static double distance_to(const Solids* s, const double x[3], bool moving, double nearest)
{
    for (int m = 0; m < s->count; m++)
        if (s->solid[m].moving == moving && !s->solid[m].keeps_off) nearest = min2(nearest, solid_distance_to(&s->solid[m], x));
    return nearest;
}

// Nodes of a row that look for solids together.
enum { TOGETHER = 8 };

typedef struct Nodes {
    double x[TOGETHER][3], distance[TOGETHER];
    int count;
} Nodes;

// Those of the nodes that ball b of a solid can be nearer to than what they have.
static double ask_nodes(Nodes* nodes, const Solid* s, const Balls* balls, int b)
{
    double furthest = -INFINITY, middle[3] = {balls->x[b], balls->y[b], balls->z[b]};
    for (int n = 0; n < nodes->count; n++) {
        double away[3], most = nodes->distance[n] + balls->reach[b];
        vec_sub(away, nodes->x[n], middle);
        if (most >= 0 && vec_dot(away, away) <= most*most)
            nodes->distance[n] = min2(nodes->distance[n], solid_distance_to(s, nodes->x[n]));
        furthest = max2(furthest, nodes->distance[n]);
    }
    return furthest;
}

// Solids come into the distances of some nodes next to each other: the nearest first, and then those that can be nearer to one of
// the nodes than that.
static void nodes_meet(Nodes* nodes, const Solids* s, const Balls* balls, bool moving)
{
    if (s->all.count == 0) {
        for (int n = 0; n < nodes->count; n++) nodes->distance[n] = distance_to(s, nodes->x[n], moving, nodes->distance[n]);
        return;
    }
    const double *low = nodes->x[0], *high = nodes->x[nodes->count - 1];
    double gap[SOME], middle[3] = {0.5*(low[0] + high[0]), low[1], low[2]}, half = 0.5*(high[0] - low[0]),
                      furthest = -INFINITY;
    for (int n = 0; n < nodes->count; n++) furthest = max2(furthest, nodes->distance[n]);
    for (int from = 0; from < balls->count; from += SOME) {
        int count = mini(balls->count - from, SOME), first = ball_gaps(gap, balls, from, count, middle, half);
        if (gap[first] > furthest) continue;
        furthest = ask_nodes(nodes, &s->solid[balls->of[from + first]], balls, from + first);
        for (int n = 0; n < count; n++)
            if (n != first && gap[n] <= furthest) furthest = ask_nodes(nodes, &s->solid[balls->of[from + n]], balls, from + n);
    }
}

static void sample_nodes(double* phi_s, double* still, const Solids* s, const Window* w, int i, int j, int k, int count)
{
    Nodes nodes = {.count = count};
    bool known = true;
    still += window_at(w, i, j, k), phi_s += window_at(w, i, j, k);
    for (int n = 0; n < count; n++) {
        window_position(nodes.x[n], w, i + n, j, k);
        nodes.distance[n] = INFINITY, known = known && still[n] != 0;
    }
    if (!known) {
        nodes_meet(&nodes, s, &s->wet_still, false);
        for (int n = 0; n < count; n++) still[n] = nodes.distance[n];
    }
    for (int n = 0; n < count; n++) nodes.distance[n] = still[n];
    if (s->any_moving) nodes_meet(&nodes, s, &s->wet_movers, true);
    for (int n = 0; n < count; n++) phi_s[n] = nodes.distance[n];
}

static void sample_row(double* phi_s, double* still, const double* before, const Solids* s, const Window* w, int i0, int i1,
                       int j, int k)
{
    ptrdiff_t row = window_at(w, 0, j, k);
    for (int i = i0; i < i1;) {
        if (before && before[row + i] != 0) {
            phi_s[row + i] = before[row + i], i++;
            continue;
        }
        int count = 1;
        while (count < TOGETHER && i + count < i1 && !(before && before[row + i + count] != 0)) count++;
        sample_nodes(phi_s, still, s, w, i, j, k, count);
        i += count;
    }
}

void solids_sample(double* phi_s, double* still, const double* before, const Solids* s, const Spans* spans, const Window* w)
{
    assert(still != phi_s && before != phi_s && solids_balls_agree(s) && spans_is_valid(spans, w));
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) {
        int j = r%spans->rows_y, k = r/spans->rows_y;
        SPAN_LOOP(spans, r, q) sample_row(phi_s, still, before, s, w, spans->span[q].i0, spans->span[q].i1, j, k);
    }
}
