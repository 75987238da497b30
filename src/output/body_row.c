#include "output/body_row.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include "base/vec.h"
#include "rigid/rigid_partner.h"

int body_row_count(const Sim* sim)
{
    const RigidPartner* p = rigid_partner_of(&sim->world);
    return p ? p->rigid.bodies : 0;
}

// From the largest of the four squares, so that nothing cancels:
//     4 w^2 = 1 + R_xx + R_yy + R_zz,  4 x^2 = 1 + R_xx - R_yy - R_zz, ...;  4 w x = R_zy - R_yz,  4 x y = R_xy + R_yx, ...
void rotation_quaternion(double q[4], const double R[3][3])
{
    double square[4] = {1 + R[0][0] + R[1][1] + R[2][2], 1 + R[0][0] - R[1][1] - R[2][2], 1 - R[0][0] + R[1][1] - R[2][2],
                        1 - R[0][0] - R[1][1] + R[2][2]};
    int most = 0;
    for (int k = 1; k < 4; k++)
        if (square[k] > square[most]) most = k;
    double own = sqrt(square[most])/2;
    for (int k = 0; k < 4; k++) {
        int a = (most == 0 ? k : most) - 1;  // the axis among the two, or the first of two axes
        if (k == most) q[k] = own;
        else if (k == 0 || most == 0) q[k] = (R[(a + 2)%3][(a + 1)%3] - R[(a + 1)%3][(a + 2)%3])/(4*own);
        else q[k] = (R[a][k - 1] + R[k - 1][a])/(4*own);
    }
    if (q[0] < 0)
        for (int k = 0; k < 4; k++) q[k] = -q[k];
}

void rotation_vector(double out[3], const double R[3][3])
{
    double q[4];
    rotation_quaternion(q, R);
    double sine = vec_norm(q + 1), scale = sine > 1e-12 ? 2*atan2(sine, q[0])/sine : 2;
    for (int d = 0; d < 3; d++) out[d] = scale*q[1 + d];
}

// (m v^2 + w I w)/2 with I = R I_rest R^T, J
static double kinetic_energy(const RigidBody* body, const double twist[TWIST])
{
    double own[3] = {0, 0, 0}, twice = body->mass*vec_dot(twist, twist);
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) own[d] += body->rotation[e][d]*twist[3 + e];
    for (int d = 0; d < 3; d++) twice += own[d]*vec_dot(body->inertia[d], own);
    return 0.5*twice;
}

static void add_vector(Columns* c, const char* before, const char* const after[3], const double v[3])
{
    for (int d = 0; d < 3; d++) {
        char name[COLUMN_NAME];
        snprintf(name, sizeof name, "%s%s", before, after[d]);
        columns_real(c, name, v[d]);
    }
}

static const char* const xyz[3] = {"x", "y", "z"};

static void add_wrench(Columns* c, const char* what, const double wrench[TWIST])
{
    char name[COLUMN_NAME];
    snprintf(name, sizeof name, "%s_f", what);
    add_vector(c, name, xyz, wrench);
    snprintf(name, sizeof name, "%s_t", what);
    add_vector(c, name, xyz, wrench + 3);
}

void body_columns(Columns* c, const Sim* sim, int b, int frame)
{
    static const RigidBody nobody = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const RigidPartner* p = b < 0 ? NULL : rigid_partner_of(&sim->world);
    const RigidBody* body = p ? &p->rigid.body[b] : &nobody;
    BodyReport report = p ? p->report[b] : (BodyReport){0};
    double twist[TWIST] = {0}, turned[3], q[4];
    if (p) rigid_twist(twist, &p->rigid, b, p->rigid.v);
    rotation_vector(turned, body->rotation);
    rotation_quaternion(q, body->rotation);
    columns_clear(c);
    columns_whole(c, "frame", frame);
    columns_real(c, "t", sim->world.time);
    columns_text(c, "name", body->name);
    add_vector(c, "c", xyz, body->center);
    add_vector(c, "r", xyz, turned);
    columns_real(c, "qw", q[0]);
    add_vector(c, "q", xyz, q + 1);
    add_vector(c, "v", xyz, twist);
    add_vector(c, "w", xyz, twist + 3);
    add_wrench(c, "pressure", report.pressure);
    add_wrench(c, "tension", report.tension);
    add_wrench(c, "friction", report.friction);
    columns_whole(c, "contacts", report.contacts);
    columns_whole(c, "wetted", report.wetted);
    columns_whole(c, "lines", report.lines);
    columns_real(c, "kinetic_energy", p ? kinetic_energy(body, twist) : 0);
    assert(c->failed || columns_is_valid(c));
}
