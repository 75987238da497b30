// Sources (taps, jets): a region kept full of liquid that moves with a given velocity, fed at a given rate.
#pragma once
#include "liquid/topology.h"
#include "liquid/world.h"

// Sources that vary become what they are at time t (s): before a step, that of its middle.
mn_status sources_set(Model* model, double t);
// Fills the regions of the sources at work: the liquid there (or a new one) covers them and moves with their velocity; its
// target volume and the ledger's input grow by rate*dt.
mn_status sources_act(StepContext* ctx, Arena* kept, double dt);
// Is a part of a liquid in the region of a source at work?
bool sources_fill(const StepContext* ctx, const Liquid* q, const Parts* parts, int part);
// Volume source per cell (1/s) of a liquid, or NULL when no source is in it. Arena memory.
mn_status sources_divergence(double** divergence, const StepContext* ctx, const Liquid* q, Arena* arena);
