// PC2 vertex caches, beside a tetrahedron with a hole in it.
#include "fuzz.h"
#include "scene/mesh_motion.h"

static MeshSdf* tetrahedron(void)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    TriMesh mesh;
    MeshSdf* sdf;
    if (mesh_read_obj(&mesh, "rest", obj, strlen(obj)) != MN_OK || mesh_check(&mesh, "rest") != MN_OK) abort();
    if (meshsdf_create(&sdf, &mesh) != MN_OK) abort();
    return sdf;
}

// The first two bytes choose cache_rate and the time that is asked for.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const double rates[] = {1, 24, 1e300, 1e-300}, times[] = {0, 0.01, 1e9, -1};
    static MeshSdf* rest;
    if (size < 2) return 0;
    if (!rest) rest = tetrahedron();
    MeshMotion* motion;
    const char* path = fuzz_file("a.pc2", data + 2, size - 2);
    if (motion_read_cache(&motion, path, 4, rates[data[0]%4], times[data[0]/4%4]) != MN_OK) return 0;
    MeshSdf* now;
    if (motion_mesh(&now, motion, rest, times[data[1]%4]) == MN_OK) {
        meshsdf_longest_shift(now, rest);
        meshsdf_release(now);
    }
    motion_free(motion);
    return 0;
}
