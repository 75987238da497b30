#include "base/columns.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void columns_free(Columns* c)
{
    free(c->column);
    *c = (Columns){0};
}

void columns_clear(Columns* c) { c->count = 0, c->failed = false; }

static Column* add(Columns* c, const char* name, ColumnForm form)
{
    assert(name[0]);
    if (c->failed) return NULL;
    if (c->count == c->room) {
        int room = c->room ? 2*c->room : 32;
        Column* more = realloc(c->column, sizeof *more*(size_t)room);
        c->failed = !more;
        if (!more) return NULL;
        c->column = more, c->room = room;
    }
    Column* new = &c->column[c->count++];
    *new = (Column){.form = form};
    snprintf(new->name, sizeof new->name, "%s", name);
    return new;
}

void columns_whole(Columns* c, const char* name, long value)
{
    Column* new = add(c, name, COLUMN_WHOLE);
    if (new) new->whole = value;
}

void columns_real(Columns* c, const char* name, double value)
{
    Column* new = add(c, name, COLUMN_REAL);
    if (new) new->real = value;
}

void columns_rough(Columns* c, const char* name, double value)
{
    Column* new = add(c, name, COLUMN_ROUGH);
    if (new) new->real = value;
}

void columns_text(Columns* c, const char* name, const char* value)
{
    Column* new = add(c, name, COLUMN_TEXT);
    if (new) snprintf(new->text, sizeof new->text, "%s", value);
}

const Column* columns_find(const Columns* c, const char* name)
{
    for (int m = 0; m < c->count; m++)
        if (!strcmp(c->column[m].name, name)) return &c->column[m];
    return NULL;
}

static bool name_fits(const char* name)
{
    for (const char* p = name; *p; p++)
        if (*p == ',' || *p == '"' || iscntrl((unsigned char)*p)) return false;
    return name[0] != 0;
}

bool columns_is_valid(const Columns* c)
{
    for (int m = 0; m < c->count; m++)
        if (!name_fits(c->column[m].name) || columns_find(c, c->column[m].name) != &c->column[m]) return false;
    return !c->failed;
}
