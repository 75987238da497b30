#include "solve/viscous_bodies.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/dense.h"
#include "base/vec.h"

static double dot(const double a[TWIST], const double b[TWIST])
{
    double sum = 0;
    for (int k = 0; k < TWIST; k++) sum += a[k]*b[k];
    return sum;
}

// ---- where the liquid sticks to them --------------------------------------------------------------------------------------

// Component d of the velocity at x, per twist of the body.
static void velocity_row(double row[TWIST], const double center[3], const double x[3], int d, double weight)
{
    double arm[3], e[3] = {0, 0, 0}, turn[3];
    vec_sub(arm, x, center);
    e[d] = weight;
    vec_cross(turn, arm, e);  // e.(w x arm) = w.(arm x e)
    for (int k = 0; k < 3; k++) row[k] = e[k], row[3 + k] = turn[k];
}

// Strains that may read a face inside a solid: a node of it lies at most the diagonal of a cell from theirs.
static bool is_near_solid(const ViscousProblem* p, const int at[3])
{
    ptrdiff_t node = window_at(p->in.w, at[0] + p->lo[0], at[1] + p->lo[1], at[2] + p->lo[2]);
    return p->in.phi_solid[node] < 2*p->in.w->dx;
}

// Writes the points of bodies in one strain; returns their number.
static int take_strain(BodyStrain* out, const ViscousProblem* p, const int at[3], int d, int o)
{
    SkinPoint point[SKIN_POINTS_MOST];
    const StickingBodies* in = p->in.bodies;
    int points = viscous_skin_points(point, p, at, d, o), count = 0;
    for (int m = 0; m < points; m++) {
        int body = in->at(in->user, point[m].x);
        if (body < 0) continue;
        out[count] = (BodyStrain){.at = viscous_at(&p->grid, at[0], at[1], at[2]), .d = d, .o = o, .body = body};
        velocity_row(out[count].row, in->center[body], point[m].x, point[m].d, point[m].weight);
        if (count > 0) out[count - 1].goes_on = true;
        count++;
    }
    return count;
}

static bool is_wet_in_solid(const ViscousProblem* p, const int face[3], int d)
{
    int in_window[3] = {face[0] + p->lo[0], face[1] + p->lo[1], face[2] + p->lo[2]};
    return p->grid.mass[d][viscous_at(&p->grid, face[0], face[1], face[2])] > 0 && viscous_is_in_solid(p, d, face) &&
           viscous_face_exists(p->in.w, d, in_window);
}

// Writes the face if it is wet and in a body; returns how many it has written.
static int take_stuck(StuckFace* out, const ViscousProblem* p, double* const u[3], const int face[3], int d)
{
    if (!is_wet_in_solid(p, face, d)) return 0;
    double x[3], wet = p->grid.mass[d][viscous_at(&p->grid, face[0], face[1], face[2])];
    viscous_face_position(x, p, d, (double[3]){face[0], face[1], face[2]});
    int body = p->in.bodies->at(p->in.bodies->user, x);
    if (body < 0) return 0;
    *out = (StuckFace){.body = body, .weight = wet*viscous_stuck_part(p, wet)};
    out->u = u[d][window_at(p->in.w, face[0] + p->lo[0], face[1] + p->lo[1], face[2] + p->lo[2])];
    velocity_row(out->row, p->in.bodies->center[body], x, d, 1);
    return 1;
}

#define FOR_NEAR_SOLIDS(p, at)                                                                                                   \
    for (int r_ = 0; r_ < (p)->grid.look.rows; r_++)                                                                             \
        SPAN_LOOP(&(p)->grid.look, r_, q_)                                                                                       \
            for (int at[3] = {(p)->grid.look.span[q_].i0, r_%(p)->grid.look.rows_y, r_/(p)->grid.look.rows_y};               \
                 at[0] < (p)->grid.look.span[q_].i1; at[0]++)                                                                    \
                if (is_near_solid(p, at))

// Room for all that there can be: what the states of the faces tell.
static mn_status take_room(ViscousBodies* b, const ViscousProblem* p, Arena* arena)
{
    int strains = 0, stucks = 0;
    FOR_NEAR_SOLIDS(p, at)
    for (int d = 0; d < p->grid.dim; d++) {
        stucks += is_wet_in_solid(p, at, d);
        for (int o = d; o < p->grid.dim; o++) strains += viscous_reads_fixed(&p->grid, at, d, o) ? SKIN_POINTS_MOST : 0;
    }
    TRY_MEMORY(b->strain = ARENA_NEW(arena, BodyStrain, strains + 1));
    TRY_MEMORY(b->stuck = ARENA_NEW(arena, StuckFace, stucks + 1));
    return MN_OK;
}

static void walk(ViscousBodies* b, const ViscousProblem* p, double* const u[3])
{
    FOR_NEAR_SOLIDS(p, at)
    for (int d = 0; d < p->grid.dim; d++) {
        b->stucks += take_stuck(b->stuck + b->stucks, p, u, at, d);
        for (int o = d; o < p->grid.dim; o++) b->strains += take_strain(b->strain + b->strains, p, at, d, o);
    }
}

double viscous_stuck_part(const ViscousProblem* p, double wet)
{
    double k = p->stiffness/(wet*wet);
    return k/(1 + k);
}

// ---- H --------------------------------------------------------------------------------------------------------------------

// T^T r of one row of a body.
static void row_of_velocities(double* out, const Follower* f, const double row[TWIST])
{
    for (int m = 0; m < f->count; m++) {
        out[m] = 0;
        for (int k = 0; k < TWIST; k++) out[m] += row[k]*f->jacobian[k*f->count + m];
    }
}

// H += weight a b^T of two such rows of followers fa and fb; of a pair of different rows both orders are to be added.
static void add_rows(double* H, int nv, const Follower* fa, const double* a, const Follower* fb, const double* b, double weight)
{
    for (int m = 0; m < fa->count; m++) {
        if (a[m] == 0) continue;
        for (int n = 0; n < fb->count; n++) H[(fa->first + m)*nv + fb->first + n] += weight*a[m]*b[n];
    }
}

static mn_status factorise(ViscousBodies* b, Arena* arena)
{
    const StickingBodies* in = b->in;
    double* row = ARENA_NEW(arena, double, SKIN_POINTS_MOST*in->nv);
    TRY_MEMORY(row);
    for (int m = 0; m < in->nv*in->nv; m++) b->factor[m] = in->inertia[m]/b->scale;
    for (int m = 0, end; m < b->strains; m = end) {
        for (end = m + 1; b->strain[end - 1].goes_on;) end++;
        const BodyStrain* s = b->strain + m;
        int points = end - m;
        for (int i = 0; i < points; i++) row_of_velocities(row + i*in->nv, &in->body[s[i].body], s[i].row);
        for (int i = 0; i < points; i++)
            for (int j = 0; j < points; j++)
                add_rows(b->factor, in->nv, &in->body[s[i].body], row + i*in->nv, &in->body[s[j].body], row + j*in->nv, 1);
    }
    for (int m = 0; m < b->stucks; m++) {
        const Follower* f = &in->body[b->stuck[m].body];
        row_of_velocities(row, f, b->stuck[m].row);
        add_rows(b->factor, in->nv, f, row, f, row, b->stuck[m].weight);
    }
    if (!dense_cholesky(b->factor, in->nv))
        return mn_fail(MN_STEP_FAILED, "bodies: the inertia is not positive; a joint or body is without mass");
    return MN_OK;
}

mn_status viscous_bodies_build(ViscousBodies* b, ViscousProblem* p, double* const u[3], Arena* arena)
{
    *b = (ViscousBodies){.scale = p->in.rho*window_cell_volume(p->in.w)};
    if (!p->in.bodies || !p->in.phi_solid || p->in.slip_solids) return MN_OK;
    TRY(take_room(b, p, arena));
    walk(b, p, u);
    if (b->strains + b->stucks == 0) return MN_OK;
    b->in = p->in.bodies;
    size_t n = (size_t)b->in->nv;
    TRY_MEMORY(b->factor = ARENA_NEW(arena, double, n* n));
    TRY_MEMORY(b->twist = ARENA_NEW(arena, double, TWIST*b->in->bodies));
    TRY_MEMORY(b->wrench = ARENA_NEW(arena, double, TWIST*b->in->bodies));
    TRY_MEMORY(b->v = ARENA_NEW(arena, double, n));
    TRY_MEMORY(b->right = ARENA_NEW(arena, double, n));
    TRY_MEMORY(b->start = ARENA_NEW(arena, double, n));
    memcpy(b->start, b->in->v, sizeof *b->start*n);
    TRY(viscous_take_forces(p, arena));
    return factorise(b, arena);
}

// ---- strains and forces ---------------------------------------------------------------------------------------------------

// B u of one strain.
static double strain_of(const BodyStrain* s, const ViscousGrid* g, double* const u[3])
{
    ptrdiff_t at = s->at, along = viscous_stride(g, s->d), across = viscous_stride(g, s->o);
    const double *a = u[s->d] + at, *b = u[s->o] + at;
    if (s->d == s->o) return sqrt(g->normal[s->d][at])*(a[along] - a[0]);
    return g->shear[s->d][s->o][at]*(a[0] - a[-across]) + g->shear[s->o][s->d][at]*(b[0] - b[-along]);
}

static void add_to_free(double* const out[3], const ViscousGrid* g, int d, ptrdiff_t at, double amount)
{
    if (g->state[d][at] == FACE_IS_FREE) out[d][at] += amount;
}

// out += B^T of one strain
static void pull(double* const out[3], const BodyStrain* s, const ViscousGrid* g, double amount)
{
    ptrdiff_t at = s->at, along = viscous_stride(g, s->d), across = viscous_stride(g, s->o);
    if (s->d == s->o) {
        double part = sqrt(g->normal[s->d][at])*amount;
        add_to_free(out, g, s->d, at + along, part), add_to_free(out, g, s->d, at, -part);
        return;
    }
    double a = g->shear[s->d][s->o][at]*amount, b = g->shear[s->o][s->d][at]*amount;
    add_to_free(out, g, s->d, at, a), add_to_free(out, g, s->d, at - across, -a);
    add_to_free(out, g, s->o, at, b), add_to_free(out, g, s->o, at - along, -b);
}

static double wall_strain(const BodyStrain* s, const WallStrains* w)
{
    if (!w || !w->normal[0]) return 0;
    return s->d == s->o ? w->normal[s->d][s->at] : w->shear[s->d][s->o][s->at];
}

// T^T C^T (B u + s), in b->right; walls NULL: s is zero.
static void gather(const ViscousBodies* b, const ViscousGrid* g, double* const u[3], const WallStrains* walls)
{
    memset(b->wrench, 0, sizeof *b->wrench*TWIST*(size_t)b->in->bodies);
    memset(b->right, 0, sizeof *b->right*(size_t)b->in->nv);
    for (int m = 0; m < b->strains; m++) {
        const BodyStrain* s = &b->strain[m];
        double strain = strain_of(s, g, u) + wall_strain(s, walls);
        for (int k = 0; k < TWIST; k++) b->wrench[TWIST*s->body + k] += s->row[k]*strain;
    }
    wrenches_forces(b->right, b->in->body, b->in->bodies, b->wrench);
}

// out += factor B^T C T v
static void push(double* const out[3], const ViscousBodies* b, const ViscousGrid* g, const double* v, double factor)
{
    wrenches_twists(b->twist, b->in->body, b->in->bodies, v);
    for (int m = 0; m < b->strains; m++) {
        const BodyStrain* s = &b->strain[m];
        pull(out, s, g, factor*dot(s->row, b->twist + TWIST*s->body));
    }
}

void viscous_bodies_push(const ViscousBodies* b, ViscousProblem* p) { push(p->force, b, &p->grid, b->in->v, -1); }

double viscous_bodies_product(double* const q[3], const ViscousBodies* b, const ViscousGrid* g, double* const x[3])
{
    double lost = 0;
    gather(b, g, x, NULL);
    memcpy(b->v, b->right, sizeof *b->v*(size_t)b->in->nv);
    dense_solve(b->v, b->factor, b->in->nv);
    for (int m = 0; m < b->in->nv; m++) lost += b->right[m]*b->v[m];
    push(q, b, g, b->v, -1);
    return lost;
}

void viscous_bodies_follow(const ViscousBodies* b, const ViscousProblem* p, double* const u[3])
{
    const StickingBodies* in = b->in;
    gather(b, &p->grid, u, &p->walls);
    for (int m = 0; m < in->nv; m++) {
        double sum = 0;
        for (int n = 0; n < in->nv; n++) sum += in->inertia[m*in->nv + n]/b->scale*b->start[n];
        in->v[m] = sum - b->right[m];
    }
    memset(b->wrench, 0, sizeof *b->wrench*TWIST*(size_t)in->bodies);
    for (int m = 0; m < b->stucks; m++)
        for (int k = 0; k < TWIST; k++)
            b->wrench[TWIST*b->stuck[m].body + k] += b->stuck[m].weight*b->stuck[m].row[k]*b->stuck[m].u;
    wrenches_forces(in->v, in->body, in->bodies, b->wrench);
    dense_solve(in->v, b->factor, in->nv);
}

// - dE/d twist of the friction terms, E the functional, times rho dx^dim.
void viscous_bodies_end(const ViscousBodies* b, const ViscousProblem* p, double* const u[3])
{
    const StickingBodies* in = b->in;
    wrenches_twists(b->twist, in->body, in->bodies, in->v);
    for (int m = 0, end; m < b->strains; m = end) {
        double strain = strain_of(&b->strain[m], &p->grid, u) + wall_strain(&b->strain[m], &p->walls);
        for (end = m + 1; b->strain[end - 1].goes_on;) end++;
        for (int i = m; i < end; i++) strain += dot(b->strain[i].row, b->twist + TWIST*b->strain[i].body);
        for (int i = m; i < end; i++)
            for (int k = 0; k < TWIST; k++) in->impulse[TWIST*b->strain[i].body + k] -= b->scale*b->strain[i].row[k]*strain;
    }
    for (int m = 0; m < b->stucks; m++) {
        const StuckFace* s = &b->stuck[m];
        double slip = dot(s->row, b->twist + TWIST*s->body) - s->u;
        for (int k = 0; k < TWIST; k++) in->impulse[TWIST*s->body + k] -= b->scale*s->weight*s->row[k]*slip;
    }
}

bool viscous_bodies_velocity(double* v, const ViscousBodies* b, const ViscousProblem* p, int d, const int face[3])
{
    double x[3], row[TWIST], twist[TWIST];
    if (!b->in || !viscous_is_in_solid(p, d, face)) return false;
    viscous_face_position(x, p, d, (double[3]){face[0], face[1], face[2]});
    int body = b->in->at(b->in->user, x);
    if (body < 0) return false;
    velocity_row(row, b->in->center[body], x, d, 1);
    wrenches_twists(twist, &b->in->body[body], 1, b->in->v);
    *v = dot(row, twist);
    return true;
}
