// Spray: fragments too small for the grid, as ballistic balls that carry volume and momentum until they meet a liquid.
#pragma once
#include "liquid/liquid.h"
#include "liquid/merge.h"

typedef struct Droplet {
    double x[3];    // m
    double v[3];    // m/s
    double volume;  // m^3 (2D: m^2)
    LiquidMaterial material;
    int kind;  // of the liquid it comes from, and of the one it may become
} Droplet;

typedef struct Spray {
    Droplet* drop;  // owned
    int count, capacity;
} Spray;

void spray_free(Spray* s);
mn_status spray_visit(Spray* s, StateVisitor* v);
mn_status spray_add(Spray* s, const Droplet* drop);
// Room for as many as there are, each with volume, mass and a place; for asserts.
bool spray_is_valid(const Spray* s);
double spray_volume(const Spray* s);
double droplet_radius(const Droplet* drop, int dim);
static inline double droplet_mass(const Droplet* p) { return p->volume*p->material.rho; }  // kg

// What the droplets did in a step.
typedef struct SprayFlight {
    double left;    // m^3, volume that left through open sides
    double way[3];  // kg m, sum of mass times displacement
} SprayFlight;

// Falls freely for dt; droplets stick where they meet a wall or solid.
SprayFlight spray_move(Spray* s, const Tank* tank, Solids* solids, const double acceleration[3], double dt);
// May a droplet become one with a droplet or liquid of that kind at this time (s)? Unless the two are held apart for good: under
// so small a drop nobody follows the film, and one that may break does so at once.
bool droplet_joins(const Droplet* p, int kind, const MergeTable* merge, double time);
// Droplets that overlap and may join become one.
void spray_join(Spray* s, int dim, const MergeTable* merge, double time);
// Takes droplet m out of the list.
void spray_remove(Spray* s, int m);
