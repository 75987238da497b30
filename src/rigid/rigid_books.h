// What bodies have of energy and momentum, for the books of a step: verbs of the partner `self` (liquid/partner.h).
#pragma once
#include "rigid/rigid_partner.h"

double rigid_energy(const void* self, const Model* model, const World* world);
double rigid_work(const void* self);
void rigid_motion(double momentum[3], double* kinetic, const void* self);
