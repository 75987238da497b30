// A window: the part of the grid one liquid lives in, and the memory layout every field on it shares.
//
// Cell (i,j,k) of the window spans [i,i+1]dx x [j,j+1]dx x [k,k+1]dx measured from its corner; node (i,j,k) is the cell's
// low corner; face (i,j,k) of axis d is the cell's low face across d. Cells, nodes and faces share one linear index
//     at = i + j*sy + k*sz,
// so a neighbour is always one stride away whatever the field is. In 2D there is one layer of cells (k = 0) whose nodes
// and faces lie in the plane, and everything is per metre of depth.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/status.h"

// Half-width of the band in which level sets are distances, in cells, where nothing asks for more.
enum { BAND = 5 };
enum {
    GHOST = 3
};  // layers past each side that windows are made with: a second-order one-sided difference at a side node reads two, plus one

// A mirror is a plane about which the whole problem is symmetric, of which the tank holds one side: no flow through it, no
// friction along it, and every surface meets it at 90 degrees whatever the contact angle of the walls.
typedef enum Side { SIDE_INSIDE, SIDE_IS_WALL, SIDE_IS_OPEN, SIDE_IS_MIRROR } Side;
// Does nothing flow through it?
static inline bool side_is_closed(Side s) { return s == SIDE_IS_WALL || s == SIDE_IS_MIRROR; }

typedef struct Window {
    int dim;           // 2 or 3
    double dx;         // m
    int lo[3];         // index of cell (0,0,0) in the whole grid
    int n[3];          // cells per axis; n[2] is 1 in 2D
    ptrdiff_t sy, sz;  // strides; sx is 1
    ptrdiff_t origin;  // of node (0,0,0) in a field's block
    size_t count;      // values in a field's block
    Side side[6];      // -x +x -y +y -z +z: does this side of the window lie on a side of the tank?
    int wider;         // the tank's
    int ghost;         // layers of values past each side
} Window;

// The whole tank: its cells and what its sides are.
typedef struct Tank {
    int dim;
    double dx;
    int n[3];
    Side side[6];  // SIDE_IS_WALL, SIDE_IS_OPEN or SIDE_IS_MIRROR
    int wider;     // cells by which bands are wider than BAND: for who reads distances further out
} Tank;

// A window of n cells from lo, cut to the tank.
Window window_make(const Tank* tank, const int lo[3], const int n[3]);
Window window_whole(const Tank* tank);
bool window_same(const Window* a, const Window* b);
// Do size, strides, origin and count go together, and is every side of a known kind? For asserts.
bool window_is_valid(const Window* w);

static inline ptrdiff_t window_at(const Window* w, int i, int j, int k) { return i + j*w->sy + k*w->sz; }
static inline ptrdiff_t window_stride(const Window* w, int axis) { return axis == 0 ? 1 : axis == 1 ? w->sy : w->sz; }
// From a cell to its corner c: the bits of c say low or high along x, y, z.
static inline ptrdiff_t window_corner(const Window* w, int c) { return (c & 1) + (c >> 1 & 1)*w->sy + (c >> 2)*w->sz; }
// Is a loop over its values worth a second thread?
static inline bool window_is_large(const Window* w) { return w->count > 200000; }
// Layers of nodes along z: one in 2D.
static inline int window_node_layers(const Window* w) { return w->dim == 3 ? w->n[2] + 1 : 1; }
static inline double window_face_area(const Window* w) { return w->dim == 3 ? w->dx*w->dx : w->dx; }
static inline double window_cell_volume(const Window* w) { return w->dim == 3 ? w->dx*w->dx*w->dx : w->dx*w->dx; }
// Position in the tank, m, of the point (x,y,z) given in cells from the window's corner.
static inline void window_position(double place[3], const Window* w, double x, double y, double z)
{
    place[0] = (w->lo[0] + x)*w->dx, place[1] = (w->lo[1] + y)*w->dx, place[2] = w->dim == 3 ? (w->lo[2] + z)*w->dx : 0;
}

// One number per node, cell or face of a window. All zeros is a valid empty field. Pages never written cost nothing.
typedef struct Field {
    double* v;      // value (0,0,0); ghosts have negative indices
    double* block;  // owned
} Field;

mn_status field_init(Field* f, const Window* w);  // zeros; MN_NO_MEMORY leaves f empty
void field_free(Field* f);                        // fine on an empty field; leaves it empty
void field_fill(Field* f, const Window* w, double value);
// Copies what the two windows share, ghosts apart (those of `from` are out of date where it ends inside the tank); the rest of
// `to` is left as it is.
void field_copy_window(Field* to, const Window* wto, const Field* from, const Window* wfrom);

// A copy of a field's block in arena memory, shifted like the original; NULL when memory is out. And the copying alone.
double* window_copy(Arena* arena, const double* v, const Window* w);
void window_copy_to(double* to, const double* from, const Window* w);
