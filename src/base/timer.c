#include "base/timer.h"

const char* stage_name(Stage stage)
{
    static const char* const names[STAGE_COUNT] = {"advect",    "solids", "redistance", "topology",    "volume",
                                                   "viscosity", "build",  "solve",      "extrapolate", "save_state"};
    return names[stage];
}
