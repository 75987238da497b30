#include "api/moment.h"

#include <stdlib.h>
#include <string.h>

Moment* moment_new(void)
{
    Moment* m = calloc(1, sizeof *m);
    if (m) atomic_init(&m->users, 1);
    else mn_fail(MN_NO_MEMORY, "out of memory: a look at a simulation");
    return m;
}

void moment_release(Moment* m)
{
    if (!m || atomic_fetch_sub(&m->users, 1) > 1) return;
    layers_free(&m->layers);
    columns_free(&m->columns);
    for (int n = 0; n < m->lent_count; n++) free(m->lent[n].block);
    free(m->names), free(m->values), free(m->lent), free(m);
}

mn_status moment_lend(Moment* m, Field* field, size_t count)
{
    for (int n = 0; n < m->lent_count; n++)
        if (m->lent[n].field == field) return MN_OK;
    if (m->lent_count == m->lent_room) {
        int room = m->lent_room > 0 ? 2*m->lent_room : 8;
        LentField* more = realloc(m->lent, sizeof *more*(size_t)room);
        if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: a look at a field");
        m->lent = more, m->lent_room = room;
    }
    m->lent[m->lent_count++] = (LentField){.field = field, .count = count};
    return MN_OK;
}

static mn_status set_apart(LentField* l, bool copies)
{
    ptrdiff_t origin = l->field->v - l->field->block;
    double* copy = NULL;
    if (copies) {
        copy = malloc(l->count*sizeof *copy);
        if (!copy) return mn_fail(MN_NO_MEMORY, "out of memory: %zu values of a field that is held", l->count);
        memcpy(copy, l->field->block, l->count*sizeof *copy);
    }
    l->block = l->field->block;
    *l->field = copy ? (Field){.v = copy + origin, .block = copy} : (Field){0};
    l->field = NULL;
    return MN_OK;
}

mn_status moment_set_apart(Moment* m, bool copies)
{
    if (atomic_load(&m->users) == 1) return MN_OK;
    for (int n = 0; n < m->lent_count; n++)
        if (m->lent[n].field) TRY(set_apart(&m->lent[n], copies));
    return MN_OK;
}
