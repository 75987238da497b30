#include "output/sheetmesh.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/sheetnormals.h"
#include "liquid/sides.h"

// ---- sheets ----------------------------------------------------------------------------------------------------------------

static const double COS_SHARP = 0.77;  // 40 degrees

// Mean of the normals around a vertex of those elements that lie much as this one does.
static void normal_at(double out[3], const SheetNormals* n, int vertex, int element)
{
    const double* own = n->face + 3*element;
    out[0] = out[1] = out[2] = 0;
    for (int m = n->first[vertex]; m < n->first[vertex + 1]; m++) {
        const double* other = n->face + 3*n->around[m];
        if (vec_dot(own, other) < COS_SHARP) continue;
        for (int d = 0; d < 3; d++) out[d] += other[d];
    }
    double length = vec_norm(out);
    for (int d = 0; d < 3; d++) out[d] /= length;
}

static mn_status add_elements(SurfaceMesh* mesh, const SheetSurface* s, const SheetNormals* n, const SceneSheet* sheet)
{
    for (int e = sheet->first_element; e < sheet->first_element + sheet->elements; e++) {
        int corner[3] = {0, 0, 0};
        for (int c = 0; c < s->dim; c++) {
            int v = s->element[s->dim*e + c];
            corner[c] = surfacemesh_add_vertex(mesh, s->x + 3*(ptrdiff_t)v, 0);
            if (corner[c] < 0) return mn_fail(MN_NO_MEMORY, "out of memory: the mesh of sheet %s", sheet->name);
            normal_at(mesh->normal[corner[c]], n, v, e);
            for (int d = 0; d < 3 && s->v; d++) mesh->velocity[corner[c]][d] = s->v[3*(ptrdiff_t)v + d];
        }
        if (!surfacemesh_add_face(mesh, corner, FACE_IS_FREE))
            return mn_fail(MN_NO_MEMORY, "out of memory: the mesh of sheet %s", sheet->name);
    }
    return MN_OK;
}

mn_status sheetmesh_make(SurfaceMesh* mesh, const SceneSheet* sheet, const SheetSurface* surface)
{
    Arena arena = {0};
    SheetNormals n;
    *mesh = (SurfaceMesh){.corners = surface->dim};
    mn_status status = sheet_normals(&n, &arena, surface);
    if (status == MN_OK) status = add_elements(mesh, surface, &n, sheet);
    arena_free(&arena);
    if (status != MN_OK) surfacemesh_free(mesh);
    return status;
}

// ---- liquid beside them ----------------------------------------------------------------------------------------------------

typedef enum Pass {
    PASS_WHOLE,  // cells that belong to one side, or that count to it
    PASS_SPLIT,  // those that a sheet cuts through: what is behind is solid
    PASS_SLIT    // those with a rim in them: by what each node has of its own
} Pass;

// Cells of a pass; the last one is done once, with the first side.
static bool is_of_pass(const SheetSide* side, const Window* w, ptrdiff_t at, Pass pass)
{
    SheetCell cell = sheetside_cell(side->cut, side->sign, w, at);
    if (pass == PASS_SPLIT) return cell == SHEET_CELL_SPLIT;
    if (pass == PASS_SLIT) return cell == SHEET_CELL_SLIT;
    return cell != SHEET_CELL_SPLIT && cell != SHEET_CELL_SLIT && sheetside_counts_cell(side, w, at);
}

static mn_status add_pass(SurfaceMesh* mesh, Arena* arena, const Liquid* view, const Liquid* q, Pass pass)
{
    const Window* w = &q->w;
    unsigned char* cells = ARENA_ZERO(arena, unsigned char, w->count);
    TRY_MEMORY(cells);
    cells += w->origin;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                cells[at] = is_of_pass(view->side, w, at, pass);
            }
    double* const u[3] = {view->u[0].v, view->u[1].v, view->u[2].v};
    return marching_add(mesh, &(MarchingInput){.w = w,
                                               .phi = pass == PASS_SLIT ? q->phi.v : view->phi.v,
                                               .solid = pass == PASS_SPLIT ? view->side->level : liquid_solid(q),
                                               .u = u,
                                               .owner = q->id,
                                               .cells = cells});
}

static mn_status add_passes(SurfaceMesh* mesh, Arena* arena, const Liquid* q)
{
    Sides s;
    TRY(sides_open(&s, arena, q));
    for (int m = 0; m < 2; m++) {
        TRY(add_pass(mesh, arena, &s.view[m], q, PASS_WHOLE));
        TRY(add_pass(mesh, arena, &s.view[m], q, PASS_SPLIT));
        if (m == 0) TRY(add_pass(mesh, arena, &s.view[m], q, PASS_SLIT));
    }
    return MN_OK;
}

mn_status sidemesh_add(SurfaceMesh* mesh, const Liquid* q)
{
    assert(q->sheet && !q->side);
    int vertices = mesh->vertex_count, faces = mesh->face_count;
    Arena arena = {0};
    mn_status status = add_passes(mesh, &arena, q);
    arena_free(&arena);
    if (status != MN_OK) mesh->vertex_count = vertices, mesh->face_count = faces;
    return status;
}
