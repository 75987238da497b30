// Checkpoints: nothing is lost, and nothing damaged is believed.
#include "bounce.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "film/film_partner.h"
#include "output/checkpoint.h"

static char dir[64];

static int make_directory(void** state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/meniscus_test_XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static const char* in_dir(const char* name)
{
    static char path[2][PATH_ROOM];
    static int turn;
    turn = 1 - turn;
    snprintf(path[turn], PATH_ROOM, "%s/%s", dir, name);
    return path[turn];
}

static int remove_directory(void** state)
{
    (void)state;
    static const char* const names[] = {"checkpoint.h5", "checkpoint_previous.h5", "checkpoint_new.h5", "bad.h5"};
    for (int m = 0; m < 4; m++) unlink(in_dir(names[m]));
    return rmdir(dir);
}

// ---- a small tank in which everything happens --------------------------------------------------------------------------

static double pool(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

static double ball(const void* user, const double x[3])
{
    const double* b = user;  // centre, radius
    double r[3];
    vec_sub(r, x, b);
    return vec_norm(r) - b[3];
}

static mn_status swing(Pose* pose, void* user, int solid, double t)
{
    (void)user, (void)solid;
    *pose = pose_at((double[3]){2e-3*sin(100*t), 0, 0}, (double[3]){0, 0, 20*t});
    return MN_OK;
}

static const double post[4] = {4e-3, 1.5e-3, 0, 1e-3};

// A pool with a moving solid in it, a drop falling in, a droplet of spray.
static void tank_init(Sim* sim, int dim)
{
    int n = dim == 3 ? 16 : 32;
    double dx = 8e-3/n, depth = 3.1e-3, drop[4] = {5e-3, 5.2e-3, dim == 3 ? 4.1e-3 : 0, 1.4e-3};
    basin_init(sim, dim, n, n, n, dx);
    sim->world.solids = (Solids){.solid = calloc(1, sizeof(Solid)), .count = 1, .any_moving = true};
    sim->world.solids.solid[0] =
        (Solid){.name = "post", .distance = ball, .shape = post, .moving = true, .contact_angle = {-1, -1}};
    sim->model.functions.pose = swing;
    CHECK_OK(swing(&sim->world.solids.solid[0].pose, NULL, 0, 0));
    basin_add(sim, pool, &depth, (double[3]){0, 0, 0});
    basin_add(sim, ball, drop, (double[3]){0.1, -0.5, 0});
    CHECK_OK(sim_start(sim));
    Droplet p = {.x = {2e-3, 7.5e-3, dim == 3 ? 2e-3 : 0},
                 .v = {0.01, 0, 0},
                 .volume = pow(0.5*dx, dim),
                 .material = sim->world.liquid[0].material,
                 .kind = 3};
    CHECK_OK(spray_add(&sim->world.spray, &p));
    sim->world.ledger.input += p.volume;
}

static void run_steps(Sim* sim, int steps)
{
    for (int s = 0; s < steps; s++) CHECK_OK(sim_step(sim, 1e-3));
}

// The same state, to the last bit.
static void check_same(const Sim* a, const Sim* b)
{
    assert_int_equal(a->world.liquid_count, b->world.liquid_count);
    assert_int_equal(a->world.next_id, b->world.next_id);
    assert_int_equal(a->world.step, b->world.step);
    assert_true(a->world.time == b->world.time);
    assert_memory_equal(&a->world.ledger, &b->world.ledger, sizeof a->world.ledger);
    assert_int_equal(a->world.spray.count, b->world.spray.count);
    for (int m = 0; m < a->world.spray.count; m++) {
        const Droplet *p = &a->world.spray.drop[m], *q = &b->world.spray.drop[m];
        assert_memory_equal(p, q, offsetof(Droplet, kind));  // all numbers before it; padding follows
        assert_int_equal(p->kind, q->kind);
    }
    assert_int_equal(film_of(&a->world)->air.count, film_of(&b->world)->air.count);
    for (int m = 0; m < film_of(&a->world)->air.count; m++) {
        const AirPiece *p = &film_of(&a->world)->air.piece[m], *q = &film_of(&b->world)->air.piece[m];
        assert_memory_equal(p->x, q->x, sizeof p->x);
        assert_true(p->h == q->h && p->grid == q->grid);
    }
    for (int m = 0; m < a->world.solids.count; m++) {
        assert_memory_equal(&a->world.solids.solid[m].pose, &b->world.solids.solid[m].pose, sizeof(Pose));
        assert_memory_equal(a->world.solids.solid[m].spin, b->world.solids.solid[m].spin, sizeof(double[3]));
    }
    for (int m = 0; m < a->world.liquid_count; m++) {
        const Liquid *p = &a->world.liquid[m], *q = &b->world.liquid[m];
        assert_int_equal(p->id, q->id);
        assert_true(window_same(&p->w, &q->w));
        assert_true(p->target_volume == q->target_volume);
        assert_true(p->cells.volume == q->cells.volume);
        assert_int_equal(p->spans.covered, q->spans.covered);
        size_t size = sizeof(double)*p->w.count;
        assert_memory_equal(p->phi.block, q->phi.block, size);
        assert_memory_equal(p->p.block, q->p.block, size);
        for (int d = 0; d < p->w.dim; d++) assert_memory_equal(p->u[d].block, q->u[d].block, size);
    }
}

static const CheckpointRun run_saved = {.fingerprint = 0xfedcba9876543210ull,
                                        .frame = 7,
                                        .wall_seconds = 1.25,
                                        .table_bytes = 100,
                                        .liquids_bytes = 200,
                                        .probes_bytes = 300,
                                        .bodies_bytes = 400};

// A run that is saved and read into a fresh simulation goes on to the same bits as one that was never stopped.
static void check_resume(void (*init)(Sim* sim, int dim), int dim, int before, int after)
{
    Sim straight = {0}, restored = {0};
    init(&straight, dim);
    run_steps(&straight, before);
    CHECK_OK(checkpoint_write(dir, &straight, &run_saved));
    init(&restored, dim);
    CheckpointRun run = {.fingerprint = run_saved.fingerprint};
    CHECK_OK(checkpoint_read(&restored, &run, dir));
    assert_memory_equal(&run, &run_saved, sizeof run);
    check_same(&straight, &restored);
    for (int s = 0; s < after; s++) {
        run_steps(&straight, 1);
        run_steps(&restored, 1);
        check_same(&straight, &restored);
    }
    print_message("%dD: %d steps, save, %d steps; %d liquids, %d droplets, %d pieces of film at the end\n", dim, before, after,
                  straight.world.liquid_count, straight.world.spray.count, film_of(&straight.world)->air.count);
    sim_free(&straight);
    sim_free(&restored);
}

static void test_resume_is_exact(void** state)
{
    (void)state;
    check_resume(tank_init, 2, 6, 6);
    check_resume(tank_init, 2, 25, 12);
    check_resume(tank_init, 3, 6, 6);
}

// Two drops on a film thinner than their level sets tell: its air is part of the state.
static void drops_init(Sim* sim, int dim)
{
    bounce_start(sim, &(Bounce){.dim = dim, .cells = 24, .radius = 0.1706e-3, .speed = 0.5, .angle = 0.2, .steps = 1}, 2);
}

static void test_film_resumes(void** state)
{
    (void)state;
    check_resume(drops_init, 2, 16, 6);
    check_resume(drops_init, 3, 16, 4);
}

// ---- damage --------------------------------------------------------------------------------------------------------------

static void write_file(const char* path, const char* data, size_t size)
{
    FILE* f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}

// Reading must fail, say so in one line that names the file, and leave the simulation as it was.
static void check_refused(Sim* sim, const char* path)
{
    double time = sim->world.time, first = sim->world.liquid[0].phi.block[1000];
    int count = sim->world.liquid_count;
    CheckpointRun run = {.fingerprint = run_saved.fingerprint};
    mn_status status = checkpoint_read_file(sim, &run, path);
    if (status != MN_BAD_CHECKPOINT) print_error("status %d: %s\n", status, mn_last_error());
    assert_int_equal(status, MN_BAD_CHECKPOINT);
    assert_non_null(strstr(mn_last_error(), path));
    assert_null(strchr(mn_last_error(), '\n'));
    assert_true(sim->world.time == time && sim->world.liquid_count == count && sim->world.liquid[0].phi.block[1000] == first);
}

static void test_damage_is_found(void** state)
{
    (void)state;
    Sim sim = {0};
    tank_init(&sim, 2);
    run_steps(&sim, 2);
    CHECK_OK(checkpoint_write(dir, &sim, &run_saved));
    Bytes good;
    CHECK_OK(file_read(&good, in_dir("checkpoint.h5")));
    srand(3);
    for (int test = 0; test < 24; test++) {  // cut short at random places, and at the ends
        size_t size = test == 0 ? 0 : test == 1 ? good.size - 1 : test == 2 ? 512 : test == 3 ? 10 : (size_t)rand()%good.size;
        write_file(in_dir("bad.h5"), good.data, size);
        check_refused(&sim, in_dir("bad.h5"));
    }
    for (int test = 0; test < 60; test++) {  // one bit turned over; a third of them in the first lines
        size_t at = (size_t)rand()%(test%3 == 0 ? 512 : good.size);
        char bit = (char)(1 << rand()%8);
        good.data[at] ^= bit;
        write_file(in_dir("bad.h5"), good.data, good.size);
        check_refused(&sim, in_dir("bad.h5"));
        good.data[at] ^= bit;
    }
    char longer[100] = {0};
    bytes_add(&good, longer, sizeof longer);
    write_file(in_dir("bad.h5"), good.data, good.size);
    check_refused(&sim, in_dir("bad.h5"));
    bytes_free(&good);
    write_file(in_dir("bad.h5"), "hello, I am something else", 26);
    check_refused(&sim, in_dir("bad.h5"));
    check_refused(&sim, "/nonexistent/checkpoint.h5");
    check_refused(&sim, dir);
    unlink(in_dir("bad.h5"));
    sim_free(&sim);
}

// A checkpoint of another scene, another grid or with other solids is refused.
static void test_foreign_is_refused(void** state)
{
    (void)state;
    Sim sim = {0}, other = {0};
    tank_init(&sim, 2);
    tank_init(&other, 3);
    CHECK_OK(checkpoint_write(dir, &other, &run_saved));
    check_refused(&sim, in_dir("checkpoint.h5"));
    assert_non_null(strstr(mn_last_error(), "tank"));
    CHECK_OK(checkpoint_write(dir, &sim, &(CheckpointRun){.fingerprint = 1}));
    check_refused(&sim, in_dir("checkpoint.h5"));
    assert_non_null(strstr(mn_last_error(), "scene"));
    int count = sim.world.solids.count;
    sim.world.solids.count = 0;
    CHECK_OK(checkpoint_write(dir, &sim, &run_saved));
    sim.world.solids.count = count;
    check_refused(&sim, in_dir("checkpoint.h5"));
    sim_free(&sim);
    sim_free(&other);
}

// When the last checkpoint is damaged or missing, the one before is used.
static void test_previous_is_used(void** state)
{
    (void)state;
    Sim sim = {0}, fresh = {0};
    tank_init(&sim, 2);
    tank_init(&fresh, 2);
    run_steps(&sim, 1);
    CHECK_OK(checkpoint_write(dir, &sim, &run_saved));
    run_steps(&sim, 1);
    CHECK_OK(checkpoint_write(dir, &sim, &run_saved));
    CheckpointRun run = {.fingerprint = run_saved.fingerprint};
    CHECK_OK(checkpoint_read(&fresh, &run, dir));
    assert_int_equal(fresh.world.step, 2);
    assert_int_equal(truncate(in_dir("checkpoint.h5"), 3000), 0);
    CHECK_OK(checkpoint_read(&fresh, &run, dir));
    assert_int_equal(fresh.world.step, 1);
    unlink(in_dir("checkpoint.h5"));
    CHECK_OK(checkpoint_read(&fresh, &run, dir));
    assert_int_equal(fresh.world.step, 1);
    assert_int_equal(truncate(in_dir("checkpoint_previous.h5"), 3000), 0);
    assert_int_equal(checkpoint_read(&fresh, &run, dir), MN_BAD_CHECKPOINT);
    unlink(in_dir("checkpoint_previous.h5"));
    assert_int_equal(checkpoint_read(&fresh, &run, dir), MN_BAD_CHECKPOINT);
    sim_free(&sim);
    sim_free(&fresh);
}

// A disk that is full (here: files may not grow past 4 kB) gives one message, and the checkpoint before stays good.
static void test_full_disk(void** state)
{
    (void)state;
    Sim sim = {0};
    tank_init(&sim, 2);
    CHECK_OK(checkpoint_write(dir, &sim, &run_saved));
    run_steps(&sim, 1);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){4096, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    mn_status status = checkpoint_write(dir, &sim, &run_saved);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, MN_IO);
    assert_non_null(strstr(mn_last_error(), "checkpoint"));
    assert_true(access(in_dir("checkpoint_new.h5"), F_OK) != 0 && access(in_dir("checkpoint_new.h5.tmp"), F_OK) != 0);
    CheckpointRun run = {.fingerprint = run_saved.fingerprint};
    CHECK_OK(checkpoint_read_file(&sim, &run, in_dir("checkpoint.h5")));
    assert_int_equal(sim.world.step, 0);
    sim_free(&sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_resume_is_exact, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_film_resumes, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_damage_is_found, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_foreign_is_refused, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_previous_is_used, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_full_disk, make_directory, remove_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
