// PLY: text, and binary of either byte order. Takes x, y, z of `vertex` and the index list of `face`; passes over the rest.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/mesh_build.h"

#define MAX_ELEMENTS 32
#define MAX_PROPERTIES 128

typedef enum Type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, NO_TYPE } Type;
typedef enum Role { IGNORED, X, Y, Z, CORNERS } Role;

typedef struct Property {
    Type type, count_type;
    Role role;
} Property;  // count_type: of a list, NO_TYPE if it is none
typedef struct Element {
    long count;
    bool vertex, face;
    int first, properties;
} Element;

typedef struct Ply {
    const char *start, *c, *end, *name;
    bool text, big_endian;
    Element elements[MAX_ELEMENTS];
    Property properties[MAX_PROPERTIES];
    int element_count, property_count;
    MeshBuilder builder;
} Ply;

static mn_status fail(const Ply* p, const char* what)
{
    return mn_fail(MN_BAD_MESH, "%s: byte %zu: %s", p->name, (size_t)(p->c - p->start), what);
}

// ---------------------------------------------------------------- header

static Type type_named(const char* word)
{
    static const char* const names[][2] = {{"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
                                           {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
    for (int i = 0; i < NO_TYPE; i++) {
        if (strcmp(word, names[i][0]) == 0 || strcmp(word, names[i][1]) == 0) return (Type)i;
    }
    return NO_TYPE;
}

static mn_status read_format(Ply* p, const char* word)
{
    p->text = strcmp(word, "ascii") == 0;
    p->big_endian = strcmp(word, "binary_big_endian") == 0;
    if (p->text || p->big_endian || strcmp(word, "binary_little_endian") == 0) return MN_OK;
    return fail(p, "unknown format; expected ascii, binary_little_endian or binary_big_endian");
}

static mn_status read_element(Ply* p, const char* word, const char* number)
{
    char* after;
    long count = strtol(number, &after, 10);
    if (after == number || *after || count < 0) return fail(p, "expected a count after the element's name");
    // every entry takes at least one byte: a header that claims more is wrong, and would only cost time
    if (count > p->end - p->start) return fail(p, "an element has more entries than the file has bytes");
    if (p->element_count == MAX_ELEMENTS) return fail(p, "too many elements");
    Element* e = &p->elements[p->element_count++];
    *e = (Element){count, strcmp(word, "vertex") == 0, strcmp(word, "face") == 0, p->property_count, 0};
    return MN_OK;
}

static mn_status read_property(Ply* p, int words, char word[][32])
{
    if (p->element_count == 0) return fail(p, "a property before any element");
    if (p->property_count == MAX_PROPERTIES) return fail(p, "too many properties");
    Element* e = &p->elements[p->element_count - 1];
    Property* q = &p->properties[p->property_count++];
    bool list = words == 5 && strcmp(word[1], "list") == 0;
    const char* name = list ? word[4] : word[2];
    *q = (Property){NO_TYPE, NO_TYPE, IGNORED};
    if (words != (list ? 5 : 3)) return fail(p, "expected: property type name, or property list type type name");
    q->type = type_named(list ? word[3] : word[1]);
    if (list) q->count_type = type_named(word[2]);
    if (q->type == NO_TYPE || (list && q->count_type >= FLOAT32)) return fail(p, "unknown type of a property");
    if (e->vertex && !list && name[1] == 0 && name[0] >= 'x' && name[0] <= 'z') q->role = X + (Role)(name[0] - 'x');
    if (e->face && list && (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0)) q->role = CORNERS;
    if (q->role == CORNERS && q->type >= FLOAT32) return fail(p, "vertex indices must be whole numbers");
    e->properties++;
    return MN_OK;
}

// One line of the header as words; false at the end of the file.
static bool read_words(Ply* p, int* words, char word[6][32])
{
    const char* end = memchr(p->c, '\n', (size_t)(p->end - p->c));
    char line[512];
    if (!end) return false;
    size_t length = (size_t)(end - p->c);
    if (length >= sizeof line) length = sizeof line - 1;
    memcpy(line, p->c, length);
    line[length] = 0;
    for (int i = 0; i < 6; i++) word[i][0] = 0;
    *words = sscanf(line, "%31s %31s %31s %31s %31s %31s", word[0], word[1], word[2], word[3], word[4], word[5]);
    if (*words < 0) *words = 0;
    p->c = end + 1;
    return true;
}

static mn_status read_header(Ply* p)
{
    char word[6][32];
    int words;
    bool format = false;
    if (!read_words(p, &words, word) || strcmp(word[0], "ply") != 0)
        return mn_fail(MN_BAD_MESH, "%s: does not begin with ply", p->name);
    while (read_words(p, &words, word)) {
        if (strcmp(word[0], "end_header") == 0) return format ? MN_OK : fail(p, "the header names no format");
        if (words == 0 || strcmp(word[0], "comment") == 0 || strcmp(word[0], "obj_info") == 0) continue;
        if (strcmp(word[0], "format") == 0) {
            TRY(read_format(p, word[1]));
            format = true;
        } else if (strcmp(word[0], "element") == 0) {
            TRY(read_element(p, word[1], word[2]));
        } else if (strcmp(word[0], "property") == 0) {
            TRY(read_property(p, words, word));
        } else {
            return fail(p, "unknown line in the header");
        }
    }
    return fail(p, "the file ends inside its header");
}

// ---------------------------------------------------------------- data

static mn_status read_text_value(double* value, Ply* p)
{
    char* after;
    while (p->c < p->end && strchr(" \t\r\n", *p->c)) p->c++;
    if (p->c >= p->end) return fail(p, "the file ends before its last value");
    *value = strtod(p->c, &after);
    if (after == p->c) return fail(p, "expected a number");
    p->c = after;
    return MN_OK;
}

static mn_status read_value(double* value, Ply* p, Type type)
{
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    if (p->text) return read_text_value(value, p);
    size_t n = sizes[type];
    if ((size_t)(p->end - p->c) < n) return fail(p, "the file ends before its last value");
    unsigned long long bits = 0;
    for (size_t i = 0; i < n; i++) bits |= (unsigned long long)(unsigned char)p->c[p->big_endian ? n - 1 - i : i] << 8*i;
    p->c += n;
    unsigned int low = (unsigned int)bits;
    float single;
    switch (type) {
    case INT8:
        *value = (signed char)bits;
        break;
    case INT16:
        *value = (short)bits;
        break;
    case INT32:
        *value = (int)low;
        break;
    case FLOAT32:
        memcpy(&single, &low, sizeof single), *value = single;
        break;
    case FLOAT64:
        memcpy(value, &bits, sizeof *value);
        break;
    default:
        *value = (double)bits;
        break;
    }
    return MN_OK;
}

// A list; when it is a face's corners, a fan of triangles around the first.
static mn_status read_list(Ply* p, const Property* q)
{
    double count, value;
    int first = 0, last = 0;
    TRY(read_value(&count, p, q->count_type));
    if (!(count >= 0 && count <= (double)(p->end - p->c)) || count != floor(count))
        return fail(p, "a list has an impossible length");
    if (q->role == CORNERS && count < 3) return fail(p, "a face of fewer than three corners");
    for (double i = 0; i < count; i++) {
        TRY(read_value(&value, p, q->type));
        if (q->role != CORNERS) continue;
        if (!(value >= 0 && value < MESH_MAX_COUNT) || value != floor(value)) return fail(p, "a face names an impossible vertex");
        int index = (int)value;
        if (i == 0) first = index;
        if (i >= 2) TRY(builder_triangle(&p->builder, first, last, index));
        last = index;
    }
    return MN_OK;
}

static mn_status read_entry(Ply* p, const Element* e)
{
    double x[3] = {0, 0, 0}, value;
    for (int i = 0; i < e->properties; i++) {
        const Property* q = &p->properties[e->first + i];
        if (q->count_type != NO_TYPE) {
            TRY(read_list(p, q));
            continue;
        }
        TRY(read_value(&value, p, q->type));
        if (q->role == IGNORED) continue;
        if (!(fabs(value) <= MESH_FARTHEST)) return fail(p, "a coordinate is not a finite number, or too large");
        x[q->role - X] = value;
    }
    return e->vertex ? builder_vertex(&p->builder, x) : MN_OK;
}

static mn_status read_data(Ply* p)
{
    for (int i = 0; i < p->element_count; i++) {
        const Element* e = &p->elements[i];
        unsigned roles = 0;
        for (int k = 0; k < e->properties; k++) roles |= 1u << p->properties[e->first + k].role;
        if (e->vertex && (roles & 14u) != 14u) return fail(p, "vertices without x, y and z");
        if (e->face && !(roles & 1u << CORNERS)) return fail(p, "faces without a list vertex_indices");
        for (long k = 0; k < e->count && e->properties > 0; k++) TRY(read_entry(p, e));
    }
    return MN_OK;
}

mn_status mesh_read_ply(TriMesh* mesh, const char* name, const char* bytes, size_t size)
{
    memset(mesh, 0, sizeof *mesh);
    Ply* p = calloc(1, sizeof *p);
    if (!p) return mn_fail(MN_NO_MEMORY, "no memory to read %s", name);
    p->start = p->c = bytes, p->end = bytes + size, p->name = name;
    mn_status status = read_header(p);
    if (status == MN_OK) status = read_data(p);
    if (status == MN_OK) status = builder_finish(mesh, &p->builder, name);
    mesh_free(&p->builder.mesh);
    free(p);
    return status;
}
