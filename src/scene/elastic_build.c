#include "scene/elastic_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "thin/sheet_partner.h"

// Sheets that are not elastic are in the mesh, held, for the others to meet: what they weigh does not matter.
static const SheetMaterial RIGID = {.density = 1, .young = 1, .poisson = 0, .thickness = 1e-6};

static SheetMaterial material_of(const SceneSheet* sheet)
{
    const SceneElastic* e = &sheet->elastic;
    if (!sheet->is_elastic) return RIGID;
    return (SheetMaterial){e->density, e->young, e->poisson, e->thickness, (ThinLaw)e->law};
}

static mn_status add_sheet(ThinMesh* mesh, unsigned char* elastic, const Scene* scene, int m)
{
    const SceneSheets* s = &scene->sheets;
    const SceneSheet* sheet = &s->sheet[m];
    SheetMaterial material = material_of(sheet);
    const double* x = s->x + 3*(ptrdiff_t)sheet->first_vertex;
    if (scene->dim == 2) TRY(thin_add_chain(mesh, x, sheet->vertices, &material));
    else {
        // elements of the whole are numbered by their vertices in it, as those of the mesh are
        const int(*triangle)[3] = (const int(*)[3])(s->element + 3*(ptrdiff_t)sheet->first_element);
        TRY(thin_add_sheet(mesh, x, sheet->vertices, triangle, sheet->elements, &material));
    }
    for (int v = sheet->first_vertex; v < sheet->first_vertex + sheet->vertices; v++) {
        elastic[v] = sheet->is_elastic;
        if (!sheet->is_elastic || s->held[v]) mesh->held[v] = HELD;
    }
    return MN_OK;
}

// Closed sides of the tank, and mirrors.
static int find_walls(ThinPlane plane[6], const Tank* tank)
{
    int count = 0;
    for (int side = 0; side < 2*tank->dim; side++) {
        if (!side_is_closed(tank->side[side])) continue;
        int d = side/2, high = side%2;
        plane[count] = (ThinPlane){.at = high ? -tank->n[d]*tank->dx : 0};
        plane[count++].n[d] = high ? -1 : 1;
    }
    return count;
}

static double heaviest_cell(const Scene* scene, const ThinMesh* mesh, const unsigned char* elastic)
{
    double rho = 0, sheet = 0;
    for (int m = 0; m < scene->liquid_count; m++) rho = fmax(rho, scene->liquids[m].material.rho);
    for (int m = 0; m < scene->source_count; m++) rho = fmax(rho, scene->sources[m].material.rho);
    for (int v = 0; v < mesh->vertices; v++) sheet = fmax(sheet, elastic[v] ? mesh->mass[v] : 0);
    return sheet + rho*pow(scene->dx, scene->dim);
}

// Pieces keep off each other and off walls by half a cell at most. A barrier as heavy as a cell of the liquid stops what comes
// along with a cell per step within its distance.
static const double APART = 0.3, OF_SHORTEST = 0.4, CREEP = 1e-3;

static mn_status move_in(Sim* sim, const Scene* scene, ThinMesh* mesh, const unsigned char* elastic)
{
    const SceneElastic* e = NULL;
    for (int m = 0; m < scene->sheets.count && !e; m++)
        if (scene->sheets.sheet[m].is_elastic) e = &scene->sheets.sheet[m].elastic;
    ThinPlane plane[6];
    ContactSettings contact = {.distance = fmin(APART*scene->dx, OF_SHORTEST*thin_shortest(mesh)),
                               .stiffness = heaviest_cell(scene, mesh, elastic),
                               .friction = e->friction,
                               .creep = CREEP,
                               .plane = plane,
                               .planes = find_walls(plane, &sim->model.tank)};
    ThinForces f = {.damp_mass = e->damping, .damp_stiffness = e->stiffness_damping, .contact = &contact};
    return sheet_partner_add(&sim->world, mesh, elastic, &f);
}

mn_status elastic_build(Sim* sim, const Scene* scene)
{
    ThinMesh mesh = {.dim = scene->dim};
    unsigned char* elastic = calloc((size_t)scene->sheets.surface.vertices + 1, 1);
    mn_status status = elastic ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for elastic sheets");
    for (int m = 0; m < scene->sheets.count && status == MN_OK; m++) {
        status = add_sheet(&mesh, elastic, scene, m);
        if (status != MN_OK && status != MN_NO_MEMORY)
            status = mn_fail_context(MN_BAD_SCENE, "sheets[%d] (\"%s\"): ", m + 1, scene->sheets.sheet[m].name);
    }
    if (status == MN_OK) status = move_in(sim, scene, &mesh, elastic);  // owns the mesh
    else thin_mesh_free(&mesh);
    free(elastic);
    return status;
}
