// Mechanical energy of the liquids and of the spray. Units J; in 2D J per metre of depth.
#pragma once
#include "liquid/world.h"

// Energy of one liquid; *out is added to.
//   kinetic    sum over cells of rho V |u|^2/2, |u|^2 from the means of the squares of opposite faces
//   potential  sum over cells of rho V g.(x_low - x), x_low: the corner of the tank that lies lowest; so it is never negative
//   surface    sigma (A - sum of cos(angle) A_wet): Young's law makes a wetted wall worth sigma cos(angle) per area less than
//              a dry one. Between a receding and an advancing angle the mean of the cosines counts.
mn_status liquid_energy(Energy* out, const Liquid* q, const Model* model, const Solids* solids, Arena* arena);
// Its kinetic part alone, J.
mn_status liquid_kinetic(double* out, const Liquid* q, Arena* arena);
// Adds that of a droplet, a ball or a cap on a skin, without its momentum: droplets fly by the midpoint rule and have no lag
// (docs/energy.md).
void droplet_energy(Energy* out, const Droplet* drop, const Model* model, const Solids* solids);
// Of all liquids, the spray and what partners store. `scratch` is reset.
mn_status world_energy(Energy* out, const Model* model, const World* world, Arena* scratch);
double energy_sum(const Energy* e);
// J/kg: of height at a place of the tank.
double energy_of_height(const Model* model, const double x[3]);
