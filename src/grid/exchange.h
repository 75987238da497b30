// Ghosts: what fields hold past the sides of their window. Every refill goes through `exchange`, so that a window that ends
// beside another one (on another machine) has one place to get its values from. On one machine there is only the tank around a
// window: ghosts past its sides follow from the values inside by a rule; past sides within the tank nothing is filled.
#pragma once
#include "grid/window.h"

typedef struct Contact Contact;          // grid/contact.h
typedef struct WallColumns WallColumns;  // grid/contact.h

// Where a field's values lie. Faces come first, so that a place is also the axis across.
typedef enum Place { ON_FACES_X, ON_FACES_Y, ON_FACES_Z, ON_NODES, IN_CELLS } Place;

// What lies past a side of the tank.
typedef enum SideRule {
    RULE_EVEN,     // the mirror image: a free surface meets a wall at 90 degrees; along walls it is free slip
    RULE_CONTACT,  // of a level set: past walls it goes on at the contact angle (contact.h), else as RULE_EVEN
    // of faces: odd across walls and mirrors, about the wall's own value where it points into the window; even across open sides
    // (values are carried on) and along all of them
    RULE_NO_FLOW
} SideRule;

typedef struct FieldRef {
    double* v;
    Place place;
    SideRule rule;
    const Contact* contact;  // of RULE_CONTACT; NULL: 90 degrees everywhere
    WallColumns* columns;    // as well; NULL: all ghosts are made anew
} FieldRef;

// Of what survives a step, and of what many read: whoever comes next may read all that the window has.
enum { EVERY_LAYER = 1 << 20 };

// Fills `width` layers of ghosts, at most w->ghost, of `count` fields: as many as the next reader needs, which says so beside
// its prototype (..._READS). In builds with asserts the layers past width become NaN on the sides of the tank, so that a
// reader that goes past its reach is found out.
void exchange(const Window* w, const FieldRef* field, int count, int width);

// The common cases: nodes by RULE_EVEN, the components of a velocity by RULE_NO_FLOW. Level sets: levelset_exchange (contact.h).
static inline void nodes_exchange(double* v, const Window* w, int width)
{
    exchange(w, &(FieldRef){.v = v, .place = ON_NODES, .rule = RULE_EVEN}, 1, width);
}
static inline void faces_exchange(double* const u[3], const Window* w, int width)
{
    FieldRef face[3];
    for (int d = 0; d < w->dim; d++) face[d] = (FieldRef){.v = u[d], .place = (Place)d, .rule = RULE_NO_FLOW};
    exchange(w, face, w->dim, width);
}

// One component of a velocity and a mark per face of it (how it became known), `width` faces deep past mirrors only: walls and
// open sides end the layers of facelayers.h, whose values are not known yet where they lie.
void marked_faces_exchange(double* u, unsigned char* mark, const Window* w, int axis, int width);
