#include "liquid/wetting.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

static ContactAngle said_or(ContactAngle said, ContactAngle otherwise) { return said.advancing > 0 ? said : otherwise; }

static double cosines(double* slack, ContactAngle a)
{
    double cosine = cos(a.advancing);
    *slack = a.receding < a.advancing ? cos(a.receding) - cosine : 0;
    return cosine;
}

ContactAngle wetting_of_solid(const Wetting* wet, const double x[3])
{
    int which = -1;
    solids_distance(wet->solids, x, &which);
    return which < 0 ? wet->liquid : said_or(wet->solids->solid[which].contact_angle, wet->liquid);
}

// A solid rules where the place is on its skin; elsewhere it is the tank's wall.
static double cosine_of_place(const void* user, double* slack, const double x[3], const double N[3])
{
    const Wetting* wet = user;
    (void)N;
    int which = -1;
    if (wet->solids->count == 0 || !(solids_distance(wet->solids, x, &which) < wet->near)) which = -1;
    return cosines(slack, which < 0 ? wet->walls : said_or(wet->solids->solid[which].contact_angle, wet->liquid));
}

static bool is_right(ContactAngle a) { return fabs(a.advancing - 0.5*PI) < 1e-12 && !(a.receding < a.advancing); }

bool wetting_sticks_to_walls(const Liquid* q, ContactAngle walls)
{
    // a liquid by itself has one angle, so only walls that were told two can hold its line
    return q->material.sigma > 0 && walls.advancing > 0 && walls.receding < walls.advancing;
}

const Contact* wetting_of(Wetting* wet, const Liquid* q, const Solids* solids, ContactAngle walls)
{
    ContactAngle liquid = {q->material.contact_angle, q->material.contact_angle};
    *wet = (Wetting){.walls = said_or(walls, liquid), .liquid = liquid, .solids = solids, .near = 0.1*q->w.dx};
    if (!(q->material.sigma > 0)) return NULL;
    bool right = is_right(wet->walls), same = true;
    wet->hysteresis = wet->walls.receding < wet->walls.advancing;
    for (int m = 0; m < solids->count; m++) {
        if (solids->solid[m].keeps_off) continue;
        ContactAngle a = said_or(solids->solid[m].contact_angle, liquid);
        right = right && is_right(a);
        same = same && a.advancing == wet->walls.advancing && a.receding == wet->walls.receding;
        wet->hysteresis = wet->hysteresis || a.receding < a.advancing;
    }
    if (right) return NULL;
    wet->contact = (Contact){.user = wet};
    if (same) wet->contact.cosine = cosines(&wet->contact.slack, wet->walls);
    else wet->contact.at = cosine_of_place;
    return &wet->contact;
}

static double cosine_when_carried(const void* user, double* slack, const double x[3], const double N[3])
{
    const Contact* c = &((const Wetting*)user)->contact;
    *slack = c->slack;
    double cosine = c->at ? c->at(c->user, slack, x, N) : c->cosine;
    if (*slack > 0 || !contact_is_low(cosine)) return cosine;
    *slack = 2;  // from -1 to 1
    return -1;
}

const Contact* wetting_carried(Wetting* wet)
{
    assert(wet->contact.user == wet);  // it has a contact, and has not been moved since
    wet->carried = wet->contact;
    if (wet->contact.at || contact_is_low(wet->contact.cosine)) wet->carried = (Contact){.at = cosine_when_carried, .user = wet};
    return &wet->carried;
}
