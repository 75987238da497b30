// Wavefront OBJ: `v` and `f` lines; everything else (normals, textures, groups, materials) is passed over.
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/mesh_build.h"

typedef struct Text {
    const char* c;  // ends with a 0
    const char* end;
    const char* name;
    int line;
    MeshBuilder* b;
} Text;

// Blanks within a line; a backslash at its end carries it on.
static void skip_blanks(Text* t)
{
    for (;;) {
        if (*t->c == ' ' || *t->c == '\t' || *t->c == '\r') t->c++;
        else if (t->c[0] == '\\' && t->c[1] == '\n') t->c += 2, t->line++;
        else if (t->c[0] == '\\' && t->c[1] == '\r' && t->c[2] == '\n') t->c += 3, t->line++;
        else return;
    }
}

static bool at_line_end(const Text* t) { return *t->c == '\n' || *t->c == '#' || t->c >= t->end; }

static mn_status read_vertex(Text* t)
{
    double x[3];
    for (int d = 0; d < 3; d++) {
        char* after;
        skip_blanks(t);
        x[d] = at_line_end(t) ? NAN : strtod(t->c, &after);
        if (at_line_end(t) || after == t->c || !(fabs(x[d]) <= MESH_FARTHEST)) {
            return mn_fail(MN_BAD_MESH, "%s:%d: expected a vertex, v x y z, of finite numbers up to %g", t->name, t->line,
                           MESH_FARTHEST);
        }
        t->c = after;
    }
    return builder_vertex(t->b, x);
}

// One corner, a or a/b or a/b/c or a//c, of which only a counts; from 1 on, or -1 for the last vertex so far.
static mn_status read_corner(int* index, Text* t)
{
    char* after;
    long a = strtol(t->c, &after, 10);
    int count = t->b->mesh.vertex_count;
    if (after == t->c || !strchr("/ \t\r\n\\#", *after)) {
        return mn_fail(MN_BAD_MESH, "%s:%d: expected a face, f a b c, of vertex numbers", t->name, t->line);
    }
    // vertices may follow their faces, so only builder_finish knows the upper end
    if (a == 0 || a < -(long)count || a > MESH_MAX_COUNT) {
        return mn_fail(MN_BAD_MESH, "%s:%d: a face names vertex %ld, with %d vertices so far", t->name, t->line, a, count);
    }
    *index = (int)(a > 0 ? a - 1 : count + a);
    t->c = after + strcspn(after, " \t\r\n\\#");
    return MN_OK;
}

// A polygon becomes a fan around its first corner.
static mn_status read_face(Text* t)
{
    int first = 0, last = 0, corners = 0;
    for (skip_blanks(t); !at_line_end(t); skip_blanks(t)) {
        int index = 0;
        TRY(read_corner(&index, t));
        if (corners == 0) first = index;
        if (corners >= 2) TRY(builder_triangle(t->b, first, last, index));
        last = index;
        corners++;
    }
    if (corners < 3) return mn_fail(MN_BAD_MESH, "%s:%d: a face of %d corners; it needs three", t->name, t->line, corners);
    return MN_OK;
}

static mn_status read_lines(Text* t)
{
    for (; t->c < t->end; t->line++) {
        skip_blanks(t);
        char key = t->c[0], next = key ? t->c[1] : 0;
        bool alone = next == ' ' || next == '\t';
        if (alone) t->c++;
        if (key == 'v' && alone) TRY(read_vertex(t));
        if (key == 'f' && alone) TRY(read_face(t));
        // to the end of the line, over whatever else it holds
        const char* end = memchr(t->c, '\n', (size_t)(t->end - t->c));
        t->c = end ? end + 1 : t->end;
    }
    return MN_OK;
}

mn_status mesh_read_obj(TriMesh* mesh, const char* name, const char* bytes, size_t size)
{
    MeshBuilder builder = {0};
    Text text = {bytes, bytes + size, name, 1, &builder};
    memset(mesh, 0, sizeof *mesh);
    mn_status status = read_lines(&text);
    if (status == MN_OK) status = builder_finish(mesh, &builder, name);
    mesh_free(&builder.mesh);
    return status;
}
