// PLY files of frames, as pictures and exports read them.
#include "fuzz.h"
#include "output/orient.h"
#include "output/ply.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Layer layer = {0};
    if (ply_read(&layer, "surface", fuzz_file("a.ply", data, size)) != MN_OK) return 0;
    if (layer.kind == LAYER_TRIANGLES) orient_layer(&layer);
    layer_free(&layer);
    return 0;
}
