#include "output/checkpoint_state.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

typedef struct FileVisitor {
    StateVisitor visitor;  // first: the calls find the rest from it
    H5Io* io;
} FileVisitor;

static H5Io* io_of(StateVisitor* v) { return ((FileVisitor*)v)->io; }
// Walks stop at the first thing that is wrong; io->wrong says what.
static mn_status state_of(const H5Io* io) { return io->wrong[0] ? MN_BAD_CHECKPOINT : MN_OK; }

static int shape_of(hsize_t dims[3], int rank, const size_t n[3])
{
    for (int d = 0; d < rank; d++) dims[d] = n[d];
    return rank;
}

static void rows_name(char out[64], const char* name) { snprintf(out, 64, "%s_rows", name); }

// ---- writing -------------------------------------------------------------------------------------------------------------

static mn_status put_enter(StateVisitor* v, const char* name) { return h5io_enter(io_of(v), name, true), state_of(io_of(v)); }
static void leave(StateVisitor* v) { h5io_leave(io_of(v)); }

static mn_status put_rows(StateVisitor* v, const char* name, int* rows)
{
    char full[64];
    rows_name(full, name);
    h5io_put_integer(io_of(v), full, *rows);
    return state_of(io_of(v));
}

static mn_status put_reals(StateVisitor* v, const char* name, double* value, int count)
{
    h5io_put(io_of(v), name, H5IO_DOUBLE, 1, (hsize_t[1]){(hsize_t)count}, value);
    return state_of(io_of(v));
}

static mn_status put_integers(StateVisitor* v, const char* name, int64_t* value, int count)
{
    h5io_put(io_of(v), name, H5IO_INT, 1, (hsize_t[1]){(hsize_t)count}, value);
    return state_of(io_of(v));
}

static mn_status put_table(StateVisitor* v, const StateTable* t)
{
    H5Io* io = io_of(v);
    size_t rows = (size_t)t->rows, numbers = (size_t)state_row_numbers(t);
    double* all = malloc(sizeof *all*(rows*numbers + 1));
    if (!all) return h5io_fail(io, "needs more memory than there is"), MN_NO_MEMORY;
    for (int r = 0; r < t->rows; r++) state_row_get(all + (size_t)r*numbers, t, r);
    h5io_put(io, t->name, H5IO_DOUBLE, 2, (hsize_t[2]){rows, numbers}, all);
    free(all);
    return state_of(io);
}

static mn_status put_block(StateVisitor* v, const char* name, double* data, int rank, const size_t n[3])
{
    hsize_t dims[3];
    h5io_put(io_of(v), name, H5IO_DOUBLE, shape_of(dims, rank, n), dims, data);
    return state_of(io_of(v));
}

void state_put(H5Io* io, Sim* sim)
{
    const Tank* t = &sim->model.tank;
    int64_t tank[4] = {t->dim, t->n[0], t->n[1], t->n[2]};
    h5io_put(io, "tank", H5IO_INT, 1, (hsize_t[1]){4}, tank);
    h5io_put_number(io, "dx", t->dx);
    h5io_put(io, "stage_seconds", H5IO_DOUBLE, 1, (hsize_t[1]){STAGE_COUNT}, sim->times.seconds);
    FileVisitor put = {.visitor = {.enter = put_enter,
                                   .leave = leave,
                                   .rows = put_rows,
                                   .reals = put_reals,
                                   .integers = put_integers,
                                   .table = put_table,
                                   .block = put_block},
                       .io = io};
    world_visit(&sim->world, t, &put.visitor);
}

// ---- reading -------------------------------------------------------------------------------------------------------------

static mn_status get_enter(StateVisitor* v, const char* name) { return h5io_enter(io_of(v), name, false), state_of(io_of(v)); }

static mn_status get_rows(StateVisitor* v, const char* name, int* rows)
{
    char full[64];
    rows_name(full, name);
    *rows = (int)h5io_get_integer(io_of(v), full, 0, INT_MAX/64);
    return state_of(io_of(v));
}

static mn_status get_reals(StateVisitor* v, const char* name, double* value, int count)
{
    H5Io* io = io_of(v);
    h5io_get(value, io, name, H5IO_DOUBLE, 1, (hsize_t[1]){(hsize_t)count});
    for (int m = 0; m < count && !io->wrong[0]; m++)
        if (!isfinite(value[m])) h5io_fail(io, "holds a number in %s that is not finite", name);
    return state_of(io);
}

static mn_status get_integers(StateVisitor* v, const char* name, int64_t* value, int count)
{
    h5io_get(value, io_of(v), name, H5IO_INT, 1, (hsize_t[1]){(hsize_t)count});
    return state_of(io_of(v));
}

static mn_status get_table(StateVisitor* v, const StateTable* t)
{
    H5Io* io = io_of(v);
    size_t rows = (size_t)t->rows, numbers = (size_t)state_row_numbers(t);
    double* all = malloc(sizeof *all*(rows*numbers + 1));
    if (!all) return h5io_fail(io, "needs more memory than there is"), MN_NO_MEMORY;
    h5io_get(all, io, t->name, H5IO_DOUBLE, 2, (hsize_t[2]){rows, numbers});
    for (size_t m = 0; m < rows*numbers && !io->wrong[0]; m++)
        if (!isfinite(all[m])) h5io_fail(io, "holds a number in %s that is not finite", t->name);
    for (int r = 0; r < t->rows && !io->wrong[0]; r++) state_row_set(t, r, all + (size_t)r*numbers);
    free(all);
    return state_of(io);
}

static mn_status get_block(StateVisitor* v, const char* name, double* data, int rank, const size_t n[3])
{
    hsize_t dims[3];
    h5io_get(data, io_of(v), name, H5IO_DOUBLE, shape_of(dims, rank, n), dims);
    return state_of(io_of(v));
}

static void get_tank(H5Io* io, const Tank* t)
{
    int64_t tank[4] = {0};
    h5io_get(tank, io, "tank", H5IO_INT, 1, (hsize_t[1]){4});
    double dx = h5io_get_number(io, "dx");
    if (io->wrong[0]) return;
    if (tank[0] != t->dim || tank[1] != t->n[0] || tank[2] != t->n[1] || tank[3] != t->n[2] || dx != t->dx)
        h5io_fail(io, "was written for a tank of another size");
}

// Solids that change their form: their times are saved, the shapes of those times follow from the scene.
static mn_status find_forms(Sim* sim)
{
    for (int m = 0; m < sim->world.solids.count; m++) {
        Solid* solid = &sim->world.solids.solid[m];
        Pose pose;
        if (!solid->form) continue;
        TRY(sim->model.functions.pose(&pose, sim->model.functions.user, m, solid->time_before));
        solid->shape_before = pose.shape;
        TRY(sim->model.functions.pose(&pose, sim->model.functions.user, m, solid->pose.time));
        solid->pose.shape = pose.shape;
    }
    return MN_OK;
}

// The state of the file, checked as far as it is used without another look.
static mn_status bring(Sim* sim, H5Io* io)
{
    FileVisitor get = {.visitor = {.brings = true,
                                   .enter = get_enter,
                                   .leave = leave,
                                   .rows = get_rows,
                                   .reals = get_reals,
                                   .integers = get_integers,
                                   .table = get_table,
                                   .block = get_block},
                       .io = io};
    mn_status status = world_visit(&sim->world, &sim->model.tank, &get.visitor);
    if (status == MN_BAD_CHECKPOINT && !io->wrong[0]) h5io_fail(io, "%s", mn_last_error());
    for (int m = 0; m < sim->world.liquid_count && status == MN_OK; m++)
        if (sim->world.liquid[m].id < 1 || sim->world.liquid[m].kind < 0) h5io_fail(io, "holds a liquid without a name");
    if (status == MN_OK) status = state_of(io);
    if (status == MN_OK) status = find_forms(sim);
    return status == MN_OK ? sim_rebuild(sim) : status;
}

mn_status state_get(Sim* sim, H5Io* io)
{
    double seconds[STAGE_COUNT];
    get_tank(io, &sim->model.tank);
    h5io_get(seconds, io, "stage_seconds", H5IO_DOUBLE, 1, (hsize_t[1]){STAGE_COUNT});
    if (io->wrong[0]) return MN_BAD_CHECKPOINT;
    arena_reset(&sim->before);
    StateCopy* before = state_copy_begin(&sim->before);
    TRY_MEMORY(before);
    TRY(world_visit(&sim->world, &sim->model.tank, state_copy_saver(before)));
    mn_status status = bring(sim, io);
    if (status == MN_OK) {
        memcpy(sim->times.seconds, seconds, sizeof seconds);
        return MN_OK;
    }
    char why[1024];
    snprintf(why, sizeof why, "%s", mn_last_error());
    TRY(world_visit(&sim->world, &sim->model.tank, state_copy_restorer(before)));
    TRY(sim_rebuild(sim));
    return mn_fail(status, "%s", why);
}
