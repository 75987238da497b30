#include "output/obj.h"

#include "output/files.h"

static void put_faces(Bytes* b, const SurfaceMesh* mesh, int kind)
{
    bool any = false;
    for (int f = 0; f < mesh->face_count; f++) {
        if (mesh->kind[f] != kind) continue;
        if (!any) bytes_print(b, "g %s\n", kind == FACE_IS_FREE ? "free" : "wet");
        any = true;
        const int* c = mesh->face + (ptrdiff_t)mesh->corners*f;  // OBJ counts from 1
        if (mesh->corners == 3)
            bytes_print(b, "f %d//%d %d//%d %d//%d\n", c[0] + 1, c[0] + 1, c[1] + 1, c[1] + 1, c[2] + 1, c[2] + 1);
        else bytes_print(b, "l %d %d\n", c[0] + 1, c[1] + 1);
    }
}

mn_status obj_write(const char* path, const SurfaceMesh* mesh)
{
    Bytes b = {0};
    bytes_print(&b, "# meniscus, metres, y up\n");
    for (int i = 0; i < mesh->vertex_count; i++) {
        const double* x = mesh->position[i];  // rounded as PLY files are, so that a run and an export of it agree
        bytes_print(&b, "v %.9g %.9g %.9g\n", (float)x[0], (float)x[1], (float)x[2]);
    }
    for (int i = 0; i < mesh->vertex_count && mesh->corners == 3; i++) {
        const double* n = mesh->normal[i];
        bytes_print(&b, "vn %.5g %.5g %.5g\n", (float)n[0], (float)n[1], (float)n[2]);
    }
    put_faces(&b, mesh, FACE_IS_FREE);
    put_faces(&b, mesh, FACE_IS_WET);
    mn_status status = file_replace(path, &b, false);
    bytes_free(&b);
    return status;
}
