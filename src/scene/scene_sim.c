#include "scene/scene_sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "film/film_partner.h"
#include "liquid/sheet_motion.h"
#include "liquid/sources.h"
#include "membrane/membrane_partner.h"
#include "membrane/membrane_start.h"
#include "scene/body_build.h"
#include "scene/body_start.h"
#include "scene/include.h"
#include "scene/place_function.h"
#include "scene/sheet_fill.h"
#include "scene/sheet_moves.h"
#include "scene/source.h"

static double distance_of_shape(const void* shape, const double x[3]) { return shape_distance(shape, x); }

static mn_status acceleration_at(double a[3], void* user, double t)
{
    const Scene* scene = user;
    return scene_frame_acceleration(a, scene, t);
}

static mn_status position_at(double x[3], void* user, double t)
{
    const Scene* scene = user;
    return scene_time_vector(x, scene, &scene->frame_position, t);
}

static mn_status sigma_at(double* sigma, void* user, const double x[3]) { return scene_sigma(sigma, user, x); }

static mn_status pose_of_solid(Pose* pose, void* user, int solid, double t)
{
    const Scene* scene = user;
    const SceneSolid* s = &scene->solids[solid];
    double position[3], rotation[3];
    TRY(scene_time_vector(position, scene, &s->position, t));
    TRY(scene_time_vector(rotation, scene, &s->rotation, t));
    *pose = pose_at(position, rotation);
    if (!s->changing) return MN_OK;
    const Shape* form;
    TRY(shape_at(&form, s->shape, t));
    pose->shape = form, pose->time = t;
    return MN_OK;
}

static void shift_of_shape(double out[3], const void* now, const void* before, const double x[3])
{
    shape_shift(out, now, before, x);
}

static double longest_shift_of_shape(const void* now, const void* before) { return shape_longest_shift(now, before); }

static const SolidForm mesh_form = {shift_of_shape, longest_shift_of_shape};

static LiquidMaterial material_of(const Material* m)
{
    return (LiquidMaterial){.rho = m->rho, .sigma = m->sigma, .mu = m->mu, .contact_angle = m->contact_angle};
}

// A liquid that wets fully has no angle the grid could hold: a tenth of a degree instead of 0, which means the liquid's own.
static ContactAngle angle_of(const SceneAngle* a)
{
    if (a->advancing < 0) return (ContactAngle){-1, -1};
    return (ContactAngle){fmax(a->advancing, 1.7e-3), fmax(a->receding, 1.7e-3)};
}

static TensionSettings tension_of(const SceneTension* t)
{
    static const TensionScheme scheme[] = {
        [TENSION_IS_AUTO] = TENSION_AUTO,   [TENSION_IS_EXPLICIT] = TENSION_EXPLICIT, [TENSION_IS_IMPLICIT] = TENSION_IMPLICIT,
        [TENSION_IS_SPLIT] = TENSION_SPLIT, [TENSION_IS_CSF] = TENSION_CSF,
    };
    return (TensionSettings){.scheme = scheme[t->kind],
                             .theta = t->theta,
                             .most_steps = t->steps,
                             .variant = t->variant == SPLIT_IS_PAPER ? SPLIT_PAPER : SPLIT_FROZEN,
                             .cycles = t->cycles,
                             .band = t->band,
                             .balance = t->changes & PAPER_BALANCE,
                             .provisional = t->changes & PAPER_PROVISIONAL,
                             .mean = t->changes & PAPER_MEAN};
}

Tank scene_tank(const Scene* scene)
{
    static const Side kinds[] = {[SIDE_WALL] = SIDE_IS_WALL, [SIDE_OPEN] = SIDE_IS_OPEN, [SIDE_MIRROR] = SIDE_IS_MIRROR};
    Tank tank = {.dim = scene->dim, .dx = scene->dx};
    for (int d = 0; d < 3; d++) tank.n[d] = scene->cells[d];
    for (int s = 0; s < 6; s++) tank.side[s] = kinds[scene->side[s]];
    return tank;
}

static void build_tank(Sim* sim, const Scene* scene)
{
    static const Advection advection[] = {
        [ADVECTION_AUTO] = ADVECT_AUTO,
        [ADVECTION_MACCORMACK] = ADVECT_MACCORMACK,
        [ADVECTION_SEMILAGRANGIAN] = ADVECT_SEMILAGRANGIAN,
        [ADVECTION_CUBIC] = ADVECT_CUBIC,
    };
    sim->model.tank = scene_tank(scene);
    sim->model.settings = (SimSettings){
        .cfl = scene->cfl,
        .tolerance = scene->tolerance,
        .max_dt = scene->max_dt,
        .advection = advection[scene->advection],
        .op = scene->op == OPERATOR_CUT     ? PRESSURE_CUT
              : scene->op == OPERATOR_GHOST ? PRESSURE_GHOST
                                            : PRESSURE_AUTO,
        .tension = tension_of(&scene->tension),
        .slip = scene->slip,
        .unilateral = scene->unilateral,
        .spray_cells = scene->spray_cells,
        .wall_angle = angle_of(&scene->wall_angle),
    };
    memcpy(sim->model.settings.gravity, scene->gravity, sizeof scene->gravity);
}

// Distance from the pivot to the farthest corner of the shape's bounds: a short tail that beats fast is not a fast tank.
static double reach_of(const SceneSolid* s, int dim)
{
    double low[3], high[3], far[3] = {0, 0, 0};
    shape_bounds(low, high, s->shape);
    for (int d = 0; d < dim; d++) far[d] = fmax(fabs(low[d] - s->pivot[d]), fabs(high[d] - s->pivot[d]));
    return vec_norm(far);
}

static mn_status build_solids(Sim* sim, const Scene* scene)
{
    if (scene->solid_count == 0) return MN_OK;
    sim->world.solids.solid = calloc((size_t)scene->solid_count, sizeof *sim->world.solids.solid);
    if (!sim->world.solids.solid) return mn_fail(MN_NO_MEMORY, "out of memory: %d solids", scene->solid_count);
    sim->world.solids.count = scene->solid_count;
    for (int m = 0; m < scene->solid_count; m++) {
        const SceneSolid* from = &scene->solids[m];
        Solid* s = &sim->world.solids.solid[m];
        memcpy(s->name, from->name, sizeof s->name);
        s->distance = distance_of_shape;
        s->shape = from->shape;
        s->moving = from->moving;
        s->form = from->changing ? &mesh_form : NULL;
        s->contact_angle = angle_of(&from->contact_angle);
        s->keeps_off = from->film, s->meets_skin = from->meets_skin;
        if (!from->changing) s->reach = reach_of(from, scene->dim);
        memcpy(s->pivot, from->pivot, sizeof s->pivot);
        // the first step and the first projection need the velocity too: that of the first microsecond
        Pose soon, start;
        TRY(pose_of_solid(&start, (void*)scene, m, 0));
        TRY(pose_of_solid(&soon, (void*)scene, m, 1e-6));
        s->pose = start;
        solid_move(s, &soon, 1e-6);
        s->pose = start;
        s->shape_before = soon.shape, s->time_before = soon.time;  // only the difference between the two counts
        sim->world.solids.any_moving = sim->world.solids.any_moving || from->moving;
    }
    solids_moved(&sim->world.solids);
    return MN_OK;
}

static mn_status pose_of_sheet(Pose* pose, void* user, int mover, double t)
{
    const Scene* scene = user;
    return sheet_pose(pose, scene, sheets_moving(&scene->sheets, mover), t);
}

// Those that move start with the velocity of their first microsecond, as solids do.
static mn_status build_sheets(Sim* sim, const Scene* scene)
{
    const SceneSheets* s = &scene->sheets;
    if (s->count == 0) return MN_OK;
    sim->world.solids.sheets = &s->surface;
    int movers = 0;
    while (sheets_moving(s, movers) >= 0) movers++;
    if (movers == 0) return MN_OK;
    SheetMover* mover = calloc((size_t)movers, sizeof *mover);
    mn_status status = mover ? MN_OK : mn_fail(MN_NO_MEMORY, "out of memory: %d sheets that move", movers);
    for (int m = 0; m < movers && status == MN_OK; m++) {
        const SceneSheet* from = &s->sheet[sheets_moving(s, m)];
        Pose start, soon;
        mover[m].first = from->first_vertex, mover[m].count = from->vertices;
        sheet_pivot(mover[m].pivot, s, sheets_moving(s, m));
        status = pose_of_sheet(&start, (void*)scene, m, 0);
        if (status == MN_OK) status = pose_of_sheet(&soon, (void*)scene, m, 1e-6);
        if (status == MN_OK) sheet_mover_move(&mover[m], &start, &soon, 1e-6);
    }
    if (status == MN_OK) status = sheets_set_moving(&sim->world.solids, &s->surface, mover, movers);
    free(mover);
    return status;
}

static mn_status source_now(SourceNow* now, void* user, int source, double t)
{
    const Scene* scene = user;
    SceneSourceNow found;
    TRY(scene_source_at(&found, scene, &scene->sources[source], t));
    now->rate = found.rate;
    memcpy(now->velocity, found.velocity, sizeof now->velocity);
    memcpy(now->shift, found.position, sizeof now->shift);
    return MN_OK;
}

static mn_status build_sources(Sim* sim, const Scene* scene)
{
    if (scene->source_count == 0) return MN_OK;
    sim->model.source = calloc((size_t)scene->source_count, sizeof *sim->model.source);
    if (!sim->model.source) return mn_fail(MN_NO_MEMORY, "out of memory: %d sources", scene->source_count);
    sim->model.source_count = scene->source_count;
    for (int m = 0; m < scene->source_count; m++) {
        const SceneSource* from = &scene->sources[m];
        Source* s = &sim->model.source[m];
        *s = (Source){.distance = distance_of_shape,
                      .shape = from->shape,
                      .rate = from->rate,
                      .start = from->start,
                      .stop = from->stop,
                      .kind = scene->liquid_count + m,
                      .material = material_of(&from->material)};
        memcpy(s->name, from->name, sizeof s->name);
        memcpy(s->velocity, from->velocity, sizeof s->velocity);
        shape_bounds(s->rest_low, s->rest_high, from->shape);
        for (int d = 0; d < 3; d++) {
            s->low[d] = fmax(s->rest_low[d], 0);
            s->high[d] = fmin(s->rest_high[d], scene->size[d]);
        }
        s->varies = scene_source_varies(from) || vec_norm(from->position.constant) > 0;
    }
    return sources_set(&sim->model, 0);
}

// Window around a shape, cut to the tank; false if the shape lies outside.
static bool shape_window(Window* w, const Tank* tank, const Shape* shape)
{
    double low[3], high[3];
    shape_bounds(low, high, shape);
    int lo[3] = {0, 0, 0}, n[3] = {1, 1, 1};
    for (int d = 0; d < tank->dim; d++) {
        double a = fmax(low[d]/tank->dx, 0), b = fmin(high[d]/tank->dx, tank->n[d]);
        if (!(a < b)) return false;
        lo[d] = (int)floor(a) - liquid_margin(tank);
        n[d] = (int)ceil(b) + liquid_margin(tank) - lo[d];
    }
    *w = window_make(tank, lo, n);
    return true;
}

// u = velocity + spin x (x - centre) on every face of the window.
static void set_velocity(Liquid* q, const SceneLiquid* from, const double center[3])
{
    const Window* w = &q->w;
    for (int d = 0; d < w->dim; d++)
        for (int k = 0; k < window_node_layers(w); k++)
            for (int j = 0; j <= w->n[1]; j++)
                for (int i = 0; i <= w->n[0]; i++) {
                    double x[3], turn[3];
                    window_position(x, w, i + (d != 0)*0.5, j + (d != 1)*0.5, k + (d != 2)*0.5);
                    vec_sub(x, x, center);
                    vec_cross(turn, from->spin, x);
                    q->u[d].v[window_at(w, i, j, k)] = from->velocity[d] + turn[d];
                    if (q->phi_far.v) q->u_far[d].v[window_at(w, i, j, k)] = from->velocity[d] + turn[d];
                }
}

// The same by a function of the place, within the band: faces farther off are never read.
static mn_status set_velocity_field(Liquid* q, const Scene* scene, const SceneLiquid* from)
{
    const Window* w = &q->w;
    double band = liquid_band(q);
    for (int d = 0; d < w->dim; d++)
        for (int k = 0; k < window_node_layers(w); k++)
            for (int j = 0; j <= w->n[1]; j++)
                for (int i = 0; i <= w->n[0]; i++) {
                    double x[3], u[3];
                    if (!(q->phi.v[window_at(w, i, j, k)] < band)) continue;
                    window_position(x, w, i + (d != 0)*0.5, j + (d != 1)*0.5, k + (d != 2)*0.5);
                    TRY(scene_function_at(u, w->dim, scene, from->velocity_function, x, w->dim,
                                          w->dim == 2 ? "two finite numbers, in m/s" : "three finite numbers, in m/s"));
                    q->u[d].v[window_at(w, i, j, k)] = u[d];
                    if (q->phi_far.v) q->u_far[d].v[window_at(w, i, j, k)] = u[d];
                }
    return MN_OK;
}

// The liquid that was added last gets its mesh.
static mn_status build_membrane(Sim* sim, const Scene* scene, const SceneLiquid* from)
{
    Liquid* q = &sim->world.liquid[sim->world.liquid_count - 1];
    MembraneMesh mesh;
    if (!from->membrane.wanted) return MN_OK;
    mn_status status = membrane_from_levels(&mesh, q, &sim->model.tank, from->membrane.edge, distance_of_shape, from->shape);
    if (status == MN_BAD_MESH)
        return mn_fail_context(MN_BAD_SCENE, "%s:%d: surface = \"membrane\": no mesh can be made of this liquid: ",
                               scene_file_name(scene, from->line), source_line(from->line));
    TRY(status);
    return membrane_take_liquid(membrane_of(&sim->world), q, &mesh);
}

// Moves in where a liquid wants a mesh for its surface.
static mn_status build_membranes(Sim* sim, const Scene* scene)
{
    int wanted = 0, kinds = scene->liquid_count + scene->source_count;
    for (int i = 0; i < scene->liquid_count; i++) wanted += scene->liquids[i].membrane.wanted;
    if (wanted == 0) return MN_OK;
    MembraneKind* kind = calloc((size_t)kinds, sizeof *kind);
    TRY_MEMORY(kind);
    for (int i = 0; i < scene->liquid_count; i++) {
        const SceneMembrane* m = &scene->liquids[i].membrane;
        kind[i] = (MembraneKind){.is_membrane = m->wanted,
                                 .thickness = m->thickness,
                                 .edge = m->edge,
                                 .capillary = m->steps,
                                 .topology = m->topology == TOPOLOGY_IS_STOP ? MEMBRANE_STOPS : MEMBRANE_GOES_ON};
    }
    mn_status status = membrane_move_in(&sim->world, &sim->model.tank, kind, kinds);
    free(kind);
    return status;
}

static mn_status build_liquid(Sim* sim, const Scene* scene, const SceneLiquid* from, int kind)
{
    Window w;
    if (!shape_window(&w, &sim->model.tank, from->shape))
        return mn_fail(MN_BAD_SCENE, "%s:%d: the liquid lies outside the domain", scene_file_name(scene, from->line),
                       source_line(from->line));
    Liquid q;
    TRY(liquid_init(&q, &w));
    q.material = material_of(&from->material), q.kind = kind;
    mn_status status = liquid_set_shape(&q, &sim->scratch, distance_of_shape, from->shape);
    if (status == MN_OK) film_cut_shape(&q, &sim->world.solids, film_of(&sim->world)->settings.h_min);
    if (status == MN_OK && sim->world.solids.sheets)
        status = sheets_cut_shape(&q, &sim->scratch, sim->world.solids.sheets, &(Filling){distance_of_shape, from->shape});
    if (status == MN_OK) status = liquid_rebuild(&q, &sim->scratch, &sim->world.solids);
    if (status == MN_OK && !(q.cells.volume > 0))
        status = mn_fail(MN_BAD_SCENE,
                         "%s:%d: the liquid has no volume on the grid: it lies outside the domain, inside a solid, "
                         "or is thinner than a cell of %g m",
                         scene_file_name(scene, from->line), source_line(from->line), scene->dx);
    if (status == MN_OK) {
        LiquidState state = liquid_state(&q, &sim->scratch);
        set_velocity(&q, from, state.center);
        if (from->velocity_function) status = set_velocity_field(&q, scene, from);
    }
    if (status == MN_OK) {
        q.cells = (CutCells){0};
        q.spans = (Spans){0};
        q.phi_solid = (Field){0}, q.phi_backed = (Backed){0}, q.sheet = NULL;
        status = world_add_liquid(&sim->world, &q);
    }
    if (status != MN_OK) liquid_free(&q);
    arena_reset(&sim->scratch);
    return status == MN_OK ? build_membrane(sim, scene, from) : status;
}

// A source inside a solid that never moves can never give anything.
static mn_status check_source(Sim* sim, const Scene* scene, const SceneSource* from)
{
    Window w;
    Liquid q;
    bool moves = sim->world.solids.any_moving || from->position.function;
    if (moves || !shape_window(&w, &sim->model.tank, from->shape)) return MN_OK;
    TRY(liquid_init(&q, &w));
    mn_status status = liquid_set_shape(&q, &sim->scratch, distance_of_shape, from->shape);
    if (status == MN_OK) status = liquid_rebuild(&q, &sim->scratch, &sim->world.solids);
    if (status == MN_OK && !(q.cells.volume > 0))
        status =
            mn_fail(MN_BAD_SCENE, "%s:%d: source \"%s\" has no free room: it lies in a solid or is thinner than a cell of %g m",
                    scene_file_name(scene, from->line), source_line(from->line), from->name, scene->dx);
    liquid_free(&q);
    arena_reset(&sim->scratch);
    return status;
}

// A source on both sides of a sheet would fill neither as it says.
static mn_status check_source_side(Sim* sim, const Scene* scene, const SceneSource* from)
{
    Window w;
    SheetCut cut;
    double dx = scene->dx;
    if (!sim->world.solids.sheets || !shape_window(&w, &sim->model.tank, from->shape)) return MN_OK;
    TRY(sheetcut_build(&cut, &sim->scratch, sim->world.solids.sheets, &w, dx, dx));
    bool parted = false;
    for (int k = 0; k < window_node_layers(&w); k++)
        for (int j = 0; j <= w.n[1]; j++)
            for (int i = 0; i <= w.n[0]; i++)
                for (int d = 0; d < w.dim; d++) {
                    double a[3], b[3];
                    window_position(a, &w, i, j, k);
                    window_position(b, &w, i + (d == 0), j + (d == 1), k + (d == 2));
                    bool within = shape_distance(from->shape, a) < 0 && shape_distance(from->shape, b) < 0;
                    parted = parted || (within && sheetcut_crosses(&cut, window_at(&w, i, j, k), d));
                }
    arena_reset(&sim->scratch);
    if (!parted) return MN_OK;
    return mn_fail(MN_UNSUPPORTED, "%s:%d: source \"%s\" lies on both sides of a sheet; expected one side",
                   scene_file_name(scene, from->line), source_line(from->line), from->name);
}

static MergePolicy policy_of(const SceneMerge* m)
{
    static const MergeRule rule[] = {[SCENE_MERGE_TOUCH] = MERGE_ON_TOUCH,
                                     [SCENE_MERGE_HOLD] = MERGE_HOLD,
                                     [SCENE_MERGE_BELOW] = MERGE_BELOW,
                                     [SCENE_MERGE_VDW] = MERGE_VDW,
                                     [SCENE_MERGE_AFTER] = MERGE_AFTER};
    return (MergePolicy){rule[m->rule], m->value};
}

// Bands reach this many cells past the thickest film: distances are read there.
enum { PAST_FILM = 2 };

static mn_status build_film(Sim* sim, const Scene* scene)
{
    const SceneFilm* f = &scene->film;
    TRY(merge_table_init(&sim->model.merge, scene->liquid_count + scene->source_count, policy_of(&scene->merge)));
    for (int m = 0; m < scene->merge_pair_count; m++)
        merge_table_set(&sim->model.merge, scene->merge_pairs[m].a, scene->merge_pairs[m].b, policy_of(&scene->merge_pairs[m]));
    FilmPartner* film;
    TRY(film_move_in(&film, &sim->world));
    if (!scene_has_film(scene)) return MN_OK;
    film->settings = (FilmSettings){.mu = f->mu,
                                    .h_max = f->cells*scene->dx,
                                    .h_min = f->h_min > 0 ? f->h_min : fmax(1e-7, 2e-3*scene->dx),
                                    .mean_free_path = f->mean_free_path,
                                    .conduct = f->edge ? FILM_EDGE : FILM_SERIES,
                                    .build = f->graph ? FILM_GRAPH : FILM_RIDGE,
                                    .repeats = f->repeats};
    film->hamaker = f->hamaker;
    sim->model.tank.wider = maxi((int)ceil(f->cells) + PAST_FILM - BAND, 0);
    return MN_OK;
}

static mn_status build_all(Sim* sim, const Scene* scene)
{
    build_tank(sim, scene);
    sim->model.functions = (TimeFunctions){.acceleration = acceleration_at,
                                           .position = position_at,
                                           .pose = pose_of_solid,
                                           .sheet_pose = pose_of_sheet,
                                           .source = source_now,
                                           .sigma = scene->sigma_function ? sigma_at : NULL,
                                           .user = (void*)scene};
    TRY(build_film(sim, scene));
    TRY(build_solids(sim, scene));
    TRY(build_sheets(sim, scene));
    TRY(bodies_start(sim, scene));
    TRY(build_sources(sim, scene));
    TRY(build_membranes(sim, scene));
    for (int m = 0; m < scene->liquid_count; m++) TRY(build_liquid(sim, scene, &scene->liquids[m], m));
    for (int m = 0; m < scene->source_count; m++) {
        TRY(check_source(sim, scene, &scene->sources[m]));
        TRY(check_source_side(sim, scene, &scene->sources[m]));
    }
    return MN_OK;
}

mn_status scene_build(Sim* sim, const Scene* scene)
{
    *sim = (Sim){0};
    mn_status status = build_all(sim, scene);
    if (status != MN_OK) sim_free(sim);
    return status;
}
