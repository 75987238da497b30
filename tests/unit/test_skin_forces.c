// What acts on the water of a skin: weight along an incline, adhesion, hair.
#include "dice.h"
#include "skin/skin_forces.h"
#include "skin_ball.h"

// The half-space below a plane through the origin with normal n.
typedef struct Plane {
    double n[3];
} Plane;

static double plane_distance(const void* self, const double x[3]) { return vec_dot(((const Plane*)self)->n, x); }

static void plane_velocity(double u[3], const void* self, const double x[3])
{
    (void)self, (void)x;
    u[0] = u[1] = u[2] = 0;
}

typedef struct OnPlane {
    Plane plane;
    SkinLattice lattice;
    SkinWater water;
} OnPlane;

static OnPlane* plane_new(const double n[3], double a, double size, const SkinOptions* options)
{
    OnPlane* p = calloc(1, sizeof *p);
    memcpy(p->plane.n, n, sizeof p->plane.n);
    SkinLatticeOptions o = {
        .spacing = a, .level = 2, .inner = 2*a, .outer = 6*a, .low = {-size, -size, -size}, .high = {size, size, size}};
    CHECK_OK(skin_lattice_init(&p->lattice, &o, plane_distance, &p->plane));
    SkinBody body = {.self = &p->plane, .distance = plane_distance, .velocity = plane_velocity, .keeps_form = true};
    CHECK_OK(skin_water_init(&p->water, &p->lattice, &body, options));
    return p;
}

static void plane_free(OnPlane* p)
{
    skin_water_free(&p->water), skin_lattice_free(&p->lattice);
    free(p);
}

static void plane_step(OnPlane* p, const double g[3], double dt)
{
    CHECK_OK(skin_water_move(&p->water, (const double(*)[3])p->lattice.rest));
    CHECK_OK(skin_step(&p->water, g, dt));
    assert_int_equal(skin_water_lost(&p->water), 0);
}

// A film that slides without friction: g sin(angle) down the slope, and nothing goes through it.
static void test_film_on_an_incline(void** state)
{
    (void)state;
    const double angle = PI/6, a = 0.002, g[3] = {0, -9.81, 0}, n[3] = {sin(angle), cos(angle), 0},
                 down[3] = {cos(angle), -sin(angle), 0};
    SkinOptions o = skin_options();
    OnPlane* p = plane_new(n, a, 0.05, &o);
    for (int tet = 0; tet < skin_fine_count(&p->lattice); tet++) {
        double x[4][3], key = skin_order_key(&p->water.now, tet);
        skin_corners(x, &p->water.now, tet);
        int64_t room = skin_room(&p->water, &p->water.now, tet);
        if (room > 0 && key < 2*a && fabs(x[0][2]) < 0.02 && fabs(vec_dot(x[0], down)) < 0.02)
            CHECK_OK(skin_water_pour(&p->water, tet, room, (const double[3]){0, 0, 0}));
    }
    CHECK_OK(skin_list_active(&p->water));
    const double dt = 1e-3;
    double begin[3], end[3], total = (double)skin_water_held(&p->water);
    skin_water_momentum(begin, &p->water);
    const int steps = 30;
    for (int m = 0; m < steps; m++) plane_step(p, g, dt);
    skin_water_momentum(end, &p->water);
    double along = vec_dot(end, down)/(total*steps*dt), into = vec_dot(end, n)/(total*steps*dt);
    print_message("down the slope %.4f of g sin, off it %.4f of g\n", along/(9.81*sin(angle)), into/9.81);
    CHECK_CLOSE(along, 9.81*sin(angle), 0.05);
    CHECK_LESS(fabs(into), 0.05*9.81);
    plane_free(p);
}

// Under a ceiling: what pulls harder than the weight holds the film, what pulls less lets it fall.
static double held_under_ceiling(double adhesion)
{
    const double a = 0.002, g[3] = {0, -9.81, 0}, n[3] = {0, -1, 0};
    SkinOptions o = skin_options();
    o.adhesion = adhesion, o.adhesion_reach = 4*a;
    OnPlane* p = plane_new(n, a, 0.03, &o);
    for (int tet = 0; tet < skin_fine_count(&p->lattice); tet++) {
        double x[4][3];
        skin_corners(x, &p->water.now, tet);
        int64_t room = skin_room(&p->water, &p->water.now, tet);
        if (room > 0 && skin_order_key(&p->water.now, tet) < a && hypot(x[0][0], x[0][2]) < 0.015)
            CHECK_OK(skin_water_pour(&p->water, tet, room, (const double[3]){0, 0, 0}));
    }
    CHECK_OK(skin_list_active(&p->water));
    double total = (double)skin_water_held(&p->water);
    for (int m = 0; m < 100; m++) plane_step(p, g, 1e-3);
    double held = (double)skin_water_held(&p->water)/total;
    plane_free(p);
    return held;
}

static void test_adhesion(void** state)
{
    (void)state;
    double none = held_under_ceiling(0), weak = held_under_ceiling(5), strong = held_under_ceiling(40);
    print_message("left under a ceiling after 0.1 s: %.3f, with 5 m/s^2 %.3f, with 40 m/s^2 %.3f\n", none, weak, strong);
    CHECK_LESS(none, 0.01);
    CHECK_LESS(weak, 0.1);
    CHECK_LESS(0.95, strong);
}

// Fur of parallel strands along t that fills the lattice.
static void grow_fur(SkinHair* h, SkinBall* b, const double t[3], double fraction, double diameter)
{
    CHECK_OK(skin_hair_init(h, &b->lattice, diameter, 1e-6));
    CHECK_OK(skin_hair_add(h, &b->water.now, (const double(*)[3])(double[2][3]){{-1, 0.03, 0}, {1, 0.03, 0}}, 2));
    for (int m = 0; m < b->lattice.tets; m++) {
        if (!h->tuft[m]) h->tuft[m] = calloc((size_t)b->lattice.fine.fine, sizeof **h->tuft);
        for (int f = 0; f < b->lattice.fine.fine; f++) {
            SkinTuft* tuft = &h->tuft[m][f];
            tuft->fraction = (float)fraction;
            for (int d = 0; d < 3; d++)
                tuft->along[d] = (float)(t[d]*t[d]), tuft->along[3 + d] = (float)(t[d]*t[(d + 1)%3]);
        }
    }
}

// Under its weight and the drag of fibres alone water falls at g/rate, along the fibres and across them; the body turned, so do
// the fibres.
static void test_terminal_speed_in_fur(void** state)
{
    (void)state;
    const double psi = 0.05, d = 70e-6, nu = 1e-6, g = 9.81;
    double common = -log(psi) - 1.476 + 2*psi;
    double k_along = d*d/(16*psi)*(common - psi*psi/2),
           k_across = d*d/(32*psi)*(common - 1.774*psi*psi + 4.078*psi*psi*psi);
    const double speed_along = g*k_along/(nu*(1 - psi)), speed_across = g*k_across/(nu*(1 - psi));
    SkinOptions o = skin_options();
    for (int turned = 0; turned < 2; turned++) {
        SkinBall* b = skin_ball_new(0.02, 0.004, 2, 0.03, &o);
        SkinHair h;
        grow_fur(&h, b, turned ? (const double[3]){1, 0, 0} : (const double[3]){0, 1, 0}, psi, d);
        b->water.hair = &h;
        if (turned) b->spin = PI/2/0.1, skin_ball_move(b, 0.1), b->spin = 0;  // the fibres stand upright now
        skin_ball_pour(b, (const double[3]){0.035, 0, 0}, 0.008, 0.5, (const double[3]){0, 0, 0});
        double u[2] = {0};
        for (int way = 0; way < 2; way++) {
            const double a[3] = {way ? g : 0, way ? 0 : -g, 0};
            for (int m = 0; m < 200; m++) {
                skin_ball_move(b, 2e-3);
                skin_act(&b->water, a, 2e-3);
            }
            double p[3];
            skin_water_momentum(p, &b->water);
            u[way] = vec_norm(p)/(double)skin_water_held(&b->water);
        }
        print_message("terminal speed: along %.4g m/s (%.4g), across %.4g m/s (%.4g)\n", u[0], speed_along, u[1], speed_across);
        CHECK_CLOSE(u[0], speed_along, 0.01);
        CHECK_CLOSE(u[1], speed_across, 0.01);
        skin_hair_free(&h), skin_ball_free(b);
    }
}

// A strand's volume is in the tetrahedra it goes through, and water has so much less room.
static void test_strands_take_room(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    SkinBall* b = skin_ball_new(0.02, 0.004, 2, 0.03, &o);
    SkinHair h;
    const double d = 1e-3, length = 0.02;
    CHECK_OK(skin_hair_init(&h, &b->lattice, d, 1e-6));
    CHECK_OK(
        skin_hair_add(&h, &b->water.now, (const double(*)[3])(double[3][3]){{0, 0.022, 0}, {0, 0.03, 0}, {0.012, 0.03, 0}}, 3));
    double room = 0, sum = 0;
    for (int tet = 0; tet < skin_fine_count(&b->lattice); tet++) {
        room += (double)skin_room(&b->water, &b->water.now, tet);
        sum += skin_hair_fraction(&h, &b->water.now, tet)*skin_fine_volume(&b->lattice);
    }
    b->water.hair = &h;
    for (int tet = 0; tet < skin_fine_count(&b->lattice); tet++) room -= (double)skin_room(&b->water, &b->water.now, tet);
    CHECK_CLOSE(sum, PI*d*d/4*length, 1e-5);  // sums of floats
    CHECK_CLOSE(room*b->water.quantum, PI*d*d/4*length, 1e-4);
    skin_hair_free(&h), skin_ball_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_film_on_an_incline), cmocka_unit_test(test_adhesion),
                                       cmocka_unit_test(test_terminal_speed_in_fur), cmocka_unit_test(test_strands_take_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
