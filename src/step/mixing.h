// What liquids of two kinds win or lose in energy by being one: nobody lifts the mass that a mean density puts elsewhere, and
// nobody makes surfaces and wetted walls worth more or less. The books call it work.
#pragma once
#include "liquid/world.h"

// Adds what a liquid, or a droplet, has more once it is made of `mixed`, at the shape and place it has, J. Resets scratch.
mn_status mixing_of_liquid(double* sum, StepContext* ctx, const Liquid* q, const LiquidMaterial* mixed);
void mixing_of_droplet(double* sum, const StepContext* ctx, const Droplet* p, const LiquidMaterial* mixed);
// As work, and not as something that topology has won.
void mixing_book(StepContext* ctx, double mixing);
