#include "output/usda.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "output/files.h"

typedef struct Usda {
    RowFile file;  // grows under its temporary name
    Bytes text;    // not yet in it
    const UsdaRun* run;
} Usda;

enum { ENOUGH_TEXT = 1 << 20 };

static mn_status flush(Usda* u, size_t more_than)
{
    if (u->text.size <= more_than && !u->text.failed) return MN_OK;
    TRY(rowfile_add(&u->file, &u->text));
    bytes_clear(&u->text);
    return MN_OK;
}

// ---- the properties of a layer ---------------------------------------------------------------------------------------------

typedef enum Property { COUNTS, INDICES, POINTS, NORMALS, VELOCITIES, WIDTHS, EXTENT, PROPERTIES } Property;

static const struct {
    const char* declaration;
    const char* attribute;  // that it needs; NULL: none
    bool of_mesh, of_points;
} property[PROPERTIES] = {
    [COUNTS] = {"int[] faceVertexCounts", NULL, true, false},
    [INDICES] = {"int[] faceVertexIndices", NULL, true, false},
    [POINTS] = {"point3f[] points", NULL, true, true},
    [NORMALS] = {"normal3f[] normals", "normal", true, false},
    [VELOCITIES] = {"vector3f[] velocities", "velocity", true, true},
    [WIDTHS] = {"float[] widths", "radius", false, true},
    [EXTENT] = {"float3[] extent", NULL, true, false},
};

static void put_vector(Bytes* b, const double v[3], bool first)
{
    bytes_print(b, "%s(%.9g, %.9g, %.9g)", first ? "" : ", ", v[0], v[1], v[2]);
}

static void put_vectors(Bytes* b, const float* v, int count)
{
    for (int i = 0; i < count; i++)
        put_vector(b, (const double[3]){v[3*(ptrdiff_t)i], v[3*(ptrdiff_t)i + 1], v[3*(ptrdiff_t)i + 2]}, i == 0);
}

static void put_extent(Bytes* b, const Layer* layer)
{
    double low[3] = {0}, high[3] = {0};
    for (int i = 0; i < layer->points; i++)
        for (int d = 0; d < 3; d++) {
            double x = layer->position[3*(ptrdiff_t)i + d];
            low[d] = i ? fmin(low[d], x) : x, high[d] = i ? fmax(high[d], x) : x;
        }
    put_vector(b, low, true);
    put_vector(b, high, false);
}

static void put_property(Bytes* b, const Layer* layer, Property p)
{
    const float* value = property[p].attribute && layer->points > 0 ? layer_reals(layer, property[p].attribute) : NULL;
    bytes_print(b, "[");
    if (p == COUNTS)
        for (int e = 0; e < layer->elements; e++) bytes_print(b, e ? ", 3" : "3");
    if (p == INDICES)
        for (int c = 0; c < 3*layer->elements; c++) bytes_print(b, c ? ", %d" : "%d", layer->element[c]);
    if (p == POINTS) put_vectors(b, layer->position, layer->points);
    if ((p == NORMALS || p == VELOCITIES) && value) put_vectors(b, value, layer->points);
    if (p == WIDTHS)
        for (int i = 0; i < layer->points && value; i++) bytes_print(b, i ? ", %.9g" : "%.9g", 2*(double)value[i]);
    if (p == EXTENT) put_extent(b, layer);
    bytes_print(b, "]");
}

// ---- layers ----------------------------------------------------------------------------------------------------------------

// Names of prims are letters, digits and _ .
static void prim_name(char out[LAYER_NAME], const char* name)
{
    size_t n = 0;
    for (; name[n] && n < LAYER_NAME - 1; n++) out[n] = isalnum((unsigned char)name[n]) ? name[n] : '_';
    out[n] = 0;
}

static mn_status put_samples(Usda* u, const RunLayer* from, Property p)
{
    const UsdaRun* run = u->run;
    if (p == NORMALS)
        bytes_print(&u->text, "        %s (\n            interpolation = \"vertex\"\n        )\n", property[p].declaration);
    bytes_print(&u->text, "        %s.timeSamples = {\n", property[p].declaration);
    for (int frame = run->first; frame <= run->last; frame++) {
        Layer layer;
        TRY(runlayer_read(&layer, run->files, from, frame));
        bytes_print(&u->text, "            %d: ", frame);
        put_property(&u->text, &layer, p);
        bytes_print(&u->text, ",\n");
        layer_free(&layer);
        TRY(flush(u, ENOUGH_TEXT));
    }
    bytes_print(&u->text, "        }\n");
    return MN_OK;
}

// What stands still has no velocities.
static mn_status put_still(Usda* u, const Layer* layer, Property p)
{
    if (p == VELOCITIES) return MN_OK;
    bytes_print(&u->text, "        %s = ", property[p].declaration);
    put_property(&u->text, layer, p);
    bytes_print(&u->text, "%s\n", p == NORMALS ? " (\n            interpolation = \"vertex\"\n        )" : "");
    return flush(u, ENOUGH_TEXT);
}

// Triangles are meshes and points with a radius are balls. USD has no word for the rest.
static mn_status put_layer(Usda* u, const RunLayer* from, const Layer* sample)
{
    char prim[LAYER_NAME];
    bool mesh = sample->kind == LAYER_TRIANGLES;
    if (!mesh && !(sample->kind == LAYER_POINTS && layer_reals(sample, "radius"))) return MN_OK;
    prim_name(prim, from->name);
    bytes_print(&u->text, "\n    def %s \"%s\"\n    {\n", mesh ? "Mesh" : "Points", prim);
    if (mesh)
        bytes_print(&u->text, "        uniform token orientation = \"rightHanded\"\n"
                              "        uniform token subdivisionScheme = \"none\"\n");
    for (int p = 0; p < PROPERTIES; p++) {
        if (!(mesh ? property[p].of_mesh : property[p].of_points)) continue;
        if (property[p].attribute && !layer_reals(sample, property[p].attribute)) continue;
        TRY(from->still ? put_still(u, sample, (Property)p) : put_samples(u, from, (Property)p));
    }
    bytes_print(&u->text, "    }\n");
    return MN_OK;
}

// ---- the file --------------------------------------------------------------------------------------------------------------

static mn_status put_all(Usda* u)
{
    const UsdaRun* run = u->run;
    for (int m = 0; m < run->layers->count; m++) {
        Layer sample;
        TRY(runlayer_read_first(&sample, run->files, &run->layers->layer[m], run->first, run->last));
        mn_status status = put_layer(u, &run->layers->layer[m], &sample);
        layer_free(&sample);
        TRY(status);
    }
    bytes_print(&u->text, "}\n");
    return flush(u, 0);
}

static void put_header(Usda* u)
{
    double rate = u->run->files->frame_rate;
    bytes_print(&u->text,
                "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = \"meniscus\"\n    endTimeCode = %d\n"
                "    framesPerSecond = %.17g\n    metersPerUnit = 1\n    startTimeCode = %d\n"
                "    timeCodesPerSecond = %.17g\n    upAxis = \"Y\"\n)\n\ndef Xform \"run\"\n{\n",
                u->run->last, rate, u->run->first, rate);
}

// The whole run is moved along, so that a renderer's motion blur knows the shaking too.
static void put_places(Usda* u)
{
    bytes_print(&u->text, "    double3 xformOp:translate.timeSamples = {\n");
    for (int frame = u->run->first; frame <= u->run->last; frame++) {
        bytes_print(&u->text, "        %d: ", frame);
        put_vector(&u->text, u->run->place[frame], true);
        bytes_print(&u->text, ",\n");
    }
    bytes_print(&u->text, "    }\n    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n");
}

mn_status usda_write(const char* to, const UsdaRun* run)
{
    Usda u = {.run = run, .file.fd = -1};
    char path[PATH_ROOM], temporary[PATH_ROOM];
    TRY(path_join(path, to, "run.usda"));
    TRY(path_join(temporary, to, "run.usda.tmp"));
    put_header(&u);
    if (run->place) put_places(&u);
    mn_status status = rowfile_create(&u.file, temporary, &u.text);
    bytes_clear(&u.text);
    snprintf(u.file.path, sizeof u.file.path, "%s", path);  // messages name the file that was asked for
    if (status == MN_OK) status = put_all(&u);
    if (status == MN_OK) status = rowfile_sync(&u.file);
    rowfile_close(&u.file);
    bytes_free(&u.text);
    if (status == MN_OK && rename(temporary, path) != 0)
        status = mn_fail(MN_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (status != MN_OK) unlink(temporary);
    return status;
}
