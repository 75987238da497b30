// Free flight without gravity: a liquid that moves as a whole stays what it is, however many cells it crosses in a step. The
// exact answer is the start shifted by v t: same shape, same speed, nothing for the volume step to correct.
#include "basin.h"
#include "liquid/liquid.h"
#include "tension/tension.h"

typedef enum Form { FORM_DROP, FORM_SHEET, FORM_JET } Form;

typedef struct Flight {
    const char* name;
    int dim;
    Form form;
    double direction[3];  // of flight, of length 1
    double cfl;
    TensionScheme scheme;
    double steps;  // of the flow's, in capillary times; 0: no tension
    Advection advection;
    double center[3], half[3];  // set by fly: of the bounding box, m
} Flight;

enum { STEPS = 16 };
static const double RADIUS = 7;  // cells; of the sheet half its thickness

static double form_distance(const void* user, const double x[3])
{
    const Flight* f = user;
    double r[3];
    vec_sub(r, x, f->center);
    if (f->dim == 2) r[2] = 0;
    if (f->form == FORM_DROP) return vec_norm(r) - f->half[0];
    if (f->form == FORM_SHEET) return fabs(r[1]) - f->half[1];
    // a rod with round ends, along x
    r[0] = fmax(fabs(r[0]) - (f->half[0] - f->half[1]), 0);
    return vec_norm(r) - f->half[1];
}

// Room for the path, and the form at its start. Lengths in cells are metres: dx = 1.
static void place(Flight* f, int n[3])
{
    for (int d = 0; d < 3; d++) {
        double length = STEPS*f->cfl*f->direction[d];
        f->half[d] = RADIUS*(f->form == FORM_JET && d == 0 ? 3 : 1);
        n[d] = d < f->dim ? (int)ceil(2*f->half[d] + fabs(length)) + 24 : 1;
        f->center[d] = d < f->dim ? 12.37 + f->half[d] + fmax(-length, 0) : 0;
    }
    if (f->form != FORM_SHEET) return;
    // from wall to wall: it can move across itself only
    for (int d = 0; d < 3; d += 2)
        n[d] = d < f->dim ? 12 : 1, f->half[d] = 0.5*n[d], f->center[d] = d < f->dim ? 0.5*n[d] : 0;
}

typedef struct Miss {
    double center, bounds, speed, correction;  // cells; cells; of the speed; of the volume
} Miss;

static Miss fly(Flight f)
{
    Sim sim;
    int n[3];
    place(&f, n);
    basin_init(&sim, f.dim, n[0], n[1], n[2], 1);
    sim.model.settings.gravity[1] = 0;
    sim.model.settings.cfl = f.cfl;
    sim.model.settings.advection = f.advection;
    sim.model.settings.slip = true;
    sim.model.settings.tension.scheme = f.scheme;
    // one capillary time sqrt(rho dx^3/(4 pi sigma)) is a second; a step of `steps` of them goes `cfl` cells
    double speed = f.steps > 0 ? f.cfl/f.steps : 1, v[3];
    sim.model.settings.tension.most_steps = f.scheme == TENSION_EXPLICIT ? 0 : 2*f.steps;
    for (int d = 0; d < 3; d++) v[d] = speed*f.direction[d];
    basin_add(&sim, form_distance, &f, v);
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = f.steps > 0 ? 1/(4*PI) : 0, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    LiquidState start = liquid_state(&sim.world.liquid[0], &sim.scratch);
    Miss m = {0};
    for (int step = 0; step < STEPS; step++) {
        CHECK_OK(sim_step(&sim, INFINITY));
        m.correction = fmax(m.correction, sim.report.volume_correction);
        m.speed = fmax(m.speed, sim.report.max_speed/speed - 1);
    }
    CHECK_CLOSE(sim.world.time, STEPS*f.cfl/speed, 0.05);  // the steps were as long as they were meant to be
    LiquidState end = liquid_state(&sim.world.liquid[0], &sim.scratch);
    for (int d = 0; d < f.dim; d++) {
        double way = v[d]*sim.world.time;
        if (f.form == FORM_SHEET && d != 1) continue;
        m.center = fmax(m.center, fabs(end.center[d] - start.center[d] - way));
        m.bounds = fmax(m.bounds, fmax(fabs(end.low[d] - start.low[d] - way), fabs(end.high[d] - start.high[d] - way)));
    }
    print_message("%-28s cfl %.1f: centre off by %.4f cells, bounds by %.4f, speed by %.1e, volume corrected by %.1e\n", f.name,
                  f.cfl, m.center, m.bounds, m.speed, m.correction);
    sim_free(&sim);
    return m;
}

// Cubics keep a smooth surface; MacCormack's limiter takes it back to first order here and there.
static void check(Flight f)
{
    bool smooth = f.advection != ADVECT_MACCORMACK;
    Miss m = fly(f);
    CHECK_LESS(m.center, smooth ? 0.01 : 0.15);
    CHECK_LESS(m.bounds, smooth ? 0.04 : 0.15);
    CHECK_LESS(m.speed, 0.01);
    CHECK_LESS(m.correction, smooth ? 5e-4 : 3e-3);
}

static void check_lengths(Flight f)
{
    static const double cfl[] = {0.5, 1, 1.5, 2, 3};
    for (size_t m = 0; m < sizeof cfl/sizeof *cfl; m++) f.cfl = cfl[m], check(f);
}

static const double ALONG[3] = {0, -1, 0}, ACROSS[3] = {1, -0.7, 0}, ACROSS_3D[3] = {0.6, -1, 0.8};

static Flight flight(const char* name, int dim, Form form, const double direction[3], Advection advection)
{
    Flight f = {.name = name, .dim = dim, .form = form, .advection = advection};
    for (int d = 0; d < 3; d++) f.direction[d] = direction[d]/vec_norm(direction);
    return f;
}

static void test_drops(void** state)
{
    (void)state;
    check_lengths(flight("disc", 2, FORM_DROP, ALONG, ADVECT_MACCORMACK));
    check_lengths(flight("disc across", 2, FORM_DROP, ACROSS, ADVECT_MACCORMACK));
    check_lengths(flight("disc across, cubic", 2, FORM_DROP, ACROSS, ADVECT_CUBIC));
    check_lengths(flight("ball", 3, FORM_DROP, ALONG, ADVECT_CUBIC));
    check_lengths(flight("ball across", 3, FORM_DROP, ACROSS_3D, ADVECT_CUBIC));
}

static void test_sheets_and_jets(void** state)
{
    (void)state;
    check_lengths(flight("sheet", 2, FORM_SHEET, ALONG, ADVECT_CUBIC));
    check_lengths(flight("sheet, 3D", 3, FORM_SHEET, ALONG, ADVECT_MACCORMACK));
    check_lengths(flight("jet", 2, FORM_JET, (double[3]){1, 0, 0}, ADVECT_CUBIC));
    check_lengths(flight("jet across", 2, FORM_JET, ACROSS, ADVECT_CUBIC));
    check_lengths(flight("jet across, 3D", 3, FORM_JET, ACROSS, ADVECT_CUBIC));
}

// Tension holds a round drop round. Steps of one capillary time for the explicit scheme, of four for the others.
static void test_schemes(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        TensionScheme scheme;
        double steps;
    } all[] = {{"explicit", TENSION_EXPLICIT, 1},
               {"implicit", TENSION_IMPLICIT, 4},
               {"split", TENSION_SPLIT, 4},
               {"auto", TENSION_AUTO, 4},
               {"csf", TENSION_CSF, 1}};
    for (size_t m = 0; m < sizeof all/sizeof *all; m++) {
        Flight f = flight(all[m].name, 2, FORM_DROP, ACROSS, ADVECT_AUTO);
        f.scheme = all[m].scheme, f.steps = all[m].steps;
        check_lengths(f);
    }
    Flight ball = flight("auto, 3D", 3, FORM_DROP, ACROSS_3D, ADVECT_AUTO);
    ball.scheme = TENSION_AUTO, ball.steps = 4;
    check_lengths(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drops),
        cmocka_unit_test(test_sheets_and_jets),
        cmocka_unit_test(test_schemes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
