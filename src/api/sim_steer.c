// The public interface: what changes a simulation from outside (bodies, gravity, settings), saving and loading.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/sim_private.h"
#include "base/vec.h"
#include "output/body_row.h"
#include "output/checkpoint.h"
#include "rigid/rigid_steer.h"

// ---- bodies ----------------------------------------------------------------------------------------------------------------

int mn_sim_bodies(const mn_sim* s) { return s ? body_row_count(&s->sim) : 0; }

static mn_status body_number(RigidPartner** p, const mn_sim* s, int b, const char* call)
{
    int count = body_row_count(&s->sim);
    if (b < 0 || b >= count) return mn_fail(MN_BAD_ARGUMENT, "%s: there are %d bodies, asked for number %d", call, count, b);
    *p = rigid_partner_of(&s->sim.world);
    return MN_OK;
}

mn_status mn_sim_body(mn_sim* sim, int b, mn_body* body)
{
    static const char call[] = "mn_sim_body";
    RigidPartner* p = NULL;
    double twist[TWIST];
    NEED(sim, call);
    NEED(body, call);
    TRY(body_number(&p, sim, b, call));
    const RigidBody* from = &p->rigid.body[b];
    rigid_twist(twist, &p->rigid, b, p->rigid.v);
    *body = (mn_body){.name = from->name, .mass = from->mass, .contacts = p->report[b].contacts};
    rotation_quaternion(body->rotation, (const double(*)[3])from->rotation);
    for (int d = 0; d < 3; d++) body->center[d] = from->center[d], body->velocity[d] = twist[d], body->spin[d] = twist[3 + d];
    for (int k = 0; k < TWIST; k++) {
        body->pressure[k] = p->report[b].pressure[k], body->tension[k] = p->report[b].tension[k];
        body->friction[k] = p->report[b].friction[k];
    }
    return MN_OK;
}

// R of a quaternion of any length but 0.
static bool rotation_of(double R[3][3], const double q[4])
{
    double size = sqrt(q[0]*q[0] + vec_dot(q + 1, q + 1));
    if (!(size > 1e-6) || !isfinite(size)) return false;
    double w = q[0]/size, x = q[1]/size, y = q[2]/size, z = q[3]/size;
    double rows[3][3] = {{1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y)},
                         {2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x)},
                         {2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)}};
    memcpy(R, rows, sizeof rows);
    return true;
}

// In 2D what would leave the plane.
static bool stays_in_plane(const mn_sim* s, const double center[3], const double R[3][3], const double velocity[3],
                           const double spin[3])
{
    if (s->sim.model.tank.dim == 3) return true;
    return !(center && center[2] != 0) && !(R && fabs(R[2][2] - 1) > 1e-12) && !(velocity && velocity[2] != 0) &&
           !(spin && (spin[0] != 0 || spin[1] != 0));
}

mn_status mn_sim_set_body(mn_sim* sim, int b, const double center[3], const double rotation[4], const double velocity[3],
                          const double spin[3])
{
    static const char call[] = "mn_sim_set_body";
    RigidPartner* p = NULL;
    double R[3][3];
    NEED(sim, call);
    TRY(body_number(&p, sim, b, call));
    if ((center && !numbers_are_finite(center, 3)) || (velocity && !numbers_are_finite(velocity, 3)) ||
        (spin && !numbers_are_finite(spin, 3)) || (rotation && !rotation_of(R, rotation)))
        return mn_fail(MN_BAD_ARGUMENT, "%s: a place or velocity is not finite, or a rotation is no quaternion", call);
    if (!stays_in_plane(sim, center, rotation ? (const double(*)[3])R : NULL, velocity, spin))
        return mn_fail(MN_BAD_ARGUMENT, "%s: in 2D bodies stay in the plane z = 0 and turn about z", call);
    TRY(sim_changes(sim, call));
    BodyAim aim = {center, rotation ? (const double(*)[3])R : NULL, velocity, spin};
    mn_status status = rigid_steer(&sim->sim.world, b, &aim);
    mn_status rebuilt = center || rotation ? sim_rebuild(&sim->sim) : MN_OK;
    return status == MN_OK ? rebuilt : status;
}

static bool is_vector(const double v[3]) { return !v || numbers_are_finite(v, 3); }

// In 2D nothing acts across the plane.
static void take_plane(double wrench[TWIST], int dim)
{
    if (dim == 2) wrench[2] = wrench[3] = wrench[4] = 0;
}

mn_status mn_sim_force_body(mn_sim* sim, int b, const double force[3], const double torque[3])
{
    static const char call[] = "mn_sim_force_body";
    RigidPartner* p = NULL;
    double wrench[TWIST] = {0};
    NEED(sim, call);
    TRY(body_number(&p, sim, b, call));
    if (!is_vector(force) || !is_vector(torque)) return mn_fail(MN_BAD_ARGUMENT, "%s: a force is not finite", call);
    if (sim->stepping) return sim_changes(sim, call);
    if (force) memcpy(wrench, force, sizeof *force*3);
    if (torque) memcpy(wrench + 3, torque, sizeof *torque*3);
    take_plane(wrench, sim->sim.model.tank.dim);
    rigid_set_force(p, b, wrench);
    return MN_OK;
}

mn_status mn_sim_push_body(mn_sim* sim, int b, const double impulse[3], const double point[3])
{
    static const char call[] = "mn_sim_push_body";
    RigidPartner* p = NULL;
    double wrench[TWIST] = {0}, arm[3];
    NEED(sim, call);
    NEED(impulse, call);
    TRY(body_number(&p, sim, b, call));
    if (!is_vector(impulse) || !is_vector(point)) return mn_fail(MN_BAD_ARGUMENT, "%s: a push is not finite", call);
    if (sim->stepping) return sim_changes(sim, call);
    memcpy(wrench, impulse, sizeof *impulse*3);
    if (point) {
        vec_sub(arm, point, p->rigid.body[b].center);
        vec_cross(wrench + 3, arm, impulse);
    }
    take_plane(wrench, sim->sim.model.tank.dim);
    rigid_push(p, b, wrench);
    return MN_OK;
}

// ---- gravity and settings --------------------------------------------------------------------------------------------------

mn_status mn_sim_gravity(const mn_sim* sim, double gravity[3])
{
    NEED(sim, "mn_sim_gravity");
    NEED(gravity, "mn_sim_gravity");
    memcpy(gravity, sim->sim.model.settings.gravity, sizeof sim->sim.model.settings.gravity);
    return MN_OK;
}

mn_status mn_sim_set_gravity(mn_sim* sim, const double gravity[3])
{
    static const char call[] = "mn_sim_set_gravity";
    NEED(sim, call);
    NEED(gravity, call);
    if (!numbers_are_finite(gravity, 3)) return mn_fail(MN_BAD_ARGUMENT, "%s: gravity is not finite", call);
    if (sim->sim.model.tank.dim == 2 && gravity[2] != 0)
        return mn_fail(MN_BAD_ARGUMENT, "%s: in 2D gravity lies in the plane, got z = %g", call, gravity[2]);
    if (sim->stepping) return sim_changes(sim, call);
    memcpy(sim->sim.model.settings.gravity, gravity, sizeof sim->sim.model.settings.gravity);
    return MN_OK;
}

static mn_status set_number(double* out, const char* setting, const char* value, double most, bool may_be_infinite)
{
    char* end;
    double number = strtod(value, &end);
    if (end == value || *end || !(number > 0) || !(number <= most) || (isinf(number) && !may_be_infinite))
        return mn_fail(MN_BAD_ARGUMENT, "mn_sim_set: %s: expected a positive number%s", setting,
                       most == 3   ? ", at most 3"
                       : most == 1 ? ", below 1"
                                   : "");
    *out = number;
    return MN_OK;
}

static mn_status set_flag(bool* out, const char* setting, const char* value)
{
    bool yes = !strcmp(value, "true");
    if (!yes && strcmp(value, "false") != 0) return mn_fail(MN_BAD_ARGUMENT, "mn_sim_set: %s: expected true or false", setting);
    *out = yes;
    return MN_OK;
}

mn_status mn_sim_set(mn_sim* sim, const char* setting)
{
    NEED(sim, "mn_sim_set");
    NEED(setting, "mn_sim_set");
    SimSettings* s = &sim->sim.model.settings;
    const char* equals = strchr(setting, '=');
    size_t length = equals ? (size_t)(equals - setting) : 0;
    if (!equals) return mn_fail(MN_BAD_ARGUMENT, "mn_sim_set: expected name=value, got \"%.80s\"", setting);
    if (sim->stepping) return sim_changes(sim, "mn_sim_set");
    const char* value = equals + 1;
#define NAMED(name) (length == strlen(name) && !strncmp(setting, name, length))
    if (NAMED("cfl")) return set_number(&s->cfl, setting, value, 3, false);
    if (NAMED("tolerance")) return set_number(&s->tolerance, setting, value, nextafter(1, 0), false);
    if (NAMED("max_dt")) return set_number(&s->max_dt, setting, value, INFINITY, true);
    if (NAMED("slip")) return set_flag(&s->slip, setting, value);
    if (NAMED("unilateral")) return set_flag(&s->unilateral, setting, value);
#undef NAMED
    return mn_fail(MN_BAD_ARGUMENT, "mn_sim_set: \"%.80s\": expected cfl, tolerance, max_dt, slip or unilateral", setting);
}

// ---- saving and loading ----------------------------------------------------------------------------------------------------

mn_status mn_sim_save(mn_sim* sim, void** bytes, size_t* size)
{
    static const char call[] = "mn_sim_save";
    NEED(sim, call);
    NEED(bytes, call);
    NEED(size, call);
    Bytes file;
    TRY(checkpoint_bytes(&file, &sim->sim, &(CheckpointRun){.fingerprint = sim->scene.fingerprint, .frame = -1}, call));
    *bytes = file.data, *size = file.size;
    return MN_OK;
}

mn_status mn_sim_load(mn_sim* sim, const void* bytes, size_t size)
{
    static const char call[] = "mn_sim_load";
    NEED(sim, call);
    NEED(bytes, call);
    TRY(sim_changes(sim, call));
    CheckpointRun run = {.fingerprint = sim->scene.fingerprint};
    Bytes file = {.data = (char*)bytes, .size = size};  // only read
    return checkpoint_from_bytes(&sim->sim, &run, &file, call);
}

void mn_free(void* bytes) { free(bytes); }
