// Which contact angle a liquid has on which wall or solid. Method and measurements: docs/contact.md.
#pragma once
#include "grid/contact.h"
#include "liquid/liquid.h"

typedef struct Wetting {
    Contact contact;      // for the functions of grid/; refers to this struct
    Contact carried;      // see wetting_carried
    ContactAngle walls;   // of the tank
    ContactAngle liquid;  // where nothing else is said
    const Solids* solids;
    double near;      // m: a place this near to a solid, or inside, is on it and not on a wall
    bool hysteresis;  // somewhere
} Wetting;

// The contact of a liquid with tank and solids; NULL where that is the even reflection (no tension, or 90 degrees everywhere).
// Points into *wet, which must stay in place, as must the solids.
const Contact* wetting_of(Wetting* wet, const Liquid* q, const Solids* solids, ContactAngle walls);

// The same for whatever must leave the line where it is, advection and redistancing: where the wanted angle is a low one, any
// angle will do, and the surface goes on past the wall as it comes down to it. wet must come from a call of wetting_of that gave
// a contact.
const Contact* wetting_carried(Wetting* wet);

// The angle on the solid nearest to x (m); wet as wetting_of left it, whatever that gave.
ContactAngle wetting_of_solid(const Wetting* wet, const double x[3]);

// May the liquid's lines on the tank's walls be held (hysteresis)?
bool wetting_sticks_to_walls(const Liquid* q, ContactAngle walls);
