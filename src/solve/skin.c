#include "solve/skin.h"

#include <assert.h>
#include <math.h>
#include "grid/interpolate.h"
#include "solve/pressure_private.h"

static const double LEAST_AREA = 1e-4;  // face areas: less carries no link (pressure_private.h)

static bool is_on_wall(const Window* w, const int cell[3], int axis, int high)
{
    return cell[axis] == (high ? w->n[axis] - 1 : 0) && w->side[2*axis + high] == SIDE_IS_WALL;
}

// A face on a wall of the tank; false: it is none that can let go.
static bool wall_piece(Skin* s, const PressureInput* in, const int cell[3], ptrdiff_t at, int axis, int high)
{
    const Window* w = in->w;
    if (!is_on_wall(w, cell, axis, high)) return false;
    ptrdiff_t face = at + high*window_stride(w, axis);
    *s = (Skin){.at = at, .cell = {cell[0], cell[1], cell[2]}, .owner = SKIN_OF_WALL, .axis = axis, .high = high, .depth = 0.5};
    double area = pressure_face_area(in, axis, face);
    s->area[axis] = high ? area : -area, s->normal[axis] = high ? -1 : 1;
    for (int d = 0; d < w->dim; d++) s->place[d] = cell[d] + 0.5;
    s->place[axis] = cell[axis] + high;
    s->is_dry = !(in->cells->area[axis][face] > 0);
    return area > 0;
}

// Distance to the solids at a cell's centre (cells) and its unit gradient.
static double solid_at_center(double n[3], const PressureInput* in, ptrdiff_t at)
{
    const Window* w = in->w;
    int corners = 1 << w->dim;
    double sum = 0;
    n[0] = n[1] = n[2] = 0;
    for (int c = 0; c < corners; c++) {
        double v = in->phi_solid[at + window_corner(w, c)]/w->dx;
        sum += v/corners;
        for (int d = 0; d < w->dim; d++) n[d] += c >> d & 1 ? v : -v;
    }
    double norm = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
    return sum;
}

// What the solids cover of a cell. The ghost fluid's areas are those that are open, wet or dry; those of cut cells the wet ones.
static bool solid_piece(Skin* s, const PressureInput* in, const CutCell* cut)
{
    const Window* w = in->w;
    *s = (Skin){.at = cut->at, .cell = {cut->i, cut->j, cut->k}, .owner = SKIN_OF_SOLID, .axis = -1};
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t next = cut->at + window_stride(w, d);
        s->area[d] =
            in->kind == PRESSURE_CUT ? cut->solid[d] : pressure_face_area(in, d, cut->at) - pressure_face_area(in, d, next);
    }
    if (!(vec_norm(s->area) > LEAST_AREA)) return false;
    s->depth = solid_at_center(s->normal, in, cut->at);
    for (int d = 0; d < w->dim; d++) s->place[d] = s->cell[d] + clamp(0.5 - s->depth*s->normal[d], 0, 1);
    s->is_dry = node_value(in->phi, w, s->place) > 0;
    return true;
}

// The pieces of one cell; returns their number. out NULL: how many there can be at most, without a look at areas.
static int pieces_of_cell(Skin* out, const PressureInput* in, const int cell[3], ptrdiff_t at)
{
    int32_t index = in->cells->index[at];
    int count = 0;
    if (index == CELL_EMPTY) return 0;
    for (int side = 0; side < 2*in->w->dim; side++)
        count += out ? wall_piece(&out[count], in, cell, at, side/2, side & 1) : is_on_wall(in->w, cell, side/2, side & 1);
    if (in->phi_solid && index >= 0) count += out ? solid_piece(&out[count], in, &in->cells->cut[index]) : 1;
    return count;
}

// The pieces of the cells i0 <= i < i1 of a row, added to out; in the first pass (out->skin NULL) only the room for them is
// counted. Inside the window cells have no piece unless a solid cuts them: most of a row is passed over.
static void pieces_of_run(SkinList* out, const PressureInput* in, int i0, int i1, int j, int k)
{
    const Window* w = in->w;
    bool inside = j > 0 && j < w->n[1] - 1 && (w->dim == 2 || (k > 0 && k < w->n[2] - 1));
    ptrdiff_t row = window_at(w, 0, j, k);
    for (int i = i0; i < i1; i++) {
        bool free = inside && i > 0 && i < w->n[0] - 1;
        if (free && !in->phi_solid) i = mini(w->n[0] - 1, i1) - 1;
        if (free && (!in->phi_solid || in->cells->index[row + i] < 0)) continue;
        Skin* here = out->skin ? out->skin + out->count : NULL;
        int count = pieces_of_cell(here, in, (int[3]){i, j, k}, row + i);
        if (here && count > 0) out->first[row + i] = out->count;
        for (int m = 0; here && m < count; m++) here[m].next = m + 1 < count ? out->count + m + 1 : -1;
        out->count += count;
    }
}

mn_status skins_find(SkinList* out, Arena* arena, const PressureInput* in)
{
    const Window* w = in->w;
    const Spans* spans = in->spans;
    *out = (SkinList){0};
    TRY_MEMORY(out->first = ARENA_NEW(arena, int, w->count));
    for (size_t m = 0; m < w->count; m++) out->first[m] = -1;
    out->first += w->origin;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) TRY_MEMORY(out->skin = ARENA_NEW(arena, Skin, out->count));
        out->count = 0;
        for (int r = 0; r < spans->rows; r++) {
            int j = r%spans->rows_y, k = r/spans->rows_y;
            if (j >= w->n[1] || k >= w->n[2]) continue;
            SPAN_LOOP(spans, r, q) pieces_of_run(out, in, spans->span[q].i0, mini(spans->span[q].i1, w->n[0]), j, k);
        }
    }
    return MN_OK;
}
