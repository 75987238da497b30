// Drops, menisci and columns at rest on walls and solids of a given contact angle (docs/contact.md). rho = sigma = 1 throughout.
#include "sessile.h"
#include "grid/levelset.h"

// Energy of a drop on the floor, 2D: surface and wetted floor, motion, height.
static double drop_energy(Sim* sim, const DropShape* s, double theta, double g)
{
    double left, right;
    floor_ends(&left, &right, sim, s);
    LiquidState state = liquid_state(&sim->world.liquid[0], &sim->scratch);
    arena_reset(&sim->scratch);
    return state.area - cos(theta)*(right - left) + state.kinetic_energy + g*state.volume*state.center[1];
}

typedef struct Lying {
    double base, height, growth;    // relative errors; largest rise of the energy in a step over the energy at the start
    double mean_base, mean_height;  // 2D: the same, means over the second half of the time
} Lying;

// A half disc (ball) of radius 1 = `cells` dx on the floor comes to rest at theta under gravity g.
static Lying lie_down(TensionScheme scheme, int dim, double cells, double theta, double g, double mu, double width, double time)
{
    DropShape s = {
        .foot = {0.5*width + 0.013, 0, dim == 3 ? 0.5*width + 0.013 : 0}, .up = {0, 1, 0}, .radius = 1, .dim = dim};
    Sim sim;
    sessile_init(&sim, &s, (int)(width*cells), (int)(1.75*cells), 1/cells, theta, mu);
    sim.model.settings.gravity[1] = -g;
    sim.model.settings.tension.scheme = scheme;
    CHECK_OK(sim_start(&sim));
    double volume = sim.world.liquid[0].target_volume, radius = cap_radius(dim, volume, theta);
    Profile want = {.base = radius*sin(theta), .height = radius*(1 - cos(theta))};
    if (g > 0) want = profile_of(dim, volume, g, theta);
    Lying out = {0};
    double start = dim == 2 ? drop_energy(&sim, &s, theta, g) : 0, before = start;
    while (sim.world.time < time) {
        CHECK_OK(sim_step_towards(&sim, time));
        if (dim == 3) continue;
        if (sim.world.time > 0.5*time) {
            double left, right, dt = sim.report.dt;
            floor_ends(&left, &right, &sim, &s);
            out.mean_base += dt/(0.5*time)*(0.5*(right - left)/want.base - 1);
            out.mean_height += dt/(0.5*time)*(column_top(&sim.world.liquid[0], s.foot[0], s.foot[2])/want.height - 1);
        }
        double now = drop_energy(&sim, &s, theta, g);
        // The first step sets a drop in motion that has not moved yet: half of dt^2 times the force squared over the mass,
        // which the next takes from the surface (docs/energy.md, the lag of a liquid that falls).
        if (sim.world.step == 1) before += sim.report.energy.after.kinetic;
        out.growth = fmax(out.growth, (now - before)/fabs(start));
        before = now;
    }
    double left, right;
    floor_ends(&left, &right, &sim, &s);
    out.base = 0.5*(right - left)/want.base - 1;
    out.height = column_top(&sim.world.liquid[0], s.foot[0], s.foot[2])/want.height - 1;
    sim_free(&sim);
    return out;
}

// The profiles themselves: without gravity a cap, with much of it a puddle 2 a sin(theta/2) high; and numbers that others
// computed (docs/validation/targets.md, sessile drop: water, area pi (2 mm)^2, 90 degrees: 2.477097 mm high, 3.23585 mm half
// wide; 3D, 1 mm, 120 degrees: 1.520961).
static void test_profiles(void** state)
{
    (void)state;
    Profile p = profile_of(2, 0.5*PI, 1e-6, PI/3);
    CHECK_CLOSE(p.base, cap_radius(2, 0.5*PI, PI/3)*sin(PI/3), 1e-5);
    p = profile_of(2, 30, 1, 2*PI/3);
    CHECK_CLOSE(p.height, 2*sin(PI/3), 1e-3);
    double a = 1/(2.725541*2.725541);
    p = profile_of(2, PI*4, a, 0.5*PI);
    CHECK_CLOSE(p.height, 2.477097, 1e-5);
    CHECK_CLOSE(p.base, 3.23585, 1e-5);
    p = profile_of(3, 4*PI/3, a, 2*PI/3);
    CHECK_CLOSE(p.height, 1.520961, 1e-5);
    CHECK_CLOSE(p.base, 0.957903, 1e-5);
}

// Without gravity a drop becomes the cap of its angle, and energy does not grow on the way.
static void test_cap(void** state)
{
    (void)state;
    for (int degrees = 60; degrees <= 150; degrees += 30) {
        Lying e = lie_down(TENSION_AUTO, 2, 16, degrees*PI/180, 0, 0.3, 3.5, 8);
        print_message("%3d degrees: half base off by %+.2f %%, height by %+.2f %%; energy grew by at most %.1e in a step\n",
                      degrees, 100*e.base, 100*e.height, e.growth);
        CHECK_WITHIN(e.base, 0, 0.01);
        CHECK_WITHIN(e.height, 0, 0.01);
        CHECK_LESS(e.growth, 1e-3);
    }
    Lying e = lie_down(TENSION_AUTO, 3, 8, PI/3, 0, 0.3, 4, 3);
    print_message("3D 60 degrees: half base off by %+.2f %%, height by %+.2f %%\n", 100*e.base, 100*e.height);
    CHECK_WITHIN(e.base, 0, 0.03);
    CHECK_WITHIN(e.height, 0, 0.03);
}

// How far distances made anew `calls` times move the line of a cap of the angle `have` where `wanted` is wanted, cells;
// *volume: by how much its part of the volume changes.
static double line_moved(double* volume, double have, double wanted, double phase, int calls)
{
    double dx = 1.0/12, radius = cap_radius(2, 0.5*PI, have), left[2], right[2];
    DropShape s = {.foot = {3 + phase*dx, 0, 0}, .up = {0, 1, 0}, .radius = radius, .above = -radius*cos(have), .dim = 2};
    Sim sim;
    sessile_init(&sim, &s, 72, 36, dx, wanted, 0.1);
    CHECK_OK(sim_start(&sim));
    Liquid* q = &sim.world.liquid[0];
    for (int j = 0; j <= q->w.n[1]; j++)
        for (int i = 0; i <= q->w.n[0]; i++) {
            double x[3];
            window_position(x, &q->w, i, j, 0);
            q->phi.v[window_at(&q->w, i, j, 0)] = clamp(drop_distance(&s, x), -liquid_band(q), liquid_band(q));
        }
    Wetting wet;
    const Contact* contact = wetting_of(&wet, q, &sim.world.solids, sim.model.settings.wall_angle);
    assert_non_null(contact);
    CHECK_OK(liquid_rebuild(q, &sim.kept[0], &sim.world.solids));
    double before = q->cells.volume;
    line_ends(&left[0], &right[0], q, -q->w.lo[1], 0);
    for (int n = 0; n < calls; n++) {
        CHECK_OK(levelset_redistance_direct(q->phi.v, &sim.scratch, &q->spans, &q->w, liquid_band(q), 3, contact));
        arena_reset(&sim.scratch);
    }
    line_ends(&left[1], &right[1], q, -q->w.lo[1], 0);
    CHECK_OK(liquid_rebuild(q, &sim.kept[0], &sim.world.solids));
    *volume = q->cells.volume/before - 1;
    sim_free(&sim);
    return fmax(fabs(left[1] - left[0]), fabs(right[1] - right[0]))/dx;
}

// The flow alone moves a line: making distances of phi again leaves it and the volume where they are, whatever angle there is and
// whatever is wanted. With phi past the wall at the wanted angle ten calls drew the line by up to 0.86 cells and took 0.4 % of
// the volume; a drop that should spread to 20 degrees stopped for ever 26 % short, and one thrown at a wall of 170 won energy.
static void test_distances_leave_the_line(void** state)
{
    (void)state;
    double worst = 0, most = 0;
    for (int wanted = 20; wanted <= 170; wanted += 75)
        for (int have = 20; have <= 170; have += 25)
            for (int m = 0; m < 3; m++) {
                double volume, moved = line_moved(&volume, have*PI/180, wanted*PI/180, 0.3*m, 10);
                worst = fmax(worst, moved), most = fmax(most, fabs(volume));
            }
    print_message("after 10 redistancings: lines moved by at most %.1e cells, volumes by %.1e\n", worst, most);
    CHECK_LESS(worst, 5e-3);
    CHECK_LESS(most, 2e-4);
}

// Without slip, a low wedge is moved by little; but it goes on until it is there. Explicit: the implicit scheme's ripples ahead
// leave it 5 % short (docs/contact.md).
static void test_low_angle(void** state)
{
    (void)state;
    Lying e = lie_down(TENSION_EXPLICIT, 2, 12, 20*PI/180, 0, 0.03, 7, 20);
    print_message(" 20 degrees: half base off by %+.2f %%, height by %+.2f %%; at the end %+.2f and %+.2f %%\n",
                  100*e.mean_base, 100*e.mean_height, 100*e.base, 100*e.height);
    // the line trembles by up to 5 % for moments, so that a single moment says little
    CHECK_WITHIN(e.mean_base, 0, 0.03);
    CHECK_WITHIN(e.mean_height, 0, 0.03);
}

// With it, Young's and Laplace's profile. Bond = rho g R^2/sigma for the half disc of radius R = 1.
static void test_sessile(void** state)
{
    (void)state;
    const double bond[3] = {0.1, 1, 5};
    for (int m = 0; m < 3; m++)
        for (int degrees = 60; degrees <= 120; degrees += 60) {
            Lying e = lie_down(TENSION_AUTO, 2, 16, degrees*PI/180, bond[m], 0.1, 5, degrees == 60 ? 12 : 8);
            print_message("Bond %g, %3d degrees: half base off by %+.2f %%, height by %+.2f %%; energy grew by at most %.1e\n",
                          bond[m], degrees, 100*e.base, 100*e.height, e.growth);
            CHECK_WITHIN(e.base, 0, 0.03);
            CHECK_WITHIN(e.height, 0, 0.03);
            if (bond[m] < 5) CHECK_LESS(e.growth, 1e-3);  // a low wedge jerks: docs/contact.md, limits
        }
}

// A wide tank: at the walls the liquid stands h above the level far away, h^2 = 2 a^2 (1 - sin theta), a^2 = sigma/(rho g).
static void test_meniscus(void** state)
{
    (void)state;
    for (int degrees = 60; degrees <= 120; degrees += 60) {
        double theta = degrees*PI/180, left, right, want = (degrees < 90 ? 1 : -1)*sqrt(2*(1 - sin(theta)));
        meniscus_heights(&left, &right, theta, 16, 25);
        print_message("%3d degrees: %.4f and %.4f above the middle, %.4f by theory\n", degrees, left, right, want);
        CHECK_WITHIN(left/want, 1, 0.03);
        CHECK_WITHIN(right/want, 1, 0.03);
    }
}

static void test_jurin(void** state)
{
    (void)state;
    for (int degrees = 60; degrees <= 120; degrees += 60) {
        Rise r = jurin_rise(degrees*PI/180, 1, 16, 30);
        print_message("%3d degrees: middle of the column %+.4f over the bath, %+.4f by theory\n", degrees, r.measured, r.theory);
        CHECK_WITHIN(r.measured/r.theory, 1, 0.02);
    }
}

// ---- letting go -----------------------------------------------------------------------------------------------------------

// Walls hold u.n = 0 both ways, and yet a liquid that does not wet them lets go: its line runs in until nothing is left of it. A
// disc thrown at a wall of 170 degrees with We = rho U^2 R/sigma = 1, Ohnesorge 0.02, comes off with part of its speed (a drop
// on air kept 0.82 at 0.28, docs/validation/targets.md), and half a disc at a ceiling falls as rho g R^2/sigma = 1
// pulls (at 30 degrees it stays).
static void test_wall_lets_go(void** state)
{
    (void)state;
    DropShape s = {.foot = {2.013, 0, 0}, .up = {0, 1, 0}, .radius = 1, .above = 1.3, .dim = 2};
    Sim sim;
    sessile_init(&sim, &s, 48, 48, 1.0/12, 170*PI/180, 0.02);
    for (size_t i = 0; i < sim.world.liquid[0].w.count; i++) sim.world.liquid[0].u[1].block[i] = -1;
    CHECK_OK(sim_start(&sim));
    double left, right, speed;
    bool touched = false;
    while (sim.world.time < 4.5) {
        CHECK_OK(sim_step_towards(&sim, 4.5));
        floor_ends(&left, &right, &sim, &s);
        touched = touched || right > left;
    }
    speed = liquid_state(&sim.world.liquid[0], &sim.scratch).velocity[1];
    arena_reset(&sim.scratch);
    print_message("thrown at a wall of 170 degrees: leaves it with %.2f of its speed\n", speed);
    CHECK_TRUE(touched && !(right > left));
    CHECK_LESS(0.3, speed);
    CHECK_LESS(speed, 1);
    sim_free(&sim);

    for (int m = 0; m < 2; m++) {
        double degrees = m == 0 ? 170 : 30;
        DropShape hanging = {.foot = {2.513, 3, 0}, .up = {0, -1, 0}, .radius = 1, .dim = 2};
        sessile_init(&sim, &hanging, 60, 36, 1.0/12, degrees*PI/180, 0.1);
        sim.model.settings.gravity[1] = m == 0 ? -1 : -0.5;
        CHECK_OK(sim_start(&sim));
        CHECK_OK(sim_advance(&sim, 1.6));
        const Liquid* q = &sim.world.liquid[0];
        int ceiling = 36 - q->w.lo[1];
        left = INFINITY, right = -INFINITY;
        if (ceiling <= q->w.n[1]) line_ends(&left, &right, q, ceiling, 0);
        print_message("at a ceiling of %g degrees: %s\n", degrees, right > left ? "hangs" : "has come off");
        CHECK_TRUE((right > left) == (m == 1));
        sim_free(&sim);
    }
}

// A drop of water of R = 1 mm = 12 dx at 0.8 m/s on a wall of 170 degrees (a quarter of it between mirrors): what the line costs,
// sigma (cos(angle) - cos 170) per way, comes out of its motion, so its energy of motion and surface never exceeds what it came
// with (it won 24 %: the wanted angle past the wall pulled at the line with less than half of that), and the line that runs in
// again gives nothing twice.
static void test_thrown_drop_wins_nothing(void** state)
{
    (void)state;
    const double radius = 1e-3, dx = radius/12, time = 2.4e-3;
    DropShape s = {.foot = {0, 0, 0}, .up = {0, 1, 0}, .radius = radius, .above = 1.25*radius, .dim = 3};
    Sim sim;
    basin_init(&sim, 3, 36, 30, 36, dx);
    sim.model.tank.side[0] = sim.model.tank.side[4] = SIDE_IS_MIRROR;
    sim.model.settings.gravity[1] = 0;
    sim.model.settings.advection = ADVECT_AUTO;
    sim.model.settings.tension.scheme = TENSION_AUTO;
    basin_add(&sim, drop_distance, &s, (double[3]){0, -0.8, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1000, .sigma = 0.0728, .mu = 1e-3, .contact_angle = 170*PI/180};
    CHECK_OK(sim_start(&sim));
    double first = 0, most = 0, least = INFINITY, rise = 0;
    while (sim.world.time < time) {
        CHECK_OK(sim_step_towards(&sim, time));
        double now = sim.report.energy.after.kinetic + sim.report.energy.after.surface;
        if (first == 0) first = now;
        most = fmax(most, now), least = fmin(least, now), rise = fmax(rise, now - least);
    }
    print_message("drop thrown at 170 degrees: at most %.4f of its energy, rising again by %.4f\n", most/first, rise/first);
    CHECK_LESS(most, 1.001*first);
    CHECK_LESS(rise, 0.02*first);
    sim_free(&sim);
}

// ---- solids and hysteresis ----------------------------------------------------------------------------------------------------

static void test_tilted_plane(void** state)
{
    (void)state;
    for (int degrees = 60; degrees <= 120; degrees += 60) {
        double theta = degrees*PI/180, left, right;
        DropShape s;
        Sim sim;
        plane_init(&sim, &s, 16, 0.3, (ContactAngle){theta, theta}, 0);
        CHECK_OK(sim_start(&sim));
        double want = cap_radius(2, sim.world.liquid[0].target_volume, theta)*sin(theta);
        CHECK_OK(sim_advance(&sim, 8));
        plane_ends(&left, &right, &sim, &s);
        print_message("%3d degrees on a plane tilted by 17: half base off by %+.2f %%\n", degrees,
                      100*(0.5*(right - left)/want - 1));
        CHECK_WITHIN(0.5*(right - left)/want, 1, 0.03);
        sim_free(&sim);
    }
}

// A drop sticks to a plate while rho g A sin(alpha) < sigma (cos theta_r - cos theta_a), and slides when it is more [Furmidge
// 1962]. Here gravity runs along the plate, which is the floor or a tilted solid; 0.68404 is the right-hand side for 70 and 110
// degrees.
static void test_hysteresis(void** state)
{
    (void)state;
    const double part[4] = {0.5, 0.9, 1.1, 1.5};
    for (int solid = 0; solid < 2; solid++)
        for (int m = 0; m < 4; m++) {
            Creep c = drop_creep(solid, part[m], 16);
            print_message("%s, gravity %.1f of critical: front moves at %.1e, back at %.1e\n", solid ? "solid" : "floor", part[m],
                          c.front, c.back);
            if (part[m] < 1) {
                CHECK_WITHIN(c.front, 0, solid ? 3e-3 : 3e-4);
                CHECK_WITHIN(c.back, 0, solid ? 3e-3 : 3e-4);
            } else {
                CHECK_LESS(0.008, c.front);
                CHECK_LESS(0.008, c.back);
            }
        }
}

// The same in 3D: a half ball of R = 6 dx on the floor. A round base of radius R holds at most 2 R sigma (cos theta_r - cos
// theta_a), with the advancing angle all along its front half and the receding one along the other; when the angle goes round
// with the cosine of the direction it is pi/4 of that [furmidge1962]. So rho g V = 0.5 of it sticks, as 1.6 does not, and with
// one angle all round, 90 degrees, the same half slides.
static void test_hysteresis_3d(void** state)
{
    (void)state;
    const struct {
        double part;
        ContactAngle angle;
        bool sticks;
    } cases[] = {{0.5, {110*PI/180, 70*PI/180}, true},
                 {1.6, {110*PI/180, 70*PI/180}, false},
                 {0.5, {PI/2, PI/2}, false}};
    for (int m = 0; m < 3; m++) {
        Creep c = drop_creep_3d(cases[m].part, cases[m].angle, 6, cases[m].sticks ? 4 : 1.5);
        print_message("3D, gravity %.1f of critical, %s: front moves at %.1e, back at %.1e\n", cases[m].part,
                      cases[m].angle.receding < cases[m].angle.advancing ? "hysteresis" : "one angle", c.front, c.back);
        if (cases[m].sticks) {
            CHECK_WITHIN(c.front, 0, 3e-3);
            CHECK_WITHIN(c.back, 0, 3e-3);
        } else {
            CHECK_LESS(0.03, c.front);
            CHECK_LESS(0.03, c.back);
        }
    }
}

static double pool_distance(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

// A pool thrown at walls that hold its line, from 88 down to 9 degrees: the wedge along the line is thinner than a cell, and what
// moves it is continued past a surface that stays. Nothing drives the pool, so it never has more energy of motion than at the
// start but for what its surface gives (sigma/(rho depth V^2) = 0.02).
static void test_held_line_drives_nothing(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 3, 12, 12, 12, 1);
    sim.model.settings.gravity[1] = 0;
    sim.model.settings.advection = ADVECT_AUTO;
    sim.model.settings.tension.scheme = TENSION_EXPLICIT;
    sim.model.settings.wall_angle = (ContactAngle){88*PI/180, 9*PI/180};
    double depth = 4;
    basin_add(&sim, pool_distance, &depth, (double[3]){3, 0, 2});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    double thrown = 0.5*sim.world.ledger.input*(3*3 + 2*2), most = 0;
    while (sim.world.time < 4) {
        CHECK_OK(sim_step_towards(&sim, 4));
        most = fmax(most, sim.report.energy.after.kinetic);
    }
    print_message("pool thrown at walls that hold it: most kinetic energy %.3g of what it was thrown with\n", most/thrown);
    CHECK_LESS(most, thrown);
    sim_free(&sim);
}

// A ball laid against the floor at 127 degrees, where lines can rest from 50 to 68: a short step leads its line a short way, the
// first one too, so that there is little to put right.
static void test_first_step_keeps_the_volume(void** state)
{
    (void)state;
    DropShape s = {.foot = {7, 0, 7}, .up = {0, 1, 0}, .radius = 4, .above = 2.4, .dim = 3};
    Sim sim;
    sessile_init(&sim, &s, 14, 14, 1, PI/2, 0);
    sim.model.settings.wall_angle = (ContactAngle){68*PI/180, 50*PI/180};
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_step(&sim, 1e-3));
    print_message("ball on the floor: the first step puts %.2g of its volume right\n", sim.report.volume_correction);
    CHECK_LESS(sim.report.volume_correction, 0.02);
    sim_free(&sim);
}

// A pool 0.92 cells deep between walls and on a floor that let lines rest from 146 to 175 degrees: a short first step leads its
// lines a short way. (Before it, lines were brought to their angle by 12 rounds of leading and distances, which a layer thinner
// than a cell does not survive: nodes of the floor were wet and dry in turns, and the first step lost 12.6 % however short. The
// hundredth that is left is that of distances: past walls that hold lines phi goes on at an angle of the interval, with a kink.)
static void test_first_step_of_a_shallow_pool(void** state)
{
    (void)state;
    Sim sim;
    int n = 12;
    double dx = 1.36e-2, depth = 0.92*dx;
    basin_init(&sim, 3, n, 6, n, dx);
    sim.model.settings.wall_angle = (ContactAngle){174.7*PI/180, 145.8*PI/180};
    basin_add(&sim, pool_distance, &depth, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 833, .sigma = 1.8e-4, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_step(&sim, 1e-4));
    print_message("pool 0.92 cells deep: the first step puts %.2g of its volume right\n", sim.report.volume_correction);
    CHECK_LESS(sim.report.volume_correction, 0.02);
    sim_free(&sim);
}

// A pool 0.74 cells deep in a tank that it does not wet: neither the start nor the steps take its volume away, though its lines
// at the walls would rather be below the floor.
static void test_shallow_pool_keeps_its_volume(void** state)
{
    (void)state;
    Sim sim;
    int n = 12;
    double dx = 3e-3, depth = 0.74*dx, poured = depth*n*n*dx*dx, worst = 0;
    basin_init(&sim, 3, n, 7, n, dx);
    sim.model.settings.wall_angle = (ContactAngle){136.2*PI/180, 135.8*PI/180};
    basin_add(&sim, pool_distance, &depth, (double[3]){0.05, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 4900, .sigma = 0.0073, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    double start = sim_volume(&sim)/poured;
    for (int m = 0; m < 20; m++) {
        CHECK_OK(sim_step(&sim, 1));
        worst = fmax(worst, sim.report.volume_correction);
    }
    print_message("pool 0.74 cells deep on 136 degrees: %.3f of its volume at the start, most correction %.3f\n", start, worst);
    CHECK_WITHIN(start, 1, 0.02);
    CHECK_LESS(worst, 0.1);
    sim_free(&sim);
}

// 90 degrees and no tension are the even reflection of old.
static void test_right_angle_is_reflection(void** state)
{
    (void)state;
    Solid plate = {.contact_angle = {-1, -1}};
    Solids solids = {.solid = &plate, .count = 1};
    Liquid q = {.material = {.rho = 1, .sigma = 1, .contact_angle = PI/2}, .w = {.dx = 1}};
    Wetting wet;
    CHECK_TRUE(wetting_of(&wet, &q, &solids, (ContactAngle){0, 0}) == NULL);
    CHECK_TRUE(wetting_of(&wet, &q, &solids, (ContactAngle){2, 2}) != NULL);
    plate.contact_angle = (ContactAngle){0.6*PI, 0.4*PI};
    CHECK_TRUE(wetting_of(&wet, &q, &solids, (ContactAngle){0, 0}) != NULL);
    CHECK_TRUE(wet.hysteresis);
    q.material.sigma = 0;
    CHECK_TRUE(wetting_of(&wet, &q, &solids, (ContactAngle){2, 2}) == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_angle_is_reflection),
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_distances_leave_the_line),
        cmocka_unit_test(test_low_angle),
        cmocka_unit_test(test_sessile),
        cmocka_unit_test(test_meniscus),
        cmocka_unit_test(test_jurin),
        cmocka_unit_test(test_wall_lets_go),
        cmocka_unit_test(test_thrown_drop_wins_nothing),
        cmocka_unit_test(test_tilted_plane),
        cmocka_unit_test(test_hysteresis),
        cmocka_unit_test(test_hysteresis_3d),
        cmocka_unit_test(test_held_line_drives_nothing),
        cmocka_unit_test(test_first_step_keeps_the_volume),
        cmocka_unit_test(test_first_step_of_a_shallow_pool),
        cmocka_unit_test(test_shallow_pool_keeps_its_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
