#include "scene/mesh_tree.h"

#include <stdlib.h>
#include <string.h>
#include "base/budget.h"
#include "base/closest.h"
#include "base/vec.h"

#define LEAF 4
#define FAR 3.0  // a node this many times its own reach away acts as one dipole: the error is then some 1 % of its solid angle
#define MAX_DEPTH 64

// ---------------------------------------------------------------- building

typedef struct Sorter {
    double (*middles)[3];
    int axis;
} Sorter;

// Puts the k-th smallest of order[0..n) by coordinate in its place, smaller ones before it. Ties by number, so that the
// tree does not depend on the partition's whims.
static bool before(const Sorter* s, int a, int b)
{
    double x = s->middles[a][s->axis], y = s->middles[b][s->axis];
    return x != y ? x < y : a < b;
}

static void select_middle(int* order, int n, int k, const Sorter* s)
{
    int low = 0, high = n - 1;
    while (low < high && !budget_is_spent()) {  // an order made for the purpose takes n^2 of it; any parts make a tree
        int pivot = order[low + (high - low)/2], i = low, j = high;
        while (i <= j) {
            while (before(s, order[i], pivot)) i++;
            while (before(s, pivot, order[j])) j--;
            if (i > j) break;
            int swap = order[i];
            order[i++] = order[j], order[j--] = swap;
        }
        if (k <= j) high = j;
        else if (k >= i) low = i;
        else return;
    }
}

static void measure(TreeNode* node, double (*corners)[3][3], const int* order)
{
    double area = 0, sum[3] = {0, 0, 0};
    for (int d = 0; d < 3; d++) node->low[d] = INFINITY, node->high[d] = -INFINITY, node->normal[d] = 0;
    for (int i = 0; i < node->count; i++) {
        double(*t)[3] = corners[order[i]], a[3], b[3], cross[3];
        vec_sub(a, t[1], t[0]);
        vec_sub(b, t[2], t[0]);
        vec_cross(cross, a, b);
        double twice = vec_norm(cross);
        area += twice;
        for (int d = 0; d < 3; d++) {
            node->normal[d] += cross[d]/2;
            sum[d] += twice*(t[0][d] + t[1][d] + t[2][d])/3;
            node->low[d] = fmin(node->low[d], fmin(t[0][d], fmin(t[1][d], t[2][d])));
            node->high[d] = fmax(node->high[d], fmax(t[0][d], fmax(t[1][d], t[2][d])));
        }
    }
    double far[3];
    for (int d = 0; d < 3; d++) {
        node->middle[d] = area > 0 ? sum[d]/area : (node->low[d] + node->high[d])/2;
        far[d] = fmax(node->high[d] - node->middle[d], node->middle[d] - node->low[d]);
    }
    node->reach = vec_norm(far);
}

static int build(MeshTree* tree, double (*corners)[3][3], double (*middles)[3], int* order, int first, int count)
{
    int index = tree->node_count++;
    TreeNode* node = &tree->nodes[index];
    node->first = first, node->count = count, node->right = 0;
    measure(node, corners, order + first);
    if (count <= LEAF) return index;
    Sorter s = {middles, 0};
    for (int d = 1; d < 3; d++)
        if (node->high[d] - node->low[d] > node->high[s.axis] - node->low[s.axis]) s.axis = d;
    int half = count/2;
    select_middle(order + first, count, half, &s);
    build(tree, corners, middles, order, first, half);
    int right = build(tree, corners, middles, order, first + half, count - half);
    tree->nodes[index].right = right;
    return index;
}

mn_status meshtree_init(MeshTree* tree, const TriMesh* m)
{
    memset(tree, 0, sizeof *tree);
    int n = m->triangle_count + m->cap_count;
    double(*corners)[3][3] = malloc((size_t)n*sizeof *corners), (*middles)[3] = malloc((size_t)n*sizeof *middles);
    int* order = malloc((size_t)n*sizeof *order);
    tree->nodes = malloc((size_t)(2*n)*sizeof *tree->nodes);
    tree->corners = malloc((size_t)n*sizeof *tree->corners);
    tree->triangle_count = n;
    bool room = corners && middles && order && tree->nodes && tree->corners;
    for (int t = 0; room && t < n; t++) {
        order[t] = t;
        for (int c = 0; c < 3; c++) memcpy(corners[t][c], m->vertices[m->triangles[t][c]], sizeof corners[t][c]);
        for (int d = 0; d < 3; d++) middles[t][d] = (corners[t][0][d] + corners[t][1][d] + corners[t][2][d])/3;
    }
    if (room) build(tree, corners, middles, order, 0, n);
    for (int t = 0; room && t < n; t++) memcpy(tree->corners[t], corners[order[t]], sizeof *corners);
    free(corners), free(middles);
    tree->order = order;
    mn_status status = room ? budget_check("a mesh") : mn_fail(MN_NO_MEMORY, "no memory for a mesh of %d triangles", n);
    if (status != MN_OK) meshtree_free(tree);
    return status;
}

void meshtree_free(MeshTree* tree)
{
    free(tree->nodes);
    free(tree->corners);
    free(tree->order);
    memset(tree, 0, sizeof *tree);
}

// ---------------------------------------------------------------- nearest triangle

static double triangle_distance2(const double x[3], double (*t)[3])
{
    double weight[3];
    return closest_on_triangle(weight, x, t[0], t[1], t[2]);
}

void meshtree_weights(double weight[3], const MeshTree* tree, const double x[3], int triangle)
{
    double(*t)[3] = tree->corners[triangle];
    closest_on_triangle(weight, x, t[0], t[1], t[2]);
}

static double box_distance2(const double x[3], const TreeNode* node)
{
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        double out = max2(0, max2(node->low[d] - x[d], x[d] - node->high[d]));
        sum += out*out;
    }
    return sum;
}

double meshtree_distance(const MeshTree* tree, const double x[3], int* nearest)
{
    struct {
        int node;
        double distance2;
    } stack[MAX_DEPTH];
    double best = triangle_distance2(x, tree->corners[*nearest]);
    int top = 0;
    stack[top].node = 0, stack[top++].distance2 = box_distance2(x, &tree->nodes[0]);
    while (top > 0) {
        top--;
        if (stack[top].distance2 >= best) continue;
        int index = stack[top].node;
        const TreeNode* node = &tree->nodes[index];
        if (node->right == 0) {
            for (int i = node->first; i < node->first + node->count; i++) {
                double distance2 = triangle_distance2(x, tree->corners[i]);
                if (distance2 < best) best = distance2, *nearest = i;
            }
            continue;
        }
        double left = box_distance2(x, node + 1), right = box_distance2(x, &tree->nodes[node->right]);
        bool left_first = left <= right;  // pushed last, looked at first
        stack[top].node = left_first ? node->right : index + 1, stack[top++].distance2 = left_first ? right : left;
        stack[top].node = left_first ? index + 1 : node->right, stack[top++].distance2 = left_first ? left : right;
    }
    return sqrt(best);
}

// ---------------------------------------------------------------- rays

// Does the ray meet the node's box within [0, most]? By slabs: the ray is between the two planes of an axis from `enter` to
// `leave`. A direction of 0 gives infinities of the right sign, or NaN on a plane itself, which the comparisons let pass.
static bool ray_meets_box(const TreeNode* node, const double from[3], const double direction[3], double most)
{
    double enter = 0, leave = most;
    for (int d = 0; d < 3; d++) {
        double a = (node->low[d] - from[d])/direction[d], b = (node->high[d] - from[d])/direction[d];
        double first = min2(a, b), last = max2(a, b);
        if (first > enter) enter = first;
        if (last < leave) leave = last;
    }
    return enter <= leave*(1 + 1e-12);
}

// Where the ray leaves through the triangle, t; INFINITY if it passes by or comes from the front. The three determinants are the
// volumes spanned by the ray and the sides: all of one sign where it goes through.
static double triangle_exit(double (*corner)[3], const double from[3], const double direction[3])
{
    double p[3][3], cross[3], side[3], normal[3], ab[3], ac[3];
    for (int c = 0; c < 3; c++) vec_sub(p[c], corner[c], from);
    for (int c = 0; c < 3; c++) {
        vec_cross(cross, p[(c + 1)%3], p[(c + 2)%3]);
        side[c] = vec_dot(direction, cross);
        if (side[c] < 0) return INFINITY;
    }
    vec_sub(ab, p[1], p[0]);
    vec_sub(ac, p[2], p[0]);
    vec_cross(normal, ab, ac);
    double along = vec_dot(direction, normal);
    return along > 0 ? vec_dot(p[0], normal)/along : INFINITY;
}

double meshtree_exit(const MeshTree* tree, const double from[3], const double direction[3], double least, double most,
                     int* triangle)
{
    int stack[MAX_DEPTH], top = 0;
    double nearest = most;
    *triangle = -1;
    stack[top++] = 0;
    while (top > 0) {
        int index = stack[--top];
        const TreeNode* node = &tree->nodes[index];
        if (!ray_meets_box(node, from, direction, nearest)) continue;
        if (node->right > 0) {
            stack[top++] = node->right;
            stack[top++] = index + 1;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) {
            double t = triangle_exit(tree->corners[i], from, direction);
            if (t > least && t < nearest) nearest = t, *triangle = i;
        }
    }
    return *triangle >= 0 ? nearest : INFINITY;
}

void meshtree_normal(double out[3], const MeshTree* tree, int triangle)
{
    double ab[3], ac[3], (*t)[3] = tree->corners[triangle];
    vec_sub(ab, t[1], t[0]);
    vec_sub(ac, t[2], t[0]);
    vec_cross(out, ab, ac);
    double norm = vec_norm(out);
    for (int d = 0; d < 3; d++) out[d] /= norm;
}

// ---------------------------------------------------------------- winding number

// Signed solid angle of a triangle seen from x [vanoosterom1983]: tan(omega/2) = a.(b x c)/(abc + (a.b)c + (b.c)a + (c.a)b)
static double solid_angle(const double x[3], double (*t)[3])
{
    double a[3], b[3], c[3], cross[3];
    vec_sub(a, t[0], x);
    vec_sub(b, t[1], x);
    vec_sub(c, t[2], x);
    vec_cross(cross, b, c);
    double la = vec_norm(a), lb = vec_norm(b), lc = vec_norm(c);
    return 2*atan2(vec_dot(a, cross), la*lb*lc + vec_dot(a, b)*lc + vec_dot(b, c)*la + vec_dot(c, a)*lb);
}

// Far groups of triangles act as one dipole, the sum of their area vectors at the centre of their area [barill2018]:
// omega = N.(p - x)/|p - x|^3, the first term of the expansion.
double meshtree_winding(const MeshTree* tree, const double x[3])
{
    int stack[MAX_DEPTH], top = 0;
    double omega = 0;
    stack[top++] = 0;
    while (top > 0) {
        int index = stack[--top];
        const TreeNode* node = &tree->nodes[index];
        double p[3];
        vec_sub(p, node->middle, x);
        double distance = vec_norm(p);
        if (distance > FAR*node->reach) {
            omega += vec_dot(node->normal, p)/(distance*distance*distance);
        } else if (node->right == 0) {
            for (int i = 0; i < node->count; i++) omega += solid_angle(x, tree->corners[node->first + i]);
        } else {
            stack[top++] = node->right;
            stack[top++] = index + 1;
        }
    }
    return omega/(4*PI);
}
