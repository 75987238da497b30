#include "output/checkpoint_state.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

enum { LIQUIDS_MOST = 1000000, DROPLET_COLUMNS = 11, SOLID_COLUMNS = 18, AIR_COLUMNS = 12 };

static const char* const field_name[5] = {"phi", "u", "v", "w", "p"};

static Field* field_of(Liquid* q, int m)
{
    Field* all[5] = {&q->phi, &q->u[0], &q->u[1], &q->u[2], &q->p};
    return all[m];
}

// Shape of a field's block, ghosts included, slowest axis first.
static int field_dims(hsize_t dims[3], const Window* w)
{
    hsize_t x = (hsize_t)w->n[0] + 1 + 2*GHOST, y = (hsize_t)w->n[1] + 1 + 2*GHOST, z = (hsize_t)w->n[2] + 1 + 2*GHOST;
    if (w->dim == 2) dims[0] = y, dims[1] = x;
    else dims[0] = z, dims[1] = y, dims[2] = x;
    return w->dim;
}

static void liquid_group(char name[32], int m) { snprintf(name, 32, "liquid_%06d", m); }

// ---- writing -------------------------------------------------------------------------------------------------------------

static void put_liquid(H5Io* io, const Liquid* liquid, int m)
{
    char name[32];
    liquid_group(name, m);
    h5io_enter(io, name, true);
    Liquid q = *liquid;
    double material[4] = {q.material.rho, q.material.sigma, q.material.mu, q.material.contact_angle};
    int64_t window[6] = {q.w.lo[0], q.w.lo[1], q.w.lo[2], q.w.n[0], q.w.n[1], q.w.n[2]};
    h5io_put_integer(io, "id", q.id);
    h5io_put_integer(io, "kind", q.kind);
    h5io_put_number(io, "target_volume", q.target_volume);
    h5io_put(io, "material", H5IO_DOUBLE, 1, (hsize_t[1]){4}, material);
    h5io_put(io, "window", H5IO_INT, 1, (hsize_t[1]){6}, window);
    hsize_t dims[3];
    int rank = field_dims(dims, &q.w);
    for (int f = 0; f < 5; f++)
        if (q.w.dim == 3 || f != 3) h5io_put(io, field_name[f], H5IO_DOUBLE, rank, dims, field_of(&q, f)->block);
    h5io_leave(io);
}

static void droplet_numbers(double out[DROPLET_COLUMNS], const Droplet* p)
{
    memcpy(out, p->x, sizeof p->x);
    memcpy(out + 3, p->v, sizeof p->v);
    const double rest[5] = {p->volume, p->material.rho, p->material.sigma, p->material.mu, p->material.contact_angle};
    memcpy(out + 6, rest, sizeof rest);
}

static void solid_numbers(double out[SOLID_COLUMNS], const Solid* s)
{
    memcpy(out, s->pose.position, sizeof s->pose.position);
    memcpy(out + 3, s->pose.rotation, sizeof s->pose.rotation);
    memcpy(out + 12, s->velocity, sizeof s->velocity);
    memcpy(out + 15, s->spin, sizeof s->spin);
}

// Solids that change their form have the times of their last two shapes saved; the shapes themselves follow from the scene.
static bool any_form(const Solids* s)
{
    for (int m = 0; m < s->count; m++)
        if (s->solid[m].form) return true;
    return false;
}

static void put_lists(H5Io* io, const Sim* sim)
{
    size_t drops = (size_t)sim->world.spray.count, solids = (size_t)sim->world.solids.count;
    double* table = malloc(sizeof *table*(drops*DROPLET_COLUMNS + solids*SOLID_COLUMNS + 1));
    if (!table) {
        h5io_fail(io, "needs more memory than there is");
        return;
    }
    for (size_t m = 0; m < drops; m++) droplet_numbers(table + m*DROPLET_COLUMNS, &sim->world.spray.drop[m]);
    h5io_put(io, "spray", H5IO_DOUBLE, 2, (hsize_t[2]){drops, DROPLET_COLUMNS}, table);
    for (size_t m = 0; m < solids; m++) solid_numbers(table + m*SOLID_COLUMNS, &sim->world.solids.solid[m]);
    h5io_put(io, "solids", H5IO_DOUBLE, 2, (hsize_t[2]){solids, SOLID_COLUMNS}, table);
    for (size_t m = 0; m < solids; m++) {
        table[2*m] = sim->world.solids.solid[m].time_before;
        table[2*m + 1] = sim->world.solids.solid[m].pose.time;
    }
    if (any_form(&sim->world.solids)) h5io_put(io, "forms", H5IO_DOUBLE, 2, (hsize_t[2]){solids, 2}, table);
    free(table);
}

// The air of the films, where liquids can have any between them.
static void put_air(H5Io* io, const FilmAir* air)
{
    double* table = malloc(sizeof *table*(AIR_COLUMNS*(size_t)air->count + 1));
    if (!table) {
        h5io_fail(io, "needs more memory than there is");
        return;
    }
    for (int m = 0; m < air->count; m++) {
        const AirPiece* p = &air->piece[m];
        double* v = table + (size_t)m*AIR_COLUMNS;
        memcpy(v, p->x, sizeof p->x);
        memcpy(v + 3, p->slope, sizeof p->slope);
        v[6] = p->h, v[7] = p->low, v[8] = p->high, v[9] = p->id[0], v[10] = p->id[1], v[11] = p->closing;
    }
    h5io_put(io, "film_air", H5IO_DOUBLE, 2, (hsize_t[2]){(hsize_t)air->count, AIR_COLUMNS}, table);
    free(table);
}

void state_put(H5Io* io, const Sim* sim)
{
    const Tank* t = &sim->model.tank;
    int64_t tank[4] = {t->dim, t->n[0], t->n[1], t->n[2]};
    h5io_put(io, "tank", H5IO_INT, 1, (hsize_t[1]){4}, tank);
    h5io_put_number(io, "dx", t->dx);
    h5io_put_number(io, "time", sim->world.time);
    h5io_put_integer(io, "step", sim->world.step);
    h5io_put_integer(io, "next_id", sim->world.next_id);
    h5io_put_integer(io, "liquid_count", sim->world.liquid_count);
    h5io_put_number(io, "ledger_input", sim->world.ledger.input);
    h5io_put_number(io, "ledger_outflow", sim->world.ledger.outflow);
    h5io_put(io, "stage_seconds", H5IO_DOUBLE, 1, (hsize_t[1]){STAGE_COUNT}, sim->times.seconds);
    put_lists(io, sim);
    if (has_film(&sim->model, &sim->world)) put_air(io, &sim->world.air);
    for (int m = 0; m < sim->world.liquid_count; m++) put_liquid(io, &sim->world.liquid[m], m);
}

// ---- reading -------------------------------------------------------------------------------------------------------------

void state_free(CheckpointState* s)
{
    for (int m = 0; m < s->liquid_count; m++) { liquid_free(&s->liquid[m]); }
    free(s->liquid);
    free(s->solid);
    spray_free(&s->spray);
    film_air_free(&s->air);
    *s = (CheckpointState){0};
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

// A window that lies in the tank.
static bool get_window(Window* w, H5Io* io, const Tank* tank)
{
    int64_t v[6] = {0};
    int lo[3], n[3];
    h5io_get(v, io, "window", H5IO_INT, 1, (hsize_t[1]){6});
    for (int d = 0; d < 3 && !io->wrong[0]; d++) {
        if (v[d] < 0 || v[3 + d] < 1 || v[d] >= tank->n[d] || v[3 + d] > tank->n[d] - v[d])
            h5io_fail(io, "holds a liquid outside the tank");
        lo[d] = (int)v[d], n[d] = (int)v[3 + d];
    }
    if (!io->wrong[0]) *w = window_make(tank, lo, n);
    return !io->wrong[0];
}

static void get_liquid(CheckpointState* s, H5Io* io, const Tank* tank, int m)
{
    char name[32];
    liquid_group(name, m);
    h5io_enter(io, name, false);
    int id = (int)h5io_get_integer(io, "id", 1, INT_MAX);
    int kind = (int)h5io_get_integer(io, "kind", 0, INT_MAX);
    Liquid* q = &s->liquid[m];
    double material[4];
    h5io_get(material, io, "material", H5IO_DOUBLE, 1, (hsize_t[1]){4});
    double target = h5io_get_number(io, "target_volume");
    Window w;
    if (!get_window(&w, io, tank)) return;
    if (liquid_init(q, &w) != MN_OK) {
        h5io_fail(io, "needs more memory than there is");
        return;
    }
    s->liquid_count = m + 1;
    q->id = id, q->kind = kind;
    q->target_volume = target;
    q->material = (LiquidMaterial){material[0], material[1], material[2], material[3]};
    hsize_t dims[3];
    int rank = field_dims(dims, &w);
    for (int f = 0; f < 5; f++)
        if (w.dim == 3 || f != 3) h5io_get(field_of(q, f)->block, io, field_name[f], H5IO_DOUBLE, rank, dims);
    h5io_leave(io);
}

static void get_spray(CheckpointState* s, H5Io* io)
{
    hsize_t dims[2];
    h5io_size(dims, io, "spray", H5IO_DOUBLE, 2);
    if (!io->wrong[0] && (dims[1] != DROPLET_COLUMNS || dims[0] > INT_MAX/32)) h5io_fail(io, "holds spray of another kind");
    if (io->wrong[0] || dims[0] == 0) return;
    double* table = malloc(sizeof *table*DROPLET_COLUMNS*(size_t)dims[0]);
    if (table) h5io_get(table, io, "spray", H5IO_DOUBLE, 2, dims);
    for (hsize_t m = 0; table && m < dims[0] && !io->wrong[0]; m++) {
        const double* v = table + m*DROPLET_COLUMNS;
        Droplet p = {.x = {v[0], v[1], v[2]}, .v = {v[3], v[4], v[5]}, .volume = v[6], .material = {v[7], v[8], v[9], v[10]}};
        if (spray_add(&s->spray, &p) != MN_OK) h5io_fail(io, "needs more memory than there is");
    }
    if (!table) h5io_fail(io, "needs more memory than there is");
    free(table);
}

static void get_air(CheckpointState* s, H5Io* io, const Tank* tank)
{
    hsize_t dims[2];
    h5io_size(dims, io, "film_air", H5IO_DOUBLE, 2);
    if (!io->wrong[0] && (dims[1] != AIR_COLUMNS || dims[0] > INT_MAX/32)) h5io_fail(io, "holds films of another kind");
    if (io->wrong[0] || dims[0] == 0) return;
    double* table = malloc(sizeof *table*AIR_COLUMNS*(size_t)dims[0]);
    if (!table || film_air_reserve(&s->air, (int)dims[0]) != MN_OK) h5io_fail(io, "needs more memory than there is");
    else h5io_get(table, io, "film_air", H5IO_DOUBLE, 2, dims);
    for (hsize_t m = 0; m < dims[0] && !io->wrong[0]; m++) {
        const double* v = table + m*AIR_COLUMNS;
        for (int c = 0; c < AIR_COLUMNS; c++)
            if (!isfinite(v[c])) h5io_fail(io, "holds a film with something that is not a number");
        s->air.piece[s->air.count++] = (AirPiece){.x = {v[0], v[1], v[2]},
                                                  .slope = {v[3], v[4], v[5]},
                                                  .h = v[6],
                                                  .low = v[7],
                                                  .high = v[8],
                                                  .id = {(int)v[9], (int)v[10]},
                                                  .closing = v[11]};
    }
    if (!io->wrong[0]) film_air_sort(&s->air, tank);
    free(table);
}

static void get_solids(CheckpointState* s, H5Io* io, const Solids* solids)
{
    size_t count = (size_t)solids->count;
    double* table = malloc(sizeof *table*(SOLID_COLUMNS*count + 1));
    s->solid = malloc(sizeof *s->solid*(count + 1));
    if (!table || !s->solid) h5io_fail(io, "needs more memory than there is");
    h5io_get(table, io, "solids", H5IO_DOUBLE, 2, (hsize_t[2]){count, SOLID_COLUMNS});
    for (size_t m = 0; m < count && !io->wrong[0]; m++) {
        const double* v = table + m*SOLID_COLUMNS;
        Solid* solid = &s->solid[m];
        *solid = solids->solid[m];
        memcpy(solid->pose.position, v, sizeof solid->pose.position);
        memcpy(solid->pose.rotation, v + 3, sizeof solid->pose.rotation);
        memcpy(solid->velocity, v + 12, sizeof solid->velocity);
        memcpy(solid->spin, v + 15, sizeof solid->spin);
    }
    if (any_form(solids)) h5io_get(table, io, "forms", H5IO_DOUBLE, 2, (hsize_t[2]){count, 2});
    for (size_t m = 0; m < count && any_form(solids) && !io->wrong[0]; m++) {
        s->solid[m].time_before = table[2*m], s->solid[m].pose.time = table[2*m + 1];
        if (!isfinite(table[2*m]) || !isfinite(table[2*m + 1])) h5io_fail(io, "holds a time that is not a number");
    }
    free(table);
}

void state_get(CheckpointState* s, H5Io* io, const Sim* sim)
{
    *s = (CheckpointState){0};
    get_tank(io, &sim->model.tank);
    s->time = h5io_get_number(io, "time");
    s->step = (long)h5io_get_integer(io, "step", 0, LONG_MAX);
    s->next_id = (int)h5io_get_integer(io, "next_id", 0, INT_MAX);
    s->ledger.input = h5io_get_number(io, "ledger_input");
    s->ledger.outflow = h5io_get_number(io, "ledger_outflow");
    h5io_get(s->times.seconds, io, "stage_seconds", H5IO_DOUBLE, 1, (hsize_t[1]){STAGE_COUNT});
    int count = (int)h5io_get_integer(io, "liquid_count", 0, LIQUIDS_MOST);
    get_spray(s, io);
    if (has_film(&sim->model, &sim->world)) get_air(s, io, &sim->model.tank);
    get_solids(s, io, &sim->world.solids);
    if (!io->wrong[0] && !isfinite(s->time)) h5io_fail(io, "holds a time that is not a number");
    if (io->wrong[0]) return;
    s->liquid_room = maxi(count, 1);
    s->liquid = calloc((size_t)s->liquid_room, sizeof *s->liquid);
    if (!s->liquid) h5io_fail(io, "needs more memory than there is");
    for (int m = 0; m < count && !io->wrong[0]; m++) get_liquid(s, io, &sim->model.tank, m);
}

// ---- use -----------------------------------------------------------------------------------------------------------------

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

mn_status state_use(Sim* sim, CheckpointState* s)
{
    for (int m = 0; m < sim->world.liquid_count; m++) liquid_free(&sim->world.liquid[m]);
    free(sim->world.liquid);
    spray_free(&sim->world.spray);
    film_air_free(&sim->world.air);
    sim->world.liquid = s->liquid, sim->world.liquid_count = s->liquid_count, sim->world.liquid_capacity = s->liquid_room;
    if (sim->world.solids.count > 0)
        memcpy(sim->world.solids.solid, s->solid, sizeof *s->solid*(size_t)sim->world.solids.count);
    sim->world.spray = s->spray, sim->world.air = s->air, sim->world.ledger = s->ledger, sim->times = s->times;
    sim->world.time = s->time, sim->world.step = s->step, sim->world.next_id = s->next_id;
    s->liquid = NULL, s->liquid_count = 0, s->spray = (Spray){0}, s->air = (FilmAir){0};
    mn_status status = find_forms(sim);
    if (status == MN_OK) status = sim_rebuild(sim);
    state_free(s);
    return status;
}
