// Bodies as a scene asks for them, before an engine has made them move.
#pragma once
#include "rigid/rigid.h"

// What a body is for other bodies and for walls: one or more of these, in the frame its shape is given in.
typedef enum BodyFormKind { FORM_BALL, FORM_BOX, FORM_CAPSULE, FORM_CYLINDER, FORM_ELLIPSOID, FORM_HULL } BodyFormKind;

typedef struct BodyForm {
    BodyFormKind kind;
    double center[3];       // m
    double rotation[3][3];  // of its own axes; capsules and cylinders stand along their z
    double size[3];         // m: radius; half edges; radius and half length of the straight part; half axes
    const double* point;    // m, 3 each: of the hull, in the axes and from the centre above; borrowed
    int points;
    const int* triangle;  // 3 points each, outwards; NULL: the hull is all that is known of it; borrowed
    int triangles;
} BodyForm;

// Ways of moving that are fixed, a bit each: along x, y, z, about x, y, z.
enum { FIXED_X = 1, FIXED_Y = 2, FIXED_Z = 4, FIXED_TURN_X = 8, FIXED_TURN_Y = 16, FIXED_TURN_Z = 32 };

typedef struct BodyPlan {
    char name[64];
    int solid;             // of World.solids, in its rest pose; -1: none
    double mass;           // kg (2D: kg/m), > 0
    double volume;         // m^3 (2D: m^2) that it displaces when it is covered; 0: not known
    double center[3];      // m, of mass
    double inertia[3][3];  // kg m^2 (2D: kg m, about z only), about the centre, along the tank's axes
    bool is_round;         // a disc or a ball
    double thickness;      // m, 2 R of a wire, of its thickest part. The liquid sees thin ones thicker; 0: not said
    double velocity[3];    // m/s, of the centre at the start
    double spin[3];        // rad/s
    unsigned fixed;        // FIXED_...
    double friction;       // where it touches something; of two the larger holds
    const BodyForm* form;  // borrowed; also by the engine, for the life of the simulation
    int forms;
    const double* skin;  // m, 3 each: points of its skin about a cell apart, in the frame of its shape; borrowed likewise
    int skin_points;
} BodyPlan;
