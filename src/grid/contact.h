// Contact angles: the level set past walls and in solids, and what pulls a line towards its angle.
//
// theta is measured through the liquid: 0 spreads, 90 degrees is an even reflection, 180 does not wet. With n out of the liquid
// and N out of the wall or solid (into the tank), n.N = cos(theta) on the contact line; as phi is a distance, d phi/dN =
// cos(theta) there. A solid's level set phi_s is > 0 outside it, so N = grad phi_s. Away from the line phi follows the circle
// that the surface is in the plane across the line, of the curvature measured on the liquid's side (contact_line.h): then the
// curvature of phi at the line is that of the surface to second order. It goes on at the angle that the surface has, unless
// hysteresis holds the line; the angle that is wanted acts as a force (contact_pull).
//
// contact_walls.c: walls of the tank; contact_solids.c: solids; contact_pull.c: the force; contact_edges.c, contact_edge_fit.c:
// lines on edges; contact_points.c: the angle there is. Method: docs/contact.md.
#pragma once
#include "base/arena.h"
#include "grid/contact_edges.h"
#include "grid/exchange.h"
#include "grid/spans.h"

// Hysteresis: the line rests where the angle lies between the receding and the advancing one, and moves at that end of the
// interval which it has come to. cos(theta) may then be anything from `cosine`, of the advancing angle, to cosine + slack, of
// the receding one; it is the one the surface has between the line and a point above it (1 cell on walls, 1.5 on solids), held
// to that interval.
struct Contact {
    double cosine, slack;  // where `at` is NULL
    // cos(theta) at a point x (m, in the tank) of a wall or solid with normal N; *slack comes as 0
    double (*at)(const void* user, double* slack, const double x[3], const double N[3]);
    const void* user;
    unsigned right_sides;  // bit 2*axis + high: that wall of the window is met at 90 degrees all over, whatever `at` would say
    // Is the solid nearest to x round, however small it is? Two of its faces meet nowhere, whatever its nodes say. NULL: none is
    bool (*is_round)(const void* user, const double x[3]);
    bool all_round;   // no solid has edges
    bool has_bodies;  // liquids move some of the solids: what is done to phi beside these would be momentum of nobody's
};

// How far from a point of a wall or skin these may read phi, in nodes: two walks along it of 6 cells at most, an arm of 1.5 and
// a cubic (contact_line.c). An upper bound from the code, not measured.
enum { CONTACT_READS = 16 };

// cos(pi/2) is 6e-17 and not 0: a cosine below this is a right angle.
static const double RIGHT_ANGLE = 1e-12;

// Ghost nodes past the walls of the tank: phi goes on along the circle above. Third order where the surface does meet the wall
// at theta; with hysteresis at the angle it has, within the interval. Nodes 4.5 cells and more from the surface, open sides and
// mirrors: even reflection, which must have been made before: this is the second half of `exchange`, and other files call that.
void contact_continue(double* phi, const Window* w, const Contact* contact, WallColumns* columns);

// Has a side of the window lines at other angles than 90 degrees? (Those are as reflected.)
static inline bool contact_has_lines(const Window* w, const Contact* contact, int side)
{
    return contact && w->side[side] == SIDE_IS_WALL && !(contact->right_sides >> side & 1);
}

// The level set's ghosts; contact NULL: 90 degrees.
static inline void levelset_exchange(double* phi, const Window* w, const Contact* contact, int width)
{
    exchange(w, &(FieldRef){phi, ON_NODES, RULE_CONTACT, contact, NULL}, 1, width);
}

// The same again and again while only some nodes change (contact_columns.h): what was made from others stays as it was. Arena
// memory; *columns is NULL where no wall has lines, and may be given as NULL.
mn_status wallcolumns_new(WallColumns** columns, Arena* arena, const Window* w, const Contact* contact);
// Node `at` is not what it was when ghosts were filled last, of this field or another that was the same.
void wallcolumns_note_change(WallColumns* columns, ptrdiff_t at);
static inline void levelset_exchange_again(double* phi, const Window* w, const Contact* contact, WallColumns* columns, int width)
{
    exchange(w, &(FieldRef){phi, ON_NODES, RULE_CONTACT, contact, columns}, 1, width);
}

// With hysteresis: cells that a line is led along the wall or skin, to meet its angle, in a step as long as flow and tension
// allow; in a shorter one as much less. It follows in the next steps. All at once, the floor of a shallow puddle went dry, with
// a fifth of its volume, and a fragment of two cells on a ball had 2.5 times its volume, however short the step.
static const double FURTHEST_LED = 0.25;

// Lines that may be held. All zeros: none.
typedef struct Holding {
    const double* before;  // phi before the line could move; NULL: nodes ruled by edges have been held already and are left alone
    const double* with_skins;  // the same gone along with skins that move, for lines on faces; NULL: none moves
    bool at_start;             // or nothing was before: the line on an edge is where the surface outside comes down to
    const Edges* edges;        // that lines rest on (Gibbs); may be NULL
    bool on_faces;             // hysteresis: on the faces, too
    double led;                // and cells that a line is led along them
    bool edges_only;           // nodes that no edge rules are left alone
} Holding;

// phi inside solids, to `depth` (m), along the same circle from phi as far outside the skin as the node lies inside, one cell
// at least. Nodes more than 4.5 cells from the surface get the mirror image. Ghosts of phi and phi_s must be filled; those of
// phi are filled again. Where lines may be held the nodes within a cell outside the skin are set, too.
mn_status contact_extend(double* phi, Arena* arena, const double* phi_s, const Spans* spans, const Window* w, double depth,
                         const Contact* contact, const Holding* holding);

// Hysteresis on the walls of the tank, after phi has moved from `held`: nodes on a wall keep their old values where that makes an
// angle of the interval with the surface above, else the value that makes the end of it, the line led by at most `led` cells.
// Ghosts of phi are filled again.
mn_status contact_hold(double* phi, Arena* arena, const double* held, const Window* w, const Contact* contact, double led);

// Liquid that comes down on a wall of the tank touches it: where air thinner than 0.05 cells lies between the two and the liquid
// does not move away, nodes on the wall become wet. Lines on walls that are not wetted land, by `led` cells at most. Not on walls
// of 90 degrees or with hysteresis. Ghosts of phi are filled again.
mn_status contact_touch(double* phi, Arena* arena, double* const u[3], const Window* w, const Contact* contact, double led);

// Adds to kappa (1/m, on nodes) beside contact lines what the angle that they want pulls with: (c - cos(theta))/dx over the
// lowest cell, c = n.N as it is. Not where lines are held, by hysteresis or on edges (may be NULL). phi: the surface that kappa
// is of, continued by the functions above; phi_s may be NULL. Ghosts of phi and phi_s must be filled; those of kappa are filled
// again.
void contact_pull(double* kappa, const double* phi, const double* phi_s, const Edges* edges, const Spans* spans, const Window* w,
                  const Contact* contact);

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
// m: the length of contact line that one point of it stands for (2D: 1). A line along e meets abs(e_x) + abs(e_y) + abs(e_z)
// cells per dx, and has a point in each.
double contact_line_length(const ContactPoint* p, const Window* w);
