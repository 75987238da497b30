// Meshes of elastic sheets of simple forms: edges about as long as each other, so that they bend alike in all directions.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/sheets.h"
#include "thin/thin_shapes.h"

mn_status sheet_add_fine_rectangle(SceneSheets* s, const double corner[3], const double along[3], const double across[3],
                                   double spacing)
{
    SheetShape shape;
    TRY(sheet_rectangle(&shape, corner, along, across, spacing));
    mn_status status = MN_OK;
    for (int v = 0; v < shape.vertices && status == MN_OK; v++) status = sheet_add_vertex(s, shape.x + 3*v);
    for (int t = 0; t < shape.triangles && status == MN_OK; t++)
        status = sheet_add_element(s, shape.triangle[t][0], shape.triangle[t][1], shape.triangle[t][2]);
    sheet_shape_free(&shape);
    return status;
}

// Ring k has 6 k vertices, so that all triangles have about equal sides. From ring k - 1 to k goes a belt in six sectors: in each
// k triangles stand on the outer ring and k - 1 on the inner one.
static int of_ring(int k, int m) { return k == 0 ? 0 : 1 + 3*k*(k - 1) + m%(6*k); }

static mn_status add_sectors(SceneSheets* s, int k)
{
    for (int sector = 0; sector < 6; sector++)
        for (int m = 0; m < k; m++) {
            int outer = sector*k + m, inner = sector*(k - 1) + m;
            TRY(sheet_add_element(s, of_ring(k - 1, inner), of_ring(k, outer), of_ring(k, outer + 1)));
            if (m + 1 < k) TRY(sheet_add_element(s, of_ring(k - 1, inner), of_ring(k, outer + 1), of_ring(k - 1, inner + 1)));
        }
    return MN_OK;
}

mn_status sheet_add_fine_disc(SceneSheets* s, const double center[3], const double normal[3], double radius, double spacing)
{
    double u[3], v[3], x[3];
    int rings = maxi(1, (int)ceil(radius/spacing - 1e-9));
    sheet_directions(u, v, normal);
    TRY(sheet_add_vertex(s, center));
    for (int k = 1; k <= rings; k++)
        for (int m = 0; m < 6*k; m++) {
            double angle = 2*PI*m/(6*k), r = radius*k/rings;
            for (int d = 0; d < 3; d++) x[d] = center[d] + r*(cos(angle)*u[d] + sin(angle)*v[d]);
            TRY(sheet_add_vertex(s, x));
        }
    for (int k = 1; k <= rings; k++) TRY(add_sectors(s, k));
    return MN_OK;
}

mn_status sheet_refine_chain(SceneSheets* s, double spacing)
{
    SceneSheet* sheet = &s->sheet[s->count - 1];
    int points = sheet->vertices, added = 0;
    double(*point)[3] = malloc(sizeof *point*(size_t)points);
    if (!point) return mn_fail(MN_NO_MEMORY, "no memory for a sheet");
    memcpy(point, s->x + 3*(ptrdiff_t)sheet->first_vertex, sizeof *point*(size_t)points);
    s->surface.vertices = sheet->first_vertex, s->surface.elements = sheet->first_element;
    sheet->vertices = sheet->elements = 0;
    mn_status status = sheet_add_vertex(s, point[0]);
    for (int m = 0; m + 1 < points && status == MN_OK; m++) {
        double way[3], x[3];
        vec_sub(way, point[m + 1], point[m]);
        int pieces = maxi(1, (int)ceil(vec_norm(way)/spacing - 1e-9));
        for (int k = 1; k <= pieces && status == MN_OK; k++) {
            for (int d = 0; d < 3; d++) x[d] = k == pieces ? point[m + 1][d] : point[m][d] + k*way[d]/pieces;
            status = sheet_add_vertex(s, x);
            if (status == MN_OK) status = sheet_add_element(s, added, added + 1, 0);
            added++;
        }
    }
    free(point);
    return status;
}
