#include "scene/read_sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/include.h"
#include "scene/language.h"
#include "scene/mesh.h"
#include "scene/read_elastic.h"
#include "scene/read_scene.h"
#include "scene/read_shape.h"

// Curved sheets are made of pieces of a cell: what a chord is off by, dx^2/(8 R), is nothing beside a cell.
static double piece_of(const Node* n) { return n->reader->scene->dx; }

// ---- forms -----------------------------------------------------------------------------------------------------------------

static mn_status read_curve(SceneSheets* s, const Node* n)
{
    Node list;
    bool present, closed = false;
    int count = 0;
    const char* expected = "a list of points, { { x, y }, { x, y }, ... }";
    TRY(node_open(&list, &present, n, "points", expected));
    if (!present) return node_fail(n, "points", "missing; expected %s", expected);
    TRY(node_check_keys(&list, NULL, NULL, true));
    TRY(node_count(&count, &list, MAX_LIST));
    TRY(node_flag(&closed, n, "closed"));
    if (count < (closed ? 3 : 2))
        return node_fail(n, "points", "expected %s points at least, got %d", closed ? "three" : "two", count);
    double(*point)[3] = calloc((size_t)count, sizeof *point);
    if (!point) return mn_fail(MN_NO_MEMORY, "no memory to read %s", n->reader->scene->path);
    mn_status status = MN_OK;
    for (int i = 0; i < count && status == MN_OK; i++) status = node_vector_entry(point[i], &list, i + 1, "point in metres");
    if (status == MN_OK) status = sheet_add_curve(s, point, count, closed);
    free(point);
    node_close(&list);
    return status;
}

static mn_status read_arc(SceneSheets* s, const Node* n)
{
    double center[3] = {0}, radius = 0, from = 0, to = 2*PI;
    TRY(node_vector(center, n, "center", "point in metres", REQUIRED));
    TRY(node_number(&radius, n, "radius", POSITIVE, "length in metres", REQUIRED));
    TRY(node_number(&from, n, "from", ANY, "angle in radians, or degrees(...)", OPTIONAL));
    if (node_has(n, "from")) to = from + 2*PI;
    TRY(node_number(&to, n, "to", ANY, "angle in radians, or degrees(...)", OPTIONAL));
    if (!(to > from) || to - from > 2*PI*(1 + 1e-9))
        return node_fail(n, "to", "expected an angle after from, %g, by a turn at most, got %g", from, to);
    return sheet_add_arc(s, center, radius, from, to, piece_of(n));
}

static mn_status read_rectangle(SceneSheets* s, const Node* n)
{
    double corner[3] = {0}, along[3] = {0}, across[3] = {0}, normal[3];
    TRY(node_vector(corner, n, "corner", "point in metres", REQUIRED));
    TRY(node_vector(along, n, "along", "edge from the corner, in metres", REQUIRED));
    TRY(node_vector(across, n, "across", "edge from the corner, in metres", REQUIRED));
    vec_cross(normal, along, across);
    if (!(vec_norm(normal) > 1e-6*vec_norm(along)*vec_norm(across)))
        return node_fail(n, "across", "expected an edge in another direction than `along`");
    const SceneSheet* sheet = &s->sheet[s->count - 1];
    if (!sheet->is_elastic) return sheet_add_rectangle(s, corner, along, across);
    if (fabs(vec_dot(along, across)) > 1e-6*vec_norm(along)*vec_norm(across))
        return node_fail(n, "across", "expected an edge at right angles to `along`: the sheet is elastic");
    return sheet_add_fine_rectangle(s, corner, along, across, sheet->elastic.spacing);
}

static mn_status read_direction(double out[3], const Node* n, const char* key)
{
    TRY(node_vector(out, n, key, "direction", OPTIONAL));
    return vec_norm(out) > 0 ? MN_OK : node_fail(n, key, "expected a direction, got a vector of length 0");
}

static mn_status read_disc(SceneSheets* s, const Node* n)
{
    double center[3] = {0}, normal[3] = {0, 1, 0}, radius = 0;
    TRY(node_vector(center, n, "center", "point in metres", REQUIRED));
    TRY(node_number(&radius, n, "radius", POSITIVE, "length in metres", REQUIRED));
    TRY(read_direction(normal, n, "normal"));
    const SceneSheet* sheet = &s->sheet[s->count - 1];
    if (sheet->is_elastic) return sheet_add_fine_disc(s, center, normal, radius, sheet->elastic.spacing);
    return sheet_add_disc(s, center, normal, radius, piece_of(n));
}

static mn_status read_tube(SceneSheets* s, const Node* n)
{
    double from[3] = {0}, to[3] = {0}, radius = 0;
    TRY(segment_read(from, to, &radius, n));
    bool bottom = strcmp(table_kind(n->reader->L, n->table), "cup") == 0;
    return sheet_add_tube(s, from, to, radius, bottom, piece_of(n));
}

static mn_status read_dome(SceneSheets* s, const Node* n)
{
    double center[3] = {0}, axis[3] = {0, 1, 0}, radius = 0, angle = PI/2;
    TRY(node_vector(center, n, "center", "point in metres", REQUIRED));
    TRY(node_number(&radius, n, "radius", POSITIVE, "length in metres", REQUIRED));
    TRY(read_direction(axis, n, "axis"));
    TRY(node_number(&angle, n, "angle", POSITIVE, "angle from the axis in radians, or degrees(...)", OPTIONAL));
    if (angle > PI*(1 + 1e-9)) return node_fail(n, "angle", "expected at most half a turn, %g, got %g", PI, angle);
    return sheet_add_dome(s, center, axis, radius, fmin(angle, PI), piece_of(n));
}

// ---- meshes ----------------------------------------------------------------------------------------------------------------

static int by_place(const void* a, const void* b)
{
    const double *p = *(const double*const*)a, *q = *(const double*const*)b;
    for (int d = 0; d < 3; d++)
        if (p[d] != q[d]) return p[d] < q[d] ? -1 : 1;
    return p < q ? -1 : p > q;  // of one place the first in the file
}

// Vertices at one place become one: files repeat them for their normals, and a sheet would come apart there. number: of each
// vertex of the file among those of the sheet.
static mn_status add_welded(SceneSheets* s, int* number, const double** order, const TriMesh* mesh, double scale)
{
    for (int v = 0; v < mesh->vertex_count; v++) order[v] = mesh->vertices[v];
    qsort(order, (size_t)mesh->vertex_count, sizeof *order, by_place);
    int count = -1;
    for (int m = 0; m < mesh->vertex_count; m++) {
        bool same = m > 0 && memcmp(order[m], order[m - 1], 3*sizeof(double)) == 0;
        if (!same) {
            double x[3];
            for (int d = 0; d < 3; d++) x[d] = scale*order[m][d];
            TRY(sheet_add_vertex(s, x));
            count++;
        }
        number[(order[m] - mesh->vertices[0])/3] = count;
    }
    return MN_OK;
}

static mn_status add_mesh(SceneSheets* s, const TriMesh* mesh, double scale, const Node* n)
{
    if (mesh->dropped > 0) return node_fail_as(MN_BAD_MESH, n, "file", "%d triangles have no area", mesh->dropped);
    int* number = malloc((size_t)mesh->vertex_count*sizeof *number);
    const double** order = malloc((size_t)mesh->vertex_count*sizeof *order);
    mn_status status = number && order ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for a sheet");
    if (status == MN_OK) status = add_welded(s, number, order, mesh, scale);
    for (int t = 0; t < mesh->triangle_count && status == MN_OK; t++) {
        const int* c = mesh->triangles[t];
        status = sheet_add_element(s, number[c[0]], number[c[1]], number[c[2]]);
    }
    free(number), free(order);
    return status;
}

static mn_status read_mesh(SceneSheets* s, const Node* n)
{
    char path[SCENE_PATH_ROOM];
    bool present;
    double scale = 1;
    TRY(node_number(&scale, n, "scale", POSITIVE, "number: metres per unit of the file", OPTIONAL));
    TRY(path_read(path, &present, n, "file", "an OBJ or PLY file"));
    if (!present) return node_fail(n, "file", "expected the path of an OBJ or PLY file, relative to the scene file");
    TriMesh mesh = {0};
    mn_status status = mesh_load(&mesh, path);
    if (status != MN_OK) return file_failed(status, n, "file");
    unsigned long long* hash = &n->reader->scene->fingerprint;
    fingerprint_add(hash, mesh.vertices, (size_t)mesh.vertex_count*sizeof *mesh.vertices);
    fingerprint_add(hash, mesh.triangles, (size_t)mesh.triangle_count*sizeof *mesh.triangles);
    status = add_mesh(s, &mesh, scale, n);
    mesh_free(&mesh);
    return status;
}

// ---- any sheet -------------------------------------------------------------------------------------------------------------

static const struct Words {
    const char* kind;
    const char* const keys[6];
    int dim;  // 0: any
    mn_status (*read)(SceneSheets* s, const Node* n);
} words[] = {
    {"curve", {"points", "closed"}, 2, read_curve},
    {"arc", {"center", "radius", "from", "to"}, 2, read_arc},
    {"rectangle", {"corner", "along", "across"}, 3, read_rectangle},
    {"disc", {"center", "radius", "normal"}, 3, read_disc},
    {"tube", {"from", "to", "radius"}, 3, read_tube},
    {"cup", {"from", "to", "radius"}, 0, read_tube},
    {"dome", {"center", "radius", "axis", "angle"}, 3, read_dome},
    {"mesh", {"file", "scale"}, 3, read_mesh},
};
enum { WORDS = sizeof words/sizeof *words };

static mn_status fail_kind(const Node* n)
{
    char got[96], all[160] = "";
    int dim = n->reader->scene->dim;
    for (int m = 0; m < WORDS; m++) {
        size_t used = strlen(all);
        if (words[m].dim == 0 || words[m].dim == dim)
            snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", words[m].kind);
    }
    return node_fail(n, NULL, "expected a sheet, in %dD one of: %s; got %s", dim, all,
                     describe_value(got, n->reader->L, n->table));
}

// x = rotation (x - pivot) + pivot + position, as of solids.
static mn_status read_place(SceneSheet* sheet, const Node* n)
{
    TRY(time_vector_read(&sheet->position, n, "position", "position in metres, or a function of time", false));
    TRY(time_vector_read(&sheet->rotation, n, "rotation", "rotation vector in radians, or a function of time", true));
    TRY(node_vector(sheet->pivot, n, "pivot", "point in metres", OPTIONAL));
    sheet->moving = sheet->position.function || sheet->rotation.function;
    return MN_OK;
}

static bool is_clear(const char* look) { return strcmp(look, "glass") == 0 || strcmp(look, "ice") == 0; }

// In 2D an elastic sheet is a chain from one end to the other, of pieces of a cell.
static mn_status check_elastic_form(SceneSheets* s, const SceneSheet* sheet, const Node* n)
{
    if (!sheet->is_elastic || s->surface.dim == 3) return MN_OK;
    if (sheet->elements != sheet->vertices - 1)
        return node_fail_as(MN_UNSUPPORTED, n, "elastic", "closed curves are not elastic yet: leave a gap of a cell");
    return sheet_refine_chain(s, sheet->elastic.spacing);
}

mn_status sheet_read(Scene* scene, const Node* n, int i)
{
    static const char* const extra[] = {"name", "look", "position", "rotation", "pivot", "elastic", NULL};
    SceneSheets* s = &scene->sheets;
    SceneSheet* sheet = &s->sheet[i];
    const char* kind = table_kind(n->reader->L, n->table);
    int m = 0;
    while (m < WORDS && (!kind || strcmp(words[m].kind, kind) != 0)) m++;
    if (m == WORDS || (words[m].dim != 0 && words[m].dim != scene->dim)) return fail_kind(n);
    *sheet = (SceneSheet){.look = -1, .line = n->line, .first_vertex = s->surface.vertices, .first_element = s->surface.elements};
    snprintf(sheet->name, sizeof sheet->name, "sheet%d", i + 1);
    TRY(node_check_keys(n, words[m].keys, extra, false));
    TRY(node_name(sheet->name, n, "name"));
    TRY(node_choice(&sheet->look, n, "look", scene_solid_looks));
    if (sheet->look >= 0 && is_clear(scene_solid_looks[sheet->look]))
        return node_fail_as(MN_UNSUPPORTED, n, "look", "pictures show no sheet as %s: nothing is thick enough to see through",
                            scene_solid_looks[sheet->look]);
    for (int j = 0; j < i; j++)
        if (strcmp(sheet->name, s->sheet[j].name) == 0) return node_fail(n, "name", "two sheets are called \"%s\"", sheet->name);
    TRY(elastic_read(sheet, n));
    TRY(words[m].read(s, n));
    TRY(check_elastic_form(s, sheet, n));
    TRY(elastic_read_pins(s, sheet, n));
    TRY(read_place(sheet, n));
    if (sheet->is_elastic && sheet->moving)
        return node_fail_as(MN_UNSUPPORTED, n, "elastic", "an elastic sheet moves by forces, not by a function of time");
    return MN_OK;
}

// ---- company ---------------------------------------------------------------------------------------------------------------

// Forces of one kind for all of them, and nothing in the way that they do not know.
static mn_status check_elastic_company(const Scene* s, const Node* n)
{
    const SceneSheet* first = NULL;
    for (int m = 0; m < s->sheets.count; m++) {
        const SceneSheet* sheet = &s->sheets.sheet[m];
        if (!sheet->is_elastic) continue;
        if (!first) first = sheet;
        const SceneElastic *a = &sheet->elastic, *b = &first->elastic;
        if (a->damping != b->damping || a->stiffness_damping != b->stiffness_damping || a->friction != b->friction)
            return node_fail_as(MN_UNSUPPORTED, n, "sheets", "elastic sheets have one damping and one friction in common");
    }
    if (first && s->solid_count > 0)
        return node_fail_as(MN_UNSUPPORTED, n, "solids", "elastic sheets do not meet solids yet: make a sheet of it");
    return MN_OK;
}

static bool turns_back(const SceneAngle* a) { return a->advancing != a->receding; }

mn_status sheets_check_company(const Scene* s, const Node* n)
{
    if (s->sheets.count == 0) return MN_OK;
    TRY(check_elastic_company(s, n));
    if (s->body_count > 0 || s->mjcf.path) return node_fail_as(MN_UNSUPPORTED, n, "bodies", "not beside sheets yet");
    if (scene_has_film(s))
        return node_fail_as(MN_UNSUPPORTED, n, node_has(n, "merge") ? "merge" : "solids", "air films do not go with sheets yet");
    if (s->sigma_function)
        return node_fail_as(MN_UNSUPPORTED, n, "sheets", "sigma must not be a function of the place beside sheets");
    if (s->tension.kind == TENSION_IS_SPLIT || s->tension.kind == TENSION_IS_CSF)
        return node_fail_as(MN_UNSUPPORTED, n, "numerics.tension",
                            "beside sheets expected \"auto\", \"explicit\" or \"implicit\"");
    if (turns_back(&s->wall_angle))
        return node_fail_as(MN_UNSUPPORTED, n, "domain.contact_angle", "beside sheets expected one angle, not two");
    for (int m = 0; m < s->solid_count; m++) {
        char key[40];
        snprintf(key, sizeof key, "solids[%d]", m + 1);
        if (s->solids[m].moving) return node_fail_as(MN_UNSUPPORTED, n, key, "solids that move do not go with sheets yet");
        if (turns_back(&s->solids[m].contact_angle))
            return node_fail_as(MN_UNSUPPORTED, n, key, "contact_angle: beside sheets expected one angle, not two");
    }
    return MN_OK;
}
