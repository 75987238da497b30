// From the plans of bodies to an engine.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "rigid/rigid_mujoco_private.h"
#include "rigid/rigid_thin.h"

// Contacts and rows there is room for at the start.
enum { FIRST_CONTACTS = 64, FIRST_ROWS = 256 };
// Of a cell, between bodies, and from walls: the liquid that is left there is what lets them part again. Between two flat sides a
// row of nodes must find room, or the grid sees pockets without a way out, in which the pressure is anything.
static const double MARGIN_CELLS = 0.5, FLAT_MARGIN_CELLS = 1.1;

bool rigid_mujoco_is_there(void) { return true; }

typedef struct Start {
    Rigid* r;
    MujocoWorld world;
} Start;

static mn_status no_memory(void) { return mn_fail(MN_NO_MEMORY, "no memory for bodies of MuJoCo"); }

// ---- checks ----------------------------------------------------------------------------------------------------------------

static mn_status check_plan(const BodyPlan* p, int dim)
{
    if (!(p->mass > 0) || !isfinite(p->mass))
        return mn_fail(MN_BAD_SCENE, "body '%s' has a mass of %g kg; it must be more than 0", p->name, p->mass);
    for (int d = dim == 2 ? 2 : 0; d < 3; d++)
        if (!(p->inertia[d][d] > 0) || !isfinite(p->inertia[d][d]))
            return mn_fail(MN_BAD_SCENE, "body '%s' has no inertia about %c: it is too thin, or empty", p->name, "xyz"[d]);
    return MN_OK;
}

// ---- bodies ----------------------------------------------------------------------------------------------------------------

// Velocities that move a body: those of its own joints and of all above it, and what lies between.
static void chain_of(int* first, int* count, const mjModel* m, int root)
{
    int b = root, low = m->nv, high = 0;
    for (; b > 0; b = m->body_parentid[b]) {
        if (m->body_dofnum[b] == 0) continue;
        low = m->body_dofadr[b];
        if (high == 0) high = m->body_dofadr[b] + m->body_dofnum[b];
    }
    *first = high > 0 ? low : 0, *count = high > 0 ? high - low : 0;
}

// A lone ball about its centre.
static bool is_ball(const mjModel* m, const mjData* d, int root, const double center[3])
{
    int forms = 0, balls = 0;
    for (int g = 0; g < m->ngeom; g++) {
        if (m->body_weldid[m->geom_bodyid[g]] != root) continue;
        forms++;
        balls += m->geom_type[g] == mjGEOM_SPHERE && mju_dist3(d->geom_xpos + 3*g, center) < 1e-6*m->geom_size[3*g];
    }
    return forms == 1 && balls == 1;
}

static void start_body(Rigid* r, RigidBody body, int root, const double local[3])
{
    MujocoEngine* e = r->self;
    int b = r->bodies++;
    r->body[b] = body;
    e->root[b] = root;
    memcpy(e->local[b], local, sizeof e->local[b]);
    for (int d = 0; d < 9; d++) e->rest[b][d/3][d%3] = e->d->xmat[9*root + d];
    int first, count;
    chain_of(&first, &count, e->m, root);
    r->body[b].follower = (Follower){first, count, e->jacobian + (ptrdiff_t)TWIST*e->m->nv*b};
}

static void start_planned(Rigid* r, const BodyPlan* p, int b)
{
    const MujocoEngine* e = r->self;
    char name[64];
    snprintf(name, sizeof name, MUJOCO_BODY_NAME, b);
    RigidBody body = {.solid = p->solid, .mass = p->mass, .volume = p->volume, .is_round = p->is_round};
    body.skin = p->skin, body.skin_points = p->skin_points;
    rigid_thicken(&body, p, &r->tank);
    memcpy(body.name, p->name, sizeof body.name);
    memcpy(body.rest, p->center, sizeof body.rest);
    memcpy(body.inertia, p->inertia, sizeof body.inertia);
    static const double own_center[3];
    start_body(r, body, mj_name2id(e->m, mjOBJ_BODY, name), own_center);
}

// Velocities follow the ways that are free in the order of a twist (rigid_mujoco_text.c); axes at the start are the tank's.
static void start_velocity(Rigid* r, const BodyPlan* p, int b, int dim)
{
    int at = r->body[b].follower.first;
    unsigned fixed = p->fixed | (dim == 2 ? FIXED_Z | FIXED_TURN_X | FIXED_TURN_Y : 0);
    for (int k = 0; k < TWIST; k++)
        if (!(fixed >> k & 1)) r->v[at++] = k < 3 ? p->velocity[k] : p->spin[k - 3];
}

// I = sum over what is welded of R diag(I_own) R^T + m (a^2 1 - a a^T), a: from the common centre to its own; kg m^2
static void welded_inertia(double I[3][3], const MujocoEngine* e, int root, const double center[3])
{
    const mjModel* m = e->m;
    double unit = e->units.mass*e->units.length*e->units.length;
    for (int b = root; b < m->nbody; b++) {
        if (m->body_weldid[b] != root) continue;
        double a[3];
        vec_sub(a, e->d->xipos + 3*b, center);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double own = 0;
                for (int k = 0; k < 3; k++)
                    own += e->d->ximat[9*b + 3*i + k]*m->body_inertia[3*b + k]*e->d->ximat[9*b + 3*j + k];
                I[i][j] += unit*(own + m->body_mass[b]*((i == j)*vec_dot(a, a) - a[i]*a[j]));
            }
    }
}

static void start_of_file(Rigid* r, const MujocoWorld* w, int root, int told)
{
    const MujocoEngine* e = r->self;
    const char* name = mj_id2name(e->m, mjOBJ_BODY, root);
    double local[3], center[3];
    RigidBody body = {.solid = w->options->solid ? w->options->solid[told] : -1};
    body.mass = w->units.mass*mujoco_welded_mass(local, e->m, e->d, root);
    mju_rotVecMat(center, local, e->d->xmat + 9*root);
    mju_addTo3(center, e->d->xpos + 3*root);
    body.is_round = is_ball(e->m, e->d, root, center);
    for (int d = 0; d < 3; d++) body.rest[d] = w->units.length*center[d];
    welded_inertia(body.inertia, e, root, center);
    snprintf(body.name, sizeof body.name, "%s", name ? name : "");
    start_body(r, body, root, local);
}

static void start_bodies(Rigid* r, const MujocoWorld* w)
{
    const MujocoEngine* e = r->self;
    int told = 0;  // of mjcf_read, of which the first is the world
    mj_kinematics(e->m, e->d);
    for (int b = 0; b < w->plans; b++) start_planned(r, &w->plan[b], b);
    for (int b = 1; b < e->m->nbody; b++)
        if (e->m->body_weldid[b] == b && !mujoco_is_own(e->m, mjOBJ_BODY, b)) start_of_file(r, w, b, ++told);
    for (int b = 0; b < w->plans; b++) start_velocity(r, &w->plan[b], b, w->dim);
}

// ---- the engine ------------------------------------------------------------------------------------------------------------

static mn_status start_drives(MujocoEngine* e, const MjcfOptions* o)
{
    const char* file = o->file ? o->file : "bodies";
    assert(o->drives == 0 || o->driven);
    for (int k = 0; k < o->drives; k++) {
        int joint = mj_name2id(e->m, mjOBJ_JOINT, o->drive[k].joint);
        if (joint < 0) return mn_fail(MN_BAD_SCENE, "%s: there is no joint '%s' to drive", file, o->drive[k].joint);
        if (e->m->jnt_type[joint] != mjJNT_HINGE && e->m->jnt_type[joint] != mjJNT_SLIDE)
            return mn_fail(MN_BAD_SCENE, "%s: joint '%s' cannot be driven: only hinges and slides can", file, o->drive[k].joint);
        e->drive[e->drives++] = (MujocoDrive){joint, e->m->jnt_dofadr[joint], o->drive[k].is_velocity, 0, 0};
    }
    e->driven = o->driven, e->control = o->control, e->user = o->user;
    return MN_OK;
}

// A slide's velocity, and the first three of a free joint, are m/s.
static void start_units(MujocoEngine* e)
{
    const mjModel* m = e->m;
    for (int a = 0; a < m->nv; a++) {
        int joint = m->dof_jntid[a];
        bool slides = m->jnt_type[joint] == mjJNT_SLIDE || (m->jnt_type[joint] == mjJNT_FREE && a - m->jnt_dofadr[joint] < 3);
        e->unit[a] = slides ? e->units.length : 1;
    }
    for (int g = 0; g < m->ngeom; g++) e->own_geom[g] = mujoco_is_own(m, mjOBJ_GEOM, g);
    e->skin_geom = mj_name2id(m, mjOBJ_GEOM, MUJOCO_SKIN_NAME);
}

static mn_status take_memory(MujocoEngine* e, Rigid* r, int drives)
{
    size_t nv = (size_t)e->m->nv, bodies = (size_t)e->m->nbody, square = nv*(nv > TWIST ? nv : TWIST);
    e->unit = calloc(nv, sizeof *e->unit), e->push = calloc(nv, sizeof *e->push), e->v_old = calloc(nv, sizeof *e->v_old);
    e->v_new = calloc(nv, sizeof *e->v_new);
    e->impulse = calloc(nv, sizeof *e->impulse), e->force = calloc(nv, sizeof *e->force);
    e->act = calloc((size_t)e->m->na + 1, sizeof *e->act);
    e->search.at = calloc(4*nv, sizeof *e->search.at);
    e->inertia = calloc(square, sizeof *e->inertia), e->implicit = calloc(square, sizeof *e->implicit);
    e->root = calloc(bodies, sizeof *e->root), e->local = calloc(bodies, sizeof *e->local);
    e->rest = calloc(bodies, sizeof *e->rest), e->jacobian = calloc(TWIST*nv*bodies, sizeof *e->jacobian);
    e->own_geom = calloc((size_t)e->m->ngeom + 1, sizeof *e->own_geom);
    e->drive = calloc((size_t)drives + 1, sizeof *e->drive);
    r->body = calloc(bodies, sizeof *r->body);
    bool all = e->act && e->unit && e->push && e->v_old && e->v_new && e->impulse && e->force && e->search.at && e->inertia &&
               e->implicit && e->root && e->local && e->rest && e->jacobian && e->own_geom && e->drive && r->body;
    if (!all) return no_memory();
    e->search.liquid = e->search.at + nv, e->search.next = e->search.at + 2*nv, e->search.pushed = e->search.at + 3*nv;
    return MN_OK;
}

static mn_status start_job(void* what)
{
    const MujocoWorld* w = &((Start*)what)->world;
    Rigid* r = ((Start*)what)->r;
    MujocoEngine* e = r->self;
    TRY(mujoco_load(&e->m, w));
    if (e->m->nv == 0) return mn_fail(MN_BAD_SCENE, "%s: no body can move", w->options->file ? w->options->file : "bodies");
    mujoco_set_room(e->m, FIRST_CONTACTS, FIRST_ROWS);
    e->d = mj_makeData(e->m);
    if (!e->d) return no_memory();
    TRY(take_memory(e, r, w->options->drives));
    TRY(rigid_take(r, e->m->nv));
    start_units(e);
    start_bodies(r, w);
    return start_drives(e, w->options);
}

mn_status rigid_mujoco_start(Rigid* r, const Tank* tank, const BodyPlan* plan, int count, const MjcfOptions* o)
{
    assert(count >= 0 && (count > 0 || o->file));
    *r = (Rigid){0};
    for (int b = 0; b < count; b++) TRY(check_plan(&plan[b], tank->dim));
    MujocoEngine* e = calloc(1, sizeof *e);
    if (!e) return no_memory();
    *r = (Rigid){.tank = *tank, .engine = &mujoco_engine, .self = e};
    Start start = {r, {.tank = tank, .dim = tank->dim, .plan = plan, .plans = count, .options = o}};
    start.world.margin = o->margin > 0 ? o->margin : MARGIN_CELLS*tank->dx;
    start.world.units = e->units = mujoco_units(&start.world);
    e->margin = start.world.margin/e->units.length;
    e->flat_margin = o->margin > 0 ? e->margin : FLAT_MARGIN_CELLS*tank->dx/e->units.length;
    mn_status status = mujoco_guarded(start_job, &start, MN_BAD_SCENE);
    if (status == MN_OK) status = mujoco_engine.place(r);
    if (status != MN_OK) rigid_free_all(r);
    return status;
}
