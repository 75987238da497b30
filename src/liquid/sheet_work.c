#include "liquid/sheet_work.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "liquid/sheet_motion.h"

// A piece of sheet with velocity v pushes the liquid with - p n.v per area and time, n out of the liquid. The pressure there is
// that of the cell's middle and what weighs between the two, rho a.(x_s - x_l): at rest it is exact.
static void add_piece(SheetWork* out, const Liquid* view, const Pressure* p, const CutCell* c, const Solids* solids,
                      const double acceleration[3])
{
    const Window* w = &view->w;
    double area[3], v[3], foot[3], middle[3], away[3], face = window_face_area(w);
    if (!pressure_is_unknown(p, c->at) || !pressure_sheet_area(area, &p->in, c)) return;
    window_position(middle, w, c->i + 0.5, c->j + 0.5, c->k + 0.5);
    sides_velocity(v, view, middle);
    if (vec_norm(v) > 0) sheets_scripted_velocity(v, solids, view->side->cut, w, middle);
    if (!(vec_norm(v) > 0) || !isfinite(sheetcut_nearest(foot, view->side->cut, w, middle))) return;
    vec_sub(away, foot, middle);
    double pressure = view->p.v[c->at] + p->in.rho*vec_dot(acceleration, away);
    double flux = vec_dot(area, v)*face*(p->room ? p->room[c - view->cells.cut] : 1);
    out->power -= pressure*flux;
    out->wet += vec_norm(area)*face, out->fastest = fmax(out->fastest, vec_norm(v));
}

void sheet_work_add(SheetWork* out, const Liquid* view, const Pressure* p, const Solids* s, const double acceleration[3])
{
    assert(view->side && p->in.cells == &view->cells);
    for (int m = 0; m < view->cells.count; m++) add_piece(out, view, p, &view->cells.cut[m], s, acceleration);
}
