#include "thin/thin_step.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "thin/thin_matrix.h"

// Newton's method stops when no vertex moves further than this part of the shortest piece, and after so many iterations at last.
static const double CLOSE = 1e-7;
enum { ITERATIONS = 60, HALVINGS = 30 };

struct ThinSolver {
    ThinMatrix matrix;
    double* damping;  // D, in places of matrix.own
    ContactSkin skin;
    double *rhs, *answer;                           // unknowns
    double *x0, *x, *trial, *aim, *gradient, *way;  // 3 per vertex
    Arena arena, start;                             // of an iteration; of the step
};

void thin_solver_free(ThinSolver* s)
{
    if (!s) return;
    thin_matrix_free(&s->matrix);
    contact_skin_free(&s->skin);
    arena_free(&s->arena), arena_free(&s->start);
    free(s->x0), free(s->damping);
    free(s);
}

mn_status thin_solver_new(ThinSolver** out, const ThinMesh* t)
{
    assert(t->vertices > 0 && thin_mesh_is_valid(t));
    *out = NULL;
    ThinSolver* s = calloc(1, sizeof *s);
    size_t n = 3*(size_t)t->vertices;
    if (!s) return mn_fail(MN_NO_MEMORY, "out of memory: a mesh of %d vertices", t->vertices);
    mn_status status = thin_matrix_init(&s->matrix, t);
    if (status == MN_OK) status = contact_skin_init(&s->skin, t);
    if (status == MN_OK) {
        s->x0 = calloc(8*n, sizeof *s->x0), s->damping = calloc((size_t)s->matrix.own.count + 1, sizeof *s->damping);
        if (!s->x0 || !s->damping) status = mn_fail(MN_NO_MEMORY, "out of memory: a mesh of %d vertices", t->vertices);
    }
    if (status != MN_OK) return thin_solver_free(s), status;
    double** part[] = {&s->x, &s->trial, &s->aim, &s->gradient, &s->way, &s->rhs, &s->answer};
    for (size_t m = 0; m < 7; m++) *part[m] = s->x0 + (m + 1)*n;
    *out = s;
    return MN_OK;
}

// ---- what is minimised ------------------------------------------------------------------------------------------------------

typedef struct Task {
    const ThinMesh* mesh;
    ThinSolver* s;
    const ContactSettings* contact;  // NULL: none
    const ThinForces* forces;
    double dt;
    bool damped;
    Candidates near;   // pairs that can meet in the present iteration
    Sliding* sliding;  // of the start
    int slidings;
} Task;

// dt D (x - x0) over the unknowns goes to s->answer, its product with x - x0 is returned.
static double damping_at(const Task* k, const double* x)
{
    ThinSolver* s = k->s;
    const ThinMatrix* m = &s->matrix;
    double sum = 0;
    if (!k->damped) return memset(s->answer, 0, sizeof *s->answer*(size_t)m->unknowns), 0;
    for (int c = 0; c < 3*k->mesh->vertices; c++)
        if (m->unknown[c] >= 0) s->rhs[m->unknown[c]] = x[c] - s->x0[c];
    Sparse damping = m->own;
    damping.value = s->damping;
    sparse_multiply(s->answer, &damping, s->rhs);
    for (int c = 0; c < m->unknowns; c++) sum += k->dt*s->answer[c]*s->rhs[c], s->answer[c] *= k->dt;
    return sum;
}

static void gather(double* out, const double* x, const int* v, int count)
{
    for (int m = 0; m < count; m++) memcpy(out + 3*m, x + 3*v[m], 3*sizeof *x);
}

// Of one contact: pairs first, then vertices and planes, then what slides, then vertices in the field. Gives its vertices.
typedef struct Contact {
    MatrixBlock block;
    bool acts;
    double energy, gradient[12], stiffness[144];
} Contact;

static int touches_of(const Task* k) { return k->contact ? k->near.count + k->mesh->vertices + k->slidings : 0; }
static int contacts_of(const Task* k) { return touches_of(k) + (k->forces->field ? k->mesh->vertices : 0); }

// dt^2 times the energy of the field.
static void field_at(Contact* out, const Task* k, int vertex, const double* x, double* stiffness)
{
    double square = k->dt*k->dt;
    for (int m = 0; m < 3; m++) out->gradient[m] = 0;
    for (int m = 0; stiffness && m < 9; m++) stiffness[m] = 0;
    out->block.v[0] = vertex;
    out->energy = square*k->forces->field(out->gradient, stiffness, k->forces->user, vertex, x + 3*vertex);
    for (int m = 0; m < 3; m++) out->acts = out->acts || out->gradient[m] != 0, out->gradient[m] *= square;
    for (int m = 0; stiffness && m < 9; m++) stiffness[m] *= square;
}

static void contact_at(Contact* out, const Task* k, int m, const double* x, bool with_stiffness)
{
    double at[12], from[12], *stiffness = with_stiffness ? out->stiffness : NULL;
    out->block = (MatrixBlock){.vertices = 1};
    out->acts = false;
    if (m >= touches_of(k)) {
        field_at(out, k, m - touches_of(k), x, stiffness);
        return;
    }
    if (m < k->near.count) {
        const ContactPair* p = &k->near.pair[m];
        out->block.vertices = pair_vertices(p->kind);
        memcpy(out->block.v, p->v, sizeof p->v);
        gather(at, x, p->v, out->block.vertices);
        out->energy = contact_barrier(out->gradient, stiffness, p, at, k->contact);
    } else if (m < k->near.count + k->mesh->vertices) {
        out->block.v[0] = m - k->near.count;
        out->energy = 0;
        if (k->mesh->held[out->block.v[0]] == HELD) return;  // it is where it is, maybe on a wall
        out->energy = contact_planes(out->gradient, stiffness, x + 3*out->block.v[0], k->contact);
    } else {
        const Sliding* s = &k->sliding[m - k->near.count - k->mesh->vertices];
        out->block.vertices = s->vertices;
        memcpy(out->block.v, s->v, sizeof s->v);
        gather(at, x, s->v, s->vertices);
        gather(from, k->s->x0, s->v, s->vertices);
        out->energy = contact_friction(out->gradient, stiffness, s, from, at, k->contact, k->dt);
    }
    out->acts = out->energy > 0;
}

// Friction is counted from where nothing slides.
static double objective(const Task* k, const double* x)
{
    const ThinMesh* t = k->mesh;
    double sum = 0;
    for (int m = 0; m < 3*t->vertices; m++) {
        double off = x[m] - k->s->aim[m];
        if (k->s->matrix.unknown[m] >= 0) sum += 0.5*t->mass[m/3]*off*off;
    }
    Contact c;
    for (int m = 0; m < contacts_of(k); m++) contact_at(&c, k, m, x, false), sum += c.energy;
    return sum + 0.5*damping_at(k, x) + k->dt*k->dt*thin_strain_energy(t, x);
}

// Minus the gradient of the objective over the unknowns, in s->rhs; that of strain and contacts, all coordinates, in s->gradient.
static void residual(const Task* k, const double* x)
{
    const ThinMesh* t = k->mesh;
    ThinSolver* s = k->s;
    double g[3*MOST_CORNERS], square = k->dt*k->dt;
    memset(s->gradient, 0, 3*sizeof *s->gradient*(size_t)t->vertices);
    for (int kind = 0; kind < PIECE_KINDS; kind++)
        for (int m = 0; m < thin_pieces(t, kind); m++) {
            const int* v = thin_piece(t, kind, m);
            thin_piece_energy(g, NULL, t, kind, m, x);
            for (int i = 0; i < 3*thin_piece_corners(kind); i++) s->gradient[3*v[i/3] + i%3] += square*g[i];
        }
    Contact c;
    for (int m = 0; m < contacts_of(k); m++) {
        contact_at(&c, k, m, x, false);
        for (int i = 0; c.acts && i < 3*c.block.vertices; i++) s->gradient[3*c.block.v[i/3] + i%3] += c.gradient[i];
    }
    damping_at(k, x);
    for (int m = 0; m < 3*t->vertices; m++) {
        int u = s->matrix.unknown[m];
        if (u >= 0) s->rhs[u] = -t->mass[m/3]*(x[m] - s->aim[m]) - s->gradient[m] - s->answer[u];
    }
}

// The contacts that act at x become blocks of the matrix.
static mn_status assemble(const Task* k, const double* x)
{
    ThinSolver* s = k->s;
    ThinMatrix* m = &s->matrix;
    for (int p = 0; p < m->own.count; p++) m->own.value[p] = k->damped ? k->dt*s->damping[p] : 0;
    thin_matrix_add_masses(m->own.value, m, k->mesh, 1);
    thin_matrix_add_stiffness(m->own.value, m, k->mesh, x, k->dt*k->dt);
    int most = contacts_of(k), blocks = 0, numbers = 0;
    MatrixBlock* block = ARENA_ZERO(&s->arena, MatrixBlock, most + 1);
    double* stiffness = NULL;
    TRY_MEMORY(block);
    Contact c;
    for (int n = 0; n < most; n++) {
        contact_at(&c, k, n, x, false);
        if (c.acts) block[blocks++] = c.block, numbers += 9*c.block.vertices*c.block.vertices;
    }
    TRY_MEMORY(stiffness = ARENA_NEW(&s->arena, double, numbers + 1));
    for (int n = 0, at = 0; n < most; n++) {
        contact_at(&c, k, n, x, true);
        if (!c.acts) continue;
        int size = 9*c.block.vertices*c.block.vertices;
        memcpy(stiffness + at, c.stiffness, sizeof *stiffness*(size_t)size);
        at += size;
    }
    TRY(thin_matrix_fit(m, block, blocks));
    thin_matrix_add_up(m, stiffness);
    return MN_OK;
}

// ---- one iteration ----------------------------------------------------------------------------------------------------------

// Neo-Hookean triangles must not collapse on the way: the part of it that leaves each a tenth of what it has.
static double part_without_collapse(const Task* k, const double* x, const double* way, double part)
{
    enum { TRIES = 40 };
    static const double LEAST = 0.1;
    double before[9], after[9];
    for (int m = 0; m < k->mesh->triangles; m++) {
        const ThinTriangle* e = &k->mesh->triangle[m];
        if (e->law != THIN_NEO_HOOKEAN) continue;
        gather(before, x, e->v, 3);
        double least = LEAST*thin_triangle_spread(e, before);
        for (int go = 0; go < TRIES; go++, part *= 0.5) {
            for (int c = 0; c < 9; c++) after[c] = before[c] + part*way[3*e->v[c/3] + c%3];
            if (thin_triangle_spread(e, after) > least) break;
        }
    }
    return part;
}

// x goes along s->way as far as the objective falls by a part of what its slope promises [armijo1966]. Gives the part.
static double search(const Task* k, double part, double slope)
{
    static const double ENOUGH = 1e-4;
    ThinSolver* s = k->s;
    int n = 3*k->mesh->vertices;
    double before = objective(k, s->x);
    for (int go = 0; go < HALVINGS; go++, part *= 0.5) {
        for (int m = 0; m < n; m++) s->trial[m] = s->x[m] + part*s->way[m];
        // what rounding makes of a difference of two sums is no rise
        if (objective(k, s->trial) <= before + ENOUGH*part*slope + 1e-14*fabs(before)) break;
    }
    memcpy(s->x, s->trial, sizeof *s->x*(size_t)n);
    return part;
}

// Pairs that can come within the contacts' distance between x and x + way (NULL: at x).
static mn_status look_around(Task* k, const double* x, const double* way)
{
    if (!k->contact) return MN_OK;
    return contact_candidates(&k->near, &k->s->arena, k->mesh, &k->s->skin, x, way, k->contact->distance);
}

// Gives the furthest way of a vertex, m.
static mn_status iterate(double* furthest, Task* k)
{
    ThinSolver* s = k->s;
    const ThinMatrix* m = &s->matrix;
    double slope = 0;
    TRY(assemble(k, s->x));
    TRY(thin_matrix_factorise(&s->matrix));
    residual(k, s->x);
    TRY(factor_solve(m->factor, s->answer, s->rhs));
    for (int c = 0; c < m->unknowns; c++) slope -= s->answer[c]*s->rhs[c];
    if (!isfinite(slope)) return mn_fail(MN_STEP_FAILED, "the forces in a sheet or rod are not finite");
    *furthest = 0;
    for (int c = 0; c < 3*k->mesh->vertices; c++) {
        s->way[c] = m->unknown[c] >= 0 ? s->answer[m->unknown[c]] : 0;
        *furthest = fmax(*furthest, fabs(s->way[c]));
    }
    arena_reset(&s->arena);
    TRY(look_around(k, s->x, s->way));
    double part = k->contact ? contact_free_part(&k->near, k->mesh, k->contact, s->x, s->way) : 1;
    *furthest *= search(k, part_without_collapse(k, s->x, s->way, part), slope);
    return MN_OK;
}

// ---- the step ---------------------------------------------------------------------------------------------------------------

static mn_status check_apart(const Task* k, const double* x, const char* when)
{
    double least = contact_least(&k->near, k->mesh, k->contact, x);
    return least > 0 ? MN_OK : mn_fail(MN_STEP_FAILED, "sheets or rods touch each other or a wall %s", when);
}

// What is held goes to where it will be, as far as it meets nothing on the way, which must be all of it.
static mn_status move_held(Task* k)
{
    ThinSolver* s = k->s;
    bool any = false;
    for (int m = 0; m < 3*k->mesh->vertices; m++) {
        s->way[m] = s->matrix.unknown[m] < 0 ? k->dt*k->mesh->v[m] : 0;
        any = any || s->way[m] != 0;
    }
    if (k->contact && any) {
        TRY(look_around(k, s->x, s->way));
        if (contact_free_part(&k->near, k->mesh, k->contact, s->x, s->way) < 1)
            return mn_fail(MN_STEP_FAILED, "held vertices are driven into a sheet, a rod or a wall");
    }
    for (int m = 0; m < 3*k->mesh->vertices; m++) s->x[m] += s->way[m];
    return MN_OK;
}

static mn_status begin(Task* k, const ThinForces* f)
{
    ThinSolver* s = k->s;
    const ThinMesh* t = k->mesh;
    arena_reset(&s->arena), arena_reset(&s->start);
    for (int m = 0; m < 3*t->vertices; m++) {
        double force = f->force ? f->force[m]/t->mass[m/3] : 0;
        s->x0[m] = s->x[m] = t->x[m];
        s->aim[m] = t->x[m] + k->dt*t->v[m] + k->dt*k->dt*(f->a[m%3] + force);
    }
    if (k->damped) {
        memset(s->damping, 0, sizeof *s->damping*(size_t)s->matrix.own.count);
        thin_matrix_add_masses(s->damping, &s->matrix, t, f->damp_mass);
        thin_matrix_add_stiffness(s->damping, &s->matrix, t, s->x0, f->damp_stiffness);
    }
    if (!k->contact) return move_held(k);
    TRY(look_around(k, s->x, NULL));
    TRY(check_apart(k, s->x, "at the start of a step"));
    TRY(contact_sliding(&k->sliding, &k->slidings, &s->start, &k->near, t, k->contact, s->x0));
    TRY(move_held(k));
    return look_around(k, s->x, NULL);
}

// What holds vertices bears the strain, the contacts, the weight and the forces on them.
static void add_reactions(ThinReport* report, const Task* k, const ThinForces* f)
{
    const ThinMesh* t = k->mesh;
    for (int m = 0; m < 3*t->vertices; m++) {
        if (k->s->matrix.unknown[m] >= 0) continue;
        double force = t->mass[m/3]*f->a[m%3] + (f->force ? f->force[m] : 0) - k->s->gradient[m]/(k->dt*k->dt);
        report->reaction[m%3] += force;
        report->held_work -= force*t->v[m]*k->dt;
    }
}

static void finish(ThinReport* report, const Task* k, ThinMesh* t, const ThinForces* f)
{
    ThinSolver* s = k->s;
    residual(k, s->x);
    add_reactions(report, k, f);
    report->least = k->contact ? contact_least(&k->near, t, k->contact, s->x) : INFINITY;
    Contact c;
    for (int m = 0; k->contact && m < k->near.count + t->vertices; m++)
        contact_at(&c, k, m, s->x, false), report->contacts += c.acts;
    for (int m = 0; m < 3*t->vertices; m++) {
        if (s->matrix.unknown[m] >= 0) t->v[m] = (s->x[m] - s->x0[m])/k->dt;
        t->x[m] = s->x[m];
    }
    assert(thin_mesh_is_valid(t));
}

mn_status thin_check_way(const ThinMesh* t, ThinSolver* s, const ContactSettings* contact, const double* way)
{
    Task k = {.mesh = t, .s = s, .contact = contact};
    arena_reset(&s->arena);
    TRY(look_around(&k, t->x, way));
    if (contact_free_part(&k.near, t, contact, t->x, way) < 1)
        return mn_fail(MN_STEP_FAILED, "sheets or rods would meet each other or a wall in a step of this length");
    return MN_OK;
}

mn_status thin_linearise(ThinLinear* out, const ThinMesh* t, ThinSolver* s, const ThinForces* f, double dt, const double* x)
{
    assert(dt > 0);
    Task k = {
        .mesh = t, .s = s, .contact = f->contact, .forces = f, .dt = dt, .damped = f->damp_mass > 0 || f->damp_stiffness > 0};
    TRY(begin(&k, f));
    for (int m = 0; x && m < 3*t->vertices; m++) s->x[m] = x[m];
    if (x) TRY(look_around(&k, s->x, NULL));
    *out = (ThinLinear){.unknown = s->matrix.unknown, .unknowns = s->matrix.unknowns};
    if (s->matrix.unknowns == 0) return MN_OK;
    TRY(assemble(&k, s->x));
    residual(&k, s->x);
    out->matrix = &s->matrix.all, out->right = s->rhs;
    return MN_OK;
}

mn_status thin_step(ThinReport* report, ThinMesh* t, ThinSolver* s, const ThinForces* f, double dt)
{
    assert(dt > 0 && f->damp_mass >= 0 && f->damp_stiffness >= 0);
    Task k = {
        .mesh = t, .s = s, .contact = f->contact, .forces = f, .dt = dt, .damped = f->damp_mass > 0 || f->damp_stiffness > 0};
    double enough = f->enough > 0 ? f->enough : CLOSE*thin_shortest(t);
    *report = (ThinReport){.converged = s->matrix.unknowns == 0};
    TRY(begin(&k, f));
    while (!report->converged && report->iterations < ITERATIONS) {
        TRY(iterate(&report->way, &k));
        report->iterations++;
        report->converged = report->way <= enough;
    }
    finish(report, &k, t, f);
    return MN_OK;
}
