// OpenVDB files, read back with a small reader of their format.
#include "tank_files.h"
#include <zlib.h>
#include "base/vec.h"
#include "output/files.h"
#include "output/vdb.h"

typedef struct Reader {
    const char* data;
    size_t size, at;
} Reader;

static void take(void* out, Reader* r, size_t size)
{
    if (size > r->size - r->at) fail_msg("the file ends at %zu, asked for %zu more at %zu", r->size, size, r->at);
    memcpy(out, r->data + r->at, size);
    r->at += size;
}

static uint32_t take_word(Reader* r)
{
    uint32_t v;
    take(&v, r, 4);
    return v;
}

static void take_text(char out[64], Reader* r)
{
    uint32_t length = take_word(r);
    assert_true(length < 64);
    take(out, r, length);
    out[length] = 0;
}

static void take_values(float* out, Reader* r, size_t count)
{
    char how;
    int64_t length;
    take(&how, r, 1);
    assert_int_equal(how, 6);
    take(&length, r, 8);
    if (length < 0) {
        assert_int_equal(-length, count*4);
        take(out, r, count*4);
        return;
    }
    uLongf size = count*4;
    assert_true((size_t)length <= r->size - r->at);
    assert_int_equal(uncompress((Bytef*)out, &size, (const Bytef*)r->data + r->at, (uLong)length), Z_OK);
    assert_int_equal(size, count*4);
    r->at += (size_t)length;
}

// The values of a grid in a box around the tank, filled from tiles and leaves.
typedef struct Dense {
    int low, n[3], components;
    float* value;
    char* active;
    int (*leaf)[3];
    int leaves;
} Dense;

static void dense_fill(Dense* g, const int origin[3], int size, const float* value)
{
    for (int i = maxi(origin[0], g->low); i < mini(origin[0] + size, g->low + g->n[0]); i++)
        for (int j = maxi(origin[1], g->low); j < mini(origin[1] + size, g->low + g->n[1]); j++)
            for (int k = maxi(origin[2], g->low); k < mini(origin[2] + size, g->low + g->n[2]); k++)
                memcpy(g->value + g->components*(((i - g->low)*g->n[1] + j - g->low)*g->n[2] + k - g->low), value,
                       4*(size_t)g->components);
}

static void read_node(Dense* g, Reader* r, const int origin[3], int level)
{
    static const int log2_children[3] = {3, 4, 5}, log2_voxels[3] = {3, 7, 12};
    if (level == 0) {
        r->at += 64;  // the mask comes again with the values
        memcpy(g->leaf[g->leaves++], origin, sizeof *g->leaf);
        return;
    }
    int side = log2_children[level], count = 1 << 3*side, step = 1 << log2_voxels[level - 1];
    uint64_t *child = malloc((size_t)count/8), *active = malloc((size_t)count/8);
    float* tile = malloc((size_t)count*4*(size_t)g->components);
    take(child, r, (size_t)count/8);
    take(active, r, (size_t)count/8);
    take_values(tile, r, (size_t)(count*g->components));
    for (int m = 0; m < count; m++) {
        int at[3] = {origin[0] + (m >> 2*side)*step, origin[1] + (m >> side & ((1 << side) - 1))*step,
                     origin[2] + (m & ((1 << side) - 1))*step};
        assert_false(active[m/64] >> m%64 & 1);
        if (child[m/64] >> m%64 & 1) read_node(g, r, at, level - 1);
        else dense_fill(g, at, step, tile + m*g->components);
    }
    free(child), free(active), free(tile);
}

static void read_leaves(Dense* g, Reader* r)
{
    float value[3*512];
    for (int l = 0; l < g->leaves; l++) {
        uint64_t mask[8];
        take(mask, r, sizeof mask);
        take_values(value, r, (size_t)(512*g->components));
        for (int m = 0; m < 512; m++) {
            int at[3] = {g->leaf[l][0] + (m >> 6), g->leaf[l][1] + (m >> 3 & 7), g->leaf[l][2] + (m & 7)};
            dense_fill(g, at, 1, value + m*g->components);
            bool in = true;
            for (int d = 0; d < 3; d++) in = in && at[d] >= g->low && at[d] < g->low + g->n[d];
            if (in)
                g->active[((at[0] - g->low)*g->n[1] + at[1] - g->low)*g->n[2] + at[2] - g->low] = mask[m/64] >> m%64 & 1;
            else assert_false(mask[m/64] >> m%64 & 1);
        }
    }
}

static void dense_free(Dense* g) { free(g->value), free(g->active), free(g->leaf); }

static Dense read_grid(Reader* r, const Volume* v, const char* name, const char* type, int components)
{
    char text[64];
    int64_t place[3];
    double map[15];
    Dense g = {.low = -8, .components = components};
    take_text(text, r), assert_string_equal(text, name);
    take_text(text, r), assert_string_equal(text, type);
    take_text(text, r), assert_string_equal(text, "");
    take(place, r, sizeof place);
    assert_int_equal(place[0], r->at);
    assert_int_equal(take_word(r), 1);  // zip
    for (uint32_t count = take_word(r); count > 0; count--)
        for (int part = 0; part < 3; part++) take_text(text, r);
    take_text(text, r), assert_string_equal(text, "UniformScaleMap");
    take(map, r, sizeof map);
    for (int d = 0; d < 3; d++) CHECK_CLOSE(map[d], v->dx, 1e-15);
    assert_int_equal(take_word(r), 1);
    float background[3];
    take(background, r, 4*(size_t)components);
    size_t count = 1;
    for (int d = 0; d < 3; d++) g.n[d] = v->cells[d] + 17, count *= (size_t)g.n[d];
    g.value = malloc(count*4*(size_t)components), g.active = calloc(count, 1), g.leaf = malloc(sizeof *g.leaf*1000);
    dense_fill(&g, (int[3]){-8, -8, -8}, 1000, background);
    assert_int_equal(take_word(r), 0);  // tiles of the root
    for (uint32_t children = take_word(r); children > 0; children--) {
        int32_t key[3];
        take(key, r, sizeof key);
        read_node(&g, r, key, 2);
    }
    assert_int_equal(place[1], r->at);
    read_leaves(&g, r);
    assert_int_equal(place[2], r->at);
    return g;
}

// The file of a volume, read up to its first grid of two.
static Reader written(Bytes* file, const Volume* v)
{
    CHECK_OK(vdb_write(in("v.vdb"), v));
    CHECK_OK(file_read(file, in("v.vdb")));
    Reader r = {file->data, file->size, 0};
    int64_t magic;
    char text[64], has_places;
    take(&magic, &r, 8), assert_int_equal(magic, 0x56444220);
    assert_int_equal(take_word(&r), 224);
    r.at += 8;
    take(&has_places, &r, 1), assert_int_equal(has_places, 1);
    take(text, &r, 36);
    assert_true(text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-');
    assert_int_equal(take_word(&r), 1);
    for (int part = 0; part < 3; part++) take_text(text, &r);
    assert_int_equal(take_word(&r), 2);
    return r;
}

// The level set of the file is that of the simulation in the tank, and positive outside it; inside the liquid it is minus
// its background, also where the file only has a tile. Velocities are those of the nodes.
static void test_vdb(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w, scene_3d);
    Volume v;
    CHECK_OK(volume_make(&v, &w.sim));
    Bytes file;
    Reader r = written(&file, &v);
    Dense phi = read_grid(&r, &v, "surface", "Tree_float_5_4_3", 1), u = read_grid(&r, &v, "velocity", "Tree_vec3s_5_4_3", 3);
    assert_int_equal(r.at, r.size);
    float background = (float)(3*v.dx);
    int active = 0, inside = 0;
    for (int i = -8; i < v.cells[0] + 9; i++)
        for (int j = -8; j < v.cells[1] + 9; j++)
            for (int k = -8; k < v.cells[2] + 9; k++) {
                int m = ((i + 8)*phi.n[1] + j + 8)*phi.n[2] + k + 8;
                bool in = i > 0 && i < v.cells[0] && j > 0 && j < v.cells[1] && k > 0 && k < v.cells[2];
                int deep = mini(mini(mini(i, v.cells[0] - i), mini(j, v.cells[1] - j)),
                                mini(k, v.cells[2] - k));  // cells from the walls
                if (in) {
                    size_t node = volume_node(&v, i, j, k);
                    float expected = (float)clamp(fmax(v.phi[node], -deep*v.dx), -background, background);
                    CHECK_WITHIN(phi.value[m], expected, 1e-9);
                    if (phi.active[m])
                        for (int d = 0; d < 3; d++) assert_true(u.value[3*m + d] == v.u[node][d]);
                    inside += phi.value[m] == -background;
                } else {
                    assert_true(phi.value[m] >= 0);
                }
                assert_int_equal(phi.active[m], fabsf(phi.value[m]) < background);
                active += phi.active[m];
            }
    assert_true(active > 1000);
    print_message("%d active voxels, %d inside, %d leaves, %zu bytes\n", active, inside, phi.leaves, file.size);
    dense_free(&phi), dense_free(&u);
    bytes_free(&file);
    volume_free(&v);
    tank_run_free(&w);
}

// A pool so deep that whole nodes lie inside it: they are tiles of minus the background.
static void test_vdb_inside_is_negative(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w,
                  "return scene { domain = { size = { mm(40), mm(40), mm(40) }, cells = 40 }, frames = { rate = 1, count = 1 },"
                  " liquids = { pool { depth = mm(35) } } }");
    Volume v;
    CHECK_OK(volume_make(&v, &w.sim));
    Bytes file;
    Reader r = written(&file, &v);
    Dense phi = read_grid(&r, &v, "surface", "Tree_float_5_4_3", 1);
    assert_true(phi.leaves < 7*7*7 - 20);
    for (int j = 4; j < 31; j++) CHECK_CLOSE(phi.value[((20 + 8)*phi.n[1] + j + 8)*phi.n[2] + 20 + 8], -3e-3, 1e-6);
    dense_free(&phi);
    bytes_free(&file);
    volume_free(&v);
    tank_run_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_vdb),
        IN_FOLDER(test_vdb_inside_is_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
