#include "scene/mesh_sdf.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/budget.h"
#include "base/vec.h"
#include "scene/mesh_tree.h"

#define BRICK 4           // cells of spacing h along the edge of a block: far values are good to about as much
#define SIDE (BRICK + 1)  // values along it, shared with the neighbours
#define BAND 3            // cells around the surface that are exact
#define MARGIN 2          // blocks around the mesh
#define MAX_BLOCKS (1 << 22)

typedef float Brick[SIDE][SIDE][SIDE];

// Two levels. Coarse: the distance at the corners of blocks of BRICK^3 cells, everywhere. Fine: bricks of distances at every
// node, for the blocks that come near the surface. Memory and work then follow the surface, not the volume.
typedef struct Table {
    double h, origin[3];
    int blocks[3];   // 0: no table
    double* coarse;  // (blocks + 1)^3 values
    int* nearest;    // and the triangles they are the distances to
    int* brick_of;   // per block, -1 if it has none
    Brick* bricks;
    int brick_count;
} Table;

struct MeshSdf {
    TriMesh mesh;
    MeshTree tree;
    Table table;
    double dx;  // the table was made for it
    atomic_int references;
};

// ---------------------------------------------------------------- life

mn_status meshsdf_create(MeshSdf** out, TriMesh* mesh)
{
    *out = NULL;
    MeshSdf* sdf = calloc(1, sizeof *sdf);
    if (!sdf) return mn_fail(MN_NO_MEMORY, "no memory for a mesh");
    mn_status status = meshtree_init(&sdf->tree, mesh);
    if (status != MN_OK) {
        free(sdf);
        return status;
    }
    sdf->mesh = *mesh;
    memset(mesh, 0, sizeof *mesh);
    atomic_init(&sdf->references, 1);
    *out = sdf;
    return MN_OK;
}

static void table_free(Table* t)
{
    free(t->coarse);
    free(t->nearest);
    free(t->brick_of);
    free(t->bricks);
    memset(t, 0, sizeof *t);
}

MeshSdf* meshsdf_retain(MeshSdf* sdf)
{
    atomic_fetch_add(&sdf->references, 1);
    return sdf;
}

void meshsdf_release(MeshSdf* sdf)
{
    if (!sdf || atomic_fetch_sub(&sdf->references, 1) > 1) return;
    table_free(&sdf->table);
    meshtree_free(&sdf->tree);
    mesh_free(&sdf->mesh);
    free(sdf);
}

const TriMesh* meshsdf_mesh(const MeshSdf* sdf) { return &sdf->mesh; }
const MeshTree* meshsdf_tree(const MeshSdf* sdf) { return &sdf->tree; }

void meshsdf_bounds(double low[3], double high[3], const MeshSdf* sdf)
{
    memcpy(low, sdf->tree.nodes[0].low, 3*sizeof *low);
    memcpy(high, sdf->tree.nodes[0].high, 3*sizeof *high);
}

double meshsdf_winding(const MeshSdf* sdf, const double x[3]) { return meshtree_winding(&sdf->tree, x); }

double meshsdf_exact(const MeshSdf* sdf, const double x[3])
{
    int nearest = 0;
    double distance = meshtree_distance(&sdf->tree, x, &nearest);
    return meshtree_winding(&sdf->tree, x) > 0.5 ? -distance : distance;
}

double meshsdf_longest_shift(const MeshSdf* now, const MeshSdf* before)
{
    double longest = 0;
    for (int v = 0; v < now->mesh.vertex_count; v++) {
        double shift[3];
        vec_sub(shift, now->mesh.vertices[v], before->mesh.vertices[v]);
        longest = fmax(longest, vec_norm(shift));
    }
    return longest;
}

// ---------------------------------------------------------------- building the table

static size_t coarse_index(const Table* t, int i, int j, int k)
{
    return ((size_t)k*(size_t)(t->blocks[1] + 1) + (size_t)j)*(size_t)(t->blocks[0] + 1) + (size_t)i;
}

static size_t block_index(const Table* t, int i, int j, int k)
{
    return ((size_t)k*(size_t)t->blocks[1] + (size_t)j)*(size_t)t->blocks[0] + (size_t)i;
}

static void block_corner(double x[3], const Table* t, int i, int j, int k)
{
    const int at[3] = {i, j, k};
    for (int d = 0; d < 3; d++) x[d] = t->origin[d] + at[d]*BRICK*t->h;
}

// Spacing dx, or coarser when the mesh is so large against it that the blocks would not fit.
static void choose_blocks(Table* t, const MeshSdf* sdf, double dx)
{
    double low[3], high[3], total;
    meshsdf_bounds(low, high, sdf);
    for (t->h = dx;; t->h *= 1.25) {
        total = 1;
        for (int d = 0; d < 3; d++) total *= ceil((high[d] - low[d])/(BRICK*t->h)) + 2*MARGIN;
        if (total <= MAX_BLOCKS) break;
    }
    for (int d = 0; d < 3; d++) {
        double n = ceil((high[d] - low[d])/(BRICK*t->h)) + 2*MARGIN;
        t->blocks[d] = (int)n;
        t->origin[d] = (low[d] + high[d])/2 - n*BRICK*t->h/2;
    }
}

// A walk from node to node. The last node's nearest triangle is a good guess for the next, and when no surface fits between
// the two they have the same sign: most nodes then need no winding number.
typedef struct Walk {
    double value;  // at the last node
    int nearest;   // its triangle
} Walk;

// Goes on from *from (NULL: a fresh start), `step` away from x.
static Walk walk_to(const MeshSdf* sdf, const double x[3], const Walk* from, double step)
{
    Walk walk = {0, from ? from->nearest : 0};
    double distance = meshtree_distance(&sdf->tree, x, &walk.nearest);
    bool apart = from && fmax(fabs(from->value), distance) > 1.001*step;
    bool inside = apart ? from->value < 0 : meshtree_winding(&sdf->tree, x) > 0.5;
    walk.value = inside ? -distance : distance;
    return walk;
}

static void fill_brick(Brick values, const MeshSdf* sdf, const Table* t, const double corner[3])
{
    // at the start of this row, of this layer, and the last node
    Walk line = {0, 0}, layer = {0, 0}, walk = {0, 0};
    for (int k = 0; k < SIDE; k++) {
        for (int j = 0; j < SIDE; j++) {
            for (int i = 0; i < SIDE; i++) {
                double x[3] = {corner[0] + i*t->h, corner[1] + j*t->h, corner[2] + k*t->h};
                walk = walk_to(sdf, x, i ? &walk : j ? &line : k ? &layer : NULL, t->h);
                if (i == 0) line = walk;
                if (i == 0 && j == 0) layer = walk;
                values[k][j][i] = (float)walk.value;
            }
        }
    }
}

static bool block_is_near(const MeshSdf* sdf, const Table* t, const double corner[3], int nearest)
{
    double half = BRICK*t->h/2, x[3] = {corner[0] + half, corner[1] + half, corner[2] + half};
    return meshtree_distance(&sdf->tree, x, &nearest) < sqrt(3.0)*half + BAND*t->h;
}

static mn_status table_allocate(Table* t)
{
    size_t corners = (size_t)(t->blocks[0] + 1)*(size_t)(t->blocks[1] + 1)*(size_t)(t->blocks[2] + 1);
    t->coarse = malloc(corners*sizeof *t->coarse);
    t->nearest = malloc(corners*sizeof *t->nearest);
    t->brick_of = malloc((size_t)t->blocks[0]*(size_t)t->blocks[1]*(size_t)t->blocks[2]*sizeof *t->brick_of);
    return t->coarse && t->nearest && t->brick_of ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for the distances of a mesh");
}

// The corners of a row of blocks, and which of the blocks are near the surface.
static void fill_row(Table* t, const MeshSdf* sdf, int j, int k)
{
    Walk walk = {0, 0};
    for (int i = 0; i <= t->blocks[0]; i++) {
        double x[3];
        if (budget_is_spent()) return;
        block_corner(x, t, i, j, k);
        walk = walk_to(sdf, x, i ? &walk : NULL, BRICK*t->h);
        t->coarse[coarse_index(t, i, j, k)] = walk.value;
        t->nearest[coarse_index(t, i, j, k)] = walk.nearest;
        if (i == t->blocks[0] || j == t->blocks[1] || k == t->blocks[2]) continue;
        t->brick_of[block_index(t, i, j, k)] = block_is_near(sdf, t, x, walk.nearest) ? 0 : -1;
    }
}

// Both fills share their work among threads, each of which may take as long as is left to the one that asks. True: it was too
// long for one of them, and values are missing.
static bool fill_coarse(Table* t, const MeshSdf* sdf)
{
    double left = budget_left();
    bool spent = false;
#pragma omp parallel reduction(|| : spent)
    {
        Budget before = budget_enter(left);
#pragma omp for schedule(dynamic)
        for (int k = 0; k <= t->blocks[2]; k++)
            for (int j = 0; j <= t->blocks[1]; j++) fill_row(t, sdf, j, k);
        spent = budget_is_spent();
        budget_leave(before);
    }
    return spent;
}

static bool fill_bricks(Table* t, const MeshSdf* sdf)
{
    double left = budget_left();
    bool spent = false;
    int count = t->blocks[0]*t->blocks[1]*t->blocks[2];
#pragma omp parallel reduction(|| : spent)
    {
        Budget before = budget_enter(left);
#pragma omp for schedule(dynamic)
        for (int b = 0; b < count; b++) {
            double corner[3];
            if (t->brick_of[b] < 0 || budget_is_spent()) continue;
            block_corner(corner, t, b%t->blocks[0], b/t->blocks[0]%t->blocks[1], b/t->blocks[0]/t->blocks[1]);
            fill_brick(t->bricks[t->brick_of[b]], sdf, t, corner);
        }
        spent = budget_is_spent();
        budget_leave(before);
    }
    return spent;
}

static mn_status table_fill(Table* t, const MeshSdf* sdf)
{
    static const char too_long[] = "the distances to a mesh of %d triangles take too long; are many in the same place?";
    if (fill_coarse(t, sdf)) return mn_fail(MN_BAD_MESH, too_long, sdf->tree.triangle_count);
    int count = t->blocks[0]*t->blocks[1]*t->blocks[2];
    for (int b = 0; b < count; b++)
        if (t->brick_of[b] == 0) t->brick_of[b] = t->brick_count++;
    t->bricks = malloc((size_t)t->brick_count*sizeof *t->bricks);
    if (!t->bricks) return mn_fail(MN_NO_MEMORY, "no memory for the distances of a mesh");
    return fill_bricks(t, sdf) ? mn_fail(MN_BAD_MESH, too_long, sdf->tree.triangle_count) : MN_OK;
}

mn_status meshsdf_prepare(MeshSdf* sdf, double dx)
{
    if (sdf->table.blocks[0] > 0 && sdf->dx <= dx*(1 + 1e-9)) return MN_OK;
    Table table = {0};
    choose_blocks(&table, sdf, dx);
    mn_status status = table_allocate(&table);
    if (status == MN_OK) status = table_fill(&table, sdf);
    if (status != MN_OK) {
        table_free(&table);
        return status;
    }
    table_free(&sdf->table);
    sdf->table = table;
    sdf->dx = dx;
    return MN_OK;
}

// ---------------------------------------------------------------- asking it

static double blend(double a, double b, double t) { return a + t*(b - a); }

// v[z][y][x] at the corners of a cell, f the place in it.
static double trilinear(double v[2][2][2], const double f[3])
{
    double line[2][2];
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++) line[k][j] = blend(v[k][j][0], v[k][j][1], f[0]);
    return blend(blend(line[0][0], line[0][1], f[1]), blend(line[1][0], line[1][1], f[1]), f[2]);
}

// Which of `count` cells of the given size s falls into, and where in it.
static int locate(double* fraction, double s, double size, int count)
{
    int i = clampi((int)(s/size), 0, count - 1);
    *fraction = clamp(s/size - i, 0, 1);
    return i;
}

static double table_value(const Table* t, const double x[3])
{
    int block[3], cell[3];
    double f[3], v[2][2][2];
    for (int d = 0; d < 3; d++) block[d] = locate(&f[d], x[d] - t->origin[d], BRICK*t->h, t->blocks[d]);
    int brick = t->brick_of[block_index(t, block[0], block[1], block[2])];
    if (brick >= 0) {
        for (int d = 0; d < 3; d++) cell[d] = locate(&f[d], x[d] - t->origin[d] - block[d]*BRICK*t->h, t->h, BRICK);
    }
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < 2; j++) {
            for (int i = 0; i < 2; i++) {
                v[k][j][i] = brick >= 0 ? t->bricks[brick][cell[2] + k][cell[1] + j][cell[0] + i]
                                        : t->coarse[coarse_index(t, block[0] + i, block[1] + j, block[2] + k)];
            }
        }
    }
    return trilinear(v, f);
}

// Beyond the table, with y the nearest point of it: for any point p of the mesh the angle at y between x and p is not
// sharp, so |x - p|^2 >= |x - y|^2 + |y - p|^2. What we return never exceeds the true distance and joins the table smoothly.
double meshsdf_distance(const MeshSdf* sdf, const double x[3])
{
    const Table* t = &sdf->table;
    if (t->blocks[0] == 0) return meshsdf_exact(sdf, x);
    double y[3], beyond = 0;
    for (int d = 0; d < 3; d++) {
        y[d] = clamp(x[d], t->origin[d], t->origin[d] + t->blocks[d]*BRICK*t->h);
        beyond += (x[d] - y[d])*(x[d] - y[d]);
    }
    double value = table_value(t, y);
    return beyond > 0 ? sqrt(beyond + value*value) : value;
}

// ---------------------------------------------------------------- forms

// The triangle whose motion a point follows. Deep in a body, or far from it, that of the nearest corner of a block will do; near
// the surface it makes the search for the right one short.
static int triangle_near(const MeshSdf* sdf, const double x[3])
{
    const Table* t = &sdf->table;
    int nearest = 0, corner[3];
    if (t->blocks[0] > 0) {
        for (int d = 0; d < 3; d++) corner[d] = clampi((int)((x[d] - t->origin[d])/(BRICK*t->h) + 0.5), 0, t->blocks[d]);
        nearest = t->nearest[coarse_index(t, corner[0], corner[1], corner[2])];
        if (fabs(meshsdf_distance(sdf, x)) > BAND*t->h) return nearest;
    }
    meshtree_distance(&sdf->tree, x, &nearest);
    return nearest;
}

void meshsdf_shift(double out[3], const MeshSdf* now, const MeshSdf* before, const double x[3])
{
    int nearest = triangle_near(now, x);
    double weight[3];
    meshtree_weights(weight, &now->tree, x, nearest);
    const int* corner = now->mesh.triangles[now->tree.order[nearest]];
    out[0] = out[1] = out[2] = 0;
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            out[d] += weight[c]*(now->mesh.vertices[corner[c]][d] - before->mesh.vertices[corner[c]][d]);
}
