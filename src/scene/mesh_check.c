// What is wrong with a mesh, and the repairs that make its distance well defined.
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/mesh_build.h"

// One side of a triangle, from corner to corner + 1, with its ends by welded number so that it sorts next to its twin.
typedef struct Edge {
    int low, high;  // welded ends, low < high
    int triangle;
    int forward;   // 1: the triangle runs from low to high. Not a bool: gcc 12 -O3 dies vectorising list_edges then
    int from, to;  // the ends as the triangle has them
} Edge;

// ---------------------------------------------------------------- triangles without area

static double corner_cross(double cross[3], const TriMesh* m, const int t[3])
{
    double a[3], b[3], c[3];
    vec_sub(a, m->vertices[t[1]], m->vertices[t[0]]);
    vec_sub(b, m->vertices[t[2]], m->vertices[t[0]]);
    vec_sub(c, m->vertices[t[2]], m->vertices[t[1]]);
    vec_cross(cross, a, b);
    return fmax(vec_dot(a, a), fmax(vec_dot(b, b), vec_dot(c, c)));
}

// Height below 1e-12 of the longest side: its normal would be noise.
static void drop_degenerate(TriMesh* m)
{
    int kept = 0;
    for (int t = 0; t < m->triangle_count; t++) {
        double cross[3];
        double longest2 = corner_cross(cross, m, m->triangles[t]);
        if (!(vec_norm(cross) > 1e-12*longest2)) continue;
        memmove(m->triangles[kept++], m->triangles[t], sizeof *m->triangles);
    }
    m->dropped = m->triangle_count - kept;
    m->triangle_count = kept;
}

// ---------------------------------------------------------------- edges

static int compare_points(const void* a, const void* b, void* context)
{
    double(*x)[3] = context;
    const double *p = x[*(const int*)a], *q = x[*(const int*)b];
    for (int d = 0; d < 3; d++)
        if (p[d] != q[d]) return p[d] < q[d] ? -1 : 1;
    return 0;
}

// weld[v]: the same number for all vertices at the same place. Files often repeat a vertex for its normals.
static mn_status weld_vertices(int** out, const TriMesh* m, const char* name)
{
    int n = m->vertex_count;
    int *order = malloc((size_t)n*sizeof *order), *weld = malloc((size_t)n*sizeof *weld);
    if (!order || !weld) {
        free(order), free(weld);
        return mn_fail(MN_NO_MEMORY, "no memory to check %s", name);
    }
    for (int i = 0; i < n; i++) order[i] = i;
    qsort_r(order, (size_t)n, sizeof *order, compare_points, m->vertices);
    for (int i = 0, number = 0; i < n; i++) {
        if (i > 0 && compare_points(&order[i - 1], &order[i], m->vertices) != 0) number = i;
        weld[order[i]] = number;
    }
    free(order);
    *out = weld;
    return MN_OK;
}

static int compare_edges(const void* a, const void* b)
{
    const Edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return p->triangle - q->triangle;
}

static void list_edges(Edge* edges, const TriMesh* m, const int* weld)
{
    for (int t = 0; t < m->triangle_count; t++) {
        for (int c = 0; c < 3; c++) {
            int from = m->triangles[t][c], to = m->triangles[t][(c + 1)%3];
            int a = weld[from], b = weld[to];
            edges[3*t + c] = (Edge){mini(a, b), maxi(a, b), t, a < b, from, to};
        }
    }
}

static mn_status sorted_edges(Edge** out, const TriMesh* m, const char* name)
{
    int* weld = NULL;
    TRY(weld_vertices(&weld, m, name));
    Edge* edges = malloc((size_t)m->triangle_count*3*sizeof *edges);
    if (edges) list_edges(edges, m, weld);
    free(weld);
    if (!edges) return mn_fail(MN_NO_MEMORY, "no memory to check %s", name);
    qsort(edges, (size_t)m->triangle_count*3, sizeof *edges, compare_edges);
    *out = edges;
    return MN_OK;
}

// How many sides from `i` on lie on the same edge.
static int edge_uses(const Edge* edges, int i, int count)
{
    int n = 1;
    while (i + n < count && edges[i + n].low == edges[i].low && edges[i + n].high == edges[i].high) n++;
    return n;
}

// ---------------------------------------------------------------- flipped triangles

// Union-find that also knows whether a triangle is turned against the root of its patch.
typedef struct Patch {
    int parent;
    bool turned;
} Patch;

static int find_patch(Patch* p, int t, bool* turned)
{
    int root = t;
    bool parity = false;
    for (; p[root].parent != root; root = p[root].parent) parity ^= p[root].turned;
    *turned = parity;
    while (p[t].parent != root && t != root) {  // shorten the way for the next
        int next = p[t].parent;
        bool own = p[t].turned;
        p[t] = (Patch){root, parity};
        parity ^= own;
        t = next;
    }
    return root;
}

static void join_patches(Patch* p, int a, int b, bool against)
{
    bool turned_a, turned_b;
    int root_a = find_patch(p, a, &turned_a), root_b = find_patch(p, b, &turned_b);
    if (root_a != root_b) p[maxi(root_a, root_b)] = (Patch){mini(root_a, root_b), turned_a ^ turned_b ^ against};
}

static void turn_round(int t[3])
{
    int first = t[0];
    t[0] = t[1], t[1] = first;
}

// Two neighbours that face the same side run along their edge in opposite directions. Each patch takes the side that most
// of its area already faces, so that a cavity stays a cavity. At last, a mesh with negative volume is inside out: all turn.
static mn_status turn_flipped(TriMesh* m, const Edge* edges, const char* name)
{
    int n = m->triangle_count;
    Patch* patch = malloc((size_t)n*sizeof *patch);
    double* lean = calloc((size_t)n, sizeof *lean);  // area facing as the root does minus area against it
    if (!patch || !lean) {
        free(patch), free(lean);
        return mn_fail(MN_NO_MEMORY, "no memory to check %s", name);
    }
    for (int t = 0; t < n; t++) patch[t] = (Patch){t, false};
    for (int i = 0; i < 3*n;) {
        int uses = edge_uses(edges, i, 3*n);
        if (uses == 2) join_patches(patch, edges[i].triangle, edges[i + 1].triangle, edges[i].forward == edges[i + 1].forward);
        i += uses;
    }
    bool turned;
    double cross[3], volume = 0;
    for (int t = 0; t < n; t++) {
        int root = find_patch(patch, t, &turned);
        corner_cross(cross, m, m->triangles[t]);
        lean[root] += turned ? -vec_norm(cross) : vec_norm(cross);
    }
    for (int t = 0; t < n; t++) {
        int root = find_patch(patch, t, &turned);
        if (turned == (lean[root] < 0)) continue;
        turn_round(m->triangles[t]);
        m->flipped++;
    }
    for (int t = 0; t < n; t++) {
        // measured from the first vertex, lest a mesh far from the origin drown in rounding
        double a[3];
        corner_cross(cross, m, m->triangles[t]);
        vec_sub(a, m->vertices[m->triangles[t][0]], m->vertices[m->triangles[0][0]]);
        volume += vec_dot(a, cross);
    }
    if (volume < 0) {
        for (int t = 0; t < n; t++) turn_round(m->triangles[t]);
        m->flipped = n - m->flipped;
    }
    free(patch), free(lean);
    return MN_OK;
}

// ---------------------------------------------------------------- holes

// A rim: open edges that hang together, by union-find over welded vertices.
static int find_rim(int* parent, int v)
{
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

// Closes every rim with triangles to its middle, turned to agree with the triangles next to them. For a small hole that is
// what the missing surface nearly was; the distance near a hole is then smooth instead of jumping where the sign changes.
static mn_status cap_holes(TriMesh* m, const Edge* edges, const char* name)
{
    int sides = 3*m->triangle_count, n = m->vertex_count, open = 0;
    for (int i = 0; i < sides;) {
        int uses = edge_uses(edges, i, sides);
        open += uses == 1;
        m->crowded_edges += uses > 2;
        i += uses;
    }
    m->boundary_edges = open;
    if (open == 0) return MN_OK;
    int *parent = malloc((size_t)n*sizeof *parent), *center = malloc((size_t)n*sizeof *center);
    int* count = calloc((size_t)n, sizeof *count);
    double(*vertices)[3] = realloc(m->vertices, (size_t)(n + open)*sizeof *vertices);
    if (vertices) m->vertices = vertices;
    int(*triangles)[3] = realloc(m->triangles, (size_t)(m->triangle_count + open)*sizeof *triangles);
    if (triangles) m->triangles = triangles;
    if (!parent || !center || !count || !vertices || !triangles) {
        free(parent), free(center), free(count);
        return mn_fail(MN_NO_MEMORY, "no memory to check %s", name);
    }
    for (int v = 0; v < n; v++) parent[v] = v, center[v] = -1;
    for (int i = 0; i < sides; i += edge_uses(edges, i, sides)) {
        if (edge_uses(edges, i, sides) == 1) parent[find_rim(parent, edges[i].low)] = find_rim(parent, edges[i].high);
    }
    for (int i = 0; i < sides; i += edge_uses(edges, i, sides)) {
        if (edge_uses(edges, i, sides) != 1) continue;
        int rim = find_rim(parent, edges[i].low);
        if (center[rim] < 0) {
            center[rim] = n + m->holes++;
            memset(m->vertices[center[rim]], 0, sizeof *m->vertices);
        }
        count[rim]++;
        int t = edges[i].triangle, c = 0;  // the triangle may have been turned since the edges were sorted
        while (m->triangles[t][c] != edges[i].from) c++;
        bool as_sorted = m->triangles[t][(c + 1)%3] == edges[i].to;
        int from = as_sorted ? edges[i].from : edges[i].to, to = as_sorted ? edges[i].to : edges[i].from;
        int* cap = m->triangles[m->triangle_count + m->cap_count++];
        cap[0] = to, cap[1] = from, cap[2] = center[rim];
        for (int d = 0; d < 3; d++) m->vertices[center[rim]][d] += (m->vertices[from][d] + m->vertices[to][d])/2;
    }
    for (int v = 0; v < n; v++) {
        if (center[v] < 0) continue;
        for (int d = 0; d < 3; d++) m->vertices[center[v]][d] /= count[v];
    }
    free(parent), free(center), free(count);
    return MN_OK;
}

mn_status mesh_check(TriMesh* m, const char* name)
{
    if (m->triangle_count == 0) return mn_fail(MN_BAD_MESH, "%s: the mesh has no faces", name);
    drop_degenerate(m);
    if (m->triangle_count == 0) {
        return mn_fail(MN_BAD_MESH, "%s: the mesh has no usable faces: all %d triangles have no area", name, m->dropped);
    }
    if (m->triangle_count > MESH_MAX_COUNT/3)
        return mn_fail(MN_BAD_MESH, "%s: more than %d triangles", name, MESH_MAX_COUNT/3);
    Edge* edges = NULL;
    TRY(sorted_edges(&edges, m, name));
    mn_status status = turn_flipped(m, edges, name);
    if (status == MN_OK) status = cap_holes(m, edges, name);
    free(edges);
    return status;
}
