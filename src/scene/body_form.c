#include "scene/body_form.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/marching.h"
#include "scene/body_boxes.h"
#include "scene/shape_node.h"

// ---------------------------------------------------------------- skin

// Thin bodies have at least this many cells across, unless these would be smaller than a quarter of the spacing.
enum { CELLS_ACROSS = 6, FINEST = 4 };
enum { ROOM = 3 };  // cells around the shape
// Cells that are looked through at most; larger bodies have points further apart.
static const double MOST_CELLS = 4e6;

// A shape, seen from the corner of a tank of its own.
typedef struct Moved {
    const Shape* shape;
    double corner[3];  // m
    int dim;
} Moved;

static double distance_of_moved(const void* user, const double x[3])
{
    const Moved* m = user;
    double place[3] = {0, 0, 0};
    for (int d = 0; d < m->dim; d++) place[d] = m->corner[d] + x[d];
    return shape_distance(m->shape, place);
}

static Tank tank_around(Moved* m, double spacing)
{
    double low[3], high[3], least = INFINITY, volume = 1;
    shape_bounds(low, high, m->shape);
    for (int d = 0; d < m->dim; d++) least = fmin(least, high[d] - low[d]), volume *= high[d] - low[d];
    double dx = clamp(least/CELLS_ACROSS, spacing/FINEST, spacing), coarse = pow(volume/MOST_CELLS, 1.0/m->dim);
    Tank tank = {.dim = m->dim, .dx = fmax(dx, coarse), .n = {1, 1, 1}};
    for (int s = 0; s < 6; s++) tank.side[s] = SIDE_IS_WALL;
    for (int d = 0; d < m->dim; d++) {
        m->corner[d] = low[d] - ROOM*tank.dx;
        tank.n[d] = (int)ceil((high[d] - low[d])/tank.dx) + 2*ROOM;
    }
    return tank;
}

static mn_status surface_of(SurfaceMesh* mesh, const Moved* m, const Tank* tank)
{
    Window w = window_whole(tank);
    Field phi;
    TRY(field_init(&phi, &w));
    for (int k = 0; k < window_node_layers(&w); k++)
        for (int j = 0; j <= w.n[1]; j++)
            for (int i = 0; i <= w.n[0]; i++) {
                double x[3];
                window_position(x, &w, i, j, k);
                phi.v[window_at(&w, i, j, k)] = distance_of_moved(m, x);
            }
    mn_status status = marching_add(mesh, &(MarchingInput){.w = &w, .phi = phi.v, .distance = distance_of_moved, .user = m});
    field_free(&phi);
    return status;
}

// Moves a point of the mesh, whose edges cut off what is round, onto the shape: along the gradient, which is 1 but at edges,
// where the mesh has its points already.
static void put_on_shape(double x[3], const Moved* m, double dx)
{
    double gradient[3] = {0, 0, 0}, step = 1e-3*dx, off = distance_of_moved(m, x);
    for (int d = 0; d < m->dim; d++) {
        double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
        a[d] -= step, b[d] += step;
        gradient[d] = (distance_of_moved(m, b) - distance_of_moved(m, a))/(2*step);
    }
    if (fabs(vec_norm(gradient) - 1) > 0.1) return;
    for (int d = 0; d < m->dim; d++) x[d] -= off*gradient[d];
}

mn_status body_skin(double** points, int* count, const Shape* shape, int dim, double spacing)
{
    Moved moved = {.shape = shape, .dim = dim};
    Tank tank = tank_around(&moved, spacing);
    SurfaceMesh mesh = {.corners = dim};
    *points = NULL, *count = 0;
    mn_status status = surface_of(&mesh, &moved, &tank);
    if (status == MN_OK) *points = calloc(3*(size_t)mesh.vertex_count + 1, sizeof **points);
    if (*points) {
        *count = mesh.vertex_count;
        for (int m = 0; m < mesh.vertex_count; m++) {
            put_on_shape(mesh.position[m], &moved, tank.dx);
            for (int d = 0; d < dim; d++) (*points)[3*m + d] = mesh.position[m][d] + moved.corner[d];
        }
    } else if (status == MN_OK) {
        status = mn_fail(MN_NO_MEMORY, "no memory for the skin of a body");
    }
    surfacemesh_free(&mesh);
    return status;
}

// ---------------------------------------------------------------- forms

// x -> factor turn x + shift: from a part to the whole.
typedef struct Place {
    double turn[3][3], shift[3], factor;
} Place;

typedef struct FormList {
    BodyForm* form;
    int count, room;
    bool no_memory;
    const Tank* tank;  // what has no end is cut off outside it; NULL: all is finite
} FormList;

static void place_point(double out[3], const Place* p, const double x[3])
{
    double y[3];
    for (int d = 0; d < 3; d++) y[d] = p->factor*vec_dot(p->turn[d], x) + p->shift[d];
    memcpy(out, y, sizeof y);
}

// A KIND_PLACE within p: x -> center + axis + factor turn (x - center), then p.
static Place place_within(const Place* p, const Shape* s)
{
    Place q = {.factor = p->factor*s->factor};
    double origin[3];
    for (int d = 0; d < 3; d++) origin[d] = s->center[d] + s->axis[d] - s->factor*vec_dot(s->turn[d], s->center);
    place_point(q.shift, p, origin);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++) q.turn[a][b] += p->turn[a][c]*s->turn[c][b];
    return q;
}

// Axes of a form: the third along `axis`, the others square to it; in 2D the second is z.
static void axes_along(BodyForm* f, const double axis[3])
{
    double x[3], y[3], other[3] = {0, 0, 1};
    if (fabs(axis[2]) > 0.5) other[0] = 1, other[2] = 0;
    vec_cross(x, other, axis);
    double norm = vec_norm(x);
    for (int d = 0; d < 3; d++) x[d] /= norm;
    vec_cross(y, axis, x);
    for (int d = 0; d < 3; d++) f->rotation[d][0] = x[d], f->rotation[d][1] = y[d], f->rotation[d][2] = axis[d];
}

// In 2D: the first along `axis`, the third along z.
static void plane_axes(BodyForm* f, const double axis[3])
{
    double turned[3][3] = {{axis[0], -axis[1], 0}, {axis[1], axis[0], 0}, {0, 0, 1}};
    memcpy(f->rotation, turned, sizeof turned);
}

// The form of a primitive in its own frame; false if it has none.
static bool form_of(BodyForm* f, const Shape* s)
{
    double middle[3];
    *f = (BodyForm){.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    memcpy(f->center, s->center, sizeof f->center);
    for (int d = 0; d < 3; d++) middle[d] = s->center[d] + 0.5*s->length*s->axis[d];
    switch (s->kind) {
    case KIND_SPHERE:
        f->kind = FORM_BALL, f->size[0] = s->radius;
        return true;
    case KIND_BOX:
    case KIND_ELLIPSOID:
        f->kind = s->kind == KIND_BOX ? FORM_BOX : FORM_ELLIPSOID;
        memcpy(f->size, s->half, sizeof f->size);
        if (s->dim == 2) f->size[2] = fmax(s->half[0], s->half[1]);
        return s->kind == KIND_ELLIPSOID || s->radius == 0;  // rounded edges are the hull's
    case KIND_CAPSULE:
    case KIND_CYLINDER:
        axes_along(f, s->axis);
        memcpy(f->center, middle, sizeof middle);
        f->kind = s->kind == KIND_CAPSULE ? FORM_CAPSULE : FORM_CYLINDER;
        f->size[0] = s->radius, f->size[1] = 0.5*s->length;
        if (s->kind == KIND_CYLINDER && s->dim == 2) {
            // the cut through a cylinder along its axis is a rectangle
            plane_axes(f, s->axis);
            f->kind = FORM_BOX, f->size[0] = 0.5*s->length, f->size[1] = s->radius;
            f->size[2] = fmax(f->size[0], f->size[1]);
        }
        return true;
    default:
        return false;
    }
}

static void list_add(FormList* list, const BodyForm* form)
{
    if (list->count == list->room) {
        int room = 2*list->room + 4;
        BodyForm* more = realloc(list->form, (size_t)room*sizeof *more);
        list->no_memory = list->no_memory || !more;
        if (!more) return;
        list->form = more, list->room = room;
    }
    list->form[list->count++] = *form;
}

static void list_add_placed(FormList* list, BodyForm f, const Place* p)
{
    double turned[3][3] = {{0}};
    place_point(f.center, p, f.center);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++) turned[a][b] += p->turn[a][c]*f.rotation[c][b];
    memcpy(f.rotation, turned, sizeof turned);
    for (int d = 0; d < 3; d++) f.size[d] *= p->factor;
    list_add(list, &f);
}

// A cube, in the frame of a part, that holds the tank and as much again on all sides.
static void around_tank(AxisBox* cube, const Tank* tank, const Place* p)
{
    double middle[3], size[3] = {0, 0, 0}, reach;
    for (int d = 0; d < tank->dim; d++) size[d] = tank->n[d]*tank->dx;
    reach = 2*vec_norm(size)/p->factor;
    for (int d = 0; d < 3; d++) middle[d] = 0.5*size[d] - p->shift[d];
    for (int d = 0; d < 3; d++) {
        double own = (p->turn[0][d]*middle[0] + p->turn[1][d]*middle[1] + p->turn[2][d]*middle[2])/p->factor;
        cube->low[d] = own - reach, cube->high[d] = own + reach;
    }
}

// Differences and intersections that are boxes after all, and half-spaces.
static bool add_boxes(FormList* list, const Shape* s, const Place* p)
{
    AxisBoxes boxes;
    AxisBox cube = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    if (!shape_axis_boxes(&boxes, s)) return false;
    if (list->tank) around_tank(&cube, list->tank, p);
    for (int m = 0; m < boxes.count; m++) {
        BodyForm f = {.kind = FORM_BOX, .rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        for (int d = 0; d < s->dim; d++) {
            double low = fmax(boxes.box[m].low[d], cube.low[d]), high = fmin(boxes.box[m].high[d], cube.high[d]);
            f.center[d] = 0.5*(low + high), f.size[d] = 0.5*(high - low);
        }
        if (s->dim == 2) f.size[2] = fmax(f.size[0], f.size[1]);
        if (f.size[0] > 0 && f.size[1] > 0 && f.size[2] > 0) list_add_placed(list, f, p);
    }
    axis_boxes_free(&boxes);
    return true;
}

// Ground that slopes: a cube whose face is the plane.
static bool add_slope(FormList* list, const Shape* s, const Place* p)
{
    AxisBox cube;
    double middle[3], reach, off = 0;
    BodyForm f = {.kind = FORM_BOX};
    if (!list->tank) return false;
    around_tank(&cube, list->tank, p);
    reach = 0.5*(cube.high[0] - cube.low[0]);
    for (int d = 0; d < 3; d++) middle[d] = 0.5*(cube.low[d] + cube.high[d]);
    for (int d = 0; d < 3; d++) off += (middle[d] - s->center[d])*s->axis[d];
    for (int d = 0; d < 3; d++) f.center[d] = middle[d] - (off + reach)*s->axis[d], f.size[d] = reach;
    (s->dim == 2 ? plane_axes : axes_along)(&f, s->axis);
    list_add_placed(list, f, p);
    return true;
}

// Adds the forms of a shape; false if part of it has none.
static bool add_forms(FormList* list, const Shape* s, const Place* p)
{
    if (s->kind == KIND_PLACE) {
        Place within = place_within(p, s);
        return add_forms(list, s->parts[0], &within);
    }
    if (s->kind == KIND_UNION) {
        bool all = true;
        for (int m = 0; m < s->count && all; m++) all = add_forms(list, s->parts[m], p);
        return all;
    }
    BodyForm f;
    if (form_of(&f, s)) {
        list_add_placed(list, f, p);
        return true;
    }
    return add_boxes(list, s, p) || (s->kind == KIND_HALFSPACE && add_slope(list, s, p));
}

mn_status body_still_forms(BodyForm** forms, int* count, bool* exact, const Shape* shape, const Tank* tank, const double pivot[3],
                           const Pose* pose)
{
    FormList list = {.tank = tank};
    Place there = {.factor = 1};
    memcpy(there.turn, pose->rotation, sizeof there.turn);
    for (int d = 0; d < 3; d++) there.shift[d] = pivot[d] + pose->position[d] - vec_dot(pose->rotation[d], pivot);
    *exact = add_forms(&list, shape, &there) && !list.no_memory;
    if (!*exact) free(list.form);
    *forms = *exact ? list.form : NULL, *count = *exact ? list.count : 0;
    return list.no_memory ? mn_fail(MN_NO_MEMORY, "no memory for the forms of a solid") : MN_OK;
}

mn_status body_forms(BodyForm** forms, int* count, const Shape* shape, const double* skin, int skin_points)
{
    static const Place here = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .factor = 1};
    FormList list = {0};
    if (!add_forms(&list, shape, &here)) {
        list.count = 0;
        list_add(
            &list,
            &(BodyForm){.kind = FORM_HULL, .rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .point = skin, .points = skin_points});
    }
    *forms = list.form, *count = list.count;
    if (!list.no_memory) return MN_OK;
    free(list.form);
    *forms = NULL, *count = 0;
    return mn_fail(MN_NO_MEMORY, "no memory for the forms of a body");
}

bool body_is_round(const Shape* shape)
{
    while (shape->kind == KIND_PLACE) shape = shape->parts[0];
    return shape->kind == KIND_SPHERE;
}
