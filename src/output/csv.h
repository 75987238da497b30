// Tables of numbers with names in the first line, as runs write them. Text stands in quotes, a quote in it twice.
#pragma once
#include "base/columns.h"
#include "output/files.h"

typedef struct CsvTable {
    char path[PATH_ROOM];
    int columns, rows;
    char** name;    // into text
    double* value;  // column after column; NAN where text is
    char* text;     // owned
} CsvTable;

// MN_IO with one line that names the file, the line and the column leaves the table empty. A table without rows is fine.
mn_status csv_read(CsvTable* t, const char* path);
void csv_free(CsvTable* t);

const double* csv_find(const CsvTable* t, const char* name);                       // t->rows numbers, or NULL
mn_status csv_column(const double** column, const CsvTable* t, const char* name);  // MN_IO if there is none

// The first line of a table that has these columns, and a row of it.
void csv_add_names(Bytes* out, const Columns* row);
void csv_add_row(Bytes* out, const Columns* row);
