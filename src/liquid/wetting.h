// Which contact angle a liquid has on which wall or solid. Method and measurements: docs/contact.md.
#pragma once
#include "base/vec.h"
#include "grid/contact.h"
#include "liquid/liquid.h"

// Larger contact angles on bodies count as this, rad: from some 160 degrees on the surface wraps around curved skin within a
// cell, lines tremble, and a cylinder of 180 degrees lay 0.6 of its radius too deep. As 155 it lies 0.05 R too deep.
#define BODY_ANGLE_MOST (155*PI/180)

typedef struct Wetting {
    Contact contact;      // for the functions of grid/; refers to this struct
    ContactAngle walls;   // of the tank
    ContactAngle liquid;  // where nothing else is said
    const Solids* solids;
    double near;      // m: a place this near to a solid, or inside, is on it and not on a wall
    bool hysteresis;  // somewhere
} Wetting;

// The contact of a liquid with tank and solids; NULL where that is the even reflection (no tension, or 90 degrees everywhere).
// Points into *wet, which must stay in place, as must the solids.
const Contact* wetting_of(Wetting* wet, const Liquid* q, const Solids* solids, ContactAngle walls);

// May the liquid meet the tank's walls in lines of other angles than 90 degrees?
bool wetting_has_lines_on_walls(const Liquid* q, ContactAngle walls);

// The angle on the solid nearest to x (m); wet as wetting_of left it, whatever that gave.
ContactAngle wetting_of_solid(const Wetting* wet, const double x[3]);

// Cosine of the angle on the skin or wall of the tank that a droplet of this material at x (m) lies on, between receding and
// advancing the mean of both; -1, a whole ball, if it lies on none within `reach` (m).
double wetting_of_droplet(const LiquidMaterial* material, const double x[3], double reach, const Solids* solids, const Tank* tank,
                          ContactAngle walls);
