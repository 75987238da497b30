// The row of a table as a list of named numbers and texts. Everybody who has something to tell adds its columns; the first line
// of the table and its rows come from the same list, so that a name cannot stand over another's number.
#pragma once
#include <stdbool.h>

enum { COLUMN_NAME = 80 };

typedef enum ColumnForm {
    COLUMN_WHOLE,  // an integer
    COLUMN_REAL,   // enough digits to tell any two doubles apart: equal states give equal bytes, and the other way round
    COLUMN_ROUGH,  // six digits, for what is never the same twice, such as wall time
    COLUMN_TEXT    // a name
} ColumnForm;

typedef struct Column {
    char name[COLUMN_NAME];  // without , and "; the unit stands in docs/output.md
    ColumnForm form;
    long whole;   // of COLUMN_WHOLE
    double real;  // of COLUMN_REAL and COLUMN_ROUGH
    char text[COLUMN_NAME];
} Column;

// All zeros is a valid empty list. When memory runs out, `failed` stays set and adds do nothing.
typedef struct Columns {
    Column* column;  // owned
    int count, room;
    bool failed;
} Columns;

void columns_free(Columns* c);
void columns_clear(Columns* c);  // for the next row; keeps the memory
void columns_whole(Columns* c, const char* name, long value);
void columns_real(Columns* c, const char* name, double value);
void columns_rough(Columns* c, const char* name, double value);
void columns_text(Columns* c, const char* name, const char* value);
const Column* columns_find(const Columns* c, const char* name);  // NULL if there is none
bool columns_is_valid(const Columns* c);                         // every name is its own and fits a table
