#include "scene/rod_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/include.h"
#include "scene/source.h"
#include "thin/rod_partner.h"

// Vertices that a strand is made of, one after the other. Owns them.
typedef struct Strand {
    int* vertex;
    int count, room;
} Strand;

static mn_status push(Strand* s, int vertex)
{
    if (s->count == s->room) {
        int room = 2*s->room + 64, *grown = realloc(s->vertex, sizeof *grown*(size_t)room);
        if (!grown) return mn_fail(MN_NO_MEMORY, "out of memory: a rod of %d pieces", room);
        s->vertex = grown, s->room = room;
    }
    s->vertex[s->count++] = vertex;
    return MN_OK;
}

static mn_status new_vertex(int* number, ThinMesh* t, const double x[3])
{
    *number = t->vertices;
    return thin_add_vertices(t, x, 1);
}

// On from the last vertex of the strand to one that is there, in pieces of at most `piece`, at least `least` of them.
static mn_status go_on(Strand* s, ThinMesh* t, int to, double piece, int least)
{
    double from[3], e[3], x[3];
    memcpy(from, t->x + 3*s->vertex[s->count - 1], sizeof from);
    vec_sub(e, t->x + 3*to, from);
    int pieces = maxi((int)ceil(vec_norm(e)/piece - 1e-9), least), number;
    for (int k = 1; k < pieces; k++) {
        for (int d = 0; d < 3; d++) x[d] = from[d] + e[d]*k/pieces;
        TRY(new_vertex(&number, t, x));
        TRY(push(s, number));
    }
    return push(s, to);
}

static RodMaterial material_of(const SceneRod* r)
{
    return (RodMaterial){.density = r->density, .young = r->young, .radius = r->radius, .taut = r->taut};
}

// ---- rods
// ----------------------------------------------------------------------------------------------------------------------

// Ends are held as points; clamped ones with the vertex next to them.
static void hold_ends(ThinMesh* t, const SceneRod* r, const Strand* s)
{
    int more = r->clamped ? 2 : 1;
    for (int k = 0; k < more; k++) {
        if (r->held & ROD_HELD_FROM) t->held[s->vertex[k]] = HELD;
        if (r->held & ROD_HELD_TO) t->held[s->vertex[s->count - 1 - k]] = HELD;
    }
}

static mn_status add_rod(ThinMesh* t, Strand* s, const SceneRod* r)
{
    enum { LEAST_PIECES = 4 };
    RodMaterial material = material_of(r);
    int number;
    TRY(new_vertex(&number, t, r->point[0]));
    TRY(push(s, number));
    for (int m = 1; m < r->points; m++) {
        TRY(new_vertex(&number, t, r->point[m]));
        TRY(go_on(s, t, number, r->piece, (LEAST_PIECES + r->points - 2)/(r->points - 1)));
    }
    hold_ends(t, r, s);
    return thin_add_rod(t, s->vertex, s->count, &material);
}

// ---- webs
// ----------------------------------------------------------------------------------------------------------------------

// Two unit vectors across the normal; the first is level where that can be.
static void axes_of(double a[3], double b[3], const double n[3])
{
    const double up[3] = {0, 1, 0}, aside[3] = {1, 0, 0};
    vec_cross(a, fabs(n[1]) < 0.99 ? up : aside, n);
    double norm = vec_norm(a);
    for (int d = 0; d < 3; d++) a[d] /= norm;
    vec_cross(b, n, a);
}

typedef struct WebFrame {
    const SceneRod* web;
    double a[3], b[3];
} WebFrame;

static void place_in(double x[3], const WebFrame* f, int spoke, double r)
{
    double turn = f->web->turned + 2*PI*spoke/f->web->spokes;
    for (int d = 0; d < 3; d++) x[d] = f->web->center[d] + r*(cos(turn)*f->a[d] + sin(turn)*f->b[d]);
}

// Where the spiral crosses a spoke, knot by knot from the inside: it goes out evenly to 0.9 of the web's radius.
static double knot_radius(const SceneRod* w, int knot)
{
    int knots = w->turns*w->spokes;
    return w->hole + (0.9*w->size - w->hole)*knot/fmax(knots - 1, 1);
}

static mn_status add_spoke(ThinMesh* t, Strand* s, const WebFrame* f, int spoke, int hub, int* knot)
{
    const SceneRod* w = f->web;
    RodMaterial material = material_of(w);
    double x[3];
    s->count = 0;
    TRY(push(s, hub));
    for (int k = spoke; k < w->turns*w->spokes; k += w->spokes) {
        place_in(x, f, spoke, knot_radius(w, k));
        TRY(new_vertex(&knot[k], t, x));
        TRY(go_on(s, t, knot[k], w->piece, 1));
    }
    int rim;
    place_in(x, f, spoke, w->size);
    TRY(new_vertex(&rim, t, x));
    TRY(go_on(s, t, rim, w->piece, 1));
    if (w->held) t->held[rim] = HELD;
    return thin_add_rod(t, s->vertex, s->count, &material);
}

static mn_status add_threads(ThinMesh* t, Strand* s, const SceneRod* w, int* knot)
{
    WebFrame f = {.web = w};
    RodMaterial material = material_of(w);
    int hub;
    axes_of(f.a, f.b, w->normal);
    TRY(new_vertex(&hub, t, w->center));
    for (int m = 0; m < w->spokes; m++) TRY(add_spoke(t, s, &f, m, hub, knot));
    s->count = 0;
    for (int k = 0; k < w->turns*w->spokes; k++) TRY(k == 0 ? push(s, knot[0]) : go_on(s, t, knot[k], w->piece, 1));
    return w->turns > 0 ? thin_add_rod(t, s->vertex, s->count, &material) : MN_OK;
}

static mn_status add_web(ThinMesh* t, Strand* s, const SceneRod* w)
{
    int* knot = malloc(sizeof *knot*(size_t)(w->turns*w->spokes + 1));
    mn_status status = knot ? add_threads(t, s, w, knot) : mn_fail(MN_NO_MEMORY, "out of memory: a web");
    free(knot);
    return status;
}

// ---- all of them
// ---------------------------------------------------------------------------------------------------------------

static mn_status add_part(Rods* rods, const Scene* scene, const SceneRod* r)
{
    Strand s = {NULL, 0, 0};
    ThinMesh* t = &rods->mesh;
    int first = t->vertices;
    mn_status status = r->is_web ? add_web(t, &s, r) : add_rod(t, &s, r);
    free(s.vertex);
    if (status == MN_BAD_MESH)
        return mn_fail(MN_BAD_MESH, "%s:%d: \"%s\": %s", scene_file_name(scene, r->line), source_line(r->line), r->name,
                       mn_last_error());
    TRY(status);
    for (int v = first; v < t->vertices; v++)
        for (int d = 0; d < 3; d++)
            if (!(t->held[v] >> d & 1)) t->v[3*v + d] = r->velocity[d];
    RodPart part = {.radius = r->radius, .contact_angle = r->contact_angle, .moving = r->position.function != 0};
    memcpy(part.name, r->name, sizeof part.name);
    rods->friction = fmax(rods->friction, r->friction);
    rods->damp_mass = r->damp_mass, rods->damp_stiffness = r->damp_stiffness;
    return rods_add_part(rods, &part);
}

static mn_status place_of(double out[3], void* user, int part, double t)
{
    const Scene* scene = user;
    return scene_time_vector(out, scene, &scene->rods[part].position, t);
}

mn_status rods_build(Rods* rods, const Scene* scene)
{
    *rods = (Rods){.mesh = {.dim = 3}, .place = place_of, .user = (void*)scene};
    mn_status status = MN_OK;
    for (int m = 0; m < scene->rod_count && status == MN_OK; m++) status = add_part(rods, scene, &scene->rods[m]);
    if (status == MN_OK && rods->parts > 0) status = rods_finish(rods);
    if (status != MN_OK) rods_free(rods);
    return status;
}

mn_status rods_start(Sim* sim, const Scene* scene)
{
    Rods rods;
    if (scene->rod_count == 0) return MN_OK;
    TRY(rods_build(&rods, scene));
    return rod_partner_add(&sim->world, &rods);
}
