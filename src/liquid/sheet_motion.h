// Sheets that move by scripts, each as a rigid whole, and elastic ones, whose vertices somebody else moves (thin/thin_partner.h):
// where they are, and how fast.
//
// The velocity that a step ends with carries the liquid in the next one. So it must agree with what the sheets do in that, and
// theirs is the one to come: from here to where they will be after another step of the same length. (With the one that brought
// them here a wall that swung to and fro in a tank clipped off 6 to 17 % of the water in half a second, to be put back
// elsewhere; now it is 1 to 2 %.)
//
// Their vertices follow from the poses, and so does v, the velocity of the rigid motion at the place that it has led to: a ring
// that turns about its axis has no velocity across itself then, as it would by the chords of its vertices' ways.
#pragma once
#include "liquid/solid.h"

typedef struct SheetMover {
    int first, count;             // its vertices
    double pivot[3];              // m, rest frame
    Pose pose;                    // at the current time
    double velocity[3], spin[3];  // m/s of the pivot, rad/s: with which it goes on
} SheetMover;

// Owns its arrays. Vertices of no mover stay where they are, but for elastic ones.
typedef struct MovingSheets {
    SheetSurface surface;  // where all sheets are now: of the arrays x and v
    double *x, *v;         // 3 per vertex: m, m/s
    const double* rest;    // m, 3 per vertex; borrowed
    SheetMover* mover;
    int count;
    const unsigned char* elastic;  // per vertex: it follows from forces; NULL: none does. Borrowed from whoever moves them
} MovingSheets;

// The movers are copied, there may be none; `rest` must live as long, and its vertices are those of a pose of zeros. They become
// the sheets of s.
mn_status sheets_set_moving(Solids* s, const SheetSurface* rest, const SheetMover* mover, int count);
void moving_sheets_free(MovingSheets* m);
// To a pose, with the velocity and spin that lead to another one within dt.
void sheet_mover_move(SheetMover* m, const Pose* now, const Pose* then, double dt);
// Vertices and velocities again, after movers have moved.
void moving_sheets_place(MovingSheets* m);
// How fast the sheet nearest to x (m) moves by a script, m/s: 0 where it is elastic. The distance to it, m.
double sheets_scripted_velocity(double v[3], const Solids* s, const SheetCut* c, const Window* w, const double x[3]);
mn_status moving_sheets_visit(MovingSheets* m, StateVisitor* v);
double moving_sheets_max_speed(const MovingSheets* m);  // m/s of any vertex
