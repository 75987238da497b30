#include "liquid/merge.h"

#include <assert.h>
#include <stdlib.h>

mn_status merge_table_init(MergeTable* t, int kinds, MergePolicy all)
{
    assert(kinds >= 0);
    *t = (MergeTable){.pair = malloc(sizeof *t->pair*(size_t)(kinds*kinds + 1))};
    if (!t->pair) return mn_fail(MN_NO_MEMORY, "out of memory: %d kinds of liquid", kinds);
    t->kinds = kinds;
    for (int m = 0; m < kinds*kinds; m++) t->pair[m] = all;
    return MN_OK;
}

void merge_table_free(MergeTable* t)
{
    free(t->pair);
    *t = (MergeTable){0};
}

void merge_table_set(MergeTable* t, int a, int b, MergePolicy policy)
{
    assert(a >= 0 && a < t->kinds && b >= 0 && b < t->kinds);
    t->pair[a*t->kinds + b] = t->pair[b*t->kinds + a] = policy;
}

MergePolicy merge_policy_of_kinds(const MergeTable* t, int a, int b, double time)
{
    assert(a >= 0 && b >= 0);
    if (a >= t->kinds || b >= t->kinds) return (MergePolicy){.rule = MERGE_ON_TOUCH};
    MergePolicy p = t->pair[a*t->kinds + b];
    if (p.rule == MERGE_AFTER) return (MergePolicy){.rule = time < p.value ? MERGE_HOLD : MERGE_ON_TOUCH};
    return p;
}

MergePolicy merge_policy(const MergeTable* t, const Liquid* a, const Liquid* b, double time)
{
    return merge_policy_of_kinds(t, a->kind, b->kind, time);
}

bool merge_attracts(const MergeTable* t)
{
    for (int m = 0; m < t->kinds*t->kinds; m++)
        if (t->pair[m].rule == MERGE_VDW) return true;
    return false;
}

bool merge_asks_thickness(const MergeTable* t)
{
    for (int m = 0; m < t->kinds*t->kinds; m++)
        if (t->pair[m].rule == MERGE_BELOW || t->pair[m].rule == MERGE_VDW) return true;
    return false;
}

bool merge_holds_apart(const MergeTable* t)
{
    for (int m = 0; m < t->kinds*t->kinds; m++)
        if (t->pair[m].rule != MERGE_ON_TOUCH) return true;
    return false;
}
