// The bodies of a scene, once their shapes are there: mass, centre and inertia, forms and skin; and where they may not be.
#pragma once
#include "base/vec.h"
#include "scene/scene.h"

// Fills what follows from the shapes in scene->bodies, gives their solids the centre of mass as pivot, and makes scene->plans.
// MN_BAD_SCENE: a body that is infinite, empty, not wholly in the box, or in another body or a solid at the start.
mn_status bodies_build(Scene* scene);
void bodies_free(Scene* scene);  // plans, forms, skins and the list itself; not the solids
