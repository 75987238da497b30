#include "scene/mesh_motion.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/budget.h"
#include "base/readfile.h"
#include "base/vec.h"
#include "scene/include.h"
#include "scene/mesh_build.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "PC2 files hold numbers as they lie in memory");

void motion_free(MeshMotion* m)
{
    if (!m) return;
    free(m->sample);
    free(m);
}

double motion_fastest(const MeshMotion* m)
{
    double longest = 0;
    for (int i = 0; i + 1 < m->sample_count; i++) {
        float(*now)[3] = m->sample + (size_t)i*(size_t)m->vertex_count, (*next)[3] = now + m->vertex_count;
        for (int v = 0; v < m->vertex_count; v++) {
            double way[3] = {next[v][0] - now[v][0], next[v][1] - now[v][1], next[v][2] - now[v][2]};
            longest = fmax(longest, vec_norm(way));
        }
    }
    return longest/m->step;
}

static mn_status motion_create(MeshMotion** out, const char* name, int vertices, int samples, double first, double step)
{
    if (!(step > 0) || !isfinite(step))
        return mn_fail(MN_BAD_MESH, "%s: its samples would be %g s apart, by the frames between them and cache_rate", name, step);
    MeshMotion* m = calloc(1, sizeof *m);
    if (m) {
        *m = (MeshMotion){.vertex_count = vertices, .sample_count = samples, .first = first, .step = step};
        m->sample = malloc((size_t)vertices*(size_t)samples*sizeof *m->sample);
    }
    *out = m && m->sample ? m : NULL;
    if (*out) return MN_OK;
    motion_free(m);
    return mn_fail(MN_NO_MEMORY, "no memory to read %s", name);
}

// ---------------------------------------------------------------- PC2

// 32 bytes, then numPoints*numSamples places of three floats.
typedef struct Pc2Header {
    char magic[12];  // "POINTCACHE2" and a 0
    int32_t version, points;
    float start, rate;  // in frames: first sample, frames from one sample to the next
    int32_t samples;
} Pc2Header;
_Static_assert(sizeof(Pc2Header) == 32, "the header of a PC2 file");

static mn_status check_header(const Pc2Header* h, size_t size, const char* path, int vertices)
{
    if (size < sizeof *h || memcmp(h->magic, "POINTCACHE2", 12) != 0 || h->version != 1)
        return mn_fail(MN_BAD_MESH, "%s: is not a PC2 vertex cache", path);
    if (h->points != vertices)
        return mn_fail(MN_BAD_MESH, "%s: has %d points, but its mesh has %d vertices", path, h->points, vertices);
    if (h->samples < 1) return mn_fail(MN_BAD_MESH, "%s: has %d samples; at least one is needed", path, h->samples);
    if (!(h->rate > 0) || !isfinite(h->rate)) return mn_fail(MN_BAD_MESH, "%s: %g frames between samples", path, (double)h->rate);
    size_t needed = sizeof *h + 12*(size_t)h->points*(size_t)h->samples;
    if (size < needed) return mn_fail(MN_BAD_MESH, "%s: is cut short: %zu of %zu bytes", path, size, needed);
    return MN_OK;
}

static mn_status check_numbers(const MeshMotion* m, const char* path)
{
    for (int s = 0; s < m->sample_count; s++)
        for (int v = 0; v < m->vertex_count; v++) {
            const float* x = m->sample[(size_t)s*(size_t)m->vertex_count + (size_t)v];
            if (mesh_place_is_good(x[0], x[1], x[2])) continue;
            return mn_fail(MN_BAD_MESH, "%s: point %d of sample %d is not a number, or too large (counted from 0)", path, v, s);
        }
    return MN_OK;
}

mn_status motion_read_cache(MeshMotion** out, const char* path, int vertices, double rate, double start)
{
    char* bytes;
    size_t size = 0;
    Pc2Header header = {0};
    *out = NULL;
    TRY(mesh_read_bytes(&bytes, &size, path, "a PC2 vertex cache"));
    memcpy(&header, bytes, size < sizeof header ? size : sizeof header);
    mn_status status = check_header(&header, size, path, vertices);
    if (status == MN_OK) status = motion_create(out, path, vertices, header.samples, start, (double)header.rate/rate);
    if (status == MN_OK) {
        memcpy((*out)->sample, bytes + sizeof header, 12*(size_t)vertices*(size_t)header.samples);
        status = check_numbers(*out, path);
    }
    free(bytes);
    if (status != MN_OK) motion_free(*out), *out = NULL;
    return status;
}

// ---------------------------------------------------------------- sequences

// A name with one run of #s, taken apart.
typedef struct Pattern {
    char dir[4096], before[256], after[256];
} Pattern;

static bool pattern_split(Pattern* p, const char* pattern)
{
    const char *slash = strrchr(pattern, '/'), *name = slash ? slash + 1 : pattern, *hash = strchr(name, '#');
    if (!hash) return false;
    const char* rest = hash + strspn(hash, "#");
    if (strchr(rest, '#') || strlen(pattern) > 4000 || strlen(name) > 250) return false;
    snprintf(p->dir, sizeof p->dir, "%.*s", slash ? (int)(slash - pattern) : 1, slash ? pattern : ".");
    if (slash == pattern) strcpy(p->dir, "/");
    snprintf(p->before, sizeof p->before, "%.*s", (int)(hash - name), name);
    snprintf(p->after, sizeof p->after, "%s", rest);
    return true;
}

// The number in a name of the pattern, with or without zeros in front; -1 for another name.
static int pattern_number(const Pattern* p, const char* name)
{
    size_t n = strlen(name), a = strlen(p->before), b = strlen(p->after);
    if (n <= a + b || n - a - b > 9 || strncmp(name, p->before, a) != 0 || strcmp(name + n - b, p->after) != 0) return -1;
    for (size_t c = a; c < n - b; c++)
        if (!isdigit((unsigned char)name[c])) return -1;
    return atoi(name + a);
}

typedef struct Numbered {
    int number;
    char name[256];
} Numbered;

static int compare_numbers(const void* a, const void* b)
{
    const Numbered *p = a, *q = b;
    return p->number != q->number ? (p->number > q->number) - (p->number < q->number) : strcmp(p->name, q->name);
}

static mn_status list_files(Numbered** out, int* count, const Pattern* p, const char* pattern)
{
    int room = 0;
    *out = NULL, *count = 0;
    DIR* d = opendir(p->dir);
    if (!d) return mn_fail(MN_IO, "%s: %s", p->dir, strerror(errno));
    for (struct dirent* entry; (entry = readdir(d));) {
        int number = pattern_number(p, entry->d_name);
        if (number < 0) continue;
        if (*count == room) {
            room = room ? 2*room : 256;
            Numbered* more = realloc(*out, (size_t)room*sizeof *more);
            if (!more) {
                closedir(d);
                return mn_fail(MN_NO_MEMORY, "no memory to read %s", pattern);
            }
            *out = more;
        }
        Numbered* f = &(*out)[(*count)++];
        f->number = number;
        snprintf(f->name, sizeof f->name, "%s", entry->d_name);
    }
    closedir(d);
    if (*count == 0) return mn_fail(MN_IO, "%s: there is no such file with a number in place of #", pattern);
    qsort(*out, (size_t)*count, sizeof **out, compare_numbers);
    for (int i = 1; i < *count; i++) {
        const Numbered *a = &(*out)[i - 1], *b = &(*out)[i];
        if (b->number == a->number) return mn_fail(MN_BAD_MESH, "%s/%s: has the same number as %s", p->dir, b->name, a->name);
        if (b->number > a->number + 1)
            return mn_fail(MN_BAD_MESH, "%s: number %d is missing, between %s and %s", pattern, a->number + 1, a->name, b->name);
    }
    return MN_OK;
}

static mn_status take_sample(MeshMotion* m, int s, const TriMesh* mesh, const TriMesh* first, const char* path, const char* name)
{
    bool same = mesh->vertex_count == first->vertex_count && mesh->triangle_count == first->triangle_count &&
                memcmp(mesh->triangles, first->triangles, (size_t)mesh->triangle_count*sizeof *mesh->triangles) == 0;
    if (!same)
        return mn_fail(MN_BAD_MESH,
                       "%s: its faces are not those of %s; all files of a sequence need the same faces in the same order", path,
                       name);
    for (int v = 0; v < mesh->vertex_count; v++)
        for (int d = 0; d < 3; d++)
            m->sample[(size_t)s*(size_t)mesh->vertex_count + (size_t)v][d] = (float)mesh->vertices[v][d];
    return MN_OK;
}

static mn_status read_files(MeshMotion** out, const Numbered* file, int count, const Pattern* p, double rate, double start,
                            const char* below)
{
    TriMesh first = {0};
    mn_status status = MN_OK;
    for (int s = 0; s < count && status == MN_OK; s++) {
        char path[4608];
        TriMesh mesh = {0};
        snprintf(path, sizeof path, "%s/%s", p->dir, file[s].name);
        status = below && !path_is_below(path, below) ? mn_fail(MN_BAD_SCENE, SCENE_IS_OUTSIDE, path) : budget_check(path);
        if (status == MN_OK) status = mesh_read(&mesh, path);
        if (status == MN_OK && s == 0) status = motion_create(out, path, mesh.vertex_count, count, start, 1/rate);
        if (status == MN_OK) status = take_sample(*out, s, &mesh, s ? &first : &mesh, path, file[0].name);
        if (s == 0) first = mesh;
        else mesh_free(&mesh);
    }
    mesh_free(&first);
    return status;
}

mn_status motion_read_sequence(MeshMotion** out, char first[4096], const char* pattern, double rate, double start,
                               const char* below)
{
    Pattern p;
    Numbered* file = NULL;
    int count;
    *out = NULL;
    if (!pattern_split(&p, pattern)) return mn_fail(MN_BAD_MESH, "%s: expected one run of # where the number stands", pattern);
    if (below && !path_is_below(p.dir, below)) return mn_fail(MN_BAD_SCENE, SCENE_IS_OUTSIDE, pattern);
    mn_status status = list_files(&file, &count, &p, pattern);
    if (status == MN_OK) snprintf(first, 4096, "%.3800s/%s", p.dir, file[0].name);
    if (status == MN_OK) status = read_files(out, file, count, &p, rate, start, below);
    free(file);
    if (status != MN_OK) motion_free(*out), *out = NULL;
    return status;
}

// ---------------------------------------------------------------- the mesh at a time

static void move_vertices(TriMesh* mesh, const MeshMotion* m, double t)
{
    double s = clamp((t - m->first)/m->step, 0, m->sample_count - 1);
    int low = mini((int)s, maxi(m->sample_count - 2, 0)), high = mini(low + 1, m->sample_count - 1);
    double f = s - low;
    float(*a)[3] = m->sample + (size_t)low*(size_t)m->vertex_count,
    (*b)[3] = m->sample + (size_t)high*(size_t)m->vertex_count;
    for (int v = 0; v < m->vertex_count; v++)
        for (int d = 0; d < 3; d++) mesh->vertices[v][d] = (1 - f)*a[v][d] + f*b[v][d];
}

// The middles of the caps that close holes go with their rims.
static mn_status move_caps(TriMesh* mesh)
{
    int(*cap)[3] = mesh->triangles + mesh->triangle_count;
    double(*middle)[3] = mesh->vertices + mesh->vertex_count;
    int* edges = calloc((size_t)mesh->holes + 1, sizeof *edges);
    if (!edges) return mn_fail(MN_NO_MEMORY, "no memory for a mesh that moves");
    memset(middle, 0, (size_t)mesh->holes*sizeof *middle);
    for (int c = 0; c < mesh->cap_count; c++) {
        int hole = cap[c][2] - mesh->vertex_count;
        for (int d = 0; d < 3; d++) middle[hole][d] += (mesh->vertices[cap[c][0]][d] + mesh->vertices[cap[c][1]][d])/2;
        edges[hole]++;
    }
    for (int h = 0; h < mesh->holes; h++)
        for (int d = 0; d < 3; d++) middle[h][d] /= maxi(edges[h], 1);
    free(edges);
    return MN_OK;
}

mn_status motion_mesh(MeshSdf** out, const MeshMotion* m, const MeshSdf* rest, double t)
{
    const TriMesh* from = meshsdf_mesh(rest);
    size_t vertices = (size_t)(from->vertex_count + from->holes), triangles = (size_t)(from->triangle_count + from->cap_count);
    TriMesh mesh = *from;
    *out = NULL;
    mesh.vertices = malloc(vertices*sizeof *mesh.vertices);
    mesh.triangles = malloc(triangles*sizeof *mesh.triangles);
    mn_status status = mesh.vertices && mesh.triangles ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for a mesh that moves");
    if (status == MN_OK) {
        memcpy(mesh.triangles, from->triangles, triangles*sizeof *mesh.triangles);
        move_vertices(&mesh, m, t);
        status = move_caps(&mesh);
    }
    if (status == MN_OK) status = meshsdf_create(out, &mesh);
    mesh_free(&mesh);
    return status;
}
