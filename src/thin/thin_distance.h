// How close pieces of sheets and rods are to each other, and how far they may go before they meet.
//
// A pair of pieces has four vertices (point and edge: three). The shortest line between the two is r = sum w_v x_v, the weights w
// adding up to 0. As w makes |r| least, the distance changes with the vertices by w_v r/|r| alone.
#pragma once

typedef enum PairKind {
    PAIR_POINT_TRIANGLE,  // x0 and the triangle x1 x2 x3
    PAIR_EDGE_EDGE,       // x0 x1 and x2 x3
    PAIR_POINT_EDGE       // x0 and x1 x2: 2D
} PairKind;

static inline int pair_vertices(PairKind kind) { return kind == PAIR_POINT_EDGE ? 3 : 4; }

// m. x: 3 per vertex.
double pair_distance(double w[4], PairKind kind, const double* x);
// The part of a way (m, 3 per vertex), 0 to 1, that the two can go without coming closer than a tenth of the distance they have,
// which is > 0. By steps that no vertex can overrun [li2021].
double pair_free_part(PairKind kind, const double* x, const double* way);
