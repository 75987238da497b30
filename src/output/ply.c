#include "output/ply.h"

#include <stdint.h>
#include <string.h>
#include "output/files.h"
#include "output/plyfile.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "PLY files are written as the numbers lie in memory");

static void header_start(Bytes* b, int vertices)
{
    bytes_print(b, "ply\nformat binary_little_endian 1.0\ncomment meniscus, SI units, y up\nelement vertex %d\n", vertices);
}

static void header_floats(Bytes* b, const char* const* names, int count)
{
    for (int m = 0; m < count; m++) bytes_print(b, "property float %s\n", names[m]);
}

static void put_vertex(char** to, const SurfaceMesh* mesh, int i)
{
    float v[9];
    for (int d = 0; d < 3; d++) {
        v[d] = (float)mesh->position[i][d];
        v[3 + d] = (float)mesh->normal[i][d];
        v[6 + d] = (float)mesh->velocity[i][d];
    }
    int32_t owner = mesh->owner[i];
    memcpy(*to, v, sizeof v);
    memcpy(*to + sizeof v, &owner, sizeof owner);
    *to += sizeof v + sizeof owner;
}

// A triangle starts with the number of its corners, an edge does not.
static void put_face(char** to, const SurfaceMesh* mesh, int f)
{
    int32_t word[4];
    for (int c = 0; c < mesh->corners; c++) word[c] = mesh->face[(ptrdiff_t)mesh->corners*f + c];
    word[mesh->corners] = mesh->kind[f];
    if (mesh->corners == 3) *(*to)++ = 3;
    size_t size = sizeof word[0]*(size_t)(mesh->corners + 1);
    memcpy(*to, word, size);
    *to += size;
}

mn_status ply_write_mesh(const char* path, const SurfaceMesh* mesh)
{
    static const char* const names[9] = {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"};
    Bytes b = {0};
    header_start(&b, mesh->vertex_count);
    header_floats(&b, names, 9);
    bytes_print(&b, "property int liquid\n");
    if (mesh->corners == 3) bytes_print(&b, "element face %d\nproperty list uchar int vertex_indices\n", mesh->face_count);
    else bytes_print(&b, "element edge %d\nproperty int vertex1\nproperty int vertex2\n", mesh->face_count);
    bytes_print(&b, "property int kind\nend_header\n");
    char record[64];
    for (int i = 0; i < mesh->vertex_count; i++) {
        char* end = record;
        put_vertex(&end, mesh, i);
        bytes_add(&b, record, (size_t)(end - record));
    }
    for (int f = 0; f < mesh->face_count; f++) {
        char* end = record;
        put_face(&end, mesh, f);
        bytes_add(&b, record, (size_t)(end - record));
    }
    mn_status status = file_replace(path, &b, false);
    bytes_free(&b);
    return status;
}

mn_status ply_write_spray(const char* path, const Spray* spray, int dim)
{
    static const char* const names[7] = {"x", "y", "z", "vx", "vy", "vz", "radius"};
    Bytes b = {0};
    header_start(&b, spray->count);
    header_floats(&b, names, 7);
    bytes_print(&b, "end_header\n");
    for (int i = 0; i < spray->count; i++) {
        const Droplet* p = &spray->drop[i];
        float v[7] = {(float)p->x[0],
                      (float)p->x[1],
                      (float)p->x[2],
                      (float)p->v[0],
                      (float)p->v[1],
                      (float)p->v[2],
                      (float)droplet_radius(p, dim)};
        bytes_add(&b, v, sizeof v);
    }
    mn_status status = file_replace(path, &b, false);
    bytes_free(&b);
    return status;
}

// ---- reading ---------------------------------------------------------------------------------------------------------------

static mn_status bad(const char* path, const char* what) { return mn_fail(MN_IO, "%s: %s", path, what); }

static mn_status take_vertices(SurfaceMesh* mesh, const PlyElement* e, const char* path)
{
    static const char* const names[10] = {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz", "liquid"};
    int column[10];
    for (int c = 0; c < 10; c++)
        if ((column[c] = ply_column(e, names[c])) < 0) return mn_fail(MN_IO, "%s: has no %s", path, names[c]);
    for (size_t i = 0; i < e->count; i++) {
        const double* v = e->value + i*(size_t)e->columns;
        double x[3] = {v[column[0]], v[column[1]], v[column[2]]}, owner = v[column[9]];
        int at = surfacemesh_add_vertex(mesh, x, owner >= 0 && owner < INT32_MAX ? (int)owner : 0);
        if (at < 0) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
        for (int d = 0; d < 3; d++) mesh->normal[at][d] = v[column[3 + d]], mesh->velocity[at][d] = v[column[6 + d]];
    }
    return MN_OK;
}

static mn_status take_faces(SurfaceMesh* mesh, const PlyElement* e, const char* path)
{
    int kind = ply_column(e, "kind"), first = ply_column(e, "vertex1"), second = ply_column(e, "vertex2");
    if (kind < 0 || (mesh->corners == 3 ? !e->list_name[0] : first < 0 || second < 0)) return bad(path, "is no mesh of a run");
    for (size_t f = 0; f < e->count; f++) {
        const double* v = e->value + f*(size_t)e->columns;
        int corner[3] = {0};
        if (mesh->corners == 3 && e->list_start[f + 1] - e->list_start[f] != 3)
            return bad(path, "has a face of other than 3 corners");
        for (int c = 0; c < mesh->corners; c++) {
            double index = mesh->corners == 3 ? (double)e->list[e->list_start[f] + (size_t)c] : v[c == 0 ? first : second];
            if (!(index >= 0 && index < mesh->vertex_count)) return bad(path, "a face names a vertex that is not there");
            corner[c] = (int)index;
        }
        if (!surfacemesh_add_face(mesh, corner, v[kind] != 0)) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    }
    return MN_OK;
}

mn_status ply_read_mesh(SurfaceMesh* mesh, const char* path, int corners)
{
    PlyFile* ply;
    *mesh = (SurfaceMesh){.corners = corners};
    TRY(plyfile_read(&ply, path));
    const PlyElement *vertex = plyfile_element(ply, "vertex"), *face = plyfile_element(ply, corners == 3 ? "face" : "edge");
    mn_status status = vertex && face ? take_vertices(mesh, vertex, path) : bad(path, "is no mesh of a run");
    if (status == MN_OK) status = take_faces(mesh, face, path);
    plyfile_free(ply);
    if (status != MN_OK) surfacemesh_free(mesh);
    return status;
}
