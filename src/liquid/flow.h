// The parts of a liquid step that act on one liquid, before its pressure is solved for. Those that move the surface, and weight,
// leave a liquid alone whose surface is a mesh (Liquid.meshed).
#pragma once
#include "liquid/wetting.h"
#include "liquid/world.h"

// Box acceleration turned into what the liquid feels: gravity - a(t).
mn_status flow_acceleration(double out[3], const Model* model, double t);
void flow_book_outflow(StepContext* ctx, double dt);
// Surface and velocity carried by `carrier` (NULL: by the velocity itself).
mn_status flow_advect(Liquid* q, StepContext* ctx, double* const carrier[3], double dt);
// phi, that of q or another field, past walls and in solids as `contact` (NULL: 90 degrees) asks for. before: the field before
// the line could move, ghosts filled; edges of solids hold it there, and if it sticks (hysteresis) walls and faces do, too.
mn_status flow_wet(double* phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact,
                   const double* before, bool sticks);
// The surface as its own curvature sees it: q->phi, or in scratch memory a copy that goes on through thin walls
// (liquid/backing.h), ghosts filled, as those of q->phi must be at that contact.
mn_status flow_seen(const double** phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact);
// Edges of solids that lines of phi, that of q or another field, rest on (Gibbs). Ghosts of phi must be filled.
mn_status flow_edges(Edges* edges, Arena* arena, const double* phi, const Liquid* q, const Contact* contact);
mn_status flow_move_solids(StepContext* ctx, double dt);
// Window, redistance, contact with solids, spans and cut cells.
mn_status flow_rebuild_surface(Liquid* q, StepContext* ctx, Arena* kept, int sweeps);
void flow_add_acceleration(Liquid* q, const double acceleration[3], double dt);
static inline void flow_velocity(double* u[3], Liquid* q)
{
    for (int d = 0; d < 3; d++) u[d] = q->u[d].v;
}
// How this liquid's surface and velocity ride.
Advection flow_advection(const Liquid* q, const StepContext* ctx);
// Nothing flows through walls. lets_go: velocities away from walls stay until the pressure has told which parts of them hold.
void flow_hold_walls(Liquid* q, bool lets_go);
// How what is solid to a liquid moves: to one side of sheets that move, these.
SolidMotion flow_skin_motion(const Liquid* q, const Solids* solids);
// Last of all: held to the solids.
mn_status flow_constrain(Liquid* q, StepContext* ctx);
