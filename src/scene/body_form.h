// What a body is for other bodies and for walls: its shape as a list of simple forms, and points on its skin.
#pragma once
#include "liquid/solid.h"
#include "rigid/body_plan.h"
#include "scene/shape.h"

// Points of a mesh of the surface, about `spacing` (m) apart and on its edges and corners; bodies that are thin get more of them.
// The shape is bounded. The array is the caller's to free; MN_NO_MEMORY leaves it NULL.
mn_status body_skin(double** points, int* count, const Shape* shape, int dim, double spacing);

// Balls, boxes, capsules, cylinders and ellipsoids, also moved, rotated, scaled and joined, are what they are, and so is what
// can be cut into boxes (body_boxes.h); anything else is one hull of the skin, which is borrowed. In 2D forms are as deep as they
// are wide, and a hull's points have z = 0. As body_skin.
mn_status body_forms(BodyForm** forms, int* count, const Shape* shape, const double* skin, int skin_points);

// The same of what stands still in a pose of its own, half-spaces too. *exact false: part of the shape is none of these, there
// are no forms. The array is the caller's to free.
mn_status body_still_forms(BodyForm** forms, int* count, bool* exact, const Shape* shape, const Tank* tank, const double pivot[3],
                           const Pose* pose);

// A ball or disc, moved, rotated or scaled at most.
bool body_is_round(const Shape* shape);
