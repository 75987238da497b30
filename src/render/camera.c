#include "render/camera.h"

#include "base/vec.h"

static const float HALF_ANGLE = 13;  // degrees from the middle to the nearer edge: a short telephoto, little distortion
static const float MARGIN = 1.06f;

static void aim(Camera* c, CameraView view)
{
    float a = (float)(view.azimuth*PI/180), e = (float)(view.elevation*PI/180);
    c->forward = v3(-sinf(a)*cosf(e), -sinf(e), -cosf(a)*cosf(e));
    c->right = v3(cosf(a), 0, -sinf(a));
    c->up = v3_cross(c->right, c->forward);
}

static V3 box_corner(V3 low, V3 high, int i)
{
    return v3(i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
}

// A corner p fits across when |r.(p - eye)| <= tan w * f.(p - eye). With eye = target - distance*f this is a bound on the
// distance for each corner; the largest of them is the answer for this target.
static float needed_distance(const Camera* c, V3 target, V3 low, V3 high)
{
    float distance = 0;
    for (int i = 0; i < 8; i++) {
        V3 p = box_corner(low, high, i) - target;
        float across = fabsf(v3_dot(p, c->right))/c->half_width, along = fabsf(v3_dot(p, c->up))/c->half_height;
        distance = fmaxf(distance, MARGIN*fmaxf(across, along) - v3_dot(p, c->forward));
    }
    return distance;
}

// Half the imbalance of the box's picture, to move the target to its middle: the nearer side looks larger.
static V3 off_centre(const Camera* c, V3 low, V3 high)
{
    float x0 = 1, x1 = 0, y0 = 1, y1 = 0;
    for (int i = 0; i < 8; i++) {
        float xy[2];
        if (!camera_project(xy, c, box_corner(low, high, i))) continue;
        x0 = fminf(x0, xy[0]), x1 = fmaxf(x1, xy[0]), y0 = fminf(y0, xy[1]), y1 = fmaxf(y1, xy[1]);
    }
    float depth = v3_dot((low + high)*0.5f - c->eye, c->forward);
    return c->right*((x0 + x1 - 1)*c->half_width*depth) - c->up*((y0 + y1 - 1)*c->half_height*depth);
}

Camera camera_fit(CameraView view, V3 low, V3 high, int width, int height)
{
    Camera c = {0};
    float t = tanf(HALF_ANGLE*(float)PI/180);
    c.half_width = t*fmaxf(1, (float)width/height);
    c.half_height = t*fmaxf(1, (float)height/width);
    aim(&c, view);
    V3 target = (low + high)*0.5f;
    for (int pass = 0; pass < 4; pass++) {
        c.eye = target - needed_distance(&c, target, low, high)*c.forward;
        target += off_centre(&c, low, high);
    }
    c.eye = target - needed_distance(&c, target, low, high)*c.forward;
    c.half_width /= (float)view.zoom, c.half_height /= (float)view.zoom;
    c.pixel = 2*c.half_width/width;
    return c;
}

Ray camera_ray(const Camera* c, float x, float y)
{
    V3 d = c->forward + c->right*((2*x - 1)*c->half_width) + c->up*((1 - 2*y)*c->half_height);
    return (Ray){.origin = c->eye, .direction = v3_unit(d), .time = 0.5f};
}

bool camera_project(float xy[2], const Camera* c, V3 point)
{
    V3 p = point - c->eye;
    float depth = v3_dot(p, c->forward);
    if (depth <= 0) return false;
    xy[0] = 0.5f + 0.5f*v3_dot(p, c->right)/(depth*c->half_width);
    xy[1] = 0.5f - 0.5f*v3_dot(p, c->up)/(depth*c->half_height);
    return true;
}
