#include "scene/read_domain.h"

#include <limits.h>
#include <string.h>
#include "base/vec.h"
#include "scene/material.h"
#include "scene/read_tension.h"

#define MIN_CELLS 4
#define MAX_CELLS_PER_AXIS (1 << 20)

const char* const advection_names[] = {"auto", "maccormack", "semilagrangian", "cubic", NULL};
const char* const operator_names[] = {"auto", "cut", "ghost", NULL};
const char* const side_names[] = {"wall", "open", "mirror", NULL};
const char* const format_names[] = {"ply", "obj", "usda", "vtkhdf", "vdb", NULL};

// size = { x, y } or { x, y, z }: how many there are decides the dimension of everything else.
static mn_status read_size(Scene* scene, const Node* n)
{
    lua_State* L = n->reader->L;
    lua_pushstring(L, "size");
    int type = lua_rawget(L, n->table);
    scene->dim = type == LUA_TTABLE && lua_rawlen(L, -1) == 2 ? 2 : 3;
    lua_pop(L, 1);
    if (type == LUA_TNIL) return node_fail(n, "size", "missing; expected two or three lengths in metres");
    TRY(node_vector(scene->size, n, "size", "size in metres (two numbers make the scene two-dimensional)", REQUIRED));
    for (int d = 0; d < scene->dim; d++) {
        if (!(scene->size[d] > 0))
            return node_fail(n, "size", "expected a positive length in metres along %c, got %g", 'x' + d, scene->size[d]);
    }
    return MN_OK;
}

// Cells along each axis; the box must be a whole number of them, since a wall cannot stand inside a cell.
static mn_status fit_cells(Scene* scene, const Node* n)
{
    double total = 1;
    for (int d = 0; d < scene->dim; d++) {
        double cells = scene->size[d]/scene->dx, whole = round(cells);
        if (scene->dx > scene->size[d]*(1 + 1e-6)) {
            return node_fail(n, node_has(n, "dx") ? "dx" : "cells", "a cell of %g m is larger than the box along %c, %g m",
                             scene->dx, 'x' + d, scene->size[d]);
        }
        if (whole > MAX_CELLS_PER_AXIS) {
            return node_fail(n, node_has(n, "dx") ? "dx" : "cells", "%.0f cells along %c; at most %d are possible", whole,
                             'x' + d, MAX_CELLS_PER_AXIS);
        }
        if (fabs(cells - whole) > 1e-6*cells) {
            double nearest = fmax(whole, MIN_CELLS)*scene->dx;
            return node_fail(n, "size",
                             "%g m along %c is %.6g cells of %g m, not a whole number; the nearest size that fits is %.9g",
                             scene->size[d], 'x' + d, cells, scene->dx, nearest);
        }
        if (whole < MIN_CELLS) {
            return node_fail(n, node_has(n, "dx") ? "dx" : "cells", "expected at least %d cells along %c, got %.0f", MIN_CELLS,
                             'x' + d, whole);
        }
        scene->cells[d] = (int)whole;
        total *= whole;
    }
    if (total > INT_MAX)
        return node_fail(n, node_has(n, "dx") ? "dx" : "cells", "%.3g cells in all; at most %d are possible", total, INT_MAX);
    if (scene->dim == 2) scene->cells[2] = 1;
    for (int d = 0; d < 3; d++) scene->size[d] = scene->cells[d]*scene->dx;
    return MN_OK;
}

static mn_status read_sides(Scene* scene, const Node* n)
{
    static const char* const names[] = {"left", "right", "bottom", "top", "back", "front", NULL};
    static const char* const flat_names[] = {"left", "right", "bottom", "top", NULL};
    Node sides;
    bool present;
    TRY(node_open(&sides, &present, n, "sides", "a table, { top = \"open\", ... }"));
    if (!present) return MN_OK;
    TRY(node_check_keys(&sides, scene->dim == 2 ? flat_names : names, NULL, false));
    for (int i = 0; i < 2*scene->dim; i++) {
        int kind = SIDE_WALL;
        TRY(node_choice(&kind, &sides, names[i], side_names));
        scene->side[i] = (SideKind)kind;
    }
    node_close(&sides);
    return MN_OK;
}

mn_status domain_read(Scene* scene, const Node* root)
{
    static const char* const keys[] = {"size", "cells", "dx", "sides", "contact_angle", NULL};
    Node n;
    bool present;
    scene->dim = 3;
    TRY(node_open(&n, &present, root, "domain", "a table, { size = { ... }, cells = ... }"));
    if (!present) return node_fail(root, "domain", "missing; expected { size = { ... }, cells = ... }");
    TRY(node_check_keys(&n, keys, NULL, false));
    TRY(read_size(scene, &n));
    if (node_has(&n, "cells") == node_has(&n, "dx")) {
        const char* got = node_has(&n, "dx") ? "both" : "neither";
        return node_fail(&n, "cells", "expected one of cells (along x) and dx (metres), got %s", got);
    }
    if (node_has(&n, "dx")) {
        TRY(node_number(&scene->dx, &n, "dx", POSITIVE, "length in metres", REQUIRED));
    } else {
        int cells = 0;
        TRY(node_integer(&cells, &n, "cells", MIN_CELLS, MAX_CELLS_PER_AXIS, "cells along x", REQUIRED));
        scene->dx = scene->size[0]/cells;
    }
    TRY(fit_cells(scene, &n));
    TRY(read_sides(scene, &n));
    TRY(angle_read(&scene->wall_angle, &n));
    node_close(&n);
    return MN_OK;
}

mn_status frames_read(Scene* scene, const Node* root)
{
    static const char* const keys[] = {"rate", "count", "checkpoint_every", NULL};
    Node n;
    bool present;
    TRY(node_open(&n, &present, root, "frames", "a table, { rate = ..., count = ... }"));
    if (!present) return node_fail(root, "frames", "missing; expected { rate = ..., count = ... }");
    TRY(node_check_keys(&n, keys, NULL, false));
    scene->checkpoint_every = 10;
    TRY(node_number(&scene->frame_rate, &n, "rate", POSITIVE, "number of frames per second of simulated time", REQUIRED));
    TRY(node_integer(&scene->frame_count, &n, "count", 1, 1000000, "frames", REQUIRED));
    TRY(node_integer(&scene->checkpoint_every, &n, "checkpoint_every", 1, 1000000, "frames", OPTIONAL));
    if (!isfinite(1/scene->frame_rate) || !isfinite(scene->frame_count/scene->frame_rate)) {
        return node_fail(&n, "rate", "expected a number of frames per second, got %g", scene->frame_rate);
    }
    node_close(&n);
    return MN_OK;
}

// output = { formats = { "obj", ... } }
mn_status output_read(Scene* scene, const Node* root)
{
    static const char* const keys[] = {"formats", NULL};
    Node n, list;
    bool present;
    int count;
    TRY(node_open(&n, &present, root, "output", "a table, { formats = { \"vdb\", ... } }"));
    if (!present) return MN_OK;
    TRY(node_check_keys(&n, keys, NULL, false));
    TRY(node_open(&list, &present, &n, "formats", "a list, { \"vdb\", ... }"));
    if (present) {
        TRY(node_check_keys(&list, NULL, NULL, true));
        TRY(node_count(&count, &list, MAX_LIST));
        for (int i = 1; i <= count; i++) {
            int format = 0;
            TRY(node_choice_entry(&format, &list, i, format_names));
            unsigned bit = format == 0 ? 0 : 1u << (format - 1);
            if (scene->dim == 2 && bit & (OUTPUT_USDA | OUTPUT_VDB))
                return node_fail_as(MN_UNSUPPORTED, &n, "formats", "\"%s\" needs a domain of three dimensions",
                                    format_names[format]);
            scene->formats |= bit;
        }
        node_close(&list);
    }
    node_close(&n);
    return MN_OK;
}

static mn_status read_numerics_table(Scene* scene, const Node* root)
{
    static const char* const keys[] = {"cfl", "tolerance", "max_dt", "advection", "operator", "slip", "unilateral", NULL};
    Node n;
    bool present;
    TRY(node_open(&n, &present, root, "numerics", "a table, { cfl = ..., ... }"));
    if (!present) return MN_OK;
    TRY(node_check_keys(&n, keys, tension_keys, false));
    TRY(node_number(&scene->cfl, &n, "cfl", POSITIVE, "number of cells crossed per step", OPTIONAL));
    // the band around the surface is 5 cells wide: faster than this a surface would leave it within a step
    if (scene->cfl > 3) return node_fail(&n, "cfl", "expected at most 3 cells per step, got %g", scene->cfl);
    TRY(node_number(&scene->tolerance, &n, "tolerance", POSITIVE, "number below 1", OPTIONAL));
    if (scene->tolerance >= 1) return node_fail(&n, "tolerance", "expected a positive number below 1, got %g", scene->tolerance);
    TRY(node_number(&scene->max_dt, &n, "max_dt", POSITIVE, "time in seconds", OPTIONAL));
    int advection = scene->advection, op = scene->op;
    TRY(node_choice(&advection, &n, "advection", advection_names));
    TRY(node_choice(&op, &n, "operator", operator_names));
    scene->advection = (AdvectionKind)advection;
    scene->op = (OperatorKind)op;
    TRY(tension_read(&scene->tension, &n));
    TRY(node_flag(&scene->slip, &n, "slip"));
    TRY(node_flag(&scene->unilateral, &n, "unilateral"));
    node_close(&n);
    return MN_OK;
}

mn_status numerics_read(Scene* scene, const Node* root)
{
    scene->cfl = 1.5;
    scene->unilateral = true;
    scene->tolerance = 1e-6;
    scene->max_dt = INFINITY;
    scene->spray_cells = scene->dim == 2 ? 4 : 8;
    scene->advection = ADVECTION_AUTO;
    TRY(read_numerics_table(scene, root));
    TRY(node_number(&scene->spray_cells, root, "spray_cells", NOT_NEGATIVE, "number of cells", OPTIONAL));
    return MN_OK;
}
