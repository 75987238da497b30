#include "output/obj.h"

#include "output/files.h"

static void put_elements(Bytes* b, const Layer* mesh, bool wet)
{
    const int* kind = layer_wholes(mesh, "kind", ON_ELEMENTS);
    bool any = false, normals = layer_reals(mesh, "normal");
    for (int e = 0; e < mesh->elements; e++) {
        if ((kind && kind[e] != 0) != wet) continue;
        if (!any) bytes_print(b, "g %s\n", wet ? "wet" : "free");
        any = true;
        const int* c = mesh->element + (ptrdiff_t)mesh->kind*e;  // OBJ counts from 1
        if (mesh->kind == LAYER_TRIANGLES && normals)
            bytes_print(b, "f %d//%d %d//%d %d//%d\n", c[0] + 1, c[0] + 1, c[1] + 1, c[1] + 1, c[2] + 1, c[2] + 1);
        else if (mesh->kind == LAYER_TRIANGLES) bytes_print(b, "f %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1);
        else bytes_print(b, "l %d %d\n", c[0] + 1, c[1] + 1);
    }
}

mn_status obj_write(const char* path, const Layer* mesh)
{
    Bytes b = {0};
    const float* normal = mesh->kind == LAYER_TRIANGLES ? layer_reals(mesh, "normal") : NULL;
    bytes_print(&b, "# meniscus, metres, y up\n");
    for (int i = 0; i < mesh->points; i++) {
        const float* x = mesh->position + 3*(ptrdiff_t)i;
        bytes_print(&b, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]);
    }
    for (int i = 0; i < mesh->points && normal; i++) {
        const float* n = normal + 3*(ptrdiff_t)i;
        bytes_print(&b, "vn %.5g %.5g %.5g\n", n[0], n[1], n[2]);
    }
    put_elements(&b, mesh, false);
    put_elements(&b, mesh, true);
    mn_status status = file_replace(path, &b, true);
    bytes_free(&b);
    return status;
}
