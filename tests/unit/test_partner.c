// A tenant of one file: a free piston under two columns of liquid moves in through the seam (liquid/partner.h). The example for
// whoever comes next.
#include <stdlib.h>
#include "basin.h"
#include "liquid/world.h"

// ---- the tenant ------------------------------------------------------------------------------------------------------------

// The floor of the tank, which nothing but its mass and a force hold. Its speed v is an unknown beside the pressures:
//     M (v - v_free) = -dt (sum of p over its faces),   v_free = v + dt (F/M - g),
// and v carries liquid into the cells on it. The half cell between the floor and the first pressures goes with it: M counts it.
typedef struct Piston {
    double mass, force;  // kg/m, N/m
    double v, y;         // m/s, m: survive a step
    // of the step under way; arena memory
    int count;
    int* part;
    ptrdiff_t* cell;
    double* area;   // per cell: the part of its face on the piston that is wet
    double* push;   // per cell, Pa s/m: what v adds to the right-hand side of its part's row, rho dx/dt
    double moved;   // kg/m, with the half cell
    double factor;  // rho_0 dx^2/M
    double v_free;
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
    (void)self;
    for (int m = 0; m < c->liquids; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        for (int i = 0; i <= q->w.n[0] && q->w.lo[1] == 0; i++)
            if (q->phi.v[window_at(&q->w, i, 0, 0)] < 0) coupling_join(c, m, NULL);
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
    double first = 0;
    for (int m = 0; m < c->liquids; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        if (c->part[m] < 0) continue;
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

static mn_status piston_load(PoissonOperator* op, void* self, Coupling* c)
{
    Piston* p = self;
    for (int m = 0; m < p->count; m++) c->group.part[p->part[m]].problem->b[p->cell[m]] += p->push[m]*p->v_free;
    *op = (PoissonOperator){.count = p->count, .part = p->part, .cell = p->cell, .apply = piston_apply, .user = p};
    return MN_OK;
}

static mn_status piston_answer(void* self, Coupling* c, StepContext* ctx)
{
    Piston* p = self;
    double sum = 0;
    for (int m = 0; m < p->count; m++) sum += p->area[m]*c->group.part[p->part[m]].p[p->cell[m]];
    p->v = p->v_free - ctx->dt*ctx->model->tank.dx*sum/p->moved;
    p->y += ctx->dt*p->v;
    return MN_OK;
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tenant_carries_two_liquids),
        cmocka_unit_test(test_tenant_is_at_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
