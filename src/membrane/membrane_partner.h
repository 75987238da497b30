// Liquids of a scene whose surface is a mesh (`surface = "membrane"`): the partner that keeps these meshes and moves the liquids.
//
// Such a liquid is a Liquid like any other, with `meshed` set: its own step leaves it alone (step/step_liquid.c), and what others
// read of it, phi and cut cells, follows from the mesh. Its step is that of membrane_flow.h: stages 1 to 4 in `move`, 5 in `act`.
#pragma once
#include "liquid/world.h"
#include "membrane/membrane_flow.h"

// What becomes of a liquid whose surface the mesh cannot follow any more: it crosses itself, meets a wall or another liquid.
typedef enum MembraneTopology {
    MEMBRANE_GOES_ON,  // as an ordinary liquid, with a level set
    MEMBRANE_STOPS     // the run ends with a message
} MembraneTopology;

// How the liquids of one kind (Liquid.kind) have their surface.
typedef struct MembraneKind {
    bool is_membrane;
    double thickness;  // m, of the layer whose mass the membrane has besides
    double edge;       // m, wanted length of edges
    double capillary;  // longest step in sqrt(rho dx^3/(2 pi sigma))
    MembraneTopology topology;
} MembraneKind;

typedef struct MembranePartner MembranePartner;

// Moves in. kinds: copied, `count` of them.
mn_status membrane_move_in(World* world, const Tank* tank, const MembraneKind* kinds, int count);
MembranePartner* membrane_of(const World* world);  // NULL: it does not live here
// The mesh is the surface of this liquid from now on. Owns the mesh, also on failure.
mn_status membrane_take_liquid(MembranePartner* p, Liquid* q, MembraneMesh* mesh);
// The surface of a liquid; NULL: it is no mesh.
const MembraneMesh* membrane_mesh_of(const World* world, const Liquid* q);
const MembraneKind* membrane_kind(const MembranePartner* p, int kind);
