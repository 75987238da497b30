// A mesh from bytes, and what a scene does with it next.
#pragma once
#include "base/budget.h"
#include "fuzz.h"
#include "scene/mesh.h"
#include "scene/mesh_sdf.h"

typedef mn_status (*MeshReader)(TriMesh* mesh, const char* name, const char* bytes, size_t size);

static inline void fuzz_mesh(MeshReader read, const uint8_t* data, size_t size)
{
    char* text = fuzz_text(data, size);
    TriMesh mesh = {0};
    MeshSdf* sdf = NULL;
    Budget before = budget_enter(1);
    if (read(&mesh, "fuzz", text, size) == MN_OK && mesh_check(&mesh, "fuzz") == MN_OK && meshsdf_create(&sdf, &mesh) == MN_OK) {
        double low[3], high[3];
        meshsdf_bounds(low, high, sdf);
        double h = (high[0] - low[0] + high[1] - low[1] + high[2] - low[2])/6;
        if (h > 0) meshsdf_prepare(sdf, h);
        meshsdf_distance(sdf, low);
        meshsdf_distance(sdf, (double[3]){0, 0, 0});
    }
    budget_leave(before);
    meshsdf_release(sdf);
    mesh_free(&mesh);
    free(text);
}
