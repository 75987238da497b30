// In place of the other rigid_mujoco*.c where the build has found no MuJoCo.
#include "rigid/rigid_mujoco.h"

static mn_status absent(void)
{
    return mn_fail(MN_UNSUPPORTED,
                   "joints, MJCF files and bodies that collide need MuJoCo: install libmujoco-dev and build again");
}

bool rigid_mujoco_is_there(void) { return false; }

mn_status rigid_mujoco_start(Rigid* r, const Tank* tank, const BodyPlan* plan, int count, const MjcfOptions* o)
{
    (void)tank, (void)plan, (void)count, (void)o;
    *r = (Rigid){0};
    return absent();
}

mn_status mjcf_read(MjcfBodies* f, int dim, const MjcfOptions* o)
{
    (void)dim, (void)o;
    *f = (MjcfBodies){0};
    return absent();
}

void mjcf_free(MjcfBodies* f) { *f = (MjcfBodies){0}; }
