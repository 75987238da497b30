// Probes: points, and lines of them.
#pragma once
#include "scene/read.h"

// An entry of `probes` into scene->probes[i]; a line of points is its first one until probes_spread.
mn_status probe_read(Scene* scene, const Node* n, int i);
// Lines become as many probes as they have points, NAME.1, NAME.2, ...; names must differ then.
mn_status probes_spread(Scene* scene);
