#include "output/ply.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "output/files.h"
#include "output/plyfile.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "PLY files are written as the numbers lie in memory");

// ---- names -----------------------------------------------------------------------------------------------------------------

// Vectors have a column per axis. Normals and velocities have the short names that other programs know.
static const struct {
    const char *attribute, *prefix;
} short_names[] = {{"normal", "n"}, {"velocity", "v"}};
enum { SHORT_NAMES = sizeof short_names/sizeof *short_names };

static void vector_column(char out[PLY_NAME], const char* attribute, int axis)
{
    for (int m = 0; m < SHORT_NAMES; m++)
        if (!strcmp(attribute, short_names[m].attribute)) {
            snprintf(out, PLY_NAME, "%s%c", short_names[m].prefix, "xyz"[axis]);
            return;
        }
    snprintf(out, PLY_NAME, "%.40s_%c", attribute, "xyz"[axis]);
}

// The axis of a column with such a name, and the attribute it would belong to; -1 for any other name.
static int column_axis(char attribute[PLY_NAME], const char* column)
{
    size_t length = strlen(column);
    int axis = length > 0 && column[length - 1] >= 'x' && column[length - 1] <= 'z' ? column[length - 1] - 'x' : -1;
    for (int m = 0; m < SHORT_NAMES && axis >= 0; m++)
        if (length == 2 && column[0] == short_names[m].prefix[0]) {
            strcpy(attribute, short_names[m].attribute);
            return axis;
        }
    if (axis < 0 || length < 3 || column[length - 2] != '_') return -1;
    snprintf(attribute, PLY_NAME, "%.*s", (int)length - 2, column);
    return axis;
}

// ---- writing ---------------------------------------------------------------------------------------------------------------

static void put_names(Bytes* b, const Layer* layer, AttributeSite site)
{
    for (int m = 0; m < layer->attributes; m++) {
        const Attribute* a = &layer->attribute[m];
        char column[PLY_NAME];
        if (a->site != site) continue;
        for (int d = 0; d < 3 && a->type == ATTRIBUTE_VECTOR; d++) {
            vector_column(column, a->name, d);
            bytes_print(b, "property float %s\n", column);
        }
        if (a->type != ATTRIBUTE_VECTOR) bytes_print(b, "property %s %s\n", a->whole ? "int" : "float", a->name);
    }
}

static void put_numbers(Bytes* b, const Layer* layer, AttributeSite site, int i)
{
    for (int m = 0; m < layer->attributes; m++) {
        const Attribute* a = &layer->attribute[m];
        size_t lanes = (size_t)attribute_lanes(a->type), at = lanes*(size_t)i;
        if (a->site != site) continue;
        if (a->whole) bytes_add(b, a->whole + at, sizeof *a->whole);
        else bytes_add(b, a->real + at, lanes*sizeof *a->real);
    }
}

// Are its elements faces, with a number of corners each, or edges, which need none?
static bool has_faces(const Layer* layer, bool plain)
{
    return layer->kind == LAYER_TRIANGLES || (plain && layer->kind == LAYER_EDGES);
}

static void put_header(Bytes* b, const Layer* layer, bool plain)
{
    bytes_print(b, "ply\nformat binary_little_endian 1.0\ncomment meniscus, SI units, y up\nelement vertex %d\n", layer->points);
    bytes_print(b, "property float x\nproperty float y\nproperty float z\n");
    put_names(b, layer, ON_POINTS);
    if (has_faces(layer, plain)) bytes_print(b, "element face %d\nproperty list uchar int vertex_indices\n", layer->elements);
    else if (layer->kind == LAYER_EDGES)
        bytes_print(b, "element edge %d\nproperty int vertex1\nproperty int vertex2\n", layer->elements);
    if (!plain) put_names(b, layer, ON_ELEMENTS);
    bytes_print(b, "end_header\n");
}

static mn_status write_layer(const char* path, const Layer* layer, bool plain)
{
    Bytes b = {0};
    size_t corners = (size_t)layer->kind;
    put_header(&b, layer, plain);
    for (int i = 0; i < layer->points; i++) {
        bytes_add(&b, layer->position + 3*(size_t)i, 3*sizeof(float));
        put_numbers(&b, layer, ON_POINTS, i);
    }
    for (int e = 0; e < layer->elements; e++) {
        if (has_faces(layer, plain)) bytes_add(&b, &(char){(char)corners}, 1);
        bytes_add(&b, layer->element + corners*(size_t)e, corners*sizeof(int));
        if (!plain) put_numbers(&b, layer, ON_ELEMENTS, e);
    }
    mn_status status = file_replace(path, &b, true);
    bytes_free(&b);
    return status;
}

mn_status ply_write(const char* path, const Layer* layer) { return write_layer(path, layer, false); }

mn_status ply_write_plain(const char* path, const Layer* layer) { return write_layer(path, layer, true); }

// ---- reading ---------------------------------------------------------------------------------------------------------------

// A file being taken over. An element of the layer comes from record `from` of the file: polygons are several triangles.
typedef struct Taking {
    Layer* layer;
    const char* path;
    const PlyElement *vertex, *element;  // element: NULL for points
    int* from;                           // owned
} Taking;

static mn_status bad(const Taking* t, const char* what) { return mn_fail(MN_IO, "%s: %s", t->path, what); }

static double value_at(const PlyElement* e, size_t record, int column)
{
    return e->value[record*(size_t)e->columns + (size_t)column];
}

static float finite_or_zero(double x) { return fabs(x) < 1e30 ? (float)x : 0; }

static mn_status take_positions(Taking* t)
{
    const char* const axes[3] = {"x", "y", "z"};
    for (int d = 0; d < 3; d++) {
        int column = ply_column(t->vertex, axes[d]);
        for (int i = 0; i < t->layer->points && column >= 0; i++) {
            double x = value_at(t->vertex, (size_t)i, column);
            if (!(fabs(x) < 1e30)) return bad(t, "a vertex is not at a finite place");
            t->layer->position[3*(size_t)i + (size_t)d] = (float)x;
        }
    }
    return MN_OK;
}

static mn_status add_element(Taking* t, int* count, const int64_t* corner, size_t record)
{
    Layer* layer = t->layer;
    for (int c = 0; c < (int)layer->kind; c++) {
        if (corner[c] < 0 || corner[c] >= layer->points) return bad(t, "a face names a vertex that is not there");
        layer->element[(int)layer->kind * *count + c] = (int)corner[c];
    }
    t->from[(*count)++] = (int)record;
    return MN_OK;
}

static mn_status take_triangles(Taking* t)
{
    const PlyElement* e = t->element;
    int count = 0;
    for (size_t i = 0; i < e->count; i++) {
        const int64_t* list = e->list + e->list_start[i];
        size_t n = e->list_start[i + 1] - e->list_start[i];
        for (size_t c = 2; c < n; c++) TRY(add_element(t, &count, (int64_t[3]){list[0], list[c - 1], list[c]}, i));
    }
    return MN_OK;
}

static mn_status take_edges(Taking* t)
{
    const PlyElement* e = t->element;
    int count = 0, a = ply_column(e, "vertex1"), b = ply_column(e, "vertex2");
    for (size_t i = 0; i < e->count; i++) {
        int64_t corner[2] = {(int64_t)clamp(value_at(e, i, a), -1, 1e15), (int64_t)clamp(value_at(e, i, b), -1, 1e15)};
        TRY(add_element(t, &count, corner, i));
    }
    return MN_OK;
}

// Fills an attribute from one column of the file, or three.
static void take_values(Attribute* a, const Taking* t, const int column[3])
{
    const PlyElement* e = a->site == ON_POINTS ? t->vertex : t->element;
    int lanes = attribute_lanes(a->type), count = a->site == ON_POINTS ? t->layer->points : t->layer->elements;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < lanes; d++) {
            double v = value_at(e, a->site == ON_POINTS ? (size_t)i : (size_t)t->from[i], column[d]);
            if (a->whole) a->whole[i] = v >= INT_MIN && v <= INT_MAX ? (int)v : 0;
            else a->real[(size_t)lanes*(size_t)i + (size_t)d] = finite_or_zero(v);
        }
}

static bool is_place(const char* column, AttributeSite site)
{
    if (site == ON_POINTS) return !strcmp(column, "x") || !strcmp(column, "y") || !strcmp(column, "z");
    return !strcmp(column, "vertex1") || !strcmp(column, "vertex2");
}

static mn_status take_column(const Taking* t, AttributeSite site, int c)
{
    const PlyElement* e = site == ON_POINTS ? t->vertex : t->element;
    char name[PLY_NAME], column[PLY_NAME];
    int columns[3] = {c, -1, -1}, axis = column_axis(name, e->column_name[c]);
    for (int d = 0; d < 3 && axis >= 0; d++) {
        vector_column(column, name, d);
        columns[d] = ply_column(e, column);
    }
    bool vector = axis >= 0 && columns[0] >= 0 && columns[1] >= 0 && columns[2] >= 0;
    if (vector && axis > 0) return MN_OK;  // taken with its x
    if (!vector) strcpy(name, e->column_name[c]), columns[0] = c;
    if (strlen(name) >= ATTRIBUTE_NAME || layer_find(t->layer, name) || t->layer->attributes == LAYER_ATTRIBUTES) return MN_OK;
    AttributeType type = vector ? ATTRIBUTE_VECTOR : e->column_is_whole[c] ? ATTRIBUTE_WHOLE : ATTRIBUTE_REAL;
    Attribute* a = layer_attribute(t->layer, name, type, site);
    if (!a) return MN_NO_MEMORY;
    take_values(a, t, columns);
    return MN_OK;
}

static mn_status take_attributes(const Taking* t, AttributeSite site)
{
    const PlyElement* e = site == ON_POINTS ? t->vertex : t->element;
    for (int c = 0; e && c < e->columns; c++)
        if (!is_place(e->column_name[c], site)) TRY(take_column(t, site, c));
    return MN_OK;
}

// How many elements the layer gets.
static size_t count_elements(const Taking* t, LayerKind kind)
{
    size_t count = kind == LAYER_EDGES ? t->element->count : 0;
    for (size_t i = 0; kind == LAYER_TRIANGLES && i < t->element->count; i++) {
        size_t n = t->element->list_start[i + 1] - t->element->list_start[i];
        count += n >= 3 ? n - 2 : 0;
    }
    return count;
}

static mn_status take_file(Taking* t, const PlyFile* ply, const char* name)
{
    const PlyElement *face = plyfile_element(ply, "face"), *edge = plyfile_element(ply, "edge");
    LayerKind kind = face ? LAYER_TRIANGLES : edge ? LAYER_EDGES : LAYER_POINTS;
    t->vertex = plyfile_element(ply, "vertex"), t->element = face ? face : edge;
    if (!t->vertex || ply_column(t->vertex, "x") < 0 || ply_column(t->vertex, "y") < 0) return bad(t, "has no vertices");
    if (face && face->count > 0 && !face->list_name[0]) return bad(t, "its faces have no corners");
    if (kind == LAYER_EDGES && (ply_column(edge, "vertex1") < 0 || ply_column(edge, "vertex2") < 0))
        return bad(t, "its edges have no ends");
    size_t elements = face && !face->list_name[0] ? 0 : count_elements(t, kind);
    if (t->vertex->count > INT_MAX/4 || elements > INT_MAX/4) return bad(t, "has too many vertices or faces");
    TRY(layer_init(t->layer, name, kind, (int)t->vertex->count, (int)elements));
    t->from = malloc((elements + 1)*sizeof *t->from);
    if (!t->from) return mn_fail(MN_NO_MEMORY, "%s: out of memory", t->path);
    TRY(take_positions(t));
    if (kind == LAYER_TRIANGLES && elements > 0) TRY(take_triangles(t));
    if (kind == LAYER_EDGES) TRY(take_edges(t));
    TRY(take_attributes(t, ON_POINTS));
    return take_attributes(t, ON_ELEMENTS);
}

mn_status ply_read(Layer* layer, const char* name, const char* path)
{
    *layer = (Layer){.kind = LAYER_POINTS};
    Taking t = {.layer = layer, .path = path};
    PlyFile* ply;
    mn_status status = plyfile_read(&ply, path);
    if (status == MN_OK) status = take_file(&t, ply, name);
    plyfile_free(ply);
    free(t.from);
    if (status != MN_OK) layer_free(layer);
    return status;
}
