#include "film/film_piece.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

// Where the third body is as near, between two corners.
static void joint_between(double x[3], const Piece* p, const double* farther, int a, int b)
{
    assert((farther[a] < 0) != (farther[b] < 0));
    double part = farther[a]/(farther[a] - farther[b]);
    for (int d = 0; d < 3; d++) x[d] = p->corner[a].x[d] + part*(p->corner[b].x[d] - p->corner[a].x[d]);
}

static void clip_segment(Piece* p, const double* farther, int third)
{
    if (farther[0] < 0 && farther[1] < 0) p->count = 0;
    if ((farther[0] < 0) == (farther[1] < 0)) return;
    int out = farther[0] < 0 ? 0 : 1;
    double x[3];
    joint_between(x, p, farther, 0, 1);
    for (int d = 0; d < 3; d++) p->corner[out].x[d] = x[d];
    p->corner[out].third = third, p->corner[out].wall = -1;
}

// Around the polygon: of a side that leaves, what comes before the joint; then the joint; of a side that comes back, what
// follows.
static void clip_polygon(Piece* p, const double* farther, int third)
{
    Piece all = *p;
    p->count = 0;
    for (int m = 0; m < all.count; m++) {
        int next = (m + 1)%all.count;
        if (farther[m] > 0) p->corner[p->count++] = all.corner[m];
        if ((farther[m] > 0) == (farther[next] > 0)) continue;
        PieceCorner* c = &p->corner[p->count++];
        *c = all.corner[m];
        joint_between(c->x, &all, farther, m, next);
        if (farther[m] > 0) c->third = third, c->wall = -1;
    }
    assert(p->count <= PIECE_MOST);
}

void film_piece_clip(Piece* p, const double* farther, int third)
{
    assert(p->count > 0 && p->count <= PIECE_MOST && third >= 0);
    if (!p->polygon) clip_segment(p, farther, third);
    // every other corner cut off would be half as many again; a piece of so many corners stays as it is
    else if (3*p->count <= 2*PIECE_MOST) clip_polygon(p, farther, third);
}

double film_piece_area(double center[3], const Piece* p)
{
    assert(p->count >= (p->polygon ? 3 : 2));
    double mean[3] = {0, 0, 0}, sum = 0;
    for (int m = 0; m < p->count; m++)
        for (int d = 0; d < 3; d++) mean[d] += p->corner[m].x[d]/p->count;
    for (int d = 0; d < 3; d++) center[d] = mean[d];
    if (!p->polygon) return hypot(p->corner[1].x[0] - p->corner[0].x[0], p->corner[1].x[1] - p->corner[0].x[1]);
    double moment[3] = {0, 0, 0};
    for (int m = 0; m < p->count; m++) {  // a fan of triangles around the mean
        const double *a = p->corner[m].x, *b = p->corner[(m + 1)%p->count].x;
        double u[3], v[3], s[3];
        vec_sub(u, a, mean), vec_sub(v, b, mean);
        vec_cross(s, u, v);
        double area = 0.5*vec_norm(s);
        sum += area;
        for (int d = 0; d < 3; d++) moment[d] += area*(mean[d] + a[d] + b[d])/3;
    }
    for (int d = 0; d < 3 && sum > 0; d++) center[d] = moment[d]/sum;
    return sum;
}
