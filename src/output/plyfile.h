// Reading binary little-endian PLY files, of any element and property names. A file that is missing, cut short or not
// what its header says gives MN_IO with one line that names the file; nothing is kept then.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

enum { PLY_NAME = 48, PLY_MAX_ELEMENTS = 16, PLY_MAX_PROPERTIES = 64 };

// All scalar properties of an element as one table of doubles; at most one list property (a face's corners).
typedef struct PlyElement {
    char name[PLY_NAME];
    size_t count;  // records
    int columns;   // scalar properties
    char column_name[PLY_MAX_PROPERTIES][PLY_NAME];
    bool column_is_whole[PLY_MAX_PROPERTIES];  // integers in the file
    double* value;                             // count*columns, one record after the other
    char list_name[PLY_NAME];                  // empty: no list property
    size_t* list_start;                        // count + 1 offsets into list
    int64_t* list;
} PlyElement;

typedef struct PlyFile {
    int element_count;
    PlyElement element[PLY_MAX_ELEMENTS];
} PlyFile;

mn_status plyfile_read(PlyFile** ply, const char* path);  // NULL on failure
void plyfile_free(PlyFile* ply);                          // fine on NULL

const PlyElement* plyfile_element(const PlyFile* ply, const char* name);  // NULL if there is none
int ply_column(const PlyElement* element, const char* name);              // -1 if there is none
