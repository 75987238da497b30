// Contact lines at edges of solids. At a convex edge the surface may lean any way between the contact angle on one face and that
// on the other (Gibbs): within that the line stays on the edge.
#include <stdlib.h>
#include "basin.h"

// A plate with a slot of half width 1 around x = 0, its lower face at y = FACE; x = 0 is a mirror. The liquid fills the slot and
// bulges out of it as a part of a disc that ends on the edges.
static const double FACE = 3.02;

typedef struct Slot {
    double radius, centre;  // of the disc (m), below FACE
} Slot;

static double slot_distance(const void* user, const double x[3])
{
    (void)user;
    double side = 1 - fabs(x[0]), below = FACE - x[1];  // > 0 off either face
    return side > 0 && below > 0 ? hypot(side, below) : fmax(side, below);
}

static double bulge(const void* user, const double x[3])
{
    const Slot* s = user;
    // the column reaches into the plate, as what is inside solids is no surface: one on the wall itself would be air there
    double disc = hypot(x[0], x[1] - s->centre) - s->radius, wide = 1 + 0.5*(x[1] - FACE);
    double column = fmax(fabs(x[0]) - wide, FACE - x[1]);
    return fmin(disc, column);
}

// The line's distance from the middle on the lower face, from the nodes of the row right below it.
static double line_place(const Sim* sim)
{
    const Liquid* q = &sim->world.liquid[0];
    const Window* w = &q->w;
    int j = (int)floor(FACE/w->dx) - w->lo[1];
    for (int i = w->n[0]; i > 0; i--) {
        double a = q->phi.v[window_at(w, i - 1, j, 0)], b = q->phi.v[window_at(w, i, j, 0)];
        if (a < 0 && b >= 0) return (w->lo[0] + i - 1 + a/(a - b))*w->dx;
    }
    return 0;
}

// The disc that ends on the edges at the angle alpha with the lower face, through the liquid.
static Slot slot_of(double alpha)
{
    double radius = 1/sin(alpha);
    return (Slot){radius, FACE + radius*cos(alpha)};
}

// Where the line is (cells from the middle) after `end` times sqrt(rho r^3/sigma), from a bulge of the angle alpha.
static double line_after(double alpha, double theta, double cells, double end, TensionScheme scheme)
{
    Sim sim;
    Slot s = slot_of(alpha);
    basin_init(&sim, 2, (int)(3*cells), (int)(5*cells), 1, 1/cells);
    sim.model.tank.side[0] = SIDE_IS_MIRROR;
    sim.model.settings.gravity[1] = 0;
    sim.model.settings.advection = ADVECT_AUTO;
    sim.model.settings.tension.scheme = scheme;
    sim.world.solids = (Solids){.solid = calloc(1, sizeof(Solid)), .count = 1, .any_moving = false};
    sim.world.solids.solid[0] = (Solid){.distance = slot_distance, .pose = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    basin_add(&sim, bulge, &s, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = 0.2, .contact_angle = theta};
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_advance(&sim, end));
    double place = cells*line_place(&sim);
    sim_free(&sim);
    return place;
}

// The disc's own place on the row of nodes that line_place looks at.
static double disc_place(double alpha, double cells)
{
    Slot s = slot_of(alpha);
    double y = floor(FACE*cells)/cells - s.centre;
    return cells*sqrt(s.radius*s.radius - y*y);
}

static double degrees(double angle) { return angle*PI/180; }

// While the angle with the plate's lower face is below the contact angle, and that with the slot's wall (90 degrees more) above
// it, the line stays on the edge.
static void test_line_stays_on_an_edge(void** state)
{
    (void)state;
    static const double angle[][2] = {{90, 110}, {90, 150}, {60, 120}, {110, 130}, {120, 170}};
    static const TensionScheme scheme[] = {TENSION_EXPLICIT, TENSION_IMPLICIT, TENSION_SPLIT};
    static const char* const name[] = {"explicit", "implicit", "split"};
    for (size_t m = 0; m < sizeof angle/sizeof *angle; m++)
        for (int s = 0; s < 3; s++) {
            double alpha = degrees(angle[m][0]), theta = degrees(angle[m][1]);
            double place = line_after(alpha, theta, 8, 6, scheme[s]), wanted = disc_place(alpha, 8);
            print_message("bulge of %g degrees on a plate of %g, %s: the line at %.2f cells, the edge's disc at %.2f\n",
                          angle[m][0], angle[m][1], name[s], place, wanted);
            CHECK_WITHIN(place, wanted, 0.15);
        }
}

// Past either end of that it leaves: out along the face, or back into the slot. There the arc of 45 degrees becomes one of 60,
// which by its area meets the wall 0.124 above the edge: on the row of line_place it is at 0.902, 7.21 cells.
static void test_line_leaves_an_edge(void** state)
{
    (void)state;
    double out = line_after(degrees(130), degrees(120), 8, 6, TENSION_AUTO),
           in = line_after(degrees(45), degrees(150), 8, 6, TENSION_AUTO);
    print_message("bulge of 130 degrees on a plate of 120: the line at %.2f cells; of 45 on one of 150: %.2f; the edge is at 8\n",
                  out, in);
    CHECK_LESS(9, out);
    CHECK_WITHIN(in, 7.21, 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line_stays_on_an_edge), cmocka_unit_test(test_line_leaves_an_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
