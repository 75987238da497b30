#include "scene/read_tension.h"

#include <string.h>

const char* const tension_names[] = {"auto", "explicit", "implicit", "split", "csf", NULL};
const char* const split_names[] = {"frozen", "paper", NULL};
const char* const paper_change_names[] = {"balance", "provisional", "mean", NULL};
const char* const tension_keys[] = {"tension",        "tension_theta", "tension_steps",   "tension_variant",
                                    "tension_cycles", "tension_band",  "tension_changes", NULL};

enum { MOST_CYCLES = 64 };
// The band must hold a face of every column, and lie where the level set is a distance.
static const double LEAST_BAND = 2, MOST_BAND = 4;

static mn_status read_theta(SceneTension* t, const Node* n)
{
    TRY(node_number(&t->theta, n, "tension_theta", POSITIVE, "number from 0.5 to 1", OPTIONAL));
    // below 1/2 the scheme feeds waves instead of damping them
    if (t->theta != 0 && (t->theta < 0.5 || t->theta > 1))
        return node_fail(n, "tension_theta", "expected a number from 0.5 to 1, got %g", t->theta);
    return MN_OK;
}

// A whole number, or "auto".
static mn_status read_cycles(SceneTension* t, const Node* n)
{
    static const char* const words[] = {"auto", NULL};
    int word;
    if (node_is_text(n, "tension_cycles")) return node_choice(&word, n, "tension_cycles", words);
    return node_integer(&t->cycles, n, "tension_cycles", 1, MOST_CYCLES, "cycles in a step, or \"auto\"", OPTIONAL);
}

static mn_status read_changes(SceneTension* t, const Node* n)
{
    Node list;
    bool present;
    int count;
    TRY(node_open(&list, &present, n, "tension_changes", "a list, { \"balance\", ... }"));
    if (!present) return MN_OK;
    TRY(node_check_keys(&list, NULL, NULL, true));
    TRY(node_count(&count, &list, MAX_LIST));
    for (int i = 1; i <= count; i++) {
        int change = 0;
        TRY(node_choice_entry(&change, &list, i, paper_change_names));
        t->changes |= 1u << change;
    }
    node_close(&list);
    return MN_OK;
}

// A key that the scheme would not look at is a mistake of the scene's author.
static mn_status check_meaning(const SceneTension* t, const Node* n)
{
    bool is_auto = t->kind == TENSION_IS_AUTO, implicit = t->kind == TENSION_IS_IMPLICIT, split = t->kind == TENSION_IS_SPLIT,
         csf = t->kind == TENSION_IS_CSF, paper = split && t->variant == SPLIT_IS_PAPER;
    const struct {
        const char* key;
        bool meant;
    } rules[] = {{"tension_theta", is_auto || implicit || csf},
                 {"tension_steps", is_auto || implicit || csf || split},
                 {"tension_variant", split},
                 {"tension_cycles", split},
                 {"tension_band", csf || paper},
                 {"tension_changes", paper}};
    for (size_t m = 0; m < sizeof rules/sizeof *rules; m++)
        if (!rules[m].meant && node_has(n, rules[m].key))
            return node_fail(n, rules[m].key, "means nothing with tension = \"%s\"%s", tension_names[t->kind],
                             split ? " and tension_variant = \"frozen\"" : "");
    return MN_OK;
}

mn_status tension_read(SceneTension* t, const Node* n)
{
    int kind = TENSION_IS_AUTO, variant = SPLIT_IS_FROZEN;
    TRY(node_choice(&kind, n, "tension", tension_names));
    TRY(node_choice(&variant, n, "tension_variant", split_names));
    *t = (SceneTension){.kind = (TensionKind)kind, .variant = (SplitKind)variant};
    TRY(read_theta(t, n));
    TRY(node_number(&t->steps, n, "tension_steps", POSITIVE, "number of capillary times in a step", OPTIONAL));
    TRY(read_cycles(t, n));
    TRY(node_number(&t->band, n, "tension_band", POSITIVE, "number of cells from 2 to 4", OPTIONAL));
    if (t->band != 0 && (t->band < LEAST_BAND || t->band > MOST_BAND))
        return node_fail(n, "tension_band", "expected a number of cells from %g to %g, got %g", LEAST_BAND, MOST_BAND, t->band);
    TRY(read_changes(t, n));
    return check_meaning(t, n);
}
