// Which liquids are solved together, and that solve: the pressures of all liquids that share a partner, directly or by way of
// others, and the partners' own unknowns. Liquids that share none cost what each costs alone.
#pragma once
#include "liquid/sides.h"
#include "solve/pressure_sides.h"
#include "solve/wrenches.h"

// What a partner presses on the skins of solids with that another one moves: films of air on bodies. Who presses has eliminated
// its own unknowns. What is left of them depends on the pressures of liquids, and on by how much the twists of those solids
// (velocity of the pivot, spin) change in the projection:
//
//     wrench on the solids = wrench - drag change + dx^(dim-1) sum over cells of W p,    flow out of a cell, in faces: W.change
//
// It is filled in by `load` of who presses, who moves in first; `change` by `judge` of who moves them, who judges first.
typedef struct SkinPush {
    int* solid;  // of the world
    int solids;
    WrenchCell* cell;  // W; .body is a place among these solids
    int cells;
    double* wrench;  // solids x TWIST: N, N m
    double* drag;    // (solids x TWIST)^2, symmetric: N s/m ...
    double* change;  // solids x TWIST: m/s, rad/s
} SkinPush;

// A liquid and a solid that push each other by way of a partner.
typedef struct SkinContact {
    int liquid, solid;
} SkinContact;

// A liquid beside sheets: what each side sees of it, and the problems of both as one. Pieces without their cell's centre border
// that one; whoever joins such a liquid solves for them (joined.far_p) beside what is his own.
typedef struct SidedProblem {
    Sides sides;
    Pressure p[2];
    PressureSides joined;
} SidedProblem;

// Liquids that partners join. One group of problems, whose parts are in the order of the liquids.
typedef struct Cluster {
    int first;  // its first liquid
    PoissonGroup group;
    double* weight;       // per part: of its rows in the group, rho_0/rho
    double** right_side;  // per part: as built; a solve uses up the problem's own
    bool is_rough;        // the solve was not to the full tolerance
    bool wants_rough;     // by a partner in assemble or judge: it will have to be repeated anyway
    SkinPush* push;       // NULL: nobody presses on solids that others move
} Cluster;

// Arena memory, from the start of a projection to its end.
typedef struct Coupling {
    int liquids;        // of the world
    bool* joined;       // per liquid: a partner takes part in its solve
    int* parent;        // the liquids as disjoint sets (base/unionfind.h): those that are solved together
    int* pushes;        // likewise: those that push each other by way of a partner
    bool* leans;        // per liquid: a partner passes its push on to what is no liquid
    int** pressed;      // per liquid, per cut cell: 0 where partners press on its piece of surface, else -1; NULL: nowhere
    SkinContact* skin;  // which solids that others move a partner presses on, each pair once
    int skins, skin_room;
    Pressure** pressure;   // per liquid: its problem; NULL: it is solved alone, or beside sheets
    SidedProblem** sided;  // per liquid: its problem, if it is joined beside sheets; NULL for others
    double** change;       // per liquid, per cut cell, Pa: what partners add to the surface's pressure
    Arena* arena;
    // by coupling_gather
    Cluster* cluster;  // in the order of their first liquids
    int clusters;
    int* of;        // per liquid: its cluster; -1: solved alone
    int* part;      // per liquid: its place in the cluster's group; -1: in none
    double dt;      // s
    bool foresees;  // only what the projection would do now is asked for: partners take nothing over
} Coupling;

mn_status coupling_begin(Coupling* c, int liquids, Arena* arena);
// A partner acts between liquids a and b, or with a = b on one alone: they push each other and are solved together.
void coupling_join(Coupling* c, int a, int b);
// They are solved together, but whether they push each other is not said by this.
void coupling_solve_together(Coupling* c, int a, int b);
// What pushes a liquid, joined already, leans on something that is none: momentum goes there.
void coupling_lean(Coupling* c, int liquid);
// It presses on pieces of surface of a liquid that it has joined: those of its cut cells where pressed[cell] >= 0, besides those
// that others press on.
mn_status coupling_press(Coupling* c, int liquid, const int* pressed, int cells);
// It passes the push of a liquid, joined already, on to a solid that another partner moves.
mn_status coupling_press_solid(Coupling* c, int liquid, int solid);
bool coupling_is_empty(const Coupling* c);
// Once the problems of the joined liquids stand: the clusters, with their right-hand sides kept.
mn_status coupling_gather(Coupling* c, const Liquid* liquid, Arena* arena);
// A liquid's problem was built anew in place: so is its right-hand side kept.
void coupling_keep(const Coupling* c, int liquid);
// The right-hand sides of a cluster as they were built.
void coupling_refresh(const Cluster* cluster);
