// The glass tank in the picture: panes that mirror a little of the sky, and their edges as thin bright lines.
#pragma once
#include "render/stage.h"

// Adds to *light what the panes and edges within t_max of the ray send to the eye, and dims *weight by what they take.
void tank_cross(V3* light, V3* weight, const Stage* stage, Ray ray, float t_max);
