#include "scene/read_membrane.h"

#include <math.h>
#include <stdio.h>

const char* const surface_names[] = {"levelset", "membrane", NULL};
const char* const topology_names[] = {"levelset", "stop", NULL};

// Cells: below, the membrane's mass is lost in that of a cell; above, it is all that moves [ruan2021, Fig. 9].
static const double THINNEST = 0.01, THICKEST = 10;
static const double SHORTEST_EDGE = 0.25, LONGEST_EDGE = 1.5;
static const double FEWEST_STEPS = 0.1, MOST_STEPS = 20;

static mn_status read_range(double* out, const Node* n, const char* key, double least, double most, double unit, const char* what)
{
    TRY(node_number(out, n, key, POSITIVE, what, OPTIONAL));
    if (*out >= least*unit*(1 - 1e-9) && *out <= most*unit*(1 + 1e-9)) return MN_OK;
    return node_fail(n, key, "expected a %s from %g to %g, got %g", what, least*unit, most*unit, *out);
}

static mn_status read_settings(SceneMembrane* m, const Node* n, double dx)
{
    static const char* const keys[] = {"thickness", "edge", "steps", "topology", NULL};
    int topology = m->topology;
    TRY(node_check_keys(n, keys, NULL, false));
    TRY(read_range(&m->thickness, n, "thickness", THINNEST, THICKEST, dx, "length in metres"));
    TRY(read_range(&m->edge, n, "edge", SHORTEST_EDGE, LONGEST_EDGE, dx, "length in metres"));
    TRY(read_range(&m->steps, n, "steps", FEWEST_STEPS, MOST_STEPS, 1, "number of capillary times"));
    TRY(node_choice(&topology, n, "topology", topology_names));
    m->topology = (SceneTopology)topology;
    return MN_OK;
}

mn_status membrane_read(SceneMembrane* m, const Node* liquid)
{
    Node n;
    bool present;
    int surface = 0;
    double dx = liquid->reader->scene->dx;
    *m = (SceneMembrane){.thickness = 0.05*dx, .edge = 0.6*dx, .steps = 2, .topology = TOPOLOGY_IS_LEVELSET};
    TRY(node_choice(&surface, liquid, "surface", surface_names));
    m->wanted = surface == SURFACE_IS_MEMBRANE;
    TRY(node_open(&n, &present, liquid, "membrane", "a table, { thickness = ..., edge = ... }"));
    if (!present) return MN_OK;
    if (!m->wanted) return node_fail(liquid, "membrane", "means something only with surface = \"membrane\"");
    TRY(read_settings(m, &n, dx));
    node_close(&n);
    return MN_OK;
}

// ---- company ----------------------------------------------------------------------------------------------------------------

static bool is_right_angle(double angle) { return angle < 0 || fabs(angle - 0.5*3.14159265358979323846) < 1e-6; }

static mn_status check_walls(const Scene* s, const Node* n)
{
    for (int side = 0; side < 2*s->dim; side++)
        if (s->side[side] == SIDE_OPEN)
            return node_fail_as(MN_UNSUPPORTED, n, "domain.sides",
                                "open sides cannot be combined with surface = \"membrane\" yet");
    if (!is_right_angle(s->wall_angle.advancing) || !is_right_angle(s->wall_angle.receding))
        return node_fail_as(MN_UNSUPPORTED, n, "domain.contact_angle",
                            "surface = \"membrane\" meets walls at 90 degrees; others are not there yet");
    return MN_OK;
}

static mn_status check_merging(const Scene* s, const Node* n)
{
    bool holds = s->merge.rule != SCENE_MERGE_TOUCH;
    for (int m = 0; m < s->merge_pair_count; m++) holds = holds || s->merge_pairs[m].rule != SCENE_MERGE_TOUCH;
    if (!holds) return MN_OK;
    return node_fail_as(MN_UNSUPPORTED, n, "merge",
                        "air films cannot be combined with surface = \"membrane\" yet; expected \"touch\"");
}

bool scene_has_membrane(const Scene* s)
{
    for (int i = 0; i < s->liquid_count; i++)
        if (s->liquids[i].membrane.wanted) return true;
    return false;
}

// Solids and bodies lie on the surface of one membrane liquid and are not wetted.
static mn_status check_bodies(const Scene* s, const Node* n)
{
    int count[2] = {0, 0};
    if (s->solid_count == 0) return MN_OK;
    if (s->liquid_count != 1)
        return node_fail_as(MN_UNSUPPORTED, n, "liquids",
                            "beside solids and bodies a liquid with surface = \"membrane\" must be the only one yet");
    for (int k = 0; k < s->solid_count; k++) {
        const SceneSolid* solid = &s->solids[k];
        int number = ++count[solid->is_body];
        char key[60];
        snprintf(key, sizeof key, "%s[%d].contact_angle", solid->is_body ? "bodies" : "solids", number);
        if (fmin(solid->contact_angle.advancing, solid->contact_angle.receding) < 3.14159)
            return node_fail_as(MN_UNSUPPORTED, n, key,
                                "surface = \"membrane\" carries what it does not wet; expected contact_angle = 180 degrees");
    }
    return MN_OK;
}

mn_status membranes_check_company(const Scene* s, const Node* n)
{
    int first = -1;
    for (int i = s->liquid_count - 1; i >= 0; i--)
        if (s->liquids[i].membrane.wanted) first = i;
    if (first < 0) return MN_OK;
    const struct {
        const char* key;
        int count;
    } others[] = {{"sheets", s->sheets.count}, {"sources", s->source_count}};
    for (int m = 0; m < 2; m++)
        if (others[m].count > 0)
            return node_fail_as(MN_UNSUPPORTED, n, others[m].key,
                                "cannot be combined with surface = \"membrane\" (liquids[%d]) yet", first + 1);
    TRY(check_bodies(s, n));
    TRY(check_walls(s, n));
    TRY(check_merging(s, n));
    for (int i = 0; i < s->liquid_count; i++) {
        const Material* m = &s->liquids[i].material;
        char key[60];
        snprintf(key, sizeof key, "liquids[%d].material", i + 1);
        if (s->liquids[i].membrane.wanted && !is_right_angle(m->contact_angle))
            return node_fail_as(MN_UNSUPPORTED, n, key, "surface = \"membrane\" meets walls at 90 degrees; contact_angle is %g",
                                m->contact_angle);
        if (s->liquids[i].membrane.wanted && m->sigma_varies)
            return node_fail_as(MN_UNSUPPORTED, n, key, "sigma cannot be a function with surface = \"membrane\" yet");
    }
    return MN_OK;
}
