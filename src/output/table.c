#include "output/table.h"

#include <assert.h>
#include <math.h>
#include "liquid/energy.h"

TableSums table_sums(const Sim* sim, Arena* arena, double wall_time)
{
    TableSums sums = {.wall_time = wall_time};
    if (world_energy(&sums.energy, &sim->model, &sim->world, arena) != MN_OK)
        sums.energy = (Energy){NAN, NAN, NAN, NAN, NAN, {NAN, NAN, NAN}};
    for (int m = 0; m < sim->world.spray.count; m++) {
        const Droplet* p = &sim->world.spray.drop[m];
        for (int d = 0; d < 3; d++) sums.energy.momentum[d] += droplet_mass(p)*p->v[d];
    }
    for (int m = 0; m < sim->world.liquid_count; m++) sums.surface_area += sim->world.liquid[m].cells.surface;
    arena_reset(arena);
    return sums;
}

void table_columns(Columns* c, const Sim* sim, const TableSums* sums)
{
    const StepReport* r = &sim->report;
    columns_clear(c);
    columns_whole(c, "step", sim->world.step);
    columns_real(c, "t", sim->world.time);
    columns_real(c, "dt", r->dt);
    columns_whole(c, "liquids", sim->world.liquid_count);
    columns_real(c, "volume", sim_volume(sim));
    columns_real(c, "spray_volume", spray_volume(&sim->world.spray));
    columns_real(c, "outflow", sim->world.ledger.outflow);
    columns_real(c, "ledger_error", sim_ledger_error(sim));
    columns_real(c, "volume_correction", r->volume_correction);
    columns_real(c, "kinetic_energy", sums->energy.kinetic);
    columns_real(c, "surface_area", sums->surface_area);
    columns_real(c, "max_speed", r->max_speed);
    columns_whole(c, "iterations", r->iterations);
    columns_real(c, "residual", r->residual);
    columns_rough(c, "wall_time", sums->wall_time);
    columns_real(c, "input", sim->world.ledger.input);
    columns_whole(c, "retries", r->retries);
    columns_whole(c, "splits", r->splits);
    columns_whole(c, "merges", r->merges);
    columns_whole(c, "sprayed", r->sprayed);
    columns_whole(c, "rejoined", r->rejoined);
    columns_whole(c, "droplets", sim->world.spray.count);
    columns_whole(c, "unknowns", r->unknowns);
    columns_real(c, "potential_energy", sums->energy.potential);
    columns_real(c, "surface_energy", sums->energy.surface);
    columns_real(c, "stored_energy", sums->energy.stored);
    columns_real(c, "work", sim->world.energy.work);
    columns_real(c, "energy_gain", sim->world.energy.gain);
    columns_real(c, "energy_taken", sim->world.energy.taken);
    for (int d = 0; d < 3; d++)
        columns_real(c, (const char* const[]){"momentum_x", "momentum_y", "momentum_z"}[d], sums->energy.momentum[d]);
    partners_report(&sim->world, r, c);
    assert(c->failed || columns_is_valid(c));
}

LiquidRow liquid_row(const Scene* scene, const Sim* sim, int m, Arena* arena, int frame)
{
    const Liquid* q = &sim->world.liquid[m];
    LiquidRow row = {.frame = frame, .id = q->id, .time = sim->world.time, .target_volume = q->target_volume};
    row.name = scene_kind_name(scene, q->kind);
    const TimeFunctions* f = &sim->model.functions;
    if (f->position && f->position(row.place, f->user, sim->world.time) != MN_OK)
        row.place[0] = row.place[1] = row.place[2] = NAN;
    row.state = liquid_state(q, arena);
    arena_reset(arena);
    return row;
}

static void add_vector(Columns* c, const char* const name[3], const double v[3])
{
    for (int d = 0; d < 3; d++) columns_real(c, name[d], v[d]);
}

void liquid_columns(Columns* c, const LiquidRow* q)
{
    const LiquidState* s = &q->state;
    columns_clear(c);
    columns_whole(c, "frame", q->frame);
    columns_real(c, "t", q->time);
    columns_whole(c, "id", q->id);
    columns_real(c, "volume", s->volume);
    columns_real(c, "target_volume", q->target_volume);
    add_vector(c, (const char* const[3]){"cx", "cy", "cz"}, s->center);
    add_vector(c, (const char* const[3]){"vx", "vy", "vz"}, s->velocity);
    add_vector(c, (const char* const[3]){"xmin", "ymin", "zmin"}, s->low);
    add_vector(c, (const char* const[3]){"xmax", "ymax", "zmax"}, s->high);
    columns_real(c, "area", s->area);
    add_vector(c, (const char* const[3]){"frame_x", "frame_y", "frame_z"}, q->place);
    columns_text(c, "name", q->name);
}
