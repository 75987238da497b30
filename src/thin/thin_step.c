#include "thin/thin_step.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

// Newton's method stops when no vertex moves further than this part of the shortest piece, and after so many iterations at last.
static const double CLOSE = 1e-7;
enum { ITERATIONS = 60, HALVINGS = 30 };

struct ThinSolver {
    int unknowns;
    int* unknown;                     // of a coordinate, 3 per vertex; -1: held
    int entries;                      // of all elements' matrices, lower triangles, those of held coordinates left out
    int* slot;                        // of an entry in the matrix; after them those of the diagonal
    Sparse matrix;                    // M + dt^2 H + dt D
    Sparse damping;                   // D, in the same places; value alone is its own
    Factor* factor;                   // NULL before the first step
    double *rhs, *way;                // unknowns
    double *x0, *x, *aim, *gradient;  // 3 per vertex
};

// ---- elements, one after the other ------------------------------------------------------------------------------------------

// Kind by kind in a fixed order: 0 triangles, 1 hinges, 2 segments, 3 bends.
enum { KINDS = 4, MOST_CORNERS = 4 };
static const int CORNERS[KINDS] = {3, 4, 2, 3};

static int elements_of(const ThinMesh* t, int kind)
{
    const int count[KINDS] = {t->triangles, t->hinges, t->segments, t->bends};
    return count[kind];
}

static const int* corners_of(const ThinMesh* t, int kind, int m)
{
    switch (kind) {
    case 0:
        return t->triangle[m].v;
    case 1:
        return t->hinge[m].v;
    case 2:
        return t->segment[m].v;
    default:
        return t->bend[m].v;
    }
}

static double element(double* gradient, double* stiffness, const ThinMesh* t, int kind, int m, const double* x)
{
    double at[3*MOST_CORNERS];
    const int* v = corners_of(t, kind, m);
    for (int c = 0; c < CORNERS[kind]; c++) memcpy(at + 3*c, x + 3*v[c], 3*sizeof *x);
    switch (kind) {
    case 0:
        return thin_triangle(gradient, stiffness, &t->triangle[m], at);
    case 1:
        return thin_hinge(gradient, stiffness, &t->hinge[m], at);
    case 2:
        return thin_segment(gradient, stiffness, &t->segment[m], at);
    default:
        return thin_bend(gradient, stiffness, &t->bend[m], at);
    }
}

// ---- the matrix ---------------------------------------------------------------------------------------------------------------

// Calls the body for every entry of an element's matrix that both coordinates are unknowns of, and once per pair.
#define FOR_ENTRIES(s, v, corners, i, j, row, column)                                                                            \
    for (int i = 0; i < 3*(corners); i++)                                                                                      \
        for (int j = 0, row = (s)->unknown[3*(v)[i/3] + i%3], column; j < 3*(corners); j++)                              \
            if (column = (s)->unknown[3*(v)[j/3] + j%3], row >= 0 && column >= 0 && row >= column)

static int count_entries(const ThinSolver* s, const ThinMesh* t)
{
    int count = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int m = 0; m < elements_of(t, kind); m++) {
            const int* v = corners_of(t, kind, m);
            FOR_ENTRIES(s, v, CORNERS[kind], i, j, row, column) count++;
        }
    return count;
}

static mn_status make_matrix(ThinSolver* s, const ThinMesh* t)
{
    int places = s->entries + s->unknowns, at = 0;
    int(*place)[2] = malloc(sizeof *place*(size_t)places);
    s->slot = malloc(sizeof *s->slot*(size_t)places);
    if (!place || !s->slot) return free(place), mn_fail(MN_NO_MEMORY, "out of memory: %d entries of a matrix", places);
    for (int kind = 0; kind < KINDS; kind++)
        for (int m = 0; m < elements_of(t, kind); m++) {
            const int* v = corners_of(t, kind, m);
            FOR_ENTRIES(s, v, CORNERS[kind], i, j, row, column) place[at][0] = row, place[at++][1] = column;
        }
    for (int k = 0; k < s->unknowns; k++) place[at][0] = place[at][1] = k, at++;
    mn_status status = sparse_init(&s->matrix, s->unknowns, place, places, s->slot);
    free(place);
    if (status != MN_OK) return status;
    s->damping = s->matrix;
    s->damping.value = calloc((size_t)s->matrix.count, sizeof *s->damping.value);
    return s->damping.value ? MN_OK : mn_fail(MN_NO_MEMORY, "out of memory: %d entries of a matrix", s->matrix.count);
}

mn_status thin_solver_new(ThinSolver** out, const ThinMesh* t)
{
    assert(t->vertices > 0 && thin_mesh_is_valid(t));
    *out = NULL;
    ThinSolver* s = calloc(1, sizeof *s);
    size_t n = 3*(size_t)t->vertices;
    double* room = s ? calloc(6*n, sizeof *room) : NULL;
    if (s) s->unknown = malloc(n*sizeof *s->unknown), s->x0 = room;
    if (!room || !s->unknown)
        return thin_solver_free(s), mn_fail(MN_NO_MEMORY, "out of memory: a mesh of %d vertices", t->vertices);
    s->x = room + n, s->aim = room + 2*n, s->gradient = room + 3*n, s->rhs = room + 4*n, s->way = room + 5*n;
    for (size_t m = 0; m < n; m++) s->unknown[m] = t->held[m/3] >> m%3 & 1 ? -1 : s->unknowns++;
    s->entries = count_entries(s, t);
    mn_status status = s->unknowns > 0 ? make_matrix(s, t) : MN_OK;
    if (status != MN_OK) return thin_solver_free(s), status;
    *out = s;
    return MN_OK;
}

void thin_solver_free(ThinSolver* s)
{
    if (!s) return;
    free(s->unknown), free(s->slot), free(s->x0), free(s->damping.value);
    sparse_free(&s->matrix);
    factor_free(s->factor);
    free(s);
}

// value += factor H(x)
static void add_stiffness(double* value, const ThinSolver* s, const ThinMesh* t, const double* x, double factor)
{
    int at = 0;
    double stiffness[9*MOST_CORNERS*MOST_CORNERS];
    for (int kind = 0; kind < KINDS; kind++)
        for (int m = 0; m < elements_of(t, kind); m++) {
            const int *v = corners_of(t, kind, m), n = 3*CORNERS[kind];
            element(NULL, stiffness, t, kind, m, x);
            FOR_ENTRIES(s, v, CORNERS[kind], i, j, row, column) value[s->slot[at++]] += factor*stiffness[n*i + j];
        }
}

static void add_masses(double* value, const ThinSolver* s, const ThinMesh* t, double factor)
{
    for (int m = 0; m < 3*t->vertices; m++)
        if (s->unknown[m] >= 0) value[s->slot[s->entries + s->unknown[m]]] += factor*t->mass[m/3];
}

// ---- what is minimised ------------------------------------------------------------------------------------------------------

typedef struct Task {
    const ThinMesh* mesh;
    ThinSolver* solver;
    double dt;
    bool damped;
} Task;

// dt D (x - x0) over the unknowns goes to s->way, its product with x - x0 is returned.
static double damping_at(const Task* k, const double* x)
{
    ThinSolver* s = k->solver;
    double sum = 0;
    if (!k->damped) return memset(s->way, 0, sizeof *s->way*(size_t)s->unknowns), 0;
    for (int m = 0; m < 3*k->mesh->vertices; m++)
        if (s->unknown[m] >= 0) s->rhs[s->unknown[m]] = x[m] - s->x0[m];
    sparse_multiply(s->way, &s->damping, s->rhs);
    for (int m = 0; m < s->unknowns; m++) sum += k->dt*s->way[m]*s->rhs[m], s->way[m] *= k->dt;
    return sum;
}

static double objective(const Task* k, const double* x)
{
    const ThinMesh* t = k->mesh;
    double sum = 0;
    for (int m = 0; m < 3*t->vertices; m++) {
        double off = x[m] - k->solver->aim[m];
        if (k->solver->unknown[m] >= 0) sum += 0.5*t->mass[m/3]*off*off;
    }
    return sum + 0.5*damping_at(k, x) + k->dt*k->dt*thin_strain_energy(t, x);
}

// Minus the gradient of the objective over the unknowns, in s->rhs; that of the strain energy, all coordinates, in s->gradient.
static void residual(const Task* k, const double* x)
{
    const ThinMesh* t = k->mesh;
    ThinSolver* s = k->solver;
    double g[3*MOST_CORNERS];
    memset(s->gradient, 0, 3*sizeof *s->gradient*(size_t)t->vertices);
    for (int kind = 0; kind < KINDS; kind++)
        for (int m = 0; m < elements_of(t, kind); m++) {
            const int* v = corners_of(t, kind, m);
            element(g, NULL, t, kind, m, x);
            for (int i = 0; i < 3*CORNERS[kind]; i++) s->gradient[3*v[i/3] + i%3] += g[i];
        }
    damping_at(k, x);
    for (int m = 0; m < 3*t->vertices; m++) {
        int u = s->unknown[m];
        if (u >= 0) s->rhs[u] = -t->mass[m/3]*(x[m] - s->aim[m]) - k->dt*k->dt*s->gradient[m] - s->way[u];
    }
}

static mn_status assemble(const Task* k, const double* x)
{
    ThinSolver* s = k->solver;
    memcpy(s->matrix.value, s->damping.value, sizeof *s->matrix.value*(size_t)s->matrix.count);
    for (int m = 0; m < s->matrix.count; m++) s->matrix.value[m] *= k->dt;
    add_masses(s->matrix.value, s, k->mesh, 1);
    add_stiffness(s->matrix.value, s, k->mesh, x, k->dt*k->dt);
    return s->factor ? factor_sparse_again(s->factor, &s->matrix) : factor_of_sparse(&s->factor, &s->matrix);
}

// Neo-Hookean triangles must not collapse on the way: the part of it that leaves each a tenth of what it has.
static double part_without_collapse(const Task* k, const double* x, const double* way)
{
    enum { TRIES = 40 };
    static const double LEAST = 0.1;
    double part = 1, before[9], after[9];
    for (int m = 0; m < k->mesh->triangles; m++) {
        const ThinTriangle* e = &k->mesh->triangle[m];
        if (e->law != THIN_NEO_HOOKEAN) continue;
        for (int c = 0; c < 9; c++) before[c] = x[3*e->v[c/3] + c%3];
        double least = LEAST*thin_triangle_spread(e, before);
        for (int go = 0; go < TRIES; go++, part *= 0.5) {
            for (int c = 0; c < 9; c++) after[c] = before[c] + part*way[3*e->v[c/3] + c%3];
            if (thin_triangle_spread(e, after) > least) break;
        }
    }
    return part;
}

// x goes along s->way (all coordinates) as far as the objective falls by a part of what its slope promises [armijo1966].
static double search(const Task* k, double* x, const double* way, double slope)
{
    static const double ENOUGH = 1e-4;
    ThinSolver* s = k->solver;
    int n = 3*k->mesh->vertices;
    double part = part_without_collapse(k, x, way), before = objective(k, x);
    for (int go = 0; go < HALVINGS; go++, part *= 0.5) {
        for (int m = 0; m < n; m++) s->gradient[m] = x[m] + part*way[m];
        // what rounding makes of a difference of two sums is no rise
        if (objective(k, s->gradient) <= before + ENOUGH*part*slope + 1e-14*fabs(before)) break;
    }
    memcpy(x, s->gradient, sizeof *x*(size_t)n);
    return part;
}

// One iteration; gives the furthest way of a vertex, m.
static mn_status iterate(double* furthest, const Task* k, double* x, double* way)
{
    ThinSolver* s = k->solver;
    double slope = 0;
    TRY(assemble(k, x));
    residual(k, x);
    TRY(factor_solve(s->factor, s->way, s->rhs));
    for (int m = 0; m < s->unknowns; m++) slope -= s->way[m]*s->rhs[m];
    if (!isfinite(slope)) return mn_fail(MN_STEP_FAILED, "the forces in a sheet or rod are not finite");
    *furthest = 0;
    for (int m = 0; m < 3*k->mesh->vertices; m++) {
        way[m] = s->unknown[m] >= 0 ? s->way[s->unknown[m]] : 0;
        *furthest = fmax(*furthest, fabs(way[m]));
    }
    *furthest *= search(k, x, way, slope);
    return MN_OK;
}

// ---- the step ---------------------------------------------------------------------------------------------------------------

// x^, and where the search begins: what is held is where it will be, the rest where it is.
static void begin(const Task* k, const ThinForces* f)
{
    ThinSolver* s = k->solver;
    const ThinMesh* t = k->mesh;
    for (int m = 0; m < 3*t->vertices; m++) {
        double force = f->force ? f->force[m]/t->mass[m/3] : 0;
        s->x0[m] = t->x[m];
        s->aim[m] = t->x[m] + k->dt*t->v[m] + k->dt*k->dt*(f->a[m%3] + force);
        s->x[m] = s->unknown[m] >= 0 ? t->x[m] : t->x[m] + k->dt*t->v[m];
    }
    if (!k->damped) return;
    memset(s->damping.value, 0, sizeof *s->damping.value*(size_t)s->damping.count);
    add_masses(s->damping.value, s, t, f->damp_mass);
    add_stiffness(s->damping.value, s, t, s->x0, f->damp_stiffness);
}

// What holds vertices bears the strain, the weight and the forces on them.
static void add_reactions(double reaction[3], const ThinMesh* t, const ThinSolver* s, const ThinForces* f)
{
    for (int m = 0; m < 3*t->vertices; m++)
        if (s->unknown[m] < 0) reaction[m%3] += t->mass[m/3]*f->a[m%3] + (f->force ? f->force[m] : 0) - s->gradient[m];
}

mn_status thin_step(ThinReport* report, ThinMesh* t, ThinSolver* s, const ThinForces* f, double dt)
{
    assert(dt > 0 && f->damp_mass >= 0 && f->damp_stiffness >= 0);
    Task k = {t, s, dt, f->damp_mass > 0 || f->damp_stiffness > 0};
    double enough = CLOSE*thin_shortest(t), *way = malloc(3*sizeof *way*(size_t)t->vertices);
    if (!way) return mn_fail(MN_NO_MEMORY, "out of memory: a mesh of %d vertices", t->vertices);
    *report = (ThinReport){.converged = s->unknowns == 0};
    begin(&k, f);
    mn_status status = MN_OK;
    while (status == MN_OK && !report->converged && report->iterations < ITERATIONS) {
        status = iterate(&report->way, &k, s->x, way);
        report->iterations++;
        report->converged = report->way <= enough;
    }
    free(way);
    if (status != MN_OK) return status;
    residual(&k, s->x);
    add_reactions(report->reaction, t, s, f);
    for (int m = 0; m < 3*t->vertices; m++) {
        t->v[m] = s->unknown[m] >= 0 ? (s->x[m] - s->x0[m])/dt : t->v[m];
        t->x[m] = s->x[m];
    }
    assert(thin_mesh_is_valid(t));
    return MN_OK;
}
