#include "grid/contact_columns.h"

#include <assert.h>
#include <string.h>

// Blocks of 4 nodes: a column reads boxes of 6 to 12. Along x as many more as make a row fit into 64 bits.
enum { LEAST_SHIFT = 2, BITS = 64 };

static int column_count(const Window* w, int axis)
{
    int first, second, length = wallcolumns_along(&first, &second, w, axis);
    return length*(second < w->dim ? w->n[second] + 1 + 2*w->ghost : 1);
}

static size_t rows_size(const WallColumns* c) { return sizeof *c->changed*(size_t)(c->rows_y*c->rows_z); }

mn_status wallcolumns_new(WallColumns** out, Arena* arena, const Window* w, const Contact* contact)
{
    assert(window_is_valid(w) && w->ghost <= GHOST);
    *out = NULL;
    bool any = false;
    for (int side = 0; side < 2*w->dim; side++) any = any || contact_has_lines(w, contact, side);
    if (!any) return MN_OK;
    WallColumns* c = ARENA_ZERO(arena, WallColumns, 1);
    TRY_MEMORY(c);
    c->w = w;
    for (int side = 0; side < 2*w->dim; side++) {
        if (!contact_has_lines(w, contact, side)) continue;
        int count = column_count(w, side/2);
        TRY_MEMORY(c->side[side] = ARENA_NEW(arena, WallColumn, count));
        TRY_MEMORY(c->state[side] = ARENA_ZERO(arena, unsigned char, count));
    }
    for (int d = 0; d < 3; d++) c->shift[d] = LEAST_SHIFT;
    while ((w->n[0] + 2*w->ghost) >> c->shift[0] >= BITS) c->shift[0]++;
    c->rows_y = ((w->n[1] + 2*w->ghost) >> LEAST_SHIFT) + 1;
    c->rows_z = w->dim == 3 ? ((w->n[2] + 2*w->ghost) >> LEAST_SHIFT) + 1 : 1;
    TRY_MEMORY(c->changed = arena_take_zero(arena, rows_size(c)));
    *out = c;
    return MN_OK;
}

// Blocks of a box: rows a .. b along y and z, and the bits along x.
typedef struct Blocks {
    int a[3], b[3];
    uint64_t bits;
} Blocks;

static inline Blocks blocks_of(const WallColumns* c, const NodeBox* box)
{
    Blocks r = {{0}, {0}, 0};
    for (int d = 0; d < c->w->dim; d++) {
        int last = c->w->n[d] + 2*c->w->ghost;
        r.a[d] = clampi(box->low[d] + c->w->ghost, 0, last) >> c->shift[d];
        r.b[d] = clampi(box->high[d] + c->w->ghost, 0, last) >> c->shift[d];
    }
    r.bits = ~UINT64_C(0) >> (BITS - 1 - (r.b[0] - r.a[0])) << r.a[0];
    return r;
}

static void mark(WallColumns* c, const NodeBox* box)
{
    Blocks r = blocks_of(c, box);
    for (int k = r.a[2]; k <= r.b[2]; k++)
        for (int j = r.a[1]; j <= r.b[1]; j++) c->changed[j + c->rows_y*k] |= r.bits;
}

void wallcolumns_note_change(WallColumns* c, ptrdiff_t at)
{
    const Window* w = c->w;
    ptrdiff_t from_block = at + w->origin;
    int node[3] = {(int)(from_block%w->sy) - w->ghost, (int)(from_block/w->sy%(w->sz/w->sy)) - w->ghost,
                   w->dim == 3 ? (int)(from_block/w->sz) - w->ghost : 0};
    NodeBox box = {{0}, {0}};
    for (int d = 0; d < w->dim; d++) {
        // its mirror images change with it
        box.low[d] = node[d] <= w->ghost ? -w->ghost : node[d];
        box.high[d] = node[d] >= w->n[d] - w->ghost ? w->n[d] + w->ghost : node[d];
    }
    mark(c, &box);
}

bool wallcolumns_box_changed(const WallColumns* c, const NodeBox* box)
{
    Blocks r = blocks_of(c, box);
    uint64_t any = 0;
    for (int k = r.a[2]; k <= r.b[2]; k++)
        for (int j = r.a[1]; j <= r.b[1]; j++) any |= c->changed[j + c->rows_y*k];
    return any & r.bits;
}

void wallcolumns_end_axis(WallColumns* c, int axis)
{
    const Window* w = c->w;
    int first, second, length = wallcolumns_along(&first, &second, w, axis), count = column_count(w, axis);
    for (int high = 0; high < 2 && c->filled; high++) {
        const unsigned char* state = c->state[2*axis + high];
        for (int m = 0; state && m < count; m++) {
            if (!(state[m] & COLUMN_IS_NEW)) continue;
            NodeBox box = {{0}, {0}};
            box.low[first] = box.high[first] = m%length - w->ghost;
            box.low[second] = box.high[second] = m/length - w->ghost;
            box.low[axis] = high ? w->n[axis] + 1 : -w->ghost, box.high[axis] = high ? w->n[axis] + w->ghost : -1;
            mark(c, &box);
        }
    }
}

void wallcolumns_end(WallColumns* c)
{
    memset(c->changed, 0, rows_size(c));
    c->filled = true;
}
