// The mesh while it is worked on: neighbours are kept up to date, and what is taken out leaves a gap until the end.
#pragma once
#include "base/vec.h"
#include "membrane/remesh.h"

enum { MOST_AROUND = 32 };  // triangles at a vertex; where there are more, nothing is done

// Edges longer than the one or shorter than the other, times their wanted length, are split or collapsed. A split edge's
// halves are not collapsed: 1.4/2 > 0.6.
#define SPLIT_ABOVE 1.4
#define COLLAPSE_BELOW 0.6

typedef struct Remesh {
    MembraneMesh m;  // owned
    int* across;     // per corner, as MembraneLinks; element_room of m
    int* corner;     // per vertex: one of its corners, -1: taken out; vertex_room of m
    int across_room, corner_room;
    RemeshCount count;
} Remesh;

// The triangles at a vertex in their order, counter-clockwise; its own corners.
typedef struct Ring {
    int corner[MOST_AROUND];
    int count;
    bool closed;  // else the first and the last of them are at the border
} Ring;

static inline int next_corner(int k) { return k%3 == 2 ? k - 2 : k + 1; }
static inline int last_corner(int k) { return k%3 == 0 ? k + 2 : k - 1; }
static inline bool element_is_gone(const Remesh* r, int e) { return r->m.element[r->m.dim*e] < 0; }
static inline double* place_of(Remesh* r, int vertex) { return r->m.x + 3*vertex; }

// False: too many, leave this vertex alone.
bool ring_of(Ring* ring, const Remesh* r, int vertex);
// A vertex between a and b, half way, with the mean of everything they have; walls they share, contact if both touch one body.
// -1: no memory.
int remesh_new_vertex(Remesh* r, int a, int b, bool on_border);
int remesh_new_element(Remesh* r);          // its corners are undefined; -1: no memory
void remesh_link(Remesh* r, int a, int b);  // two corners are across from one another; either may be -1
// May an edge between the two be flipped or collapsed: are both free, or on one body?
bool same_state(const MembraneMesh* m, int a, int b);
double edge_length(const MembraneMesh* m, int a, int b);
// Length over wanted length.
double edge_ratio(const MembraneMesh* m, int a, int b);
// Twice the area vector, and the smallest angle (rad) of a triangle of these places.
void triangle_normal(double n[3], const double a[3], const double b[3], const double c[3]);
double smallest_angle(const double a[3], const double b[3], const double c[3]);

// What is meant by keeping momentum: a patch of elements has area M and momentum P = sum of area times the mean of its
// vertices' velocities (per areal density). Afterwards P' must be P M'/M, so that a patch that moves as one goes on so,
// however its area changed.
typedef struct Patch {
    double area, momentum[3];
} Patch;
void patch_add(Patch* p, const MembraneMesh* m, int element);
// Corrects the velocity of a free vertex whose share of the area is `share`.
void patch_restore(MembraneMesh* m, int vertex, double share, const Patch* before, const Patch* after);

mn_status remesh_split(Remesh* r, int* done);
mn_status remesh_collapse(Remesh* r, int* done);
int remesh_flip(Remesh* r);
int remesh_smooth(Remesh* r);
// 2D
mn_status chain_split(Remesh* r, int* done);
mn_status chain_collapse(Remesh* r, int* done);
int chain_smooth(Remesh* r);

// An edge to work on: the corner across from it (2D: the segment), its ends, and how urgent it is.
typedef struct WorkEdge {
    double urgency;
    int corner, a, b;
} WorkEdge;
// Edges whose urgency is positive, the most urgent first; owned by the caller.
mn_status work_edges(WorkEdge** edges, int* count, const Remesh* r, double (*urgency)(const Remesh* r, int corner, int a, int b));
