#include "output/mirror.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void mirror_tank(RunFiles* run, const bool is_mirror[6])
{
    for (int d = 0; d < run->dim; d++) {
        bool low = is_mirror[2*d], high = is_mirror[2*d + 1];
        run->mirror[d] = low ? MIRROR_LOW : high ? MIRROR_HIGH : MIRROR_NONE;
        if (low) run->wall[2*d] = run->wall[2*d + 1];
        else if (high) run->wall[2*d + 1] = run->wall[2*d];
        if (low || high) run->size[d] *= 2;
    }
}

// Where the plane lies in the whole tank, and where the part that was computed begins, m.
static double plane_of(const RunFiles* run, int d) { return 0.5*run->size[d]; }
static double start_of(const RunFiles* run, int d) { return run->mirror[d] == MIRROR_LOW ? plane_of(run, d) : 0; }

static void shift(float* position, int stride, int count, const RunFiles* run)
{
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 3; d++) position[stride*i + d] += (float)start_of(run, d);
}

// Room for twice as many values, the second half a copy of the first. `slack`: values past the end (drawmesh.c).
static bool twice(void** values, size_t bytes, size_t slack)
{
    char* more = realloc(*values, 2*bytes + slack);
    if (!more) return false;
    memcpy(more + bytes, more, bytes);
    *values = more;
    return true;
}

// Where liquid ends on the mirror there is a wall in the part's files, and nothing in the whole. Its vertices stay, without a
// face.
static void drop_faces_on(DrawMesh* m, int d, double plane, double near)
{
    int kept = 0;
    for (int f = 0; f < m->face_count; f++) {
        const int* c = m->face + m->corners*f;
        bool on = true;
        for (int k = 0; k < m->corners; k++) on = on && fabs(m->position[3*c[k] + d] - plane) < near;
        if (on) continue;
        memmove(m->face + m->corners*kept, c, sizeof *c*(size_t)m->corners);
        m->kind[kept++] = m->kind[f];
    }
    m->face_count = kept;
}

static bool double_mesh(DrawMesh* m, int d, double plane)
{
    size_t vertices = 3*sizeof(float)*(size_t)m->vertex_count, faces = sizeof(int)*(size_t)(m->corners*m->face_count);
    bool done = twice((void**)&m->position, vertices, sizeof(float)) && twice((void**)&m->normal, vertices, sizeof(float)) &&
                twice((void**)&m->velocity, vertices, sizeof(float)) && twice((void**)&m->face, faces, sizeof(int)) &&
                twice((void**)&m->kind, (size_t)m->face_count, 1);
    if (!done) return false;
    for (int i = m->vertex_count; i < 2*m->vertex_count; i++) {
        m->position[3*i + d] = (float)(2*plane - m->position[3*i + d]);
        m->normal[3*i + d] *= -1, m->velocity[3*i + d] *= -1;
    }
    for (int f = m->face_count; f < 2*m->face_count; f++) {
        int* c = m->face + m->corners*f;
        for (int k = 0; k < m->corners; k++) c[k] += m->vertex_count;
        int last = m->corners - 1, swap = c[last];  // an image turns the other way
        c[last] = c[last - 1], c[last - 1] = swap;
    }
    m->vertex_count *= 2, m->face_count *= 2;
    return true;
}

mn_status mirror_mesh(DrawMesh* m, const RunFiles* run)
{
    double near = 1e-5*run->size[0];
    shift(m->position, 3, m->vertex_count, run);
    for (int d = 0; d < run->dim; d++) {
        if (run->mirror[d] == MIRROR_NONE) continue;
        drop_faces_on(m, d, plane_of(run, d), near);
        if (!double_mesh(m, d, plane_of(run, d))) return mn_fail(MN_NO_MEMORY, "%s: out of memory", run->dir);
    }
    return MN_OK;
}

mn_status mirror_spray(DrawSpray* s, const RunFiles* run)
{
    shift(s->drop, 4, s->count, run);
    for (int d = 0; d < run->dim && s->count > 0; d++) {
        if (run->mirror[d] == MIRROR_NONE) continue;
        size_t drops = sizeof(float)*(size_t)s->count;
        if (!twice((void**)&s->drop, 4*drops, 0) || !twice((void**)&s->velocity, 3*drops, 0))
            return mn_fail(MN_NO_MEMORY, "%s: out of memory", run->dir);
        for (int i = s->count; i < 2*s->count; i++) {
            s->drop[4*i + d] = (float)(2*plane_of(run, d) - s->drop[4*i + d]);
            s->velocity[3*i + d] *= -1;
        }
        s->count *= 2;
    }
    return MN_OK;
}

mn_status mirror_film(FilmRecord* film, const RunFiles* run)
{
    for (int i = 0; i < film->count; i++)
        for (int d = 0; d < 3; d++) film->piece[i].x[d] += start_of(run, d);
    for (int d = 0; d < run->dim && film->count > 0; d++) {
        if (run->mirror[d] == MIRROR_NONE) continue;
        int count = film->count;
        TRY(film_record_resize(film, 2*count));
        for (int i = 0; i < count; i++) {
            FilmPiece image = film->piece[i];
            image.x[d] = 2*plane_of(run, d) - image.x[d], image.normal[d] *= -1;
            film->piece[count + i] = image;
        }
    }
    return MN_OK;
}
