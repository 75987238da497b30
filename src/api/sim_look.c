// The public interface: what is borrowed of a simulation (fields, layers, numbers), holds, probes.
#include <math.h>
#include <stdlib.h>
#include "api/sim_private.h"
#include "output/frame.h"
#include "output/probes.h"
#include "output/table.h"

// ---- moments ---------------------------------------------------------------------------------------------------------------

struct mn_hold {
    Moment* moment;
};

static mn_status present(Moment** moment, mn_sim* s)
{
    if (!s->moment) s->moment = moment_new();
    TRY_MEMORY(s->moment);
    *moment = s->moment;
    return MN_OK;
}

mn_status mn_sim_hold(mn_sim* sim, mn_hold** hold)
{
    Moment* moment = NULL;
    NEED(sim, "mn_sim_hold");
    NEED(hold, "mn_sim_hold");
    TRY(present(&moment, sim));
    mn_hold* h = malloc(sizeof *h);
    if (!h) return mn_fail(MN_NO_MEMORY, "out of memory: a hold");
    atomic_fetch_add(&moment->users, 1);
    h->moment = moment;
    *hold = h;
    return MN_OK;
}

void mn_release(mn_hold* hold)
{
    if (!hold) return;
    moment_release(hold->moment);
    free(hold);
}

// ---- fields ----------------------------------------------------------------------------------------------------------------

// Where values lie within their cells, in half cells: corners, faces across x, y, z, centres.
typedef struct Site {
    int half[3];
} Site;

static const Site sites[] = {[MN_DISTANCE] = {{0, 0, 0}},
                             [MN_VELOCITY_X] = {{0, 1, 1}},
                             [MN_VELOCITY_Y] = {{1, 0, 1}},
                             [MN_VELOCITY_Z] = {{1, 1, 0}},
                             [MN_PRESSURE] = {{1, 1, 1}}};

static Field* field_of(Liquid* q, mn_quantity what)
{
    if (what == MN_DISTANCE) return &q->phi;
    return what == MN_PRESSURE ? &q->p : &q->u[what - MN_VELOCITY_X];
}

mn_status mn_sim_field(mn_sim* sim, int m, mn_quantity what, mn_field* field)
{
    static const char call[] = "mn_sim_field";
    Moment* moment = NULL;
    NEED(sim, call);
    NEED(field, call);
    World* world = &sim->sim.world;
    int dim = sim->sim.model.tank.dim, number = (int)what;
    if (m < 0 || m >= world->liquid_count)
        return mn_fail(MN_BAD_ARGUMENT, "%s: there are %d liquids, asked for number %d", call, world->liquid_count, m);
    if (number < MN_DISTANCE || number > MN_PRESSURE || (dim == 2 && what == MN_VELOCITY_Z))
        return mn_fail(MN_BAD_ARGUMENT, "%s: there is no quantity %d in %dD", call, number, dim);
    TRY(present(&moment, sim));
    Liquid* q = &world->liquid[m];
    Field* f = field_of(q, what);
    TRY(moment_lend(moment, f, q->w.count));
    *field = (mn_field){.data = f->v, .size = {1, 1, 1}, .stride = {1, q->w.sy, q->w.sz}, .spacing = q->w.dx};
    for (int d = 0; d < dim; d++) {
        int half = sites[what].half[d];
        field->size[d] = q->w.n[d] + 1 - half;
        field->origin[d] = (q->w.lo[d] + 0.5*half)*q->w.dx;
    }
    return MN_OK;
}

// ---- layers ----------------------------------------------------------------------------------------------------------------

static mn_status show(Moment** moment, mn_sim* s)
{
    TRY(present(moment, s));
    Moment* m = *moment;
    if (m->has_layers) return MN_OK;
    mn_status status = frame_show(&m->layers, &s->scene, &s->sim, true);
    if (status != MN_OK) layers_free(&m->layers);
    m->has_layers = status == MN_OK;
    return status;
}

mn_status mn_sim_layers(mn_sim* sim, int* count)
{
    Moment* moment = NULL;
    NEED(sim, "mn_sim_layers");
    NEED(count, "mn_sim_layers");
    TRY(show(&moment, sim));
    *count = moment->layers.count;
    return MN_OK;
}

static mn_status layer_number(Layer** layer, mn_sim* s, int n, const char* call)
{
    Moment* moment = NULL;
    TRY(show(&moment, s));
    if (n < 0 || n >= moment->layers.count)
        return mn_fail(MN_BAD_ARGUMENT, "%s: there are %d layers, asked for number %d", call, moment->layers.count, n);
    *layer = moment->layers.layer[n];
    return MN_OK;
}

mn_status mn_sim_layer(mn_sim* sim, int n, mn_layer* layer)
{
    static const char call[] = "mn_sim_layer";
    Layer* from = NULL;
    NEED(sim, call);
    NEED(layer, call);
    TRY(layer_number(&from, sim, n, call));
    *layer = (mn_layer){.name = from->name,
                        .corners = (int)from->kind,
                        .points = from->points,
                        .elements = from->elements,
                        .position = from->position,
                        .element = from->kind == LAYER_POINTS ? NULL : from->element,
                        .attributes = from->attributes};
    return MN_OK;
}

mn_status mn_sim_attribute(mn_sim* sim, int n, int a, mn_attribute* attribute)
{
    static const char call[] = "mn_sim_attribute";
    Layer* layer = NULL;
    NEED(sim, call);
    NEED(attribute, call);
    TRY(layer_number(&layer, sim, n, call));
    if (a < 0 || a >= layer->attributes)
        return mn_fail(MN_BAD_ARGUMENT, "%s: layer \"%s\" has %d attributes, asked for number %d", call, layer->name,
                       layer->attributes, a);
    const Attribute* from = &layer->attribute[a];
    *attribute = (mn_attribute){.name = from->name,
                                .lanes = attribute_lanes(from->type),
                                .on_elements = from->site == ON_ELEMENTS,
                                .real = from->real,
                                .whole = from->whole};
    return MN_OK;
}

// ---- numbers ---------------------------------------------------------------------------------------------------------------

static mn_status fill_numbers(Moment* m, Sim* sim)
{
    Arena arena = {0};
    TableSums sums = table_sums(sim, &arena, 0);
    arena_free(&arena);
    table_columns(&m->columns, sim, &sums);
    size_t room = (size_t)m->columns.count + 1;
    if (!m->names) m->names = calloc(room, sizeof *m->names);
    if (!m->values) m->values = calloc(room, sizeof *m->values);
    if (m->columns.failed || !m->names || !m->values) return mn_fail(MN_NO_MEMORY, "out of memory: the numbers of a step");
    for (int n = 0; n < m->columns.count; n++) {
        const Column* c = &m->columns.column[n];
        if (c->form == COLUMN_TEXT) continue;
        m->names[m->numbers] = c->name;
        m->values[m->numbers++] = c->form == COLUMN_WHOLE ? (double)c->whole : c->real;
    }
    m->has_numbers = true;
    return MN_OK;
}

mn_status mn_sim_numbers(mn_sim* sim, int* count, const char* const** names, const double** values)
{
    static const char call[] = "mn_sim_numbers";
    Moment* moment = NULL;
    NEED(sim, call);
    NEED(count, call);
    NEED(names, call);
    NEED(values, call);
    TRY(present(&moment, sim));
    if (!moment->has_numbers) TRY(fill_numbers(moment, &sim->sim));
    *count = moment->numbers, *names = moment->names, *values = moment->values;
    return MN_OK;
}

// ---- probes ----------------------------------------------------------------------------------------------------------------

static void measure(double* value, const Sim* sim, mn_probe_kind what, const double place[3])
{
    if (what == MN_PROBE_VELOCITY) probe_velocity(value, sim, place);
    else *value = what == MN_PROBE_HEIGHT ? probe_height(sim, place) : probe_pressure(sim, place);
}

mn_status mn_sim_measure(mn_sim* sim, mn_probe_kind what, size_t count, const double (*points)[3], double* values)
{
    static const char call[] = "mn_sim_measure";
    int number = (int)what;
    NEED(sim, call);
    if (count == 0) return MN_OK;
    NEED(points, call);
    NEED(values, call);
    if (number < MN_PROBE_PRESSURE || number > MN_PROBE_HEIGHT)
        return mn_fail(MN_BAD_ARGUMENT, "%s: there is no probe of kind %d", call, number);
    size_t each = what == MN_PROBE_VELOCITY ? 3 : 1;
    for (size_t m = 0; m < count; m++)
        if (!numbers_are_finite(points[m], 3)) return mn_fail(MN_BAD_ARGUMENT, "%s: point %zu is not a finite place", call, m);
    for (size_t m = 0; m < count; m++) measure(values + each*m, &sim->sim, what, points[m]);
    return MN_OK;
}

int mn_sim_probes(const mn_sim* s) { return s ? s->scene.probe_count : 0; }

mn_status mn_sim_probe(mn_sim* sim, int n, mn_probe* probe)
{
    static const mn_probe_kind kind[] = {
        [PROBE_PRESSURE] = MN_PROBE_PRESSURE, [PROBE_VELOCITY] = MN_PROBE_VELOCITY, [PROBE_HEIGHT] = MN_PROBE_HEIGHT};
    static const char call[] = "mn_sim_probe";
    NEED(sim, call);
    NEED(probe, call);
    if (n < 0 || n >= sim->scene.probe_count)
        return mn_fail(MN_BAD_ARGUMENT, "%s: there are %d probes, asked for number %d", call, sim->scene.probe_count, n);
    const SceneProbe* from = &sim->scene.probes[n];
    *probe = (mn_probe){.name = from->name, .kind = kind[from->kind]};
    for (int d = 0; d < 3; d++) probe->place[d] = from->at[d];
    measure(probe->value, &sim->sim, probe->kind, from->at);
    return MN_OK;
}
