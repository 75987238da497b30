#include "render/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "render/glass.h"
#include "render/labels.h"

StageMap stage_map(const RunFiles* run)
{
    double longest = fmax(run->size[0], fmax(run->size[1], run->size[2]));
    return (StageMap){1/longest, {0.5*run->size[0], 0, 0.5*run->size[2]}};
}

double stage_floor_tile(const RunFiles* run) { return label_round_down(0.28*fmin(run->size[0], run->size[2])); }

static V3 to_stage(const StageMap* m, const double p[3])
{
    return v3((float)((p[0] - m->origin[0])*m->scale), (float)((p[1] - m->origin[1])*m->scale),
              (float)((p[2] - m->origin[2])*m->scale));
}

static void positions_to_stage(float* position, int count, int lanes, const StageMap* m)
{
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 3; d++) position[lanes*i + d] = (float)((position[lanes*i + d] - m->origin[d])*m->scale);
}

static float* copy_floats(const float* from, size_t count)
{
    float* to = malloc((count + 1)*sizeof *to);
    if (to && count > 0) memcpy(to, from, count*sizeof *to);
    return to;
}

// Which tank side a face lies on (-x +x -y +y -z +z), or -1: all corners within three quarters of a cell of it.
static int side_of_face(const Stage* s, const DrawMesh* m, int f, float tolerance)
{
    for (int d = 0; d < 3; d++) {
        float low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 3; c++) {
            float x = m->position[3*m->face[3*f + c] + d];
            low = fminf(low, x), high = fmaxf(high, x);
        }
        if (high < s->tank_low[d] + tolerance) return 2*d;
        if (low > s->tank_high[d] - tolerance) return 2*d + 1;
    }
    return -1;
}

// Light crosses the free surface and what lies against the glass sides. Water on the bottom or against a solid touches it
// without air between: there the matte floor or solid itself ends the ray, so those faces are left out. The section keeps
// the latter: it looks upwards to know inside from outside. Water on clear solids is crossed too.
static bool face_is_crossed(const Stage* s, const DrawMesh* m, int f, float tolerance, bool solids)
{
    if (!m->kind[f] || m->kind[f] == WET_GLASS) return true;
    int side = side_of_face(s, m, f, tolerance);
    if (side == 2) return false;
    return side >= 0 || !solids || s->style == STAGE_SECTION;
}

static mn_status copy_liquid(Stage* s, const FrameFiles* frame)
{
    DrawMesh from = drawmesh_of(framefiles_surface(frame)), *m = &s->liquid;
    size_t v = 3*(size_t)from.vertex_count*sizeof(float);
    TRY(drawmesh_init(m, 3, from.vertex_count, from.face_count));
    s->liquid_speed = malloc(((size_t)from.vertex_count + 1)*sizeof(float));
    if (!s->liquid_speed) return mn_fail(MN_NO_MEMORY, "no memory for the surface of frame %d", frame->index);
    memcpy(m->position, from.position, v);
    memcpy(m->normal, from.normal, v);
    memcpy(m->velocity, from.velocity, v);
    positions_to_stage(m->position, m->vertex_count, 3, &s->map);
    for (int i = 0; i < m->vertex_count; i++) s->liquid_speed[i] = v3_length(v3_load(m->velocity + 3*i));
    if (from.look) memcpy(m->look, from.look, (size_t)from.vertex_count*sizeof(int));
    memcpy(m->face, from.face, 3*(size_t)from.face_count*sizeof(int));
    for (int f = 0; f < m->face_count; f++) m->kind[f] = from.kind[f] != 0;
    return MN_OK;
}

static void drop_dark_faces(Stage* s, double dx, bool solids)
{
    DrawMesh* m = &s->liquid;
    float tolerance = (float)(0.75*dx*s->map.scale) + 1e-4f;
    int kept = 0;
    for (int i = 0; i < m->face_count; i++) {
        if (!face_is_crossed(s, m, i, tolerance, solids)) continue;
        memmove(m->face + 3*kept, m->face + 3*i, 3*sizeof(int));
        m->kind[kept++] = m->kind[i];
    }
    m->face_count = kept;
}

static bool is_body(const Layer* layer) { return role_of(layer, 3) == ROLE_BODY; }

// Is the layer a body of this sort? Glass is clear in the style of water only. A section shows what is inside bodies, and nothing
// is inside a sheet.
static bool is_wanted(const Layer* layer, const Stage* s, const RunFiles* run, bool glass)
{
    if (s->style == STAGE_SECTION && role_is_sheet(layer)) return false;
    return is_body(layer) && glass == (s->style == STAGE_WATER && role_body_look(layer, run)->sort == LOOK_CLEAR);
}

// Puts a body behind the `vertices` and `faces` that the mesh has already.
static void join_body(DrawMesh* m, int vertices, int faces, const Layer* layer, int look)
{
    DrawMesh from = drawmesh_of(layer);
    size_t n = 3*(size_t)from.vertex_count*sizeof(float);
    memcpy(m->position + 3*(size_t)vertices, from.position, n);
    memcpy(m->normal + 3*(size_t)vertices, from.normal, n);
    memcpy(m->velocity + 3*(size_t)vertices, from.velocity, n);
    for (int i = 0; i < from.vertex_count; i++) m->look[vertices + i] = look;
    for (int c = 0; c < 3*from.face_count; c++) m->face[3*faces + c] = from.face[c] + vertices;
    for (int f = 0; f < from.face_count; f++) m->kind[faces + f] = 0;
}

// Joins the bodies of one sort in one mesh.
static mn_status copy_bodies(DrawMesh* m, const Stage* s, const RunFiles* run, const FrameFiles* frame, bool glass)
{
    const Layers* l = &frame->layers;
    int vertices = 0, faces = 0;
    for (int i = 0; i < l->count; i++)
        if (is_wanted(l->layer[i], s, run, glass)) vertices += l->layer[i]->points, faces += l->layer[i]->elements;
    TRY(drawmesh_init(m, 3, vertices, faces));
    vertices = faces = 0;
    for (int i = 0; i < l->count; i++) {
        const Layer* body = l->layer[i];
        if (!is_wanted(body, s, run, glass)) continue;
        join_body(m, vertices, faces, body, look_number(role_body_look(body, run)));
        vertices += body->points, faces += body->elements;
    }
    positions_to_stage(m->position, m->vertex_count, 3, &s->map);
    return MN_OK;
}

static int count_bodies(const FrameFiles* frame)
{
    int count = 0;
    for (int i = 0; i < frame->layers.count; i++) count += is_body(frame->layers.layer[i]);
    return count;
}

// The way travelled while the shutter is open, stage units. A speed that leads far out of the picture is a streak across it.
static float travelled(float velocity, float way)
{
    const float longest = 100;
    return fmaxf(-longest, fminf(longest, velocity*way));
}

// `way` turns a velocity into the way travelled while the shutter is open; 0: nothing moves.
static mn_status add_liquid(Stage* s, float way)
{
    const DrawMesh* m = &s->liquid;
    float* shift = way > 0 ? copy_floats(m->velocity, 3*(size_t)m->vertex_count) : NULL;
    if (way > 0 && !shift) return mn_fail(MN_NO_MEMORY, "no memory for the motion blur");
    for (size_t i = 0; shift && i < 3*(size_t)m->vertex_count; i++) shift[i] = travelled(shift[i], way);
    mn_status status =
        rayscene_add_triangles(s->rays, &s->liquid_object, m->position, shift, m->vertex_count, m->face, m->face_count);
    free(shift);
    return status;
}

// Drops of all layers that have them. Owns its arrays.
typedef struct Drops {
    int count;
    float* drop;   // stage units, x y z radius per drop
    float* moved;  // stage units, 3 per drop, while the shutter is open
} Drops;

static void add_drops(Drops* drops, int* look, const Layer* layer, const StageMap* map, float way)
{
    const float *radius = layer_reals(layer, "radius"), *velocity = layer_reals(layer, "velocity");
    const int* number = layer_wholes(layer, "look", ON_POINTS);
    for (int i = 0; i < layer->points; i++) {
        float *to = drops->drop + 4*(size_t)drops->count, *moved = drops->moved + 3*(size_t)drops->count;
        memcpy(to, layer->position + 3*(size_t)i, 3*sizeof(float));
        positions_to_stage(to, 1, 3, map);
        to[3] = fmaxf(radius[i], 0)*(float)map->scale;
        for (int d = 0; d < 3; d++) moved[d] = velocity ? travelled(velocity[3*(size_t)i + (size_t)d], way) : 0;
        look[drops->count++] = number ? number[i] : 0;
    }
}

static mn_status add_spray(Stage* s, const FrameFiles* frame, float way)
{
    const Layers* l = &frame->layers;
    size_t room = 1;
    for (int i = 0; i < l->count; i++)
        if (role_of(l->layer[i], 3) == ROLE_BALLS) room += (size_t)l->layer[i]->points;
    Drops drops = {.drop = malloc(4*room*sizeof(float)), .moved = malloc(3*room*sizeof(float))};
    s->drop_look = malloc(room*sizeof(int));
    mn_status status = MN_OK;
    if (!drops.drop || !drops.moved || !s->drop_look)
        status = mn_fail(MN_NO_MEMORY, "no memory for the spray of frame %d", frame->index);
    for (int i = 0; i < l->count && status == MN_OK; i++)
        if (role_of(l->layer[i], 3) == ROLE_BALLS) add_drops(&drops, s->drop_look, l->layer[i], &s->map, way);
    if (status == MN_OK)
        status = rayscene_add_spheres(s->rays, &s->spray_object, drops.drop, way > 0 ? drops.moved : NULL, drops.count);
    free(drops.drop);
    free(drops.moved);
    return status;
}

static mn_status fill_rays(Stage* s, const FrameFiles* frame, double shutter)
{
    float way = (float)(shutter*s->map.scale);  // stage units per m/s
    TRY(rayscene_create(&s->rays));
    TRY(add_liquid(s, way));
    TRY(rayscene_add_triangles(s->rays, &s->solid_object, s->solids.position, NULL, s->solids.vertex_count, s->solids.face,
                               s->solids.face_count));
    TRY(add_spray(s, frame, way));
    return rayscene_commit(s->rays);
}

static mn_status fill_glass_rays(Stage* s)
{
    const DrawMesh* m = &s->glass;
    int object;
    if (m->face_count == 0) return MN_OK;
    TRY(rayscene_create(&s->glass_rays));
    TRY(rayscene_add_triangles(s->glass_rays, &object, m->position, NULL, m->vertex_count, m->face, m->face_count));
    return rayscene_commit(s->glass_rays);
}

// The box to look at: what is ever wet or solid, and the tank's floor plan with it unless that is much larger, so that a
// lone drop is not lost in its box.
static void box_to_fit(V3* low, V3* high, const Stage* s, const RunExtent* e)
{
    if (e->low[0] > e->high[0]) {
        *low = s->tank_low, *high = s->tank_high;
        return;
    }
    V3 wet_low = to_stage(&s->map, e->low), wet_high = to_stage(&s->map, e->high);
    V3 tank = s->tank_high - s->tank_low, wet = wet_high - wet_low;
    bool wide = wet[0] > 0.6f*tank[0] && wet[2] > 0.6f*tank[2];
    bool high_up = wet_high[1] > 0.6f*s->tank_high[1];
    float margin = 0.3f*v3_max_lane(wet);
    *low = s->tank_low, *high = s->tank_high;
    if (wide && !high_up) (*high)[1] = wet_high[1] + 0.12f*tank[1];
    for (int d = 0; d < 3 && !wide; d++) {
        (*low)[d] = fmaxf(s->tank_low[d], wet_low[d] - margin);
        (*high)[d] = fminf(s->tank_high[d], wet_high[d] + margin);
    }
}

static void add_content(Stage* s, const float* place, float radius)
{
    for (int d = 0; d < 3; d++) {
        float x = (float)((place[d] - s->map.origin[d])*s->map.scale);
        s->content_low[d] = fminf(s->content_low[d], x - radius);
        s->content_high[d] = fmaxf(s->content_high[d], x + radius);
    }
}

// A box of this frame's liquid, for the photons.
static void find_content(Stage* s, const FrameFiles* frame)
{
    s->content_low = v3_splat(INFINITY), s->content_high = v3_splat(-INFINITY);
    for (int m = 0; m < frame->layers.count; m++) {
        const Layer* layer = frame->layers.layer[m];
        Role role = role_of(layer, 3);
        const float* radius = role == ROLE_BALLS ? layer_reals(layer, "radius") : NULL;
        for (int i = 0; i < layer->points && (role == ROLE_LIQUID || role == ROLE_BALLS); i++)
            add_content(s, layer->position + 3*i, radius ? (float)(radius[i]*s->map.scale) : 0);
    }
}

static bool any_clear(const LiquidLooks* looks)
{
    for (int m = 0; m < looks->count; m++)
        if (looks->look[m].sort == LOOK_CLEAR) return true;
    return false;
}

static mn_status stage_fill(Stage* s, const RunFiles* run, const RunExtent* extent, const FrameFiles* frame,
                            const StageLook* look)
{
    s->style = look->style;
    s->map = stage_map(run);
    s->tank_low = to_stage(&s->map, (double[3]){0, 0, 0});
    s->tank_high = to_stage(&s->map, run->size);
    memcpy(s->wall, run->wall, sizeof s->wall);
    s->bias = 2e-5f;
    s->colours = look->colours, s->color_surface = look->color_surface;
    s->ground = look->ground;
    s->looks = looks_of_liquids(run->looks, run->look_count);
    s->tile = (float)(stage_floor_tile(run)*s->map.scale);
    TRY(copy_liquid(s, frame));
    TRY(copy_bodies(&s->solids, s, run, frame, false));
    TRY(copy_bodies(&s->glass, s, run, frame, true));
    TRY(fill_glass_rays(s));
    TRY(glass_find_wet(s, (float)(1.5*run->dx*s->map.scale) + 1e-4f));
    drop_dark_faces(s, run->dx, count_bodies(frame) > 0);
    TRY(fill_rays(s, frame, look->shutter));
    find_content(s, frame);
    s->light = studio_light(look->view.azimuth, s->style == STAGE_WATER && any_clear(&s->looks), look->surroundings);
    V3 low, high;
    box_to_fit(&low, &high, s, extent);
    s->camera = camera_fit(look->view, low, high, look->width, look->height);
    return MN_OK;
}

mn_status stage_init(Stage* s, const RunFiles* run, const RunExtent* extent, const FrameFiles* frame, const StageLook* look)
{
    *s = (Stage){.liquid_object = -1, .spray_object = -1, .solid_object = -1};
    mn_status status = stage_fill(s, run, extent, frame, look);
    if (status != MN_OK) stage_free(s);
    return status;
}

void stage_free(Stage* s)
{
    rayscene_destroy(s->rays);
    rayscene_destroy(s->glass_rays);
    drawmesh_free(&s->liquid);
    drawmesh_free(&s->solids);
    drawmesh_free(&s->glass);
    free(s->wet_normal);
    free(s->drop_look);
    free(s->liquid_speed);
    free(s->floor.texel);
    rayscene_destroy(s->section.solid_rays);
    rayscene_destroy(s->section.liquid_rays);
    free(s->section.value);
    *s = (Stage){0};
}
