// The thickness of a film between the middles of its air cells, and how hard it is for air to flow there.
#pragma once
#include "film/film.h"

// How a quantity that air cells have goes on from the middle of one of them: slope along the film by least squares over its
// neighbours, and the least and largest value among these and itself.
typedef struct AirFit {
    double slope[3];
    double low, high;
    // by film_profile_thickness:
    double ways;  // sum over the cell's edges of length h^3/distance, with h as if it changed linearly, m^3
    double mean;  // mean of 1/h^2 over the cell, of that in its middle
} AirFit;

// value: per air cell. A cell that ends on a mirror has its own image for a neighbour.
mn_status film_profile_fit(AirFit** fit, const Film* film, const double* value, Arena* arena);

// Fit of the thickness, its slopes made flatter until half way to the neighbours they lead neither past the thickest nor to less
// than half of the thinnest of these. So the thinnest cell of a rim has next to none.
mn_status film_profile_thickness(AirFit** fit, const Film* film, Arena* arena);

// h^3 of the resistance 12 mu d/(l h^3) of an edge to the flow between its two cells, or to the rim.
//
// Resistances 12 mu ds/(l h^3) are in series. Air that comes through the thinner cell meets all of them: their integral, with the
// thickness as film_profile_resistance has it. Air that is pressed out of the cells themselves joins on the way: where a parabola
// closes, q = V x, its pressure falls by 12 mu d/l q/h^3 with q half way and
//     h^3 = 2 h_a^2 h_b^2/(h_a + h_b),
// also the resistance if the thickness changed linearly. That is the fall between the middles. What presses on the liquids is the
// mean over a cell, and where the neck of the gap is narrower than a cell the two differ by a third. The pressure goes with
// 1/h^2, so with means <1/h^2> over the cells
//     1/h^3 = (<1/h^2>_a - <1/h^2>_b)/(2 (h_b - h_a)),
// which makes the force on closing cylinders exact wherever the cells lie; in wedges it is the fall of the mean, too. Beside the
// thinnest cell of a rim the two differ by the root of the thicknesses' quotient. Air comes through a cell that has one way out,
// as that of a rim has; from one that is as open on other sides, it is pressed.
double film_profile_cube(const Film* film, const AirFit* fit, const AirEdge* e);

// Integral of ds/h^3 over the way (of length 1) from a cell of thickness a to its neighbour of thickness b, 1/m^3, with slopes
// given along the way. h is the cubic with these ends and slopes, kept monotone.
double film_profile_resistance(double a, double slope_a, double b, double slope_b);
