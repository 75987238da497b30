// Velocities past the surface that leave cut cells free of divergence (grid/extrapolate.h: extrapolate_balance).
#include "ball.h"
#include "basin.h"
#include "grid/extrapolate.h"
#include "grid/past_surface.h"

// A disc or ball whose wet faces know their velocity; the others have been filled from them.
typedef struct Filled {
    Ball ball;
    double* u[3];
    unsigned char* kind[3];
    int* chosen;  // per cut cell
} Filled;

typedef double (*FaceVelocity)(const Window* w, int axis, int i, int j);

// u = d psi/dy, v = -d psi/dx with psi on the nodes: what flows into any cell flows out of it, to rounding.
static double psi(const Window* w, int i, int j) { return sin(5*i*w->dx + 0.3)*cos(4*j*w->dx - 0.8)/5; }

static double stirred(const Window* w, int axis, int i, int j)
{
    return axis == 0 ? (psi(w, i, j + 1) - psi(w, i, j))/w->dx : (psi(w, i, j) - psi(w, i + 1, j))/w->dx;
}

static double uniform(const Window* w, int axis, int i, int j)
{
    (void)w, (void)i, (void)j;
    return axis == 0 ? 0.3 : axis == 1 ? -0.2 : 0.1;
}

static void filled_init(Filled* f, int dim, int n, FaceVelocity velocity)
{
    Ball* b = &f->ball;
    ball_init(b, dim, n, 0.3);
    const Window* w = &b->w;
    for (int d = 0; d < dim; d++) {
        f->u[d] = b->u[d].v;
        f->kind[d] = ARENA_ZERO(&b->arena, unsigned char, w->count) + w->origin;
        for (int k = 0; k < w->n[2]; k++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) {
                    ptrdiff_t at = window_at(w, i, j, k);
                    f->kind[d][at] = b->phi.v[at] < 4*w->dx && b->cells.area[d][at] > 0;
                    f->u[d][at] = f->kind[d][at] ? velocity(w, d, i, j) : 99;
                }
    }
    CHECK_OK(extrapolate_velocity(f->u, &b->arena, f->kind, b->phi.v, (Skins){0}, &b->spans, w, 5));
    f->chosen = ARENA_ZERO(&b->arena, int, b->cells.count);
}

// What flows out of the whole of a cell, per area of a face, m/s.
static double outflow(const Filled* f, const CutCell* c)
{
    double sum = 0;
    for (int d = 0; d < f->ball.w.dim; d++) sum += f->u[d][c->at + window_stride(&f->ball.w, d)] - f->u[d][c->at];
    return sum;
}

// The dry faces a cell's surface looks out through, a bit per axis.
static unsigned dry_faces(const Filled* f, const CutCell* c, ptrdiff_t face[3])
{
    unsigned dry = 0;
    for (int d = 0; d < f->ball.w.dim; d++) {
        face[d] = c->at + (c->patch[d] > 0 ? window_stride(&f->ball.w, d) : 0);
        if (c->patch[d] != 0 && !(f->ball.cells.area[d][face[d]] > 0)) dry |= 1u << d;
    }
    return dry;
}

// A disc in a stirred liquid: afterwards as much flows into every chosen cell as out of it. Where the surface looks out through
// one dry face alone, this has one answer, which is the stream function's own: u dx = the difference of psi over the face.
static void test_balanced_cells(void** state)
{
    (void)state;
    enum { N = 48 };
    Filled f;
    filled_init(&f, 2, N, stirred);
    const Ball* b = &f.ball;
    const Window* w = &b->w;
    double before = 0, after = 0, off = 0;
    int balanced = 0, single = 0;
    ptrdiff_t face[3];
    for (int c = 0; c < b->cells.count; c++)
        if (dry_faces(&f, &b->cells.cut[c], face)) before = fmax(before, fabs(outflow(&f, &b->cells.cut[c])));
    CHECK_OK(extrapolate_balance(f.u, &f.ball.arena, f.kind, &b->cells, f.chosen, w));
    for (int c = 0; c < b->cells.count; c++) {
        const CutCell* cell = &b->cells.cut[c];
        unsigned dry = dry_faces(&f, cell, face);
        if (!dry) continue;
        balanced++, after = fmax(after, fabs(outflow(&f, cell)));
        for (int d = 0; d < 2; d++)
            if (dry >> d & 1) assert_true(f.kind[d][face[d]]);
        // the two faces along the other axis have to be wet for that
        int axis = dry == 1 ? 0 : 1, other = 1 - axis;
        if (dry == 3 || !(b->cells.area[other][cell->at] > 0 && b->cells.area[other][cell->at + window_stride(w, other)] > 0))
            continue;
        int high = cell->patch[axis] > 0;
        single++;
        off =
            fmax(off, fabs(f.u[axis][face[axis]] - stirred(w, axis, cell->i + (axis == 0)*high, cell->j + (axis == 1)*high)));
    }
    print_message(
        "%d of %d cut cells look out through dry faces: divergence x dx up to %.1e before, %.1e after; %d of them have one "
        "answer, off by %.1e m/s\n",
        balanced, b->cells.count, before, after, single, off);
    assert_true(balanced > b->cells.count/2 && single > 0);
    CHECK_LESS(1e-4, before);
    CHECK_LESS(after, 1e-14);
    CHECK_LESS(off, 1e-14);
    ball_free(&f.ball);
}

// In cells that a solid cuts, the whole faces need not balance: nothing is changed there.
static void test_cells_in_solids_are_left(void** state)
{
    (void)state;
    Filled f;
    filled_init(&f, 2, 48, stirred);
    Ball* b = &f.ball;
    double* old[2];
    for (int d = 0; d < 2; d++) old[d] = window_copy(&b->arena, f.u[d], &b->w);
    for (int c = 0; c < b->cells.count; c++) b->cells.cut[c].solid[0] = 0.1;
    CHECK_OK(extrapolate_balance(f.u, &b->arena, f.kind, &b->cells, f.chosen, &b->w));
    for (int d = 0; d < 2; d++)
        for (int j = 0; j < 48; j++)
            for (int i = 0; i < 48; i++) {
                ptrdiff_t at = window_at(&b->w, i, j, 0);
                assert_true(f.u[d][at] == old[d][at]);
            }
    ball_free(b);
}

// Cells that were not chosen keep what they had, to the last bit, and wet faces of all cells do.
static void test_only_chosen_cells(void** state)
{
    (void)state;
    Filled f;
    filled_init(&f, 2, 48, stirred);
    const Ball* b = &f.ball;
    double* old[2];
    ptrdiff_t face[3];
    for (int d = 0; d < 2; d++) old[d] = window_copy(&f.ball.arena, f.u[d], &b->w);
    for (int c = 0; c < b->cells.count; c++) f.chosen[c] = b->cells.cut[c].i < 24 ? 7 : -1;
    CHECK_OK(extrapolate_balance(f.u, &f.ball.arena, f.kind, &b->cells, f.chosen, &b->w));
    int changed = 0;
    for (int j = 0; j < 48; j++)
        for (int i = 0; i < 48; i++)
            for (int d = 0; d < 2; d++) {
                ptrdiff_t at = window_at(&b->w, i, j, 0);
                if (f.u[d][at] == old[d][at]) continue;
                changed++;
                assert_true(i < 24 && !(b->cells.area[d][at] > 0));
            }
    assert_true(changed > 0);
    for (int c = 0; c < b->cells.count; c++)
        if (f.chosen[c] >= 0 && dry_faces(&f, &b->cells.cut[c], face)) CHECK_WITHIN(outflow(&f, &b->cells.cut[c]), 0, 1e-14);
    ball_free(&f.ball);
}

// What moves as a whole goes on as a whole, past the surface too.
static void test_uniform_stays_uniform(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Filled f;
        filled_init(&f, dim, 24, uniform);
        const Ball* b = &f.ball;
        double worst = 0;
        CHECK_OK(extrapolate_balance(f.u, &f.ball.arena, f.kind, &b->cells, f.chosen, &b->w));
        for (int c = 0; c < b->cells.count; c++)
            for (int d = 0; d < dim; d++)
                for (int high = 0; high < 2; high++) {
                    ptrdiff_t at = b->cells.cut[c].at + high*window_stride(&b->w, d);
                    worst = fmax(worst, fabs(f.u[d][at] - uniform(&b->w, d, 0, 0)));
                }
        print_message("uniform flow, %dD: off by %.1e\n", dim, worst);
        CHECK_LESS(worst, 1e-15);
        ball_free(&f.ball);
    }
}

static double level(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

// The upper half of a sheet that is pressed flat, v = -y, above a mirror; known on the faces up to the first that is dry. Above
// 1.6 cells it goes on like that. Above 0.1 cells, which the pressure closes as orphans, the first face past the known ones has
// the value beside it: what is continued over ten times the depth of the liquid would come back into it, twice as large.
static void test_thin_layer_is_not_continued(void** state)
{
    (void)state;
    for (int thin = 0; thin < 2; thin++) {
        Sim sim;
        double dx = 0.01, depth = (thin ? 0.1 : 1.6)*dx;
        basin_init(&sim, 2, 16, 16, 1, dx);
        sim.model.tank.side[2] = SIDE_IS_MIRROR;
        basin_add(&sim, level, &depth, (double[3]){0, 0, 0});
        CHECK_OK(sim_start(&sim));
        Liquid* q = &sim.world.liquid[0];
        const Window* w = &q->w;
        double* u[3] = {q->u[0].v, q->u[1].v, NULL};
        unsigned char* kind[3] = {NULL, NULL, NULL};
        int known = thin ? 1 : 2;
        for (int d = 0; d < 2; d++) {
            kind[d] = ARENA_ZERO(&sim.scratch, unsigned char, w->count) + w->origin;
            for (int j = 0; j <= known; j++)
                for (int i = 0; i <= w->n[0]; i++)
                    kind[d][window_at(w, i, j, 0)] = FACE_KEPT, u[d][window_at(w, i, j, 0)] = d == 1 ? -j : 0;
        }
        CHECK_OK(extrapolate_velocity(u, &sim.scratch, kind, q->phi.v, (Skins){0}, &q->spans, w, 5));
        double got = u[1][window_at(w, 8, known + 1, 0)], wanted = thin ? -known : -known - 1;
        print_message("layer of %.1f cells: %g past the last known face, wanted %g\n", depth/dx, got, wanted);
        CHECK_WITHIN(got, wanted, 1e-9);
        sim_free(&sim);
    }
}

// A pool of 1.6 cells and a film of 0.05 cells on the wall above it (in cells).
static double pool_with_film(const void* user, const double x[3])
{
    double dx = *(const double*)user;
    return fmin(x[1] - 1.6*dx, x[0] - 0.05*dx);
}

// A flow into the pool, v = -y, known up to its surface. Above the pool it goes on like that; in the film, along which one never
// leaves the liquid, the last known value stays.
static void test_film_on_wall_is_not_continued(void** state)
{
    (void)state;
    Sim sim;
    double dx = 0.01;
    basin_init(&sim, 2, 16, 16, 1, dx);
    basin_add(&sim, pool_with_film, &dx, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    Liquid* q = &sim.world.liquid[0];
    const Window* w = &q->w;
    double* u[3] = {q->u[0].v, q->u[1].v, NULL};
    unsigned char* kind[3] = {NULL, NULL, NULL};
    for (int d = 0; d < 2; d++) {
        kind[d] = ARENA_ZERO(&sim.scratch, unsigned char, w->count) + w->origin;
        for (int j = 0; j <= 2; j++)
            for (int i = 0; i <= w->n[0]; i++)
                kind[d][window_at(w, i, j, 0)] = FACE_KEPT, u[d][window_at(w, i, j, 0)] = d == 1 ? -j : 0;
    }
    CHECK_OK(extrapolate_velocity(u, &sim.scratch, kind, q->phi.v, (Skins){0}, &q->spans, w, 5));
    print_message("a cell above the last known face: %g, in the film %g\n", u[1][window_at(w, 8, 3, 0)],
                  u[1][window_at(w, 0, 3, 0)]);
    CHECK_WITHIN(u[1][window_at(w, 8, 3, 0)], -3, 1e-9);
    CHECK_WITHIN(u[1][window_at(w, 0, 3, 0)], -2, 1e-9);
    sim_free(&sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balanced_cells),
        cmocka_unit_test(test_cells_in_solids_are_left),
        cmocka_unit_test(test_only_chosen_cells),
        cmocka_unit_test(test_uniform_stays_uniform),
        cmocka_unit_test(test_thin_layer_is_not_continued),
        cmocka_unit_test(test_film_on_wall_is_not_continued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
