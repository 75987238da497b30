// Drops that an air film keeps off solids (docs/film.md): `film = true`.
#include "check.h"
#include <math.h>
#include <string.h>
#include "film/film_partner.h"
#include "base/vec.h"
#include "film/film_solid.h"
#include "scene/scene_sim.h"

// A drop of water, R = 0.5 mm, falls at V on a plate whose top is at 0.4 mm; without viscosity, so that
// what is lost is lost to waves in the drop.
typedef struct Plate {
    int dim;
    int cells;     // across 3.2 mm
    double speed;  // m/s
    double rise;   // m/s: the plate moves up and the drop is thrown after it by as much
} Plate;

static const double R = 0.5e-3, RHO = 998.2, SIGMA = 72.75e-3;

typedef struct Bounced {
    double contact;      // s, first to last film pressure above 20 Pa
    double restitution;  // speed after over speed before, relative to the plate
    double energy;       // kinetic and surface, of the kinetic at the start, relative to the plate, at the end
    double least_air;    // m, least thickness of the air, ever
    double overlap;      // cells, of the drop's level set and the plate, at most
    double width;        // largest, of 2R
    double sideways;     // of V
    double ledger;       // relative error of the books, most
    double removed;      // of the drop's volume, in all repairs
    double work;         // J/m, of the plate, by the books
    double push;         // kg/s per metre: what the plate has changed the drop's momentum by
    int liquids, sprayed;
} Bounced;

static void open_plate(Sim* sim, Scene* scene, const Plate* p)
{
    char text[1500];
    const double top = 0.4e-3;
    const char* z = p->dim == 3 ? ", 1.6e-3" : "";
    snprintf(text, sizeof text,
             "local R, V, U, top = %.17g, %.17g, %.17g, %.17g\n"
             "return scene { domain = { size = { 3.2e-3, 2.4e-3%s }, cells = %d }, gravity = { 0, 0%s },\n"
             "  liquids = { sphere { center = { 1.6e-3, top + 1.3*R%s }, radius = R, velocity = { 0, U - V%s },\n"
             "              material = material { rho = %.17g, sigma = %.17g, mu = 0 } } },\n"
             "  solids = { box { low = { -1e-3, -3e-3%s }, high = { 5e-3, top%s }, film = true,\n"
             "             position = function(t) return 0, U*t%s end } },\n"
             "  numerics = { tension_steps = 1, tolerance = 1e-8 }, frames = { rate = 1000, count = 6 } }\n",
             R, p->speed, p->rise, top, p->dim == 3 ? ", 3.2e-3" : "", p->cells, p->dim == 3 ? ", 0" : "", z,
             p->dim == 3 ? ", 0" : "", RHO, SIGMA, p->dim == 3 ? ", -1e-3" : "", p->dim == 3 ? ", 5e-3" : "",
             p->dim == 3 ? ", 0" : "");
    CHECK_OK(scene_load_text(scene, "plate.lua", text));
    CHECK_OK(scene_build(sim, scene));
    CHECK_OK(sim_start(sim));
}

static double energy_of(Sim* sim, const Plate* p, double* width, double velocity[3], double* low)
{
    LiquidState s = liquid_state(&sim->world.liquid[0], &sim->scratch);
    arena_reset(&sim->scratch);
    double round = p->dim == 3 ? cbrt(36*PI*s.volume*s.volume) : 2*sqrt(PI*s.volume), m = RHO*s.volume;
    double relative = s.kinetic_energy - m*s.velocity[1]*p->rise + 0.5*m*p->rise*p->rise;
    *width = s.high[0] - s.low[0], *low = s.low[1];
    for (int d = 0; d < 3; d++) velocity[d] = s.velocity[d];
    return relative + SIGMA*(s.area - round);
}

static Bounced bounce(const Plate* p, double until)
{
    Sim sim;
    Scene scene;
    Bounced out = {.least_air = INFINITY};
    double first = -1, last = 0, width, v[3], low;
    open_plate(&sim, &scene, p);
    double start = energy_of(&sim, p, &width, v, &low), target = sim.world.liquid[0].target_volume;
    while (sim.world.time < until) {
        CHECK_OK(sim_step_towards(&sim, until));
        if (film_of(&sim.world)->report.most_pressure > 20) {
            if (first < 0) first = sim.world.time;
            last = sim.world.time;
        }
        out.energy = energy_of(&sim, p, &width, v, &low)/start;
        out.width = fmax(out.width, width/(2*R));
        if (film_of(&sim.world)->report.cells > 0)
            out.least_air = fmin(out.least_air, film_of(&sim.world)->report.least_thickness);
        out.overlap = fmax(out.overlap, (0.4e-3 + p->rise*sim.world.time - low)/sim.model.tank.dx);
        out.ledger = fmax(out.ledger, fabs(sim_ledger_error(&sim)));
        out.sprayed += sim.report.sprayed;
        out.removed += film_of(&sim.world)->report.removed/target;
    }
    out.work = sim.world.energy.work, out.push = RHO*target*(v[1] - (p->rise - p->speed));
    out.contact = last - first, out.restitution = (v[1] - p->rise)/p->speed, out.sideways = hypot(v[0], v[2])/p->speed;
    out.liquids = sim.world.liquid_count;
    double t_c = sqrt(RHO*R*R*R/SIGMA);
    print_message("%dD, R = %.2f dx, %.2f m/s, plate %.2f m/s: contact %.2f t_c, restitution %.3f, energy %.3f, width %.3f, air "
                  "%.2g um at least, overlap %.2f dx, sideways %.1e, repairs %.3f of the volume, sprayed %d\n",
                  p->dim, R/3.2e-3*p->cells, p->speed, p->rise, out.contact/t_c, out.restitution, out.energy, out.width,
                  1e6*out.least_air, out.overlap, out.sideways, out.removed, out.sprayed);
    sim_free(&sim);
    scene_free(&scene);
    return out;
}

// Drops of water on a plate they do not wet stay for 2.6 +- 0.1 sqrt(rho R^3/sigma), whatever their speed [richard2002contact].
// In 2D, a cylinder, drops that meet each other stay for 2.7 (validation/film.md).
static void check_bounce(const Bounced* b, double least, double most)
{
    double t_c = sqrt(RHO*R*R*R/SIGMA);
    assert_int_equal(b->liquids, 1);
    CHECK_LESS(1e-7, b->least_air);  // h_min is 0.12 um here: less would be a film without air
    CHECK_LESS(b->overlap,
               0.25 + 1e-9);  // level sets may overlap by as much, the air between keeps its thickness (film_volume.h)
    CHECK_LESS(least, b->contact/t_c);
    CHECK_LESS(b->contact/t_c, most);
    CHECK_LESS(0.5, b->restitution);
    CHECK_LESS(b->energy, 1);
    // a level plate pushes nobody sideways; a crumb thrown off as spray, as the jet out of a collapsing drop does, may
    CHECK_LESS(b->sideways, b->sprayed > 0 ? 1e-3 : 1e-10);
    CHECK_LESS(b->ledger, 1e-11);
}

static void test_bounces_in_2d(void** state)
{
    (void)state;
    Bounced slow = bounce(&(Plate){.dim = 2, .cells = 52, .speed = 0.35}, 5.2e-3);
    Bounced fast = bounce(&(Plate){.dim = 2, .cells = 52, .speed = 0.6}, 5.2e-3);
    check_bounce(&slow, 2.3, 3.2);
    check_bounce(&fast, 2.3, 3.2);
}

static void test_bounces_in_3d(void** state)
{
    (void)state;
    Bounced b = bounce(&(Plate){.dim = 3, .cells = 40, .speed = 0.5}, 4.6e-3);
    check_bounce(&b, 2.2, 2.7);
}

// A plate that hits a drop at rest throws it off at (1 + restitution) times its own speed: the same bounce, seen from the drop.
// What the plate does is work, and no energy from nowhere that its film must not bring (the drop left at 0.09 m/s, through the
// plate).
static void test_plate_hits_drop_at_rest(void** state)
{
    (void)state;
    Bounced rest = bounce(&(Plate){.dim = 2, .cells = 52, .speed = 0.12}, 5.2e-3);
    Bounced hit = bounce(&(Plate){.dim = 2, .cells = 52, .speed = 0.12, .rise = 0.12}, 5.2e-3);
    CHECK_CLOSE(hit.contact, rest.contact, 0.05);
    CHECK_CLOSE(hit.restitution, rest.restitution, 0.1);
    CHECK_CLOSE(hit.work, 0.12*hit.push, 0.02);
}

// A plate that comes up and a drop that goes with it are the same bounce, seen from a train.
static void test_moving_plate(void** state)
{
    (void)state;
    Bounced rest = bounce(&(Plate){.dim = 2, .cells = 52, .speed = 0.35}, 4.4e-3);
    Bounced ride = bounce(&(Plate){.dim = 2, .cells = 52, .speed = 0.35, .rise = 0.12}, 4.4e-3);
    CHECK_CLOSE(ride.contact, rest.contact, 0.05);
    CHECK_CLOSE(ride.restitution, rest.restitution, 0.1);
    // the books know the plate's work: it moves at one speed, so that is its speed times what it gives the drop's momentum
    print_message("work of the plate %.4g J/m, its speed times the change of momentum %.4g\n", ride.work, 0.12*ride.push);
    CHECK_CLOSE(ride.work, 0.12*ride.push, 0.02);
    CHECK_WITHIN(rest.work, 0, 1e-12*ride.work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounces_in_2d),
        cmocka_unit_test(test_plate_hits_drop_at_rest),
        cmocka_unit_test(test_moving_plate),
        cmocka_unit_test(test_bounces_in_3d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
