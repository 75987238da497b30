#include "output/table.h"

#include <math.h>
#include "base/vec.h"

// Enough digits to tell any two doubles apart: equal states give equal bytes, and the other way round.
#define EXACT ",%.17g"

void table_header(Bytes* out)
{
    bytes_print(out, "step,t,dt,liquids,volume,spray_volume,outflow,ledger_error,volume_correction,kinetic_energy,surface_area,"
                     "max_speed,iterations,residual,wall_time,input,retries,splits,merges,sprayed,rejoined,droplets,unknowns,"
                     "film_area,film_thickness,film_pressure,film_repair,film_volume,film_limits\n");
}

static double spray_energy(const Spray* s)
{
    double sum = 0;
    for (int m = 0; m < s->count; m++)
        sum += 0.5*s->drop[m].material.rho*s->drop[m].volume*vec_dot(s->drop[m].v, s->drop[m].v);
    return sum;
}

void table_row(Bytes* out, const Sim* sim, Arena* arena, double wall_time)
{
    const StepReport* r = &sim->report;
    double energy = spray_energy(&sim->world.spray), area = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) {
        energy += liquid_state(&sim->world.liquid[m], arena).kinetic_energy;
        area += sim->world.liquid[m].cells.surface;
    }
    arena_reset(arena);
    bytes_print(out, "%ld" EXACT EXACT ",%d" EXACT EXACT EXACT, sim->world.step, sim->world.time, r->dt, sim->world.liquid_count,
                sim_volume(sim), spray_volume(&sim->world.spray), sim->world.ledger.outflow);
    bytes_print(out, EXACT EXACT EXACT EXACT EXACT ",%d" EXACT ",%.6g", sim_ledger_error(sim), r->volume_correction, energy, area,
                r->max_speed, r->iterations, r->residual, wall_time);
    bytes_print(out, EXACT ",%d,%d,%d,%d,%d,%d,%ld", sim->world.ledger.input, r->retries, r->splits, r->merges, r->sprayed,
                r->rejoined, sim->world.spray.count, r->unknowns);
    const FilmReport* f = &r->film;
    bytes_print(out, EXACT EXACT EXACT EXACT EXACT ",%d\n", f->area, f->least_thickness, f->most_pressure, f->repaired, f->volume,
                r->film_limits);
}

void liquids_header(Bytes* out)
{
    bytes_print(out,
                "frame,t,id,volume,target_volume,cx,cy,cz,vx,vy,vz,xmin,ymin,zmin,xmax,ymax,zmax,area,frame_x,frame_y,frame_z\n");
}

static void add_vector(Bytes* out, const double v[3]) { bytes_print(out, EXACT EXACT EXACT, v[0], v[1], v[2]); }

void liquids_rows(Bytes* out, const Sim* sim, Arena* arena, int frame)
{
    double box[3] = {0, 0, 0};
    const TimeFunctions* f = &sim->model.functions;
    if (f->position && f->position(box, f->user, sim->world.time) != MN_OK) box[0] = box[1] = box[2] = NAN;
    for (int m = 0; m < sim->world.liquid_count; m++) {
        const Liquid* q = &sim->world.liquid[m];
        LiquidState s = liquid_state(q, arena);
        arena_reset(arena);
        bytes_print(out, "%d" EXACT ",%d" EXACT EXACT, frame, sim->world.time, q->id, s.volume, q->target_volume);
        add_vector(out, s.center);
        add_vector(out, s.velocity);
        add_vector(out, s.low);
        add_vector(out, s.high);
        bytes_print(out, EXACT, s.area);
        add_vector(out, box);
        bytes_print(out, "\n");
    }
}
