// Contacts with solids that MuJoCo knows nothing of, from points of skins (rigid_skin.h). Solids that move take bodies along.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "rigid/rigid_mujoco_private.h"

// The geom of a body that contacts are named after; -1: it meets nothing.
static int geom_of(const MujocoEngine* e, int root)
{
    const mjModel* m = e->m;
    for (int g = 0; g < m->ngeom; g++) {
        bool meets = e->own_geom[g] || (m->geom_contype[g] & MUJOCO_FILE_BIT);
        if (meets && m->body_weldid[m->geom_bodyid[g]] == root) return g;
    }
    return -1;
}

// Axes of a contact: the normal, and two square to it; in 2D the last is z.
static void frame_of(mjtNum frame[9], const double n[3])
{
    double other[3] = {0, 0, 1}, tangent[3], last[3];
    if (fabs(n[2]) > 0.5) other[1] = 1, other[2] = 0;
    vec_cross(tangent, other, n);
    double norm = vec_norm(tangent);
    for (int d = 0; d < 3; d++) tangent[d] /= norm;
    vec_cross(last, n, tangent);
    for (int d = 0; d < 3; d++) frame[d] = n[d], frame[3 + d] = tangent[d], frame[6 + d] = last[d];
}

static mn_status note_velocity(MujocoEngine* e, const double velocity[3])
{
    if (e->touches == e->touch_room) {
        int room = 2*e->touch_room + 32;
        MujocoTouch* more = realloc(e->touch, sizeof *more*(size_t)room);
        if (!more) return mn_fail(MN_NO_MEMORY, "no memory for contacts of bodies");
        e->touch = more, e->touch_room = room;
    }
    MujocoTouch* t = &e->touch[e->touches++];
    t->contact = e->d->ncon;
    for (int d = 0; d < 3; d++) t->velocity[d] = velocity[d]/e->units.length;
    return MN_OK;
}

static mn_status add_contact(MujocoEngine* e, const SkinTouch* touch, int geom)
{
    const mjModel* m = e->m;
    int solid = e->skin_geom;
    double friction = fmax(m->geom_friction[3*geom], m->geom_friction[3*solid]);
    mjContact c = {.dist = touch->distance/e->units.length, .dim = friction > 0 ? 3 : 1, .geom1 = solid, .geom2 = geom};
    c.friction[0] = c.friction[1] = friction;
    c.efc_address = -1;
    memcpy(c.solref, m->geom_solref + mjNREF*solid, sizeof c.solref);
    memcpy(c.solimp, m->geom_solimp + mjNIMP*solid, sizeof c.solimp);
    for (int d = 0; d < 3; d++) c.pos[d] = (touch->place[d] - 0.5*touch->distance*touch->normal[d])/e->units.length;
    frame_of(c.frame, touch->normal);
    TRY(note_velocity(e, touch->velocity));
    mj_addContact(m, e->d, &c);  // where it is full, all is made again with more room
    return MN_OK;
}

// m: what nothing of a body gets past in the step, as far as to where contacts are looked for.
static double reach_of(const Rigid* r, const RigidStep* s, int body, const Solid* solid, double size)
{
    const MujocoEngine* e = r->self;
    double twist[TWIST], velocity[3];
    rigid_twist(twist, r, body, r->v);
    solid_velocity_at(velocity, solid, r->body[body].center);
    double speed = vec_norm(twist) + size*vec_norm(twist + 3) + vec_norm(velocity) + size*vec_norm(solid->spin);
    return (1 + 0.1)*e->flat_margin*e->units.length + 2*s->dt*(speed + s->dt*vec_norm(s->acceleration));
}

mn_status mujoco_skin_contacts(Rigid* r, const RigidStep* s)
{
    MujocoEngine* e = r->self;
    e->touches = 0;
    for (int k = 0; s->solids && k < s->solids->count; k++) {
        const Solid* solid = &s->solids->solid[k];
        for (int b = 0; b < r->bodies && solid->meets_skin; b++) {
            SkinTouch touch[SKIN_TOUCHES];
            int geom = geom_of(e, e->root[b]);
            double size = rigid_skin_size(&r->body[b]), reach = reach_of(r, s, b, solid, size);
            if (geom < 0 || solid_distance_to(solid, r->body[b].center) > size + reach) continue;
            double* distance = malloc(sizeof *distance*((size_t)r->body[b].skin_points + 1));
            if (!distance) return mn_fail(MN_NO_MEMORY, "no memory for contacts of bodies");
            int count = rigid_skin_touches(touch, distance, r, b, solid, reach);
            free(distance);
            for (int m = 0; m < count; m++) TRY(add_contact(e, &touch[m], geom));
        }
    }
    return MN_OK;
}

// Speed of the solid along one row of a contact: along n, or along n + mu t and n - mu t in turn.
static double solid_speed(const mjContact* c, const double velocity[3], int row)
{
    double speed = vec_dot(c->frame, velocity);
    if (c->dim == 1) return speed;
    return speed + (row%2 ? -1 : 1)*c->friction[row/2]*vec_dot(c->frame + 3 + 3*(row/2), velocity);
}

double mujoco_skin_speed(const MujocoEngine* e, int contact, int row)
{
    for (int k = 0; k < e->touches; k++)
        if (e->touch[k].contact == contact) return solid_speed(&e->d->contact[contact], e->touch[k].velocity, row);
    return 0;
}

// A solid that moves at V gives V.(impulse): where it hits a body, more than that gains.
double mujoco_skin_work(const MujocoEngine* e, const double* v)
{
    double sum = 0;
    for (int k = 0; k < e->touches; k++) {
        const mjContact* c = &e->d->contact[e->touch[k].contact];
        for (int row = 0; c->efc_address >= 0 && row < mujoco_rows_of(c); row++) {
            int at = c->efc_address + row;
            sum -= mujoco_row_impulse(e, at, mujoco_row_speed(e, at, v))*solid_speed(c, e->touch[k].velocity, row);
        }
    }
    return sum;
}
