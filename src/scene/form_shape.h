// The way back from forms to a shape: bodies of MJCF files are known by forms only.
#pragma once
#include "rigid/body_plan.h"
#include "scene/shape.h"

// The union of the forms; in 2D of their cuts, as if all of them lay at z = 0. count >= 1. MN_UNSUPPORTED: in 2D a form lies
// askew to the plane, or is a mesh.
mn_status shape_of_forms(Shape** out, const BodyForm* form, int count, int dim);
