#include "solve/squeezed.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/unionfind.h"

static const double NO_WAY = 1e-6;  // face areas: what is left of the ways out of a sealed region by rounding is less

// A region, or what became of several. Nodes form a tree: a region's flux is cut by its own part and by those of all above it.
typedef struct Node {
    SqueezedRegion r;
    double part;      // of the flux that is left after its children's cuts
    int above;        // the node it became part of; -1: none
    int first, last;  // its ends of slits, a list; -1: none
    int ends;
} Node;

typedef struct Forest {
    Node* node;
    int count;
    Slit* slit;
    int* next;           // per end 2*slit + side: the next in its node's list
    int *set, *node_of;  // sets of regions, and the node that each of them is now, by its root
} Forest;

// Widest first; among equals in the order of the cells, so that the result does not depend on the sort.
static int wider(const void* a, const void* b)
{
    const Slit *s = a, *t = b;
    if (s->area != t->area) return s->area > t->area ? -1 : 1;
    if (s->region[0] != t->region[0]) return s->region[0] < t->region[0] ? -1 : 1;
    return (s->region[1] > t->region[1]) - (s->region[1] < t->region[1]);
}

static int node_now(const Forest* f, int region) { return f->node_of[set_find(f->set, region)]; }

// Cuts the flux of a node to what its ways out bear.
static void limit_flux(Node* n)
{
    double most = SQUEEZED_FASTEST*n->r.fastest*n->r.way;
    if (n->r.way < NO_WAY || fabs(n->r.flux) <= most) return;
    n->part = most/fabs(n->r.flux);
    n->r.flux *= n->part;
}

static void append_end(Forest* f, Node* n, int end)
{
    f->next[end] = -1;
    if (n->last >= 0) f->next[n->last] = end;
    else n->first = end;
    n->last = end, n->ends++;
}

// Area of all slits between nodes a and b, found in the shorter of their lists.
static double area_between(const Forest* f, int a, int b)
{
    if (f->node[a].ends > f->node[b].ends) return area_between(f, b, a);
    double sum = 0;
    for (int end = f->node[a].first; end >= 0; end = f->next[end])
        if (node_now(f, f->slit[end/2].region[1 - end%2]) == b) sum += f->slit[end/2].area;
    return sum;
}

static void join(Forest* f, int a, int b)
{
    Node *p = &f->node[a], *q = &f->node[b], *sum = &f->node[f->count];
    limit_flux(p), limit_flux(q);
    *sum = (Node){.part = 1, .above = -1, .ends = p->ends + q->ends, .first = p->first, .last = q->last};
    sum->r.way = fmax(p->r.way + q->r.way - 2*area_between(f, a, b), 0);
    sum->r.flux = p->r.flux + q->r.flux, sum->r.fastest = fmax(p->r.fastest, q->r.fastest);
    assert(p->last >= 0 && q->first >= 0);
    f->next[p->last] = q->first;
    p->above = q->above = f->count++;
}

mn_status squeezed_keep(double* keep, const SqueezedRegion* region, int regions, Slit* slit, int slits, Arena* arena)
{
    Forest f = {.count = regions, .slit = slit};
    TRY_MEMORY(f.node = ARENA_NEW(arena, Node, 2*regions));
    TRY_MEMORY(f.next = ARENA_NEW(arena, int, 2*slits));
    TRY_MEMORY(f.set = ARENA_NEW(arena, int, regions));
    TRY_MEMORY(f.node_of = ARENA_NEW(arena, int, regions));
    qsort(slit, (size_t)slits, sizeof *slit, wider);
    for (int m = 0; m < regions; m++) {
        f.node[m] = (Node){.r = region[m], .part = 1, .above = -1, .first = -1, .last = -1};
        f.set[m] = f.node_of[m] = m;
    }
    for (int m = 0; m < slits; m++)
        for (int side = 0; side < 2; side++) append_end(&f, &f.node[slit[m].region[side]], 2*m + side);
    for (int m = 0; m < slits; m++) {
        int a = node_now(&f, slit[m].region[0]), b = node_now(&f, slit[m].region[1]);
        if (a == b) continue;
        join(&f, a, b);
        set_join(f.set, slit[m].region[0], slit[m].region[1]);
        f.node_of[set_find(f.set, slit[m].region[0])] = f.count - 1;
    }
    // nodes come after those they are made of
    for (int m = f.count - 1; m >= 0; m--) {
        Node* n = &f.node[m];
        if (n->above < 0) limit_flux(n);
        else n->part *= f.node[n->above].part;
    }
    for (int m = 0; m < regions; m++) keep[m] = f.node[m].part;
    return MN_OK;
}
