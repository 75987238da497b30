// From text to a model that is ready to be asked.
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include "base/readfile.h"
#include "base/vec.h"
#include "rigid/rigid_mujoco_private.h"

// ---- errors ----------------------------------------------------------------------------------------------------------------

// By itself MuJoCo writes MUJOCO_LOG.TXT, waits for a key and exits. Its handlers belong to the process and must not return; ours
// go back to the job of the thread. Without one the error is somebody else's, whose handler it gets.
static thread_local jmp_buf* way_back;
static thread_local char words[400];
static void (*other_handler)(const char*);

static void on_error(const char* text)
{
    if (way_back) {
        snprintf(words, sizeof words, "%s", text);
        longjmp(*way_back, 1);
    }
    if (other_handler) other_handler(text);
    abort();
}

// What warnings there are is counted in mjData too, and looked at there.
static void on_warning(const char* text) { (void)text; }

static void set_handlers(void)
{
    other_handler = mju_user_error;
    mju_user_error = on_error;
    if (!mju_user_warning) mju_user_warning = on_warning;
}

mn_status mujoco_guarded(mn_status (*job)(void* what), void* what, mn_status status)
{
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, set_handlers);
    assert(!way_back);
    jmp_buf here;
    way_back = &here;
    mn_status result = setjmp(here) ? mn_fail(status, "MuJoCo: %s", words) : job(what);
    way_back = NULL;
    return result;
}

// ---- the model -------------------------------------------------------------------------------------------------------------

bool mujoco_is_own(const mjModel* m, int type, int id)
{
    const char* name = mj_id2name(m, type, id);
    return name && strncmp(name, MUJOCO_OWN_PREFIX, strlen(MUJOCO_OWN_PREFIX)) == 0;
}

// In one line, without what MuJoCo adds at the ends. Of a file that is included MuJoCo does not tell lines: if it is bad by
// itself, what it says of it alone is better.
static mn_status refused(const MujocoWorld* w, char* error, int room)
{
    char first[1000];
    snprintf(first, sizeof first, "%s", error);
    mjModel* m = w->options->file ? mj_loadXML(w->options->file, NULL, error, room) : NULL;
    if (m || !w->options->file) snprintf(error, (size_t)room, "%s", first);
    if (m) mj_deleteModel(m);
    size_t size = strlen(error);
    while (size > 0 && strchr("\r\n ", error[size - 1])) error[--size] = 0;
    for (char* c = error; *c; c++)
        if (*c == '\n') *c = ' ';
    const char* hint = strstr(error, "mjMINVAL") ? " (1e-15; tiny bodies need a file in mm and mg)" : "";
    if (w->options->file) return mn_fail(MN_BAD_SCENE, "%s: MuJoCo: %s%s", w->options->file, error, hint);
    return mn_fail(MN_BAD_SCENE, "bodies: MuJoCo: %s", error);
}

// A file in memory whose folder is that of the MJCF file: what that includes, and its meshes, are looked for there.
static mn_status load_text(mjModel** m, const MujocoWorld* w, const char* text)
{
    static const char name[] = "meniscus_world.xml";
    const char* file = w->options->file ? w->options->file : "";
    const char* slash = strrchr(file, '/');
    size_t folder = slash ? (size_t)(slash - file) + 1 : 0, size = strlen(text);
    char error[1000] = "";
    mjVFS* vfs = malloc(sizeof *vfs);  // 2 MB
    char* path = malloc(folder + sizeof name);
    mn_status status = vfs && path ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for a model of MuJoCo");
    if (status == MN_OK) {
        memcpy(path, file, folder), memcpy(path + folder, name, sizeof name);
        mj_defaultVFS(vfs);
        if (mj_makeEmptyFileVFS(vfs, name, (int)size) == 0) {
            memcpy(vfs->filedata[mj_findFileVFS(vfs, name)], text, size);
            *m = mj_loadXML(path, vfs, error, sizeof error);
        }
        mj_deleteVFS(vfs);
        if (!*m) status = refused(w, error, sizeof error);
    }
    free(vfs), free(path);
    return status;
}

// ---- where the file stands -------------------------------------------------------------------------------------------------

typedef struct Place {
    mjtNum position[3], quaternion[4];
} Place;

static void put(mjtNum pos[3], mjtNum quat[4], const Place* p)
{
    mjtNum x[3], q[4];
    mju_rotVecQuat(x, pos, p->quaternion);
    mju_mulQuat(q, p->quaternion, quat);
    mju_add3(pos, x, p->position), mju_copy4(quat, q);
}

// Bodies that hang on the world alone, and what belongs to the world, go where the file's origin goes.
static void put_file(mjModel* m, const Place* p)
{
    for (int b = 1; b < m->nbody; b++) {
        if (m->body_parentid[b] != 0 || mujoco_is_own(m, mjOBJ_BODY, b)) continue;
        put(m->body_pos + 3*b, m->body_quat + 4*b, p);
        int joint = m->body_jntadr[b];
        if (joint < 0 || m->jnt_type[joint] != mjJNT_FREE) continue;
        int at = m->jnt_qposadr[joint];
        put(m->qpos0 + at, m->qpos0 + at + 3, p), put(m->qpos_spring + at, m->qpos_spring + at + 3, p);
    }
    for (int g = 0; g < m->ngeom; g++) {
        if (m->geom_bodyid[g] != 0 || mujoco_is_own(m, mjOBJ_GEOM, g)) continue;
        put(m->geom_pos + 3*g, m->geom_quat + 4*g, p);
        m->geom_sameframe[g] = 0;
    }
    for (int s = 0; s < m->nsite; s++) {
        if (m->site_bodyid[s] != 0) continue;
        put(m->site_pos + 3*s, m->site_quat + 4*s, p);
        m->site_sameframe[s] = 0;
    }
}

static mn_status put_where_it_stands(mjModel* m, const MujocoWorld* w)
{
    const MjcfOptions* o = w->options;
    Place place;
    mjtNum R[9];
    bool turned = false;
    for (int d = 0; d < 9; d++) R[d] = o->rotation[d/3][d%3], turned = turned || R[d] != 0;
    for (int d = 0; d < 3; d++) place.position[d] = o->origin[d]/w->units.length;
    mju_unit4(place.quaternion);
    if (turned) mju_mat2Quat(place.quaternion, R);
    if (!turned && vec_norm(o->origin) == 0) return MN_OK;
    put_file(m, &place);
    mjData* d = mj_makeData(m);
    if (!d) return mn_fail(MN_NO_MEMORY, "no memory for bodies of MuJoCo");
    mj_setConst(m, d);
    mj_deleteData(d);
    return MN_OK;
}

// ---- checks ----------------------------------------------------------------------------------------------------------------

// Settings of a file hold for the whole world; some would make other bodies of those the scene asks for.
static mn_status check_plans(const mjModel* m, const MujocoWorld* w)
{
    for (int b = 0; b < w->plans; b++) {
        char name[64];
        snprintf(name, sizeof name, MUJOCO_BODY_NAME, b);
        int id = mj_name2id(m, mjOBJ_BODY, name);
        const BodyPlan* p = &w->plan[b];
        bool same =
            id > 0 && fabs(m->body_mass[id]*w->units.mass - p->mass) < 1e-9*p->mass && mju_norm3(m->body_ipos + 3*id) == 0;
        if (!same)
            return mn_fail(MN_BAD_SCENE,
                           "%s: its <compiler> settings change body '%s' of the scene (coordinate, inertiafromgeom, "
                           "settotalmass, fusestatic): leave them out",
                           w->options->file ? w->options->file : "bodies", p->name);
    }
    return MN_OK;
}

// In 2D everything stays in its plane: slides along it, hinges across it.
static mn_status check_plane(const mjModel* m, const mjData* d, const MujocoWorld* w)
{
    for (int j = 0; j < m->njnt && w->dim == 2; j++) {
        const mjtNum* axis = d->xaxis + 3*j;
        bool fine = (m->jnt_type[j] == mjJNT_SLIDE && fabs(axis[2]) < 1e-9) ||
                    (m->jnt_type[j] == mjJNT_HINGE && fabs(axis[2]) > 1 - 1e-9);
        const char* name = mj_id2name(m, mjOBJ_JOINT, j);
        if (!fine)
            return mn_fail(MN_BAD_SCENE, "%s: joint '%s' leaves the plane: in 2D there are slides in x and y and hinges about z",
                           w->options->file ? w->options->file : "bodies", name ? name : "without a name");
    }
    return MN_OK;
}

static mn_status check(mjModel* m, const MujocoWorld* w)
{
    TRY(check_plans(m, w));
    mjData* d = mj_makeData(m);
    if (!d) return mn_fail(MN_NO_MEMORY, "no memory for bodies of MuJoCo");
    mj_kinematics(m, d);
    mn_status status = check_plane(m, d, w);
    mj_deleteData(d);
    return status;
}

// Ours is the only liquid, gravity comes with the step, contacts never ask for more than 2 dt allows. With one contact for a pair
// of hulls, faces that meet would tip over it: the scene's bodies get all of them.
static void set_options(mjModel* m, const MujocoWorld* w)
{
    for (int g = 0; g < m->ngeom; g++)
        if (!mujoco_is_own(m, mjOBJ_GEOM, g) && (m->geom_contype[g] || m->geom_conaffinity[g]))
            m->geom_contype[g] |= MUJOCO_FILE_BIT;
    m->opt.density = m->opt.viscosity = 0;
    m->opt.integrator = mjINT_EULER, m->opt.cone = mjCONE_PYRAMIDAL, m->opt.jacobian = mjJAC_DENSE;
    m->opt.solver = mjSOL_NEWTON, m->opt.noslip_iterations = 0, m->opt.iterations = 100, m->opt.tolerance = 1e-12;
    m->opt.disableflags &= ~(mjDSBL_GRAVITY | mjDSBL_REFSAFE | mjDSBL_WARMSTART);
    m->opt.enableflags = (w->plans > 0 ? mjENBL_MULTICCD : m->opt.enableflags & mjENBL_MULTICCD) | mjENBL_ENERGY;
}

mn_status mujoco_load(mjModel** m, const MujocoWorld* w)
{
    *m = NULL;
    if (w->options->file) TRY(file_is_plain(w->options->file, "an MJCF file"));
    char* text;
    TRY(mujoco_text(&text, w));
    mn_status status = load_text(m, w, text);
    free(text);
    if (status == MN_OK) set_options(*m, w);
    if (status == MN_OK) status = put_where_it_stands(*m, w);
    if (status == MN_OK) status = check(*m, w);
    if (status != MN_OK && *m) mj_deleteModel(*m), *m = NULL;
    return status;
}
