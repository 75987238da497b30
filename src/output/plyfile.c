#include "output/plyfile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"

typedef enum PlyType { PLY_NONE, PLY_I8, PLY_U8, PLY_I16, PLY_U16, PLY_I32, PLY_U32, PLY_F32, PLY_F64 } PlyType;

// How one property lies in a record.
typedef struct PlyField {
    PlyType type;
    PlyType count_type;  // PLY_NONE for a scalar
} PlyField;

typedef struct PlyLayout {
    int fields;
    PlyField field[PLY_MAX_PROPERTIES];
} PlyLayout;

// The bytes of a file and how far they have been read.
typedef struct Reading {
    const char* path;
    const unsigned char* data;
    size_t size, at;
} Reading;

static size_t type_size(PlyType type)
{
    static const size_t size[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return size[type];
}

static PlyType type_named(const char* name)
{
    static const struct {
        const char* name;
        PlyType type;
    } known[] = {
        {"char", PLY_I8},   {"int8", PLY_I8},     {"uchar", PLY_U8},   {"uint8", PLY_U8},
        {"short", PLY_I16}, {"int16", PLY_I16},   {"ushort", PLY_U16}, {"uint16", PLY_U16},
        {"int", PLY_I32},   {"int32", PLY_I32},   {"uint", PLY_U32},   {"uint32", PLY_U32},
        {"float", PLY_F32}, {"float32", PLY_F32}, {"double", PLY_F64}, {"float64", PLY_F64},
    };
    for (size_t i = 0; i < sizeof known/sizeof *known; i++)
        if (!strcmp(name, known[i].name)) return known[i].type;
    return PLY_NONE;
}

static mn_status bad(const Reading* b, const char* what) { return mn_fail(MN_IO, "%s: %s", b->path, what); }

// One number of the given type, which the caller knows to lie within the data.
static double number_at(const unsigned char* p, PlyType type)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } u;
    memcpy(&u, p, type_size(type));
    switch (type) {
    case PLY_I8:
        return u.i8;
    case PLY_U8:
        return u.u8;
    case PLY_I16:
        return u.i16;
    case PLY_U16:
        return u.u16;
    case PLY_I32:
        return u.i32;
    case PLY_U32:
        return u.u32;
    case PLY_F32:
        return u.f32;
    case PLY_F64:
        return u.f64;
    case PLY_NONE:
        break;
    }
    return 0;
}

// The next line of the header without its end, or false at the end of the data or if it is longer than any we know.
static bool next_line(char line[256], Reading* b)
{
    size_t n = 0;
    while (b->at < b->size && n < 255) {
        char c = (char)b->data[b->at++];
        if (c == '\n') {
            if (n > 0 && line[n - 1] == '\r') n--;
            line[n] = 0;
            return true;
        }
        line[n++] = c;
    }
    return false;
}

static mn_status parse_property(PlyElement* e, PlyLayout* layout, const Reading* b, const char* line)
{
    char type[32], count_type[32], name[PLY_NAME];
    if (layout->fields == PLY_MAX_PROPERTIES) return bad(b, "too many properties");
    PlyField* field = &layout->field[layout->fields++];
    if (sscanf(line, "property list %31s %31s %47s", count_type, type, name) == 3) {
        if (e->list_name[0]) return bad(b, "more than one list in an element");
        *field = (PlyField){type_named(type), type_named(count_type)};
        if (field->count_type == PLY_NONE) return bad(b, "a list with a count of unknown type");
        strcpy(e->list_name, name);
    } else if (sscanf(line, "property %31s %47s", type, name) == 2) {
        *field = (PlyField){type_named(type), PLY_NONE};
        e->column_is_whole[e->columns] = field->type != PLY_F32 && field->type != PLY_F64;
        strcpy(e->column_name[e->columns++], name);
    } else return bad(b, "a property line of the header is wrong");
    return field->type == PLY_NONE ? bad(b, "a property of unknown type") : MN_OK;
}

static mn_status parse_header(PlyFile* ply, PlyLayout layout[PLY_MAX_ELEMENTS], Reading* b)
{
    char line[256];
    bool format = false;
    if (!next_line(line, b) || strcmp(line, "ply")) return bad(b, "is not a PLY file");
    while (next_line(line, b)) {
        char name[PLY_NAME];
        unsigned long long count;
        if (!strcmp(line, "end_header")) return format ? MN_OK : bad(b, "the PLY header names no format");
        if (!strncmp(line, "comment", 7) || !strncmp(line, "obj_info", 8)) continue;
        if (!strncmp(line, "format ", 7)) {
            if (strcmp(line, "format binary_little_endian 1.0")) return bad(b, "is not a binary little-endian PLY file");
            format = true;
        } else if (sscanf(line, "element %47s %llu", name, &count) == 2) {
            if (ply->element_count == PLY_MAX_ELEMENTS) return bad(b, "too many elements");
            PlyElement* e = &ply->element[ply->element_count++];
            strcpy(e->name, name);
            e->count = (size_t)count;
        } else if (!strncmp(line, "property ", 9) && ply->element_count > 0) {
            int last = ply->element_count - 1;
            TRY(parse_property(&ply->element[last], &layout[last], b, line));
        } else return bad(b, "a line of the PLY header is wrong");
    }
    return bad(b, "the PLY header has no end");
}

static size_t smallest_record(const PlyLayout* layout)
{
    size_t size = 0;
    for (int f = 0; f < layout->fields; f++)
        size += type_size(layout->field[f].count_type ? layout->field[f].count_type : layout->field[f].type);
    return size;
}

// Room for the tables. The count of the header is believed only as far as the bytes that are there could hold it, so a
// damaged header cannot ask for all memory.
static mn_status allocate_tables(PlyElement* e, const PlyLayout* layout, const Reading* b, size_t* list_room)
{
    size_t record = smallest_record(layout), left = b->size - b->at;
    if (record == 0 ? e->count > 0 : e->count > left/record) return bad(b, "is cut short");
    e->value = malloc((e->count*(size_t)e->columns + 1)*sizeof *e->value);
    if (!e->value) return mn_fail(MN_NO_MEMORY, "%s: out of memory", b->path);
    if (!e->list_name[0]) return MN_OK;
    *list_room = 3*e->count + 16;
    e->list_start = malloc((e->count + 1)*sizeof *e->list_start);
    e->list = malloc(*list_room*sizeof *e->list);
    if (!e->list_start || !e->list) return mn_fail(MN_NO_MEMORY, "%s: out of memory", b->path);
    e->list_start[0] = 0;
    return MN_OK;
}

static mn_status read_list(PlyElement* e, size_t record, size_t* room, PlyField field, Reading* b)
{
    double given = number_at(b->data + b->at, field.count_type);
    b->at += type_size(field.count_type);
    size_t item = type_size(field.type), start = e->list_start[record];
    if (!(given >= 0 && given <= (double)((b->size - b->at)/item))) return bad(b, "is cut short");
    size_t n = (size_t)given;
    if (start + n > *room) {
        *room = 2*(start + n);
        int64_t* more = realloc(e->list, *room*sizeof *more);
        if (!more) return mn_fail(MN_NO_MEMORY, "%s: out of memory", b->path);
        e->list = more;
    }
    for (size_t i = 0; i < n; i++, b->at += item) {
        double x = number_at(b->data + b->at, field.type);
        e->list[start + i] = x > -1e15 && x < 1e15 ? (int64_t)x : -1;
    }
    e->list_start[record + 1] = start + n;
    return MN_OK;
}

static mn_status read_records(PlyElement* e, const PlyLayout* layout, Reading* b)
{
    size_t room = 0;
    TRY(allocate_tables(e, layout, b, &room));
    double* out = e->value;
    for (size_t r = 0; r < e->count; r++) {
        for (int f = 0; f < layout->fields; f++) {
            PlyField field = layout->field[f];
            size_t need = type_size(field.count_type ? field.count_type : field.type);
            if (b->size - b->at < need) return bad(b, "is cut short");
            if (field.count_type) {
                TRY(read_list(e, r, &room, field, b));
            } else {
                *out++ = number_at(b->data + b->at, field.type);
                b->at += need;
            }
        }
    }
    return MN_OK;
}

static mn_status read_all(PlyFile* ply, Reading* b)
{
    PlyLayout layout[PLY_MAX_ELEMENTS] = {0};
    TRY(parse_header(ply, layout, b));
    for (int i = 0; i < ply->element_count; i++) TRY(read_records(&ply->element[i], &layout[i], b));
    return MN_OK;
}

mn_status plyfile_read(PlyFile** ply, const char* path)
{
    *ply = NULL;
    Bytes bytes;
    TRY(file_read(&bytes, path));
    Reading reading = {.path = path, .data = (const unsigned char*)bytes.data, .size = bytes.size};
    PlyFile* read = calloc(1, sizeof *read);
    mn_status status = read ? read_all(read, &reading) : mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    bytes_free(&bytes);
    if (status == MN_OK) *ply = read;
    else plyfile_free(read);
    return status;
}

void plyfile_free(PlyFile* ply)
{
    if (!ply) return;
    for (int i = 0; i < ply->element_count; i++) {
        free(ply->element[i].value);
        free(ply->element[i].list_start);
        free(ply->element[i].list);
    }
    free(ply);
}

const PlyElement* plyfile_element(const PlyFile* ply, const char* name)
{
    for (int i = 0; i < ply->element_count; i++)
        if (!strcmp(ply->element[i].name, name)) return &ply->element[i];
    return NULL;
}

int ply_column(const PlyElement* element, const char* name)
{
    for (int c = 0; c < element->columns; c++)
        if (!strcmp(element->column_name[c], name)) return c;
    return -1;
}
