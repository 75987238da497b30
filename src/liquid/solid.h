// Solids the liquid flows around: signed distances that stand still or move by a script, as seen by the liquid.
#pragma once
#include "base/arena.h"
#include "base/state.h"
#include "grid/sheetcut.h"
#include "grid/spans.h"
#include "solve/pressure.h"

// Pose: x = rotation (x_rest - pivot) + pivot + position. A solid that changes its form has another shape at each time.
typedef struct Pose {
    double position[3];
    double rotation[3][3];
    const void* shape;  // NULL: the solid's own. Borrowed while it is this pose's or that of the step before
    double time;        // s, of that shape
} Pose;

// How the surface of a solid that changes its form has come from one of its shapes to another, in the rest frame.
typedef struct SolidForm {
    void (*shift)(double out[3], const void* now, const void* before, const double x[3]);  // m, of the point nearest to x
    double (*longest_shift)(const void* now, const void* before);                          // m, of any point
} SolidForm;

// Angle between surface and solid, through the liquid (rad): it rests between the two, which may be the same.
typedef struct ContactAngle {
    double advancing, receding;  // advancing <= 0: the liquid's own
} ContactAngle;

typedef struct Solid {
    char name[64];
    double (*distance)(const void* shape, const double x[3]);  // m, < 0 inside, in the rest frame
    const void* shape;                                         // borrowed for the life of the simulation
    bool moving;
    const SolidForm* form;     // NULL: rigid
    const void* shape_before;  // of the step before, at time_before (s)
    double time_before;
    double pivot[3];  // m, rest frame
    double thicker;   // m: liquids see it thicker than its shape by so much, all around (rigid/rigid_thin.h)
    double reach;     // m, from the pivot to the shape's farthest point; 0: unknown
    ContactAngle contact_angle;
    // The body that it follows, from 1 (rigid/rigid_partner.h); 0: it stands still or moves by a script. A body's velocity comes
    // out of the pressure solve, in which it is an unknown.
    int body;
    bool is_round;    // balls and capsules: no two of its faces meet in an edge, however small it is
    bool meets_skin;  // bodies meet it point by point (rigid/rigid_skin.h): contacts know no form of it
    // of bodies: mass (kg) and inverse of the inertia about the pivot (1/(kg m^2), rest frame); what spray has given it since the
    // last step, kg m/s and kg m^2/s about the pivot
    double mass, inverse_inertia[3][3], hit[6];
    // No liquid touches it: a partner holds them off (liquid/partner.h), and the liquid's grid knows nothing of it.
    bool keeps_off;
    Pose pose;           // at the current time
    double velocity[3];  // m/s of the pivot
    double spin[3];      // rad/s
} Solid;

// Balls around some of the solids, one array per number: all are asked at once how near they can be. count 0: none of them.
typedef struct Balls {
    int count;
    int* of;                    // which solid
    double *x, *y, *z, *reach;  // m: middle, and radius; INFINITY: it has no end
} Balls;

// Boxes around the balls, and for each the balls that can be the nearest to a point in it (solid_boxes.c). Owned memory.
typedef struct BallBoxes {
    bool ready;
    double low[3], wide[3];  // m: corner of the first, size of each
    int n[3];
    int *first, *ball;  // per box, where its list begins
    int boxes, room;    // there is memory for
} BallBoxes;

typedef struct Solids {
    Solid* solid;  // owned
    int count;
    bool any_moving;
    const SheetSurface* sheets;          // of no thickness, all in one mesh, where they are now; NULL: none. Borrowed
    struct MovingSheets* moving_sheets;  // owned: `sheets` are its surface (liquid/sheet_motion.h); NULL: all stand still
    // Of their present places, by solids_moved; rebuilt, no state
    Balls all, wet_movers, wet_still;  // wet: liquids touch them
    double* ball_block;                // owned
    BallBoxes boxes;                   // of all
    long moves;                        // goes up with every solids_moved; 0: nobody has called it, and there are no balls
} Solids;

void solids_free(Solids* s);
// To be called after solids have got new places. Without it all is as with it, but every solid is asked for its distance.
void solids_moved(Solids* s);
bool solids_balls_agree(const Solids* s);             // has it been called? For asserts
void ballboxes_build(BallBoxes* b, const Solids* s);  // where memory is out, or there are few solids, there are none
void ballboxes_free(BallBoxes* b);
// Numbers, in `all`, of the balls that can be the nearest to x, in their order; NULL: not known, all of them can.
const int* ballboxes_at(int* count, const BallBoxes* b, const double x[3]);
// Where they are and how they move; their number is the scene's.
mn_status solids_visit(Solids* s, StateVisitor* v);
// Each with a shape, turned but not stretched, `any_moving` as they say themselves; for asserts.
bool solids_is_valid(const Solids* s);
// Distance to the nearest solid, < 0 inside; INFINITY without solids. `which` may be NULL.
double solids_distance(const Solids* s, const double x[3], int* which);
// The same of those nearer than `within`; INFINITY: none is, and `which` stays as it is.
double solids_distance_within(const Solids* s, const double x[3], double within, int* which);
// Those that liquids touch and that may be nearer than `within`, into `out` (room for all), in their order; how many.
int solids_within(int* out, const Solids* s, const double x[3], double within);
// No solid is nearer to the plane where coordinate `axis` is `at` than this, m; it may be less than it could be, and below 0.
double solids_room_beside(const Solids* s, int axis, double at);
double solid_distance_to(const Solid* s, const double x[3]);  // to one of them
// Of one of them: the unit normal out of it, from the distance itself, and how fast it moves there, m/s.
void solid_normal_at(double n[3], const Solid* s, const double x[3], double dx, int dim);
void solid_velocity_at(double out[3], const Solid* s, const double x[3]);
// Are there any that liquids touch? That keep them off?
bool solids_wetted(const Solids* s);
bool solids_keep_off(const Solids* s);
// Distance to the nearest that liquids touch, or that keeps them off; INFINITY: none. `which` may be NULL.
double solids_wetted_distance(const Solids* s, const double x[3], int* which);
double solids_kept_off(const Solids* s, const double x[3], int* which);
// Unit normal out of the nearest solid, from the distance itself.
void solids_normal(double n[3], const Solids* s, const double x[3], double dx, int dim);
// SolidMotion.velocity of the nearest solid; user is the Solids.
void solids_velocity(double out[3], const void* user, const double x[3]);
// The same of what moves by a script; zero on bodies.
void solids_scripted_velocity(double out[3], const void* user, const double x[3]);
bool solids_have_bodies(const Solids* s);
bool solids_any_scripted(const Solids* s);  // does one of them, or a sheet, move by a script?
// The body, from 0, that the nearest of the solids that liquids touch follows; -1: none. user is the Solids.
int solids_body(const void* user, const double x[3]);
double solids_max_speed(const Solids* s, double reach);  // m/s of any point of them within `reach` of a pivot, and of sheets

// Moves solid m to the pose `next` reached after dt: velocity and spin are those of the rigid motion in between; a solid that
// changes its form keeps the shape it had.
void solid_move(Solid* s, const Pose* next, double dt);
// Of the rigid motion from one pose to another within dt: m/s of the pivot, rad/s.
void pose_velocity(double velocity[3], double spin[3], const Pose* from, const Pose* to, double dt);
Pose pose_at(const double position[3], const double rotation_vector[3]);

// phi_s on the nodes of the spans, of the solids that liquids touch. `still` keeps the distances to solids that do not move, for
// the next time: 0 where it has not been asked yet. `before`: phi_s of the same places on other spans, 0 past them; NULL: none.
void solids_sample(double* phi_s, double* still, const double* before, const Solids* s, const Spans* spans, const Window* w);
// Continues phi into the solids by even reflection (contact angle 90 degrees), to `depth` metres.
mn_status solids_extend_levelset(double* phi, Arena* arena, double* phi_s, const Spans* spans, const Window* w, double depth);
// How far from a node it reads phi_s, in nodes: its gradient.
enum { EXTEND_SOLID_READS = 1 };
// Is there air between a point of a skin (cells), n out of the solid, and liquid that faces it? The air that a contact line of
// less than 154 degrees leaves beside it does not count.
bool solid_has_parted(const double* phi, const Window* w, const double foot[3], const double n[3]);
