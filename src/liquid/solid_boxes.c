// Space around solids in boxes, each with the list of those that can be the nearest to some point of it.
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "liquid/solid.h"

// Fewer solids than this are asked one by one as fast.
enum { FEW = 6, MOST_ALONG = 24 };

void ballboxes_free(BallBoxes* b)
{
    free(b->first), free(b->ball);
    *b = (BallBoxes){0};
}

// Boxes about as wide as a ball's radius, around all balls that have an end; false: there are none.
static bool lay_out(BallBoxes* b, const Balls* balls)
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY}, reach = 0;
    int ends = 0;
    for (int d = 0; d < 3; d++) b->low[d] = INFINITY;
    for (int m = 0; m < balls->count; m++) {
        if (!(balls->reach[m] < INFINITY)) continue;
        double x[3] = {balls->x[m], balls->y[m], balls->z[m]};
        for (int d = 0; d < 3; d++) {
            b->low[d] = min2(b->low[d], x[d] - balls->reach[m]);
            high[d] = max2(high[d], x[d] + balls->reach[m]);
        }
        reach += balls->reach[m], ends++;
    }
    if (ends < FEW || !(reach > 0)) return false;
    for (int d = 0; d < 3; d++) {
        b->n[d] = clampi((int)((high[d] - b->low[d])*ends/reach), 1, MOST_ALONG);
        b->wide[d] = (high[d] - b->low[d])/b->n[d];
    }
    return true;
}

static bool keeps_off(const Solids* s, int m) { return s->solid[s->all.of[m]].keeps_off; }

// The balls of a box whose middle is x and whose corners are `half` from it, into `out`. A solid is no nearer to x than its ball
// and no further than the ball's far end; who is further than another of his kind can be anywhere in the box is left out. The
// kinds, wetted or not, are asked for by themselves.
static int list_box(int* out, const Solids* s, const double x[3], double half)
{
    const Balls* balls = &s->all;
    double most[2] = {INFINITY, INFINITY};
    int count = 0;
    for (int m = 0; m < balls->count; m++) {
        double from[3] = {x[0] - balls->x[m], x[1] - balls->y[m], x[2] - balls->z[m]};
        double* least = &most[keeps_off(s, m)];
        *least = min2(*least, vec_norm(from) + balls->reach[m] + half);
    }
    for (int m = 0; m < balls->count; m++) {
        double from[3] = {x[0] - balls->x[m], x[1] - balls->y[m], x[2] - balls->z[m]};
        if (vec_norm(from) - balls->reach[m] - half <= most[keeps_off(s, m)]) out[count++] = m;
    }
    return count;
}

void ballboxes_build(BallBoxes* b, const Solids* s)
{
    b->ready = false;
    if (!lay_out(b, &s->all)) return;
    int boxes = b->n[0]*b->n[1]*b->n[2], count = 0;
    if (boxes > b->boxes) {
        free(b->first);
        b->first = malloc(sizeof *b->first*(size_t)(boxes + 1));
        b->boxes = b->first ? boxes : 0;
        if (!b->first) return;
    }
    double half = 0.5*vec_norm(b->wide)*(1 + 1e-9);
    for (int m = 0; m < boxes; m++) {
        if (count + s->all.count > b->room) {
            int room = 2*(count + s->all.count), *ball = realloc(b->ball, sizeof *ball*(size_t)room);
            if (!ball) return;
            b->ball = ball, b->room = room;
        }
        int at[3] = {m%b->n[0], m/b->n[0]%b->n[1], m/b->n[0]/b->n[1]};
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = b->low[d] + (at[d] + 0.5)*b->wide[d];
        b->first[m] = count, count += list_box(b->ball + count, s, x, half);
    }
    b->first[boxes] = count, b->ready = true;
}

const int* ballboxes_at(int* count, const BallBoxes* b, const double x[3])
{
    int at[3];
    if (!b->ready) return NULL;
    for (int d = 0; d < 3; d++) {
        double cells = (x[d] - b->low[d])/b->wide[d];
        if (!(cells >= 0 && cells < b->n[d])) return NULL;
        at[d] = (int)cells;
    }
    int m = at[0] + b->n[0]*(at[1] + b->n[1]*at[2]);
    *count = b->first[m + 1] - b->first[m];
    return b->ball + b->first[m];
}
