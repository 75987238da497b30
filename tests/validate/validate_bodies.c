// Bodies at rest across a surface, held up by tension and buoyancy; how they start to move. Writes docs/validation/bodies.md.
// rho = g = 1, lengths in radii.
#include "afloat_ball.h"
#include "afloat_cylinder.h"
#include "page.h"
#include "swinging.h"

// ---- what all runs say about energy ----------------------------------------------------------------------------------------

enum { MOST_RUNS = 80 };
// sigma R (3D: sigma R^2): what a run's energy may climb from any point on.
static const double MOST_CLIMB = 0.1;

static struct {
    char name[80];
    double unit;
    AtRest rest;
} run[MOST_RUNS];
static int runs;

static void note(const char* name, double unit, const AtRest* rest)
{
    assert_true(runs < MOST_RUNS);
    snprintf(run[runs].name, sizeof run[runs].name, "%s", name);
    run[runs].unit = unit, run[runs++].rest = *rest;
}

static void test_energy(void** state)
{
    (void)state;
    SAY("## Energy and trembling\n\nOf all runs above: what the books have gained at the end; the most they climbed from any "
        "earlier point on, at most %g; what was taken off the motion again, all in `sigma R` (3D: `sigma R^2`); the fastest "
        "liquid and "
        "the fastest body at the end, in `sqrt(g R)`. Runs start with the surface of theory, not of the grid.\n\n"
        "| run | gain | climb | taken | liquid | body |\n| --- | --- | --- | --- | --- | --- |\n",
        MOST_CLIMB);
    for (int m = 0; m < runs; m++) {
        const AtRest* r = &run[m].rest;
        SAY("| %s | %+.1e | %.1e%s | %.1e | %.1e | %.1e |\n", run[m].name, r->gain/run[m].unit, r->climb/run[m].unit,
            page_mark(r->climb/run[m].unit, MOST_CLIMB), r->taken/run[m].unit, r->speed, r->body_speed);
    }
    SAY("\n");
}

// ---- one cylinder ----------------------------------------------------------------------------------------------------------

static const double L = 1/0.66;
static const double MOST_ANGLE = 155;  // of bodies (liquid/wetting.c)

static void test_cylinders(void** state)
{
    (void)state;
    static const double degrees[] = {70, 90, 110, 150, 180}, cells[] = {4, 8, 16};
    SAY("## Cylinders\n\nDensity 1.5, R = 0.66 l. Height of the centre, and how far it is from theory in cells; at most 0.15. "
        "Angles "
        "over 155 degrees count as 155: 180 is compared with that (180 itself: %.4f, %.2f cells at R = 8 dx; asked 0.6).\n\n"
        "| angle | exact | R/dx | height | off, dx | swing, dx |\n| --- | --- | --- | --- | --- | --- |\n",
        floating_center(1.5, PI, 1, L), 8*(floating_center(1.5, PI, 1, L) - floating_center(1.5, MOST_ANGLE*PI/180, 1, L)));
    for (int m = 0; m < 5; m++)
        for (int n = 0; n < 3; n++) {
            char name[80];
            AfloatCylinder c = {.theta = fmin(degrees[m], MOST_ANGLE)*PI/180, .density = 1.5, .l = L};
            c.start = afloat_exact(&c);
            Afloat f = afloat_cylinder(&c, cells[n], cells[n] < 16 ? 10 : 5);
            f.body[0].angle = degrees[m]*PI/180;
            AtRest r = afloat_run(&f, -INFINITY);
            double off = afloat_off(&r, &f);
            SAY("| %g | %.4f | %g | %.4f | %+.3f%s | %.3f |\n", degrees[m], afloat_exact(&c), cells[n], c.start + off/cells[n],
                off, page_mark(fabs(off), 0.15), r.swing*cells[n]);
            snprintf(name, sizeof name, "cylinder, %g degrees, R = %g dx", degrees[m], cells[n]);
            note(name, L*L, &r);
        }
    SAY("\n");
}

// ---- the heaviest that floats ----------------------------------------------------------------------------------------------

enum { PATH_MOST = 4000 };

// The way of a body that sinks: height over the surface far away, and speed downwards.
typedef struct Path {
    double height[PATH_MOST], speed[PATH_MOST];
    int count;
} Path;

// Runs to its time, or until the body lies lower than `sunk`. How it did: only what energy asks for.
static AtRest follow(Path* p, Afloat* f, double sunk)
{
    Sim sim;
    AtRest rest = {0};
    double lowest_gain = 0;
    afloat_start(&sim, f);
    p->count = 0;
    while (sim.world.time < f->time && rest.lowest > sunk) {
        double twist[TWIST];
        CHECK_OK(sim_step(&sim, f->time));
        test_body_twist(twist, &sim, 0);
        assert_true(p->count < PATH_MOST);
        p->height[p->count] = test_body(&sim, 0)->center[1] - afloat_far(&sim.world.liquid[0]);
        p->speed[p->count] = -twist[1];
        rest.lowest = fmin(rest.lowest, p->height[p->count++]);
        lowest_gain = fmin(lowest_gain, sim.world.energy.gain);
        rest.climb = fmax(rest.climb, sim.world.energy.gain - lowest_gain);
    }
    rest.speed = sim.report.max_speed, rest.body_speed = fabs(p->speed[p->count - 1]);
    rest.gain = sim.world.energy.gain, rest.taken = sim.world.energy.taken;
    afloat_end(&sim, f);
    return rest;
}

static double speed_at(const Path* p, double height)
{
    for (int m = 1; m < p->count; m++) {
        double a = p->height[m - 1], b = p->height[m];
        if (a >= height && b < height) return p->speed[m - 1] + (a - height)/(a - b)*(p->speed[m] - p->speed[m - 1]);
    }
    return NAN;
}

// Two bodies of densities D that sink slowly through the same height are held up by the same load F and the same resistance:
// v = (D - F)/zeta for both of them.
static double load_by_speeds(const Path p[2], const double D[2], double height)
{
    double a = speed_at(&p[0], height), b = speed_at(&p[1], height);
    return (D[0]*b - D[1]*a)/(b - a);
}

// A body floats that lies higher than any that must sink, and slows down.
static void say_density(double density, double most, double exact, const Path* p, double lost)
{
    char place[16] = "none";
    double lowest = 0, fastest = 0, end = fabs(p->speed[p->count - 1]);
    for (int m = 0; m < p->count; m++) lowest = fmin(lowest, p->height[m]), fastest = fmax(fastest, fabs(p->speed[m]));
    bool floats = lowest > lost && end < 0.5*fastest;
    if (density < most) snprintf(place, sizeof place, "%.4f", exact);
    SAY("| %.4g | %s | %.4f | %.4f | %.4f | %s%s |\n", density, place, lowest, fastest, end, floats ? "yes" : "no",
        page_mark(floats != (density < most), 1));
}

static void test_most_density(void** state)
{
    (void)state;
    static Path path[3];
    static const double density[] = {2.7, 3.3, 3.6}, height[] = {-2.5, -2.7, -2.9, -3.1};
    double theta = 110*PI/180, most = floating_most(theta, 1, L), lost = -1 - 2*L*sin(0.5*theta);
    SAY("## The heaviest that floats\n\nAt 110 degrees a cylinder of R = 0.66 l floats up to a density of %.3f. R = 8 dx. "
        "Surfaces at rest end on none that lies deeper than %.3f: what comes to lie deeper sinks, what has slowed down to half "
        "its "
        "speed before floats.\n\n"
        "| density | exact | lowest | fastest | at the end | floats |\n| --- | --- | --- | --- | --- | --- |\n",
        most, lost);
    for (int m = 0; m < 3; m++) {
        char name[80];
        AfloatCylinder c = {.theta = theta, .density = density[m], .l = L, .start = -1.8};
        if (density[m] < most) c.start = afloat_exact(&c);
        Afloat f = afloat_cylinder(&c, 8, 20);
        f.depth += 2;
        AtRest r = follow(&path[m], &f, lost);
        say_density(density[m], most, c.start, &path[m], lost);
        snprintf(name, sizeof name, "density %g, 110 degrees", density[m]);
        note(name, L*L, &r);
    }
    SAY("\nThe two that sink tell what they are carried by: slowly through the same height, v = (D - F)/zeta. F, in densities, "
        "around the depth that carries most, at most 5 %% off (a first run had it 11 %% low at -2.1, where they still gather "
        "speed, and 6 %% high at -3.4):\n\n| height | v of 3.3 | v of 3.6 | F | exact | off, %% |\n| --- | --- | --- | --- | --- "
        "| --- |\n");
    for (int m = 0; m < 4; m++) {
        double got = load_by_speeds(path + 1, density + 1, height[m]), center;
        double exact = floating_load(&center, floating_wetted(height[m], theta, 1, L), theta, 1, L)/PI;
        SAY("| %g | %.4f | %.4f | %.3f | %.3f | %+.1f%s |\n", height[m], speed_at(&path[1], height[m]),
            speed_at(&path[2], height[m]), got, exact, 100*(got/exact - 1), page_mark(fabs(got/exact - 1), 0.05));
    }
    SAY("\n");
}

static void test_off_the_grid(void** state)
{
    (void)state;
    static const double shift[] = {0, 0.25, 0.5, 0.75};
    SAY("## Sideways\n\nA cylinder of 110 degrees, density 1.5, R = 8 dx, held sideways: force along x, over sigma, with its "
        "middle off the "
        "grid. At most 0.01.\n\n| off, dx | F/sigma |\n| --- | --- |\n");
    for (int m = 0; m < 4; m++) {
        AfloatCylinder c = {.theta = 110*PI/180, .density = 1.5, .l = L};
        c.start = afloat_exact(&c);
        Afloat f = afloat_cylinder(&c, 8, 10);
        f.shift[0] = shift[m], f.body[0].fixed = FIXED_X;
        AtRest r = afloat_run(&f, -INFINITY);
        SAY("| %g | %+.4f%s |\n", shift[m], r.force[0]/(L*L), page_mark(fabs(r.force[0])/(L*L), 0.01));
    }
    SAY("\n");
}

// ---- two cylinders ---------------------------------------------------------------------------------------------------------

static void test_pair(void** state)
{
    (void)state;
    SAY("## Two cylinders attract each other\n\n110 degrees, density 1.5, R = 0.66 l = 8 dx, held sideways. The pull is `sigma "
        "h_m^2/(2 l^2)`, h_m the depth half-way. At most 6 %% off.\n\n"
        "| apart, l | F/sigma, left | right | exact | height | exact |\n| --- | --- | --- | --- | --- | --- |\n");
    for (int apart = 3; apart <= 4; apart++) {
        AfloatPair p = afloat_pair_of(110*PI/180, 1.5, L, apart*L);
        Afloat f = afloat_pair(&p, 8, 20);
        AtRest r = afloat_run(&f, -INFINITY);
        double sigma = L*L;
        SAY("| %d | %+.4f | %+.4f%s | %.4f | %.4f | %.4f |\n", apart, r.force[0]/sigma, r.force[1]/sigma,
            page_mark(fabs(afloat_pair_excess(&r, &p)), 0.06), p.pull, r.height[0], p.center);
        char name[80];
        snprintf(name, sizeof name, "two cylinders %d l apart", apart);
        note(name, sigma, &r);
    }
    SAY("\n");
}

// ---- wires -----------------------------------------------------------------------------------------------------------------

static void test_wires(void** state)
{
    (void)state;
    static const double thick[] = {4, 3, 2, 1.3}, degrees[] = {90, 110, 150};
    double l = 2.728/0.5;  // of water, over R = 0.5 mm
    SAY("## Steel wires\n\nDensity 7.9, R = 0.5 mm, water (l = 2.728 mm). Wires thinner than 3 cells are seen 3 cells thick; "
        "exact is "
        "then the height at which their lines are where those of the wire would be. At most 0.4 dx off.\n\n"
        "| cells thick | angle | exact | height | off, dx | swing, dx |\n| --- | --- | --- | --- | --- | --- |\n");
    for (int n = 0; n < 4; n++)
        for (int m = 0; m < 3; m++) {
            double cells = 0.5*thick[n];
            AfloatCylinder c = {.theta = degrees[m]*PI/180, .density = 7.9, .l = l, .seen = cells < 1.5 ? 1.5/cells : 1};
            c.start = afloat_exact(&c);
            Afloat f = afloat_cylinder(&c, cells, 20);
            AtRest r = afloat_run(&f, -INFINITY);
            double off = afloat_off(&r, &f);
            SAY("| %g | %g | %.4f | %.4f | %+.3f%s | %.3f |\n", thick[n], degrees[m], c.start, c.start + off/cells, off,
                page_mark(fabs(off), 0.4), r.swing*cells);
            char name[80];
            snprintf(name, sizeof name, "wire, %g cells, %g degrees", thick[n], degrees[m]);
            note(name, l*l, &r);
        }
    SAY("\nWires 1.3 cells thick at 110 degrees, laid on the surface a quarter of a radius deep: thicker ones sink.\n\n"
        "| R, mm | most density | floats |\n| --- | --- | --- |\n");
    static const double radius[] = {0.5, 0.7, 0.8, 1.0, 1.1};
    for (int m = 0; m < 5; m++) {
        AfloatCylinder c = {.theta = 110*PI/180, .density = 7.9, .l = 2.728/radius[m], .start = -0.25, .seen = 1.5/0.65};
        double most = floating_most(c.theta, 1, c.l);
        Afloat f = afloat_cylinder(&c, 0.65, 60);
        f.depth += 6, f.surface = NULL;
        AtRest r = afloat_run(&f, -7);
        bool floats = r.lowest > -7 && r.carried;
        SAY("| %g | %.2f | %s%s |\n", radius[m], most, floats ? "yes" : "no", page_mark(floats != (most > 7.9), 1));
        char name[80];
        snprintf(name, sizeof name, "wire of %g mm laid on", radius[m]);
        note(name, c.l*c.l, &r);
    }
    SAY("\n");
}

// ---- balls -----------------------------------------------------------------------------------------------------------------

static void test_ball(void** state)
{
    (void)state;
    static const double degrees[] = {70, 110, 150};
    SAY("## Balls\n\n3D, R = 0.5 l = 6 dx, density 2, in a box 4 l wide; exact is the ball in a round vessel of the same area, "
        "by "
        "shooting. Height over the surface at the sides. At most 0.15 dx off.\n\n"
        "| angle | exact | height | off, dx | swing, dx |\n| --- | --- | --- | --- | --- |\n");
    for (int m = 0; m < 3; m++) {
        AfloatBall b = afloat_ball_of(degrees[m]*PI/180, 2, 2, 8);
        Afloat f = afloat_ball(&b, 6, 8, 5);
        AtRest r = afloat_run(&f, -INFINITY);
        double off = 6*(r.height[0] - b.exact.center);
        SAY("| %g | %.4f | %.4f | %+.3f%s | %.3f |\n", degrees[m], b.exact.center, r.height[0], off, page_mark(fabs(off), 0.15),
            6*r.swing);
        char name[80];
        snprintf(name, sizeof name, "ball, %g degrees", degrees[m]);
        note(name, f.l*f.l, &r);
    }
    SAY("\n");
}

static void test_most_density_of_ball(void** state)
{
    (void)state;
    static Path path;
    static const double part[] = {0.9, 1.1};
    FloatingBall exact = {.theta = 110*PI/180, .R = 1, .l = 2, .vessel = 8/sqrt(PI)}, place = exact;
    double most = floating_ball_most(&exact), lost = 0;
    for (int m = 1; m < 200; m++)
        if (floating_ball_at(&place, PI - exact.theta + m*exact.theta/200) > 0) lost = fmin(lost, place.center);
    SAY("Of 110 degrees they float up to a density of %.3f, by shooting from the ball outwards, and surfaces at rest end on none "
        "that lies deeper than %.3f. Viscosity 1, in place of 2 l.\n\n"
        "| density | exact | lowest | fastest | at the end | floats |\n| --- | --- | --- | --- | --- | --- |\n",
        most, lost);
    for (int m = 0; m < 2; m++) {
        char name[80];
        static AfloatBall b;
        // the heavy one starts where one of 0.95 lies
        b = afloat_ball_of(exact.theta, fmin(part[m], 0.95)*most, exact.l, 8);
        Afloat f = afloat_ball(&b, 6, 8, 6);
        f.depth = 3.5, f.mu = 1, f.body[0].density = part[m]*most;
        AtRest r = follow(&path, &f, lost);
        say_density(part[m]*most, most, b.exact.center, &path, lost);
        snprintf(name, sizeof name, "ball, %.1f of what floats", part[m]);
        note(name, f.l*f.l, &r);
    }
    SAY("\n");
}

typedef struct BallPair {
    AfloatBall one;
    double half;  // of the distance between them
} BallPair;

static double balls_surface(const void* user, const double x[3])
{
    const Afloat* f = user;
    const BallPair* p = f->user;
    double away = x[0] - f->middle[0], z = x[2] - f->middle[2];
    return x[1] - f->level - afloat_ball_height(&p->one, hypot(away - p->half, z)) -
           afloat_ball_height(&p->one, hypot(away + p->half, z));
}

static void test_ball_pair(void** state)
{
    (void)state;
    static const double apart = 4;
    BallPair p = {afloat_ball_of(110*PI/180, 2, 2, 8), 0.5*apart};
    Afloat f = afloat_ball(&p.one, 6, 8, 8);
    f.width = 12, f.bodies = 2, f.surface = balls_surface, f.user = &p;
    double Q = floating_ball_charge(&p.one.exact, p.one.trace[1]), sigma = f.l*f.l;
    double pull = floating_balls_pull(Q, f.l, apart, (double[2]){f.width, f.across});
    f.body[0].fixed = FIXED_X, f.body[0].center[1] -= Q*bessel_k(0, apart/f.l), f.body[1] = f.body[0];
    f.body[0].center[0] = -p.half, f.body[1].center[0] = p.half;
    AtRest r = afloat_run(&f, -INFINITY);
    double off = 0.5*(r.force[0] - r.force[1])/sigma/pull - 1;
    SAY("Two balls of 110 degrees %g R = 2 l apart, held sideways: F/(sigma R) %+.4f, %+.4f. Where menisci add up, and with the "
        "mirror images "
        "in the walls, 2 pi Q^2/l K1(d/l) [vella2005], it is %.4f; Q, of one ball's far surface Q K0(r/l), by shooting: %.4f R. "
        "%+.0f %%%s off; asked "
        "10.\n\n",
        apart, r.force[0]/sigma, r.force[1]/sigma, pull, Q, 100*off, page_mark(fabs(off), 0.1));
    note("two balls", sigma, &r);
}

// ---- how they start, without tension ---------------------------------------------------------------------------------------

static const double POOL[2] = {24, 10};  // width and depth

// What a body released from rest in a wide pool does in its first moment: twist over time, of entry `k`.
static double first_moment(const TestBody* body, double cells, int k)
{
    Sim sim;
    double twist[TWIST];
    Afloat f = {.dim = 2, .cells = cells, .width = POOL[0], .depth = POOL[1], .above = 2, .shift = {0.21, 0.137}, .bodies = 1};
    f.body[0] = *body;
    afloat_start(&sim, &f);
    CHECK_OK(sim_step(&sim, 1e-3));
    test_body_twist(twist, &sim, 0);
    double a = twist[k]/sim.report.dt;
    afloat_end(&sim, &f);
    return a;
}

// Added mass in heave, at once, of a body across the surface of the pool: half that of the double body, of section A and added
// mass m. The double body is a dipole (A + m) v/(2 pi) far away. Walls and floor mirror it; what its images move the water with
// at its place, w v, adds - w (A + m)^2/(2 pi) to m.
static double heave_mass(double A, double m)
{
    double q = PI/POOL[0], w = -q*q/3;  // images beside it: the sum of - 1/x^2
    for (int k = 1; k < 4; k++) w += (k%2 ? -2 : 2)*pow(q/sinh(2*q*POOL[1]*k), 2);
    return 0.5*(m - w*(A + m)*(A + m)/(2*PI));
}

// How a body that floats half under water answers to being moved by +- d, or turned: rate of its acceleration per d. The mean of
// both sides is what a displacement that is small would do; half their sum tells how far off it thinks it floats.
typedef struct Answer {
    double rate, off;  // off: of d
} Answer;

static Answer answer(const TestBody* body, double cells, int entry, double d)
{
    double a[2];
    for (int side = 0; side < 2; side++) {
        TestBody moved = *body;
        if (entry == 5) moved.turned = side ? -d : d;
        else moved.center[1] = side ? d : -d;
        a[side] = first_moment(&moved, cells, entry);
    }
    return (Answer){(a[0] - a[1])/(2*d), (a[0] + a[1])/(a[0] - a[1])};
}

static void test_start(void** state)
{
    (void)state;
    // added masses of the double bodies: pi R^2 of a cylinder, 4.754 a^2 and 0.725 a^4 of a square of edge 2 a [newman1977]
    const struct {
        const char* name;
        TestBody body;
        int entry;
        double d, exact;
    } cases[] = {{"cylinder, heave", {.R = 1, .density = 0.5}, 1, 0.05, 2/(PI/2 + heave_mass(PI, PI))},
                 {"square log, heave", {.is_box = true, .h = {1, 1}, .density = 0.5}, 1, 0.1, 2/(2 + heave_mass(4, 4.754))},
                 {"square log, roll",
                  {.is_box = true, .h = {1, 1}, .density = 0.5, .fixed = FIXED_X},
                  5,
                  0.1,
                  2*(0.5 - 1.0/3)/(2*2.0/3 + 0.5*0.725)}};
    SAY("## How they start\n\nHalf-immersed bodies, density 0.5, no tension, R = 1, half the log's edge a = 1: what they do in "
        "the "
        "first step of 0.001 sqrt(R/g), moved by +- d off their place or turned, held sideways: acceleration per d, the mean of "
        "both sides. By linear theory 2/(M + m), with m half the added mass of the double body in the pool (24 wide, 10 deep, by "
        "images), and (V BG - I)/(2 2/3 + 0.725/2): the log turns on. At most 4 %% off at 8 and 3 %% at 16 cells. Off its place: "
        "how far from there it thinks it floats, in cells; at most 0.05.\n\n"
        "| | d | exact | R = 8 dx | off, %% | off its place | 16 dx | off, %% | off its place |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int m = 0; m < 3; m++) {
        SAY("| %s | %g | %.4f |", cases[m].name, cases[m].d, cases[m].exact);
        for (int n = 0; n < 2; n++) {
            double cells = 8 << n, place;
            Answer a = answer(&cases[m].body, cells, cases[m].entry, cases[m].d);
            place = a.off*cases[m].d*cells;
            SAY(" %.4f | %+.1f%s | %+.3f%s |", a.rate, 100*(a.rate/cases[m].exact - 1),
                page_mark(fabs(a.rate/cases[m].exact - 1), n ? 0.03 : 0.04), place, page_mark(fabs(place), 0.05));
        }
        SAY("\n");
    }
    SAY("\n");
}

// ---- how they swing --------------------------------------------------------------------------------------------------------

static void test_swinging(void** state)
{
    (void)state;
    SAY("## Heave and roll\n\nA box 2 a wide and a high, density 0.5, in a tank 6 a wide and 2.5 a deep, no tension; released "
        "0.1 a "
        "too deep, or turned by 0.1 and held in its place: when it stands still, `sqrt(a/g)`. Exact: linear theory of box and "
        "water together, by matched eigenfunctions (`tests/support/tank_body.h`). At most 7 %% off at 8 and 2 %% at 16 cells per "
        "a.\n\n"
        "| | turn | exact | a = 8 dx | off, %% | 16 dx | off, %% |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int rolls = 0; rolls < 2; rolls++) {
        TankBody t = swinging_box(rolls, 3);
        Turns coarse = swinging_box_run(&t, 8, 0.05, 4), fine = swinging_box_run(&t, 16, 0.05, 4);
        for (int m = 0; m < 4; m++) {
            double exact = tank_body_turn(&t, m + 1), off[2] = {coarse.at[m]/exact - 1, fine.at[m]/exact - 1};
            SAY("| %s | %d | %.3f | %.3f | %+.2f%s | %.3f | %+.2f%s |\n", rolls ? "roll" : "heave", m + 1, exact, coarse.at[m],
                100*off[0], page_mark(fabs(off[0]), 0.07), fine.at[m], 100*off[1], page_mark(fabs(off[1]), 0.02));
        }
    }
    SAY("\n");
    if (!rigid_mujoco_is_there()) return;
    SAY("## A pendulum under water\n\nA disc or ball on a rod of length 2 R that has neither weight nor skin, in the middle of a "
        "round vessel of radius b full of liquid: period, `sqrt(R/g)`, against `w^2 = (s - 1) V L/(s V L^2 + I + m L^2)` with "
        "its added mass m in the vessel [lamb1932]. At most 1 %% off.\n\n"
        "| | density | b | R/dx | exact | period | off, %% |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    static const struct {
        int dim;
        double density, b, cells, max_dt;
    } cases[] = {{2, 3, 3, 8, 0.05}, {2, 3, 3, 16, 0.05}, {2, 8, 3, 8, 0.05}, {3, 3, 2, 6, 0.1}, {3, 8, 2, 6, 0.1}};
    for (int m = 0; m < 5; m++) {
        double exact = pendulum_period(cases[m].dim, cases[m].density, cases[m].b);
        Turns t = pendulum_run(cases[m].dim, cases[m].density, cases[m].b, cases[m].cells, cases[m].max_dt, 2);
        SAY("| %s | %g | %g | %g | %.4f | %.4f | %+.2f%s |\n", cases[m].dim == 3 ? "ball" : "disc", cases[m].density, cases[m].b,
            cases[m].cells, exact, t.at[1], 100*(t.at[1]/exact - 1), page_mark(fabs(t.at[1]/exact - 1), 0.01));
    }
    SAY("\n");
}

// Time of the first turn of a cylinder released 0.3 R too deep.
static double first_turn(double cells)
{
    Sim sim;
    double before = 0, time = 0;
    Afloat f = {.dim = 2, .cells = cells, .width = 16, .depth = 6, .above = 2.5, .shift = {0.21, 0.137}, .bodies = 1};
    f.body[0] = (TestBody){.R = 1, .density = 0.5, .center = {0, -0.3}};
    afloat_start(&sim, &f);
    sim.model.settings.max_dt = 0.02;
    while (time == 0 && sim.world.time < 10) {
        double twist[TWIST];
        CHECK_OK(sim_step(&sim, 1));
        test_body_twist(twist, &sim, 0);
        if (before > 0 && twist[1] <= 0) time = sim.world.time - sim.report.dt*twist[1]/(twist[1] - before);
        before = twist[1];
    }
    afloat_end(&sim, &f);
    return time;
}

static void test_bobbing(void** state)
{
    (void)state;
    double coarse = first_turn(8), fine = first_turn(16), off = coarse/fine - 1;
    SAY("## Bobbing\n\nA cylinder of density 0.5 released 0.3 R too deep, no tension: time to its first turn, `sqrt(R/g)`: %.3f "
        "at 8, %.3f at "
        "16 cells per R, %+.1f %%%s apart; asked 2.\n\n",
        coarse, fine, 100*off, page_mark(fabs(off), 0.02));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cylinders),
                                       cmocka_unit_test(test_most_density),
                                       cmocka_unit_test(test_off_the_grid),
                                       cmocka_unit_test(test_pair),
                                       cmocka_unit_test(test_wires),
                                       cmocka_unit_test(test_ball),
                                       cmocka_unit_test(test_most_density_of_ball),
                                       cmocka_unit_test(test_ball_pair),
                                       cmocka_unit_test(test_start),
                                       cmocka_unit_test(test_swinging),
                                       cmocka_unit_test(test_bobbing),
                                       cmocka_unit_test(test_energy)};
    page_open("bodies.md");
    SAY("# Bodies\n\nWritten by `validate_bodies`. Bodies that come to rest across a surface in viscous liquid that slips along "
        "walls; "
        "heights are those of centres over the surface far away, means over the last 30 %% of the time. `l = sqrt(sigma/(rho "
        "g))`, `rho = g "
        "= R = 1`.\n\n");
    int failed = cmocka_run_group_tests(tests, make_folder, remove_folder);
    page_close();
    return failed || page_misses > 0;
}
