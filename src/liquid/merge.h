// When two liquids that meet become one.
#pragma once
#include "liquid/liquid.h"

typedef enum MergeRule {
    MERGE_ON_TOUCH,  // as soon as they share a cell
    MERGE_HOLD,      // never: a partner keeps them apart
    MERGE_BELOW,     // where what keeps them apart is thinner than `value` (m)
    MERGE_VDW,       // where molecular attraction breaks it, which the partner feels too
    MERGE_AFTER      // held until the clock shows `value` (s), then on touch
} MergeRule;

typedef struct MergePolicy {
    MergeRule rule;
    double value;
} MergePolicy;

// Policies between kinds of liquid, [a*kinds + b], the same both ways; kinds 0: all merge on touch. Owned.
typedef struct MergeTable {
    int kinds;
    MergePolicy* pair;
} MergeTable;

mn_status merge_table_init(MergeTable* t, int kinds, MergePolicy all);  // MN_NO_MEMORY leaves it empty
void merge_table_free(MergeTable* t);
void merge_table_set(MergeTable* t, int a, int b, MergePolicy policy);

// Between two kinds, or two liquids, at a time (s); MERGE_AFTER is turned into what it means then.
MergePolicy merge_policy_of_kinds(const MergeTable* t, int a, int b, double time);
MergePolicy merge_policy(const MergeTable* t, const Liquid* a, const Liquid* b, double time);
// Do the molecules of any pair attract each other?
bool merge_attracts(const MergeTable* t);
// Does it depend on the thickness of what is between them whether any pair merges?
bool merge_asks_thickness(const MergeTable* t);
// Does any pair ever need a partner between them?
bool merge_holds_apart(const MergeTable* t);
