#include "render/tank.h"

static const float EDGE_RADIUS = 0.0035f;  // stage units

// A pane is two parallel surfaces of glass. With Schlick's share r = 0.04 + 0.96 (1 - cos)^5 for one of them, light going
// back and forth between both adds up to 2r/(1 + r).
static float pane_reflection(float cosine)
{
    float m = 1 - cosine, r = 0.04f + 0.96f*m*m*m*m*m;
    return 2*r/(1 + r);
}

// Where the ray meets the pane of `side`, or a negative number.
static float pane_distance(const Stage* s, int side, Ray ray)
{
    int axis = side/2, a = (axis + 1)%3, b = (axis + 2)%3;
    if (fabsf(ray.direction[axis]) < 1e-6f) return -1;
    float plane = side & 1 ? s->tank_high[axis] : s->tank_low[axis];
    float t = (plane - ray.origin[axis])/ray.direction[axis];
    V3 p = ray.origin + ray.direction*t;
    bool within = p[a] >= s->tank_low[a] && p[a] <= s->tank_high[a] && p[b] >= s->tank_low[b] && p[b] <= s->tank_high[b];
    return within ? t : -1;
}

// How much of the ray the edge from p to q covers, 0 to 1: by the distance between ray and segment. The radius grows to a
// pixel where the edge is thinner than one and the cover shrinks instead, so far edges do not crumble.
static float edge_cover(const Stage* s, V3 p, V3 q, Ray ray, float t_max)
{
    V3 u = q - p, w = ray.origin - p;
    float uu = v3_dot(u, u), ud = v3_dot(u, ray.direction), uw = v3_dot(u, w), dw = v3_dot(ray.direction, w);
    float det = uu - ud*ud;
    if (det < 1e-8f) return 0;
    float along = (uw - ud*dw)/det;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    V3 nearest = p + u*along;
    float t = v3_dot(nearest - ray.origin, ray.direction);
    if (t <= 0 || t >= t_max) return 0;
    float distance = v3_length(ray.origin + ray.direction*t - nearest), radius = fmaxf(EDGE_RADIUS, t*s->camera.pixel);
    return distance < radius ? EDGE_RADIUS/radius : 0;
}

static V3 tank_corner(const Stage* s, int bits)
{
    return v3(bits & 1 ? s->tank_high[0] : s->tank_low[0], bits & 2 ? s->tank_high[1] : s->tank_low[1],
              bits & 4 ? s->tank_high[2] : s->tank_low[2]);
}

// The open top has edges too: the rims of the side panes. An edge is drawn if one of its two sides is a pane.
static bool edge_is_there(const Stage* s, int axis, int bits)
{
    for (int d = 0; d < 3; d++)
        if (d != axis && d != 1 && s->wall[2*d + ((bits >> d) & 1)]) return true;
    return false;
}

void tank_cross(V3* light, V3* weight, const Stage* s, Ray ray, float t_max)
{
    for (int side = 0; side < 6; side++) {
        if (side/2 == 1 || !s->wall[side]) continue;
        float t = pane_distance(s, side, ray);
        // where water touches the pane its own surface already reflects
        if (t <= 1e-3f || t >= t_max - 1e-3f) continue;
        V3 mirror = ray.direction;
        mirror[side/2] = -mirror[side/2];
        float share = pane_reflection(fabsf(ray.direction[side/2]));
        mirror[1] = fabsf(mirror[1]);
        *light += *weight*light_around(&s->light, mirror)*(0.5f*share);
        *weight *= 1 - 0.5f*share;
    }
    for (int axis = 0; axis < 3; axis++)
        for (int bits = 0; bits < 8; bits++) {
            if (bits & (1 << axis) || !edge_is_there(s, axis, bits)) continue;
            float cover = edge_cover(s, tank_corner(s, bits), tank_corner(s, bits | (1 << axis)), ray, t_max);
            if (cover <= 0) continue;
            *light += *weight*v3(0.80f, 0.90f, 0.88f)*(0.45f*cover);
            *weight *= 1 - 0.6f*cover;
        }
}
