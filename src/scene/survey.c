#include "scene/survey.h"

#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

double survey_duration(const Scene* scene) { return scene->frame_count/scene->frame_rate; }

// ---------------------------------------------------------------- liquids

// The wet cells of a liquid: where they lie, and how many lie behind each other along each axis.
typedef struct Wet {
    int lo[3], hi[3];  // of the tank's cells; hi is past the last
    double moment[3];  // sum of fraction times place, cells
    float* behind;     // cells in each column of the window, of the axes one after the other; owned
    size_t first[3];   // of the axis, in behind
    float most[3];     // of the axis
} Wet;

static mn_status wet_init(Wet* wet, const Window* w)
{
    size_t room = 0;
    *wet = (Wet){.lo = {INT32_MAX, INT32_MAX, INT32_MAX}};
    for (int d = 0; d < 3; d++) {
        wet->first[d] = room;
        room += (size_t)w->n[(d + 1)%3]*(size_t)w->n[(d + 2)%3];
    }
    wet->behind = calloc(room, sizeof *wet->behind);
    return wet->behind ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory to look at the liquids");
}

static void wet_add(Wet* wet, const Window* w, const int cell[3], double fraction)
{
    for (int d = 0; d < w->dim; d++) {
        int a = (d + 1)%3, b = (d + 2)%3, at = w->lo[d] + cell[d];
        float* column = &wet->behind[wet->first[d] + (size_t)cell[b]*(size_t)w->n[a] + (size_t)cell[a]];
        *column += (float)fraction;
        wet->most[d] = fmaxf(wet->most[d], *column);
        wet->lo[d] = mini(wet->lo[d], at), wet->hi[d] = maxi(wet->hi[d], at + 1);
        wet->moment[d] += fraction*(at + 0.5);
    }
}

static void wet_collect(Wet* wet, const Liquid* q)
{
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, m) {
            int cell[3] = {0, r%s->rows_y, r/s->rows_y};
            if (cell[1] >= q->w.n[1] || cell[2] >= q->w.n[2]) continue;
            for (cell[0] = s->span[m].i0; cell[0] < mini(s->span[m].i1, q->w.n[0]); cell[0]++) {
                double fraction = cutcells_fraction(&q->cells, window_at(&q->w, cell[0], cell[1], cell[2]));
                if (fraction > 1e-6) wet_add(wet, &q->w, cell, fraction);
            }
        }
}

static mn_status survey_liquid(LiquidSurvey* out, const Scene* scene, const Liquid* q)
{
    Wet wet;
    TRY(wet_init(&wet, &q->w));
    wet_collect(&wet, q);
    double cells = q->cells.volume/window_cell_volume(&q->w), dx = scene->dx;
    *out = (LiquidSurvey){.images = 1, .across = INFINITY};
    for (int d = 0; d < scene->dim; d++) {
        bool below = scene->side[2*d] == SIDE_MIRROR && wet.lo[d] <= 0;
        bool above = scene->side[2*d + 1] == SIDE_MIRROR && wet.hi[d] >= scene->cells[d];
        out->low[d] = wet.lo[d]*dx, out->high[d] = wet.hi[d]*dx;
        out->center[d] = below ? 0 : above ? scene->size[d] : wet.moment[d]/cells*dx;
        double width = out->high[d] - out->low[d];
        if (below) out->low[d] -= width;
        else if (above) out->high[d] += width;
        if (below || above) out->images *= 2;
        out->across = fmin(out->across, (below || above ? 2 : 1)*(double)wet.most[d]*dx);
    }
    free(wet.behind);
    out->volume = out->images*q->cells.volume;
    out->radius = scene->dim == 3 ? cbrt(3*out->volume/(4*PI)) : sqrt(out->volume/PI);
    return MN_OK;
}

// ---------------------------------------------------------------- sources

// Area of the section of a source at `middle` square to `axis[0]`, within the box: points of a lattice along axis[1] and axis[2]
// count by how much of their square lies inside, told by the distance. `reach` is half the lattice.
static double section(const Scene* scene, const Shape* shape, const double middle[3], double axis[3][3], double reach)
{
    enum { LATTICE = 96 };
    double sum = 0, h = 2*reach/LATTICE;
    int rows = scene->dim == 3 ? LATTICE : 1;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < LATTICE; i++) {
            double a = (i + 0.5)*h - reach, b = scene->dim == 3 ? (j + 0.5)*h - reach : 0, x[3];
            bool inside = true;
            for (int d = 0; d < scene->dim; d++) {
                x[d] = middle[d] + a*axis[1][d] + b*axis[2][d];
                inside = inside && x[d] >= 0 && x[d] <= scene->size[d];
            }
            x[2] = scene->dim == 3 ? x[2] : 0;
            if (inside) sum += clamp(0.5 - shape_distance(shape, x)/h, 0, 1);
        }
    return scene->dim == 3 ? sum*h*h : sum*h;
}

void survey_axes(double axis[3][3], int dim)
{
    int least = 0;
    for (int d = 1; d < 3; d++)
        if (fabs(axis[0][d]) < fabs(axis[0][least])) least = d;
    if (dim == 2) least = 2;
    vec_cross(axis[1], axis[0], (double[3]){least == 0, least == 1, least == 2});
    double norm = vec_norm(axis[1]);
    for (int d = 0; d < 3; d++) axis[1][d] /= norm;
    vec_cross(axis[2], axis[0], axis[1]);
}

void survey_source(SourceSurvey* out, const Scene* scene, const SceneSource* source)
{
    enum { SECTIONS = 16 };
    *out = (SourceSurvey){.speed = vec_norm(source->velocity)};
    shape_bounds(out->low, out->high, source->shape);
    double center[3] = {0, 0, 0}, diagonal[3] = {0, 0, 0}, axis[3][3];
    for (int d = 0; d < scene->dim; d++) {
        out->low[d] = fmax(out->low[d], 0), out->high[d] = fmin(out->high[d], scene->size[d]);
        center[d] = (out->low[d] + out->high[d])/2, diagonal[d] = out->high[d] - out->low[d];
    }
    if (!(out->speed > 0)) return;
    for (int d = 0; d < 3; d++) axis[0][d] = source->velocity[d]/out->speed;
    survey_axes(axis, scene->dim);
    double reach = 0.5*vec_norm(diagonal), length = 0;
    for (int d = 0; d < scene->dim; d++) length += fabs(axis[0][d])*diagonal[d];
    for (int m = 0; m < SECTIONS; m++) {
        double along = ((m + 0.5)/SECTIONS - 0.5)*length, middle[3];
        for (int d = 0; d < 3; d++) middle[d] = center[d] + along*axis[0][d];
        out->opening = fmax(out->opening, section(scene, source->shape, middle, axis, reach));
    }
    out->across = scene->dim == 3 ? sqrt(4*out->opening/PI) : out->opening;
}

// ---------------------------------------------------------------- all of it

mn_status survey_make(Survey* out, const Scene* scene, const Sim* sim)
{
    *out = (Survey){.scene = scene, .sim = sim};
    out->liquids = calloc((size_t)scene->liquid_count + 1, sizeof *out->liquids);
    out->solids = calloc((size_t)scene->solid_count + 1, sizeof *out->solids);
    out->bodies = calloc((size_t)scene->body_count + 1, sizeof *out->bodies);
    out->sources = calloc((size_t)scene->source_count + 1, sizeof *out->sources);
    if (!out->liquids || !out->solids || !out->bodies || !out->sources) {
        survey_free(out);
        return mn_fail(MN_NO_MEMORY, "no memory to look through %s", scene->path);
    }
    mn_status status = MN_OK;
    for (int m = 0; m < scene->liquid_count && status == MN_OK; m++)
        status = survey_liquid(&out->liquids[m], scene, &sim->world.liquid[m]);
    if (status != MN_OK) {
        survey_free(out);
        return status;
    }
    for (int m = 0; m < scene->solid_count; m++) survey_solid(&out->solids[m], scene, &scene->solids[m]);
    for (int m = 0; m < scene->body_count; m++) {
        survey_body(&out->bodies[m], scene, &scene->bodies[m]);
        out->solids[scene->bodies[m].solid].fastest = vec_norm(scene->bodies[m].velocity);  // at the start
    }
    for (int m = 0; m < scene->source_count; m++) survey_source(&out->sources[m], scene, &scene->sources[m]);
    return MN_OK;
}

void survey_free(Survey* survey)
{
    free(survey->liquids);
    free(survey->solids);
    free(survey->bodies);
    free(survey->sources);
    *survey = (Survey){0};
}
