#include "render/rayscene.h"

#include <embree3/rtcore.h>
#include <stdlib.h>
#include <string.h>

struct RayScene {
    RTCDevice device;
    RTCScene scene;
};

static mn_status device_failed(RTCDevice device, const char* what)
{
    enum RTCError error = rtcGetDeviceError(device);
    if (error == RTC_ERROR_OUT_OF_MEMORY) return mn_fail(MN_NO_MEMORY, "Embree: no memory while %s", what);
    return mn_fail(MN_UNSUPPORTED, "Embree failed while %s (error %d)", what, (int)error);
}

// One thread builds the tree: its shape, and with it the choice among equally near faces, must not depend on how many
// threads the pictures are computed with. For a few hundred thousand faces this costs a fraction of a second.
mn_status rayscene_create(RayScene** out)
{
    *out = NULL;
    RayScene* s = calloc(1, sizeof *s);
    if (!s) return mn_fail(MN_NO_MEMORY, "out of memory");
    s->device = rtcNewDevice("threads=1");
    s->scene = s->device ? rtcNewScene(s->device) : NULL;
    if (!s->scene) {
        mn_status status = device_failed(s->device, "starting");
        rayscene_destroy(s);
        return status;
    }
    // robust: a ray through a shared edge must not slip between two faces, or water would leak
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(s->scene, RTC_BUILD_QUALITY_MEDIUM);
    *out = s;
    return MN_OK;
}

void rayscene_destroy(RayScene* s)
{
    if (!s) return;
    if (s->scene) rtcReleaseScene(s->scene);
    if (s->device) rtcReleaseDevice(s->device);
    free(s);
}

// Fills one vertex buffer with positions moved by `part` of their shift.
static bool fill_vertices(RTCGeometry g, unsigned slot, enum RTCFormat format, int lanes, const float* position,
                          const float* shift, float part, int count)
{
    float* to = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, slot, format, (size_t)lanes*sizeof(float), (size_t)count);
    if (!to) return false;
    memcpy(to, position, (size_t)lanes*sizeof(float)*(size_t)count);
    for (int i = 0; shift && i < count; i++)
        for (int d = 0; d < 3; d++) to[lanes*i + d] += part*shift[3*i + d];
    return true;
}

static bool fill_shutter(RTCGeometry g, enum RTCFormat format, int lanes, const float* position, const float* shift, int count)
{
    if (!shift) return fill_vertices(g, 0, format, lanes, position, NULL, 0, count);
    rtcSetGeometryTimeStepCount(g, 2);
    return fill_vertices(g, 0, format, lanes, position, shift, -0.5f, count) &&
           fill_vertices(g, 1, format, lanes, position, shift, 0.5f, count);
}

static mn_status attach(RayScene* s, int* object, RTCGeometry g, bool filled)
{
    if (!filled) {
        rtcReleaseGeometry(g);
        return device_failed(s->device, "taking a mesh");
    }
    rtcCommitGeometry(g);
    *object = (int)rtcAttachGeometry(s->scene, g);
    rtcReleaseGeometry(g);
    return MN_OK;
}

mn_status rayscene_add_triangles(RayScene* s, int* object, const float* position, const float* shift, int vertices,
                                 const int* face, int faces)
{
    *object = -1;
    if (faces == 0) return MN_OK;
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    bool filled = fill_shutter(g, RTC_FORMAT_FLOAT3, 3, position, shift, vertices);
    unsigned* index = NULL;
    if (filled)
        index = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3*sizeof(unsigned), (size_t)faces);
    for (int i = 0; index && i < 3*faces; i++) index[i] = (unsigned)face[i];
    return attach(s, object, g, index != NULL);
}

mn_status rayscene_add_spheres(RayScene* s, int* object, const float* drop, const float* shift, int drops)
{
    *object = -1;
    if (drops == 0) return MN_OK;
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    return attach(s, object, g, fill_shutter(g, RTC_FORMAT_FLOAT4, 4, drop, shift, drops));
}

mn_status rayscene_commit(RayScene* s)
{
    rtcCommitScene(s->scene);
    return rtcGetDeviceError(s->device) == RTC_ERROR_NONE ? MN_OK : mn_fail(MN_NO_MEMORY, "Embree could not build its tree");
}

bool rayscene_hit(RayHit* hit, const RayScene* s, Ray ray, float near, float far)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit r = {
        .ray = {.org_x = ray.origin[0],
                .org_y = ray.origin[1],
                .org_z = ray.origin[2],
                .dir_x = ray.direction[0],
                .dir_y = ray.direction[1],
                .dir_z = ray.direction[2],
                .tnear = near,
                .tfar = far,
                .time = ray.time,
                .mask = 0xffffffffu},
        .hit = {.geomID = RTC_INVALID_GEOMETRY_ID},
    };
    rtcIntersect1(s->scene, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    *hit = (RayHit){.t = r.ray.tfar,
                    .normal = v3_unit(v3(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z)),
                    .u = r.hit.u,
                    .v = r.hit.v,
                    .object = (int)r.hit.geomID,
                    .face = (int)r.hit.primID};
    return true;
}
