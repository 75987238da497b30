#include "liquid/wetting.h"

#include <math.h>

static ContactAngle said_or(ContactAngle said, ContactAngle otherwise) { return said.advancing > 0 ? said : otherwise; }

// At 90 degrees phi is reflected at the skin (grid/contact.h), and the kink of what is reflected drives the line. On walls and
// thick solids that does; on a wire of 1.3 to 3 cells what is reflected is read across it: it lay 0.6 cells too deep and
// trembled, and its line gained energy. Lines on bodies are pulled by their force at every angle: 90 degrees are 90 less so much,
// rad.
static const double BESIDE_RIGHT = 1e-6;

static bool is_right(ContactAngle a) { return fabs(a.advancing - 0.5*PI) < 1e-12 && !(a.receding < a.advancing); }

static ContactAngle angle_on(const Solid* s, ContactAngle liquid)
{
    ContactAngle a = said_or(s->contact_angle, liquid);
    if (s->body > 0) a.advancing = fmin(a.advancing, BODY_ANGLE_MOST), a.receding = fmin(a.receding, BODY_ANGLE_MOST);
    if (s->body > 0 && is_right(a)) a.advancing = a.receding = 0.5*PI - BESIDE_RIGHT;
    return a;
}

static double cosines(double* slack, ContactAngle a)
{
    double cosine = cos(a.advancing);
    *slack = a.receding < a.advancing ? cos(a.receding) - cosine : 0;
    return cosine;
}

// A wall of the tank that a solid stands on, at a place inside the solid or on its skin: off the wall along its normal N one
// stays as deep in the solid. (The walls' normals lie along the grid, to the bit.)
static bool is_foot(const Wetting* wet, const double x[3], const double N[3], double depth)
{
    double y[3], far = 5*wet->near;
    int which;
    if (fabs(N[0]) != 1 && fabs(N[1]) != 1 && fabs(N[2]) != 1) return false;
    for (int d = 0; d < 3; d++) y[d] = x[d] + far*N[d];
    return solids_distance(wet->solids, y, &which) - depth < 0.5*far;
}

ContactAngle wetting_of_solid(const Wetting* wet, const double x[3])
{
    int which = -1;
    solids_distance(wet->solids, x, &which);
    return which < 0 ? wet->liquid : angle_on(&wet->solids->solid[which], wet->liquid);
}

// A solid rules where the place is on its skin; elsewhere it is the tank's wall.
static double cosine_of_place(const void* user, double* slack, const double x[3], const double N[3])
{
    const Wetting* wet = user;
    int which = -1;
    double away = solids_distance_within(wet->solids, x, wet->near, &which);
    if (which >= 0 && is_foot(wet, x, N, away)) which = -1;
    return cosines(slack, which < 0 ? wet->walls : angle_on(&wet->solids->solid[which], wet->liquid));
}

static bool is_round_at(const void* user, const double x[3])
{
    const Wetting* wet = user;
    int which = -1;
    solids_wetted_distance(wet->solids, x, &which);
    return which >= 0 && wet->solids->solid[which].is_round;
}

bool wetting_has_lines_on_walls(const Liquid* q, ContactAngle walls)
{
    ContactAngle liquid = {q->material.contact_angle, q->material.contact_angle};
    return q->material.sigma > 0 && !is_right(said_or(walls, liquid));
}

// Sides of the window that no solid comes near to, if walls are met at 90 degrees: bits as Contact.right_sides.
static unsigned right_sides(const Wetting* wet, const Window* w)
{
    unsigned bits = 0;
    double low[3], high[3];
    if (!is_right(wet->walls)) return 0;
    window_position(low, w, 0, 0, 0), window_position(high, w, w->n[0], w->n[1], w->n[2]);
    for (int side = 0; side < 2*w->dim; side++) {
        double wall = side & 1 ? high[side/2] : low[side/2];
        if (solids_room_beside(wet->solids, side/2, wall) > wet->near) bits |= 1u << side;
    }
    return bits;
}

const Contact* wetting_of(Wetting* wet, const Liquid* q, const Solids* solids, ContactAngle walls)
{
    ContactAngle liquid = {q->material.contact_angle, q->material.contact_angle};
    *wet = (Wetting){.walls = said_or(walls, liquid), .liquid = liquid, .solids = solids, .near = 0.1*q->w.dx};
    if (!(q->material.sigma > 0)) return NULL;
    bool right = is_right(wet->walls), same = true, round = true;
    wet->hysteresis = wet->walls.receding < wet->walls.advancing;
    for (int m = 0; m < solids->count; m++) {
        if (solids->solid[m].keeps_off) continue;
        ContactAngle a = angle_on(&solids->solid[m], liquid);
        right = right && is_right(a), round = round && solids->solid[m].is_round;
        same = same && a.advancing == wet->walls.advancing && a.receding == wet->walls.receding;
        wet->hysteresis = wet->hysteresis || a.receding < a.advancing;
    }
    if (right) return NULL;
    wet->contact = (Contact){.user = wet, .has_bodies = solids_have_bodies(solids), .all_round = round, .is_round = is_round_at};
    if (same) wet->contact.cosine = cosines(&wet->contact.slack, wet->walls);
    else wet->contact.at = cosine_of_place, wet->contact.right_sides = right_sides(wet, &q->w);
    return &wet->contact;
}

static bool is_at_wall(const Tank* tank, const double x[3], double reach)
{
    for (int side = 0; side < 2*tank->dim; side++) {
        double away = side & 1 ? tank->n[side/2]*tank->dx - x[side/2] : x[side/2];
        if (tank->side[side] == SIDE_IS_WALL && away < reach) return true;
    }
    return false;
}

double wetting_of_droplet(const LiquidMaterial* material, const double x[3], double reach, const Solids* solids, const Tank* tank,
                          ContactAngle walls)
{
    ContactAngle liquid = {material->contact_angle, material->contact_angle}, a = said_or(walls, liquid);
    int which = -1;
    double slack, away = solids_distance(solids, x, &which);
    bool on_skin = which >= 0 && away < reach && !solids->solid[which].keeps_off;
    if (!on_skin && !is_at_wall(tank, x, reach)) return -1;
    if (on_skin) a = angle_on(&solids->solid[which], liquid);
    double cosine = cosines(&slack, a);
    return cosine + 0.5*slack;
}
