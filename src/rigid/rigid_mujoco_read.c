// What an MJCF file holds, for who makes solids of it.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "rigid/rigid_mujoco_private.h"

double mujoco_welded_mass(double center[3], const mjModel* m, const mjData* d, int root)
{
    double mass = 0, sum[3] = {0}, arm[3];
    for (int b = root; b < m->nbody; b++) {
        if (m->body_weldid[b] != root) continue;
        mass += m->body_mass[b];
        for (int k = 0; k < 3; k++) sum[k] += m->body_mass[b]*d->xipos[3*b + k];
    }
    for (int k = 0; k < 3; k++) arm[k] = mass > 0 ? sum[k]/mass - d->xpos[3*root + k] : 0;
    mju_rotVecMatT(center, arm, d->xmat + 9*root);
    return mass;
}

typedef struct Reader {
    MjcfBodies* out;
    int dim;
    const MjcfOptions* options;
    mjModel* m;
    mjData* d;
    double length, mass;  // units
} Reader;

static bool collides(const mjModel* m, int g) { return m->geom_contype[g] || m->geom_conaffinity[g]; }

static bool has_form(const mjModel* m, int g)
{
    return m->geom_type[g] != mjGEOM_PLANE && m->geom_type[g] != mjGEOM_HFIELD && !mujoco_is_own(m, mjOBJ_GEOM, g);
}

// Geoms of a body: what collides, or all of them where nothing does.
static int choose_geoms(int* geom, const mjModel* m, int root)
{
    int count = 0;
    bool any = false;
    for (int g = 0; g < m->ngeom; g++)
        if (m->body_weldid[m->geom_bodyid[g]] == root && has_form(m, g) && collides(m, g)) any = true;
    for (int g = 0; g < m->ngeom; g++)
        if (m->body_weldid[m->geom_bodyid[g]] == root && has_form(m, g) && (collides(m, g) || !any)) geom[count++] = g;
    return count;
}

static mn_status read_mesh(BodyForm* form, const Reader* r, int g)
{
    const mjModel* m = r->m;
    int mesh = m->geom_dataid[g], points = m->mesh_vertnum[mesh], triangles = m->mesh_facenum[mesh];
    double* point = malloc(sizeof *point*3*(size_t)points);
    int* triangle = malloc(sizeof *triangle*3*(size_t)triangles);
    form->point = point, form->triangle = triangle;
    if (!point || !triangle) return mn_fail(MN_NO_MEMORY, "no memory for a mesh of %s", r->options->file);
    for (int k = 0; k < 3*points; k++) point[k] = r->length*m->mesh_vert[3*m->mesh_vertadr[mesh] + k];
    for (int k = 0; k < 3*triangles; k++) triangle[k] = m->mesh_face[3*m->mesh_faceadr[mesh] + k];
    form->points = points, form->triangles = triangles;
    return MN_OK;
}

static mn_status read_form(BodyForm* form, const Reader* r, int g)
{
    static const BodyFormKind kind[] = {
        [mjGEOM_SPHERE] = FORM_BALL,       [mjGEOM_CAPSULE] = FORM_CAPSULE, [mjGEOM_ELLIPSOID] = FORM_ELLIPSOID,
        [mjGEOM_CYLINDER] = FORM_CYLINDER, [mjGEOM_BOX] = FORM_BOX,         [mjGEOM_MESH] = FORM_HULL};
    *form = (BodyForm){.kind = kind[r->m->geom_type[g]]};
    for (int d = 0; d < 3; d++) {
        form->center[d] = r->length*r->d->geom_xpos[3*g + d];
        form->size[d] = r->length*r->m->geom_size[3*g + d];
        for (int e = 0; e < 3; e++) form->rotation[d][e] = r->d->geom_xmat[9*g + 3*d + e];
    }
    return form->kind == FORM_HULL ? read_mesh(form, r, g) : MN_OK;
}

static mn_status read_body(MjcfBody* body, const Reader* r, int root)
{
    const mjModel* m = r->m;
    const char* name = mj_id2name(m, mjOBJ_BODY, root);
    double local[3], center[3];
    snprintf(body->name, sizeof body->name, "%s", name ? name : "");
    body->moves = root != 0;
    body->mass = r->mass*mujoco_welded_mass(local, m, r->d, root);
    mju_rotVecMat(center, local, r->d->xmat + 9*root);
    for (int d = 0; d < 3; d++) body->center[d] = r->length*(center[d] + r->d->xpos[3*root + d]);
    int* geom = malloc(sizeof *geom*(size_t)(m->ngeom + 1));
    int count = geom ? choose_geoms(geom, m, root) : 0;
    body->form = calloc((size_t)count + 1, sizeof *body->form);
    mn_status status = geom && body->form ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for bodies of %s", r->options->file);
    for (int k = 0; k < count && status == MN_OK; k++) {
        body->forms++;
        status = read_form(&body->form[k], r, geom[k]);
    }
    free(geom);
    return status;
}

static mn_status read_all(Reader* r)
{
    MjcfBodies* out = r->out;
    const mjModel* m = r->m;
    out->body = calloc((size_t)m->nbody, sizeof *out->body);
    out->actuator = calloc((size_t)m->nu + 1, sizeof *out->actuator);
    if (!out->body || !out->actuator) return mn_fail(MN_NO_MEMORY, "no memory for bodies of %s", r->options->file);
    mj_kinematics(m, r->d);
    for (int b = 0; b < m->nbody; b++)
        if (m->body_weldid[b] == b) TRY(read_body(&out->body[out->bodies++], r, b));
    for (int u = 0; u < m->nu; u++) {
        const char* name = mj_id2name(m, mjOBJ_ACTUATOR, u);
        snprintf(out->actuator[out->actuators++], sizeof *out->actuator, "%s", name ? name : "");
    }
    return MN_OK;
}

static mn_status read_job(void* what)
{
    Reader* r = what;
    MujocoWorld world = {.dim = r->dim, .options = r->options};
    world.units = mujoco_units(&world);
    r->length = world.units.length, r->mass = world.units.mass;
    TRY(mujoco_load(&r->m, &world));
    r->d = mj_makeData(r->m);
    return r->d ? read_all(r) : mn_fail(MN_NO_MEMORY, "no memory for bodies of %s", r->options->file);
}

mn_status mjcf_read(MjcfBodies* f, int dim, const MjcfOptions* o)
{
    assert(o->file);
    *f = (MjcfBodies){0};
    Reader r = {.out = f, .dim = dim, .options = o};
    mn_status status = mujoco_guarded(read_job, &r, MN_BAD_SCENE);
    if (r.d) mj_deleteData(r.d);
    if (r.m) mj_deleteModel(r.m);
    if (status != MN_OK) mjcf_free(f);
    return status;
}

void mjcf_free(MjcfBodies* f)
{
    for (int b = 0; b < f->bodies; b++) {
        for (int k = 0; k < f->body[b].forms; k++) {
            free((void*)f->body[b].form[k].point);
            free((void*)f->body[b].form[k].triangle);
        }
        free(f->body[b].form);
    }
    free(f->body), free(f->actuator);
    *f = (MjcfBodies){0};
}
