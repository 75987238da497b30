#include "rigid/rigid_books.h"

#include "base/vec.h"

double rigid_energy(const void* self, const Model* model, const World* world)
{
    const RigidPartner* p = self;
    double low[3] = {0, 0, 0};
    (void)world;
    // heights are those over the lowest corner of the tank, as the liquids' are
    for (int d = 0; d < model->tank.dim; d++) low[d] = model->settings.gravity[d] > 0 ? model->tank.n[d]*model->tank.dx : 0;
    return p->rigid.engine->energy(&p->rigid, model->settings.gravity, low);
}

double rigid_work(const void* self) { return ((const RigidPartner*)self)->work; }

// J: of its spin, in its own axes.
static double energy_of_spin(const RigidBody* body, const double spin[3])
{
    double w[3] = {0, 0, 0}, sum = 0;
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 3; k++) w[d] += body->rotation[k][d]*spin[k];
    for (int d = 0; d < 3; d++) sum += 0.5*w[d]*vec_dot(body->inertia[d], w);
    return sum;
}

void rigid_motion(double momentum[3], double* kinetic, const void* self)
{
    const RigidPartner* p = self;
    for (int b = 0; b < p->rigid.bodies; b++) {
        double twist[TWIST], mass = p->rigid.body[b].mass;
        rigid_twist(twist, &p->rigid, b, p->rigid.v);
        for (int d = 0; d < 3; d++) momentum[d] += mass*twist[d], *kinetic += 0.5*mass*twist[d]*twist[d];
        *kinetic += energy_of_spin(&p->rigid.body[b], twist + 3);
    }
}
