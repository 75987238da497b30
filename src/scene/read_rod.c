#include "scene/read_rod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/read_scene.h"

// Pieces are at most this many cells long, so that no liquid slips between two vertices; half of that, and what a surface pulls
// at a thread with is summed to 0.2 %. And cells of radius from which on a rod is a solid.
static const double LONGEST_PIECE = 1, USUAL_PIECE = 0.5, THICKEST = 0.5;

static const char* const common[] = {"name",    "radius",        "density",  "young",    "taut",     "piece", "held",
                                     "damping", "contact_angle", "friction", "velocity", "position", "look",  NULL};

void scene_rods_free(Scene* s)
{
    for (int m = 0; m < s->rod_count; m++) free(s->rods[m].point);
    free(s->rods);
    s->rods = NULL, s->rod_count = 0;
}

// ---- what rods and webs have in common --------------------------------------------------------------------------------------

static mn_status read_damping(SceneRod* r, const Node* n)
{
    static const char* const keys[] = {"mass", "stiffness", NULL};
    Node damping;
    bool present;
    TRY(node_open(&damping, &present, n, "damping", "{ mass = rate in 1/s, stiffness = time in seconds }"));
    if (!present) return MN_OK;
    TRY(node_check_keys(&damping, keys, NULL, false));
    TRY(node_number(&r->damp_mass, &damping, "mass", NOT_NEGATIVE, "rate in 1/s", OPTIONAL));
    TRY(node_number(&r->damp_stiffness, &damping, "stiffness", NOT_NEGATIVE, "time in seconds", OPTIONAL));
    node_close(&damping);
    return MN_OK;
}

static mn_status read_material(SceneRod* r, const Node* n)
{
    const Scene* s = n->reader->scene;
    TRY(node_number(&r->radius, n, "radius", POSITIVE, "radius of the rod in metres", REQUIRED));
    if (r->radius > THICKEST*s->dx)
        return node_fail(n, "radius", "expected at most half a cell, %g m, got %g: thicker rods are solids, capsule { ... }",
                         THICKEST*s->dx, r->radius);
    TRY(node_number(&r->density, n, "density", POSITIVE, "density in kg/m^3", REQUIRED));
    TRY(node_number(&r->young, n, "young", POSITIVE, "Young's modulus in Pa", REQUIRED));
    TRY(node_number(&r->taut, n, "taut", NOT_NEGATIVE, "strain that it is under", OPTIONAL));
    r->piece = USUAL_PIECE*s->dx;
    TRY(node_number(&r->piece, n, "piece", POSITIVE, "length of a piece in metres", OPTIONAL));
    if (r->piece > LONGEST_PIECE*s->dx*(1 + 1e-9))
        return node_fail(n, "piece", "expected at most a cell, %g m, got %g: liquid would slip between its vertices", s->dx,
                         r->piece);
    r->contact_angle = -1;
    TRY(node_number(&r->contact_angle, n, "contact_angle", NOT_NEGATIVE, "angle in radians, or degrees(...)", OPTIONAL));
    if (r->contact_angle > PI) return node_fail(n, "contact_angle", "expected at most %g, got %g", PI, r->contact_angle);
    return node_number(&r->friction, n, "friction", NOT_NEGATIVE, "coefficient of friction", OPTIONAL);
}

static mn_status read_common(SceneRod* r, const Node* n)
{
    Scene* s = n->reader->scene;
    r->line = n->line, r->look = -1;
    TRY(node_name(r->name, n, "name"));
    for (const SceneRod* other = s->rods; other < r; other++)
        if (strcmp(r->name, other->name) == 0) return node_fail(n, "name", "two rods or webs are called \"%s\"", r->name);
    TRY(read_material(r, n));
    TRY(read_damping(r, n));
    if (r > s->rods && (r->damp_mass != s->rods->damp_mass || r->damp_stiffness != s->rods->damp_stiffness))
        return node_fail_as(MN_UNSUPPORTED, n, "damping", "all rods and webs must have the same; \"%s\" has another",
                            s->rods->name);
    TRY(node_vector(r->velocity, n, "velocity", "velocity in m/s", OPTIONAL));
    TRY(time_vector_read(&r->position, n, "position", "function of time that gives a place in metres", false));
    if (node_has(n, "position") && !r->position.function)
        return node_fail(n, "position", "expected a function of time, of what holds it; write where it is in its points");
    if (r->position.function && !r->held) return node_fail(n, "position", "nothing is held that could go there");
    return node_choice(&r->look, n, "look", scene_solid_looks);
}

static mn_status check_in_box(const Node* n, const char* key, const double x[3])
{
    const Scene* s = n->reader->scene;
    for (int d = 0; d < 3; d++)
        if (!(x[d] > 0 && x[d] < s->size[d]))
            return node_fail(n, key, "expected a place within the box, 0 to %g along %c, got %g", s->size[d], 'x' + d, x[d]);
    return MN_OK;
}

// ---- rods --------------------------------------------------------------------------------------------------------------------

static mn_status read_ends(SceneRod* r, const Node* n)
{
    if (!node_has(n, "from") || !node_has(n, "to")) return node_fail(n, NULL, "expected points = { ... }, or from and to");
    r->point = calloc(2, sizeof *r->point);
    if (!r->point) return mn_fail(MN_NO_MEMORY, "no memory to read %s", n->reader->scene->path);
    r->points = 2;
    TRY(node_vector(r->point[0], n, "from", "point in metres", REQUIRED));
    return node_vector(r->point[1], n, "to", "point in metres", REQUIRED);
}

static mn_status read_points(SceneRod* r, const Node* n)
{
    Node list;
    bool present;
    TRY(node_open(&list, &present, n, "points", "a list of points, { { x, y, z }, { x, y, z }, ... }"));
    if (!present) return read_ends(r, n);
    if (node_has(n, "from") || node_has(n, "to")) return node_fail(n, "points", "expected these, or from and to, not both");
    TRY(node_check_keys(&list, NULL, NULL, true));
    TRY(node_count(&r->points, &list, MAX_LIST));
    if (r->points < 2) return node_fail(n, "points", "expected two points at least, got %d", r->points);
    r->point = calloc((size_t)r->points, sizeof *r->point);
    if (!r->point) return mn_fail(MN_NO_MEMORY, "no memory to read %s", n->reader->scene->path);
    for (int i = 0; i < r->points; i++) TRY(node_vector_entry(r->point[i], &list, i + 1, "point in metres"));
    node_close(&list);
    return MN_OK;
}

static mn_status check_points(const SceneRod* r, const Node* n)
{
    for (int i = 0; i < r->points; i++) {
        char key[40];
        snprintf(key, sizeof key, "points[%d]", i + 1);
        TRY(check_in_box(n, key, r->point[i]));
        double e[3];
        if (i == 0) continue;
        vec_sub(e, r->point[i], r->point[i - 1]);
        if (!(vec_norm(e) > 1e-3*r->piece)) return node_fail_as(MN_BAD_MESH, n, key, "in one place with the point before it");
    }
    return MN_OK;
}

static mn_status read_rod(SceneRod* r, const Node* n, int i)
{
    static const char* const keys[] = {"points", "from", "to", "clamped", NULL};
    static const char* const held[] = {"none", "from", "to", "both", NULL};
    int which = 0;
    snprintf(r->name, sizeof r->name, "rod%d", i + 1);
    TRY(node_check_keys(n, keys, common, false));
    TRY(node_choice(&which, n, "held", held));
    r->held = (unsigned)which;
    TRY(read_common(r, n));
    TRY(node_flag(&r->clamped, n, "clamped"));
    if (r->clamped && !r->held) return node_fail(n, "clamped", "neither end is held");
    TRY(read_points(r, n));
    return check_points(r, n);
}

// ---- webs --------------------------------------------------------------------------------------------------------------------

static mn_status read_web(SceneRod* r, const Node* n, int i)
{
    static const char* const keys[] = {"center", "normal", "size", "hole", "spokes", "turns", "turned", NULL};
    static const char* const held[] = {"none", "rim", NULL};
    int which = 1;
    *r = (SceneRod){.is_web = true, .normal = {0, 0, 1}, .spokes = 16, .turns = 8};
    snprintf(r->name, sizeof r->name, "web%d", i + 1);
    TRY(node_check_keys(n, keys, common, false));
    TRY(node_choice(&which, n, "held", held));
    r->held = which ? ROD_HELD_TO : 0;
    TRY(read_common(r, n));
    TRY(node_vector(r->center, n, "center", "point in metres", REQUIRED));
    TRY(node_vector(r->normal, n, "normal", "direction", OPTIONAL));
    double norm = vec_norm(r->normal);
    if (!(norm > 0)) return node_fail(n, "normal", "expected a direction, got a vector of length 0");
    for (int d = 0; d < 3; d++) r->normal[d] /= norm;
    TRY(node_number(&r->size, n, "size", POSITIVE, "radius of the web in metres", REQUIRED));
    r->hole = 0.2*r->size;
    TRY(node_number(&r->hole, n, "hole", POSITIVE, "radius in metres", OPTIONAL));
    if (!(r->hole < 0.8*r->size))
        return node_fail(n, "hole", "expected less than 0.8 of the size, %g, got %g", 0.8*r->size, r->hole);
    TRY(node_integer(&r->spokes, n, "spokes", 3, 200, "number of threads from the hub", OPTIONAL));
    TRY(node_integer(&r->turns, n, "turns", 0, 200, "number of turns of the spiral", OPTIONAL));
    TRY(node_number(&r->turned, n, "turned", ANY, "angle in radians, or degrees(...)", OPTIONAL));
    if (r->turns > 0 && (0.9*r->size - r->hole)/r->turns < 4*r->radius)
        return node_fail(n, "turns", "%d turns lie closer than four radii of the thread", r->turns);
    for (int d = 0; d < 3; d++) {
        double reach = r->size*sqrt(fmax(1 - r->normal[d]*r->normal[d], 0));
        if (!(r->center[d] - reach > 0 && r->center[d] + reach < n->reader->scene->size[d]))
            return node_fail(n, "size", "the web reaches out of the box, 0 to %g along %c", n->reader->scene->size[d], 'x' + d);
    }
    return MN_OK;
}

// ---- the lists ---------------------------------------------------------------------------------------------------------------

static mn_status read_list(Scene* s, const Node* n, const char* key, mn_status (*read)(SceneRod*, const Node*, int))
{
    Node list;
    bool present;
    int entries;
    TRY(node_open(&list, &present, n, key, "a list, { { ... }, ... }"));
    if (!present) return MN_OK;
    if (s->dim == 2) return node_fail_as(MN_UNSUPPORTED, n, key, "only in 3D: in 2D a rod would be a point");
    TRY(node_check_keys(&list, NULL, NULL, true));
    TRY(node_count(&entries, &list, MAX_THINGS));
    SceneRod* grown = realloc(s->rods, sizeof *grown*(size_t)(s->rod_count + entries + 1));
    if (!grown) return mn_fail(MN_NO_MEMORY, "no memory to read %s", s->path);
    s->rods = grown;
    for (int i = 0; i < entries; i++) {
        Node entry;
        TRY(node_open_entry(&entry, &list, i + 1, "{ ... }"));
        s->rods[s->rod_count] = (SceneRod){.look = -1};
        TRY(read(&s->rods[s->rod_count++], &entry, i));
        node_close(&entry);
    }
    node_close(&list);
    return MN_OK;
}

mn_status rods_read(Scene* scene, const Node* n)
{
    TRY(read_list(scene, n, "rods", read_rod));
    return read_list(scene, n, "webs", read_web);
}

mn_status rods_check_company(const Scene* s, const Node* n)
{
    if (s->rod_count == 0) return MN_OK;
    const char* key = s->rods[0].is_web ? "webs" : "rods";
    if (s->solid_count > 0 || s->mjcf.path)
        return node_fail_as(MN_UNSUPPORTED, n, key, "not beside solids and bodies yet: rods would pass through them");
    if (s->sheets.count > 0) return node_fail_as(MN_UNSUPPORTED, n, key, "not beside sheets yet: rods would pass through them");
    if (scene_has_film(s)) return node_fail_as(MN_UNSUPPORTED, n, key, "not with air films yet: expected merge = \"touch\"");
    return MN_OK;
}
