// Finding what a ray meets first. The only file that knows Embree (version 3); versions differ, our callers do not care.
#pragma once
#include <stdbool.h>
#include "render/drawmesh.h"
#include "base/v3.h"

typedef struct RayScene RayScene;

typedef struct Ray {
    V3 origin, direction;  // direction is a unit vector
    float time;            // 0..1 through the open shutter
} Ray;

typedef struct RayHit {
    float t;     // along the ray
    V3 normal;   // geometric, unit, by the corners' turn (spheres: outwards)
    float u, v;  // weights of the second and third corner
    int object;  // as returned by the add functions
    int face;    // or drop
} RayHit;

mn_status rayscene_create(RayScene** scene);
void rayscene_destroy(RayScene* scene);  // fine on NULL

// The arrays are copied. `shift` (3 floats per vertex, or NULL) is the way travelled while the shutter is open; the given
// positions are in its middle. *object names the new object from 0 up; an empty mesh adds nothing and gives -1.
mn_status rayscene_add_triangles(RayScene* scene, int* object, const float* position, const float* shift, int vertices,
                                 const int* face, int faces);
mn_status rayscene_add_spheres(RayScene* scene, int* object, const float* drop, const float* shift, int drops);
mn_status rayscene_commit(RayScene* scene);  // after the last add, before the first ray

bool rayscene_hit(RayHit* hit, const RayScene* scene, Ray ray, float near, float far);
