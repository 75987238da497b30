#include "output/usda.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "output/files.h"
#include "output/ply.h"

typedef struct Usda {
    RowFile file;  // grows under its temporary name
    Bytes text;    // not yet in it
    const RunFiles* run;
    int first, last;
} Usda;

enum { ENOUGH_TEXT = 1 << 20 };

static mn_status flush(Usda* u, size_t more_than)
{
    if (u->text.size <= more_than && !u->text.failed) return MN_OK;
    TRY(rowfile_add(&u->file, &u->text));
    bytes_clear(&u->text);
    return MN_OK;
}

// ---- the properties of a mesh ----------------------------------------------------------------------------------------------

typedef enum Property { COUNTS, INDICES, POINTS, NORMALS, VELOCITIES, EXTENT, PROPERTIES } Property;

static const char* const declaration[PROPERTIES] = {
    "int[] faceVertexCounts", "int[] faceVertexIndices", "point3f[] points",
    "normal3f[] normals",     "vector3f[] velocities",   "float3[] extent",
};

static void put_vector(Bytes* b, const double v[3], bool first)
{
    bytes_print(b, "%s(%.9g, %.9g, %.9g)", first ? "" : ", ", v[0], v[1], v[2]);
}

static void put_extent(Bytes* b, const SurfaceMesh* mesh)
{
    double low[3] = {0}, high[3] = {0};
    for (int i = 0; i < mesh->vertex_count; i++)
        for (int d = 0; d < 3; d++) {
            double x = mesh->position[i][d];
            low[d] = i ? fmin(low[d], x) : x, high[d] = i ? fmax(high[d], x) : x;
        }
    put_vector(b, low, true);
    put_vector(b, high, false);
}

static void put_property(Bytes* b, const SurfaceMesh* mesh, Property property)
{
    bytes_print(b, "[");
    switch (property) {
    case COUNTS:
        for (int f = 0; f < mesh->face_count; f++) bytes_print(b, f ? ", 3" : "3");
        break;
    case INDICES:
        for (int c = 0; c < 3*mesh->face_count; c++) bytes_print(b, c ? ", %d" : "%d", mesh->face[c]);
        break;
    case EXTENT:
        put_extent(b, mesh);
        break;
    default:
        for (int i = 0; i < mesh->vertex_count; i++)
            put_vector(b,
                       property == POINTS    ? mesh->position[i]
                       : property == NORMALS ? mesh->normal[i]
                                             : mesh->velocity[i],
                       i == 0);
    }
    bytes_print(b, "]");
}

// Names of prims are letters, digits and _ .
static void prim_name(char out[80], const char* name)
{
    size_t n = 0;
    for (; name[n] && n < 79; n++) out[n] = isalnum((unsigned char)name[n]) ? name[n] : '_';
    out[n] = 0;
}

static mn_status put_samples(Usda* u, const char* name, Property property)
{
    char path[PATH_ROOM];
    if (property == NORMALS)
        bytes_print(&u->text, "        %s (\n            interpolation = \"vertex\"\n        )\n", declaration[property]);
    bytes_print(&u->text, "        %s.timeSamples = {\n", declaration[property]);
    for (int frame = u->first; frame <= u->last; frame++) {
        SurfaceMesh mesh;
        TRY(path_join(path, u->run->dir, "%s_%04d.ply", name, frame));
        TRY(ply_read_mesh(&mesh, path, 3));
        bytes_print(&u->text, "            %d: ", frame);
        put_property(&u->text, &mesh, property);
        bytes_print(&u->text, ",\n");
        surfacemesh_free(&mesh);
        TRY(flush(u, ENOUGH_TEXT));
    }
    bytes_print(&u->text, "        }\n");
    return MN_OK;
}

static mn_status put_still(Usda* u, const char* name)
{
    char path[PATH_ROOM];
    SurfaceMesh mesh;
    TRY(path_join(path, u->run->dir, "%s.ply", name));
    TRY(ply_read_mesh(&mesh, path, 3));
    for (int p = 0; p < PROPERTIES; p++) {
        if (p == VELOCITIES) continue;
        bytes_print(&u->text, "        %s = ", declaration[p]);
        put_property(&u->text, &mesh, (Property)p);
        bytes_print(&u->text, "%s\n", p == NORMALS ? " (\n            interpolation = \"vertex\"\n        )" : "");
    }
    surfacemesh_free(&mesh);
    return flush(u, ENOUGH_TEXT);
}

static mn_status put_mesh(Usda* u, const char* name, bool moving)
{
    char prim[80];
    prim_name(prim, name);
    bytes_print(&u->text,
                "\n    def Mesh \"%s\"\n    {\n        uniform token orientation = \"rightHanded\"\n"
                "        uniform token subdivisionScheme = \"none\"\n",
                prim);
    if (!moving) TRY(put_still(u, name));
    for (int p = 0; p < PROPERTIES && moving; p++) TRY(put_samples(u, name, (Property)p));
    bytes_print(&u->text, "    }\n");
    return MN_OK;
}

// ---- spray -----------------------------------------------------------------------------------------------------------------

static mn_status put_spray_samples(Usda* u, const char* what, int column)
{
    char path[PATH_ROOM];
    bytes_print(&u->text, "        %s.timeSamples = {\n", what);
    for (int frame = u->first; frame <= u->last; frame++) {
        DrawSpray spray = {0};
        TRY(path_join(path, u->run->dir, "spray_%04d.ply", frame));
        if (access(path, F_OK) == 0) TRY(drawspray_read(&spray, path));
        bytes_print(&u->text, "            %d: [", frame);
        for (int i = 0; i < spray.count; i++) {
            const float *x = spray.drop + 4*(ptrdiff_t)i, *v = spray.velocity + 3*(ptrdiff_t)i;
            if (column == 0) put_vector(&u->text, (const double[3]){x[0], x[1], x[2]}, i == 0);
            if (column == 1) put_vector(&u->text, (const double[3]){v[0], v[1], v[2]}, i == 0);
            if (column == 2) bytes_print(&u->text, i ? ", %.9g" : "%.9g", 2*(double)x[3]);
        }
        bytes_print(&u->text, "],\n");
        drawspray_free(&spray);
        TRY(flush(u, ENOUGH_TEXT));
    }
    bytes_print(&u->text, "        }\n");
    return MN_OK;
}

static mn_status put_spray(Usda* u)
{
    char path[PATH_ROOM];
    bool any = false;
    for (int frame = u->first; frame <= u->last && !any; frame++) {
        TRY(path_join(path, u->run->dir, "spray_%04d.ply", frame));
        any = access(path, F_OK) == 0;
    }
    if (!any) return MN_OK;
    static const char* const what[3] = {"point3f[] points", "vector3f[] velocities", "float[] widths"};
    bytes_print(&u->text, "\n    def Points \"spray\"\n    {\n");
    for (int column = 0; column < 3; column++) TRY(put_spray_samples(u, what[column], column));
    bytes_print(&u->text, "    }\n");
    return MN_OK;
}

// ---- the file --------------------------------------------------------------------------------------------------------------

static mn_status put_all(Usda* u)
{
    TRY(put_mesh(u, "surface", true));
    for (int m = 0; m < u->run->solid_count; m++) {
        char name[80];
        snprintf(name, sizeof name, "solid_%s", u->run->solids[m].name);
        TRY(put_mesh(u, name, u->run->solids[m].moving));
    }
    TRY(put_spray(u));
    bytes_print(&u->text, "}\n");
    return flush(u, 0);
}

static void put_header(Usda* u)
{
    double rate = u->run->frame_rate;
    bytes_print(&u->text,
                "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = \"meniscus\"\n    endTimeCode = %d\n"
                "    framesPerSecond = %.17g\n    metersPerUnit = 1\n    startTimeCode = %d\n"
                "    timeCodesPerSecond = %.17g\n    upAxis = \"Y\"\n)\n\ndef Xform \"run\"\n{\n",
                u->last, rate, u->first, rate);
}

// The whole run is moved along, so that a renderer's motion blur knows the shaking too.
static void put_places(Usda* u, double (*place)[3])
{
    bytes_print(&u->text, "    double3 xformOp:translate.timeSamples = {\n");
    for (int frame = u->first; frame <= u->last; frame++) {
        bytes_print(&u->text, "        %d: ", frame);
        put_vector(&u->text, place[frame], true);
        bytes_print(&u->text, ",\n");
    }
    bytes_print(&u->text, "    }\n    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n");
}

mn_status usda_write(const char* to, const RunFiles* run, int first, int last, double (*place)[3])
{
    Usda u = {.run = run, .first = first, .last = last, .file.fd = -1};
    char path[PATH_ROOM], temporary[PATH_ROOM];
    TRY(path_join(path, to, "run.usda"));
    TRY(path_join(temporary, to, "run.usda.tmp"));
    put_header(&u);
    if (place) put_places(&u, place);
    mn_status status = rowfile_create(&u.file, temporary, &u.text);
    bytes_clear(&u.text);
    snprintf(u.file.path, sizeof u.file.path, "%s", path);  // messages name the file that was asked for
    if (status == MN_OK) status = put_all(&u);
    rowfile_close(&u.file);
    bytes_free(&u.text);
    if (status == MN_OK && rename(temporary, path) != 0)
        status = mn_fail(MN_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (status != MN_OK) unlink(temporary);
    return status;
}
