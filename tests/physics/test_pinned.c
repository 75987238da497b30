// Surfaces whose line rests on an edge: how they swing, and how they hang.
#include <stdlib.h>
#include "basin.h"

// A plate with a slot of half width 1 around `middle` (3D: a hole of radius 1), its lower face at y = face. rho = sigma = 1.
typedef struct Slot {
    double middle, face;
    bool round;
} Slot;

static double slot_distance(const void* user, const double x[3])
{
    const Slot* s = user;
    double side = 1 - (s->round ? hypot(x[0], x[2]) : fabs(x[0] - s->middle)), below = s->face - x[1];
    return side > 0 && below > 0 ? hypot(side, below) : fmax(side, below);
}

// Liquid of a shape in the slot. The tank's own walls are met at 90 degrees: nothing lets go of them.
static void slot_init(Sim* sim, const Slot* slot, const int cells[3], double dx, BasinShape shape, const void* user,
                      LiquidMaterial material)
{
    basin_init(sim, slot->round ? 3 : 2, cells[0], cells[1], cells[2], dx);
    sim->model.settings.advection = ADVECT_AUTO;
    sim->model.settings.wall_angle = (ContactAngle){PI/2, PI/2};
    sim->world.solids = (Solids){.solid = calloc(1, sizeof(Solid)), .count = 1, .any_moving = false};
    sim->world.solids.solid[0] =
        (Solid){.distance = slot_distance, .shape = slot, .pose = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    basin_add(sim, shape, user, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = material;
}

static double degrees(double angle) { return angle*PI/180; }

// ---- swinging ------------------------------------------------------------------------------------------------------------

// A slot filled to its brim, no gravity: the flat surface swings with its ends fixed [benjamin1979]. With the waves of a slot
// with upright walls, psi_j = sin(k_j x), k_j = (j + 1/2) pi, w_j^2 = k_j^3 tanh(k_j h), the slopes at the ends of a surface
// eta add to each a force in proportion to psi_j(1), and eta = sum a_j psi_j(1) psi_j with a_j = k_j tanh(k_j h)/(w_j^2 - w^2).
// The ends are fixed if sum a_j = 0: that is w. The lowest that moves liquid from side to side lies between w_0 and w_1.
enum { WAVES = 400 };

typedef struct Brim {
    Slot slot;
    double depth, omega, amplitude;
} Brim;

static double share_of_wave(const Brim* b, int j, double square)
{
    double k = (j + 0.5)*PI, t = tanh(k*b->depth);
    return k*t/(k*k*k*t - square);
}

static double brim_frequency(const Brim* b)
{
    double low = pow(0.5*PI, 3)*tanh(0.5*PI*b->depth)*(1 + 1e-9),
           high = pow(1.5*PI, 3)*tanh(1.5*PI*b->depth)*(1 - 1e-9);
    for (int m = 0; m < 100; m++) {
        double middle = 0.5*(low + high), sum = 0;
        for (int j = 0; j < WAVES; j++) sum += share_of_wave(b, j, middle);
        if (sum < 0) low = middle;
        else high = middle;
    }
    return sqrt(low);
}

static double brim_height(const Brim* b, double x)
{
    double sum = 0;
    for (int j = 0; j < WAVES; j++) sum += share_of_wave(b, j, b->omega*b->omega)*(j%2 ? -1 : 1)*sin((j + 0.5)*PI*x);
    return b->amplitude*sum;
}

static double brimful(const void* user, const double x[3])
{
    const Brim* b = user;
    double across = fabs(x[0] - b->slot.middle) - 1, down = b->slot.face - x[1];
    if (across < 0) return down - brim_height(b, x[0] - b->slot.middle);
    return down > 0 ? hypot(across, down) : fmax(across - 0.5, down);
}

typedef struct Swing {
    double period, growth, line;  // mean over whole periods; last swing over the second; cells off the edge at the end
} Swing;

// The line's place above the lower face, from the column of nodes beside the slot's left wall.
static double line_off(const Sim* sim, const Slot* slot)
{
    const Liquid* q = &sim->world.liquid[0];
    const Window* w = &q->w;
    double x[3] = {(slot->middle - 1)/w->dx - w->lo[0], slot->face/w->dx - w->lo[1], 0};
    int i = (int)ceil(x[0]), j = (int)floor(x[1]);
    double f = x[1] - j, low = q->phi.v[window_at(w, i, j, 0)], high = q->phi.v[window_at(w, i, j + 1, 0)];
    return fabs((1 - f)*low + f*high)/w->dx;
}

static Swing swing(double cells, double theta, TensionScheme scheme)
{
    enum { SWINGS = 9 };
    Sim sim;
    Brim b = {.slot = {1.6, 2.02, false}, .amplitude = 0};
    int n[3] = {(int)lround(3.2*cells), (int)lround(3.5*cells), 1};
    b.depth = n[1]/cells - b.slot.face;
    b.omega = brim_frequency(&b);
    b.amplitude = 1, b.amplitude = 0.05/fabs(brim_height(&b, 0.5));
    slot_init(&sim, &b.slot, n, 1/cells, brimful, &b, (LiquidMaterial){.rho = 1, .sigma = 1, .mu = 0, .contact_angle = theta});
    sim.model.settings.gravity[1] = 0;
    sim.model.settings.tension.scheme = scheme;
    CHECK_OK(sim_start(&sim));
    double last = 0, before = 0, zero[SWINGS], peak[SWINGS] = {0};
    for (int count = 0; count < SWINGS && sim.world.time < 10;) {
        CHECK_OK(sim_step(&sim, 1));
        double x = liquid_state(&sim.world.liquid[0], &sim.scratch).center[0] - b.slot.middle, t = sim.world.time;
        arena_reset(&sim.scratch);
        peak[count] = fmax(peak[count], fabs(x));
        if (x*last < 0) zero[count++] = before + (t - before)*last/(last - x);
        last = x, before = t;
    }
    Swing s = {2*(zero[SWINGS - 1] - zero[0])/(SWINGS - 1)*b.omega/(2*PI), 0, line_off(&sim, &b.slot)};
    s.growth = fmax(peak[SWINGS - 1], peak[SWINGS - 2])/fmax(peak[1], peak[2]);
    sim_free(&sim);
    return s;
}

// It swings in the period of the theory, and does not swing itself up. (Explicit tension; with curvature carried from 4 cells on
// the energy doubled in every period.)
static void test_brimful_slot_swings(void** state)
{
    (void)state;
    Swing coarse = swing(8, degrees(60), TENSION_EXPLICIT), fine = swing(16, degrees(60), TENSION_EXPLICIT);
    Swing implicit = swing(8, degrees(60), TENSION_IMPLICIT);
    print_message(
        "period off by %.2f %% (8 cells), %.2f %% (16 cells), implicit %.2f %%; swings grow by %.3f, %.3f, %.3f in four "
        "periods\n",
        100*(coarse.period - 1), 100*(fine.period - 1), 100*(implicit.period - 1), coarse.growth, fine.growth,
        implicit.growth);
    CHECK_WITHIN(coarse.period, 1, 0.08);
    CHECK_WITHIN(implicit.period, 1, 0.08);
    CHECK_WITHIN(fine.period, 1, 0.025);
    CHECK_LESS(coarse.growth, 1);
    CHECK_LESS(implicit.growth, 1);
    CHECK_LESS(fine.growth, 1);
    CHECK_LESS(fine.line, 0.1);
}

// ---- hanging -------------------------------------------------------------------------------------------------------------

// The profile of a hanging drop from its apex, k0 its curvature there and B = rho g/sigma:
//     d psi/ds = k0 - B z - [3D: sin(psi)/x],  dx/ds = cos psi,  dz/ds = sin psi    [bashforth1883],
// ended where x = 1 for the `crossing`-th time.
enum { POINTS = 4000 };

typedef struct Drop {
    Slot slot;
    double depth, alpha, past;  // past: what the liquid in the slot reaches into the plate by
    int count;
    double x[POINTS], y[POINTS];  // from the axis, above the face
} Drop;

static double bend(double B, double k0, bool round, double x, double z, double psi)
{
    return k0 - B*z - (!round ? 0 : x > 1e-9 ? sin(psi)/x : 0.5*k0);
}

static void drop_profile(Drop* d, double B, double k0, int crossing)
{
    double ds = 2.5e-3, x = 0, z = 0, psi = 0;
    for (d->count = 0; d->count < POINTS - 1;) {
        d->x[d->count] = x, d->y[d->count++] = z;
        double p = psi + 0.5*ds*bend(B, k0, d->slot.round, x, z, psi), xm = x + 0.5*ds*cos(psi),
               zm = z + 0.5*ds*sin(psi);
        double xn = x + ds*cos(p), zn = z + ds*sin(p);
        psi += ds*bend(B, k0, d->slot.round, xm, zm, p);
        if ((x - 1)*(xn - 1) <= 0 && --crossing == 0) {
            double f = (1 - x)/(xn - x);
            x = 1, z += f*(zn - z);
            break;
        }
        x = xn, z = zn;
    }
    d->x[d->count] = x, d->y[d->count++] = z;
    d->depth = z, d->alpha = psi;
    for (int m = 0; m < d->count; m++) d->y[m] -= z;
}

static double hanging(const void* user, const double place[3])
{
    const Drop* d = user;
    double x = d->slot.round ? hypot(place[0], place[2]) : fabs(place[0]), y = place[1] - d->slot.face, away = INFINITY;
    bool inside = false;
    if (y >= 0) return fmax(x - 1 - fmin(d->past, y), -fmax(y, hypot(x - 1, y)));
    for (int m = 0; m + 1 < d->count; m++) {
        away = fmin(away, hypot(x - 0.5*(d->x[m] + d->x[m + 1]), y - 0.5*(d->y[m] + d->y[m + 1])));
        if ((d->y[m] > y) == (d->y[m + 1] > y)) continue;
        double f = (y - d->y[m])/(d->y[m + 1] - d->y[m]);
        if (d->x[m] + f*(d->x[m + 1] - d->x[m]) > x) inside = !inside;
    }
    return inside ? -away : away;
}

typedef struct Hanging {
    double tip;    // cells: how far it has gone, the most since the start
    double speed;  // the fastest in the last quarter of the time, sqrt(sigma/(rho r))
} Hanging;

static Hanging hang(double cells, double theta, double B, double k0, int crossing, bool round, double end)
{
    static Drop d;
    Sim sim;
    d = (Drop){.slot = {0, 0, round}, .past = 1/cells};
    drop_profile(&d, B, k0, crossing);
    double wide = 0;
    Hanging out = {0};
    for (int m = 0; m < d.count; m++) wide = fmax(wide, d.x[m]);
    d.slot.face = ceil((d.depth + 0.7)*cells)/cells + 0.02;
    int across = (int)ceil((wide + 0.8)*cells), n[3] = {across, (int)ceil((d.slot.face + 1.5)*cells), round ? across : 1};
    slot_init(&sim, &d.slot, n, 1/cells, hanging, &d,
              (LiquidMaterial){.rho = 1, .sigma = 1, .mu = 0.1, .contact_angle = theta});
    sim.model.tank.side[0] = SIDE_IS_MIRROR;
    if (round) sim.model.tank.side[4] = SIDE_IS_MIRROR;
    sim.model.settings.gravity[1] = -B;
    CHECK_OK(sim_start(&sim));
    while (sim.world.time < end) {
        CHECK_OK(sim_step_towards(&sim, end));
        double tip = d.slot.face - liquid_state(&sim.world.liquid[0], &sim.scratch).low[1];
        arena_reset(&sim.scratch);
        out.tip = fmax(out.tip, cells*fabs(tip - d.depth));
        if (sim.world.time > 0.75*end) out.speed = fmax(out.speed, liquid_max_speed(&sim.world.liquid[0]));
    }
    print_message(
        "%s, plate of %.0f degrees: drop of depth %.3f, %.1f degrees with the plate: its tip goes %.3f cells, flow left: "
        "%.4f\n",
        round ? "hole" : "slot", theta*180/PI, d.depth, d.alpha*180/PI, out.tip, out.speed);
    sim_free(&sim);
    return out;
}

// Drops hang at rest as their profile says, nearly to the most that can: 3.96 for this slot, of areas 1.627, 3.008 and 3.880
// here. They hang by suction, and the slot's walls stay wet however little they like it.
static void test_drops_hang(void** state)
{
    (void)state;
    CHECK_LESS(hang(8, degrees(130), 1, 1.25, 1, false, 12).tip, 0.02);
    CHECK_LESS(hang(8, degrees(160), 1, 1.35, 1, false, 12).tip, 0.05);
    CHECK_LESS(hang(8, degrees(130), 1, 1.45, 1, false, 12).tip, 0.1);
}

// The same from a hole: 55 of at most 73.5 ul of water from one of 2 mm.
static void test_drop_hangs_from_a_hole(void** state)
{
    (void)state;
    CHECK_LESS(hang(6, degrees(150), 0.5385, 2.0513, 2, true, 3).tip, 0.1);
    // Nothing moves the liquid in the hole. Behind the wall that it covers there was a surface, left by the shape it came with,
    // which crept out after 30 to 40 steps: 0.45 in this time, and speeds like that threw water about for good.
    CHECK_LESS(hang(6, degrees(110), 0.5385, 2.0513, 2, true, 4.9).speed, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brimful_slot_swings), cmocka_unit_test(test_drops_hang),
                                       cmocka_unit_test(test_drop_hangs_from_a_hole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
