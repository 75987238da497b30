#include "render/section.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "render/colours.h"
#include "render/speedfield.h"

enum { ACROSS = 144, SAMPLES = 3000, MAX_PASSED = 64 };

static int other_axis(const SectionSheet* c) { return 2 - c->axis; }

static void fill_sheet(SectionSheet* c, const Stage* s, const SpeedField* field, int threads)
{
    int across = other_axis(c);
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
    for (int j = 0; j < c->n[1]; j++)
        for (int i = 0; i < c->n[0]; i++) {
            float p[3] = {0};
            p[across] = s->tank_low[across] + (s->tank_high[across] - s->tank_low[across])*((i + 0.5f)/c->n[0]);
            p[1] = s->tank_low[1] + (s->tank_high[1] - s->tank_low[1])*((j + 0.5f)/c->n[1]);
            double at[3];
            for (int d = 0; d < 3; d++) at[d] = p[d]/s->map.scale + s->map.origin[d];
            c->value[(size_t)j*c->n[0] + i] =
                (float)(s->colours.field ? gridfield_at(s->colours.field, at) : speedfield_at(field, p));
        }
}

static mn_status build_rays(RayScene** rays, const DrawMesh* m)
{
    int object;
    if (m->face_count == 0) return MN_OK;
    TRY(rayscene_create(rays));
    TRY(rayscene_add_triangles(*rays, &object, m->position, NULL, m->vertex_count, m->face, m->face_count));
    return rayscene_commit(*rays);
}

mn_status section_build(Stage* s, int threads)
{
    if (s->style != STAGE_SECTION) return MN_OK;
    SectionSheet* c = &s->section;
    TRY(build_rays(&c->solid_rays, &s->solids));
    TRY(build_rays(&c->liquid_rays, &s->liquid));
    V3 forward = s->camera.forward, size = s->tank_high - s->tank_low;
    c->axis = fabsf(forward[2]) >= fabsf(forward[0]) ? 2 : 0;
    c->front = forward[c->axis] < 0 ? 1 : -1;
    c->n[0] = ACROSS, c->n[1] = clampi((int)(ACROSS*size[1]/size[other_axis(c)]), 8, 4*ACROSS);
    c->value = malloc(sizeof(float)*(size_t)c->n[0]*(size_t)c->n[1]);
    if (!c->value) return mn_fail(MN_NO_MEMORY, "no memory for the section");
    SpeedField field;
    TRY(speedfield_init(&field, &s->liquid, SAMPLES));
    fill_sheet(c, s, &field, threads);
    speedfield_free(&field);
    return MN_OK;
}

static double sheet_value(const Stage* s, V3 p)
{
    const SectionSheet* c = &s->section;
    int a = other_axis(c);
    double x = (p[a] - s->tank_low[a])/(s->tank_high[a] - s->tank_low[a])*c->n[0] - 0.5;
    double y = (p[1] - s->tank_low[1])/(s->tank_high[1] - s->tank_low[1])*c->n[1] - 0.5;
    x = clamp(x, 0, c->n[0] - 1.001), y = clamp(y, 0, c->n[1] - 1.001);
    int i = (int)x, j = (int)y;
    const float* v = c->value + (size_t)j*c->n[0] + i;
    x -= i, y -= j;
    return (v[0]*(1 - x) + v[1]*x)*(1 - y) + (v[c->n[0]]*(1 - x) + v[c->n[0] + 1]*x)*y;
}

typedef enum Where { IN_AIR, IN_LIQUID, IN_SOLID } Where;

// A ray straight up from a point inside leaves the body before it enters another of the same kind.
static bool is_within(const RayScene* body, V3 p)
{
    Ray ray = {.origin = p, .direction = v3(0, 1, 0), .time = 0.5f};
    RayHit h;
    return body && rayscene_hit(&h, body, ray, 0, INFINITY) && h.normal[1] > 0;
}

// In which body a point of the cut lies. Solids and liquid are asked one by one: where one touches the other their faces are in
// one place, and a ray that goes on behind the first misses the second.
static Where body_at(const Stage* s, V3 p)
{
    if (is_within(s->section.solid_rays, p)) return IN_SOLID;
    return is_within(s->section.liquid_rays, p) ? IN_LIQUID : IN_AIR;
}

// The nearest surface behind the plane; what was cut away is passed by.
static bool nearest_behind(TraceSurface* out, const Stage* s, Ray ray)
{
    const SectionSheet* c = &s->section;
    float passed = 0;
    for (int i = 0; i < MAX_PASSED; i++) {
        if (!trace_nearest(out, s, ray)) return false;
        if (out->floor || out->point[c->axis]*c->front <= 0) {
            out->t += passed;
            return true;
        }
        passed += out->t;
        if (ray.direction[1] < 0 && out->point[1] < s->bias) {
            // the underside of a body that stood on the floor: what is left there is the floor
            trace_floor(out, s, out->point, passed);
            return true;
        }
        ray.origin = out->point + ray.direction*s->bias;
    }
    return false;
}

bool section_nearest(TraceSurface* out, const Stage* s, Ray ray, bool from_eye)
{
    if (s->style != STAGE_SECTION) return trace_nearest(out, s, ray);
    bool met = nearest_behind(out, s, ray);
    const SectionSheet* c = &s->section;
    float towards = ray.direction[c->axis]*c->front, t = -ray.origin[c->axis]*c->front/towards;
    if (!from_eye || towards >= 0 || t <= 0 || (met && out->t < t)) return met;
    V3 p = ray.origin + ray.direction*t;
    Where where = body_at(s, p);
    if (where == IN_AIR) return met;
    V3 colour = where == IN_SOLID ? v3(0.36f, 0.24f, 0.17f)
                                  : colour_linear(colour_of_speed(colourscale_part(&s->colours, sheet_value(s, p))));
    V3 normal = v3_splat(0);
    normal[c->axis] = c->front;
    *out = (TraceSurface){.flat = true, .point = p, .normal = normal, .face = normal, .albedo = colour, .t = t};
    return true;
}
