#include "scene/read_shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/vec.h"
#include "scene/include.h"
#include "scene/language.h"
#include "scene/formula.h"
#include "scene/mesh_motion.h"
#include "scene/read_scene.h"

#define MAX_DEPTH 60

static mn_status read_part(Shape** out, const Node* n, const char* const* extra, int depth);

static mn_status made(Shape** out, Shape* shape)
{
    *out = shape;
    return shape ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for the shapes of the scene");
}

static int dim_of(const Node* n) { return n->reader->scene->dim; }

// ---------------------------------------------------------------- primitives

static mn_status read_box(Shape** out, const Node* n)
{
    double low[3] = {0}, high[3] = {0}, center[3] = {0}, size[3] = {0}, rounding = 0;
    bool corners = node_has(n, "low") || node_has(n, "high");
    if (corners && (node_has(n, "center") || node_has(n, "size"))) {
        return node_fail(n, NULL, "give low and high, or center and size, not both");
    }
    if (corners) {
        TRY(node_vector(low, n, "low", "corner in metres", REQUIRED));
        TRY(node_vector(high, n, "high", "corner in metres", REQUIRED));
    } else if (node_has(n, "center") || node_has(n, "size")) {
        TRY(node_vector(center, n, "center", "point in metres", REQUIRED));
        TRY(node_vector(size, n, "size", "size in metres", REQUIRED));
        for (int d = 0; d < 3; d++) low[d] = center[d] - size[d]/2, high[d] = center[d] + size[d]/2;
    } else {
        return node_fail(n, NULL, "missing corners; expected low and high, or center and size");
    }
    TRY(node_number(&rounding, n, "rounding", NOT_NEGATIVE, "length in metres", OPTIONAL));
    for (int d = 0; d < dim_of(n); d++) {
        double side = high[d] - low[d];
        if (!(side > 0)) {
            return node_fail(n, corners ? "high" : "size", "expected a positive size in metres, got %g along %c", side, 'x' + d);
        }
        if (2*rounding > side) {
            return node_fail(n, "rounding", "expected at most half the size along %c, %g, got %g", 'x' + d, side/2, rounding);
        }
    }
    return made(out, shape_box(dim_of(n), low, high, rounding));
}

static mn_status read_sphere(Shape** out, const Node* n)
{
    double center[3] = {0}, radius = 0;
    TRY(node_vector(center, n, "center", "point in metres", REQUIRED));
    TRY(node_number(&radius, n, "radius", POSITIVE, "length in metres", REQUIRED));
    return made(out, shape_sphere(dim_of(n), center, radius));
}

static mn_status read_ellipsoid(Shape** out, const Node* n)
{
    double center[3] = {0}, radii[3] = {0};
    TRY(node_vector(center, n, "center", "point in metres", REQUIRED));
    TRY(node_vector(radii, n, "radii", "list of positive lengths in metres", REQUIRED));
    for (int d = 0; d < dim_of(n); d++) {
        if (!(radii[d] > 0))
            return node_fail(n, "radii", "expected positive lengths in metres, got %g along %c", radii[d], 'x' + d);
    }
    return made(out, shape_ellipsoid(dim_of(n), center, radii));
}

mn_status segment_read(double from[3], double to[3], double* radius, const Node* n)
{
    double along[3];
    TRY(node_vector(from, n, "from", "point in metres", REQUIRED));
    TRY(node_vector(to, n, "to", "point in metres", REQUIRED));
    TRY(node_number(radius, n, "radius", POSITIVE, "length in metres", REQUIRED));
    vec_sub(along, to, from);
    return vec_norm(along) > 0 ? MN_OK : node_fail(n, "to", "expected a point other than `from`");
}

static mn_status read_segment(Shape** out, const Node* n)
{
    double from[3] = {0}, to[3] = {0}, radius = 0;
    TRY(segment_read(from, to, &radius, n));
    bool round = strcmp(table_kind(n->reader->L, n->table), "capsule") == 0;
    return made(out, (round ? shape_capsule : shape_cylinder)(dim_of(n), from, to, radius));
}

static mn_status read_torus(Shape** out, const Node* n)
{
    double center[3] = {0}, axis[3] = {0, 0, 1}, radius = 0, tube = 0;
    if (dim_of(n) == 2 && node_has(n, "axis")) return node_fail(n, "axis", "not in two dimensions, where a torus is a flat ring");
    if (dim_of(n) == 3) axis[1] = 1, axis[2] = 0;  // lies flat: y is up
    TRY(node_vector(center, n, "center", "point in metres", REQUIRED));
    if (dim_of(n) == 3) TRY(node_vector(axis, n, "axis", "direction", OPTIONAL));
    TRY(node_number(&radius, n, "radius", POSITIVE, "length in metres", REQUIRED));
    TRY(node_number(&tube, n, "tube", POSITIVE, "length in metres, less than radius", REQUIRED));
    if (!(vec_norm(axis) > 0)) return node_fail(n, "axis", "expected a direction, got a vector of length 0");
    if (tube >= radius) return node_fail(n, "tube", "expected a length less than radius, %g, got %g", radius, tube);
    return made(out, shape_torus(dim_of(n), center, axis, radius, tube));
}

static mn_status read_halfspace(Shape** out, const Node* n)
{
    double point[3] = {0}, normal[3] = {0};
    TRY(node_vector(point, n, "point", "point in metres", REQUIRED));
    TRY(node_vector(normal, n, "normal", "direction that points out of the half-space", REQUIRED));
    if (!(vec_norm(normal) > 0)) return node_fail(n, "normal", "expected a direction, got a vector of length 0");
    return made(out, shape_halfspace(dim_of(n), point, normal));
}

static mn_status read_pool(Shape** out, const Node* n)
{
    double depth = 0, up[3] = {0, 1, 0};
    TRY(node_number(&depth, n, "depth", POSITIVE, "length in metres", REQUIRED));
    double point[3] = {0, depth, 0};
    return made(out, shape_halfspace(dim_of(n), point, up));
}

// ---------------------------------------------------------------- formulas and polygons

// phi(x, y, z) < 0 inside, or heights(x, z) of what lies below. What the function says is asked later, when Lua's limits apply.
static mn_status read_formula(Shape** out, const Node* n)
{
    bool by_phi = node_has(n, "phi"), by_height = node_has(n, "heights");
    const char* key = by_phi ? "phi" : "heights";
    int function;
    if (by_phi == by_height) return node_fail(n, NULL, "expected phi = function(x, y, z) or heights = function(x, z)");
    if (!node_is_function(n, key)) return node_fail(n, key, "expected a function of the place");
    TRY(function_read(&function, n, key));
    return made(out, shape_from_function(dim_of(n), function, by_height));
}

static mn_status read_points(double (*point)[2], int count, const Node* list)
{
    for (int m = 0; m < count; m++) {
        double x[3] = {0};
        TRY(node_vector_entry(x, list, m + 1, "point in metres"));
        point[m][0] = x[0], point[m][1] = x[1];
        bool same = m > 0 && point[m][0] == point[m - 1][0] && point[m][1] == point[m - 1][1];
        same = same || (m == count - 1 && point[m][0] == point[0][0] && point[m][1] == point[0][1]);
        if (same) return node_fail(list, NULL, "point %d is where its neighbour is; the last one is joined to the first", m + 1);
    }
    return MN_OK;
}

static mn_status read_polygon(Shape** out, const Node* n)
{
    enum { MOST = 2000 };
    Node list;
    bool present;
    int count, sides[2];
    if (dim_of(n) == 3) return node_fail_as(MN_UNSUPPORTED, n, NULL, "a polygon needs a domain of two dimensions");
    TRY(node_open(&list, &present, n, "points", "a list of points, { { x, y }, ... }"));
    if (!present) return node_fail(n, "points", "missing; expected a list of points, { { x, y }, ... }");
    TRY(node_count(&count, &list, MOST));
    if (count < 3) return node_fail(n, "points", "expected three points or more, got %d", count);
    double(*point)[2] = malloc((size_t)count*sizeof *point);
    if (!point) return mn_fail(MN_NO_MEMORY, "no memory for the shapes of the scene");
    mn_status status = read_points(point, count, &list);
    node_close(&list);
    if (status == MN_OK && polygon_crosses(sides, (const double(*)[2])point, count))
        status = node_fail(n, "points", "the sides after points %d and %d meet", sides[0] + 1, sides[1] + 1);
    if (status == MN_OK) status = made(out, shape_polygon((const double(*)[2])point, count));
    free(point);
    return status;
}

// ---------------------------------------------------------------- meshes

// Files read so far: a mesh used fifty times is read, checked and tabulated once.
struct MeshCache {
    char* path;
    MeshSdf* sdf;
    struct MeshCache* next;
};

void meshcache_free(Reader* reader)
{
    for (struct MeshCache *c = reader->meshes, *next; c; c = next) {
        next = c->next;
        meshsdf_release(c->sdf);
        free(c->path);
        free(c);
    }
    reader->meshes = NULL;
}

void fingerprint_add(unsigned long long* hash, const void* data, size_t size)
{
    const unsigned char* byte = data;
    for (size_t m = 0; m < size; m++) *hash = (*hash ^ byte[m])*0x100000001b3ull;
}

static mn_status cache_mesh(MeshSdf** out, Reader* reader, const char* path)
{
    for (struct MeshCache* c = reader->meshes; c; c = c->next) {
        *out = c->sdf;
        if (strcmp(c->path, path) == 0) return MN_OK;
    }
    *out = NULL;
    struct MeshCache* c = calloc(1, sizeof *c);
    if (c) c->path = strdup(path);
    if (!c || !c->path) {
        free(c);
        return mn_fail(MN_NO_MEMORY, "no memory to read %s", path);
    }
    c->next = reader->meshes;
    reader->meshes = c;
    TriMesh mesh = {0};
    TRY(mesh_load(&mesh, path));
    unsigned long long* hash = &reader->scene->fingerprint;
    fingerprint_add(hash, mesh.vertices, (size_t)mesh.vertex_count*sizeof *mesh.vertices);
    fingerprint_add(hash, mesh.triangles, (size_t)mesh.triangle_count*sizeof *mesh.triangles);
    mn_status status = meshsdf_create(&c->sdf, &mesh);
    mesh_free(&mesh);
    *out = c->sdf;
    return status;
}

mn_status path_read(char path[SCENE_PATH_ROOM], bool* present, const Node* n, const char* key, const char* what)
{
    lua_State* L = n->reader->L;
    lua_pushstring(L, key);
    int type = lua_rawget(L, n->table);
    size_t length = 0;
    const char* file = type == LUA_TSTRING ? lua_tolstring(L, -1, &length) : "";  // the table keeps it alive
    lua_pop(L, 1);
    *present = type != LUA_TNIL;
    if (*present && (length == 0 || length > 2000 || strlen(file) != length)) {
        return node_fail(n, key, "expected the path of %s, relative to the scene file", what);
    }
    path[0] = 0;
    if (file[0] != '/') scene_folder(path, n->reader->scene->path);
    size_t used = strlen(path);
    snprintf(path + used, SCENE_PATH_ROOM - used, "%s", file);
    if (*present && !scene_may_read(n->reader->scene, path)) return node_fail(n, key, SCENE_IS_OUTSIDE, file);
    return MN_OK;
}

mn_status file_failed(mn_status status, const Node* n, const char* key)
{
    char what[1024];
    snprintf(what, sizeof what, "%s", mn_last_error());
    return node_fail_as(status, n, key, "%s", what);
}

// A mesh by itself, with a vertex cache beside it, or as a sequence of files.
static mn_status read_mesh_and_motion(MeshSdf** sdf, MeshMotion** motion, const Node* n)
{
    char path[SCENE_PATH_ROOM], cache[SCENE_PATH_ROOM], first[SCENE_PATH_ROOM], folder[SCENE_PATH_ROOM];
    bool has_file, has_cache;
    double rate = 0, start = 0;
    TRY(path_read(path, &has_file, n, "file", "an OBJ or PLY file"));
    if (!has_file) return node_fail(n, "file", "expected the path of an OBJ or PLY file, relative to the scene file");
    TRY(path_read(cache, &has_cache, n, "cache", "a PC2 vertex cache"));
    const char* slash = strrchr(path, '/');
    bool sequence = strchr(slash ? slash : path, '#') && access(path, F_OK) != 0;  // a file may be called so
    if (sequence && has_cache) return node_fail(n, "cache", "a sequence of files (# in the name) has no cache besides");
    if (!sequence && !has_cache && (node_has(n, "cache_rate") || node_has(n, "cache_start")))
        return node_fail(n, node_has(n, "cache_rate") ? "cache_rate" : "cache_start",
                         "only with a cache, or with # in the name of the file");
    if (sequence || has_cache) {
        TRY(node_number(&rate, n, "cache_rate", POSITIVE, "number of frames per second of simulated time", REQUIRED));
        TRY(node_number(&start, n, "cache_start", ANY, "time in seconds", OPTIONAL));
    }
    if (sequence) {
        scene_folder(folder, n->reader->scene->path);
        bool anywhere = n->reader->scene->allow_outside;
        mn_status status = motion_read_sequence(motion, first, path, rate, start, anywhere ? NULL : folder);
        if (status != MN_OK) return file_failed(status, n, "file");
    }
    mn_status status = cache_mesh(sdf, n->reader, sequence ? first : path);
    if (status != MN_OK) return file_failed(status, n, "file");
    if (has_cache) {
        status = motion_read_cache(motion, cache, meshsdf_mesh(*sdf)->vertex_count, rate, start);
        if (status != MN_OK) return file_failed(status, n, "cache");
    }
    return MN_OK;
}

static mn_status read_mesh(Shape** out, const Node* n)
{
    MeshSdf* sdf = NULL;
    MeshMotion* motion = NULL;
    double factor = 1, zero[3] = {0}, up[3] = {0, 1, 0};
    if (dim_of(n) == 2) return node_fail_as(MN_UNSUPPORTED, n, NULL, "a mesh needs a domain of three dimensions");
    TRY(node_number(&factor, n, "scale", POSITIVE, "number: metres per unit of the file", OPTIONAL));
    mn_status status = read_mesh_and_motion(&sdf, &motion, n);
    if (status != MN_OK) {
        motion_free(motion);
        return status;
    }
    if (motion) {
        unsigned long long* hash = &n->reader->scene->fingerprint;
        size_t points = (size_t)motion->vertex_count*(size_t)motion->sample_count;
        fingerprint_add(hash, motion->sample, points*sizeof *motion->sample);
        fingerprint_add(hash, &motion->step, sizeof motion->step);
    }
    TRY(made(out, motion ? shape_from_motion(sdf, motion) : shape_from_mesh(sdf)));
    return factor == 1 ? MN_OK : made(out, shape_place(*out, zero, zero, up, 0, factor));
}

// ---------------------------------------------------------------- combinations

static mn_status read_entry(Shape** out, const Node* n, int i, int depth)
{
    Node child;
    TRY(node_open_entry(&child, n, i, "a shape"));
    TRY(read_part(out, &child, NULL, depth + 1));
    node_close(&child);
    return MN_OK;
}

static mn_status read_combination(Shape** out, const Node* n, int depth)
{
    const char* kind = table_kind(n->reader->L, n->table);
    int count, have = 0;
    TRY(node_count(&count, n, MAX_LIST));
    if (count < 1) return node_fail(n, NULL, "expected a list of shapes, %s { a, b, ... }", kind);
    Shape** parts = calloc((size_t)count, sizeof *parts);
    if (!parts) return mn_fail(MN_NO_MEMORY, "no memory for the shapes of the scene");
    mn_status status = MN_OK;
    while (have < count && status == MN_OK) {
        status = read_entry(&parts[have], n, have + 1, depth);
        have += status == MN_OK;
    }
    if (status == MN_OK) {
        Shape* (*join)(Shape**, int) = kind[0] == 'u' ? shape_union : kind[0] == 'i' ? shape_intersection : shape_difference;
        status = made(out, join(parts, count));
    } else {
        for (int i = 0; i < have; i++) shape_free(parts[i]);
    }
    free(parts);
    return status;
}

static mn_status read_place(Shape** out, const Node* n, int depth)
{
    const char* kind = table_kind(n->reader->L, n->table);
    double about[3] = {0}, by[3] = {0}, axis[3] = {0, 0, 1}, angle = 0, factor = 1;
    int count;
    TRY(node_count(&count, n, MAX_LIST));
    if (count != 1) return node_fail(n, NULL, "expected one shape, %s { shape, ... }, got %d", kind, count);
    if (kind[0] == 'm') {
        TRY(node_vector(by, n, "by", "shift in metres", REQUIRED));
    } else {
        TRY(node_vector(about, n, "about", "point in metres", OPTIONAL));
    }
    if (kind[0] == 's') TRY(node_number(&factor, n, "by", POSITIVE, "factor", REQUIRED));
    if (kind[0] == 'r') {
        TRY(node_number(&angle, n, "angle", ANY, "angle in radians, or degrees(...)", REQUIRED));
        if (dim_of(n) == 2 && node_has(n, "axis"))
            return node_fail(n, "axis", "not in two dimensions, where all turns are about z");
        if (dim_of(n) == 3) TRY(node_vector(axis, n, "axis", "direction", REQUIRED));
        if (!(vec_norm(axis) > 0)) return node_fail(n, "axis", "expected a direction, got a vector of length 0");
    }
    Shape* part;
    TRY(read_entry(&part, n, 1, depth));
    return made(out, shape_place(part, about, by, axis, angle, factor));
}

// ---------------------------------------------------------------- any shape

static const struct Words {
    const char* kind;
    const char* const keys[6];
    bool list;
    mn_status (*read)(Shape** out, const Node* n);
    mn_status (*read_parts)(Shape** out, const Node* n, int depth);
} words[] = {
    {"box", {"low", "high", "center", "size", "rounding"}, false, read_box, NULL},
    {"sphere", {"center", "radius"}, false, read_sphere, NULL},
    {"ellipsoid", {"center", "radii"}, false, read_ellipsoid, NULL},
    {"capsule", {"from", "to", "radius"}, false, read_segment, NULL},
    {"cylinder", {"from", "to", "radius"}, false, read_segment, NULL},
    {"torus", {"center", "axis", "radius", "tube"}, false, read_torus, NULL},
    {"halfspace", {"point", "normal"}, false, read_halfspace, NULL},
    {"pool", {"depth"}, false, read_pool, NULL},
    {"mesh", {"file", "scale", "cache", "cache_rate", "cache_start"}, false, read_mesh, NULL},
    {"shape", {"phi", "heights"}, false, read_formula, NULL},
    {"polygon", {"points"}, false, read_polygon, NULL},
    {"union", {NULL}, true, NULL, read_combination},
    {"intersection", {NULL}, true, NULL, read_combination},
    {"difference", {NULL}, true, NULL, read_combination},
    {"move", {"by"}, true, NULL, read_place},
    {"rotate", {"axis", "angle", "about"}, true, NULL, read_place},
    {"scale", {"by", "about"}, true, NULL, read_place},
};

static mn_status read_part(Shape** out, const Node* n, const char* const* extra, int depth)
{
    const char* kind = table_kind(n->reader->L, n->table);
    char got[96];
    *out = NULL;
    if (!kind_is_shape(kind)) {
        describe_value(got, n->reader->L, n->table);
        return node_fail(n, NULL, "expected a shape such as sphere { ... }, got %s", got);
    }
    if (depth > MAX_DEPTH) return node_fail(n, NULL, "shapes are nested more than %d deep", MAX_DEPTH);
    if (++n->reader->shape_count > MAX_LIST) return node_fail(n, NULL, "more than %d shapes in one scene", MAX_LIST);
    const struct Words* w = words;
    while (strcmp(w->kind, kind) != 0) w++;
    TRY(node_check_keys(n, w->keys, extra, w->list));
    return w->read ? w->read(out, n) : w->read_parts(out, n, depth);
}

mn_status shape_read(Shape** out, const Node* n, const char* const* extra) { return read_part(out, n, extra, 0); }
