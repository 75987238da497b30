// PLY meshes of scenes.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz_mesh(mesh_read_ply, data, size);
    return 0;
}
