// Droplets of spray in a step: those that meet a liquid join it or lie on it, those that have grown become liquids again.
#pragma once
#include "step/sim.h"

mn_status spray_meet_liquids(StepContext* ctx, Arena* kept);
mn_status spray_grow(StepContext* ctx, Arena* kept);
