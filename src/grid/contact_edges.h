// Contact lines at convex edges of solids (Gibbs).
//
// On an edge between two faces, one wet and one dry, a line rests for every angle between the contact angle on the one and that
// on the other: it leaves onto the dry face only when the angle *with that face* has come up to the advancing one, and onto the
// wet face only when the angle with that has come down to the receding one. Where a line rests it is held as with hysteresis, at
// whatever angle it has (docs/contact.md), and the curvature beside it is that of the surface between the edge and some cells on
// (contact_edge_fit.c).
#pragma once
#include "grid/contact_edge_solid.h"

typedef struct Contact Contact;

// A point of an edge that the line rests on. Positions in cells from the window's corner.
typedef struct EdgePoint {
    double x[3];
    double wet[3], dry[3];  // unit normals of the faces, out of the solid
    double off;             // m: phi on the edge, as much of it as is put right in a step
    double gap[2];          // sine of the angle between the surface and either face, wet and dry; 1 from 90 degrees on
    double on[3], n[3];     // a point of the surface some cells from the edge, and its normal there
} EdgePoint;

// The points in the order of the rows, about one per cell of the line, and for the nodes around them the nearest. Arena memory.
typedef struct Edges {
    EdgePoint* point;
    int count;
    const double* phi_s;  // borrowed: the solid they are of
    int32_t* nearest;     // per node: number of the point, or -1; NULL when count is 0
} Edges;

// Cells from the edge to the point `on`.
static const double EDGE_NEAR = 2;

// How far from a node this may read phi_s, in nodes: a gradient.
enum { EDGE_READS = 1 };
// Edges where the line rests, that is, the angles that the surface makes with the two faces are such that it does. Ghosts of phi
// and phi_s must be filled. known: what is known of phi_s in the cells; it grows.
mn_status edges_find(Edges* edges, Arena* arena, const double* phi, const double* phi_s, EdgeCells* known, const Spans* spans,
                     const Window* w, const Contact* contact);

// kappa (1/m, on nodes) within some cells of the edges becomes that of a fit to the surface which meets the edge. It is the fit's
// EDGE_NEAR cells from the edge; from there it changes as on liquid at rest: rest (1/m^2) is its gradient, rho a/sigma. phi may
// have moved since the edges were found, by a cell or so. Ghosts of phi and kappa must be filled; those of kappa are again.
mn_status edges_fit_curvature(double* kappa, Arena* arena, const Edges* edges, const double* phi, const Window* w,
                              const double rest[3]);

// The point of the edge next to x (cells), which is near the point `edge` of it. False: there is none.
bool edge_near(double x[3], const EdgePoint* edge, const double* phi_s, const Window* w);

// phi at a point of the skin near an edge that holds the line: `value`, but no surface runs along the faces beside it.
double edge_on_face(const EdgePoint* edge, double value, const double skin[3], const double N[3], const Window* w);

// The edge point that rules at a node; NULL: none. edges may be NULL.
static inline const EdgePoint* edges_at(const Edges* edges, ptrdiff_t at)
{
    return edges && edges->count > 0 && edges->nearest[at] >= 0 ? &edges->point[edges->nearest[at]] : NULL;
}
