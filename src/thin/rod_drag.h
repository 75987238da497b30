// Drag of a cylinder, per length, in a flow across it and along it.
#pragma once

typedef struct RodDrag {
    double across, along;  // N s/m^2: force per length and per velocity
} RodDrag;

// radius: m; speed: of the liquid across the cylinder, m/s; reach: m, how far from it that speed was taken.
RodDrag rod_drag(double radius, double speed, double rho, double mu, double reach);
