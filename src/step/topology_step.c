#include "step/topology_step.h"

#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "liquid/topology.h"
#include "step/step_film.h"

// A ball as a signed distance, for a droplet that has grown enough to be a liquid again.
static double ball_distance(const void* user, const double x[3])
{
    const double* ball = user;  // centre and radius
    double r[3];
    vec_sub(r, x, ball);
    return vec_norm(r) - ball[3];
}

static double smallest_volume(const Sim* sim) { return sim->settings.spray_cells*pow(sim->tank.dx, sim->tank.dim); }

static mn_status part_to_spray(Sim* sim, const Part* part, double volume, const LiquidMaterial* material)
{
    Droplet drop = {.volume = volume, .material = *material};
    for (int d = 0; d < 3; d++) drop.x[d] = part->center[d], drop.v[d] = part->velocity[d];
    sim->report.sprayed++;
    return spray_add(&sim->spray, &drop);
}

// Where a liquid without any wet cell was last: the node deepest in it, and the velocity there.
static void find_remains(Part* rest, const Liquid* q)
{
    const Window* w = &q->w;
    double deepest = INFINITY, *u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                double phi = q->phi.v[window_at(w, i, j, k)];
                if (phi >= deepest) continue;
                deepest = phi;
                window_position(rest->center, w, i, j, k);
                face_velocity(rest->velocity, u, w, (double[3]){i, j, k});
            }
}

// Splits liquid m. Returns in *gone whether nothing of it is left as a liquid.
static mn_status split(Sim* sim, Arena* kept, int m, bool* gone)
{
    *gone = false;
    Parts parts;
    TRY(parts_find(&parts, &sim->scratch, &sim->liquid[m]));
    double measured = 0, target = sim->liquid[m].target_volume;
    for (int a = 0; a < parts.count; a++) measured += parts.part[a].volume;
    if (parts.count == 0 || !(target > 0)) {
        // it left through an open side (then nothing is on the books), or thinned away below the grid
        *gone = true;
        Part rest = {0};
        find_remains(&rest, &sim->liquid[m]);
        return target > 0 ? part_to_spray(sim, &rest, target, &sim->liquid[m].material) : MN_OK;
    }
    bool keeps = parts.part[0].volume >= smallest_volume(sim);
    for (int a = keeps ? 1 : 0; a < parts.count; a++) {
        double share = target*parts.part[a].volume/measured;
        if (parts.part[a].volume < smallest_volume(sim)) {
            TRY(part_to_spray(sim, &parts.part[a], share, &sim->liquid[m].material));
        } else {
            Liquid part;
            TRY(part_extract(&part, &sim->scratch, &sim->liquid[m], &parts, a, &sim->tank));
            part.target_volume = share;
            mn_status status = liquid_rebuild(&part, kept, &sim->solids);
            if (status == MN_OK) status = sim_add_liquid(sim, &part);
            if (status != MN_OK) {
                liquid_free(&part);
                return status;
            }
            sim->report.splits++;
        }
    }
    *gone = !keeps;
    if (!keeps || parts.count == 1) return MN_OK;
    Liquid* q = &sim->liquid[m];
    q->target_volume = target*parts.part[0].volume/measured;
    TRY(part_keep(q, &sim->scratch, &parts, 0));
    return liquid_rebuild(q, kept, &sim->solids);
}

// Droplets give their momentum to the liquid where they fall; their volume arrives with the shift of the whole surface.
static mn_status rejoin(Sim* sim, Arena* kept, Liquid* q)
{
    int before = sim->spray.count;
    if (before == 0 || spray_rejoin(&sim->spray, q) == 0) return MN_OK;
    sim->report.rejoined += before - sim->spray.count;
    return liquid_rebuild_cells(q, kept);
}

// A droplet that others have joined may be large enough for the grid.
static mn_status grow_droplets(Sim* sim, Arena* kept)
{
    spray_join(&sim->spray, sim->tank.dim);
    for (int m = 0; m < sim->spray.count;) {
        Droplet drop = sim->spray.drop[m];
        // twice the size at which a part becomes spray, so that nothing flickers between the two
        if (drop.volume < 2*smallest_volume(sim)) {
            m++;
            continue;
        }
        double ball[4] = {drop.x[0], drop.x[1], drop.x[2], droplet_radius(&drop, sim->tank.dim)};
        int lo[3] = {0, 0, 0}, n[3] = {1, 1, 1};
        for (int d = 0; d < sim->tank.dim; d++) {
            lo[d] = (int)floor((ball[d] - ball[3])/sim->tank.dx) - liquid_margin(&sim->tank);
            n[d] = (int)ceil((ball[d] + ball[3])/sim->tank.dx) + liquid_margin(&sim->tank) - lo[d];
        }
        Window w = window_make(&sim->tank, lo, n);
        Liquid q;
        TRY(liquid_init(&q, &w));
        q.material = drop.material, q.target_volume = drop.volume;
        mn_status status = liquid_set_shape(&q, &sim->scratch, ball_distance, ball);
        for (int d = 0; d < w.dim; d++) field_fill(&q.u[d], &w, drop.v[d]);
        if (status == MN_OK) status = liquid_rebuild(&q, kept, &sim->solids);
        if (status == MN_OK) status = sim_add_liquid(sim, &q);
        if (status != MN_OK) {
            liquid_free(&q);
            return status;
        }
        spray_remove(&sim->spray, m);
    }
    return MN_OK;
}

static mn_status merge_all(Sim* sim, Arena* kept)
{
    for (int a = 0; a < sim->liquid_count; a++)
        for (int b = a + 1; b < sim->liquid_count;) {
            int place[3] = {-1, -1, -1};
            if (!film_step_merges(place, sim, a, b)) {
                b++;
                continue;
            }
            TRY(liquid_merge(&sim->liquid[a], &sim->liquid[b], &sim->scratch, &sim->tank));
            if (place[0] >= 0) liquid_open_hole(&sim->liquid[a], place);
            arena_reset(&sim->scratch);
            TRY(liquid_rebuild(&sim->liquid[a], kept, &sim->solids));
            sim_remove_liquid(sim, b);
            sim->report.merges++;
            b = a + 1;  // the larger liquid may now touch others it did not before
        }
    return MN_OK;
}

mn_status topology_update(Sim* sim, Arena* kept)
{
    sim->report.splits = sim->report.merges = sim->report.sprayed = sim->report.rejoined = 0;
    for (int m = 0; m < sim->liquid_count;) {
        bool gone;
        TRY(split(sim, kept, m, &gone));
        arena_reset(&sim->scratch);
        if (gone) sim_remove_liquid(sim, m);
        else m++;
    }
    for (int m = 0; m < sim->liquid_count; m++) TRY(rejoin(sim, kept, &sim->liquid[m]));
    TRY(grow_droplets(sim, kept));
    arena_reset(&sim->scratch);
    return merge_all(sim, kept);
}
