#include "render/glass.h"

#include <stdlib.h>
#include <string.h>

#include "render/optics.h"

enum { MAX_WALLS = 32 };
static const float GLASS_INDEX = 1.5f;

static V3 corner(const DrawMesh* m, int f, int c) { return v3_load(m->position + 3*m->face[3*f + c]); }

// Looks from before the middle of a wet face, across it and outwards, for a wall of glass that turns against it.
static void probe_face(Stage* s, int f, float reach)
{
    DrawMesh* m = &s->liquid;
    V3 area = v3_cross(corner(m, f, 1) - corner(m, f, 0), corner(m, f, 2) - corner(m, f, 0)), n = v3_unit(area);
    V3 middle = (corner(m, f, 0) + corner(m, f, 1) + corner(m, f, 2))*(1/3.0f);
    Ray ray = {.origin = middle - n*reach, .direction = n};
    RayHit h;
    if (v3_dot(n, n) < 0.5f || !rayscene_hit(&h, s->glass_rays, ray, 0, 2*reach)) return;
    m->kind[f] = WET_GLASS;
    V3 wall = trace_smooth_normal(&s->glass, &h);
    if (v3_dot(wall, n) > -0.3f) wall = -n;
    V3 share = v3_unit(wall)*-v3_length(area);
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 3; d++) s->wet_normal[3*m->face[3*f + k] + d] += share[d];
}

mn_status glass_find_wet(Stage* s, float reach)
{
    if (!s->glass_rays) return MN_OK;
    s->wet_normal = calloc(3*(size_t)s->liquid.vertex_count + 1, sizeof(float));
    if (!s->wet_normal) return mn_fail(MN_NO_MEMORY, "no memory for the water on glass");
    for (int f = 0; f < s->liquid.face_count; f++)
        if (s->liquid.kind[f]) probe_face(s, f, reach);
    return MN_OK;
}

// What is seen in the mirror of a wall. A real path would find the lit floor below the horizon; its mean brightness stands
// for it, without noise.
static V3 mirrored_light(const StudioLight* l, V3 d, bool glints)
{
    V3 sky = light_around(l, d);
    if (glints) sky += light_key_disc(l, d);
    return v3_mix(sky, v3(0.58f, 0.58f, 0.57f), smooth_step(0, 0.4f, -d[1]));
}

// Grey-green, and so clear that only the edges, where the way is long, show it.
static V3 left_after(float way) { return v3_exp(-way*v3(1.4f, 0.9f, 1.05f)); }

V3 glass_cross(V3* light, V3* weight, const Stage* s, const GlassStretch* g)
{
    V3 first = v3_splat(0), d = g->ray.direction;
    if (!s->glass_rays) return first;
    bool within = false;
    float t = 0;
    for (int i = 0; i < MAX_WALLS; i++) {
        RayHit h;
        if (!rayscene_hit(&h, s->glass_rays, g->ray, t + s->bias, g->t_max)) break;
        V3 normal = optics_facing_normal(trace_smooth_normal(&s->glass, &h), h.normal, d);
        bool leaving = v3_dot(h.normal, d) > 0;
        if (leaving) *weight *= left_after(h.t - t);
        if (!leaving && !g->inside && !(i == 0 && g->wet_start)) {
            Crossing c = optics_cross(d, normal, 1/GLASS_INDEX);
            if (light) *light += *weight*mirrored_light(&s->light, c.mirror, g->glints)*c.reflected;
            *weight *= 1 - c.reflected;
        }
        if (i == 0) first = normal;
        within = !leaving, t = h.t;
    }
    if (within && g->t_max < 1e4f) *weight *= left_after(g->t_max - t);
    return first;
}
