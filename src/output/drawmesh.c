#include "output/drawmesh.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "output/plyfile.h"
#include "base/v3.h"

// Copies columns named by `names` (3 of them) to out; columns that are not there become zero. False if a value is not
// finite.
static bool copy_columns(float* out, const PlyElement* e, const char* const names[3])
{
    bool finite = true;
    for (int d = 0; d < 3; d++) {
        int column = ply_column(e, names[d]);
        for (size_t i = 0; i < e->count; i++) {
            double x = column < 0 ? 0 : e->value[i*(size_t)e->columns + (size_t)column];
            if (!(fabs(x) < 1e30)) finite = false, x = 0;
            out[3*i + (size_t)d] = (float)x;
        }
    }
    return finite;
}

static mn_status copy_vertices(DrawMesh* mesh, const PlyFile* ply, const char* path)
{
    const PlyElement* v = plyfile_element(ply, "vertex");
    if (!v || ply_column(v, "x") < 0 || ply_column(v, "y") < 0) return mn_fail(MN_IO, "%s: has no vertices", path);
    if (v->count > INT_MAX/4) return mn_fail(MN_IO, "%s: has too many vertices", path);
    mesh->vertex_count = (int)v->count;
    // one float of slack: Embree reads the last vertex with a 16-byte load
    mesh->position = calloc(3*v->count + 1, sizeof(float));
    mesh->normal = calloc(3*v->count + 1, sizeof(float));
    mesh->velocity = calloc(3*v->count + 1, sizeof(float));
    if (!mesh->position || !mesh->normal || !mesh->velocity) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    if (!copy_columns(mesh->position, v, (const char* const[]){"x", "y", "z"}))
        return mn_fail(MN_IO, "%s: a vertex is not at a finite place", path);
    copy_columns(mesh->normal, v, (const char* const[]){"nx", "ny", "nz"});
    copy_columns(mesh->velocity, v, (const char* const[]){"vx", "vy", "vz"});
    return MN_OK;
}

static mn_status add_face(DrawMesh* mesh, const int64_t* corner, int kind, const char* path)
{
    for (int c = 0; c < mesh->corners; c++) {
        if (corner[c] < 0 || corner[c] >= mesh->vertex_count)
            return mn_fail(MN_IO, "%s: a face names a vertex that is not there", path);
        mesh->face[mesh->corners*mesh->face_count + c] = (int)corner[c];
    }
    mesh->kind[mesh->face_count++] = (unsigned char)(kind != 0);
    return MN_OK;
}

static mn_status allocate_faces(DrawMesh* mesh, size_t count, const char* path)
{
    if (count > INT_MAX/4) return mn_fail(MN_IO, "%s: has too many faces", path);
    mesh->face = malloc(((size_t)mesh->corners*count + 1)*sizeof(int));
    mesh->kind = malloc(count + 1);
    return mesh->face && mesh->kind ? MN_OK : mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
}

static int face_kind(const PlyElement* e, size_t i)
{
    int column = ply_column(e, "kind");
    return column < 0 ? 0 : (int)e->value[i*(size_t)e->columns + (size_t)column];
}

// Polygons become fans of triangles.
static mn_status copy_triangles(DrawMesh* mesh, const PlyFile* ply, const char* path)
{
    const PlyElement* e = plyfile_element(ply, "face");
    if (!e) return allocate_faces(mesh, 0, path);
    if (!e->list_name[0] && e->count > 0) return mn_fail(MN_IO, "%s: its faces have no corners", path);
    size_t triangles = 0;
    for (size_t i = 0; i < e->count; i++) {
        size_t n = e->list_start[i + 1] - e->list_start[i];
        triangles += n >= 3 ? n - 2 : 0;
    }
    TRY(allocate_faces(mesh, triangles, path));
    for (size_t i = 0; i < e->count; i++) {
        const int64_t* list = e->list + e->list_start[i];
        size_t n = e->list_start[i + 1] - e->list_start[i];
        for (size_t c = 2; c < n; c++) {
            int64_t corner[3] = {list[0], list[c - 1], list[c]};
            TRY(add_face(mesh, corner, face_kind(e, i), path));
        }
    }
    return MN_OK;
}

static mn_status copy_edges(DrawMesh* mesh, const PlyFile* ply, const char* path)
{
    const PlyElement* e = plyfile_element(ply, "edge");
    if (!e) return allocate_faces(mesh, 0, path);
    int a = ply_column(e, "vertex1"), b = ply_column(e, "vertex2");
    if ((a < 0 || b < 0) && e->count > 0) return mn_fail(MN_IO, "%s: its edges have no ends", path);
    TRY(allocate_faces(mesh, e->count, path));
    for (size_t i = 0; i < e->count; i++) {
        const double* row = e->value + i*(size_t)e->columns;
        int64_t corner[2] = {(int64_t)clamp(row[a], -1, 1e15), (int64_t)clamp(row[b], -1, 1e15)};
        TRY(add_face(mesh, corner, face_kind(e, i), path));
    }
    return MN_OK;
}

mn_status drawmesh_read(DrawMesh* mesh, const char* path, int corners)
{
    *mesh = (DrawMesh){.corners = corners};
    PlyFile* ply;
    mn_status status = plyfile_read(&ply, path);
    if (status == MN_OK) status = copy_vertices(mesh, ply, path);
    if (status == MN_OK) status = corners == 3 ? copy_triangles(mesh, ply, path) : copy_edges(mesh, ply, path);
    plyfile_free(ply);
    if (status != MN_OK) drawmesh_free(mesh);
    return status;
}

void drawmesh_free(DrawMesh* mesh)
{
    free(mesh->position);
    free(mesh->normal);
    free(mesh->velocity);
    free(mesh->face);
    free(mesh->kind);
    *mesh = (DrawMesh){.corners = mesh->corners};
}

static mn_status copy_drops(DrawSpray* spray, const PlyFile* ply, const char* path)
{
    const PlyElement* v = plyfile_element(ply, "vertex");
    if (!v || v->count == 0) return MN_OK;
    int radius = ply_column(v, "radius");
    if (ply_column(v, "x") < 0 || radius < 0) return mn_fail(MN_IO, "%s: drops need x y z and radius", path);
    if (v->count > INT_MAX/4) return mn_fail(MN_IO, "%s: has too many drops", path);
    float* position = malloc(3*v->count*sizeof(float));
    spray->drop = malloc(4*v->count*sizeof(float));
    spray->velocity = malloc(3*v->count*sizeof(float));
    if (!position || !spray->drop || !spray->velocity) {
        free(position);
        return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    }
    copy_columns(position, v, (const char* const[]){"x", "y", "z"});
    copy_columns(spray->velocity, v, (const char* const[]){"vx", "vy", "vz"});
    for (size_t i = 0; i < v->count; i++) {
        double r = v->value[i*(size_t)v->columns + (size_t)radius];
        memcpy(spray->drop + 4*i, position + 3*i, 3*sizeof(float));
        spray->drop[4*i + 3] = r > 0 && r < 1e30 ? (float)r : 0;
    }
    spray->count = (int)v->count;
    free(position);
    return MN_OK;
}

mn_status drawspray_read(DrawSpray* spray, const char* path)
{
    *spray = (DrawSpray){0};
    PlyFile* ply;
    mn_status status = plyfile_read(&ply, path);
    if (status == MN_OK) status = copy_drops(spray, ply, path);
    plyfile_free(ply);
    if (status != MN_OK) drawspray_free(spray);
    return status;
}

void drawspray_free(DrawSpray* spray)
{
    free(spray->drop);
    free(spray->velocity);
    *spray = (DrawSpray){0};
}

static V3 corner(const DrawMesh* m, int f, int c) { return v3_load(m->position + 3*m->face[3*f + c]); }

static V3 area_vector(const DrawMesh* m, int f)
{
    return v3_cross(corner(m, f, 1) - corner(m, f, 0), corner(m, f, 2) - corner(m, f, 0));
}

// Six times the volume, by the divergence theorem; about the first vertex, to keep the numbers small.
static double signed_volume(const DrawMesh* m)
{
    double sum = 0;
    for (int f = 0; f < m->face_count; f++) sum += v3_dot(corner(m, f, 0) - v3_load(m->position), area_vector(m, f));
    return sum;
}

mn_status drawmesh_orient(DrawMesh* m)
{
    if (m->face_count == 0) return MN_OK;
    if (signed_volume(m) < 0)
        for (int f = 0; f < m->face_count; f++) {
            int swap = m->face[3*f + 1];
            m->face[3*f + 1] = m->face[3*f + 2], m->face[3*f + 2] = swap;
        }
    float* mean = calloc(3*(size_t)m->vertex_count + 1, sizeof(float));
    if (!mean) return mn_fail(MN_NO_MEMORY, "out of memory");
    for (int f = 0; f < m->face_count; f++) {
        if (m->kind[f]) continue;
        V3 a = area_vector(m, f);
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++) mean[3*m->face[3*f + c] + d] += a[d];
    }
    double agree = 0;
    for (int i = 0; i < m->vertex_count; i++) agree += v3_dot(v3_load(m->normal + 3*i), v3_unit(v3_load(mean + 3*i)));
    for (int i = 0; i < m->vertex_count; i++) {
        V3 n = v3_load(m->normal + 3*i)*(agree < 0 ? -1.0f : 1.0f);
        n = v3_unit(v3_dot(n, n) > 0.01f ? n : v3_load(mean + 3*i));
        for (int d = 0; d < 3; d++) m->normal[3*i + d] = n[d];
    }
    free(mean);
    return MN_OK;
}
