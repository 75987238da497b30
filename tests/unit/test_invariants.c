// The walks that asserts run over big structures: each says yes to what the library builds and no to a fault planted in it.
#include "ball.h"
#include "basin.h"
#include "check.h"
#include "film/film_valid.h"
#include "gap.h"
#include "round_drop.h"

static void ball_build(Ball* b, Pressure* p, int dim)
{
    ball_init(b, dim, 24, 0.3);
    PressureInput in = ball_input(b, PRESSURE_CUT);
    double* u[3] = {b->u[0].v, b->u[1].v, b->u[2].v};
    CHECK_OK(pressure_build(p, &b->arena, &in, u));
}

static void test_window(void** state)
{
    (void)state;
    Tank tank = {.dim = 3, .dx = 0.01, .n = {20, 10, 8}};
    Window good = window_make(&tank, (int[3]){2, -1, 0}, (int[3]){9, 30, 8});
    CHECK_TRUE(window_is_valid(&good));
    Window bad = good;
    bad.sy++;  // a row longer than the box
    CHECK_TRUE(!window_is_valid(&bad));
    bad = good, bad.origin = 0;  // ghosts before the block
    CHECK_TRUE(!window_is_valid(&bad));
    bad = good, bad.dx = NAN;
    CHECK_TRUE(!window_is_valid(&bad));
    bad = good, bad.dim = 2;  // with eight layers of cells
    CHECK_TRUE(!window_is_valid(&bad));
}

static void test_spans(void** state)
{
    (void)state;
    Ball b;
    ball_init(&b, 2, 24, 0.3);
    Spans* s = &b.spans;
    const double limit = 4*b.w.dx;
    CHECK_TRUE(spans_is_valid(s, &b.w) && spans_cover(s, b.phi.v, &b.w, limit, 2));
    int row = 12;
    Span* run = &s->span[s->first[row]];
    Span kept = *run;
    *run = (Span){kept.i1, kept.i0};  // backwards
    CHECK_TRUE(!spans_is_valid(s, &b.w));
    *run = (Span){kept.i0, b.w.n[0] + 2};  // past the window
    CHECK_TRUE(!spans_is_valid(s, &b.w));
    run->i0 = kept.i0 + 1, run->i1 = kept.i1, s->covered--;  // in order, but a node is missing
    CHECK_TRUE(spans_is_valid(s, &b.w) && !spans_cover(s, b.phi.v, &b.w, limit, 2));
    *run = kept;
    CHECK_TRUE(!spans_is_valid(s, &b.w));  // `covered` is one short
    s->covered++;
    CHECK_TRUE(spans_is_valid(s, &b.w) && spans_field_is_finite(s, b.phi.v, &b.w));
    b.phi.v[window_at(&b.w, kept.i0, row, 0)] = NAN;
    CHECK_TRUE(!spans_field_is_finite(s, b.phi.v, &b.w));
    ball_free(&b);
}

// Two runs of a row that overlap, or stand in the wrong order.
static void test_span_order(void** state)
{
    (void)state;
    Tank tank = {.dim = 2, .dx = 0.1, .n = {12, 1, 1}};
    Window w = window_whole(&tank);
    int first[] = {0, 2, 2};
    Span run[] = {{1, 3}, {5, 9}}, swapped[] = {{5, 9}, {1, 3}}, overlapping[] = {{1, 6}, {5, 6}};
    Spans s = {.rows = 2, .rows_y = 2, .first = first, .span = run, .covered = 6};
    CHECK_TRUE(spans_is_valid(&s, &w));
    s.span = swapped;
    CHECK_TRUE(!spans_is_valid(&s, &w));
    s.span = overlapping;
    CHECK_TRUE(!spans_is_valid(&s, &w));
}

static void test_cutcells(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball b;
        ball_init(&b, dim, 24, 0.3);
        CutCells* c = &b.cells;
        CutCell* cut = &c->cut[c->count/3];
        CHECK_TRUE(cutcells_is_valid(c, &b.spans, &b.w));
        for (int d = 0; d < 3; d++) cut->patch[d] = -cut->patch[d];  // the surface looks into the liquid
        CHECK_TRUE(!cutcells_is_valid(c, &b.spans, &b.w));
        for (int d = 0; d < 3; d++) cut->patch[d] = -cut->patch[d];
        cut->volume += 1;
        CHECK_TRUE(!cutcells_is_valid(c, &b.spans, &b.w));
        cut->volume -= 1;
        c->index[cut->at]++;  // another cell's place in the list
        CHECK_TRUE(!cutcells_is_valid(c, &b.spans, &b.w));
        c->index[cut->at] = CELL_FULL;  // not in the list at all
        CHECK_TRUE(!cutcells_is_valid(c, &b.spans, &b.w));
        c->index[cut->at] = (int32_t)(cut - c->cut);
        c->area[0][cut->at] += 1e-6;  // a face that its two cells would see differently
        CHECK_TRUE(!cutcells_is_valid(c, &b.spans, &b.w));
        ball_free(&b);
    }
}

static void nothing(double* out, const double* in, void* user) { (void)out, (void)in, (void)user; }

static void test_poisson(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Ball b;
        Pressure p;
        ball_build(&b, &p, dim);
        Poisson* f = &p.system;
        int row = 12 + (dim == 3 ? 12*b.w.n[1] : 0);
        SpecialCell* cell = &f->special[f->first[row]];
        CHECK_TRUE(poisson_is_valid(f) && f->first[row + 1] - f->first[row] > 1);
        SpecialCell kept = *cell;
        cell->link[1] *= 0.5;  // its neighbour says otherwise
        CHECK_TRUE(!poisson_is_valid(f));
        *cell = kept, cell->excess = -1e-3;
        CHECK_TRUE(!poisson_is_valid(f));
        *cell = kept, cell->link[0] = 0.1;  // to a cell that is not unknown
        CHECK_TRUE(!poisson_is_valid(f));
        *cell = cell[1], cell[1] = kept;  // out of order
        CHECK_TRUE(!poisson_is_valid(f));
        cell[1] = *cell, *cell = kept;
        CHECK_TRUE(poisson_is_valid(f));
        ptrdiff_t twice[2] = {window_at(&b.w, 12, 12, dim == 3 ? 12 : 0), window_at(&b.w, 12, 12, dim == 3 ? 12 : 0)};
        PoissonPart part = {.problem = f, .weight = 1};
        PoissonOperator op = {.count = 1, .part = (int[2]){0, 0}, .cell = twice, .apply = nothing};
        CHECK_TRUE(poisson_group_is_valid(&(PoissonGroup){&part, 1, &op, 1}));
        op.count = 2;  // a cell twice
        CHECK_TRUE(!poisson_group_is_valid(&(PoissonGroup){&part, 1, &op, 1}));
        ball_free(&b);
    }
}

static double plane(const void* user, const double x[3]) { return (void)user, x[1] - 0.4; }

// A liquid with less than no volume, a piece of surface turned round; a world with one liquid
// twice in its books.
static void test_liquid_and_world(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 16, 16, 1, 1.0/16);
    for (int m = 0; m < 2; m++) basin_add(&sim, plane, NULL, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    Liquid* q = &sim.world.liquid[1];
    CHECK_TRUE(world_is_valid(&sim.world) && liquid_is_valid(q));
    double volume = q->target_volume;
    q->target_volume = -1;
    CHECK_TRUE(!liquid_is_valid(q));
    q->target_volume = volume, q->cells.cut[0].patch[1] *= -1;
    CHECK_TRUE(!liquid_is_valid(q));
    q->cells.cut[0].patch[1] *= -1;
    int id = q->id;
    q->id = sim.world.liquid[0].id;
    CHECK_TRUE(liquid_is_valid(q) && !world_is_valid(&sim.world));
    q->id = id, sim.world.ledger.outflow = NAN;
    CHECK_TRUE(!world_is_valid(&sim.world));
    sim_free(&sim);
}

// A droplet without mass, or one more than there is room for.
static void test_spray(void** state)
{
    (void)state;
    Droplet drop[2] = {{.x = {0.1, 0.2, 0}, .volume = 1e-9, .material.rho = 1000}, {.volume = 1e-9, .material.rho = 1000}};
    Spray s = {.drop = drop, .count = 2, .capacity = 2};
    CHECK_TRUE(spray_is_valid(&s));
    s.capacity = 1;
    CHECK_TRUE(!spray_is_valid(&s));
    s.capacity = 2, drop[1].material.rho = 0;
    CHECK_TRUE(!spray_is_valid(&s));
    drop[1].material.rho = 1000, drop[1].x[1] = NAN;
    CHECK_TRUE(!spray_is_valid(&s));
}

// A pose that stretches, a solid that moves while the books say that none does, one that changes its form but stands.
static void test_solids(void** state)
{
    (void)state;
    SolidForm form = {0};
    Solid one = {.distance = plane, .moving = true, .pose = pose_at((double[3]){0, 0, 0}, (double[3]){0.3, -0.1, 2})};
    Solids s = {.solid = &one, .count = 1, .any_moving = true};
    CHECK_TRUE(solids_is_valid(&s));
    one.pose.rotation[1][1] *= 1.01;
    CHECK_TRUE(!solids_is_valid(&s));
    one.pose.rotation[1][1] /= 1.01, s.any_moving = false;
    CHECK_TRUE(!solids_is_valid(&s));
    one.moving = false;
    CHECK_TRUE(solids_is_valid(&s));
    one.form = &form;
    CHECK_TRUE(!solids_is_valid(&s));
}

// Merge rules that differ from a to b and from b to a; a source whose box is turned inside out.
static void test_model(void** state)
{
    (void)state;
    Model m = model_in_tank(2, (int[3]){16, 16, 1}, 0.1);
    CHECK_OK(merge_table_init(&m.merge, 2, (MergePolicy){.rule = MERGE_HOLD}));
    Source tap = {.distance = plane, .low = {0.1, 0.1, 0}, .high = {0.2, 0.2, 0}, .rate = 1e-3, .stop = 1, .material.rho = 1000};
    m.source = &tap, m.source_count = 1;
    CHECK_TRUE(model_is_valid(&m));
    m.merge.pair[1].rule = MERGE_ON_TOUCH;
    CHECK_TRUE(!model_is_valid(&m));
    merge_table_set(&m.merge, 0, 1, (MergePolicy){.rule = MERGE_ON_TOUCH});
    CHECK_TRUE(model_is_valid(&m));
    tap.low[0] = 0.3;
    CHECK_TRUE(!model_is_valid(&m));
    tap.low[0] = 0.1, m.settings.tolerance = 0;
    CHECK_TRUE(!model_is_valid(&m));
    m.source = NULL;
    model_free(&m);
}

// ---- the air film ------------------------------------------------------------------------------------------------------------

// Three drops in a row, each a film away from the next.
static void drops_in_a_row(Gap* g)
{
    const double dx = 1e-5, radius = 8.2*dx;
    gap_init(g, 2, (int[3]){72, 36, 1}, dx);
    for (int m = 0; m < 3; m++) {
        RoundDrop q = {{18.3*dx + 16.7*m*dx, 18.4*dx, 0}, radius};
        gap_add(g, round_drop_distance, &q, 1000, (double[3]){m == 1 ? 0 : 0.1*(1 - m), 0, 0});
    }
    gap_build_film(g);
}

#define CATCHES(walk, place, fault)                                                                                              \
    do {                                                                                                                         \
        __typeof__(place) kept = place;                                                                                          \
        CHECK_TRUE(walk);                                                                                                        \
        place = (fault);                                                                                                         \
        CHECK_TRUE(!(walk));                                                                                                     \
        place = kept;                                                                                                            \
    } while (0)

static void test_film_bodies(void** state)
{
    (void)state;
    Gap g;
    drops_in_a_row(&g);
    FilmBodies* b = &g.film.bodies;
    CATCHES(film_bodies_is_valid(b), b->body[1].liquid, NULL);  // a solid among the liquids
    CATCHES(film_bodies_is_valid(b), b->body[1].phi, NULL);
    CATCHES(film_bodies_is_valid(b), b->body[0].solids, 1);  // a liquid for its solids
    CATCHES(film_bodies_is_valid(b), b->count, 7);
    gap_free(&g);
}

static void test_film(void** state)
{
    (void)state;
    Gap g;
    drops_in_a_row(&g);
    Film* f = &g.film;
    AirCell* c = &f->cell[f->cells/2];
    AirEdge* e = &f->edge[0];
    while (e->b < 0) e++;
    CATCHES(film_is_valid(f), c->pair[1], 3);  // nobody is there
    CATCHES(film_is_valid(f), c->pair[1], c->pair[0]);
    CATCHES(film_is_valid(f), c->h, 0.5*f->settings.h_min);
    CATCHES(film_is_valid(f), c->gap, INFINITY);
    CATCHES(film_is_valid(f), c->area, -1e-12);
    CATCHES(film_is_valid(f), c->x[0], c->x[0] + 2*g.tank.dx);  // in another grid cell than it says
    CATCHES(film_is_valid(f), e->b, f->cells);
    CATCHES(film_is_valid(f), e->b, e->a);
    CATCHES(film_is_valid(f), e->distance, 0);
    CATCHES(film_is_valid(f), e->h, -1e-6);
    CATCHES(film_is_valid(f), e->m[1], 2);
    CATCHES(film_is_valid(f), e->closed, true);  // a side of the tank with air behind it
    CATCHES(film_is_valid(f), f->order[1].grid, f->order[0].grid - 1);
    int linked = 0, *air = f->air[0];
    while (air[linked] < 0) linked++;
    CATCHES(film_is_valid(f), air[linked], f->cells - 1);  // air between the other two drops
    CATCHES(film_is_valid(f), air[linked], -2);
    gap_free(&g);
}

// An air cell in two parts at once, an edge that leads into another part.
static void test_film_parts(void** state)
{
    (void)state;
    Gap g;
    drops_in_a_row(&g);
    Film* f = &g.film;
    Coupling c;
    FilmPart* part;
    int *owner, parts = 1;
    CHECK_OK(coupling_begin(&c, 3, &g.arena));
    CHECK_OK(film_join_liquids(&owner, &c, f, &g.arena));
    for (int m = 0; m < 3; m++) gap_build_pressure(&g, m, 1e-6), c.pressure[m] = &g.pressure[m];
    CHECK_OK(coupling_gather(&c, g.liquid, &g.arena));
    assert_int_equal(c.clusters, parts);
    CHECK_OK(film_split(&part, f, owner, &c, &g.arena));
    CATCHES(film_parts_is_valid(part, parts, f), part->cell[1], part->cell[0]);
    CATCHES(film_parts_is_valid(part, parts, f), part->edge[0], f->edges);
    CATCHES(film_parts_is_valid(part, parts, f), part->film.cells, part->film.cells - 1);
    gap_free(&g);
}

// Thickness that no neighbour has, a block that is not symmetric or not definite, a link to a cell that is not unknown, air
// thinner than nothing at the end of a step.
static void test_film_solve(void** state)
{
    (void)state;
    Gap g;
    drops_in_a_row(&g);
    Film* f = &g.film;
    AirFit* fit;
    CHECK_OK(film_profile_thickness(&fit, f, &g.arena));
    CATCHES(film_profile_is_valid(fit, f), fit[2].low, 2*f->cell[2].h);
    CATCHES(film_profile_is_valid(fit, f), fit[2].ways, -1e-9);
    for (int m = 0; m < 3; m++) gap_build_pressure(&g, m, 1e-6);
    SurfaceLink* link;
    int links;
    const Liquid* q = &g.liquid[0];
    CHECK_OK(pressure_surface_links(&link, &links, &g.arena, &g.pressure[0], (double* [3]){q->u[0].v, q->u[1].v, q->u[2].v}));
    PoissonPart part = {&g.pressure[0].system, q->p.v, 1};
    PoissonGroup group = {.part = &part, .count = 1};
    FilmLink own = {.part = 0, .air = 0, .link = link};
    CATCHES(film_links_is_valid(&own, 1, f, &group), own.part, 1);
    CATCHES(film_links_is_valid(&own, 1, f, &group), own.air, f->cells);
    CATCHES(film_links_is_valid(&own, 1, f, &group), link->cell, 0);
    Border border;
    CHECK_OK(film_assemble(&border, f, &own, 1, (double[1]){1}, NULL, film_scale(&g.tank, 1000, 1e-6), &g.arena));
    Triplet* beside = border.block;
    while (beside->row == beside->column) beside++;
    CATCHES(film_border_is_valid(&border, f, 1), beside->value, -beside->value);
    CATCHES(film_border_is_valid(&border, f, 1), beside->column, beside->row + 1);  // in the upper triangle
    CATCHES(film_border_is_valid(&border, f, 1), border.entry[0].value, 1);
    gap_solve(&g, 1e-8);
    CATCHES(film_solution_is_valid(f), f->h_end[1], -1e-9);
    CATCHES(film_solution_is_valid(f), f->p, NULL);
    gap_free(&g);
}

// What is kept of a film from step to step.
static void test_film_air(void** state)
{
    (void)state;
    Gap g;
    FilmAir air = {0};
    drops_in_a_row(&g);
    for (int m = 0; m < 3; m++) gap_build_pressure(&g, m, 1e-6);
    gap_solve(&g, 1e-8);
    CHECK_OK(film_air_write(&air, &g.film, 1e-6, &g.arena));
    CATCHES(film_air_is_valid(&air, &g.tank), air.piece[1].h, 0);
    CATCHES(film_air_is_valid(&air, &g.tank), air.piece[1].low, 1);
    CATCHES(film_air_is_valid(&air, &g.tank), air.piece[1].id[0], air.piece[1].id[1]);
    CATCHES(film_air_is_valid(&air, &g.tank), air.piece[1].grid, air.piece[0].grid - 1);
    CATCHES(film_air_is_valid(&air, &g.tank), air.count, air.capacity + 1);
    film_air_free(&air);
    gap_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window),      cmocka_unit_test(test_spans),   cmocka_unit_test(test_span_order),
        cmocka_unit_test(test_cutcells),    cmocka_unit_test(test_poisson), cmocka_unit_test(test_liquid_and_world),
        cmocka_unit_test(test_spray),       cmocka_unit_test(test_solids),  cmocka_unit_test(test_model),
        cmocka_unit_test(test_film_bodies), cmocka_unit_test(test_film),    cmocka_unit_test(test_film_parts),
        cmocka_unit_test(test_film_solve),  cmocka_unit_test(test_film_air)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
