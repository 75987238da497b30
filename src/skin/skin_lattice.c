#include "skin/skin_lattice.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

// Circumradius of a tetrahedron of the lattice over H: sqrt(5)/4. Its centroid is the centre of that ball.
#define REACH 0.5590169943749475
#define MOST_CUBES 5e7
#define MOST_FINE 1e9  // numbers of fine tetrahedra are ints

void skin_lattice_free(SkinLattice* l)
{
    free(l->key), free(l->rest), free(l->node), free(l->next), free(l->face), free(l->turn);
    skin_template_free(&l->fine);
    *l = (SkinLattice){0};
}

// The cubes around the body, and what has been found in them.
typedef struct Cubes {
    const SkinLatticeOptions* o;
    SkinDistance distance;
    const void* body;
    int first[3], n[3];  // cube (0, 0, 0) begins at first*H
    double* depth;       // m, distance at the centres of cubes
    int* number[2];      // nodes given to corners ([0], n + 1 per axis) and centres ([1]); -1: none
    int room;
} Cubes;

static size_t cube_index(const Cubes* c, int i, int j, int k, int more)
{
    return ((size_t)k*(size_t)(c->n[1] + more) + (size_t)j)*(size_t)(c->n[0] + more) + (size_t)i;
}

static size_t cube_count(const Cubes* c, int more)
{
    return (size_t)(c->n[0] + more)*(size_t)(c->n[1] + more)*(size_t)(c->n[2] + more);
}

static mn_status grow(SkinLattice* l, Cubes* c)
{
    if (l->tets < c->room) return MN_OK;
    int room = c->room ? 2*c->room : 1024;
    int(*node)[4] = realloc(l->node, sizeof *node*(size_t)room);
    if (!node) return mn_fail(MN_NO_MEMORY, "out of memory: the lattice around a skin");
    l->node = node, c->room = room;
    return MN_OK;
}

// Keys of nodes are counted in H/2 from the first cube's corner while the lattice grows; all are told apart by `slot`.
static size_t node_slot(const Cubes* c, const int key[3], int* kind)
{
    *kind = key[0] & 1;
    return cube_index(c, key[0] >> 1, key[1] >> 1, key[2] >> 1, 1 - *kind);
}

// For all of centre, its neighbour along axis, and the four edges of the face between: numbers of the four nodes' keys.
static void tet_keys(int key[4][3], const int cube[3], int axis, int edge)
{
    int a = (axis + 1)%3, b = (axis + 2)%3;
    for (int d = 0; d < 3; d++) key[0][d] = key[1][d] = 2*cube[d] + 1;
    key[1][axis] += 2;
    // corners of the face, going round
    static const int round[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    for (int k = 0; k < 2; k++) {
        const int* r = round[(edge + k)%4];
        key[2 + k][axis] = 2*cube[axis] + 2;
        key[2 + k][a] = 2*cube[a] + r[0];
        key[2 + k][b] = 2*cube[b] + r[1];
    }
}

static void key_place(double x[3], const Cubes* c, double h, const int key[3])
{
    for (int d = 0; d < 3; d++) x[d] = (c->first[d] + 0.5*key[d])*h;
}

// The ball around a tetrahedron meets the band.
static bool is_kept(const Cubes* c, double h, const int key[4][3])
{
    double middle[3] = {0, 0, 0}, x[3];
    for (int k = 0; k < 4; k++) {
        key_place(x, c, h, key[k]);
        for (int d = 0; d < 3; d++) middle[d] += 0.25*x[d];
    }
    double phi = c->distance(c->body, middle);
    return phi >= -c->o->inner - REACH*h && phi <= c->o->outer + REACH*h;
}

static mn_status add_tets_of(SkinLattice* l, Cubes* c, const int cube[3])
{
    double h = l->spacing, margin = 1.2*h;  // centroids lie closer than that to the cube's centre
    double phi = c->depth[cube_index(c, cube[0], cube[1], cube[2], 0)];
    if (phi < -c->o->inner - margin - REACH*h || phi > c->o->outer + margin + REACH*h) return MN_OK;
    for (int axis = 0; axis < 3; axis++) {
        if (cube[axis] + 1 >= c->n[axis]) continue;
        for (int edge = 0; edge < 4; edge++) {
            int key[4][3];
            tet_keys(key, cube, axis, edge);
            if (!is_kept(c, h, (const int(*)[3])key)) continue;
            TRY(grow(l, c));
            int* tet = l->node[l->tets++];
            for (int k = 0; k < 4; k++) {
                int kind;
                size_t slot = node_slot(c, key[k], &kind);
                int* number = &c->number[kind][slot];
                if (*number < 0) *number = l->nodes++;
                tet[k] = *number;
            }
        }
    }
    return MN_OK;
}

static mn_status no_memory(void) { return mn_fail(MN_NO_MEMORY, "out of memory: the lattice around a skin"); }

static mn_status place_nodes(SkinLattice* l, const Cubes* c)
{
    l->key = calloc((size_t)l->nodes, sizeof *l->key);
    l->rest = calloc((size_t)l->nodes, sizeof *l->rest);
    if (!l->key || !l->rest) return no_memory();
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < c->n[2] + 1 - kind; k++)
            for (int j = 0; j < c->n[1] + 1 - kind; j++)
                for (int i = 0; i < c->n[0] + 1 - kind; i++) {
                    int m = c->number[kind][cube_index(c, i, j, k, 1 - kind)];
                    if (m < 0) continue;
                    const int at[3] = {i, j, k};
                    for (int d = 0; d < 3; d++) {
                        l->key[m][d] = 2*(c->first[d] + at[d]) + kind;
                        l->rest[m][d] = 0.5*l->key[m][d]*l->spacing;
                    }
                }
    return MN_OK;
}

static double six_volumes(const SkinLattice* l, int tet)
{
    double e[3][3], n[3];
    for (int k = 0; k < 3; k++) vec_sub(e[k], l->rest[l->node[tet][k + 1]], l->rest[l->node[tet][0]]);
    vec_cross(n, e[0], e[1]);
    return vec_dot(n, e[2]);
}

typedef struct CoarseFace {
    int key[3];        // nodes, rising
    uint8_t order[3];  // whose corner of the face (0 to 2, rising corner) each is
    uint8_t face;
    int tet;
} CoarseFace;

static int face_order(const void* p, const void* q)
{
    const CoarseFace *a = p, *b = q;
    for (int k = 0; k < 3; k++)
        if (a->key[k] != b->key[k]) return a->key[k] < b->key[k] ? -1 : 1;
    return a->tet < b->tet ? -1 : a->tet > b->tet;
}

static void face_of(CoarseFace* f, const SkinLattice* l, int tet, int face)
{
    for (int k = 0; k < 3; k++) f->key[k] = l->node[tet][skin_face_corner[face][k]], f->order[k] = (uint8_t)k;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (f->key[k] > f->key[k + 1]) {
                int node = f->key[k];
                uint8_t corner = f->order[k];
                f->key[k] = f->key[k + 1], f->order[k] = f->order[k + 1];
                f->key[k + 1] = node, f->order[k + 1] = corner;
            }
    f->tet = tet, f->face = (uint8_t)face;
}

// Corner k of his face is the same node as corner skin_turn[turn][k] of mine.
static int turn_between(const CoarseFace* mine, const CoarseFace* his)
{
    uint8_t of[3];
    for (int m = 0; m < 3; m++) of[his->order[m]] = mine->order[m];
    for (int turn = 0; turn < SKIN_TURNS; turn++)
        if (memcmp(of, skin_turn[turn], sizeof of) == 0) return turn;
    return assert(0), 0;
}

static void join_faces(SkinLattice* l, const CoarseFace* a, const CoarseFace* b)
{
    l->next[a->tet][a->face] = b->tet;
    l->face[a->tet][a->face] = b->face;
    l->turn[a->tet][a->face] = (uint8_t)turn_between(a, b);
}

static mn_status match_faces(SkinLattice* l)
{
    size_t faces = 4*(size_t)l->tets;
    CoarseFace* list = malloc(sizeof *list*faces);
    l->next = malloc(sizeof *l->next*(size_t)l->tets);
    l->face = calloc((size_t)l->tets, sizeof *l->face);
    l->turn = calloc((size_t)l->tets, sizeof *l->turn);
    if (!list || !l->next || !l->face || !l->turn) return free(list), no_memory();
    memset(l->next, -1, sizeof *l->next*(size_t)l->tets);
    for (int t = 0; t < l->tets; t++)
        for (int f = 0; f < 4; f++) face_of(&list[4*(size_t)t + (size_t)f], l, t, f);
    qsort(list, faces, sizeof *list, face_order);
    for (size_t m = 0; m + 1 < faces; m++)
        if (memcmp(list[m].key, list[m + 1].key, sizeof list[m].key) == 0) {
            join_faces(l, &list[m], &list[m + 1]);
            join_faces(l, &list[m + 1], &list[m]);
        }
    free(list);
    return MN_OK;
}

static mn_status find_tets(SkinLattice* l, Cubes* c)
{
    double h = l->spacing;
    size_t cubes = cube_count(c, 0);
    c->depth = malloc(sizeof *c->depth*cubes);
    c->number[0] = malloc(sizeof *c->number[0]*cube_count(c, 1));
    c->number[1] = malloc(sizeof *c->number[1]*cubes);
    if (!c->depth || !c->number[0] || !c->number[1]) return no_memory();
    memset(c->number[0], -1, sizeof *c->number[0]*cube_count(c, 1));
    memset(c->number[1], -1, sizeof *c->number[1]*cubes);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < c->n[2]; k++)
        for (int j = 0; j < c->n[1]; j++)
            for (int i = 0; i < c->n[0]; i++) {
                double x[3];
                key_place(x, c, h, (const int[3]){2*i + 1, 2*j + 1, 2*k + 1});
                c->depth[cube_index(c, i, j, k, 0)] = c->distance(c->body, x);
            }
    for (int k = 0; k < c->n[2]; k++)
        for (int j = 0; j < c->n[1]; j++)
            for (int i = 0; i < c->n[0]; i++) TRY(add_tets_of(l, c, (const int[3]){i, j, k}));
    if (l->tets == 0) return mn_fail(MN_BAD_SCENE, "the lattice around a skin is empty: the body has no surface in its box");
    if ((double)l->tets*l->fine.fine > MOST_FINE)
        return mn_fail(MN_BAD_SCENE, "%.0f million tetrahedra around a skin, more than %.0f: its lattice is too fine",
                       l->tets*1e-6*l->fine.fine, MOST_FINE*1e-6);
    return MN_OK;
}

static mn_status build(SkinLattice* l, Cubes* c)
{
    double h = l->spacing, total = 1;
    for (int d = 0; d < 3; d++) {
        double margin = c->o->outer + 2*h, first = floor((c->o->low[d] - margin)/h),
               last = ceil((c->o->high[d] + margin)/h);
        total *= last - first;
        if (!(total < MOST_CUBES && fabs(first) < 1e8))
            return mn_fail(MN_BAD_SCENE, "the lattice around a skin, of spacing %g m, is far too fine for a body of %g m", h,
                           c->o->high[d] - c->o->low[d]);
        c->first[d] = (int)first, c->n[d] = (int)(last - first);
    }
    TRY(find_tets(l, c));
    TRY(place_nodes(l, c));
    for (int t = 0; t < l->tets; t++) {
        int* node = l->node[t];
        if (six_volumes(l, t) > 0) continue;
        int swap = node[2];
        node[2] = node[3], node[3] = swap;
    }
    return match_faces(l);
}

mn_status skin_lattice_init(SkinLattice* l, const SkinLatticeOptions* o, SkinDistance distance, const void* body)
{
    assert(o->spacing > 0 && o->inner > 0 && o->outer > 0);
    *l = (SkinLattice){.spacing = o->spacing*(1 << o->level)};
    TRY(skin_template_init(&l->fine, o->level));
    Cubes c = {.o = o, .distance = distance, .body = body};
    mn_status status = build(l, &c);
    free(c.depth), free(c.number[0]), free(c.number[1]);
    if (status != MN_OK) skin_lattice_free(l);
    return status;
}

bool skin_lattice_is_valid(const SkinLattice* l)
{
    for (int t = 0; t < l->tets; t++) {
        if (!(six_volumes(l, t) > 0)) return false;
        for (int f = 0; f < 4; f++) {
            int other = l->next[t][f];
            if (other < 0) continue;
            if (other >= l->tets || l->next[other][l->face[t][f]] != t) return false;
            for (int k = 0; k < 3; k++) {
                int his = l->node[other][skin_face_corner[l->face[t][f]][k]];
                if (his != l->node[t][skin_face_corner[f][skin_turn[l->turn[t][f]][k]]]) return false;
            }
        }
    }
    return true;
}
