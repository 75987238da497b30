// Does a body float or sink, and can surface tension carry it?
#include <math.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "scene/survey.h"

enum { LEVELS = 48, LATTICE = 128 };

// A level cut through a shape: points middle + a axis[1] + b axis[2], |a|, |b| <= reach.
typedef struct LevelCut {
    const Shape* shape;
    double middle[3], axis[3][3], reach;
} LevelCut;

static double distance_at(const LevelCut* c, double a, double b)
{
    double x[3];
    for (int d = 0; d < 3; d++) x[d] = c->middle[d] + a*c->axis[1][d] + b*c->axis[2][d];
    return shape_distance(c->shape, x);
}

// Length of its edge, m.
static double edge_length(const LevelCut* c)
{
    double h = 2*c->reach/LATTICE, length = 0, row[2][LATTICE + 1];
    for (int j = 0; j <= LATTICE; j++) {
        for (int i = 0; i <= LATTICE; i++) row[j & 1][i] = cut_snap(distance_at(c, i*h - c->reach, j*h - c->reach)/h);
        for (int i = 0; i < LATTICE && j > 0; i++) {
            const double *low = row[(j - 1) & 1], *high = row[j & 1];
            double phi[4] = {low[i], low[i + 1], high[i], high[i + 1]};
            CellCut cut;
            cut_cell_2d(&cut, phi, NULL);
            length += cut.patch_area*h;
        }
    }
    return length;
}

// In 2D: its ends, each a metre of edge per metre of depth.
static double ends(const LevelCut* c)
{
    int count = 0;
    double h = 2*c->reach/(LATTICE*LATTICE);
    bool inside = false;
    for (int i = 0; i <= LATTICE*LATTICE; i++) {
        bool now = distance_at(c, i*h - c->reach, 0) < 0;
        count += now != inside;
        inside = now;
    }
    return count;
}

// The longest edge of any cut across gravity.
static double longest_edge(const Scene* scene, const SceneSolid* solid)
{
    double low[3], high[3], half[3] = {0, 0, 0}, center[3] = {0, 0, 0}, g = vec_norm(scene->gravity), length = 0, longest = 0;
    LevelCut cut = {.shape = solid->shape};
    shape_bounds(low, high, solid->shape);
    for (int d = 0; d < scene->dim; d++) {
        center[d] = 0.5*(low[d] + high[d]), half[d] = 0.5*(high[d] - low[d]);
        cut.axis[0][d] = scene->gravity[d]/g;
        length += 2*fabs(cut.axis[0][d])*half[d];
    }
    survey_axes(cut.axis, scene->dim);
    cut.reach = 1.01*vec_norm(half);
    for (int m = 0; m < LEVELS; m++) {
        double along = ((m + 0.5)/LEVELS - 0.5)*length;
        for (int d = 0; d < 3; d++) cut.middle[d] = center[d] + along*cut.axis[0][d];
        longest = fmax(longest, scene->dim == 3 ? edge_length(&cut) : ends(&cut));
    }
    return longest;
}

static Flotation in_liquid(const Scene* scene, const SceneBody* body, const Material* liquid, double edge)
{
    double g = vec_norm(scene->gravity);
    return (Flotation){.liquid = liquid,
                       .under = body->density/liquid->rho,
                       .weight = g*(body->mass - liquid->rho*body->volume),
                       .tension = liquid->sigma*edge};
}

void survey_body(BodySurvey* out, const Scene* scene, const SceneBody* body)
{
    const Material *lightest = NULL, *heaviest = NULL;
    *out = (BodySurvey){0};
    for (int m = 0; m < scene->liquid_count + scene->source_count; m++) {
        bool source = m >= scene->liquid_count;
        const Material* q = source ? &scene->sources[m - scene->liquid_count].material : &scene->liquids[m].material;
        if (!lightest || q->rho < lightest->rho) lightest = q;
        if (!heaviest || q->rho > heaviest->rho) heaviest = q;
    }
    if (!(vec_norm(scene->gravity) > 0)) return;
    bool sinks = body->density > lightest->rho;
    out->edge = sinks ? longest_edge(scene, &scene->solids[body->solid]) : 0;
    out->in[out->liquids++] = in_liquid(scene, body, lightest, out->edge);
    if (heaviest->rho > lightest->rho) out->in[out->liquids++] = in_liquid(scene, body, heaviest, out->edge);
}
