// Contact angles: the level set past walls and in solids, such that the surface meets them at a given angle.
//
// theta is measured through the liquid: 0 spreads, 90 degrees is an even reflection, 180 does not wet. With n out of the liquid
// and N out of the wall or solid (into the tank), n.N = cos(theta) on the contact line; as phi is a distance, d phi/dN =
// cos(theta) there. A solid's level set phi_s is > 0 outside it, so N = grad phi_s.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

//
// Hysteresis: the line rests where the angle lies between the receding and the advancing one, and moves at that end of the
// interval which it has come to. cos(theta) may then be anything from `cosine`, of the advancing angle, to cosine + slack, of the
// receding one; it is the one the surface has between the line and FIRST cells above it, held to that interval.
typedef struct Contact {
    double cosine, slack;  // where `at` is NULL
    // cos(theta) at a point x (m, in the tank) of a wall or solid with normal N; *slack comes as 0
    double (*at)(const void* user, double* slack, const double x[3], const double N[3]);
    const void* user;
} Contact;

// An angle below 45 degrees: a wedge of liquid that is thin for many cells (docs/contact.md, low angles).
bool contact_is_low(double cosine);

// Ghost nodes past the walls of the tank: phi(-t) = phi(t) - 2 t cos(theta) with t the distance from the wall. Third order when
// the surface does meet the wall at theta, whatever its curvature. Open sides: even reflection. contact NULL: nodes_reflect.
void nodes_contact(double* phi, const Window* w, const Contact* contact);

// phi inside solids, to `depth` (m): the parabola along the solid's normal that has the slope cos(theta) at its skin and goes
// through phi at two points of the liquid side. Ghosts of phi and phi_s must be filled; those of phi are filled again.
// held (may be NULL): with hysteresis, the field before the line could move.
mn_status contact_extend(double* phi, Arena* arena, const double* phi_s, const Spans* spans, const Window* w, double depth,
                         const Contact* contact, const double* held);

// Hysteresis on the walls of the tank, after phi has moved from `held`: nodes on a wall keep their old values where that makes an
// angle of the interval with the surface above, else the value that makes the end of it. Ghosts of phi are filled again.
mn_status contact_hold(double* phi, Arena* arena, const double* held, const Window* w, const Contact* contact);

// The angle the surface does make with walls and solids, from phi on the liquid's side of them alone.
typedef struct ContactPoint {
    double x[3];    // m, in the tank: on the contact line
    double N[3];    // out of the wall or solid
    double n[3];    // out of the liquid
    double cosine;  // n.N
    double wanted;  // cosine that `contact` asks for there; with hysteresis the nearest of its interval
} ContactPoint;

// One point per wall face of a cell (wall of the tank) or cut cell (solid; phi_s may be NULL) that the contact line crosses, in
// the order of the rows. Arena memory.
mn_status contact_points(ContactPoint** point, int* count, Arena* arena, const double* phi, const double* phi_s,
                         const Spans* spans, const Window* w, const Contact* contact);
