// A droplet of spray and the liquid that it falls on: what it brings goes in where it arrives.
#pragma once
#include "liquid/spray.h"

// The place of a liquid's surface that takes something up; what it gets thins out with the distance r as (1 - (r/reach)^2)^2.
typedef struct Landing {
    double at[3];  // cells of the window
    double reach;  // cells
} Landing;

// Is the droplet's centre in the liquid, on its side of sheets?
bool droplet_is_in(const Droplet* p, const Liquid* q);
// The place of the surface that is nearest to the droplet. False: the liquid has no free surface, and it is the droplet's own.
bool landing_find(Landing* out, const Liquid* q, const Droplet* p);

// What the liquid is made of once it has taken up the droplets: mass adds, other properties mix by volume.
LiquidMaterial liquid_with_droplets(const Liquid* q, const Droplet* drop, int count);
// Takes up droplets: mass; volume, by which the surface swells where they land; and momentum, which goes to the liquid around.
// Total momentum (as momentum_mean_velocity measures) is kept to rounding, and the impact is inelastic. Without a free surface
// nothing swells: the target volume grows all the same. Beside sheets all of that on the side where a droplet is. Rebuilds spans
// and cut cells in `kept`; resets `scratch`.
mn_status liquid_absorb(Liquid* q, const Droplet* drop, int count, const Solids* solids, Arena* kept, Arena* scratch);
// A droplet in a liquid that is held apart from it, and no lighter, is put on its surface: along the normal the two go on
// together, along the surface it slides.
mn_status liquid_carry(Liquid* q, Droplet* p, Arena* arena);
