#include "skin/skin_template.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const uint8_t skin_turn[SKIN_TURNS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
const uint8_t skin_face_corner[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

enum { SIDE = (1 << SKIN_LEVEL_MOST) + 1 };

// What is needed only while the tables are made.
typedef struct Making {
    SkinTemplate* t;
    int node_of[SIDE][SIDE][SIDE];      // by b0, b1, b2; -1: no fine corner is there
    int cell_of[SKIN_SUMS][SKIN_SUMS];  // triangles of a coarse face, by the sums of their corners' coordinates
    uint8_t (*whole)[4][4];             // corners of the fine tetrahedra as coordinates
} Making;

void skin_template_free(SkinTemplate* t)
{
    free(t->bary), free(t->corner), free(t->next), free(t->cell), free(t->behind), free(t->behind_face), free(t->turned);
    *t = (SkinTemplate){0};
}

// The eight children of a tetrahedron [bey1995], the octahedron in its middle cut along the line between the middles of the two
// long edges, which is the shortest: all eight have the shape of their parent, and again long edges (0,1) and (2,3). A corner is
// the middle of two of the parent's, which may be the same one.
static const uint8_t child_corner[8][4][2] = {{{0, 0}, {0, 1}, {0, 2}, {0, 3}}, {{0, 1}, {1, 1}, {1, 2}, {1, 3}},
                                              {{0, 2}, {1, 2}, {2, 2}, {2, 3}}, {{0, 3}, {1, 3}, {2, 3}, {3, 3}},
                                              {{0, 1}, {2, 3}, {1, 2}, {0, 2}}, {{0, 1}, {2, 3}, {1, 3}, {1, 2}},
                                              {{0, 1}, {2, 3}, {0, 3}, {1, 3}}, {{0, 1}, {2, 3}, {0, 2}, {0, 3}}};

static void divide(uint8_t (*out)[4][4], const uint8_t parent[4][4], int levels, int path)
{
    if (levels == 0) {
        memcpy(out[path], parent, sizeof out[path]);
        return;
    }
    for (int c = 0; c < 8; c++) {
        uint8_t child[4][4];
        for (int k = 0; k < 4; k++)
            for (int d = 0; d < 4; d++)
                child[k][d] = (uint8_t)((parent[child_corner[c][k][0]][d] + parent[child_corner[c][k][1]][d])/2);
        divide(out, child, levels - 1, 8*path + c);
    }
}

static void number_nodes(Making* m)
{
    SkinTemplate* t = m->t;
    memset(m->node_of, -1, sizeof m->node_of);
    t->nodes = 0;
    for (int f = 0; f < t->fine; f++)
        for (int k = 0; k < 4; k++) {
            const uint8_t* b = m->whole[f][k];
            int* node = &m->node_of[b[0]][b[1]][b[2]];
            if (*node < 0) {
                *node = t->nodes++;
                memcpy(t->bary[*node], b, sizeof t->bary[0]);
            }
            t->corner[f][k] = (uint16_t)*node;
        }
}

// Fine tetrahedra that share three nodes are neighbours.
typedef struct Face {
    int key[3];  // nodes, rising
    int fine, face;
} Face;

static int face_order(const void* p, const void* q)
{
    const Face *a = p, *b = q;
    for (int k = 0; k < 3; k++)
        if (a->key[k] != b->key[k]) return a->key[k] < b->key[k] ? -1 : 1;
    return a->fine - b->fine;
}

static void sort_three(int v[3])
{
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++)
            if (v[j] > v[j + 1]) {
                int swap = v[j];
                v[j] = v[j + 1], v[j + 1] = swap;
            }
}

// The coarse face on which all corners of a fine face lie; -1: none.
static int coarse_face(const SkinTemplate* t, int fine, int face)
{
    for (int big = 0; big < 4; big++) {
        bool on = true;
        for (int k = 0; k < 3; k++) on &= t->bary[t->corner[fine][skin_face_corner[face][k]]][big] == 0;
        if (on) return big;
    }
    return -1;
}

// A triangle on a coarse face is known by where its corners' sum lies along two of the face's corners.
static void face_sums(int sum[3], const SkinTemplate* t, int fine, int face, int big)
{
    for (int d = 0; d < 3; d++) {
        sum[d] = 0;
        for (int k = 0; k < 3; k++) sum[d] += t->bary[t->corner[fine][skin_face_corner[face][k]]][skin_face_corner[big][d]];
    }
}

static void number_rim(Making* m)
{
    SkinTemplate* t = m->t;
    memset(m->cell_of, -1, sizeof m->cell_of);
    int cells = 0, sum[3];
    for (int f = 0; f < t->fine; f++)
        for (int face = 0; face < 4; face++) {
            int big = coarse_face(t, f, face);
            if (big < 0) continue;
            face_sums(sum, t, f, face, big);
            int* cell = &m->cell_of[sum[0]][sum[1]];
            if (*cell < 0) *cell = cells++;
            t->next[f][face] = (int16_t)(-1 - big);
            t->cell[f][face] = (uint16_t)*cell;
            t->behind[*cell][big] = (uint16_t)f;
            t->behind_face[*cell][big] = (uint8_t)face;
        }
    assert(cells == t->rim);
    int sums = 3*(1 << t->level);
    for (int a = 0; a <= sums; a++)
        for (int b = 0; a + b <= sums; b++) {
            if (m->cell_of[a][b] < 0) continue;
            const int mine[3] = {a, b, sums - a - b};
            for (int turn = 0; turn < SKIN_TURNS; turn++) {
                int his = m->cell_of[mine[skin_turn[turn][0]]][mine[skin_turn[turn][1]]];
                assert(his >= 0);
                t->turned[m->cell_of[a][b]][turn] = (uint16_t)his;
            }
        }
}

static mn_status match_faces(SkinTemplate* t)
{
    Face* list = malloc(sizeof *list*4*(size_t)t->fine);
    if (!list) return mn_fail(MN_NO_MEMORY, "out of memory: the template of a skin");
    for (int f = 0; f < t->fine; f++)
        for (int face = 0; face < 4; face++) {
            Face* one = &list[4*f + face];
            for (int k = 0; k < 3; k++) one->key[k] = t->corner[f][skin_face_corner[face][k]];
            sort_three(one->key);
            one->fine = f, one->face = face;
        }
    qsort(list, 4*(size_t)t->fine, sizeof *list, face_order);
    for (int m = 0; m + 1 < 4*t->fine; m++)
        if (memcmp(list[m].key, list[m + 1].key, sizeof list[m].key) == 0) {
            t->next[list[m].fine][list[m].face] = (int16_t)list[m + 1].fine;
            t->next[list[m + 1].fine][list[m + 1].face] = (int16_t)list[m].fine;
        }
    free(list);
    return MN_OK;
}

static mn_status fill(Making* m)
{
    SkinTemplate* t = m->t;
    const uint8_t one = (uint8_t)(1 << t->level);
    const uint8_t whole[4][4] = {{one, 0, 0, 0}, {0, one, 0, 0}, {0, 0, one, 0}, {0, 0, 0, one}};
    divide(m->whole, whole, t->level, 0);
    number_nodes(m);
    number_rim(m);
    return match_faces(t);
}

mn_status skin_template_init(SkinTemplate* t, int level)
{
    assert(level >= 1 && level <= SKIN_LEVEL_MOST);
    int side = 1 << level, fine = 1 << 3*level, rim = 1 << 2*level, nodes = (side + 1)*(side + 2)*(side + 3)/6;
    *t = (SkinTemplate){.level = level, .fine = fine, .rim = rim};
    t->bary = calloc((size_t)nodes, sizeof *t->bary);
    t->corner = calloc((size_t)fine, sizeof *t->corner);
    t->next = calloc((size_t)fine, sizeof *t->next);
    t->cell = calloc((size_t)fine, sizeof *t->cell);
    t->behind = calloc((size_t)rim, sizeof *t->behind);
    t->behind_face = calloc((size_t)rim, sizeof *t->behind_face);
    t->turned = calloc((size_t)rim, sizeof *t->turned);
    Making* m = calloc(1, sizeof *m);
    if (m) m->t = t, m->whole = calloc((size_t)fine, sizeof *m->whole);
    mn_status status = MN_NO_MEMORY;
    if (m && m->whole && t->bary && t->corner && t->next && t->cell && t->behind && t->behind_face && t->turned) status = fill(m);
    else mn_fail(MN_NO_MEMORY, "out of memory: the template of a skin");
    assert(status != MN_OK || t->nodes == nodes);
    if (m) free(m->whole);
    free(m);
    if (status != MN_OK) skin_template_free(t);
    return status;
}

// A child at a corner takes what is past half way to it. The octahedron that is left is cut by two planes through the line
// between the middles of the edges (0,1) and (2,3), f = b0 - b1 - b2 + b3 = 0 and g = b0 - b1 + b2 - b3 = 0. Each of its four
// pieces has corners m01, m23 and two middles of short edges; p are coordinates regarding it: the one of the middle that only it
// has over a corner of the parent is twice that corner's, the rest follow from sums and differences.
static int child_of(double b[4])
{
    for (int k = 0; k < 4; k++)
        if (b[k] > 0.5) {
            for (int d = 0; d < 4; d++) b[d] *= 2;
            b[k] -= 1;
            return k;
        }
    double f = b[0] - b[1] - b[2] + b[3], g = b[0] - b[1] + b[2] - b[3], p[4], s, d;
    int child;
    if (f <= 0 && g >= 0) {
        child = 4, p[1] = 2*b[3], s = 2*b[2] - p[1], d = 2*(b[1] - b[0]);
        p[2] = (s + d)/2, p[3] = (s - d)/2, p[0] = 2*b[0] - p[3];
    } else if (f <= 0) {
        child = 5, p[0] = 2*b[0], s = 2*b[1] - p[0], d = 2*(b[3] - b[2]);
        p[2] = (s + d)/2, p[3] = (s - d)/2, p[1] = 2*b[2] - p[3];
    } else if (g <= 0) {
        child = 6, p[1] = 2*b[2], s = 2*b[3] - p[1], d = 2*(b[0] - b[1]);
        p[2] = (s + d)/2, p[3] = (s - d)/2, p[0] = 2*b[0] - p[2];
    } else {
        child = 7, p[0] = 2*b[1], s = 2*b[0] - p[0], d = 2*(b[2] - b[3]);
        p[2] = (s + d)/2, p[3] = (s - d)/2, p[1] = 2*b[2] - p[2];
    }
    memcpy(b, p, sizeof p);
    return child;
}

int skin_descend(double b[4], const SkinTemplate* t)
{
    int path = 0;
    for (int level = 0; level < t->level; level++) path = 8*path + child_of(b);
    return path;
}
