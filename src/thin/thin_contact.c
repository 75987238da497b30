#include "thin/thin_contact.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"

// b(d), and its first two derivatives; D = distance.
typedef struct Barrier {
    double value, slope, curvature;
} Barrier;

static Barrier barrier(double d, double D)
{
    assert(d > 0);
    if (d >= D) return (Barrier){0};
    double log_part = log(d/D), off = d - D;
    return (Barrier){-off*off*log_part, -2*off*log_part - off*off/d,
                     -2*log_part - 4*off/d + off*off/(d*d)};
}

static void gather(double* out, const double* x, const int* v, int count)
{
    for (int m = 0; m < count; m++) memcpy(out + 3*m, x + 3*v[m], 3*sizeof *x);
}

// Unit vector of the shortest line, from the second piece to the first.
static void direction(double n[3], const double* w, const double* x, int vertices, double d)
{
    n[0] = n[1] = n[2] = 0;
    for (int v = 0; v < vertices; v++)
        for (int k = 0; k < 3; k++) n[k] += w[v]*x[3*v + k]/d;
}

double contact_barrier(double* gradient, double* stiffness, const ContactPair* p, const double* x, const ContactSettings* c)
{
    int vertices = pair_vertices(p->kind), numbers = 3*vertices;
    double w[4], n[3], d = pair_distance(w, p->kind, x);
    Barrier b = barrier(d, c->distance);
    direction(n, w, x, vertices, d);
    for (int i = 0; i < numbers; i++) {
        double way = w[i/3]*n[i%3];
        if (gradient) gradient[i] = c->stiffness*b.slope*way;
        for (int j = 0; stiffness && j < numbers; j++)
            stiffness[numbers*i + j] = c->stiffness*b.curvature*way*w[j/3]*n[j%3];
    }
    return c->stiffness*b.value;
}

double contact_planes(double* gradient, double* stiffness, const double x[3], const ContactSettings* c)
{
    double sum = 0;
    if (gradient) memset(gradient, 0, 3*sizeof *gradient);
    if (stiffness) memset(stiffness, 0, 9*sizeof *stiffness);
    for (int m = 0; m < c->planes; m++) {
        const ThinPlane* p = &c->plane[m];
        Barrier b = barrier(vec_dot(p->n, x) - p->at, c->distance);
        sum += c->stiffness*b.value;
        for (int i = 0; i < 3; i++) {
            if (gradient) gradient[i] += c->stiffness*b.slope*p->n[i];
            for (int j = 0; stiffness && j < 3; j++) stiffness[3*i + j] += c->stiffness*b.curvature*p->n[i]*p->n[j];
        }
    }
    return sum;
}

// A vertex before planes keeps a tenth of its distance.
static double free_of_planes(const ThinMesh* t, const ContactSettings* s, const double* x, const double* way)
{
    double part = 1;
    for (int v = 0; v < t->vertices; v++)
        for (int m = 0; m < s->planes && t->held[v] != HELD; m++) {
            double d = vec_dot(s->plane[m].n, x + 3*v) - s->plane[m].at, closing = -vec_dot(s->plane[m].n, way + 3*v);
            assert(d > 0);
            if (closing*part > 0.9*d) part = 0.9*d/closing;
        }
    return part;
}

double contact_free_part(const Candidates* c, const ThinMesh* t, const ContactSettings* s, const double* x, const double* way)
{
    double part = free_of_planes(t, s, x, way), at[12], along[12];
    for (int m = 0; m < c->count; m++) {
        const ContactPair* p = &c->pair[m];
        int vertices = pair_vertices(p->kind);
        gather(at, x, p->v, vertices);
        gather(along, way, p->v, vertices);
        for (int k = 0; k < 3*vertices; k++) along[k] *= part;
        part *= pair_free_part(p->kind, at, along);
    }
    return part;
}

double contact_least(const Candidates* c, const ThinMesh* t, const ContactSettings* s, const double* x)
{
    double least = INFINITY, at[12], w[4];
    for (int m = 0; m < c->count; m++) {
        gather(at, x, c->pair[m].v, pair_vertices(c->pair[m].kind));
        least = fmin(least, pair_distance(w, c->pair[m].kind, at));
    }
    for (int v = 0; v < t->vertices; v++)
        for (int m = 0; m < s->planes && t->held[v] != HELD; m++)
            least = fmin(least, vec_dot(s->plane[m].n, x + 3*v) - s->plane[m].at);
    return least;
}

// ---- friction ---------------------------------------------------------------------------------------------------------------

mn_status contact_sliding(Sliding** out, int* count, Arena* arena, const Candidates* c, const ThinMesh* t,
                          const ContactSettings* s, const double* x)
{
    *count = 0;
    TRY_MEMORY(*out = ARENA_NEW(arena, Sliding, c->count + t->vertices*s->planes + 1));
    for (int m = 0; m < c->count && s->friction > 0; m++) {
        const ContactPair* p = &c->pair[m];
        Sliding now = {.vertices = pair_vertices(p->kind)};
        double at[12];
        gather(at, x, p->v, now.vertices);
        double d = pair_distance(now.w, p->kind, at);
        if (d >= s->distance) continue;
        memcpy(now.v, p->v, sizeof now.v);
        direction(now.across, now.w, at, now.vertices, d);
        now.force = -s->stiffness*barrier(d, s->distance).slope;
        (*out)[(*count)++] = now;
    }
    for (int v = 0; v < t->vertices && s->friction > 0; v++)
        for (int m = 0; m < s->planes && t->held[v] != HELD; m++) {
            const ThinPlane* p = &s->plane[m];
            double d = vec_dot(p->n, x + 3*v) - p->at;
            if (d >= s->distance) continue;
            (*out)[(*count)++] = (Sliding){.v = {v},
                                           .vertices = 1,
                                           .w = {1},
                                           .across = {p->n[0], p->n[1], p->n[2]},
                                           .force = -s->stiffness*barrier(d, s->distance).slope};
        }
    return MN_OK;
}

// mu N f(|u|), u the way along the skin: f = |u| beyond e = creep dt, and u^2/e - u^3/(3 e^2) + e/3 below, so that sticking is a
// slow creep and the slope is continuous.
double contact_friction(double* gradient, double* stiffness, const Sliding* s, const double* x0, const double* x,
                        const ContactSettings* c, double dt)
{
    double u[3] = {0, 0, 0}, e = c->creep*dt, size = c->friction*s->force;
    for (int v = 0; v < s->vertices; v++)
        for (int k = 0; k < 3; k++) u[k] += s->w[v]*(x[3*v + k] - x0[3*v + k]);
    double across = vec_dot(u, s->across);
    for (int k = 0; k < 3; k++) u[k] -= across*s->across[k];
    double way = vec_norm(u), per_way = way < e ? 2/e - way/(e*e) : 1/way;
    double curvature = way < e ? 2/e - 2*way/(e*e) : 0;
    int numbers = 3*s->vertices;
    for (int i = 0; i < numbers; i++) {
        if (gradient) gradient[i] = size*s->w[i/3]*per_way*u[i%3];
        for (int j = 0; stiffness && j < numbers; j++) {
            double along = way > 0 ? u[i%3]*u[j%3]/(way*way) : 0,
                   skin = (i%3 == j%3) - s->across[i%3]*s->across[j%3];
            stiffness[numbers*i + j] = size*s->w[i/3]*s->w[j/3]*(curvature*along + per_way*(skin - along));
        }
    }
    return size*(way < e ? way*way/e - way*way*way/(3*e*e) + e/3 : way);
}
