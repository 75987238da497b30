// How far a drop spreads when it hits something.
#pragma once

typedef struct DropImpact {
    int dim;          // 2 or 3
    double weber;     // rho V^2 D/sigma
    double reynolds;  // rho V D/mu; INFINITY: nothing rubs
    double angle;     // rad, at which the liquid meets what it spreads on
} DropImpact;

// Greatest width over the drop's diameter D, at least 1.
double spreading_widest(const DropImpact* impact);
// Mean thickness of the sheet then, over D.
double spreading_sheet(const DropImpact* impact);
