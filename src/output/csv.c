#include "output/csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void csv_free(CsvTable* t)
{
    free(t->name);
    free(t->value);
    free(t->text);
    *t = (CsvTable){0};
}

static int count_signs(const char* text, const char* end, char sign)
{
    int count = 0;
    for (const char* c = text; c < end; c++) count += *c == sign;
    return count;
}

// Cuts the first line into names. Returns what follows it.
static char* take_names(CsvTable* t)
{
    char *at = t->text, *end = strchr(at, '\n');
    for (int c = 0; c < t->columns; c++) {
        t->name[c] = at;
        at += strcspn(at, ",\r\n");
        if (c + 1 < t->columns) *at++ = 0;
    }
    *at = 0;
    return end + 1;
}

// The end of a text in quotes that begins here, behind its last quote; NULL if it has none in this line.
static char* text_end(char* at)
{
    for (char* c = at + 1; *c && *c != '\n'; c++)
        if (*c == '"' && c[1] == '"') c++;
        else if (*c == '"') return c + 1;
    return NULL;
}

static mn_status take_cell(double* value, char** at, const CsvTable* t, int row, int column)
{
    bool last = column + 1 == t->columns;
    char *end = NULL, *text = **at == '"' ? text_end(*at) : NULL;
    *value = text ? NAN : strtod(*at, &end);
    if (text) end = text;
    size_t length = strcspn(*at, ",\r\n");
    if (!text && (end == *at || end != *at + length))
        return mn_fail(MN_IO, "%s: line %d: %s is '%.*s', which is no number", t->path, row + 2, t->name[column],
                       (int)(length < 40 ? length : 40), *at);
    if (*end == '\r') end++;
    if (*end != (last ? '\n' : ','))
        return mn_fail(MN_IO, "%s: line %d has %s numbers than the first line has names", t->path, row + 2,
                       last ? "more" : "fewer");
    *at = end + 1;
    return MN_OK;
}

static mn_status take_all(CsvTable* t, size_t size)
{
    char* end = t->text + size;
    if (size == 0) return mn_fail(MN_IO, "%s: is empty", t->path);
    if (memchr(t->text, 0, size)) return mn_fail(MN_IO, "%s: is no text", t->path);
    if (end[-1] != '\n') return mn_fail(MN_IO, "%s: its last line is cut short", t->path);
    t->columns = count_signs(t->text, strchr(t->text, '\n'), ',') + 1;
    t->rows = count_signs(t->text, end, '\n') - 1;
    t->name = calloc((size_t)t->columns, sizeof *t->name);
    t->value = calloc((size_t)t->columns*(size_t)t->rows + 1, sizeof *t->value);
    if (!t->name || !t->value) return mn_fail(MN_NO_MEMORY, "%s: out of memory", t->path);
    char* at = take_names(t);
    for (int r = 0; r < t->rows; r++)
        for (int c = 0; c < t->columns; c++) TRY(take_cell(&t->value[(size_t)c*(size_t)t->rows + (size_t)r], &at, t, r, c));
    return MN_OK;
}

mn_status csv_read(CsvTable* t, const char* path)
{
    *t = (CsvTable){0};
    Bytes bytes;
    TRY(file_read(&bytes, path));
    snprintf(t->path, sizeof t->path, "%s", path);
    t->text = bytes.data;
    mn_status status = take_all(t, bytes.size);
    if (status != MN_OK) csv_free(t);
    return status;
}

const double* csv_find(const CsvTable* t, const char* name)
{
    for (int c = 0; c < t->columns; c++)
        if (!strcmp(t->name[c], name)) return t->value + (size_t)c*(size_t)t->rows;
    return NULL;
}

mn_status csv_column(const double** column, const CsvTable* t, const char* name)
{
    *column = csv_find(t, name);
    return *column ? MN_OK : mn_fail(MN_IO, "%s: there is no column '%s'", t->path, name);
}

// ---- writing ---------------------------------------------------------------------------------------------------------------

void csv_add_names(Bytes* out, const Columns* row)
{
    for (int m = 0; m < row->count; m++) bytes_print(out, "%s%s", m ? "," : "", row->column[m].name);
    bytes_print(out, "\n");
    out->failed = out->failed || row->failed;
}

// A line has to stay a line, whatever a name holds.
static void add_text(Bytes* out, const char* text)
{
    bytes_print(out, "\"");
    for (const char* c = text; *c; c++) bytes_print(out, *c == '"' ? "\"\"" : "%c", (unsigned char)*c < ' ' ? ' ' : *c);
    bytes_print(out, "\"");
}

void csv_add_row(Bytes* out, const Columns* row)
{
    for (int m = 0; m < row->count; m++) {
        const Column* c = &row->column[m];
        if (m) bytes_print(out, ",");
        if (c->form == COLUMN_WHOLE) bytes_print(out, "%ld", c->whole);
        else if (c->form == COLUMN_TEXT) add_text(out, c->text);
        else bytes_print(out, c->form == COLUMN_ROUGH ? "%.6g" : "%.17g", c->real);
    }
    bytes_print(out, "\n");
    out->failed = out->failed || row->failed;
}
