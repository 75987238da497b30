// A liquid beside sheets, as each side of them sees it (grid/sheetside.h).
//
// To one side a sheet is a solid and everything behind it is inside: the surface and the velocity go on there, as they do in
// solids, and nothing is read through it. So every stage of a step is done twice, unchanged, on what each side sees, and each
// side keeps what is its own: nodes and faces on its side, and of what is behind the values that go on there (phi_far, u_far).
// What no sheet lies in front of belongs to both, and comes from the side of the sheet's plane that it lies on.
#pragma once
#include "liquid/liquid.h"

typedef struct Sides {
    SheetSide side[2];  // +1, -1
    Liquid view[2];     // window, spans and material of the whole; phi, u, p and phi_solid of their own, in arena memory
} Sides;

// The view (0, 1) that a node's own value is of.
int sides_owner(const SheetCut* c, ptrdiff_t at);
// The view on whose side a place lies, given in cells of the window; and phi there, as that side sees it.
int sides_view_at(const Liquid* q, const double at[3]);
double sides_phi_at(const Liquid* q, const double at[3]);
// The views of a liquid whose spans stand. Without cut cells: liquid_rebuild_cells makes them. Arena memory.
mn_status sides_open(Sides* s, Arena* arena, const Liquid* q);
// After the sheets have moved: nodes and faces that they have swept are of another side than before, and get what that side saw
// there. spans and sheets of q are those of before; rebuild them.
mn_status sides_follow(Liquid* q, Arena* arena, const SheetSurface* sheets);
// SolidMotion.velocity of what is solid to one side: of the sheets, unless a solid is nearer, which stands still. user: the view.
void sides_velocity(double out[3], const void* view, const double x[3]);
// A liquid of a shape that knows nothing of sheets is kept on the side of a place (m) alone. Arena memory.
mn_status sides_keep(Liquid* q, const double x[3], const SheetSurface* sheets, Arena* arena);
// The liquid takes over what its sides have become.
void sides_close(Liquid* q, const Sides* s);
// Velocities of faces that both sides have become one side's, as its pressure set them, with their kinds (FaceKind).
void sides_agree(Sides* s, unsigned char* const* const kind[2]);
// phi goes on behind the sheets of a view as it comes to them, along their normals: what a level surface does at any tilt. Where
// tension acts the contact angle decides instead.
mn_status sides_continue(double* phi, Arena* arena, const Liquid* view);
// The views with their cut cells, whose volume and surface are what counts as theirs.
mn_status sides_cut(Sides* s, Arena* arena, const Liquid* q);
// Volume and surface of the cells of q become those of both sides. Arena memory.
mn_status sides_count(Liquid* q, Arena* arena);
