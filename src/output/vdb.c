// A VDB tree is a root with children of 4096^3 voxels (32^3 nodes of 128^3), those of 16^3 leaves, and leaves of 8^3 voxels.
// Where a whole child would hold one value, its parent holds it as a tile instead. A file has the grids one after the other;
// each tells first its topology (masks and tiles, depth first), then its buffers (the values of the leaves, in the same order).
#include "output/vdb.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/vec.h"
#include "output/files.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "VDB files are written as the numbers lie in memory");

enum { FILE_VERSION = 224, LIBRARY_MAJOR = 10, LIBRARY_MINOR = 0 };  // the last: of the library that reads this version
enum { COMPRESS_ZIP = 1, ALL_VALUES_FOLLOW = 6 };
enum { LEAF_VOXELS = 512, HALF_WIDTH = 3 };  // voxels on either side of the surface, as OpenVDB's own level sets have

// Children along an edge, by level: leaf (voxels), lower and upper node; as a power of two. And voxels along an edge.
static const int log2_children[3] = {3, 4, 5}, log2_voxels[3] = {3, 7, 12};

// One grid on the way to its file. `sample` gives the value of a voxel and whether it is active.
typedef struct Grid {
    const Volume* volume;
    const char *name, *type, *class, *vector_type;
    int components;       // 1 or 3
    float background;     // tiles are this, or minus this inside
    int low[3], high[3];  // voxels that may differ from the background, high excluded
    bool (*sample)(float* value, const struct Grid* g, const int at[3]);
    Bytes buffers;
} Grid;

// ---- what the voxels hold --------------------------------------------------------------------------------------------------

// Distance to the walls of the tank, > 0 outside. Liquid ends there.
static double outside_tank(const Volume* v, const int at[3])
{
    double out2 = 0, in = -INFINITY;
    for (int d = 0; d < 3; d++) {
        double past = max2(-at[d], at[d] - v->cells[d])*v->dx;
        in = max2(in, past);
        if (past > 0) out2 += past*past;
    }
    return in > 0 ? sqrt(out2) : in;
}

static size_t nearest_node(const Volume* v, const int at[3])
{
    return volume_node(v, clampi(at[0], 0, v->cells[0]), clampi(at[1], 0, v->cells[1]), clampi(at[2], 0, v->cells[2]));
}

// The level set that is closed along the walls, as the mesh is.
static bool sample_surface(float* value, const Grid* g, const int at[3])
{
    const Volume* v = g->volume;
    double phi = max2(v->phi[nearest_node(v, at)], outside_tank(v, at));
    *value = (float)clamp(phi, -g->background, g->background);
    return fabsf(*value) < g->background;
}

static bool sample_velocity(float* value, const Grid* g, const int at[3])
{
    const Volume* v = g->volume;
    size_t node = nearest_node(v, at);
    bool active = max2(v->phi[node], outside_tank(v, at)) < HALF_WIDTH*v->dx;
    for (int d = 0; d < 3; d++) value[d] = active ? v->u[node][d] : 0;
    return active;
}

// ---- the tree --------------------------------------------------------------------------------------------------------------

// A length (negative: not compressed after all), then the bytes.
static void put_zipped(Bytes* out, const void* data, size_t size)
{
    uLongf packed_size = compressBound(size);
    Bytef* packed = malloc(packed_size);
    int64_t length = -(int64_t)size;
    if (packed && compress2(packed, &packed_size, data, size, 6) == Z_OK && packed_size < size) length = (int64_t)packed_size;
    out->failed = out->failed || !packed;
    bytes_add(out, &length, sizeof length);
    bytes_add(out, length > 0 ? (const void*)packed : data, length > 0 ? packed_size : size);
    free(packed);
}

static void put_values(Bytes* out, const void* data, size_t size)
{
    char all = ALL_VALUES_FOLLOW;
    bytes_add(out, &all, 1);
    put_zipped(out, data, size);
}

// What became of a child: a tile of the background, a tile of minus the background, or a node of its own.
typedef enum Child { TILE_INSIDE = -1, CHILD_NODE = 0, TILE_OUTSIDE = 1 } Child;

static Child add_leaf(Bytes* topology, Grid* g, const int origin[3])
{
    float value[3*LEAF_VOXELS];
    uint64_t mask[LEAF_VOXELS/64] = {0};
    int active = 0;
    for (int m = 0; m < LEAF_VOXELS; m++) {
        int at[3] = {origin[0] + (m >> 6), origin[1] + (m >> 3 & 7), origin[2] + (m & 7)};
        if (!g->sample(value + m*g->components, g, at)) continue;
        mask[m/64] |= (uint64_t)1 << m%64;
        active++;
    }
    if (active == 0) return value[0] < 0 ? TILE_INSIDE : TILE_OUTSIDE;
    bytes_add(topology, mask, sizeof mask);
    bytes_add(&g->buffers, mask, sizeof mask);
    put_values(&g->buffers, value, sizeof *value*LEAF_VOXELS*(size_t)g->components);
    return CHILD_NODE;
}

static bool meets_grid(const Grid* g, const int origin[3], int size)
{
    for (int d = 0; d < 3; d++)
        if (origin[d] >= g->high[d] || origin[d] + size <= g->low[d]) return false;
    return true;
}

static void put_node(Bytes* topology, const Grid* g, const signed char* child, int count, const Bytes* below)
{
    uint64_t mask[32768/64] = {0};
    static const uint64_t none[32768/64];  // tiles are never active
    float* tile = calloc((size_t)count, sizeof *tile*(size_t)g->components);
    topology->failed = topology->failed || !tile || below->failed;
    if (topology->failed) {
        free(tile);
        return;
    }
    for (int m = 0; m < count; m++) {
        if (child[m] == CHILD_NODE) mask[m/64] |= (uint64_t)1 << m%64;
        else if (g->components == 1) tile[m] = (float)child[m]*g->background;
    }
    bytes_add(topology, mask, (size_t)count/8);
    bytes_add(topology, none, (size_t)count/8);
    put_values(topology, tile, sizeof *tile*(size_t)(count*g->components));
    bytes_add(topology, below->data, below->size);
    free(tile);
}

// An inner node of level 1 or 2, its children first: only then is known which of them are nodes.
static Child add_node(Bytes* topology, Grid* g, const int origin[3], int level)
{
    int side = log2_children[level], count = 1 << 3*side, step = 1 << log2_voxels[level - 1], kinds[3] = {0};
    signed char* child = malloc((size_t)count);
    Bytes below = {0};
    topology->failed = topology->failed || !child;
    for (int m = 0; child && m < count; m++) {
        int mask = (1 << side) - 1;
        int at[3] = {origin[0] + (m >> 2*side)*step, origin[1] + (m >> side & mask)*step, origin[2] + (m & mask)*step};
        Child kind = TILE_OUTSIDE;
        if (meets_grid(g, at, step)) kind = level == 1 ? add_leaf(&below, g, at) : add_node(&below, g, at, level - 1);
        child[m] = (signed char)kind;
        kinds[kind + 1]++;
    }
    Child all = kinds[0] == count ? TILE_INSIDE : kinds[2] == count ? TILE_OUTSIDE : CHILD_NODE;
    if (child && all == CHILD_NODE) put_node(topology, g, child, count, &below);
    bytes_free(&below);
    free(child);
    return all;
}

// Where the node of size 4096 that holds the voxel begins.
static int32_t root_key(int voxel) { return (int32_t)(voxel & ~((1 << log2_voxels[2]) - 1)); }

static void put_tree(Bytes* out, Grid* g)
{
    int32_t buffer_count = 1, step = 1 << log2_voxels[2];
    uint32_t tiles = 0, children = 0;
    float background[3] = {g->background, 0, 0};
    Bytes below = {0};
    int32_t key[3];
    for (key[0] = root_key(g->low[0]); key[0] < g->high[0]; key[0] += step)
        for (key[1] = root_key(g->low[1]); key[1] < g->high[1]; key[1] += step)
            for (key[2] = root_key(g->low[2]); key[2] < g->high[2]; key[2] += step) {
                Bytes node = {0};
                Child kind = add_node(&node, g, key, 2);
                if (kind == CHILD_NODE) {
                    bytes_add(&below, key, sizeof key);
                    bytes_add(&below, node.data, node.size);
                    children++;
                }
                below.failed = below.failed || node.failed;
                bytes_free(&node);
            }
    bytes_add(out, &buffer_count, sizeof buffer_count);
    bytes_add(out, background, sizeof *background*(size_t)g->components);
    bytes_add(out, &tiles, sizeof tiles);
    bytes_add(out, &children, sizeof children);
    bytes_add(out, below.data, below.size);
    out->failed = out->failed || below.failed || g->buffers.failed;
    bytes_free(&below);
}

// ---- the file --------------------------------------------------------------------------------------------------------------

static void put_word(Bytes* out, uint32_t value) { bytes_add(out, &value, sizeof value); }

static void put_text(Bytes* out, const char* text)
{
    put_word(out, (uint32_t)strlen(text));
    bytes_add(out, text, strlen(text));
}

static void put_meta(Bytes* out, const char* key, const char* value)
{
    put_text(out, key);
    put_text(out, "string");
    put_text(out, value);
}

// The map from voxels to metres: five vectors that all follow from dx.
static void put_transform(Bytes* out, double dx)
{
    const double number[5] = {dx, dx, 1/dx, 1/(dx*dx), 1/(2*dx)};
    put_text(out, "UniformScaleMap");
    for (int m = 0; m < 5; m++)
        for (int d = 0; d < 3; d++) bytes_add(out, &number[m], sizeof number[m]);
}

static void put_grid(Bytes* out, Grid* g)
{
    put_text(out, g->name);
    put_text(out, g->type);
    put_text(out, "");  // shares its tree with no other grid
    size_t places_at = out->size;
    int64_t place[3] = {0};  // of the grid, of its buffers, of its end
    bytes_add(out, place, sizeof place);
    place[0] = (int64_t)out->size;
    put_word(out, COMPRESS_ZIP);
    put_word(out, g->vector_type ? 3 : 2);
    put_meta(out, "class", g->class);
    put_meta(out, "name", g->name);
    if (g->vector_type) put_meta(out, "vector_type", g->vector_type);
    put_transform(out, g->volume->dx);
    put_tree(out, g);
    place[1] = (int64_t)out->size;
    bytes_add(out, g->buffers.data, g->buffers.size);
    place[2] = (int64_t)out->size;
    bytes_free(&g->buffers);
    if (!out->failed) memcpy(out->data + places_at, place, sizeof place);
}

// Every file needs a name of its own; one that follows from its contents keeps equal runs equal.
static void put_uuid(char at[36], const char* data, size_t size)
{
    uint64_t hash[2] = {14695981039346656037u, 88172645463325252u};
    for (size_t m = 0; m < size; m++)
        for (int h = 0; h < 2; h++) hash[h] = (hash[h] ^ (unsigned char)data[m])*1099511628211u;
    char text[37];
    snprintf(text, sizeof text, "%08x-%04x-4%03x-8%03x-%012llx", (unsigned)(hash[0] >> 32), (unsigned)(hash[0] >> 16 & 0xffff),
             (unsigned)(hash[0] & 0xfff), (unsigned)(hash[1] >> 48 & 0xfff), (unsigned long long)(hash[1] & 0xffffffffffff));
    memcpy(at, text, 36);
}

mn_status vdb_write(const char* path, const Volume* v)
{
    Bytes b = {0};
    const int64_t magic = 0x56444220;
    const char has_places = 1, uuid[36] = {0};
    bytes_add(&b, &magic, sizeof magic);
    put_word(&b, FILE_VERSION);
    put_word(&b, LIBRARY_MAJOR);
    put_word(&b, LIBRARY_MINOR);
    bytes_add(&b, &has_places, 1);
    size_t uuid_at = b.size;
    bytes_add(&b, uuid, sizeof uuid);
    put_word(&b, 1);
    put_meta(&b, "creator", "meniscus");
    put_word(&b, 2);
    Grid surface = {.volume = v,
                    .name = "surface",
                    .type = "Tree_float_5_4_3",
                    .class = "level set",
                    .components = 1,
                    .background = (float)(HALF_WIDTH*v->dx),
                    .sample = sample_surface};
    Grid velocity = {.volume = v,
                     .name = "velocity",
                     .type = "Tree_vec3s_5_4_3",
                     .class = "unknown",
                     .vector_type = "contravariant relative",
                     .components = 3,
                     .sample = sample_velocity};
    for (int d = 0; d < 3; d++) {
        surface.low[d] = velocity.low[d] = -HALF_WIDTH;
        surface.high[d] = velocity.high[d] = v->cells[d] + 1 + HALF_WIDTH;
    }
    put_grid(&b, &surface);
    put_grid(&b, &velocity);
    if (!b.failed) put_uuid(b.data + uuid_at, b.data + uuid_at, b.size - uuid_at);
    mn_status status = file_replace(path, &b, true);
    bytes_free(&b);
    return status;
}
