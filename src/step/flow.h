// The parts of a liquid step that act on one liquid.
#pragma once
#include "step/sim.h"

// Box acceleration turned into what the liquid feels: gravity - a(t).
mn_status flow_acceleration(double out[3], const Sim* sim, double t);
void flow_book_outflow(Sim* sim, double dt);
mn_status flow_advect(Liquid* q, Sim* sim, double dt);
mn_status flow_move_solids(Sim* sim, double dt);
// Window, redistance, contact with solids, spans and cut cells.
mn_status flow_rebuild_surface(Liquid* q, Sim* sim, Arena* kept, int sweeps);
void flow_add_acceleration(Liquid* q, const double acceleration[3], double dt);
// Inner friction, if the liquid has any: u* on wet faces, carried two layers past the surface, and the solids' own velocity inside
// solids that it sticks to.
mn_status flow_add_viscosity(Liquid* q, Sim* sim, double dt);
// Walls hold their velocity, pressure makes u divergence-free, u is carried past the surface. dt may be any positive time: the
// projected u does not depend on it.
mn_status flow_project(Liquid* q, Sim* sim, double dt);
