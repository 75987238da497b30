#include "liquid/letting_go.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "liquid/wetting.h"

// Cells. With no gap at all surface and wall would coincide, and rounding would decide which of them a node sees.
static const double GAP = 0.02;
// Errors of the pressure beside a surface are parts of rho g dx.
static const double NOISE = 0.02;

double letting_go_hold(const Liquid* q, const StepContext* ctx)
{
    Wetting wet;
    wetting_of(&wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    double angle = wet.walls.receding > 0 ? fmin(wet.walls.receding, wet.walls.advancing) : wet.walls.advancing;
    double noise = NOISE*q->material.rho*q->w.dx*vec_norm(ctx->acceleration);
    return noise + q->material.sigma*(1 + cos(angle))/q->w.dx;
}

// A face of a wall of the tank: cell (i,j,k) lies inside it.
typedef struct WallFace {
    int cell[3], axis, high;
    ptrdiff_t at, face;  // of the cell and of the face
} WallFace;

typedef void WallVisit(void* user, const WallFace* f);

static void visit_walls(const Window* w, WallVisit* visit, void* user)
{
    for (int side = 0; side < 2*w->dim; side++) {
        if (w->side[side] != SIDE_IS_WALL) continue;
        WallFace f = {.axis = side/2, .high = side & 1};
        int a[3] = {0, 0, 0}, b[3] = {w->n[0], w->n[1], w->n[2]};
        a[f.axis] = f.high ? w->n[f.axis] - 1 : 0, b[f.axis] = a[f.axis] + 1;
        for (f.cell[2] = a[2]; f.cell[2] < b[2]; f.cell[2]++)
            for (f.cell[1] = a[1]; f.cell[1] < b[1]; f.cell[1]++)
                for (f.cell[0] = a[0]; f.cell[0] < b[0]; f.cell[0]++) {
                    f.at = window_at(w, f.cell[0], f.cell[1], f.cell[2]);
                    f.face = f.at + f.high*window_stride(w, f.axis);
                    visit(user, &f);
                }
    }
}

typedef struct Opening {
    const Pressure* p;
    const Liquid* q;
    const unsigned char* before;
    unsigned char* open;
    int count;
} Opening;

// Nodes or cells on the wall within one step of the face along the wall.
static void around(int a[3], int b[3], const Window* w, const WallFace* f, bool nodes)
{
    for (int d = 0; d < 3; d++) {
        bool flat = d == f->axis || (d == 2 && w->dim == 2);
        a[d] = flat ? f->cell[d] : maxi(f->cell[d] - 1, 0);
        b[d] = flat ? f->cell[d] : mini(f->cell[d] + 1 + nodes, w->n[d] - !nodes);
        if (nodes && d == f->axis) a[d] = b[d] = f->cell[d] + f->high;
    }
}

#define FOR_AROUND(a, b)                                                                                                         \
    for (int k = (a)[2]; k <= (b)[2]; k++)                                                                                       \
        for (int j = (a)[1]; j <= (b)[1]; j++)                                                                                   \
            for (int i = (a)[0]; i <= (b)[0]; i++)

// Can air come in between liquid and wall: is there some beside the face, or has the wall beside it opened?
static bool air_comes_in(const Opening* t, const WallFace* f)
{
    const Window* w = &t->q->w;
    int a[3], b[3];
    around(a, b, w, f, true);
    FOR_AROUND(a, b)
    {
        ptrdiff_t at = window_at(w, i, j, k);
        if (t->q->phi.v[at] > 0 && !(liquid_solid(t->q) && t->q->phi_solid.v[at] < 0)) return true;
    }
    around(a, b, w, f, false);
    FOR_AROUND(a, b)
    if (t->before[window_at(w, i, j, k)] & WALL_OPEN(f->axis, f->high)) return true;
    return false;
}

static void open_face(void* user, const WallFace* f)
{
    Opening* t = user;
    if (!pressure_is_unknown(t->p, f->at) || t->before[f->at] & WALL_OPEN(f->axis, f->high)) return;
    if (!(t->q->p.v[f->at] < -t->p->in.held) || !air_comes_in(t, f)) return;
    t->open[f->at] |= WALL_OPEN(f->axis, f->high);
    t->count++;
}

mn_status letting_go_open(int* count, unsigned char* open, Arena* arena, const Pressure* p, const Liquid* q)
{
    const Window* w = &q->w;
    Opening t = {.p = p, .q = q, .open = open};
    unsigned char* before = ARENA_NEW(arena, unsigned char, w->count);
    TRY_MEMORY(before);
    memcpy(before, open - w->origin, w->count);
    t.before = before + w->origin;
    visit_walls(w, open_face, &t);
    *count = t.count;
    return MN_OK;
}

typedef struct HoldBack {
    Liquid* q;
    const Pressure* p;
} HoldBack;

static void hold_back_face(void* user, const WallFace* f)
{
    HoldBack* t = user;
    if (!pressure_is_unknown(t->p, f->at)) return;
    double* u = &t->q->u[f->axis].v[f->face];
    *u = f->high ? fmin(*u, 0) : fmax(*u, 0);
}

void letting_go_hold_back(Liquid* q, const Pressure* p)
{
    HoldBack t = {q, p};
    visit_walls(&q->w, hold_back_face, &t);
    double* u[3];
    for (int d = 0; d < 3; d++) u[d] = q->u[d].v;
    faces_exchange(u, &q->w, EVERY_LAYER);
}

typedef struct Parting {
    Liquid* q;
    const unsigned char* open;
    int count;
} Parting;

static void part_face(void* user, const WallFace* f)
{
    enum { REACH = 4 };  // cells in which phi is told of the new surface; redistancing tells the rest
    Parting* t = user;
    const Window* w = &t->q->w;
    if (!(t->open[f->at] & WALL_OPEN(f->axis, f->high))) return;
    double u = t->q->u[f->axis].v[f->face];
    if (!(f->high ? u < 0 : u > 0)) return;
    t->count++;
    int a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    for (int d = 0; d < w->dim; d++) a[d] = maxi(f->cell[d] - REACH, 0), b[d] = mini(f->cell[d] + 1 + REACH, w->n[d]);
    FOR_AROUND(a, b)
    {
        double away[3] = {0, 0, 0}, x[3] = {i, j, k};
        for (int d = 0; d < w->dim; d++) away[d] = x[d] - clamp(x[d], f->cell[d], f->cell[d] + 1);
        away[f->axis] = x[f->axis] - (f->cell[f->axis] + f->high);
        double* phi = &t->q->phi.v[window_at(w, i, j, k)];
        *phi = fmax(*phi, (GAP - vec_norm(away))*w->dx);
    }
}

int letting_go_part(Liquid* q, const unsigned char* open)
{
    Parting t = {.q = q, .open = open};
    visit_walls(&q->w, part_face, &t);
    return t.count;
}
