// A tenant of one file: a free piston under two columns of liquid moves in through the seam (liquid/partner.h). The example for
// whoever comes next.
#include <stdlib.h>
#include <string.h>
#include "bounce.h"
#include "liquid/world.h"

// ---- the tenant ------------------------------------------------------------------------------------------------------------

// The floor of the tank, which nothing but its mass and a force hold. Its speed v is an unknown beside the pressures:
//     M (v - v_free) = -dt (sum of p over its faces),   v_free = v + dt (F/M - g),
// and v carries liquid into the cells on it. The half cell between the floor and the first pressures goes with it: M counts it.
typedef struct Piston {
    double mass, force;  // kg/m, N/m
    double v, y;         // m/s, m: survive a step
    // of the step under way; arena memory
    int first, cluster;  // a liquid on it, and the cluster of all of them; -1: none
    int count;
    int* part;
    ptrdiff_t* cell;
    double* area;   // per cell: the part of its face on the piston that is wet
    double* push;   // per cell, Pa s/m: what v adds to the right-hand side of its part's row, rho dx/dt
    double moved;   // kg/m, with the half cell
    double factor;  // rho_0 dx^2/M
    double v_free;
    double work;  // J/m, of force and gravity in the step
} Piston;

static mn_status piston_visit(void* self, StateVisitor* v)
{
    Piston* p = self;
    TRY(state_reals(v, "piston_v", &p->v, 1));
    return state_reals(v, "piston_y", &p->y, 1);
}

static double piston_limit(const void* self, const Model* model, const World* world, double dt)
{
    const Piston* p = self;
    (void)world;
    return p->v != 0 ? fmin(dt, 0.5*model->tank.dx/fabs(p->v)) : dt;
}

static mn_status piston_couple(void* self, Coupling* c, StepContext* ctx)
{
    Piston* p = self;
    p->first = -1;
    for (int m = 0; m < c->liquids; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        for (int i = 0; i <= q->w.n[0] && q->w.lo[1] == 0; i++)
            if (q->phi.v[window_at(&q->w, i, 0, 0)] < 0) coupling_join(c, p->first = p->first < 0 ? m : p->first, m);
    }
    return MN_OK;
}

static mn_status piston_assemble(void* self, Coupling* c, StepContext* ctx)
{
    Piston* p = self;
    double dx = ctx->model->tank.dx;
    int most = ctx->model->tank.n[0]*c->liquids;
    TRY_MEMORY(p->part = ARENA_NEW(ctx->scratch, int, most));
    TRY_MEMORY(p->cell = ARENA_NEW(ctx->scratch, ptrdiff_t, most));
    TRY_MEMORY(p->area = ARENA_NEW(ctx->scratch, double, most));
    TRY_MEMORY(p->push = ARENA_NEW(ctx->scratch, double, most));
    p->count = 0, p->moved = p->mass, p->factor = 0;
    p->cluster = p->first < 0 ? -1 : c->of[p->first];
    double first = 0;
    for (int m = 0; m < c->liquids; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        if (p->cluster < 0 || c->of[m] != p->cluster) continue;
        if (c->part[m] == 0) first = q->material.rho;
        for (int i = 0; i < q->w.n[0]; i++) {
            ptrdiff_t at = window_at(&q->w, i, 0, 0);
            if (c->pressure[m]->system.kind[at] == CELL_IS_NONE) continue;
            p->part[p->count] = c->part[m], p->cell[p->count] = at;
            double area = p->area[p->count] = q->cells.area[1][at];
            p->push[p->count++] = area*q->material.rho*dx/ctx->dt;
            p->moved += 0.5*area*q->material.rho*dx*dx;
        }
    }
    p->v_free = p->v + ctx->dt*(p->force/p->moved + ctx->acceleration[1]);
    p->factor = first*dx*dx/p->moved;
    return MN_OK;
}

static void piston_apply(double* out, const double* in, void* user)
{
    const Piston* p = user;
    double sum = 0;
    for (int m = 0; m < p->count; m++) sum += p->area[m]*in[m];
    for (int m = 0; m < p->count; m++) out[m] = p->area[m]*p->factor*sum;
}

static mn_status piston_load(PoissonOperator* op, void* self, Coupling* c, int cluster)
{
    Piston* p = self;
    if (cluster != p->cluster) return MN_OK;
    for (int m = 0; m < p->count; m++)
        c->cluster[cluster].group.part[p->part[m]].problem->b[p->cell[m]] += p->push[m]*p->v_free;
    *op = (PoissonOperator){.count = p->count, .part = p->part, .cell = p->cell, .apply = piston_apply, .user = p};
    return MN_OK;
}

static mn_status piston_answer(void* self, Coupling* c, StepContext* ctx)
{
    Piston* p = self;
    double sum = 0;
    for (int m = 0; m < p->count; m++) sum += p->area[m]*c->cluster[p->cluster].group.part[p->part[m]].p[p->cell[m]];
    double before = p->v;
    p->v = p->v_free - ctx->dt*ctx->model->tank.dx*sum/p->moved;
    p->y += ctx->dt*p->v;
    p->work = 0.5*ctx->dt*(p->force + p->mass*ctx->model->settings.gravity[1])*(before + p->v);
    return MN_OK;
}

static double piston_energy(const void* self, const Model* model, const World* world)
{
    const Piston* p = self;
    (void)model, (void)world;
    return 0.5*p->mass*p->v*p->v;
}

static double piston_work(const void* self) { return ((const Piston*)self)->work; }

static void piston_report(const void* self, const StepReport* r, Columns* columns)
{
    (void)r;
    columns_real(columns, "piston_v", ((const Piston*)self)->v);
}

static mn_status piston_show(const void* self, Layers* layers)
{
    Layer* layer = layers_add(layers, "piston", LAYER_EDGES, 2, 1);
    TRY_MEMORY(layer);
    for (int m = 0; m < 2; m++) layer->position[3*m] = (float)m, layer->position[3*m + 1] = (float)((const Piston*)self)->y;
    layer->element[1] = 1;
    return MN_OK;
}

static const PartnerVerbs piston_verbs = {.name = "piston",
                                          .free = free,
                                          .visit = piston_visit,
                                          .limit = piston_limit,
                                          .couple = piston_couple,
                                          .assemble = piston_assemble,
                                          .load = piston_load,
                                          .answer = piston_answer,
                                          .energy = piston_energy,
                                          .work = piston_work,
                                          .report = piston_report,
                                          .show = piston_show};

// ---- the house
// ------------------------------------------------------------------------------------------------------------------

enum { N = 32 };
static const double G = 9.81, MASS = 31, FORCE = 9000;
static const double RHO[2] = {1000, 760}, HEIGHT[2] = {14.4/N, 9.7/N}, WIDTH[2] = {14.0/N, 14.0/N};

// Two columns beside a post of four cells.
static double post(const void* shape, const double x[3])
{
    (void)shape;
    return fabs(x[0] - 0.5) - 2.0/N;
}

static double column(const void* user, const double x[3])
{
    const int m = *(const int*)user;
    double side = m == 0 ? x[0] - 0.5 : 0.5 - x[0];
    return fmax(side, x[1] - HEIGHT[m]);
}

static Piston* make(Sim* sim)
{
    basin_init(sim, 2, N, N, 1, 1.0/N);
    sim->world.solids.solid = calloc(1, sizeof *sim->world.solids.solid);
    sim->world.solids.count = 1;
    sim->world.solids.solid[0] =
        (Solid){.distance = post, .contact_angle = {-1, -1}, .pose = pose_at((double[3]){0}, (double[3]){0})};
    for (int m = 0; m < 2; m++) {
        basin_add(sim, column, &m, (double[3]){0, 0, 0});
        sim->world.liquid[m].material = (LiquidMaterial){.rho = RHO[m], .contact_angle = PI/2};
    }
    Piston* p = calloc(1, sizeof *p);
    *p = (Piston){.mass = MASS, .force = FORCE};
    CHECK_OK(partners_add(&sim->world.partners, &piston_verbs, p));
    CHECK_OK(sim_start(sim));
    return p;
}

// Newton: the force lifts the piston and both columns together, a = F/(M + sum of rho H W) - g, and the pressure at depth d is
// rho (g + a) d in each.
static void test_tenant_carries_two_liquids(void** state)
{
    (void)state;
    Sim sim;
    Piston* p = make(&sim);
    CHECK_OK(sim_step(&sim, 1e-3));
    double mass = MASS, worst = 0;
    for (int m = 0; m < 2; m++) mass += RHO[m]*HEIGHT[m]*WIDTH[m];
    double a = FORCE/mass - G;
    for (int m = 0; m < 2; m++) {
        const Liquid* q = &sim.world.liquid[m];
        for (int j = 0; j < (int)(HEIGHT[m]*N); j++)
            for (int i = 0; i < WIDTH[m]*N; i++) {
                int x = (m == 0 ? i : N - 1 - i) - q->w.lo[0];
                double exact = RHO[m]*(G + a)*(HEIGHT[m] - (j + 0.5)/N);
                worst = fmax(worst, fabs(q->p.v[window_at(&q->w, x, j - q->w.lo[1], 0)]/exact - 1));
            }
    }
    print_message("piston: a = %.9f m/s^2, exact %.9f; pressures off by %.1e at most; %d iterations\n", p->v/sim.report.dt, a,
                  worst, sim.report.iterations);
    CHECK_CLOSE(p->v/sim.report.dt, a, 1e-6);
    CHECK_LESS(worst, 2e-5);  // the post's sides lie on faces of the grid, from which cut cells keep 1e-6 of a cell away
    sim_free(&sim);
}

// Its state is undone, hashed and found by visitors, it limits steps, and it is in tables and frames, by its own lines alone.
static void test_tenant_is_at_home(void** state)
{
    (void)state;
    Sim sim;
    Piston* p = make(&sim);
    Arena arena = {0};
    uint64_t before = world_hash(&sim.world, &sim.model.tank);
    StateCopy* copy = state_copy_begin(&arena);
    CHECK_OK(world_visit(&sim.world, &sim.model.tank, state_copy_saver(copy)));
    CHECK_OK(sim_step(&sim, 1e-3));
    assert_true(p->v != 0 && world_hash(&sim.world, &sim.model.tank) != before);
    CHECK_OK(world_visit(&sim.world, &sim.model.tank, state_copy_restorer(copy)));
    CHECK_OK(sim_rebuild(&sim));
    assert_true(p->v == 0 && world_hash(&sim.world, &sim.model.tank) == before);
    p->v = 1000;
    const char* by;
    assert_true(partners_limit(&by, &sim.model, &sim.world, 1) == 0.5/N/1000);
    assert_string_equal(by, "piston");
    Columns columns = {0};
    partners_report(&sim.world, &sim.report, &columns);
    assert_true(columns_find(&columns, "piston_v")->real == 1000);
    columns_free(&columns);
    Layers layers = {0};
    CHECK_OK(partners_show(&sim.world, &layers));
    assert_non_null(layers_find(&layers, "piston"));
    assert_true(layers_is_valid(&layers));
    layers_free(&layers);
    assert_ptr_equal(partners_find(&sim.world.partners, &piston_verbs), p);
    assert_true(partners_add(&sim.world.partners, &piston_verbs, calloc(1, sizeof *p)) == MN_BAD_ARGUMENT);  // not twice
    arena_free(&arena);
    sim_free(&sim);
}

// ---- two tenants on one surface ----------------------------------------------------------------------------------------------

// A known pressure on the pieces of surface between two places along x.
typedef struct Load {
    double from, to;  // m
    double pressure;  // Pa
    // of the step under way; arena memory
    int* pressed;
    SurfaceLink* link;
    int links;
    int shared;  // pieces of surface that anybody presses on, as the coupling has them
} Load;

static bool load_presses(const void* self, const Model* model, const World* world)
{
    return (void)self, (void)model, (void)world, true;
}

static mn_status load_couple(void* self, Coupling* c, StepContext* ctx)
{
    Load* l = self;
    const Liquid* q = &ctx->world->liquid[0];
    TRY_MEMORY(l->pressed = ARENA_NEW(ctx->scratch, int, q->cells.count));
    for (int m = 0; m < q->cells.count; m++) {
        double x = (q->w.lo[0] + q->cells.cut[m].i + 0.5)*q->w.dx;
        l->pressed[m] = x > l->from && x < l->to ? m : -1;
    }
    coupling_join(c, 0, 0);
    return coupling_press(c, 0, l->pressed, q->cells.count);
}

static mn_status load_assemble(void* self, Coupling* c, StepContext* ctx)
{
    Load* l = self;
    const Liquid* q = &ctx->world->liquid[0];
    return pressure_surface_links(&l->link, &l->links, ctx->scratch, c->pressure[0],
                                  (double* [3]){q->u[0].v, q->u[1].v, q->u[2].v});
}

static bool is_loaded(const Load* l, const SurfaceLink* link) { return link->patch >= 0 && l->pressed[link->patch] >= 0; }

static mn_status load_load(PoissonOperator* op, void* self, Coupling* c, int cluster)
{
    const Load* l = self;
    double* b = c->cluster[cluster].group.part[0].problem->b;
    (void)op;
    for (int m = 0; m < l->links; m++)
        if (is_loaded(l, &l->link[m])) b[l->link[m].cell] += l->link[m].weight*l->pressure;
    return MN_OK;
}

static mn_status load_answer(void* self, Coupling* c, StepContext* ctx)
{
    Load* l = self;
    l->shared = 0;
    for (int m = 0; m < ctx->world->liquid[0].cells.count; m++) {
        if (l->pressed[m] >= 0) c->change[0][m] += l->pressure;
        l->shared += c->pressed[0][m] >= 0;
    }
    return MN_OK;
}

#define LOAD_VERBS(NAME)                                                                                                         \
    {                                                                                                                            \
        .name = NAME, .free = free, .presses = load_presses, .couple = load_couple, .assemble = load_assemble,                   \
        .load = load_load, .answer = load_answer                                                                                 \
    }
static const PartnerVerbs load_verbs[2] = {LOAD_VERBS("first load"), LOAD_VERBS("second load")};

static double pool(const void* user, const double x[3]) { return (void)user, x[1] - HEIGHT[0]; }

// Loads of two tenants on one surface, each on its half or one upon the other, carry over to the bottom: p = P + rho g d, with P
// what both put on it together, and all stays at rest. Every piece of surface that either presses on counts as pressed.
static void test_two_tenants_press_on_one_liquid(void** state)
{
    (void)state;
    for (int upon = 0; upon < 2; upon++) {
        Sim sim;
        basin_init(&sim, 2, N, N, 1, 1.0/N);
        basin_add(&sim, pool, NULL, (double[3]){0, 0, 0});
        sim.world.liquid[0].material = (LiquidMaterial){.rho = RHO[0], .contact_angle = PI/2};
        Load* load[2];
        for (int m = 0; m < 2; m++) {
            load[m] = calloc(1, sizeof *load[m]);
            *load[m] =
                (Load){.from = upon || m == 0 ? 0 : 0.5, .to = upon || m == 1 ? 1 : 0.5, .pressure = upon ? 300 - 100*m : 500};
            CHECK_OK(partners_add(&sim.world.partners, &load_verbs[m], load[m]));
        }
        CHECK_OK(sim_start(&sim));
        CHECK_OK(sim_step(&sim, 1e-3));
        const Liquid* q = &sim.world.liquid[0];
        double worst = 0, fastest = 0;
        for (int j = 0; j < (int)(HEIGHT[0]*N); j++)
            for (int i = 0; i < N; i++) {
                ptrdiff_t at = window_at(&q->w, i - q->w.lo[0], j - q->w.lo[1], 0);
                worst = fmax(worst, fabs(q->p.v[at]/(500 + RHO[0]*G*(HEIGHT[0] - (j + 0.5)/N)) - 1));
                for (int d = 0; d < 2; d++) fastest = fmax(fastest, fabs(q->u[d].v[at]));
            }
        print_message("%s: 500 Pa and rho g d to %.1e; %d of %d pieces pressed; %.1e m/s\n",
                      upon ? "one load upon the other" : "side by side", worst, load[0]->shared, q->cells.count, fastest);
        CHECK_LESS(worst, 1e-6);
        CHECK_LESS(fastest, 1e-8);
        assert_int_equal(load[0]->shared, q->cells.count);
        assert_int_equal(load[1]->shared, q->cells.count);
        sim_free(&sim);
    }
}

// ---- liquids that share no tenant --------------------------------------------------------------------------------

// Two drops that fly at each other with a film between them, in the lower or in the upper half of a box.
static void add_pair(Sim* sim, int which)
{
    const double dx = sim->model.tank.dx, radius = (which ? 7.3 : 5.6)*dx, speed = which ? 0.3 : 0.1;
    for (int m = 0; m < 2; m++) {
        double side = m ? 1 : -1;
        RoundDrop d = {{(24 + side*((which ? 7.3 : 5.6) + 0.2))*dx, (which ? 44 : 14)*dx, 0}, radius};
        basin_add(sim, round_drop_distance, &d, (double[3]){-side*speed, 0, 0});
    }
}

static void fly(Sim* sim, const int* which, int pairs, int steps)
{
    basin_init(sim, 2, 48, 60, 1, 2e-5);
    bounce_settings(sim);
    for (int m = 0; m < pairs; m++) add_pair(sim, which[m]);
    CHECK_OK(sim_start(sim));
    for (int m = 0; m < steps; m++) CHECK_OK(sim_step(sim, 1e-6));
}

static bool same_liquid(const Liquid* a, const Liquid* b)
{
    bool same = window_same(&a->w, &b->w);
    const Field *of_a[] = {&a->phi, &a->p, &a->u[0], &a->u[1]}, *of_b[] = {&b->phi, &b->p, &b->u[0], &b->u[1]};
    for (int m = 0; m < 4 && same; m++) same = !memcmp(of_a[m]->block, of_b[m]->block, sizeof(double)*a->w.count);
    return same;
}

// Two pairs of drops far from each other are two problems: both move as each pair does where the other is not, to the last bit,
// and no solve takes more iterations than that of a pair alone.
static void test_far_pairs_are_solved_apart(void** state)
{
    (void)state;
    enum { STEPS = 3 };
    Sim both, alone[2];
    fly(&both, (int[2]){0, 1}, 2, STEPS);
    int most = 0;
    for (int m = 0; m < 2; m++) {
        fly(&alone[m], &m, 1, STEPS);
        print_message("pair %d alone: %d iterations, film up to %.0f Pa\n", m, alone[m].report.iterations,
                      film_of(&alone[m].world)->report.most_pressure);
        CHECK_LESS(10, film_of(&alone[m].world)->report.most_pressure);
        most = maxi(most, alone[m].report.iterations);
        for (int q = 0; q < 2; q++) CHECK_TRUE(same_liquid(&both.world.liquid[2*m + q], &alone[m].world.liquid[q]));
    }
    print_message("both: %d iterations\n", both.report.iterations);
    assert_int_equal(both.report.iterations, most);
    sim_free(&both);
    for (int m = 0; m < 2; m++) sim_free(&alone[m]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tenant_carries_two_liquids),
        cmocka_unit_test(test_tenant_is_at_home),
        cmocka_unit_test(test_two_tenants_press_on_one_liquid),
        cmocka_unit_test(test_far_pairs_are_solved_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
